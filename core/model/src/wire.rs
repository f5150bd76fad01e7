//! Options and outlines as JSON text, for the packages in other languages. Decides nothing; knows every name on that wire.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::error::{ModelError, ModelErrorCode, Result};
use crate::outline::{Backend, ModelOptions, Outline};
use crate::recipe::{Pooling, Prefixes};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    id: Option<String>,
    max_tokens: Option<NonZeroUsize>,
    prefixes: Option<Both>,
    pooling: Option<String>,
    normalize: Option<bool>,
    threads: Option<NonZeroUsize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Both {
    #[serde(default)]
    query: String,
    #[serde(default)]
    document: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Described<'a> {
    id: &'a str,
    dimensions: usize,
    max_tokens: usize,
    prefixes: Both,
    pooling: &'static str,
    normalize: bool,
}

impl ModelOptions {
    /// Options from an object of `id`, `maxTokens`, `prefixes` (`query`, `document`), `pooling` (`cls`, `mean`, `max`,
    /// `mean_sqrt_len_tokens`), `normalize` and `threads`; each may be absent or null.
    ///
    /// # Errors
    /// `model_invalid_option` for anything else.
    pub fn from_json(text: &str) -> Result<Self> {
        let invalid = |why: String| ModelError::new(ModelErrorCode::InvalidOption, why);
        let options: Options =
            serde_json::from_str(text).map_err(|error| invalid(format!("the model's options: {error}")))?;
        let pooling = match options.pooling {
            Some(name) => Some(Pooling::named(&name).ok_or_else(|| {
                invalid(format!(
                    "there is no pooling `{name}`; there are cls, mean, max and mean_sqrt_len_tokens"
                ))
                .with("option", "pooling")
            })?),
            None => None,
        };
        Ok(Self {
            id: options.id,
            max_tokens: options.max_tokens,
            prefixes: options
                .prefixes
                .map(|both| Prefixes::new(both.query, both.document)),
            pooling,
            normalise: options.normalize,
            threads: options.threads,
            backend: Backend::default(),
        })
    }
}

impl Outline {
    /// The outline as an object of `id`, `dimensions`, `maxTokens`, `prefixes`, `pooling` and `normalize`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let described = Described {
            id: &self.id,
            dimensions: self.dimensions,
            max_tokens: self.max_tokens,
            prefixes: Both {
                query: self.prefixes.query.clone(),
                document: self.prefixes.document.clone(),
            },
            pooling: self.pooling.as_str(),
            normalize: self.normalise,
        };
        // A struct of strings and numbers has a JSON text.
        serde_json::to_string(&described).unwrap_or_default()
    }
}

impl std::str::FromStr for crate::model::Role {
    type Err = ModelError;

    fn from_str(name: &str) -> Result<Self> {
        match name {
            "query" => Ok(Self::Query),
            "document" => Ok(Self::Document),
            other => {
                let why = format!("there is no role `{other}`; there are `query` and `document`");
                Err(ModelError::new(ModelErrorCode::InvalidOption, why).with("option", "role"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Role;

    #[test]
    fn options_are_read_and_absent_ones_left_open() {
        let text = r#"{"id":"x","maxTokens":64,"prefixes":{"query":"q: "},"pooling":"cls","normalize":false,"threads":null}"#;
        let options = ModelOptions::from_json(text).unwrap();
        assert_eq!(options.id.as_deref(), Some("x"));
        assert_eq!(options.max_tokens.map(NonZeroUsize::get), Some(64));
        assert_eq!(options.prefixes, Some(Prefixes::new("q: ", "")));
        assert_eq!(
            (options.pooling, options.normalise, options.threads),
            (Some(Pooling::Cls), Some(false), None)
        );
    }

    #[test]
    fn options_that_are_not_there_are_named() {
        for text in [
            "{\"quantize\":true}",
            "{\"maxTokens\":0}",
            "{\"threads\":-1}",
            "{\"pooling\":\"last\"}",
            "[]",
            "",
        ] {
            assert_eq!(
                ModelOptions::from_json(text).unwrap_err().code,
                ModelErrorCode::InvalidOption,
                "{text}"
            );
        }
        assert_eq!(
            "passage".parse::<Role>().unwrap_err().code,
            ModelErrorCode::InvalidOption
        );
        assert_eq!("query".parse::<Role>().unwrap(), Role::Query);
    }
}
