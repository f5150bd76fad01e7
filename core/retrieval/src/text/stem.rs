//! Words to their stems, by script: Latin as English, Cyrillic as Russian, Arabic and Tamil as themselves.
//!
//! Must not know what becomes of a stop word. Latin letters say nothing of the language, and two stemmers for one script would make
//! the same word two terms; so German or French words are stemmed as English ones, on both sides alike. Greek is left
//! alone: the library's stemmer panics on words such as `ισαισα`.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::ablation::{Idea, on};

use super::hash::{hash, hash_bytes};
use super::porter::{self, Buffer};
use super::stop::{Language, stop_word_of};

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
            return Cow::Borrowed(std::str::from_utf8(self.latin(word)).unwrap_or_default());
        }
        match self.library(word).map(|stemmer| stemmer.stem(word)) {
            Some(stem) if !stem.is_empty() => stem,
            _ => Cow::Borrowed(word),
        }
    }

    /// The number of the stem of a folded word.
    pub(super) fn term(&mut self, word: &str) -> u64 {
        if is_latin(word) {
            return hash_bytes(self.latin(word));
        }
        hash(&self.stem(word))
    }

    fn latin<'a>(&'a mut self, word: &'a str) -> &'a [u8] {
        if is_its_own_stem(word) || !on(Idea::Stems) {
            return word.as_bytes();
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
    Stemmers::new().term(word)
}

fn is_latin(word: &str) -> bool {
    word.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
}

/// Whether no rule of the English stemmer can change the word, seen from its end: much cheaper than to ask.
fn is_its_own_stem(word: &str) -> bool {
    match word.as_bytes() {
        [] | [_] | [_, _] | [.., b'0'..=b'9'] | [.., b'0'..=b'9', _] | [.., b'0'..=b'9', _, _] => true,
        word => porter::no_rule_ends(word),
    }
}

/// What is known of a word wherever it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// The number of its stem.
    pub(super) term: u64,
    /// Read only of the few words of which it matters.
    mark: u64,
}

impl Word {
    const fn new(term: u64, stop: Option<Language>) -> Self {
        Self {
            term,
            mark: mark(stop),
        }
    }

    /// Whose stop word it is, if it is one.
    #[inline]
    pub(super) const fn stop(self) -> Option<Language> {
        unmarked(self.mark)
    }
}

/// Words that were looked at before, two at each place that their numbers lead to: a catalog says the same few thousand words
/// again and again. The first of two was met again since the second came, so that many words met once do not drive it out.
pub(super) struct Memo {
    stemmers: Stemmers,
    known: Vec<[Entry; 2]>,
}

/// A known word: its number, with a mark in place of the low bits, which its place says already.
#[derive(Debug, Clone, Copy)]
struct Entry {
    number: u64,
    term: u64,
}

/// A power of two; 64 kB.
const PLACES: usize = 2_048;
const LOW: u64 = PLACES as u64 - 1;

impl Entry {
    /// It is not all zeros, so that making the places writes them: memory that is read first and written then is got ready twice.
    const VACANT: Self = Self {
        number: 0,
        term: u64::MAX,
    };

    #[inline]
    const fn is_of(self, number: u64) -> bool {
        (self.number ^ number) & !LOW == 0 && self.number & LOW != 0
    }

    #[inline]
    const fn word(self) -> Word {
        Word {
            term: self.term,
            mark: self.number & LOW,
        }
    }
}

impl Default for Memo {
    fn default() -> Self {
        Self {
            stemmers: Stemmers::new(),
            known: vec![[Entry::VACANT; 2]; PLACES],
        }
    }
}

impl Memo {
    /// What is known of a folded word.
    #[allow(
        clippy::inline_always,
        reason = "asked of every word of every text, by three callers"
    )]
    #[inline(always)]
    pub(super) fn word(&mut self, word: &str) -> Word {
        let number = hash(word);
        let place = usize::try_from(number & LOW).unwrap_or(0);
        match self.known.get_mut(place) {
            Some([first, _]) if first.is_of(number) => first.word(),
            Some([first, second]) if second.is_of(number) => {
                std::mem::swap(first, second);
                first.word()
            }
            _ => self.look(word, number, place),
        }
    }

    #[inline(never)]
    fn look(&mut self, word: &str, number: u64, place: usize) -> Word {
        let found = Word::new(self.stemmers.term(word), stop_word_of(word, number));
        if let Some([first, second]) = self.known.get_mut(place) {
            let entry = if first.number == 0 { first } else { second };
            *entry = Entry {
                number: number & !LOW | found.mark,
                term: found.term,
            };
        }
        found
    }
}

/// The mark of a known word; 0 is none.
const fn mark(stop: Option<Language>) -> u64 {
    match stop {
        None => 1,
        Some(Language::English) => 2,
        Some(Language::Other) => 3,
        Some(Language::Pairs) => 4,
        Some(Language::Shared) => 5,
    }
}

/// What a mark says.
const fn unmarked(mark: u64) -> Option<Language> {
    match mark {
        2 => Some(Language::English),
        3 => Some(Language::Other),
        4 => Some(Language::Pairs),
        5 => Some(Language::Shared),
        _ => None,
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
    fn the_memo_answers_as_the_stemmers_and_the_list_of_stop_words_do_however_often_it_is_asked() {
        let (mut memo, mut stemmers) = (Memo::default(), Stemmers::new());
        for round in 0..2 {
            for number in 0..3 * PLACES {
                let word = format!(
                    "{}ings",
                    number.to_string().replace(|c: char| c.is_ascii_digit(), "ab")
                );
                let word = word + ["", "задачами"][number % 2] + &number.to_string();
                let known = Word::new(hash(&stemmers.stem(&word)), None);
                assert_eq!(memo.word(&word), known, "{round} {word}");
            }
            for (word, stem, stop) in [
                ("issues", "issu", None),
                ("задачами", "задач", None),
                ("being", "be", Some(Language::English)),
                ("einen", "einen", Some(Language::Other)),
                ("so", "so", Some(Language::Shared)),
                ("해줘", "해줘", Some(Language::Pairs)),
            ] {
                let term = hash(stem);
                assert_eq!(memo.word(word), Word::new(term, stop), "{word}");
                assert_eq!(memo.word(word).stop(), stop, "{word}");
            }
        }
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
