//! What each operation answers. Knows nothing of how the answer was found.

use serde::Serialize;

use super::Raw;
use super::vectors::Warning;
use crate::capability::step::Step;
use crate::catalog::coverage::{Coverage, Degraded};
use crate::catalog::diagnostic::Diagnostic;
use crate::catalog::server::Server;
use crate::index::Field;
use crate::rank::{Status, Way};

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
        /// How far the best hit can be trusted.
        pub status: Status,
        /// Best first.
        pub hits: Vec<SearchHit>,
        /// How many match in all.
        pub total: u32,
        /// How many items have a vector (semantic and hybrid).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub coverage: Option<Coverage>,
        /// Why words alone answered, where more was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub degraded: Option<Degraded>,
        /// What deserves a look.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub warnings: Vec<Warning>,
        /// Which of the hits are the page (`rerankTop`).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub page: Option<Page>,
    }

    /// Which hits a search was asked for, among those that the host orders anew.
    Page {
        /// How many are named: they stand first, in any order of the others.
        pub named: u32,
        /// The first of the page, from 0.
        pub first: u32,
        /// How many hits the page has at the most.
        pub length: u32,
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
        /// How it came to its score (`explain: true`).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub explanation: Option<Explanation>,
    }

    /// How a hit came to its score.
    Explanation {
        /// Whether the query names the item: then it stands before all others, whatever the scores.
        pub named: bool,
        /// What the score is made of, in the order of the query's words. The values add up to the score, to the last bit and
        /// in any order.
        pub parts: Vec<ExplanationPart>,
        /// What its meaning adds, where it counts (semantic and hybrid); its value and those of the parts add up to the score.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub meaning: Option<ExplanationMeaning>,
    }

    /// What a hit's meaning adds to its score.
    ExplanationMeaning {
        /// The cosine between its vector and the query's; without a vector, the mean of all, where a formula takes it for that (deviations).
        pub similarity: f64,
        /// How much it adds.
        pub value: f64,
    }

    /// What one field adds to a score through one word of the query.
    ExplanationPart {
        /// The query's word.
        pub word: String,
        /// The item's word that it matches.
        pub term: String,
        /// How the two match.
        #[serde(rename = "match")]
        pub way: Way,
        /// Where the item has it.
        pub field: Field,
        /// How much it adds.
        pub value: f64,
    }

    /// One page for several needs.
    SearchNeedsResponse {
        /// What became of each need, in the order of the queries.
        pub needs: Vec<Need>,
        /// The needs' hits in turns: the best of each, then the second of each. A hit that serves several stands once.
        pub hits: Vec<NeedHit>,
        /// How many items have a vector (semantic and hybrid).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub coverage: Option<Coverage>,
        /// Why words alone answered, where more was asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub degraded: Option<Degraded>,
        /// What deserves a look.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub warnings: Vec<Warning>,
    }

    /// What became of one need.
    Need {
        /// Its query.
        pub query: String,
        /// How far its best hit can be trusted; with `no_match` it has no hit on the page.
        pub status: Status,
        /// How many match it in all.
        pub total: u32,
    }

    /// One hit of a search for several needs.
    NeedHit {
        /// The hit. Its score is for the first of its needs; its rank is the place in all turns.
        #[serde(flatten)]
        pub hit: SearchHit,
        /// Which needs it serves, as places in the list of queries: first the one that brought it, then those whose turn came
        /// to it as well.
        pub needs: Vec<u32>,
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

    /// What one request to the model is to list.
    DiscloseResponse {
        /// Whether every visible tool is listed.
        pub everything: bool,
        /// The definitions: the three, then one for each of `exposed`, in its order.
        pub tools: Vec<Raw>,
        /// The listed tools of the catalog: of everything in the order of registration, of the best few the best first.
        pub exposed: Vec<ExposedTool>,
        /// With `suggest`, a `search_capabilities` result that only names the best few, to put before the model; null when
        /// nothing matches.
        pub recall: Option<Raw>,
        /// Why the best few were found by words alone, where the engine ranks by meaning.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub degraded: Option<Degraded>,
    }

    /// A tool of the catalog in the model's own list.
    ExposedTool {
        /// The name it is listed under: its id, or one derived from it where providers take no such id.
        pub name: String,
        /// The tool.
        pub tool_id: String,
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
        /// What the host is to do first (engines with `rerankTop`): `resume` goes on, and its reply is the result.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub step: Option<Step>,
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
