//! The search operation of the host. Which hits and in which order is decided in `rank`.

use super::Engine;
use super::items::{count, raw, raw_item};
use super::wire::request::{Filter, SearchRequest};
use super::wire::response::{SearchHit, SearchResponse};
use super::wire::{Include, Method, Raw};
use crate::catalog::Catalog;
use crate::catalog::item::{Item, Kind};
use crate::catalog::view::View;
use crate::error::{Error, ErrorCode, Result};
use crate::index::Bitmap;
use crate::rank::{Query, Ranking};

/// Hits of a search that does not say how many.
const DEFAULT_TOP_K: usize = 5;

/// Most hits of one page; a host that wants more turns pages with `offset`.
const MAX_TOP_K: usize = 1_000;

impl Engine {
    pub(super) fn search(&self, request: SearchRequest) -> Result<SearchResponse> {
        if request.method.unwrap_or_default() != Method::Lexical || request.query_vector.is_some() {
            return Err(Error::new(
                ErrorCode::MethodUnavailable,
                "semantic and hybrid search need an embedder, given to `searchAsync`, and this version takes none: search \
                 with method `lexical`",
            ));
        }
        let catalogs = self.catalogs.load();
        let session = request.session.as_deref().and_then(|id| self.sessions.find(id));
        let sight = Self::sight(&catalogs, session.as_deref(), request.visible.as_ref());
        let view = View::new(&catalogs, sight);
        let include = request.include.as_deref().unwrap_or_default();
        let page = Page {
            limit: top_k(request.top_k.as_ref()),
            offset: request.offset.unwrap_or(0) as usize,
        };
        match request.kind {
            Kind::Tool => {
                let kept = filter(&catalogs.tools, request.filter.as_ref());
                let ranking = view.search_tools(&query(&request, page, kept.as_ref()));
                hits(&ranking, page, |slot| {
                    catalogs.tools.at(slot).map(|tool| {
                        let schema = if include.contains(&Include::Schema) {
                            tool.input_schema()
                        } else {
                            None
                        };
                        Ok(SearchHit {
                            input_schema: schema.map(raw).transpose()?,
                            ..hit(tool, include)?
                        })
                    })
                })
            }
            Kind::Skill => {
                let kept = filter(&catalogs.skills, request.filter.as_ref());
                let ranking = view.search_skills(&query(&request, page, kept.as_ref()));
                hits(&ranking, page, |slot| {
                    catalogs.skills.at(slot).map(|skill| hit(skill, include))
                })
            }
            Kind::Fact => {
                let kept = filter(&catalogs.facts, request.filter.as_ref());
                let ranking = view.search_facts(&query(&request, page, kept.as_ref()));
                hits(&ranking, page, |slot| {
                    catalogs.facts.at(slot).map(|fact| hit(fact, include))
                })
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Page {
    limit: usize,
    offset: usize,
}

fn query<'a>(request: &'a SearchRequest, page: Page, kept: Option<&'a Bitmap>) -> Query<'a> {
    Query {
        text: &request.query,
        limit: page.limit,
        offset: page.offset,
        visible: kept,
        min_score: request.min_score,
        ..Query::default()
    }
}

/// A positive integer up to the limit; anything else is the default.
fn top_k(asked: Option<&Raw>) -> usize {
    match asked.and_then(|raw| raw.get().parse::<usize>().ok()) {
        None | Some(0) => DEFAULT_TOP_K,
        Some(number) => number.min(MAX_TOP_K),
    }
}

fn filter<I: Item>(catalog: &Catalog<I>, filter: Option<&Filter>) -> Option<Bitmap> {
    let filter = filter?;
    Some(catalog.select(|item| {
        let server = filter.servers.as_ref().is_none_or(|wanted| {
            item.server()
                .is_some_and(|server| wanted.iter().any(|entry| entry == server))
        });
        let tag = filter
            .tags
            .as_ref()
            .is_none_or(|wanted| item.tags().iter().any(|tag| wanted.contains(tag)));
        let id = filter
            .ids
            .as_ref()
            .is_none_or(|wanted| wanted.iter().any(|entry| entry == item.id()));
        let read_only = filter.read_only.is_none_or(|wanted| {
            item.flags()
                .iter()
                .any(|(name, value)| name == "readOnlyHint" && *value)
                == wanted
        });
        server && tag && id && read_only
    }))
}

fn hits(
    ranking: &Ranking,
    page: Page,
    describe: impl Fn(u32) -> Option<Result<SearchHit>>,
) -> Result<SearchResponse> {
    let mut hits = Vec::with_capacity(ranking.hits.len());
    for (place, found) in ranking.hits.iter().enumerate() {
        if let Some(hit) = describe(found.slot) {
            hits.push(SearchHit {
                score: found.score.to_f64(),
                rank: count(page.offset + place),
                ..hit?
            });
        }
    }
    Ok(SearchResponse {
        hits,
        total: count(ranking.total),
    })
}

fn hit<I: Item>(item: &I, include: &[Include]) -> Result<SearchHit> {
    Ok(SearchHit {
        id: item.id().to_owned(),
        score: 0.0,
        rank: 0,
        description: include
            .contains(&Include::Description)
            .then(|| item.description().to_owned()),
        input_schema: None,
        item: if include.contains(&Include::Item) {
            Some(raw_item(item)?)
        } else {
            None
        },
    })
}
