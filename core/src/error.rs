//! What went wrong, as a stable code. Knows nothing of any other layer.
//!
//! An error crosses the language boundary as data, `{"error": {code, message, details}}`, and becomes an exception in
//! the facade. Nobody branches on a message: the code is the contract, the message is for people.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The result of anything in the engine that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// One failure: a stable code, a sentence for people, and the same facts for programs.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The stable code.
    pub code: ErrorCode,
    /// Names the thing, the reason and the remedy; lower case, no final stop.
    pub message: String,
    /// The facts of the message as data.
    pub details: Map<String, Value>,
    /// What caused it, when another library did.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error with this code and sentence.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Map::new(),
            source: None,
        }
    }

    /// The same error with one more fact.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// The error as it crosses the language boundary: `{code, category, message, details}`.
    pub fn to_json(&self) -> String {
        let Self {
            code,
            message,
            details,
            ..
        } = self;
        serde_json::json!({ "code": code, "category": code.category(), "message": message, "details": details })
            .to_string()
    }

    /// The same error with its cause.
    #[must_use]
    pub fn caused_by(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }
}

/// What a JSON parser says is wrong, without the line and column of a text that the reader never saw.
pub fn json_reason(cause: &serde_json::Error) -> String {
    let said = cause.to_string();
    match said.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => said,
    }
}

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// The caller passed something wrong.
    InvalidInput,
    /// The caller named something that is not there, or may not be seen.
    NotFound,
    /// The thing is there, but cannot be done now.
    State,
    /// A bug in Honeyguide.
    Internal,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident => $text:literal, $category:ident;)+) => {
        /// Every code an error, a reply to the model or a diagnostic can carry.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        impl ErrorCode {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The code as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Who can do something about it.
            pub const fn category(self) -> Category {
                match self { $(Self::$name => Category::$category,)+ }
            }
        }
    };
}

codes! {
    /// The request text is not the JSON this operation takes.
    InvalidRequest => "invalid_request", InvalidInput;
    /// No operation of that name.
    UnknownOperation => "unknown_operation", InvalidInput;
    /// A catalog item is not an object, misses a field, or has one of the wrong type.
    InvalidItem => "invalid_item", InvalidInput;
    /// An id is empty, longer than 512 bytes, or holds control or invisible characters.
    InvalidId => "invalid_id", InvalidInput;
    /// An id belongs to one of the three capability tools.
    ReservedId => "reserved_id", InvalidInput;
    /// A value cannot be said in JSON: NaN, a big integer, a cycle, a throwing getter, a lone surrogate.
    InvalidJson => "invalid_json", InvalidInput;
    /// A tool was registered without a function to run.
    MissingExecutor => "missing_executor", InvalidInput;
    /// Text that a model would see held invisible characters, which were taken out (a warning).
    InvisibleText => "invisible_text", InvalidInput;
    /// A schema does not compile; the tool stays searchable and callable, unvalidated (a warning).
    InvalidSchema => "invalid_schema", InvalidInput;
    /// The same id stood twice in one batch; the last one counts (a warning).
    DuplicateId => "duplicate_id", InvalidInput;
    /// The front matter of a `SKILL.md` is missing or is not YAML; what can be read of it is (a warning), or is lost.
    InvalidFrontMatter => "invalid_front_matter", InvalidInput;
    /// A skill breaks a rule of the Agent Skills specification, or misses what makes it a skill.
    InvalidSkill => "invalid_skill", InvalidInput;
    /// A skill of the same id stands in the way of another one, which is not used (a warning).
    ShadowedSkill => "shadowed_skill", InvalidInput;
    /// A folder was not searched for skills, or a file of one was passed over.
    SkippedFolder => "skipped_folder", InvalidInput;
    /// The arguments of a call do not fit the target's schema, or the envelope around them cannot be read.
    InvalidArguments => "invalid_arguments", InvalidInput;
    /// The method needs an embedder or a query vector.
    MethodUnavailable => "method_unavailable", InvalidInput;
    /// One call asks for more needs than one page can serve.
    TooManyNeeds => "too_many_needs", InvalidInput;
    /// A vector has another length than the model's, holds a number that is not finite, or has no direction.
    InvalidVector => "invalid_vector", InvalidInput;
    /// Vectors of one model were given to an engine of another.
    ModelMismatch => "model_mismatch", InvalidInput;
    /// A text is mostly in scripts that the model does not know, so words decide (a warning).
    UnknownScript => "unknown_script", InvalidInput;
    /// A text is in another language than the only one that the model knows, so meaning counts little (a warning).
    UnknownLanguage => "unknown_language", InvalidInput;
    /// Saved bytes are not a snapshot, are damaged, or come from another format version.
    InvalidSnapshot => "invalid_snapshot", InvalidInput;
    /// No tool of that id may be seen.
    UnknownTool => "unknown_tool", NotFound;
    /// No skill of that id may be seen.
    UnknownSkill => "unknown_skill", NotFound;
    /// A skill has no such resource.
    UnknownResource => "unknown_resource", NotFound;
    /// The tool is known but no function is bound to it in this process.
    NotBound => "not_bound", State;
    /// The tool needs an approval, and this host cannot ask for one.
    NeedsApproval => "needs_approval", State;
    /// A person declined the call.
    Declined => "declined", State;
    /// The tool changed between the question and the approval.
    DefinitionChanged => "definition_changed", State;
    /// The tool's server wants credentials.
    NeedsAuth => "needs_auth", State;
    /// The tool did not answer in time.
    Timeout => "timeout", State;
    /// The call was cancelled.
    Aborted => "aborted", State;
    /// No item has a vector yet, and a strict search was asked for.
    NoVectors => "no_vectors", State;
    /// The embedder failed, and a strict search was asked for.
    EmbeddingFailed => "embedding_failed", State;
    /// The tool itself failed.
    ToolFailed => "tool_failed", State;
    /// A file of a skill cannot be read: it is gone, too large, not text, or lies outside of the skill's folder.
    UnreadableFile => "unreadable_file", State;
    /// The sub-agent that was to follow a skill failed, or there is none.
    SkillFailed => "skill_failed", State;
    /// A bug in Honeyguide; please report it.
    Internal => "internal", Internal;
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_snake_case_and_stands_once() {
        let mut seen = std::collections::HashSet::new();
        for code in ErrorCode::ALL {
            let text = code.as_str();
            assert!(text.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{text}");
            assert!(seen.insert(text), "{text} stands twice");
            assert_eq!(serde_json::to_string(code).unwrap(), format!("\"{text}\""));
        }
    }

    #[test]
    fn facts_stand_in_the_sentence_and_in_the_details() {
        let error = Error::new(ErrorCode::UnknownTool, "unknown tool `x`").with("toolId", "x");
        assert_eq!(error.to_string(), "unknown tool `x`");
        assert_eq!(error.details["toolId"], "x");
    }
}
