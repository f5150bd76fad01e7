//! What each operation takes. Knows nothing of how it is answered.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::vectors::Vector;
use super::{Include, Method, Raw};
use crate::capability::definitions::Format;
use crate::capability::disclosure::DisclosureMode;
use crate::capability::outcome::Outcome;
use crate::catalog::coverage::Degraded;
use crate::catalog::item::Kind;
use crate::catalog::server::ServerStatus;
use crate::catalog::visibility::Visible;

super::wire! { request:
    /// Adds items, replacing in place by id. Each is parsed alone.
    RegisterRequest<'a> {
        /// Which catalog.
        pub kind: Kind,
        /// The items, or `{"$refused": {id?, path, reason}}` where the host could not write one as JSON.
        #[serde(borrow)]
        pub items: Vec<&'a RawValue>,
    }

    /// Makes these items the whole catalog.
    ReplaceAllRequest<'a> {
        /// Which catalog.
        pub kind: Kind,
        /// The items.
        #[serde(borrow)]
        pub items: Vec<&'a RawValue>,
    }

    /// Removes items by id; unknown ids are passed over.
    RemoveRequest {
        /// Which catalog.
        pub kind: Kind,
        /// The ids.
        pub ids: Vec<String>,
    }

    /// Reads one item back.
    GetRequest {
        /// Which catalog.
        pub kind: Kind,
        /// The id.
        pub id: String,
    }

    /// Reads a page of items back, in the order of registration.
    ListRequest {
        /// Which catalog.
        pub kind: Kind,
        /// How many to skip (default 0).
        #[serde(default)]
        pub offset: Option<u32>,
        /// How many at the most (default: all).
        #[serde(default)]
        pub limit: Option<u32>,
    }

    /// How many items there are.
    SizeRequest {
        /// Which catalog.
        pub kind: Kind,
    }

    /// Narrows a search; every given part must hold.
    Filter {
        /// Only these servers.
        #[serde(default)]
        pub servers: Option<Vec<String>>,
        /// Only items with one of these tags.
        #[serde(default)]
        pub tags: Option<Vec<String>>,
        /// Only these ids.
        #[serde(default)]
        pub ids: Option<Vec<String>>,
        /// Only tools whose annotations say `readOnlyHint: true` (or, with false, do not).
        #[serde(default)]
        pub read_only: Option<bool>,
    }

    /// Searches one catalog in the plain order.
    SearchRequest {
        /// Which catalog.
        pub kind: Kind,
        /// What is wanted, in words.
        pub query: String,
        /// How many hits at the most: a positive integer up to 1,000; anything else is the default, 5.
        #[serde(default)]
        pub top_k: Option<Raw>,
        /// How many of the best to skip (default 0).
        #[serde(default)]
        pub offset: Option<u32>,
        /// How to search (default: lexical; with a query's vector the engine's method, or hybrid).
        #[serde(default)]
        pub method: Option<Method>,
        /// The query's embedding, for semantic and hybrid search.
        #[serde(default)]
        pub query_vector: Option<Vector>,
        /// Why there is none: then words alone answer, marked so.
        #[serde(default)]
        pub degraded: Option<Degraded>,
        /// Makes an error of an answer by words alone (default false).
        #[serde(default)]
        pub strict: Option<bool>,
        /// What hits carry besides id, score and rank.
        #[serde(default)]
        pub include: Option<Vec<Include>>,
        /// Narrows the search.
        #[serde(default)]
        pub filter: Option<Filter>,
        /// Leaves out hits below this score, but never one that the query names.
        #[serde(default)]
        pub min_score: Option<f64>,
        /// Says of each hit how it came to its score (default false).
        #[serde(default)]
        pub explain: Option<bool>,
        /// How many of the best hits the host orders anew, at most 1,000: the answer then has all from the best on, and says which
        /// of them are the page.
        #[serde(default)]
        pub rerank_top: Option<u32>,
        /// The conversation whose visibility applies.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
    }

    /// Searches one catalog for several needs at once.
    SearchNeedsRequest {
        /// Which catalog.
        pub kind: Kind,
        /// What is wanted, in words: one query for each need, at most 16.
        pub queries: Vec<String>,
        /// How many hits at the most, for all needs together: a positive integer up to 1,000; anything else is the default, 5,
        /// or one for each need when those are more.
        #[serde(default)]
        pub top_k: Option<Raw>,
        /// How many of the best to skip (default 0).
        #[serde(default)]
        pub offset: Option<u32>,
        /// How to search (default: lexical; with the queries' vectors the engine's method, or hybrid).
        #[serde(default)]
        pub method: Option<Method>,
        /// The queries' embeddings in their order, for semantic and hybrid search.
        #[serde(default)]
        pub query_vectors: Option<Vec<Vector>>,
        /// Why there are none: then words alone answer, marked so.
        #[serde(default)]
        pub degraded: Option<Degraded>,
        /// Makes an error of an answer by words alone (default false).
        #[serde(default)]
        pub strict: Option<bool>,
        /// What hits carry besides id, score, rank and needs.
        #[serde(default)]
        pub include: Option<Vec<Include>>,
        /// Narrows the search for every need.
        #[serde(default)]
        pub filter: Option<Filter>,
        /// Leaves out hits below this score, but never one that its query names.
        #[serde(default)]
        pub min_score: Option<f64>,
        /// Says of each hit how it came to its score (default false).
        #[serde(default)]
        pub explain: Option<bool>,
        /// The conversation whose visibility applies.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
    }

    /// Describes a server; replaces what was said of it.
    SetServerRequest {
        /// The name, as in a tool's `server`.
        pub name: String,
        /// One line for the model.
        #[serde(default)]
        pub description: Option<String>,
        /// How to use the server, for the model; sent once per session.
        #[serde(default)]
        pub instructions: Option<String>,
        /// Whether it can be used now (default ready).
        #[serde(default)]
        pub status: Option<ServerStatus>,
    }

    /// Forgets what was said of a server; its tools stay.
    RemoveServerRequest {
        /// The name.
        pub name: String,
    }

    /// Opens a conversation or changes its visibility.
    SetSessionRequest {
        /// The conversation.
        #[serde(deserialize_with = "super::conversation")]
        pub session: String,
        /// What it may see and call (absent: everything).
        #[serde(default)]
        pub visible: Option<Visible>,
    }

    /// Forgets a conversation.
    EndSessionRequest {
        /// The conversation.
        #[serde(deserialize_with = "super::conversation")]
        pub session: String,
    }

    /// Hands out the three tool definitions.
    ModelToolsRequest {
        /// In which shape (default plain).
        #[serde(default)]
        pub format: Option<Format>,
        /// The form for hosts that force strict mode (default false).
        #[serde(default)]
        pub strict: Option<bool>,
    }

    /// Says what one request to the model is to list.
    DiscloseRequest {
        /// How the catalog is disclosed (default funnel).
        #[serde(default)]
        pub mode: Option<DisclosureMode>,
        /// What this turn is about, in words; without it no tool is among the best few.
        #[serde(default)]
        pub query: Option<String>,
        /// Its embedding, where the engine's method needs one.
        #[serde(default)]
        pub query_vector: Option<Vector>,
        /// Why there is none: then words alone find the best few, marked so.
        #[serde(default)]
        pub degraded: Option<Degraded>,
        /// How many tools are the best few (default 5, at most 50).
        #[serde(default)]
        pub top_k: Option<Raw>,
        /// The size of the model's context window, in tokens (default 200,000); for `auto`.
        #[serde(default)]
        pub context_tokens: Option<u32>,
        /// The part of it that the catalog may take, from 0 to 1 (default 0.1); for `auto`.
        #[serde(default)]
        pub share: Option<f64>,
        /// The answer's `everything` of the request before; for `auto`, so that a list does not come and go.
        #[serde(default)]
        pub everything_before: Option<bool>,
        /// The shape of the definitions (default plain).
        #[serde(default)]
        pub format: Option<Format>,
        /// The form of the three for hosts that force strict mode (default false).
        #[serde(default)]
        pub strict: Option<bool>,
        /// The conversation whose visibility applies.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
    }

    /// Answers a call of one of the three tools, or of a catalog tool by its id.
    StepRequest {
        /// The called tool's name.
        pub name: String,
        /// What the model sent, as it sent it.
        #[serde(default)]
        pub arguments: Option<Raw>,
        /// The conversation.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
        /// Milliseconds since 1970.
        pub now: u64,
    }

    /// Goes on with a call after the host has done what a step asked for.
    ResumeRequest {
        /// The step's `call`, as it was.
        pub call: Raw,
        /// What came of it.
        pub outcome: Outcome,
        /// Milliseconds since 1970.
        pub now: u64,
    }

    /// Starts a call from host code: mistakes are errors, not replies.
    InvokeRequest {
        /// The tool.
        pub tool_id: String,
        /// Its arguments.
        #[serde(default)]
        pub args: Option<Raw>,
        /// The conversation.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
        /// Milliseconds since 1970.
        pub now: u64,
    }

    /// Repairs and validates a call and runs nothing: frameworks ask for approval before they execute.
    ResolveRequest {
        /// What the model sent to `invoke_tool`, as it sent it: `{toolId, args}` or a shape that can be repaired to it.
        pub arguments: Raw,
        /// The conversation.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
    }

    /// Searches as `search_capabilities` does, for a host that puts the result before the model itself.
    RecallRequest {
        /// What is wanted, in words.
        pub query: String,
        /// The query's embedding, where the engine's method needs one.
        #[serde(default)]
        pub query_vector: Option<Vector>,
        /// Why there is none: then words alone answer, marked so.
        #[serde(default)]
        pub degraded: Option<Degraded>,
        /// Makes an error of an answer by words alone (default false).
        #[serde(default)]
        pub strict: Option<bool>,
        /// Tools at the most (default 5).
        #[serde(default)]
        pub top_k_tools: Option<Raw>,
        /// Skills at the most (default 3).
        #[serde(default)]
        pub top_k_skills: Option<Raw>,
        /// The conversation.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
        /// Milliseconds since 1970.
        pub now: u64,
    }

    /// Prepares a tool's result for the model.
    ForModelRequest {
        /// The result.
        pub result: Raw,
        /// Largest text, in characters (default: the engine's setting).
        #[serde(default)]
        pub max_result_chars: Option<u32>,
    }

    /// Estimates what definitions and texts cost in a prompt.
    TokensRequest {
        /// Texts to estimate, beside the catalogs.
        #[serde(default)]
        pub texts: Option<Vec<String>>,
        /// The conversation whose visibility applies.
        #[serde(default, deserialize_with = "super::maybe_conversation")]
        pub session: Option<String>,
        /// Visibility for this call, on top of the session's.
        #[serde(default)]
        pub visible: Option<Visible>,
    }

    /// A request without parameters.
    EmptyRequest {}
}
