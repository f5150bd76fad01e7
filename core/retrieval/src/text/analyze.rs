//! Document text to terms: what is cut, kept and stemmed.
//!
//! Must not know fields or queries' bounds. A query goes through the same [`keep`], so that its terms are terms of
//! the same text as a document.

use crate::ablation::{Idea, on};

use super::chunk::{LONGEST_TOKEN, Shape, Token, beginning};
use super::fold::fold_into;
use super::hash::hash;
use super::segment::Segmenter;
use super::stem::Memo;
use super::stop::Language;
use super::tongue::Tongue;

/// What kind of text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// Sentences, and identifiers among them.
    Prose,
    /// A name: its words are also kept written together, be they apart by spaces.
    Identifier,
}

/// Turns document text into terms; owns the memo of stems, which is bounded. One per writer.
pub struct Analyzer {
    segmenter: Segmenter,
    memo: Memo,
    whole: String,
    tongue: Tongue,
}

/// Longer names are not kept as a term of their own.
const LONGEST_NAME: usize = 128;

impl Analyzer {
    /// An analyzer with an empty memo.
    pub fn new() -> Self {
        Self {
            segmenter: Segmenter::default(),
            memo: Memo::default(),
            whole: String::new(),
            tongue: Tongue::default(),
        }
    }

    /// Visits the terms of the text in their order, each as the number it is known by; stop words are left out.
    pub fn terms(&mut self, text: &str, kind: TextKind, visit: &mut impl FnMut(u64)) {
        self.shaped_words(text, kind, &mut |_, _, number| visit(number));
    }

    /// Visits the same terms, each with the word it comes from, folded and not stemmed, and whether that is a word that stands in the
    /// text, or a part of an identifier there: not a letter, a pair, a root, nor several parts written together.
    pub(crate) fn shaped_words(
        &mut self,
        text: &str,
        kind: TextKind,
        visit: &mut impl FnMut(&str, bool, u64),
    ) {
        let Self {
            segmenter,
            memo,
            tongue,
            ..
        } = self;
        let mut capitals = Capitals::new(text);
        let chunks = segmenter.tokens(text, &mut |token| {
            let word = memo.word(token.text);
            if keep(&token, word.stop(), &mut capitals) {
                visit(token.text, token.shape == Shape::Word, word.term);
            } else {
                tongue.hear(word.stop(), token.plain);
            }
        });
        if kind == TextKind::Identifier && chunks > 1 && text.len() <= LONGEST_NAME {
            self.written_together(text, &mut |word, number| visit(word, false, number));
        }
    }

    /// The same, for callers that are not in a hurry and do not ask for the language.
    #[inline(never)]
    pub(crate) fn each_word(&mut self, text: &str, kind: TextKind, visit: &mut dyn FnMut(&str, bool, u64)) {
        let Self { segmenter, memo, .. } = self;
        let mut capitals = Capitals::new(text);
        let chunks = segmenter.each_token(text, &mut |token| {
            let word = memo.word(token.text);
            if keep(&token, word.stop(), &mut capitals) {
                visit(token.text, token.shape == Shape::Word, word.term);
            }
        });
        if kind == TextKind::Identifier && chunks > 1 && text.len() <= LONGEST_NAME {
            self.written_together(text, &mut |word, number| visit(word, false, number));
        }
    }

    /// Visits a name without what stands between its words.
    fn written_together(&mut self, name: &str, visit: &mut dyn FnMut(&str, u64)) {
        self.whole.clear();
        fold_into(name, &mut self.whole);
        let whole = beginning(&self.whole, LONGEST_TOKEN);
        visit(whole, self.memo.word(whole).term);
    }

    /// What stop words and letters said of the language of the texts that were read since it was asked last.
    pub(crate) fn take_tongue(&mut self) -> Tongue {
        let mut tongue = std::mem::take(&mut self.tongue);
        tongue.see(std::mem::take(&mut self.segmenter.other_words));
        tongue
    }

    /// Visits the terms of words that stand side by side, and the order they stand in.
    pub(crate) fn side_by_side(&mut self, text: &str, visit: &mut impl FnMut(u64, u64)) {
        let mut capitals = Capitals::new(text);
        let mut beside = Beside::default();
        let memo = &mut self.memo;
        self.segmenter.each_token(text, &mut |token| {
            let word = memo.word(token.text);
            if keep(&token, word.stop(), &mut capitals)
                && let Some((first, second)) = beside.next(token.shape, word.term)
            {
                visit(first, second);
            }
        });
    }

    /// The number of a name in any casing or separator style: of its [`name_key`](super::name_key), when it has one.
    pub(crate) fn name_number(&mut self, name: &str) -> Option<u64> {
        self.whole.clear();
        fold_into(name, &mut self.whole);
        (!self.whole.is_empty()).then(|| hash(&self.whole))
    }
}

impl Default for Analyzer {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Analyzer").finish_non_exhaustive()
    }
}

/// Whether a token becomes a term: it is no stop word (`stop` says of which language), or its capitals say that it is none here
/// (`IT`, `US`, `DE`).
#[inline]
pub(super) fn keep(token: &Token<'_>, stop: Option<Language>, capitals: &mut Capitals<'_>) -> bool {
    match token.shape {
        Shape::Letter => true,
        Shape::Root => true,
        Shape::Pair | Shape::Syllables => !on(Idea::Particles) || stop.is_none(),
        Shape::Word | Shape::Whole => stop.is_none_or(|language| {
            !on(Idea::StopWords) || (token.upper && is_spared(token, language, capitals))
        }),
    }
}

/// Whether the capitals of a stop word in capitals say that it is none here.
fn is_spared(token: &Token<'_>, language: Language, capitals: &mut Capitals<'_>) -> bool {
    let spared = match language {
        Language::English | Language::Shared => matches!(token.text, "it" | "us"),
        Language::Other => (2..=4).contains(&token.text.len()),
        Language::Pairs => false,
    };
    spared && !capitals.only()
}

/// Finds the words that stand side by side among the tokens that are kept: a stop word between two is not seen, and an identifier
/// counts by its words. What is written without spaces has no words, and its pairs of characters are neighbours already.
#[derive(Debug, Default)]
pub(super) struct Beside {
    before: Option<u64>,
}

impl Beside {
    /// The next token, and its term: the word before it and itself, when they are two.
    pub(super) fn next(&mut self, shape: Shape, term: u64) -> Option<(u64, u64)> {
        match shape {
            Shape::Whole => None,
            Shape::Pair | Shape::Syllables | Shape::Root => {
                self.before = None;
                None
            }
            Shape::Word | Shape::Letter => {
                let before = self.before.replace(term)?;
                (before != term).then_some((before, term))
            }
        }
    }
}

/// Whether a text is written in capitals only, so that capitals say nothing; found out when first asked.
pub(super) struct Capitals<'a> {
    text: &'a str,
    only: Option<bool>,
}

impl<'a> Capitals<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, only: None }
    }

    /// Two words in capitals are two acronyms; three without a small letter are a text in capitals.
    fn only(&mut self) -> bool {
        let text = self.text;
        *self.only.get_or_insert_with(|| {
            let words = text
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| word.contains(char::is_uppercase));
            !text.contains(char::is_lowercase) && words.take(3).count() == 3
        })
    }
}

#[cfg(test)]
#[path = "analyze_tests.rs"]
pub(in crate::text) mod tests;
