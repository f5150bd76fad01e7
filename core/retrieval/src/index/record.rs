//! What the index keeps of one document besides its postings. Knows nothing of other documents.
//!
//! Id, hashes of the names, and the numbers of its terms lie in one piece of memory: a catalog has one allocation for each
//! document here, not four. The terms are what makes a removal cost as much as the document, not as the catalog.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// How careful a tool asks to be used; the safer one goes first when all else is equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Hint {
    /// It changes nothing.
    ReadOnly,
    /// It says nothing about it.
    Neutral,
    /// It can destroy.
    Destructive,
}

/// One document, as it is read: what [`RecordParts::store`] wrote, of which each question reads what it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record<'a> {
    bytes: &'a [u8],
}

/// One document, as it is kept: one piece of memory.
pub(crate) type Stored = Arc<[u8]>;

/// One term of a document: its number, and whether the name has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OwnTerm {
    pub(crate) number: u32,
    pub(crate) in_name: bool,
}

/// What a record is made of.
pub(crate) struct RecordParts<'a> {
    pub(crate) id: &'a str,
    pub(crate) names: &'a [u64],
    /// Numbers of the words of its name.
    pub(crate) spelled: &'a [u32],
    pub(crate) terms: &'a mut [OwnTerm],
    pub(crate) group: u64,
    pub(crate) name_ends: (u32, u32),
    pub(crate) hint: Hint,
}

impl RecordParts<'_> {
    /// The document as it is kept: the group, the ends of the name, the hint and how long the id is, in as many bytes as they have;
    /// the id; how many names and spelled words there are, and these; how many terms the name
    /// has, those, and the others. `bytes` is room to write in.
    pub(crate) fn store(self, bytes: &mut Vec<u8>) -> Stored {
        bytes.clear();
        bytes.extend_from_slice(&self.group.to_le_bytes());
        bytes.extend_from_slice(&self.name_ends.0.to_le_bytes());
        bytes.extend_from_slice(&self.name_ends.1.to_le_bytes());
        bytes.push(self.hint.byte());
        let length = u32::try_from(self.id.len()).unwrap_or(0);
        bytes.extend_from_slice(&length.to_le_bytes());
        // Nobody sends an id of four gigabytes; it would be none.
        bytes.extend_from_slice(self.id.as_bytes().get(..length as usize).unwrap_or_default());
        write(bytes, self.names.len() as u64);
        write(bytes, self.spelled.len() as u64);
        for name in self.names {
            bytes.extend_from_slice(&name.to_le_bytes());
        }
        for word in self.spelled {
            write(bytes, u64::from(*word));
        }
        by_number(self.terms);
        let name_terms = self.terms.iter().filter(|term| term.in_name).count();
        write(bytes, name_terms as u64);
        for in_name in [true, false] {
            let mut last = 0;
            for term in self.terms.iter().filter(|term| term.in_name == in_name) {
                write(bytes, u64::from(term.number - last));
                last = term.number;
            }
        }
        Arc::from(bytes.as_slice())
    }
}

impl<'a> Record<'a> {
    /// The document that is kept there.
    #[inline]
    pub(crate) const fn of(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The key of its group, hashed.
    pub(crate) fn group(&self) -> u64 {
        self.bytes
            .first_chunk()
            .map_or(0, |group| u64::from_le_bytes(*group))
    }

    /// Low halves of the first and the last name term.
    pub(crate) fn name_ends(&self) -> (u32, u32) {
        let ends = self.bytes.get(8..16).map(<[u8]>::as_chunks::<4>);
        let end = |place: usize| {
            ends.and_then(|ends| ends.0.get(place))
                .map_or(0, |end| u32::from_le_bytes(*end))
        };
        (end(0), end(1))
    }

    /// How careful it asks to be used.
    pub(crate) fn hint(&self) -> Hint {
        Hint::of(self.bytes.get(16).copied().unwrap_or_default())
    }

    /// The id.
    pub(crate) fn id(&self) -> &'a str {
        std::str::from_utf8(self.id_bytes()).unwrap_or("")
    }

