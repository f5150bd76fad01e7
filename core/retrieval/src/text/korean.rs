//! What Korean grammar does to a word: particles and endings stick to it, verbs lose a sound to them, and its spaces are free.
//!
//! Must not know a dictionary of content. What stop words are to English, these are to Korean: cut into pairs of syllables they
//! would look rare, and so weigh much. The lists are closed classes (particles of case, endings of verbs, `hada` and its like); what
//! may follow a syllable is asked of its sounds, as the grammar does: `을` stands behind a consonant and `를` behind a vowel.

use crate::ablation::{Idea, on};

/// Where one word ends and the next may go on, for words that are also written together: `할 일` and `할일`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joint {
    last: char,
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

/// Visits the pairs of neighbours in a run of syllables, without what is grammar; the syllable itself when it stands alone. A word of
/// one syllable is also a pair with the word beside it, unless a particle or an ending stands between. `word` is room to work in.
pub(super) fn pairs(
    run: &str,
    around: Around,
    joint: &mut Option<Joint>,
    word: &mut String,
    visit: &mut impl FnMut(&str),
) {
    word.clear();
    word.push_str(run);
    let before = joint.take();
    let is_whole = !on(Idea::Particles) || !stem(word);
    if around.sticks && on(Idea::Particles) && is_ending(word) {
        return;
    }
    respell(word);
    if let Some(kind) = asked_for(word) {
        word.clear();
        word.push_str(kind);
    }
    let mut syllables = word.char_indices();
    let Some((_, first)) = syllables.next() else {
        return;
    };
    let second = syllables.next().map(|(at, _)| at);
    let is_one = second.is_none();
    if let Some(before) = before.filter(|before| before.is_one || is_one) {
        let mut pair = [0; 8];
        let length = before.last.encode_utf8(&mut pair).len();
        let length = length
            + first
                .encode_utf8(pair.get_mut(length..).unwrap_or_default())
                .len();
        let pair = pair.get(..length).and_then(|pair| std::str::from_utf8(pair).ok());
        visit(pair.unwrap_or_default());
    }
    let mut start = 0;
    let mut middle = second;
    while let Some(next) = middle {
        let end = word.get(next..).and_then(|rest| rest.chars().next());
        let end = next + end.map_or(0, char::len_utf8);
        visit(word.get(start..end).unwrap_or_default());
        start = next;
        middle = (end < word.len()).then_some(end);
    }
    if is_one {
        visit(word);
    }
    if around.ends && is_whole {
        *joint = word.chars().next_back().map(|last| Joint { last, is_one });
    }
}

/// What kind of thing a question word asks for: a price, a day, a place, somebody, an hour. The other ones (`무엇`, `어떤`) say nothing.
fn asked_for(word: &str) -> Option<&'static str> {
    let kinds = [("언제", "날짜"), ("며칠", "날짜"), ("어디", "위치"), ("누구", "사람"), ("몇시", "시간")];
    match word {
        "얼마" => Some("가격"),
        "누가" => Some("사람"),
        _ => kinds.iter().find(|(asked, _)| word.starts_with(asked)).map(|(_, kind)| *kind),
    }
}

/// Takes particles and endings off a word; whether there were any. Two syllables stay, or one where nothing else can be meant.
fn stem(word: &mut String) -> bool {
    // `해주시겠어요` behind a noun is four.
    let mut count = 0;
    for _ in 0..5 {
        match shorten(word) {
            0 => break,
            2 => return true,
            _ => count += 1,
        }
    }
    count > 0
}

