//! A query, read once: its terms, and what in it could be a name.
//!
//! Must not know the catalog: a candidate for a name matters only if it equals a real one. No lock; what is read and kept is
//! bounded. Most words of most queries stand alone between spaces: they are read here, and only what needs cutting is cut as
//! the texts of documents are.

mod part;
mod piece;
mod values;

use super::analyze::{Beside, Capitals, keep};
use super::chunk::{LONGEST_TOKEN, Shape, Token, beginning};
use super::fold::name_key;
use super::identifier;
use super::segment::Segmenter;
use super::stem::Memo;
use super::tongue::Tongue;
use crate::settled::settled;
pub(crate) use part::Part;
use piece::{Piece, Spelling};

/// A query, read once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryText {
    /// The distinct terms in order of first appearance; at most 256.
    pub terms: Vec<QueryTerm>,
    /// The words that the terms came from, folded, among others, and the key of the whole query.
    words: String,
    /// Where that key stands among the words.
    whole: (usize, usize),
    /// The name keys of what is in identifier form (a separator, a camel hump, back-ticks or quotes); at most 64.
    pub identifiers: Vec<String>,
    /// The name keys of the parts of those that may be several names (`create_issue/close_issue`, `github/create_issue`), each
    /// with the place of the whole among the identifiers: a part names something only where the whole does not.
    pub parts: Vec<(usize, String)>,
    /// How many stop words were left out.
    pub stop_words: u32,
    /// What tells its language.
    tongue: Tongue,
}

/// One term of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryTerm {
    /// The number it is known by in the index.
    pub number: u64,
    /// Where its word stands among the words.
    start: usize,
    end: usize,
    /// How much of a word it is.
    pub(crate) part: Part,
}

const MOST_BYTES: usize = 16 * 1024;
const MOST_TERMS: usize = 256;
/// Of a query with so many terms the rest is read without roots, so that its end has room among the words that count.
const MOST_WITH_ROOTS: usize = 64;
const MOST_IDENTIFIERS: usize = 64;
/// No id is longer.
const LONGEST_NAME: usize = 512;

/// Reads a query.
pub fn analyze_query(query: &str) -> QueryText {
    let mut read = QueryText::default();
    Reader::default().read(query, &mut read);
    read
}

/// Reads queries one after the other, and remembers what became of their words.
#[derive(Default)]
pub(crate) struct Reader {
    segmenter: Segmenter,
    memo: Memo,
}

impl Reader {
    /// Reads a query in place of what was read before.
    pub(crate) fn read(&mut self, query: &str, read: &mut QueryText) {
        let query = readable(query);
        read.clear();
        let mut capitals = Capitals::new(query);
        let bytes = query.as_bytes();
        let (mut at, mut cut, mut marks) = (0, false, false);
        while let Some(piece) = Piece::next(bytes, at) {
            at = piece.after;
            marks |= piece.has_marks;
            let text = query.get(piece.word.0..piece.word.1).unwrap_or_default();
            match piece.spelling {
                Spelling::Nothing => {
                    read.push(text, piece.spelling);
                }
                Spelling::Small | Spelling::Title | Spelling::Capitals => {
                    let (start, end) = read.push(text, piece.spelling);
                    let plain = piece.spelling == Spelling::Small;
                    let token = Token {
                        // What was just written takes a while until it can be read.
                        text: if plain {
                            text.get(..end - start).unwrap_or(text)
                        } else {
                            read.text(start, end)
                        },
                        shape: Shape::Word,
                        upper: piece.spelling == Spelling::Capitals,
                        plain,
                        identifier: None,
                    };
                    let word = self.memo.word(token.text);
                    let kept = keep(&token, word.stop(), &mut capitals);
                    if !kept {
                        read.tongue.hear(word.stop(), plain);
                    }
                    read.add_word(kept.then_some(word.term), Part::Word, (start, end));
                }
                Spelling::Other => {
                    cut = true;
                    marks |= go_on(bytes, &mut at);
                    let text = query.get(piece.start..at).unwrap_or_default();
                    self.cut(text, &mut capitals, read);
                }
            }
        }
        if marks {
            quoted(query, &mut |start, end| {
                read.add_name(query.get(start..end).unwrap_or_default());
            });
        }
        if query.len() <= LONGEST_NAME * 4 {
            let start = if cut { read.words.len() } else { 0 };
            if cut {
                read.words.push_str(&name_key(query));
            }
            read.whole = (start, read.words.len());
        }
    }

