//! The figures of a run, and the line that the driver reads. Knows nothing of how they were taken.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What was measured; single times in nanoseconds.
#[derive(Default)]
pub struct Figures {
    pub build: Duration,
    pub first: Duration,
    pub resident: u64,
    pub allocated: Option<u64>,
    pub searches: Vec<u64>,
    pub updates: Vec<u64>,
    pub first_after: Vec<u64>,
    pub first_over_warm: Vec<f64>,
    asked: usize,
    found: usize,
    hash: Sha256,
}

impl Figures {
    /// Takes the answer of a query, and the tools that were wanted.
    pub fn saw(&mut self, ids: &[String], gold: &[String]) {
        self.asked += 1;
        self.found += usize::from(gold.iter().any(|id| ids.contains(id)));
        self.hash.update(ids.join(","));
        self.hash.update("\n");
    }

    /// The one line.
    pub fn into_json(mut self, engine: &str, version: &str, tools: usize) -> Value {
        let micros = |nanos: u64| nanos as f64 / 1_000.0;
        let count = self.searches.len().max(1) as f64;
        let mean = self.searches.iter().sum::<u64>() as f64 / count;
        self.searches.sort_unstable();
        self.updates.sort_unstable();
        self.first_after.sort_unstable();
        self.first_over_warm.sort_by(f64::total_cmp);
        let hash: String = self
            .hash
            .finalize()
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        json!({
            "engine": engine,
            "version": version,
            "tools": tools,
            "build_cpu_ms": self.build.as_secs_f64() * 1e3,
            "first_cpu_ms": self.first.as_secs_f64() * 1e3,
            "p50_us": micros(quantile(&self.searches, 0.5)),
            "p99_us": micros(quantile(&self.searches, 0.99)),
            "mean_us": mean / 1_000.0,
            "update_cpu_us": micros(quantile(&self.updates, 0.5)),
            "updates": self.updates.len(),
            "first_after_change_us": micros(quantile(&self.first_after, 0.5)),
            "first_after_change_over_warm": self.first_over_warm.get(self.first_over_warm.len() / 2),
            "rss_growth": self.resident,
            "memory": self.allocated.unwrap_or(self.resident),
            "hits_at_5": self.found as f64 / self.asked.max(1) as f64,
            "hash": hash,
        })
    }
}

/// The value below which a share of ascending numbers lies; 0 when there is none.
pub fn quantile(ascending: &[u64], share: f64) -> u64 {
    let last = ascending.len().saturating_sub(1);
    ascending
        .get((last as f64 * share).round() as usize)
        .copied()
        .unwrap_or(0)
}
