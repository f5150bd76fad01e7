//! JSON text as a list of its values in their order; strings and numbers stay where they are in the text.
//!
//! Must not know schemas. It reads text that was found to be JSON when it came in; of any other text it makes no sense, and
//! makes it within bounds. What a tree of owned values would refuse (half of a surrogate pair, a deep nest) it refuses, too.

use std::borrow::Cow;

use serde_json::Value;

use super::members::{after_space, is_space, name_bit, string_end};
use crate::settled::settled;

/// A JSON text, outlined.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    text: &'a str,
    room: Room,
    /// Whether any string has escapes.
    has_escapes: bool,
}

/// Room for outlines, one after the other.
#[derive(Debug, Default)]
pub(super) struct Room {
    nodes: Vec<Node>,
    /// The objects and arrays that are not read to their ends.
    open: Vec<Open>,
}

/// One value: where it stands among the others.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Where the name of a member stands, without its quotes; empty for anything else.
    name: (u32, u32),
    /// Where the value stands; of a string what is between its quotes, of an object or an array the first sign only.
    value: (u32, u32),
    /// The place after the last value in it.
    end: u32,
    kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    String,
    /// A number, `true`, `false` or `null`.
    Other,
}

/// Why a text has no outline.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is no JSON that a tree could be made of.
    Unreadable,
    /// An object names two members alike: a tree would keep the last at the place of the first.
    Repeats,
}

/// Deeper values are refused, as serde_json refuses them.
const DEEPEST: usize = 127;

impl<'a> Outline<'a> {
    pub(super) fn read(text: &'a str, mut room: Room) -> Result<Self, Fault> {
        if u32::try_from(text.len()).is_err() {
            return Err(Fault::Unreadable);
        }
        room.nodes.clear();
        room.open.clear();
        room.nodes.reserve(text.len() / 8 + 1);
        let mut reader = Reader {
            text,
            at: 0,
            nodes: room.nodes,
            open: room.open,
            name: (0, 0),
            has_escapes: false,
        };
        reader.read()?;
        Ok(Self {
            text,
            room: Room {
                nodes: reader.nodes,
                open: reader.open,
            },
            has_escapes: reader.has_escapes,
        })
    }

    /// The room, for another outline.
    pub(super) fn into_room(self) -> Room {
        self.room
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.room.nodes.len()
    }

    /// What the value at a place is.
    pub(super) fn kind(&self, place: u32) -> Kind {
        self.node(place).map_or(Kind::Other, |node| node.kind)
    }

    /// The name of the member at a place.
    pub(super) fn name(&self, place: u32) -> Cow<'a, str> {
        self.node(place)
            .map_or(Cow::Borrowed(""), |node| self.unescaped(node.name))
    }

    /// The string, or the text of the scalar, at a place.
    pub(super) fn said(&self, place: u32) -> Cow<'a, str> {
        let Some(node) = self.node(place) else {
            return Cow::Borrowed("");
        };
        let (start, end) = node.value;
        let text = self.text.get(start as usize..end as usize).unwrap_or_default();
        match node.kind {
            Kind::String => self.unescaped(node.value),
            // The parser of numbers has one way to write an exponent.
            Kind::Other if text.contains(['e', 'E']) => serde_json::from_str::<Value>(text)
                .map_or(Cow::Borrowed(text), |value| Cow::Owned(value.to_string())),
            _ => Cow::Borrowed(text),
        }
    }

    /// The places of the values right inside the one at a place.
    pub(super) fn inside(&self, place: u32) -> impl Iterator<Item = u32> + Clone + use<'_, 'a> {
        let end = self.node(place).map_or(0, |node| node.end);
        let next = move |place: u32| (place < end).then_some(place);
        std::iter::successors(next(place + 1), move |place| next(self.node(*place)?.end))
    }

    /// The member of this name of the object at a place.
    pub(super) fn member(&self, place: u32, name: &str) -> Option<u32> {
        if self.kind(place) != Kind::Object {
            return None;
        }
        self.inside(place).find(|member| self.name(*member) == name)
    }

    fn node(&self, place: u32) -> Option<&Node> {
        self.room.nodes.get(place as usize)
    }

    fn unescaped(&self, (start, end): (u32, u32)) -> Cow<'a, str> {
        let text = self.text.get(start as usize..end as usize).unwrap_or_default();
        if !self.has_escapes || !text.contains('\\') {
            return Cow::Borrowed(text);
        }
        // With its quotes.
        let quoted = self.text.get((start - 1) as usize..(end + 1) as usize);
        let read = quoted.and_then(|quoted| serde_json::from_str(quoted).ok());
        Cow::Owned(read.unwrap_or_default())
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
    /// The objects and arrays that are not read to their ends.
    open: Vec<Open>,
    name: (u32, u32),
    has_escapes: bool,
}

