//! A persistent multimap from 64-bit hashes to numbers. Knows nothing of what is hashed.
//!
//! The path to an entry is the low half of its hash, then its number, four bits a level. So a thousand tools of one name
//! still lie in leaves of bounded size, and adding one more copies one leaf. Only the low half of a hash is kept: whoever
//! asks compares the whole hash with what the number stands for. Neighbouring children of a branch share a leaf until it is
//! full, so leaves are half full at the least wherever hashes lie evenly, and little memory goes to what holds them.

mod leaf;
mod looks;

use triomphe::Arc;

use super::warm;
use leaf::{Entry, HASH_LEVELS, any_of, ascending, owned, place};

/// An entry is found by where its hash must lie, so a leaf may be large.
const LEAF: usize = 96;
const CHILDREN: usize = 16;
const LEVELS: u32 = 16;

/// Numbers under hashes; a pair stands once.
#[derive(Debug, Clone, Default)]
pub struct Trie {
    root: Node,
}

/// Pairs for a trie, in half the room that they come in.
pub(crate) struct Gathered(Vec<Entry>);

impl Gathered {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    pub(crate) fn push(&mut self, hash: u64, number: u32) {
        self.0.push(Entry::new(hash, number));
    }
}

#[derive(Debug, Clone, Default)]
enum Node {
    #[default]
    Empty,
    Branch(Arc<[Node; CHILDREN]>),
    /// In ascending order.
    Leaf(Arc<Vec<Entry>>),
    /// What would be here lies in the leaf of an earlier child: of the one whose place has the lowest set bit less.
    Before,
}

impl Trie {
    /// Whether nothing is in it.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.root, Node::Empty)
    }

    /// The pairs, each once, in any order.
    pub fn from_pairs(pairs: impl Iterator<Item = (u64, u32)>) -> Self {
        let entries: Vec<Entry> = pairs.map(|(hash, number)| Entry::new(hash, number)).collect();
        Self::of_gathered(&Gathered(entries))
    }

    /// The pairs that were gathered, each once.
    pub(crate) fn of_gathered(pairs: &Gathered) -> Self {
        Self {
            root: Node::of(&pairs.0, 0),
        }
    }

    /// Puts in pairs.
    pub(crate) fn extend(&mut self, pairs: impl Iterator<Item = (u64, u32)>) {
        if matches!(self.root, Node::Empty) {
            *self = Self::from_pairs(pairs);
        } else {
            let pairs: Vec<(u64, u32)> = pairs.collect();
            for place in by_path(&pairs, |pair| pair.0) {
                if let Some((hash, number)) = pairs.get(place as usize) {
                    self.insert(*hash, *number);
                }
            }
        }
    }

    /// Puts a number under a hash.
    pub fn insert(&mut self, hash: u64, number: u32) {
        let entry = Entry::new(hash, number);
        let mut node = &mut self.root;
        let mut level = 0;
        while let Node::Branch(children) = node {
            let children = children_mut(children);
            let at = leader(children, entry.turn(level));
            let Some(child) = children.get_mut(at) else { return };
            if let Some(entries) = child.insert(entry) {
                let span = 1 + children
                    .iter()
                    .skip(at + 1)
                    .take_while(|child| child.is_before())
                    .count();
                spread(children, at, span, &entries, level);
                return;
            }
            let Some(child) = children.get_mut(at) else { return };
            (node, level) = (child, level + 1);
        }
        if level == 0
            && let Some(entries) = node.insert(entry)
        {
            *node = Node::of(&entries, 0);
        }
    }

    /// Takes a number from under a hash.
    pub fn remove(&mut self, hash: u64, number: u32) {
        self.root.remove(Entry::new(hash, number), 0);
    }

    /// Visits the numbers under a hash (and, rarely, under one with the same low half) until the visitor says `true`;
    /// says whether it did.
    #[inline]
    pub fn any(&self, hash: u64, visit: &mut impl FnMut(u32) -> bool) -> bool {
        let key = Entry::new(hash, 0);
        let mut node = &self.root;
        let mut level = 0;
        while let Node::Branch(children) = node {
            if level == HASH_LEVELS {
                return node.any_deeper(key, visit);
            }
            let Some(child) = children.get(key.turn(level)) else {
                return false;
            };
            node = if child.is_before() {
                match children.get(leader(children, key.turn(level))) {
                    Some(leader) => leader,
                    None => return false,
                }
            } else {
                child
            };
            level += 1;
        }
        let Node::Leaf(entries) = node else { return false };
        any_of(entries, key, visit)
    }
}

