//! What makes up a score: each term of the query, and what it adds. Knows nothing of texts and fields.

use super::blend::Blend;
use super::plan::{Plan, Way};
use super::{Query, Score, steps};
use crate::index::Index;
use crate::index::vectors::ONE;
use crate::settled::settled;
use crate::text::{QueryText, Reader};

/// What one term of a document adds to its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contribution {
    /// The query's word, folded and not stemmed.
    pub word: String,
    /// The document's term, as the index knows it.
    pub term: u64,
    /// How the term matches the word.
    pub way: Way,
    /// How much it adds; the contributions of a document add up to its score.
    pub score: Score,
}

/// What a document's meaning adds to its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning {
    /// The cosine between its vector and the query's; where deviations are added and it has no vector, the mean, for which it is taken.
    pub similarity: f64,
    /// How much it adds.
    pub score: Score,
}

/// A query, looked up, that says of documents how they came to their scores.
pub struct Explainer<'a> {
    index: &'a Index,
    text: QueryText,
    plan: Plan<'a>,
    blend: Option<Blend>,
}

impl<'a> Explainer<'a> {
    /// Looks a query up.
    pub fn new(index: &'a Index, query: &Query<'_>) -> Self {
        let (mut reader, mut text) = (Reader::default(), QueryText::default());
        reader.read(query.text, &mut text);
        let plan = Plan::new(index, &text);
        let blend = Blend::new(index, &plan, query, (&text, &mut reader));
        Self {
            index,
            text,
            plan,
            blend,
        }
    }

    /// What the meaning of the document at a slot adds to its score, when it counts.
    pub fn meaning(&self, slot: u32) -> Option<Meaning> {
        let blend = self.blend.as_ref()?;
        let added = blend.parts(slot).meaning.unsigned_abs();
        let similarity = blend
            .similarity(slot)
            .or_else(|| (added > 0).then(|| blend.mean()))?;
        Some(Meaning {
            similarity: f64::from(similarity) / f64::from(ONE),
            score: Score(added),
        })
    }

    /// What each of the query's terms adds to the score of the document at a slot, in the order of the query.
    pub fn contributions(&self, slot: u32) -> Vec<Contribution> {
        let mut contributions = self.of_words(slot);
        if let Some(blend) = &self.blend {
            let sizes: Vec<f32> = contributions.iter().map(|part| part.score.size()).collect();
            let words = Score(blend.parts(slot).words.unsigned_abs());
            for (part, score) in contributions.iter_mut().zip(words.cut(&sizes)) {
                part.score = score;
            }
            contributions.retain(|part| part.score.0 > 0);
        }
        contributions
    }

    /// The same before neighbours add to it.
    fn of_words(&self, slot: u32) -> Vec<Contribution> {
        let parts: Vec<_> = self.plan.parts(slot).collect();
        let parts = settled(parts, &|(left, _), (right, _)| left.word.cmp(&right.word)).into_iter();
        parts
            .filter_map(|(term, steps)| {
                let steps = self
                    .blend
                    .as_ref()
                    .map_or(steps, |blend| blend.steps(term.word, steps));
                let word = self.text.terms.get(term.word)?;
                Some(Contribution {
                    word: self.text.word(word).to_owned(),
                    term: self.index.terms().hash(term.number)?,
                    way: term.way,
                    score: Score(steps.unsigned_abs()),
                })
            })
            .filter(|contribution| contribution.score.0 > 0)
            .collect()
    }
}

impl std::fmt::Debug for Explainer<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Explainer").finish_non_exhaustive()
    }
}

impl Score {
    /// Cuts a score in proportion to some parts; what is left over goes to the greatest part, the first of equals.
    pub fn cut(self, parts: &[f32]) -> Vec<Self> {
        let whole: f64 = parts.iter().copied().map(f64::from).sum();
        let mut pieces: Vec<Self> = parts
            .iter()
            .map(|part| Self(whole_steps(f64::from(self.0) * f64::from(*part) / whole).min(self.0)))
            .collect();
        let others = |pieces: &[Self], greatest: usize| -> u32 {
            let rest = pieces.iter().enumerate().filter(|(at, _)| *at != greatest);
            rest.fold(0, |sum, (_, piece)| sum.saturating_add(piece.0))
        };
        let greatest = first_greatest(parts);
        let rest = self.0.saturating_sub(others(&pieces, greatest));
        if let Some(piece) = pieces.get_mut(greatest) {
            *piece = Self(rest);
        }
        pieces
    }

