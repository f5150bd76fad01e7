//! What is wrong with a value, in one sentence of ours and with the place. Knows nothing of how a schema is compiled.

use honeyguide_judge::{JsonType, ValidationError};
use honeyguide_judge::{TypeKind, ValidationErrorKind};
use serde_json::Value;

use super::reply::quoted;
use crate::settled::settled;

/// Values that one sentence lists.
const LISTED: usize = 8;

/// Forms of a value that are looked at for the one that was meant.
const FORMS: usize = 32;

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// A JSON Pointer to the place.
    pub(crate) path: String,
    /// Names the place and the reason.
    pub(crate) message: String,
}

impl Fault {
    /// One sentence for several faults, at the place of the first; no fault is none.
    pub(crate) fn of_all(faults: Vec<Self>) -> Result<(), Self> {
        let mut rest = faults.into_iter();
        let Some(mut first) = rest.next() else {
            return Ok(());
        };
        for fault in rest {
            if !first.message.contains(&fault.message) {
                first.message.push_str("; ");
                first.message.push_str(&fault.message);
            }
        }
        Err(first)
    }

    /// The fault that a validation error tells of.
    pub(crate) fn of(error: &ValidationError<'_>) -> Self {
        let path = error.instance_path().as_str().to_owned();
        let place = name_of(&path);
        let got = || quoted(&error.instance().to_string());
        let say = |reason: String| Self {
            message: format!("{place} {reason}"),
            path: path.clone(),
        };
        match error.kind() {
            ValidationErrorKind::Type { kind } => {
                say(format!("must be {}, got {}", wanted(&types_in(kind)), got()))
            }
            ValidationErrorKind::Required { property } => {
                let property = property.as_str().unwrap_or_default();
                let path = format!("{path}/{}", property.replace('~', "~0").replace('/', "~1"));
                Self {
                    message: format!("{} is required but missing", name_of(&path)),
                    path,
                }
            }
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let names: Vec<String> = unexpected
                    .iter()
                    .take(LISTED)
                    .map(|name| format!("`{}`", quoted(name)))
                    .collect();
                say(format!("must not have {}", names.join(", ")))
            }
            ValidationErrorKind::Enum { options } => {
                say(format!("must be one of {}, got {}", choices(options), got()))
            }
            ValidationErrorKind::Constant { expected_value } => say(format!(
                "must be {}, got {}",
                quoted(&expected_value.to_string()),
                got()
            )),
            ValidationErrorKind::Minimum { limit } => say(format!("must be at least {limit}, got {}", got())),
            ValidationErrorKind::Maximum { limit } => say(format!("must be at most {limit}, got {}", got())),
            ValidationErrorKind::ExclusiveMinimum { limit } => {
                say(format!("must be more than {limit}, got {}", got()))
            }
            ValidationErrorKind::ExclusiveMaximum { limit } => {
                say(format!("must be less than {limit}, got {}", got()))
            }
            ValidationErrorKind::MultipleOf { multiple_of } => {
                say(format!("must be a multiple of {multiple_of}, got {}", got()))
            }
            ValidationErrorKind::MinLength { limit } => {
                say(format!("must have at least {limit} characters, got {}", got()))
            }
            ValidationErrorKind::MaxLength { limit } => {
                say(format!("must have at most {limit} characters, got {}", got()))
            }
            ValidationErrorKind::MinItems { limit } => {
                say(format!("must have at least {limit} items, got {}", got()))
            }
            ValidationErrorKind::MaxItems { limit } | ValidationErrorKind::MaxProperties { limit } => {
                say(format!("must have at most {limit} entries, got {}", got()))
            }
            ValidationErrorKind::AdditionalItems { limit } => {
                say(format!("must have at most {limit} items, got {}", got()))
            }
            ValidationErrorKind::MinProperties { limit } => {
                say(format!("must have at least {limit} properties, got {}", got()))
            }
            ValidationErrorKind::Pattern { pattern } => say(format!(
                "must match the pattern {}, got {}",
                quoted(pattern),
                got()
            )),
            ValidationErrorKind::UniqueItems => {
                say(format!("must not hold the same item twice, got {}", got()))
            }
            ValidationErrorKind::FalseSchema => say("is not allowed here".to_owned()),
            ValidationErrorKind::PropertyNames { error } => say(format!(
                "has a property whose name does not fit: {}",
                quoted(&error.instance().to_string())
            )),
            ValidationErrorKind::OneOfMultipleValid { .. } => say(format!(
                "fits more than one of the allowed forms; leave out what belongs to another, got {}",
                got()
            )),
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                nearest(error, context)
            }
            other => say(format!(
                "does not fit the schema's `{}`, got {}",
                other.keyword(),
                got()
            )),
        }
    }
}

