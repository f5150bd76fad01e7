//! A failure in words a model can act on; the same facts as an error for host code. Knows nothing of why it failed.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::step::{Step, to_raw};
use super::tokens::{cut, estimate};
use crate::error::{Error, ErrorCode};
use crate::text::strip_text;

/// Longest message of a failure, in characters: some of them come from tools.
pub(crate) const MESSAGE_CHARS: usize = 2_000;

/// Longest quoted value, in characters (contract 1).
pub(crate) const QUOTED_CHARS: usize = 80;

/// One failure, as it goes to the model.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Failure {
    facts: Box<Facts>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    is_error: bool,
    error: ErrorCode,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requested: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<String>>,
    next: String,
}

/// What the schema of a refused call can shrink to.
#[derive(Debug, Default)]
pub(crate) struct Shapes<'a> {
    /// The whole schema, as it was registered.
    pub(crate) whole: Option<&'a str>,
    /// The part at the fault.
    pub(crate) part: Option<String>,
    /// One line.
    pub(crate) signature: String,
}

impl Failure {
    /// A failure with its code, its reason and what to do.
    pub(crate) fn new(error: ErrorCode, message: impl AsRef<str>, next: impl AsRef<str>) -> Self {
        let facts = Facts {
            is_error: true,
            error,
            message: plain(message.as_ref(), MESSAGE_CHARS),
            tool_id: None,
            skill_id: None,
            requested: None,
            path: None,
            input_schema: None,
            signature: None,
            candidates: None,
            next: plain(next.as_ref(), MESSAGE_CHARS),
        };
        Self {
            facts: Box::new(facts),
        }
    }

    /// Names the tool it is about.
    pub(crate) fn of_tool(mut self, id: &str) -> Self {
        self.facts.tool_id = Some(id.to_owned());
        self
    }

    /// Names the skill it is about.
    pub(crate) fn of_skill(mut self, id: &str) -> Self {
        self.facts.skill_id = Some(id.to_owned());
        self
    }

    /// Says what was asked for and is not there, and what comes nearest.
    pub(crate) fn requested(mut self, id: &str, candidates: Vec<String>) -> Self {
        self.facts.requested = Some(plain(id, QUOTED_CHARS * 2));
        self.facts.candidates = Some(candidates);
        self
    }

    /// Names the place in the arguments.
    pub(crate) fn at(mut self, path: &str) -> Self {
        self.facts.path = Some(plain(path, QUOTED_CHARS * 4));
        self
    }

    /// Shows as much of the schema as the budget leaves room for.
    pub(crate) fn showing(mut self, shapes: Shapes<'_>, budget: usize) -> Self {
        for schema in [shapes.whole, shapes.part.as_deref()].into_iter().flatten() {
            self.facts.input_schema = RawValue::from_string(schema.to_owned()).ok();
            if self.cost() <= budget {
                return self;
            }
        }
        self.facts.input_schema = None;
        self.facts.signature = Some(shapes.signature);
        if self.cost() > budget {
            self.facts.signature = None;
        }
        self
    }

    /// The answer to a model.
    pub(crate) fn into_step(mut self, budget: usize) -> Step {
        self.shrink(budget);
        Step::Reply {
            reply: Some(to_raw(&self)),
            is_error: Some(true),
            host_value: None,
        }
    }

    fn cost(&self) -> usize {
        estimate(to_raw(self).get())
    }

