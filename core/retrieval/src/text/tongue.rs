//! Whether a text is English, told by the stop words it has and by letters that English has not.
//!
//! Must not know which other language it is: what is done for one is done for all.

use super::beginning::is_of_alphabet;
use super::stop::Language;

/// What of a text speaks for English, and what against it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tongue {
    english: u32,
    other: u32,
}

/// One foreign word is a name, or a quotation.
const OTHER_LEAST: u32 = 2;

impl Tongue {
    /// Takes note of a stop word that was left out.
    #[inline]
    pub(super) fn hear(&mut self, stop: Option<Language>) {
        match stop {
            Some(Language::English) => self.english = self.english.saturating_add(1),
            Some(Language::Other) => self.other = self.other.saturating_add(1),
            Some(Language::Shared | Language::Pairs) | None => {}
        }
    }

    /// Takes note of the letters of a text that English has not.
    pub(super) fn see(&mut self, text: &str) {
        if !text.is_ascii() {
            let letters = text
                .chars()
                .filter(|c| !c.is_ascii() && is_of_alphabet(*c))
                .count();
            self.other = self
                .other
                .saturating_add(u32::try_from(letters).unwrap_or(u32::MAX));
        }
    }

    /// The same for two texts that belong together.
    pub(crate) fn add(&mut self, more: Self) {
        self.english = self.english.saturating_add(more.english);
        self.other = self.other.saturating_add(more.other);
    }

    /// Whether more speaks for English than against it.
    pub(crate) const fn is_english(self) -> bool {
        self.english > self.other
    }

    /// Whether it is a text in another language; where nothing tells, it is none.
    pub(crate) const fn is_other(self) -> bool {
        self.other >= OTHER_LEAST && self.other > self.english
    }
}
