//! Words to their stems, by script: Latin as English, Cyrillic as Russian, Arabic and Tamil as themselves.
//!
//! Must not know stop words. Latin letters say nothing of the language, and two stemmers for one script would make
//! the same word two terms; so German or French words are stemmed as English ones, on both sides alike. Greek is left
//! alone: the library's stemmer panics on words such as `ισαισα`.

use std::borrow::Cow;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

/// The stemmers; cheap to make.
pub(super) struct Stemmers {
    english: Stemmer,
    russian: Stemmer,
    arabic: Stemmer,
    tamil: Stemmer,
}

impl Stemmers {
    pub(super) fn new() -> Self {
        Self {
            english: Stemmer::create(Algorithm::English),
            russian: Stemmer::create(Algorithm::Russian),
            arabic: Stemmer::create(Algorithm::Arabic),
            tamil: Stemmer::create(Algorithm::Tamil),
        }
    }

    /// The stem of a folded word.
    pub(super) fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        match self.of(word).map(|stemmer| stemmer.stem(word)) {
            Some(stem) if !stem.is_empty() => stem,
            _ => Cow::Borrowed(word),
        }
    }

    fn of(&self, word: &str) -> Option<&Stemmer> {
        if is_its_own_stem(word) {
            return None;
        }
        match word.chars().next()? {
            'a'..='z' => Some(&self.english),
            '\u{400}'..='\u{52F}' => Some(&self.russian),
            '\u{620}'..='\u{6FF}' => Some(&self.arabic),
            '\u{B80}'..='\u{BFF}' => Some(&self.tamil),
            _ => None,
        }
    }
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

/// Stems that were computed before.
pub(super) struct Memo {
    stemmers: Stemmers,
    known: HashMap<Box<str>, Box<str>>,
}

/// The memo starts anew when it holds this many words.
const MOST_WORDS: usize = 65_536;

impl Memo {
    pub(super) fn new() -> Self {
        Self {
            stemmers: Stemmers::new(),
            known: HashMap::new(),
        }
    }

    /// Visits the stem of a folded word.
    pub(super) fn stem(&mut self, word: &str, visit: &mut dyn FnMut(&str)) {
        if self.stemmers.of(word).is_none() {
            return visit(word);
        }
        if let Some(stem) = self.known.get(word) {
            return visit(stem);
        }
        let stem = self.stemmers.stem(word);
        visit(&stem);
        if self.known.len() >= MOST_WORDS {
            self.known.clear();
        }
        self.known.insert(word.into(), stem.into());
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
    fn a_full_memo_starts_anew_and_still_answers() {
        let mut memo = Memo::new();
        let letters = |mut number: usize| {
            let mut word = String::new();
            while number > 0 {
                word.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
                number /= 26;
            }
            word + "ings"
        };
        for number in 1..=MOST_WORDS + 10 {
            memo.stem(&letters(number), &mut |_| {});
        }
        assert!(memo.known.len() <= MOST_WORDS);
        let mut stemmed = String::new();
        memo.stem("issues", &mut |stem| stemmed.push_str(stem));
        assert_eq!(stemmed, "issu");
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
