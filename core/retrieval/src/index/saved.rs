//! An index in the form in which it is stored. Knows nothing of files, checksums and items.
//!
//! A document's list of terms is stored as it lies in memory, under numbers that depend on what is in the index only. What is
//! read is checked: whatever the bytes say, the index that comes out holds together, or nothing comes out.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::hash::{BuildHasher, RandomState};

use serde::{Deserialize, Serialize};

use super::dictionary::Dictionary;
use super::postings::Postings;
use super::record::{Hint, OwnTerm, RecordParts, print_of_terms, terms_of, write_terms};
use super::spelling::Spellings;
use super::trie::Trie;
use super::{Document, Field, Index, Prepared};
use crate::settled::settled;
use crate::text::Analyzer;
use crate::text::hash::hash;

/// Everything of an index but the ids.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedIndex<'a> {
    /// By number: the term and how many documents have it.
    terms: Vec<(u64, u32)>,
    /// The documents of all terms, one after the other, each `slot << 8 | impact`.
    words: Vec<u32>,
    /// By slot.
    #[serde(borrow)]
    records: Vec<SavedRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedRecord<'a> {
    /// The words of the name, a space between.
    #[serde(borrow)]
    spelled: Cow<'a, str>,
    names: u32,
    #[serde(borrow)]
    tail: Cow<'a, [u8]>,
    group: u64,
    name_ends: (u32, u32),
    hint: Hint,
}

/// A number for the way of this version to read and weigh text: an index of another way is built again.
pub fn fingerprint() -> u64 {
    const SAMPLE: &str = "createIssues HTTPServer sha256 deployed 日本語 задачами Größe the 할 일을 보냅니다 메세지 令を 一下 睡得好 ışık";
    let fields = [
        Field::Name,
        Field::Title,
        Field::Description,
        Field::WhenToUse,
        Field::Tags,
        Field::Server,
        Field::ParameterName,
        Field::ParameterText,
        Field::Heading,
        Field::Body,
    ];
    // What tells a language: a short text without an English word, and not a value of one word.
    let mut samples = fields.map(|field| vec![(field, SAMPLE)]).to_vec();
    samples.push(vec![(Field::Description, "Rechnungen erstellen")]);
    samples.push(vec![(Field::Title, "Auswahl"), (Field::ParameterText, "und")]);
    let mut print = 0;
    let mut analyzer = Analyzer::default();
    for sample in samples {
        let fields: Vec<_> = sample
            .into_iter()
            .map(|(field, text)| (field, Cow::Borrowed(text)))
            .collect();
        let document = Document {
            id: SAMPLE,
            names: &[SAMPLE],
            group: SAMPLE,
            hint: Hint::Neutral,
            fields: &fields,
        };
        let prepared = Prepared::new(&document, &mut analyzer);
        print = hash(&format!("{print} {prepared:?}"));
    }
    print
}

impl Index {
    /// The form to be stored: the document at the first of these slots becomes the first, and so on. Terms are numbered by
    /// how many documents have them, so that the lists of documents stay short.
    pub fn save(&self, slots: &[u32]) -> SavedIndex<'_> {
        let mut new_slots = vec![0u32; self.span as usize];
        for (new, old) in (0..).zip(slots) {
            if let Some(place) = new_slots.get_mut(*old as usize) {
                *place = new;
            }
        }
        let terms: Vec<(Reverse<u32>, u64, u32, Postings<'_>)> = (0..)
            .zip(self.terms.iter())
            .map(|(number, (hash, postings))| (Reverse(postings.count()), hash, number, postings))
            .filter(|term| term.0.0 > 0)
            .collect();
        let terms = settled(terms, &|left, right| {
            (left.0, left.1, left.2).cmp(&(right.0, right.1, right.2))
        });
        let mut new_numbers = vec![0u32; self.terms.places() as usize];
        let mut words = Vec::new();
        let mut of_term = Vec::new();
        for (new, (.., number, postings)) in (0..).zip(&terms) {
            if let Some(place) = new_numbers.get_mut(*number as usize) {
                *place = new;
            }
            of_term.clear();
            postings.for_each(&mut |slot, impact| {
                let slot = new_slots.get(slot as usize).copied().unwrap_or(0);
                of_term.push(slot << 8 | u32::from(impact));
            });
            of_term.sort_unstable();
            words.append(&mut of_term);
        }
        let records = slots.iter().filter_map(|slot| self.record(*slot));
        let records = records.map(|record| {
            let mut tail: Vec<u8> = record.names().flat_map(u64::to_le_bytes).collect();
            let names = tail.len() / 8;
            let mut terms: Vec<OwnTerm> = record
                .terms()
                .map(|term| OwnTerm {
                    number: new_numbers.get(term.number as usize).copied().unwrap_or(0),
                    in_name: term.in_name,
                })
                .collect();
            write_terms(&mut tail, &mut terms);
            let spelled: Vec<&str> = record.spelled().map(|word| self.spellings.word(word)).collect();
            let spelled = settled(spelled, &|left, right| left.cmp(right));
            SavedRecord {
                spelled: Cow::Owned(spelled.join(" ")),
                names: u32::try_from(names).unwrap_or(u32::MAX),
                tail: Cow::Owned(tail),
                group: record.group(),
                name_ends: record.name_ends(),
                hint: record.hint(),
            }
        });
        SavedIndex {
            records: records.collect(),
            terms: terms.iter().map(|term| (term.1, term.0.0)).collect(),
            words,
        }
    }
}

