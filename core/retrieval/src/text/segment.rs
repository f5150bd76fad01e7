//! Cuts text into chunks, and has them cut into tokens.
//!
//! Must not know what becomes of a token. ASCII takes a path without allocation; everything else is brought to
//! compatibility form, and marks between letters are judged by UAX #29.

use unicode_segmentation::UnicodeSegmentation;

use super::ascii::{is_in_word, run};
use super::beginning::is_of_alphabet;
use super::chunk::{Cutter, LONGEST_TOKEN, Token, is_separator_character};
use super::cjk::Script;
use super::fold::{cleaned, is_word_character};

/// Cuts text; keeps its buffers, so that no token allocates.
#[derive(Debug, Default)]
pub(super) struct Segmenter {
    clean: String,
    cutter: Cutter,
    /// How many words had letters of an alphabet that ASCII has not.
    pub(super) other_words: u32,
}

impl Segmenter {
    /// Visits the tokens of the text in their order; answers how many chunks (words or identifiers) it saw.
    pub(super) fn tokens(&mut self, text: &str, visit: &mut impl FnMut(Token<'_>)) -> usize {
        if text.is_ascii() {
            return ascii(text, &mut self.cutter, visit);
        }
        let mut chunks = 0;
        self.cutter.apart();
        // No word reaches over a space, and most pieces of most texts are ASCII.
        for piece in text.split_ascii_whitespace() {
            if !begins_in_hangul(piece) {
                self.cutter.apart();
            }
            chunks += if piece.is_ascii() {
                ascii(piece, &mut self.cutter, visit)
            } else {
                self.unicode(piece, visit)
            };
        }
        chunks
    }

    /// The same, with one body for all who are not in a hurry: to cut text takes much code.
    #[inline(never)]
    pub(super) fn each_token(&mut self, text: &str, visit: &mut dyn FnMut(Token<'_>)) -> usize {
        self.tokens(text, &mut |token| visit(token))
    }

    fn unicode(&mut self, piece: &str, visit: &mut impl FnMut(Token<'_>)) -> usize {
        let Self {
            clean,
            cutter,
            other_words,
        } = self;
        let piece = cleaned(piece, clean);
        if piece.is_ascii() {
            return ascii(piece, cutter, visit);
        }
        let mut chunks = 0;
        let mut open: Option<Chunk> = None;
        let mut is_of_other_letters = false;
        for (at, c) in piece.char_indices().filter(|(_, c)| is_word_character(*c)) {
            is_of_other_letters |= !c.is_ascii() && is_of_alphabet(c);
            let next = Chunk {
                start: at,
                last: at,
                end: at + c.len_utf8(),
                script: Script::of(c),
            };
            open = Some(match open {
                Some(chunk) if chunk.goes_on(&next, piece) => Chunk {
                    start: chunk.start,
                    ..next
                },
                Some(chunk) => {
                    cutter.tokens(piece, chunk.start, chunk.end, visit);
                    chunks += 1;
                    next
                }
                None => next,
            });
        }
        *other_words = other_words.saturating_add(u32::from(is_of_other_letters));
        if let Some(chunk) = open {
            cutter.tokens(piece, chunk.start, chunk.end, visit);
            chunks += 1;
        }
        chunks
    }
}

/// A stretch of text that may be an identifier, and where its last character begins.
struct Chunk {
    start: usize,
    last: usize,
    end: usize,
    script: Script,
}

impl Chunk {
    /// Whether the next character of a word belongs to this chunk too.
    fn goes_on(&self, next: &Self, text: &str) -> bool {
        let gap = text.get(self.end..next.start).unwrap_or_default();
        if gap.is_empty() {
            return self.script == next.script;
        }
        // UAX #29 lets some marks stand inside a word, as the middle dot of Catalan; an apostrophe ends it, as in ASCII.
        let inside = || {
            let around = text.get(self.last..next.end).unwrap_or_default();
            around.split_word_bounds().nth(1).is_none()
        };
        is_separator(gap) || (gap.chars().all(|c| !c.is_ascii() && !matches!(c, '’' | '‘')) && inside())
    }
}

/// Whether a word may go on there that stood before the space. One copy, and not one of the judgement of scripts for each who visits.
#[inline(never)]
fn begins_in_hangul(piece: &str) -> bool {
    piece.chars().next().map(Script::of) == Some(Script::Hangul)
}

/// Cuts ASCII text into chunks: letters and digits, with separators between them.
fn ascii(text: &str, cutter: &mut Cutter, visit: &mut impl FnMut(Token<'_>)) -> usize {
    let bytes = text.as_bytes();
    let mut chunks = 0;
    let mut at = 0;
    while let Some(skip) = bytes
        .get(at..)
        .and_then(|rest| rest.iter().position(|byte| is_in_word(*byte)))
    {
        let start = at + skip;
        let (end, kinds) = run(bytes, start);
        match bytes.get(end) {
            Some(byte) if is_separator_character(char::from(*byte)) => {
                at = identifier_end(text, end);
                if at == end {
                    cutter.ascii_word(text, start, end, kinds, visit);
                } else {
                    cutter.ascii_identifier(text.get(start..at).unwrap_or_default(), visit);
                }
            }
            // Most words of most texts.
            _ if kinds.is_lower() && end - start <= LONGEST_TOKEN => {
                at = end;
                visit(Token::plain(text.get(start..end).unwrap_or_default()));
            }
            _ => {
                at = end;
                cutter.ascii_word(text, start, end, kinds, visit);
            }
        }
        chunks += 1;
    }
    chunks
}

/// Where an identifier ends whose first run ends there; there when no separator holds more to it.
fn identifier_end(text: &str, run_end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = run_end;
    loop {
        let gap = bytes.get(end..).unwrap_or_default();
        let gap = gap
            .iter()
            .take(LONGEST_GAP + 1)
            .take_while(|b| is_separator_character(char::from(**b)))
            .count();
        let next = end + gap;
        let goes_on = gap > 0
            && bytes.get(next).copied().is_some_and(is_in_word)
            && text.get(end..next).is_some_and(is_separator);
        if !goes_on {
            return end;
        }
        end = run(bytes, next).0;
    }
}

/// The longest run of separators that holds an identifier together.
const LONGEST_GAP: usize = 4;

/// Whether this gap between letters joins them into one identifier.
fn is_separator(gap: &str) -> bool {
    matches!(gap, "_" | "-" | "." | "/" | ":" | "::" | "\u{2010}" | "\u{2011}")
        || (gap.len() <= LONGEST_GAP && gap.bytes().all(|b| b == b'_'))
}