    /// The id as bytes, which order as the text does.
    pub(crate) fn id_bytes(&self) -> &'a [u8] {
        self.split_id().map_or(&[], |(id, _)| id)
    }

    /// Hashes of everything that counts as its name.
    pub(crate) fn names(&self) -> impl Iterator<Item = u64> + use<'a> {
        let names = self.parts().map_or(&[][..], |parts| parts.names);
        let names = names.as_chunks::<8>().0.iter();
        names.map(|name| u64::from_le_bytes(*name))
    }

    /// Numbers of the words of its name.
    pub(crate) fn spelled(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut left, count) = self
            .parts()
            .map_or((&[][..], 0), |parts| (parts.numbers, parts.spelled));
        let words = std::iter::from_fn(move || read(&mut left));
        words.take(count).map(|word| u32::try_from(word).unwrap_or(0))
    }

    /// Numbers of the terms of its name, which ties ask for.
    #[inline]
    pub(crate) fn name_terms(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut left, count) = self.split_terms();
        numbers(move || read(&mut left)).take(count)
    }

    /// Its terms: those of the name by number, then the others by number.
    pub(crate) fn terms(&self) -> impl Iterator<Item = OwnTerm> + use<'a> {
        let (mut left, mut count) = self.split_terms();
        let mut number = 0_u32;
        let mut in_name = true;
        std::iter::from_fn(move || {
            if in_name && count == 0 {
                (number, in_name) = (0, false);
            }
            count = count.saturating_sub(1);
            let more = read(&mut left)?;
            number = number.wrapping_add(u32::try_from(more).unwrap_or(0));
            Some(OwnTerm { number, in_name })
        })
    }

    /// The numbers of terms, and how many of them are those of the name.
    #[inline]
    fn split_terms(&self) -> (&'a [u8], usize) {
        let (mut left, count) = self
            .parts()
            .map_or((&[][..], 0), |parts| (parts.numbers, parts.spelled));
        for _ in 0..count {
            read(&mut left);
        }
        let name_terms = read(&mut left).and_then(|count| usize::try_from(count).ok());
        (left, name_terms.unwrap_or(0))
    }

    #[inline]
    fn parts(&self) -> Option<Parts<'a>> {
        let (_, mut rest) = self.split_id()?;
        let mut count = || read(&mut rest).and_then(|count| usize::try_from(count).ok());
        let (names, spelled) = (count()?, count()?);
        let (names, numbers) = rest.split_at_checked(names.checked_mul(8)?)?;
        Some(Parts {
            names,
            spelled,
            numbers,
        })
    }

    /// The id, and what follows it.
    #[inline]
    fn split_id(&self) -> Option<(&'a [u8], &'a [u8])> {
        let (length, rest) = self.bytes.get(17..)?.split_first_chunk::<4>()?;
        rest.split_at_checked(u32::from_le_bytes(*length) as usize)
    }
}

/// What stands behind the id in a record.
struct Parts<'a> {
    /// Eight bytes a name.
    names: &'a [u8],
    /// How many numbers of spelled words stand before those of terms.
    spelled: usize,
    numbers: &'a [u8],
}

impl Hint {
    const fn byte(self) -> u8 {
        match self {
            Self::ReadOnly => 0,
            Self::Neutral => 1,
            Self::Destructive => 2,
        }
    }

    const fn of(byte: u8) -> Self {
        match byte {
            0 => Self::ReadOnly,
            2 => Self::Destructive,
            _ => Self::Neutral,
        }
    }
}

/// Numbers from the steps between them.
#[inline]
fn numbers(mut step: impl FnMut() -> Option<u64>) -> impl Iterator<Item = u32> {
    let mut number = 0_u32;
    std::iter::from_fn(move || {
        number = number.wrapping_add(u32::try_from(step()?).unwrap_or(0));
        Some(number)
    })
}

fn by_number(terms: &mut [OwnTerm]) {
    terms.sort_unstable_by_key(|term| term.number);
}

