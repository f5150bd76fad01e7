//! Prints what a search by words, by meaning and by both takes in a generated catalog. The query's vector is there before: what an
//! embedder takes is measured apart, by `make bench-embed`.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use honeyguide::catalog::Catalog;
use honeyguide::catalog::tool::Tool;
use honeyguide::index::Probe;
use honeyguide::rank::{Method, Query};
use honeyguide::text::Analyzer;
use honeyguide_bench_kit::corpus::Corpus;
use serde_json::value::RawValue;

use crate::{Dice, milliseconds, model};

const SEED: u64 = 7;
const QUERIES: usize = 1_000;
/// Searches before the clock counts.
const WARM: usize = 100;
const HITS: usize = 10;

/// All three methods on a catalog of so many tools, in turns, so that the machine's moods hit each alike.
pub fn measure(tools: usize, dimensions: usize) -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::new(SEED, tools);
    let catalog = embedded(&corpus, tools, dimensions)?;
    let queries: Vec<String> = (0..QUERIES).map(|number| corpus.query(number).text).collect();
    let vectors = Dice(2).vectors(QUERIES, dimensions);
    let methods = [
        ("words", Method::Lexical),
        ("meaning", Method::Semantic),
        ("both", Method::Hybrid),
    ];
    let mut times: [Vec<Duration>; 3] = Default::default();
    for (number, (text, vector)) in queries.iter().zip(&vectors).enumerate() {
        for (times, (_, method)) in times.iter_mut().zip(methods) {
            let start = Instant::now();
            // A vector comes as numbers: to round it is a part of the search.
            let probe = match method {
                Method::Lexical => None,
                Method::Semantic | Method::Hybrid => Some(Probe::new(vector, dimensions)),
            };
            let probe = probe.transpose().map_err(|unfit| format!("{unfit:?}"))?;
            black_box(catalog.search(&Query {
                text,
                limit: HITS,
                method,
                probe: probe.as_ref(),
                ..Query::default()
            }));
            if number >= WARM {
                times.push(start.elapsed());
            }
        }
    }
    println!(
        "{tools} tools of {dimensions} dimensions, {} queries, one core:",
        QUERIES - WARM
    );
    for (times, (name, _)) in times.iter_mut().zip(methods) {
        times.sort_unstable();
        println!(
            "  by {name:8} {:.3} ms (p50), {:.3} ms (p99)",
            milliseconds(times, 50),
            milliseconds(times, 99)
        );
    }
    Ok(())
}

fn embedded(corpus: &Corpus, tools: usize, dimensions: usize) -> Result<Catalog<Tool>, Box<dyn Error>> {
    let batch: Vec<Box<RawValue>> = corpus
        .tools()
        .map(|tool| RawValue::from_string(tool.to_json()))
        .collect::<Result<_, _>>()?;
    let mut catalog = Catalog::of(Some(&model(dimensions)?));
    catalog.register(&batch, &mut Analyzer::new());
    let keys: Vec<_> = catalog.missing().into_iter().map(|(key, _)| key).collect();
    for (key, vector) in keys.into_iter().zip(Dice(3).vectors(tools, dimensions)) {
        let stored = catalog.vectors_mut().store(key, &vector);
        stored.map_err(|unfit| format!("{unfit:?}"))?;
    }
    Ok(catalog)
}
