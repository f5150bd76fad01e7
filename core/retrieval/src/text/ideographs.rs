//! Runs of ideographs and kana: which pairs of neighbours and which single ideographs of them are terms.
//!
//! Must not know a dictionary. A pair finds a word of two characters; a single ideograph finds the same root in another word
//! (`睡得好` and `睡眠`, `探して` and `探す`). Both together serve Chinese best where words are not known (Nie, Gao, Zhang, Zhou: *On the use
//! of words and n-grams for Chinese information retrieval*, IRAL 2000).

use crate::ablation::{Idea, on};

use super::chunk::Shape;
use super::hash::hash;
use super::particles::{is_function_pair, is_nothing_alone};
use super::stop::stop_word_of;

/// Visits the terms of a run, each with what it is. `behind` is the character before the run: behind a digit comes what is counted
/// in, `6月`, `3张`. One piece of code for all who visit: it is long, and they are many.
pub(super) fn terms(run: &str, behind: Option<char>, visit: &mut dyn FnMut(&str, Shape)) {
    let mut before = if behind.is_some_and(char::is_numeric) {
        Bond::Grammar
    } else {
        Bond::Nothing
    };
    let mut last = behind;
    let mut characters = run.char_indices().peekable();
    while let Some((start, c)) = characters.next() {
        let text_to = |end: usize| run.get(start..end).unwrap_or_default();
        let pair = characters
            .peek()
            .map(|(at, next)| (text_to(at + next.len_utf8()), *next));
        let bond = pair.map_or(Bond::Nothing, |(pair, next)| Bond::of(last, c, next, pair));
        if Kind::of(c) == Kind::Ideograph && !is_nothing_alone(c) {
            match (before, bond) {
                (Bond::Grammar, _) | (_, Bond::Grammar) => {}
                (Bond::Nothing, Bond::Nothing) => visit(text_to(start + c.len_utf8()), Shape::Pair),
                _ => visit(text_to(start + c.len_utf8()), Shape::Root),
            }
        }
        if let (Bond::Term(shape), Some((pair, _))) = (bond, pair) {
            visit(pair, shape);
        }
        // What is neither stands for itself where it stands alone: a zero, a stroke.
        if Kind::of(c) == Kind::Other && run.len() == c.len_utf8() {
            visit(run, Shape::Pair);
        }
        before = bond;
        // A sign of length is of the script that it lengthens.
        if c != LONG {
            last = Some(c);
        }
    }
}

/// Whether it is one ideograph: it stands beside the pairs it is in, and makes a text no longer.
#[inline]
pub(crate) fn is_ideograph(term: &str) -> bool {
    // None begins with a lower byte, and nearly every word does.
    term.as_bytes().first().is_some_and(|byte| *byte >= 0xE3) && is_one_ideograph(term)
}

#[inline(never)]
fn is_one_ideograph(term: &str) -> bool {
    let mut characters = term.chars();
    characters.next().is_some_and(|c| Kind::of(c) == Kind::Ideograph) && characters.next().is_none()
}

/// The sign of a long vowel, of katakana and at times of hiragana (`らーめん`).
const LONG: char = 'ー';

/// What two neighbours are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bond {
    /// A term.
    Term(Shape),
    /// A word of grammar, and so neither of them is anything alone.
    Grammar,
    /// Nothing: a word ends between them.
    Nothing,
}

impl Bond {
    fn of(last: Option<char>, first: char, second: char, pair: &str) -> Self {
        let mut kinds = (Kind::of(first), Kind::of(second));
        if second == LONG {
            kinds.1 = kinds.0;
        }
        if first == LONG {
            kinds.0 = last.map_or(Kind::Katakana, Kind::of);
        }
        if on(Idea::Particles) {
            if stop_word_of(pair, hash(pair)).is_some() {
                return Self::Grammar;
            }
            if is_function_pair(first, second) {
                return Self::Nothing;
            }
        }
        match kinds {
            (Kind::Katakana, Kind::Katakana) => Self::Term(Shape::Syllables),
            // What is inflected is written in hiragana behind a stem that stays, and so are particles: no noun begins there.
            (Kind::Hiragana, Kind::Hiragana) if !last.is_some_and(ends_before_hiragana) => {
                Self::Term(Shape::Pair)
            }
            (Kind::Hiragana, _) | (_, Kind::Hiragana) => Self::Nothing,
            _ => Self::Term(Shape::Pair),
        }
    }
}

