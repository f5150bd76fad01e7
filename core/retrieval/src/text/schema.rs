//! Reads a JSON Schema for the index: parameter names, descriptions, titles, values of enumerations.
//!
//! Must not know terms or fields. A schema comes from a stranger: it may be recursive, huge, or no schema at all. The
//! walk keeps its own stack, visits each node once, and stops at a bound.

mod plain;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

use serde_json::Value;

use super::chunk::beginning;
use super::outline::{self, Fault, Kind, Outline};
use super::pointers::Pointers;
use super::scan::Scanner;
use plain::Part;
pub use plain::{FoundTexts, SchemaTexts};

/// A piece of text in a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaText<'a> {
    /// The name of a property.
    Name(Cow<'a, str>),
    /// A description.
    Description(Cow<'a, str>),
    /// A title, or a value of `enum` or `const`.
    Value(Cow<'a, str>),
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WalkSummary {
    /// Whether the schema held more than is read.
    pub truncated: bool,
}

/// Schemas and values together.
const MOST_NODES: usize = 20_000;
const MOST_BYTES: usize = 1 << 20;

/// Visits the text of a schema in its order, each node once, through `properties`, `items`, `prefixItems`,
/// `anyOf`/`oneOf`/`allOf`, `additionalProperties` and their kin, and through `$ref` to any place in the same schema.
/// Types, `required`, defaults and examples are no text; what is unknown, remote or malformed is passed over.
///
/// The schema is JSON text as it came in; one that nests more than 127 deep, or says half of a surrogate pair, is not read.
pub fn walk_schema<'a>(schema: &'a str, visit: &mut dyn FnMut(SchemaText<'a>)) -> WalkSummary {
    let mut room = ROOM.try_with(Cell::take).unwrap_or_default();
    let mut scanner = Scanner::new(schema);
    room.plain.clear();
    scanner.skip_space();
    let own_text = schema.get(scanner.at()..).unwrap_or_default();
    if let Some(own) = room.plain.read(&mut scanner).filter(|_| scanner.is_at_end()) {
        room.plain.of(own).visit(own_text, visit);
        ROOM.try_with(|kept| kept.set(room)).unwrap_or_default();
        return WalkSummary::default();
    }
    let summary = longer_walk(schema, &mut room, visit);
    if schema.len() <= KEPT_MOST {
        ROOM.try_with(|kept| kept.set(room)).unwrap_or_default();
    }
    summary
}

/// The same for a schema of any kind.
fn longer_walk<'a>(schema: &'a str, room: &mut Room, visit: &mut dyn FnMut(SchemaText<'a>)) -> WalkSummary {
    match Outline::read(schema, std::mem::take(&mut room.outline)) {
        Ok(outline) => {
            let summary = walk(&outline, room, visit);
            room.outline = outline.into_room();
            summary
        }
        Err(Fault::Unreadable) => WalkSummary::default(),
        Err(Fault::Repeats) => {
            // Rare enough to be written anew, each member once.
            let plain = serde_json::from_str::<Value>(schema).map(|value| value.to_string());
            let plain = plain.unwrap_or_default();
            let outline = Outline::read(&plain, outline::Room::default());
            outline.map_or_else(
                |_| WalkSummary::default(),
                |outline| walk(&outline, room, &mut |text| visit(text.into_owned())),
            )
        }
    }
}

/// Room to walk in. A thread keeps that of its last walk, since a schema follows the other when a catalog is read.
#[derive(Default)]
struct Room {
    plain: SchemaTexts,
    outline: outline::Room,
    stack: Vec<Step>,
    seen: Vec<bool>,
}

thread_local! {
    static ROOM: Cell<Room> = Cell::default();
}

/// What a longer schema needs is given back.
const KEPT_MOST: usize = 4 << 10;

impl<'a> SchemaText<'a> {
    fn new(part: Part, text: Cow<'a, str>) -> Self {
        match part {
            Part::Name => Self::Name(text),
            Part::Description => Self::Description(text),
            Part::Value => Self::Value(text),
        }
    }

    /// The same, whatever becomes of the schema.
    fn into_owned(self) -> SchemaText<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Self::Name(text) => SchemaText::Name(owned(text)),
            Self::Description(text) => SchemaText::Description(owned(text)),
            Self::Value(text) => SchemaText::Value(owned(text)),
        }
    }
}

fn walk<'a>(schema: &Outline<'a>, room: &mut Room, visit: &mut dyn FnMut(SchemaText<'a>)) -> WalkSummary {
    room.stack.clear();
    room.stack.push(Step::Schema(0));
    room.seen.clear();
    room.seen.resize(schema.len(), false);
    let mut walk = Walk {
        schema,
        stack: &mut room.stack,
        seen: &mut room.seen,
        anchors: None,
        pointers: Pointers::default(),
        nodes: MOST_NODES,
        bytes: MOST_BYTES,
        visit,
        summary: WalkSummary::default(),
    };
    while let Some(step) = walk.stack.pop() {
        let Some(nodes) = walk.nodes.checked_sub(1) else {
            walk.summary.truncated = true;
            break;
        };
        walk.nodes = nodes;
        match step {
            Step::Property(place) => {
                walk.say(schema.name(place), SchemaText::Name);
                walk.schema(place);
            }
            Step::Schema(place) => walk.schema(place),
            Step::Value(place) => walk.value(place),
            Step::Key(place) => walk.say(schema.name(place), SchemaText::Value),
        }
    }
    walk.summary
}

/// What is done with the value at a place.
#[derive(Clone, Copy)]
enum Step {
    Property(u32),
    Schema(u32),
    Value(u32),
    Key(u32),
}

/// What a keyword of a schema means.
#[derive(Clone, Copy)]
enum Meaning {
    /// A text of this schema.
    Text(Part),
    /// An array of values.
    Values,
    Value,
    /// Schemas under the names of properties.
    Properties,
    /// Schemas in an object or an array.
    Schemas,
    Schema,
    Reference,
    Nothing,
}

/// What a keyword means whose value is of this kind.
fn meaning(keyword: &[u8], kind: Kind) -> Meaning {
    match (keyword, kind) {
        (b"description", Kind::String) => Meaning::Text(Part::Description),
        (b"title", Kind::String) => Meaning::Text(Part::Value),
        (b"enum", Kind::Array) => Meaning::Values,
        (b"const", _) => Meaning::Value,
        (b"properties", Kind::Object) => Meaning::Properties,
        (b"patternProperties" | b"dependentSchemas", Kind::Object)
        | (b"items" | b"prefixItems" | b"anyOf" | b"oneOf" | b"allOf", Kind::Array) => Meaning::Schemas,
        (
            b"items"
            | b"contains"
            | b"additionalItems"
            | b"unevaluatedItems"
            | b"additionalProperties"
            | b"unevaluatedProperties"
            | b"then"
            | b"else",
            Kind::Object,
        ) => Meaning::Schema,
        (b"$ref" | b"$dynamicRef", Kind::String) => Meaning::Reference,
        _ => Meaning::Nothing,
    }
}

struct Walk<'a, 'v> {
    schema: &'v Outline<'a>,
    /// What is still to do, the next on top.
    stack: &'v mut Vec<Step>,
    /// Which schemas were seen, by place: a `$ref` may lead to a node from many places, or back to itself.
    seen: &'v mut [bool],
    /// Definitions by their anchors, once a reference asks.
    anchors: Option<HashMap<Cow<'a, str>, u32>>,
    pointers: Pointers<'a>,
    nodes: usize,
    bytes: usize,
    visit: &'v mut dyn FnMut(SchemaText<'a>),
    summary: WalkSummary,
}

