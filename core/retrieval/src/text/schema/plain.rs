//! The texts of a schema as most are written, found in one pass: short, without escapes and references.
//!
//! Must not know what becomes of a text. It never refuses, it only declines: the longer way reads whatever it declines, and finds
//! in what it takes the same texts in the same order.

use super::super::members::{after_space, is_space, name_bit, string_end};
use super::super::outline::Kind;
use super::{Meaning, meaning};

/// What a found text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Name,
    Description,
    Value,
}

/// A text that was found: what it is, and where it begins and ends.
pub(super) type Found = (Part, u32, u32);

/// Room for what is found in schemas, one after the other.
#[derive(Debug, Default)]
pub(super) struct Room {
    texts: Vec<Found>,
    names: Vec<(usize, usize)>,
}

/// Longer schemas could hold more than is read, so somebody has to count.
const LONGEST: usize = 8 << 10;
/// Deeper ones are rare.
const DEEPEST: usize = 24;

/// The texts of a schema in their order; `None` where the longer way has to look.
pub(super) fn texts<'r>(schema: &str, room: &'r mut Room) -> Option<&'r [Found]> {
    if schema.len() > LONGEST {
        return None;
    }
    room.texts.clear();
    room.names.clear();
    let bytes = schema.as_bytes();
    let mut reader = Reader {
        bytes,
        at: after_space(bytes, 0),
        room,
    };
    if reader.kind()? != Kind::Object {
        return None;
    }
    reader.object(Inside::Schema, DEEPEST)?;
    (after_space(bytes, reader.at) == bytes.len()).then_some(())?;
    Some(&room.texts)
}

/// What the members of an object, or the values of an array, are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// The keywords of a schema.
    Schema,
    /// Schemas under the names of properties.
    Properties,
    /// Schemas under names that say nothing.
    Schemas,
    /// Values.
    Values,
}

struct Reader<'s, 'r> {
    bytes: &'s [u8],
    at: usize,
    room: &'r mut Room,
}

impl Reader<'_, '_> {
    /// The kind of the value that begins here.
    #[inline]
    fn kind(&self) -> Option<Kind> {
        Some(match self.bytes.get(self.at)? {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            _ => Kind::Other,
        })
    }

    /// Goes past a sign and the white space around it, if it stands here.
    #[inline]
    fn takes(&mut self, sign: u8) -> bool {
        self.at = after_space(self.bytes, self.at);
        let is_there = self.bytes.get(self.at) == Some(&sign);
        if is_there {
            self.at = after_space(self.bytes, self.at + 1);
        }
        is_there
    }

    /// Goes past a string; where it stands, without its quotes.
    #[inline]
    fn string(&mut self) -> Option<(usize, usize)> {
        let start = self.at + 1;
        let (end, has_escapes) = string_end(self.bytes, self.at)?;
        self.at = end + 1;
        (!has_escapes).then_some((start, end))
    }

    fn object(&mut self, inside: Inside, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let (mut own, names) = (self.room.texts.len(), self.room.names.len());
        let mut seen = 0_u64;
        if !self.takes(b'{') {
            return None;
        }
        while self.kind()? == Kind::String {
            let name = self.string()?;
            self.note(name, names, &mut seen)?;
            if !self.takes(b':') {
                return None;
            }
            match inside {
                Inside::Schema => self.keyword(name, &mut own, depth)?,
                Inside::Properties => {
                    self.say(Part::Name, name);
                    self.schema(depth)?;
                }
                Inside::Schemas => self.schema(depth)?,
                Inside::Values => {
                    self.say(Part::Value, name);
                    self.value(depth)?;
                }
            }
            if !self.takes(b',') {
                break;
            }
        }
        self.room.names.truncate(names);
        self.closes(b'}')
    }

    /// Notes the name of a member; `None` when the object has it already.
    #[inline]
    fn note(&mut self, name: (usize, usize), first: usize, seen: &mut u64) -> Option<()> {
        let text = self.bytes.get(name.0..name.1)?;
        let bit = name_bit(text);
        if *seen & bit != 0 {
            let mut known = self.room.names.get(first..)?.iter();
            if known.any(|(start, end)| self.bytes.get(*start..*end) == Some(text)) {
                return None;
            }
        }
        *seen |= bit;
        self.room.names.push(name);
        Some(())
    }

