//! Scripts that put no space between words: their runs are cut into pairs of characters.
//!
//! Must not know a dictionary. A pair on both sides is enough to find a word inside a sentence.

use unicode_segmentation::UnicodeSegmentation;

use super::chunk::Shape;
use super::ideographs;

/// How a run of characters is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Words with spaces between them: kept whole.
    Spaced,
    /// Ideographs and kana.
    Ideographic,
    /// Hangul: spaces, but particles stick to the words.
    Hangul,
    /// Thai.
    Thai,
    /// Lao.
    Lao,
    /// Myanmar.
    Myanmar,
    /// Khmer.
    Khmer,
}

impl Script {
    /// The script of a letter; digits and everything unknown are [`Script::Spaced`].
    pub(super) const fn of(c: char) -> Self {
        match c {
            '\0'..='\u{DFF}' => Self::Spaced,
            '\u{E00}'..='\u{E7F}' => Self::Thai,
            '\u{E80}'..='\u{EFF}' => Self::Lao,
            '\u{1000}'..='\u{109F}' | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}' => Self::Myanmar,
            '\u{1780}'..='\u{17FF}' => Self::Khmer,
            '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{A960}'..='\u{A97F}' => Self::Hangul,
            '\u{AC00}'..='\u{D7FF}' => Self::Hangul,
            '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' => Self::Ideographic,
            '\u{3038}'..='\u{303B}' | '\u{3041}'..='\u{312F}' | '\u{31A0}'..='\u{31FF}' => Self::Ideographic,
            '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' => Self::Ideographic,
            '\u{1B000}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFF}' => Self::Ideographic,
            _ => Self::Spaced,
        }
    }
}

/// Visits the terms of a run of one such script: the pairs of neighbours, and the sign itself when it stands alone; of ideographs and
/// kana, what [`ideographs`] says.
pub(super) fn pairs(run: &str, behind: Option<char>, visit: &mut impl FnMut(&str, Shape)) {
    match run.chars().next().map(Script::of) {
        Some(Script::Ideographic) => ideographs::terms(run, behind, visit),
        // A sign is a letter with its vowels and tones.
        _ => windows(
            run,
            run.grapheme_indices(true).map(|(at, sign)| (at, at + sign.len())),
            visit,
        ),
    }
}

fn windows(run: &str, signs: impl Iterator<Item = (usize, usize)>, visit: &mut impl FnMut(&str, Shape)) {
    let mut first = None;
    let mut count = 0_usize;
    for (start, end) in signs {
        if let Some(before) = first.replace(start) {
            visit(run.get(before..end).unwrap_or_default(), Shape::Pair);
        }
        count += 1;
    }
    if count == 1 {
        visit(run, Shape::Pair);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(run: &str) -> Vec<String> {
        let mut all = Vec::new();
        pairs(run, None, &mut |pair, _| all.push(pair.to_owned()));
        all
    }

    #[test]
    fn a_run_becomes_its_pairs() {
        assert_eq!(collected("日本の法令"), ["日本", "本", "法", "法令", "令"]);
        assert_eq!(collected("法令"), ["法", "法令", "令"]);
    }

    #[test]
    fn a_single_character_stays() {
        assert_eq!(collected("雨"), ["雨"]);
        assert_eq!(collected(""), [""; 0]);
    }

    #[test]
    fn vowels_and_tones_stay_with_their_letter() {
        assert_eq!(collected("ที่นี่"), ["ที่นี่"]);
        assert_eq!(
            collected("กำไร").concat().chars().filter(|c| *c == 'ไ').count(),
            2
        );
    }
}
