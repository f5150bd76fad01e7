//! The postings of all terms, each in a place of about its size. Knows nothing of terms.
//!
//! Most terms of a catalog stand in one document, and most others in a few: those lie in cells of two, four, eight or sixteen
//! words, which cost no allocation of their own and no count of references. What does not fit is a run, and then a list of runs
//! and columns ([`super::chunk`]), each copied cheaply when a published index changes.

use std::sync::Arc;

use super::chunk::{List, RUN_MOST, Run};
use super::postings::Postings;
use super::slab::{Cell, END, Slab};

/// Where the postings of a term are: what kind of place, and the place, or the only posting itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) kind: Kind,
    pub(crate) value: u32,
}

/// A kind of place, by how much it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No posting; the value is free for others to use.
    Vacant,
    /// One, which is the value.
    One,
    /// A cell of two.
    Two,
    /// A cell of four.
    Four,
    /// A cell of eight.
    Eight,
    /// A cell of sixteen.
    Sixteen,
    /// A run or a list.
    Long,
}

/// A place for more postings than a cell holds.
#[derive(Debug, Clone)]
enum Long {
    Free(u32),
    Run(Arc<Run>),
    List(Arc<List>),
}

impl Default for Long {
    fn default() -> Self {
        Self::Free(END)
    }
}

impl Cell for Long {
    fn free(next: u32) -> Self {
        Self::Free(next)
    }

    fn next(&self) -> u32 {
        match self {
            Self::Free(next) => *next,
            _ => END,
        }
    }
}

/// The most postings of a cell.
const CELL_MOST: usize = 16;
/// The fewest postings that do not go back to a cell.
const LONG_LEAST: u32 = 8;

/// The places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store {
    twos: Slab<[u32; 2], 32>,
    fours: Slab<[u32; 4], 16>,
    eights: Slab<[u32; 8], 8>,
    sixteens: Slab<[u32; 16], 4>,
    longs: Slab<Long, 8>,
}

impl Place {
    /// No posting.
    pub(crate) const VACANT: Self = Self {
        kind: Kind::Vacant,
        value: END,
    };

    const fn one(word: u32) -> Self {
        Self {
            kind: Kind::One,
            value: word,
        }
    }
}

impl Store {
    pub(crate) fn weigh(&self, add: &mut impl FnMut(&str, usize)) {
        self.twos.weigh("store 2", add);
        self.fours.weigh("store 4", add);
        self.eights.weigh("store 8", add);
        self.sixteens.weigh("store 16", add);
        self.longs.weigh("store long", add);
    }
    /// What is at a place.
    #[inline]
    pub(crate) fn read<'a>(&'a self, kind: Kind, value: &'a u32) -> Postings<'a> {
        let words: &[u32] = match kind {
            Kind::Vacant => &[],
            Kind::One => std::slice::from_ref(value),
            Kind::Two => used(self.twos.get(*value)),
            Kind::Four => used(self.fours.get(*value)),
            Kind::Eight => used(self.eights.get(*value)),
            Kind::Sixteen => used(self.sixteens.get(*value)),
            Kind::Long => match self.longs.get(*value) {
                Some(Long::Run(run)) => run.words(),
                Some(Long::List(list)) => return Postings::List(list),
                _ => &[],
            },
        };
        Postings::Words(words)
    }

    /// Adds a document that is not there yet; answers where the postings are now.
    pub(crate) fn insert(&mut self, place: Place, slot: u32, impact: u8) -> Place {
        let word = slot << 8 | u32::from(impact);
        let value = place.value;
        let full = match place.kind {
            Kind::Vacant => return Place::one(word),
            Kind::One => return self.twos_of(value, word),
            Kind::Two => insert(&mut self.twos, value, word),
            Kind::Four => insert(&mut self.fours, value, word),
            Kind::Eight => insert(&mut self.eights, value, word),
            Kind::Sixteen => insert(&mut self.sixteens, value, word),
            Kind::Long => {
                if let Some(long) = self.longs.get_mut(value) {
                    long.insert(slot, impact);
                }
                false
            }
        };
        if !full {
            return place;
        }
        let mut words = [0; CELL_MOST + 1];
        let count = self.take_out(place, &mut words);
        let at = words.iter().take(count).take_while(|other| **other < word).count();
        if let Some(behind) = words.get_mut(at..=count) {
            behind.rotate_right(1);
            if let Some(first) = behind.first_mut() {
                *first = word;
            }
        }
        self.put(words.get(..=count).unwrap_or_default())
    }

