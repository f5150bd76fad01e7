//! Compiles schemas when they are first needed, keeps them, and judges arguments by them. Knows nothing of repair.
//!
//! A schema is third-party text: it is never fetched, what it may cost is bounded, and one that does not compile leaves its
//! tool callable, unvalidated.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arc_swap::ArcSwap;
use honeyguide_judge::{Draft, Patterns, ValidationError, ValidationErrorKind, Validator};
use rpds::HashTrieMapSync;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::effort::Effort;
use super::fault::Fault;
use super::shape::Reading;
use crate::catalog::item::{Item, Kind};
use crate::catalog::tool::Tool;
use crate::error::ErrorCode;

/// How many compiled schemas are kept in each of the two halves of the cache.
const KEPT: usize = 512;

/// A longer schema is not compiled.
const MOST_SCHEMA_BYTES: usize = 1 << 20;

/// How far one pattern may backtrack.
const BACKTRACK_LIMIT: usize = 50_000;

/// How large one compiled pattern may be, in bytes.
const PATTERN_BYTES: usize = 1 << 20;

/// Faults that one answer names.
const NAMED_FAULTS: usize = 3;

type Key = [u8; 32];
type Half = HashTrieMapSync<Key, Arc<Compiled>>;

/// Compiled schemas by the digest of their text; what is used is found without a lock.
#[derive(Debug, Default)]
pub struct Validators {
    halves: ArcSwap<Halves>,
}

/// A full young half becomes the old one, so what was not used since then goes.
#[derive(Debug, Default, Clone)]
struct Halves {
    young: Half,
    old: Half,
}

/// One schema, read and compiled.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The schema as a value; `true` where there is none.
    pub(crate) schema: Value,
    validator: Option<Judge>,
    problem: Option<String>,
}

/// A compiled schema, and whether its patterns need an engine that goes back and forth.
#[derive(Debug)]
struct Judge {
    validator: Validator,
    backtracks: bool,
}

impl Validators {
    /// The compiled form of a schema's text.
    pub(crate) fn of(&self, schema: Option<&str>) -> Arc<Compiled> {
        let text = schema.unwrap_or("true");
        let key: Key = Sha256::digest(text).into();
        let halves = self.halves.load();
        if let Some(known) = halves.young.get(&key) {
            return Arc::clone(known);
        }
        let compiled = halves
            .old
            .get(&key)
            .map_or_else(|| Arc::new(Compiled::new(text)), Arc::clone);
        self.halves.rcu(|halves| halves.with(key, &compiled));
        compiled
    }
}

#[cfg(test)]
impl Validators {
    /// How many compiled schemas are kept.
    pub(crate) fn len(&self) -> usize {
        let halves = self.halves.load();
        halves.young.size() + halves.old.size()
    }
}

impl Halves {
    fn with(&self, key: Key, compiled: &Arc<Compiled>) -> Self {
        let full = self.young.size() >= KEPT;
        let (young, old) = if full {
            (Half::new_sync(), self.young.clone())
        } else {
            (self.young.clone(), self.old.clone())
        };
        Self {
            young: young.insert(key, Arc::clone(compiled)),
            old,
        }
    }
}

impl Compiled {
    fn new(text: &str) -> Self {
        let unchecked = |schema, problem| Self {
            schema,
            validator: None,
            problem: Some(problem),
        };
        if text.len() > MOST_SCHEMA_BYTES {
            return unchecked(
                Value::Bool(true),
                format!("it is longer than {MOST_SCHEMA_BYTES} bytes"),
            );
        }
        let schema = match serde_json::from_str::<Value>(text) {
            Ok(schema @ (Value::Object(_) | Value::Bool(_))) => schema,
            Ok(_) => {
                return unchecked(
                    Value::Bool(true),
                    "it is neither an object nor a boolean".to_owned(),
                );
            }
            Err(cause) => return unchecked(Value::Bool(true), cause.to_string()),
        };
        match catch_unwind(|| build(&schema)) {
            Ok(Ok(validator)) => Self {
                schema,
                validator: Some(validator),
                problem: None,
            },
            Ok(Err(problem)) => unchecked(schema, problem),
            Err(_) => unchecked(schema, "it cannot be compiled".to_owned()),
        }
    }

