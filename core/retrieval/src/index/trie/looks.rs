//! Looks at what leads to hashes that are about to be looked up or changed. Changes nothing.

use super::leaf::{Entry, HASH_LEVELS, look};
use super::{Node, Trie, leader};
use crate::index::warm;

impl Trie {
    /// Asks for what leads to hashes.
    pub(crate) fn warm(&self, hashes: impl Iterator<Item = u64>) {
        self.ends(hashes);
    }

    /// The numbers under hashes, each with the place of its hash among these, and rarely another number; all of the way is asked for
    /// level by level, so that no hash waits for another.
    pub(crate) fn likely(&self, hashes: &[u64]) -> Vec<(usize, u32)> {
        let mut likely = Vec::with_capacity(hashes.len());
        for (at, (node, key)) in self.ends(hashes.iter().copied()).into_iter().enumerate() {
            node.any_deeper(key, &mut |number| {
                likely.push((at, number));
                false
            });
        }
        likely
    }

    /// The nodes where the ways of hashes end.
    fn ends(&self, hashes: impl Iterator<Item = u64>) -> Vec<(&Node, Entry)> {
        let mut on_way: Vec<(&Node, Entry)> = hashes.map(|hash| (&self.root, Entry::new(hash, 0))).collect();
        for level in 0..HASH_LEVELS {
            for (node, key) in &on_way {
                if let Node::Branch(children) = node {
                    children.get(key.turn(level)).into_iter().for_each(warm::ask_for);
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
        on_way
    }
}
