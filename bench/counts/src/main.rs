//! Does a given number of builds, searches and changes, so that two runs under callgrind differ by nothing else.
//! `honeyguide-bench-counts TOOLS BUILDS CATALOG_SEARCHES ENGINE_SEARCHES UPDATES`; `run.py` runs it. Measures nothing itself.

use std::error::Error;
use std::hint::black_box;

use honeyguide::Engine;
use honeyguide::catalog::Catalog;
use honeyguide::catalog::tool::Tool;
use honeyguide::rank::Query;
use honeyguide::text::Analyzer;
use honeyguide_bench_kit::corpus::{Corpus, QUERIES, UPDATES};
use serde_json::json;
use serde_json::value::RawValue;

const SEED: u64 = 1;
const HITS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let [tools, builds, catalog_searches, engine_searches, updates] = numbers[..] else {
        return Err(
            "usage: honeyguide-bench-counts TOOLS BUILDS CATALOG_SEARCHES ENGINE_SEARCHES UPDATES".into(),
        );
    };
    let corpus = Corpus::new(SEED, tools);
    let items: Vec<String> = corpus.tools().map(|tool| tool.to_json()).collect();
    let all = register(&items);
    let queries: Vec<String> = (0..QUERIES).map(|number| corpus.query(number).text).collect();

    // Whoever asks writes the request: that is no work of the engine.
    let request = |query| json!({"kind": "tool", "query": query, "topK": HITS}).to_string();
    let requests: Vec<String> = queries.iter().map(request).collect();

    let mut engine = Engine::default();
    for _ in 0..builds {
        engine = Engine::default();
        check(&engine.call("register", &all))?;
    }
    for request in requests.iter().cycle().take(engine_searches) {
        check(&engine.call("search", request))?;
    }
    for number in 0..updates {
        let item = corpus.update(number % UPDATES).to_json();
        check(&engine.call("register", &register(&[item])))?;
    }
    if catalog_searches > 0 {
        let catalog = catalog(&items)?;
        for query in queries.iter().cycle().take(catalog_searches) {
            let ranking = catalog.search(&Query {
                text: query,
                limit: HITS,
                ..Query::default()
            });
            for hit in ranking.hits {
                black_box((catalog.at(hit.slot), hit.score.to_f64()));
            }
        }
    }
    Ok(())
}

fn register(items: &[String]) -> String {
    format!(r#"{{"kind":"tool","items":[{}]}}"#, items.join(","))
}

fn check(answer: &str) -> Result<(), Box<dyn Error>> {
    if answer.starts_with(r#"{"ok""#) {
        return Ok(());
    }
    Err(answer.into())
}

fn catalog(items: &[String]) -> Result<Catalog<Tool>, Box<dyn Error>> {
    let batch: Vec<Box<RawValue>> = items
        .iter()
        .map(|item| RawValue::from_string(item.clone()))
        .collect::<Result<_, _>>()?;
    let mut catalog = Catalog::default();
    catalog.register(&batch, &mut Analyzer::new());
    Ok(catalog)
}
