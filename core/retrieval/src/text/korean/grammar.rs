//! Particles and endings of Korean: what they are, and which word they are taken off.
//!
//! Must not know a dictionary of content. The lists are closed classes: particles of case, endings of verbs, of `hada` and its like,
//! of politeness. What may follow a syllable is asked of its sounds, as the grammar does: `을` stands behind a consonant and `를`
//! behind a vowel. Endings that many nouns end with (`고` in `창고`, `면` in `화면`, `함` in `포함`) are only listed behind `hada`.

use super::syllable::{NIEUN, OPEN, PIEUP, RIEUL, SSANG_SIOT, Syllable};

/// Takes particles and endings off a word; whether there were any. Two syllables stay, or one where nothing else can be meant.
pub(super) fn stem(word: &mut String) -> bool {
    let before = word.len();
    for _ in 0..MOST {
        match shorten(word) {
            // What stands in front of a verb's ending is a verb: it has no particle.
            Some(Ended::Verb) => return true,
            Some(Ended::Any) => {}
            None => break,
        }
    }
    word.len() < before
}

/// Whether it is a particle or an ending, and nothing else.
pub(super) fn is_ending(word: &str) -> bool {
    let last = word.chars().next_back();
    last.is_some_and(|last| endings(last).split(' ').any(|ending| ending == word))
}

/// `해주시겠어요` behind a noun is three, `에서만이라도` four.
const MOST: usize = 5;

/// Two syllables, as bytes.
const SHORTEST_STEM: usize = 6;

/// What had the ending that was taken off.
enum Ended {
    Verb,
    Any,
}

/// Takes off the last particle or ending.
fn shorten(word: &mut String) -> Option<Ended> {
    let last = word.chars().next_back()?;
    for ending in endings(last).split(' ').filter(|ending| !ending.is_empty()) {
        let sound = sound_of(ending);
        let text = match sound {
            Some(_) => ending.get('ㄴ'.len_utf8()..).unwrap_or_default(),
            None => ending,
        };
        let Some(rest) = word.strip_suffix(text) else {
            continue;
        };
        let Some(syllable) = Syllable::last(rest) else {
            continue;
        };
        let length = rest.len();
        let is_long = length >= SHORTEST_STEM;
        let fits = match sound {
            // `있` (to be there) has its ㅆ in all forms.
            Some(sound) => syllable.coda() == sound && is_long && syllable.letter() != '있',
            None => may_follow(ending, syllable) && (is_long || is_of_no_noun(ending)),
        };
        if !fits {
            continue;
        }
        word.truncate(length);
        if sound.is_some() {
            word.pop();
            word.push(syllable.open().letter());
        } else if !is_of_verbs(ending) {
            return Some(Ended::Any);
        }
        let mut verbs = VERBS.split(' ');
        let noun = verbs.find_map(|verb| word.strip_suffix(verb).map(str::len));
        if let Some(length) = noun.filter(|length| *length >= SHORTEST_STEM) {
            word.truncate(length);
        }
        return Some(Ended::Verb);
    }
    None
}

/// What makes verbs of nouns, and what says for whom something is done.
const VERBS: &str = "해주시 하시 주시 시키 시켜 드리 드려 하여 되어 하 되 주 해 돼 줘";

/// Particles and endings by their last syllable, the longer ones first. A consonant in front is the last sound of the syllable before:
/// `ㄴ다` ends `보낸다`, whose stem is `보내`.
const fn endings(last: char) -> &'static str {
    match last {
        '가' => "가",
        '게' => "에게 하게 되게 ㄹ게",
        '고' => "해주고 이라고 ㄴ다고 는다고 라고 려고 하고 되고 이고",
        '과' => "과",
        '기' => "해주시기 주시기 해주기 하기 되기",
        '까' => "습니까 입니까 ㅂ니까 니까 ㅆ을까 을까 ㄹ까",
        '나' => "이나 거나",
        '놔' => "해놔",
        '는' => "ㄴ다는 는다는 이라는 해주는 라는 려는 주는 하는 되는 있는 없는 는",
        '다' => {
            "ㅆ습니다 드립니다 습니다 입니다 ㅂ니다 았다 었다 였다 ㅆ다 는다 ㄴ다 에다 보다 마다 하다 되다 이다"
        }
        '던' => "ㅆ던 하던",
        '데' => "ㅆ는데 는데 인데 한데 은데 던데",
        '도' => "이라도 라도 도",
        '돼' => "돼",
        '된' => "된",
        '될' => "될",
        '됨' => "됨",
        '든' => "거든",
        '들' => "들",
        '라' => "해주라 주라 해라 하라",
        '래' => "해주실래 주실래 해줄래 줄래 할래",
        '랑' => "이랑",
        '럼' => "처럼",
        '로' => "으로 로",
        '록' => "도록",
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
        '해' => "해",
        _ => "",
    }
}

