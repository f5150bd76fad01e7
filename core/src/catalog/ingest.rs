//! From the JSON text of one item to the item, or to a diagnostic. Knows nothing of the other items of its batch.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::diagnostic::{Diagnostic, Severity};
use super::item::{Item, Kind, check_id};
use crate::error::{ErrorCode, json_reason};
use crate::rank::edits::edits_within;
use crate::settled::settled;
use crate::text::{Member, name_key, strip_json};

/// How many slips of the pen still leave the guard of a tool recognisable.
const GUARD_EDITS: usize = 2;

/// The key of a record that a host sends in place of an item that it could not write as JSON.
const REFUSED: &str = "$refused";

/// Why a host could not write an item as JSON.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Refusal {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    path: Option<String>,
    reason: Reason,
    #[serde(default)]
    message: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Reason {
    NotFinite,
    BigInteger,
    Cycle,
    Getter,
    LoneSurrogate,
    Unsupported,
    MissingExecutor,
    NotAnObject,
    Schema,
}

impl Reason {
    const fn code(self) -> ErrorCode {
        match self {
            Self::MissingExecutor => ErrorCode::MissingExecutor,
            Self::NotAnObject => ErrorCode::InvalidItem,
            Self::Schema => ErrorCode::InvalidSchema,
            _ => ErrorCode::InvalidJson,
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::NotFinite => {
                "holds a number that is not finite, which JSON cannot say; use a number or null"
            }
            Self::BigInteger => {
                "holds a big integer, which JSON in this language cannot say; use a number or text"
            }
            Self::Cycle => "refers back to itself; pass a tree",
            Self::Getter => "has a getter that throws; pass plain data",
            Self::LoneSurrogate => {
                "holds half of a surrogate pair, which is not Unicode text; correct the text"
            }
            Self::Unsupported => "holds a value that JSON cannot say; pass plain data",
            Self::MissingExecutor => "has no function to run; give it `execute`",
            Self::NotAnObject => "is not an object; pass one with an `id`",
            Self::Schema => "has a schema that cannot be read as JSON Schema; pass plain JSON Schema",
        }
    }
}

/// An item as it came in, and what is known of its text.
pub(super) struct Given<'a> {
    pub(super) text: &'a str,
    /// Its members, where they are known.
    pub(super) members: Option<&'a [Member<'a>]>,
    /// Whether it may hold anything but ASCII without escapes.
    pub(super) is_special: bool,
}

/// Reads one item. What is wrong goes to `diagnostics`; `None` when it is not taken.
pub fn read<I: Item>(raw: &RawValue, place: u32, diagnostics: &mut Vec<Diagnostic>) -> Option<I> {
    let given = Given {
        text: raw.get(),
        members: None,
        is_special: true,
    };
    read_given(&given, place, diagnostics)
}

