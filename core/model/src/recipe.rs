//! How texts become vectors around the encoder: prefixes, length, pooling, normalisation. Knows no weights.
//!
//! It is read from the files that sentence-transformers writes beside a model, where they are, and from the model's name
//! for the families whose files do not say what to write before a query.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{ModelError, Result};
use crate::files::ModelFiles;

/// Bytes of each small file that are read.
const LIMIT: u64 = 1 << 20;
/// The longest prefix, in bytes.
const LONGEST_PREFIX: usize = 4_096;

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The vector of the first token.
    Cls,
    /// The mean.
    Mean,
    /// The largest of each dimension.
    Max,
    /// The sum, divided by the root of the number of tokens.
    MeanRoot,
}

impl Pooling {
    /// The word for it in the files of sentence-transformers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cls => "cls",
            Self::Mean => "mean",
            Self::Max => "max",
            Self::MeanRoot => "mean_sqrt_len_tokens",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "cls" => Self::Cls,
            "mean" => Self::Mean,
            "max" => Self::Max,
            "mean_sqrt_len_tokens" => Self::MeanRoot,
            _ => return None,
        })
    }
}

/// What is written before a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefixes {
    /// Before a query.
    pub query: String,
    /// Before a document.
    pub document: String,
}

impl Prefixes {
    /// Both prefixes.
    pub fn new(query: impl Into<String>, document: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            document: document.into(),
        }
    }
}

/// What the files beside a model say; `None` where they are silent.
#[derive(Debug, Default)]
pub(crate) struct Recipe {
    /// The folder of the first module, empty for the model's own.
    pub(crate) folder: String,
    /// Whether the first module is a static table.
    pub(crate) table: bool,
    /// How tokens become one vector.
    pub(crate) pooling: Option<Pooling>,
    /// Whether vectors get length one.
    pub(crate) normalise: Option<bool>,
    /// The longest text in tokens, the special ones included.
    pub(crate) max_tokens: Option<usize>,
    /// What is written before texts.
    pub(crate) prefixes: Option<Prefixes>,
}

#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    r#type: String,
}

#[derive(Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, Option<String>>,
    default_prompt_name: Option<String>,
}

#[derive(Deserialize)]
struct Length {
    max_seq_length: Option<u64>,
}

impl Recipe {
    /// Reads `modules.json`, the pooling's configuration, the longest text and the prompts.
    pub(crate) fn read(files: &ModelFiles) -> Result<Self> {
        let mut recipe = Self::default();
        let mut pooling = "1_Pooling".to_owned();
        if let Some(modules) = parsed::<Vec<Module>>(files, "modules.json")? {
            recipe.normalise = Some(false);
            for (place, module) in modules.iter().enumerate() {
                match module.r#type.rsplit('.').next().unwrap_or_default() {
                    "Transformer" if place == 0 => recipe.folder.clone_from(&module.path),
                    "StaticEmbedding" if place == 0 => {
                        recipe.folder.clone_from(&module.path);
                        recipe.table = true;
                    }
                    "Pooling" if place > 0 => pooling.clone_from(&module.path),
                    "Normalize" if place > 0 => recipe.normalise = Some(true),
                    _ => {
                        let why = format!(
                            "a module of type `{}` in place {place} is not built here",
                            module.r#type
                        );
                        return Err(ModelError::unsupported("modules.json", why));
                    }
                }
            }
        }
        let below = files.below(&recipe.folder)?;
        recipe.max_tokens = match parsed::<Length>(&below, "sentence_bert_config.json")? {
            Some(Length {
                max_seq_length: Some(length),
            }) => Some(usize::try_from(length).unwrap_or(usize::MAX)),
            _ => None,
        };
        recipe.prefixes = match parsed::<Prompts>(files, "config_sentence_transformers.json")? {
            Some(prompts) => prefixes(&prompts)?,
            None => None,
        };
        let prompted = recipe
            .prefixes
            .as_ref()
            .is_some_and(|prefixes| *prefixes != Prefixes::default());
        recipe.pooling = pooling_of(&files.below(&pooling)?, prompted)?;
        Ok(recipe)
    }
}

/// The prompts as sentence-transformers takes them for queries and documents; `None` when there are none.
fn prefixes(prompts: &Prompts) -> Result<Option<Prefixes>> {
    let named = |name: &str| prompts.prompts.get(name).cloned().flatten();
    let fallback = prompts.default_prompt_name.as_deref().and_then(named);
    let query = named("query").or_else(|| fallback.clone());
    let document = named("document")
        .or_else(|| named("passage"))
        .or_else(|| named("corpus"))
        .or(fallback);
    let found = Prefixes::new(query.unwrap_or_default(), document.unwrap_or_default());
    // The library itself writes empty prompts for models that have none.
    if found == Prefixes::default() {
        return Ok(None);
    }
    checked(&found, "config_sentence_transformers.json")?;
    Ok(Some(found))
}

/// That prefixes leave room for a text.
pub(crate) fn checked(prefixes: &Prefixes, file: &str) -> Result<()> {
    if prefixes.query.len().max(prefixes.document.len()) > LONGEST_PREFIX {
        return Err(ModelError::unsupported(
            file,
            format!("a prefix has more than {LONGEST_PREFIX} bytes"),
        ));
    }
    Ok(())
}

