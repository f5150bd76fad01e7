//! Reads what a model sent to `invoke_tool`: which tool, and which of the possible readings are its arguments.
//! Knows nothing of approval or of what happens to the call.
//!
//! A reading is accepted only when exactly one fits the target's schema. What cannot be read is answered with an example,
//! since a bare error brings the same call back.

use serde_json::value::RawValue;

use super::Context;
use super::arguments::{example, fit};
use super::declared::Declared;
use super::exposed::tool_behind;
use super::fault::Fault;
use super::raw::{RawObject, object_text};
use super::reply::{Failure, Shapes, enumerate, quoted};
use super::shape::Reading;
use super::signature::signature;
use super::tokens::cut;
use super::validate::Compiled;
use crate::catalog::item::{Item, RESERVED_IDS, names_of};
use crate::catalog::tool::Tool;
use crate::error::ErrorCode;

/// Ids that an answer to an unknown one offers (contract 1).
const CANDIDATES: usize = 5;

/// Names that models give the id when they do not write `toolId`.
const OTHER_ID_NAMES: [&str; 4] = ["tool_id", "toolName", "tool", "name"];

/// Names that models give the arguments when they do not write `args`.
const ARGUMENT_NAMES: [&str; 4] = ["arguments", "parameters", "params", "input"];

/// A tool and the arguments it is to be called with.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    /// The tool.
    pub(crate) tool: &'a Tool,
    /// Its arguments, repaired and validated.
    pub(crate) arguments: Box<RawValue>,
}

/// One way to read a call.
struct Candidate {
    text: String,
    /// It is what was written, in the place it belongs.
    literal: bool,
}

/// Reads the arguments of `invoke_tool`.
pub(crate) fn open<'a>(context: &Context<'a>, raw: Option<&RawValue>) -> Result<Target<'a>, Failure> {
    let text =
        object_text(raw).ok_or_else(|| no_envelope("the arguments of `invoke_tool` must be an object"))?;
    let outer =
        RawObject::read(&text).ok_or_else(|| no_envelope("the arguments of `invoke_tool` cannot be read"))?;
    if let Some((id, rest)) = id_of(&outer, context) {
        return dispatch(context, &id, &rest);
    }
    // The id inside `args`: what is there is the envelope.
    for name in ["args"].iter().chain(&ARGUMENT_NAMES) {
        let Some(inner) = outer.given(name).and_then(|raw| object_text(Some(raw))) else {
            continue;
        };
        let Some(object) = RawObject::read(&inner) else {
            continue;
        };
        if let Some(id) = object.text("toolId")
            && let Some(all) = object.without(&["toolId"]).merged(&outer.without(&[name]))
        {
            return dispatch(context, &id, &all);
        }
    }
    Err(no_envelope("`toolId` is missing"))
}

/// Reads a catalog tool's arguments where the model called the tool by its own name.
pub(crate) fn direct<'a>(
    context: &Context<'a>,
    tool: &'a Tool,
    raw: Option<&RawValue>,
) -> Result<Target<'a>, Failure> {
    choose(context, tool, &given(raw))
}

/// Reads a catalog tool's arguments as host code gives them: what is written is what is meant.
pub(crate) fn literal<'a>(
    context: &Context<'a>,
    tool: &'a Tool,
    raw: Option<&RawValue>,
) -> Result<Target<'a>, Failure> {
    let text = object_text(raw).unwrap_or_else(|| raw.map_or("{}", RawValue::get).to_owned());
    choose(context, tool, &[Candidate { text, literal: true }])
}

/// The visible tool that an id, the name it has in a provider's list, or a name that only one tool has, stands for.
pub(crate) fn find<'a>(context: &Context<'a>, requested: &str) -> Result<&'a Tool, Failure> {
    let id = requested.trim();
    if let Some(tool) = context.view.tool(requested).or_else(|| context.view.tool(id)) {
        return Ok(tool);
    }
    if let Some(tool) = tool_behind(&context.view, id) {
        return Ok(tool);
    }
    let nearest = context.view.nearest_tools(&cut(id, 512), CANDIDATES * 2);
    let mut named = nearest
        .iter()
        .filter(|tool| names_of(tool.id(), tool.name()).contains(&id));
    if let (Some(tool), None) = (named.next(), named.next()) {
        return Ok(tool);
    }
    Err(unknown(
        requested,
        nearest
            .iter()
            .take(CANDIDATES)
            .map(|tool| tool.id().to_owned())
            .collect(),
    ))
}

