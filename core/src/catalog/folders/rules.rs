//! What a project's ignore files say of its folders. Knows nothing of where a walk is.

use ignore::gitignore::Gitignore;
use serde::{Deserialize, Serialize};

use super::super::conditions::{globs_of, is_inside, verdict};

/// Folders that package managers and interpreters keep: no ignore file has to name them.
const NEVER: [&str; 2] = ["node_modules", "__pycache__"];

/// Lines of one ignore file that are read.
const MOST_LINES: usize = 2_000;

/// One ignore file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "IgnoreRules")
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rules {
    /// The folder that it lies in, relative to the folder that all paths are relative to.
    pub at: String,
    /// Its text.
    pub text: String,
}

impl Rules {
    /// Ready to be asked.
    pub(super) fn ready(&self) -> Ready {
        let lines: Vec<&str> = self.text.lines().collect();
        Ready {
            at: self.at.clone(),
            globs: globs_of(&lines, MOST_LINES).0,
        }
    }
}

/// One ignore file, ready to be asked.
#[derive(Debug, Clone)]
pub(super) struct Ready {
    at: String,
    globs: Gitignore,
}

impl Ready {
    /// Whether a path is ignored: of the files that speak of it, the nearest decides.
    pub(super) fn ignore(rules: &[Self], path: &str, is_folder: bool) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        if is_folder && NEVER.contains(&name) {
            return true;
        }
        let judge = |rules: &Self| {
            let start = if rules.at.is_empty() {
                0
            } else {
                rules.at.len() + 1
            };
            let verdict = verdict(&rules.globs, path.get(start..)?, is_folder)?;
            Some((rules.at.len(), verdict))
        };
        let speaking = rules.iter().filter(|rules| is_inside(path, &rules.at));
        speaking
            .filter_map(judge)
            .max_by_key(|(depth, _)| *depth)
            .is_some_and(|(_, verdict)| verdict)
    }

    /// Whether a folder or one above it is ignored or hidden.
    pub(super) fn ignore_any_part_of(rules: &[Self], folder: &str) -> bool {
        let ends = folder
            .match_indices('/')
            .map(|(end, _)| end)
            .chain([folder.len()]);
        ends.filter_map(|end| folder.get(..end)).any(|part| {
            let is_hidden = part.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
            is_hidden || Self::ignore(rules, part, true)
        })
    }
}
