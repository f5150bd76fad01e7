//! What is known of a model by its name: what its family writes before texts, and how it pools. Knows no files.
//!
//! The model cards of these families ask for a prefix that their files do not carry. Left out, it costs points that nobody
//! sees missing.

use crate::recipe::{Pooling, Prefixes};

/// The query prefix of the English bge models and of arctic-embed.
const INSTRUCTION: &str = "Represent this sentence for searching relevant passages: ";
/// The query prefix of the Chinese bge models.
const INSTRUCTION_ZH: &str = "为这个句子生成表示以用于检索相关文章：";

/// A family of models.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Family {
    /// What it writes before texts.
    pub(crate) prefixes: Prefixes,
    /// How it pools.
    pub(crate) pooling: Pooling,
}

/// The family that one of these names belongs to; the first name that says something counts.
pub(crate) fn family(names: &[&str]) -> Option<Family> {
    names.iter().find_map(|name| one(&name.to_ascii_lowercase()))
}

fn one(name: &str) -> Option<Family> {
    let base = name.rsplit('/').next().unwrap_or_default();
    let (prefixes, pooling) = if base.contains("bge-m3") {
        (Prefixes::default(), Pooling::Cls)
    } else if base.starts_with("bge-") && base.contains("-zh") {
        (Prefixes::new(INSTRUCTION_ZH, ""), Pooling::Cls)
    } else if base.starts_with("bge-")
        || base.starts_with("arctic-embed")
        || base.starts_with("snowflake-arctic-embed")
    {
        let second = base.contains("-v2");
        (
            Prefixes::new(if second { "query: " } else { INSTRUCTION }, ""),
            Pooling::Cls,
        )
    } else if base.starts_with("e5-") || base.starts_with("multilingual-e5-") {
        // The instruct models take a task description instead.
        if base.contains("instruct") {
            return None;
        }
        (Prefixes::new("query: ", "passage: "), Pooling::Mean)
    } else {
        return None;
    };
    Some(Family { prefixes, pooling })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(name: &str) -> Option<String> {
        family(&[name]).map(|family| family.prefixes.query)
    }

    #[test]
    fn a_family_is_known_by_the_last_part_of_its_name() {
        assert_eq!(query("intfloat/multilingual-e5-small").unwrap(), "query: ");
        assert_eq!(family(&["E5-base-v2"]).unwrap().prefixes.document, "passage: ");
        assert_eq!(query("BAAI/bge-small-en-v1.5").unwrap(), INSTRUCTION);
        assert_eq!(query("BAAI/bge-small-zh-v1.5").unwrap(), INSTRUCTION_ZH);
        assert_eq!(query("BAAI/bge-m3").unwrap(), "");
        assert_eq!(query("Snowflake/snowflake-arctic-embed-xs").unwrap(), INSTRUCTION);
        assert_eq!(
            query("Snowflake/snowflake-arctic-embed-l-v2.0").unwrap(),
            "query: "
        );
    }

    #[test]
    fn other_models_have_no_prefix() {
        for name in [
            "all-MiniLM-L6-v2",
            "thenlper/gte-small",
            "multilingual-e5-large-instruct",
            "my-e5-like",
            "",
        ] {
            assert_eq!(family(&[name]), None, "{name}");
        }
        assert!(family(&["model", "intfloat/e5-small"]).is_some());
    }
}
