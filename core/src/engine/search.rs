//! The searches of the host. Which hits, in which order and in whose turn is decided in `rank`.

use super::Engine;
use super::items::{count, raw, raw_item};
use super::plain::{self, Plain};
use super::vectors::{Answered, Asked};
use super::wire::request::{Filter, SearchNeedsRequest, SearchRequest};
use super::wire::response::{
    Explanation, ExplanationMeaning, ExplanationPart, Need, NeedHit, Page, SearchHit, SearchNeedsResponse,
    SearchResponse,
};
use super::wire::{Include, Raw};
use crate::catalog::Catalog;
use crate::catalog::explain::Account;
use crate::catalog::item::{Item, Kind};
use crate::catalog::narrow::Narrowing;
use crate::catalog::view::{Sight, View};
use crate::error::{Error, ErrorCode, Result};
use crate::index::Bitmap;
use crate::rank::{Hit, Query, Ranking, take_turns};

/// Hits of a search that does not say how many.
const DEFAULT_TOP_K: usize = 5;

/// Most hits of one page; a host that wants more turns pages with `offset`.
pub(super) const MAX_TOP_K: usize = 1_000;

/// Most needs of one call: as many as a page for a model could serve.
const MAX_NEEDS: usize = 16;

impl Engine {
    pub(super) fn search(&self, request: SearchRequest) -> Result<SearchResponse> {
        let catalogs = self.catalogs.load();
        let session = request.session.as_deref().and_then(|id| self.sessions.find(id));
        let sight = self.sight(&catalogs, session.as_deref(), request.visible.as_ref());
        let view = View::new(&catalogs, sight);
        let (tools, skills, facts) = (&catalogs.tools, &catalogs.skills, &catalogs.facts);
        let vectors = request.query_vector.as_ref().map(std::slice::from_ref);
        let asked = Asked {
            method: request.method,
            queries: &[request.query.as_str()],
            vectors,
            degraded: request.degraded,
            is_strict: request.strict.unwrap_or(false),
        };
        let means = self.means(catalogs.index_of(request.kind), &asked)?;
        match request.kind {
            Kind::Tool => answer(tools, &request, means, |query| {
                view.search_tools(&self.asked(query))
            }),
            Kind::Skill => answer(skills, &request, means, |query| {
                view.search_skills(&self.asked(query))
            }),
            Kind::Fact => answer(facts, &request, means, |query| {
                view.search_facts(&self.asked(query))
            }),
        }
    }

    /// The same for a request of the plainest kind; the answer is written at once.
    pub(super) fn search_plainly(&self, asked: &Plain<'_>) -> Result<String> {
        let catalogs = self.catalogs.load();
        let query = Query {
            text: &asked.query,
            limit: asked.limit(DEFAULT_TOP_K),
            thresholds: self.settings.thresholds,
            formula: self.settings.formula,
            ..Query::default()
        };
        let session = asked.session.and_then(|id| self.sessions.find(id));
        let sight = match (asked.kind, &session) {
            // Without rules nothing is hidden but skills that wait for a touched file.
            (Kind::Tool | Kind::Fact, None) => Sight::default(),
            _ => self.sight(&catalogs, session.as_deref(), None),
        };
        let view = View::new(&catalogs, sight);
        match asked.kind {
            Kind::Tool => plain::answer(&catalogs.tools, &view.search_tools(&query)),
            Kind::Skill => plain::answer(&catalogs.skills, &view.search_skills(&query)),
            Kind::Fact => plain::answer(&catalogs.facts, &view.search_facts(&query)),
        }
    }

