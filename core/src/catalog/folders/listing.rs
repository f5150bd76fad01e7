//! What a host finds in a folder, and what is passed over of it. Knows nothing of walks.

use serde::{Deserialize, Serialize};

use crate::catalog::object::objects;

/// What an entry of a folder is, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "FolderEntryKind")
)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link to anything.
    Link,
    /// Anything else.
    Other,
}

/// One entry of a folder.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "FolderEntry")
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

objects!(Entry);

/// What a host found in one folder.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "FolderListing")
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
pub struct Listing {
    /// The folder's path with all links followed; absent when it cannot be read or is no folder.
    #[serde(default)]
    pub real: Option<String>,
    /// What is in it, in any order.
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// The text of its `.gitignore`.
    #[serde(default)]
    pub ignore: Option<String>,
    /// Whether it has more entries than were to be read.
    #[serde(default)]
    pub cut: Option<bool>,
}

objects!(Listing);

/// Why a place was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SkipReason")
)]
#[serde(rename_all = "camelCase")]
pub enum SkipReason {
    /// Its name begins with a dot.
    Hidden,
    /// An ignore file names it, or a package manager keeps it.
    Ignored,
    /// It is a link.
    Linked,
    /// It leads out of its root.
    Outside,
    /// It was searched under another path.
    Seen,
    /// It lies too deep.
    Deep,
    /// There are too many.
    Many,
    /// It cannot be read, or is not there.
    Unreadable,
}

/// A place that was passed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SkippedPlace")
)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Which.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}
