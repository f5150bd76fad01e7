//! Searches of one thread while another replaces 1,000 tools a second, beside the same searches without it. Phases take
//! turns, so that both see the same machine; a machine with fewer than two free cores shows its scheduler instead.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use honeyguide::Engine;
use honeyguide_bench_kit::measure::{Engine as _, share_below};
use honeyguide_bench_kit::sets::{Item, Set};
use serde_json::json;

use crate::engine::{OursEngine, check, register};

const PHASES: usize = 10;
const PHASE: Duration = Duration::from_millis(400);
const BETWEEN_WRITES: Duration = Duration::from_millis(1);

/// Prints one line with the medians of the phases.
pub fn run(version: &str) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    let [tools, queries, updates, ..] = &arguments[..] else {
        return Err("usage: readers TOOLS.jsonl QUERIES.jsonl UPDATES.jsonl".into());
    };
    let set = Set::read(tools, queries, updates)?;
    let engine = Engine::default();
    check(&engine.call("register", &register(&set.tools)));
    let queries: Vec<String> = set
        .queries
        .iter()
        .map(|query| OursEngine::query(&query.text))
        .collect();
    let changes = changes(&set);

    let (mut idle, mut busy, mut ratios, mut writes) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..PHASES {
        let (alone, _) = phase(&engine, &queries, &[]);
        let (beside, written) = phase(&engine, &queries, &changes);
        ratios.push((1_000.0 * beside as f64 / alone.max(1) as f64) as u64);
        idle.push(alone);
        busy.push(beside);
        writes += written;
    }
    println!(
        "{}",
        json!({
            "engine": "honeyguide readers",
            "version": version,
            "tools": set.tools.len(),
            "idle_p99_us": share_below(&mut idle, 0.5) as f64 / 1e3,
            "busy_p99_us": share_below(&mut busy, 0.5) as f64 / 1e3,
            "busy_over_idle_p99": share_below(&mut ratios, 0.5) as f64 / 1e3,
            "writes_per_second": writes as f64 / (PHASE.as_secs_f64() * PHASES as f64),
        })
    );
    Ok(())
}

/// Two texts for each of many tools, so that every write changes something.
fn changes(set: &Set) -> Vec<String> {
    let versions = ["one", "two"].iter().flat_map(|version| {
        set.tools.iter().take(1_000).map(move |item| Item {
            id: item.id.clone(),
            line: item
                .line
                .replacen(r#""description":""#, &format!(r#""description":"{version} "#), 1),
        })
    });
    versions.map(|item| register(&[item])).collect()
}

/// The p99 of one phase's searches in nanoseconds, and how many writes went beside them.
fn phase(engine: &Engine, queries: &[String], changes: &[String]) -> (u64, usize) {
    let over = AtomicBool::new(false);
    scope(|threads| {
        let writer = threads.spawn(|| {
            let (began, mut written) = (Instant::now(), 0_u32);
            for change in changes.iter().cycle() {
                if over.load(Ordering::Relaxed) {
                    break;
                }
                check(&engine.call("register", change));
                written += 1;
                sleep((BETWEEN_WRITES * written).saturating_sub(began.elapsed()));
            }
            written as usize
        });
        let (began, mut took) = (Instant::now(), Vec::new());
        for query in queries.iter().cycle() {
            let before = Instant::now();
            std::hint::black_box(engine.call("search", query));
            took.push(before.elapsed().as_nanos() as u64);
            if began.elapsed() > PHASE {
                break;
            }
        }
        over.store(true, Ordering::Relaxed);
        (share_below(&mut took, 0.99), writer.join().unwrap_or(0))
    })
}
