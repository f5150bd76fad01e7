//! Reads one document into weighed terms. Knows nothing of other documents.

use std::borrow::Cow;

use crate::ablation::{Idea, on};

use super::impact::{FIELDS, Field, float, impact, share};
use crate::text::beginning::{self, beginning};
use crate::text::hash::in_server_space;
use crate::text::lexicon;
use crate::text::{Analyzer, TextKind, Tongue, is_ideograph};

/// Terms of documents: their hashes, and at the same places what they weigh.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    pub(crate) hashes: Vec<u64>,
    pub(crate) weights: Vec<Weight>,
}

/// What a term weighs in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weight {
    pub(crate) impact: u8,
    pub(crate) in_name: bool,
}

impl Terms {
    pub(crate) fn reserve(&mut self, more: usize) {
        self.hashes.reserve(more);
        self.weights.reserve(more);
    }

    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.weights.clear();
    }

    fn push(&mut self, hash: u64, impact: u8, in_name: bool) {
        self.hashes.push(hash);
        self.weights.push(Weight { impact, in_name });
    }
}

/// A text of so many bytes is short: what is longer has stop words.
const SHORT: usize = 96;

/// A term as it stands in a text, and the field of the text.
type Token = (u64, Field);

/// Reads the fields, whose order does not matter, and appends their terms, each once, by hash; answers the low halves of the
/// first and the last term of the name, 0 when there is none. The words of names are visited, folded and not stemmed. `room`
/// is to work in. Single ideographs stand beside the pairs they are in: they make no field longer and end no name.
pub(super) fn gather(
    fields: &[(Field, Cow<'_, str>)],
    analyzer: &mut Analyzer,
    room: &mut Tokens,
    terms: &mut Terms,
    visit_name: &mut impl FnMut(&str),
) -> (u32, u32) {
    let tokens = &mut room.tokens;
    tokens.clear();
    let mut lengths = [0u32; FIELDS];
    let mut name_ends = None;
    let mut tongue = Tongue::default();
    analyzer.take_tongue();
    for (field, text) in fields.iter().filter(|(field, _)| field.is_read()) {
        let before = tokens.len();
        let mut ideographs = 0;
        analyzer.shaped_words(text, kind(*field), &mut |word, is_word, term| {
            tokens.push((term, *field));
            if !is_word && is_ideograph(word) {
                ideographs += 1;
            } else if *field == Field::Name {
                let (first, _) = name_ends.unwrap_or((low(term), 0));
                name_ends = Some((first, low(term)));
                if is_word {
                    visit_name(word);
                }
            }
        });
        let said = analyzer.take_tongue();
        if field.is_spoken(text) {
            tongue.add(said);
        }
        if let Some(length) = lengths.get_mut(field.place()) {
            let own = tokens.len() - before - ideographs;
            *length = length.saturating_add(u32::try_from(own).unwrap_or(u32::MAX));
        }
    }
    if on(Idea::Beginnings)
        && (tongue.is_other() || tongue.is_untold() && has_no_english_word(fields, analyzer))
    {
        add_beginnings(fields, &lengths, analyzer, tokens);
    }
    let sorted = room.sort();
    let mut weigher = Weigher::new(&lengths);
    terms.reserve(sorted.len());
    for same_term in sorted.chunk_by(|left, right| left.0 == right.0) {
        weigher.weigh(same_term, terms);
    }
    name_ends.unwrap_or((0, 0))
}

/// Whether a short text for people that does not tell its language has two words or more, and none that is known in English.
#[inline(never)]
fn has_no_english_word(fields: &[(Field, Cow<'_, str>)], analyzer: &mut Analyzer) -> bool {
    let is_short = |field: &Field, text: &str| {
        matches!(field, Field::Title | Field::Description | Field::WhenToUse) && text.len() <= SHORT
    };
    let (mut words, mut is_english) = (0, false);
    for (field, text) in fields.iter().filter(|(field, text)| is_short(field, text)) {
        analyzer.each_word(text, kind(*field), &mut |word, is_word, term| {
            if is_word && beginning(word).is_some() {
                words += 1;
                is_english |= lexicon::known(term).is_some();
            }
        });
    }
    words >= 2 && !is_english
}

/// Adds what the words begin with of a document that is not English. Lengths of fields stay what they are.
#[inline(never)]
fn add_beginnings(
    fields: &[(Field, Cow<'_, str>)],
    lengths: &[u32; FIELDS],
    analyzer: &mut Analyzer,
    tokens: &mut Vec<Token>,
) {
    let length = |field: Field| lengths.get(field.place()).copied().unwrap_or(0);
    let begins = |field: &Field| field.has_beginnings(length(*field));
    for (field, text) in fields.iter().filter(|(field, _)| begins(field)) {
        analyzer.each_word(text, kind(*field), &mut |word, is_word, _| {
            if let Some(term) = beginning(word).filter(|_| is_word) {
                tokens.push((term, *field));
            }
        });
    }
    tokens.push((beginning::ANY, Field::Description));
}

/// Where the tokens of a document are put in order.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    tokens: Vec<Token>,
    /// As many or more, in another order.
    other: Vec<Token>,
}

impl Tokens {
    /// Sorts by term, then by field. Terms are spread evenly over all numbers, so that their highest bits alone bring a few nearly
    /// in order, without a comparison whose outcome nothing foretells.
    fn sort(&mut self) -> &[Token] {
        const MOST: usize = 256;
        const PLACES: usize = 64;
        let Self { tokens, other } = self;
        if tokens.len() > MOST {
            tokens.sort_unstable();
            return tokens;
        }
        let place = |token: &Token| (token.0 >> 58) as usize % PLACES;
        let mut starts = [0_usize; PLACES];
        for token in &*tokens {
            if let Some(count) = starts.get_mut(place(token)) {
                *count += 1;
            }
        }
        let mut next = 0;
        for count in &mut starts {
            next += std::mem::replace(count, next);
        }
        if other.len() < tokens.len() {
            other.resize(MOST, (0, Field::Name));
        }
        for token in &*tokens {
            if let Some(start) = starts.get_mut(place(token)) {
                if let Some(there) = other.get_mut(*start) {
                    *there = *token;
                }
                *start += 1;
            }
        }
        let sorted = other.get_mut(..tokens.len()).unwrap_or_default();
        for last in 1..sorted.len() {
            let mut rest = sorted.get_mut(..=last).unwrap_or_default();
            while let [before @ .., left, right] = rest
                && *right < *left
            {
                std::mem::swap(left, right);
                let length = before.len() + 1;
                rest = rest.get_mut(..length).unwrap_or_default();
            }
        }
        sorted
    }
}

/// Weighs the terms of a document whose fields have these lengths.
struct Weigher {
    lengths: [u32; FIELDS],
    /// What a term weighs that stands in one field, once; 0 where it was not asked yet.
    once: [u8; FIELDS],
}

impl Weigher {
    const fn new(lengths: &[u32; FIELDS]) -> Self {
        Self {
            lengths: *lengths,
            once: [0; FIELDS],
        }
    }

    fn length(&self, field: Field) -> u32 {
        self.lengths.get(field.place()).copied().unwrap_or(1).max(1)
    }

    /// Most terms stand in a document once, so what that weighs is found out once for each field.
    #[inline]
    fn once(&mut self, field: Field) -> u8 {
        match self.once.get(field.place()) {
            Some(0) | None => {
                let impact = impact(share(field, 1, self.length(field)), 0.0);
                if let Some(once) = self.once.get_mut(field.place()) {
                    *once = impact;
                }
                impact
            }
            Some(impact) => *impact,
        }
    }

    /// One term's tokens, ordered by field, so that sums come out the same for any order of fields.
    #[inline]
    fn weigh(&mut self, tokens: &[Token], terms: &mut Terms) {
        match tokens {
            [(hash, field)] if !matches!(field, Field::Name | Field::Server) => {
                terms.push(*hash, self.once(*field), false);
            }
            _ => self.sum(tokens, terms),
        }
    }

    fn sum(&self, tokens: &[Token], terms: &mut Terms) {
        let Some((hash, _)) = tokens.first().copied() else {
            return;
        };
        let (mut shares, mut server_share) = (0.0, 0.0);
        let mut name_part = 0.0;
        for same_field in tokens.chunk_by(|left, right| left.1 == right.1) {
            let Some((_, field)) = same_field.first().copied() else {
                continue;
            };
            let length = self.length(field);
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
            terms.push(in_server_space(hash), impact, false);
        }
        if shares > 0.0 {
            terms.push(hash, impact(shares, name_part), name_part > 0.0);
        }
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
            let tokens: Vec<_> = tokens.into_iter().map(|(term, field)| (term, fields[field])).collect();
            let mut expected = tokens.clone();
            expected.sort_unstable();
            let mut room = Tokens { tokens, other: Vec::new() };
            prop_assert_eq!(room.sort(), expected);
        }
    }
}
