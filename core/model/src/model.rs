//! A loaded model: texts in, vectors out. Knows no weights by name and no folder layout.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use pulp::Arch;

use crate::batches::{self, Progress, Watch};
use crate::bert::{Bert, Workspace};
use crate::error::{ModelError, ModelErrorCode, Result};
use crate::files::ModelFiles;
use crate::math::elementwise::to_unit;
use crate::outline::{Backend, Kind, ModelOptions, Outline};
use crate::table::StaticTable;
use crate::tensors::Tensors;
use crate::tokens::{self, Tokens, Wanted};

/// Texts that are tokenised, sorted and encoded together; bounds the memory of a long call.
const WINDOW: usize = 4_096;
/// Texts that a thread tokenises before it looks for more.
const PIECE: usize = 32;
/// Tokens of a batch: enough that the weights are read for many at once, few enough that their states stay in the cache.
const BATCH_TOKENS: usize = 256;

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What somebody looks for.
    Query,
    /// What can be found.
    Document,
}

/// A model in memory. It may be used from any number of threads, and after a fork.
pub struct Model {
    outline: Outline,
    tokens: Tokens,
    encoder: Encoder,
    threads: usize,
}

enum Encoder {
    Bert(Bert),
    Static(StaticTable),
    #[cfg(feature = "portable")]
    Portable(crate::portable::Portable),
}

impl Model {
    /// Reads a model.
    ///
    /// # Errors
    /// As [`Outline::read`]; further `model_unreadable` and `model_mismatch` for what the weights and the vocabulary say, and
    /// `model_not_finite` for weights that are no numbers.
    pub fn load(files: &ModelFiles, options: &ModelOptions) -> Result<Self> {
        Self::of(Outline::read(files, options)?, options)
    }

    /// Reads the weights of a model whose outline is known.
    pub(crate) fn of(outline: Outline, options: &ModelOptions) -> Result<Self> {
        let vocabulary = outline.files.needed(tokens::FILE, tokens::LIMIT)?;
        let mut tensors = Tensors::open(&outline.files, &outline.weights)?;
        let first = outline
            .weights
            .first()
            .map_or("model.safetensors", String::as_str);
        let most = outline.max_tokens;
        let (tokens, encoder) = match &outline.kind {
            Kind::Static(sizes) => (
                Tokens::read(
                    &vocabulary,
                    most,
                    sizes.tokens,
                    Wanted::Plain {
                        unknown: outline.unknown,
                    },
                )?,
                Encoder::Static(StaticTable::load(sizes, &mut tensors, first)?),
            ),
            Kind::Bert(config) => (
                Tokens::read(&vocabulary, most, config.vocabulary, Wanted::Special)?,
                match options.backend {
                    Backend::Fast => {
                        Encoder::Bert(Bert::load(config.clone(), outline.pooling, &mut tensors)?)
                    }
                    #[cfg(feature = "portable")]
                    Backend::Portable => Encoder::Portable(crate::portable::Portable::load(&outline)?),
                    #[cfg(not(feature = "portable"))]
                    Backend::Portable => {
                        let why = "this build has no portable backend";
                        return Err(ModelError::new(ModelErrorCode::Unsupported, why));
                    }
                },
            ),
        };
        Ok(Self {
            outline,
            tokens,
            encoder,
            threads: batches::threads(options.threads),
        })
    }