impl SavedIndex<'_> {
    /// The index, when it holds together: `ids` are those of the documents, by slot.
    pub fn load(&self, ids: &[&str]) -> Option<Index> {
        if self.records.len() != ids.len() {
            return None;
        }
        // A random number for each term: the sums of a document's must be the same by the postings and by its own list.
        let random = RandomState::new();
        let prints: Vec<u64> = (0..self.terms.len())
            .map(|number| random.hash_one(number))
            .collect();
        let mut left = self.words.as_slice();
        let mut posted = vec![0u64; ids.len()];
        let mut terms = Vec::with_capacity(self.terms.len());
        for ((hash, count), print) in self.terms.iter().zip(&prints) {
            let (words, rest) = left.split_at_checked(*count as usize)?;
            left = rest;
            let mut next = 0;
            for word in words {
                let slot = word >> 8;
                let posted = posted.get_mut(slot as usize)?;
                if slot < next || word & 255 == 0 {
                    return None;
                }
                *posted = posted.wrapping_add(*print);
                next = slot + 1;
            }
            terms.push((*hash, words));
        }
        if !are_distinct(terms.iter().map(|term| term.0)) {
            return None;
        }
        let mut index = Index {
            terms: Dictionary::from_terms(terms.into_iter()),
            span: u32::try_from(ids.len()).ok()?,
            ..Index::default()
        };
        let (mut names, mut bytes) = (Vec::new(), Vec::new());
        let mut records = Vec::with_capacity(ids.len());
        for (((slot, id), saved), posted) in (0..).zip(ids).zip(&self.records).zip(&posted) {
            let mut spelled = Vec::new();
            for word in saved.spelled.split(' ').filter(|word| !word.is_empty()) {
                if !Spellings::keeps(word) {
                    return None;
                }
                spelled.push(index.spellings.insert(word));
            }
            let (own_names, terms) = saved
                .tail
                .split_at_checked((saved.names as usize).checked_mul(8)?)?;
            if print_of_terms(terms, &prints)? != *posted {
                return None;
            }
            let own_names = own_names.as_chunks::<8>().0.iter();
            let own_names: Vec<u64> = own_names.map(|name| u64::from_le_bytes(*name)).collect();
            names.extend(own_names.iter().map(|name| (*name, slot)));
            let parts = RecordParts {
                id,
                names: &own_names,
                spelled: &spelled,
                terms: &mut terms_of(terms).collect::<Vec<_>>(),
                group: saved.group,
                name_ends: saved.name_ends,
                hint: saved.hint,
            };
            records.push(Some(parts.store(&mut bytes)));
            index.documents += 1;
        }
        index.names = Trie::from_pairs(names.into_iter());
        index.records = records.into_iter().collect();
        left.is_empty().then_some(index)
    }
}

/// Whether no hash comes twice: a search would find one of two only.
fn are_distinct(hashes: impl Iterator<Item = u64>) -> bool {
    let mut hashes: Vec<u64> = hashes.collect();
    hashes.sort_unstable();
    hashes.windows(2).all(|pair| pair.first() != pair.last())
}

#[cfg(test)]
mod tests {
    use super::super::kit::with_document;
    use super::*;

    const IDS: [&str; 2] = ["make flow", "drop line"];

    fn index() -> Index {
        let (mut index, mut analyzer) = (Index::new(), Analyzer::default());
        for (slot, id) in (0..).zip(IDS) {
            let read = with_document(id, "", |document| Prepared::new(document, &mut analyzer));
            index.put(slot, &read);
        }
        index
    }

    #[test]
    fn documents_that_name_as_many_terms_as_they_have_but_other_ones_are_refused() {
        let index = index();
        assert!(index.save(&[0, 1]).load(&IDS).is_some());
        let mut saved = index.save(&[0, 1]);
        let tails: Vec<Cow<'_, [u8]>> = saved.records.iter().map(|record| record.tail.clone()).collect();
        assert_eq!(tails[0].len(), tails[1].len());
        for (record, tail) in saved.records.iter_mut().zip(tails.into_iter().rev()) {
            record.tail = tail;
        }
        assert!(saved.load(&IDS).is_none());
    }

    #[test]
    fn a_term_that_comes_twice_is_refused() {
        let index = index();
        let mut saved = index.save(&[0, 1]);
        saved.terms[1].0 = saved.terms[0].0;
        assert!(saved.load(&IDS).is_none());
    }
}
