//! The ideas of the ranking, each of which the quality bench can switch off to see what it is worth.
//!
//! Knows nothing of what the ideas do. Without the feature `ablation` every idea is on and the compiler knows it, so nothing
//! is asked at run time.

/// One idea.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idea {
    /// Words that say nothing are left out.
    StopWords,
    /// Particles and endings of scripts without spaces are left out.
    Particles,
    /// Words are reduced to their stems.
    Stems,
    /// Identifiers are cut into their words.
    Parts,
    /// Identifiers are also kept written together.
    Wholes,
    /// Fields weigh differently.
    FieldWeights,
    /// The length of a field divides what a word in it is worth.
    Lengths,
    /// A word that is a good part of a name is worth more.
    NameCover,
    /// A server's name has postings of its own.
    Servers,
    /// Names of parameters are read.
    ParameterNames,
    /// Descriptions and values of parameters are read.
    ParameterTexts,
    /// The body of a skill is read.
    Bodies,
    /// Every word that itself matches is worth something beside its rarity.
    Floor,
    /// Words that are hardly known are looked for by related ones.
    Related,
    /// Words of names are found misspelt.
    Misspelt,
    /// Words that are not English are found by what they begin with.
    Beginnings,
    /// Words of a request that is not English are looked for by what else asks for the same.
    Requests,
    /// Beside meaning, words that stand side by side are worth more than apart.
    SideBySide,
    /// Beside meaning, the words of values are worth less than others.
    Values,
    /// A standard deviation of meaning is worth more than one unit of score.
    MeaningWeight,
    /// Meaning is measured by how the documents of a catalog are spread around the query.
    Spread,
    /// Imagined documents stand beside those of a catalog.
    Imagined,
    /// Words decide where a query is in scripts that the model does not know.
    Scripts,
    /// Meaning counts less where a query is in another language than the only one that the model knows.
    Languages,
    /// What no word supports has to stand out.
    NeighbourFloor,
    /// Meaning changes how far the best hit can be trusted.
    Lift,
    /// Beside meaning, words vouch for less than alone.
    WordsShare,
    /// A little nearness vouches for more than its cosine says.
    LiftShare,
    /// What words and meaning always vouch for is taken off.
    DoubtOffset,
    /// What words make possible, no lack of nearness makes impossible.
    WordsKept,
    /// Alone, nearness vouches for more than its cosine says.
    AloneShare,
    /// What meaning alone always vouches for is taken off.
    AloneOffset,
}

impl Idea {
    /// Every idea about words, and what it is called.
    pub const ALL: [(Self, &'static str); 17] = [
        (Self::StopWords, "stop-words"),
        (Self::Particles, "particles"),
        (Self::Stems, "stems"),
        (Self::Parts, "parts-of-identifiers"),
        (Self::Wholes, "whole-identifiers"),
        (Self::FieldWeights, "field-weights"),
        (Self::Lengths, "lengths"),
        (Self::NameCover, "name-cover"),
        (Self::Servers, "servers-apart"),
        (Self::ParameterNames, "parameter-names"),
        (Self::ParameterTexts, "parameter-texts"),
        (Self::Bodies, "bodies"),
        (Self::Floor, "floor"),
        (Self::Related, "related-words"),
        (Self::Misspelt, "misspelt-names"),
        (Self::Beginnings, "beginnings"),
        (Self::Requests, "words-of-requests"),
    ];

    /// Every idea about words and meaning together, and what it is called.
    pub const FUSION: [(Self, &'static str); 8] = [
        (Self::SideBySide, "words-side-by-side"),
        (Self::Values, "words-of-values"),
        (Self::MeaningWeight, "weight-of-meaning"),
        (Self::Spread, "spread-of-the-query"),
        (Self::Imagined, "imagined-documents"),
        (Self::Scripts, "known-scripts"),
        (Self::Languages, "known-languages"),
        (Self::NeighbourFloor, "floor-of-neighbours"),
    ];

    /// Every idea about doubt where words and meaning count, and what it is called: it changes no order.
    pub const DOUBT: [(Self, &'static str); 5] = [
        (Self::Lift, "lift"),
        (Self::WordsShare, "share-of-words"),
        (Self::LiftShare, "weight-of-lift"),
        (Self::DoubtOffset, "offset"),
        (Self::WordsKept, "words-kept"),
    ];

    /// The same where meaning counts alone.
    pub const DOUBT_ALONE: [(Self, &'static str); 2] = [
        (Self::AloneShare, "weight-of-lift"),
        (Self::AloneOffset, "offset"),
    ];
}

#[cfg(not(feature = "ablation"))]
pub(crate) const fn on(_: Idea) -> bool {
    true
}

#[cfg(feature = "ablation")]
mod switch {
    use super::Idea;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static OFF: AtomicUsize = AtomicUsize::new(usize::MAX);

    /// Switches one idea off, for this process, before anything is indexed.
    #[allow(clippy::as_conversions, reason = "an idea is its place")]
    pub fn without(idea: Idea) {
        OFF.store(idea as usize, Ordering::Relaxed);
    }

    #[allow(clippy::as_conversions, reason = "an idea is its place")]
    pub(crate) fn on(idea: Idea) -> bool {
        OFF.load(Ordering::Relaxed) != idea as usize
    }
}

#[cfg(feature = "ablation")]
pub(crate) use switch::on;
#[cfg(feature = "ablation")]
pub use switch::without;