    /// What a member of a schema says: its own texts stand before those of all schemas and values in it, wherever they are written.
    fn keyword(&mut self, name: (usize, usize), own: &mut usize, depth: usize) -> Option<()> {
        let keyword = self.bytes.get(name.0..name.1)?;
        match meaning(keyword, self.kind()?) {
            Meaning::Text(part) => {
                let (start, end) = self.string()?;
                if start < end {
                    let found = (part, u32::try_from(start).ok()?, u32::try_from(end).ok()?);
                    self.room.texts.insert(*own, found);
                    *own += 1;
                }
                Some(())
            }
            Meaning::Values => self.array(Inside::Values, depth),
            Meaning::Value => self.value(depth),
            Meaning::Properties => self.object(Inside::Properties, depth),
            Meaning::Schemas if self.kind()? == Kind::Object => self.object(Inside::Schemas, depth),
            Meaning::Schemas => self.array(Inside::Schemas, depth),
            Meaning::Schema => self.object(Inside::Schema, depth),
            Meaning::Reference => None,
            Meaning::Nothing => self.skip(depth),
        }
    }

    fn array(&mut self, inside: Inside, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        if !self.takes(b'[') {
            return None;
        }
        while *self.bytes.get(self.at)? != b']' {
            match inside {
                Inside::Values => self.value(depth)?,
                _ => self.schema(depth)?,
            }
            if !self.takes(b',') {
                break;
            }
        }
        self.closes(b']')
    }

    /// A schema, or what stands in place of one.
    fn schema(&mut self, depth: usize) -> Option<()> {
        match self.kind()? {
            Kind::Object => self.object(Inside::Schema, depth),
            _ => self.skip(depth),
        }
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match self.kind()? {
            Kind::Object => self.object(Inside::Values, depth),
            Kind::Array => self.array(Inside::Values, depth),
            Kind::String => {
                let said = self.string()?;
                self.say(Part::Value, said);
                Some(())
            }
            Kind::Other => {
                let said = self.scalar()?;
                // There is one way to write an exponent.
                let text = self.bytes.get(said.0..said.1)?;
                let has_exponent = text.iter().any(|byte| matches!(byte, b'e' | b'E'));
                if has_exponent && !matches!(text, b"true" | b"false") {
                    return None;
                }
                self.say(Part::Value, said);
                Some(())
            }
        }
    }

    /// Goes past a value that says nothing.
    fn skip(&mut self, depth: usize) -> Option<()> {
        match self.kind()? {
            Kind::String => self.string().map(|_| ()),
            Kind::Other => self.scalar().map(|_| ()),
            Kind::Object | Kind::Array => {
                let mut open = 0_usize;
                loop {
                    match self.bytes.get(self.at)? {
                        b'"' => {
                            self.string()?;
                            continue;
                        }
                        b'{' | b'[' => open += 1,
                        b'}' | b']' => open = open.checked_sub(1)?,
                        _ => {}
                    }
                    self.at += 1;
                    match open {
                        0 => return Some(()),
                        _ if open > depth => return None,
                        _ => {}
                    }
                }
            }
        }
    }

    fn scalar(&mut self) -> Option<(usize, usize)> {
        let start = self.at;
        let ends =
            |byte: &u8| is_space(*byte) || matches!(byte, b',' | b':' | b'}' | b']' | b'"' | b'{' | b'[');
        let length = self.bytes.get(start..)?.iter().position(ends)?;
        self.at += length;
        (length > 0).then_some((start, self.at))
    }

    #[inline]
    fn closes(&mut self, sign: u8) -> Option<()> {
        let is_there = self.bytes.get(self.at) == Some(&sign);
        self.at += 1;
        is_there.then_some(())
    }

    #[inline]
    fn say(&mut self, part: Part, (start, end): (usize, usize)) {
        if start < end
            && let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end))
        {
            self.room.texts.push((part, start, end));
        }
    }
}