/// Whether hiragana directly behind it are an ending or a particle.
fn ends_before_hiragana(c: char) -> bool {
    c.is_alphanumeric() && Kind::of(c) != Kind::Hiragana
}

/// The scripts of such a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ideograph,
    Hiragana,
    Katakana,
    /// Bopomofo, strokes, a zero.
    Other,
}

impl Kind {
    const fn of(c: char) -> Self {
        match c {
            '\u{3041}'..='\u{309F}' => Self::Hiragana,
            '\u{30A0}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' => Self::Katakana,
            '\u{3005}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => Self::Ideograph,
            '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => Self::Ideograph,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped(run: &str, behind: Option<char>) -> Vec<(String, Shape)> {
        let mut all = Vec::new();
        terms(run, behind, &mut |term, shape| all.push((term.to_owned(), shape)));
        all
    }

    fn of_shape(run: &str, shape: Shape) -> Vec<String> {
        let all = shaped(run, None).into_iter();
        all.filter(|term| term.1 == shape).map(|term| term.0).collect()
    }

    #[test]
    fn a_word_becomes_its_pairs_and_its_ideographs() {
        assert_eq!(of_shape("合并请求", Shape::Pair), ["合并", "请求"]);
        assert_eq!(of_shape("睡眠", Shape::Pair), ["睡眠"]);
        assert_eq!(of_shape("睡眠", Shape::Root), ["睡", "眠"]);
        assert_eq!(
            of_shape("人々", Shape::Root),
            ["人"],
            "a sign of repetition is no root"
        );
    }

    #[test]
    fn an_ideograph_that_is_in_no_pair_is_a_word() {
        for (run, words) in [
            ("雨", &["雨"][..]),
            ("把灯关了", &["灯关"]),
            ("我的卡", &["卡"]),
            ("薬を飲む", &["薬", "飲"]),
            ("探して", &["探"]),
        ] {
            assert_eq!(of_shape(run, Shape::Pair), words, "{run}");
        }
        assert_eq!(of_shape("薬を飲む", Shape::Root), [""; 0]);
    }

    #[test]
    fn inflected_forms_share_their_stem() {
        let forms = ["探す", "探して", "探したい", "探せます", "探した"];
        for form in forms {
            assert_eq!(shaped(form, None), shaped("探", None), "{form}");
        }
        assert_eq!(of_shape("見積もりを出す", Shape::Pair), ["見積", "出"]);
    }

    #[test]
    fn no_term_reaches_over_the_border_of_hiragana() {
        for run in [
            "日本の法令を検索します",
            "クラウドにアップロードする",
            "消しゴム",
            "りんごジャム",
        ] {
            for (term, _) in shaped(run, None) {
                let hiragana = term.chars().filter(|c| Kind::of(*c) == Kind::Hiragana).count();
                assert!(
                    hiragana == 0 || hiragana == term.chars().count(),
                    "{term} in {run}"
                );
            }
        }
        assert_eq!(of_shape("りんごを", Shape::Pair), ["りん", "んご"]);
        assert_eq!(of_shape("入力フォーム", Shape::Pair), ["入力", "力フ"]);
    }

    #[test]
    fn katakana_are_told_apart_because_their_words_are_long() {
        assert_eq!(of_shape("サーバー", Shape::Syllables), ["サー", "ーバ", "バー"]);
    }

    #[test]
    fn grammar_has_no_roots_and_neither_has_what_is_counted_in() {
        for run in ["现在", "多少", "什么时候", "知りたい", "を", "だけ"] {
            assert_eq!(shaped(run, None), [], "{run}");
        }
        assert_eq!(shaped("月", Some('6')), []);
        assert_eq!(of_shape("月", Shape::Pair), [""; 0]);
        assert_eq!(shaped("升", Some('6')), []);
        assert_eq!(of_shape("升", Shape::Pair), ["升"]);
    }

    #[test]
    fn words_of_content_that_have_a_character_of_grammar_stay() {
        for word in [
            "请假", "申请", "请求", "申請", "給料", "目的", "了解", "完了", "終了", "有給", "首都",
        ] {
            assert!(of_shape(word, Shape::Pair).contains(&word.to_owned()), "{word}");
        }
    }
}
