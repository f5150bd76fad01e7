//! What a model is, read from its small files: enough to name what is missing and to tell its dimensions, before any weight
//! is read. Knows no tokenizing.

use std::num::NonZeroUsize;

use crate::config::{self, Architecture, MOST_POSITIONS, StaticConfig};
use crate::error::{ModelError, ModelErrorCode, Result};
use crate::files::ModelFiles;
use crate::identity;
use crate::known;
use crate::languages;
use crate::recipe::{self, Pooling, Prefixes, Recipe};
use crate::scripts;
use crate::table::Sizes;
use crate::tensors::Tensors;
use crate::tokens;
use crate::vocabulary::Vocabulary;

/// Tokens of a text that a static model takes when it says nothing.
const STATIC_TOKENS: usize = 512;

/// How a model is used, where that is not what its files say.
#[derive(Debug, Clone, Default)]
pub struct ModelOptions {
    /// Its name; that of its folder when absent.
    pub id: Option<String>,
    /// The longest text in tokens, at most what the model has positions for.
    pub max_tokens: Option<NonZeroUsize>,
    /// What is written before queries and documents.
    pub prefixes: Option<Prefixes>,
    /// How the vectors of tokens become one.
    pub pooling: Option<Pooling>,
    /// Whether vectors get length one.
    pub normalise: Option<bool>,
    /// How many threads encode; one for each core when absent.
    pub threads: Option<NonZeroUsize>,
    /// What computes.
    pub backend: Backend,
}

/// What computes the vectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Backend {
    /// This crate's own loops.
    #[default]
    Fast,
    /// candle's BERT, several times slower; only with the feature `portable`.
    Portable,
}

/// What a model is. Cheap to read; says nothing of whether the weights are whole.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Its name.
    pub id: String,
    /// Dimensions of a vector.
    pub dimensions: usize,
    /// The longest text in tokens, the special ones included; what is longer is cut.
    pub max_tokens: usize,
    /// What is written before queries and documents.
    pub prefixes: Prefixes,
    /// How the vectors of tokens become one.
    pub pooling: Pooling,
    /// Whether vectors get length one.
    pub normalise: bool,
    pub(crate) kind: Kind,
    /// Whether a static model counts its unknown token, as sentence-transformers does and model2vec does not.
    pub(crate) unknown: bool,
    /// The files as the encoder sees them.
    pub(crate) files: ModelFiles,
    /// The names of the files with weights.
    pub(crate) weights: Vec<String>,
}

/// The sizes of the encoder.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Bert(config::BertConfig),
    Static(Sizes),
}

impl Outline {
    /// Reads the small files of a model.
    ///
    /// # Errors
    /// `model_missing_file` when a file is not there, `model_unreadable`, `model_unsupported` and `model_mismatch` for what
    /// the small files say, `model_invalid_option` for options that no model can have.
    pub fn read(files: &ModelFiles, options: &ModelOptions) -> Result<Self> {
        let recipe = Recipe::read(files)?;
        let below = files.below(&recipe.folder)?;
        let (architecture, written) = match below.small(config::FILE, config::LIMIT)? {
            Some(bytes) if !recipe.table => config::read(&bytes)?,
            // A static table in sentence-transformers' layout has no configuration of its own.
            None if recipe.table => (SILENT, None),
            Some(_) => (SILENT, None),
            None => return Err(below.missing(config::FILE)),
        };
        if below.open(tokens::FILE)?.is_none() {
            return Err(below.missing(tokens::FILE));
        }
        let weights = below.weights();
        let Some(first) = weights.first() else {
            return Err(below.missing("model.safetensors"));
        };
        let (kind, longest, asked, normalise) = match architecture {
            Architecture::Bert(bert) => {
                let longest = bert.longest();
                (
                    Kind::Bert(bert),
                    longest,
                    recipe.max_tokens,
                    recipe.normalise.unwrap_or(true),
                )
            }
            Architecture::Static(table) => {
                let sizes = Sizes::read(&Tensors::open(&below, &weights)?, first)?;
                let asked = recipe.max_tokens.or(table.max_tokens).or(Some(STATIC_TOKENS));
                let normalise = table.normalise || recipe.normalise.unwrap_or(false);
                (Kind::Static(sizes), MOST_POSITIONS, asked, normalise)
            }
        };
        let id = name(files, options)?;
        let family = known::family(&[&id, written.as_deref().unwrap_or_default()]);
        if let Some(prefixes) = &options.prefixes {
            recipe::checked(prefixes, "the options")?;
        }
        let (prefixes, pooling) = family.map_or((None, None), |family| {
            (Some(family.prefixes), Some(family.pooling))
        });
        Ok(Self {
            id,
            dimensions: match &kind {
                Kind::Bert(bert) => bert.width,
                Kind::Static(sizes) => sizes.width,
            },
            max_tokens: max_tokens(options, asked, longest)?,
            prefixes: options
                .prefixes
                .clone()
                .or(recipe.prefixes)
                .or(prefixes)
                .unwrap_or_default(),
            pooling: options
                .pooling
                .or(recipe.pooling)
                .or(pooling)
                .unwrap_or(Pooling::Mean),
            normalise: options.normalise.unwrap_or(normalise),
            kind,
            unknown: recipe.table,
            files: below,
            weights,
        })
    }