/// The same of an item of whose text more is known.
pub(super) fn read_given<I: Item>(
    given: &Given<'_>,
    place: u32,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<I> {
    match try_read::<I>(given, place, diagnostics) {
        Ok(item) => Some(item),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    }
}

/// Says that an id stood twice in one batch.
pub fn duplicate(kind: Kind, id: &str, place: u32) -> Diagnostic {
    Diagnostic {
        code: ErrorCode::DuplicateId,
        severity: Severity::Warning,
        kind,
        index: Some(place),
        id: Some(id.to_owned()),
        path: Some("/id".to_owned()),
        file: None,
        line: None,
        message: format!(
            "{} `{id}` stands twice in one batch; the last one counts",
            kind.noun()
        ),
    }
}

fn try_read<I: Item>(
    given: &Given<'_>,
    place: u32,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<I, Box<Diagnostic>> {
    let text = given.text;
    let report = |code, severity, id: Option<String>, path: Option<&str>, message| Diagnostic {
        code,
        severity,
        kind: I::KIND,
        index: Some(place),
        id,
        path: path.map(str::to_owned),
        file: None,
        line: None,
        message,
    };
    let refuse =
        |code, id, path: Option<&str>, message| Box::new(report(code, Severity::Error, id, path, message));
    let noun = I::KIND.noun();

    let mut unknown = Vec::new();
    let known = given.members.and_then(|members| I::of_members(text, members));
    let read = known.map_or_else(|| I::read_noting(text, &mut unknown), Ok);
    let item = read.map_err(|cause| {
        if let Some(refusal) = refusal(text) {
            let subject = refusal.id.as_deref().map_or_else(
                || format!("{noun} {place} of the batch"),
                |id| format!("{noun} `{id}`"),
            );
            let place_in_it = refusal
                .path
                .as_deref()
                .filter(|path| !path.is_empty())
                .map(|path| format!(" at `{path}`"));
            let detail = refusal
                .message
                .as_deref()
                .filter(|message| !message.is_empty())
                .map(|message| format!(" ({})", message.chars().take(200).collect::<String>()));
            let message = format!(
                "{subject} {}{}{}",
                refusal.reason.sentence(),
                place_in_it.unwrap_or_default(),
                detail.unwrap_or_default()
            );
            return refuse(
                refusal.reason.code(),
                refusal.id,
                refusal.path.as_deref(),
                message,
            );
        }
        let mut fault = find_fault::<I>(text);
        if fault.path.is_none() {
            fault.path = missing_field(&cause.to_string()).map(|name| format!("/{name}"));
        }
        let subject = fault.id.as_deref().map_or_else(
            || format!("{noun} {place} of the batch"),
            |id| format!("{noun} `{id}`"),
        );
        let message = format!(
            "{subject} cannot be read: {}",
            fault.reason.unwrap_or_else(|| json_reason(&cause))
        );
        refuse(fault.code, fault.id, fault.path.as_deref(), message)
    })?;

    check_id(I::KIND, item.id())
        .map_err(|error| refuse(error.code, Some(item.id().to_owned()), Some("/id"), error.message))?;

    if !unknown.is_empty()
        && let Some((given, meant)) = misspelt::<I>(unknown)
    {
        let id = item.id();
        let message =
            format!("{noun} `{id}` has a field `{given}`, which means nothing; did you mean `{meant}`?");
        let path = format!("/{}", given.replace('~', "~0").replace('/', "~1"));
        return Err(refuse(
            ErrorCode::InvalidItem,
            Some(id.to_owned()),
            Some(&path),
            message,
        ));
    }

    let stripped = given.is_special.then(|| strip_json(text)).flatten();
    let item = match stripped {
        None => item,
        Some(clean) => {
            let id = Some(item.id().to_owned());
            let message = format!(
                "{noun} `{}` holds invisible characters, which were taken out; check where the text came from",
                item.id()
            );
            diagnostics.push(report(
                ErrorCode::InvisibleText,
                Severity::Warning,
                id.clone(),
                None,
                message,
            ));
            I::read(&clean).map_err(|cause| {
                refuse(
                    ErrorCode::InvalidItem,
                    id,
                    None,
                    format!("{noun} cannot be read: {}", json_reason(&cause)),
                )
            })?
        }
    };
    for (code, path, message) in item.warnings() {
        diagnostics.push(report(
            code,
            Severity::Warning,
            Some(item.id().to_owned()),
            Some(path),
            message,
        ));
    }
    Ok(item)
}

fn refusal(text: &str) -> Option<Refusal> {
    let mut record: serde_json::Map<String, Value> = serde_json::from_str(text).ok()?;
    serde_json::from_value(record.remove(REFUSED)?).ok()
}

struct Fault {
    code: ErrorCode,
    id: Option<String>,
    path: Option<String>,
    reason: Option<String>,
}

/// Finds which part of an item that could not be read is at fault, by reading each part alone.
fn find_fault<I: Item>(text: &str) -> Fault {
    let mut fault = Fault {
        code: ErrorCode::InvalidItem,
        id: None,
        path: None,
        reason: None,
    };
    let parts: BTreeMap<String, Box<RawValue>> = match serde_json::from_str(text) {
        Ok(parts) => parts,
        Err(cause) => {
            if is_half_a_pair(&cause.to_string()) {
                fault.code = ErrorCode::InvalidJson;
            } else {
                fault.reason = Some("it is not an object; pass one with an `id`".to_owned());
            }
            return fault;
        }
    };
    fault.id = parts.get("id").and_then(|id| serde_json::from_str(id.get()).ok());
    if !parts.contains_key("id") {
        fault.path = Some("/id".to_owned());
        fault.reason = Some("it has no `id`; give it a unique one".to_owned());
        return fault;
    }
    for (name, part) in &parts {
        let alone = if name == "id" {
            format!("{{\"id\":{},\"body\":\"\"}}", part.get())
        } else if name == "body" {
            format!("{{\"id\":\"x\",\"body\":{}}}", part.get())
        } else {
            format!(
                "{{\"id\":\"x\",\"body\":\"\",{}:{}}}",
                Value::from(name.as_str()),
                part.get()
            )
        };
        if let Err(cause) = I::read(&alone) {
            let reason = json_reason(&cause);
            if is_half_a_pair(&reason) {
                fault.code = ErrorCode::InvalidJson;
            }
            fault.path = Some(format!("/{}", name.replace('~', "~0").replace('/', "~1")));
            fault.reason = Some(format!("`{name}`: {reason}"));
            return fault;
        }
    }
    fault
}

/// A field that is another one in the wrong style, or would have guarded the item: passing it over would lose what was meant.
fn misspelt<I: Item>(unknown: Vec<String>) -> Option<(String, &'static str)> {
    const GUARD: &str = "requiresApproval";
    let unknown = settled(unknown, &|left, right| left.cmp(right));
    unknown.into_iter().find_map(|given| {
        let key = name_key(&given);
        let letters = |text: &str| text.chars().collect::<Vec<char>>();
        let guards = |field: &str| {
            let close = edits_within(&letters(&key), &letters(&name_key(field)), GUARD_EDITS).is_some();
            field == GUARD && (close || key.ends_with("approval"))
        };
        let meant = I::FIELDS
            .iter()
            .find(|field| name_key(field) == key || guards(field))?;
        Some((given, *meant))
    })
}

/// The field that the parser missed: serde tells it only in words.
fn missing_field(reason: &str) -> Option<&str> {
    reason.strip_prefix("missing field `")?.split('`').next()
}

/// Whether the parser stumbled over half of a surrogate pair: serde_json tells it only in words.
fn is_half_a_pair(reason: &str) -> bool {
    reason.contains("hex escape") || reason.contains("surrogate")
}
