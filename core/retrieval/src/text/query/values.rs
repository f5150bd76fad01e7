//! Which stretches of a query are values for parameters: what is quoted, a block of code, an address, a path, a number, a date.
//!
//! Must not know terms, the catalog and what a value is worth. A query says in its own words what is wanted; a value is what
//! the tool will be handed, and that a text has its words is rather an accident.

use crate::text::chunk::{Shape, Token};

/// Endings of what is an address or a file, not a word.
const ENDINGS: [&str; 19] = [
    "com", "org", "csv", "txt", "pdf", "json", "xml", "png", "jpg", "jpeg", "doc", "docx", "xlsx", "md",
    "mp3", "mp4", "html", "zip", "wav",
];
/// A longer stretch is not searched for what stands behind its digits, so that the work is bounded.
const LONGEST_COUNTED: usize = 512;
/// What stands around a block of code.
const FENCE: &str = "```";

/// Visits the stretches of a query in their order, each with whether it is a value as a whole: quotations (from where to where
/// they reach, ascending) and blocks of code, addresses and paths. The others are what stands between two spaces.
pub(super) fn stretches<'a>(
    query: &'a str,
    mut quotations: Vec<(usize, usize)>,
    visit: &mut impl FnMut(&'a str, bool),
) {
    blocks(query, &mut quotations);
    quotations.sort_unstable();
    let mut at = 0;
    for (start, end) in quotations {
        // What is quoted within a quotation is a part of it.
        if start >= at {
            pieces(query.get(at..start).unwrap_or_default(), visit);
            visit(query.get(start..end).unwrap_or_default(), true);
            at = end;
        }
    }
    pieces(query.get(at..).unwrap_or_default(), visit);
}

fn pieces<'a>(text: &'a str, visit: &mut impl FnMut(&'a str, bool)) {
    for piece in text.split_whitespace() {
        visit(piece, is_address(piece));
    }
}

/// Adds the blocks of code; one without an end is none.
fn blocks(query: &str, found: &mut Vec<(usize, usize)>) {
    let mut fences = query.match_indices(FENCE).map(|(at, _)| at);
    while let (Some(start), Some(end)) = (fences.next(), fences.next()) {
        found.push((start, end + FENCE.len()));
    }
}

/// Whether what stands between two spaces is the address of a page or a person, a path, or the name of a file.
fn is_address(piece: &str) -> bool {
    let piece = piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let bytes = piece.as_bytes();
    let is_word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    let has_name = || {
        let mut marks = piece.match_indices('@').map(|(at, _)| at);
        marks.any(|at| is_word(at.checked_sub(1)) && is_word(at.checked_add(1)))
    };
    let has_ending = || {
        let (name, ending) = piece.rsplit_once('.').unwrap_or_default();
        !name.is_empty() && ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    piece.contains("://")
        || piece.starts_with("www.")
        || piece.split('/').filter(|part| !part.is_empty()).nth(2).is_some()
        || has_name()
        || has_ending()
}

/// Whether a token of a stretch that is no value as a whole is one: a number, what counts it in a script without spaces, a
/// part of a date.
pub(super) fn is_value(token: &Token<'_>, stretch: &str) -> bool {
    match token.shape {
        Shape::Pair => stretch.len() <= LONGEST_COUNTED && counts(token.text, stretch),
        Shape::Word | Shape::Letter | Shape::Whole => {
            token.text.bytes().any(|byte| byte.is_ascii_digit()) || is_of_date(token.text)
        }
    }
}

/// Whether it stands directly behind a digit: `6월`, `500円`.
fn counts(pair: &str, stretch: &str) -> bool {
    let mut places = stretch.match_indices(pair).map(|(at, _)| at);
    places.any(|at| {
        let before = stretch.get(..at).and_then(|before| before.chars().next_back());
        before.is_some_and(char::is_numeric)
    })
}

/// `may` is a stop word.
fn is_of_date(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "today"
            | "tonight"
            | "tomorrow"
            | "yesterday"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(query: &str) -> Vec<&str> {
        let mut found = Vec::new();
        stretches(query, Vec::new(), &mut |stretch, is_value| {
            if is_value {
                found.push(stretch);
            }
        });
        found
    }

    #[test]
    fn addresses_paths_and_files_are_values_and_names_of_tools_are_not() {
        for (query, expected) in [
            ("open https://x.io/a, please", &["https://x.io/a,"] as &[&str]),
            ("write to (ann@example.org).", &["(ann@example.org)."]),
            ("what links to www.example.net?", &["www.example.net?"]),
            ("save it as /root/notes/today", &["/root/notes/today"]),
            (
                "sum up Report.PDF and example.com",
                &["Report.PDF", "example.com"],
            ),
            (
                "call github/create_issue or read/write in ASP.NET, Node.js v2.0",
                &[],
            ),
            ("meet @ann at 5 and/or later. com", &[]),
            ("", &[]),
        ] {
            assert_eq!(values(query), expected, "{query}");
        }
    }

    #[test]
    fn a_block_of_code_is_one_value_and_a_quotation_in_it_a_part_of_it() {
        let query = "why does ```let x = \"a\";``` fail ```";
        let mut found = Vec::new();
        stretches(query, vec![(20, 23)], &mut |stretch, is_value| {
            found.push((stretch, is_value));
        });
        assert_eq!(
            found,
            [
                ("why", false),
                ("does", false),
                ("```let x = \"a\";```", true),
                ("fail", false),
                ("```", false)
            ]
        );
    }

    #[test]
    fn every_stretch_is_visited_once_and_in_order() {
        let query = "a 'b c' d \u{201c}e\u{201d} f";
        let mut all = String::new();
        stretches(query, vec![(10, 17), (2, 7)], &mut |stretch, _| {
            all.push_str(stretch)
        });
        let without_spaces: String = query.split(' ').collect();
        assert_eq!(all.split(' ').collect::<String>(), without_spaces);
    }
}
