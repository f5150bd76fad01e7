//! Turns strings, identifiers and JSON Schemas into terms.
//!
//! Must not know documents, indexes or scores. Both sides of a search go through the same cutting, so that the terms
//! of a query are terms of a document with the same text, in any script.
//!
//! ```
//! use honeyguide::text::{Analyzer, TextKind, analyze_query, name_key};
//!
//! let mut terms = Vec::new();
//! Analyzer::new().terms("createPullRequest", TextKind::Identifier, &mut |term| terms.push(term.to_owned()));
//! assert_eq!(terms, ["creat", "pull", "request", "createpullrequest"]);
//!
//! let query = analyze_query("please use `create_pull_request` on GitHub");
//! assert_eq!(query.identifiers, [name_key("createPullRequest"), name_key("GitHub")]);
//! ```

mod analyze;
mod chunk;
mod cjk;
mod fold;
mod identifier;
mod invisible;
mod query;
mod schema;
mod segment;
mod stem;
mod stop;

pub use analyze::{Analyzer, TextKind};
pub use fold::name_key;
pub use invisible::{has_control_or_invisible, strip_json, strip_text};
pub use query::{QueryTerm, QueryText, analyze_query};
pub use schema::{SchemaText, WalkSummary, walk_schema};
