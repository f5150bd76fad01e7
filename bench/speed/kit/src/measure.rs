//! Runs one engine through the protocol of `bench/README.md` and prints its one line of JSON. Knows no engine.

mod os;
mod report;

use std::error::Error;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::sets::{Item, Set};
pub use os::{allocated_bytes, cpu_time, resident_bytes, trim};
use report::{Figures, quantile};

/// Hits of a search.
pub const HITS: usize = 5;
/// Changes are measured for so long, and so many at the least: rebuilding engines take seconds for each.
const UPDATE_TIME: Duration = Duration::from_secs(4);
const UPDATES_LEAST: usize = 5;
/// Passes over the queries after the first end then, too.
const SEARCH_TIME: Duration = Duration::from_secs(6);
/// Set in the process that only says how much it holds.
const HOLDS: &str = "HONEYGUIDE_BENCH_HOLDS";
/// Times that the query after a change is asked again, to compare its first answer with.
const AGAIN: usize = 3;

/// What is measured. Whatever a host would have at hand already is prepared outside of the measured lines.
pub trait Engine: Sized {
    /// The name of the row.
    const NAME: &'static str;
    /// All tools, as the engine takes them.
    type Batch;
    /// One tool, as the engine takes it.
    type Change;
    /// A query, as the engine takes it.
    type Query;
    /// The answer.
    type Hits;

    /// Prepares the catalog.
    fn batch(items: &[Item]) -> Self::Batch;
    /// Prepares a change.
    fn change(item: &Item) -> Self::Change;
    /// Prepares a query.
    fn query(text: &str) -> Self::Query;
    /// Registers the catalog.
    fn build(batch: Self::Batch) -> Self;
    /// Finds the best five.
    fn search(&mut self, query: &Self::Query) -> Self::Hits;
    /// Registers one tool more, or replaces one.
    fn update(&mut self, change: Self::Change);
    /// The ids of an answer, best first.
    fn ids(&self, hits: &Self::Hits) -> Vec<String>;
}

/// Measures an engine on what the arguments name, and prints the line.
pub fn run<E: Engine>(version: &str) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args()
        .skip_while(|argument| !argument.ends_with(".jsonl"))
        .collect();
    let [tools, queries, updates, passes] = &arguments[..] else {
        return Err("usage: ENGINE TOOLS.jsonl QUERIES.jsonl UPDATES.jsonl PASSES".into());
    };
    let set = Set::read(tools, queries, updates)?;
    if std::env::var_os(HOLDS).is_some() {
        println!("{}", held::<E>(&set).unwrap_or(0));
        return Ok(());
    }
    let mut figures = measure::<E>(&set, passes.parse()?);
    figures.allocated = held_in_another_process();
    println!("{}", figures.into_json(E::NAME, version, set.tools.len()));
    Ok(())
}

/// What building and one search leave allocated.
fn held<E: Engine>(set: &Set) -> Option<u64> {
    let queries: Vec<E::Query> = set
        .queries
        .iter()
        .take(1)
        .map(|query| E::query(&query.text))
        .collect();
    // What a thread keeps for all its searches is no part of a catalog: it is there before.
    let mut first = E::build(E::batch(set.tools.get(..1)?));
    queries
        .iter()
        .for_each(|query| drop(black_box(first.search(query))));
    drop(first);
    let batch = E::batch(&set.tools);
    let before = allocated_bytes()?;
    let mut engine = E::build(batch);
    queries
        .iter()
        .for_each(|query| drop(black_box(engine.search(query))));
    let now = allocated_bytes()?;
    drop(engine);
    Some(now.saturating_sub(before))
}

/// The same, where the allocator does not put pieces that were given back aside for later, which it counts as allocated.
fn held_in_another_process() -> Option<u64> {
    let said = Command::new(std::env::current_exe().ok()?)
        .args(std::env::args_os().skip(1))
        .env(HOLDS, "1")
        .env("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0")
        .output()
        .ok()?;
    let bytes: u64 = String::from_utf8(said.stdout).ok()?.trim().parse().ok()?;
    (bytes > 0).then_some(bytes)
}

fn measure<E: Engine>(set: &Set, passes: usize) -> Figures {
    let queries: Vec<E::Query> = set.queries.iter().map(|query| E::query(&query.text)).collect();
    let changes: Vec<E::Change> = set.updates.iter().map(E::change).collect();
    let batch = E::batch(&set.tools);
    let mut figures = Figures::default();

    trim();
    let resident = resident_bytes();
    let began = cpu_time();
    let mut engine = E::build(batch);
    figures.build = cpu_time() - began;
    if let Some(query) = queries.first() {
        let began = cpu_time();
        black_box(engine.search(query));
        figures.first = cpu_time() - began;
    }
    trim();
    figures.resident = resident_bytes().saturating_sub(resident);

    figures.searches = vec![u64::MAX; queries.len()];
    let started = Instant::now();
    for pass in 0..passes.max(1) {
        if pass > 0 && started.elapsed() > SEARCH_TIME {
            break;
        }
        for (query, least) in queries.iter().zip(&mut figures.searches) {
            let took = timed(|| engine.search(query));
            *least = (*least).min(took);
        }
    }
    for (query, asked) in queries.iter().zip(&set.queries) {
        let hits = engine.search(query);
        figures.saw(&engine.ids(&hits), &asked.gold);
    }
    update(&mut engine, changes, &queries, &mut figures);
    figures
}

/// One change and one search after it, again and again.
fn update<E: Engine>(engine: &mut E, changes: Vec<E::Change>, queries: &[E::Query], figures: &mut Figures) {
    let started = Instant::now();
    for (change, query) in changes.into_iter().zip(queries.iter().cycle()) {
        let began = cpu_time();
        engine.update(change);
        let first = timed(|| engine.search(query));
        figures.updates.push((cpu_time() - began).as_nanos() as u64);
        let warm = (0..AGAIN)
            .map(|_| timed(|| engine.search(query)))
            .min()
            .unwrap_or(1);
        figures.first_after.push(first);
        figures.first_over_warm.push(first as f64 / warm.max(1) as f64);
        if started.elapsed() > UPDATE_TIME && figures.updates.len() >= UPDATES_LEAST {
            break;
        }
    }
}

/// Nanoseconds of a call, with the time to let go of its answer.
fn timed<T>(call: impl FnOnce() -> T) -> u64 {
    let began = Instant::now();
    drop(black_box(call()));
    began.elapsed().as_nanos() as u64
}

/// The value below which a share of the numbers lies.
pub fn share_below(numbers: &mut [u64], share: f64) -> u64 {
    numbers.sort_unstable();
    quantile(numbers, share)
}
