//! The texts of a schema as most are written, found in one pass: short, without escapes and references.
//!
//! Must not know what becomes of a text. It never refuses, it only declines: the longer way reads whatever it declines, and finds
//! in what it takes the same texts in the same order.

use super::super::members::name_bit;
use super::super::outline::Kind;
use super::super::scan::Scanner;
use super::{Meaning, SchemaText, meaning};
use std::borrow::Cow;

/// What a found text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Name,
    Description,
    Value,
}

/// A text that was found: what it is, and where it begins and ends in its schema, fifteen bits each.
#[derive(Debug, Clone, Copy)]
struct Found(u32);

/// The texts of schemas as most are written, by where they stand; those of one schema behind those of the other.
#[derive(Debug, Default)]
pub struct SchemaTexts {
    texts: Vec<Found>,
    /// Names of the members of the objects that are open.
    names: Vec<(usize, usize)>,
}

/// The texts of one schema, by where they stand in it.
#[derive(Debug, Clone, Copy)]
pub struct FoundTexts<'r>(&'r [Found]);

impl FoundTexts<'_> {
    /// Visits the texts in their order; the schema is the one that they were found in.
    pub fn visit<'a>(self, schema: &'a str, visit: &mut dyn FnMut(SchemaText<'a>)) {
        for found in self.0 {
            visit(SchemaText::new(found.part(), Cow::Borrowed(found.within(schema))));
        }
    }
}

/// Longer schemas could hold more than is read, so somebody has to count.
const LONGEST: usize = 8 << 10;
/// Deeper ones are rare.
const DEEPEST: usize = 24;

impl Found {
    fn new(part: Part, start: usize, end: usize) -> Option<Self> {
        let place = u32::try_from(start << 15 | end).ok().filter(|_| end <= LONGEST)?;
        Some(Self((part as u32) << 30 | place))
    }

    fn part(self) -> Part {
        match self.0 >> 30 {
            0 => Part::Name,
            1 => Part::Description,
            _ => Part::Value,
        }
    }

    /// The text, in its schema.
    fn within(self, schema: &str) -> &str {
        let (start, end) = (self.0 >> 15 & 0x7FFF, self.0 & 0x7FFF);
        schema.get(start as usize..end as usize).unwrap_or_default()
    }
}

impl SchemaTexts {
    /// Reads a schema that begins here; which texts are its own, in their order. Nothing where the longer way has to look: the scanner
    /// is where it was, then.
    pub(in crate::text) fn read(&mut self, scanner: &mut Scanner<'_>) -> Option<(u32, u32)> {
        let (start, first) = (scanner.at(), self.texts.len());
        self.names.clear();
        scanner.forget_escapes();
        let mut reader = Reader {
            scanner,
            start,
            room: self,
        };
        let read = (reader.kind() == Some(Kind::Object)).then(|| reader.object(Inside::Schema, DEEPEST));
        let own = read
            .flatten()
            .and_then(|()| Some((u32::try_from(first).ok()?, u32::try_from(self.texts.len()).ok()?)));
        if own.is_none() || scanner.at() - start > LONGEST {
            self.texts.truncate(first);
            scanner.back_to(start);
            return None;
        }
        own
    }

    /// The texts of one schema.
    pub fn of(&self, own: (u32, u32)) -> FoundTexts<'_> {
        FoundTexts(self.texts.get(own.0 as usize..own.1 as usize).unwrap_or_default())
    }

    /// Forgets all texts.
    pub fn clear(&mut self) {
        self.texts.clear();
    }
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

struct Reader<'s, 'a, 'r> {
    scanner: &'s mut Scanner<'a>,
    /// Where the schema begins.
    start: usize,
    room: &'r mut SchemaTexts,
}