    pub(super) fn search_needs(&self, request: SearchNeedsRequest) -> Result<SearchNeedsResponse> {
        let asked = request.queries.len();
        if asked > MAX_NEEDS {
            let message = format!(
                "one call asks for {asked} needs, and one page serves at most {MAX_NEEDS}; make several calls of it"
            );
            return Err(Error::new(ErrorCode::TooManyNeeds, message)
                .with("queries", asked)
                .with("most", MAX_NEEDS));
        }
        let catalogs = self.catalogs.load();
        let session = request.session.as_deref().and_then(|id| self.sessions.find(id));
        let sight = self.sight(&catalogs, session.as_deref(), request.visible.as_ref());
        let view = View::new(&catalogs, sight);
        let (tools, skills, facts) = (&catalogs.tools, &catalogs.skills, &catalogs.facts);
        let queries: Vec<&str> = request.queries.iter().map(String::as_str).collect();
        let means = self.means(
            catalogs.index_of(request.kind),
            &Asked {
                method: request.method,
                queries: &queries,
                vectors: request.query_vectors.as_deref(),
                degraded: request.degraded,
                is_strict: request.strict.unwrap_or(false),
            },
        )?;
        match request.kind {
            Kind::Tool => answer_needs(tools, request, means, |query| {
                view.search_tools(&self.asked(query))
            }),
            Kind::Skill => answer_needs(skills, request, means, |query| {
                view.search_skills(&self.asked(query))
            }),
            Kind::Fact => answer_needs(facts, request, means, |query| {
                view.search_facts(&self.asked(query))
            }),
        }
    }

    /// A query, judged as the host set it.
    fn asked<'a>(&self, query: &Query<'a>) -> Query<'a> {
        Query {
            thresholds: self.settings.thresholds,
            ..query.clone()
        }
    }
}

