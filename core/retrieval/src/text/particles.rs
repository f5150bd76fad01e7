//! Words of grammar in Korean, Japanese and Chinese: particles, pronouns, politeness.
//!
//! Must not know a dictionary of content. What stop words are to English, these are to scripts without spaces: cut into
//! pairs they would look rare, and so weigh much. Only what cannot be a part of a noun is listed; the lists follow the
//! closed classes of the grammars (hiragana after a stem; pronouns and modal words). What sticks to a Korean word is taken off before.

/// Whether a pair of characters says nothing of what is wanted, beside those that are listed.
pub(super) fn is_function_pair(first: char, second: char) -> bool {
    match (first, second) {
        // Nouns that have such a character: purpose, taxi, complete, understand, apply, invite, leave.
        ('目' | '標' | '标', '的') | ('的', '士' | '確' | '确') => false,
        ('的', _) | (_, '的') => true,
        ('终' | '終' | '完' | '修' | '满' | '満', '了') | ('了', '解' | '承') => false,
        ('了', _) | (_, '了') => true,
        ('申' | '邀', '请') | ('请', '假' | '求') => false,
        ('请', _) | (_, '请') => true,
        ('を', _) | (_, 'を') => true,
        _ => IN_NO_NOUN.contains(&first) || IN_NO_NOUN.contains(&second),
    }
}

/// Whether an ideograph says nothing alone.
pub(super) fn is_nothing_alone(c: char) -> bool {
    IN_NO_NOUN.contains(&c) || ALONE.contains(c)
}

/// Particles, prepositions and modal verbs, numerals and measures, units of time, sides, and the sign of repetition.
const ALONE: &str = "的了在是有个個和与與或及从從到对對为為被将將以其之等着著过過也都就还還再又给请請不没沒要想会會能可得来來去让讓最更太真只\
    并並而但若如因所由于於向每某该該此各另何今一二三四五六七八九十两兩百千万萬几幾多少半第年月日号號时時分秒天周週点點上下中内內外前后後里裡间間件次位条條张張份隻々";

/// Pairs that are what is left of function words, what goes with a request, and words of one syllable: pronouns, bound nouns, auxiliaries.
pub(super) const KOREAN: &str = "알려 려주 려달 주세 세요 셔요 달라 주라 줘요 해줘 해주 하는 하고 하면 하여 하기 하려 해서 해요 했어 한다 합니 니다 습니 \
    입니 됩니 으로 에서 에게 까지 부터 한테 에다 다가 려고 려면 는데 은데 인데 면서 지만 있어 있는 있나 있을 있니 있습 없어 없는 없을 나요 \
    가요 까요 을까 할까 할수 수있 되나 되는 돼요 어떤 어떻 떻게 무엇 뭐야 뭔지 얼마 마나 마야 언제 줄래 주실 싶어 싶은 싶다 싶습 고싶 이나 \
    이랑 이야 대한 대해 위한 위해 건가 거야 것을 것이 것은 내가 나는 너무 그리 리고 또는 그럼 이제 같은 같아 부탁 탁해 탁드 드립 립니 드려 \
    려요 궁금 금해 겠어 겠습 주어 어진 특정 어디 누구 \
    누가 무슨 어느 여기 거기 이거 그거 이것 그것 근데 런데 혹시 또한 혹은 이 그 저 내 제 네 나 너 수 것 거 게 걸 건 줄 데 등 및 또 더 좀 잘 안 \
    못 왜 뭐 몇 한 할 해 될 돼 줘 있 없 싶";

/// Hiragana of inflection, politeness and of pronouns; verbs of asking, and of little else.
pub(super) const JAPANESE: &str = "して した する すれ しま せて させ せる され れる られ ます まし ませ せん です でし しょ ょう くだ ださ さい てく たい たく \
    ない なく なか から まで より ので のに には では とは へは でも にも ても ける けれ れば こと もの ため よう うに うな など いる いま \
    てい てる ある あり りま おり この その あの どの ここ そこ どこ これ それ あれ どれ って とい いう いた いて ほし しい いの \
    でき きる きま たら った だっ だけ けど そう うで すか うか ほう かな がい いい いか れて れた てお おい おく てた っけ もら らえ えま いく くら \
    とし どう まだ また もう さん くん ちゃ ちょ っと のみ たは での とと どん なに なん いつ だれ くれ たの るの んの とき うち お願 願い 教え 知り \
    見せ 見た 見て 欲し 下さ 頂き 頂け 思い 思う 出来 場合 必要 何か 何時 全て 次の";

/// Characters that stand in no noun: pronouns, particles of mood, `please`.
const IN_NO_NOUN: [char; 32] = [
    '您', '我', '你', '她', '它', '们', '吗', '呢', '吧', '啊', '嘛', '把', '很', '帮', '这', '那', '哪',
    '嗎', '們', '這', '妳', '幫', '喂', '咱', '嗯', '哦', '怎', '麼', '么', '啥', '谁', '誰',
];

/// Function words of Chinese, in both ways of writing.
pub(super) const CHINESE: &str = "一下 什么 什麼 怎么 怎麼 怎样 怎樣 如何 可以 能否 是否 需要 想要 希望 想知 关于 關於 以及 或者 还是 還是 一个 一個 一些 \
    哪些 多少 有没 没有 沒有 使用 用于 用於 进行 進行 指定 给定 特定 相关 相關 所有 某个 某個 对于 對於 根据 根據 \
    有沒 能不 可不 是不 会不 會不 要不 现在 現在 为什 為什 为何 麻烦 麻煩 谢谢 謝謝 应该 應該 可能 知道 告诉 告訴 一点 一點 有些 时候 時候 最近 刚才 剛才 \
    已经 已經 马上 馬上 直接 顺便 順便 大概 之前 之后 之後 以前 以后 以後 然后 然後 但是 因为 因為 所以 如果 而且 不过 不過 就是 还有 還有 还没 還沒 \
    只要 只有 东西 東西 例如 比如 包括 其中 其他";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::stop::{Language, stop_word};

    fn says_nothing(pair: &str) -> bool {
        let characters: Vec<char> = pair.chars().collect();
        stop_word(pair) == Some(Language::Pairs)
            || matches!(characters[..], [first, second] if is_function_pair(first, second))
    }

    #[test]
    fn grammar_says_nothing_and_nouns_do() {
        for pair in [
            "니다", "알려", "어디", "수", "및", "して", "ます", "れを", "请帮", "我的", "什么", "一下",
            "关了", "现在", "知り",
        ] {
            assert!(says_nothing(pair), "{pair}");
        }
        for pair in [
            "가격", "돈", "일", "집", "法令", "調べ", "りん", "目的", "天气", "查询", "首都", "合并", "ab",
            "雨", "日本", "申请", "请假", "申請", "給料", "有給", "完了", "了解",
        ] {
            assert!(!says_nothing(pair), "{pair}");
        }
    }
}
