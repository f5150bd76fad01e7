//! What is set when an engine is opened. Knows nothing of what follows from it.

use serde::Deserialize;

use super::Method;
use super::vectors::Embedder;
use crate::rank::Formula;

super::wire! { request:
    /// Engine-wide settings; all have defaults.
    Options {
        /// Largest search result, in estimated tokens (default 8,000).
        #[serde(default)]
        pub token_budget: Option<u32>,
        /// Largest page of a skill's body, in characters (default 32,000).
        #[serde(default)]
        pub page_chars: Option<u32>,
        /// Largest tool result for the model, in characters (default: no limit).
        #[serde(default)]
        pub max_result_chars: Option<u32>,
        /// Repair arguments that a model sent in the wrong shape (default true).
        #[serde(default)]
        pub repair_arguments: Option<bool>,
        /// From how much evidence on a search answers `ok` (default 1.05; 1 is one full match of the rarest word a
        /// document can have); 0 never doubts.
        #[serde(default)]
        pub ok_evidence: Option<f64>,
        /// Below how much evidence a search answers `no_match` (default 0.2); at most `okEvidence`, and 0 never abstains.
        #[serde(default)]
        pub weak_evidence: Option<f64>,
        /// Who embeds texts and queries, for searches by meaning (default: nobody).
        #[serde(default)]
        pub embedder: Option<Embedder>,
        /// How `search_capabilities`, `recall` and searches with a query's vector rank (default lexical); others need an embedder.
        #[serde(default)]
        pub method: Option<Method>,
        /// How words and meaning become one score in `hybrid` (default sum, which no set of queries is found worse by; the others
        /// are there to compare).
        #[serde(default)]
        pub fusion: Option<Formula>,
        /// How many of the best hits of `search_capabilities` and `recall` the host judges, through the step `rerank`, before the
        /// page is cut (default: none). A quarter of them at the most are skills.
        #[serde(default)]
        pub rerank_top: Option<u32>,
    }
}
