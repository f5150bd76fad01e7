//! The ranking of the engine: its own catalogs, filled and asked as a host does it.

use std::collections::HashMap;
use std::error::Error;

use honeyguide::catalog::Catalog;
use honeyguide::catalog::item::Item;
use honeyguide::catalog::skill::Skill;
use honeyguide::catalog::tool::Tool;
use honeyguide::index::Probe;
use honeyguide::rank::{Method, Query, Ranking, Status};
use honeyguide::text::Analyzer;
use serde_json::value::RawValue;

use serde::Serialize;

use crate::answer::{HITS, Line, Trust, print};
use crate::sets::{self, Set};
use crate::vectors::{DIMENSIONS, Vectors, model};

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

/// Scores of the words of one query: places of tools, the best first, and of those that are named.
#[derive(Serialize)]
struct Words {
    places: Vec<usize>,
    scores: Vec<f64>,
    /// The same as it is beside meaning: words that stand side by side count, and those of values count less.
    beside: Vec<f64>,
    named: Vec<usize>,
}

/// Ranks every query of a set.
pub fn rank(set: &Set, page: Page) -> Result<(), Box<dyn Error>> {
    if set.of_skills() {
        print("honeyguide", Ours::<Skill>::of(&set.tools)?.lines(set, page))
    } else {
        print("honeyguide", Ours::<Tool>::of(&set.tools)?.lines(set, page))
    }
}

/// Ranks every query of a set with vectors.
pub fn rank_with(set: &Set, vectors: &Vectors) -> Result<(), Box<dyn Error>> {
    if set.of_skills() {
        let ours = Ours::<Skill>::embedded(&set.tools, vectors)?;
        print("honeyguide", ours.lines_with(set, vectors))
    } else {
        let ours = Ours::<Tool>::embedded(&set.tools, vectors)?;
        print("honeyguide", ours.lines_with(set, vectors))
    }
}

/// Prints what the engine wants vectors of.
pub fn passages(tools: &[sets::Tool]) -> Result<(), Box<dyn Error>> {
    if sets::of_skills(tools) {
        Ours::<Skill>::filled(Catalog::of(Some(&model())), tools)?.say()
    } else {
        Ours::<Tool>::filled(Catalog::of(Some(&model())), tools)?.say()
    }
}

/// Prints the score of every tool that has a word of a query.
pub fn words(set: &Set) -> Result<(), Box<dyn Error>> {
    if set.of_skills() {
        Ours::<Skill>::filled(Catalog::of(Some(&model())), &set.tools)?.say_words(set)
    } else {
        Ours::<Tool>::filled(Catalog::of(Some(&model())), &set.tools)?.say_words(set)
    }
}

impl<I: Item> Ours<I> {
    /// A catalog of these; refuses to measure when one of them is refused.
    pub fn of(tools: &[sets::Tool]) -> Result<Self, Box<dyn Error>> {
        Self::filled(Catalog::default(), tools)
    }

    /// The same with the vectors of its texts.
    fn embedded(tools: &[sets::Tool], vectors: &Vectors) -> Result<Self, Box<dyn Error>> {
        let mut ours = Self::filled(Catalog::of(Some(&model())), tools)?;
        let keys: Vec<_> = ours.catalog.missing().into_iter().map(|(key, _)| key).collect();
        if keys.len() != vectors.texts.len() {
            return Err(format!("{} vectors for {} texts", vectors.texts.len(), keys.len()).into());
        }
        for (key, vector) in keys.into_iter().zip(&vectors.texts) {
            let stored = ours.catalog.vectors_mut().store(key, vector);
            stored.map_err(|unfit| format!("{unfit:?}"))?;
        }
        Ok(ours)
    }

    fn filled(catalog: Catalog<I>, tools: &[sets::Tool]) -> Result<Self, Box<dyn Error>> {
        let batch: Vec<Box<RawValue>> = tools.iter().map(|tool| tool.line.clone()).collect();
        let mut ours = Self {
            catalog,
            analyzer: Analyzer::new(),
        };
        let changes = ours.catalog.register(&batch, &mut ours.analyzer);
        if changes.added as usize == tools.len() {
            Ok(ours)
        } else {
            Err(format!("not every item was taken: {:?}", changes.diagnostics).into())
        }
    }

