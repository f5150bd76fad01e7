//! The flow of one call: envelope, visibility, repair, validation, approval, and what its outcome means.
//! Knows nothing of executors: it says what is to be done, the host does it.

use serde_json::Value;
use serde_json::value::RawValue;

use super::Context;
use super::envelope::{self, Target};
use super::outcome::{Meaning, Outcome, OutcomeKind};
use super::reply::{Failure, plain, quoted};
use super::search;
use super::step::{Call, Operation, Step, digest_of};
use crate::catalog::item::Item;
use crate::catalog::tool::Tool;
use crate::error::{Error, ErrorCode, Result};

/// A call that could be made.
#[derive(Debug)]
pub struct Resolved<'a> {
    /// The tool.
    pub tool: &'a Tool,
    /// Its arguments, repaired and validated.
    pub arguments: Box<RawValue>,
    /// Of the tool's definition.
    pub digest: String,
}

/// Starts a call that a model made through `invoke_tool`.
pub(crate) fn through_envelope(
    context: &Context<'_>,
    raw: Option<&RawValue>,
) -> std::result::Result<Step, Failure> {
    Ok(begin(
        context,
        envelope::open(context, raw)?,
        Operation::InvokeTool,
    ))
}

/// Starts a call that a model made by a catalog tool's own name.
pub(crate) fn by_name(
    context: &Context<'_>,
    name: &str,
    raw: Option<&RawValue>,
) -> std::result::Result<Step, Failure> {
    let tool = envelope::find(context, name)?;
    Ok(begin(
        context,
        envelope::direct(context, tool, raw)?,
        Operation::InvokeTool,
    ))
}

/// Starts a call from host code: no envelope, the whole id, mistakes are errors.
pub fn invoke(context: &Context<'_>, tool_id: &str, args: Option<&RawValue>) -> Result<Step> {
    let tool = context
        .view
        .tool(tool_id)
        .ok_or_else(|| envelope::unknown_to(context, tool_id))?;
    let target = envelope::literal(context, tool, args)?;
    Ok(begin(context, target, Operation::Invoke))
}

/// Repairs and validates what a model sent to `invoke_tool`, and runs nothing.
pub fn resolve<'a>(context: &Context<'a>, arguments: &RawValue) -> Result<Resolved<'a>> {
    let Target { tool, arguments } = envelope::open(context, Some(arguments))?;
    Ok(Resolved {
        tool,
        arguments,
        digest: digest_of(tool.text()),
    })
}

/// Goes on with a call after the host has done what a step asked for.
pub fn resume(context: &Context<'_>, call: &Call, outcome: &Outcome) -> Result<Step> {
    if matches!(call.operation, Operation::SearchCapabilities | Operation::Recall) {
        return search::resume(context, call, outcome);
    }
    let answer = match outcome.kind {
        OutcomeKind::Approval | OutcomeKind::NoHandler => after_asking(context, call, outcome),
        _ if call.approved == Some(false) => match outcome.meaning() {
            Meaning::Ok | Meaning::NotBound | Meaning::OfAnotherStep => {
                return Err(misplaced(outcome, "is still to be approved"));
            }
            meaning => Err(not_asked(context, call, outcome, meaning)),
        },
        _ => match outcome.meaning() {
            Meaning::OfAnotherStep => return Err(misplaced(outcome, "was to be invoked")),
            meaning => after_running(context, call, outcome, meaning),
        },
    };
    match (answer, call.operation) {
        (Ok(step), _) => Ok(step),
        (
            Err(failure),
            Operation::InvokeTool
            | Operation::SearchCapabilities
            | Operation::Recall
            | Operation::GetSkillContent,
        ) => Ok(failure.into_step(context.settings.token_budget)),
        (Err(failure), Operation::Invoke) => Err(failure.into()),
    }
}

fn begin(context: &Context<'_>, target: Target<'_>, operation: Operation) -> Step {
    let Target { tool, arguments } = target;
    let mut call = Box::new(Call {
        operation,
        tool_id: tool.id().to_owned(),
        arguments,
        digest: digest_of(tool.text()),
        session: context.caller.session.map(str::to_owned),
        visible: context.caller.visible.cloned(),
        approved: None,
        seal: None,
        annotations: tool
            .annotations()
            .and_then(|text| RawValue::from_string(text.to_owned()).ok()),
    });
    if tool.requires_approval() {
        call.approved = Some(false);
        call.seal = Some(call.fingerprint());
        return Step::Approve { call };
    }
    Step::Invoke { call }
}

