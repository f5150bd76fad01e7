//! The files that a conversation touched, and the skills that waited for them. Knows nothing of policies.

use std::collections::{BTreeSet, HashSet};

use crate::catalog::item::Item;
use crate::catalog::view::Catalogs;

/// How many files are remembered; the oldest are forgotten first. A skill that was seen stays seen until the catalogs change.
pub(super) const REMEMBERED_FILES: usize = 4_096;

/// What was touched.
#[derive(Debug, Clone, Default)]
pub(super) struct Touched {
    /// Oldest first, each once.
    paths: Vec<String>,
    known: HashSet<String>,
    /// Skills whose conditions are met by a path.
    met: BTreeSet<String>,
    /// The revision for which that holds, and how many paths were looked at for it.
    at: (u64, usize),
}

impl Touched {
    /// Notes a file; whether it is a new one.
    pub(super) fn add(&mut self, path: &str) -> bool {
        if !self.known.insert(path.to_owned()) {
            return false;
        }
        if self.paths.len() >= REMEMBERED_FILES {
            let forgotten = REMEMBERED_FILES / 8;
            for path in self.paths.drain(..forgotten) {
                self.known.remove(&path);
            }
            self.at.1 = self.at.1.saturating_sub(forgotten);
        }
        self.paths.push(path.to_owned());
        true
    }

    /// The skills whose conditions are met: for the same revision, only what was touched since is looked at.
    pub(super) fn met_in(&mut self, catalogs: &Catalogs) -> &BTreeSet<String> {
        let (revision, looked_at) = self.at;
        let is_new = revision != catalogs.revision;
        if is_new {
            self.met.clear();
        }
        let paths = self
            .paths
            .get(if is_new { 0 } else { looked_at }..)
            .unwrap_or_default();
        if !paths.is_empty() {
            for skill in catalogs.skills.seen_through(None) {
                let conditions = skill.conditions();
                let waits = !conditions.is_empty() && !self.met.contains(skill.id());
                if waits && paths.iter().any(|path| conditions.are_met_by(path)) {
                    self.met.insert(skill.id().to_owned());
                }
            }
        }
        self.at = (catalogs.revision, self.paths.len());
        &self.met
    }

    #[cfg(test)]
    pub(super) fn paths(&self) -> &[String] {
        &self.paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Analyzer;

    fn catalogs(revision: u64, skills: &str) -> Catalogs {
        let mut catalogs = Catalogs {
            revision,
            ..Catalogs::default()
        };
        let items: Vec<Box<serde_json::value::RawValue>> = serde_json::from_str(skills).unwrap();
        catalogs.skills.register(&items, &mut Analyzer::new());
        catalogs
    }

    const SKILLS: &str = r#"[{"id":"a","paths":["*.ts"]},{"id":"b","paths":["docs/"]},{"id":"c"}]"#;

    #[test]
    fn a_touched_file_meets_the_conditions_that_match_it() {
        let mut touched = Touched::default();
        let catalogs = catalogs(1, SKILLS);
        assert!(touched.met_in(&catalogs).is_empty());
        assert!(touched.add("src/x.ts") && !touched.add("src/x.ts"));
        assert_eq!(touched.met_in(&catalogs).iter().collect::<Vec<_>>(), ["a"]);
        touched.add("docs/x.md");
        assert_eq!(touched.met_in(&catalogs).iter().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn a_skill_that_comes_after_the_touch_is_met_and_one_whose_pattern_changed_is_not() {
        let mut touched = Touched::default();
        touched.add("src/x.ts");
        assert!(touched.met_in(&catalogs(1, "[]")).is_empty());
        assert_eq!(touched.met_in(&catalogs(2, SKILLS)).len(), 1);
        assert!(
            touched
                .met_in(&catalogs(3, r#"[{"id":"a","paths":["*.py"]}]"#))
                .is_empty()
        );
    }

    #[test]
    fn as_many_files_as_you_like_cost_a_bounded_memory() {
        let mut touched = Touched::default();
        let catalogs = catalogs(1, SKILLS);
        touched.add("first.ts");
        for number in 0..REMEMBERED_FILES * 2 {
            touched.add(&format!("file{number}.md"));
            if number % 1_000 == 0 {
                touched.met_in(&catalogs);
            }
        }
        assert!(touched.paths.len() <= REMEMBERED_FILES && touched.known.len() == touched.paths.len());
        assert_eq!(touched.met_in(&catalogs).len(), 1);
    }
}
