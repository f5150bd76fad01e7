//! The catalog as a Rust program holds it: a query in, ids and scores out, no JSON between.

use honeyguide::catalog::Catalog;
use honeyguide::catalog::item::Item as _;
use honeyguide::catalog::tool::Tool;
use honeyguide::rank::Query;
use honeyguide::text::Analyzer;
use honeyguide_bench_kit::measure::{Engine, HITS};
use honeyguide_bench_kit::sets::Item;
use serde_json::value::RawValue;

pub struct OursCatalog {
    catalog: Catalog<Tool>,
    analyzer: Analyzer,
}

impl Engine for OursCatalog {
    const NAME: &'static str = "honeyguide";
    type Batch = Vec<Box<RawValue>>;
    type Change = [Box<RawValue>; 1];
    type Query = String;
    type Hits = Vec<(String, f64)>;

    fn batch(items: &[Item]) -> Vec<Box<RawValue>> {
        items.iter().map(raw).collect()
    }

    fn change(item: &Item) -> [Box<RawValue>; 1] {
        [raw(item)]
    }

    fn query(text: &str) -> String {
        text.to_owned()
    }

    fn build(batch: Vec<Box<RawValue>>) -> Self {
        let (mut catalog, mut analyzer) = (Catalog::default(), Analyzer::new());
        // What was read stays in memory, so that what grows is what the engine holds.
        catalog.register(&std::mem::ManuallyDrop::new(batch), &mut analyzer);
        Self { catalog, analyzer }
    }

    fn search(&mut self, query: &String) -> Vec<(String, f64)> {
        let ranking = self.catalog.search(&Query {
            text: query,
            limit: HITS,
            ..Query::default()
        });
        let hits = ranking.hits.iter();
        // Owned ids, as the peers hand out.
        hits.filter_map(|hit| Some((self.catalog.at(hit.slot)?.id().to_owned(), hit.score.to_f64())))
            .collect()
    }

    fn update(&mut self, change: [Box<RawValue>; 1]) {
        self.catalog.register(&change, &mut self.analyzer);
    }

    fn ids(&self, hits: &Vec<(String, f64)>) -> Vec<String> {
        hits.iter().map(|(id, _)| id.clone()).collect()
    }
}

fn raw(item: &Item) -> Box<RawValue> {
    RawValue::from_string(item.line.clone()).unwrap_or_default()
}
