//! Flat BM25 (k1 0.9, b 0.4) over the same words as ours, all fields in one text: what a ranking must not fall below.

use std::collections::HashMap;

use honeyguide::text::{Analyzer, TextKind, analyze_query};

use crate::metrics::Ranked;
use crate::sets::Set;

const SATURATION: f64 = 0.9;
const LENGTH_SHARE: f64 = 0.4;

/// Ranks every query of a set.
pub fn rank(set: &Set) -> Vec<Ranked> {
    let mut analyzer = Analyzer::default();
    let mut postings: HashMap<u64, Vec<(usize, f64)>> = HashMap::new();
    let mut lengths = Vec::new();
    for (place, tool) in set.tools.iter().enumerate() {
        let mut counts: HashMap<u64, f64> = HashMap::new();
        let texts = [tool.name.as_str(), &tool.description].into_iter();
        for text in texts.chain(
            tool.parameter_names
                .iter()
                .chain(&tool.parameter_texts)
                .map(String::as_str),
        ) {
            analyzer.terms(text, TextKind::Prose, &mut |term| {
                *counts.entry(term).or_default() += 1.0
            });
        }
        lengths.push(counts.values().sum::<f64>());
        for (term, count) in counts {
            postings.entry(term).or_default().push((place, count));
        }
    }
    let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
    set.queries
        .iter()
        .map(|query| {
            let mut scores = vec![0.0; set.tools.len()];
            for term in analyze_query(&query.text).terms {
                let Some(list) = postings.get(&term.number) else {
                    continue;
                };
                let rare = (1.0
                    + (set.tools.len() as f64 - list.len() as f64 + 0.5) / (list.len() as f64 + 0.5))
                    .ln();
                for (place, count) in list {
                    let length = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * lengths[*place] / mean);
                    scores[*place] += rare * count * (SATURATION + 1.0) / (count + length);
                }
            }
            let mut order: Vec<usize> = (0..scores.len()).filter(|place| scores[*place] > 0.0).collect();
            order.sort_by(|left, right| scores[*right].total_cmp(&scores[*left]).then(left.cmp(right)));
            Ranked::new(order.into_iter(), &query.gold)
        })
        .collect()
}
