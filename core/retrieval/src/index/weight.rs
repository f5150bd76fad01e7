//! What an index weighs, by structure.

use std::collections::BTreeMap;

use super::Index;
use super::chunk::Chunk;
use super::postings::Postings;

/// malloc's own size of a request.
pub(crate) fn malloc(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { ((bytes + 8 + 15) & !15).max(32) }
}

impl Index {
    /// (allocations, bytes as malloc rounds them) by name.
    pub fn weigh(&self) -> BTreeMap<String, (usize, usize)> {
        let mut all: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        let mut add = |name: &str, bytes: usize| {
            let entry = all.entry(name.to_owned()).or_default();
            entry.0 += usize::from(bytes > 0);
            entry.1 += malloc(bytes);
        };
        self.records.weigh("records nodes", &mut add);
        for slot in 0..self.span {
            if let Some(Some(r)) = self.records.get(slot) { add("record", 16 + r.len()); }
        }
        self.terms.weigh(&mut add);
        self.names.weigh("names", &mut add);
        self.spellings.weigh(&mut add);
        for (_, p) in self.terms.iter() {
            match p {
                Postings::Words(words) => {
                    if words.len() > 16 {
                    add("run arc", 16 + 24);
                    add("run words", words.len() * 4);
                    }
                }
                Postings::List(list) => {
                    add("list", 16 + size_of_val(list));
                    add("list chunks", size_of::<Chunk>() * list.capacity());
                    for c in list.chunks() {
                        match c {
                            Chunk::Run(run) => {
                                add("list run arc", 16 + size_of_val(&**run));
                                add("list run words", run.capacity() * 4);
                            }
                            Chunk::Column(c) => {
                                add("list column arc", 16 + size_of_val(&**c));
                                add("list column", c.capacity());
                            }
                        }
                    }
                }
            }
        }
        let counts = self.terms.iter().map(|t| t.1.count()).collect::<Vec<_>>();
        for c in 1..40 { all.insert(format!("df {c:2}"), (counts.iter().filter(|x| **x == c).count(), 0)); }
        for c in [2,3,4,8,16,32,64,128,256,512,1024,2048,4096,100000] { all.insert(format!("df< {c:6}"), (counts.iter().filter(|x| **x < c).count(), counts.iter().filter(|x| **x < c).map(|x| *x as usize).sum())); }
        all
    }
}
