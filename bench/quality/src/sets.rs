//! Reads the sets: one folder each, with `tools.jsonl` and `queries.jsonl`.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use honeyguide::text::{SchemaText, walk_schema};
use serde::Deserialize;
use serde_json::Value;

/// One set.
pub struct Set {
    pub name: String,
    pub tools: Vec<Tool>,
    pub queries: Vec<Query>,
}

#[derive(Deserialize)]
pub struct Tool {
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub server: String,
    #[serde(default)]
    pub body: String,
    #[serde(default, rename = "inputSchema")]
    pub schema: Value,
    #[serde(skip)]
    pub parameter_names: Vec<String>,
    #[serde(skip)]
    pub parameter_texts: Vec<String>,
}

#[derive(Deserialize)]
struct Line {
    query: String,
    gold: Vec<String>,
}

/// A query, and which tools answer it.
pub struct Query {
    pub text: String,
    pub gold: Vec<usize>,
}

/// Every set of a folder, by name.
pub fn load(folder: &str) -> Result<Vec<Set>, Box<dyn std::error::Error>> {
    let mut sets = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.join("tools.jsonl").is_file() {
            sets.push(read(&path)?);
        }
    }
    sets.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(sets)
}

fn read(path: &Path) -> Result<Set, Box<dyn std::error::Error>> {
    let lines = |file: &str| fs::read_to_string(path.join(file));
    let mut tools: Vec<Tool> = lines("tools.jsonl")?
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    for tool in &mut tools {
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        walk_schema(&tool.schema, &mut |text| match text {
            SchemaText::Name(name) => names.push(name.to_owned()),
            SchemaText::Description(text) => texts.push(text.to_owned()),
            SchemaText::Value(text) => texts.push(text.into_owned()),
        });
        (tool.parameter_names, tool.parameter_texts) = (names, texts);
    }
    let places: HashMap<&str, usize> = tools
        .iter()
        .enumerate()
        .map(|(place, tool)| (tool.id.as_str(), place))
        .collect();
    let mut queries = Vec::new();
    for line in lines("queries.jsonl")?.lines() {
        let line: Line = serde_json::from_str(line)?;
        let gold = line
            .gold
            .iter()
            .filter_map(|id| places.get(id.as_str()).copied())
            .collect();
        queries.push(Query {
            text: line.query,
            gold,
        });
    }
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    Ok(Set { name, tools, queries })
}
