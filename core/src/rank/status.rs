//! Whether the best hit answers the query, as an absolute decision. Knows nothing of the other hits' scores.
//!
//! What a query could be answered by is the mass of its words, each weighed by how much it tells; a word that the catalog does
//! not know counts as much as the rarest. What a hit covers of that mass, with words in name or description counting in full
//! and words in weak fields in part, is compared with two thresholds. A hit that answers but one word of several is doubted
//! when that word tells little of what was asked.

use crate::index::Index;

use super::plan::Plan;

/// How far the best hit can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It answers.
    Ok,
    /// It may answer; check it.
    Weak,
    /// Nothing answers.
    NoMatch,
}

/// The least share, in percent, of the query's mass that a good answer covers.
const OK_PERCENT: i64 = 34;
/// The least share of one that may be an answer.
const WEAK_PERCENT: i64 = 12;
/// What a word counts in percent when only a weak field has it.
const WEAK_FIELD_PERCENT: i64 = 50;

/// The status of an unnamed best hit.
pub(crate) fn status_of(index: &Index, plan: &Plan<'_>, slot: u32) -> Status {
    let share = covered_percent(index, plan, slot);
    match share {
        OK_PERCENT.. => Status::Ok,
        WEAK_PERCENT.. => Status::Weak,
        _ => Status::NoMatch,
    }
}

/// The share of the query's mass that a document covers, in percent.
pub(crate) fn covered_percent(index: &Index, plan: &Plan<'_>, slot: u32) -> i64 {
    let Some(record) = index.record(slot) else {
        return 0;
    };
    let mut strengths = vec![0; plan.words.len()];
    for term in record.terms() {
        if let Some(best) = plan.word_of(term.number).and_then(|word| strengths.get_mut(word)) {
            let strength = if term.in_name || term.in_description {
                100
            } else {
                WEAK_FIELD_PERCENT
            };
            *best = strength.max(*best);
        }
    }
    let all: i64 = plan.words.iter().map(|word| i64::from(word.mass)).sum();
    let covered: i64 = plan
        .words
        .iter()
        .zip(&strengths)
        .map(|(word, strength)| i64::from(word.mass) * strength)
        .sum();
    covered / all.max(1)
}
