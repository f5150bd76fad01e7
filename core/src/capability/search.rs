//! `search_capabilities`: finds tools and skills for one query, each bucket with its own cut. Knows nothing of how much of
//! a hit there is room for.

use serde_json::value::RawValue;

use super::Context;
use super::budget::{Findings, SkillHit, ToolHit, render};
use super::means::{self, Means};
use super::outcome::Outcome;
use super::reply::{Failure, enumerate, quoted};
use super::rerank::{self, Judged};
use super::step::{Call, Operation, Step, to_raw};
use super::wanted::{MOST, SKILLS, TOOLS, Wanted, top_k};
use crate::catalog::item::Item;
use crate::catalog::server::ServerStatus;
use crate::catalog::tool::Tool;
use crate::rank::{Hit, Query, Ranking, Status};

/// Ids that `no_match` names (contract 1).
const NEAREST: usize = 3;

/// What is ranked for.
pub(super) enum Aim<'a> {
    /// Pages for a model, after what the host made of the hits.
    Page(&'a Judged),
    /// So many of the best, in the plain order.
    Best(usize),
}

/// What a host is told that searches as a model does.
#[derive(Debug)]
pub enum Recalled {
    /// Nothing matches.
    Nothing,
    /// What the model would be told.
    Page(Box<RawValue>),
    /// What to do first.
    Wait(Step),
}

/// Answers one call, or asks for its query's vector.
pub(crate) fn search(context: &Context<'_>, raw: Option<&RawValue>) -> Result<Step, Failure> {
    let wanted = Wanted::read(raw)?;
    Ok(match means::before(context, &wanted.query) {
        Some(means) => go_on(context, &wanted, &means),
        None => means::embed(context, wanted.query.clone(), to_raw(&wanted)),
    })
}

/// Goes on with a call whose query was to be embedded, or whose hits were to be judged.
pub(crate) fn resume(context: &Context<'_>, call: &Call, outcome: &Outcome) -> crate::error::Result<Step> {
    let wanted = || Wanted::read(Some(&call.arguments));
    if let Some(answered) = rerank::answered(context, call, outcome) {
        let (means, judged) = answered?;
        return Ok(match wanted() {
            Ok(wanted) => reply(context, &wanted, &means, call.operation, &judged),
            Err(failure) => failure.into_step(context.settings.token_budget),
        });
    }
    let means = means::after(context, call, outcome)?;
    Ok(match wanted() {
        Ok(wanted) => go_on(context, &wanted, &means),
        Err(failure) => failure.into_step(context.settings.token_budget),
    })
}

/// A model's search that knows what it ranks by.
fn go_on(context: &Context<'_>, wanted: &Wanted, means: &Means) -> Step {
    let operation = Operation::SearchCapabilities;
    rerank::ask(context, operation, wanted, means)
        .unwrap_or_else(|| reply(context, wanted, means, operation, &Judged::default()))
}

fn reply(
    context: &Context<'_>,
    wanted: &Wanted,
    means: &Means,
    operation: Operation,
    judged: &Judged,
) -> Step {
    let findings = find(context, wanted, means, judged);
    let is_nothing = operation == Operation::Recall && findings.status == Status::NoMatch;
    Step::Reply {
        reply: Some(if is_nothing {
            RawValue::NULL.to_owned()
        } else {
            render(context, &findings)
        }),
        is_error: Some(false),
        host_value: None,
    }
}

/// The same search for a host that puts the result before the model itself.
pub fn recall(
    context: &Context<'_>,
    query: &str,
    [top_k_tools, top_k_skills]: [Option<&RawValue>; 2],
    means: &Means,
) -> Recalled {
    let wanted = Wanted {
        query: query.to_owned(),
        tools: top_k(top_k_tools, TOOLS),
        skills: top_k(top_k_skills, SKILLS),
        server: None,
    };
    if let Some(step) = rerank::ask(context, Operation::Recall, &wanted, means) {
        return Recalled::Wait(step);
    }
    let findings = find(context, &wanted, means, &Judged::default());
    match findings.status {
        Status::NoMatch => Recalled::Nothing,
        Status::Ok | Status::Weak => Recalled::Page(render(context, &findings)),
    }
}

/// The best tools for a query, and how far the best can be trusted; none when nothing matches.
pub(super) fn best_tools<'a>(
    context: &Context<'a>,
    text: &str,
    how_many: Option<&RawValue>,
    means: &Means,
) -> (Status, Vec<&'a Tool>) {
    let ranking = context
        .view
        .search_tools(&means.query(context, text, top_k(how_many, TOOLS), None));
    let hits = answering(&ranking).iter();
    let tools = hits.filter_map(|hit| context.view.tool_at(hit.slot)).collect();
    (ranking.status, tools)
}

/// Both buckets of one search, each ranked apart.
pub(super) fn rank(
    context: &Context<'_>,
    wanted: &Wanted,
    means: &Means,
    aim: &Aim<'_>,
) -> (Ranking, Ranking) {
    let view = &context.view;
    let narrowed = wanted
        .server
        .as_deref()
        .map(|server| view.tools_of_server(server));
    let openable = view.skills_for_model();
    let query = |page, judged, visible| match aim {
        Aim::Page(_) => Query {
            judged,
            ..means.query(context, &wanted.query, page, visible)
        },
        Aim::Best(most) => Query {
            diversify: false,
            ..means.query(context, &wanted.query, *most, visible)
        },
    };
    let judged = match aim {
        Aim::Page(judged) => judged,
        Aim::Best(_) => &Judged::default(),
    };
    (
        view.search_tools(&query(wanted.tools, &judged.tools, narrowed.as_ref())),
        view.search_skills(&query(wanted.skills, &judged.skills, Some(&openable))),
    )
}

fn find<'a>(context: &Context<'a>, wanted: &Wanted, means: &Means, judged: &Judged) -> Findings<'a> {
    let view = &context.view;
    let (tools, skills) = rank(context, wanted, means, &Aim::Page(judged));
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
    let pending = pending(context);
    Findings {
        status,
        hint: hint(context, wanted, status, &tools, &pending),
        beyond_tools: beyond(&tools, own),
        beyond_skills: beyond(&skills, skill_hits.len()),
        tools: shown,
        skills: skill_hits,
        pending,
        degraded: means.degraded,
    }
}

/// The hits of a bucket that has an answer: one without is empty, whatever the other bucket found.
pub(super) fn answering(ranking: &Ranking) -> &[Hit] {
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

fn hint(
    context: &Context<'_>,
    wanted: &Wanted,
    status: Status,
    tools: &Ranking,
    pending: &[String],
) -> Option<String> {
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
            let place = place.unwrap_or_default();
            let may_come = match &wanted.server {
                Some(server) => pending.contains(server),
                None => !pending.is_empty(),
            };
            let (soon, what_now) = if may_come {
                (
                    " yet, and the servers in `pending` are still connecting",
                    "search again in a moment, or ask the user",
                )
            } else {
                ("", "search in other words (in English, if the tools are), or ask the user")
            };
            Some(format!(
                "nothing{place} does this{soon}.{near} Do not force another tool: {wider}{what_now}"
            ))
        }
    }
}
