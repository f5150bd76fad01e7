//! The text of an item that a model embeds. Knows nothing of models.

use crate::text::word_parts;

/// The longest text, in bytes: more than any model reads of it.
const MOST: usize = 8 * 1024;

/// Parts of a text, one a line, blank ones left out.
pub(super) fn passage(parts: &[&str]) -> String {
    let mut text = String::new();
    for part in parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
    {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(part);
    }
    text.truncate(text.floor_char_boundary(MOST));
    text
}

/// An identifier as a person would say it: `createPullRequest` is `create pull request`.
pub(super) fn readable(name: &str) -> String {
    let mut said = String::with_capacity(name.len() + 8);
    for run in name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|run| !run.is_empty())
    {
        word_parts(run, &mut |part, is_upper| {
            if !said.is_empty() {
                said.push(' ');
            }
            if is_upper {
                said.push_str(part);
            } else {
                said.extend(part.chars().flat_map(char::to_lowercase));
            }
        });
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_words_and_an_acronym_stays_one() {
        for (name, words) in [
            ("createPullRequest", "create pull request"),
            ("list_S3_buckets", "list S3 buckets"),
            ("HTTPServer.stop", "HTTP server stop"),
            ("удалить_файл", "удалить файл"),
            ("__", ""),
        ] {
            assert_eq!(readable(name), words);
        }
    }

    #[test]
    fn blank_parts_leave_no_line_and_a_long_text_ends_at_a_letter() {
        assert_eq!(passage(&["a", " ", "b "]), "a\nb");
        assert_eq!(passage(&["", ""]), "");
        assert_eq!(passage(&["x", &"é".repeat(9_000)]).len(), MOST);
        assert_eq!(passage(&["xy", &"é".repeat(9_000)]).len(), MOST - 1);
    }
}
