//! Which scripts a vocabulary can read. Knows no tokenizer.
//!
//! Every BERT vocabulary holds the single letters of dozens of scripts, so that hardly a text is unknown to it: MiniLM spells
//! Korean in letters that it has never learned to connect. What it knows shows in its pieces of more than one letter: it has
//! 26,534 in Latin, 8 in Cyrillic, 4 in Greek, 2 in Arabic, and no other.

use std::collections::BTreeMap;

use unicode_script::{Script, UnicodeScript};

/// Pieces of two letters or more that make a script a known one. A vocabulary of sixteen languages that was looked at has 1,174
/// in the rarest script of theirs, and 20 in the most frequent of no language of theirs.
const PIECES: usize = 100;
/// In a small vocabulary a share will do: one piece in this many.
const SHARE: usize = 20;
/// Han characters are words by themselves, and BERT's English vocabulary has 488 of them; a reader needs some two thousand.
const HAN: usize = 1_000;

/// The scripts, by their Unicode names, sorted.
pub(crate) fn of(tokens: &[String]) -> Vec<String> {
    let mut pieces: BTreeMap<&'static str, usize> = BTreeMap::new();
    for token in tokens {
        if let Some(script) = script(token) {
            *pieces.entry(script.full_name()).or_default() += 1;
        }
    }
    let all: usize = pieces.values().sum();
    let known = |script: &str, count: usize| {
        let needed = if script == Script::Han.full_name() {
            HAN
        } else {
            PIECES
        };
        count >= needed.min(all.div_ceil(SHARE).max(1))
    };
    pieces
        .into_iter()
        .filter(|(script, count)| known(script, *count))
        .map(|(script, _)| script.to_owned())
        .collect()
}

/// The script of a piece that shows knowledge of it: its letters are of one script, and they are two or more. A syllable of
/// Hangul is two or three letters, and a Han character is a word.
fn script(token: &str) -> Option<Script> {
    let mut found = None;
    let mut letters = 0;
    for letter in token.chars().filter(|letter| letter.is_alphabetic()) {
        let script = letter.script();
        if matches!(script, Script::Common | Script::Inherited | Script::Unknown) {
            continue;
        }
        if *found.get_or_insert(script) != script {
            return None;
        }
        letters += if script == Script::Han || matches!(letter, '\u{ac00}'..='\u{d7a3}') {
            2
        } else {
            1
        };
    }
    found.filter(|_| letters >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(groups: &[(&str, usize)]) -> Vec<String> {
        let repeat = |(token, count): &(&str, usize)| vec![(*token).to_owned(); *count];
        groups.iter().flat_map(repeat).collect()
    }

    #[test]
    fn single_letters_of_a_script_are_no_knowledge_of_it() {
        let like_minilm = tokens(&[
            ("the", 26_000),
            ("##ов", 8),
            ("в", 78),
            ("한", 0),
            ("ᄒ", 70),
            ("中", 488),
            ("か", 92),
        ]);
        assert_eq!(of(&like_minilm), ["Latin"]);
    }

    #[test]
    fn a_multilingual_vocabulary_reads_many_scripts() {
        let many = tokens(&[
            ("▁the", 100_000),
            ("▁во", 20_000),
            ("한국", 4_000),
            ("中", 9_000),
            ("です", 900),
            ("ქა", 700),
        ]);
        assert_eq!(
            of(&many),
            ["Cyrillic", "Georgian", "Han", "Hangul", "Hiragana", "Latin"]
        );
    }

    #[test]
    fn a_small_vocabulary_is_judged_by_shares() {
        assert_eq!(of(&tokens(&[("ab", 40), ("во", 1)])), ["Latin"]);
        assert_eq!(of(&tokens(&[("한", 30)])), ["Hangul"]);
        assert!(of(&tokens(&[("[1]", 3), ("7", 9)])).is_empty());
    }

    #[test]
    fn mixed_pieces_count_for_no_script() {
        assert_eq!(script("ab"), Some(Script::Latin));
        assert_eq!(script("aв"), None);
        assert_eq!(script("##a1"), None);
    }
}
