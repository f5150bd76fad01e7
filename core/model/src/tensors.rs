//! Weights in safetensors files, read one tensor at a time. Knows no model: names, shapes and numbers only.
//!
//! The format is eight bytes of length, a JSON header, and the numbers. Reading it here, instead of through the library
//! that wants the whole file in memory, halves what loading takes at its peak.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom};

use half::{bf16, f16};
use serde::Deserialize;

use crate::error::{ModelError, ModelErrorCode, Result};
use crate::files::{ModelFiles, Source};

/// The longest header that is read; that of a hundred layers has some 200 kB.
const LONGEST_HEADER: u64 = 16 << 20;
/// The most that a model's weights may take.
const MOST_BYTES: u64 = 4 << 30;
/// How much is read at a time; a multiple of every element's size.
const PIECE: usize = 1 << 18;

/// The tensors of a model, by name.
#[derive(Debug)]
pub(crate) struct Tensors {
    files: Vec<(String, Source)>,
    entries: BTreeMap<String, Entry>,
}

/// Where a tensor is.
#[derive(Debug, Clone)]
struct Entry {
    file: usize,
    dtype: Element,
    shape: Vec<usize>,
    start: u64,
    bytes: u64,
}

/// The header's word for a tensor.
#[derive(Deserialize)]
struct Described {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

/// How a number is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    F64,
    F32,
    F16,
    Bf16,
    I64,
    I32,
    I8,
    /// One that no weight here has; only an error when it is asked for. With its size in bytes.
    Other(u64),
}

impl Element {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "F64" => Self::F64,
            "F32" => Self::F32,
            "F16" => Self::F16,
            "BF16" => Self::Bf16,
            "I64" => Self::I64,
            "I32" => Self::I32,
            "I8" => Self::I8,
            "U64" => Self::Other(8),
            "U32" => Self::Other(4),
            "I16" | "U16" => Self::Other(2),
            "U8" | "BOOL" | "F8_E4M3" | "F8_E5M2" => Self::Other(1),
            _ => return None,
        })
    }

    const fn size(self) -> u64 {
        match self {
            Self::F64 | Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::I8 => 1,
            Self::Other(size) => size,
        }
    }
}

/// A table of rows in the precision it was stored in.
#[derive(Debug, Clone)]
pub(crate) enum Table {
    F32(Vec<f32>),
    F16(Vec<f16>),
    Bf16(Vec<bf16>),
    I8(Vec<i8>),
}

impl Table {
    /// Adds `factor` times row `row` of `target.len()` values; `false` when there is no such row.
    pub(crate) fn add_row(&self, row: usize, factor: f32, target: &mut [f32]) -> bool {
        fn add<T: Copy>(values: &[T], row: usize, target: &mut [f32], to: impl Fn(T) -> f32) -> bool {
            let width = target.len();
            let Some(values) = values.get(row.saturating_mul(width)..) else {
                return false;
            };
            let Some(values) = values.get(..width) else {
                return false;
            };
            for (target, value) in target.iter_mut().zip(values) {
                *target += to(*value);
            }
            true
        }
        match self {
            Self::F32(values) => add(values, row, target, |value| value * factor),
            Self::F16(values) => add(values, row, target, |value| value.to_f32() * factor),
            Self::Bf16(values) => add(values, row, target, |value| value.to_f32() * factor),
            Self::I8(values) => add(values, row, target, |value| f32::from(value) * factor),
        }
    }
}

impl Tensors {
    /// Reads the headers of these files.
    pub(crate) fn open(files: &ModelFiles, names: &[String]) -> Result<Self> {
        let mut tensors = Self {
            files: Vec::new(),
            entries: BTreeMap::new(),
        };
        let mut bytes = 0;
        for name in names {
            let source = files.open(name)?.ok_or_else(|| files.missing(name))?;
            bytes += source.length;
            if bytes > MOST_BYTES {
                return Err(ModelError::unsupported(
                    name,
                    format!("the weights have more than {MOST_BYTES} bytes"),
                ));
            }
            tensors.add(name, source)?;
        }
        Ok(tensors)
    }

