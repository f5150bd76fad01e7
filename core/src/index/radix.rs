//! A persistent vector: cloning is one reference count, changing one place copies only the path to it.
//! Knows nothing of what it holds.

use std::sync::Arc;

const BITS: u32 = 5;
const MASK: u32 = 31;

/// Places numbered from 0; a place never written reads as absent or as the default.
#[derive(Debug, Clone)]
pub(crate) struct Radix<T> {
    root: Option<Arc<Node<T>>>,
    /// Levels of branches above the leaves.
    height: u32,
}

#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "leaves hold what is wanted, in place")]
enum Node<T> {
    Branch([Option<Arc<Node<T>>>; 32]),
    Leaf([T; 32]),
}

impl<T> Default for Radix<T> {
    fn default() -> Self {
        Self {
            root: None,
            height: 0,
        }
    }
}

impl<T: Clone + Default> Radix<T> {
    /// What stands at a place, when its leaf exists.
    #[inline]
    pub(crate) fn get(&self, place: u32) -> Option<&T> {
        let mut node = self.root.as_deref()?;
        if u64::from(place) >= capacity(self.height) {
            return None;
        }
        let mut shift = self.height * BITS;
        loop {
            match node {
                Node::Leaf(values) => return values.get((place & MASK) as usize),
                Node::Branch(children) => {
                    node = children
                        .get((place.checked_shr(shift).unwrap_or(0) & MASK) as usize)?
                        .as_deref()?;
                    shift = shift.saturating_sub(BITS);
                }
            }
        }
    }

    /// The place, to be written; shared nodes on the way are copied.
    pub(crate) fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        if self.root.is_none() {
            self.root = Some(Arc::new(Node::leaf()));
            self.height = 0;
        }
        while u64::from(place) >= capacity(self.height) {
            let mut children = [const { None }; 32];
            if let Some(first) = children.first_mut() {
                *first = self.root.take();
            }
            self.root = Some(Arc::new(Node::Branch(children)));
            self.height += 1;
        }
        let mut level = self.height;
        let mut node = Arc::make_mut(self.root.as_mut()?);
        loop {
            match node {
                Node::Leaf(values) => return values.get_mut((place & MASK) as usize),
                Node::Branch(children) => {
                    let child =
                        children.get_mut((place.checked_shr(level * BITS).unwrap_or(0) & MASK) as usize)?;
                    level = level.saturating_sub(1);
                    node = Arc::make_mut(child.get_or_insert_with(|| {
                        Arc::new(if level == 0 {
                            Node::leaf()
                        } else {
                            Node::Branch([const { None }; 32])
                        })
                    }));
                }
            }
        }
    }
}

impl<T: Default> Node<T> {
    fn leaf() -> Self {
        Self::Leaf(std::array::from_fn(|_| T::default()))
    }
}

/// How many places a tree of this height has.
const fn capacity(height: u32) -> u64 {
    1u64 << ((height + 1) * BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_last_place_there_can_be_is_written_and_read() {
        let mut vector = Radix::<u32>::default();
        *vector.get_mut(u32::MAX).unwrap() = 7;
        assert_eq!(vector.get(u32::MAX), Some(&7));
        assert_eq!(vector.get(40_000), None);
    }

    proptest! {
        #[test]
        fn it_reads_like_a_map_and_a_clone_keeps_what_it_had(
            writes in proptest::collection::vec((0u32..40_000, any::<u32>()), 1..200),
            cut in 0usize..200,
        ) {
            let mut vector = Radix::<u32>::default();
            let mut map = std::collections::HashMap::new();
            let mut old = None;
            for (at, (place, value)) in writes.iter().enumerate() {
                if at == cut { old = Some((vector.clone(), map.clone())); }
                *vector.get_mut(*place).unwrap() = *value;
                map.insert(*place, *value);
            }
            for (vector, map) in [Some((vector, map)), old].into_iter().flatten() {
                for (place, _) in &writes {
                    prop_assert_eq!(vector.get(*place).copied().unwrap_or(0), map.get(place).copied().unwrap_or(0));
                }
            }
        }
    }
}