    /// The ids of a ranking.
    fn ids(&self, ranking: &Ranking) -> Vec<String> {
        let hits = ranking.hits.iter();
        hits.filter_map(|hit| Some(self.catalog.at(hit.slot)?.id().to_owned()))
            .collect()
    }

    fn lines(mut self, set: &Set, page: Page) -> impl Iterator<Item = Line> {
        set.queries.iter().map(move |query| {
            let asked = Query {
                text: &query.text,
                limit: HITS,
                diversify: page == Page::Diverse,
                ..Query::default()
            };
            self.line(set, query, &asked)
        })
    }

    fn lines_with(mut self, set: &Set, vectors: &Vectors) -> impl Iterator<Item = Line> {
        let queries = set.queries.iter().zip(&vectors.queries);
        queries.map(move |(query, probe)| {
            let asked = Query {
                text: &query.text,
                limit: HITS,
                method: vectors.way.method,
                formula: vectors.way.formula,
                probe: Some(probe),
                ..Query::default()
            };
            self.line(set, query, &asked)
        })
    }

    fn line(&mut self, set: &Set, query: &sets::Query, asked: &Query<'_>) -> Line {
        let ranking = self.catalog.search(asked);
        Line {
            ids: self.ids(&ranking),
            trust: trust(&ranking),
            without: trust(&self.ask_without(set, query, asked)),
        }
    }

    /// The right tools are taken out for one search, and put back: a change costs no more than the tools it changes.
    fn ask_without(&mut self, set: &Set, query: &sets::Query, asked: &Query<'_>) -> Ranking {
        let gold: Vec<&sets::Tool> = query.gold.iter().map(|place| &set.tools[*place]).collect();
        for tool in &gold {
            self.catalog.remove(&tool.id);
        }
        let ranking = self.catalog.search(asked);
        let batch: Vec<Box<RawValue>> = gold.iter().map(|tool| tool.line.clone()).collect();
        self.catalog.register(&batch, &mut self.analyzer);
        ranking
    }

    fn say(&self) -> Result<(), Box<dyn Error>> {
        for (_, item) in self.catalog.missing() {
            println!("{}", serde_json::to_string(&item.embedding_text())?);
        }
        Ok(())
    }

    fn say_words(&mut self, set: &Set) -> Result<(), Box<dyn Error>> {
        let places = set.places();
        let probe = self.mean_nothing()?;
        for query in &set.queries {
            let asked = Query {
                text: &query.text,
                limit: set.tools.len(),
                ..Query::default()
            };
            let ranking = self.catalog.search(&asked);
            let beside = self.catalog.search(&Query {
                method: Method::Hybrid,
                probe: Some(&probe),
                ..asked
            });
            let beside: HashMap<u32, f64> = beside
                .hits
                .iter()
                .map(|hit| (hit.slot, hit.score.to_f64()))
                .collect();
            let place = |slot| {
                self.catalog
                    .at(slot)
                    .and_then(|item| places.get(item.id()).copied())
            };
            let hits = ranking
                .hits
                .iter()
                .filter_map(|hit| Some((hit, place(hit.slot)?)));
            let words = Words {
                places: hits.clone().map(|(_, place)| place).collect(),
                scores: hits.clone().map(|(hit, _)| hit.score.to_f64()).collect(),
                beside: hits
                    .clone()
                    .map(|(hit, _)| beside.get(&hit.slot).copied().unwrap_or_default())
                    .collect(),
                named: hits
                    .filter(|(hit, _)| hit.named)
                    .map(|(_, place)| place)
                    .collect(),
            };
            println!("{}", serde_json::to_string(&words)?);
        }
        Ok(())
    }

    /// Gives one text a vector, and answers with the vector of a query that says its opposite: beside it words rank alone, as they
    /// rank beside meaning.
    fn mean_nothing(&mut self) -> Result<Probe, Box<dyn Error>> {
        let mut direction = vec![0.0; DIMENSIONS];
        direction[0] = 1.0;
        let key = self.catalog.missing().first().map(|(key, _)| *key);
        let unfit = |unfit| format!("{unfit:?}");
        self.catalog
            .vectors_mut()
            .store(key.ok_or("a set without texts")?, &direction)
            .map_err(unfit)?;
        direction[0] = -1.0;
        Ok(Probe::new(&direction, DIMENSIONS).map_err(unfit)?)
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
