//! What a model's search ranks by: the engine's method, its query's vector, or words alone where there is none.
//! Knows nothing of hits.

use serde_json::value::RawValue;

use super::Context;
use super::invoke::misplaced;
use super::outcome::{Meaning, Outcome, OutcomeKind};
use super::step::{Call, EmbedRole, Operation, Step, digest_of};
use crate::catalog::coverage::{Coverage, Degraded};
use crate::catalog::item::RESERVED_IDS;
use crate::catalog::vector::Vector;
use crate::error::Result;
use crate::index::{Bitmap, Model, Probe};
use crate::rank::{Method, Query};

/// What one search ranks by.
#[derive(Debug, Default)]
pub struct Means {
    /// The method.
    pub(crate) method: Method,
    /// The query's vector, where the method compares one.
    pub(crate) probe: Option<Probe>,
    /// The vector itself, for a search that goes through the host again.
    pub(crate) vector: Option<Vector>,
    /// Why words alone rank though the engine's method asks for more.
    pub(crate) degraded: Option<Degraded>,
}

impl Means {
    /// Words alone, though more was asked for.
    pub fn without(reason: Degraded) -> Self {
        Self {
            degraded: Some(reason),
            ..Self::default()
        }
    }

    /// The engine's method, with the query's vector.
    pub fn with(context: &Context<'_>, vector: &Vector) -> Self {
        let dimensions = context
            .settings
            .model
            .as_ref()
            .map_or(0, |model| model.dimensions as usize);
        match Probe::new(&vector.0, dimensions) {
            Ok(probe) => Self {
                method: context.settings.method,
                probe: Some(probe),
                vector: Some(vector.clone()),
                degraded: None,
            },
            Err(_) => Self::without(Degraded::EmbeddingFailed),
        }
    }

    /// What a host's search ranks by: its query's vector, or the reason why there is none.
    pub fn of(
        context: &Context<'_>,
        query: &str,
        vector: Option<&Vector>,
        degraded: Option<Degraded>,
    ) -> Self {
        before(context, query).unwrap_or_else(|| match vector {
            Some(vector) => Self::with(context, vector),
            None => Self::without(degraded.unwrap_or(Degraded::NoEmbedder)),
        })
    }

    /// Why words alone rank, where more was asked for.
    pub const fn degraded(&self) -> Option<Degraded> {
        self.degraded
    }

    /// A query for a page for the model.
    pub(crate) fn query<'q>(
        &'q self,
        context: &Context<'_>,
        text: &'q str,
        limit: usize,
        visible: Option<&'q Bitmap>,
    ) -> Query<'q> {
        Query {
            text,
            limit,
            visible,
            thresholds: context.settings.thresholds,
            diversify: true,
            method: self.method,
            formula: context.settings.formula,
            probe: self.probe.as_ref(),
            ..Query::default()
        }
    }
}

/// What a search ranks by when that is known without a vector: the method is words, there is nothing to embed, or nothing to compare.
pub(crate) fn before(context: &Context<'_>, query: &str) -> Option<Means> {
    if context.settings.method == Method::Lexical || query.trim().is_empty() {
        return Some(Means::default());
    }
    let coverage = context.view.coverage();
    if coverage == Coverage::default() {
        return Some(Means::default());
    }
    coverage.is_missing().then(|| Means::without(Degraded::NoVectors))
}

/// Asks the host for the vector of a query.
pub(crate) fn embed(context: &Context<'_>, query: String, arguments: Box<RawValue>) -> Step {
    Step::Embed {
        call: call(context, Operation::SearchCapabilities, arguments),
        texts: vec![query],
        role: EmbedRole::Query,
    }
}

/// A search on its way through the host.
pub(crate) fn call(context: &Context<'_>, operation: Operation, arguments: Box<RawValue>) -> Box<Call> {
    let [search_capabilities, ..] = RESERVED_IDS;
    Box::new(Call {
        operation,
        tool_id: search_capabilities.to_owned(),
        arguments,
        digest: context.settings.model.as_deref().map(digest).unwrap_or_default(),
        session: context.caller.session.map(str::to_owned),
        visible: context.caller.visible.cloned(),
        approved: None,
        seal: None,
        annotations: None,
    })
}

/// What a search ranks by that comes back from the host with what it ranked by before.
pub(crate) fn again(
    context: &Context<'_>,
    call: &Call,
    vector: Option<&Vector>,
    degraded: Option<Degraded>,
) -> Means {
    let own = context.settings.model.as_deref().map(digest);
    match (vector, degraded) {
        (Some(vector), _) if own.as_ref() == Some(&call.digest) => Means::with(context, vector),
        // In another process the engine may have another model.
        (Some(_), _) => Means::without(Degraded::EmbeddingFailed),
        (None, Some(reason)) => Means::without(reason),
        (None, None) => Means::default(),
    }
}

/// What a search ranks by once the host has embedded its query, or has not.
pub(crate) fn after(context: &Context<'_>, call: &Call, outcome: &Outcome) -> Result<Means> {
    let reason = match outcome.kind {
        OutcomeKind::Vectors => {
            let vectors = outcome.vectors.as_deref().unwrap_or_default();
            return Ok(match vectors {
                [vector] => again(context, call, Some(vector), None),
                _ => Means::without(Degraded::EmbeddingFailed),
            });
        }
        OutcomeKind::NoHandler | OutcomeKind::NotBound => Degraded::NoEmbedder,
        OutcomeKind::Ok | OutcomeKind::Approval | OutcomeKind::Text | OutcomeKind::Scores => {
            return Err(misplaced(outcome, "waits for the vector of its query"));
        }
        OutcomeKind::Error | OutcomeKind::Timeout | OutcomeKind::Aborted => match outcome.meaning() {
            Meaning::Timeout => Degraded::Timeout,
            Meaning::Aborted => Degraded::Aborted,
            _ => Degraded::EmbeddingFailed,
        },
    };
    Ok(Means::without(reason))
}

/// Of what tells a model's vectors apart.
fn digest(model: &Model) -> String {
    digest_of(&format!("{} {} {}", model.dimensions, model.revision, model.id))
}
