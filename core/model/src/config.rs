//! `config.json`: which encoder it is and how large. Knows no file but that one, and reads no weights.

use serde::Deserialize;

use crate::error::{ModelError, Result};
use crate::math::elementwise::Activation;

pub(crate) const FILE: &str = "config.json";
/// Bytes of a configuration that are read.
pub(crate) const LIMIT: u64 = 1 << 20;

/// Bounds on what a configuration may ask for: twice what the largest encoder of these families has.
const MOST_WIDTH: usize = 4_096;
const MOST_INNER: usize = 16_384;
const MOST_LAYERS: usize = 96;
/// The longest text in tokens, whatever a configuration says.
pub(crate) const MOST_POSITIONS: usize = 8_192;

/// What kind of encoder the files hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Architecture {
    /// A BERT.
    Bert(BertConfig),
    /// One vector for each token, averaged.
    Static(StaticConfig),
}

/// The sizes of a BERT.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BertConfig {
    /// Dimensions of a vector.
    pub(crate) width: usize,
    /// Layers.
    pub(crate) layers: usize,
    /// Heads of an attention; they divide the width.
    pub(crate) heads: usize,
    /// Width between the two wide layers.
    pub(crate) inner: usize,
    /// Rows of the token table.
    pub(crate) vocabulary: usize,
    /// Rows of the position table.
    pub(crate) positions: usize,
    /// The position of a text's first token: RoBERTa begins behind its padding.
    pub(crate) first_position: usize,
    /// Rows of the segment table.
    pub(crate) segments: usize,
    /// Keeps the divisor of a normalisation from zero.
    pub(crate) epsilon: f32,
    /// Between the two wide layers.
    pub(crate) activation: Activation,
    /// Whether the table of names begins with `roberta.` instead of `bert.`.
    pub(crate) roberta: bool,
}

/// What a static model says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StaticConfig {
    /// Whether vectors get length one.
    pub(crate) normalise: bool,
    /// The longest text in tokens.
    pub(crate) max_tokens: Option<usize>,
}

impl BertConfig {
    /// The longest text in tokens that there are positions for.
    pub(crate) fn longest(&self) -> usize {
        (self.positions - self.first_position).min(MOST_POSITIONS)
    }
}

#[derive(Deserialize)]
struct Written {
    model_type: Option<String>,
    hidden_size: Option<u64>,
    num_hidden_layers: Option<u64>,
    num_attention_heads: Option<u64>,
    intermediate_size: Option<u64>,
    vocab_size: Option<u64>,
    max_position_embeddings: Option<u64>,
    type_vocab_size: Option<u64>,
    pad_token_id: Option<u64>,
    layer_norm_eps: Option<f64>,
    hidden_act: Option<String>,
    position_embedding_type: Option<String>,
    normalize: Option<bool>,
    max_length: Option<u64>,
    #[serde(rename = "_name_or_path")]
    name: Option<String>,
}

/// A configuration and the name it gives its model, which is often that of what it was trained from.
pub(crate) fn read(bytes: &[u8]) -> Result<(Architecture, Option<String>)> {
    let written: Written =
        serde_json::from_slice(bytes).map_err(|error| ModelError::unreadable(FILE, error))?;
    let name = written.name.clone();
    let architecture = match written.model_type.as_deref() {
        Some("model2vec") => Architecture::Static(StaticConfig {
            // The reference takes silence for no.
            normalise: written.normalize.unwrap_or(false),
            max_tokens: written
                .max_length
                .map(|length| usize::try_from(length).unwrap_or(usize::MAX)),
        }),
        Some("bert") => Architecture::Bert(bert(&written, false)?),
        Some("roberta" | "xlm-roberta" | "camembert") => Architecture::Bert(bert(&written, true)?),
        Some(other) => {
            let why = format!(
                "models of type `{other}` are not built here; bert, roberta, xlm-roberta and model2vec are"
            );
            return Err(ModelError::unsupported(FILE, why).with("modelType", other));
        }
        None => return Err(ModelError::unsupported(FILE, "it names no model_type")),
    };
    Ok((architecture, name))
}

