//! A persistent slab: cells under numbers that are used again. Knows nothing of what a cell holds.

use super::radix::Radix;

/// The number that no cell has.
pub(crate) const END: u32 = u32::MAX;

/// What can lie in a slab: a free cell names the next free one.
pub(crate) trait Cell: Clone + Default {
    /// A free cell.
    fn free(next: u32) -> Self;
    /// The free cell after this free one.
    fn next(&self) -> u32;
}

impl<const N: usize> Cell for [u32; N]
where
    Self: Default,
{
    fn free(next: u32) -> Self {
        let mut cell = Self::default();
        if let Some(first) = cell.first_mut() {
            *first = next;
        }
        cell
    }

    fn next(&self) -> u32 {
        self.first().copied().unwrap_or(END)
    }
}

/// Cells; a clone costs a reference count.
#[derive(Debug, Clone)]
pub(crate) struct Slab<T, const LEAF: usize> {
    cells: Radix<T, LEAF>,
    /// The first free cell.
    free: u32,
    /// Cells ever used.
    used: u32,
}

impl<T, const LEAF: usize> Default for Slab<T, LEAF> {
    fn default() -> Self {
        Self {
            cells: Radix::default(),
            free: END,
            used: 0,
        }
    }
}

impl<T: Cell, const LEAF: usize> Slab<T, LEAF> {
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.cells.get(number)
    }

    /// Asks for cells, no cell for another.
    pub(crate) fn ask(&self, numbers: impl Iterator<Item = u32>) {
        let places: Vec<_> = numbers.map(|number| (number, [0, size_of::<T>() - 1])).collect();
        self.cells.ask(&places);
    }

    /// The cell, to be written; it is copied when another clone has it too.
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.cells.get_mut(number)
    }

    /// Takes a cell; answers its number.
    pub(crate) fn take(&mut self, value: T) -> u32 {
        let number = if self.free == END { self.used } else { self.free };
        if let Some(cell) = self.cells.get_mut(number) {
            if number == self.used {
                self.used += 1;
            } else {
                self.free = cell.next();
            }
            *cell = value;
        }
        number
    }

    /// Gives a cell back; answers what was in it.
    pub(crate) fn give_back(&mut self, number: u32) -> T {
        let next = self.free;
        let Some(cell) = self.cells.get_mut(number) else {
            return T::default();
        };
        self.free = number;
        std::mem::replace(cell, T::free(next))
    }

    /// How many cells there are, free ones too.
    #[cfg(test)]
    pub(crate) fn used(&self) -> u32 {
        self.used
    }
}

impl<T: Cell, const LEAF: usize> From<Vec<T>> for Slab<T, LEAF> {
    /// The cells under their places; each node is made once.
    fn from(cells: Vec<T>) -> Self {
        Self {
            used: u32::try_from(cells.len()).unwrap_or(END),
            cells: cells.into_iter().collect(),
            free: END,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_keep_what_was_put_in_until_they_are_given_back_and_are_used_again(
            steps in proptest::collection::vec((any::<bool>(), any::<u32>()), 1..300),
        ) {
            let mut slab: Slab<[u32; 2], 4> = Slab::default();
            let mut held: Vec<(u32, [u32; 2])> = Vec::new();
            let mut most = 0;
            for (take, value) in steps {
                if take || held.is_empty() {
                    let number = slab.take([value, !value]);
                    prop_assert!(held.iter().all(|other| other.0 != number));
                    held.push((number, [value, !value]));
                } else {
                    let (number, cell) = held.swap_remove(value as usize % held.len());
                    prop_assert_eq!(slab.give_back(number), cell);
                }
                most = most.max(held.len());
                for (number, cell) in &held { prop_assert_eq!(slab.get(*number), Some(cell)); }
            }
            prop_assert_eq!(slab.used() as usize, most);
        }
    }
}
