//! A tool: something that can be called. Knows which of its text is indexed under which field, and nothing of storage.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::item::{Head, Item, Kind, group_of_id};
use super::object::{objects, read_object};
use super::passage::{passage, readable};
use super::said::{Said, place_in};
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
#[derive(Debug, Deserialize)]
#[serde(from = "LoadedTool")]
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

#[derive(Deserialize)]
#[serde(rename = "Tool")]
struct LoadedTool {
    head: Head,
    title: Option<Box<str>>,
    search_text: Option<Box<str>>,
    server: Option<Box<str>>,
    requires_approval: bool,
    input_schema: Option<Range<usize>>,
    annotations: Option<Range<usize>>,
    output_schema: Option<Range<usize>>,
    flags: Vec<(String, bool)>,
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

impl From<LoadedTool> for Tool {
    fn from(loaded: LoadedTool) -> Self {
        Self {
            head: loaded.head,
            title: loaded.title.map(Said::Own),
            search_text: loaded.search_text.map(Said::Own),
            server: loaded.server.map(Said::Own),
            requires_approval: loaded.requires_approval,
            input_schema: loaded.input_schema,
            annotations: loaded.annotations,
            output_schema: loaded.output_schema,
            flags: loaded.flags,
        }
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

    fn read_noting(text: &str, unknown: &mut Vec<String>) -> Result<Self, serde_json::Error> {
        match plain_tool(text) {
            Some(plain) => Ok(plain),
            None => longer_tool(text, unknown),
        }
    }

    fn head(&self) -> &Head {
        &self.head
    }

    fn fields(&self) -> Vec<(Field, Cow<'_, str>)> {
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
        walk_schema(self.input_schema().unwrap_or_default(), &mut |part| {
            fields.push(match part {
                SchemaText::Name(text) => (Field::ParameterName, text),
                SchemaText::Description(text) | SchemaText::Value(text) => (Field::ParameterText, text),
            });
        });
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

/// A tool as it may be written at all; the names of fields that mean nothing are noted.
fn longer_tool(text: &str, unknown: &mut Vec<String>) -> Result<Tool, serde_json::Error> {
    let wire: ToolItem<'_> = read_object(text, Tool::FIELDS, unknown)?;
    let range = |part: Option<&RawValue>| place_in(text, part?.get());
    let own = |said: Option<String>| said.map(|said| Said::of(text, Cow::Owned(said)));
    Ok(Tool {
        input_schema: range(wire.input_schema),
        output_schema: range(wire.output_schema),
        annotations: range(wire.annotations),
        head: Head::new(
            text,
            wire.id.into(),
            wire.name.map(Cow::Owned),
            wire.description.map(Cow::Owned),
            wire.tags,
        ),
        title: own(wire.title),
        search_text: own(wire.search_text),
        server: own(wire.server.filter(|server| !server.is_empty())),
        requires_approval: wire.requires_approval.unwrap_or(false),
        flags: flags(wire.annotations.map(RawValue::get)),
    })
}

/// The annotations that are true or false.
fn flags(annotations: Option<&str>) -> Vec<(String, bool)> {
    let read = annotations.and_then(|text| serde_json::from_str::<serde_json::Map<String, Value>>(text).ok());
    let flags = read
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((key, value.as_bool()?)));
    flags.collect()
}

/// A tool as most are written: texts without escapes, nothing twice, nothing unknown. The longer way reads it to the same.
fn plain_tool(text: &str) -> Option<Tool> {
    let (mut id, mut name, mut description, mut server) = (None, None, None, None);
    let (mut title, mut input_schema, mut output_schema) = (None, None, None);
    let (mut annotations, mut tags, mut requires_approval, mut search_text) = (None, None, None, None);
    for_each_member(text, &mut |field, value| {
        let part = match field {
            "id" => &mut id,
            "name" => &mut name,
            "description" => &mut description,
            "server" => &mut server,
            "title" => &mut title,
            "inputSchema" => &mut input_schema,
            "outputSchema" => &mut output_schema,
            "annotations" => &mut annotations,
            "tags" => &mut tags,
            "requiresApproval" => &mut requires_approval,
            "searchText" => &mut search_text,
            _ => return None,
        };
        part.replace(value).is_none().then_some(())
    })?;
    let borrowed = |value| Some(plain(value)?.map(Cow::Borrowed));
    let said = |value| Some(plain(value)?.map(|said| Said::of(text, Cow::Borrowed(said))));
    let place = |value| place_in(text, given(value)?);
    Some(Tool {
        input_schema: place(input_schema),
        output_schema: place(output_schema),
        annotations: place(annotations),
        head: Head::new(
            text,
            borrowed(id)??,
            borrowed(name)?,
            borrowed(description)?,
            match given(tags) {
                None => None,
                Some(tags) => Some(serde_json::from_str(tags).ok()?),
            },
        ),
        title: said(title)?,
        search_text: said(search_text)?,
        server: said(server)?.filter(|server| !server.within(text).is_empty()),
        requires_approval: match given(requires_approval) {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return None,
        },
        flags: flags(given(annotations)),
    })
}

/// A value that is there, and not `null`.
fn given(value: Option<&str>) -> Option<&str> {
    value.filter(|value| *value != "null")
}

/// The string that a value is, if there is one; nothing when it is no plain string, which is read the longer way.
fn plain(value: Option<&str>) -> Option<Option<&str>> {
    let Some(value) = given(value) else {
        return Some(None);
    };
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('\\')).then_some(Some(inner))
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
            r#"{"id":"a","annotations":{"title":"T","readOnlyHint":true,"x\"y":false,"readOnlyHint":false},"tags":["b","\u0063"]}"#,
            r#"{"id":"a","annotations":null,"tags":null,"requiresApproval":null,"searchText":null}"#,
            r#"{"id":"a","annotations":7,"tags":[ ],"requiresApproval":true,"searchText":"s"}"#,
            r#"{"id":"a","annotations": [true] ,"requiresApproval" : false }"#,
        ] {
            let wire: ToolItem<'_> = serde_json::from_str(text).unwrap();
            let tool = plain_tool(text).unwrap();
            assert_eq!(tool.text(), text);
            assert_eq!(tool.id(), wire.id);
            assert_eq!(tool.name(), wire.name.as_deref().filter(|name| !name.is_empty()));
            assert_eq!(tool.description(), wire.description.as_deref().unwrap_or_default());
            assert_eq!(tool.input_schema(), wire.input_schema.map(RawValue::get));
            assert_eq!(tool.output_schema(), wire.output_schema.map(RawValue::get));
            assert_eq!(tool.annotations(), wire.annotations.map(RawValue::get));
            let mut longer = longer_tool(text, &mut Vec::new()).unwrap();
            assert_eq!(tool.fields(), longer.fields());
            assert_eq!(saved(&tool), saved(&longer));
            // What was loaded says the same.
            longer = postcard::from_bytes(&saved(&tool)).unwrap();
            assert_eq!(tool.fields(), longer.fields());
            assert_eq!(saved(&tool), saved(&longer));
        }
    }

    fn saved(tool: &Tool) -> Vec<u8> {
        postcard::to_stdvec(tool).unwrap()
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
            r#"{"id":"a","tags":"b"}"#,
            r#"{"id":"a","tags":["b",1]}"#,
            r#"{"id":"a","requiresApproval":"yes"}"#,
            r#"{"id":"a","annotations":{},"annotations":{}}"#,
            r#"{"id":"a","Name":"n"}"#,
            r#"["a"]"#,
        ] {
            assert!(plain_tool(text).is_none(), "{text}");
        }
    }
}
