//! A tool: something that can be called. Knows which of its text is indexed under which field, and nothing of storage.

mod read;

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::item::{Head, Item, Kind, group_of_id};
use super::object::objects;
use super::passage::{passage, readable};
use super::said::Said;
use crate::error::ErrorCode;
use crate::index::{Field, Hint};
use crate::text::{FoundTexts, Member, SchemaText, walk_schema};

use read::{longer_tool, members, plain_tool};

/// How many bytes of parameters a model reads before no more are begun.
const PARAMETERS_MOST: usize = 1_000;

/// Most tools have no more texts.
const FIELDS_EXPECTED: usize = 32;

/// A tool as it goes over the wire.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ToolItem<'a> {
    /// The key: any visible Unicode text up to 512 bytes.
    pub id: String,
    /// The name the model knows it by (default: the id's text after the last `__`).
    #[serde(default)]
    pub name: Option<String>,
    /// A name for people.
    #[serde(default)]
    pub title: Option<String>,
    /// What it does and when to use it.
    #[serde(default)]
    pub description: Option<String>,
    /// JSON Schema of its arguments; kept to the byte.
    #[serde(default, borrow)]
    pub input_schema: Option<&'a RawValue>,
    /// JSON Schema of its result.
    #[serde(default, borrow)]
    pub output_schema: Option<&'a RawValue>,
    /// The server it belongs to.
    #[serde(default)]
    pub server: Option<String>,
    /// Free labels.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// MCP tool annotations: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`, `title`.
    #[serde(default, borrow)]
    pub annotations: Option<&'a RawValue>,
    /// Whether a person must be asked before it runs.
    #[serde(default)]
    pub requires_approval: Option<bool>,
    /// Searched instead of the description; the model never sees it.
    #[serde(default)]
    pub search_text: Option<String>,
}

objects!(ToolItem<'a>);

/// A tool as the catalog keeps it: its text, and where the parts that travel as they came stand in it.
#[derive(Debug, Deserialize)]
pub struct Tool {
    head: Head,
    title: Option<Said>,
    search_text: Option<Said>,
    server: Option<Said>,
    requires_approval: bool,
    input_schema: Option<Range<usize>>,
    annotations: Option<Range<usize>>,
    output_schema: Option<Range<usize>>,
    flags: Vec<(String, bool)>,
}

/// A tool as it is saved: its texts as they are, wherever they lay.
#[derive(Serialize)]
#[serde(rename = "Tool")]
struct SavedTool<'a> {
    head: &'a Head,
    title: Option<&'a str>,
    search_text: Option<&'a str>,
    server: Option<&'a str>,
    requires_approval: bool,
    input_schema: &'a Option<Range<usize>>,
    annotations: &'a Option<Range<usize>>,
    output_schema: &'a Option<Range<usize>>,
    flags: &'a [(String, bool)],
}

impl Serialize for Tool {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedTool {
            head: &self.head,
            title: self.said(self.title.as_ref()),
            search_text: self.said(self.search_text.as_ref()),
            server: self.said(self.server.as_ref()),
            requires_approval: self.requires_approval,
            input_schema: &self.input_schema,
            annotations: &self.annotations,
            output_schema: &self.output_schema,
            flags: &self.flags,
        };
        saved.serialize(serializer)
    }
}

impl Tool {
    /// The group it is shown under (contract 1).
    pub fn group(&self) -> &str {
        self.said(self.server.as_ref())
            .unwrap_or_else(|| group_of_id(self.id()))
    }

    /// The JSON Schema of its arguments, as it came in.
    pub fn input_schema(&self) -> Option<&str> {
        self.part(self.input_schema.as_ref())
    }

    /// The JSON Schema of its result, as it came in.
    pub fn output_schema(&self) -> Option<&str> {
        self.part(self.output_schema.as_ref())
    }

    /// Its annotations, as they came in.
    pub fn annotations(&self) -> Option<&str> {
        self.part(self.annotations.as_ref())
    }

    /// Whether a person must be asked before it runs.
    pub fn requires_approval(&self) -> bool {
        self.requires_approval
    }

    fn said<'a>(&'a self, said: Option<&'a Said>) -> Option<&'a str> {
        said.map(|said| said.within(self.text()))
    }

    /// What is searched in place of the description, or the description.
    fn searched(&self) -> &str {
        self.said(self.search_text.as_ref()).unwrap_or(self.description())
    }

