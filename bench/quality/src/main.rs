//! Ranks one set for the quality bench: a line of JSON for each query, in the order of the file. Measures nothing.
//!
//! `honeyguide-bench-quality ours|flat TOOLS.jsonl QUERIES.jsonl`

mod answer;
mod flat;
mod ours;
mod sets;

use std::error::Error;

use sets::Set;

const USAGE: &str = "usage: honeyguide-bench-quality ours|flat TOOLS.jsonl QUERIES.jsonl";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["ours", tools, queries] => ours::rank(&Set::read(tools, queries)?),
        ["flat", tools, queries] => flat::rank(&Set::read(tools, queries)?),
        _ => Err(USAGE.into()),
    }
}
