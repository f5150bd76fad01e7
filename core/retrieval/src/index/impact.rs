//! What a term weighs in a document: BM25F over fields with fixed length pivots, as one byte. Knows nothing of other
//! documents, so a posting never changes when its neighbours do.
//!
//! Each field's count is divided by how long the field is beside its pivot, weighed, and summed; the sum saturates once
//! (k1), so a word in name and description does not count twice in full. To that comes the share of the name which the term
//! covers: it lifts the tool that is about the query over a sibling whose name says more than was asked.

use serde::Serialize;

use crate::ablation::{Idea, on};

/// The parts of a document, weighed apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// The name, as an identifier.
    Name,
    /// A title for people.
    Title,
    /// What the thing does, or the text the host wants indexed in its place.
    Description,
    /// When a skill should be used.
    WhenToUse,
    /// Tags.
    Tags,
    /// The server; kept in postings of its own.
    Server,
    /// Names of parameters.
    ParameterName,
    /// Descriptions, enum values and titles of parameters.
    ParameterText,
    /// Headings of a body.
    Heading,
    /// The prose of a body.
    Body,
}

/// How many fields there are.
pub(crate) const FIELDS: usize = 10;

/// How one field counts.
pub(crate) struct FieldWeight {
    weight: f32,
    /// The length, in terms, at which the field counts in full; near the median of real catalogs.
    pivot: f32,
}

/// How strongly length divides a field's count.
const LENGTH_SHARE: f32 = 0.5;
/// Where repetition stops helping.
const SATURATION: f32 = 1.2;
/// What covering the whole name adds, in units of a saturated term's weight.
const NAME_COVER: f32 = 1.0;
/// From so many pivots on a label is stuffed: it is divided by its length once more.
const LABEL_MOST: f32 = 2.0;
/// In a field of more pivots than this, words are not found by what they begin with.
const BEGINNINGS_MOST: f32 = 4.0;
/// Steps of an impact byte per unit.
pub(crate) const IMPACT_STEPS: i64 = 100;
const IMPACT_SCALE: f32 = IMPACT_STEPS as f32;

impl Field {
    #[allow(clippy::as_conversions, reason = "a field is its place in the table")]
    pub(crate) const fn place(self) -> usize {
        self as usize
    }

    const fn weight(self) -> FieldWeight {
        let (weight, pivot) = match self {
            Self::Name => (3.0, 3.0),
            Self::Title => (2.0, 4.0),
            Self::Description => (1.0, 12.0),
            Self::WhenToUse => (1.0, 20.0),
            Self::Tags => (1.0, 4.0),
            Self::Server => (1.0, 2.0),
            Self::ParameterName => (0.5, 6.0),
            Self::ParameterText => (0.4, 30.0),
            Self::Heading => (0.25, 40.0),
            Self::Body => (0.1, 600.0),
        };
        FieldWeight { weight, pivot }
    }

    /// Whether it names instead of telling.
    const fn is_label(self) -> bool {
        matches!(
            self,
            Self::Name | Self::Title | Self::Tags | Self::Server | Self::ParameterName
        )
    }

    /// Whether a text of it is written for people, so that its words tell the language. A text of a parameter that is one word is
    /// mostly a value, such as the code of a language.
    pub(crate) fn is_spoken(self, text: &str) -> bool {
        match self {
            Self::Name | Self::Server | Self::Tags | Self::ParameterName => false,
            Self::ParameterText => text.contains(' '),
            Self::Title | Self::Description | Self::WhenToUse | Self::Heading | Self::Body => true,
        }
    }

    /// Whether its words are found by what they begin with, too, where a document is not English and it has so many terms: those of
    /// names are written in English there, and long texts begin like anything (ADR 0065).
    pub(crate) fn has_beginnings(self, length: u32) -> bool {
        let is_told = matches!(
            self,
            Self::Title | Self::Description | Self::WhenToUse | Self::Tags | Self::ParameterText
        );
        is_told && float(length) <= BEGINNINGS_MOST * self.weight().pivot
    }

    /// Whether it is read at all.
    pub(crate) fn is_read(self) -> bool {
        match self {
            Self::ParameterName => on(Idea::ParameterNames),
            Self::ParameterText => on(Idea::ParameterTexts),
            Self::Heading | Self::Body => on(Idea::Bodies),
            _ => true,
        }
    }
}

/// The weighed, length-divided count of a term in one field.
pub(crate) fn share(field: Field, count: u32, length: u32) -> f32 {
    let FieldWeight { weight, pivot } = field.weight();
    let weight = if on(Idea::FieldWeights) { weight } else { 1.0 };
    let length_share = if on(Idea::Lengths) { LENGTH_SHARE } else { 0.0 };
    let times = float(length) / pivot;
    let stuffed = if field.is_label() {
        (times / LABEL_MOST).max(1.0)
    } else {
        1.0
    };
    weight * float(count) / ((1.0 - length_share + length_share * times) * stuffed)
}

/// The impact of a term: its summed shares, and the part of the name it covers.
pub(crate) fn impact(shares: f32, name_part: f32) -> u8 {
    byte(saturated(shares) + name_cover(name_part))
}

/// What one field has of an impact, beside the other fields: its part of the saturated sum, and what it covers.
pub(crate) fn part(field: Field, share: f32, shares: f32, covered: f32) -> f32 {
    let cover = if field == Field::Name {
        name_cover(covered)
    } else {
        0.0
    };
    saturated(shares) * share / shares + cover
}

fn saturated(shares: f32) -> f32 {
    (SATURATION + 1.0) * shares / (SATURATION + shares)
}

/// What the part of the name that is one term adds.
fn name_cover(part: f32) -> f32 {
    if on(Idea::NameCover) {
        NAME_COVER * part
    } else {
        0.0
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte before"
)]
fn byte(value: f32) -> u8 {
    (value * IMPACT_SCALE + 0.5).clamp(1.0, 255.0) as u8
}

/// Exact for every length a document can have.
#[allow(
    clippy::cast_precision_loss,
    reason = "lengths beyond 2^24 terms weigh the same"
)]
pub(crate) fn float(count: u32) -> f32 {
    count as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_never_worth_nothing_and_a_byte_never_overflows() {
        assert_eq!(impact(share(Field::Body, 1, u32::MAX), 0.0), 1);
        let best = impact(share(Field::Name, u32::MAX, 1), 1.0);
        assert!(best > 200, "{best}");
    }

    #[test]
    fn a_word_in_the_name_outweighs_one_in_a_parameter() {
        assert!(impact(share(Field::Name, 1, 3), 0.0) > impact(share(Field::ParameterText, 1, 10), 0.0));
    }
}
