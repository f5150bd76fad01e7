//! The index alone, filled as a catalog fills it: what it weighs without the items that it leads to.

use honeyguide::catalog::ingest::read;
use honeyguide::catalog::item::{Item as _, names_of};
use honeyguide::catalog::tool::Tool;
use honeyguide::index::{Batch, Document, Index};
use honeyguide::rank::{Query, Ranking, search};
use honeyguide::text::Analyzer;
use honeyguide_bench_kit::measure::{Engine, HITS};
use honeyguide_bench_kit::sets::Item;
use serde_json::value::RawValue;

/// Documents put at once, as many as a catalog puts.
const BATCH: usize = 4_096;

pub struct OursIndex {
    index: Index,
    slots: u32,
    /// Reads texts; the index does not need it, so it is there only while something is read.
    analyzer: Option<Analyzer>,
}

impl Engine for OursIndex {
    const NAME: &'static str = "honeyguide index";
    type Batch = Vec<Tool>;
    type Change = Option<Tool>;
    type Query = String;
    type Hits = Ranking;

    fn batch(items: &[Item]) -> Vec<Tool> {
        items.iter().filter_map(tool).collect()
    }

    fn change(item: &Item) -> Option<Tool> {
        tool(item)
    }

    fn query(text: &str) -> String {
        text.to_owned()
    }

    fn build(batch: Vec<Tool>) -> Self {
        let mut ours = Self {
            index: Index::new(),
            slots: 0,
            analyzer: None,
        };
        let mut texts = Batch::default();
        // What was read stays in memory, so that only the index grows while it is measured.
        for tools in std::mem::ManuallyDrop::new(batch).chunks(BATCH) {
            texts.clear();
            tools.iter().for_each(|tool| ours.read(tool, &mut texts));
            let slots: Vec<u32> = (ours.slots..).take(tools.len()).collect();
            ours.slots += slots.len() as u32;
            ours.index.put_all(&slots, &mut texts);
        }
        ours.analyzer = None;
        ours
    }

    fn search(&mut self, query: &String) -> Ranking {
        search(
            &self.index,
            &Query {
                text: query,
                limit: HITS,
                ..Query::default()
            },
        )
    }

    fn update(&mut self, change: Option<Tool>) {
        // Which slot is replaced is the catalog's to know; the first stands for all.
        if let Some(tool) = change {
            let mut texts = Batch::default();
            self.read(&tool, &mut texts);
            self.index.put_all(&[0], &mut texts);
        }
    }

    fn ids(&self, hits: &Ranking) -> Vec<String> {
        hits.hits.iter().map(|hit| hit.slot.to_string()).collect()
    }
}

impl OursIndex {
    fn read(&mut self, tool: &Tool, texts: &mut Batch) {
        let (fields, names) = (tool.fields(), names_of(tool.id(), tool.name()));
        let document = Document {
            id: tool.id(),
            names: &names,
            group: tool.server().unwrap_or_default(),
            hint: tool.hint(),
            fields: &fields,
        };
        texts.read(&document, self.analyzer.get_or_insert_default());
    }
}

fn tool(item: &Item) -> Option<Tool> {
    let raw = RawValue::from_string(item.line.clone()).ok()?;
    read(&raw, 0, &mut Vec::new())
}
