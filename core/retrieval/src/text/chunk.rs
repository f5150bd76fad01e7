//! Cuts a chunk (a word, or an identifier with its separators) into tokens.
//!
//! Must not know where chunks end, nor stop words or stems.

use crate::ablation::{Idea, on};

use super::ascii::{Case, Kinds, run};
use super::cjk::{self, Script};
use super::fold::fold_into;
use super::identifier;
use super::korean::{self, Around, Joint};

/// What a token was in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A word, or a part of an identifier.
    Word,
    /// A letter that stands for itself: `C`, `R`, `C++`, `c#`.
    Letter,
    /// A pair of characters of a script without spaces, or one that is in no pair.
    Pair,
    /// A pair of katakana: their words are long, and each has many.
    Syllables,
    /// An ideograph that is also in a pair.
    Root,
    /// All parts of an identifier, written together.
    Whole,
}

/// One token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    /// Folded, not stemmed.
    pub(super) text: &'a str,
    pub(super) shape: Shape,
    /// Whether it was written in capitals only.
    pub(super) upper: bool,
    /// Whether it is a word that stands alone and in small letters: neither a name, nor a part of an identifier.
    pub(super) plain: bool,
    /// The stretch of text in identifier form (a separator or a camel hump) that this token stands for as a whole.
    pub(super) identifier: Option<&'a str>,
}

impl<'a> Token<'a> {
    /// A word in small letters, not too long.
    #[inline]
    pub(super) const fn plain(text: &'a str) -> Self {
        Self {
            text,
            shape: Shape::Word,
            upper: false,
            plain: true,
            identifier: None,
        }
    }

    #[inline]
    fn new(text: &'a str, shape: Shape, upper: bool) -> Self {
        Self {
            text: beginning(text, LONGEST_TOKEN),
            shape,
            upper,
            plain: false,
            identifier: None,
        }
    }
}

/// Cuts chunks; keeps its buffers, so that no token allocates.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    part: String,
    whole: String,
    /// Where the word before ends, if it is Korean and stands directly before.
    joint: Option<Joint>,
}

/// Longer tokens are cut: they are encoded data, not words.
pub(super) const LONGEST_TOKEN: usize = 64;

impl Cutter {
    /// What comes next is no neighbour of what came before.
    pub(super) fn apart(&mut self) {
        self.joint = None;
    }

