//! Vectors on the wire, and what is said of them. Knows nothing of how they are kept.

use serde::{Deserialize, Serialize};

use crate::catalog::item::Kind;
use crate::catalog::object::objects;
pub use crate::catalog::vector::Vector;
use crate::error::ErrorCode;

super::wire! { request:
    /// Who embeds texts, and what is known of its model.
    Embedder {
        /// The model's name; vectors of different names never meet.
        pub id: String,
        /// Its revision, when it has one; vectors of different revisions never meet.
        #[serde(default)]
        pub revision: Option<String>,
        /// The length of its vectors: from 1 to 65,536.
        pub dimensions: u32,
        /// The scripts that it knows, as ISO 15924 codes or names (`Latn`, `Cyrillic`); all when absent. Texts mostly in others go by
        /// their words.
        #[serde(default)]
        pub scripts: Option<Vec<String>>,
        /// The languages that it knows, as ISO 639 codes (`en`); all when absent. Where English is all that it knows, meaning counts
        /// little for queries in others.
        #[serde(default)]
        pub languages: Option<Vec<String>>,
    }

    /// Asks for texts that have no vector yet.
    MissingVectorsRequest {
        /// Which catalog (default: all, tools first).
        #[serde(default)]
        pub kind: Option<Kind>,
        /// How many to skip, such as those that cannot be embedded (default 0).
        #[serde(default)]
        pub offset: Option<u32>,
        /// How many at the most (default 256); with 0, only the counts.
        #[serde(default)]
        pub limit: Option<u32>,
    }

    /// Takes vectors of texts.
    PutVectorsRequest {
        /// The model that made them, which must be the engine's.
        pub model: VectorModel,
        /// The vectors, of any length but zero; a text that no item has any more is passed over.
        pub vectors: Vec<KeyedVector>,
    }

    /// A vector of a text.
    KeyedVector {
        /// The text's key, as `missingVectors` gave it.
        pub key: String,
        /// Its vector.
        pub vector: Vector,
    }
}

/// Which model made vectors.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
pub struct VectorModel {
    /// Its name.
    pub id: String,
    /// Its revision, when it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The length of its vectors.
    pub dimensions: u32,
}

objects!(written: VectorModel);

super::wire! { response:
    /// Texts without a vector.
    MissingVectorsResponse {
        /// The model that is to embed them.
        pub model: VectorModel,
        /// In the order of registration, each once.
        pub texts: Vec<MissingText>,
        /// How many items have no vector, those of this page too.
        pub missing: u32,
        /// How many items have a text to embed.
        pub total: u32,
    }

    /// A text without a vector.
    MissingText {
        /// Under which its vector is known.
        pub key: String,
        /// What to embed, as a document.
        pub text: String,
    }

    /// What became of vectors.
    PutVectorsResponse {
        /// Texts that have a vector now.
        pub stored: u32,
        /// Vectors of texts that have one already, or that no item has.
        pub ignored: u32,
        /// Vectors that are none; the others stand.
        pub refused: Vec<RefusedVector>,
        /// Grows with every published change.
        pub revision: u64,
    }

    /// A vector that was not taken.
    RefusedVector {
        /// Its key.
        pub key: String,
        /// The stable code.
        pub code: ErrorCode,
        /// What is wrong with it.
        pub message: String,
    }

    /// Something about an answer that deserves a look.
    Warning {
        /// The stable code.
        pub code: ErrorCode,
        /// Names the thing, the reason and the remedy.
        pub message: String,
    }
}