/// How deep the fault of a form lies, then how few faults it has.
type Nearness = (usize, std::cmp::Reverse<usize>);

/// Says what is wrong by the form that was probably meant: the one whose fault lies deepest, then has fewest.
fn nearest(error: &ValidationError<'_>, forms: &[Vec<ValidationError<'static>>]) -> Fault {
    let at = error.instance_path().as_str();
    let mut types = Vec::new();
    let mut best: Option<(Nearness, &[ValidationError<'static>])> = None;
    for form in forms.iter().take(FORMS) {
        if let [single] = form.as_slice()
            && let ValidationErrorKind::Type { kind } = single.kind()
            && single.instance_path().as_str() == at
        {
            types.extend(types_in(kind));
            continue;
        }
        let depth = form
            .iter()
            .map(|error| error.instance_path().as_str().matches('/').count())
            .max();
        let rank = (depth.unwrap_or_default(), std::cmp::Reverse(form.len()));
        if best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, form));
        }
    }
    match best {
        None => {
            let mut types = settled(types, &|left, right| left.cmp(right));
            types.dedup();
            let message = format!(
                "{} must be {}, got {}",
                name_of(at),
                wanted(&types),
                quoted(&error.instance().to_string())
            );
            Fault {
                path: at.to_owned(),
                message,
            }
        }
        Some((_, form)) => {
            let faults = form.iter().take(2).map(Fault::of).collect();
            let fault = Fault::of_all(faults).err();
            fault.unwrap_or_else(|| Fault {
                path: at.to_owned(),
                message: format!("{} fits no allowed form", name_of(at)),
            })
        }
    }
}

/// A place as a sentence names it: `items[0].name` for `/items/0/name`.
fn name_of(pointer: &str) -> String {
    let mut name = String::new();
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        if !name.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()) && !segment.is_empty() {
            name.push_str(&format!("[{segment}]"));
        } else {
            if !name.is_empty() {
                name.push('.');
            }
            name.push_str(&segment);
        }
    }
    if name.is_empty() {
        "the arguments".to_owned()
    } else {
        format!("`{}`", quoted(&name))
    }
}

fn types_in(kind: &TypeKind) -> Vec<JsonType> {
    match kind {
        TypeKind::Single(one) => vec![*one],
        TypeKind::Multiple(several) => several.iter().collect(),
    }
}

fn wanted(types: &[JsonType]) -> String {
    let words: Vec<&str> = types
        .iter()
        .map(|kind| match kind {
            JsonType::Null => "null",
            JsonType::Boolean => "a boolean",
            JsonType::Integer => "an integer",
            JsonType::Number => "a number",
            JsonType::String => "a string",
            JsonType::Array => "an array",
            JsonType::Object => "an object",
        })
        .collect();
    words.join(" or ")
}

fn choices(options: &Value) -> String {
    let all = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut listed: Vec<String> = all
        .iter()
        .take(LISTED)
        .map(|choice| quoted(&choice.to_string()))
        .collect();
    if all.len() > LISTED {
        listed.push(format!("and {} more", all.len() - LISTED));
    }
    listed.join(", ")
}
