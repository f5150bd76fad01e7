//! A `SKILL.md` as text: front matter and body, read leniently, with a finding for every fault.
//!
//! Knows nothing of files: the host reads them. A fault costs as little as it can: one bad field is passed over, a bad line is
//! read as it stands, and only a skill without a description is refused (by the caller, which knows where it lies).

mod fields;
mod salvage;
pub mod specification;
mod split;
#[cfg(test)]
mod tests;
mod yaml;

pub use fields::FrontMatter;

use super::diagnostic::Severity;
use crate::error::ErrorCode;
use crate::settled::settled;
use crate::text::strip_text;

/// Faults of one file that are named.
const MOST_FINDINGS: usize = 50;

/// One `SKILL.md`.
#[derive(Debug)]
pub struct SkillFile {
    /// What its front matter says.
    pub front_matter: FrontMatter,
    /// What stands behind the front matter, with line feeds at the ends of lines and nothing invisible.
    pub body: String,
    /// What is wrong with it, in the order of lines.
    pub findings: Vec<Finding>,
}

/// One fault of a `SKILL.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The stable code.
    pub code: ErrorCode,
    /// An error where something was lost, a warning where everything could be read.
    pub severity: Severity,
    /// The line of the file, from 1.
    pub line: Option<u32>,
    /// Names the thing, the reason and the remedy.
    pub message: String,
}

impl Finding {
    fn new(code: ErrorCode, severity: Severity, line: usize, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            line: u32::try_from(line).ok().filter(|line| *line > 0),
            message: message.into(),
        }
    }

    /// Front matter that is not YAML as it should be, but could be read.
    fn repaired(line: usize, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidFrontMatter, Severity::Warning, line, message)
    }

    /// Front matter of which something could not be read.
    fn lost(line: usize, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidFrontMatter, Severity::Error, line, message)
    }
}

impl SkillFile {
    /// Reads the text of a `SKILL.md`.
    pub fn read(text: &str) -> Self {
        let (text, mut findings) = split::normalize(text);
        let parts = split::split(&text, &mut findings);
        let mapping = match yaml::mapping(parts.front_matter) {
            Ok(mapping) => mapping,
            Err(fault) => salvage::mapping(parts.front_matter, &fault, parts.line, &mut findings),
        };
        let front_matter = fields::read(mapping, parts.line, &mut findings);
        in_order(&mut findings);
        Self {
            front_matter,
            body: parts.body.to_owned(),
            findings,
        }
    }

    /// The body of a `SKILL.md` without a look at its front matter.
    pub fn body_of(text: &str) -> String {
        let (text, mut findings) = split::normalize(text);
        split::split(&text, &mut findings).body.to_owned()
    }
}

/// In the order of lines, and no more than can be read.
fn in_order(findings: &mut Vec<Finding>) {
    *findings = settled(std::mem::take(findings), &|left, right| {
        left.line.cmp(&right.line)
    });
    if findings.len() > MOST_FINDINGS {
        let more = findings.len() - MOST_FINDINGS;
        findings.truncate(MOST_FINDINGS);
        let message = format!("{more} more faults are not named here; correct these first");
        findings.push(Finding::lost(0, message));
    }
}

/// Text of a file as it is handed on: with line feeds at the ends of lines and nothing invisible.
pub fn plain_lines(text: &str) -> String {
    let text = line_feeds(text);
    strip_text(&text).unwrap_or(text)
}

fn line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