    /// Takes a document out; a place that has far more room than postings is given back for a smaller one.
    pub(crate) fn remove(&mut self, place: Place, slot: u32) -> Place {
        let value = place.value;
        let fits = match place.kind {
            Kind::Vacant => return place,
            Kind::One if value >> 8 == slot => return Place::VACANT,
            Kind::One => return place,
            Kind::Two => remove(&mut self.twos, value, slot),
            Kind::Four => remove(&mut self.fours, value, slot),
            Kind::Eight => remove(&mut self.eights, value, slot),
            Kind::Sixteen => remove(&mut self.sixteens, value, slot),
            Kind::Long => self.longs.get_mut(value).is_some_and(|long| long.remove(slot) >= LONG_LEAST),
        };
        if fits {
            return place;
        }
        let mut words = [0; CELL_MOST + 1];
        let count = self.take_out(place, &mut words);
        self.put(words.get(..count).unwrap_or_default())
    }

    /// Takes a place of about the size of ascending words for them.
    pub(crate) fn put(&mut self, words: &[u32]) -> Place {
        let (kind, value) = match words {
            [] => return Place::VACANT,
            [word] => return Place::one(*word),
            [_, _] => (Kind::Two, self.twos.take(cell(words))),
            _ if words.len() <= 4 => (Kind::Four, self.fours.take(cell(words))),
            _ if words.len() <= 8 => (Kind::Eight, self.eights.take(cell(words))),
            _ if words.len() <= CELL_MOST => (Kind::Sixteen, self.sixteens.take(cell(words))),
            _ => (Kind::Long, self.longs.take(Long::of(words))),
        };
        Place { kind, value }
    }

    /// Adds ascending words of documents that are not there yet.
    pub(crate) fn merge(&mut self, place: Place, more: &[u32], scratch: &mut Vec<u32>) -> Place {
        if place.kind == Kind::Long {
            if let Some(long) = self.longs.get_mut(place.value) {
                long.merge(more, scratch);
            }
            return place;
        }
        let mut words = [0; CELL_MOST + 1];
        let count = match place.kind {
            Kind::Vacant => return self.put(more),
            _ => self.take_out(place, &mut words),
        };
        merge(words.get(..count).unwrap_or_default(), more, scratch);
        self.put(scratch)
    }

    fn twos_of(&mut self, one: u32, other: u32) -> Place {
        Place {
            kind: Kind::Two,
            value: self.twos.take([one.min(other), one.max(other)]),
        }
    }

    /// Gives a place back; its words, of which there are no more than a cell holds, are copied.
    fn take_out(&mut self, place: Place, to: &mut [u32; CELL_MOST + 1]) -> usize {
        let Place { kind, value } = place;
        match kind {
            Kind::Vacant => 0,
            Kind::One => copy(&[value], to),
            Kind::Two => copy(&self.twos.give_back(value), to),
            Kind::Four => copy(&self.fours.give_back(value), to),
            Kind::Eight => copy(&self.eights.give_back(value), to),
            Kind::Sixteen => copy(&self.sixteens.give_back(value), to),
            Kind::Long => match self.longs.give_back(value) {
                Long::Free(_) => 0,
                Long::Run(run) => copy(run.words(), to),
                Long::List(list) => copy(&list.to_words(), to),
            },
        }
    }
}

/// Many places, made at once.
#[derive(Debug, Default)]
pub(crate) struct StoreBuilder {
    twos: Vec<[u32; 2]>,
    fours: Vec<[u32; 4]>,
    eights: Vec<[u32; 8]>,
    sixteens: Vec<[u32; 16]>,
    longs: Vec<Long>,
}

impl StoreBuilder {
    /// Takes a place for ascending words.
    pub(crate) fn put(&mut self, words: &[u32]) -> Place {
        let (kind, value) = match words {
            [] => return Place::VACANT,
            [word] => return Place::one(*word),
            [_, _] => (Kind::Two, push(&mut self.twos, cell(words))),
            _ if words.len() <= 4 => (Kind::Four, push(&mut self.fours, cell(words))),
            _ if words.len() <= 8 => (Kind::Eight, push(&mut self.eights, cell(words))),
            _ if words.len() <= CELL_MOST => (Kind::Sixteen, push(&mut self.sixteens, cell(words))),
            _ => (Kind::Long, push(&mut self.longs, Long::of(words))),
        };
        Place { kind, value }
    }

