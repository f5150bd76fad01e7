//! The nearest ids to a misspelt or half-remembered one. Knows nothing of queries.
//!
//! Two names are near when few edits lead from one to the other, or when they share words. The distance is bounded, so a
//! long or hostile request costs no more than a short one.

use crate::index::{Bitmap, Index};
use crate::settled::settled;
use crate::text::name_key;

use super::edits::edits_within;

/// The longest part of a request that is compared.
const COMPARED_MOST: usize = 64;
/// The least similarity, in thousandths, that is worth suggesting.
const SIMILAR_LEAST: u64 = 450;

/// Slots of the nearest visible ids, best first.
pub fn suggest(index: &Index, requested: &str, limit: usize, visible: Option<&Bitmap>) -> Vec<u32> {
    let key: Vec<char> = name_key(requested).chars().take(COMPARED_MOST).collect();
    if key.is_empty() || limit == 0 {
        return Vec::new();
    }
    let words = words(requested);
    let mut found: Vec<(u64, u32)> = Vec::new();
    for slot in 0..index.span() {
        if visible.is_some_and(|visible| !visible.contains(slot)) {
            continue;
        }
        let Some(record) = index.record(slot) else {
            continue;
        };
        let similar = similarity(&key, &words, record.id());
        if similar >= SIMILAR_LEAST {
            found.push((similar, slot));
        }
    }
    let id = |slot: u32| index.record(slot).map_or(&[][..], |record| record.id_bytes());
    let mut found = settled(found, &|left, right| {
        right.0.cmp(&left.0).then_with(|| id(left.1).cmp(id(right.1)))
    });
    found.truncate(limit);
    found.into_iter().map(|(_, slot)| slot).collect()
}

/// Thousandths: the better of the letters' likeness (to the id or to its bare name) and the shared words.
fn similarity(key: &[char], requested_words: &[String], id: &str) -> u64 {
    let bare = id.rsplit("__").next().unwrap_or(id);
    let letters = likeness(key, id).max(if bare.len() < id.len() {
        likeness(key, bare)
    } else {
        0
    });
    let own = words(id);
    let shared = requested_words.iter().filter(|word| own.contains(word)).count() as u64;
    let all = requested_words.len().max(own.len()).max(1) as u64;
    letters.max(900 * shared / all)
}

fn likeness(key: &[char], name: &str) -> u64 {
    let other: Vec<char> = name_key(name).chars().take(COMPARED_MOST).collect();
    let longest = key.len().max(other.len());
    edits_within(key, &other, longest / 2)
        .map_or(0, |edits| 1000 - 1000 * edits as u64 / longest.max(1) as u64)
}

/// The words of an id, lower case, each once.
fn words(id: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for letter in id.chars().take(4 * COMPARED_MOST) {
        let ends = !letter.is_alphanumeric() || (lower_before && letter.is_uppercase());
        if ends && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        lower_before = letter.is_lowercase() || letter.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    let mut words = settled(words, &|left, right| left.cmp(right));
    words.dedup();
    words
}