    /// Why the schema was not compiled.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Judges a value; one that cannot be judged at a bounded cost passes.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Fault> {
        let Some(judge) = &self.validator else {
            return Ok(());
        };
        let effort = Effort::of(&Reading::new(&self.schema), value);
        if !effort.allows_judging(judge.backtracks) {
            return Ok(());
        }
        let judged = catch_unwind(AssertUnwindSafe(|| {
            if honeyguide_judge::fits(&judge.validator, value) {
                return Ok(());
            }
            if !effort.allows_explaining() {
                let message = "the arguments do not fit the schema".to_owned();
                return Err(Fault {
                    path: String::new(),
                    message,
                });
            }
            let faults = honeyguide_judge::faults(&judge.validator, value)
                .filter(is_about_the_value)
                .take(NAMED_FAULTS);
            Fault::of_all(faults.map(|error| Fault::of(&error)).collect())
        }));
        judged.unwrap_or(Ok(()))
    }
}

/// Compiles every schema of a tool; the code, the path in the tool and the reason for each that fails.
pub fn check_schemas(tool: &Tool) -> Vec<(ErrorCode, &'static str, String)> {
    [
        ("/inputSchema", "inputSchema", tool.input_schema()),
        ("/outputSchema", "outputSchema", tool.output_schema()),
    ]
    .into_iter()
    .filter_map(|(path, name, schema)| {
        let compiled = Compiled::new(schema?);
        let problem = super::reply::plain(compiled.problem()?, 300);
        let noun = Kind::Tool.noun();
        let message = format!(
            "{name} of {noun} `{}` does not compile: {problem}; the tool stays callable, unvalidated",
            tool.id()
        );
        Some((ErrorCode::InvalidSchema, path, message))
    })
    .collect()
}

fn build(schema: &Value) -> Result<Judge, String> {
    let mut schema = schema.clone();
    allow_null_where_nullable(&mut schema);
    let declared = schema
        .get("$schema")
        .and_then(Value::as_str)
        .map(|uri| uri.trim_end_matches('#'));
    let known = declared.is_some_and(|uri| {
        let name = uri
            .split_once("://json-schema.org/")
            .map(|(_, name)| name.trim_end_matches("/schema"));
        matches!(
            name,
            Some("draft-04" | "draft-06" | "draft-07" | "draft/2019-09" | "draft/2020-12")
        )
    });
    if known {
        return build_as(&schema, None);
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.shift_remove("$schema");
    }
    build_as(&schema, Some(Draft::Draft202012))
        .or_else(|problem| build_as(&schema, Some(Draft::Draft7)).map_err(|_| problem))
}

/// Compiles with patterns that take linear time, and only where that cannot be with such that go back and forth.
fn build_as(schema: &Value, draft: Option<Draft>) -> Result<Judge, String> {
    let patterns = |backtracks| Patterns {
        bytes: PATTERN_BYTES,
        backtracks,
    };
    if let Ok(validator) = honeyguide_judge::compile(schema, draft, patterns(None)) {
        return Ok(Judge {
            validator,
            backtracks: false,
        });
    }
    honeyguide_judge::compile(schema, draft, patterns(Some(BACKTRACK_LIMIT))).map(|validator| Judge {
        validator,
        backtracks: true,
    })
}

/// `nullable: true` is OpenAPI's word; schemas made from OpenAPI keep it, and JSON Schema passes over it.
fn allow_null_where_nullable(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(allow_null_where_nullable),
        Value::Object(members) => {
            if members.get("nullable") == Some(&Value::Bool(true)) {
                let null = Value::from("null");
                match members.get_mut("type") {
                    Some(Value::Array(types)) if !types.contains(&null) => types.push(null),
                    Some(kind @ Value::String(_)) if *kind != null => {
                        *kind = Value::Array(vec![kind.take(), null])
                    }
                    _ => {}
                }
                if let Some(Value::Array(choices)) = members.get_mut("enum")
                    && !choices.contains(&Value::Null)
                {
                    choices.push(Value::Null);
                }
            }
            for (key, member) in members.iter_mut() {
                if !matches!(key.as_str(), "const" | "enum" | "default" | "examples") {
                    allow_null_where_nullable(member);
                }
            }
        }
        _ => {}
    }
}

/// A pattern that ran out of its bounds says nothing about the value.
fn is_about_the_value(error: &ValidationError<'_>) -> bool {
    !matches!(
        error.kind(),
        ValidationErrorKind::BacktrackLimitExceeded { .. }
            | ValidationErrorKind::RegexEngineFailure { .. }
            | ValidationErrorKind::Referencing(_)
    )
}
