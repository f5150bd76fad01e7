//! Prints what a scan of vectors takes, what it finds of the nearest by f32, what a row weighs, and what whole searches take.
//! `make bench-vectors` runs it; `honeyguide-bench-vectors ROWS DIMENSIONS` scans other sizes, `… searches TOOLS…` only searches.
//! Asserts nothing.

mod searches;

use std::alloc::System;
use std::cmp::Reverse;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cap::Cap;
use honeyguide::index::{Model, Probe, Vectors};

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Those of all-MiniLM-L6-v2.
const DIMENSIONS: usize = 384;
const QUERIES: usize = 50;
const NEAREST: usize = 10;
/// How many of the best are compared with all bits, as `rank/dense.rs` does.
const AGAIN_LEAST: usize = 40;
const AGAIN_SHARE: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => {
            scan(100_000, DIMENSIONS)?;
            search(&[1_000, 10_000])
        }
        [word, tools @ ..] if word == "searches" => {
            let tools: Vec<usize> = tools.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
            search(&tools)
        }
        [rows, dimensions] => scan(rows.parse()?, dimensions.parse()?),
        _ => Err("usage: honeyguide-bench-vectors [ROWS DIMENSIONS | searches TOOLS...]".into()),
    }
}

fn search(tools: &[usize]) -> Result<(), Box<dyn Error>> {
    tools
        .iter()
        .try_for_each(|tools| searches::measure(*tools, DIMENSIONS))
}

fn scan(rows: usize, dimensions: usize) -> Result<(), Box<dyn Error>> {
    println!("{rows} vectors of {dimensions} dimensions, {QUERIES} queries, one core");
    let mut dice = Dice(1);
    measure(
        "random",
        &dice.vectors(rows, dimensions),
        &dice.vectors(QUERIES, dimensions),
    )?;
    let centres = dice.vectors(rows.div_ceil(200), dimensions);
    let clustered = dice.around(&centres, rows);
    let queries = dice.around(&centres, QUERIES);
    measure("clustered", &clustered, &queries)
}

fn measure(name: &str, vectors: &[Vec<f32>], queries: &[Vec<f32>]) -> Result<(), Box<dyn Error>> {
    let dimensions = vectors.first().map_or(0, Vec::len);
    let before = MEMORY.allocated();
    let store = filled(vectors, dimensions)?;
    let bytes = (MEMORY.allocated() - before) / vectors.len().max(1);
    let probes: Vec<Probe> = queries
        .iter()
        .map(|query| Probe::new(query, dimensions).map_err(|unfit| format!("{unfit:?}")))
        .collect::<Result<_, _>>()?;
    let mut times: Vec<Duration> = Vec::new();
    for probe in &probes {
        let start = Instant::now();
        black_box(store.similarities(probe));
        times.push(start.elapsed());
    }
    let (mut coarsely, mut finely) = (0, 0);
    for (query, probe) in queries.iter().zip(&probes) {
        let similarities = store.similarities(probe);
        let mut best: Vec<u32> = (0..).take(vectors.len()).collect();
        best.sort_unstable_by_key(|slot| Reverse(similarities[*slot as usize]));
        let truth = nearest(vectors, query);
        let hits = |best: &[u32]| {
            best.iter()
                .take(NEAREST)
                .filter(|slot| truth.contains(slot))
                .count()
        };
        coarsely += hits(&best);
        best.truncate(AGAIN_LEAST.max(vectors.len() / AGAIN_SHARE));
        best.sort_by_key(|slot| Reverse(store.similarity(probe, *slot)));
        finely += hits(&best);
    }
    times.sort_unstable();
    let share = |hits: usize| 100.0 * hits as f64 / (NEAREST * queries.len()) as f64;
    println!(
        "{name}: scan {:.2} ms (p50), {:.2} ms (best); recall@{NEAREST} of f32 {:.2} % by 8 bits, {:.2} % with all; {bytes} bytes a row, f32 alone {}",
        milliseconds(&times, 50),
        milliseconds(&times, 0),
        share(coarsely),
        share(finely),
        4 * dimensions,
    );
    Ok(())
}

/// The time that so many of a hundred do not exceed, of times in order.
fn milliseconds(times: &[Duration], of_a_hundred: usize) -> f64 {
    let place = times.len() * of_a_hundred / 100;
    times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

fn model(dimensions: usize) -> Result<Arc<Model>, Box<dyn Error>> {
    Ok(Arc::new(Model {
        id: "bench".to_owned(),
        revision: String::new(),
        dimensions: u32::try_from(dimensions)?,
        scripts: None,
        is_english: false,
    }))
}

fn filled(vectors: &[Vec<f32>], dimensions: usize) -> Result<Vectors, Box<dyn Error>> {
    let model = model(dimensions)?;
    let mut store = Vectors::of(Arc::clone(&model));
    for (slot, vector) in (0..).zip(vectors) {
        let text = format!("text {slot}");
        store.put(slot, model.passage(&text));
        store
            .store(model.key(&text), vector)
            .map_err(|unfit| format!("{unfit:?}"))?;
    }
    Ok(store)
}

fn nearest(vectors: &[Vec<f32>], query: &[f32]) -> Vec<u32> {
    let mut cosines: Vec<(f64, u32)> = (0..)
        .zip(vectors)
        .map(|(slot, vector)| (cosine(vector, query), slot))
        .collect();
    cosines.sort_unstable_by(|left, right| right.0.total_cmp(&left.0));
    cosines.into_iter().take(NEAREST).map(|(_, slot)| slot).collect()
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let product = |left: &[f32], right: &[f32]| -> f64 {
        left.iter()
            .zip(right)
            .map(|(left, right)| f64::from(*left) * f64::from(*right))
            .sum()
    };
    product(left, right) / product(left, left).sqrt()
}

/// Numbers that look random, the same on every machine.
struct Dice(u64);

impl Dice {
    /// About normal: the sum of twelve even throws.
    fn throw(&mut self) -> f32 {
        (0..12).fold(-6.0, |sum, _| {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            sum + (self.0 >> 40) as f32 / (1u32 << 24) as f32
        })
    }

    fn vectors(&mut self, count: usize, dimensions: usize) -> Vec<Vec<f32>> {
        (0..count)
            .map(|_| (0..dimensions).map(|_| self.throw()).collect())
            .collect()
    }

    /// Vectors near to centres: what they share is as large as what they do not.
    fn around(&mut self, centres: &[Vec<f32>], count: usize) -> Vec<Vec<f32>> {
        (0..count)
            .map(|at| {
                centres[at % centres.len()]
                    .iter()
                    .map(|value| value + self.throw())
                    .collect()
            })
            .collect()
    }
}
