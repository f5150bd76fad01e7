//! What a word begins with: its first four letters, by which words of one root meet in texts that are not English.
//!
//! Must not know which texts those are. Letters of alphabets only: what is written in pairs of characters has no beginnings, and
//! neither has a word with a digit. Truncation is the simplest of stemmers, knows no language, and does for most European ones what
//! a stemmer of their own does (McNamee and Mayfield, *Character n-gram tokenization*, 2004).

use super::hash::{hash_bytes, in_beginning_space};

/// How many letters.
const LETTERS: usize = 4;
/// How many letters of a word stand before the first part inside of it: those before are a prefix, or the head of a compound.
const BEFORE_INSIDE: usize = 2;
/// The most parts inside a word that are looked for.
const INSIDE_MOST: usize = 16;

/// The number that a text has among its beginnings because it has any.
pub(crate) const ANY: u64 = in_beginning_space(hash_bytes(b""));

/// Whether a letter belongs to an alphabet of which words are cut: Latin, Greek, Cyrillic, Armenian, Georgian.
pub(super) const fn is_of_alphabet(c: char) -> bool {
    c.is_ascii_lowercase()
        || matches!(c, '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{587}' | '\u{10D0}'..='\u{10FF}' | '\u{1E00}'..='\u{1FFF}')
}

/// The number of what a folded word begins with.
pub(crate) fn beginning(word: &str) -> Option<u64> {
    number(word.chars())
}

/// The numbers of what could be the beginnings of words inside a folded word: of the second part of a compound, of a verb behind
/// its prefix.
pub(crate) fn inside(word: &str) -> impl Iterator<Item = u64> {
    let places = word.char_indices().skip(BEFORE_INSIDE).take(INSIDE_MOST);
    places.map_while(|(at, _)| beginning(word.get(at..)?))
}

/// The number of what a word begins with when `ae`, `oe` and `ue` stand for the umlauts, which fold to `a`, `o` and `u`.
pub(crate) fn beginning_with_umlaut(word: &str) -> Option<u64> {
    let mut before = None;
    let letters = word
        .chars()
        .filter(move |letter| !(matches!(before.replace(*letter), Some('a' | 'o' | 'u')) && *letter == 'e'));
    number(letters)
}

fn number(mut letters: impl Iterator<Item = char>) -> Option<u64> {
    let mut bytes = [0; 4 * LETTERS];
    let mut end = 0;
    for _ in 0..LETTERS {
        let letter = letters.next().filter(|letter| is_of_alphabet(*letter))?;
        end += letter.encode_utf8(bytes.get_mut(end..)?).len();
    }
    bytes
        .get(..end)
        .map(|letters| in_beginning_space(hash_bytes(letters)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::hash::hash;

    #[test]
    fn forms_of_a_word_begin_alike_and_other_words_do_not() {
        for (one, other) in [
            ("ubersetze", "ubersetzung"),
            ("fluge", "flugen"),
            ("perenesi", "perenosit"),
            ("задачу", "задание"),
        ] {
            assert_eq!(beginning(one), beginning(other), "{one}");
            assert!(beginning(one).is_some(), "{one}");
        }
        assert_ne!(
            beginning("konto"),
            beginning("kontrolle").map(|number| number ^ 1)
        );
        assert_ne!(beginning("termin"), beginning("tabelle"));
        // A beginning is no word.
        assert_ne!(beginning("flug"), Some(hash("flug")));
    }

    #[test]
    fn what_is_short_or_no_word_of_an_alphabet_has_no_beginning() {
        for word in ["", "zug", "дом", "h2o4", "2026", "日本語版", "검색해줘", "ab3cd"] {
            assert_eq!(beginning(word), None, "{word}");
        }
    }

    #[test]
    fn an_umlaut_may_be_written_as_two_letters() {
        for (typed, folded) in [
            ("ueberweisung", "uberweisung"),
            ("aerztin", "arztin"),
            ("zoegern", "zogern"),
        ] {
            assert_eq!(beginning_with_umlaut(typed), beginning(folded), "{typed}");
            assert_ne!(beginning(typed), beginning(folded), "{typed}");
        }
        assert_eq!(beginning_with_umlaut("termin"), beginning("termin"));
    }

    #[test]
    fn a_part_of_a_compound_is_inside_and_what_comes_first_is_not() {
        let within = |part: &str, word: &str| inside(word).any(|number| Some(number) == beginning(part));
        assert!(within("tabelle", "budgettabelle"));
        assert!(within("schicken", "verschicken"));
        assert!(within("водить", "переводить"));
        assert!(!within("budget", "budgettabelle"));
        assert_eq!(inside("flug").count(), 0);
        assert!(inside(&"wort".repeat(30)).count() <= INSIDE_MOST);
    }
}
