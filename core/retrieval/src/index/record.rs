//! What the index keeps of one document besides its postings. Knows nothing of other documents.
//!
//! Id, hashes of the names, and the numbers of its terms lie in one piece of memory: a catalog has one allocation for each
//! document here, not four. The terms are what makes a removal cost as much as the document, not as the catalog.

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

/// One document.
#[derive(Debug)]
pub(crate) struct Record {
    /// The id, then four bytes a spelled word, then eight bytes a name, then the terms.
    bytes: Box<[u8]>,
    id_length: u32,
    names: u32,
    spelled: u32,
    pub(crate) group: u64,
    /// Low halves of the first and the last name term.
    pub(crate) name_ends: (u32, u32),
    pub(crate) hint: Hint,
}

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

/// The pieces that lie in a record one after the other.
pub(crate) struct Tail<'a> {
    pub(crate) id: &'a str,
    pub(crate) spelled: &'a [u32],
    pub(crate) names: u32,
    pub(crate) tail: &'a [u8],
}

impl Record {
    pub(crate) fn new(parts: RecordParts<'_>) -> Self {
        let RecordParts {
            id,
            names,
            spelled,
            terms,
            group,
            name_ends,
            hint,
        } = parts;
        let mut tail = Vec::with_capacity(8 * names.len() + 2 * terms.len());
        write_tail(&mut tail, names, terms);
        let names = u32::try_from(names.len()).unwrap_or(u32::MAX);
        Self::from_tail(
            Tail {
                id,
                spelled,
                names,
                tail: &tail,
            },
            group,
            name_ends,
            hint,
        )
    }

    /// The document of an id, and what [`write_tail`] wrote of its names and terms.
    pub(crate) fn from_tail(parts: Tail<'_>, group: u64, name_ends: (u32, u32), hint: Hint) -> Self {
        let Tail {
            id,
            spelled,
            names,
            tail,
        } = parts;
        let mut bytes = Vec::with_capacity(id.len() + 4 * spelled.len() + tail.len());
        bytes.extend_from_slice(id.as_bytes());
        for word in spelled {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(tail);
        let length = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self {
            bytes: bytes.into_boxed_slice(),
            id_length: length(id.len()),
            names,
            spelled: length(spelled.len()),
            group,
            name_ends,
            hint,
        }
    }

    /// The id.
    pub(crate) fn id(&self) -> &str {
        self.bytes
            .get(..self.id_length as usize)
            .and_then(|id| std::str::from_utf8(id).ok())
            .unwrap_or("")
    }

    /// The id as bytes, which order as the text does.
    pub(crate) fn id_bytes(&self) -> &[u8] {
        self.bytes.get(..self.id_length as usize).unwrap_or(&[])
    }

    /// Hashes of everything that counts as its name.
    pub(crate) fn names(&self) -> impl Iterator<Item = u64> + '_ {
        let (names, _) = self
            .rest()
            .split_at_checked(8 * self.names as usize)
            .unwrap_or((&[], &[]));
        names
            .as_chunks::<8>()
            .0
            .iter()
            .map(|name| u64::from_le_bytes(*name))
    }

    /// Its terms, by number.
    pub(crate) fn terms(&self) -> impl Iterator<Item = OwnTerm> + '_ {
        let mut left = self.rest().get(8 * self.names as usize..).unwrap_or(&[]);
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

    /// How many terms it has; nothing when one of them is not below `places`, or they are not in order.
    pub(crate) fn count_terms_below(&self, places: u32) -> Option<u32> {
        let mut left = self.rest().get(8 * self.names as usize..)?;
        let (mut number, mut count) = (0u64, 0);
        while let Some(value) = read(&mut left) {
            if count > 0 && value >> 1 == 0 {
                return None;
            }
            number = number.checked_add(value >> 1)?;
            if number >= u64::from(places) {
                return None;
            }
            count += 1;
        }
        Some(count)
    }

    /// Numbers of the words of its name.
    pub(crate) fn spelled(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.bytes.get(self.id_length as usize..self.rest_start());
        let words = words.unwrap_or(&[]).as_chunks::<4>().0.iter();
        words.map(|word| u32::from_le_bytes(*word))
    }

    fn rest_start(&self) -> usize {
        self.id_length as usize + 4 * self.spelled as usize
    }

    /// Names and terms.
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.rest_start()..).unwrap_or(&[])
    }
}

/// Appends names and terms as a record keeps them.
pub(crate) fn write_tail(bytes: &mut Vec<u8>, names: &[u64], terms: &mut [OwnTerm]) {
    for name in names {
        bytes.extend_from_slice(&name.to_le_bytes());
    }
    terms.sort_unstable_by_key(|term| term.number);
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
        ) {
            let mut terms: Vec<_> = numbers.iter().map(|(number, flags)| OwnTerm { number: *number, in_name: *flags }).collect();
            terms.reverse();
            let record = Record::new(RecordParts { id: &id, names: &names, spelled: &spelled, terms: &mut terms, group: 7, name_ends: (1, 2), hint: Hint::Neutral });
            prop_assert_eq!(record.id(), id.as_str());
            prop_assert_eq!(record.names().collect::<Vec<_>>(), names);
            prop_assert_eq!(record.spelled().collect::<Vec<_>>(), spelled);
            prop_assert_eq!(record.terms().collect::<Vec<_>>(), terms);
        }
    }
}
