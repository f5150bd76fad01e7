//! Documents, read: all that an index takes of them, one alone or many behind each other in a few pieces of memory.
//! Knows nothing of slots, of numbers of terms and of postings.

use std::borrow::Cow;

use super::batch::Workspace;
use super::gather::{Terms, Tokens, Weight, gather};
use super::impact::Field;
use super::record::Hint;
use super::spelling::Spellings;
use crate::text::Analyzer;
use crate::text::hash::hash;

/// The most words of one name whose misspellings are found.
const SPELLED_MOST: usize = 16;

/// What is handed in for one item.
#[derive(Debug, Clone)]
pub struct Document<'a> {
    /// The id, which breaks the last ties.
    pub id: &'a str,
    /// All forms that count as names: full id, id without `mcp__`, bare name, the item's name.
    pub names: &'a [&'a str],
    /// The key of its server's group.
    pub group: &'a str,
    /// How careful it asks to be used.
    pub hint: Hint,
    /// Its texts.
    pub fields: &'a [(Field, Cow<'a, str>)],
}

/// One document, read. Reading is most of the work of a change.
#[derive(Debug)]
pub struct Prepared {
    id: Box<str>,
    names: Box<[u64]>,
    hashes: Box<[u64]>,
    weights: Box<[Weight]>,
    spelled: Box<str>,
    traits: Traits,
}

impl Prepared {
    /// Reads a document.
    pub fn new(document: &Document<'_>, analyzer: &mut Analyzer) -> Self {
        let mut batch = Batch::default();
        batch.read(document, analyzer);
        batch.prepared(0)
    }

    pub(super) fn reading(&self) -> Reading<'_> {
        Reading {
            id: &self.id,
            names: &self.names,
            hashes: &self.hashes,
            weights: &self.weights,
            spelled: &self.spelled,
            traits: self.traits,
        }
    }
}

/// What is known of a document in a few bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    pub(super) group: u64,
    /// Low halves of the first and the last name term, 0 when there is none.
    pub(super) name_ends: (u32, u32),
    pub(super) hint: Hint,
}

/// A document that was read, wherever it lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) id: &'a str,
    /// Hashes of its names, ascending.
    pub(super) names: &'a [u64],
    /// Its terms, each once.
    pub(super) hashes: &'a [u64],
    /// What they weigh.
    pub(super) weights: &'a [Weight],
    /// The words of its name whose misspellings are found, each once, with spaces between them.
    spelled: &'a str,
    pub(super) traits: Traits,
}

const NOTHING: Reading<'static> = Reading {
    id: "",
    names: &[],
    hashes: &[],
    weights: &[],
    spelled: "",
    traits: Traits {
        group: 0,
        name_ends: (0, 0),
        hint: Hint::Neutral,
    },
};

impl<'a> Reading<'a> {
    /// The words of its name whose misspellings are found.
    pub(super) fn spelled(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.spelled.split(' ').filter(|word| !word.is_empty())
    }
}

/// Many documents, read. What they have of a kind lies in one piece of memory, which is kept for the next ones.
#[derive(Debug, Default)]
pub struct Batch {
    documents: Vec<(Traits, Ends)>,
    ids: String,
    names: Vec<u64>,
    terms: Terms,
    spelled: String,
    tokens: Tokens,
    pub(super) space: Workspace,
}

/// Where the parts of a document end.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    id: usize,
    names: usize,
    terms: usize,
    spelled: usize,
}

/// Terms of most documents of a catalog of tools.
const TERMS_EXPECTED: usize = 72;

impl Batch {
    /// Room for so many documents: what grows step by step is copied, and takes memory that was never touched.
    pub fn for_documents(count: usize) -> Self {
        let mut batch = Self::default();
        batch.documents.reserve(count);
        batch.terms.reserve(TERMS_EXPECTED * count);
        batch
    }

