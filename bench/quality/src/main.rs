//! Prints NDCG@10 and recall of the ranking beside flat BM25, for every set in the folder `HONEYGUIDE_DATA`.
//!
//! `cargo run --release -p honeyguide-bench-quality [set…]`

mod flat;
mod metrics;
mod ours;
mod sets;

use metrics::{Measure, mean};
use sets::Set;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::var("HONEYGUIDE_DATA").map_err(|_| "HONEYGUIDE_DATA names no folder")?;
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut rows = Vec::new();
    println!(
        "{:16} {:>6} {:>6} | flat BM25      | ours",
        "set", "tools", "query"
    );
    println!(
        "{:30} | NDCG@10 R@5    | NDCG@10 R@1   R@5   R@10  MRR   | ok-right ok-wrong doubt-right",
        ""
    );
    for set in sets::load(&folder)? {
        if !wanted.is_empty() && !wanted.contains(&set.name) {
            continue;
        }
        let flat: Vec<Measure> = flat::rank(&set).iter().map(metrics::measure).collect();
        let (ranked, trust) = ours::rank(&set);
        let ours: Vec<Measure> = ranked.iter().map(metrics::measure).collect();
        let row = (mean(&flat), mean(&ours), trust);
        print(&set, &row);
        rows.push(row);
    }
    let macro_of = |pick: fn(&Row) -> Measure| mean(&rows.iter().map(pick).collect::<Vec<_>>());
    let (flat, ours) = (macro_of(|row| row.0), macro_of(|row| row.1));
    println!(
        "{:30} | {:5.1}   {:5.1}  | {:5.1}   {:5.1} {:5.1} {:5.1} {:5.1} |",
        "macro",
        100.0 * flat.ndcg,
        100.0 * flat.recall_5,
        100.0 * ours.ndcg,
        100.0 * ours.recall_1,
        100.0 * ours.recall_5,
        100.0 * ours.recall_10,
        100.0 * ours.reciprocal
    );
    Ok(())
}

type Row = (Measure, Measure, ours::Trust);

fn print(set: &Set, (flat, ours, trust): &Row) {
    println!(
        "{:16} {:6} {:6} | {:5.1}   {:5.1}  | {:5.1}   {:5.1} {:5.1} {:5.1} {:5.1} | {:5.1} {:5.1} {:5.1}",
        set.name,
        set.tools.len(),
        set.queries.len(),
        100.0 * flat.ndcg,
        100.0 * flat.recall_5,
        100.0 * ours.ndcg,
        100.0 * ours.recall_1,
        100.0 * ours.recall_5,
        100.0 * ours.recall_10,
        100.0 * ours.reciprocal,
        100.0 * trust.ok_right,
        100.0 * trust.ok_without,
        100.0 * trust.doubted_right
    );
}
