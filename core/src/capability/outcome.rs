//! What came of a step, as the host reports it. Knows nothing of what follows from it.
//!
//! One flat struct, since JSON text that travels as it came does not pass through tagged enums.

use serde::{Deserialize, Serialize};

use crate::catalog::object::objects;
use crate::catalog::vector::Vector;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum OutcomeKind {
    /// The executor returned; the host keeps the value.
    Ok,
    /// It threw, or the host could not do what was asked.
    Error,
    /// No function is bound to the tool in this process.
    NotBound,
    /// It did not answer in time.
    Timeout,
    /// It was cancelled.
    Aborted,
    /// A person was asked.
    Approval,
    /// Nobody can be asked here.
    NoHandler,
    /// The texts were embedded.
    Vectors,
    /// A file was read, or a sub-agent has finished.
    Text,
    /// The hits were judged.
    Scores,
}

/// What came of a step; which fields count depends on the kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
pub struct Outcome {
    /// What happened.
    pub kind: OutcomeKind,
    /// The exception's name (`error`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The exception's message (`error`, `aborted`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How long the host waited, in milliseconds (`timeout`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<f64>,
    /// What the person said (`approval`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// Why (`approval`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// One vector per text (`vectors`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<Vec<Vector>>,
    /// The text (`text`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// One number per hit, in their order: higher is better (`scores`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<f64>>,
}

objects!(written: Outcome);

impl Outcome {
    /// An outcome of which nothing more is known.
    pub const fn of(kind: OutcomeKind) -> Self {
        Self {
            kind,
            name: None,
            message: None,
            elapsed_ms: None,
            approved: None,
            reason: None,
            vectors: None,
            text: None,
            scores: None,
        }
    }

    /// The kind, once the names under which languages report a sign-in, a cancellation or a time-out are known by what
    /// they mean.
    pub(crate) fn meaning(&self) -> Meaning {
        match (self.kind, self.name.as_deref()) {
            (OutcomeKind::Error, Some("UnauthorizedError")) => Meaning::NeedsAuth,
            (OutcomeKind::Error, Some("AbortError" | "CancelledError")) | (OutcomeKind::Aborted, _) => {
                Meaning::Aborted
            }
            (OutcomeKind::Error, Some("TimeoutError")) | (OutcomeKind::Timeout, _) => Meaning::Timeout,
            (OutcomeKind::Error, Some("InvalidArgumentsError")) => Meaning::Refused,
            (OutcomeKind::Error, _) => Meaning::Failed,
            (OutcomeKind::NotBound, _) => Meaning::NotBound,
            (OutcomeKind::Ok, _) => Meaning::Ok,
            (
                OutcomeKind::Approval
                | OutcomeKind::NoHandler
                | OutcomeKind::Vectors
                | OutcomeKind::Text
                | OutcomeKind::Scores,
                _,
            ) => Meaning::OfAnotherStep,
        }
    }
}

/// What an executor's outcome means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Ok,
    NeedsAuth,
    Aborted,
    Timeout,
    /// The tool's own check, which sees more than a schema can say, does not take the arguments.
    Refused,
    Failed,
    NotBound,
    OfAnotherStep,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_exceptions_are_read_for_what_they_mean() {
        let named = |name: &str| {
            Outcome {
                name: Some(name.to_owned()),
                ..Outcome::of(OutcomeKind::Error)
            }
            .meaning()
        };
        assert_eq!(named("UnauthorizedError"), Meaning::NeedsAuth);
        assert_eq!(named("AbortError"), Meaning::Aborted);
        assert_eq!(named("TimeoutError"), Meaning::Timeout);
        assert_eq!(named("InvalidArgumentsError"), Meaning::Refused);
        assert_eq!(named("TypeError"), Meaning::Failed);
    }

    #[test]
    fn an_outcome_is_flat_on_the_wire() {
        let outcome: Outcome = serde_json::from_str(r#"{"kind":"timeout","elapsedMs":12.5}"#).unwrap();
        assert_eq!(outcome.elapsed_ms, Some(12.5));
        assert!(serde_json::from_str::<Outcome>(r#"{"kind":"unheard"}"#).is_err());
    }
}
