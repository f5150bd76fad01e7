//! Runs our encoder, or candle's on the same tokens, through the protocol of the embedding bench: prints one line of JSON.
//!
//! `honeyguide-bench-embed fast|portable FOLDER TEXTS QUERIES THREADS`; the files have a JSON string in each line.

use std::error::Error;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Instant;

use honeyguide_model::{Backend, Model, ModelFiles, ModelOptions, Role};
use serde_json::json;

/// Vectors that are printed, so that the bench can see that all engines compute the same.
const SAMPLE: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, folder, texts, queries, threads] = arguments.as_slice() else {
        return Err("fast|portable FOLDER TEXTS QUERIES THREADS".into());
    };
    let (texts, queries) = (lines(texts)?, lines(queries)?);
    let options = ModelOptions {
        threads: NonZeroUsize::new(threads.parse()?),
        backend: if engine == "portable" {
            Backend::Portable
        } else {
            Backend::Fast
        },
        ..ModelOptions::default()
    };
    let (before, began) = (cpu(), Instant::now());
    let model = Model::load(&ModelFiles::folder(folder)?, &options)?;
    model.encode_one("ready", Role::Query)?;
    let (load, load_cpu) = (began.elapsed().as_secs_f64(), cpu() - before);

    let before = cpu();
    let mut each = Vec::new();
    for query in &queries {
        let began = Instant::now();
        model.encode_one(query, Role::Query)?;
        each.push(began.elapsed().as_secs_f64());
    }
    let query_cpu = (cpu() - before) / queries.len() as f64;
    each.sort_by(f64::total_cmp);

    let (before, began) = (cpu(), Instant::now());
    let vectors = model.encode(&texts, Role::Document, &mut |_| ControlFlow::Continue(()))?;
    let (wall, spent) = (began.elapsed().as_secs_f64(), cpu() - before);
    let width = model.outline().dimensions;
    let at = |share: usize| each.get(each.len() * share / 100).copied().unwrap_or_default() * 1e3;
    let line = json!({
        "engine": engine,
        "version": env!("CARGO_PKG_VERSION"),
        "load_ms": load * 1e3,
        "load_cpu_ms": load_cpu * 1e3,
        "query_p50_ms": at(50),
        "query_p99_ms": at(99),
        "query_cpu_ms": query_cpu * 1e3,
        "texts_per_second": texts.len() as f64 / wall,
        "texts_per_cpu_second": texts.len() as f64 / spent,
        "resident_mb": status("VmRSS:"),
        "peak_mb": status("VmHWM:"),
        "sample": vectors.chunks(width).take(SAMPLE).collect::<Vec<_>>(),
    });
    println!("{line}");
    Ok(())
}

fn lines(path: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// CPU seconds of this process, all its threads, ended ones too.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks: f64 = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// A line of the process's status, in megabytes.
fn status(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .unwrap_or_default();
    line.split_whitespace()
        .next()
        .and_then(|value| value.parse::<f64>().ok())
        .unwrap_or_default()
        / 1024.0
}