    /// The places.
    pub(crate) fn build(self) -> Store {
        Store {
            twos: self.twos.into(),
            fours: self.fours.into(),
            eights: self.eights.into(),
            sixteens: self.sixteens.into(),
            longs: self.longs.into(),
        }
    }
}

impl Long {
    fn of(words: &[u32]) -> Self {
        if words.len() <= RUN_MOST {
            Self::Run(Arc::new(Run::from_words(words)))
        } else {
            Self::List(Arc::new(List::from_words(words)))
        }
    }

    fn insert(&mut self, slot: u32, impact: u8) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) if (run.count() as usize) < RUN_MOST => Arc::make_mut(run).insert(slot, impact),
            Self::Run(run) => {
                let mut list = List::from_run(Run::clone(run));
                list.insert(slot, impact);
                *self = Self::List(Arc::new(list));
            }
            Self::List(list) => Arc::make_mut(list).insert(slot, impact),
        }
    }

    /// Takes a document out; answers how many are left.
    fn remove(&mut self, slot: u32) -> u32 {
        match self {
            Self::Free(_) => 0,
            Self::Run(run) => {
                let run = Arc::make_mut(run);
                run.remove(slot);
                run.count()
            }
            Self::List(list) => {
                let left = Arc::make_mut(list);
                left.remove(slot);
                let count = left.count();
                if count as usize <= RUN_MOST / 4 {
                    *self = Self::Run(Arc::new(Run::from_words(&left.to_words())));
                }
                count
            }
        }
    }

    fn merge(&mut self, more: &[u32], scratch: &mut Vec<u32>) {
        match self {
            Self::Free(_) => {}
            Self::Run(run) => {
                merge(run.words(), more, scratch);
                *self = Self::of(scratch);
            }
            Self::List(list) => {
                let list = Arc::make_mut(list);
                for (slot, impact) in more.iter().map(|word| super::chunk::unpack(*word)) {
                    list.insert(slot, impact);
                }
            }
        }
    }
}

/// The used words of a cell: they stand first, and none is 0, since no impact is.
#[inline]
fn used<const N: usize>(cell: Option<&[u32; N]>) -> &[u32] {
    let Some(cell) = cell else { return &[] };
    let count = cell.iter().take_while(|word| **word != 0).count();
    cell.get(..count).unwrap_or_default()
}

fn cell<const N: usize>(words: &[u32]) -> [u32; N] {
    let mut cell = [0; N];
    copy(words, &mut cell);
    cell
}

/// Copies the used words to the beginning of others; answers how many those are.
fn copy(words: &[u32], to: &mut [u32]) -> usize {
    let mut count = 0;
    for (to, word) in to.iter_mut().zip(words).take_while(|(_, word)| **word != 0) {
        *to = *word;
        count += 1;
    }
    count
}

fn push<T>(places: &mut Vec<T>, value: T) -> u32 {
    places.push(value);
    u32::try_from(places.len() - 1).unwrap_or(END)
}

/// Puts a word into a cell; says whether there was no room.
fn insert<const N: usize, const LEAF: usize>(
    slab: &mut Slab<[u32; N], LEAF>,
    number: u32,
    word: u32,
) -> bool
where
    [u32; N]: Default,
{
    if slab.get(number).and_then(|cell| cell.last()).is_none_or(|last| *last != 0) {
        return true;
    }
    if let Some(cell) = slab.get_mut(number) {
        let at = cell.iter().take_while(|other| **other != 0 && **other < word).count();
        if let Some(behind) = cell.get_mut(at..) {
            behind.rotate_right(1);
            if let Some(first) = behind.first_mut() {
                *first = word;
            }
        }
    }
    false
}

/// Takes a slot out of a cell; says whether what is left is worth the cell.
fn remove<const N: usize, const LEAF: usize>(
    slab: &mut Slab<[u32; N], LEAF>,
    number: u32,
    slot: u32,
) -> bool
where
    [u32; N]: Default,
{
    let Some(cell) = slab.get_mut(number) else { return true };
    let (mut kept, mut count) = ([0; N], 0);
    let left = cell.iter().filter(|word| **word != 0 && **word >> 8 != slot);
    for (to, word) in kept.iter_mut().zip(left) {
        *to = *word;
        count += 1;
    }
    *cell = kept;
    count > N / 4
}

