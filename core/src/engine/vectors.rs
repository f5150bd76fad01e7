//! The operations on vectors, and what a search by meaning is asked with. Which text is embedded is decided in the catalog layer.

use std::collections::HashSet;
use std::sync::Arc;

use super::Engine;
use super::items::count;
use super::strangers;
use super::wire::vectors::{
    Embedder, KeyedVector, MissingText, MissingVectorsRequest, MissingVectorsResponse, PutVectorsRequest,
    PutVectorsResponse, RefusedVector, Vector, VectorModel, Warning,
};
use crate::catalog::Catalog;
use crate::catalog::coverage::{Coverage, Degraded};
use crate::catalog::item::{Item, Kind};
use crate::error::{Error, ErrorCode, Result};
use crate::index::{Index, Key, Model, Probe, Unfit, Vectors};
use crate::rank::{Formula, Method};
use crate::text::Scripts;

/// The longest vectors that are taken.
const DIMENSIONS_MOST: u32 = 65_536;
/// Texts of one page that does not say how many.
const DEFAULT_PAGE: u32 = 256;

/// How a search is to be answered.
pub(super) struct Asked<'a> {
    /// What the request says.
    pub(super) method: Option<Method>,
    /// The queries.
    pub(super) queries: &'a [&'a str],
    /// Their vectors, when there are some.
    pub(super) vectors: Option<&'a [Vector]>,
    /// Why there are none.
    pub(super) degraded: Option<Degraded>,
    /// Whether words alone are no answer.
    pub(super) is_strict: bool,
}

/// How a search is answered.
pub(super) struct Answered {
    /// What ranks.
    pub(super) method: Method,
    /// How words and meaning become one score.
    pub(super) formula: Formula,
    /// One for each query, or none.
    pub(super) probes: Vec<Probe>,
    /// Of the catalog, where more than words were asked for.
    pub(super) coverage: Option<Coverage>,
    /// Why words alone rank.
    pub(super) degraded: Option<Degraded>,
    /// What deserves a look.
    pub(super) warnings: Vec<Warning>,
}

impl Engine {
    pub(super) fn missing_vectors(&self, request: MissingVectorsRequest) -> Result<MissingVectorsResponse> {
        let model = self.model()?;
        let catalogs = self.catalogs.load();
        let mut pages = Texts {
            skip: request.offset.unwrap_or(0),
            room: request.limit.unwrap_or(DEFAULT_PAGE),
            seen: HashSet::new(),
            texts: Vec::new(),
        };
        let mut coverage = Coverage::default();
        for kind in [Kind::Tool, Kind::Skill, Kind::Fact] {
            if request.kind.is_none_or(|wanted| wanted == kind) {
                coverage = coverage.and(Coverage::of(catalogs.index_of(kind).vectors()));
                match kind {
                    Kind::Tool => pages.add(&catalogs.tools),
                    Kind::Skill => pages.add(&catalogs.skills),
                    Kind::Fact => pages.add(&catalogs.facts),
                }
            }
        }
        Ok(MissingVectorsResponse {
            model: wire_model(model),
            texts: pages.texts,
            missing: coverage.total - coverage.embedded,
            total: coverage.total,
        })
    }

    pub(super) fn put_vectors(&self, request: PutVectorsRequest) -> Result<PutVectorsResponse> {
        let model = self.model()?;
        let own = wire_model(model);
        if request.model.revision.as_deref().unwrap_or_default() != model.revision
            || (&request.model.id, request.model.dimensions) != (&own.id, own.dimensions)
        {
            let name = |model: &VectorModel| {
                let revision = model.revision.as_deref().map(|revision| format!("@{revision}"));
                format!(
                    "`{}{}` ({} dimensions)",
                    model.id,
                    revision.unwrap_or_default(),
                    model.dimensions
                )
            };
            let message = format!(
                "these vectors are of {}, and this engine holds those of {}; embed the texts with its own model",
                name(&request.model),
                name(&own)
            );
            return Err(Error::new(ErrorCode::ModelMismatch, message)
                .with("expected", own.id)
                .with("found", request.model.id));
        }
        let ((stored, refused), revision) = self.change(|catalogs, _| {
            let mut refused = Vec::new();
            let mut stored = 0;
            for vector in &request.vectors {
                let mut kinds = [
                    catalogs.tools.vectors_mut(),
                    catalogs.skills.vectors_mut(),
                    catalogs.facts.vectors_mut(),
                ];
                match store(&mut kinds, vector) {
                    Ok(taken) => stored += u32::from(taken),
                    Err(error) => refused.push(RefusedVector {
                        key: vector.key.clone(),
                        code: error.code,
                        message: error.message,
                    }),
                }
            }
            Ok(((stored, refused), stored > 0))
        })?;
        Ok(PutVectorsResponse {
            stored,
            ignored: count(request.vectors.len()) - stored - count(refused.len()),
            refused,
            revision,
        })
    }

