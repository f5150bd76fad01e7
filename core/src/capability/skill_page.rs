//! Pages of a long text, which end on line ends, and where the next one begins. Knows nothing of skills.

/// A whole number from what a model sent, 0 for anything else.
pub(crate) fn whole_number(text: &str) -> usize {
    let text = text.trim_matches('"');
    text.strip_suffix(".0").unwrap_or(text).parse().unwrap_or(0)
}

/// The part of a body that begins at an offset and has at most this many characters, and where the next one begins.
/// It ends behind a line end when there is one in it.
pub(crate) fn page(body: &str, offset: usize, most: usize) -> (&str, Option<usize>) {
    let start = body.char_indices().nth(offset).map_or(body.len(), |(at, _)| at);
    let rest = body.get(start..).unwrap_or_default();
    let Some((end, _)) = rest.char_indices().nth(most.max(1)) else {
        return (rest, None);
    };
    let window = rest.get(..end).unwrap_or_default();
    let shown = match window.rfind('\n') {
        Some(line_end) => window.get(..=line_end).unwrap_or(window),
        None => window,
    };
    (shown, Some(offset + shown.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_page_ends_behind_a_line_and_the_last_line_is_reachable() {
        assert_eq!(page("ab\ncd\nef", 0, 5), ("ab\n", Some(3)));
        assert_eq!(page("ab\ncd\nef", 3, 5), ("cd\nef", None));
        assert_eq!(page("abcdef", 0, 4), ("abcd", Some(4)));
        assert_eq!(page("工具\n箱", 0, 3), ("工具\n", Some(3)));
        assert_eq!(page("ab", 7, 4), ("", None));
        assert_eq!(page("ab", 0, 0), ("a", Some(1)));
    }

    #[test]
    fn an_offset_is_a_whole_number_or_nothing() {
        assert_eq!(
            [
                "3",
                "\"3\"",
                "3.0",
                "-1",
                "1.5",
                "null",
                "[3]",
                "99999999999999999999999"
            ]
            .map(whole_number),
            [3, 3, 3, 0, 0, 0, 0, 0]
        );
    }

    proptest! {
        #[test]
        fn the_pages_of_a_body_are_the_body(body in "[a-c工\n\r]{0,200}", most in 1usize..40) {
            let mut read = String::new();
            let mut offset = 0;
            loop {
                let (part, next) = page(&body, offset, most);
                prop_assert!(part.chars().count() <= most);
                read.push_str(part);
                match next {
                    Some(next) => { prop_assert!(next > offset); offset = next; }
                    None => break,
                }
            }
            prop_assert_eq!(read, body);
        }
    }
}
