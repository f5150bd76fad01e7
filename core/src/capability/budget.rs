//! Writes a search result that stays within its token budget. Knows nothing of how its hits were found.
//!
//! What gives way, in order (contract 1): the servers' instructions, later hits' schemas, descriptions beyond 160
//! characters, hits (into `more`), and last the first hit's schema.

use std::cell::OnceCell;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::Context;
use super::plan::{Plan, shrink};
use super::signature::signature;
use super::step::to_raw;
use super::tokens::{cut, estimate};
use crate::catalog::coverage::Degraded;
use crate::catalog::item::Item;
use crate::catalog::server::ServerStatus;
use crate::catalog::skill::Skill;
use crate::catalog::tool::Tool;
use crate::rank::Status;

/// How much of a server's instructions is shown, in characters.
const INSTRUCTIONS: usize = 400;

/// A compacted description, in characters.
const COMPACT: usize = 160;

/// A tool that was found.
#[derive(Debug)]
pub(crate) struct ToolHit<'a> {
    pub(crate) tool: &'a Tool,
    score: f64,
    /// Shown by its signature, since it may not be what is wanted.
    is_brief: bool,
    schema: Option<&'a RawValue>,
    annotations: Option<&'a RawValue>,
    cost: usize,
    line: OnceCell<String>,
}

impl<'a> ToolHit<'a> {
    /// A tool and how well it fits; in doubt it is shown by its signature.
    pub(crate) fn new(tool: &'a Tool, score: f64, status: Status) -> Self {
        let schema: Option<&'a RawValue> = tool
            .input_schema()
            .and_then(|text| serde_json::from_str(text).ok());
        Self {
            tool,
            score,
            is_brief: status != Status::Ok,
            annotations: tool
                .annotations()
                .and_then(|text| serde_json::from_str(text).ok()),
            cost: estimate(schema.map_or("", RawValue::get)),
            schema,
            line: OnceCell::new(),
        }
    }

    fn line(&self) -> &str {
        self.line.get_or_init(|| signature(self.tool))
    }
}

/// A skill that was found.
#[derive(Debug)]
pub(crate) struct SkillHit<'a> {
    pub(crate) skill: &'a Skill,
    pub(crate) score: f64,
}

/// What a search found, in the order of rank.
#[derive(Debug)]
pub(crate) struct Findings<'a> {
    pub(crate) status: Status,
    pub(crate) tools: Vec<ToolHit<'a>>,
    pub(crate) skills: Vec<SkillHit<'a>>,
    /// Matches beyond the cut.
    pub(crate) beyond_tools: usize,
    pub(crate) beyond_skills: usize,
    pub(crate) pending: Vec<String>,
    pub(crate) hint: Option<String>,
    pub(crate) degraded: Option<Degraded>,
}

/// The answer, as full as the budget leaves room for.
pub(crate) fn render(context: &Context<'_>, findings: &Findings<'_>) -> Box<RawValue> {
    let budget = context.settings.token_budget;
    let full = Plan::full(findings.tools.len(), findings.skills.len(), budget);
    let fits = |plan: &Plan| {
        let text = to_raw(&Answer::new(context, findings, plan));
        (estimate(text.get()) <= budget).then_some(text)
    };
    let chosen = if fits(&full).is_some() {
        full
    } else {
        shrink(&full, |plan| fits(plan).is_some())
    };
    let mut answer = Answer::new(context, findings, &chosen);
    // Only now is it certain which instructions are shown, so only now are they noted as shown.
    if let Some(session) = context.session {
        for group in &mut answer.tools.groups {
            if group.server.instructions.is_some() && !session.instruct_once(group.server.name) {
                group.server.instructions = None;
            }
        }
    }
    to_raw(&answer)
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    status: &'static str,
    tools: Tools<'a>,
    skills: Vec<ShownSkill<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<More>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pending: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// Why words alone were searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    degraded: Option<Degraded>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

#[derive(Debug, Serialize)]
struct Tools<'a> {
    groups: Vec<Group<'a>>,
}

#[derive(Debug, Serialize)]
struct Group<'a> {
    server: ShownServer<'a>,
    hits: Vec<ShownTool<'a>>,
}

#[derive(Debug, Serialize)]
struct ShownServer<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownTool<'a> {
    tool_id: &'a str,
    score: Box<RawValue>,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_schema: Option<Shape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    requires_approval: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unavailable: bool,
}

/// A schema as it was registered; `{}` where there is none.
#[derive(Debug)]
struct Shape<'a>(Option<&'a RawValue>);

impl Serialize for Shape<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(schema) => schema.serialize(serializer),
            None => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownSkill<'a> {
    skill_id: &'a str,
    score: Box<RawValue>,
    description: String,
}

#[derive(Debug, Serialize)]
struct More {
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skills: Option<usize>,
}

