//! Reads one document into weighed terms. Knows nothing of other documents.

use std::borrow::Cow;

use crate::ablation::{Idea, on};

use super::impact::{FIELDS, Field, float, impact, share};
use crate::text::hash::in_server_space;
use crate::text::{Analyzer, TextKind};

/// One term of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WeighedTerm {
    pub(crate) hash: u64,
    pub(crate) impact: u8,
    pub(crate) in_name: bool,
}

/// The terms of a document, each once.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) terms: Vec<WeighedTerm>,
    /// Low halves of the first and the last name term, 0 when there is none.
    pub(crate) name_ends: (u32, u32),
}

/// Reads the fields; the order in which they are given does not matter. The words of names are visited, folded and not stemmed.
pub(crate) fn gather(
    fields: &[(Field, Cow<'_, str>)],
    analyzer: &mut Analyzer,
    visit_name: &mut impl FnMut(&str),
) -> Gathered {
    let mut tokens: Vec<(u64, Field)> = Vec::with_capacity(128);
    let mut lengths = [0u32; FIELDS];
    let mut gathered = Gathered::default();
    for (field, text) in fields.iter().filter(|(field, _)| field.is_read()) {
        let Some(length) = lengths.get_mut(field.place()) else {
            continue;
        };
        analyzer.shaped_words(text, kind(*field), &mut |word, is_word, term| {
            tokens.push((term, *field));
            *length = length.saturating_add(1);
            if is_word && *field == Field::Name {
                visit_name(word);
            }
        });
    }
    let mut names = tokens
        .iter()
        .filter(|token| token.1 == Field::Name)
        .map(|token| low(token.0));
    if let Some(first) = names.next() {
        gathered.name_ends = (first, names.next_back().unwrap_or(first));
    }
    sort(&mut tokens);
    gathered.terms.reserve_exact(tokens.len());
    for same_term in tokens.chunk_by(|left, right| left.0 == right.0) {
        weigh(same_term, &lengths, &mut gathered.terms);
    }
    gathered
}

/// Sorts by term, then by field. Terms are spread evenly over all numbers, so that their highest bits alone bring a few nearly
/// in order, without a comparison whose outcome nothing foretells.
fn sort(tokens: &mut [(u64, Field)]) {
    const MOST: usize = 256;
    const PLACES: usize = 128;
    let place = |token: &(u64, Field)| (token.0 >> 57) as usize % PLACES;
    if tokens.len() > MOST {
        return tokens.sort_unstable();
    }
    let mut starts = [0_usize; PLACES];
    for token in tokens.iter() {
        if let Some(count) = starts.get_mut(place(token)) {
            *count += 1;
        }
    }
    let mut next = 0;
    for count in &mut starts {
        next += std::mem::replace(count, next);
    }
    let mut spread = [(0, Field::Name); MOST];
    for token in tokens.iter() {
        if let Some(start) = starts.get_mut(place(token)) {
            if let Some(there) = spread.get_mut(*start) {
                *there = *token;
            }
            *start += 1;
        }
    }
    for (token, other) in tokens.iter_mut().zip(&spread) {
        *token = *other;
    }
    for last in 1..tokens.len() {
        let mut rest = tokens.get_mut(..=last).unwrap_or_default();
        while let [before @ .., left, right] = rest
            && *right < *left
        {
            std::mem::swap(left, right);
            let length = before.len() + 1;
            rest = rest.get_mut(..length).unwrap_or_default();
        }
    }
}

/// One term's tokens, ordered by field, so that sums come out the same for any order of fields.
fn weigh(tokens: &[(u64, Field)], lengths: &[u32; FIELDS], terms: &mut Vec<WeighedTerm>) {
    let Some((hash, field)) = tokens.first().copied() else {
        return;
    };
    if tokens.len() == 1 && !matches!(field, Field::Name | Field::Server) {
        // Most terms stand in a document once.
        let length = lengths.get(field.place()).copied().unwrap_or(1).max(1);
        return terms.push(WeighedTerm {
            hash,
            impact: impact(share(field, 1, length), 0.0),
            in_name: false,
        });
    }
    let (mut shares, mut server_share) = (0.0, 0.0);
    let mut name_part = 0.0;
    for same_field in tokens.chunk_by(|left, right| left.1 == right.1) {
        let Some((_, field)) = same_field.first().copied() else {
            continue;
        };
        let length = lengths.get(field.place()).copied().unwrap_or(1).max(1);
        let count = u32::try_from(same_field.len()).unwrap_or(u32::MAX);
        let share = share(field, count, length);
        match field {
            Field::Server if on(Idea::Servers) => server_share = share,
            Field::Name => name_part = float(count) / float(length),
            _ => {}
        }
        if field != Field::Server || !on(Idea::Servers) {
            shares += share;
        }
    }
    if server_share > 0.0 {
        // What the server adds to what the texts say already, so that a server's name in a text counts once.
        let texts = if shares > 0.0 { impact(shares, 0.0) } else { 0 };
        let impact = impact(shares + server_share, 0.0).saturating_sub(texts).max(1);
        terms.push(WeighedTerm {
            hash: in_server_space(hash),
            impact,
            in_name: false,
        });
    }
    if shares > 0.0 {
        terms.push(WeighedTerm {
            hash,
            impact: impact(shares, name_part),
            in_name: name_part > 0.0,
        });
    }
}

pub(super) const fn kind(field: Field) -> TextKind {
    match field {
        Field::Name | Field::Server => TextKind::Identifier,
        _ => TextKind::Prose,
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "half a hash tells the words of one group apart"
)]
const fn low(hash: u64) -> u32 {
    hash as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tokens_are_sorted_by_term_and_field(
            tokens in prop::collection::vec((prop_oneof![any::<u64>(), 0..4_u64], 0..3_usize), 0..300),
        ) {
            let fields = [Field::Name, Field::Description, Field::Tags];
            let mut tokens: Vec<_> = tokens.into_iter().map(|(term, field)| (term, fields[field])).collect();
            let mut expected = tokens.clone();
            expected.sort_unstable();
            sort(&mut tokens);
            prop_assert_eq!(tokens, expected);
        }
    }
}
