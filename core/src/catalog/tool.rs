//! A tool: something that can be called. Knows which of its text is indexed under which field, and nothing of storage.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::item::{Head, Item, Kind, group_of_id};
use super::object::{objects, read_object};
use super::passage::{passage, readable};
use crate::error::ErrorCode;
use crate::index::{Field, Hint};
use crate::text::{SchemaText, for_each_member, walk_schema};

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
#[derive(Debug, Serialize, Deserialize)]
pub struct Tool {
    head: Head,
    title: Option<String>,
    search_text: Option<String>,
    server: Option<String>,
    requires_approval: bool,
    input_schema: Option<Range<usize>>,
    annotations: Option<Range<usize>>,
    output_schema: Option<Range<usize>>,
    flags: Vec<(String, bool)>,
}

impl Tool {
    /// The group it is shown under (contract 1).
    pub fn group(&self) -> &str {
        self.server.as_deref().unwrap_or_else(|| group_of_id(self.id()))
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

    fn read_noting(text: &str, unknown: &mut Vec<String>) -> Result<Self, serde_json::Error> {
        if let Some(plain) = plain_tool(text) {
            return Ok(plain);
        }
        let wire: ToolItem<'_> = read_object(text, Self::FIELDS, unknown)?;
        let range = |part: Option<&RawValue>| place_in(text, part?.get());
        let flags = wire
            .annotations
            .and_then(|raw| serde_json::from_str::<serde_json::Map<String, Value>>(raw.get()).ok())
            .into_iter()
            .flatten()
            .filter_map(|(key, value)| Some((key, value.as_bool()?)))
            .collect();
        Ok(Self {
            input_schema: range(wire.input_schema),
            output_schema: range(wire.output_schema),
            annotations: range(wire.annotations),
            head: Head::new(text, wire.id, wire.name, wire.description, wire.tags),
            title: wire.title,
            search_text: wire.search_text,
            server: wire.server.filter(|server| !server.is_empty()),
            requires_approval: wire.requires_approval.unwrap_or(false),
            flags,
        })
    }

    fn head(&self) -> &Head {
        &self.head
    }

    fn fields(&self) -> Vec<(Field, Cow<'_, str>)> {
        let said = self.search_text.as_deref().unwrap_or(self.description());
        let mut fields = Vec::with_capacity(FIELDS_EXPECTED);
        fields.push((Field::Name, Cow::Borrowed(self.bare_name())));
        fields.push((Field::Description, Cow::Borrowed(said)));
        fields.push((Field::Server, Cow::Borrowed(self.group())));
        fields.extend(
            self.title
                .as_deref()
                .map(|title| (Field::Title, Cow::Borrowed(title))),
        );
        fields.extend(
            self.tags()
                .iter()
                .map(|tag| (Field::Tags, Cow::Borrowed(tag.as_str()))),
        );
        walk_schema(self.input_schema().unwrap_or_default(), &mut |part| {
            fields.push(match part {
                SchemaText::Name(text) => (Field::ParameterName, text),
                SchemaText::Description(text) | SchemaText::Value(text) => (Field::ParameterText, text),
            });
        });
        fields
    }

    fn embedding_text(&self) -> String {
        let said = self.search_text.as_deref().unwrap_or(self.description());
        passage(&[
            &readable(self.bare_name()),
            self.title.as_deref().unwrap_or_default(),
            said,
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

/// Where a part of a text stands in it.
fn place_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    Some(start..start + part.len())
}

/// A tool as most are written: texts without escapes, nothing twice, nothing unknown. The longer way reads it to the same.
fn plain_tool(text: &str) -> Option<Tool> {
    let (mut id, mut name, mut description, mut server) = (None, None, None, None);
    let (mut title, mut input_schema, mut output_schema) = (None, None, None);
    for_each_member(text, &mut |field, value| {
        let part = match field {
            "id" => &mut id,
            "name" => &mut name,
            "description" => &mut description,
            "server" => &mut server,
            "title" => &mut title,
            "inputSchema" => &mut input_schema,
            "outputSchema" => &mut output_schema,
            _ => return None,
        };
        part.replace(value).is_none().then_some(())
    })?;
    // What is no plain string, is read the longer way.
    let plain = |value: Option<&str>| match value {
        None | Some("null") => Some(None),
        Some(value) => {
            let inner = value.strip_prefix('"')?.strip_suffix('"')?;
            (!inner.contains('\\')).then(|| Some(inner.to_owned()))
        }
    };
    let given = |value: Option<&str>| place_in(text, value.filter(|value| *value != "null")?);
    Some(Tool {
        input_schema: given(input_schema),
        output_schema: given(output_schema),
        annotations: None,
        head: Head::new(text, plain(id)??, plain(name)?, plain(description)?, None),
        title: plain(title)?,
        search_text: None,
        server: plain(server)?.filter(|server| !server.is_empty()),
        requires_approval: false,
        flags: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_tool_is_read_as_the_longer_way_reads_it() {
        for text in [
            r#"{"id":"a"}"#,
            r#" { "id" : "a" , "name":null, "description": "d e", "server":"", "title":"t" } "#,
            r#"{"id":"ü","inputSchema":{"type":"object"},"outputSchema":null,"server":"s"}"#,
            r#"{"id":"a","name":"","inputSchema":null,"outputSchema":[1]}"#,
        ] {
            let wire: ToolItem<'_> = serde_json::from_str(text).unwrap();
            let tool = plain_tool(text).unwrap();
            assert_eq!(tool.text(), text);
            assert_eq!(tool.id(), wire.id);
            assert_eq!(tool.name(), wire.name.as_deref().filter(|name| !name.is_empty()));
            assert_eq!(tool.description(), wire.description.unwrap_or_default());
            assert_eq!(tool.title, wire.title);
            assert_eq!(tool.server, wire.server.filter(|server| !server.is_empty()));
            assert_eq!(tool.input_schema(), wire.input_schema.map(RawValue::get));
            assert_eq!(tool.output_schema(), wire.output_schema.map(RawValue::get));
        }
    }

    #[test]
    fn whatever_else_a_tool_says_is_left_to_the_longer_way() {
        for text in [
            r#"{}"#,
            r#"{"id":null}"#,
            r#"{"id":7}"#,
            r#"{"id":"a","id":"b"}"#,
            r#"{"id":"a\u0062"}"#,
            r#"{"id":"a","description":["d"]}"#,
            r#"{"id":"a","tags":[]}"#,
            r#"{"id":"a","Name":"n"}"#,
            r#"["a"]"#,
        ] {
            assert!(plain_tool(text).is_none(), "{text}");
        }
    }
}