/// A yes holds for exactly the tool, the definition and the arguments that were asked about.
fn after_asking(context: &Context<'_>, call: &Call, outcome: &Outcome) -> std::result::Result<Step, Failure> {
    let id = call.tool_id.as_str();
    let tool = context
        .view
        .tool(id)
        .ok_or_else(|| envelope::unknown_to(context, id))?;
    let fail = |code, message: String, next: &str| Err(Failure::new(code, message, next).of_tool(id));
    if outcome.kind == OutcomeKind::NoHandler {
        return fail(
            ErrorCode::NeedsApproval,
            format!("`{id}` needs an approval, and this program cannot ask for one"),
            "tell the user that this needs an approval that cannot be given here, or go on without it",
        );
    }
    if outcome.approved != Some(true) {
        let reason = outcome
            .reason
            .as_deref()
            .map(|reason| plain(reason, 500))
            .filter(|reason| !reason.is_empty());
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        return fail(
            ErrorCode::Declined,
            format!("the call of `{id}` was declined{reason}"),
            "do not call it again for this unless the user asks you to; go on without it or ask what to do instead",
        );
    }
    if call.digest != digest_of(tool.text()) {
        return fail(
            ErrorCode::DefinitionChanged,
            format!("`{id}` was changed after the approval was asked for, so it did not run"),
            "look at its new schema with search_capabilities and call it again",
        );
    }
    if call.seal.as_deref() != Some(call.fingerprint().as_str()) {
        return fail(
            ErrorCode::NeedsApproval,
            format!("the approval is not for this call of `{id}`, so it did not run"),
            "call it again, so that the user is asked about exactly these arguments",
        );
    }
    Ok(Step::Invoke {
        call: Box::new(Call {
            approved: Some(true),
            ..call.clone()
        }),
    })
}

fn after_running(
    context: &Context<'_>,
    call: &Call,
    outcome: &Outcome,
    meaning: Meaning,
) -> std::result::Result<Step, Failure> {
    let id = call.tool_id.as_str();
    let tool = context
        .view
        .tool(id)
        .ok_or_else(|| envelope::unknown_to(context, id))?;
    let said = outcome.message.as_deref().unwrap_or_default();
    let after_colon = if said.trim().is_empty() {
        String::new()
    } else {
        format!(": {said}")
    };
    let (code, message, next) = match meaning {
        Meaning::Ok | Meaning::OfAnotherStep => return Ok(Step::host_value()),
        Meaning::NeedsAuth => (
            ErrorCode::NeedsAuth,
            format!(
                "`{id}` needs a sign-in to `{}`{after_colon}",
                quoted(tool.group())
            ),
            "ask the user to sign in, then call it again",
        ),
        Meaning::Aborted => (
            ErrorCode::Aborted,
            format!("the call of `{id}` was cancelled{after_colon}"),
            "do not repeat it unless the user asks you to",
        ),
        Meaning::Timeout => {
            let waited = outcome
                .elapsed_ms
                .filter(|elapsed| elapsed.is_finite() && *elapsed >= 0.0);
            let waited = waited
                .map(|elapsed| format!(" within {elapsed:.0} ms"))
                .unwrap_or_default();
            (
                ErrorCode::Timeout,
                format!("`{id}` did not answer{waited}"),
                "ask for less at a time or try once more; it may have taken effect, so check before you repeat a change",
            )
        }
        Meaning::NotBound => (
            ErrorCode::NotBound,
            format!("`{id}` is known, but no function is bound to it in this program"),
            "use another tool, or tell the user that this one cannot be run here",
        ),
        Meaning::Refused => (
            ErrorCode::InvalidArguments,
            format!("`{id}` does not take these arguments{after_colon}"),
            "correct the arguments as the message says and call it again",
        ),
        Meaning::Failed => {
            let name = outcome
                .name
                .as_deref()
                .filter(|name| !matches!(*name, "" | "Error" | "Exception"));
            let name = name
                .map(|name| format!(" with {}", quoted(name)))
                .unwrap_or_default();
            (
                ErrorCode::ToolFailed,
                format!("`{id}` failed{name}{after_colon}"),
                "read the message: correct the arguments or take another way; do not send the same call again",
            )
        }
    };
    Err(Failure::new(code, message, next).of_tool(id))
}

/// Nobody could be asked: the host's way of asking failed, or was given up.
fn not_asked(context: &Context<'_>, call: &Call, outcome: &Outcome, meaning: Meaning) -> Failure {
    let id = call.tool_id.as_str();
    if context.view.tool(id).is_none() {
        return envelope::unknown_to(context, id);
    }
    let said = outcome.message.as_deref().map(|message| plain(message, 500));
    let reason = said
        .filter(|said| !said.is_empty())
        .map(|said| format!(": {said}"))
        .unwrap_or_default();
    let (code, message) = match meaning {
        Meaning::Aborted => (
            ErrorCode::Aborted,
            format!("the call of `{id}` was cancelled before it was approved{reason}"),
        ),
        _ => (
            ErrorCode::NeedsApproval,
            format!("`{id}` needs an approval, and asking for it failed{reason}"),
        ),
    };
    let next = "it did not run; tell the user, and call it again only if the user wants it";
    Failure::new(code, message, next).of_tool(id)
}

pub(crate) fn misplaced(outcome: &Outcome, state: &str) -> Error {
    let kind = serde_json::to_value(outcome.kind).unwrap_or(Value::Null);
    let kind = kind.as_str().unwrap_or_default().to_owned();
    let message =
        format!("an outcome `{kind}` does not answer a call that {state}; report what the step asked for");
    Error::new(ErrorCode::InvalidRequest, message).with("kind", kind)
}
