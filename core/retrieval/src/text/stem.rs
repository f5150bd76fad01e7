//! Words to their stems, by script: Latin as English, Cyrillic as Russian, Arabic and Tamil as themselves.
//!
//! Must not know stop words. Latin letters say nothing of the language, and two stemmers for one script would make
//! the same word two terms; so German or French words are stemmed as English ones, on both sides alike. Greek is left
//! alone: the library's stemmer panics on words such as `ισαισα`.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::ablation::{Idea, on};

use super::hash::hash;
use super::porter::{self, Buffer};

/// The stemmers; cheap to make.
pub(super) struct Stemmers {
    english: Buffer,
    russian: Stemmer,
    arabic: Stemmer,
    tamil: Stemmer,
}

impl Stemmers {
    pub(super) fn new() -> Self {
        Self {
            english: Buffer::default(),
            russian: Stemmer::create(Algorithm::Russian),
            arabic: Stemmer::create(Algorithm::Arabic),
            tamil: Stemmer::create(Algorithm::Tamil),
        }
    }

    /// The stem of a folded word.
    pub(super) fn stem<'a>(&'a mut self, word: &'a str) -> Cow<'a, str> {
        if is_latin(word) {
            return Cow::Borrowed(self.latin(word));
        }
        match self.library(word).map(|stemmer| stemmer.stem(word)) {
            Some(stem) if !stem.is_empty() => stem,
            _ => Cow::Borrowed(word),
        }
    }

    fn latin<'a>(&'a mut self, word: &'a str) -> &'a str {
        if is_its_own_stem(word) || !on(Idea::Stems) {
            return word;
        }
        porter::stem(word, &mut self.english)
    }

    /// The library's stemmer for a word of another script than ours.
    fn library(&self, word: &str) -> Option<&Stemmer> {
        match word.chars().next()? {
            '\u{400}'..='\u{52F}' => Some(&self.russian),
            '\u{620}'..='\u{6FF}' => Some(&self.arabic),
            '\u{B80}'..='\u{BFF}' => Some(&self.tamil),
            _ => None,
        }
    }
}

/// The number of the term that a folded word becomes.
pub(crate) fn term_of(word: &str) -> u64 {
    hash(&Stemmers::new().stem(word))
}

fn is_latin(word: &str) -> bool {
    word.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
}

/// Whether no rule of the English stemmer can change the word, seen from its end: much cheaper than to ask.
fn is_its_own_stem(word: &str) -> bool {
    let bytes = word.as_bytes();
    if bytes.len() <= 2 || bytes.iter().rev().take(3).any(u8::is_ascii_digit) {
        return true;
    }
    match bytes {
        [
            ..,
            b'a' | b'b' | b'f' | b'h' | b'j' | b'k' | b'o' | b'p' | b'q' | b'u' | b'v' | b'w' | b'x' | b'z',
        ] => true,
        // -ing, -ed, -er, -ator, -ion, -ant, -ent, -ism, -ic
        [.., before, b'g'] => *before != b'n',
        [.., before, b'd' | b'r'] => !matches!(before, b'e' | b'o'),
        [.., before, b'n'] => *before != b'o',
        [.., before, b't'] => *before != b'n',
        [.., before, b'm'] => *before != b's',
        [.., before, b'c'] => *before != b'i',
        // -al, -ful, -ll
        [.., before, b'l'] => !matches!(before, b'a' | b'u' | b'l'),
        // y after a vowel stays.
        [.., before, b'y'] => matches!(before, b'a' | b'e' | b'o' | b'u'),
        // -ness, -ous; other plurals.
        [.., first, b's', b's'] => *first != b'e',
        [.., first, b'u', b's'] => *first != b'o',
        _ => false,
    }
}

/// Terms that were computed before, each at the place its word's number leads to: a catalog says the same few thousand
/// words again and again.
pub(super) struct Memo {
    stemmers: Stemmers,
    /// Numbers of a word and of its stem.
    known: Vec<(u64, u64)>,
}

/// A power of two; 64 kB.
const PLACES: usize = 4_096;

impl Memo {
    pub(super) fn new() -> Self {
        Self {
            stemmers: Stemmers::new(),
            known: vec![(0, 0); PLACES],
        }
    }

    /// The number of the stem of a folded word.
    pub(super) fn term(&mut self, word: &str) -> u64 {
        let number = hash(word);
        let place = usize::try_from(number % PLACES as u64).unwrap_or(0);
        if let Some((known, term)) = self.known.get(place)
            && *known == number
            && number != 0
        {
            return *term;
        }
        let term = hash(&self.stemmers.stem(word));
        if let Some(entry) = self.known.get_mut(place) {
            *entry = (number, term);
        }
        term
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stem(word: &str) -> String {
        Stemmers::new().stem(word).into_owned()
    }

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            ["deploy", "deploys", "deployed", "deploying"].as_slice(),
            &["issue", "issues", "issued"],
            &["отчет", "отчета", "отчеты"],
            &["задача", "задачи", "задачу"],
        ] {
            for form in forms {
                assert_eq!(stem(form), stem(forms[0]), "{form}");
            }
        }
    }

    #[test]
    fn what_has_digits_or_no_stemmer_is_left_alone() {
        for word in [
            "",
            "s3",
            "ids2",
            "v2",
            "שלום",
            "日本",
            "हिन्दी",
            "αρχεια",
            "ισαισα",
            "ab",
        ] {
            assert_eq!(stem(word), word);
        }
    }

    #[test]
    fn the_memo_answers_as_the_stemmers_do_however_often_it_is_asked() {
        let (mut memo, mut stemmers) = (Memo::new(), Stemmers::new());
        for round in 0..2 {
            for number in 0..3 * PLACES {
                let word = format!(
                    "{}ings",
                    number.to_string().replace(|c: char| c.is_ascii_digit(), "ab")
                );
                let word = word + ["", "задачами"][number % 2] + &number.to_string();
                assert_eq!(memo.term(&word), hash(&stemmers.stem(&word)), "{round} {word}");
            }
        }
        assert_eq!(memo.term("issues"), hash("issu"));
        assert_eq!(memo.term("задачами"), hash("задач"));
    }

    proptest! {
        #[test]
        fn a_word_that_is_its_own_stem_is_left_alone_by_the_stemmer_too(word in "[a-z]{0,8}([a-z]{3}|[aeiouyst]{2}[gdrntmclys]|(ator|ness|less|ous|ism|ment|ful|all|ing|eed|ies)[a-z]?)") {
            if is_its_own_stem(&word) {
                prop_assert_eq!(Stemmer::create(Algorithm::English).stem(&word), word.as_str());
            }
        }

        #[test]
        fn no_word_of_any_script_breaks_a_stemmer(word in "[a-z]{0,70}|[\\u{370}-\\u{3ff}]{0,30}|[\\u{400}-\\u{52f}]{0,30}|[\\u{600}-\\u{6ff}]{0,30}|[\\u{b80}-\\u{bff}]{0,30}") {
            stem(&word);
        }
    }
}