/// The pooling of `1_Pooling/config.json`, in the old words or the new; `None` without the file.
fn pooling_of(files: &ModelFiles, prompted: bool) -> Result<Option<Pooling>> {
    const FILE: &str = "1_Pooling/config.json";
    let Some(bytes) = files.small("config.json", LIMIT)? else {
        return Ok(None);
    };
    let config: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&bytes).map_err(|error| ModelError::unreadable(FILE, error))?;
    if prompted && config.get("include_prompt").and_then(serde_json::Value::as_bool) == Some(false) {
        return Err(ModelError::unsupported(
            FILE,
            "pooling without the prompt is not built here",
        ));
    }
    let asked: Vec<&str> = match config.get("pooling_mode") {
        Some(serde_json::Value::String(mode)) => vec![mode],
        _ => config
            .iter()
            .filter(|(_, value)| value.as_bool() == Some(true))
            .filter_map(|(name, _)| name.strip_prefix("pooling_mode_"))
            .map(|mode| match mode {
                "cls_token" => "cls",
                "mean_tokens" => "mean",
                "max_tokens" => "max",
                other => other,
            })
            .collect(),
    };
    match asked.as_slice() {
        [] => Ok(None),
        [one] => Pooling::named(one)
            .map(Some)
            .ok_or_else(|| ModelError::unsupported(FILE, format!("pooling by `{one}` is not built here"))),
        _ => Err(ModelError::unsupported(
            FILE,
            format!("pooling by {} at once is not built here", asked.join(" and ")),
        )),
    }
}

fn parsed<T: for<'a> Deserialize<'a>>(files: &ModelFiles, name: &str) -> Result<Option<T>> {
    match files.small(name, LIMIT)? {
        Some(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| ModelError::unreadable(name, error)),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ModelErrorCode;

    fn read(files: &[(&str, &str)]) -> Result<Recipe> {
        Recipe::read(&ModelFiles::memory(
            files.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())),
        ))
    }

    const NORMALIZE: &str = r#"[{"path":"","type":"sentence_transformers.models.Transformer"},
        {"path":"1_Pooling","type":"sentence_transformers.models.Pooling"},
        {"path":"2_Normalize","type":"sentence_transformers.models.Normalize"}]"#;

    #[test]
    fn silent_files_leave_everything_open() {
        let recipe = read(&[]).unwrap();
        assert_eq!(
            (recipe.pooling, recipe.normalise, recipe.max_tokens),
            (None, None, None)
        );
        assert_eq!(recipe.prefixes, None);
    }

    #[test]
    fn pooling_is_read_in_the_old_words_and_the_new() {
        let old = r#"{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false,"include_prompt":true}"#;
        let new = r#"{"embedding_dimension":4,"pooling_mode":"max"}"#;
        assert_eq!(
            read(&[("1_Pooling/config.json", old)]).unwrap().pooling,
            Some(Pooling::Cls)
        );
        assert_eq!(
            read(&[("1_Pooling/config.json", new)]).unwrap().pooling,
            Some(Pooling::Max)
        );
        for refused in [
            r#"{"pooling_mode":"lasttoken"}"#,
            r#"{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":true}"#,
        ] {
            let error = read(&[("1_Pooling/config.json", refused)]).unwrap_err();
            assert_eq!(error.code, ModelErrorCode::Unsupported);
        }
    }

    #[test]
    fn vectors_keep_their_length_when_the_modules_do_not_normalise() {
        assert_eq!(
            read(&[("modules.json", NORMALIZE)]).unwrap().normalise,
            Some(true)
        );
        let without = NORMALIZE.replace("Normalize\"}", "Pooling\"}");
        assert_eq!(
            read(&[("modules.json", &without)]).unwrap().normalise,
            Some(false)
        );
        let dense = NORMALIZE.replace("models.Normalize", "models.Dense");
        assert_eq!(
            read(&[("modules.json", &dense)]).unwrap_err().code,
            ModelErrorCode::Unsupported
        );
        let above = NORMALIZE.replace("1_Pooling\"", "../1_Pooling\"");
        assert_eq!(
            read(&[("modules.json", &above)]).unwrap_err().code,
            ModelErrorCode::Unsupported
        );
    }

    #[test]
    fn prompts_serve_the_role_they_are_named_after() {
        let file = "config_sentence_transformers.json";
        let both = r#"{"prompts":{"query":"query: ","passage":"passage: "}}"#;
        assert_eq!(
            read(&[(file, both)]).unwrap().prefixes,
            Some(Prefixes::new("query: ", "passage: "))
        );
        let default = r#"{"prompts":{"query":"q: ","s":"s: "},"default_prompt_name":"s"}"#;
        assert_eq!(
            read(&[(file, default)]).unwrap().prefixes,
            Some(Prefixes::new("q: ", "s: "))
        );
        let empty = r#"{"prompts":{"query":"","document":""},"default_prompt_name":null}"#;
        assert_eq!(read(&[(file, empty)]).unwrap().prefixes, None);
        let long = format!(r#"{{"prompts":{{"query":"{}"}}}}"#, "x".repeat(5_000));
        assert_eq!(
            read(&[(file, &long)]).unwrap_err().code,
            ModelErrorCode::Unsupported
        );
    }
}
