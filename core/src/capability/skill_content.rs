//! `get_skill_content`: a skill's text at once, or a file to read, or a sub-agent to run. Knows nothing of how a skill was found.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Context;
use super::outcome::{Meaning, Outcome, OutcomeKind};
use super::raw::{RawObject, object_text};
use super::render::{Arguments, Values, render};
use super::reply::{Failure, MESSAGE_CHARS, enumerate, plain, quoted};
use super::skill_call::{SkillCall, SkillPhase};
use super::skill_page::{page, whole_number};
use super::step::{Operation, Step};
use super::tokens::cut;
use crate::catalog::conditions::project_path;
use crate::catalog::folder_skills::FileProblem;
use crate::catalog::folders::FILE_BYTES;
use crate::catalog::item::Item;
use crate::catalog::skill::{Skill, SkillItem};
use crate::catalog::skill_file::{SkillFile, plain_lines};
use crate::error::{Error, ErrorCode};
use crate::text::strip_text;

/// How a skill's own file is called in a sentence.
const SKILL_FILE: &str = "SKILL.md";

/// Ids that an answer to an unknown one offers.
const CANDIDATES: usize = 5;

/// Names that models give the id when they do not write `skillId`.
const OTHER_ID_NAMES: [&str; 4] = ["skill_id", "skill", "name", "id"];

/// One page of a skill, as it goes to the model.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    skill_id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<&'a str>,
    body: &'a str,
    total_chars: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    resources: &'a [String],
    tools: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

/// What a sub-agent made of a skill.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Forked<'a> {
    skill_id: &'a str,
    name: &'a str,
    result: &'a str,
}

/// Answers one call: at once when the skill's text is at hand, else with a file to read.
pub(crate) fn open(context: &Context<'_>, raw: Option<&RawValue>) -> Result<Step, Failure> {
    let text = match object_text(raw) {
        Some(text) => text,
        // A lone text can only be the id.
        None => match raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok()) {
            Some(id) => format!("{{\"skillId\":{}}}", serde_json::Value::from(id)),
            None => return Err(missing()),
        },
    };
    let arguments = RawObject::read(&text).ok_or_else(missing)?;
    let id = ["skillId"]
        .iter()
        .chain(&OTHER_ID_NAMES)
        .find_map(|name| arguments.text(name))
        .ok_or_else(missing)?;
    let skill = find(context, &id)?;
    let definition = skill
        .definition()
        .ok_or_else(|| unreadable(skill, SKILL_FILE, FileProblem::Unreadable))?;
    let resource = match arguments
        .text("resource")
        .filter(|resource| !resource.trim().is_empty())
    {
        Some(wanted) => resource_of(skill, &definition, &wanted)?,
        None => None,
    };
    let offset = arguments.get("offset").map_or(0, |raw| whole_number(raw.get()));
    let mut call = SkillCall {
        operation: Operation::GetSkillContent,
        skill_id: skill.id().to_owned(),
        phase: SkillPhase::Read,
        offset: u32::try_from(offset).ok().filter(|offset| *offset > 0),
        resource,
        arguments: arguments.given("arguments").map(RawValue::to_owned),
        session: context.caller.session.map(str::to_owned),
        visible: context.caller.visible.cloned(),
    };
    // A page of a skill that is already open is a page, whoever was to follow it.
    if call.offset.is_some() {
        call.phase = SkillPhase::ReadInline;
    }
    match &definition.source {
        Some(source) => Ok(to_read(call, &source.file)),
        None => Ok(show(context, skill, &definition, call, skill.body())),
    }
}

/// Goes on with a call after the host has read a file or run a sub-agent.
pub fn resume(context: &Context<'_>, call: &SkillCall, outcome: &Outcome) -> crate::error::Result<Step> {
    let answer = match call.phase {
        SkillPhase::Read | SkillPhase::ReadInline => after_reading(context, call, outcome),
        SkillPhase::Fork => after_forking(context, call, outcome),
    };
    match answer? {
        Ok(step) => Ok(step),
        Err(failure) => Ok(failure.into_step(context.settings.token_budget)),
    }
}

/// A mistake of the host is an error, what went wrong with a skill is a reply.
type Answer = crate::error::Result<Result<Step, Failure>>;