    /// What a search of an index is answered with; an error where it cannot be answered as it was asked.
    pub(super) fn means(&self, index: &Index, asked: &Asked<'_>) -> Result<Answered> {
        let given = asked.vectors.is_some() || asked.degraded.is_some();
        let own = match self.settings.method {
            Method::Lexical => Method::Hybrid,
            method => method,
        };
        let method = asked.method.unwrap_or(if given { own } else { Method::Lexical });
        let mut answered = Answered {
            method: Method::Lexical,
            formula: self.settings.formula,
            probes: Vec::new(),
            coverage: None,
            degraded: None,
            warnings: Vec::new(),
        };
        if method == Method::Lexical {
            return Ok(answered);
        }
        let is_blank = asked.queries.iter().all(|query| query.trim().is_empty());
        match (asked.vectors, asked.degraded) {
            (Some(given), _) => answered.probes = probes(self.model()?, given, asked.queries.len())?,
            (None, Some(reason)) => answered.degraded = Some(reason),
            (None, None) if is_blank => {}
            (None, None) => return Err(needs_vector(self.settings.model.is_some())),
        }
        let coverage = Coverage::of(index.vectors());
        answered.coverage = Some(coverage);
        if coverage.total == 0 {
            // Nothing could be compared, so nothing is missing.
            answered.degraded = None;
        }
        if answered.degraded.is_none() && coverage.is_missing() {
            answered.degraded = Some(Degraded::NoVectors);
        }
        match answered.degraded {
            Some(reason) if asked.is_strict => return Err(reason.refusal()),
            Some(_) => answered.probes.clear(),
            None => answered.method = method,
        }
        answered
            .warnings
            .extend(strangers::warning(index, asked.queries, method));
        Ok(answered)
    }

    pub(super) fn model(&self) -> Result<&Model> {
        self.settings.model.as_deref().ok_or_else(|| {
            Error::new(
                ErrorCode::MethodUnavailable,
                "this engine has no embedder, so it takes and compares no vectors; open it with one",
            )
        })
    }
}

/// The model of an embedder, when it can be one.
pub(super) fn model_of(embedder: Embedder) -> Result<Arc<Model>> {
    let refuse = |message: String| Err(Error::new(ErrorCode::InvalidRequest, message));
    if embedder.id.is_empty() {
        return refuse("the `id` of an embedder must not be empty; give it the name of its model".to_owned());
    }
    if !(1..=DIMENSIONS_MOST).contains(&embedder.dimensions) {
        return refuse(format!(
            "an embedder of {} dimensions is none; they are the length of its vectors, from 1 to {DIMENSIONS_MOST}",
            embedder.dimensions
        ));
    }
    let scripts = embedder.scripts.as_deref().map(Scripts::named).transpose();
    let scripts = match scripts {
        Ok(scripts) => scripts,
        Err(name) => {
            return refuse(format!(
                "`{name}` is no script of Unicode; name scripts by ISO 15924 codes such as `Latn` or by names such as `Cyrillic`"
            ));
        }
    };
    Ok(Arc::new(Model {
        id: embedder.id,
        revision: embedder.revision.unwrap_or_default(),
        dimensions: embedder.dimensions,
        scripts,
        is_english: embedder
            .languages
            .as_deref()
            .map_or(Ok(false), strangers::is_english)?,
    }))
}

/// A page of texts, each once whatever items have it.
struct Texts {
    skip: u32,
    room: u32,
    seen: HashSet<Key>,
    texts: Vec<MissingText>,
}

impl Texts {
    /// Adds those of a catalog, while there is room.
    fn add<I: Item>(&mut self, catalog: &Catalog<I>) {
        if self.room == 0 {
            return;
        }
        for (key, item) in catalog.missing() {
            if !self.seen.insert(key) {
                continue;
            }
            if self.skip > 0 {
                self.skip -= 1;
            } else if self.room > 0 {
                self.room -= 1;
                self.texts.push(MissingText {
                    key: key.to_string(),
                    text: item.embedding_text(),
                });
            } else {
                return;
            }
        }
    }
}

fn wire_model(model: &Model) -> VectorModel {
    VectorModel {
        id: model.id.clone(),
        revision: Some(model.revision.clone()).filter(|revision| !revision.is_empty()),
        dimensions: model.dimensions,
    }
}

/// Stores a vector with every kind that waits for it.
fn store(kinds: &mut [&mut Vectors; 3], vector: &KeyedVector) -> Result<bool> {
    let Some(key) = Key::from_hex(&vector.key) else {
        return Err(Error::new(
            ErrorCode::InvalidRequest,
            "this is no key of a text; pass it as `missingVectors` gave it",
        ));
    };
    let [first, ..] = kinds;
    let unit = first.round(&vector.vector.0).map_err(unfit)?;
    let mut stored = false;
    for vectors in kinds {
        stored |= vectors.store_unit(key, &unit);
    }
    Ok(stored)
}

fn probes(model: &Model, vectors: &[Vector], queries: usize) -> Result<Vec<Probe>> {
    if vectors.len() != queries {
        let message = format!(
            "{queries} queries came with {} vectors; pass one for each",
            vectors.len()
        );
        return Err(Error::new(ErrorCode::InvalidVector, message));
    }
    let probe = |vector: &Vector| Probe::new(&vector.0, model.dimensions as usize).map_err(unfit);
    vectors.iter().map(probe).collect()
}

/// Why a vector is not taken, for host code.
fn unfit(unfit: Unfit) -> Error {
    let message = match unfit {
        Unfit::Length { expected, found } => {
            format!(
                "a vector of {found} numbers is none of a model of {expected} dimensions; check the embedder"
            )
        }
        Unfit::NotFinite(place) => {
            format!("number {place} of a vector is not finite; the embedder failed on this text")
        }
        Unfit::Zero => "a vector of zeros has no direction; the embedder failed on this text".to_owned(),
    };
    Error::new(ErrorCode::InvalidVector, message)
}

fn needs_vector(has_model: bool) -> Error {
    let message = if has_model {
        "semantic and hybrid search need the query's vector: use `searchAsync`, which has the embedder make it, pass a \
         `queryVector`, or search with method `lexical`"
    } else {
        "semantic and hybrid search need an embedder: open the engine with one and use `searchAsync`, or search with \
         method `lexical`"
    };
    Error::new(ErrorCode::MethodUnavailable, message)
}
