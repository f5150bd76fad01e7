//! What stands between two spaces of a query, looked at byte by byte: whether it is one plain word, and where.
//!
//! Must not know terms. A piece that is anything else than one word of ASCII is not judged here.

use crate::text::ascii::{Case, Kinds, is_in_word, run};

/// A piece of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) start: usize,
    /// Where it ends.
    pub(super) after: usize,
    /// Where its word begins and ends, if it is one word.
    pub(super) word: (usize, usize),
    pub(super) spelling: Spelling,
    /// Whether it has marks that may stand around a name.
    pub(super) has_marks: bool,
}

/// How a piece is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// It has no word, or a letter or digit that stands for nothing by itself.
    Nothing,
    /// Small letters or digits.
    Small,
    /// A capital, then small letters.
    Title,
    /// Capitals.
    Capitals,
    /// Anything else: it is to be cut.
    Other,
}

impl Piece {
    /// The first piece from a place on.
    #[inline(always)]
    pub(super) fn next(bytes: &[u8], from: usize) -> Option<Self> {
        let mut start = from;
        while bytes.get(start)?.is_ascii_whitespace() {
            start += 1;
        }
        let (end, kinds) = run(bytes, start);
        if matches!(bytes.get(end), None | Some(b' ')) {
            // Nearly all: no mark on either side.
            return Some(Self {
                start,
                after: end,
                word: (start, end),
                spelling: Spelling::of(end - start, kinds, None),
                has_marks: false,
            });
        }
        Some(Self::with_marks(bytes, start))
    }

    fn with_marks(bytes: &[u8], start: usize) -> Self {
        let mut marks = Marks::default();
        let begin = marks.skip(bytes, start);
        let (end, kinds) = run(bytes, begin);
        let mut after = marks.skip(bytes, end);
        let mut is_one = !marks.other;
        while let Some(byte) = bytes.get(after).filter(|byte| !byte.is_ascii_whitespace()) {
            is_one = false;
            marks.note(*byte);
            after += 1;
        }
        Self {
            start,
            after,
            word: (begin, end),
            spelling: if is_one {
                Spelling::of(end - begin, kinds, bytes.get(end).copied())
            } else {
                Spelling::Other
            },
            has_marks: marks.around_names || marks.other,
        }
    }
}

impl Spelling {
    /// Of a word of so many letters or digits of these kinds, and what stands after it.
    #[inline]
    fn of(length: usize, kinds: Kinds, after: Option<u8>) -> Self {
        match (length, kinds.case()) {
            (0, _) => Self::Nothing,
            // A capital may stand for a language, a drive, a plan.
            (1, Some(Case::Lower)) if !matches!(after, Some(b'+' | b'#')) => Self::Nothing,
            (1, _) | (_, None) => Self::Other,
            (_, Some(Case::Lower)) => Self::Small,
            (_, Some(Case::Title)) => Self::Title,
            (_, Some(Case::Upper)) => Self::Capitals,
        }
    }
}

/// What stands beside the word of a piece.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    around_names: bool,
    /// Bytes of other scripts.
    other: bool,
}

impl Marks {
    /// Where a word or a space comes next.
    fn skip(&mut self, bytes: &[u8], from: usize) -> usize {
        let mut at = from;
        while let Some(byte) = bytes.get(at).copied() {
            if is_in_word(byte) || byte.is_ascii_whitespace() {
                break;
            }
            self.note(byte);
            at += 1;
        }
        at
    }

    fn note(&mut self, byte: u8) {
        self.around_names |= matches!(byte, b'`' | b'"' | b'\'');
        self.other |= !byte.is_ascii();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(&str, &str, Spelling)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(piece) = Piece::next(text.as_bytes(), at) {
            found.push((
                &text[piece.start..piece.after],
                text.get(piece.word.0..piece.word.1).unwrap_or_default(),
                piece.spelling,
            ));
            at = piece.after;
        }
        found
    }

    #[test]
    fn a_piece_is_one_word_whatever_marks_stand_around_it() {
        use Spelling::{Capitals, Small, Title};
        for (text, word, spelling) in [
            ("issue", "issue", Small),
            ("(issue),", "issue", Small),
            ("2024", "2024", Small),
            ("Issue.", "Issue", Title),
            ("\"ISSUE\"", "ISSUE", Capitals),
        ] {
            assert_eq!(pieces(text), [(text, word, spelling)]);
        }
    }

    #[test]
    fn what_has_borders_inside_or_other_scripts_is_to_be_cut() {
        for text in [
            "a_b", "aB", "v2", "user's", "c++", "C", "é", "naïve", "issue…", "«issue", "日本", "x-y",
        ] {
            let found = pieces(text);
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].0, found[0].2), (text, Spelling::Other));
        }
    }

    #[test]
    fn a_letter_alone_and_marks_alone_are_nothing() {
        let all: Vec<Spelling> = pieces(" a\t- 7 (b). ?! ")
            .into_iter()
            .map(|piece| piece.2)
            .collect();
        assert_eq!(all, [Spelling::Nothing; 5]);
        assert_eq!(pieces(" \n"), []);
    }

    #[test]
    fn marks_that_may_stand_around_a_name_are_noted() {
        let has = |text: &str| Piece::next(text.as_bytes(), 0).unwrap().has_marks;
        assert!(has("`x`") && has("don't") && has("x\"") && has("“x”") && has("a.'"));
        assert!(!has("x.y-z!") && !has("x `y`"));
    }
}