    /// What is dispensable goes first, the end of the message last.
    fn shrink(&mut self, budget: usize) {
        if self.cost() > budget {
            self.facts.input_schema = None;
            self.facts.signature = None;
        }
        while self.cost() > budget && self.facts.candidates.as_mut().and_then(Vec::pop).is_some() {}
        for limit in [400, 160, 80, 40] {
            if self.cost() > budget {
                self.facts.message = cut(&self.facts.message, limit);
                self.facts.next = cut(&self.facts.next, limit);
                self.facts.path = self.facts.path.take().map(|path| cut(&path, limit));
                self.facts.requested = self
                    .facts
                    .requested
                    .take()
                    .map(|requested| cut(&requested, limit));
            }
        }
        if self.cost() > budget {
            self.facts.next.clear();
            self.facts.path = None;
            self.facts.requested = None;
        }
        for id in [&mut self.facts.tool_id, &mut self.facts.skill_id] {
            *id = id.take().filter(|id| estimate(id) * 2 <= budget);
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let facts = *failure.facts;
        let mut error = Self::new(facts.error, facts.message);
        let named = [
            ("toolId", facts.tool_id.map(Value::from)),
            ("skillId", facts.skill_id.map(Value::from)),
            ("requested", facts.requested.map(Value::from)),
            ("path", facts.path.map(Value::from)),
            ("candidates", facts.candidates.map(Value::from)),
        ];
        for (key, value) in named {
            if let Some(value) = value {
                error = error.with(key, value);
            }
        }
        error
    }
}

/// Text from outside, fit to stand in a reply: nothing invisible, no control characters but line ends, not too long.
pub(crate) fn plain(text: &str, limit: usize) -> String {
    // A cut before and after: what is stripped must not cost more than what is shown.
    let head = cut(text, limit.saturating_mul(2));
    let visible = strip_text(&head).unwrap_or(head);
    let visible: String = visible
        .chars()
        .filter(|character| *character == '\n' || !character.is_control())
        .collect();
    cut(&visible, limit)
}

/// A value or a name as it stands in a sentence: one line, at most 80 characters.
pub(crate) fn quoted(text: &str) -> String {
    plain(text, QUOTED_CHARS).replace('\n', " ")
}

/// Identifiers in a sentence: `` `a`, `b` ``.
pub(crate) fn enumerate(ids: &[String]) -> String {
    ids.iter()
        .map(|id| format!("`{id}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(step: &Step) -> String {
        match step {
            Step::Reply {
                reply: Some(reply), ..
            } => reply.get().to_owned(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_failure_says_first_that_it_is_one() {
        let failure =
            Failure::new(ErrorCode::Declined, "the user declined `t`", "go on without it").of_tool("t");
        assert_eq!(
            text(&failure.into_step(8_000)),
            r#"{"isError":true,"error":"declined","message":"the user declined `t`","toolId":"t","next":"go on without it"}"#
        );
    }

    #[test]
    fn the_same_facts_reach_host_code_as_an_error() {
        let error: Error = Failure::new(ErrorCode::UnknownTool, "unknown tool `x`", "")
            .requested("x", vec!["y".to_owned()])
            .into();
        assert_eq!(error.code, ErrorCode::UnknownTool);
        assert_eq!(error.details["candidates"][0], "y");
    }

    #[test]
    fn a_schema_gives_way_to_its_part_and_then_to_a_line() {
        let long = format!(r#"{{"description":"{}"}}"#, "x".repeat(900));
        let shapes = |part: &str| Shapes {
            whole: Some(&long),
            part: Some(part.to_owned()),
            signature: "t()".to_owned(),
        };
        let failure = || Failure::new(ErrorCode::InvalidArguments, "wrong", "correct it");
        assert!(text(&failure().showing(shapes("{}"), 1_000).into_step(1_000)).contains("xxx"));
        assert!(text(&failure().showing(shapes("{}"), 100).into_step(100)).contains(r#""inputSchema":{}"#));
        assert!(text(&failure().showing(shapes(&long), 100).into_step(100)).contains(r#""signature":"t()""#));
    }

    #[test]
    fn a_failure_stays_in_a_small_budget_whatever_a_tool_said() {
        let candidates = (0..5).map(|n| "工".repeat(160) + &n.to_string()).collect();
        let failure = Failure::new(ErrorCode::ToolFailed, "工".repeat(5_000), "工".repeat(5_000))
            .of_tool(&"工".repeat(170))
            .at(&"工".repeat(300))
            .requested(&"工".repeat(300), candidates);
        assert!(estimate(&text(&failure.into_step(100))) <= 100);
    }

    #[test]
    fn invisible_and_control_characters_are_not_repeated_to_the_model() {
        assert_eq!(plain("a\u{200b}b\u{0}\u{1b}[31m\nc", 20), "ab[31m\nc");
        assert_eq!(quoted("a\nb"), "a b");
    }
}
