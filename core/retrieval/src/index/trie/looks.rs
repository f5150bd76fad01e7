//! Looks at what leads to hashes that are about to be looked up or changed. Changes nothing.

use super::leaf::{Entry, HASH_LEVELS, look};
use super::{Node, Trie, leader};
use crate::index::warm;

/// The place of a hash among others, and how far its way has been followed.
type Way<'a> = (usize, &'a Node, Entry);

impl Trie {
    /// Asks for what leads to hashes.
    pub(crate) fn warm(&self, hashes: impl Iterator<Item = u64>) {
        to_ends(&mut self.ways(hashes.enumerate()));
    }

    /// The numbers under hashes that have places, each with the place of its hash, and rarely another number; all of the way is asked
    /// for level by level, so that no hash waits for another.
    pub(crate) fn likely(&self, hashes: impl Iterator<Item = (usize, u64)>) -> Vec<(usize, u32)> {
        let mut ways = self.ways(hashes);
        to_ends(&mut ways);
        numbers(&ways)
    }

    fn ways(&self, hashes: impl Iterator<Item = (usize, u64)>) -> Vec<Way<'_>> {
        let ways = hashes.map(|(place, hash)| (place, &self.root, Entry::new(hash, 0)));
        ways.collect()
    }
}

/// Follows ways to the nodes where they end.
fn to_ends(ways: &mut [Way<'_>]) {
    for level in 0..HASH_LEVELS {
        for (_, node, key) in &*ways {
            if let Node::Branch(children) = node {
                children.get(key.turn(level)).into_iter().for_each(warm::ask_for);
            }
        }
        let mut deeper = false;
        for (_, node, key) in &mut *ways {
            if let Node::Branch(children) = node
                && let Some(child) = children.get(leader(children, key.turn(level)))
            {
                (*node, deeper) = (child, true);
            }
        }
        if !deeper {
            break;
        }
    }
    let leaves = || {
        ways.iter().filter_map(|(_, node, key)| match node {
            Node::Leaf(entries) => Some((entries, key)),
            _ => None,
        })
    };
    leaves().for_each(|(entries, _)| warm::ask_for(&**entries));
    leaves().for_each(|(entries, key)| look(entries, *key));
}

/// The numbers at the ends of ways.
fn numbers(ends: &[Way<'_>]) -> Vec<(usize, u32)> {
    let mut numbers = Vec::with_capacity(ends.len());
    for (place, node, key) in ends {
        node.any_deeper(*key, &mut |number| {
            numbers.push((*place, number));
            false
        });
    }
    numbers
}
