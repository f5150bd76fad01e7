//! What a prompt would cost that held everything: the number that progressive disclosure is measured against.
//! Knows nothing of what is disclosed.

use serde_json::Value;

use super::definitions::Definitions;
use super::tokens::estimate;
use crate::catalog::item::Item;
use crate::catalog::tool::Tool;
use crate::catalog::view::View;

/// Estimated tokens of every visible tool's definition and every visible skill's name and description.
pub fn catalog_tokens(view: &View<'_>) -> usize {
    let skills = view
        .skills()
        .map(|skill| estimate(skill.bare_name()) + estimate(skill.description()));
    view.tools().map(tool_tokens).chain(skills).sum()
}

/// Whether the definitions of all visible tools cost no more than this. Looks at no more of them than it takes to know.
pub(super) fn tools_fit(view: &View<'_>, limit: f64) -> bool {
    let mut spent = 0;
    view.tools().all(|tool| {
        spent += tool_tokens(tool);
        spent as f64 <= limit
    })
}

fn tool_tokens(tool: &Tool) -> usize {
    let schema = tool.input_schema().unwrap_or(r#"{"type":"object"}"#);
    let (id, description) = (Value::from(tool.id()), Value::from(tool.description()));
    estimate(&format!(
        r#"{{"name":{id},"description":{description},"inputSchema":{schema}}}"#
    ))
}

impl Definitions {
    /// Estimated tokens of the three definitions.
    pub fn tokens(&self) -> usize {
        self.tools.iter().map(|tool| estimate(tool.get())).sum()
    }
}