    fn add(&mut self, name: &str, mut source: Source) -> Result<()> {
        let bad = |why: &dyn std::fmt::Display| ModelError::unreadable(name, why);
        let mut length = [0; 8];
        source
            .reader
            .read_exact(&mut length)
            .map_err(|error| bad(&error))?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_HEADER || length > source.length.saturating_sub(8) {
            return Err(bad(&format!("its header claims {length} bytes")));
        }
        let mut header = Vec::new();
        source
            .reader
            .by_ref()
            .take(length)
            .read_to_end(&mut header)
            .map_err(|error| bad(&error))?;
        let header: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&header)
            .map_err(|error| bad(&format!("its header is not JSON: {error}")))?;
        let data = source.length - 8 - length;
        let mut ranges = Vec::new();
        for (tensor, described) in header {
            if tensor == "__metadata__" {
                continue;
            }
            let entry = entry(self.files.len(), &described, 8 + length, data).ok_or_else(|| {
                bad(&format!(
                    "tensor `{tensor}` is not described well, or lies outside the file"
                ))
            })?;
            ranges.push((entry.start, entry.start + entry.bytes));
            if self.entries.insert(tensor.clone(), entry).is_some() {
                return Err(ModelError::mismatch(
                    name,
                    format!("tensor `{tensor}` stands in two files"),
                ));
            }
        }
        // Tensors that share their bytes would let a small file fill a large memory.
        ranges.sort_unstable();
        if ranges
            .windows(2)
            .any(|pair| matches!(pair, [one, next] if next.0 < one.1))
        {
            return Err(bad(&"its tensors overlap"));
        }
        self.files.push((name.to_owned(), source));
        Ok(())
    }

    /// The first of these names that there is.
    pub(crate) fn find(&self, names: &[String]) -> Option<String> {
        names
            .iter()
            .find(|name| self.entries.contains_key(*name))
            .cloned()
    }

    /// The shape of a tensor.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.entries.get(name).map(|entry| entry.shape.as_slice())
    }

    /// The numbers of a tensor of this shape, row major.
    pub(crate) fn floats(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let entry = self.entry(name, Some(shape))?;
        match entry.dtype {
            Element::F64 =>
            {
                #[allow(clippy::cast_possible_truncation, reason = "vectors have single precision")]
                self.read(
                    name,
                    &entry,
                    |bytes: [u8; 8]| f64::from_le_bytes(bytes) as f32,
                    |value| value.is_finite(),
                )
            }
            Element::F32 => self.read(name, &entry, f32::from_le_bytes, |value| value.is_finite()),
            Element::F16 => self.read(
                name,
                &entry,
                |bytes| f16::from_le_bytes(bytes).to_f32(),
                |value| value.is_finite(),
            ),
            Element::Bf16 => self.read(
                name,
                &entry,
                |bytes| bf16::from_le_bytes(bytes).to_f32(),
                |value| value.is_finite(),
            ),
            Element::I8 => self.read(
                name,
                &entry,
                |bytes| f32::from(i8::from_le_bytes(bytes)),
                |_| true,
            ),
            Element::I32 | Element::I64 | Element::Other(_) => Err(self.strange(name, &entry)),
        }
    }

    /// A table of `rows` × `width`, kept as small as it is stored.
    pub(crate) fn table(&mut self, name: &str, shape: &[usize]) -> Result<Table> {
        let entry = self.entry(name, Some(shape))?;
        Ok(match entry.dtype {
            Element::F16 => {
                Table::F16(self.read(name, &entry, f16::from_le_bytes, |value| value.is_finite())?)
            }
            Element::Bf16 => {
                Table::Bf16(self.read(name, &entry, bf16::from_le_bytes, |value| value.is_finite())?)
            }
            Element::I8 => Table::I8(self.read(name, &entry, i8::from_le_bytes, |_| true)?),
            _ => Table::F32(self.floats(name, shape)?),
        })
    }

    /// Places in a table, each at least zero.
    pub(crate) fn places(&mut self, name: &str) -> Result<Vec<usize>> {
        let entry = self.entry(name, None)?;
        let numbers: Vec<i64> = match entry.dtype {
            Element::I64 => self.read(name, &entry, i64::from_le_bytes, |_| true)?,
            Element::I32 => self.read(
                name,
                &entry,
                |bytes| i64::from(i32::from_le_bytes(bytes)),
                |_| true,
            )?,
            _ => return Err(self.strange(name, &entry)),
        };
        let places: Option<Vec<usize>> = numbers
            .into_iter()
            .map(|number| usize::try_from(number).ok())
            .collect();
        places.ok_or_else(|| {
            ModelError::mismatch(
                self.file(&entry),
                format!("tensor `{name}` has a place below zero"),
            )
        })
    }

    fn entry(&self, name: &str, shape: Option<&[usize]>) -> Result<Entry> {
        let file = self.files.first().map_or("model.safetensors", |(file, _)| file);
        let Some(entry) = self.entries.get(name) else {
            return Err(
                ModelError::mismatch(file, format!("there is no tensor `{name}`")).with("tensor", name)
            );
        };
        if let Some(shape) = shape.filter(|shape| *shape != entry.shape) {
            let why = format!("tensor `{name}` has the shape {:?}, not {shape:?}", entry.shape);
            return Err(ModelError::mismatch(self.file(entry), why).with("tensor", name));
        }
        Ok(entry.clone())
    }

    fn file(&self, entry: &Entry) -> &str {
        self.files
            .get(entry.file)
            .map_or("model.safetensors", |(file, _)| file)
    }

    fn strange(&self, name: &str, entry: &Entry) -> ModelError {
        let why = format!("tensor `{name}` holds {:?}, which is no weight here", entry.dtype);
        ModelError::unsupported(self.file(entry), why).with("tensor", name)
    }

    fn read<T, const SIZE: usize>(
        &mut self,
        name: &str,
        entry: &Entry,
        number: impl Fn([u8; SIZE]) -> T,
        finite: impl Fn(&T) -> bool,
    ) -> Result<Vec<T>> {
        let Some((file, source)) = self.files.get_mut(entry.file) else {
            return Err(ModelError::mismatch(name, "its file is gone"));
        };
        let bad = |error: std::io::Error| ModelError::unreadable(file, error);
        source.reader.seek(SeekFrom::Start(entry.start)).map_err(bad)?;
        // The range lies within the file, so this is no more than the file has.
        let mut values = Vec::with_capacity(entry.shape.iter().product());
        let mut piece = vec![0; PIECE];
        let mut left = entry.bytes;
        while left > 0 {
            let here = usize::try_from(left).map_or(PIECE, |left| left.min(PIECE));
            let piece = piece.get_mut(..here).unwrap_or_default();
            source.reader.read_exact(piece).map_err(bad)?;
            let (numbers, _) = piece.as_chunks::<SIZE>();
            values.extend(numbers.iter().map(|bytes| number(*bytes)));
            left -= here as u64;
        }
        if values.iter().all(finite) {
            Ok(values)
        } else {
            let message = format!("tensor `{name}` in {file} holds NaN or infinity");
            Err(ModelError::new(ModelErrorCode::NotFinite, message)
                .with("file", file.as_str())
                .with("tensor", name))
        }
    }
}

/// Reads the header's word for a tensor; `None` when it contradicts itself or the length of the data.
fn entry(file: usize, described: &serde_json::Value, first: u64, data: u64) -> Option<Entry> {
    let Described {
        dtype,
        shape,
        data_offsets: (start, end),
    } = Described::deserialize(described).ok()?;
    let dtype = Element::named(&dtype)?;
    let elements = shape.iter().try_fold(1_u64, |all, size| all.checked_mul(*size))?;
    let bytes = end.checked_sub(start)?;
    if end > data || elements.checked_mul(dtype.size())? != bytes {
        return None;
    }
    Some(Entry {
        file,
        dtype,
        shape: shape
            .into_iter()
            .map(usize::try_from)
            .collect::<Result<_, _>>()
            .ok()?,
        start: first + start,
        bytes,
    })
}
