//! A file of vectors that several programs share: whoever embedded a text first has embedded it for all.
//! Knows nothing of what a text is.
//!
//! The file only grows. Who adds holds its lock, looks at what is there, cuts off what a program that died left half
//! written, and adds the rest in one piece. Who reads shares the lock, so it sees whole records. A record says by two
//! digests that it is one: where that of its numbers does not hold it is passed over, and added again; where that of its
//! head does not, nothing behind it can be read, and goes with the next addition.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};

use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, ErrorCode};
use crate::record::{self, HEAD, Head};

/// What the file begins with: whose it is, and which format it has.
const MAGIC: &[u8; 8] = b"HGVEC\0\0\x01";

/// Which model made vectors; its vectors stand beside those of others and are never mixed up with them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Its name.
    pub id: String,
    /// Its revision, when it has one.
    #[serde(default)]
    pub revision: Option<String>,
    /// The length of its vectors.
    pub dimensions: u32,
}

impl Model {
    fn digest(&self) -> u64 {
        xxh3_64(
            serde_json::json!([self.id, self.revision, self.dimensions])
                .to_string()
                .as_bytes(),
        )
    }
}

/// The key of a text: 128 bits, written as 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(pub(crate) [u8; 16]);

impl Key {
    /// Reads a key.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        let number = (text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .then(|| u128::from_str_radix(text, 16).ok())
            .flatten();
        number.map(|number| Self(number.to_be_bytes())).ok_or_else(|| {
            let message = "this is no key of a text; pass it as `missingVectors` gave it".to_owned();
            Error::new(ErrorCode::InvalidRequest, message)
        })
    }

    /// Writes a key.
    pub fn to_hex(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }
}

/// The cache of one model's vectors in a file.
#[derive(Debug)]
pub struct VectorCache<'a> {
    path: &'a str,
    model: u64,
    dimensions: u32,
}

impl<'a> VectorCache<'a> {
    /// The cache in this file, which need not be there yet.
    pub fn new(path: &'a str, model: &Model) -> Self {
        Self {
            path,
            model: model.digest(),
            dimensions: model.dimensions,
        }
    }

    /// The vectors of these texts that are there, as little-endian 32-bit floats, each once, in no order that means something.
    pub fn read(&self, keys: &[Key]) -> Result<Vec<(Key, Vec<u8>)>, Error> {
        let file = match File::open(self.path) {
            Ok(file) => file,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(self.failed("opened", cause)),
        };
        file.lock_shared().map_err(|cause| self.failed("locked", cause))?;
        let mut wanted: HashSet<Key> = keys.iter().copied().collect();
        let mut found = Vec::new();
        self.walk(&file, |head, rest| {
            if head.model == self.model && head.count == self.dimensions && wanted.contains(&head.key) {
                // Damaged numbers are passed over: a whole record of the same text may follow.
                if let Some(numbers) = record::numbers(&head, &rest.all()?) {
                    wanted.remove(&head.key);
                    found.push((head.key, numbers.to_vec()));
                }
            }
            Ok(!wanted.is_empty())
        })?;
        Ok(found)
    }

    /// Adds vectors of texts that are not there yet, and says how many those were.
    pub fn add(&self, vectors: &[(Key, Vec<u8>)]) -> Result<usize, Error> {
        let length = self.dimensions as usize * 4;
        if let Some((_, wrong)) = vectors.iter().find(|(_, numbers)| numbers.len() != length) {
            let message = format!(
                "a vector has {} bytes where its model's have {length}",
                wrong.len()
            );
            return Err(Error::new(ErrorCode::InvalidRequest, message));
        }
        if self.dimensions == 0 || self.dimensions > record::LONGEST {
            let message = format!(
                "vectors have from 1 to {} numbers, not {}",
                record::LONGEST,
                self.dimensions
            );
            return Err(Error::new(ErrorCode::InvalidRequest, message));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(self.path)
            .map_err(|cause| self.failed("opened", cause))?;
        file.lock().map_err(|cause| self.failed("locked", cause))?;
        let mut new: HashSet<Key> = vectors.iter().map(|(key, _)| *key).collect();
        let end = self.walk(&file, |head, rest| {
            if head.model == self.model
                && new.contains(&head.key)
                && record::numbers(&head, &rest.all()?).is_some()
            {
                new.remove(&head.key);
            }
            Ok(true)
        })?;
        let mut added = 0;
        let mut bytes = if end == 0 { MAGIC.to_vec() } else { Vec::new() };
        for (key, numbers) in vectors.iter().filter(|(key, _)| new.remove(key)) {
            let head = Head {
                model: self.model,
                key: *key,
                count: self.dimensions,
            };
            record::write(&head, numbers, &mut bytes);
            added += 1;
        }
        if added > 0 {
            file.set_len(end)
                .and_then(|()| file.seek(SeekFrom::Start(end)))
                .and_then(|_| file.write_all(&bytes))
                .and_then(|()| file.sync_data())
                .map_err(|cause| self.failed("written", cause))?;
        }
        Ok(added)
    }

    /// Goes from record to record as long as `each` says so; answers with where the last whole one ends.
    fn walk(
        &self,
        file: &File,
        mut each: impl FnMut(Head, &mut Rest<'_, '_>) -> std::io::Result<bool>,
    ) -> Result<u64, Error> {
        let failed = |cause| self.failed("read", cause);
        let length = file.metadata().map_err(failed)?.len();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut magic = [0; MAGIC.len()];
        if length < magic.len() as u64 {
            return self.begins(&mut reader, length).map(|()| 0);
        }
        reader.read_exact(&mut magic).map_err(failed)?;
        if &magic != MAGIC {
            return Err(self.not_ours());
        }
        let mut end = magic.len() as u64;
        let mut bytes = [0; HEAD];
        while end + HEAD as u64 <= length {
            reader.read_exact(&mut bytes).map_err(failed)?;
            let Some(head) = Head::read(&bytes) else { break };
            let next = end + HEAD as u64 + head.rest();
            if next > length {
                break;
            }
            let mut rest = Rest {
                reader: &mut reader,
                left: head.rest(),
            };
            let go_on = each(head, &mut rest).map_err(failed)?;
            rest.skip().map_err(failed)?;
            if !go_on {
                break;
            }
            end = next;
        }
        Ok(end)
    }

    /// A file that is too short for a beginning may hold the beginning of one, and nothing else.
    fn begins(&self, reader: &mut impl Read, length: u64) -> Result<(), Error> {
        let mut start = Vec::new();
        reader
            .take(length)
            .read_to_end(&mut start)
            .map_err(|cause| self.failed("read", cause))?;
        if MAGIC.starts_with(&start) {
            Ok(())
        } else {
            Err(self.not_ours())
        }
    }

    fn not_ours(&self) -> Error {
        let path = self.path;
        let message = format!("`{path}` is no vector cache of this version; give another path, or remove it");
        Error::new(ErrorCode::CacheFailed, message)
    }

    fn failed(&self, doing: &str, cause: std::io::Error) -> Error {
        Error::of_file(self.path, doing, cause)
    }
}

/// What stands behind a head: read when it is wanted, else passed over.
struct Rest<'r, 'f> {
    reader: &'r mut BufReader<&'f File>,
    left: u64,
}

impl Rest<'_, '_> {
    /// The bytes; longer vectors than the engine takes are no records.
    fn all(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.left).unwrap_or(0)];
        self.reader.read_exact(&mut bytes)?;
        self.left = 0;
        Ok(bytes)
    }

    fn skip(&mut self) -> std::io::Result<()> {
        self.reader.seek_relative(i64::try_from(self.left).unwrap_or(0))
    }
}
