//! A tool's parameters in one line, for where a schema costs too much. Knows nothing of budgets.

use serde_json::Value;

use super::declared::Declared;
use super::reply::plain;
use super::shape::Reading;
use crate::catalog::item::Item;
use crate::catalog::tool::Tool;

/// Longest signature, in characters (contract 1).
const LONGEST: usize = 300;

/// Choices that a signature shows.
const CHOICES: usize = 5;

/// Longest name or choice.
const LONGEST_WORD: usize = 40;

/// The signature of a tool: `create_issue(repo: string, title: string, body?: string)`.
pub(crate) fn signature(tool: &Tool) -> String {
    let schema = tool
        .input_schema()
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or(Value::Bool(true));
    signature_of(tool.bare_name(), &schema)
}

/// The signature of a named schema; what must be given comes first.
pub(crate) fn signature_of(name: &str, schema: &Value) -> String {
    let reading = Reading::new(schema);
    let Declared {
        properties, required, ..
    } = reading.declared();
    let is_required = |name: &str| required.contains(name);
    let (given, optional): (Vec<_>, Vec<_>) = properties.iter().partition(|(name, _)| is_required(name));

    let mut line = format!("{}(", word(name));
    let mut first = true;
    for (name, schema) in given.into_iter().chain(optional) {
        let mark = if is_required(name) { "" } else { "?" };
        let comma = if first { "" } else { ", " };
        let parameter = format!("{comma}{}{mark}: {}", word(name), kind_of(schema, &reading, 3));
        // Three characters for what follows when this is not the last one, one for the bracket.
        if line.chars().count() + parameter.chars().count() + 4 > LONGEST {
            line.push_str(comma);
            line.push('…');
            break;
        }
        line.push_str(&parameter);
        first = false;
    }
    line.push(')');
    line
}

fn kind_of(schema: &Value, reading: &Reading<'_>, depth: u32) -> String {
    let schema = reading.follow(schema);
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        return one_of(choices.iter().map(|choice| word(&choice.to_string())).collect());
    }
    if let Some(value) = schema.get("const") {
        return word(&value.to_string());
    }
    let Some(depth) = depth.checked_sub(1) else {
        return "any".to_owned();
    };
    match schema.get("type") {
        Some(Value::String(kind)) if kind == "array" => match schema.get("items") {
            Some(items) => match kind_of(items, reading, depth) {
                several if several.contains('|') => format!("({several})[]"),
                single => format!("{single}[]"),
            },
            None => "array".to_owned(),
        },
        Some(Value::String(kind)) => word(kind),
        Some(Value::Array(kinds)) => one_of(kinds.iter().filter_map(Value::as_str).map(word).collect()),
        _ => {
            let branches = ["anyOf", "oneOf"]
                .into_iter()
                .find_map(|key| schema.get(key)?.as_array());
            match branches {
                Some(branches) => one_of(
                    branches
                        .iter()
                        .map(|branch| kind_of(branch, reading, depth))
                        .collect(),
                ),
                None if schema.get("properties").is_some() => "object".to_owned(),
                None => "any".to_owned(),
            }
        }
    }
}

fn one_of(mut choices: Vec<String>) -> String {
    let mut seen = std::collections::HashSet::new();
    choices.retain(|choice| seen.insert(choice.clone()));
    if choices.len() > CHOICES {
        choices.truncate(CHOICES);
        choices.push("…".to_owned());
    }
    choices.join("|")
}

fn word(text: &str) -> String {
    plain(text, LONGEST_WORD).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature_for(schema: &str) -> String {
        signature_of("t", &serde_json::from_str(schema).unwrap())
    }

    #[test]
    fn a_signature_shows_what_must_be_given_first_and_what_may_be() {
        let schema = r#"{"type":"object","properties":{"body":{"type":"string"},"repo":{"type":"string"},"title":{"type":"string"}},"required":["repo","title"]}"#;
        assert_eq!(
            signature_of("create_issue", &serde_json::from_str(schema).unwrap()),
            "create_issue(repo: string, title: string, body?: string)"
        );
        assert_eq!(signature_for("true"), "t()");
        assert_eq!(signature_for("{}"), "t()");
    }

    #[test]
    fn a_signature_follows_references_and_combinations() {
        let schema = r##"{"$defs":{"s":{"enum":["a","b"]}},"allOf":[{"properties":{"x":{"$ref":"#/$defs/s"}},"required":["x"]}],
            "properties":{"y":{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"z":{"type":["number","null"]},"w":{"properties":{}},"v":true}}"##;
        assert_eq!(
            signature_for(schema),
            r#"t(x: "a"|"b", y?: (integer|null)[], z?: number|null, w?: object, v?: any)"#
        );
        assert_eq!(
            signature_for(r##"{"properties":{"n":{"$ref":"#/properties/n"}}}"##),
            "t(n?: any)"
        );
    }

    #[test]
    fn a_signature_has_at_most_300_characters_and_five_choices() {
        let choices: Vec<String> = (0..600).map(|n| format!("choice{n}")).collect();
        let one = serde_json::json!({"properties": {"x": {"enum": choices}}});
        assert_eq!(
            signature_of("t", &one),
            r#"t(x?: "choice0"|"choice1"|"choice2"|"choice3"|"choice4"|…)"#
        );
        let properties: serde_json::Map<String, Value> = (0..90)
            .map(|n| (format!("parameter{n}{}", "工".repeat(60)), one.clone()))
            .collect();
        let many = serde_json::json!({ "properties": properties });
        let line = signature_of(&"n".repeat(500), &many);
        assert!(line.chars().count() <= 300, "{}", line.chars().count());
        assert!(line.ends_with(", …)"), "{line}");
    }
}
