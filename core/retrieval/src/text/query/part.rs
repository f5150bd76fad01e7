//! How much of a word a term of a query is. Must not know what it is worth in a document.

use crate::text::chunk::Shape;

/// How much of a word a term of a query is: where no spaces tell words apart, a word is several terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A word, or a pair of characters.
    Word,
    /// A pair of katakana, of which most words of theirs have three or more.
    Syllables,
    /// An ideograph that is in a pair as well.
    Root,
}

impl Part {
    /// What a token of a query is.
    pub(super) const fn of(shape: Shape) -> Self {
        match shape {
            Shape::Root => Self::Root,
            Shape::Syllables => Self::Syllables,
            Shape::Word | Shape::Letter | Shape::Pair | Shape::Whole => Self::Word,
        }
    }

    /// The one that is more of a word: what is a word somewhere is one, wherever it is also a part of another.
    pub(super) const fn or(self, other: Self) -> Self {
        if other.share() > self.share() { other } else { self }
    }

    /// What it is worth beside a word, in hundredths.
    pub(crate) const fn share(self) -> u8 {
        match self {
            Self::Word => 100,
            Self::Root => 75,
            Self::Syllables => 70,
        }
    }
}