#[derive(Debug)]
struct Open {
    place: usize,
    /// A bit for each name, by a look at it; two names with one bit may be the same.
    names: u64,
    may_repeat: bool,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), Fault> {
        while let Some(byte) = self.text.as_bytes().get(self.at).copied() {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' | b',' | b':' => self.at += 1,
                b'"' => {
                    let (string, is_escaped) = self.string()?;
                    if self.is_name() {
                        self.name = string;
                        self.note_name(is_escaped);
                    } else {
                        self.push(Kind::String, string);
                    }
                }
                b'{' => self.begin(Kind::Object)?,
                b'[' => self.begin(Kind::Array)?,
                b'}' | b']' => self.end()?,
                _ => self.scalar(),
            }
        }
        if self.open.is_empty() && !self.nodes.is_empty() {
            return Ok(());
        }
        Err(Fault::Unreadable)
    }

    fn push(&mut self, kind: Kind, value: (u32, u32)) {
        let end = number(self.nodes.len() + 1);
        self.nodes.push(Node {
            name: std::mem::take(&mut self.name),
            value,
            end,
            kind,
        });
    }

    fn begin(&mut self, kind: Kind) -> Result<(), Fault> {
        if self.open.len() >= DEEPEST {
            return Err(Fault::Unreadable);
        }
        self.open.push(Open {
            place: self.nodes.len(),
            names: 0,
            may_repeat: false,
        });
        self.push(kind, (number(self.at), number(self.at + 1)));
        self.at += 1;
        Ok(())
    }

    fn end(&mut self) -> Result<(), Fault> {
        let open = self.open.pop().ok_or(Fault::Unreadable)?;
        let end = number(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(open.place) {
            node.end = end;
        }
        self.at += 1;
        if open.may_repeat && self.repeats(open.place) {
            return Err(Fault::Repeats);
        }
        Ok(())
    }

    fn scalar(&mut self) {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let ends = |byte: &u8| is_space(*byte) || matches!(byte, b',' | b':' | b'}' | b']');
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
        self.push(Kind::Other, (number(start), number(self.at)));
    }

    /// Reads past a string; answers where it stands, without its quotes, and whether it has escapes.
    fn string(&mut self) -> Result<((u32, u32), bool), Fault> {
        let found = string_end(self.text.as_bytes(), self.at);
        let (end, is_escaped) = found.ok_or(Fault::Unreadable)?;
        let start = self.at + 1;
        self.at = end + 1;
        if is_escaped {
            self.has_escapes = true;
            let quoted = self.text.get(start - 1..self.at).ok_or(Fault::Unreadable)?;
            serde_json::from_str::<String>(quoted).map_err(|_| Fault::Unreadable)?;
        }
        Ok(((number(start), number(end)), is_escaped))
    }

    /// Whether the string that was just read names a member.
    fn is_name(&self) -> bool {
        let bytes = self.text.as_bytes();
        bytes.get(after_space(bytes, self.at)) == Some(&b':')
    }

    /// Notes a name of the innermost object.
    fn note_name(&mut self, is_escaped: bool) {
        let (start, end) = self.name;
        let name = self.text.as_bytes().get(start as usize..end as usize);
        let bit = name_bit(name.unwrap_or_default());
        if let Some(open) = self.open.last_mut() {
            // Names that are alike once their escapes are read may look unlike.
            open.may_repeat |= is_escaped || open.names & bit != 0;
            open.names |= bit;
        }
    }

    /// Whether an object names two members alike.
    fn repeats(&self, place: usize) -> bool {
        let outline = Outline {
            text: self.text,
            room: Room::default(),
            has_escapes: self.has_escapes,
        };
        let mut names = Vec::new();
        let mut member = place + 1;
        while let Some(node) = self.nodes.get(member) {
            names.push(outline.unescaped(node.name));
            member = node.end as usize;
        }
        let names = settled(names, &|left, right| left.cmp(right));
        names.windows(2).any(|pair| pair.first() == pair.last())
    }
}

/// A place in a text that is known to be short enough.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