/// Takes off the last particle or ending.
fn shorten(word: &mut String) -> u8 {
    let Some(last) = word.chars().next_back() else {
        return 0;
    };
    for ending in endings(last).split(' ').filter(|ending| !ending.is_empty()) {
        let sound = coda_of(ending);
        let text = sound.map_or(ending, |_| ending.get(3..).unwrap_or_default());
        let Some(rest) = word.strip_suffix(text) else {
            continue;
        };
        let Some(before) = rest.chars().next_back().and_then(Syllable::of) else {
            continue;
        };
        let length = rest.len();
        if !match sound {
            Some(sound) => before.coda == sound && length >= SHORTEST_STEM,
            None => goes_with(ending, &before) && (length >= SHORTEST_STEM || is_safe(ending)),
        } {
            continue;
        }
        word.truncate(length);
        if sound.is_some() {
            word.pop();
            word.push(Syllable { coda: 0, ..before }.letter());
        }
        if sound.is_some() || is_of_verbs(ending) {
            let noun = VERBS.iter().find_map(|verb| word.strip_suffix(verb));
            if let Some(length) = noun.map(str::len).filter(|length| *length >= SHORTEST_STEM) {
                word.truncate(length);
            }
            return 2;
        }
        return 1;
    }
    0
}

/// Whether it is nothing but a particle or an ending.
fn is_ending(word: &str) -> bool {
    let last = word.chars().next_back();
    last.is_some_and(|last| endings(last).split(' ').any(|ending| ending == word))
}

/// Two syllables, as bytes.
const SHORTEST_STEM: usize = 6;

/// What makes verbs of nouns, and what stands between a verb and its ending.
const VERBS: [&str; 11] = [
    "해주시",
    "하시",
    "주시",
    "시키",
    "드리",
    "하",
    "되",
    "주",
    "해",
    "돼",
    "줘",
];

/// Particles and endings by their last syllable, the longer ones first. A sound in front is the last one of the syllable before:
/// `ㄴ다` ends `보낸다`, whose stem is `보내`.
#[rustfmt::skip]
const fn endings(last: char) -> &'static str {
    match last {
        '가' => "가",
        '게' => "에게 하게 되게 ㄹ게",
        '과' => "과",
        '고' => "해주고 이라고 ㄴ다고 는다고 라고 려고 하고 되고 이고",
        '기' => "해주시기 주시기 해주기 하기 되기",
        '까' => "습니까 입니까 ㅂ니까 니까 ㅆ을까 을까 ㄹ까",
        '나' => "이나 거나",
        '놔' => "해놔",
        '는' => "ㄴ다는 는다는 이라는 해주는 라는 려는 주는 하는 되는 는",
        '다' => "ㅆ습니다 드립니다 습니다 입니다 ㅂ니다 았다 었다 였다 ㅆ다 는다 ㄴ다 에다 보다 마다 하다 되다 이다",
        '데' => "ㅆ는데 는데 인데 한데 은데 던데",
        '던' => "ㅆ던 하던",
        '도' => "이라도 라도 도",
        '돼' => "돼",
        '된' => "된",
        '될' => "될",
        '됨' => "됨",
        '든' => "거든",
        '들' => "들",
        '라' => "해주라 주라 해라 하라",
        '록' => "도록",
        '래' => "해주실래 주실래 해줄래 줄래 ㄹ래",
        '랑' => "이랑",
        '럼' => "처럼",
        '로' => "으로 로",
        '를' => "를",
        '만' => "ㅆ습니다만 습니다만 ㅂ니다만 지만 만",
        '며' => "하며 되며 이며 으며",
        '면' => "해주시면 주시면 하시면 해주면 주면 ㄴ다면 는다면 려면 하면 되면 이면 으면",
        '서' => "에게서 으로서 로서 에서 께서 되어서 면서 해서 돼서 어서 아서",
        '세' => "해주세 주세 하세",
        '셔' => "해주셔 주셔",
        '신' => "하신",
        '실' => "해주실 하실",
        '써' => "으로써 로써",
        '씩' => "씩",
        '야' => "ㄹ거야 이야 야",
        '어' => "시겠어 겠어 ㅆ어 되어",
        '에' => "밖에 에",
        '여' => "하여",
        '오' => "십시오",
        '와' => "와",
        '요' => "인가요 은가요 는가요 ㄴ가요 하나요 되나요 ㅆ나요 이에요 이지요 지요 예요 요",
        '은' => "은",
        '을' => "을",
        '의' => "의",
        '이' => "이",
        '좀' => "좀",
        '죠' => "이죠 죠",
        '주' => "해주",
        '줄' => "해줄",
        '줘' => "시켜줘 해줘 줘",
        '지' => "ㅆ는지 까지 하지 되지 이지 인지 한지 할지 는지",
        '쯤' => "쯤",
        '큼' => "만큼",
        '터' => "부터",
        '테' => "한테",
        '한' => "한",
        '할' => "할",
        '함' => "함",
        '해' => "해",
        _ => "",
    }
}

