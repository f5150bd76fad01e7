//! What the host said of a server. Knows nothing of the server's tools: a tool names its server, never the reverse.

use serde::{Deserialize, Serialize};

/// Whether a server can be used now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ServerStatus {
    /// Its tools can be called (the default).
    #[default]
    Ready,
    /// It is still starting: named in `pending` of a search.
    Pending,
    /// It is down: its tools are found, marked `unavailable`.
    Unavailable,
}

/// What is known of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Server {
    /// The name, as in a tool's `server`.
    pub name: String,
    /// One line for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How to use it, for the model; sent once per session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Whether it can be used now.
    pub status: ServerStatus,
}
