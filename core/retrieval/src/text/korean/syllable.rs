//! A syllable of Hangul taken apart into the sounds it is written with, and put together again.
//!
//! Must not know words nor grammar.

/// The sounds, numbered in the order of Unicode's block of syllables.
#[derive(Debug, Clone, Copy)]
pub(super) struct Syllable {
    onset: u32,
    vowel: u32,
    coda: u32,
}

/// The last sound of a syllable that ends with its vowel.
pub(super) const OPEN: u32 = 0;
/// ㄴ, ㄹ, ㅂ and ㅆ as last sounds.
pub(super) const NIEUN: u32 = 4;
pub(super) const RIEUL: u32 = 8;
pub(super) const PIEUP: u32 = 17;
pub(super) const SSANG_SIOT: u32 = 20;

const FIRST: u32 = 0xAC00;
const CODAS: u32 = 28;
const VOWELS: u32 = 21;

impl Syllable {
    /// Of a letter; `None` for any other one, a lone consonant among them.
    pub(super) const fn of(c: char) -> Option<Self> {
        if !matches!(c, '가'..='힣') {
            return None;
        }
        let place = c as u32 - FIRST;
        Some(Self {
            onset: place / CODAS / VOWELS,
            vowel: place / CODAS % VOWELS,
            coda: place % CODAS,
        })
    }

    /// The last syllable of a text, if it ends with one.
    pub(super) fn last(text: &str) -> Option<Self> {
        text.chars().next_back().and_then(Self::of)
    }

    pub(super) fn letter(self) -> char {
        char::from_u32(FIRST + (self.onset * VOWELS + self.vowel) * CODAS + self.coda).unwrap_or_default()
    }

    /// Its last sound; [`OPEN`] when it ends with its vowel.
    pub(super) const fn coda(self) -> u32 {
        self.coda
    }

    /// The same without its last sound.
    pub(super) const fn open(self) -> Self {
        Self { coda: OPEN, ..self }
    }

    /// Whether it ends with a vowel that endings in front of `요` end with: ㅏ, ㅐ, ㅓ, ㅔ, ㅕ, ㅘ, ㅙ, ㅝ.
    pub(super) const fn ends_as_verbs_do(self) -> bool {
        self.coda == OPEN && matches!(self.vowel, 0 | 1 | 4 | 5 | 6 | 9 | 10 | 14)
    }

    /// The same as words from abroad are written: behind ㅈ, ㅉ and ㅊ stands no y.
    const fn respelt(self) -> Option<Self> {
        let vowel = match (self.onset, self.vowel) {
            (12..=14, 2 | 3 | 6 | 7) => self.vowel - 2,
            (12..=14, 12 | 17) => self.vowel - 4,
            _ => return None,
        };
        Some(Self { vowel, ..self })
    }
}

/// Words from abroad that many spell as they hear them, and how the orthography of loanwords has them.
const LOANWORDS: [[&str; 2]; 14] = [
    ["메세지", "메시지"],
    ["컨텐츠", "콘텐츠"],
    ["데이타", "데이터"],
    ["비지니스", "비즈니스"],
    ["메뉴얼", "매뉴얼"],
    ["레포트", "리포트"],
    ["타겟", "타깃"],
    ["렌트카", "렌터카"],
    ["네비게이션", "내비게이션"],
    ["컨퍼런스", "콘퍼런스"],
    ["프리젠테이션", "프레젠테이션"],
    ["에어콘", "에어컨"],
    ["악세사리", "액세서리"],
    ["멤버쉽", "멤버십"],
];

/// Writes what is also written otherwise in one way: `스케쥴` as `스케줄`, `비젼` as `비전`, `메세지` as `메시지`. The length stays.
pub(super) fn respell(word: &mut String) {
    for [heard, spelt] in LOANWORDS {
        if let Some(at) = word.find(heard) {
            word.replace_range(at..at + heard.len(), spelt);
        }
    }
    let mut at = 0;
    while let Some(c) = word.get(at..).and_then(|rest| rest.chars().next()) {
        let end = at + c.len_utf8();
        if let Some(other) = Syllable::of(c).and_then(Syllable::respelt) {
            word.replace_range(at..end, other.letter().encode_utf8(&mut [0; 4]));
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_syllable_is_put_together_as_it_was() {
        for c in '가'..='힣' {
            assert_eq!(Syllable::of(c).unwrap().letter(), c);
        }
        for c in ['ㄱ', '힤', 'a', '日'] {
            assert!(Syllable::of(c).is_none(), "{c}");
        }
    }

    #[test]
    fn no_loanword_changes_its_length_and_none_is_changed_twice() {
        for [heard, spelt] in LOANWORDS {
            assert_eq!(heard.len(), spelt.len());
            for word in [heard, spelt] {
                let mut once = word.to_owned();
                respell(&mut once);
                assert_eq!(once, spelt);
            }
        }
    }

    #[test]
    fn words_from_abroad_are_spelt_in_one_way() {
        for (written, spelt) in [
            ("스케쥴", "스케줄"),
            ("비젼", "비전"),
            ("쟈켓", "자켓"),
            ("캡쳐", "캡처"),
            ("메뉴", "메뉴"),
            ("문자메세지함", "문자메시지함"),
            ("ㅈ쥬a", "ㅈ주a"),
        ] {
            let mut word = written.to_owned();
            respell(&mut word);
            assert_eq!(word, spelt);
        }
    }
}
