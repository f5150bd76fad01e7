//! The JSON Schema validator behind functions that are not generic. Knows nothing of tools, bounds or faults.
//!
//! The validator is generic over the kind of JSON, and a crate that is built for speed compiles all of it anew, though the
//! validator's own crate holds the same code. This crate is built for size (`profile.dist`) and so takes the code that is
//! there: a megabyte of the native file. Whatever instantiates the validator belongs here.

pub use jsonschema::error::{TypeKind, ValidationErrorKind};
pub use jsonschema::{Draft, JsonType, JsonTypeSet, ValidationError, Validator};

use jsonschema::{PatternOptions, ValidationOptions};
use serde_json::Value;

/// Which engine runs a schema's patterns, and what it may cost.
#[derive(Debug, Clone, Copy)]
pub struct Patterns {
    /// How large one compiled pattern may be, in bytes.
    pub bytes: usize,
    /// How far a pattern may go back; without it patterns take linear time, and those that cannot are refused.
    pub backtracks: Option<usize>,
}

/// Compiles a schema, fetching nothing. Without a draft the schema's own word holds.
///
/// # Errors
/// Why the schema does not compile.
pub fn compile(schema: &Value, draft: Option<Draft>, patterns: Patterns) -> Result<Validator, String> {
    // A format is an annotation here, as it is in 2020-12: servers differ in how strictly they read one.
    let mut options: ValidationOptions<'_> = jsonschema::options().offline().should_validate_formats(false);
    if let Some(draft) = draft {
        options = options.with_draft(draft);
    }
    let options = match patterns.backtracks {
        None => {
            let linear = PatternOptions::regex();
            options.with_pattern_options(linear.size_limit(patterns.bytes).dfa_size_limit(patterns.bytes))
        }
        Some(limit) => {
            let backtracking = PatternOptions::fancy_regex().backtrack_limit(limit);
            options.with_pattern_options(
                backtracking
                    .size_limit(patterns.bytes)
                    .dfa_size_limit(patterns.bytes),
            )
        }
    };
    options.build(schema).map_err(|problem| problem.to_string())
}

/// Whether a value fits.
#[must_use]
pub fn fits(validator: &Validator, value: &Value) -> bool {
    validator.is_valid(value)
}

/// What does not fit, one after the other, found as it is asked for.
pub fn faults<'a>(
    validator: &'a Validator,
    value: &'a Value,
) -> Box<dyn Iterator<Item = ValidationError<'a>> + 'a> {
    Box::new(validator.iter_errors(value))
}
