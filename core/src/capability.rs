//! The three tools the model sees: their definitions, what is answered to a call, and what the host is to do next.
//! Knows nothing of executors, and nothing of where a published state comes from.
//!
//! A model's mistake is a reply it can act on, never an error: [`answer`] has no way to fail. A mistake of host code
//! ([`invoke()`], [`resolve`]) is an error with a code.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::catalog::item::RESERVED_IDS;
use crate::catalog::view::View;
use crate::catalog::visibility::Visible;
use crate::index::Model;
use crate::rank::{Formula, Method, Thresholds};
use crate::session::Session;

mod arguments;
mod budget;
mod cost;
mod declared;
pub mod definitions;
pub mod disclosure;
#[cfg(test)]
mod disclosure_tests;
mod effort;
mod envelope;
#[cfg(test)]
mod envelope_tests;
mod exposed;
mod fault;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod hostile_tests;
mod invoke;
mod means;
#[cfg(test)]
mod means_tests;
#[cfg(test)]
mod invoke_tests;
pub mod outcome;
mod plan;
#[cfg(test)]
mod property_tests;
mod provider_schema;
mod raw;
mod render;
mod repair;
mod reply;
mod rerank;
#[cfg(test)]
mod rerank_tests;
mod result;
mod search;
#[cfg(test)]
mod search_tests;
mod shape;
mod signature;
pub mod skill_call;
mod skill_content;
pub mod skill_listing;
mod skill_page;
#[cfg(test)]
mod skill_tests;
pub mod step;
pub mod tokens;
pub mod validate;
mod wanted;

pub use cost::catalog_tokens;
pub use definitions::{Definitions, Format, definitions};
pub use disclosure::disclose;
pub use invoke::{Resolved, invoke, resolve, resume};
pub use means::Means;
pub use outcome::{Outcome, OutcomeKind};
pub use result::for_model;
pub use search::{Recalled, recall};
pub use skill_content::resume as resume_skill;
pub use step::{Call, Step};
pub use validate::{Validators, check_schemas};

/// What can be set for all calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Largest answer of core's own, in estimated tokens.
    pub token_budget: usize,
    /// Largest page of a skill's body, in characters.
    pub page_chars: usize,
    /// Largest tool result for the model, in characters; no limit when absent.
    pub max_result_chars: Option<usize>,
    /// Whether arguments in the wrong shape are repaired.
    pub repair_arguments: bool,
    /// From how much evidence on a search answers.
    pub thresholds: Thresholds,
    /// What ranks; others than words need a model.
    pub method: Method,
    /// How words and meaning become one score.
    pub formula: Formula,
    /// The model that embeds texts and queries.
    pub model: Option<Arc<Model>>,
    /// How many of the best hits of a model's search the host judges; none below two.
    pub rerank_top: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            token_budget: 8_000,
            page_chars: 32_000,
            max_result_chars: None,
            repair_arguments: true,
            thresholds: Thresholds::default(),
            method: Method::default(),
            formula: Formula::default(),
            model: None,
            rerank_top: 0,
        }
    }
}

/// Everything one call is answered from.
#[derive(Debug)]
pub struct Context<'a> {
    /// The catalogs as the caller may see them.
    pub view: View<'a>,
    /// What is set for all calls.
    pub settings: &'a Settings,
    /// Compiled schemas.
    pub validators: &'a Validators,
    /// The conversation, when there is one.
    pub session: Option<&'a Session>,
    /// Who calls.
    pub caller: Caller<'a>,
}

/// Who calls; carried in a `call`, so that the visibility is the same when it comes back.
#[derive(Debug, Clone, Copy, Default)]
pub struct Caller<'a> {
    /// The conversation's id.
    pub session: Option<&'a str>,
    /// Visibility for this call, on top of the conversation's.
    pub visible: Option<&'a Visible>,
}

/// Answers a model's call of one of the three tools, or of a catalog tool by its own name.
pub fn answer(context: &Context<'_>, name: &str, arguments: Option<&RawValue>) -> Step {
    let [search_capabilities, invoke_tool, get_skill_content] = RESERVED_IDS;
    let step = match name {
        name if name == search_capabilities => search::search(context, arguments),
        name if name == invoke_tool => invoke::through_envelope(context, arguments),
        name if name == get_skill_content => skill_content::open(context, arguments),
        other => invoke::by_name(context, other, arguments),
    };
    step.unwrap_or_else(|failure| failure.into_step(context.settings.token_budget))
}