impl Reader<'_, '_, '_> {
    /// The kind of the value that begins here.
    #[inline]
    fn kind(&self) -> Option<Kind> {
        Some(match self.scanner.peek()? {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            _ => Kind::Other,
        })
    }

    /// Goes past a string; where it stands, without its quotes.
    #[inline]
    fn string(&mut self) -> Option<(usize, usize)> {
        let (start, end, has_escapes) = self.scanner.string()?;
        (!has_escapes).then_some((start, end))
    }

    fn object(&mut self, inside: Inside, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let (mut own, names) = (self.room.texts.len(), self.room.names.len());
        let mut seen = 0_u64;
        let mut goes_on = self.scanner.takes(b'{') && self.scanner.peek()? != b'}';
        while goes_on {
            let (start, end, has_escapes) = self.scanner.name()?;
            if has_escapes || end - self.start > LONGEST {
                return None;
            }
            let name = (start, end);
            self.note(name, names, &mut seen)?;
            match inside {
                Inside::Schema => self.keyword(name, &mut own, depth)?,
                Inside::Properties => {
                    self.say(Part::Name, name)?;
                    self.schema(depth)?;
                }
                Inside::Schemas => self.schema(depth)?,
                Inside::Values => {
                    self.say(Part::Value, name)?;
                    self.value(depth)?;
                }
            }
            goes_on = self.scanner.takes(b',');
        }
        self.room.names.truncate(names);
        self.scanner.ends(b'}')
    }

    /// Notes the name of a member; `None` when the object has it already.
    #[inline]
    fn note(&mut self, name: (usize, usize), first: usize, seen: &mut u64) -> Option<()> {
        let text = self.scanner.part(name.0, name.1);
        let bit = name_bit(text.as_bytes());
        if *seen & bit != 0 {
            let mut known = self.room.names.get(first..)?.iter();
            if known.any(|(start, end)| self.scanner.part(*start, *end) == text) {
                return None;
            }
        }
        *seen |= bit;
        self.room.names.push(name);
        Some(())
    }

    /// What a member of a schema says: its own texts stand before those of all schemas and values in it, wherever they are written.
    fn keyword(&mut self, name: (usize, usize), own: &mut usize, depth: usize) -> Option<()> {
        let keyword = self.scanner.part(name.0, name.1);
        match meaning(keyword.as_bytes(), self.kind()?) {
            Meaning::Text(part) => {
                let (start, end) = self.string()?;
                if start < end {
                    let found = Found::new(part, start - self.start, end - self.start)?;
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
            Meaning::Nothing => self.skip(),
        }
    }

    fn array(&mut self, inside: Inside, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let mut goes_on = self.scanner.takes(b'[') && self.scanner.peek()? != b']';
        while goes_on {
            match inside {
                Inside::Values => self.value(depth)?,
                _ => self.schema(depth)?,
            }
            goes_on = self.scanner.takes(b',');
        }
        self.scanner.ends(b']')
    }

    /// A schema, or what stands in place of one.
    fn schema(&mut self, depth: usize) -> Option<()> {
        match self.kind()? {
            Kind::Object => self.object(Inside::Schema, depth),
            _ => self.skip(),
        }
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        match self.kind()? {
            Kind::Object => self.object(Inside::Values, depth),
            Kind::Array => self.array(Inside::Values, depth),
            Kind::String => {
                let said = self.string()?;
                self.say(Part::Value, said)
            }
            Kind::Other => {
                let said = self.scanner.scalar()?;
                // There is one way to write an exponent.
                let text = self.scanner.part(said.0, said.1);
                if text.contains(['e', 'E']) && !matches!(text, "true" | "false") {
                    return None;
                }
                self.say(Part::Value, said)
            }
        }
    }

    /// Goes past a value that says nothing. One with escapes may be no text, and the longer way reads nothing then.
    #[inline]
    fn skip(&mut self) -> Option<()> {
        match self.kind()? {
            Kind::String => self.string().map(|_| ()),
            _ => {
                self.scanner.value()?;
                (!self.scanner.has_escapes()).then_some(())
            }
        }
    }

    #[inline]
    fn say(&mut self, part: Part, (start, end): (usize, usize)) -> Option<()> {
        if start < end {
            let found = Found::new(part, start - self.start, end - self.start)?;
            self.room.texts.push(found);
        }
        Some(())
    }
}