/// The answer to an id that is not there or may not be seen: the same in both cases.
pub(crate) fn unknown_to(context: &Context<'_>, requested: &str) -> Failure {
    let nearest = context
        .view
        .nearest_tools(&cut(requested.trim(), 512), CANDIDATES);
    unknown(
        requested,
        nearest.iter().map(|tool| tool.id().to_owned()).collect(),
    )
}

fn unknown(requested: &str, candidates: Vec<String>) -> Failure {
    let shown = quoted(requested);
    let (message, next) = match candidates.as_slice() {
        [] => (format!("unknown tool `{shown}`"), "find a tool with search_capabilities; do not guess an id".to_owned()),
        near => (
            format!("unknown tool `{shown}`; nearest: {}", enumerate(near)),
            "call one of the candidates if it is the one you mean, else search again with search_capabilities".to_owned(),
        ),
    };
    Failure::new(ErrorCode::UnknownTool, message, next).requested(requested, candidates)
}

/// The id and what stands beside it. Another word than `toolId` counts only in what can be nothing but an envelope, and
/// only when it gives a whole id: a parameter may be called `name` too.
fn id_of<'r>(object: &RawObject<'r>, context: &Context<'_>) -> Option<(String, RawObject<'r>)> {
    if let Some(id) = object.text("toolId") {
        return Some((id, object.without(&["toolId"])));
    }
    OTHER_ID_NAMES.iter().find_map(|name| {
        let id = object.text(name)?;
        let rest = object.without(&[name]);
        let is_envelope = rest
            .names()
            .all(|name| name == "args" || ARGUMENT_NAMES.contains(&name));
        (is_envelope && context.view.tool(&id).is_some()).then_some((id, rest))
    })
}

fn dispatch<'a>(context: &Context<'a>, id: &str, rest: &RawObject<'_>) -> Result<Target<'a>, Failure> {
    if RESERVED_IDS.contains(&id.trim()) {
        return Err(through_itself(id.trim(), rest));
    }
    let tool = find(context, id)?;
    let beside = rest.without(&["args"]);
    if beside.is_empty() {
        return choose(context, tool, &given(rest.get("args")));
    }
    let compiled = context.validators.of(tool.input_schema());
    let declared = Reading::new(&compiled.schema).declared();
    let mut candidates = Vec::new();
    if let Some(args) = rest.given("args") {
        // What stands beside `args` either belongs to it, or is nothing to the tool.
        if let Some(inner) = object_text(Some(args)) {
            if !beside.names().any(|name| declared.takes(name)) {
                candidates.push(Candidate {
                    text: inner.clone(),
                    literal: true,
                });
            }
            let merged = RawObject::read(&inner).and_then(|inner| Some(inner.merged(&beside)?.write()));
            candidates.extend(merged.map(|text| Candidate { text, literal: false }));
        }
        candidates.push(Candidate {
            text: rest.write(),
            literal: false,
        });
    } else {
        candidates.push(Candidate {
            text: beside.write(),
            literal: false,
        });
        if let Some((name, value)) = beside.only()
            && ARGUMENT_NAMES.contains(&name)
            && let Some(text) = object_text(Some(value))
        {
            candidates.push(Candidate { text, literal: false });
        }
    }
    pick(context, tool, &compiled, &candidates)
}

/// The readings of `args`: as it stands, and where it repeats the envelope, what that holds.
fn given(args: Option<&RawValue>) -> Vec<Candidate> {
    let Some(text) = object_text(args) else {
        let text = args.map_or("{}", RawValue::get).to_owned();
        return vec![Candidate { text, literal: true }];
    };
    let mut candidates = vec![Candidate {
        text: text.clone(),
        literal: true,
    }];
    if let Some(object) = RawObject::read(&text) {
        let inner = object.without(&["toolId"]);
        let nested = inner
            .only()
            .filter(|(name, _)| *name == "args")
            .map(|(_, args)| args);
        match nested.and_then(|args| object_text(Some(args))) {
            Some(text) => candidates.push(Candidate { text, literal: false }),
            None if object.get("toolId").is_some() => {
                candidates.push(Candidate {
                    text: inner.write(),
                    literal: false,
                });
            }
            None => {}
        }
    }
    candidates
}

fn choose<'a>(
    context: &Context<'a>,
    tool: &'a Tool,
    candidates: &[Candidate],
) -> Result<Target<'a>, Failure> {
    let compiled = context.validators.of(tool.input_schema());
    pick(context, tool, &compiled, candidates)
}

