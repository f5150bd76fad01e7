//! `search_capabilities`: finds tools and skills for one query, each bucket with its own cut. Knows nothing of how much of
//! a hit there is room for.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::Context;
use super::budget::{Findings, SkillHit, ToolHit, render};
use super::means::{self, Means};
use super::outcome::Outcome;
use super::raw::{RawObject, object_text};
use super::reply::{Failure, enumerate, quoted};
use super::step::{Call, Step, to_raw};
use crate::catalog::item::Item;
use crate::catalog::server::ServerStatus;
use crate::catalog::tool::Tool;
use crate::error::ErrorCode;
use crate::rank::{Hit, Ranking, Status};

/// How many tools a search shows when it is not told.
const TOOLS: usize = 5;

/// How many skills a search shows when it is not told.
const SKILLS: usize = 3;

/// The most that a search shows of one kind, and the most tools that its skills bring along.
const MOST: usize = 50;

/// Ids that `no_match` names (contract 1).
const NEAREST: usize = 3;

/// What is looked for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    query: String,
    #[serde(rename = "topKTools")]
    tools: usize,
    #[serde(rename = "topKSkills")]
    skills: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
}

/// Answers one call, or asks for its query's vector.
pub(crate) fn search(context: &Context<'_>, raw: Option<&RawValue>) -> Result<Step, Failure> {
    let wanted = Wanted::read(raw)?;
    Ok(match means::before(context, &wanted.query) {
        Some(means) => reply(context, &wanted, &means),
        None => means::embed(context, wanted.query.clone(), to_raw(&wanted)),
    })
}

/// Answers a call whose query was to be embedded.
pub(crate) fn resume(context: &Context<'_>, call: &Call, outcome: &Outcome) -> crate::error::Result<Step> {
    let means = means::after(context, call, outcome)?;
    Ok(match Wanted::read(Some(&call.arguments)) {
        Ok(wanted) => reply(context, &wanted, &means),
        Err(failure) => failure.into_step(context.settings.token_budget),
    })
}

fn reply(context: &Context<'_>, wanted: &Wanted, means: &Means) -> Step {
    Step::Reply {
        reply: Some(render(context, &find(context, wanted, means))),
        is_error: Some(false),
        host_value: None,
    }
}

/// The same search for a host that puts the result before the model itself; `None` when nothing matches.
pub fn recall(
    context: &Context<'_>,
    query: &str,
    [top_k_tools, top_k_skills]: [Option<&RawValue>; 2],
    means: &Means,
) -> Option<Box<RawValue>> {
    let wanted = Wanted {
        query: query.to_owned(),
        tools: top_k(top_k_tools, TOOLS),
        skills: top_k(top_k_skills, SKILLS),
        server: None,
    };
    let findings = find(context, &wanted, means);
    (findings.status != Status::NoMatch).then(|| render(context, &findings))
}

/// The best tools for a query, and how far the best can be trusted; none when nothing matches.
pub(super) fn best_tools<'a>(
    context: &Context<'a>,
    text: &str,
    how_many: Option<&RawValue>,
) -> (Status, Vec<&'a Tool>) {
    let means = Means::default();
    let ranking = context
        .view
        .search_tools(&means.query(context, text, top_k(how_many, TOOLS), None));
    let hits = answering(&ranking).iter();
    let tools = hits.filter_map(|hit| context.view.tool_at(hit.slot)).collect();
    (ranking.status, tools)
}

/// A number of hits from what a model or a host sent: a positive integer up to 50, the default for anything else.
fn top_k(raw: Option<&RawValue>, default: usize) -> usize {
    let number = raw.and_then(|raw| serde_json::from_str::<serde_json::Number>(raw.get()).ok());
    let number = number.and_then(|number| {
        number
            .as_f64()
            .or(Some(f64::INFINITY).filter(|_| !number.to_string().starts_with('-')))
    });
    match number {
        Some(number) if number >= MOST as f64 => MOST,
        Some(number) if number >= 1.0 && number.fract() == 0.0 => {
            (1..=MOST).rfind(|k| *k as f64 <= number).unwrap_or(default)
        }
        _ => default,
    }
}

impl Wanted {
    fn read(raw: Option<&RawValue>) -> Result<Self, Failure> {
        let text = match object_text(raw) {
            Some(text) => text,
            // A lone text can only be the query.
            None => match raw.and_then(|raw| words(raw.get())) {
                Some(query) => format!("{{\"query\":{}}}", Value::from(query)),
                None => return Err(no_query()),
            },
        };
        let arguments = RawObject::read(&text).ok_or_else(no_query)?;
        let query = arguments
            .get("query")
            .and_then(|raw| words(raw.get()))
            .ok_or_else(no_query)?;
        Ok(Self {
            query,
            tools: top_k(arguments.get("topKTools"), TOOLS),
            skills: top_k(arguments.get("topKSkills"), SKILLS),
            server: arguments
                .text("server")
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty()),
        })
    }
}

/// The words of a query: a text, or what can be read as one.
fn words(text: &str) -> Option<String> {
    match serde_json::from_str::<Value>(text).ok()? {
        Value::String(words) => Some(words),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(parts) => Some(
            parts
                .iter()
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(" "),
        ),
        Value::Null | Value::Bool(_) | Value::Object(_) => None,
    }
}

fn no_query() -> Failure {
    let next = "say in a few words what you want to do, for example {\"query\": \"create an issue\"}";
    Failure::new(
        ErrorCode::InvalidArguments,
        "`query` is missing: there is nothing to search for",
        next,
    )
    .at("/query")
}