fn bert(written: &Written, roberta: bool) -> Result<BertConfig> {
    let width = size("hidden_size", written.hidden_size, MOST_WIDTH)?;
    let heads = size("num_attention_heads", written.num_attention_heads, width)?;
    if width % heads != 0 {
        return Err(ModelError::mismatch(
            FILE,
            format!("{heads} heads do not divide {width} dimensions"),
        ));
    }
    if let Some(other) = written
        .position_embedding_type
        .as_deref()
        .filter(|kind| *kind != "absolute")
    {
        return Err(ModelError::unsupported(
            FILE,
            format!("positions of type `{other}` are not built here"),
        ));
    }
    let positions = size(
        "max_position_embeddings",
        written.max_position_embeddings,
        1 << 20,
    )?;
    let padding = usize::try_from(written.pad_token_id.unwrap_or(0)).unwrap_or(usize::MAX);
    let first_position = if roberta { padding.saturating_add(1) } else { 0 };
    if first_position.saturating_add(4) > positions {
        let why = format!("{positions} positions are too few when the first is {first_position}");
        return Err(ModelError::mismatch(FILE, why));
    }
    let epsilon = written.layer_norm_eps.unwrap_or(1e-12);
    if !(0.0..=1.0).contains(&epsilon) {
        return Err(ModelError::unsupported(
            FILE,
            format!("layer_norm_eps is {epsilon}"),
        ));
    }
    #[allow(clippy::cast_possible_truncation, reason = "between zero and one")]
    let epsilon = epsilon as f32;
    Ok(BertConfig {
        width,
        layers: size("num_hidden_layers", written.num_hidden_layers, MOST_LAYERS)?,
        heads,
        inner: size("intermediate_size", written.intermediate_size, MOST_INNER)?,
        vocabulary: size("vocab_size", written.vocab_size, 1 << 22)?,
        positions,
        first_position,
        segments: size("type_vocab_size", written.type_vocab_size.or(Some(2)), 64)?,
        epsilon,
        activation: activation(written.hidden_act.as_deref())?,
        roberta,
    })
}

/// A size between one and `most`.
fn size(name: &str, written: Option<u64>, most: usize) -> Result<usize> {
    let Some(written) = written else {
        return Err(ModelError::unreadable(FILE, format!("it has no {name}")));
    };
    usize::try_from(written)
        .ok()
        .filter(|size| (1..=most).contains(size))
        .ok_or_else(|| {
            ModelError::unsupported(FILE, format!("{name} is {written}, not between 1 and {most}"))
                .with("field", name)
        })
}

fn activation(name: Option<&str>) -> Result<Activation> {
    match name {
        None | Some("gelu") => Ok(Activation::Gelu),
        Some("gelu_new" | "gelu_pytorch_tanh") => Ok(Activation::GeluTanh),
        Some("relu") => Ok(Activation::Relu),
        Some(other) => Err(ModelError::unsupported(
            FILE,
            format!("the activation `{other}` is not built here"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ModelErrorCode;

    const TINY: &str = r#"{"model_type":"bert","hidden_size":32,"num_hidden_layers":2,"num_attention_heads":4,
        "intermediate_size":64,"vocab_size":99,"max_position_embeddings":40,"type_vocab_size":2,"hidden_act":"gelu"}"#;

    fn code(config: &str) -> ModelErrorCode {
        read(config.as_bytes()).unwrap_err().code
    }

    #[test]
    fn roberta_counts_positions_from_behind_its_padding() {
        let config = TINY
            .replace("\"bert\"", "\"xlm-roberta\"")
            .replacen('{', "{\"pad_token_id\":1,", 1);
        let (Architecture::Bert(bert), None) = read(config.as_bytes()).unwrap() else {
            panic!("not a bert");
        };
        assert_eq!((bert.first_position, bert.longest()), (2, 38));
    }

    #[test]
    fn what_is_not_built_here_is_named() {
        assert_eq!(
            code(&TINY.replace("\"bert\"", "\"t5\"")),
            ModelErrorCode::Unsupported
        );
        assert_eq!(
            code(&TINY.replace("\"gelu\"", "\"mish\"")),
            ModelErrorCode::Unsupported
        );
        assert_eq!(code("{}"), ModelErrorCode::Unsupported);
        let relative = TINY.replacen('{', "{\"position_embedding_type\":\"relative_key\",", 1);
        assert_eq!(code(&relative), ModelErrorCode::Unsupported);
    }

    #[test]
    fn sizes_beyond_reason_are_refused() {
        for (from, to) in [
            ("\"hidden_size\":32", "\"hidden_size\":1000000000000"),
            ("\"num_hidden_layers\":2", "\"num_hidden_layers\":0"),
            ("\"num_hidden_layers\":2", "\"num_hidden_layers\":100000"),
            ("\"num_attention_heads\":4", "\"num_attention_heads\":0"),
            ("\"intermediate_size\":64", "\"intermediate_size\":0"),
            ("\"vocab_size\":99", "\"vocab_size\":18446744073709551615"),
            ("\"type_vocab_size\":2", "\"type_vocab_size\":0"),
        ] {
            assert_eq!(code(&TINY.replace(from, to)), ModelErrorCode::Unsupported, "{to}");
        }
        assert_eq!(
            code(&TINY.replace("\"hidden_size\":32", "\"hidden_size\":-1")),
            ModelErrorCode::Unreadable
        );
        assert_eq!(
            code(&TINY.replace("\"hidden_size\":32,", "")),
            ModelErrorCode::Unreadable
        );
        assert_eq!(
            code(&TINY.replace("heads\":4", "heads\":5")),
            ModelErrorCode::Mismatch
        );
        assert_eq!(code("{\"model_type\":\"bert\""), ModelErrorCode::Unreadable);
    }
}
