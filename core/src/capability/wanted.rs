//! What a search asks for, from what a model or a host sent. Knows nothing of how it is found.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::raw::{RawObject, object_text};
use super::reply::Failure;
use crate::error::ErrorCode;

/// How many tools a search shows when it is not told.
pub(super) const TOOLS: usize = 5;

/// How many skills a search shows when it is not told.
pub(super) const SKILLS: usize = 3;

/// The most that a search shows of one kind, and the most tools that its skills bring along.
pub(super) const MOST: usize = 50;

/// What is looked for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wanted {
    pub(super) query: String,
    #[serde(rename = "topKTools")]
    pub(super) tools: usize,
    #[serde(rename = "topKSkills")]
    pub(super) skills: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) server: Option<String>,
}

/// A number of hits from what a model or a host sent: a positive integer up to 50, the default for anything else.
pub(super) fn top_k(raw: Option<&RawValue>, default: usize) -> usize {
    let number = raw.and_then(|raw| serde_json::from_str::<serde_json::Number>(raw.get()).ok());
    let number = number.and_then(|number| {
        number
            .as_f64()
            .or(Some(f64::INFINITY).filter(|_| !number.to_string().starts_with('-')))
    });
    match number {
        Some(number) if number >= MOST as f64 => MOST,
        Some(number) if number >= 1.0 && number.fract() == 0.0 => {
            (1..=MOST).rfind(|k| *k as f64 <= number).unwrap_or(default)
        }
        _ => default,
    }
}

impl Wanted {
    pub(super) fn read(raw: Option<&RawValue>) -> Result<Self, Failure> {
        let text = match object_text(raw) {
            Some(text) => text,
            // A lone text can only be the query.
            None => match raw.and_then(|raw| words(raw.get())) {
                Some(query) => format!("{{\"query\":{}}}", Value::from(query)),
                None => return Err(no_query()),
            },
        };
        let arguments = RawObject::read(&text).ok_or_else(no_query)?;
        let query = arguments
            .get("query")
            .and_then(|raw| words(raw.get()))
            .ok_or_else(no_query)?;
        Ok(Self {
            query,
            tools: top_k(arguments.get("topKTools"), TOOLS),
            skills: top_k(arguments.get("topKSkills"), SKILLS),
            server: arguments
                .text("server")
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty()),
        })
    }
}

/// The words of a query: a text, or what can be read as one.
fn words(text: &str) -> Option<String> {
    match serde_json::from_str::<Value>(text).ok()? {
        Value::String(words) => Some(words),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(parts) => Some(
            parts
                .iter()
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(" "),
        ),
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}

fn no_query() -> Failure {
    let next = "say in a few words what you want to do, for example {\"query\": \"create an issue\"}";
    Failure::new(
        ErrorCode::InvalidArguments,
        "`query` is missing: there is nothing to search for",
        next,
    )
    .at("/query")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_top_k_never_empties_or_unbounds_a_result() {
        let read = |text: &str| top_k(Some(&RawValue::from_string(text.to_owned()).unwrap()), 5);
        assert_eq!(top_k(None, 3), 3);
        assert_eq!(
            [
                "1",
                "7",
                "7.0",
                "50",
                "51",
                "1e9",
                "1e999",
                "99999999999999999999999"
            ]
            .map(read),
            [1, 7, 7, 50, 50, 50, 50, 50]
        );
        assert_eq!(
            [
                "0", "-1", "2.5", "\"9\"", "null", "[3]", "{}", "true", "-1e999", "0.0"
            ]
            .map(read),
            [5; 10]
        );
    }
}
