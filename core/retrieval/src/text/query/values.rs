//! Which stretches of a query are values for parameters: what is quoted, a block of code, an address, a path, a number, a date.
//!
//! Must not know terms, the catalog and what a value is worth. A query says in its own words what is wanted; a value is what
//! the tool will be handed, and that a text has its words is rather an accident.

use super::{QUOTES, closes};
use crate::settled::settled;
use crate::text::chunk::{Shape, Token};
use crate::text::cjk::Script;

/// Endings of what is an address or a file, not a word.
const ENDINGS: [&str; 19] = [
    "com", "org", "csv", "txt", "pdf", "json", "xml", "png", "jpg", "jpeg", "doc", "docx", "xlsx", "md",
    "mp3", "mp4", "html", "zip", "wav",
];
/// A longer stretch is not searched for what stands behind its digits, so that the work is bounded.
const LONGEST_COUNTED: usize = 512;
/// What stands around a block of code.
const FENCE: &str = "```";

/// Visits the stretches of a query in their order, each with whether it is a value as a whole: quotations, blocks of code,
/// addresses and paths. The others are what stands between two spaces.
pub(super) fn stretches<'a>(query: &'a str, visit: &mut impl FnMut(&'a str, bool)) {
    let mut found = Vec::new();
    blocks(query, &mut found);
    for (open, close) in QUOTES {
        quotations(query, open, close, &mut found);
    }
    if found.len() > 1 {
        found = settled(found, &|left, right| left.cmp(right));
    }
    let mut at = 0;
    for (start, end) in found {
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
        if !is_address(piece) {
            visit(piece, false);
            continue;
        }
        // In a sentence without spaces an address is as long as its letters are not those of the sentence.
        let is_unspaced = |c: char| Script::of(c) != Script::Spaced;
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| is_unspaced(c) != is_unspaced(first));
            let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
            visit(run, is_address(run));
            rest = after;
        }
    }
}

/// Adds what stands between marks of one kind, however long it is. One walk: a mark that opens once more, before a word and behind
/// a space, takes the place of one that nothing ended.
fn quotations(query: &str, open: char, close: &[char], found: &mut Vec<(usize, usize)>) {
    let mut started = None;
    for (at, mark) in query.match_indices(|c| c == open || close.contains(&c)) {
        let Some(c) = mark.chars().next() else { continue };
        let inside = at + mark.len();
        let before = query.get(..at).and_then(|before| before.chars().next_back());
        let after = query.get(inside..).and_then(|after| after.chars().next());
        let begins = before.is_none_or(char::is_whitespace) && after.is_some_and(char::is_alphanumeric);
        match started {
            Some(start) if !(c == open && begins) && closes(query, at, c, close) => {
                if start < at {
                    found.push((start, at));
                }
                started = None;
            }
            _ if c == open && !before.is_some_and(is_within_word) => started = Some(inside),
            _ => {}
        }
    }
}

/// Whether a mark behind it stands in a word: an apostrophe, an inch, an abbreviation. Scripts without spaces set quotations beside words.
fn is_within_word(c: char) -> bool {
    c.is_alphanumeric() && Script::of(c) == Script::Spaced
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
        || piece.contains(":\\")
        || (piece.starts_with('/') && piece.split('/').filter(|part| !part.is_empty()).nth(1).is_some())
        || has_name()
        || has_ending()
}

/// Whether a token of a stretch that is no value as a whole is one: a number, what counts it in a script without spaces, a
/// part of a date.
pub(super) fn is_value(token: &Token<'_>, stretch: &str) -> bool {
    match token.shape {
        Shape::Pair | Shape::Syllables | Shape::Root => {
            stretch.len() <= LONGEST_COUNTED && counts(token.text, stretch)
        }
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
        stretches(query, &mut |stretch, is_value| {
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
            ("create/update/delete github/issues/labels", &[]),
            (r"put it into C:\Users\ann", &[r"C:\Users\ann"]),
            ("发送邮件到ann@example.com并创建会议", &["ann@example.com"]),
            (
                "打开网页https://example.com/a并创建会议",
                &["https://example.com/a"],
            ),
            ("", &[]),
        ] {
            assert_eq!(values(query), expected, "{query}");
        }
    }

    #[test]
    fn a_quotation_is_as_long_as_it_is_and_no_mark_in_a_word_begins_one() {
        let long = "Hello. ".repeat(3_000);
        for (query, expected) in [
            (
                format!("translate \"{long}\" and send"),
                &[long.as_str()] as &[&str],
            ),
            (format!("translate `{long}` for \"Ann\""), &[long.as_str(), "Ann"]),
            ("a 5\" pipe, Ann's and users' things".to_owned(), &[]),
            ("say \"hello and send it to \"Ann\"".to_owned(), &["Ann"]),
            ("שלח דו\"ח חודשי ללקוח וגם למנכ\"ל".to_owned(), &[]),
            ("le café' rapport facture' courriel".to_owned(), &[]),
            ("把\"报告\"发送".to_owned(), &["报告"]),
            (
                "an empty \"\" and ‘one’ „two“ «three» 「four」".to_owned(),
                &["one", "two", "three", "four"],
            ),
        ] {
            assert_eq!(values(&query), expected, "{query:.60}");
        }
    }

    #[test]
    fn a_block_of_code_is_one_value_and_a_quotation_in_it_a_part_of_it() {
        let query = "why does ```let x = \"a\";``` fail ```";
        let mut found = Vec::new();
        stretches(query, &mut |stretch, is_value| {
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
        stretches(query, &mut |stretch, _| all.push_str(stretch));
        let without_spaces: String = query.split(' ').collect();
        assert_eq!(all.split(' ').collect::<String>(), without_spaces);
    }
}