    /// Reads a piece as a piece of a document is read.
    fn cut(&mut self, text: &str, capitals: &mut Capitals<'_>, read: &mut QueryText) {
        let Self { segmenter, memo } = self;
        // Those of what was read for another purpose are not counted.
        segmenter.other_words = 0;
        segmenter.tokens(text, &mut |token| {
            if let Some(identifier) = token.identifier {
                read.add_identifier(identifier);
            }
            let word = memo.word(token.text);
            let start = read.words.len();
            read.words.push_str(token.text);
            let kept = keep(&token, word.stop(), capitals);
            if !kept {
                read.tongue.hear(word.stop(), token.plain);
            }
            let part = Part::of(token.shape);
            read.add_word(kept.then_some(word.term), part, (start, read.words.len()));
        });
        read.tongue.see(segmenter.other_words);
    }
}

/// Goes on to the end of the pieces that are to be cut, together, as they stand in a document: a word may be written apart. Whether one
/// of them has marks.
#[inline(never)]
fn go_on(bytes: &[u8], at: &mut usize) -> bool {
    let mut marks = false;
    while let Some(next) = Piece::next(bytes, *at).filter(|next| next.spelling == Spelling::Other) {
        marks |= next.has_marks;
        *at = next.after;
    }
    marks
}

/// The most neighbours of a query that count.
const NEIGHBOURS_MOST: usize = 128;

/// What a search by words and meaning reads of a query beside its terms.
impl Reader {
    /// The terms of the words of a query that stand side by side, each two once, in order of first appearance; at most 128.
    pub(crate) fn side_by_side(&mut self, query: &str) -> Vec<(u64, u64)> {
        let query = readable(query);
        let mut capitals = Capitals::new(query);
        let mut beside = Beside::default();
        let mut found = Vec::with_capacity(16);
        let Self { segmenter, memo } = self;
        segmenter.each_token(query, &mut |token| {
            let word = memo.word(token.text);
            if keep(&token, word.stop(), &mut capitals)
                && let Some(two) = beside.next(token.shape, word.term)
                && found.len() < NEIGHBOURS_MOST
                && !found.contains(&two)
            {
                found.push(two);
            }
        });
        found
    }

    /// The terms of a query that stand nowhere in it but in values, ascending; none where it says nothing but values.
    pub(crate) fn values(&mut self, query: &str) -> Vec<u64> {
        let query = readable(query);
        let mut capitals = Capitals::new(query);
        let mut found: Vec<(u64, bool)> = Vec::with_capacity(32);
        let Self { segmenter, memo } = self;
        values::stretches(query, &mut |stretch, is_value| {
            segmenter.each_token(stretch, &mut |token| {
                let word = memo.word(token.text);
                if keep(&token, word.stop(), &mut capitals) {
                    found.push((word.term, is_value || values::is_value(&token, stretch)));
                }
            });
        });
        if found.iter().all(|(_, is_value)| *is_value) {
            return Vec::new();
        }
        // Said outside of a value comes first, and stands for all places of a term.
        let mut found = settled(found, &|left, right| left.cmp(right));
        found.dedup_by_key(|(term, _)| *term);
        found.retain(|(_, is_value)| *is_value);
        found.into_iter().map(|(term, _)| term).collect()
    }
}

impl QueryText {
    /// The word of a term, folded and not stemmed, as it first appeared.
    pub fn word(&self, term: &QueryTerm) -> &str {
        self.text(term.start, term.end)
    }

    /// The [`name_key`] of the whole query; empty when the query is longer than any name.
    pub fn whole(&self) -> &str {
        self.text(self.whole.0, self.whole.1)
    }

    /// Whether it is English, as far as its stop words tell.
    pub(crate) const fn is_english(&self) -> bool {
        self.tongue.is_english()
    }

    /// Whether it says of itself that it is in another language.
    pub(crate) const fn is_other(&self) -> bool {
        self.tongue.is_other()
    }

    fn text(&self, start: usize, end: usize) -> &str {
        self.words.get(start..end).unwrap_or_default()
    }

    /// Whether more was read than it is worth to keep the room of.
    pub(crate) fn is_large(&self) -> bool {
        self.words.capacity() > 4 * LONGEST_NAME || self.identifiers.capacity() > MOST_IDENTIFIERS
    }

    /// Forgets what was read, and keeps the room.
    fn clear(&mut self) {
        self.terms.clear();
        self.words.clear();
        self.whole = (0, 0);
        self.identifiers.clear();
        self.parts.clear();
        self.stop_words = 0;
        self.tongue = Tongue::default();
    }

