//! The reference: `ratel-ai-core` by its public interface. It builds its index inside the first search after a change.

use honeyguide_bench_kit::measure::{Engine, HITS};
use honeyguide_bench_kit::sets::Item;
use ratel_ai_core::{SearchHit, Tool, ToolRegistry};

pub struct Ratel(ToolRegistry);

impl Engine for Ratel {
    const NAME: &'static str = "ratel-ai-core";
    type Batch = Vec<Tool>;
    type Change = Tool;
    type Query = String;
    type Hits = Vec<SearchHit>;

    fn batch(items: &[Item]) -> Vec<Tool> {
        items.iter().map(tool).collect()
    }

    fn change(item: &Item) -> Tool {
        tool(item)
    }

    fn query(text: &str) -> String {
        text.to_owned()
    }

    fn build(batch: Vec<Tool>) -> Self {
        let mut registry = ToolRegistry::new();
        for tool in batch {
            registry.register(tool);
        }
        Self(registry)
    }

    fn search(&mut self, query: &String) -> Vec<SearchHit> {
        self.0.search(query, HITS)
    }

    fn update(&mut self, change: Tool) {
        self.0.register(change);
    }

    fn ids(&self, hits: &Vec<SearchHit>) -> Vec<String> {
        hits.iter().map(|hit| hit.tool_id.clone()).collect()
    }
}

fn tool(item: &Item) -> Tool {
    let value = item.value();
    Tool {
        id: item.id.clone(),
        name: value["name"].as_str().unwrap_or_default().to_owned(),
        description: value["description"].as_str().unwrap_or_default().to_owned(),
        input_schema: value["inputSchema"].clone(),
        output_schema: Default::default(),
        experimental_searchable_description: None,
    }
}
