//! Turns strings, identifiers and JSON Schemas into terms.
//!
//! Must not know documents, indexes or scores. Both sides of a search go through the same cutting, so that the terms
//! of a query are terms of a document with the same text, in any script.
//!
//! ```
//! use honeyguide_retrieval::text::{Analyzer, TextKind, analyze_query, name_key};
//!
//! let terms = |text: &str| {
//!     let mut terms = Vec::new();
//!     Analyzer::new().terms(text, TextKind::Prose, &mut |term| terms.push(term));
//!     terms
//! };
//! assert_eq!(terms("createPullRequest")[..3], terms("creates a pull request")[..]);
//!
//! let query = analyze_query("please use `create_pull_request` on GitHub");
//! assert_eq!(query.identifiers, [name_key("createPullRequest"), name_key("GitHub")]);
//! ```

mod analyze;
mod ascii;
pub(crate) mod beginning;
mod chunk;
mod cjk;
mod eight;
mod endings;
mod fold;
pub mod hash;
mod identifier;
mod ideographs;
mod invisible;
mod korean;
pub(crate) mod lexicon;
mod members;
mod outline;
mod particles;
mod pointers;
mod porter;
mod query;
pub(crate) mod requests;
mod scan;
mod schema;
pub(crate) mod scripts;
mod segment;
mod stem;
mod stop;
mod tongue;

pub use analyze::{Analyzer, TextKind};
pub use fold::{has_name_key, name_key};
pub use identifier::word_parts;
pub(crate) use ideographs::is_ideograph;
pub use invisible::{has_control_or_invisible, strip_json, strip_text};
pub(crate) use query::Part;
pub(crate) use query::Reader;
pub use query::{QueryTerm, QueryText, analyze_query};
pub use scan::{Member, ScannedObject, Scanner};
pub use schema::{FoundTexts, SchemaText, SchemaTexts, WalkSummary, walk_schema};
pub use scripts::Scripts;
pub(crate) use stem::term_of;
pub(crate) use tongue::Tongue;
