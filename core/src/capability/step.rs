//! What the host is to do next, and the call it carries back. Knows nothing of how a step is carried out.
//!
//! A `call` is plain JSON and holds everything that core needs to go on, so core keeps no pending calls: an abort leaks
//! nothing, and an approval may come back in another process.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value};
use sha2::{Digest, Sha256};

use super::skill_call::SkillCall;
use crate::catalog::item::Kind;
use crate::catalog::object::objects;
use crate::catalog::visibility::Visible;
use crate::settled::settled;

/// Which operation a call began with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A model called: mistakes are replies.
    InvokeTool,
    /// Host code called: mistakes are errors.
    Invoke,
    /// A model searches, and its query is to be embedded or its hits to be judged.
    SearchCapabilities,
    /// A host searches as a model does, and the hits are to be judged.
    Recall,
    /// A model opens a skill.
    GetSkillContent,
}

/// A call on its way through the host, which hands it back as it is: of a catalog tool, or of a search that waits for its host.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Call {
    /// Which operation it began with.
    pub operation: Operation,
    /// The tool; of a search, `search_capabilities`.
    pub tool_id: String,
    /// Its arguments, repaired and validated.
    pub arguments: Box<RawValue>,
    /// Of the tool's definition when the call began; of a search, of the model that embeds its query.
    pub digest: String,
    /// The conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Visibility for this call, on top of the session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<Visible>,
    /// False while a person is to be asked, true once one has agreed; absent where nobody needs to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// Ties an approval to exactly this tool, definition and arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
    /// The tool's annotations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Box<RawValue>>,
}

objects!(written: Call);

impl Call {
    /// What an approval of this call is tied to. It does not change when a host parses the call and writes it again:
    /// the order of keys and the way a number is written do not count.
    pub(crate) fn fingerprint(&self) -> String {
        let mut canonical = String::new();
        match serde_json::from_str(self.arguments.get()) {
            Ok(arguments) => write_canonical(&arguments, &mut canonical),
            Err(_) => canonical.push_str(self.arguments.get()),
        }
        let mut hasher = Sha256::new();
        for part in [self.tool_id.as_str(), self.digest.as_str(), canonical.as_str()] {
            hasher.update(part.len().to_le_bytes());
            hasher.update(part);
        }
        hex(&hasher.finalize())
    }
}

/// A hit that is to be judged.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RerankHit {
    /// A tool or a skill.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// What the engine makes of it; comparable within a kind.
    pub score: f64,
    /// Its place among the hits of its kind, from 0.
    pub rank: u32,
    /// Its description.
    pub description: String,
}

/// Whose vector an embedding is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum EmbedRole {
    /// A query.
    Query,
    /// A text that queries look for.
    Document,
}

/// What the host is to do next.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Step {
    /// Give the model this answer, or the executor's own value.
    Reply {
        /// Core's own words for the model.
        #[serde(skip_serializing_if = "Option::is_none")]
        reply: Option<Box<RawValue>>,
        /// Whether those words tell of a mistake.
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
        /// Give the model the value that the executor returned, by identity.
        #[serde(skip_serializing_if = "Option::is_none")]
        host_value: Option<bool>,
    },
    /// Ask a person.
    Approve {
        /// What is to be called.
        call: Box<Call>,
    },
    /// Run the executor and keep its value.
    Invoke {
        /// What is called.
        call: Box<Call>,
    },
    /// Embed texts.
    Embed {
        /// To hand back.
        call: Box<Call>,
        /// What to embed.
        texts: Vec<String>,
        /// As what.
        role: EmbedRole,
    },
    /// Judge hits of a search, which are then ordered anew.
    Rerank {
        /// To hand back.
        call: Box<Call>,
        /// What is looked for.
        query: String,
        /// The best hits that the query does not name: tools, then skills, each best first.
        hits: Vec<RerankHit>,
    },
    /// Read a skill's file.
    Read {
        /// To hand back.
        call: Box<SkillCall>,
        /// Which file, relative to the skill's folder.
        path: String,
        /// Largest file to read, in bytes.
        most_bytes: u32,
    },
    /// Run a sub-agent.
    Fork {
        /// To hand back.
        call: Box<SkillCall>,
        /// What it is to do.
        prompt: String,
        /// What it may call.
        allowed_tools: Vec<String>,
        /// The model it runs on.
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// How hard it thinks.
        #[serde(skip_serializing_if = "Option::is_none")]
        effort: Option<String>,
    },
}

impl Step {
    /// An answer in core's own words.
    pub(crate) fn reply(reply: &impl Serialize) -> Self {
        Self::Reply {
            reply: Some(to_raw(reply)),
            is_error: Some(false),
            host_value: None,
        }
    }

    /// The executor's own value.
    pub(crate) const fn host_value() -> Self {
        Self::Reply {
            reply: None,
            is_error: None,
            host_value: Some(true),
        }
    }
}

/// JSON text of a value that can always be written: its maps have text for keys, its numbers are finite.
pub(crate) fn to_raw(value: &impl Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// SHA-256 of a text, in hex.
pub(crate) fn digest_of(text: &str) -> String {
    hex(&Sha256::digest(text))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => out.push_str(&canonical_number(number)),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(members) => {
            let keys = settled(members.keys().collect(), &|left: &&String, right: &&String| {
                left.cmp(right)
            });
            out.push('{');
            for key in keys {
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                members
                    .get(key)
                    .into_iter()
                    .for_each(|member| write_canonical(member, out));
                out.push(',');
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

/// The nearest double, since that is what a JavaScript host writes back.
fn canonical_number(number: &Number) -> String {
    number.as_f64().map_or_else(
        || number.to_string(),
        |double| format!("{:016x}", (double + 0.0).to_bits()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: &str) -> Call {
        let text =
            format!(r#"{{"operation":"invoke_tool","toolId":"t","arguments":{arguments},"digest":"d"}}"#);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_fingerprint_survives_a_host_that_writes_numbers_and_keys_its_own_way() {
        assert_eq!(
            call(r#"{"a":1.0,"2":-0.0}"#).fingerprint(),
            call(r#"{"2":0,"a":1}"#).fingerprint()
        );
        assert_ne!(call(r#"{"a":1}"#).fingerprint(), call(r#"{"a":2}"#).fingerprint());
        assert_ne!(
            call(r#"{"a":1}"#).fingerprint(),
            call(r#"{"a":"1"}"#).fingerprint()
        );
    }

    #[test]
    fn a_call_travels_through_the_host_and_back() {
        let text = r#"{"operation":"invoke","toolId":"t","arguments":{"n":123456789012345678901},"digest":"d","session":"s","approved":true}"#;
        assert_eq!(
            serde_json::to_string(&serde_json::from_str::<Call>(text).unwrap()).unwrap(),
            text
        );
        assert!(serde_json::from_str::<Call>("{}").is_err());
    }

    #[test]
    fn a_step_names_its_kind_first() {
        let step = serde_json::to_string(&Step::host_value()).unwrap();
        assert_eq!(step, r#"{"kind":"reply","hostValue":true}"#);
        let step = serde_json::to_string(&Step::Invoke {
            call: Box::new(call("{}")),
        })
        .unwrap();
        assert_eq!(
            step,
            r#"{"kind":"invoke","call":{"operation":"invoke_tool","toolId":"t","arguments":{},"digest":"d"}}"#
        );
    }
}
