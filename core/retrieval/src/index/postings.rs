//! The documents of one term: slots in ascending order, each with its impact. Knows nothing of terms and scores.
//!
//! Three sizes, each copied cheaply when a published index changes: up to three postings lie inside the value itself (most
//! terms of a catalog are that rare), up to [`RUN_MOST`] in one run, more in a list of runs and columns ([`super::chunk`]).

use std::sync::Arc;

use super::chunk::{List, RUN_MOST, Run, unpack};

/// The postings of a term; its impacts are never 0.
#[derive(Debug, Clone)]
pub(crate) enum Postings {
    /// No document; the number is free for the dictionary to link free places.
    Vacant(u32),
    /// One to three documents; an impact of 0 marks an unused place.
    Few { impacts: [u8; 3], slots: [u32; 3] },
    /// Up to `RUN_MOST` documents.
    Run(Arc<Run>),
    /// Many documents.
    List(Arc<List>),
}

impl Default for Postings {
    fn default() -> Self {
        Self::Vacant(u32::MAX)
    }
}

impl Postings {
    /// How many documents have the term.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        match self {
            Self::Vacant(_) => 0,
            Self::Few { impacts, .. } => impacts.iter().map(|impact| u32::from(*impact != 0)).sum(),
            Self::Run(run) => run.count(),
            Self::List(list) => list.count(),
        }
    }

    /// Visits the documents in order, each with its impact.
    pub(crate) fn for_each(&self, visit: &mut impl FnMut(u32, u8)) {
        match self {
            Self::Vacant(_) => {}
            Self::Few { impacts, slots } => {
                few(impacts, slots).for_each(|(slot, impact)| visit(slot, impact))
            }
            Self::Run(run) => run.iter().for_each(|(slot, impact)| visit(slot, impact)),
            Self::List(list) => list.for_each(visit),
        }
    }

    /// The postings of sorted words, each `slot << 8 | impact`.
    pub(crate) fn from_words(words: &[u32]) -> Self {
        match words.len() {
            0..=3 => {
                let mut entries = [(0, 0); 3];
                for (entry, word) in entries.iter_mut().zip(words) {
                    *entry = unpack(*word);
                }
                Self::from_sorted(entries.get(..words.len()).unwrap_or_default())
            }
            4..=RUN_MOST => Self::Run(Arc::new(Run::from_words(words))),
            _ => Self::List(Arc::new(List::from_words(words))),
        }
    }

    /// What the term weighs in a document; 0 when the document does not have it.
    pub(crate) fn impact(&self, slot: u32) -> u8 {
        match self {
            Self::Vacant(_) => 0,
            Self::Few { impacts, slots } => few(impacts, slots)
                .find(|entry| entry.0 == slot)
                .map_or(0, |entry| entry.1),
            Self::Run(run) => run.impact(slot),
            Self::List(list) => list.impact(slot),
        }
    }

    /// Adds a document that is not there yet.
    pub(crate) fn insert(&mut self, slot: u32, impact: u8) {
        match self {
            Self::Vacant(_) => {
                *self = Self::Few {
                    impacts: [impact, 0, 0],
                    slots: [slot, 0, 0],
                }
            }
            Self::Few { impacts, slots } => {
                let mut sorted = [(slot, impact); 4];
                let mut count = 0;
                let smaller = few(impacts, slots).take_while(|entry| entry.0 < slot);
                let larger = few(impacts, slots).skip_while(|entry| entry.0 < slot);
                for (to, from) in sorted
                    .iter_mut()
                    .zip(smaller.chain([(slot, impact)]).chain(larger))
                {
                    *to = from;
                    count += 1;
                }
                *self = Self::from_sorted(sorted.get(..count).unwrap_or_default());
            }
            Self::Run(run) if (run.count() as usize) < RUN_MOST => Arc::make_mut(run).insert(slot, impact),
            Self::Run(run) => {
                let mut list = List::from_run(Run::clone(run));
                list.insert(slot, impact);
                *self = Self::List(Arc::new(list));
            }
            Self::List(list) => Arc::make_mut(list).insert(slot, impact),
        }
    }

    /// Takes a document out; a value that shrinks far below its size takes the smaller form again.
    pub(crate) fn remove(&mut self, slot: u32) {
        match self {
            Self::Vacant(_) => {}
            Self::Few { impacts, slots } => {
                let left: Vec<(u32, u8)> = few(impacts, slots).filter(|entry| entry.0 != slot).collect();
                *self = Self::from_sorted(&left);
            }
            Self::Run(run) => {
                let run = Arc::make_mut(run);
                run.remove(slot);
                if run.count() < 3 {
                    let left: Vec<(u32, u8)> = run.iter().collect();
                    *self = Self::from_sorted(&left);
                }
            }
            Self::List(list) => {
                let list = Arc::make_mut(list);
                list.remove(slot);
                if list.count() as usize <= RUN_MOST / 4 {
                    let mut run = Run::default();
                    list.for_each(&mut |slot, impact| run.insert(slot, impact));
                    *self = Self::Run(Arc::new(run));
                }
            }
        }
    }

    fn from_sorted(entries: &[(u32, u8)]) -> Self {
        match entries {
            [] => Self::default(),
            [_] | [_, _] | [_, _, _] => {
                let (mut impacts, mut slots) = ([0; 3], [0; 3]);
                for ((to_impact, to_slot), (slot, impact)) in impacts.iter_mut().zip(&mut slots).zip(entries)
                {
                    (*to_impact, *to_slot) = (*impact, *slot);
                }
                Self::Few { impacts, slots }
            }
            more => {
                let mut run = Run::default();
                more.iter().for_each(|(slot, impact)| run.insert(*slot, *impact));
                Self::Run(Arc::new(run))
            }
        }
    }
}

