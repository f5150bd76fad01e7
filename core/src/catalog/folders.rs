//! Which folders are searched for skills, and in which order: a walk that the host carries out, level by level.
//!
//! Knows nothing of files but what a listing says. A walk is plain JSON that travels with each listing, so core keeps none. It
//! ends at the first `SKILL.md` of a branch: what lies below belongs to that skill, as its resources.

mod asked;
mod listing;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::conditions::is_inside;
use crate::error::{Error, ErrorCode, Result};
use crate::settled::settled;

use rules::Ready;

pub use asked::{Bounds, Include, Root, Scope};
pub use listing::{Entry, EntryKind, Listing, SkipReason, Skipped};
pub use rules::Rules;

/// How deep a root is searched for skills, and a skill for resources, unless the host says otherwise.
const DEPTH: u32 = 6;

/// How many folders are listed in one walk, unless the host says otherwise. Those inside of skills count apart.
const FOLDERS: u32 = 2_000;

/// Folders inside of one skill that are listed.
const FOLDERS_OF_SKILL: u32 = 64;

/// Resources of one skill.
const RESOURCES: usize = 256;

/// Most entries of one folder that a host is to read.
pub const ENTRIES: u32 = 10_000;

/// Largest file that a host is to read, in bytes.
pub const FILE_BYTES: u32 = 1_048_576;

/// Most places that are named among the skipped ones; beyond, they are counted.
const NAMED_SKIPS: usize = 1_000;

/// A skill that was found.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The place of its root in the list.
    pub root: usize,
    /// Its folder, relative to the root; empty when it is the root itself.
    pub path: String,
    /// The name of its file.
    pub file: String,
    /// Its other files, relative to its folder.
    pub resources: Vec<String>,
    folders: u32,
    /// Whether it has more files than are listed.
    is_cut: bool,
}

/// A folder that is to be listed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pending {
    path: String,
    depth: u32,
    /// The skill that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<usize>,
}

/// The state of a walk.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Walk {
    roots: Vec<Root>,
    /// The root that is searched, and its path with all links followed.
    root: usize,
    real: String,
    pending: Vec<Pending>,
    rules: Vec<Rules>,
    /// The same, ready to be asked.
    #[serde(skip)]
    ready: Vec<Ready>,
    seen: BTreeSet<String>,
    /// Folders of the root, outside of skills, that were or will be listed.
    planned: u32,
    found: Vec<Found>,
    skipped: Vec<Skipped>,
    skipped_more: u32,
}

impl Walk {
    /// Begins a walk. Roots are searched in the order of their scopes, and of one scope in the order given.
    pub fn begin(roots: Vec<Root>) -> Self {
        let roots = settled(roots, &|left, right| left.scope.cmp(&right.scope));
        let mut walk = Self {
            roots,
            root: 0,
            real: String::new(),
            pending: Vec::new(),
            rules: Vec::new(),
            ready: Vec::new(),
            seen: BTreeSet::new(),
            planned: 0,
            found: Vec::new(),
            skipped: Vec::new(),
            skipped_more: 0,
        };
        walk.enter_root();
        walk
    }

    /// The folders that are to be listed next; none when the walk is over.
    pub fn to_list(&self) -> Vec<String> {
        self.pending
            .iter()
            .map(|pending| self.full(self.root, &pending.path))
            .collect()
    }

    /// Takes the listings of those folders, in their order.
    pub fn take(&mut self, listings: Vec<Listing>) -> Result<()> {
        if listings.len() != self.pending.len() {
            let message = format!(
                "{} folders were to be listed, and {} listings came; hand one in for each, in their order",
                self.pending.len(),
                listings.len()
            );
            return Err(Error::new(ErrorCode::InvalidRequest, message));
        }
        self.ready = self.rules.iter().map(Rules::ready).collect();
        for (folder, listing) in std::mem::take(&mut self.pending).into_iter().zip(listings) {
            self.visit(&folder, listing);
        }
        if self.pending.is_empty() {
            self.root += 1;
            self.enter_root();
        }
        Ok(())
    }

    /// The skills, in the order in which one hides another of the same id.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// The root of a skill.
    pub fn root_of(&self, found: &Found) -> Option<&Root> {
        self.roots.get(found.root)
    }

    /// The folder of a skill.
    pub fn folder(&self, found: &Found) -> String {
        self.full(found.root, &found.path)
    }

    /// What was passed over, and how many places more.
    pub fn skipped(&self) -> (&[Skipped], u32) {
        (&self.skipped, self.skipped_more)
    }

    fn full(&self, root: usize, path: &str) -> String {
        let root = self
            .roots
            .get(root)
            .map(|root| root.path.as_str())
            .unwrap_or_default();
        match (root.strip_suffix('/').unwrap_or(root), path) {
            (_, "") => root.to_owned(),
            (root, path) => format!("{root}/{path}"),
        }
    }

    /// Goes on with the next root that is not ignored.
    fn enter_root(&mut self) {
        self.rules.clear();
        self.ready.clear();
        while let Some(root) = self.roots.get(self.root) {
            let rules: Vec<Ready> = root.rules.iter().map(Rules::ready).collect();
            let is_ignored = !self.includes(Include::Ignored)
                && root
                    .below
                    .as_deref()
                    .is_some_and(|below| Ready::ignore_any_part_of(&rules, below));
            if is_ignored {
                self.skip_path(root.path.clone(), SkipReason::Ignored);
                self.root += 1;
                continue;
            }
            self.planned = 1;
            self.pending.push(Pending {
                path: String::new(),
                depth: 0,
                skill: None,
            });
            return;
        }
    }

