//! A skill of a folder as an item of the catalog: its front matter under the names of the wire. Knows nothing of other skills.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::super::diagnostic::Diagnostic;
use super::super::ingest;
use super::super::skill::{Skill, SkillSource};
use super::super::skill_file::SkillFile;

/// What is written of a skill in the catalog.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    when_to_use: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_tools: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument_hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disable_model_invocation: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_invocable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compatibility: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    extra: &'a Map<String, Value>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    resources: &'a [String],
    source: &'a SkillSource,
}

/// The item of a file: what its front matter says, where it lies, and its body for the index.
pub(super) fn item(
    file: SkillFile,
    id: &str,
    resources: &[String],
    source: &SkillSource,
    place: u32,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Skill> {
    let fields = &file.front_matter;
    let named = [&fields.tools, &fields.allowed_tools]
        .into_iter()
        .flatten()
        .flatten();
    let mut tools: Vec<&str> = Vec::new();
    for tool in named.map(|tool| tool.split('(').next().unwrap_or(tool).trim()) {
        if !tool.is_empty() && !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    let written = serde_json::to_string(&Written {
        id,
        name: fields.name.as_deref().filter(|name| *name != id),
        description: fields.description.as_deref(),
        when_to_use: fields.when_to_use.as_deref(),
        tags: fields.tags.as_deref(),
        tools,
        allowed_tools: fields.allowed_tools.as_deref(),
        paths: fields.paths.as_deref(),
        context: fields.context.as_deref(),
        model: fields.model.as_deref(),
        effort: fields.effort.as_deref(),
        arguments: fields.arguments.as_deref(),
        argument_hint: fields.argument_hint.as_deref(),
        disable_model_invocation: fields.disable_model_invocation,
        user_invocable: fields.user_invocable,
        license: fields.license.as_deref(),
        compatibility: fields.compatibility.as_deref(),
        metadata: fields.metadata.as_ref(),
        extra: &fields.extra,
        resources,
        source,
    });
    let raw = RawValue::from_string(written.ok()?).ok()?;
    let skill: Skill = ingest::read(&raw, place, diagnostics)?;
    Some(skill.with_body(file.body))
}
