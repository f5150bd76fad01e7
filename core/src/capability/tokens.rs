//! How many tokens a text costs, estimated without a tokenizer. Knows nothing of what the text is.

/// The estimate: a third of the ASCII bytes, rounded up, plus one and a half per other character.
pub fn estimate(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let other = text.chars().filter(|character| !character.is_ascii()).count();
    ascii.div_ceil(3) + (other * 3).div_ceil(2)
}

/// The first `limit` characters of a text, marked with an ellipsis (which counts) when something was cut.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(limit.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_costs_a_third_and_anything_else_one_and_a_half() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("abcd"), 2);
        assert_eq!(estimate("工具"), 3);
        assert_eq!(estimate("a工"), 3);
    }

    #[test]
    fn a_cut_text_is_never_longer_than_the_limit() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("ab cd", 4), "ab…");
        assert_eq!(cut("工具箱子", 3), "工具…");
    }
}
