//! What becomes of a run of Hangul: its pairs of syllables, without the grammar that sticks to it, and over the space beside it.
//!
//! Must not know a dictionary of content, nor what lies around but for whether it is near. Korean may write words of one thing apart
//! or together (`할 일`, `할일`), so that both have to share a term.

mod grammar;
mod syllable;

use crate::ablation::{Idea, on};

use grammar::{is_ending, stem};
use syllable::respell;

/// Where one word ends and the next may go on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joint {
    last: char,
    /// Whether the word is one syllable.
    is_one: bool,
}

/// Where a run stands in what is between two spaces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// Whether it sticks to a word in other letters, or to the mark that ends a quotation.
    pub(super) sticks: bool,
    /// Whether nothing stands behind it.
    pub(super) ends: bool,
}

/// Visits the pairs of neighbours in a run, the syllable itself when it stands alone. A word of one syllable is also a pair with the
/// word beside it, unless a particle or an ending stands between. `word` is room to work in. Of all who visit there is one copy of this.
#[inline(never)]
pub(super) fn pairs(
    run: &str,
    around: Around,
    joint: &mut Option<Joint>,
    word: &mut String,
    visit: &mut dyn FnMut(&str),
) {
    word.clear();
    word.push_str(run);
    let before = joint.take();
    let mut has_ending = false;
    if on(Idea::Particles) {
        has_ending = stem(word);
        if around.sticks && is_ending(word) {
            return;
        }
        if let Some(other) = stands_for(word) {
            word.clear();
            word.push_str(other);
        }
    }
    respell(word);
    let mut syllables = word.char_indices();
    let Some((_, first)) = syllables.next() else {
        return;
    };
    let is_one = syllables.next().is_none();
    if let Some(before) = before.filter(|before| before.is_one || is_one) {
        over_the_space(before.last, first, visit);
    }
    if is_one {
        visit(word);
    }
    let mut start = 0;
    for (at, _) in word.char_indices().skip(2) {
        visit(word.get(start..at).unwrap_or_default());
        start += word
            .get(start..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
    }
    if !is_one {
        visit(word.get(start..).unwrap_or_default());
    }
    if around.ends && !has_ending {
        *joint = word.chars().next_back().map(|last| Joint { last, is_one });
    }
}

/// Visits the pair of the syllables on both sides of a space.
fn over_the_space(last: char, first: char, visit: &mut dyn FnMut(&str)) {
    let mut room = [0; 8];
    let middle = last.encode_utf8(&mut room).len();
    let Some(behind) = room.get_mut(middle..) else {
        return;
    };
    let end = middle + first.encode_utf8(behind).len();
    let pair = room
        .get(..end)
        .and_then(|pair| std::str::from_utf8(pair).ok())
        .unwrap_or_default();
    visit(stands_for(pair).unwrap_or(pair));
}

/// The word that another one stands for, of two closed classes. Requests are spoken and definitions written: the words that point at a
/// time from now are native in the ones and Sino-Korean in the others. And a question for a quantity stands for what it asks for: a price,
/// a day, an hour. Those for a place or a person (`어디`, `누구`) mostly ask with what is wanted, not for it; the others ask for nothing
/// of a kind, and `얼마나` (how very) and `며칠간` (for some days) do not ask.
fn stands_for(word: &str) -> Option<&'static str> {
    match word {
        "지금" => Some("현재"),
        "요즘" | "요새" => Some("최근"),
        "금일" => Some("오늘"),
        "명일" => Some("내일"),
        "작일" => Some("어제"),
        "금년" => Some("올해"),
        "지난해" => Some("작년"),
        "얼마" => Some("가격"),
        "며칠" | "며칠째" => Some("날짜"),
        "몇시" => Some("시간"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terms of words between spaces.
    fn collected(text: &str) -> Vec<String> {
        let around = Around {
            sticks: false,
            ends: true,
        };
        let (mut all, mut joint) = (Vec::new(), None);
        for run in text.split(' ') {
            pairs(run, around, &mut joint, &mut String::new(), &mut |pair| {
                all.push(pair.to_owned())
            });
        }
        all
    }

    #[test]
    fn a_run_becomes_the_pairs_of_its_stem() {
        assert_eq!(collected("비밀번호를"), ["비밀", "밀번", "번호"]);
        assert_eq!(collected("이슈"), ["이슈"]);
        assert_eq!(collected("돈을"), ["돈"]);
        assert_eq!(collected(""), [""; 0]);
    }

    #[test]
    fn a_word_of_one_syllable_is_a_pair_with_the_word_beside_it() {
        assert_eq!(collected("할 일을"), ["할", "할일", "일"]);
        assert_eq!(collected("한국 돈"), ["한국", "국돈", "돈"]);
        assert_eq!(collected("교통 상황"), ["교통", "상황"]);
    }

    #[test]
    fn a_particle_between_two_words_parts_them() {
        assert_eq!(collected("돈을 보낸다"), ["돈", "보내"]);
        assert_eq!(collected("날짜에 일"), ["날짜", "일"]);
    }

    #[test]
    fn a_question_for_a_quantity_stands_for_what_it_asks_for() {
        assert_eq!(collected("얼마예요"), ["가격"]);
        assert_eq!(collected("며칠째야"), ["날짜"]);
        assert_eq!(collected("몇 시에"), ["몇", "시간", "시"]);
        assert_eq!(collected("얼마나"), ["얼마", "마나"]);
    }

    #[test]
    fn what_points_at_a_time_is_one_word_spoken_and_written() {
        for (spoken, written) in [
            ("지금은", "현재의"),
            ("오늘", "금일"),
            ("내일까지", "명일까지"),
            ("올해", "금년"),
        ] {
            assert_eq!(collected(spoken), collected(written), "{spoken}");
        }
        assert_ne!(collected("지금껏"), collected("현재껏"));
    }

    #[test]
    fn what_sticks_to_other_letters_and_is_an_ending_says_nothing() {
        for (run, sticks, count) in [("으로", true, 0), ("으로", false, 1), ("번호", true, 1)] {
            let mut found = 0;
            let around = Around { sticks, ends: true };
            pairs(run, around, &mut None, &mut String::new(), &mut |_| found += 1);
            assert_eq!(found, count, "{run} {sticks}");
        }
    }

    #[test]
    fn spellings_of_a_word_from_abroad_share_their_pairs() {
        assert_eq!(collected("스케쥴을"), collected("스케줄"));
    }
}