fn find<'a>(context: &Context<'a>, wanted: &Wanted, means: &Means) -> Findings<'a> {
    let view = &context.view;
    let narrowed = wanted
        .server
        .as_deref()
        .map(|server| view.tools_of_server(server));
    let tools = view.search_tools(&means.query(context, &wanted.query, wanted.tools, narrowed.as_ref()));
    let openable = view.skills_for_model();
    let skills = view.search_skills(&means.query(context, &wanted.query, wanted.skills, Some(&openable)));

    let mut shown: Vec<ToolHit<'a>> = answering(&tools)
        .iter()
        .filter_map(|hit| {
            let tool = view.tool_at(hit.slot)?;
            Some(ToolHit::new(tool, hit.score.to_f64(), tools.status))
        })
        .collect();
    let own = shown.len();
    let skill_hits: Vec<SkillHit<'a>> = answering(&skills)
        .iter()
        .filter_map(|hit| {
            Some(SkillHit {
                skill: view.skill_at(hit.slot)?,
                score: hit.score.to_f64(),
            })
        })
        .collect();
    bring_along(context, wanted, &skill_hits, skills.status, &mut shown);

    let status = match (tools.status, skills.status) {
        (Status::Ok, _) | (_, Status::Ok) => Status::Ok,
        (Status::Weak, _) | (_, Status::Weak) => Status::Weak,
        (Status::NoMatch, Status::NoMatch) => Status::NoMatch,
    };
    Findings {
        status,
        beyond_tools: beyond(&tools, own),
        beyond_skills: beyond(&skills, skill_hits.len()),
        tools: shown,
        skills: skill_hits,
        pending: pending(context),
        hint: hint(context, wanted, status, &tools),
        degraded: means.degraded,
    }
}

/// The hits of a bucket that has an answer: one without is empty, whatever the other bucket found.
fn answering(ranking: &Ranking) -> &[Hit] {
    match ranking.status {
        Status::NoMatch => &[],
        Status::Ok | Status::Weak => &ranking.hits,
    }
}

/// How many matches of a bucket that has an answer are not shown.
fn beyond(ranking: &Ranking, shown: usize) -> usize {
    match ranking.status {
        Status::NoMatch => 0,
        Status::Ok | Status::Weak => ranking.total.saturating_sub(shown),
    }
}

/// The tools that the found skills declare: after the query's own hits, without duplicates, only what may be seen.
fn bring_along<'a>(
    context: &Context<'a>,
    wanted: &Wanted,
    skills: &[SkillHit<'a>],
    status: Status,
    shown: &mut Vec<ToolHit<'a>>,
) {
    let most = shown.len() + MOST;
    for tool in skills
        .iter()
        .flat_map(|hit| hit.skill.tools())
        .filter_map(|id| context.view.tool(id))
    {
        let elsewhere = wanted
            .server
            .as_deref()
            .is_some_and(|server| server != tool.group());
        if shown.len() < most && !elsewhere && !shown.iter().any(|known| known.tool.id() == tool.id()) {
            shown.push(ToolHit::new(tool, 0.0, status));
        }
    }
}

/// Servers that are still starting, as far as the caller may know of them.
fn pending(context: &Context<'_>) -> Vec<String> {
    let policies = [
        context.session.and_then(|session| session.visible()),
        context.caller.visible,
    ];
    let may_know = |name: &str| {
        policies.iter().flatten().all(|policy| {
            let lists = |servers: Option<&Vec<String>>| {
                servers.is_some_and(|names| names.iter().any(|known| known == name))
            };
            policy
                .allow
                .as_ref()
                .is_none_or(|allow| lists(allow.servers.as_ref()))
                && !policy
                    .deny
                    .as_ref()
                    .is_some_and(|deny| lists(deny.servers.as_ref()))
        })
    };
    context
        .view
        .servers()
        .filter(|server| server.status == ServerStatus::Pending && may_know(&server.name))
        .map(|server| server.name.clone())
        .collect()
}

fn hint(context: &Context<'_>, wanted: &Wanted, status: Status, tools: &Ranking) -> Option<String> {
    match status {
        Status::Ok => None,
        Status::Weak => Some(
            "these fit only loosely: check what each does before you use it; if none does what is asked, search in \
             other words or ask the user"
                .to_owned(),
        ),
        Status::NoMatch if wanted.query.trim().is_empty() => Some(
            "the query is empty: say in a few words what you want to do, or ask the user what is wanted".to_owned(),
        ),
        Status::NoMatch => {
            let nearest: Vec<String> = tools
                .nearest
                .iter()
                .filter_map(|slot| context.view.tool_at(*slot))
                .take(NEAREST)
                .map(|tool| tool.id().to_owned())
                .collect();
            let place = wanted.server.as_deref().map(|server| format!(" on server `{}`", quoted(server)));
            let near = match nearest.as_slice() {
                [] => String::new(),
                near => format!(" The nearest by name: {}.", enumerate(near)),
            };
            let wider = if place.is_some() { "search without `server`, " } else { "" };
            Some(format!(
                "nothing{} does this.{near} Do not force another tool: {wider}search in other words or ask the user",
                place.unwrap_or_default()
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stray_top_k_never_empties_or_unbounds_a_result() {
        let read = |text: &str| top_k(Some(&RawValue::from_string(text.to_owned()).unwrap()), 5);
        assert_eq!(top_k(None, 3), 3);
        assert_eq!(
            [
                "1",
                "7",
                "7.0",
                "50",
                "51",
                "1e9",
                "1e999",
                "99999999999999999999999"
            ]
            .map(read),
            [1, 7, 7, 50, 50, 50, 50, 50]
        );
        assert_eq!(
            [
                "0", "-1", "2.5", "\"9\"", "null", "[3]", "{}", "true", "-1e999", "0.0"
            ]
            .map(read),
            [5; 10]
        );
    }
}