/// The terms that [`write_terms`] wrote.
pub(crate) fn terms_of(mut left: &[u8]) -> impl Iterator<Item = OwnTerm> + '_ {
    let mut number = 0u32;
    std::iter::from_fn(move || {
        let value = read(&mut left)?;
        number = number.wrapping_add(u32::try_from(value >> 1).unwrap_or(0));
        Some(OwnTerm {
            number,
            in_name: value & 1 == 1,
        })
    })
}

/// The prints of the written terms, added up; nothing when one of them has no print, or they are not in order.
pub(crate) fn print_of_terms(mut left: &[u8], prints: &[u64]) -> Option<u64> {
    let (mut number, mut sum) = (None, 0u64);
    while let Some(value) = read(&mut left) {
        let next = match number {
            None => value >> 1,
            Some(last) if value >> 1 > 0 => (value >> 1).checked_add(last)?,
            Some(_) => return None,
        };
        sum = sum.wrapping_add(*prints.get(usize::try_from(next).ok()?)?);
        number = Some(next);
    }
    Some(sum)
}

/// Appends terms as they are saved: the steps between their numbers, each with a bit that says whether the name has the term.
pub(crate) fn write_terms(bytes: &mut Vec<u8>, terms: &mut [OwnTerm]) {
    by_number(terms);
    let mut last = 0;
    for term in terms {
        write(
            bytes,
            u64::from(term.number - last) << 1 | u64::from(term.in_name),
        );
        last = term.number;
    }
}

#[allow(clippy::cast_possible_truncation, reason = "seven bits at a time")]
fn write(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[inline]
fn read(left: &mut &[u8]) -> Option<u64> {
    // Nearly all have one byte or two, and where scores tie, whole lists are read.
    match *left {
        [byte, rest @ ..] if *byte < 128 => {
            *left = rest;
            Some(u64::from(*byte))
        }
        [low, high, rest @ ..] if *high < 128 => {
            *left = rest;
            Some(u64::from(low & 127) | u64::from(*high) << 7)
        }
        _ => read_longer(left),
    }
}

fn read_longer(left: &mut &[u8]) -> Option<u64> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let (byte, rest) = left.split_first()?;
        *left = rest;
        value |= u64::from(byte & 127).checked_shl(shift)?;
        if byte & 128 == 0 {
            return Some(value);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_record_gives_back_what_it_was_made_of(
            id in "\\PC{0,40}", names in proptest::collection::vec(any::<u64>(), 0..5),
            numbers in proptest::collection::btree_map(any::<u32>(), any::<bool>(), 0..80), spelled in proptest::collection::vec(any::<u32>(), 0..5),
            hint in proptest::sample::select(vec![Hint::ReadOnly, Hint::Neutral, Hint::Destructive]),
        ) {
            let mut terms: Vec<_> = numbers.iter().map(|(number, flags)| OwnTerm { number: *number, in_name: *flags }).collect();
            terms.reverse();
            let stored = RecordParts { id: &id, names: &names, spelled: &spelled, terms: &mut terms, group: 7, name_ends: (1, 2), hint }.store(&mut Vec::new());
            let record = Record::of(&stored);
            prop_assert_eq!((record.group(), record.name_ends(), record.hint()), (7, (1, 2), hint));
            prop_assert_eq!(record.id(), id.as_str());
            prop_assert_eq!(record.names().collect::<Vec<_>>(), names);
            prop_assert_eq!(record.spelled().collect::<Vec<_>>(), spelled);
            let mut read: Vec<_> = record.terms().collect();
            prop_assert_eq!(record.name_terms().collect::<Vec<_>>(), read.iter().filter(|term| term.in_name).map(|term| term.number).collect::<Vec<_>>());
            read.sort_unstable_by_key(|term| term.number);
            prop_assert_eq!(&read, &terms);
            let mut saved = Vec::new();
            write_terms(&mut saved, &mut read);
            prop_assert_eq!(terms_of(&saved).collect::<Vec<_>>(), terms);
        }
    }
}
