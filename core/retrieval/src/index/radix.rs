//! A persistent vector: cloning is one reference count, changing one place copies only the path to it.
//! Knows nothing of what it holds.

use triomphe::Arc;

use super::warm;

/// Nodes are narrow: copying one counts a reference for each child, and each count is a line of memory fetched.
const BRANCH_BITS: u32 = 4;
const BRANCH: usize = 1 << BRANCH_BITS;
/// Bytes of a count, of what says which children a node has, and of a reference.
const WORD: usize = size_of::<usize>();

/// Places numbered from 0; a place never written reads as absent or as the default. A leaf holds `LEAF` places, a power of two.
#[derive(Debug, Clone)]
pub struct Radix<T, const LEAF: usize = 8> {
    root: Option<Arc<Node<T, LEAF>>>,
    /// Levels of nodes above the leaves.
    height: u32,
}

/// A node says what its children are, so that nobody reads a child to learn what it is.
#[derive(Debug)]
enum Node<T, const LEAF: usize> {
    Nodes([Option<Arc<Node<T, LEAF>>>; BRANCH]),
    Leaves([Option<Arc<[T; LEAF]>>; BRANCH]),
}

impl<T, const LEAF: usize> Clone for Node<T, LEAF> {
    fn clone(&self) -> Self {
        match self {
            Self::Nodes(children) => {
                warm::counts(children.iter().flatten());
                Self::Nodes(children.clone())
            }
            Self::Leaves(children) => {
                warm::counts(children.iter().flatten());
                Self::Leaves(children.clone())
            }
        }
    }
}

impl<T, const LEAF: usize> Default for Radix<T, LEAF> {
    fn default() -> Self {
        Self {
            root: None,
            height: 0,
        }
    }
}

impl<T: Clone + Default, const LEAF: usize> Radix<T, LEAF> {
    const LEAF_BITS: u32 = LEAF.trailing_zeros();

    /// What stands at a place, when its leaf exists.
    #[inline]
    pub fn get(&self, place: u32) -> Option<&T> {
        let mut node = self.root.as_deref()?;
        let mut shift = Self::LEAF_BITS + BRANCH_BITS * self.height;
        if u64::from(place) >> shift != 0 {
            return None;
        }
        loop {
            shift = shift.wrapping_sub(BRANCH_BITS);
            let turn = place.wrapping_shr(shift) as usize % BRANCH;
            match node {
                Node::Nodes(children) => node = children.get(turn)?.as_deref()?,
                Node::Leaves(children) => return children.get(turn)?.as_ref()?.get(place as usize % LEAF),
            }
        }
    }

    /// Asks for bytes of what stands at places, level by level, so that no place waits for another.
    pub(crate) fn ask(&self, places: &[(u32, [usize; 2])]) {
        let Some(root) = self.root.as_deref() else {
            return;
        };
        let mut ways = Vec::with_capacity(places.len());
        for (place, bytes) in places {
            if u64::from(*place) < Self::capacity(self.height) {
                ways.push((root, *place, *bytes));
            }
        }
        for level in (2..=self.height).rev() {
            ways.retain_mut(|(node, place, _)| {
                let Node::Nodes(children) = *node else {
                    return false;
                };
                let child = children.get(Self::turn(*place, level));
                let Some(child) = child.and_then(Option::as_deref) else {
                    return false;
                };
                *node = child;
                warm::ask_for(child);
                warm::ask_at(child, WORD + Self::turn(*place, level - 1) * WORD);
                true
            });
        }
        for (node, place, bytes) in ways {
            if let Node::Leaves(children) = node
                && let Some(Some(leaf)) = children.get(Self::turn(place, 1))
            {
                // Its count lies there, which whoever writes looks at.
                warm::ask_for(&**leaf);
                let begin = place as usize % LEAF * size_of::<T>();
                bytes.iter().for_each(|byte| warm::ask_at(&**leaf, begin + byte));
            }
        }
    }

    /// Which child of a node at this level (1 lies above the leaves) leads to a place.
    #[inline]
    const fn turn(place: u32, level: u32) -> usize {
        let shift = Self::LEAF_BITS + BRANCH_BITS * level.saturating_sub(1);
        if shift < u32::BITS {
            (place >> shift) as usize % BRANCH
        } else {
            0
        }
    }