impl<'a> Walk<'a, '_> {
    fn schema(&mut self, place: u32) {
        let schema = self.schema;
        if schema.kind(place) != Kind::Object {
            return;
        }
        match self.seen.get_mut(place as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return,
        }
        let first = self.stack.len();
        for member in schema.inside(place) {
            self.keyword(&schema.name(member), member);
        }
        // They were put down in the order of the schema; the stack gives back the last first.
        if let Some(added) = self.stack.get_mut(first..) {
            added.reverse();
        }
    }

    fn keyword(&mut self, keyword: &str, place: u32) {
        let schema = self.schema;
        match meaning(keyword.as_bytes(), schema.kind(place)) {
            Meaning::Text(part) => self.say(schema.said(place), |text| SchemaText::new(part, text)),
            Meaning::Values => self.push(schema.inside(place).map(Step::Value)),
            Meaning::Value => self.push([Step::Value(place)]),
            Meaning::Properties => self.push(schema.inside(place).map(Step::Property)),
            Meaning::Schemas => self.push(schema.inside(place).map(Step::Schema)),
            Meaning::Schema => self.push([Step::Schema(place)]),
            Meaning::Reference => {
                let target = self.resolve(&schema.said(place));
                self.push(target.map(Step::Schema));
            }
            Meaning::Nothing => {}
        }
    }

    /// Puts steps down, at most as many as will be taken.
    fn push(&mut self, steps: impl IntoIterator<Item = Step>) {
        let mut steps = steps.into_iter();
        let room = self.nodes.saturating_add(1).saturating_sub(self.stack.len());
        self.stack.extend(steps.by_ref().take(room));
        self.summary.truncated |= steps.next().is_some();
    }

    /// A value of `enum` or `const`: a scalar as its JSON, anything else as the keys and scalars in it.
    fn value(&mut self, place: u32) {
        let schema = self.schema;
        let first = self.stack.len();
        match schema.kind(place) {
            Kind::String | Kind::Other => self.say(schema.said(place), SchemaText::Value),
            Kind::Array => self.push(schema.inside(place).map(Step::Value)),
            Kind::Object => {
                let members = schema.inside(place);
                self.push(members.flat_map(|member| [Step::Key(member), Step::Value(member)]));
            }
        }
        if let Some(added) = self.stack.get_mut(first..) {
            added.reverse();
        }
    }

    /// The node of this schema that a reference points at.
    fn resolve(&mut self, reference: &str) -> Option<u32> {
        let schema = self.schema;
        let text = |place| (schema.kind(place) == Kind::String).then(|| schema.said(place));
        let fragment = match reference.split_once('#')? {
            ("", fragment) => fragment,
            // A schema may call itself by its own address.
            (base, fragment) => {
                let own = self.pointers.member(schema, 0, "$id").and_then(text)?;
                (own.trim_end_matches('#') == base).then_some(fragment)?
            }
        };
        let pointer = percent_decoded(fragment)?;
        if pointer.is_empty() || pointer.starts_with('/') {
            return self.pointers.follow(schema, &pointer);
        }
        // Built once: a scan per reference would make a hostile schema slow.
        let anchors = self.anchors.get_or_insert_with(|| anchors(schema));
        anchors.get(&*pointer).copied()
    }

    /// Visits a text, or as much of it as there is room for.
    fn say(&mut self, text: Cow<'a, str>, kind: impl FnOnce(Cow<'a, str>) -> SchemaText<'a>) {
        let length = beginning(&text, self.bytes).len();
        self.summary.truncated |= length < text.len();
        self.bytes -= length;
        if length > 0 {
            (self.visit)(kind(match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.get(..length).unwrap_or_default()),
                Cow::Owned(mut text) => {
                    text.truncate(length);
                    Cow::Owned(text)
                }
            }));
        }
    }
}

fn anchors<'a>(schema: &Outline<'a>) -> HashMap<Cow<'a, str>, u32> {
    let definitions = ["$defs", "definitions"]
        .into_iter()
        .filter_map(|key| schema.member(0, key))
        .filter(|place| schema.kind(*place) == Kind::Object);
    let named = definitions
        .flat_map(|place| schema.inside(place))
        .flat_map(|place| {
            let names = ["$anchor", "$dynamicAnchor"]
                .into_iter()
                .filter_map(move |key| schema.member(place, key))
                .filter(|name| schema.kind(*name) == Kind::String);
            names.map(move |name| (schema.said(name), place))
        });
    named.collect()
}

/// The text with `%41` as `A`; `None` when that is no text.
fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let byte = tail
            .first_chunk::<2>()
            .filter(|_| *first == b'%')
            .and_then(|digits| {
                let digits = std::str::from_utf8(digits)
                    .ok()
                    .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
                u8::from_str_radix(digits, 16).ok()
            });
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() {
            tail.get(2..).unwrap_or_default()
        } else {
            tail
        };
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
