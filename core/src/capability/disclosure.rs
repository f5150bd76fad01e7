//! How much of the catalog stands in the model's own list of tools in one request. Knows nothing of frameworks, and keeps
//! nothing between requests.
//!
//! The three tools always stand first, in the same bytes. What comes behind them depends on the mode: nothing, the best
//! few for this turn, or everything, in the order of registration so that a new tool moves none.

use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::Context;
use super::cost::tools_fit;
use super::definitions::{Format, Schema, definitions};
use super::exposed::exposed_name;
use super::means::Means;
use super::provider_schema::provider_schema;
use super::reply::enumerate;
use super::search;
use super::step::to_raw;
use crate::catalog::coverage::Degraded;
use crate::catalog::item::Item;
use crate::catalog::tool::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::rank::Status;

/// The share of its context window that a catalog may take (ADR 0024).
const SHARE: f64 = 0.1;

/// A context window that nobody told us the size of, in tokens (ADR 0024).
const CONTEXT: u32 = 200_000;

/// How far below the limit a catalog must be to be listed again once it was not (ADR 0024).
const BACK: f64 = 0.8;

/// How the catalog is disclosed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DisclosureMode {
    /// The three tools, and nothing else: the same bytes in every request (the default).
    #[default]
    Funnel,
    /// The three tools and the best few for this turn.
    Replace,
    /// Every tool; a short hint names the best few for this turn.
    Suggest,
    /// Every tool while they cost no more than a share of the context window, else the three alone.
    Auto,
}

/// One request's wishes.
#[derive(Debug, Default)]
pub struct Wishes<'a> {
    /// How the catalog is disclosed.
    pub mode: DisclosureMode,
    /// What this turn is about, in words.
    pub query: Option<&'a str>,
    /// What that is ranked by.
    pub means: Means,
    /// How many tools are the best few.
    pub top_k: Option<&'a RawValue>,
    /// The size of the context window, in tokens.
    pub context_tokens: Option<u32>,
    /// The share of it that the catalog may take, from 0 to 1.
    pub share: Option<f64>,
    /// Whether the request before listed every tool.
    pub everything_before: Option<bool>,
    /// The shape of the definitions.
    pub format: Format,
    /// Whether the three are in the form for strict hosts.
    pub strict: bool,
}

/// What one request shows.
#[derive(Debug)]
pub struct Disclosed<'a> {
    /// Whether every visible tool is listed.
    pub everything: bool,
    /// The definitions: the three, then the tools of `exposed`.
    pub definitions: Vec<Box<RawValue>>,
    /// The listed tools of the catalog.
    pub exposed: Vec<Exposed<'a>>,
    /// A finished search to put before the model: with `suggest`, one that only names the best few.
    pub recall: Option<Box<RawValue>>,
    /// Why the best few were found by words alone, where the engine ranks by meaning.
    pub degraded: Option<Degraded>,
}

/// A tool of the catalog in the model's own list.
#[derive(Debug)]
pub struct Exposed<'a> {
    /// The name it has there.
    pub name: String,
    /// The tool.
    pub tool: &'a Tool,
}

/// What to show in one request.
pub fn disclose<'a>(context: &Context<'a>, wishes: &Wishes<'_>) -> Result<Disclosed<'a>> {
    let everything = match wishes.mode {
        DisclosureMode::Funnel | DisclosureMode::Replace => false,
        DisclosureMode::Suggest => true,
        DisclosureMode::Auto => affords(context, wishes)?,
    };
    let best = match (wishes.mode, wishes.query) {
        (DisclosureMode::Replace | DisclosureMode::Suggest, Some(query)) => {
            search::best_tools(context, query, wishes.top_k, &wishes.means)
        }
        _ => (Status::NoMatch, Vec::new()),
    };
    let has_turn =
        wishes.query.is_some() && matches!(wishes.mode, DisclosureMode::Replace | DisclosureMode::Suggest);
    let recall = (wishes.mode == DisclosureMode::Suggest)
        .then(|| suggestion(&best))
        .flatten();
    let listed = if everything {
        context.view.tools_in_order()
    } else {
        best.1
    };
    let exposed: Vec<Exposed<'a>> = listed.into_iter().map(Exposed::new).collect();
    let mut all = definitions(wishes.format, wishes.strict).tools;
    all.extend(exposed.iter().map(|exposed| exposed.definition(wishes.format)));
    Ok(Disclosed {
        everything,
        definitions: all,
        exposed,
        recall,
        degraded: wishes.means.degraded.filter(|_| has_turn),
    })
}

/// Whether the catalog may be listed. Once it was not it must become clearly smaller: a list that comes and goes with
/// one tool would cost the prompt cache each time.
fn affords(context: &Context<'_>, wishes: &Wishes<'_>) -> Result<bool> {
    let share = wishes.share.unwrap_or(SHARE);
    if !(0.0..=1.0).contains(&share) {
        return Err(Error::new(
            ErrorCode::InvalidRequest,
            format!(
                "`share` is {share}; pass the part of the context window that tools may take, from 0 to 1"
            ),
        )
        .with("path", "/share"));
    }
    let back = if wishes.everything_before == Some(false) {
        BACK
    } else {
        1.0
    };
    let limit = f64::from(wishes.context_tokens.unwrap_or(CONTEXT)) * share * back;
    Ok(tools_fit(&context.view, limit))
}

/// The best few by the names under which they are listed, as a search that found nothing else to say.
fn suggestion((status, best): &(Status, Vec<&Tool>)) -> Option<Box<RawValue>> {
    if best.is_empty() {
        return None;
    }
    let names: Vec<String> = best
        .iter()
        .map(|tool| exposed_name(tool.id()).into_owned())
        .collect();
    let certain = if *status == Status::Ok {
        "fits best"
    } else {
        "may fit, loosely"
    };
    let hint = format!(
        "of the tools you can call directly, what {certain} here: {}",
        enumerate(&names)
    );
    Some(to_raw(
        &json!({ "status": status, "tools": { "groups": [] }, "skills": [], "hint": hint }),
    ))
}

impl<'a> Exposed<'a> {
    fn new(tool: &'a Tool) -> Self {
        Self {
            name: exposed_name(tool.id()).into_owned(),
            tool,
        }
    }

    /// Not strict: a schema that nobody wrote for it would be refused.
    fn definition(&self, format: Format) -> Box<RawValue> {
        let schema = provider_schema(self.tool);
        format.write(
            &self.name,
            self.tool.description(),
            Schema::Theirs(schema.get()),
            false,
        )
    }
}
