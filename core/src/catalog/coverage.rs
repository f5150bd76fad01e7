//! How much of a catalog has vectors, and why a search goes by words alone though meaning was asked for.
//! Knows nothing of where vectors come from.

use serde::{Deserialize, Serialize};

use super::Catalog;
use super::item::{Item, Kind};
use super::view::Catalogs;
use crate::error::{Error, ErrorCode};
use crate::index::{Index, Key, Vectors};
use crate::settled::settled;

/// How many items have a vector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coverage {
    /// Items that have one.
    pub embedded: u32,
    /// Items that have a text to embed.
    pub total: u32,
}

/// Why words alone answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Degraded {
    /// Nothing embeds queries here.
    NoEmbedder,
    /// No item has a vector yet.
    NoVectors,
    /// The embedder failed, or what it gave is no vector of the model.
    EmbeddingFailed,
    /// The embedder did not answer in time.
    Timeout,
    /// Embedding was cancelled.
    Aborted,
}

impl Degraded {
    /// The same as an error, for whoever does not want words alone.
    pub fn refusal(self) -> Error {
        let (code, message) = match self {
            Self::NoEmbedder => (
                ErrorCode::MethodUnavailable,
                "nothing embeds the query: give the engine an embedder, or search with method `lexical`",
            ),
            Self::NoVectors => (
                ErrorCode::NoVectors,
                "no item has a vector yet: wait for `warmUp`, or search without `strict`",
            ),
            Self::EmbeddingFailed => (
                ErrorCode::EmbeddingFailed,
                "the query could not be embedded: try again, or search without `strict`",
            ),
            Self::Timeout => (
                ErrorCode::Timeout,
                "the query was not embedded in time: try again, or search without `strict`",
            ),
            Self::Aborted => (ErrorCode::Aborted, "the embedding of the query was cancelled"),
        };
        Error::new(code, message)
    }
}

impl Coverage {
    /// Of some vectors.
    pub fn of(vectors: &Vectors) -> Self {
        Self {
            embedded: vectors.embedded(),
            total: vectors.wanted(),
        }
    }

    /// Of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            embedded: self.embedded.saturating_add(other.embedded),
            total: self.total.saturating_add(other.total),
        }
    }

    /// Whether there is something to embed and nothing is embedded.
    pub const fn is_missing(self) -> bool {
        self.embedded == 0 && self.total > 0
    }
}

impl<I: Item> Catalog<I> {
    /// The items without a vector, in the order of registration, with the keys of their texts; a text may come several times.
    pub fn missing(&self) -> Vec<(Key, &I)> {
        let vectors = self.vectors();
        if vectors.embedded() == vectors.wanted() {
            return Vec::new();
        }
        let missing: Vec<(u64, Key, &I)> = self
            .slots()
            .filter_map(|slot| {
                let key = vectors.missing(slot)?;
                let entry = self.entry(slot)?;
                Some((entry.place, key, &entry.item))
            })
            .collect();
        let missing = settled(missing, &|left, right| left.0.cmp(&right.0));
        missing.into_iter().map(|(_, key, item)| (key, item)).collect()
    }
}

impl Catalogs {
    /// Gives items without a vector those that items of another kind, or of an earlier state, have of the same text.
    pub fn adopt_vectors(&mut self, earlier: Option<&Self>) {
        let is_whole = |vectors: &&Vectors| vectors.embedded() == vectors.wanted();
        if self.each_vectors().iter().all(is_whole) {
            return;
        }
        let now = self.clone();
        let known: Vec<&Vectors> = [Some(&now), earlier]
            .into_iter()
            .flatten()
            .flat_map(Self::each_vectors)
            .collect();
        adopt(&mut self.tools, &known);
        adopt(&mut self.skills, &known);
        adopt(&mut self.facts, &known);
    }

    /// The index of a kind.
    pub fn index_of(&self, kind: Kind) -> &Index {
        match kind {
            Kind::Tool => &self.tools.index,
            Kind::Skill => &self.skills.index,
            Kind::Fact => &self.facts.index,
        }
    }

    /// The vectors of each kind.
    pub fn each_vectors(&self) -> [&Vectors; 3] {
        [self.tools.vectors(), self.skills.vectors(), self.facts.vectors()]
    }
}

fn adopt<I: Item>(catalog: &mut Catalog<I>, known: &[&Vectors]) {
    if known.iter().all(|vectors| vectors.is_empty()) {
        return;
    }
    let keys: Vec<Key> = catalog.missing().into_iter().map(|(key, _)| key).collect();
    for key in keys {
        if let Some(unit) = known.iter().find_map(|vectors| vectors.unit_of(key)) {
            catalog.vectors_mut().store_unit(key, &unit);
        }
    }
}
