//! Cuts text into tokens: words, parts of identifiers, whole identifiers, pairs of characters.
//!
//! Must not know stop words or stems. ASCII takes a path without allocation; everything else is brought to
//! compatibility form, and marks between letters are judged by UAX #29.

use unicode_segmentation::UnicodeSegmentation;

use super::cjk::{self, Script};
use super::fold::{cleaned, fold_into, is_word_character};
use super::identifier;

/// What a token was in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A word, or a part of an identifier.
    Word,
    /// A letter that stands for itself: `C`, `R`, `C++`, `c#`.
    Letter,
    /// A pair of characters of a script without spaces.
    Pair,
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
    /// The stretch of text in identifier form (a separator or a camel hump) that this token stands for as a whole.
    pub(super) identifier: Option<&'a str>,
}

/// The buffers that cutting needs; kept so that no token allocates.
#[derive(Debug, Default)]
pub(super) struct Segmenter {
    clean: String,
    buffers: Buffers,
}

#[derive(Debug, Default)]
struct Buffers {
    part: String,
    whole: String,
}

/// Longer tokens are cut: they are encoded data, not words.
pub(super) const LONGEST_TOKEN: usize = 64;

impl Segmenter {
    /// Visits the tokens of the text in their order; answers how many chunks (words or identifiers) it saw.
    pub(super) fn tokens(&mut self, text: &str, visit: &mut impl FnMut(Token<'_>)) -> usize {
        if text.is_ascii() {
            return self.buffers.ascii(text, visit);
        }
        let mut chunks = 0;
        // No word reaches over a space, and most pieces of most texts are ASCII.
        for piece in text.split_ascii_whitespace() {
            chunks += if piece.is_ascii() {
                self.buffers.ascii(piece, visit)
            } else {
                self.unicode(piece, visit)
            };
        }
        chunks
    }

    fn unicode(&mut self, piece: &str, visit: &mut impl FnMut(Token<'_>)) -> usize {
        let Self { clean, buffers } = self;
        let piece = cleaned(piece, clean);
        if piece.is_ascii() {
            return buffers.ascii(piece, visit);
        }
        let mut chunks = 0;
        let mut open: Option<Chunk> = None;
        for (at, c) in piece.char_indices().filter(|(_, c)| is_word_character(*c)) {
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
                    buffers.chunk(piece, chunk.start, chunk.end, visit);
                    chunks += 1;
                    next
                }
                None => next,
            });
        }
        if let Some(chunk) = open {
            buffers.chunk(piece, chunk.start, chunk.end, visit);
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

impl Buffers {
    /// Cuts ASCII text into chunks: letters and digits, with separators between them.
    fn ascii(&mut self, text: &str, visit: &mut impl FnMut(Token<'_>)) -> usize {
        let bytes = text.as_bytes();
        let mut chunks = 0;
        let mut at = 0;
        while let Some(skip) = bytes
            .get(at..)
            .and_then(|rest| rest.iter().position(u8::is_ascii_alphanumeric))
        {
            let start = at + skip;
            let mut end = start;
            loop {
                let run = bytes.get(end..).unwrap_or_default();
                end += run.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
                let gap = bytes.get(end..).unwrap_or_default();
                let gap = gap
                    .iter()
                    .take(LONGEST_GAP + 1)
                    .take_while(|b| is_separator_byte(**b))
                    .count();
                let next = end + gap;
                let goes_on = gap > 0
                    && bytes.get(next).is_some_and(u8::is_ascii_alphanumeric)
                    && text.get(end..next).is_some_and(is_separator);
                if !goes_on {
                    break;
                }
                end = next;
            }
            self.chunk(text, start, end, visit);
            chunks += 1;
            at = end;
        }
        chunks
    }

    fn chunk(&mut self, text: &str, start: usize, end: usize, visit: &mut impl FnMut(Token<'_>)) {
        let chunk = text.get(start..end).unwrap_or_default();
        if let Some(upper) = plain_word(chunk) {
            self.word(text, start, chunk, upper, visit);
        } else {
            self.identifier(chunk, visit);
        }
    }

    /// A word that needs no cutting.
    fn word(
        &mut self,
        text: &str,
        start: usize,
        chunk: &str,
        upper: bool,
        visit: &mut impl FnMut(Token<'_>),
    ) {
        let mut shape = Shape::Word;
        if chunk.len() == 1 {
            let before = text.get(..start).and_then(|before| before.chars().next_back());
            let rest = text.get(start + 1..).unwrap_or_default();
            if !stands_for_itself(chunk, before, rest) {
                return;
            }
            shape = Shape::Letter;
        }
        let lower = if chunk.bytes().any(|b| b.is_ascii_uppercase()) {
            self.part.clear();
            self.part.push_str(chunk);
            self.part.make_ascii_lowercase();
            &self.part
        } else {
            chunk
        };
        visit(Token {
            text: cut(lower),
            shape,
            upper,
            identifier: None,
        });
    }

    /// Anything else: every piece between separators is cut into parts, and the chunk is also kept whole.
    fn identifier(&mut self, chunk: &str, visit: &mut impl FnMut(Token<'_>)) {
        let Self { part: folded, whole } = self;
        whole.clear();
        let mut pieces = 0_usize;
        let mut count = 0_usize;
        let mut is_identifier = false;
        let mut all_upper = true;
        for piece in chunk
            .split(is_separator_character)
            .filter(|piece| !piece.is_empty())
        {
            pieces += 1;
            if piece.chars().next().map(Script::of) == Some(Script::Spaced) {
                is_identifier |= identifier::parts(piece, &mut |part| {
                    folded.clear();
                    fold_into(part.text, folded);
                    whole.push_str(folded);
                    count += 1;
                    all_upper &= part.upper;
                    if !is_lone_letter(folded) {
                        visit(Token {
                            text: cut(folded),
                            shape: Shape::Word,
                            upper: part.upper,
                            identifier: None,
                        });
                    }
                });
            } else {
                whole.push_str(piece);
                count += 1;
                all_upper = false;
                cjk::pairs(piece, &mut |pair| {
                    visit(Token {
                        text: pair,
                        shape: Shape::Pair,
                        upper: false,
                        identifier: None,
                    });
                });
            }
        }
        is_identifier |= pieces > 1;
        if count > 1 {
            let identifier = is_identifier.then_some(chunk);
            visit(Token {
                text: cut(whole),
                shape: Shape::Whole,
                upper: all_upper,
                identifier,
            });
        }
    }
}

/// Whether an ASCII chunk is one word without a border inside, and if so whether it is in capitals.
fn plain_word(chunk: &str) -> Option<bool> {
    let bytes = chunk.as_bytes();
    let (first, rest) = bytes.split_first()?;
    if rest.iter().all(u8::is_ascii_lowercase) && first.is_ascii_alphabetic() {
        return Some(rest.is_empty() && first.is_ascii_uppercase());
    }
    let same = |test: fn(&u8) -> bool| test(first) && rest.iter().all(test);
    if same(u8::is_ascii_uppercase) {
        return Some(true);
    }
    same(u8::is_ascii_digit).then_some(false)
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

/// The longest run of separators that holds an identifier together.
const LONGEST_GAP: usize = 4;

/// Whether this gap between letters joins them into one identifier.
fn is_separator(gap: &str) -> bool {
    matches!(gap, "_" | "-" | "." | "/" | ":" | "::" | "\u{2010}" | "\u{2011}")
        || (gap.len() <= LONGEST_GAP && gap.bytes().all(|b| b == b'_'))
}

const fn is_separator_byte(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'.' | b'/' | b':')
}

const fn is_separator_character(c: char) -> bool {
    matches!(c, '_' | '-' | '.' | '/' | ':' | '\u{2010}' | '\u{2011}')
}

fn is_lone_letter(folded: &str) -> bool {
    let mut characters = folded.chars();
    match (characters.next(), characters.next()) {
        (Some(c), None) => c.is_ascii() || matches!(c, '\u{370}'..='\u{52F}'),
        (first, _) => first.is_none(),
    }
}

fn cut(token: &str) -> &str {
    beginning(token, LONGEST_TOKEN)
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
