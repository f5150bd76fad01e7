//! Vectors in the form in which they are stored: one row for each text, in the order of the documents.
//! Knows nothing of files and items.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::unit::Unit;
use super::{Key, Model, Vectors};

/// The vectors of documents; idle rows are not stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedVectors<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    revision: Cow<'a, str>,
    dimensions: u32,
    keys: Vec<[u8; 16]>,
    scales: Vec<u32>,
    /// Rows one after the other, as bytes.
    #[serde(borrow)]
    coarse: Cow<'a, [u8]>,
    #[serde(borrow)]
    fine: Cow<'a, [u8]>,
}

impl Vectors {
    /// The form to be stored, of the documents at these slots; nothing without a model.
    pub fn save(&self, slots: &[u32]) -> Option<SavedVectors<'_>> {
        let model = self.model.as_deref()?;
        let mut seen = HashSet::new();
        let (mut keys, mut scales) = (Vec::new(), Vec::new());
        let (mut coarse, mut fine) = (Vec::new(), Vec::new());
        for slot in slots {
            let key = self.passages.get(*slot).and_then(|passage| passage.key);
            let row = self.places.get(*slot).and_then(|row| self.table.row(row));
            let (Some(key), Some(row)) = (key, row) else {
                continue;
            };
            if seen.insert(key) {
                keys.push(key.bytes());
                scales.push(row.scale);
                coarse.extend(row.coarse.iter().map(|number| number.cast_unsigned()));
                fine.extend_from_slice(row.fine);
            }
        }
        Some(SavedVectors {
            id: Cow::Borrowed(&model.id),
            revision: Cow::Borrowed(&model.revision),
            dimensions: model.dimensions,
            keys,
            scales,
            coarse: Cow::Owned(coarse),
            fine: Cow::Owned(fine),
        })
    }

    /// Takes what was stored and documents wait for; nothing when another model made it. `None` when it does not hold together.
    pub fn load(&mut self, saved: &SavedVectors<'_>) -> Option<()> {
        let stored = Model {
            id: saved.id.to_string(),
            revision: saved.revision.to_string(),
            dimensions: saved.dimensions,
            scripts: None,
            is_english: false,
        };
        let dimensions = saved.dimensions as usize;
        let (rows, half) = (saved.keys.len(), dimensions.div_ceil(2));
        if (saved.scales.len(), saved.coarse.len(), saved.fine.len())
            != (rows, rows.checked_mul(dimensions)?, rows.checked_mul(half)?)
        {
            return None;
        }
        if !self.model.as_ref().is_some_and(|model| model.is_same(&stored)) {
            return Some(());
        }
        let parts = saved
            .coarse
            .chunks_exact(dimensions.max(1))
            .zip(saved.fine.chunks_exact(half.max(1)));
        for ((key, scale), (coarse, fine)) in saved.keys.iter().zip(&saved.scales).zip(parts) {
            let unit = Unit {
                scale: *scale,
                coarse: coarse.iter().map(|byte| byte.cast_signed()).collect(),
                fine: fine.to_vec(),
            };
            if !unit.is_sound() {
                return None;
            }
            self.store_unit(Key::from_bytes(*key), &unit);
        }
        Some(())
    }
}
