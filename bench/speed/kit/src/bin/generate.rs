//! Writes a generated catalog as JSON lines: `generate FOLDER TOOLS [QUERIES]`; or says how a catalog resembles real ones:
//! `generate --realism TOOLS.jsonl QUERIES.jsonl`. Knows no engine.

use std::error::Error;
use std::fs::{File, create_dir_all};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;

use honeyguide_bench_kit::corpus::{Corpus, QUERIES, UPDATES};
use honeyguide_bench_kit::realism::Realism;
use honeyguide_bench_kit::sets::{Set, text_of};
use serde_json::json;

const SEED: u64 = 1;
/// Tools between two lines of progress.
const STEP: usize = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [flag, tools, queries] if flag == "--realism" => realism(tools, queries),
        [folder, tools] => generate(Path::new(folder), tools.parse()?, QUERIES),
        [folder, tools, queries] => generate(Path::new(folder), tools.parse()?, queries.parse()?),
        _ => Err(
            "usage: generate FOLDER TOOLS [QUERIES] | generate --realism TOOLS.jsonl QUERIES.jsonl".into(),
        ),
    }
}

fn generate(folder: &Path, tools: usize, queries: usize) -> Result<(), Box<dyn Error>> {
    create_dir_all(folder)?;
    let corpus = Corpus::new(SEED, tools);
    let file = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
    let mut lines = file("tools.jsonl")?;
    for (place, tool) in corpus.tools().enumerate() {
        writeln!(lines, "{}", tool.to_json())?;
        if place % STEP == 0 && tools > STEP && std::io::stderr().is_terminal() {
            eprint!("\r\x1b[Kgenerating tool {place} of {tools}");
        }
    }
    lines.flush()?;
    let mut lines = file("updates.jsonl")?;
    for number in 0..UPDATES {
        writeln!(lines, "{}", corpus.update(number).to_json())?;
    }
    lines.flush()?;
    // Last: it says that the folder is whole.
    let mut lines = file("queries.jsonl")?;
    for number in 0..queries {
        let query = corpus.query(number);
        writeln!(lines, "{}", json!({"query": query.text, "gold": [query.target]}))?;
    }
    lines.flush()?;
    Ok(())
}

fn realism(tools: &str, queries: &str) -> Result<(), Box<dyn Error>> {
    let set = Set::read(tools, queries, tools)?;
    let queries: Vec<String> = set.queries.into_iter().map(|query| query.text).collect();
    let documents = set
        .tools
        .iter()
        .map(|item| (item.line.len(), text_of(&item.value())));
    let figures = Realism::of(documents, &queries);
    println!(
        "{}",
        json!({
            "tools": set.tools.len(),
            "bytes_per_tool": figures.bytes.round(),
            "words_per_tool": round(figures.words, 1),
            "distinct_words": figures.distinct,
            "words_per_query": round(figures.query_words, 1),
            "matching_share": round(figures.share, 3),
            "postings_over_tools": round(figures.postings, 3),
        })
    );
    Ok(())
}

fn round(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (number * unit).round() / unit
}
