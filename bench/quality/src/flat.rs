//! Flat BM25 (k1 0.9, b 0.4) over the same words as ours, name, description and parameters in one text: what a ranking must
//! not fall below.

use std::collections::HashMap;
use std::error::Error;

use honeyguide::text::{Analyzer, SchemaText, TextKind, analyze_query, walk_schema};
use serde::Deserialize;
use serde_json::Value;

use crate::answer::{HITS, Line, Trust, print};
use crate::sets::{Query, Set, Tool};

const SATURATION: f64 = 0.9;
const LENGTH_SHARE: f64 = 0.4;

/// What is read of a tool.
#[derive(Deserialize)]
struct Texts {
    #[serde(default)]
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default, rename = "inputSchema")]
    schema: Value,
}

/// Counts of words.
#[derive(Default)]
struct Flat {
    /// Places and counts, by word.
    postings: HashMap<u64, Vec<(usize, f64)>>,
    /// Words of each tool.
    lengths: Vec<f64>,
}

/// Ranks every query of a set.
pub fn rank(set: &Set) -> Result<(), Box<dyn Error>> {
    let flat = Flat::of(&set.tools)?;
    print(
        "flat BM25",
        set.queries.iter().map(|query| {
            let hits = flat.hits(query, &[]);
            Line {
                ids: hits
                    .iter()
                    .take(HITS)
                    .map(|(place, _)| set.tools[*place].id.clone())
                    .collect(),
                trust: trust(&hits),
                without: trust(&flat.hits(query, &query.gold)),
            }
        }),
    )
}

impl Flat {
    fn of(tools: &[Tool]) -> Result<Self, Box<dyn Error>> {
        let (mut flat, mut analyzer) = (Self::default(), Analyzer::default());
        for (place, tool) in tools.iter().enumerate() {
            let texts: Texts = serde_json::from_str(tool.line.get())?;
            let mut all = vec![texts.name, texts.description];
            walk_schema(&texts.schema.to_string(), &mut |text| {
                all.push(match text {
                    SchemaText::Name(text) | SchemaText::Description(text) | SchemaText::Value(text) => {
                        text.into_owned()
                    }
                });
            });
            let mut counts: HashMap<u64, f64> = HashMap::new();
            for text in &all {
                analyzer.terms(text, TextKind::Prose, &mut |term| {
                    *counts.entry(term).or_default() += 1.0
                });
            }
            flat.lengths.push(counts.values().sum());
            for (term, count) in counts {
                flat.postings.entry(term).or_default().push((place, count));
            }
        }
        Ok(flat)
    }

    /// Places and scores, best first, of a catalog without the tools at some places.
    fn hits(&self, query: &Query, without: &[usize]) -> Vec<(usize, f64)> {
        let gone: f64 = without.iter().map(|place| self.lengths[*place]).sum();
        let tools = (self.lengths.len() - without.len()) as f64;
        let mean = (self.lengths.iter().sum::<f64>() - gone) / tools.max(1.0);
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for term in analyze_query(&query.text).terms {
            let Some(list) = self.postings.get(&term.number) else {
                continue;
            };
            let list = || list.iter().filter(|(place, _)| !without.contains(place));
            let count = list().count() as f64;
            let rare = (1.0 + (tools - count + 0.5) / (count + 0.5)).ln();
            for (place, count) in list() {
                let length = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * self.lengths[*place] / mean);
                *scores.entry(*place).or_default() += rare * count * (SATURATION + 1.0) / (count + length);
            }
        }
        let mut hits: Vec<(usize, f64)> = scores.into_iter().collect();
        hits.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        hits
    }
}

fn trust(hits: &[(usize, f64)]) -> Trust {
    let score = hits.first().map_or(0.0, |hit| hit.1);
    Trust {
        score,
        confidence: score,
        status: None,
    }
}
