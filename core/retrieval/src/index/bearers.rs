//! Who may bear a label: the documents in whose server or tags it can stand, found through the label's own words.
//! Knows nothing of items, so whoever asks compares the labels of the few that are left.

use super::postings::Postings;
use super::{Hint, Index};
use crate::text::analyze_query;
use crate::text::hash::{hash, in_server_space};

/// The longest label that is looked for by its words; a longer one may be read in part only.
const LONGEST_LABEL: usize = 512;

/// Where a label stands in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// It is the server.
    Server,
    /// It is one of the tags.
    Tag,
}

impl Index {
    /// Slots among which are all documents with this label, ascending.
    pub fn bearers(&self, label: Label, text: &str) -> Vec<u32> {
        let read = if text.len() <= LONGEST_LABEL {
            analyze_query(text).terms
        } else {
            Vec::new()
        };
        let numbers = read.iter().map(|term| match label {
            Label::Server => in_server_space(term.number),
            Label::Tag => term.number,
        });
        let mut rarest = None;
        for number in numbers {
            let known = self.terms.number(number);
            let Some(postings) = known.and_then(|known| self.terms.postings(known)) else {
                return Vec::new();
            };
            rarest = match rarest {
                Some(other) if rarer(other, postings) => Some(other),
                _ => Some(postings),
            };
        }
        let mut slots = Vec::new();
        match rarest {
            Some(postings) => postings.for_each(&mut |slot, _| slots.push(slot)),
            // A label without a word, such as one of stop words.
            None => slots.extend((0..self.span).filter(|slot| self.can_bear(*slot, label, text))),
        }
        slots
    }

    /// How careful the document at a slot asks to be used.
    pub fn hint(&self, slot: u32) -> Option<Hint> {
        self.record(slot).map(|record| record.hint())
    }

    fn can_bear(&self, slot: u32, label: Label, text: &str) -> bool {
        self.record(slot).is_some_and(|record| match label {
            Label::Server => record.group() == hash(text),
            Label::Tag => true,
        })
    }
}

fn rarer(left: Postings<'_>, right: Postings<'_>) -> bool {
    left.count() <= right.count()
}
