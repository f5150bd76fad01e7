//! A fact: something that is true. Knows which of its text is indexed under which field.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::item::{Head, Item, Kind};
use super::object::{objects, read_object};
use super::passage::passage;
use super::skill::body_fields;
use crate::index::Field;
use crate::text::FoundTexts;

/// When a fact is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Pin {
    /// On every turn.
    Always,
    /// When a search finds it (the default).
    #[default]
    Retrieved,
}

/// A fact as it goes over the wire.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct FactItem {
    /// The key: any visible Unicode text up to 512 bytes.
    pub id: String,
    /// The fact.
    pub body: String,
    /// What it is about.
    #[serde(default)]
    pub description: Option<String>,
    /// Free labels.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// When it is shown (default `retrieved`).
    #[serde(default)]
    pub pin: Option<Pin>,
}

objects!(FactItem);

/// A fact as the catalog keeps it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Fact {
    head: Head,
    body: String,
    pin: Pin,
}

impl Fact {
    /// The fact itself.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// When it is shown.
    pub fn pin(&self) -> Pin {
        self.pin
    }
}

impl Item for Fact {
    const KIND: Kind = Kind::Fact;
    const FIELDS: &'static [&'static str] = &["id", "body", "description", "tags", "pin"];

    fn read_noting(text: &str, unknown: &mut Vec<String>) -> Result<Self, serde_json::Error> {
        let wire: FactItem = read_object(text, Self::FIELDS, unknown)?;
        Ok(Self {
            head: Head::read(text, wire.id, None, wire.description, wire.tags),
            body: wire.body,
            pin: wire.pin.unwrap_or_default(),
        })
    }

    fn head(&self) -> &Head {
        &self.head
    }

    fn fields_with(&self, _schema: Option<FoundTexts<'_>>) -> Vec<(Field, Cow<'_, str>)> {
        let mut fields = vec![(Field::Description, Cow::Borrowed(self.description()))];
        fields.extend(
            self.tags()
                .iter()
                .map(|tag| (Field::Tags, Cow::Borrowed(tag.as_str()))),
        );
        fields.extend(body_fields(&self.body));
        fields
    }

    fn embedding_text(&self) -> String {
        passage(&[self.description(), &self.body])
    }
}
