//! Which model made a vector, and the key under which the vector of a text is known. Knows nothing of vectors.

use sha2::{Digest, Sha256};

use super::Passage;
use crate::text::Scripts;

/// A model, by what tells its vectors apart from those of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub id: String,
    /// Its revision; empty where it has none.
    pub revision: String,
    /// The length of its vectors.
    pub dimensions: u32,
    /// The scripts that it knows; all where this is not said. Not part of its identity.
    pub scripts: Option<Scripts>,
    /// Whether English is the only language that it knows. Not part of its identity, either.
    pub is_english: bool,
}

/// The digest of a text and of the model that reads it: 128 bits of a SHA-256, so that nobody can write a text that gets the
/// vector of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key([u8; 16]);

impl Model {
    /// Whether another one makes the same vectors.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.id, &self.revision, self.dimensions) == (&other.id, &other.revision, other.dimensions)
    }

    /// Whether a text is mostly in scripts that it does not know.
    pub fn is_foreign(&self, text: &str) -> bool {
        self.scripts
            .as_ref()
            .is_some_and(|known| known.are_foreign_to(text))
    }

    /// What the index keeps of a text; a blank one wants no vector.
    pub fn passage(&self, text: &str) -> Passage {
        if text.trim().is_empty() {
            return Passage::default();
        }
        Passage {
            key: Some(self.key(text)),
            foreign: self.is_foreign(text),
        }
    }

    /// The key of a text.
    pub fn key(&self, text: &str) -> Key {
        let mut hasher = Sha256::new();
        for part in [
            self.id.as_str(),
            &self.revision,
            &self.dimensions.to_string(),
            text,
        ] {
            hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
            hasher.update(part);
        }
        let digest: [u8; 32] = hasher.finalize().into();
        let (half, _) = digest.as_chunks::<16>();
        Key(half.first().copied().unwrap_or_default())
    }
}

impl Key {
    /// Its bytes.
    pub(crate) const fn bytes(self) -> [u8; 16] {
        self.0
    }

    /// The key of these bytes.
    pub(crate) const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The key that was written so.
    pub fn from_hex(text: &str) -> Option<Self> {
        // `from_str_radix` would take a sign, and capitals would be a second way to write a key.
        let plain = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        plain
            .then(|| u128::from_str_radix(text, 16).ok())?
            .map(|number| Self(number.to_be_bytes()))
    }

    /// Half of it, which finds it.
    pub(super) const fn hash(self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:032x}", u128::from_be_bytes(self.0))
    }
}