fn after_reading(context: &Context<'_>, call: &SkillCall, outcome: &Outcome) -> Answer {
    let skill = match find(context, &call.skill_id) {
        Ok(skill) => skill,
        Err(failure) => return Ok(Err(failure)),
    };
    let file = call.resource.as_deref().unwrap_or(SKILL_FILE);
    Ok(match (outcome.kind, outcome.text.as_deref()) {
        (OutcomeKind::Text, Some(text)) => {
            let Some(definition) = skill.definition() else {
                return Ok(Err(unreadable(skill, file, FileProblem::Unreadable)));
            };
            let text = match call.resource {
                Some(_) => plain_lines(text.strip_prefix('\u{feff}').unwrap_or(text)),
                None => SkillFile::body_of(text),
            };
            Ok(show(context, skill, &definition, call.clone(), &text))
        }
        (OutcomeKind::NotBound, _) => Err(Failure::new(
            ErrorCode::UnreadableFile,
            format!(
                "skill `{}` is known, but its folder is not loaded in this program",
                skill.id()
            ),
            "go on without it, or tell the user that its folder is not loaded here",
        )
        .of_skill(skill.id())),
        (OutcomeKind::Error, _) => Err(unreadable(skill, file, problem_of(outcome))),
        _ => return Err(misplaced(outcome, "waits for a file's text")),
    })
}

fn after_forking(context: &Context<'_>, call: &SkillCall, outcome: &Outcome) -> Answer {
    let skill = match find(context, &call.skill_id) {
        Ok(skill) => skill,
        Err(failure) => return Ok(Err(failure)),
    };
    let said = outcome
        .message
        .as_deref()
        .map(|message| plain(message, MESSAGE_CHARS));
    let reason = said
        .filter(|said| !said.is_empty())
        .map(|said| format!(": {said}"))
        .unwrap_or_default();
    let fail = |code, what: &str, next: &str| {
        Err(Failure::new(
            code,
            format!(
                "the sub-agent that followed skill `{}` {what}{reason}",
                skill.id()
            ),
            next,
        )
        .of_skill(skill.id()))
    };
    Ok(match (outcome.kind, outcome.meaning()) {
        (OutcomeKind::Text, _) => {
            let text = outcome.text.as_deref().unwrap_or_default();
            Ok(Step::reply(&Forked {
                skill_id: skill.id(),
                name: skill.bare_name(),
                result: &strip_text(text).unwrap_or_else(|| text.to_owned()),
            }))
        }
        // Nobody can run a sub-agent here: the model follows the skill itself.
        (OutcomeKind::NoHandler, _) => {
            let inline = SkillCall {
                phase: SkillPhase::ReadInline,
                ..call.clone()
            };
            let definition = skill.definition();
            match definition
                .as_ref()
                .and_then(|definition| definition.source.as_ref().map(|source| (definition, source)))
            {
                Some((_, source)) => Ok(to_read(inline, &source.file)),
                None => match &definition {
                    Some(definition) => Ok(show(context, skill, definition, inline, skill.body())),
                    None => Err(unreadable(skill, SKILL_FILE, FileProblem::Unreadable)),
                },
            }
        }
        (_, Meaning::Aborted) => fail(
            ErrorCode::Aborted,
            "was cancelled",
            "do not repeat it unless the user asks you to",
        ),
        (OutcomeKind::Error | OutcomeKind::Timeout, _) => fail(
            ErrorCode::SkillFailed,
            "failed",
            "read the message; try again with other arguments, or go on without the skill",
        ),
        _ => return Err(misplaced(outcome, "waits for a sub-agent")),
    })
}

fn to_read(call: SkillCall, file: &str) -> Step {
    Step::Read {
        path: call.resource.clone().unwrap_or_else(|| file.to_owned()),
        most_bytes: FILE_BYTES,
        call: Box::new(call),
    }
}

/// What comes of a skill's text: a page of it, or the order to have it followed.
fn show(
    context: &Context<'_>,
    skill: &Skill,
    definition: &SkillItem<'_>,
    call: SkillCall,
    text: &str,
) -> Step {
    let asks_for_fork = definition.context.as_deref() == Some("fork") && call.resource.is_none();
    let rendered;
    let text = if call.resource.is_some() {
        text
    } else {
        rendered = render(
            text,
            &Values {
                arguments: &Arguments::read(call.arguments.as_deref()),
                names: definition.arguments.as_deref().unwrap_or_default(),
                directory: definition.source.as_ref().map(|source| source.directory.as_str()),
                session: context.caller.session,
            },
        );
        rendered.as_str()
    };
    if asks_for_fork && call.phase == SkillPhase::Read {
        return Step::Fork {
            prompt: text.to_owned(),
            allowed_tools: definition.allowed_tools.clone().unwrap_or_default(),
            model: definition.model.clone(),
            effort: definition.effort.clone(),
            call: Box::new(SkillCall {
                phase: SkillPhase::Fork,
                ..call
            }),
        };
    }
    let offset = call.offset.unwrap_or(0) as usize;
    let (body, next_offset) = page(text, offset, context.settings.page_chars);
    Step::reply(&Page {
        skill_id: skill.id(),
        name: skill.bare_name(),
        resource: call.resource.as_deref(),
        body,
        total_chars: text.chars().count(),
        next_offset,
        resources: definition.resources.as_deref().unwrap_or_default(),
        tools: skill
            .tools()
            .iter()
            .filter_map(|id| Some(context.view.tool(id)?.id()))
            .collect(),
        hint: (asks_for_fork && offset == 0)
            .then_some("this skill is meant for a sub-agent, which cannot be run here: follow it yourself"),
    })
}