    /// A digest of everything that vectors depend on: configuration, vocabulary, weights, pooling, prefixes, length. Reads
    /// every file through once.
    ///
    /// # Errors
    /// `model_missing_file` or `model_unreadable` when a file has gone since.
    pub fn revision(&self) -> Result<String> {
        let mut names = vec![tokens::FILE.to_owned()];
        if self.files.open(config::FILE)?.is_some() {
            names.push(config::FILE.to_owned());
        }
        names.extend(self.weights.iter().cloned());
        let Prefixes { query, document } = &self.prefixes;
        let (pooling, normalise, most) = (self.pooling.as_str(), self.normalise, self.max_tokens);
        let recipe = format!("{pooling}\n{normalise}\n{most}\n{query:?}\n{document:?}");
        identity::digest(&self.files, &names, &recipe)
    }

    /// The Unicode scripts that the vocabulary covers, by name, sorted. Reads the tokenizer's file.
    ///
    /// # Errors
    /// `model_missing_file` or `model_unreadable`.
    pub fn scripts(&self) -> Result<Vec<String>> {
        Ok(self.knowledge()?.scripts)
    }

    /// The languages in Latin letters that the vocabulary was certainly made for, of eleven that are looked for, by ISO 639-1 code,
    /// sorted. Reads the tokenizer's file.
    ///
    /// # Errors
    /// `model_missing_file` or `model_unreadable`.
    pub fn languages(&self) -> Result<Vec<String>> {
        Ok(self.knowledge()?.languages)
    }

    /// What the vocabulary tells, by one reading of it.
    pub(crate) fn knowledge(&self) -> Result<Knowledge> {
        let bytes = self.files.needed(tokens::FILE, tokens::LIMIT)?;
        let tokens = Vocabulary::read(&bytes)?.tokens();
        Ok(Knowledge {
            scripts: scripts::of(&tokens),
            languages: languages::of(&tokens),
        })
    }
}

/// What a vocabulary tells of what its model knows.
#[derive(Debug)]
pub(crate) struct Knowledge {
    pub(crate) scripts: Vec<String>,
    pub(crate) languages: Vec<String>,
}

const SILENT: Architecture = Architecture::Static(StaticConfig {
    normalise: false,
    max_tokens: None,
});

/// The model's name.
fn name(files: &ModelFiles, options: &ModelOptions) -> Result<String> {
    let invalid = |why: &str| ModelError::new(ModelErrorCode::InvalidOption, why).with("option", "id");
    match &options.id {
        Some(id) if id.is_empty() || id.len() > 512 => Err(invalid("a model's id has 1 to 512 bytes")),
        Some(id) => Ok(id.clone()),
        None => files
            .path()
            .and_then(identity::name_of)
            .ok_or_else(|| invalid("a model without a folder needs an id")),
    }
}

/// The longest text: what was asked for, what the files say, what there are positions for.
fn max_tokens(options: &ModelOptions, asked: Option<usize>, longest: usize) -> Result<usize> {
    match options.max_tokens {
        Some(most) if most.get() > longest || most.get() < 4 => {
            let message = format!("max_tokens is {most}, not between 4 and {longest}");
            Err(ModelError::new(ModelErrorCode::InvalidOption, message).with("option", "max_tokens"))
        }
        Some(most) => Ok(most.get()),
        None => Ok(asked.unwrap_or(longest).clamp(4, longest)),
    }
}
