//! The ranking of the engine: its own catalogs, filled and asked as a host does it.

use std::error::Error;

use honeyguide::catalog::Catalog;
use honeyguide::catalog::item::Item;
use honeyguide::catalog::skill::Skill;
use honeyguide::catalog::tool::Tool;
use honeyguide::rank::{Query, Ranking, Status};
use honeyguide::text::Analyzer;
use serde_json::value::RawValue;

use crate::answer::{HITS, Line, Trust, print};
use crate::sets::{self, Set};

/// A catalog, and what it takes to change it.
pub struct Ours<I> {
    pub catalog: Catalog<I>,
    analyzer: Analyzer,
}

/// Which order a page has.
#[derive(Clone, Copy, PartialEq)]
pub enum Page {
    /// As a host gets it.
    Plain,
    /// As a model gets it: the surplus of look-alikes stands behind.
    Diverse,
}

/// Ranks every query of a set.
pub fn rank(set: &Set, page: Page) -> Result<(), Box<dyn Error>> {
    if set.of_skills() {
        print("honeyguide", Ours::<Skill>::of(&set.tools)?.lines(set, page))
    } else {
        print("honeyguide", Ours::<Tool>::of(&set.tools)?.lines(set, page))
    }
}

impl<I: Item> Ours<I> {
    /// A catalog of these; refuses to measure when one of them is refused.
    pub fn of(tools: &[sets::Tool]) -> Result<Self, Box<dyn Error>> {
        let batch: Vec<Box<RawValue>> = tools.iter().map(|tool| tool.line.clone()).collect();
        let mut ours = Self {
            catalog: Catalog::default(),
            analyzer: Analyzer::new(),
        };
        let changes = ours.catalog.register(&batch, &mut ours.analyzer);
        if changes.added as usize == tools.len() {
            Ok(ours)
        } else {
            Err(format!("not every item was taken: {:?}", changes.diagnostics).into())
        }
    }

    /// The best hits.
    fn ask(&self, text: &str, page: Page) -> Ranking {
        self.catalog.search(&Query {
            text,
            limit: HITS,
            diversify: page == Page::Diverse,
            ..Query::default()
        })
    }

    /// The ids of a ranking.
    fn ids(&self, ranking: &Ranking) -> Vec<String> {
        let hits = ranking.hits.iter();
        hits.filter_map(|hit| Some(self.catalog.at(hit.slot)?.id().to_owned()))
            .collect()
    }

    fn lines(mut self, set: &Set, page: Page) -> impl Iterator<Item = Line> {
        set.queries.iter().map(move |query| {
            let ranking = self.ask(&query.text, page);
            Line {
                ids: self.ids(&ranking),
                trust: trust(&ranking),
                without: trust(&self.ask_without(set, query, page)),
            }
        })
    }

    /// The right tools are taken out for one search, and put back: a change costs no more than the tools it changes.
    fn ask_without(&mut self, set: &Set, query: &sets::Query, page: Page) -> Ranking {
        let gold: Vec<&sets::Tool> = query.gold.iter().map(|place| &set.tools[*place]).collect();
        for tool in &gold {
            self.catalog.remove(&tool.id);
        }
        let ranking = self.ask(&query.text, page);
        let batch: Vec<Box<RawValue>> = gold.iter().map(|tool| tool.line.clone()).collect();
        self.catalog.register(&batch, &mut self.analyzer);
        ranking
    }
}

fn trust(ranking: &Ranking) -> Trust {
    let score = ranking.hits.first().map_or(0.0, |hit| hit.score.to_f64());
    Trust {
        score,
        confidence: f64::from(ranking.evidence) / 1_000.0,
        status: Some(match ranking.status {
            Status::Ok => "ok",
            Status::Weak => "weak",
            Status::NoMatch => "no_match",
        }),
    }
}