/// Takes the one reading that fits.
fn pick<'a>(
    context: &Context<'a>,
    tool: &'a Tool,
    compiled: &Compiled,
    candidates: &[Candidate],
) -> Result<Target<'a>, Failure> {
    let may_repair = context.settings.repair_arguments;
    let declared = Reading::new(&compiled.schema).declared();
    let alone = candidates.len() == 1;
    let mut fitting: Vec<(Box<RawValue>, bool)> = Vec::new();
    let mut fault: Option<Fault> = None;
    let mut loose = None;
    for candidate in candidates {
        match fit(&candidate.text, compiled, may_repair) {
            Ok(arguments) => {
                let named = RawObject::read(&candidate.text)
                    .is_none_or(|object| object.names().all(|name| declared.takes(name)));
                if named || (alone && candidate.literal) {
                    if !fitting.iter().any(|(known, _)| known.get() == arguments.get()) {
                        fitting.push((arguments, candidate.literal));
                    }
                } else if candidate.literal {
                    loose = Some(arguments);
                } else if fault.is_none() {
                    fault = Some(stranger(&candidate.text, &declared, tool));
                }
            }
            Err(found) if fault.is_none() => fault = Some(found),
            Err(_) => {}
        }
    }
    let literal = fitting.iter().position(|(_, literal)| *literal);
    let chosen = match (literal, fitting.len()) {
        (Some(place), _) => Some(fitting.swap_remove(place).0),
        (None, 1) => fitting.pop().map(|(arguments, _)| arguments),
        (None, 0) => loose,
        (None, _) => None,
    };
    match (chosen, fault) {
        (Some(arguments), _) => Ok(Target { tool, arguments }),
        (None, Some(fault)) if fitting.is_empty() => Err(refused(context, tool, compiled, &fault)),
        (None, _) => {
            let message = format!("the call of `{}` can be read in more than one way", tool.id());
            Err(refused(
                context,
                tool,
                compiled,
                &Fault {
                    path: String::new(),
                    message,
                },
            ))
        }
    }
}

/// What is wrong with arguments that hold a name the tool does not know.
fn stranger(text: &str, declared: &Declared<'_>, tool: &Tool) -> Fault {
    let object = RawObject::read(text).unwrap_or_default();
    let name = object
        .names()
        .find(|name| !declared.takes(name))
        .unwrap_or_default();
    let path = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    Fault {
        path,
        message: format!("`{}` is not a parameter of `{}`", quoted(name), tool.id()),
    }
}

/// The answer to arguments that do not fit, with as much of the schema as there is room for.
fn refused(context: &Context<'_>, tool: &Tool, compiled: &Compiled, fault: &Fault) -> Failure {
    let example = example(&compiled.schema);
    let next = format!(
        "correct the arguments by the schema and call invoke_tool again as {}",
        cut(
            &format!(
                "{{\"toolId\":{},\"args\":{example}}}",
                serde_json::Value::from(tool.id())
            ),
            1_000
        )
    );
    let shapes = Shapes {
        whole: tool.input_schema(),
        part: Reading::new(&compiled.schema).part_at(&fault.path),
        signature: signature(tool),
    };
    let failure = Failure::new(ErrorCode::InvalidArguments, &fault.message, next).of_tool(tool.id());
    let failure = if fault.path.is_empty() {
        failure
    } else {
        failure.at(&fault.path)
    };
    failure.showing(shapes, context.settings.token_budget)
}

fn no_envelope(reason: &str) -> Failure {
    let next = "send the id that search_capabilities gave and the tool's arguments, for example \
        {\"toolId\": \"<id from the search>\", \"args\": {\"<parameter>\": \"<value>\"}}";
    Failure::new(ErrorCode::InvalidArguments, reason, next).at("/toolId")
}

/// A capability tool was called through `invoke_tool`: shows the call that was meant.
fn through_itself(id: &str, rest: &RawObject<'_>) -> Failure {
    let args = rest.given("args").and_then(|args| object_text(Some(args)));
    let args = args.unwrap_or_else(|| rest.without(&["args"]).write());
    let blank = match id {
        "search_capabilities" => r#"{"query": "<what you want to do>"}"#,
        "get_skill_content" => r#"{"skillId": "<id from the search>"}"#,
        _ => r#"{"toolId": "<id from the search>", "args": {"<parameter>": "<value>"}}"#,
    };
    let shown = if args == "{}" || args.chars().count() > 400 {
        blank
    } else {
        args.as_str()
    };
    let message = format!("`{id}` is called directly, not through `invoke_tool`");
    let next = format!("call {id} itself with the arguments {shown}");
    Failure::new(ErrorCode::InvalidArguments, message, next)
        .requested(id, Vec::new())
        .at("/toolId")
}
