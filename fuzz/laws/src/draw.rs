//! Draws words, values, schemas and items from bytes. Knows nothing of laws.
//!
//! The vocabularies are small, so that what is drawn meets: a query finds, an id is known, an argument fits.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

const WORDS: [&str; 24] = [
    "create",
    "list",
    "issue",
    "issues",
    "read",
    "file",
    "files",
    "delete",
    "send",
    "mail",
    "github",
    "S3",
    "the",
    "of",
    "café",
    "日本語",
    "法令",
    "createIssue",
    "list_files",
    "x",
    "\u{200b}",
    "ﬁle",
    "Straße",
    "工🙂",
];
const KEYS: [&str; 12] = [
    "a",
    "b",
    "x",
    "path",
    "args",
    "toolId",
    "name",
    "arguments",
    "query",
    "~/",
    "__proto__",
    "",
];
/// The ids of what is drawn.
pub(crate) const IDS: [&str; 8] = [
    "github__create_issue",
    "github__list_issues",
    "files__read",
    "files__delete",
    "mail.send",
    "x",
    "mcp__s3__put",
    "日本__法令",
];
/// The conversations of what is drawn.
const SESSIONS: [&str; 3] = ["guest", "owner", "日本"];
const SERVERS: [&str; 5] = ["github", "files", "mail", "s3", "none"];

