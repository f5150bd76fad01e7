//! Where in a document its terms come from: what each field has of a term's impact. Knows nothing of queries.
//!
//! The index keeps one byte for a term of a document, so this is read again from the texts when somebody asks.

use std::borrow::Cow;

use super::gather::kind;
use super::impact::{FIELDS, Field, float, part, share};
use crate::settled::settled;
use crate::text::beginning::beginning;
use crate::text::hash::in_server_space;
use crate::text::{Analyzer, is_ideograph};

/// One field that has a term.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The term, as the index knows it.
    pub term: u64,
    /// The field.
    pub field: Field,
    /// What the field has of the term's impact, beside the other fields.
    pub part: f32,
    /// The term's first word in the field.
    pub word: String,
}

/// The fields of a document that have one of the terms, in the order of terms and fields.
pub fn sources(fields: &[(Field, Cow<'_, str>)], terms: &[u64], analyzer: &mut Analyzer) -> Vec<Source> {
    let mut lengths = [0_u32; FIELDS];
    let mut found: Vec<Found> = Vec::new();
    for (field, text) in fields.iter().filter(|(field, _)| field.is_read()) {
        let Some(length) = lengths.get_mut(field.place()) else {
            continue;
        };
        analyzer.each_word(text, kind(*field), &mut |word, is_word, number| {
            *length = length.saturating_add(u32::from(!is_ideograph(word)));
            let term = if *field == Field::Server {
                in_server_space(number)
            } else {
                number
            };
            let begins = beginning(word).filter(|_| is_word);
            for (term, begins) in [(Some(term), false), (begins, true)] {
                if let Some(term) = term.filter(|term| terms.contains(term)) {
                    add(&mut found, (term, begins), *field, word);
                }
            }
        });
    }
    found.retain(|found| {
        let length = lengths.get(found.field.place()).copied().unwrap_or(0);
        !found.begins || found.field.has_beginnings(length)
    });
    let found = settled(found, &|left, right| {
        (left.term, left.field).cmp(&(right.term, right.field))
    });
    found
        .chunk_by(|left, right| left.term == right.term)
        .flat_map(|same_term| weigh(same_term, &lengths))
        .collect()
}

struct Found {
    term: u64,
    field: Field,
    count: u32,
    word: String,
    /// Whether the term is what the word begins with.
    begins: bool,
}

fn add(found: &mut Vec<Found>, (term, begins): (u64, bool), field: Field, word: &str) {
    let known = found
        .iter_mut()
        .find(|known| (known.term, known.field) == (term, field));
    match known {
        Some(known) => known.count = known.count.saturating_add(1),
        None => found.push(Found {
            term,
            field,
            count: 1,
            word: word.to_owned(),
            begins,
        }),
    }
}

fn weigh(same_term: &[Found], lengths: &[u32; FIELDS]) -> Vec<Source> {
    let length = |field: Field| lengths.get(field.place()).copied().unwrap_or(1).max(1);
    let shares: f32 = same_term
        .iter()
        .map(|found| share(found.field, found.count, length(found.field)))
        .sum();
    same_term
        .iter()
        .map(|found| {
            let length = length(found.field);
            let own = share(found.field, found.count, length);
            Source {
                term: found.term,
                field: found.field,
                part: part(found.field, own, shares, float(found.count) / float(length)),
                word: found.word.clone(),
            }
        })
        .collect()
}
