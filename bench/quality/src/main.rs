//! The engine's part of the quality bench.
//!
//! `ours` and `flat` rank one set: a line of JSON for each query, in the order of the file. `--diverse` asks for the page that a
//! model gets, with the surplus of look-alikes behind; `--without IDEA` switches one idea off, of those that `--ideas` lists.
//! `passages` prints the texts of a set that want vectors, a JSON string a line; `semantic`, `hybrid`, `ranks` and `deviations` rank
//! with the vectors of these texts and of the queries, and `--without` takes the ideas that `--ideas-of-fusion` and
//! `--ideas-of-doubt` list; `semantic` takes those of `--ideas-of-doubt-alone`. `words` prints the score of every tool that has a
//! word of a query, alone and as it is beside meaning; `--without` takes the ideas that `--ideas-of-fusion` lists.
//! `names` calls every tool of a set by its name, `families` asks a generated catalog of look-alikes.

mod answer;
mod families;
mod flat;
mod names;
mod ours;
mod sets;
mod spelling;
mod vectors;

use std::error::Error;

use honeyguide::ablation::{Idea, without};

use ours::Page;
use sets::Set;
use vectors::{Vectors, Way};

const USAGE: &str = "usage: honeyguide-bench-quality flat|ours|words TOOLS.jsonl QUERIES.jsonl [--diverse | --without IDEA] | \
                     semantic|hybrid|ranks|deviations TOOLS.jsonl QUERIES.jsonl --vectors TEXTS.f32 QUERIES.f32 \
                     [--without IDEA] | passages|names TOOLS.jsonl | families | --ideas | --ideas-of-fusion | \
                     --ideas-of-doubt | --ideas-of-doubt-alone";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["ours", tools, queries] => ours::rank(&Set::read(tools, queries)?, Page::Plain),
        ["ours", tools, queries, "--diverse"] => ours::rank(&Set::read(tools, queries)?, Page::Diverse),
        ["ours", tools, queries, "--without", name] => {
            switch_off(&Idea::ALL, name)?;
            ours::rank(&Set::read(tools, queries)?, Page::Plain)
        }
        [way, tools, queries, "--vectors", texts, of_queries] => {
            let vectors = Vectors::read(texts, of_queries, Way::named(way).ok_or(USAGE)?)?;
            ours::rank_with(&Set::read(tools, queries)?, &vectors)
        }
        [
            way,
            tools,
            queries,
            "--vectors",
            texts,
            of_queries,
            "--without",
            name,
        ] => {
            match way {
                "semantic" => switch_off(&Idea::DOUBT_ALONE, name)?,
                _ => switch_off(&[&Idea::FUSION[..], &Idea::DOUBT[..]].concat(), name)?,
            }
            let vectors = Vectors::read(texts, of_queries, Way::named(way).ok_or(USAGE)?)?;
            ours::rank_with(&Set::read(tools, queries)?, &vectors)
        }
        ["passages", tools] => ours::passages(&sets::read_tools(tools)?),
        ["words", tools, queries] => ours::words(&Set::read(tools, queries)?),
        ["words", tools, queries, "--without", name] => {
            switch_off(&Idea::FUSION, name)?;
            ours::words(&Set::read(tools, queries)?)
        }
        ["flat", tools, queries] => flat::rank(&Set::read(tools, queries)?),
        ["names", tools] => names::run(tools),
        ["families"] => families::run(),
        ["--ideas"] => list(&Idea::ALL),
        ["--ideas-of-fusion"] => list(&Idea::FUSION),
        ["--ideas-of-doubt"] => list(&Idea::DOUBT),
        ["--ideas-of-doubt-alone"] => list(&Idea::DOUBT_ALONE),
        _ => Err(USAGE.into()),
    }
}

fn list(ideas: &[(Idea, &str)]) -> Result<(), Box<dyn Error>> {
    ideas.iter().for_each(|(_, idea)| println!("{idea}"));
    Ok(())
}

fn switch_off(ideas: &[(Idea, &str)], name: &str) -> Result<(), Box<dyn Error>> {
    let known = ideas.iter().find(|(_, idea)| *idea == name);
    without(known.ok_or(USAGE)?.0);
    Ok(())
}