/// The used places of a small value.
pub(crate) fn few<'a>(impacts: &'a [u8; 3], slots: &'a [u32; 3]) -> impl Iterator<Item = (u32, u8)> + 'a {
    slots
        .iter()
        .copied()
        .zip(impacts.iter().copied())
        .filter(|(_, impact)| *impact != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn read(postings: &Postings) -> Vec<(u32, u8)> {
        let mut all = Vec::new();
        postings.for_each(&mut |slot, impact| all.push((slot, impact)));
        all
    }

    #[test]
    fn a_value_is_no_larger_than_two_words() {
        assert_eq!(size_of::<Postings>(), 16);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn they_read_like_a_sorted_map_and_a_clone_keeps_what_it_had(
            seed in any::<u64>(), steps in 1usize..6_000, width in 1u32..60_000, grow in 45u32..100,
        ) {
            let mut state = seed | 1;
            let mut next = move |below: u32| { state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1); ((state >> 33) as u32) % below };
            let mut postings = Postings::default();
            let mut map = BTreeMap::new();
            let mut old = (postings.clone(), Vec::new());
            for step in 0..steps {
                if step == steps / 2 { old = (postings.clone(), map.iter().map(|(k, v)| (*k, *v)).collect()); }
                let slot = next(width);
                if next(100) < grow {
                    if let std::collections::btree_map::Entry::Vacant(place) = map.entry(slot) {
                        let impact = u8::try_from(next(255) + 1).unwrap();
                        place.insert(impact);
                        postings.insert(slot, impact);
                    }
                } else { postings.remove(slot); map.remove(&slot); }
            }
            let expected: Vec<_> = map.iter().map(|(k, v)| (*k, *v)).collect();
            prop_assert_eq!(&read(&postings), &expected);
            let words: Vec<u32> = expected.iter().map(|(slot, impact)| slot << 8 | u32::from(*impact)).collect();
            prop_assert_eq!(read(&Postings::from_words(&words)), expected);
            prop_assert_eq!(postings.count() as usize, map.len());
            for slot in (0..width).step_by(1 + width as usize / 300) { prop_assert_eq!(postings.impact(slot), map.get(&slot).copied().unwrap_or(0)); }
            prop_assert_eq!(read(&old.0), old.1);
            for slot in map.keys().copied().collect::<Vec<_>>() { postings.remove(slot); }
            prop_assert_eq!(read(&postings), vec![]);
            prop_assert_eq!(postings.count(), 0);
        }
    }
}
