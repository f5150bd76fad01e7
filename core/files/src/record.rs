//! One vector in a file: a head that says whose it is and how long, its numbers, and a digest of both.
//! Knows nothing of files.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::Key;

/// Model, key, count, and a digest of those three, so that a reader can skip numbers and knows when it is lost.
pub(crate) const HEAD: usize = 8 + 16 + 4 + 4;

/// Behind the numbers.
pub(crate) const DIGEST: usize = 8;

/// Longest vector, in numbers; as in the engine.
pub(crate) const LONGEST: u32 = 65_536;

/// What a head says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) model: u64,
    pub(crate) key: Key,
    pub(crate) count: u32,
}

impl Head {
    /// Reads a head; `None` when it is none.
    pub(crate) fn read(bytes: &[u8; HEAD]) -> Option<Self> {
        let (model, rest) = bytes.split_first_chunk::<8>()?;
        let (key, rest) = rest.split_first_chunk::<16>()?;
        let (count, digest) = rest.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count);
        let said = u32::from_le_bytes(*digest.first_chunk::<4>()?);
        let known = digest_of_head(bytes.first_chunk::<{ HEAD - 4 }>()?);
        (said == known && (1..=LONGEST).contains(&count)).then_some(Self {
            model: u64::from_le_bytes(*model),
            key: Key(*key),
            count,
        })
    }

    /// Bytes of the numbers and their digest.
    pub(crate) fn rest(&self) -> u64 {
        u64::from(self.count) * 4 + DIGEST as u64
    }

    fn write(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        let (front, digest) = bytes.split_at_mut(HEAD - 4);
        let (model, rest) = front.split_at_mut(8);
        let (key, count) = rest.split_at_mut(16);
        model.copy_from_slice(&self.model.to_le_bytes());
        key.copy_from_slice(&self.key.0);
        count.copy_from_slice(&self.count.to_le_bytes());
        digest.copy_from_slice(&digest_of_head(front).to_le_bytes());
        bytes
    }
}

/// Writes a record behind others.
pub(crate) fn write(head: &Head, numbers: &[u8], out: &mut Vec<u8>) {
    out.extend(head.write());
    out.extend(numbers);
    out.extend(digest_of(head, numbers).to_le_bytes());
}

/// The numbers of a record, when its digest is theirs.
pub(crate) fn numbers<'a>(head: &Head, rest: &'a [u8]) -> Option<&'a [u8]> {
    let (numbers, digest) = rest.split_last_chunk::<DIGEST>()?;
    (u64::from_le_bytes(*digest) == digest_of(head, numbers)).then_some(numbers)
}

fn digest_of_head(front: &[u8]) -> u32 {
    let [a, b, c, d, ..] = xxh3_64(front).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

fn digest_of(head: &Head, numbers: &[u8]) -> u64 {
    xxh3_64_with_seed(numbers, head.model ^ u64::from(head.count))
}