/// The resource that is meant; `None` when it is the skill's own file. It is looked up in the list, never joined to a path.
fn resource_of(skill: &Skill, definition: &SkillItem<'_>, wanted: &str) -> Result<Option<String>, Failure> {
    let wanted = wanted.trim();
    let known = definition.resources.as_deref().unwrap_or_default();
    if let Some(source) = &definition.source {
        let inside = wanted
            .strip_prefix("${SKILL_DIR}/")
            .or_else(|| wanted.strip_prefix(&source.directory)?.strip_prefix('/'))
            .unwrap_or(wanted);
        let path = project_path(&inside.replace('\\', "/"));
        if path.as_deref() == Some(source.file.as_str()) {
            return Ok(None);
        }
        if let Some(resource) = known.iter().find(|known| path.as_ref() == Some(*known)) {
            return Ok(Some(resource.clone()));
        }
    }
    let name = wanted.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut candidates: Vec<String> = known
        .iter()
        .filter(|known| known.rsplit('/').next() == Some(name))
        .cloned()
        .collect();
    candidates.extend(
        known
            .iter()
            .filter(|known| !candidates.contains(known))
            .cloned()
            .collect::<Vec<_>>(),
    );
    candidates.truncate(CANDIDATES);
    let message = format!("skill `{}` has no resource `{}`", skill.id(), quoted(wanted));
    let next = if candidates.is_empty() {
        "read the skill's body instead: leave `resource` out"
    } else {
        "name one of the candidates, exactly as it stands there; nothing outside of the skill can be read"
    };
    Err(Failure::new(ErrorCode::UnknownResource, message, next)
        .of_skill(skill.id())
        .requested(wanted, candidates))
}

fn problem_of(outcome: &Outcome) -> FileProblem {
    let name = outcome.name.as_deref().unwrap_or_default();
    serde_json::from_value(name.into()).unwrap_or(FileProblem::Unreadable)
}

fn unreadable(skill: &Skill, file: &str, problem: FileProblem) -> Failure {
    let message = format!(
        "`{}` of skill `{}` {}",
        quoted(file),
        skill.id(),
        problem.sentence()
    );
    let next = "go on without it, or tell the user that the file cannot be read";
    Failure::new(ErrorCode::UnreadableFile, message, next).of_skill(skill.id())
}

fn misplaced(outcome: &Outcome, state: &str) -> Error {
    let kind = serde_json::to_value(outcome.kind).unwrap_or_default();
    let kind = kind.as_str().unwrap_or_default().to_owned();
    let message =
        format!("an outcome `{kind}` does not answer a call that {state}; report what the step asked for");
    Error::new(ErrorCode::InvalidRequest, message).with("kind", kind)
}

/// A skill that the model may open.
fn find<'a>(context: &Context<'a>, requested: &str) -> Result<&'a Skill, Failure> {
    let known = context
        .view
        .skill(requested)
        .or_else(|| context.view.skill(requested.trim()));
    if let Some(skill) = known.filter(|skill| !skill.hidden_from_model()) {
        return Ok(skill);
    }
    let nearest = context
        .view
        .nearest_skills(&cut(requested.trim(), 512), CANDIDATES * 4);
    let candidates: Vec<String> = nearest
        .iter()
        .filter(|skill| !skill.hidden_from_model())
        .take(CANDIDATES)
        .map(|skill| skill.id().to_owned())
        .collect();
    let shown = quoted(requested);
    let (message, next) = match candidates.as_slice() {
        [] => (
            format!("unknown skill `{shown}`"),
            "find a skill with search_capabilities; do not guess an id",
        ),
        near => (
            format!("unknown skill `{shown}`; nearest: {}", enumerate(near)),
            "open one of the candidates if it is the one you mean, else search again with search_capabilities",
        ),
    };
    Err(Failure::new(ErrorCode::UnknownSkill, message, next).requested(requested, candidates))
}

fn missing() -> Failure {
    let next =
        "send the id that search_capabilities gave, for example {\"skillId\": \"<id from the search>\"}";
    Failure::new(ErrorCode::InvalidArguments, "`skillId` is missing", next).at("/skillId")
}
