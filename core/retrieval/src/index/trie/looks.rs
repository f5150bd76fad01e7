//! Looks at what leads to hashes that are about to be looked up or changed. Changes nothing.

use super::leaf::{Entry, HASH_LEVELS, look};
use super::{Node, Trie, leader};
use crate::index::warm;

impl Trie {
    /// Looks at what leads to hashes, level by level: within a level no look waits for another.
    pub(crate) fn warm(&self, hashes: impl Iterator<Item = u64>) {
        let mut on_way: Vec<(&Node, Entry)> = hashes.map(|hash| (&self.root, Entry::new(hash, 0))).collect();
        for level in 0..HASH_LEVELS {
            for (node, key) in &on_way {
                if let Node::Branch(children) = node
                    && let Some(child) = children.get(key.turn(level))
                {
                    warm::ask_for(child);
                }
            }
            let mut deeper = false;
            for (node, key) in &mut on_way {
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
            on_way.iter().filter_map(|(node, key)| match node {
                Node::Leaf(entries) => Some((entries, key)),
                _ => None,
            })
        };
        leaves().for_each(|(entries, _)| warm::ask_for(&**entries));
        leaves().for_each(|(entries, key)| look(entries, *key));
    }

    /// The same, and the numbers that stand there: those of the hashes, and rarely another one.
    pub(crate) fn warm_to(&self, hashes: &[u64]) -> Vec<u32> {
        self.warm(hashes.iter().copied());
        let mut likely = Vec::with_capacity(hashes.len());
        for hash in hashes {
            self.any(*hash, &mut |number| {
                likely.push(number);
                true
            });
        }
        likely
    }
}