/// The children, to be changed; they are copied when another trie has them too.
fn children_mut(children: &mut Arc<[Node; CHILDREN]>) -> &mut [Node; CHILDREN] {
    if !Arc::is_unique(children) {
        warm::looks(children.iter().map(Node::readers));
    }
    Arc::make_mut(children)
}

/// The child that has what one at a place would have.
#[inline]
fn leader(children: &[Node; CHILDREN], mut at: usize) -> usize {
    while at > 0 && children.get(at).is_some_and(Node::is_before) {
        at &= at - 1;
    }
    at
}

/// The places of hashed things in an order in which those whose paths are the same for some levels are neighbours: what is looked
/// up or put in one after the other then finds the branches and leaves in the nearest memory. A few stay as they are.
pub(crate) fn by_path<T>(things: &[T], hash: impl Fn(&T) -> u64) -> Vec<u32> {
    const PATHS: usize = 1 << 12;
    const FEW: usize = 256;
    let all = 0..u32::try_from(things.len()).unwrap_or(u32::MAX);
    if things.len() < FEW {
        return all.collect();
    }
    let path = |thing: &T| usize::try_from(hash(thing) % PATHS as u64).unwrap_or(0);
    let mut next = vec![0_u32; PATHS];
    for thing in things {
        if let Some(count) = next.get_mut(path(thing)) {
            *count += 1;
        }
    }
    let mut begin = 0;
    for count in &mut next {
        begin += std::mem::replace(count, begin);
    }
    let mut places = vec![0; things.len()];
    for (place, thing) in all.zip(things) {
        if let Some(next) = next.get_mut(path(thing)) {
            if let Some(there) = places.get_mut(*next as usize) {
                *there = place;
            }
            *next += 1;
        }
    }
    places
}

/// Entries by the children of a branch that lead to them, and where those of each child begin.
fn by_turn(entries: &[Entry], level: u32) -> (Vec<Entry>, [usize; CHILDREN + 1]) {
    let mut begins = [0; CHILDREN + 1];
    for entry in entries {
        if let Some(count) = begins.get_mut(entry.turn(level) + 1) {
            *count += 1;
        }
    }
    let mut begin = 0;
    for count in &mut begins {
        begin += *count;
        *count = begin;
    }
    let mut next = begins;
    let mut sorted = vec![Entry { low: 0, number: 0 }; entries.len()];
    for entry in entries {
        if let Some(next) = next.get_mut(entry.turn(level))
            && let Some(place) = sorted.get_mut(*next)
        {
            *place = *entry;
            *next += 1;
        }
    }
    (sorted, begins)
}

/// Lays entries into so many children of a branch, a power of two: into one leaf, when they fit.
fn spread(children: &mut [Node; CHILDREN], from: usize, span: usize, entries: &[Entry], level: u32) {
    let (sorted, begins) = by_turn(entries, level);
    let begin = |child: usize| begins.get(child).copied().unwrap_or(sorted.len());
    let mut at = from;
    while at < from + span {
        // The widest part that begins here and fits.
        let mut width = span.min(1 << at.trailing_zeros().min(CHILDREN.trailing_zeros()));
        while width > 1 && begin(at + width) - begin(at) > LEAF {
            width /= 2;
        }
        let part = sorted.get(begin(at)..begin(at + width)).unwrap_or_default();
        let mut child = Node::of(part, level + 1);
        for place in children.iter_mut().skip(at).take(width) {
            *place = std::mem::replace(&mut child, Node::Before);
        }
        at += width;
    }
}