fn answer<I: Item>(
    catalog: &Catalog<I>,
    request: &SearchRequest,
    means: Answered,
    search: impl Fn(&Query<'_>) -> Ranking,
) -> Result<SearchResponse> {
    let kept = kept(catalog, request.filter.as_ref());
    let (first, length) = (
        offset(request.offset),
        top_k(request.top_k.as_ref(), DEFAULT_TOP_K),
    );
    let again = request.rerank_top.map(|top| (top as usize).min(MAX_TOP_K));
    // What is ordered anew as a whole is cut afterwards, by who orders it.
    let (offset, limit) = match again {
        Some(top) => (0, top.max(first.saturating_add(length))),
        None => (first, length),
    };
    let query = Query {
        text: &request.query,
        limit,
        offset,
        visible: kept.as_ref(),
        min_score: request.min_score,
        method: means.method,
        formula: means.formula,
        probe: means.probes.first(),
        ..Query::default()
    };
    let ranking = search(&query);
    let shown = Shown {
        catalog,
        include: request.include.as_deref().unwrap_or_default(),
    };
    let explain = request.explain.unwrap_or(false);
    let mut account = explain.then(|| catalog.account(&query));
    let mut hits = Vec::with_capacity(ranking.hits.len());
    for (rank, hit) in (offset..).zip(&ranking.hits) {
        let explanation = account.as_mut().map(|account| explanation(account, hit));
        hits.extend(shown.hit(hit, rank, explanation).transpose()?);
    }
    Ok(SearchResponse {
        status: ranking.status,
        hits,
        total: count(ranking.total),
        coverage: means.coverage,
        degraded: means.degraded,
        warnings: means.warnings,
        page: again.map(|_| Page {
            named: count(ranking.hits.iter().filter(|hit| hit.named).count()),
            first: count(first),
            length: count(length),
        }),
    })
}

fn answer_needs<I: Item>(
    catalog: &Catalog<I>,
    request: SearchNeedsRequest,
    means: Answered,
    search: impl Fn(&Query<'_>) -> Ranking,
) -> Result<SearchNeedsResponse> {
    let kept = kept(catalog, request.filter.as_ref());
    let offset = offset(request.offset);
    let default = DEFAULT_TOP_K.max(request.queries.len());
    let reach = offset.saturating_add(top_k(request.top_k.as_ref(), default));
    let need = |(at, text)| Query {
        text,
        limit: reach,
        offset: 0,
        visible: kept.as_ref(),
        min_score: request.min_score,
        method: means.method,
        formula: means.formula,
        probe: means.probes.get(at),
        ..Query::default()
    };
    let texts = || request.queries.iter().map(String::as_str).enumerate();
    let rankings: Vec<Ranking> = texts().map(|text| search(&need(text))).collect();
    let shown = Shown {
        catalog,
        include: request.include.as_deref().unwrap_or_default(),
    };
    let explain = request.explain.unwrap_or(false);
    let explained = texts().filter(|_| explain);
    let mut accounts: Vec<Account<'_, I>> = explained.map(|text| catalog.account(&need(text))).collect();
    let mut hits = Vec::new();
    for (rank, turn) in take_turns(&rankings, reach).into_iter().enumerate().skip(offset) {
        let account = turn.needs.first().and_then(|need| accounts.get_mut(*need));
        let explanation = account.map(|account| explanation(account, &turn.hit));
        if let Some(hit) = shown.hit(&turn.hit, rank, explanation) {
            hits.push(NeedHit {
                hit: hit?,
                needs: turn.needs.into_iter().map(count).collect(),
            });
        }
    }
    let needs = request.queries.into_iter().zip(&rankings);
    let needs = needs.map(|(query, ranking)| Need {
        query,
        status: ranking.status,
        total: count(ranking.total),
    });
    Ok(SearchNeedsResponse {
        needs: needs.collect(),
        hits,
        coverage: means.coverage,
        degraded: means.degraded,
        warnings: means.warnings,
    })
}

/// A positive integer up to the limit; anything else is the default.
fn top_k(asked: Option<&Raw>, default: usize) -> usize {
    match asked.and_then(|raw| raw.get().parse::<usize>().ok()) {
        None | Some(0) => default,
        Some(number) => number.min(MAX_TOP_K),
    }
}

fn offset(asked: Option<u32>) -> usize {
    asked.unwrap_or(0) as usize
}

fn kept<I: Item>(catalog: &Catalog<I>, filter: Option<&Filter>) -> Option<Bitmap> {
    let filter = filter?;
    Some(catalog.narrow(&Narrowing {
        ids: filter.ids.as_deref(),
        servers: filter.servers.as_deref(),
        tags: filter.tags.as_deref(),
        read_only: filter.read_only,
    }))
}

/// What is shown of an item.
struct Shown<'a, I> {
    catalog: &'a Catalog<I>,
    include: &'a [Include],
}

impl<I: Item> Shown<'_, I> {
    fn hit(&self, hit: &Hit, rank: usize, explanation: Option<Explanation>) -> Option<Result<SearchHit>> {
        let item = self.catalog.at(hit.slot)?;
        Some(self.item(item).map(|shown| SearchHit {
            score: hit.score.to_f64(),
            rank: count(rank),
            explanation,
            ..shown
        }))
    }

    fn item(&self, item: &I) -> Result<SearchHit> {
        let asks = |part: Include| self.include.contains(&part);
        let schema = item.schema().filter(|_| asks(Include::Schema));
        let whole = asks(Include::Item).then(|| raw_item(item));
        Ok(SearchHit {
            id: item.id().to_owned(),
            score: 0.0,
            rank: 0,
            description: asks(Include::Description).then(|| item.description().to_owned()),
            input_schema: schema.map(raw).transpose()?,
            item: whole.transpose()?,
            explanation: None,
        })
    }
}

fn explanation<I: Item>(account: &mut Account<'_, I>, hit: &Hit) -> Explanation {
    let explained = account.explain(hit.slot);
    let parts = explained.parts.into_iter().map(|part| ExplanationPart {
        word: part.word,
        term: part.term,
        way: part.way,
        field: part.field,
        value: part.value,
    });
    Explanation {
        named: hit.named,
        parts: parts.collect(),
        meaning: explained.meaning.map(|meaning| ExplanationMeaning {
            similarity: meaning.similarity,
            value: meaning.value,
        }),
    }
}
