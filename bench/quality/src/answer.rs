//! What a ranking answers to one query, as the driver reads it. Knows nothing of what is right.

use std::error::Error;
use std::io::Write;

use serde::Serialize;

/// Hits of one answer.
pub const HITS: usize = 10;

/// One line for a query.
#[derive(Serialize)]
pub struct Line {
    /// The best ten, best first.
    pub ids: Vec<String>,
    #[serde(flatten)]
    pub trust: Trust,
    /// The same query when every tool that is right has been taken out of the catalog.
    pub without: Trust,
}

/// How far an answer trusts itself.
#[derive(Serialize)]
pub struct Trust {
    /// Of the best hit; 0 without one.
    pub score: f64,
    /// What an answer is accepted or doubted by: the greater, the surer.
    pub confidence: f64,
    /// `ok`, `weak` or `no_match`; absent from a ranking that never doubts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'static str>,
}

/// Prints the engine and its version, then a line for each query.
pub fn print(engine: &str, lines: impl Iterator<Item = Line>) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let about = serde_json::json!({"engine": engine, "version": env!("CARGO_PKG_VERSION")});
    writeln!(out, "{about}")?;
    for line in lines {
        serde_json::to_writer(&mut out, &line)?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}
