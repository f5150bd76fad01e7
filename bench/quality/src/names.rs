//! Whether a tool is found by its name, however it is spelt, and with one typo. Prints one line of JSON.
//!
//! Tools whose names are the same but for spelling cannot be told apart by a name: all of them have to stand first together.

use std::collections::HashMap;
use std::error::Error;

use honeyguide::catalog::item::{Item, bare_name, names_of};
use honeyguide::catalog::skill::Skill;
use honeyguide::catalog::tool::Tool;
use honeyguide::rank::Query;
use honeyguide_bench_kit::corpus::Random;
use serde::Serialize;

use crate::ours::Ours;
use crate::sets::{self, of_skills};
use crate::spelling::{SPELLINGS, TYPOS, key, with_typo, words};

/// Where a tool has to stand that is called with a typo.
const TYPO_RANK: usize = 3;
/// The spellings that typos are made in.
const TYPO_SPELLINGS: [usize; 2] = [0, 5];
const SEED: u64 = 4;
const STREAM: u64 = 4;
/// Misses that are shown, of each way to ask.
const SHOWN: usize = 3;

/// How often it went well.
#[derive(Default, Serialize)]
struct Share {
    asked: usize,
    right: usize,
    /// The first that went wrong: what was asked, and what came first.
    missed: Vec<[String; 2]>,
}

#[derive(Serialize)]
struct Report {
    tools: usize,
    /// Tools with a name that another one has, too.
    namesakes: usize,
    exact: Vec<(&'static str, Share)>,
    typos: Vec<(&'static str, Share)>,
}

/// Asks for every tool of a set.
pub fn run(tools: &str) -> Result<(), Box<dyn Error>> {
    let tools = sets::read_tools(tools)?;
    let report = if of_skills(&tools) {
        report(&Ours::<Skill>::of(&tools)?, &tools)
    } else {
        report(&Ours::<Tool>::of(&tools)?, &tools)
    };
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn report<I: Item>(ours: &Ours<I>, tools: &[sets::Tool]) -> Report {
    let items: Vec<&I> = tools
        .iter()
        .filter_map(|tool| ours.catalog.get(&tool.id))
        .collect();
    let mut namesakes: HashMap<String, Vec<&str>> = HashMap::new();
    for item in &items {
        for name in names_of(item.id(), item.name()) {
            let ids = namesakes.entry(key(name)).or_default();
            if ids.last() != Some(&item.id()) {
                ids.push(item.id());
            }
        }
    }
    let mut exact: Vec<(&str, Share)> = Vec::new();
    let mut typos: Vec<(&str, Share)> = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let cut = words(item.bare_name());
        let own = [
            ("id", item.id().to_owned()),
            ("bare name", bare_name(item.id()).to_owned()),
            ("name", item.bare_name().to_owned()),
        ];
        let spelt = SPELLINGS.map(|(spelling, join)| (spelling, join(&cut)));
        for (way, asked) in own.into_iter().chain(spelt) {
            let right = namesakes.get(&key(&asked)).map_or(&[][..], Vec::as_slice);
            share(&mut exact, way).ask(ours, &asked, right.len(), |first| {
                right.len() == first.len() && right.iter().all(|id| first.contains(id))
            });
        }
        let right = namesakes
            .get(&key(item.bare_name()))
            .map_or(&[][..], Vec::as_slice);
        for (place, kind) in TYPOS.into_iter().enumerate() {
            for spelling in TYPO_SPELLINGS {
                let stream = (number * TYPOS.len() + place) * SPELLINGS.len() + spelling;
                let mut random = Random::new(SEED, STREAM, stream);
                if let Some(wrong) = with_typo(&cut, kind, &mut random) {
                    let asked = SPELLINGS[spelling].1(&wrong);
                    share(&mut typos, kind).ask(ours, &asked, TYPO_RANK, |first| {
                        first.iter().any(|id| right.contains(id))
                    });
                }
            }
        }
    }
    Report {
        tools: items.len(),
        namesakes: items
            .iter()
            .filter(|item| {
                namesakes
                    .get(&key(item.bare_name()))
                    .is_some_and(|ids| ids.len() > 1)
            })
            .count(),
        exact,
        typos,
    }
}

fn share<'a>(shares: &'a mut Vec<(&'static str, Share)>, way: &'static str) -> &'a mut Share {
    let known = shares.iter().position(|(known, _)| *known == way);
    let place = known.unwrap_or_else(|| {
        shares.push((way, Share::default()));
        shares.len() - 1
    });
    &mut shares[place].1
}

impl Share {
    /// Asks for one name, and judges the first hits.
    fn ask<I: Item>(&mut self, ours: &Ours<I>, asked: &str, limit: usize, right: impl Fn(&[&str]) -> bool) {
        let ranking = ours.catalog.search(&Query {
            text: asked,
            limit,
            ..Query::default()
        });
        let hits = ranking.hits.iter();
        let first: Vec<&str> = hits
            .filter_map(|hit| ours.catalog.at(hit.slot).map(Item::id))
            .collect();
        self.asked += 1;
        if right(&first) {
            self.right += 1;
        } else if self.missed.len() < SHOWN {
            self.missed.push([asked.to_owned(), first.join(", ")]);
        }
    }
}
