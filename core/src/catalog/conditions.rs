//! Files whose touch makes an item visible: patterns as a `.gitignore` writes them. Knows nothing of who touched what.

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::{Deserialize, Serialize};

/// Most patterns of one item.
const MOST_PATTERNS: usize = 100;

/// Longest pattern, in bytes.
const PATTERN_BYTES: usize = 1_000;

/// On which touched files an item depends; on none without patterns and without a folder.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Conditions {
    written: Written,
    globs: Option<Gitignore>,
    unreadable: Vec<String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Written {
    paths: Vec<String>,
    below: Option<String>,
}

impl Conditions {
    /// The condition that a file matches one of these patterns and lies below this folder, both of the project.
    pub fn new(paths: Vec<String>, below: Option<String>) -> Self {
        Self::from(Written { paths, below })
    }

    /// Whether the item is visible whatever is touched.
    pub fn is_empty(&self) -> bool {
        self.globs.is_none() && self.written.below.is_none()
    }

    /// Whether the touch of this file, relative to the project, makes the item visible.
    pub fn are_met_by(&self, path: &str) -> bool {
        let is_below = self
            .written
            .below
            .as_deref()
            .is_none_or(|folder| is_inside(path, folder));
        is_below && self.globs.as_ref().is_none_or(|globs| selects(globs, path))
    }

    /// The patterns that cannot be read; they match nothing.
    pub fn unreadable(&self) -> &[String] {
        &self.unreadable
    }
}

impl From<Written> for Conditions {
    fn from(written: Written) -> Self {
        let lines = written.paths.iter().map(|pattern| pattern.trim());
        let lines: Vec<&str> = lines.filter(|pattern| !pattern.is_empty()).collect();
        let (globs, unreadable) = globs_of(&lines, MOST_PATTERNS);
        let is_conditional = !lines.is_empty();
        Self {
            globs: is_conditional.then_some(globs),
            unreadable,
            written,
        }
    }
}

impl From<Conditions> for Written {
    fn from(conditions: Conditions) -> Self {
        conditions.written
    }
}

impl Clone for Conditions {
    fn clone(&self) -> Self {
        Self::from(self.written.clone())
    }
}

/// Lines of a `.gitignore` as something that can be asked, and the lines that cannot be read or are too many.
pub fn globs_of(lines: &[&str], most: usize) -> (Gitignore, Vec<String>) {
    let mut builder = GitignoreBuilder::new("");
    let mut unreadable = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let is_bounded = place < most && line.len() <= PATTERN_BYTES;
        if !is_bounded || builder.add_line(None, line).is_err() {
            unreadable.push((*line).to_owned());
        }
    }
    (builder.build().unwrap_or_else(|_| Gitignore::empty()), unreadable)
}

/// Whether the patterns select a path or a folder above it: the nearest that they speak of decides.
fn selects(globs: &Gitignore, path: &str) -> bool {
    let mut rest = path;
    let mut is_folder = false;
    while !rest.is_empty() {
        if let Some(verdict) = verdict(globs, rest, is_folder) {
            return verdict;
        }
        rest = rest.rsplit_once('/').map_or("", |(parent, _)| parent);
        is_folder = true;
    }
    false
}

/// What the patterns say of a path, when they speak of it.
pub fn verdict(globs: &Gitignore, path: &str, is_folder: bool) -> Option<bool> {
    match globs.matched(path, is_folder) {
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
        Match::None => None,
    }
}

/// A path relative to the project in its shortest form; `None` for one that is absolute or leads out.
pub fn project_path(path: &str) -> Option<String> {
    let is_drive = path.get(1..2) == Some(":") && path.starts_with(|c: char| c.is_ascii_alphabetic());
    if path.starts_with('/') || path.starts_with('\\') || is_drive {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Whether a path lies inside a folder; in the empty one lies everything.
pub fn is_inside(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(patterns: &[&str], path: &str) -> bool {
        let paths = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        Conditions::new(paths, None).are_met_by(path)
    }

    #[test]
    fn patterns_are_read_as_git_reads_them() {
        assert!(met(&["*.ts"], "src/deep/a.ts"));
        assert!(!met(&["*.ts"], "src/a.tsx"));
        assert!(met(&["/a.ts"], "a.ts") && !met(&["/a.ts"], "src/a.ts"));
        assert!(met(&["docs/"], "docs/guide/a.md") && !met(&["docs/"], "docs"));
        assert!(met(&["src/**/*.{ts,tsx}"], "src/a/b.tsx") && met(&["src/**/*.ts"], "src/b.ts"));
        assert!(!met(&["*.ts", "!gen.ts"], "src/gen.ts") && met(&["*.ts", "!gen.ts"], "src/a.ts"));
        assert!(!met(&["# comment"], "# comment"));
    }

    #[test]
    fn without_patterns_and_folder_nothing_is_a_condition() {
        assert!(Conditions::new(vec![String::new()], None).is_empty());
        assert!(!Conditions::new(vec!["a".to_owned()], None).is_empty());
        let below = Conditions::new(Vec::new(), Some("packages/api".to_owned()));
        assert!(below.are_met_by("packages/api/a.ts") && !below.are_met_by("packages/api2/a.ts"));
    }

    #[test]
    fn a_pattern_that_cannot_be_read_matches_nothing_and_is_named() {
        let conditions = Conditions::new(vec!["a{b".to_owned(), "x".repeat(2_000)], None);
        assert_eq!(conditions.unreadable().len(), 2);
        assert!(!conditions.is_empty() && !conditions.are_met_by("a{b"));
    }

    #[test]
    fn a_path_that_leads_out_of_the_project_is_none() {
        assert_eq!(project_path("./src//../a.ts").as_deref(), Some("a.ts"));
        for path in [
            "",
            ".",
            "/etc/passwd",
            "../a",
            "a/../../b",
            "C:\\a",
            "\\\\host\\a",
        ] {
            assert_eq!(project_path(path), None, "{path}");
        }
    }

    #[test]
    fn conditions_survive_being_saved() {
        let conditions = Conditions::new(vec!["*.ts".to_owned()], Some("src".to_owned()));
        let bytes = postcard::to_stdvec(&conditions).unwrap();
        let loaded: Conditions = postcard::from_bytes(&bytes).unwrap();
        assert!(loaded.are_met_by("src/a.ts") && !loaded.are_met_by("a.ts"));
    }
}