    /// Adds a word of ASCII letters or digits, folded; says where as much of it stands as a token is long.
    fn push(&mut self, word: &str, spelling: Spelling) -> (usize, usize) {
        let start = self.words.len();
        self.words.push_str(word);
        if matches!(spelling, Spelling::Title | Spelling::Capitals)
            && let Some(added) = self.words.get_mut(start..)
        {
            added.make_ascii_lowercase();
        }
        (start, self.words.len().min(start + LONGEST_TOKEN))
    }

    /// Adds the term of a word, or counts a stop word.
    fn add_word(&mut self, term: Option<u64>, part: Part, place: (usize, usize)) {
        match term {
            Some(number) => self.add_term(number, part, place),
            None => self.stop_words = self.stop_words.saturating_add(1),
        }
    }

    fn add_term(&mut self, number: u64, part: Part, (start, end): (usize, usize)) {
        let count = self.terms.len();
        // A query has few terms: to look at each is cheaper than a map.
        if let Some(known) = self.terms.iter_mut().find(|term| term.number == number) {
            known.part = known.part.or(part);
        } else if count < MOST_TERMS && (part != Part::Root || count < MOST_WITH_ROOTS) {
            self.terms.push(QueryTerm {
                number,
                start,
                end,
                part,
            });
        }
    }

    fn add_identifier(&mut self, identifier: &str) {
        self.add_name(identifier);
        // `create_issue/close_issue` is two names; `github/create_issue` is one.
        let pieces = || {
            identifier
                .split(['/', ':', '.'])
                .filter(|piece| !piece.is_empty())
        };
        if identifier.len() <= LONGEST_NAME && pieces().nth(1).is_some() && pieces().all(is_identifier) {
            let whole = name_key(identifier);
            if let Some(place) = self.identifiers.iter().position(|known| *known == whole) {
                let room = MOST_IDENTIFIERS.saturating_sub(self.parts.len());
                let parts = pieces().map(name_key).filter(|part| !part.is_empty());
                self.parts.extend(parts.take(room).map(|part| (place, part)));
            }
        }
    }

    fn add_name(&mut self, name: &str) {
        if self.identifiers.len() < MOST_IDENTIFIERS && name.len() <= LONGEST_NAME {
            let key = name_key(name);
            if !key.is_empty() && !self.identifiers.contains(&key) {
                self.identifiers.push(key);
            }
        }
    }
}

/// As much of a query as is read, not ending inside a word if that can be helped.
fn readable(query: &str) -> &str {
    let read = beginning(query, MOST_BYTES);
    if read.len() == query.len() {
        return query;
    }
    read.rfind(char::is_whitespace)
        .filter(|end| *end > MOST_BYTES / 2)
        .and_then(|end| read.get(..end))
        .unwrap_or(read)
}

fn is_identifier(piece: &str) -> bool {
    piece.contains(['_', '-']) || identifier::parts(piece, &mut |_| {})
}

/// Marks of quotations, with those that end them.
const QUOTES: [(char, &[char]); 9] = [
    ('`', &['`']),
    ('"', &['"']),
    ('\'', &['\'']),
    ('“', &['”']),
    ('„', &['“', '”']),
    ('‘', &['’']),
    ('«', &['»']),
    ('「', &['」']),
    ('『', &['』']),
];

/// Visits what stands between back-ticks or quotes and is no longer than a name: where it starts and ends.
fn quoted(query: &str, visit: &mut impl FnMut(usize, usize)) {
    for (open, close) in QUOTES {
        let mut at = 0;
        // As many as could be kept, so that marks without an end cost little.
        for _ in 0..MOST_IDENTIFIERS {
            let Some(start) = query
                .get(at..)
                .and_then(|rest| rest.find(open))
                .map(|found| at + found)
            else {
                break;
            };
            let inside = start + open.len_utf8();
            at = inside;
            // An apostrophe stands inside or after a word, an inch mark after a number.
            let before = query.get(..start).and_then(|before| before.chars().next_back());
            if open.is_ascii() && before.is_some_and(|c| c.is_ascii_alphanumeric()) {
                continue;
            }
            let reach = beginning(query.get(inside..).unwrap_or_default(), LONGEST_NAME + 3);
            if let Some((end, c)) = reach
                .char_indices()
                .find(|(end, c)| closes(query, inside + end, *c, close))
            {
                visit(inside, inside + end);
                at = inside + end + c.len_utf8();
            }
        }
    }
}

fn closes(query: &str, at: usize, c: char, close: &[char]) -> bool {
    let after = || {
        query
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next())
    };
    // `don't` does not end what `'` began.
    close.contains(&c) && !(matches!(c, '\'' | '’') && after().is_some_and(char::is_alphanumeric))
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