/// Whether an ending may stand behind this syllable, by how it begins.
fn may_follow(ending: &str, syllable: Syllable) -> bool {
    let coda = syllable.coda();
    match ending.chars().next() {
        Some('을' | '은' | '과' | '이' | '습') => coda != OPEN,
        Some('으') => !matches!(coda, OPEN | RIEUL),
        Some('를' | '가' | '와' | '라' | '야' | '예') => coda == OPEN,
        Some('로') => matches!(coda, OPEN | RIEUL),
        // Not `수요`, `필요`, `개요`, `가요`.
        Some('요') => match syllable.letter() {
            '고' | '구' | '이' | '지' | '까' => true,
            '가' | '개' => false,
            _ => syllable.ends_as_verbs_do(),
        },
        _ => true,
    }
}

/// Whether no noun ends so, so that one syllable may stay: not `이` (`종이`), `도` (`지도`), `로` (`도로`).
fn is_of_no_noun(ending: &str) -> bool {
    matches!(ending.chars().next(), Some('을' | '를' | '으' | '에' | '습'))
        || matches!(ending, "까지" | "부터")
}

/// Whether only a verb has this ending, which is written apart from what it ends.
fn is_of_verbs(ending: &str) -> bool {
    match ending.chars().next() {
        Some('습' | '았' | '었' | '였' | '려' | '겠') => true,
        Some('는') => ending != "는",
        _ => ending == "도록",
    }
}

/// The last sound that an ending takes from the syllable before.
fn sound_of(ending: &str) -> Option<u32> {
    match ending.chars().next()? {
        'ㄴ' => Some(NIEUN),
        'ㄹ' => Some(RIEUL),
        'ㅂ' => Some(PIEUP),
        'ㅆ' => Some(SSANG_SIOT),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stemmed(word: &str) -> String {
        let mut stem_of = word.to_owned();
        stem(&mut stem_of);
        stem_of
    }

    #[test]
    fn a_word_loses_its_particles_and_endings() {
        for (word, stem) in [
            ("가격을", "가격"),
            ("학교에서는", "학교"),
            ("학교에서만이라도", "학교"),
            ("검색해주세요", "검색"),
            ("검색해주시겠어요", "검색"),
            ("조회합니다", "조회"),
            ("조회했습니다", "조회"),
            ("조회하려고", "조회"),
            ("저장됩니다", "저장"),
            ("일정이", "일정"),
            ("캘린더에", "캘린더"),
            ("날짜좀", "날짜"),
            ("얼마인가요", "얼마"),
            ("사람들의", "사람"),
            ("관심있는", "관심"),
        ] {
            assert_eq!(stemmed(word), stem, "{word}");
        }
    }

    #[test]
    fn the_forms_of_a_verb_that_take_a_sound_into_its_stem_have_that_stem() {
        for form in [
            "보내줘",
            "보냅니다",
            "보낸다",
            "보냈어요",
            "보내야",
            "보낼까요",
            "보내는",
        ] {
            assert_eq!(stemmed(form), "보내", "{form}");
        }
    }

    #[test]
    fn a_particle_stands_only_behind_the_sounds_it_is_said_behind() {
        for word in [
            "전문가",
            "디스플레이",
            "홈페이지",
            "전력수요",
            "사업개요",
            "마을",
            "가을",
            "배너광고",
            "바탕화면",
            "세금포함",
            "출발지",
            "미세먼지",
            "지하실",
            "회의",
            "비교",
        ] {
            assert_eq!(stemmed(word), word);
        }
    }

    #[test]
    fn one_syllable_stays_only_where_no_noun_ends_like_the_particle() {
        for (word, stem) in [
            ("돈을", "돈"),
            ("차를", "차"),
            ("집에서", "집"),
            ("역까지", "역"),
            ("엔으로", "엔"),
        ] {
            assert_eq!(stemmed(word), stem, "{word}");
        }
        for word in ["종이", "지도", "도로", "결과", "주의", "평가"] {
            assert_eq!(stemmed(word), word);
        }
    }

    #[test]
    fn what_is_nothing_but_an_ending_is_told_from_a_word() {
        assert!(["을", "으로", "에서", "입니다"].into_iter().all(is_ending));
        assert!(!["돈", "가격", "", "니다"].into_iter().any(is_ending));
    }

    #[test]
    fn every_ending_stands_under_its_last_syllable_and_none_hides_a_longer_one() {
        for last in '가'..='힣' {
            let all: Vec<&str> = endings(last)
                .split(' ')
                .filter(|ending| !ending.is_empty())
                .collect();
            for (place, ending) in all.iter().enumerate() {
                assert!(ending.ends_with(last), "{ending}");
                let earlier = &all[..place];
                assert!(
                    !earlier.iter().any(|before| ending.ends_with(before)),
                    "{ending} is never reached"
                );
            }
        }
    }
}