    fn visit(&mut self, folder: &Pending, listing: Listing) {
        let Some(real) = listing.real else {
            return self.skip(&folder.path, SkipReason::Unreadable);
        };
        if folder.path.is_empty() {
            self.real.clone_from(&real);
        } else if real != self.real && !is_inside(&forward(&real), forward(&self.real).trim_end_matches('/'))
        {
            return self.skip(&folder.path, SkipReason::Outside);
        }
        if !self.seen.insert(real) {
            return self.skip(&folder.path, SkipReason::Seen);
        }
        if let Some(text) = listing.ignore {
            let rules = Rules {
                at: folder.path.clone(),
                text,
            };
            self.ready.push(rules.ready());
            self.rules.push(rules);
        }
        let entries = settled(listing.entries, &|left, right| left.name.cmp(&right.name));
        let skill = folder.skill.or_else(|| self.find(folder, &entries));
        // A skill's own folders are counted from the skill on.
        let depth = if skill == folder.skill { folder.depth } else { 0 };
        let folder = Pending {
            depth,
            ..folder.clone()
        };
        for entry in &entries {
            self.meet(&folder, skill, entry);
        }
        if listing.cut == Some(true) {
            self.skip(&join(&folder.path, "…"), SkipReason::Many);
        }
    }

    /// The skill of this folder, when it is one.
    fn find(&mut self, folder: &Pending, entries: &[Entry]) -> Option<usize> {
        let named = |name: &str| {
            let is_file = |kind| matches!(kind, EntryKind::File | EntryKind::Link);
            entries
                .iter()
                .find(|entry| entry.name == name && is_file(entry.kind))
        };
        let entry = named("SKILL.md").or_else(|| named("skill.md"))?;
        self.found.push(Found {
            root: self.root,
            path: folder.path.clone(),
            file: entry.name.clone(),
            resources: Vec::new(),
            folders: 0,
            is_cut: false,
        });
        Some(self.found.len() - 1)
    }

    fn meet(&mut self, folder: &Pending, skill: Option<usize>, entry: &Entry) {
        let path = join(&folder.path, &entry.name);
        let is_plain = !matches!(entry.name.as_str(), "" | "." | "..") && !entry.name.contains(['/', '\0']);
        let may_be_folder = matches!(entry.kind, EntryKind::Folder | EntryKind::Link);
        if !is_plain || (skill.is_none() && !may_be_folder) || entry.kind == EntryKind::Other {
            return;
        }
        let is_own_file = skill
            .and_then(|skill| self.found.get(skill))
            .is_some_and(|found| found.path == folder.path && found.file == entry.name);
        if is_own_file {
            return;
        }
        if entry.name.starts_with('.') && !self.includes(Include::Hidden) {
            if may_be_folder {
                self.skip(&path, SkipReason::Hidden);
            }
            return;
        }
        if !self.includes(Include::Ignored)
            && Ready::ignore(&self.ready, &path, entry.kind == EntryKind::Folder)
        {
            return self.skip(&path, SkipReason::Ignored);
        }
        match entry.kind {
            EntryKind::Link if !self.includes(Include::Linked) => self.skip(&path, SkipReason::Linked),
            EntryKind::File => self.keep_resource(skill, &path),
            EntryKind::Link if skill.is_some() => self.keep_resource(skill, &path),
            _ => self.descend(folder, skill, path),
        }
    }

    fn keep_resource(&mut self, skill: Option<usize>, path: &str) {
        let Some(found) = skill.and_then(|skill| self.found.get_mut(skill)) else {
            return;
        };
        if found.resources.len() >= RESOURCES {
            if !std::mem::replace(&mut found.is_cut, true) {
                let rest = join(&found.path, "…");
                self.skip(&rest, SkipReason::Many);
            }
            return;
        }
        let inside = if found.path.is_empty() {
            path
        } else {
            path.get(found.path.len() + 1..).unwrap_or_default()
        };
        found.resources.push(inside.to_owned());
    }

    fn descend(&mut self, folder: &Pending, skill: Option<usize>, path: String) {
        if folder.depth >= self.bounds().depth.unwrap_or(DEPTH) {
            return self.skip(&path, SkipReason::Deep);
        }
        let is_full = match skill.and_then(|skill| self.found.get_mut(skill)) {
            Some(found) => {
                found.folders += 1;
                found.folders > FOLDERS_OF_SKILL
            }
            None => {
                let is_full = self.planned >= self.bounds().folders.unwrap_or(FOLDERS);
                self.planned += u32::from(!is_full);
                is_full
            }
        };
        if is_full {
            return self.skip(&path, SkipReason::Many);
        }
        self.pending.push(Pending {
            path,
            depth: folder.depth + 1,
            skill,
        });
    }

    fn bounds(&self) -> Bounds {
        self.roots
            .get(self.root)
            .map(|root| root.bounds.clone())
            .unwrap_or_default()
    }

    fn includes(&self, what: Include) -> bool {
        let include = self.bounds().include;
        include.as_ref().is_some_and(|include| include.contains(&what))
    }

    fn skip(&mut self, path: &str, reason: SkipReason) {
        self.skip_path(self.full(self.root, path), reason);
    }

    fn skip_path(&mut self, path: String, reason: SkipReason) {
        if self.skipped.len() < NAMED_SKIPS {
            self.skipped.push(Skipped { path, reason });
        } else {
            self.skipped_more += 1;
        }
    }
}

fn forward(path: &str) -> String {
    path.replace('\\', "/")
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