impl Node {
    const fn is_before(&self) -> bool {
        matches!(self, Self::Before)
    }

    /// How many tries have what lies here.
    fn readers(&self) -> usize {
        match self {
            Self::Empty | Self::Before => 0,
            Self::Branch(children) => Arc::strong_count(children),
            Self::Leaf(entries) => Arc::strong_count(entries),
        }
    }

    fn of(entries: &[Entry], level: u32) -> Self {
        match entries.len() {
            0 => Self::Empty,
            length if length > LEAF && level < LEVELS => {
                let mut children = [const { Self::Empty }; CHILDREN];
                spread(&mut children, 0, CHILDREN, entries, level);
                Self::Branch(Arc::new(children))
            }
            _ => Self::Leaf(Arc::new(ascending(entries))),
        }
    }

    /// Puts an entry into a leaf; answers the leaf's entries when they are too many for it.
    fn insert(&mut self, entry: Entry) -> Option<Vec<Entry>> {
        match self {
            Self::Empty => *self = Self::Leaf(Arc::new(vec![entry])),
            Self::Leaf(entries) => {
                if let Err(at) = place(entries, entry) {
                    let entries = owned(entries);
                    entries.insert(at, entry);
                    if entries.len() > LEAF {
                        return Some(std::mem::take(entries));
                    }
                }
            }
            Self::Branch(_) | Self::Before => {}
        }
        None
    }

    /// An emptied node takes no memory.
    fn remove(&mut self, entry: Entry, level: u32) {
        match self {
            Self::Empty | Self::Before => {}
            Self::Leaf(entries) => {
                let Ok(at) = place(entries, entry) else {
                    return;
                };
                if entries.len() == 1 {
                    *self = Self::Empty;
                    return;
                }
                let entries = Arc::make_mut(entries);
                entries.remove(at);
                if entries.len() * 2 < entries.capacity() {
                    entries.shrink_to_fit();
                }
            }
            Self::Branch(children) => {
                let children = children_mut(children);
                let at = leader(children, entry.turn(level));
                let Some(child) = children.get_mut(at) else {
                    return;
                };
                child.remove(entry, level + 1);
                let is_empty = |child: &Self| matches!(child, Self::Empty | Self::Before);
                if is_empty(child) && children.iter().all(is_empty) {
                    *self = Self::Empty;
                }
            }
        }
    }

    fn any_deeper(&self, key: Entry, visit: &mut impl FnMut(u32) -> bool) -> bool {
        match self {
            Self::Empty | Self::Before => false,
            Self::Leaf(entries) => any_of(entries, key, visit),
            Self::Branch(children) => children.iter().any(|child| child.any_deeper(key, visit)),
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
        assert!(trie.is_empty());
    }

    #[test]
    fn many_pairs_put_in_at_once_are_all_found() {
        let pair = |number: u32| (u64::from(number / 3).wrapping_mul(0x9e37_79b9_7f4a_7c15), number);
        let mut trie = Trie::from_pairs((0..50).map(pair));
        trie.extend((50..5_000).map(pair));
        for number in 0..5_000 {
            assert!(numbers(&trie, pair(number).0).contains(&number), "{number}");
        }
        let mut places = by_path(&(0..5_000).map(pair).collect::<Vec<_>>(), |pair| pair.0);
        places.sort_unstable();
        assert!(places.into_iter().eq(0..5_000));
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
            let built = Trie::from_pairs(pairs.iter().map(|(hash, number)| (spread(*hash), *number)));
            for hash in 0..60 {
                prop_assert_eq!(numbers(&trie, spread(hash)), numbers(&built, spread(hash)));
                let expected: BTreeSet<u32> = pairs.iter().filter(|p| p.0 == hash).map(|p| p.1).collect();
                prop_assert_eq!(numbers(&trie, spread(hash)), expected);
            }
        }
    }
}
