//! What may be seen and called, as data: one predicate for search, resolve, invoke, suggestions and skills.
//! Knows nothing of sessions or of where a rule came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::item::Item;
use super::object::objects;

/// Who may be seen: everything that `allow` selects (absent: everything) and `deny` does not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
pub struct Visible {
    /// Only what this selects may be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow: Option<Selector>,
    /// What this selects may not be seen, whatever `allow` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deny: Option<Selector>,
}

objects!(written: Visible);

/// Selects an item when any of its lists names it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
pub struct Selector {
    /// Items with one of these ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
    /// Tools of one of these servers (the group key: `server`, or the id's prefix before `__`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers: Option<Vec<String>>,
    /// Items with one of these tags.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Tools with one of these annotations at this value; an annotation that is not given matches no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, bool>>,
}

objects!(written: Selector);

impl Visible {
    /// Whether this item may be seen and called.
    pub fn permits<I: Item>(&self, item: &I) -> bool {
        self.allow.as_ref().is_none_or(|allow| allow.selects(item))
            && !self.deny.as_ref().is_some_and(|deny| deny.selects(item))
    }
}

impl Selector {
    /// Whether any list names this item.
    pub fn selects<I: Item>(&self, item: &I) -> bool {
        let holds = |list: &Option<Vec<String>>, wanted: &str| {
            list.as_ref()
                .is_some_and(|list| list.iter().any(|entry| entry == wanted))
        };
        holds(&self.ids, item.id())
            || item.server().is_some_and(|server| holds(&self.servers, server))
            || item.tags().iter().any(|tag| holds(&self.tags, tag))
            || self.annotations.as_ref().is_some_and(|wanted| {
                item.flags()
                    .iter()
                    .any(|(name, value)| wanted.get(name.as_str()) == Some(value))
            })
    }
}
