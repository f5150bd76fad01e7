//! How well the model of an index can know what a query says, from what is known of the model.
//! Knows nothing of vectors, nor of what becomes of a query that the model cannot read.
//!
//! A model that was made for one language still makes something of the others in its script: names, loan words and what their
//! words share with its own. It makes less of a text in a script of which it knows only the letters.

use super::scratch;
use crate::ablation::{Idea, on};
use crate::index::Index;
use crate::text::{QueryText, beginning};

/// How well a model can know what a query says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Literacy {
    /// As well as it knows anything.
    Fluent,
    /// The query is in another language than the only one that the model knows.
    Language,
    /// The query is mostly in scripts that the model does not know.
    Script,
}

impl Literacy {
    /// Of the model of an index and a query.
    pub fn of(index: &Index, query: &str) -> Self {
        Self::judged(index, query, || {
            scratch::with(|scratch| {
                scratch.reader.read(query, &mut scratch.text);
                is_strange(index, &scratch.text)
            })
        })
    }

    /// The same of a query that is read.
    pub(crate) fn of_read(index: &Index, query: &str, read: &QueryText) -> Self {
        Self::judged(index, query, || is_strange(index, read))
    }

    /// Which language a query is in is asked only where the model knows one alone.
    fn judged(index: &Index, query: &str, is_strange: impl FnOnce() -> bool) -> Self {
        let Some(model) = index.vectors().model() else {
            return Self::Fluent;
        };
        if on(Idea::Scripts) && model.is_foreign(query) {
            Self::Script
        } else if on(Idea::Languages) && model.is_english && is_strange() {
            Self::Language
        } else {
            Self::Fluent
        }
    }
}

/// Whether a query is in another language than English: as it says, or as its catalog does.
fn is_strange(index: &Index, read: &QueryText) -> bool {
    read.is_other() || !read.is_english() && are_mostly_other(index)
}

/// Whether most documents are in other languages than English. A few words that do not say which language they are in are taken
/// to be in theirs.
pub fn are_mostly_other(index: &Index) -> bool {
    let other = index.terms().find(beginning::ANY);
    other.is_some_and(|(_, postings)| postings.count() as usize * 2 > index.len())
}