/// Both ascending rows as one.
fn merge(left: &[u32], right: &[u32], to: &mut Vec<u32>) {
    to.clear();
    to.extend_from_slice(left);
    to.extend_from_slice(right);
    if left.last() > right.first() {
        to.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn read(store: &Store, place: Place) -> Vec<(u32, u8)> {
        let mut all = Vec::new();
        let postings = store.read(place.kind, &place.value);
        postings.for_each(&mut |slot, impact| all.push((slot, impact)));
        assert_eq!(postings.count() as usize, all.len());
        all
    }

    fn words(map: &BTreeMap<u32, u8>) -> Vec<u32> {
        map.iter().map(|(slot, impact)| slot << 8 | u32::from(*impact)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn they_read_like_a_sorted_map_and_a_clone_keeps_what_it_had(
            seed in any::<u64>(), steps in 1usize..6_000, width in 1u32..60_000, grow in 45u32..100,
        ) {
            let mut state = seed | 1;
            let mut next = move |below: u32| { state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1); ((state >> 33) as u32) % below };
            let (mut store, mut place, mut map) = (Store::default(), Place::VACANT, BTreeMap::new());
            let mut old = (store.clone(), place, Vec::new());
            for step in 0..steps {
                if step == steps / 2 { old = (store.clone(), place, map.iter().map(|(k, v)| (*k, *v)).collect()); }
                let slot = next(width);
                if next(100) < grow {
                    if let std::collections::btree_map::Entry::Vacant(free) = map.entry(slot) {
                        let impact = u8::try_from(next(255) + 1).unwrap();
                        free.insert(impact);
                        place = store.insert(place, slot, impact);
                    }
                } else { place = store.remove(place, slot); map.remove(&slot); }
            }
            let expected: Vec<_> = map.iter().map(|(k, v)| (*k, *v)).collect();
            prop_assert_eq!(&read(&store, place), &expected);
            let mut builder = StoreBuilder::default();
            let built = builder.put(&words(&map));
            prop_assert_eq!(read(&builder.build(), built), expected);
            let postings = store.read(place.kind, &place.value);
            for slot in (0..width).step_by(1 + width as usize / 300) { prop_assert_eq!(postings.impact(slot), map.get(&slot).copied().unwrap_or(0)); }
            prop_assert_eq!(read(&old.0, old.1), old.2);
            for slot in map.keys().copied().collect::<Vec<_>>() { place = store.remove(place, slot); }
            prop_assert_eq!(place.kind, Kind::Vacant);
        }

        #[test]
        fn what_is_added_at_once_reads_like_what_is_added_one_by_one(
            map in proptest::collection::btree_map(0u32..20_000, 1u8.., 0..1_500), cuts in proptest::collection::vec(0u32..20_000, 0..6), many in 0usize..600,
        ) {
            let (mut store, mut place, mut scratch) = (Store::default(), Place::VACANT, Vec::new());
            // Each part lies among the others, or behind them.
            let parts = cuts.iter().map(|cut| cut % 7).collect::<std::collections::BTreeSet<_>>();
            let of = |slot: u32| if many < 300 { slot / 3_000 } else { slot % 7 };
            for part in parts {
                let more = map.iter().filter(|entry| of(*entry.0) == part).map(|(k, v)| (*k, *v)).collect();
                place = store.merge(place, &words(&more), &mut scratch);
            }
            let expected: Vec<_> = map.iter().map(|(k, v)| (*k, *v))
                .filter(|entry| cuts.iter().any(|cut| cut % 7 == of(entry.0))).collect();
            prop_assert_eq!(read(&store, place), expected);
        }
    }

    #[test]
    fn a_term_that_comes_and_goes_takes_no_more_places() {
        let mut store = Store::default();
        for round in 0..200 {
            let mut place = Place::VACANT;
            for slot in 0..40 {
                place = store.insert(place, slot, 1 + round);
            }
            for slot in 0..40 {
                place = store.remove(place, slot);
            }
            assert_eq!(place.kind, Kind::Vacant);
        }
        let used = [store.twos.used(), store.fours.used(), store.eights.used(), store.sixteens.used()];
        assert_eq!((used, store.longs.used()), ([1; 4], 1));
    }
}