    /// How large it is beside others.
    #[allow(
        clippy::cast_precision_loss,
        reason = "shares are cut by it, and the rest goes to the greatest"
    )]
    const fn size(self) -> f32 {
        self.0 as f32
    }

    /// Scores as numbers whose sum, in any order, is the number of the scores' sum to the last bit.
    ///
    /// Each is a multiple of the sum's last bit, so no addition rounds; what that takes from the others, the greatest gets.
    pub fn to_summands(scores: &[Self]) -> Vec<f64> {
        let whole = Self(scores.iter().fold(0, |sum, score| sum.saturating_add(score.0))).to_f64();
        let unit = last_bit(whole);
        let mut numbers: Vec<f64> = scores
            .iter()
            .map(|score| (f64::from(score.0) / steps() / unit).floor() * unit)
            .collect();
        let sizes: Vec<u32> = scores.iter().map(|score| score.0).collect();
        let greatest = first_greatest(&sizes);
        if let Some(number) = numbers.get_mut(greatest) {
            *number = 0.0;
        }
        let others: f64 = numbers.iter().sum();
        if let Some(number) = numbers.get_mut(greatest) {
            *number = whole - others;
        }
        numbers
    }
}

fn first_greatest<T: PartialOrd + Copy>(values: &[T]) -> usize {
    let mut greatest: Option<(usize, T)> = None;
    for (at, value) in values.iter().copied().enumerate() {
        if greatest.is_none_or(|(_, most)| value > most) {
            greatest = Some((at, value));
        }
    }
    greatest.map_or(0, |(at, _)| at)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the range of scores before; what is not a number becomes 0"
)]
fn whole_steps(steps: f64) -> u32 {
    steps.clamp(0.0, f64::from(u32::MAX)) as u32
}

/// What the last bit of a number is worth; 1 for nothing, which no multiple of it can spoil.
fn last_bit(number: f64) -> f64 {
    const MANTISSA: u64 = 52;
    match (number.to_bits() >> MANTISSA).checked_sub(MANTISSA) {
        Some(exponent) if number > 0.0 => f64::from_bits(exponent << MANTISSA),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_of_a_score_add_up_to_it(score in any::<u32>(), parts in proptest::collection::vec(0.001f32..9.0, 1..12)) {
            let pieces = Score(score).cut(&parts);
            prop_assert_eq!(pieces.iter().map(|piece| u64::from(piece.0)).sum::<u64>(), u64::from(score));
        }

        #[test]
        fn summands_add_up_to_the_last_bit_in_any_order(
            scores in proptest::collection::vec(1u32..4_000_000, 1..60), rotate in 0usize..60,
        ) {
            let whole = Score(scores.iter().sum()).to_f64();
            let scores: Vec<Score> = scores.into_iter().map(Score).collect();
            let mut numbers = Score::to_summands(&scores);
            for (score, number) in scores.iter().zip(&numbers) {
                prop_assert!(*number > 0.0 && (score.to_f64() - number).abs() < 1e-9);
            }
            prop_assert_eq!(numbers.iter().sum::<f64>().to_bits(), whole.to_bits());
            numbers.rotate_left(rotate % scores.len());
            prop_assert_eq!(numbers.iter().sum::<f64>().to_bits(), whole.to_bits());
            numbers.sort_by(f64::total_cmp);
            prop_assert_eq!(numbers.iter().sum::<f64>().to_bits(), whole.to_bits());
        }
    }

    #[test]
    fn nothing_has_no_summands_and_no_score_has_none_above_zero() {
        assert_eq!(Score::to_summands(&[]), Vec::<f64>::new());
        assert_eq!(Score::to_summands(&[Score(0)]), [0.0]);
    }
}