    /// What the model is.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The vectors of these texts, row by row: `texts.len()` times [`Outline::dimensions`] values.
    ///
    /// A text is cut at [`Outline::max_tokens`] tokens. The texts beside it, their order and the number of threads change no
    /// bit of its vector. A text in which a static model knows no token gets a vector of zeros.
    ///
    /// # Errors
    /// `aborted` when `watch` breaks, `model_not_finite` when the weights make a vector overflow, `model_unreadable` when the
    /// tokenizer fails on a text.
    pub fn encode<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        role: Role,
        watch: Watch<'_>,
    ) -> Result<Vec<f32>> {
        let mut vectors = Vec::with_capacity(texts.len() * self.outline.dimensions);
        let total = texts.len();
        for window in texts.chunks(WINDOW) {
            let before = vectors.len() / self.outline.dimensions;
            let mut told = |done: usize| {
                watch(Progress {
                    done: before + done,
                    total,
                })
            };
            vectors.extend(self.window(window, role, &mut told)?);
        }
        Ok(vectors)
    }

    /// The vector of one text, without a word on the way.
    ///
    /// # Errors
    /// As [`Model::encode`].
    pub fn encode_one(&self, text: &str, role: Role) -> Result<Vec<f32>> {
        self.encode(&[text], role, &mut |_| ControlFlow::Continue(()))
    }

    fn window<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        role: Role,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Vec<f32>> {
        let ids = self.tokenise(texts, role, watch)?;
        // The longest first: what is left at the end is short, and the threads end together.
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by_key(|place| Reverse(ids.get(*place).map_or(0, Vec::len)));
        let batches = cut(&order, &ids);
        let ends: Vec<usize> = batches
            .iter()
            .scan(0, |texts, batch| {
                *texts += batch.len();
                Some(*texts)
            })
            .collect();
        let width = self.outline.dimensions;
        let work = |space: &mut Workspace, batch: usize| {
            let places = batches.get(batch).copied().unwrap_or_default();
            let texts: Vec<&[u32]> = places
                .iter()
                .filter_map(|place| ids.get(*place))
                .map(Vec::as_slice)
                .collect();
            let mut vectors = vec![0.0; texts.len() * width];
            self.batch(space, &texts, &mut vectors)?;
            Ok(vectors)
        };
        let told = |done: usize| {
            watch(
                done.checked_sub(1)
                    .and_then(|last| ends.get(last).copied())
                    .unwrap_or(0),
            )
        };
        let found = batches::each(self.threads, batches.len(), Workspace::default, work, told)?;
        let mut vectors = vec![0.0; ids.len() * width];
        let rows = found.iter().flat_map(|batch| batch.chunks_exact(width));
        for (place, row) in order.iter().zip(rows) {
            if let Some(target) = vectors.get_mut(place * width..(place + 1) * width) {
                target.copy_from_slice(row);
            }
        }
        Ok(vectors)
    }

    /// The ids of each text with what stands before it.
    fn tokenise<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        role: Role,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Vec<Vec<u32>>> {
        let prefix = match role {
            Role::Query => self.outline.prefixes.query.as_str(),
            Role::Document => self.outline.prefixes.document.as_str(),
        };
        let pieces: Vec<&[T]> = texts.chunks(PIECE).collect();
        let work = |(): &mut (), piece: usize| -> Result<Vec<Vec<u32>>> {
            let texts = pieces.get(piece).copied().unwrap_or_default();
            let ids = texts.iter().map(|text| {
                let text = text.as_ref();
                if prefix.is_empty() {
                    self.tokens.ids(text)
                } else {
                    self.tokens.ids(&format!("{prefix}{text}"))
                }
            });
            ids.collect()
        };
        let found = batches::each(self.threads, pieces.len(), || (), work, |_| watch(0))?;
        Ok(found.into_iter().flatten().collect())
    }

    fn batch(&self, space: &mut Workspace, texts: &[&[u32]], vectors: &mut [f32]) -> Result<()> {
        let width = self.outline.dimensions;
        match &self.encoder {
            Encoder::Bert(bert) => bert.encode(space, texts, vectors),
            Encoder::Static(table) => {
                for (ids, vector) in texts.iter().zip(vectors.chunks_exact_mut(width)) {
                    table.encode(ids, vector);
                }
            }
            #[cfg(feature = "portable")]
            Encoder::Portable(portable) => portable.encode(texts, vectors)?,
        }
        let arch = Arch::new();
        for vector in vectors.chunks_exact_mut(width) {
            if self.outline.normalise {
                to_unit(arch, vector);
            }
            if !vector.iter().all(|value| value.is_finite()) {
                let message = format!("a vector of model `{}` holds NaN or infinity", self.outline.id);
                return Err(ModelError::new(ModelErrorCode::NotFinite, message).with("id", &self.outline.id));
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_tuple("Model")
            .field(&self.outline.id)
            .finish_non_exhaustive()
    }
}

/// Cuts texts in this order into batches of about so many tokens.
fn cut<'a>(order: &'a [usize], ids: &[Vec<u32>]) -> Vec<&'a [usize]> {
    let mut batches = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (at, place) in order.iter().enumerate() {
        tokens += ids.get(*place).map_or(0, Vec::len).max(1);
        if tokens >= BATCH_TOKENS || at + 1 == order.len() {
            batches.extend(order.get(start..=at));
            (start, tokens) = (at + 1, 0);
        }
    }
    batches
}
