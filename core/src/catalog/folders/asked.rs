//! What a host asks to be searched, and how far. Knows nothing of what is found.

use serde::{Deserialize, Serialize};

use super::rules::Rules;

/// Who put a skill there. An earlier scope comes before a later one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SkillScope")
)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// The project that is worked on.
    #[default]
    Project,
    /// The person who works.
    User,
    /// The program itself.
    Bundled,
}

/// A folder to search.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SkillRoot")
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Root {
    /// Where it is, as the host writes paths.
    pub path: String,
    /// Who put its skills there (default project).
    #[serde(default)]
    pub scope: Scope,
    /// The folder of the project that its skills belong to: they are visible once a file below it was touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
    /// What the ignore files of the project say, from the project's own folder down to `below`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rules>,
    /// How far it is searched.
    #[serde(default)]
    pub bounds: Bounds,
}

/// What is searched although it is skipped by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "FolderInclude")
)]
#[serde(rename_all = "camelCase")]
pub enum Include {
    /// Folders whose names begin with a dot.
    Hidden,
    /// Folders that an ignore file names, and those of package managers.
    Ignored,
    /// Links, as long as they stay inside of the root.
    Linked,
}

/// How far a folder is searched.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "FolderBounds")
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bounds {
    /// How deep (default 6).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How many folders (default 2,000).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folders: Option<u32>,
    /// What is not skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include: Option<Vec<Include>>,
}
