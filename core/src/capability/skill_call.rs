//! A call that opens a skill, on its way through the host, which hands it back as it is. Knows nothing of how files are read.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::step::Operation;
use crate::catalog::object::objects;
use crate::catalog::visibility::Visible;

/// What a call that opens a skill waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SkillPhase {
    /// A file's text.
    Read,
    /// What a sub-agent made of the skill.
    Fork,
    /// A file's text, for a skill that no sub-agent can follow here.
    ReadInline,
}

/// A call of `get_skill_content` on its way through the host.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SkillCall {
    /// Always `get_skill_content`.
    pub operation: Operation,
    /// The skill.
    pub skill_id: String,
    /// What it waits for.
    pub phase: SkillPhase,
    /// Characters to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// A file of the skill other than its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// What the skill is applied to, as the model sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Box<RawValue>>,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Visibility for this call, on top of the session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<Visible>,
}

objects!(written: SkillCall);
