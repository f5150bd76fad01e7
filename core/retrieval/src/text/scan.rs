//! JSON text, looked over once: whether it is JSON, the members of an object in it, and the texts of a schema among them.
//!
//! Must not know what members mean. It never refuses, it only declines: a parser has to judge what it does not take (a deep nest,
//! say), and takes whatever it takes.

use super::schema::SchemaTexts;

/// A reader of JSON text, and how far it is.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// Whether a string had escapes, or may have had letters that are not ASCII.
    is_special: bool,
    /// Whether a string had escapes.
    has_escapes: bool,
}

/// A member of an object, as it stands there; the name is without its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// The name.
    pub name: &'a str,
    /// The value.
    pub value: &'a str,
}

/// What was found in an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannedObject<'a> {
    /// The object.
    pub text: &'a str,
    /// Whether it may hold anything but ASCII without escapes.
    pub is_special: bool,
    /// The texts of the schema that was asked for, in [`SchemaTexts`]; nothing where the text of the schema has to be read.
    pub schema: Option<(u32, u32)>,
}

/// Deeper values are left to others: a bit for each level.
const DEEPEST: u32 = 60;

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

impl<'a> Scanner<'a> {
    /// At the first sign that is no white space.
    pub const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            is_special: false,
            has_escapes: false,
        }
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Whether a string had escapes since they were forgotten.
    pub(super) const fn has_escapes(&self) -> bool {
        self.has_escapes
    }

    pub(super) const fn forget_escapes(&mut self) {
        self.has_escapes = false;
    }

    /// What stands between two places.
    #[inline]
    pub(super) fn part(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Goes past white space.
    #[inline]
    pub fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// Goes past a sign and the white space around it, if it stands here.
    #[inline]
    pub fn takes(&mut self, sign: u8) -> bool {
        self.skip_space();
        let is_there = self.peek() == Some(sign);
        if is_there {
            self.at += 1;
            self.skip_space();
        }
        is_there
    }

    /// Whether nothing but white space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    /// Goes past a string that begins here: what stands between its quotes, if it has no escapes.
    pub fn plain_string(&mut self) -> Option<&'a str> {
        let (start, end, has_escapes) = self.string()?;
        (!has_escapes).then(|| self.part(start, end))
    }

    /// Goes past a string that begins here; where it stands, without its quotes, and whether it has escapes.
    #[inline]
    pub(super) fn string(&mut self) -> Option<(usize, usize, bool)> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let start = self.at + 1;
        let (mut end, mut has_escapes) = (start, false);
        loop {
            end = self.special(end)?;
            match self.text.as_bytes().get(end)? {
                b'"' => break,
                b'\\' => {
                    end = self.after_escape(end)?;
                    has_escapes = true;
                }
                // Signs of control stand in strings as escapes only.
                _ => return None,
            }
        }
        self.at = end + 1;
        self.has_escapes |= has_escapes;
        Some((start, end, has_escapes))
    }

    /// The first place from there on of a quotation mark, a backslash or a sign of control.
    #[inline]
    fn special(&mut self, start: usize) -> Option<usize> {
        let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight & HIGH;
        let mut at = start;
        let mut rest = self.text.as_bytes().get(start..)?;
        let mut seen = 0;
        while let Some((eight, more)) = rest.split_first_chunk() {
            let eight = u64::from_le_bytes(*eight);
            seen |= eight;
            let control = eight.wrapping_sub(ONES * 0x20) & !eight & HIGH;
            let quote = zeros(eight ^ (ONES * u64::from(b'"')));
            let found = control | quote | zeros(eight ^ (ONES * u64::from(b'\\')));
            if found != 0 {
                self.is_special |= seen & HIGH != 0;
                return Some(at + found.trailing_zeros() as usize / 8);
            }
            at += 8;
            rest = more;
        }
        let found = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | ..b' '))?;
        self.is_special |= seen & HIGH != 0 || !rest.is_ascii();
        Some(at + found)
    }

    /// The place after an escape.
    #[inline(never)]
    fn after_escape(&mut self, at: usize) -> Option<usize> {
        self.is_special = true;
        let bytes = self.text.as_bytes();
        match bytes.get(at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
            b'u' => {
                let digits = bytes.get(at + 2..at + 6)?;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(at + 6)
            }
            _ => None,
        }
    }

    /// Goes past a number, `true`, `false` or `null`; where it stands.
    pub(super) fn scalar(&mut self) -> Option<(usize, usize)> {
        let start = self.at;
        let word: &[u8] = match self.peek()? {
            b't' => b"true",
            b'f' => b"false",
            b'n' => b"null",
            _ => {
                self.number()?;
                return Some((start, self.at));
            }
        };
        self.text
            .as_bytes()
            .get(start..)?
            .starts_with(word)
            .then_some(())?;
        self.at += word.len();
        Some((start, self.at))
    }

    fn number(&mut self) -> Option<()> {
        let passes = |scanner: &mut Self, signs: &[u8]| {
            let is_there = scanner.peek().is_some_and(|byte| signs.contains(&byte));
            scanner.at += usize::from(is_there);
            is_there
        };
        passes(self, b"-");
        if !passes(self, b"0") {
            self.digits()?;
        }
        if passes(self, b".") {
            self.digits()?;
        }
        if passes(self, b"eE") {
            passes(self, b"+-");
            self.digits()?;
        }
        Some(())
    }

    /// Goes past digits, of which there is one at the least.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Goes past a value of any kind that begins here.
    pub(super) fn value(&mut self) -> Option<()> {
        // Of each open level whether it is an object, the innermost in the lowest bit.
        let (mut objects, mut depth) = (0_u64, 0_u32);
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                }
                sign @ (b'{' | b'[') => {
                    let is_object = sign == b'{';
                    self.at += 1;
                    self.skip_space();
                    if self.peek()? == closing(is_object) {
                        self.at += 1;
                    } else {
                        depth += 1;
                        if depth > DEEPEST {
                            return None;
                        }
                        objects = objects << 1 | u64::from(is_object);
                        if is_object {
                            self.name()?;
                        }
                        continue;
                    }
                }
                _ => {
                    self.scalar()?;
                }
            }
            // A value ended here.
            loop {
                if depth == 0 {
                    return Some(());
                }
                let is_object = objects & 1 == 1;
                self.skip_space();
                let sign = self.peek()?;
                self.at += 1;
                if sign == b',' {
                    self.skip_space();
                    if is_object {
                        self.name()?;
                    }
                    break;
                }
                if sign != closing(is_object) {
                    return None;
                }
                objects >>= 1;
                depth -= 1;
            }
        }
    }

    /// Goes past the name of a member and the colon behind it; where it stands, without its quotes, and whether it has escapes.
    #[inline]
    pub(super) fn name(&mut self) -> Option<(usize, usize, bool)> {
        let name = self.string()?;
        self.takes(b':').then_some(name)
    }

    /// Goes past an object that begins here. Its members take the place of those that are there; the texts of the schema that is the
    /// member of this name stand behind those that are there.
    pub fn object(
        &mut self,
        schema: &str,
        members: &mut Vec<Member<'a>>,
        texts: &mut SchemaTexts,
    ) -> Option<ScannedObject<'a>> {
        members.clear();
        let first = self.at;
        self.ends(b'{')?;
        self.is_special = false;
        self.skip_space();
        let mut found = None;
        let mut goes_on = self.peek()? != b'}';
        while goes_on {
            let (start, end, _) = self.name()?;
            let name = self.part(start, end);
            let start = self.at;
            if name == schema {
                found = texts.read(self);
            }
            if self.at == start {
                self.value()?;
            }
            let value = self.part(start, self.at);
            members.push(Member { name, value });
            goes_on = self.takes(b',');
        }
        self.ends(b'}')?;
        Some(ScannedObject {
            text: self.part(first, self.at),
            is_special: self.is_special,
            schema: found,
        })
    }

    /// Goes past a sign that has to stand here, and nothing else.
    #[inline]
    pub fn ends(&mut self, sign: u8) -> Option<()> {
        (self.peek()? == sign).then(|| self.at += 1)
    }

    /// Goes back to a place that it came by.
    pub(super) const fn back_to(&mut self, at: usize) {
        self.at = at;
    }
}

const fn closing(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
