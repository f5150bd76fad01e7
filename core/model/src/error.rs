//! What can be wrong with a model or with the work it was given, as a stable code. Knows nothing of the engine's errors.
//!
//! The codes are apart from the engine's: the engine never sees a model. The packages that carry this crate raise them in
//! the shape of its errors, `{code, message, details}`.

use std::collections::BTreeMap;

/// The result of anything here that can fail.
pub type Result<T, E = ModelError> = std::result::Result<T, E>;

/// One failure: a stable code, a sentence for people, and the same facts for programs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// The stable code.
    pub code: ModelErrorCode,
    /// Names the thing, the reason and the remedy; lower case, no final stop.
    pub message: String,
    /// The facts of the message as data.
    pub details: BTreeMap<&'static str, String>,
}

impl ModelError {
    /// An error with this code and sentence.
    pub(crate) fn new(code: ModelErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: BTreeMap::new(),
        }
    }

    /// The same error with one more fact.
    pub(crate) fn with(mut self, key: &'static str, value: impl ToString) -> Self {
        self.details.insert(key, value.to_string());
        self
    }

    /// A file cannot be read as what it should be.
    pub(crate) fn unreadable(file: &str, why: impl std::fmt::Display) -> Self {
        Self::new(ModelErrorCode::Unreadable, format!("cannot read {file}: {why}")).with("file", file)
    }

    /// A file asks for something that is not built here, or is larger than anything that is.
    pub(crate) fn unsupported(file: &str, why: impl std::fmt::Display) -> Self {
        Self::new(ModelErrorCode::Unsupported, format!("{file}: {why}")).with("file", file)
    }

    /// Two parts of a model do not fit each other.
    pub(crate) fn mismatch(file: &str, why: impl std::fmt::Display) -> Self {
        Self::new(ModelErrorCode::Mismatch, format!("{file}: {why}")).with("file", file)
    }

    /// The error as it leaves a native module: `{"code", "category", "message", "details"}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::json!({
            "code": self.code.as_str(),
            "category": self.code.category(),
            "message": self.message,
            "details": self.details,
        })
        .to_string()
    }
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorCode {
    /// A file of the model, or its folder, is not there.
    MissingFile,
    /// A file is truncated, corrupt, or not what its name says.
    Unreadable,
    /// The model is well formed, but of a kind that is not built here, or beyond the bounds.
    Unsupported,
    /// Files of the model contradict each other: shapes, dimensions, vocabularies.
    Mismatch,
    /// A weight or a vector holds NaN or infinity.
    NotFinite,
    /// An argument is out of its range.
    InvalidOption,
    /// The caller cancelled the work.
    Aborted,
}

impl ModelErrorCode {
    /// Every code, in the order of the documentation.
    pub const ALL: &'static [Self] = &[
        Self::MissingFile,
        Self::Unreadable,
        Self::Unsupported,
        Self::Mismatch,
        Self::NotFinite,
        Self::InvalidOption,
        Self::Aborted,
    ];

    /// The code as programs see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingFile => "model_missing_file",
            Self::Unreadable => "model_unreadable",
            Self::Unsupported => "model_unsupported",
            Self::Mismatch => "model_mismatch",
            Self::NotFinite => "model_not_finite",
            Self::InvalidOption => "model_invalid_option",
            // The engine's own code for the same thing.
            Self::Aborted => "aborted",
        }
    }

    /// Who can do something about it, in the engine's words.
    #[must_use]
    pub const fn category(self) -> &'static str {
        match self {
            Self::MissingFile => "not_found",
            Self::Aborted => "state",
            _ => "invalid_input",
        }
    }
}

impl std::fmt::Display for ModelErrorCode {
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
        for code in ModelErrorCode::ALL {
            let text = code.as_str();
            assert!(text.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{text}");
            assert!(seen.insert(text), "{text} stands twice");
        }
    }

    #[test]
    fn an_error_leaves_as_code_category_message_and_details() {
        let error = ModelError::unreadable("config.json", "it ends too early");
        let json: serde_json::Value = serde_json::from_str(&error.to_json()).unwrap();
        let expected = serde_json::json!({
            "code": "model_unreadable",
            "category": "invalid_input",
            "message": "cannot read config.json: it ends too early",
            "details": { "file": "config.json" },
        });
        assert_eq!(json, expected);
    }
}
