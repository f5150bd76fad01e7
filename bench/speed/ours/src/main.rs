//! Measures this engine: `honeyguide-bench-ours engine|catalog|index|readers TOOLS.jsonl QUERIES.jsonl UPDATES.jsonl PASSES`.
//!
//! `engine` is what the bindings call, JSON text in and out; `catalog` asks for ids and scores as a Rust program does;
//! `index` keeps no item, to see what the index alone weighs; `readers` searches while a writer replaces.

mod catalog;
mod engine;
mod index;
mod readers;

use std::error::Error;

use honeyguide_bench_kit::measure::run;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("engine") => run::<engine::OursEngine>(VERSION),
        Some("catalog") => run::<catalog::OursCatalog>(VERSION),
        Some("index") => run::<index::OursIndex>(VERSION),
        Some("readers") => readers::run(VERSION),
        _ => Err(
            "usage: honeyguide-bench-ours engine|catalog|index|readers TOOLS QUERIES UPDATES PASSES".into(),
        ),
    }
}
