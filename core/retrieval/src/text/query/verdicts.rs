//! What becomes of a folded word: the term of its stem, or nothing where it says nothing.
//!
//! Must not know capitals or queries. People and agents ask in the same few hundred words again and again, so the last
//! verdicts are remembered: a word is known by its number, as a term is.

use crate::text::analyze::{Capitals, keep};
use crate::text::chunk::{Shape, Token};
use crate::text::hash::{hash, hash_bytes};
use crate::text::stem::Stemmers;

/// Judges words.
pub(super) struct Verdicts {
    stemmers: Stemmers,
    /// The last two verdicts of each set of words, the newer first; a word's number says which set it is of. Or no sets at all.
    known: Vec<[Verdict; 2]>,
}

/// The number of a word, and of its term; 0 where it has none.
type Verdict = (u64, u64);

/// 32 kB.
const SETS: u64 = 1_024;

impl Verdicts {
    /// Judges each word anew.
    pub(super) fn none() -> Self {
        Self {
            stemmers: Stemmers::new(),
            known: Vec::new(),
        }
    }

    /// Remembers words.
    pub(super) fn remembered() -> Self {
        // What stands in a set at first is the number of no word of it.
        let nothing = |set| [(set + 1, 0); 2];
        Self {
            known: (0..SETS).map(nothing).collect(),
            ..Self::none()
        }
    }

    /// The term of a word that is not written in capitals only; nothing for a stop word.
    #[inline]
    pub(super) fn of(&mut self, word: &[u8]) -> Option<u64> {
        let number = hash_bytes(word);
        let term = match self.known.get(set_of(number)) {
            Some([newer, _]) if newer.0 == number => newer.1,
            Some([_, older]) if older.0 == number => older.1,
            _ => return self.judge(word, number),
        };
        (term != 0).then_some(term)
    }

    /// The number of a word's stem.
    pub(super) fn stem(&mut self, word: &str) -> u64 {
        hash(&self.stemmers.stem(word))
    }

    #[cold]
    fn judge(&mut self, word: &[u8], number: u64) -> Option<u64> {
        let word = std::str::from_utf8(word).ok()?;
        let token = Token {
            text: word,
            shape: Shape::Word,
            upper: false,
            identifier: None,
        };
        let term = keep(&token, &mut Capitals::new("")).then(|| self.stem(word));
        if let Some(set) = self.known.get_mut(set_of(number))
            && term != Some(0)
        {
            let [newer, _] = *set;
            *set = [(number, term.unwrap_or(0)), newer];
        }
        term
    }
}

fn set_of(number: u64) -> usize {
    usize::try_from(number % SETS).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_is_judged_anew_however_many_words_there_are() {
        let (mut remembered, mut none) = (Verdicts::remembered(), Verdicts::none());
        for _ in 0..2 {
            for number in 0..6_000 {
                let word = format!(
                    "{}ings",
                    number.to_string().replace(|c: char| c.is_ascii_digit(), "ab")
                );
                let word = format!("{word}{number}");
                assert_eq!(remembered.of(word.as_bytes()), none.of(word.as_bytes()), "{word}");
                for word in ["the", "issues", "it", "von", ""] {
                    let word = word.as_bytes();
                    assert_eq!(remembered.of(word), none.of(word));
                }
            }
        }
        assert_eq!(remembered.of(b"issues"), Some(hash("issu")));
        assert_eq!(remembered.of(b"the"), None);
    }
}