    /// Reads a document, and puts it behind the others.
    pub fn read(&mut self, document: &Document<'_>, analyzer: &mut Analyzer) {
        let starts = self.ends();
        self.ids.push_str(document.id);
        for name in document.names {
            let known = self.names.get(starts.names..).unwrap_or_default();
            if let Some(number) = analyzer
                .name_number(name)
                .filter(|number| !known.contains(number))
            {
                self.names.push(number);
            }
        }
        if let Some(names) = self.names.get_mut(starts.names..) {
            names.sort_unstable();
        }
        let (spelled, mut count) = (&mut self.spelled, 0);
        let name_ends = gather(
            document.fields,
            analyzer,
            &mut self.tokens,
            &mut self.terms,
            &mut |word| {
                let known = spelled.get(starts.spelled..).unwrap_or_default();
                if count < SPELLED_MOST
                    && Spellings::keeps(word)
                    && known.split(' ').all(|known| known != word)
                {
                    count += 1;
                    spelled.push_str(word);
                    spelled.push(' ');
                }
            },
        );
        let traits = Traits {
            group: hash(document.group),
            name_ends,
            hint: document.hint,
        };
        let ends = Ends {
            id: self.ids.len(),
            names: self.names.len(),
            terms: self.terms.hashes.len(),
            spelled: self.spelled.len(),
        };
        self.documents.push((traits, ends));
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Forgets all documents.
    pub fn clear(&mut self) {
        self.documents.clear();
        self.ids.clear();
        self.names.clear();
        self.terms.clear();
        self.spelled.clear();
    }

    /// A document alone; it is empty where none was read.
    pub fn prepared(&self, place: usize) -> Prepared {
        let reading = self.reading(place);
        Prepared {
            id: reading.id.into(),
            names: reading.names.into(),
            hashes: reading.hashes.into(),
            weights: reading.weights.into(),
            spelled: reading.spelled.into(),
            traits: reading.traits,
        }
    }

    /// A document; it is empty where none was read.
    pub(super) fn reading(&self, place: usize) -> Reading<'_> {
        let Some((traits, ends)) = self.documents.get(place).copied() else {
            return NOTHING;
        };
        let starts = self.starts(place);
        let (names, terms) = (starts.names..ends.names, starts.terms..ends.terms);
        Reading {
            id: self.ids.get(starts.id..ends.id).unwrap_or_default(),
            names: self.names.get(names).unwrap_or_default(),
            hashes: self.terms.hashes.get(terms.clone()).unwrap_or_default(),
            weights: self.terms.weights.get(terms).unwrap_or_default(),
            spelled: self.spelled.get(starts.spelled..ends.spelled).unwrap_or_default(),
            traits,
        }
    }

    /// Where the parts of a document begin.
    fn starts(&self, place: usize) -> Ends {
        let before = place.checked_sub(1).and_then(|before| self.documents.get(before));
        before.map_or(Ends::default(), |(_, ends)| *ends)
    }

    fn ends(&self) -> Ends {
        self.starts(self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_among_others_is_read_as_it_is_alone_and_nothing_is_left_of_those_before() {
        let texts = [
            (
                "server__createIssue",
                "Creates issues, and issues of issues, on Server",
            ),
            ("x", ""),
            ("größe__Übersicht_zeigen", "zeigt die Übersicht"),
        ];
        let mut analyzer = Analyzer::default();
        let mut batch = Batch::for_documents(1);
        for _ in 0..2 {
            let mut alone = Vec::new();
            for (id, description) in texts {
                let fields = [
                    (Field::Name, Cow::Borrowed(id)),
                    (Field::Description, Cow::Borrowed(description)),
                ];
                let document = Document {
                    id,
                    names: &[id, id, "Other Name"],
                    group: "server",
                    hint: Hint::ReadOnly,
                    fields: &fields,
                };
                batch.read(&document, &mut analyzer);
                alone.push(format!("{:?}", Prepared::new(&document, &mut analyzer)));
            }
            let among: Vec<String> = (0..batch.len())
                .map(|place| format!("{:?}", batch.prepared(place)))
                .collect();
            assert_eq!(among, alone);
            let spelled: Vec<&str> = batch.reading(0).spelled().collect();
            assert_eq!(spelled, ["server", "create", "issue"]);
            assert_eq!(batch.reading(0).names.len(), 2);
            assert!(batch.reading(7).hashes.is_empty());
            batch.clear();
            assert!(batch.is_empty());
        }
    }
}
