//! The names on the wire: one request and one response per operation. Knows nothing of how they are answered.
//!
//! `make gen` writes the TypeScript and Python types and clients from these structs. Requests are plain structs (no
//! `flatten`, `untagged` or tagged enums: `RawValue` does not pass through them), so a schema and the arguments of a call
//! travel as the text they came in as.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use crate::rank::Method;

pub mod options;
pub mod request;
pub mod response;
pub mod vectors;
pub mod skills;

/// JSON text that is carried as it is.
pub type Raw = Box<RawValue>;

/// Declares wire structs: camelCase, requests as objects with known fields only, absent optional response fields left out.
macro_rules! wire {
    (request: $($(#[$meta:meta])* $name:ident $(<$lifetime:lifetime>)? { $($body:tt)* })+) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
        pub struct $name $(<$lifetime>)? { $($body)* }

        $crate::catalog::object::objects!($name $(<$lifetime>)?);
    )+ };
    (response: $($(#[$meta:meta])* $name:ident { $($body:tt)* })+) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($body)* }
    )+ };
}

/// What a hit carries besides id, score and rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Include {
    /// The description, as the model would see it.
    Description,
    /// The input schema (tools only).
    Schema,
    /// The whole item, as it was registered.
    Item,
}
use wire;

/// Reads the id of a conversation: any text but the empty one, which would be everybody's.
fn conversation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let id = String::deserialize(deserializer)?;
    if id.is_empty() {
        return Err(D::Error::custom(
            "the id of a conversation must not be empty; leave `session` out or give it a unique id",
        ));
    }
    Ok(id)
}

/// The same where a call may have none.
fn maybe_conversation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Conversation(#[serde(deserialize_with = "conversation")] String);
    Ok(Option::<Conversation>::deserialize(deserializer)?.map(|conversation| conversation.0))
}
