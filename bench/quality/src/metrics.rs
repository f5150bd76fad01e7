//! How good one ranking is, from the ranks of the right tools.

/// What is measured; each value lies between 0 and 1.
#[derive(Clone, Copy, Default)]
pub struct Measure {
    pub ndcg: f64,
    pub recall_1: f64,
    pub recall_5: f64,
    pub recall_10: f64,
    pub reciprocal: f64,
}

/// Which of the first ten hits are right, and how many right tools there are.
pub struct Ranked {
    pub right: Vec<bool>,
    pub gold: usize,
}

impl Ranked {
    pub fn new(hits: impl Iterator<Item = usize>, gold: &[usize]) -> Self {
        Self {
            right: hits.take(10).map(|hit| gold.contains(&hit)).collect(),
            gold: gold.len(),
        }
    }
}

/// Measures one ranking.
pub fn measure(ranked: &Ranked) -> Measure {
    let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let right = || {
        ranked
            .right
            .iter()
            .enumerate()
            .filter(|(_, right)| **right)
            .map(|(rank, _)| rank)
    };
    let gold = ranked.gold.max(1);
    let recall = |most: usize| right().filter(|rank| *rank < most).count() as f64 / gold as f64;
    Measure {
        ndcg: right().map(gain).sum::<f64>() / (0..gold.min(10)).map(gain).sum::<f64>(),
        recall_1: recall(1),
        recall_5: recall(5),
        recall_10: recall(10),
        reciprocal: right().next().map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0)),
    }
}

/// The mean of each value.
pub fn mean(all: &[Measure]) -> Measure {
    let of = |pick: fn(&Measure) -> f64| all.iter().map(pick).sum::<f64>() / all.len().max(1) as f64;
    Measure {
        ndcg: of(|m| m.ndcg),
        recall_1: of(|m| m.recall_1),
        recall_5: of(|m| m.recall_5),
        recall_10: of(|m| m.recall_10),
        reciprocal: of(|m| m.reciprocal),
    }
}
