//! Whether a text is English, told by the stop words it has and by letters that English has not.
//!
//! Must not know which other language it is: what is done for one is done for all.

use super::stop::Language;

/// What of a text speaks for English, and what against it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tongue {
    english: u32,
    other: u32,
}

/// A stop word tells as much as two words with letters that English has not: one is a name, or a loan word.
const STOP_WORD: u32 = 2;
const OTHER_LEAST: u32 = 2;

impl Tongue {
    /// Takes note of a stop word that was left out. Of another language it has to be plain: what stands in a name (`Los Angeles`) or
    /// in an identifier (`LaTeX`, `de_DE`) says nothing of the text around it.
    #[inline]
    pub(super) fn hear(&mut self, stop: Option<Language>, plain: bool) {
        match stop {
            Some(Language::English) => self.english = self.english.saturating_add(STOP_WORD),
            Some(Language::Other) if plain => self.other = self.other.saturating_add(STOP_WORD),
            Some(Language::Other | Language::Shared | Language::Pairs) | None => {}
        }
    }

    /// Takes note of so many words with letters that English has not.
    pub(super) fn see(&mut self, words: u32) {
        self.other = self.other.saturating_add(words);
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

    /// Whether nothing tells whether it is English or not.
    pub(crate) const fn is_untold(self) -> bool {
        self.english == 0 && self.other < OTHER_LEAST
    }

    /// Whether it is a text in another language; where nothing tells, it is none.
    pub(crate) const fn is_other(self) -> bool {
        self.other >= OTHER_LEAST && self.other > self.english
    }
}

#[cfg(test)]
mod tests {
    use super::super::analyze::{Analyzer, TextKind};
    use super::*;

    fn tongue(text: &str) -> Tongue {
        let mut analyzer = Analyzer::default();
        analyzer.terms(text, TextKind::Prose, &mut |_| {});
        analyzer.take_tongue()
    }

    #[test]
    fn a_sentence_of_another_language_is_told_from_an_english_one() {
        for text in [
            "Gibt den Kontostand zurück",
            "Renvoie la liste des rendez-vous",
            "Busca vuelos entre dos aeropuertos",
            "Показывает статус заказа",
            "Zwraca listę spotkań z podanego okresu",
            "Seçilen dosyayı başka bir klasöre taşır",
            "Εμφανίζει τον καιρό",
        ] {
            assert!(tongue(text).is_other(), "{text}");
            assert!(!tongue(text).is_english(), "{text}");
        }
        for text in [
            "Gets the balance of an account in any of the banks",
            "Finds cafés and the menus of each of them",
            "Flights from Los Angeles to La Paz with a stop in El Paso at the least of the prices",
            "Compiles the LaTeX documents of a folder",
        ] {
            assert!(tongue(text).is_english(), "{text}");
            assert!(!tongue(text).is_other(), "{text}");
        }
    }

    #[test]
    fn what_tells_nothing_is_neither() {
        for text in [
            "",
            "balance",
            "Saldo Konto",
            "café",
            "GET /v1/users",
            "日本語の文章",
            "검색해주세요",
            "a in on me no",
            "Compiles LaTeX documents",
            "Hotels in Los Angeles, Las Vegas",
            "DeFi protocols in de_DE",
            "Résumé builder",
        ] {
            assert!(!tongue(text).is_other() && !tongue(text).is_english(), "{text}");
        }
    }

    #[test]
    fn what_was_said_before_is_forgotten_once_it_was_asked() {
        let mut analyzer = Analyzer::default();
        analyzer.terms("Gibt den Kontostand zurück", TextKind::Prose, &mut |_| {});
        assert!(analyzer.take_tongue().is_other());
        assert_eq!(analyzer.take_tongue(), Tongue::default());
    }
}
