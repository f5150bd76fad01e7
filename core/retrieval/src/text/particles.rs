//! Words of grammar in Korean, Japanese and Chinese: particles, pronouns, politeness.
//!
//! Must not know a dictionary of content. What stop words are to English, these are to scripts without spaces: cut into
//! pairs they would look rare, and so weigh much. Only what cannot be a part of a noun is listed; the lists follow the
//! closed classes of the grammars (hiragana after a stem; pronouns and modal words). What sticks to a Korean word is taken off before.

/// Whether a pair of characters says nothing of what is wanted, beside those that are listed.
pub(super) fn is_function_pair(pair: &str) -> bool {
    let mut characters = pair.chars();
    let (Some(first), Some(second)) = (characters.next(), characters.next()) else {
        return false;
    };
    match (is_hiragana(first), is_hiragana(second)) {
        (true, true) => false,
        (true, false) => is_particle(first),
        (false, true) => is_particle(second),
        (false, false) => pair.contains(IN_NO_NOUN) || (second == '的' && first != '目'),
    }
}

/// Pairs that are what is left of function words, what goes with a request, and words of one syllable: pronouns, bound nouns, auxiliaries.
pub(super) const KOREAN: &str = "알려 려주 려달 주세 세요 셔요 달라 주라 줘요 해줘 해주 하는 하고 하면 하여 하기 하려 해서 해요 했어 한다 합니 니다 습니 \
    입니 됩니 으로 에서 에게 까지 부터 한테 에다 다가 려고 려면 는데 은데 인데 면서 지만 있어 있는 있나 있을 있니 있습 없어 없는 없을 나요 \
    가요 까요 을까 할까 할수 수있 되나 되는 돼요 어떤 어떻 떻게 무엇 뭐야 뭔지 얼마 마나 마야 언제 줄래 주실 싶어 싶은 싶다 싶습 고싶 이나 \
    이랑 이야 대한 대해 위한 위해 건가 거야 것을 것이 것은 내가 나는 너무 그리 리고 또는 그럼 이제 같은 같아 부탁 탁해 탁드 드립 립니 드려 \
    려요 궁금 금해 겠어 겠습 주어 어진 특정 어디 누구 \
    누가 무슨 어느 여기 거기 이거 그거 이것 그것 근데 런데 혹시 또한 혹은 이 그 저 내 제 네 나 너 수 것 거 게 걸 건 줄 데 등 및 또 더 좀 잘 안 \
    못 왜 뭐 몇 한 할 해 될 돼 줘 있 없 싶";

/// Hiragana of inflection and politeness, and of pronouns.
pub(super) const JAPANESE: &str = "して した する すれ しま せて させ せる され れる られ ます まし ませ せん です でし しょ ょう くだ ださ さい てく たい たく \
    ない なく なか から まで より ので のに には では とは へは でも にも ても ける けれ れば こと もの ため よう うに うな など いる いま \
    てい てる ある あり りま おり この その あの どの ここ そこ どこ これ それ あれ どれ って とい いう いた いて ほし しい いの";

/// Characters that stand in no noun: pronouns, particles of mood, `please`.
const IN_NO_NOUN: [char; 36] = [
    '请', '您', '我', '你', '她', '它', '们', '吗', '呢', '吧', '啊', '嘛', '把', '很', '帮', '给', '这',
    '那', '哪', '請', '嗎', '們', '這', '妳', '幫', '給', '喂', '咱', '嗯', '哦', '怎', '麼', '么', '啥',
    '谁', '誰',
];

/// Function words of Chinese, in both ways of writing.
pub(super) const CHINESE: &str = "一下 什么 什麼 怎么 怎麼 怎样 怎樣 如何 可以 能否 是否 需要 想要 希望 想知 关于 關於 以及 或者 还是 還是 一个 一個 一些 \
    哪些 多少 有没 没有 沒有 使用 用于 用於 进行 進行 指定 给定 特定 相关 相關 所有 某个 某個 对于 對於 根据 根據";

const fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}')
}

/// Hiragana that marks the case of the word before it.
const fn is_particle(c: char) -> bool {
    matches!(
        c,
        'を' | 'の' | 'は' | 'が' | 'に' | 'で' | 'と' | 'も' | 'へ' | 'や'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::stop::{Language, stop_word};

    #[test]
    fn grammar_says_nothing_and_nouns_do() {
        for pair in [
            "니다", "알려", "어디", "수", "및", "して", "ます", "令を", "の法", "请帮", "我的", "什么",
            "一下",
        ] {
            assert!(
                is_function_pair(pair) || stop_word(pair) == Some(Language::Pairs),
                "{pair}"
            );
        }
        for pair in [
            "가격", "돈", "일", "집", "法令", "調べ", "りん", "目的", "天气", "查询", "首都", "合并", "ab",
            "雨", "日本",
        ] {
            assert!(!is_function_pair(pair) && stop_word(pair).is_none(), "{pair}");
        }
    }
}