    /// How many places a tree of this height has.
    const fn capacity(height: u32) -> u64 {
        1u64 << (Self::LEAF_BITS + BRANCH_BITS * height)
    }

    /// The place, to be written; shared nodes on the way are copied.
    pub fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        if self.root.is_none() {
            self.root = Some(Arc::new(Node::at(1)));
            self.height = 1;
        }
        while u64::from(place) >= Self::capacity(self.height) {
            let mut children = [const { None }; BRANCH];
            if let Some(first) = children.first_mut() {
                *first = self.root.take();
            }
            self.root = Some(Arc::new(Node::Nodes(children)));
            self.height += 1;
        }
        let mut level = self.height;
        let mut node = Arc::make_mut(self.root.as_mut()?);
        loop {
            let turn = Self::turn(place, level);
            level = level.saturating_sub(1);
            match node {
                Node::Nodes(children) => {
                    let child = children.get_mut(turn)?;
                    node = Arc::make_mut(child.get_or_insert_with(|| Arc::new(Node::at(level))));
                }
                Node::Leaves(children) => {
                    let leaf = || Arc::new(std::array::from_fn(|_| T::default()));
                    let leaf = children.get_mut(turn)?.get_or_insert_with(leaf);
                    return Arc::make_mut(leaf).get_mut(place as usize % LEAF);
                }
            }
        }
    }
}

impl<T: Clone + Default, const LEAF: usize> FromIterator<T> for Radix<T, LEAF> {
    /// The values at their places, from 0; each node is made once.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut values = values.into_iter().peekable();
        let mut leaves: Vec<Arc<[T; LEAF]>> = Vec::new();
        while values.peek().is_some() {
            let mut leaf = std::array::from_fn(|_| T::default());
            for (place, value) in leaf.iter_mut().zip(values.by_ref()) {
                *place = value;
            }
            leaves.push(Arc::new(leaf));
        }
        let mut nodes = grouped(leaves, Node::Leaves);
        let mut height = u32::from(!nodes.is_empty());
        while nodes.len() > 1 {
            nodes = grouped(nodes, Node::Nodes);
            height += 1;
        }
        Self {
            root: nodes.pop(),
            height,
        }
    }
}

/// The nodes above these.
#[inline(never)]
fn grouped<C, N>(children: Vec<Arc<C>>, node: fn([Option<Arc<C>>; BRANCH]) -> N) -> Vec<Arc<N>> {
    let mut nodes = Vec::with_capacity(children.len().div_ceil(BRANCH));
    let mut children = children.into_iter();
    while children.len() > 0 {
        let mut own = [const { None }; BRANCH];
        for (place, child) in own.iter_mut().zip(children.by_ref()) {
            *place = Some(child);
        }
        nodes.push(Arc::new(node(own)));
    }
    nodes
}

impl<T, const LEAF: usize> Node<T, LEAF> {
    /// A node without children at a level.
    const fn at(level: u32) -> Self {
        if level > 1 {
            Self::Nodes([const { None }; BRANCH])
        } else {
            Self::Leaves([const { None }; BRANCH])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_last_place_there_can_be_is_written_and_read() {
        let mut vector = Radix::<u32, 1>::default();
        *vector.get_mut(u32::MAX).unwrap() = 7;
        assert_eq!(vector.get(u32::MAX), Some(&7));
        assert_eq!(vector.get(40_000), None);
    }

    proptest! {
        #[test]
        fn it_is_built_at_once_as_it_is_written_one_by_one(count in 0u32..3_000, more in 0u32..40_000) {
            let mut built: Radix<u32> = (1..=count).collect();
            let mut written: Radix<u32> = Radix::default();
            for place in 0..count { *written.get_mut(place).unwrap() = place + 1; }
            *built.get_mut(more).unwrap() = 7;
            *written.get_mut(more).unwrap() = 7;
            for place in (0..count + 20).chain([more]) {
                prop_assert_eq!(built.get(place).copied().unwrap_or(0), written.get(place).copied().unwrap_or(0));
            }
        }

        #[test]
        fn it_reads_like_a_map_and_a_clone_keeps_what_it_had(
            writes in proptest::collection::vec((0u32..40_000, any::<u32>()), 1..200),
            cut in 0usize..200,
        ) {
            let mut vector = Radix::<u32, 2>::default();
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
