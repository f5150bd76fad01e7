//! What is wrong with one item, as data. Knows nothing of what made it: any layer above may report one.

use serde::Serialize;

use super::item::Kind;
use crate::error::ErrorCode;

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// The item was not taken.
    Error,
    /// The item was taken; something about it deserves a look.
    Warning,
}

/// What is wrong with one item; the others of its batch stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// The stable code.
    pub code: ErrorCode,
    /// Whether the item was taken.
    pub severity: Severity,
    /// Which catalog.
    pub kind: Kind,
    /// The place of the item in the batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// The item's id, when it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// A JSON Pointer (RFC 6901) to the place in the item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The file that the item came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Names the thing, the reason and the remedy.
    pub message: String,
}
