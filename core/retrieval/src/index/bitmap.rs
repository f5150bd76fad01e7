//! A set of slots. Knows nothing of what stands at them.

/// Slots, one bit each; a slot beyond the length is not in the set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bitmap {
    words: Vec<u64>,
}

impl Bitmap {
    /// The empty set, with room for slots below a length.
    pub fn with_len(length: usize) -> Self {
        Self {
            words: vec![0; length.div_ceil(64)],
        }
    }

    /// The set of all slots below a length.
    pub fn full(length: usize) -> Self {
        let mut words = vec![u64::MAX; length / 64];
        if !length.is_multiple_of(64) {
            words.push((1 << (length % 64)) - 1);
        }
        Self { words }
    }

    /// Puts a slot into the set; it grows when needed.
    pub fn insert(&mut self, slot: u32) {
        let at = (slot / 64) as usize;
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        if let Some(word) = self.words.get_mut(at) {
            *word |= 1 << (slot % 64);
        }
    }

    /// Takes a slot out of the set.
    pub fn remove(&mut self, slot: u32) {
        if let Some(word) = self.words.get_mut((slot / 64) as usize) {
            *word &= !(1 << (slot % 64));
        }
    }

    /// Whether a slot is in the set.
    pub fn contains(&self, slot: u32) -> bool {
        self.words
            .get((slot / 64) as usize)
            .is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Keeps what is in both sets.
    pub fn and(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        self.words
            .iter_mut()
            .zip(&other.words)
            .for_each(|(word, other)| *word &= other);
    }

    /// Adds what is in the other set.
    pub fn or(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words
            .iter_mut()
            .zip(&other.words)
            .for_each(|(word, other)| *word |= other);
    }

    /// Takes out what is in the other set.
    pub fn not(&mut self, other: &Self) {
        self.words
            .iter_mut()
            .zip(&other.words)
            .for_each(|(word, other)| *word &= !other);
    }

    /// The slots of the set, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.words).flat_map(|(at, word)| {
            std::iter::successors((*word != 0).then_some(*word), |left| {
                let rest = left & (left - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |left| at * 64 + left.trailing_zeros())
        })
    }

    /// How many slots are in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set has no slot.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Sixty-four slots as bits, the first at `word * 64`.
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words.get(word).copied().unwrap_or(0)
    }
}

impl FromIterator<u32> for Bitmap {
    fn from_iter<I: IntoIterator<Item = u32>>(slots: I) -> Self {
        let mut set = Self::default();
        slots.into_iter().for_each(|slot| set.insert(slot));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_behaves_like_a_sorted_set(left in proptest::collection::btree_set(0u32..400, 0..60), right in proptest::collection::btree_set(0u32..400, 0..60)) {
            let set = |slots: &BTreeSet<u32>| slots.iter().copied().collect::<Bitmap>();
            let read = |set: &Bitmap| set.iter().collect::<BTreeSet<u32>>();
            let (mut and, mut or, mut not) = (set(&left), set(&left), set(&left));
            and.and(&set(&right)); or.or(&set(&right)); not.not(&set(&right));
            prop_assert_eq!(read(&and), left.intersection(&right).copied().collect());
            prop_assert_eq!(read(&or), left.union(&right).copied().collect());
            prop_assert_eq!(read(&not), left.difference(&right).copied().collect());
            prop_assert_eq!(or.len(), left.union(&right).count());
        }
    }

    #[test]
    fn a_full_set_ends_at_its_length() {
        for (length, next) in [(0, 0), (1, 1), (63, 63), (64, 64), (65, 65), (130, 130)] {
            assert_eq!(Bitmap::full(length).len(), length);
            assert!(!Bitmap::full(length).contains(next));
        }
    }
}
