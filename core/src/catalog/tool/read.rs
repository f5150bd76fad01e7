//! From the JSON text of a tool to the tool, in two ways that end alike. Knows nothing of what is done with a tool.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Tool, ToolItem};
use crate::catalog::item::{Head, Item as _};
use crate::catalog::object::read_object;
use crate::catalog::said::{Said, place_in};
use crate::text::{Member, Scanner, SchemaTexts};

/// A tool as it may be written at all; the names of fields that mean nothing are noted.
pub(super) fn longer_tool(text: &str, unknown: &mut Vec<String>) -> Result<Tool, serde_json::Error> {
    let wire: ToolItem<'_> = read_object(text, Tool::FIELDS, unknown)?;
    let range = |part: Option<&RawValue>| place_in(text, part?.get());
    let own = |said: Option<String>| said.map(|said| Said::of(text, Cow::Owned(said)));
    Ok(Tool {
        input_schema: range(wire.input_schema),
        output_schema: range(wire.output_schema),
        annotations: range(wire.annotations),
        head: Head::read(text, wire.id, wire.name, wire.description, wire.tags),
        title: own(wire.title),
        search_text: own(wire.search_text),
        server: own(wire.server.filter(|server| !server.is_empty())),
        requires_approval: wire.requires_approval.unwrap_or(false),
        flags: flags(wire.annotations.map(RawValue::get)),
    })
}

/// The members of a tool; none when it is no object, or one that nests deep.
pub(super) fn members(text: &str) -> Vec<Member<'_>> {
    let mut members = Vec::with_capacity(Tool::FIELDS.len());
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    let object = scanner.object("", &mut members, &mut SchemaTexts::default());
    if object.is_none() || !scanner.is_at_end() {
        members.clear();
    }
    members
}

/// The annotations that are true or false.
fn flags(annotations: Option<&str>) -> Vec<(String, bool)> {
    if annotations.is_none() {
        return Vec::new();
    }
    let read = annotations.and_then(|text| serde_json::from_str::<serde_json::Map<String, Value>>(text).ok());
    let flags = read
        .into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((key, value.as_bool()?)));
    flags.collect()
}

/// A tool as most are written: no name of a field with escapes, nothing twice, nothing unknown. The longer way reads it to the same.
pub(super) fn plain_tool<'a>(text: &'a str, members: &[Member<'a>]) -> Option<Tool> {
    let (mut id, mut name, mut description, mut server) = (None, None, None, None);
    let (mut title, mut input_schema, mut output_schema) = (None, None, None);
    let (mut annotations, mut tags, mut requires_approval, mut search_text) = (None, None, None, None);
    for member in members {
        let part = match member.name {
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
        if part.replace(member.value).is_some() {
            return None;
        }
    }
    let said = |value| Some(string(value)?.map(|said| Said::of(text, said)));
    let place = |value| place_in(text, given(value)?);
    Some(Tool {
        input_schema: place(input_schema),
        output_schema: place(output_schema),
        annotations: place(annotations),
        head: Head::new(
            text,
            string(id)??,
            string(name)?,
            string(description)?,
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

/// The string that a value is, if there is one; nothing when it is something else, or no text.
fn string(value: Option<&str>) -> Option<Option<Cow<'_, str>>> {
    let Some(value) = given(value) else {
        return Some(None);
    };
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    Some(Some(if inner.contains('\\') {
        Cow::Owned(serde_json::from_str(value).ok()?)
    } else {
        Cow::Borrowed(inner)
    }))
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
            r#"{"id":"a\u0062","name":"\"","description":"d\n\ud83d\ude00","server":"\\","searchText":"\t"}"#,
            r#"{"id":"a","annotations": [true] ,"requiresApproval" : false }"#,
        ] {
            let wire: ToolItem<'_> = serde_json::from_str(text).unwrap();
            let tool = plain_tool(text, &members(text)).unwrap();
            assert_eq!(tool.text(), text);
            assert_eq!(tool.id(), wire.id);
            assert_eq!(tool.name(), wire.name.as_deref().filter(|name| !name.is_empty()));
            assert_eq!(
                tool.description(),
                wire.description.as_deref().unwrap_or_default()
            );
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
            r#"{"id":"a","description":"\ud800"}"#,
            r#"{"id":"a","description":["d"]}"#,
            r#"{"id":"a","tags":"b"}"#,
            r#"{"id":"a","tags":["b",1]}"#,
            r#"{"id":"a","requiresApproval":"yes"}"#,
            r#"{"id":"a","annotations":{},"annotations":{}}"#,
            r#"{"id":"a","Name":"n"}"#,
            r#"["a"]"#,
        ] {
            assert!(plain_tool(text, &members(text)).is_none(), "{text}");
        }
    }
}