/// One of several.
pub(crate) fn one<'a>(from: &mut Unstructured<'_>, all: &[&'a str]) -> Result<&'a str> {
    from.choose(all).copied()
}

/// A known id, mostly.
pub(crate) fn id(from: &mut Unstructured<'_>) -> Result<String> {
    if from.ratio(1, 12)? {
        return Ok(from.arbitrary::<String>()?.chars().take(40).collect());
    }
    Ok(one(from, &IDS)?.to_owned())
}

/// A conversation.
pub(crate) fn session(from: &mut Unstructured<'_>) -> Result<&'static str> {
    one(from, &SESSIONS)
}

/// A server.
pub(crate) fn server(from: &mut Unstructured<'_>) -> Result<&'static str> {
    one(from, &SERVERS)
}

/// The kind of an item.
pub(crate) fn kind(from: &mut Unstructured<'_>) -> Result<&'static str> {
    one(from, &["tool", "tool", "tool", "skill", "fact"])
}

/// Some words.
pub(crate) fn text(from: &mut Unstructured<'_>) -> Result<String> {
    if from.ratio(1, 12)? {
        return from.arbitrary();
    }
    let words: Vec<&str> = (0..from.int_in_range(0..=6)?)
        .map(|_| one(from, &WORDS))
        .collect::<Result<_>>()?;
    Ok(words.join(" "))
}

/// A list of what `draw` gives, of at most so many.
pub(crate) fn list<T>(
    from: &mut Unstructured<'_>,
    most: usize,
    mut draw: impl FnMut(&mut Unstructured<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    (0..from.int_in_range(0..=most)?).map(|_| draw(from)).collect()
}

/// Any value, at most so deep.
pub(crate) fn value(from: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    Ok(match from.int_in_range(0..=if depth == 0 { 6 } else { 9 })? {
        0 => Value::Null,
        1 => from.arbitrary::<bool>()?.into(),
        2 => from.int_in_range(-3..=12_i64)?.into(),
        3 => from
            .choose(&[json!(1.5), json!(1e300), json!(u64::MAX), json!(-0.0)])?
            .clone(),
        4 => one(
            from,
            &[
                "1",
                "10",
                "true",
                "null",
                "x",
                "1.5",
                "{\"a\":\"1\"}",
                "[\"1\"]",
                "",
                " 1 ",
            ],
        )?
        .into(),
        5 => text(from)?.into(),
        6 => one(from, &KEYS)?.into(),
        7 => list(from, 3, |from| value(from, depth - 1))?.into(),
        // JSON text where an object belongs, as models write it.
        8 => value(from, depth - 1)?.to_string().into(),
        _ => object(from, depth)?,
    })
}

/// Any object, at most so deep.
pub(crate) fn object(from: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let members = list(from, 4, |from| {
        Ok((
            one(from, &KEYS)?.to_owned(),
            value(from, depth.saturating_sub(1))?,
        ))
    })?;
    Ok(Value::Object(members.into_iter().collect()))
}

/// A schema without references, at most so deep.
pub(crate) fn schema(from: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    Ok(match from.int_in_range(0..=if depth == 0 { 6 } else { 14 })? {
        0 => from.arbitrary::<bool>()?.into(),
        1..=4 => {
            json!({ "type": one(from, &["string", "integer", "number", "boolean", "null", "object", "array"])? })
        }
        5 => json!({ "enum": list(from, 3, |from| value(from, 0))? }),
        6 => json!({ "const": value(from, 1)?, "description": text(from)? }),
        7 => json!({ "anyOf": [schema(from, depth - 1)?, schema(from, depth - 1)?] }),
        8 => json!({ "oneOf": [schema(from, depth - 1)?, schema(from, depth - 1)?] }),
        9 => json!({ "allOf": [schema(from, depth - 1)?, schema(from, depth - 1)?] }),
        10 => json!({ "type": "array", "items": schema(from, depth - 1)? }),
        11 => json!({ "not": schema(from, depth - 1)? }),
        12 => json!({ "type": ["null", "integer"], "minimum": from.int_in_range(-2..=3)? }),
        _ => parameters(from, depth)?,
    })
}

/// The schema of an object.
pub(crate) fn parameters(from: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let mut properties = Map::new();
    for _ in 0..from.int_in_range(0..=3)? {
        properties.insert(
            one(from, &KEYS)?.to_owned(),
            schema(from, depth.saturating_sub(1))?,
        );
    }
    let mut made = json!({ "type": "object", "properties": properties });
    if from.arbitrary()? {
        made["required"] = json!([one(from, &KEYS)?]);
    }
    if from.arbitrary()? {
        made["additionalProperties"] = false.into();
    }
    Ok(made)
}

/// An item of a kind.
pub(crate) fn item(from: &mut Unstructured<'_>, kind: &str) -> Result<Value> {
    if from.ratio(1, 24)? {
        return value(from, 2);
    }
    let mut made = json!({ "id": id(from)? });
    if kind == "fact" {
        made["body"] = text(from)?.into();
    } else {
        made["description"] = text(from)?.into();
    }
    if from.arbitrary()? {
        made["tags"] = json!(list(from, 2, |from| one(from, &WORDS))?);
    }
    match kind {
        "tool" => {
            if from.arbitrary()? {
                made["inputSchema"] = parameters(from, 2)?;
            }
            if from.ratio(1, 4)? {
                made["server"] = server(from)?.into();
            }
            if from.ratio(1, 4)? {
                made["requiresApproval"] = true.into();
            }
            if from.ratio(1, 4)? {
                made["annotations"] =
                    json!({ one(from, &["readOnlyHint", "destructiveHint"])?: from.arbitrary::<bool>()? });
            }
        }
        "skill" => {
            made["body"] = text(from)?.into();
            made["tools"] = json!(list(from, 3, id)?);
        }
        _ => {}
    }
    Ok(made)
}

/// A policy.
pub(crate) fn visible(from: &mut Unstructured<'_>) -> Result<Value> {
    let mut policy = Map::new();
    for side in ["allow", "deny"] {
        if from.arbitrary()? {
            let selector = match from.int_in_range(0..=3)? {
                0 => json!({ "ids": list(from, 3, id)? }),
                1 => json!({ "servers": list(from, 2, server)? }),
                2 => json!({ "tags": list(from, 2, |from| one(from, &WORDS))? }),
                _ => json!({ "annotations": { "readOnlyHint": from.arbitrary::<bool>()? } }),
            };
            policy.insert(side.to_owned(), selector);
        }
    }
    Ok(Value::Object(policy))
}