/// Whether an ending may stand behind this syllable, as it begins.
fn goes_with(ending: &str, before: &Syllable) -> bool {
    match ending.chars().next() {
        Some('을' | '은' | '과' | '이' | '습') => before.coda != 0,
        Some('으') => before.coda != 0 && before.coda != RIEUL,
        Some('를' | '가' | '와' | '라' | '야' | '예') => before.coda == 0,
        Some('로') => matches!(before.coda, 0 | RIEUL),
        Some('요') => is_before_politeness(before),
        _ => true,
    }
}

/// Whether an ending that `요` may follow ends so (`어`, `해`, `네`, `지`): not `수요`, `필요`, `개요`, `가요`.
fn is_before_politeness(before: &Syllable) -> bool {
    match before.letter() {
        '고' | '구' | '이' | '지' | '까' => true,
        '가' | '개' => false,
        _ => before.coda == 0 && matches!(before.vowel, 0 | 1 | 4 | 5 | 6 | 9 | 10 | 14),
    }
}

/// Whether no noun ends so, so that one syllable may be left: not `이` (`종이`), `도` (`지도`), `로` (`도로`).
fn is_safe(ending: &str) -> bool {
    matches!(ending.chars().next(), Some('을' | '를' | '으' | '에' | '습'))
        || matches!(ending, "까지" | "부터")
}

/// Whether only a verb ends so.
fn is_of_verbs(ending: &str) -> bool {
    matches!(
        ending.chars().next(),
        Some('습' | '았' | '었' | '였' | '려' | '겠')
    ) || (ending.starts_with('는') && ending != "는")
        || ending == "도록"
}

/// The last sound that the ending takes from the syllable before.
fn coda_of(ending: &str) -> Option<u32> {
    match ending.chars().next() {
        Some('ㄴ') => Some(4),
        Some('ㄹ') => Some(RIEUL),
        Some('ㅂ') => Some(17),
        Some('ㅆ') => Some(20),
        _ => None,
    }
}

const RIEUL: u32 = 8;

/// A syllable as the sounds it is written with, in the order of Unicode's block of them.
#[derive(Debug, Clone, Copy)]
struct Syllable {
    onset: u32,
    vowel: u32,
    /// 0 when it ends with its vowel.
    coda: u32,
}

const FIRST: u32 = 0xAC00;
const CODAS: u32 = 28;
const VOWELS: u32 = 21;

impl Syllable {
    const fn of(c: char) -> Option<Self> {
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

    fn letter(self) -> char {
        char::from_u32(FIRST + (self.onset * VOWELS + self.vowel) * CODAS + self.coda).unwrap_or_default()
    }
}

/// Writes syllables as words from abroad have them, where ㅈ, ㅉ and ㅊ have no y behind them: `스케쥴` is `스케줄`, `비젼` is `비전`.
fn respell(word: &mut String) {
    let mut at = 0;
    while let Some(c) = word.get(at..).and_then(|rest| rest.chars().next()) {
        let end = at + c.len_utf8();
        if let Some(syllable) = Syllable::of(c)
            && let (12..=14, Some(vowel)) = (syllable.onset, without_y(syllable.vowel))
        {
            let letter = Syllable { vowel, ..syllable }.letter();
            // As long as what it takes the place of.
            word.replace_range(at..end, letter.encode_utf8(&mut [0; 4]));
        }
        at = end;
    }
}

/// The vowel without the y it begins with.
const fn without_y(vowel: u32) -> Option<u32> {
    match vowel {
        2 | 3 | 6 | 7 => Some(vowel - 2),
        12 | 17 => Some(vowel - 4),
        _ => None,
    }
}
