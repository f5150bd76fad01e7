//! The engine's part of the quality bench.
//!
//! `ours` and `flat` rank one set: a line of JSON for each query, in the order of the file. `--diverse` asks for the page that a
//! model gets, with the surplus of look-alikes behind; `--without IDEA` switches one idea off, of those that `--ideas` lists.
//! `names` calls every tool of a set by its name, `families` asks a generated catalog of look-alikes.

mod answer;
mod families;
mod flat;
mod names;
mod ours;
mod sets;
mod spelling;

use std::error::Error;

use honeyguide::ablation::{Idea, without};

use ours::Page;
use sets::Set;

const USAGE: &str = "usage: honeyguide-bench-quality flat|ours TOOLS.jsonl QUERIES.jsonl [--diverse | --without IDEA] | \
                     names TOOLS.jsonl | families | --ideas";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["ours", tools, queries] => ours::rank(&Set::read(tools, queries)?, Page::Plain),
        ["ours", tools, queries, "--diverse"] => ours::rank(&Set::read(tools, queries)?, Page::Diverse),
        ["ours", tools, queries, "--without", name] => {
            let known = Idea::ALL.iter().find(|(_, idea)| *idea == name);
            without(known.ok_or(USAGE)?.0);
            ours::rank(&Set::read(tools, queries)?, Page::Plain)
        }
        ["flat", tools, queries] => flat::rank(&Set::read(tools, queries)?),
        ["names", tools] => names::run(tools),
        ["families"] => families::run(),
        ["--ideas"] => {
            Idea::ALL.iter().for_each(|(_, idea)| println!("{idea}"));
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}
