//! Where the front matter of a `SKILL.md` ends and its body begins. Knows nothing of YAML.

use super::{Finding, line_feeds};
use crate::catalog::diagnostic::Severity;
use crate::error::ErrorCode;
use crate::text::strip_text;

/// Longest front matter that is read, in bytes.
const FRONT_MATTER_BYTES: usize = 64 * 1024;

/// The two parts of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parts<'a> {
    /// What stands between the two lines of `---`.
    pub(super) front_matter: &'a str,
    /// How many lines stand before it.
    pub(super) line: usize,
    /// What stands behind the second one.
    pub(super) body: &'a str,
}

/// The text with line feeds at the ends of lines, without a byte order mark and without invisible characters.
pub(super) fn normalize(text: &str) -> (String, Vec<Finding>) {
    let text = line_feeds(text.strip_prefix('\u{feff}').unwrap_or(text));
    let Some(visible) = strip_text(&text) else {
        return (text, Vec::new());
    };
    let line = text.split('\n').position(|line| strip_text(line).is_some());
    let message = "the file holds invisible characters, which were taken out; check where the text came from";
    let finding = Finding::new(
        ErrorCode::InvisibleText,
        Severity::Warning,
        line.map_or(0, |line| line + 1),
        message,
    );
    (visible, vec![finding])
}

/// Splits a file at its first two lines that are `---`. Only a whole line counts, from its first column on: the same three
/// dashes inside a value are part of the value.
pub(super) fn split<'a>(text: &'a str, findings: &mut Vec<Finding>) -> Parts<'a> {
    let content = text.trim_start_matches(|c: char| c.is_whitespace());
    let skipped = text.len() - content.len();
    let blank_lines = text.get(..skipped).unwrap_or_default().matches('\n').count();
    let whole = |line| Parts {
        front_matter: "",
        line,
        body: text,
    };
    let Some((first, rest)) = content.split_once('\n').or(Some((content, ""))) else {
        return whole(0);
    };
    if !is_fence(first) {
        let message =
            "there is no front matter; begin the file with a line `---`, the fields, and another line `---`";
        findings.push(Finding::lost(1, message));
        return whole(0);
    }
    if skipped > 0 {
        let message =
            "the front matter begins behind white space; the line `---` must be the first of the file";
        findings.push(Finding::repaired(blank_lines + 1, message));
    }
    let line = blank_lines + 1;
    let mut end = 0;
    for row in rest.split_inclusive('\n') {
        let behind = end + row.len();
        if is_fence(row) {
            let is_bounded = end <= FRONT_MATTER_BYTES;
            if !is_bounded {
                let message =
                    "the front matter is larger than 64 KiB, and was not read; move text into the body";
                findings.push(Finding::lost(line, message));
            }
            return Parts {
                front_matter: rest.get(..end).filter(|_| is_bounded).unwrap_or_default(),
                line,
                body: rest.get(behind..).unwrap_or_default().trim_start_matches('\n'),
            };
        }
        end = behind;
    }
    let message = "the front matter has no end; put a line `---` behind its last field";
    findings.push(Finding::lost(line, message));
    unclosed(rest, line)
}

/// Front matter that nobody closed ends before its first blank line.
fn unclosed(rest: &str, line: usize) -> Parts<'_> {
    let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
    let end = if end <= FRONT_MATTER_BYTES { end } else { 0 };
    Parts {
        front_matter: rest.get(..end).unwrap_or_default(),
        line,
        body: rest.get(end..).unwrap_or_default().trim_start_matches('\n'),
    }
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}
