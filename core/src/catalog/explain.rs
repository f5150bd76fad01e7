//! How a hit came to its score, by word and field, and by its meaning. Knows nothing of the wire.
//!
//! A ranking knows what each term adds; which fields have the term is read again from the item's texts, and the term's part
//! is cut in proportion to what each field has of it.

use super::Catalog;
use super::item::Item;
use crate::index::{Field, Source, sources};
use crate::rank::{Contribution, Explainer, Query, Score, Way};
use crate::settled::settled;
use crate::text::Analyzer;

/// What one field adds to a score through one word of the query.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The query's word.
    pub word: String,
    /// The word of the item that it matches.
    pub term: String,
    /// How the two match.
    pub way: Way,
    /// Where the item has the term.
    pub field: Field,
    /// What this adds. The values of all parts, that of the meaning too, add up in any order to the score to the last bit.
    pub value: f64,
}

/// What the meaning of an item adds to its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeaningPart {
    /// The cosine between its vector and the query's; without a vector, the mean of all, where a formula takes it for that (deviations).
    pub similarity: f64,
    /// What this adds.
    pub value: f64,
}

/// What makes up a score.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Explained {
    /// Of words, in the order of the query's words, of one word the greater part first.
    pub parts: Vec<Part>,
    /// Of the meaning, where it counts.
    pub meaning: Option<MeaningPart>,
}

/// A query that accounts for scores in one catalog.
pub struct Account<'a, I> {
    catalog: &'a Catalog<I>,
    explainer: Explainer<'a>,
    analyzer: Analyzer,
}

impl<I: Item> Catalog<I> {
    /// Looks a query up, to account for the scores of its hits.
    pub fn account(&self, query: &Query<'_>) -> Account<'_, I> {
        Account {
            catalog: self,
            explainer: Explainer::new(&self.index, query),
            analyzer: Analyzer::new(),
        }
    }
}

impl<I: Item> Account<'_, I> {
    /// What makes up the score of the item at a slot.
    pub fn explain(&mut self, slot: u32) -> Explained {
        let Some(item) = self.catalog.at(slot) else {
            return Explained::default();
        };
        let contributions = self.explainer.contributions(slot);
        let terms: Vec<u64> = contributions.iter().map(|part| part.term).collect();
        let sources = sources(&item.fields(), &terms, &mut self.analyzer);
        let mut pieces: Vec<(Contribution, Source, Score)> = Vec::new();
        for contribution in contributions {
            let mut own: Vec<Source> = sources
                .iter()
                .filter(|source| source.term == contribution.term)
                .cloned()
                .collect();
            if own.is_empty() {
                // Only a snapshot whose index is not that of its items comes here; the parts add up all the same.
                own.push(Source {
                    term: contribution.term,
                    field: Field::Description,
                    part: 1.0,
                    word: contribution.word.clone(),
                });
            }
            let own = settled(own, &|left, right| right.part.total_cmp(&left.part));
            let parts: Vec<f32> = own.iter().map(|source| source.part).collect();
            let cut = contribution.score.cut(&parts);
            let worth = own.into_iter().zip(cut).filter(|(_, score)| score.to_f64() > 0.0);
            pieces.extend(worth.map(|(source, score)| (contribution.clone(), source, score)));
        }
        let meaning = self.explainer.meaning(slot);
        let scores: Vec<Score> = pieces
            .iter()
            .map(|piece| piece.2)
            .chain(meaning.map(|part| part.score))
            .collect();
        let values = Score::to_summands(&scores);
        let meaning = meaning.zip(values.last()).map(|(part, value)| MeaningPart {
            similarity: part.similarity,
            value: *value,
        });
        let parts = pieces
            .into_iter()
            .zip(values)
            .map(|((contribution, source, _), value)| Part {
                word: contribution.word,
                term: source.word,
                way: contribution.way,
                field: source.field,
                value,
            });
        Explained {
            parts: parts.collect(),
            meaning,
        }
    }
}

impl<I> std::fmt::Debug for Account<'_, I> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Account").finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "explain_tests.rs"]
mod tests;