    /// Visits the tokens of the chunk that stands there in the text.
    pub(super) fn tokens(&mut self, text: &str, start: usize, end: usize, visit: &mut impl FnMut(Token<'_>)) {
        let chunk = text.get(start..end).unwrap_or_default();
        self.tokens_of(text, start, chunk, Kinds::of(chunk.as_bytes()), visit);
    }

    /// The same for runs of ASCII letters and digits with separators between them.
    pub(super) fn ascii_identifier(&mut self, chunk: &str, visit: &mut impl FnMut(Token<'_>)) {
        let Self {
            part: folded, whole, ..
        } = self;
        let bytes = chunk.as_bytes();
        whole.clear();
        folded.clear();
        folded.push_str(chunk);
        folded.make_ascii_lowercase();
        let mut found = Found::default();
        let mut at = 0;
        while at < bytes.len() {
            let mut start = at;
            let (end, kinds) = run(bytes, at);
            at = end + 1;
            let piece = chunk.get(start..end).unwrap_or_default();
            if piece.is_empty() {
                continue;
            }
            found.pieces += 1;
            whole.push_str(folded.get(start..end).unwrap_or_default());
            found.is_identifier |= identifier::parts_of(piece, kinds, &mut |part| {
                let end = start + part.text.len();
                let folded = folded.get(start..end).unwrap_or_default();
                start = end;
                found.add(part.upper);
                if folded.len() > 1 && on(Idea::Parts) {
                    visit(Token::new(folded, Shape::Word, part.upper));
                }
            });
        }
        found.visit_whole(chunk, whole, visit);
    }

    /// The same for a run of ASCII letters and digits whose kinds are known.
    #[inline]
    pub(super) fn ascii_word(
        &mut self,
        text: &str,
        start: usize,
        end: usize,
        kinds: Kinds,
        visit: &mut impl FnMut(Token<'_>),
    ) {
        let chunk = text.get(start..end).unwrap_or_default();
        self.tokens_of(text, start, chunk, kinds, visit);
    }

    #[inline]
    fn tokens_of(
        &mut self,
        text: &str,
        start: usize,
        chunk: &str,
        kinds: Kinds,
        visit: &mut impl FnMut(Token<'_>),
    ) {
        match kinds.case() {
            Some(case) => self.word(text, start, chunk, case, visit),
            None if chunk.is_ascii() => self.ascii_identifier(chunk, visit),
            None => self.identifier(text, start, chunk, &mut |token| visit(token)),
        }
    }

    /// A word that needs no cutting.
    fn word(&mut self, text: &str, start: usize, chunk: &str, case: Case, visit: &mut impl FnMut(Token<'_>)) {
        let mut shape = Shape::Word;
        if chunk.len() == 1 {
            let before = text.get(..start).and_then(|before| before.chars().next_back());
            let rest = text.get(start + 1..).unwrap_or_default();
            if !stands_for_itself(chunk, before, rest) {
                return;
            }
            shape = Shape::Letter;
        }
        let lower = if case != Case::Lower {
            self.part.clear();
            self.part.push_str(chunk);
            self.part.make_ascii_lowercase();
            &self.part
        } else {
            chunk
        };
        visit(Token {
            plain: case == Case::Lower,
            ..Token::new(lower, shape, case == Case::Upper)
        });
    }

    /// Anything else: every piece between separators is cut into parts, and the chunk is also kept whole. One copy for all who visit: it is
    /// long, and no way of plain words.
    #[inline(never)]
    fn identifier(&mut self, text: &str, start: usize, chunk: &str, visit: &mut dyn FnMut(Token<'_>)) {
        let Self {
            part: folded,
            whole,
            joint,
        } = self;
        whole.clear();
        let mut found = Found::default();
        let plain = !chunk
            .chars()
            .any(|c| c.is_uppercase() || is_separator_character(c));
        let mut before = text.get(..start).and_then(|before| before.chars().next_back());
        for piece in chunk
            .split(is_separator_character)
            .filter(|piece| !piece.is_empty())
        {
            found.pieces += 1;
            let behind = before.take();
            let script = piece.chars().next().map(Script::of);
            if script == Some(Script::Spaced) {
                found.is_identifier |= identifier::parts(piece, &mut |part| {
                    folded.clear();
                    fold_into(part.text, folded);
                    whole.push_str(folded);
                    found.add(part.upper);
                    if !is_lone_letter(folded) && on(Idea::Parts) {
                        visit(Token {
                            plain,
                            ..Token::new(folded, Shape::Word, part.upper)
                        });
                    }
                });
            } else {
                whole.push_str(piece);
                found.add(false);
                let mut visit = |pair: &str, shape| visit(Token::new(pair, shape, false));
                if script == Some(Script::Hangul) {
                    let around = Around {
                        sticks: sticks(text, start),
                        ends: piece.len() == chunk.len() && start + chunk.len() == text.len(),
                    };
                    korean::pairs(piece, around, joint, folded, &mut |pair| visit(pair, Shape::Pair));
                } else {
                    cjk::pairs(piece, behind, &mut visit);
                }
            }
        }
        found.visit_whole(chunk, whole, &mut |token| visit(token));
    }
}

/// What was found in an identifier.
#[derive(Debug, Default)]
struct Found {
    pieces: usize,
    parts: usize,
    has_lower: bool,
    is_identifier: bool,
}

impl Found {
    fn add(&mut self, upper: bool) {
        self.parts += 1;
        self.has_lower |= !upper;
    }

    /// Visits all parts written together, when there are several.
    fn visit_whole(&self, chunk: &str, whole: &str, visit: &mut impl FnMut(Token<'_>)) {
        if self.parts > 1 && on(Idea::Wholes) {
            let is_identifier = self.is_identifier || self.pieces > 1;
            visit(Token {
                identifier: is_identifier.then_some(chunk),
                ..Token::new(whole, Shape::Whole, !self.has_lower)
            });
        }
    }
}

/// Whether what starts there sticks to a word in other letters, or to a mark that ends something: one that stands first begins it.
#[inline(never)]
fn sticks(text: &str, start: usize) -> bool {
    let before = text
        .get(..start)
        .and_then(|before| before.char_indices().next_back());
    before.is_some_and(|(at, c)| match c {
        ')' | ']' | '>' | '"' | '\'' | '`' | '%' | '”' | '’' | '」' | '』' => at > 0,
        _ => c.is_alphabetic(),
    })
}

/// A single letter is kept as the name of a language, a drive, a plan: not `I`, `a`, the `s` of `user's`, nor a digit.
fn stands_for_itself(letter: &str, before: Option<char>, rest: &str) -> bool {
    const APOSTROPHES: [char; 3] = ['\'', '‘', '’'];
    match letter {
        "A" | "E" | "I" | "O" | "U" | "Y" => rest.starts_with("++") || rest.starts_with('#'),
        _ if rest.starts_with("++") || rest.starts_with('#') => {
            letter.bytes().all(|b| b.is_ascii_alphabetic())
        }
        _ => {
            letter.bytes().all(|b| b.is_ascii_uppercase())
                && !rest.starts_with(APOSTROPHES)
                && !before.is_some_and(|c| APOSTROPHES.contains(&c))
        }
    }
}

#[inline]
pub(super) const fn is_separator_character(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '/' | ':' | '\u{2010}' | '\u{2011}')
}

fn is_lone_letter(folded: &str) -> bool {
    let mut characters = folded.chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) => c.is_ascii() || matches!(c, '\u{370}'..='\u{52F}'),
        (first, _) => first.is_none(),
    }
}

/// The text, or as many whole characters of it as go into so many bytes.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    (0..=most)
        .rev()
        .find_map(|end| text.get(..end))
        .unwrap_or_default()
}
