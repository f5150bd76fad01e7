//! The engine's part of the quality bench.
//!
//! `ours` and `flat` rank one set: a line of JSON for each query, in the order of the file. `--diverse` asks for the page that a
//! model gets, with the surplus of look-alikes behind. `--ideas` lists what can be switched off. `names` calls every tool of a set by its name, `families` asks a
//! generated catalog of look-alikes.

mod answer;
mod families;
mod flat;
mod names;
mod ours;
mod sets;
mod spelling;

use std::error::Error;

use ours::Page;
use sets::Set;

const USAGE: &str = "usage: honeyguide-bench-quality flat|ours TOOLS.jsonl QUERIES.jsonl [--diverse] | \
                     names TOOLS.jsonl | families | --ideas";

/// What of the ranking can be switched off alone; the engine offers nothing so far.
const IDEAS: [&str; 0] = [];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["ours", tools, queries] => ours::rank(&Set::read(tools, queries)?, Page::Plain),
        ["ours", tools, queries, "--diverse"] => ours::rank(&Set::read(tools, queries)?, Page::Diverse),
        ["flat", tools, queries] => flat::rank(&Set::read(tools, queries)?),
        ["names", tools] => names::run(tools),
        ["families"] => families::run(),
        ["--ideas"] => {
            IDEAS.iter().for_each(|idea| println!("{idea}"));
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}
