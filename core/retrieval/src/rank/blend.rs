//! Documents ranked by words and meaning together. Knows nothing of how the two become one score, nor of ties.

use crate::ablation::{Idea, on};
use crate::index::{Index, Probe};

use super::dense::Dense;
use super::fusion::{Formula, Fusion, Parts};
use super::literacy::Literacy;
use super::order::{Best, Candidate, Room, Wanted};
use super::plan::Plan;
use super::{Method, Query, phrases, scan, status, values};
use crate::text::{QueryText, Reader};

/// The evidence of both arms for every document.
pub(crate) struct Blend {
    /// The sums of the words, by slot, those of values lessened, and of those that stand side by side.
    sums: Vec<i32>,
    /// Which words of the query are values, in ascending order.
    values: Vec<usize>,
    dense: Dense,
    fusion: Fusion,
    /// How well the model can know what the query means. Of a script that it does not know it orders what no word can, and vouches
    /// for nothing; in a language that it does not know, it vouches for its part, and takes nothing from what words vouch for.
    literacy: Literacy,
}

impl Blend {
    /// Weighs both arms; `None` where only words can rank: no vector, no document that has one, or a query in scripts that the
    /// model does not know and whose words the catalog knows.
    pub(crate) fn new(
        index: &Index,
        plan: &Plan<'_>,
        query: &Query<'_>,
        (text, reader): (&QueryText, &mut Reader),
    ) -> Option<Self> {
        let probe: &Probe = query.probe.filter(|_| query.method != Method::Lexical)?;
        let literacy = match query.method {
            Method::Hybrid => Literacy::of_read(index, query.text, text),
            Method::Lexical | Method::Semantic => Literacy::Fluent,
        };
        if literacy == Literacy::Script && !plan.terms.is_empty() {
            return None;
        }
        let dense = Dense::new(index, probe)?;
        let mut sums = scan::sums(index, plan);
        let mut values = Vec::new();
        if (query.method, query.formula) == (Method::Hybrid, Formula::Sum) {
            if on(Idea::Values) {
                values = values::among(text, &reader.values(query.text));
                values::lessen(plan, &values, &mut sums);
            }
            if on(Idea::SideBySide) {
                phrases::add(index, query.text, reader, &mut sums);
            }
        }
        let fusion = Fusion::new(query.method, query.formula, &sums, index.len(), &dense);
        let fusion = match literacy {
            Literacy::Language => fusion.of_a_strange_language(),
            Literacy::Fluent | Literacy::Script => fusion,
        };
        Some(Self {
            sums,
            values,
            dense,
            fusion,
            literacy,
        })
    }

    /// How many are hits, and the best of them in order. Where nothing stands out and no word supports anything, what is nearest
    /// is all there is: the floor alone never empties a page.
    pub(crate) fn best(
        &self,
        index: &Index,
        plan: &Plan<'_>,
        wanted: &Wanted<'_>,
        room: &mut Room,
    ) -> (usize, Vec<Candidate>) {
        let found = self.best_of((index, plan), wanted, room, |words, similarity| {
            self.fusion.is_hit(words, similarity)
        });
        if found.0 > 0 || !self.fusion.counts_words() {
            return found;
        }
        room.take_back(found.1);
        self.best_of((index, plan), wanted, room, |_, similarity| similarity.is_some())
    }

    fn best_of(
        &self,
        (index, plan): (&Index, &Plan<'_>),
        wanted: &Wanted<'_>,
        room: &mut Room,
        is_hit: impl Fn(i32, Option<i32>) -> bool,
    ) -> (usize, Vec<Candidate>) {
        let mut best = Best::new(index, plan, wanted, room);
        let mut named = wanted.named.iter().copied().peekable();
        let mut matched = 0;
        for (slot, words) in (0..).zip(self.sums.iter().copied()) {
            if named.next_if_eq(&slot).is_some() {
                best.push_named(slot, self.parts(slot).sum());
                continue;
            }
            let similarity = self.similarity(slot);
            if !is_hit(words, similarity) || wanted.visible.is_some_and(|visible| !visible.contains(slot)) {
                continue;
            }
            let score = self.fusion.parts(words, similarity).sum().max(1);
            matched += usize::from(score >= wanted.least);
            if score >= best.least() {
                best.push(slot, score);
            }
        }
        (wanted.named.len() + matched, best.into_sorted())
    }

    /// What the score of the document at a slot is made of.
    pub(crate) fn parts(&self, slot: u32) -> Parts {
        self.fusion.parts(self.words(slot), self.similarity(slot))
    }

    /// What a term adds, from what it adds where words alone make the score.
    pub(crate) fn steps(&self, word: usize, steps: i32) -> i32 {
        if self.values.contains(&word) {
            values::of(steps)
        } else {
            steps
        }
    }

    fn words(&self, slot: u32) -> i32 {
        self.sums.get(slot as usize).copied().unwrap_or(0)
    }

    /// How near a document's meaning is; `None` without a vector.
    pub(crate) fn similarity(&self, slot: u32) -> Option<i32> {
        self.dense.get(slot)
    }

    /// The mean of all similarities.
    pub(crate) fn mean(&self) -> i32 {
        self.fusion.mean()
    }

    /// The evidence for the best hit, from that of its words.
    pub(crate) fn evidence(&self, words: u32, slot: u32, method: Method) -> u32 {
        let both = || status::fused(words, self.fusion.lift(self.similarity(slot)), method);
        match self.literacy {
            Literacy::Fluent => both(),
            Literacy::Language => both().max(words),
            Literacy::Script => words,
        }
    }
}