    fn part(&self, range: Option<&Range<usize>>) -> Option<&str> {
        self.text().get(range?.clone())
    }

    /// The parameters as a person would say them, a line each with its description: as many as are begun within the first
    /// thousand bytes, so that they never crowd out what the tool is for.
    fn readable_parameters(&self) -> String {
        let mut said = String::new();
        let mut ends = false;
        walk_schema(self.input_schema().unwrap_or_default(), &mut |part| match part {
            SchemaText::Name(name) => {
                ends |= said.len() >= PARAMETERS_MOST;
                if !ends {
                    said.push_str(if said.is_empty() { "" } else { "\n" });
                    said.push_str(&readable(&name));
                }
            }
            SchemaText::Description(text) if !ends && !said.is_empty() => {
                said.push_str(": ");
                said.push_str(text.trim());
            }
            SchemaText::Description(_) | SchemaText::Value(_) => {}
        });
        said
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.flags
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    }
}

impl Item for Tool {
    const KIND: Kind = Kind::Tool;
    const FIELDS: &'static [&'static str] = &[
        "id",
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "server",
        "tags",
        "annotations",
        "requiresApproval",
        "searchText",
    ];

    const SCHEMA: &'static str = "inputSchema";

    fn of_members(text: &str, members: &[Member<'_>]) -> Option<Self> {
        plain_tool(text, members)
    }

    fn read_noting(text: &str, unknown: &mut Vec<String>) -> Result<Self, serde_json::Error> {
        match plain_tool(text, &members(text)) {
            Some(plain) => Ok(plain),
            None => longer_tool(text, unknown),
        }
    }

    fn head(&self) -> &Head {
        &self.head
    }

    fn fields_with(&self, schema: Option<FoundTexts<'_>>) -> Vec<(Field, Cow<'_, str>)> {
        let mut fields = Vec::with_capacity(FIELDS_EXPECTED);
        fields.push((Field::Name, Cow::Borrowed(self.bare_name())));
        fields.push((Field::Description, Cow::Borrowed(self.searched())));
        fields.push((Field::Server, Cow::Borrowed(self.group())));
        fields.extend(
            self.said(self.title.as_ref())
                .map(|title| (Field::Title, Cow::Borrowed(title))),
        );
        fields.extend(
            self.tags()
                .iter()
                .map(|tag| (Field::Tags, Cow::Borrowed(tag.as_str()))),
        );
        let text = self.input_schema().unwrap_or_default();
        let mut visit = |part| {
            fields.push(match part {
                SchemaText::Name(text) => (Field::ParameterName, text),
                SchemaText::Description(text) | SchemaText::Value(text) => (Field::ParameterText, text),
            });
        };
        match schema {
            Some(found) => found.visit(text, &mut visit),
            None => {
                walk_schema(text, &mut visit);
            }
        }
        fields
    }

    fn embedding_text(&self) -> String {
        passage(&[
            &readable(self.bare_name()),
            self.said(self.title.as_ref()).unwrap_or_default(),
            self.searched(),
            &self.readable_parameters(),
        ])
    }

    fn server(&self) -> Option<&str> {
        Some(self.group())
    }

    fn flags(&self) -> &[(String, bool)] {
        &self.flags
    }

    fn schema(&self) -> Option<&str> {
        self.input_schema()
    }

    fn hint(&self) -> Hint {
        match (self.flag("readOnlyHint"), self.flag("destructiveHint")) {
            (Some(true), _) => Hint::ReadOnly,
            (_, Some(true)) => Hint::Destructive,
            _ => Hint::Neutral,
        }
    }

    fn warnings(&self) -> Vec<(ErrorCode, &'static str, String)> {
        let not_a_schema = |text: &str| !matches!(text.as_bytes().first(), Some(b'{' | b't' | b'f'));
        [("/inputSchema", self.input_schema()), ("/outputSchema", self.output_schema())]
            .into_iter()
            .filter(|(_, schema)| schema.is_some_and(not_a_schema))
            .map(|(path, _)| {
                let message = format!(
                    "{} of tool `{}` is not a JSON Schema (an object or a boolean); the tool stays callable, unvalidated",
                    &path[1..],
                    self.id()
                );
                (ErrorCode::InvalidSchema, path, message)
            })
            .collect()
    }
}
