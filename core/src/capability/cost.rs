//! What a prompt would cost that held everything: the number that progressive disclosure is measured against.
//! Knows nothing of what is disclosed.

use serde_json::Value;

use super::definitions::Definitions;
use super::tokens::estimate;
use crate::catalog::item::Item;
use crate::catalog::view::View;

/// Estimated tokens of every visible tool's definition and every visible skill's name and description.
pub fn catalog_tokens(view: &View<'_>) -> usize {
    let tools = view.tools().map(|tool| {
        let schema = tool.input_schema().unwrap_or(r#"{"type":"object"}"#);
        let (id, description) = (Value::from(tool.id()), Value::from(tool.description()));
        estimate(&format!(
            r#"{{"name":{id},"description":{description},"inputSchema":{schema}}}"#
        ))
    });
    let skills = view
        .skills()
        .map(|skill| estimate(skill.bare_name()) + estimate(skill.description()));
    tools.chain(skills).sum()
}

impl Definitions {
    /// Estimated tokens of the three definitions.
    pub fn tokens(&self) -> usize {
        self.tools.iter().map(|tool| estimate(tool.get())).sum()
    }
}
