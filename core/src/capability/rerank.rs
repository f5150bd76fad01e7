//! The best hits of a model's search, for the host to judge, and the search that goes on with what it says.
//! Knows nothing of who judges, and of how hits are shown.

use serde::{Deserialize, Serialize};

use super::Context;
use super::invoke::misplaced;
use super::means::{self, Means};
use super::outcome::{Outcome, OutcomeKind};
use super::search::{Aim, answering, rank};
use super::step::{Call, Operation, RerankHit, Step, to_raw};
use super::wanted::Wanted;
use crate::catalog::coverage::Degraded;
use crate::catalog::item::{Item, Kind};
use crate::catalog::vector::Vector;
use crate::error::Result;
use crate::rank::{Hit, Ranking};

/// Hits of one kind that have no other order.
const FEW: usize = 1;
/// One in how many of the judged hits may be a skill: about as many as stand on a page.
const SKILLS_SHARE: usize = 4;

/// What the host makes of hits, by slot; nothing is known of the others.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) tools: Vec<(u32, f64)>,
    pub(super) skills: Vec<(u32, f64)>,
}

/// The ids of the hits that the host was asked about, in the order of its answer.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Asked {
    tools: Vec<String>,
    skills: Vec<String>,
}

/// What the arguments of a call hold beside what is wanted, once its hits are known.
#[derive(Debug, Deserialize)]
struct Ranked {
    judge: Option<Asked>,
    vector: Option<Vector>,
    degraded: Option<Degraded>,
}

#[derive(Debug, Serialize)]
struct Written<'a> {
    #[serde(flatten)]
    wanted: &'a Wanted,
    #[serde(skip_serializing_if = "Option::is_none")]
    vector: Option<&'a Vector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<Degraded>,
    judge: Asked,
}

/// Asks the host to judge the best hits; `None` where nobody does here, or where there is no other order.
pub(super) fn ask(
    context: &Context<'_>,
    operation: Operation,
    wanted: &Wanted,
    means: &Means,
) -> Option<Step> {
    let most = context.settings.rerank_top;
    if most <= FEW {
        return None;
    }
    let (tools, skills) = rank(context, wanted, means, &Aim::Best(most));
    let skills = open(&skills, most / SKILLS_SHARE);
    let tools = open(&tools, most - skills.len());
    let mut asked = Asked::default();
    let mut hits = Vec::with_capacity(tools.len() + skills.len());
    for (rank, hit) in (0..).zip(tools) {
        let tool = context.view.tool_at(hit.slot)?;
        asked.tools.push(tool.id().to_owned());
        hits.push(shown(Kind::Tool, tool, hit, rank));
    }
    for (rank, hit) in (0..).zip(skills) {
        let skill = context.view.skill_at(hit.slot)?;
        asked.skills.push(skill.id().to_owned());
        hits.push(shown(Kind::Skill, skill, hit, rank));
    }
    if hits.is_empty() {
        return None;
    }
    let arguments = to_raw(&Written {
        wanted,
        vector: means.vector.as_ref(),
        degraded: means.degraded,
        judge: asked,
    });
    Some(Step::Rerank {
        call: means::call(context, operation, arguments),
        query: wanted.query.clone(),
        hits,
    })
}

/// What a search ranks by, and what the host made of its hits; `None` for a call whose hits it was not asked about. Where
/// the host failed, the order stays.
pub(super) fn answered(
    context: &Context<'_>,
    call: &Call,
    outcome: &Outcome,
) -> Option<Result<(Means, Judged)>> {
    let ranked: Ranked = serde_json::from_str(call.arguments.get()).ok()?;
    let asked = ranked.judge?;
    let judged = match outcome.kind {
        OutcomeKind::Scores => asked.judged(context, outcome.scores.as_deref().unwrap_or_default()),
        OutcomeKind::Error
        | OutcomeKind::Timeout
        | OutcomeKind::Aborted
        | OutcomeKind::NoHandler
        | OutcomeKind::NotBound => Judged::default(),
        OutcomeKind::Ok | OutcomeKind::Approval | OutcomeKind::Text | OutcomeKind::Vectors => {
            return Some(Err(misplaced(outcome, "waits for what its hits are worth")));
        }
    };
    let means = means::again(context, call, ranked.vector.as_ref(), ranked.degraded);
    Some(Ok((means, judged)))
}

impl Asked {
    /// Each score with its hit. A number too few or one that is none says that they belong to other hits: then none counts.
    fn judged(&self, context: &Context<'_>, scores: &[f64]) -> Judged {
        let is_whole = scores.len() == self.tools.len() + self.skills.len();
        if !is_whole || !scores.iter().all(|score| score.is_finite()) {
            return Judged::default();
        }
        let mut scores = scores.iter().copied();
        let (view, mut judged) = (&context.view, Judged::default());
        // What is gone since, or may not be seen any more, is nowhere to be put.
        for (id, score) in self.tools.iter().zip(scores.by_ref()) {
            judged.tools.extend(view.tool_slot(id).map(|slot| (slot, score)));
        }
        for (id, score) in self.skills.iter().zip(scores) {
            judged
                .skills
                .extend(view.skill_slot(id).map(|slot| (slot, score)));
        }
        judged
    }
}

/// The best hits of a bucket that another order can be given: those that are not named, where there are several.
fn open(ranking: &Ranking, most: usize) -> &[Hit] {
    let hits = answering(ranking);
    let named = hits.iter().filter(|hit| hit.named).count();
    let open = hits.get(named..).unwrap_or_default();
    match open.get(..open.len().min(most)) {
        Some(open) if open.len() > FEW => open,
        _ => &[],
    }
}

fn shown<I: Item>(kind: Kind, item: &I, hit: &Hit, rank: u32) -> RerankHit {
    RerankHit {
        kind,
        id: item.id().to_owned(),
        score: hit.score.to_f64(),
        rank,
        description: item.description().to_owned(),
    }
}
