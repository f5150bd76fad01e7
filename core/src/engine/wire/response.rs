//! What each operation answers. Knows nothing of how the answer was found.

use serde::Serialize;

use super::Raw;
use crate::catalog::diagnostic::Diagnostic;
use crate::catalog::server::Server;

super::wire! { response:
    /// What became of a batch.
    RegisterResponse {
        /// New items.
        pub added: u32,
        /// Items that replaced one of the same id.
        pub replaced: u32,
        /// Items that were there already, to the byte.
        pub unchanged: u32,
        /// Items taken out (`replaceAll` only).
        pub removed: u32,
        /// Places in the batch of items that were not taken.
        pub rejected: Vec<u32>,
        /// What is wrong, item by item.
        pub diagnostics: Vec<Diagnostic>,
        /// Grows with every published change.
        pub revision: u64,
    }

    /// What was removed.
    RemoveResponse {
        /// The ids that were there.
        pub removed: Vec<String>,
        /// Grows with every published change.
        pub revision: u64,
    }

    /// One item.
    GetResponse {
        /// The item as it was registered, or null.
        pub item: Option<Raw>,
    }

    /// A page of items.
    ListResponse {
        /// The items as they were registered.
        pub items: Vec<Raw>,
        /// How many there are in all.
        pub total: u32,
    }

    /// A count.
    SizeResponse {
        /// How many items there are.
        pub size: u32,
    }

    /// The hits of a search.
    SearchResponse {
        /// Best first.
        pub hits: Vec<SearchHit>,
        /// How many match in all.
        pub total: u32,
    }

    /// One hit.
    SearchHit {
        /// The item's id.
        pub id: String,
        /// Higher is better; comparable between searches of one catalog kind.
        pub score: f64,
        /// The place in the whole order, from 0.
        pub rank: u32,
        /// The description (`include: ["description"]`).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub description: Option<String>,
        /// The input schema (`include: ["schema"]`).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub input_schema: Option<Raw>,
        /// The item as it was registered (`include: ["item"]`).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub item: Option<Raw>,
    }

    /// The servers that were described.
    ListServersResponse {
        /// By name.
        pub servers: Vec<Server>,
    }

    /// The catalog's state after a change that has no other answer.
    RevisionResponse {
        /// Grows with every published change.
        pub revision: u64,
    }

    /// The three tool definitions.
    ModelToolsResponse {
        /// In the order search, invoke, skill; the same bytes whatever is registered.
        pub tools: Vec<Raw>,
        /// SHA-256 of their bytes, in hex.
        pub digest: String,
    }

    /// A call that could be made.
    ResolveResponse {
        /// The tool.
        pub tool_id: String,
        /// The arguments, repaired and validated.
        pub arguments: Raw,
        /// Whether a person must be asked.
        pub requires_approval: bool,
        /// The tool's annotations.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub annotations: Option<Raw>,
        /// Of the tool's definition.
        pub digest: String,
    }

    /// What to put before the model.
    RecallResponse {
        /// The `search_capabilities` result, or null when nothing matches.
        pub result: Option<Raw>,
    }

    /// A result for the model.
    ForModelResponse {
        /// The result.
        pub result: Raw,
        /// Whether something was cut.
        pub truncated: bool,
    }

    /// What is wrong in the catalogs.
    DiagnoseResponse {
        /// Item by item.
        pub diagnostics: Vec<Diagnostic>,
    }

    /// Estimated tokens: ASCII bytes / 3, rounded up, plus 1.5 per other character.
    TokensResponse {
        /// Of a prompt that held every visible tool's definition and every visible skill's name and description.
        pub catalog: u32,
        /// Of the three tool definitions.
        pub model_tools: u32,
        /// Of the texts that were asked about, in their order.
        pub texts: Vec<u32>,
    }
}
