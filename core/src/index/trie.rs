//! A persistent multimap from 64-bit hashes to numbers. Knows nothing of what is hashed.
//!
//! The path to an entry is the low half of its hash, then its number, four bits a level. So a thousand tools of one name
//! still lie in leaves of bounded size, and adding one more copies one leaf. Only the low half of a hash is kept: whoever
//! asks compares the whole hash with what the number stands for.

use std::sync::Arc;

const LEAF: usize = 32;
const HASH_LEVELS: u32 = 8;
const LEVELS: u32 = 16;

/// Numbers under hashes; a pair stands once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trie {
    root: Option<Arc<Node>>,
}

#[derive(Debug, Clone)]
enum Node {
    Branch([Option<Arc<Node>>; 16]),
    Leaf(Vec<Entry>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    low: u32,
    number: u32,
}

impl Trie {
    /// Whether nothing is in it.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Puts a number under a hash.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        let entry = Entry::new(hash, number);
        let mut node = Arc::make_mut(self.root.get_or_insert_with(|| Arc::new(Node::Leaf(Vec::new()))));
        let mut level = 0;
        loop {
            if let Node::Leaf(entries) = node {
                if entries.contains(&entry) {
                    return;
                }
                if entries.len() < LEAF || level >= LEVELS {
                    entries.reserve_exact(1 + entries.len() / 4);
                    entries.push(entry);
                    return;
                }
                let full = std::mem::take(entries);
                *node = Node::split(full, level);
            }
            let Node::Branch(children) = node else { return };
            let Some(child) = children.get_mut(entry.turn(level)) else {
                return;
            };
            node = Arc::make_mut(child.get_or_insert_with(|| Arc::new(Node::Leaf(Vec::new()))));
            level += 1;
        }
    }

    /// Takes a number from under a hash.
    pub(crate) fn remove(&mut self, hash: u64, number: u32) {
        if let Some(root) = &mut self.root
            && Node::remove(Arc::make_mut(root), Entry::new(hash, number), 0)
        {
            self.root = None;
        }
    }

    /// Visits the numbers under a hash (and, rarely, under one with the same low half) until the visitor says `true`;
    /// says whether it did.
    #[inline]
    pub(crate) fn any(&self, hash: u64, visit: &mut dyn FnMut(u32) -> bool) -> bool {
        let key = Entry::new(hash, 0);
        let Some(mut node) = self.root.as_deref() else {
            return false;
        };
        let mut level = 0;
        while let Node::Branch(children) = node {
            if level == HASH_LEVELS {
                return node.any(key, visit);
            }
            match children.get(key.turn(level)) {
                Some(Some(child)) => node = child,
                _ => return false,
            }
            level += 1;
        }
        node.any(key, visit)
    }
}

impl Entry {
    #[allow(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
    const fn new(hash: u64, number: u32) -> Self {
        Self {
            low: hash as u32,
            number,
        }
    }

    /// Which child of a branch leads to this entry.
    const fn turn(&self, level: u32) -> usize {
        let bits = if level < HASH_LEVELS {
            self.low >> (4 * level)
        } else {
            self.number >> (4 * (level - HASH_LEVELS))
        };
        (bits & 15) as usize
    }
}

impl Node {
    fn split(entries: Vec<Entry>, level: u32) -> Self {
        let mut parts: [Vec<Entry>; 16] = Default::default();
        for entry in entries {
            if let Some(part) = parts.get_mut(entry.turn(level)) {
                part.push(entry);
            }
        }
        Self::Branch(parts.map(|part| (!part.is_empty()).then(|| Arc::new(Self::Leaf(part)))))
    }

    /// Says whether nothing is left in this node.
    fn remove(&mut self, entry: Entry, level: u32) -> bool {
        match self {
            Self::Leaf(entries) => {
                entries.retain(|other| *other != entry);
                entries.is_empty()
            }
            Self::Branch(children) => {
                let Some(place) = children.get_mut(entry.turn(level)) else {
                    return false;
                };
                if let Some(child) = place
                    && Self::remove(Arc::make_mut(child), entry, level + 1)
                {
                    *place = None;
                }
                children.iter().all(Option::is_none)
            }
        }
    }

    fn any(&self, key: Entry, visit: &mut dyn FnMut(u32) -> bool) -> bool {
        match self {
            Self::Leaf(entries) => entries
                .iter()
                .any(|entry| entry.low == key.low && visit(entry.number)),
            Self::Branch(children) => children.iter().flatten().any(|child| child.any(key, visit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn numbers(trie: &Trie, hash: u64) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        trie.any(hash, &mut |number| !found.insert(number));
        found
    }

    #[test]
    fn ten_thousand_numbers_under_one_hash_are_all_found_and_all_removed() {
        let mut trie = Trie::default();
        for number in 0..10_000 {
            trie.insert(42, number);
        }
        assert_eq!(numbers(&trie, 42).len(), 10_000);
        assert!(numbers(&trie, 43).is_empty());
        for number in 0..10_000 {
            trie.remove(42, number);
        }
        assert!(trie.root.is_none());
    }

    proptest! {
        #[test]
        fn it_holds_exactly_the_pairs_put_in_and_not_taken_out(
            steps in proptest::collection::vec((any::<bool>(), 0u64..60, 0u32..60), 0..400),
        ) {
            let mut trie = Trie::default();
            let mut pairs = BTreeSet::new();
            let spread = |hash: u64| hash.wrapping_mul(0x9e37_79b9_0000_0001);
            for (put, hash, number) in steps {
                if put { trie.insert(spread(hash), number); pairs.insert((hash, number)); }
                else { trie.remove(spread(hash), number); pairs.remove(&(hash, number)); }
            }
            for hash in 0..60 {
                let expected: BTreeSet<u32> = pairs.iter().filter(|p| p.0 == hash).map(|p| p.1).collect();
                prop_assert_eq!(numbers(&trie, spread(hash)), expected);
            }
        }
    }
}
