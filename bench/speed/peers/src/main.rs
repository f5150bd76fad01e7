//! Measures engines of others by the protocol of the speed bench: `honeyguide-bench-peers ratel|tantivy TOOLS.jsonl
//! QUERIES.jsonl UPDATES.jsonl PASSES`. Outside the workspace: the product never builds them.

mod ratel;
mod tantivy_ram;

use std::error::Error;

use honeyguide_bench_kit::measure::run;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("ratel") => run::<ratel::Ratel>("0.11.0"),
        Some("tantivy") => run::<tantivy_ram::Tantivy>("0.27.0"),
        _ => Err("usage: honeyguide-bench-peers ratel|tantivy TOOLS QUERIES UPDATES PASSES".into()),
    }
}