impl<'a> Answer<'a> {
    fn new(context: &Context<'a>, findings: &'a Findings<'a>, plan: &Plan) -> Self {
        let mut groups: Vec<Group<'a>> = Vec::new();
        for (place, hit) in findings.tools.iter().enumerate().take(plan.tools) {
            let shown = ShownTool::new(context, hit, place, plan);
            match groups
                .iter_mut()
                .find(|group| group.server.name == hit.tool.group())
            {
                Some(group) => group.hits.push(shown),
                None => {
                    let server = ShownServer::new(context, hit.tool.group(), groups.len(), plan);
                    groups.push(Group {
                        server,
                        hits: vec![shown],
                    });
                }
            }
        }
        // What is shown by its signature though it answers, the first or any.
        let shortened = |hit: &ToolHit<'_>, shown: &ShownTool<'_>| !hit.is_brief && shown.signature.is_some();
        let truncated = if plan.tools == 0 {
            !findings.tools.is_empty()
        } else {
            findings
                .tools
                .first()
                .zip(groups.first().and_then(|group| group.hits.first()))
                .is_some_and(|(hit, shown)| shortened(hit, shown))
        };
        let is_cut = plan.cut
            || findings
                .tools
                .iter()
                .any(|hit| !hit.is_brief && hit.cost > plan.longest_schema);
        let tools = Some(findings.tools.len() - plan.tools.min(findings.tools.len()) + findings.beyond_tools);
        let skills =
            Some(findings.skills.len() - plan.skills.min(findings.skills.len()) + findings.beyond_skills);
        let (tools, skills) = (
            tools.filter(|count| *count > 0),
            skills.filter(|count| *count > 0),
        );
        Self {
            status: match findings.status {
                Status::Ok => "ok",
                Status::Weak => "weak",
                Status::NoMatch => "no_match",
            },
            tools: Tools { groups },
            skills: findings
                .skills
                .iter()
                .take(plan.skills)
                .map(ShownSkill::new)
                .collect(),
            more: (tools.is_some() || skills.is_some()).then_some(More { tools, skills }),
            pending: if plan.surroundings { &findings.pending } else { &[] },
            hint: hint(findings, plan, [truncated, is_cut]),
            degraded: findings.degraded.filter(|_| plan.surroundings),
            truncated,
        }
    }
}

impl<'a> ShownServer<'a> {
    fn new(context: &Context<'a>, name: &'a str, place: usize, plan: &Plan) -> Self {
        let known = context.view.server(name);
        let most = if plan.descriptions == 0 {
            COMPACT
        } else {
            INSTRUCTIONS
        };
        let description = known
            .and_then(|server| server.description.as_deref())
            .filter(|_| plan.surroundings);
        let instructions = known
            .and_then(|server| server.instructions.as_deref())
            .filter(|_| place < plan.instructions);
        Self {
            name,
            description: description
                .filter(|text| !text.is_empty())
                .map(|text| cut(text, most)),
            instructions: instructions
                .filter(|text| !text.is_empty())
                .map(|text| text.chars().take(INSTRUCTIONS).collect()),
        }
    }
}

impl<'a> ShownTool<'a> {
    fn new(context: &Context<'a>, hit: &'a ToolHit<'a>, place: usize, plan: &Plan) -> Self {
        let tool = hit.tool;
        let is_bare = !plan.surroundings;
        let is_kept = !hit.is_brief
            && place < plan.schemas
            && (place > 0 || plan.first_schema)
            && hit.cost <= plan.longest_schema;
        let line = (!is_kept).then(|| hit.line());
        // A schema that is no longer than the line says more.
        let line = line.filter(|line| hit.is_brief || estimate(line) < hit.cost);
        let description = match (is_bare, place < plan.descriptions) {
            (true, _) => String::new(),
            (false, true) => tool.description().to_owned(),
            (false, false) => compact(tool.description()),
        };
        Self {
            tool_id: tool.id(),
            score: four_digits(hit.score),
            description,
            input_schema: if line.is_none() {
                Some(Shape(hit.schema))
            } else {
                None
            },
            signature: line,
            annotations: hit.annotations.filter(|_| !is_bare),
            requires_approval: tool.requires_approval(),
            unavailable: context
                .view
                .server(tool.group())
                .is_some_and(|server| server.status == ServerStatus::Unavailable),
        }
    }
}

impl<'a> ShownSkill<'a> {
    fn new(hit: &SkillHit<'a>) -> Self {
        Self {
            skill_id: hit.skill.id(),
            score: four_digits(hit.score),
            description: compact(hit.skill.description()),
        }
    }
}

fn hint(findings: &Findings<'_>, plan: &Plan, [truncated, is_cut]: [bool; 2]) -> Option<String> {
    let cut_hint = match (truncated, is_cut) {
        (true, _) => Some("the first tool's schema is too long to show: call the tool by its signature"),
        (false, true) => {
            Some("something was left out to keep this short: search for an exact toolId to see its schema")
        }
        (false, false) => None,
    };
    let parts: Vec<&str> = findings.hint.as_deref().into_iter().chain(cut_hint).collect();
    let whole = (!parts.is_empty()).then(|| parts.join("; "))?;
    match (plan.surroundings, plan.anything) {
        (true, _) => Some(whole),
        (false, true) => Some(cut(&whole, 80)),
        (false, false) => None,
    }
}

/// A description in one line of at most 160 characters.
fn compact(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    cut(&words.join(" "), COMPACT)
}

/// A score with four significant digits: a model reads it.
fn four_digits(score: f64) -> Box<RawValue> {
    let rounded: f64 = format!("{score:.3e}").parse().unwrap_or_default();
    RawValue::from_string(rounded.to_string()).unwrap_or_else(|_| to_raw(&0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_four_significant_digits() {
        let shown = |score: f64| four_digits(score).get().to_owned();
        assert_eq!(
            [7.41234, 123.456, 12345.6, 0.0, 5.0, 0.000_123_456].map(shown),
            ["7.412", "123.5", "12350", "0", "5", "0.0001235"]
        );
        assert_eq!(shown(f64::NAN), "0");
    }
}
