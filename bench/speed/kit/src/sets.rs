//! Reads a catalog, its queries and its changes from JSON lines. Knows no engine.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};

use serde_json::Value;

/// What an engine is measured on.
#[derive(Debug)]
pub struct Set {
    /// The catalog.
    pub tools: Vec<Item>,
    /// The queries.
    pub queries: Vec<Query>,
    /// Replaced and new tools.
    pub updates: Vec<Item>,
}

/// One tool.
#[derive(Debug)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// Its line, as it was read.
    pub line: String,
}

/// One query.
#[derive(Debug)]
pub struct Query {
    /// The words.
    pub text: String,
    /// The ids of the tools that answer it.
    pub gold: Vec<String>,
}

impl Set {
    /// Reads three files.
    pub fn read(tools: &str, queries: &str, updates: &str) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            tools: items(tools)?,
            queries: lines(queries)?
                .into_iter()
                .map(|(_, value)| Query {
                    text: value["query"].as_str().unwrap_or_default().to_owned(),
                    gold: value["gold"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(|id| id.as_str().map(str::to_owned))
                        .collect(),
                })
                .collect(),
            updates: items(updates)?,
        })
    }
}

impl Item {
    /// The tool as a value, for engines that take one; none of them is timed at this.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.line).unwrap_or_default()
    }
}

/// Every text of a tool that an engine indexes, for engines that take one text: names, descriptions, values of schemas.
pub fn text_of(tool: &Value) -> String {
    let mut text = String::new();
    for key in ["name", "description"] {
        if let Some(part) = tool[key].as_str() {
            text.push_str(part);
            text.push(' ');
        }
    }
    walk(&tool["inputSchema"], &mut text);
    text
}

fn walk(schema: &Value, text: &mut String) {
    if let Some(description) = schema["description"].as_str() {
        text.push_str(description);
        text.push(' ');
    }
    for value in schema["enum"].as_array().into_iter().flatten() {
        if let Some(value) = value.as_str() {
            text.push_str(value);
            text.push(' ');
        }
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        text.push_str(name);
        text.push(' ');
        walk(property, text);
    }
    if schema["items"].is_object() {
        walk(&schema["items"], text);
    }
}

fn items(path: &str) -> Result<Vec<Item>, Box<dyn Error>> {
    Ok(lines(path)?
        .into_iter()
        .map(|(line, value)| Item {
            id: value["id"].as_str().unwrap_or_default().to_owned(),
            line,
        })
        .collect())
}

fn lines(path: &str) -> Result<Vec<(String, Value)>, Box<dyn Error>> {
    let mut all = Vec::new();
    for line in BufReader::new(File::open(path)?).lines() {
        let line = line?;
        let value = serde_json::from_str(&line)?;
        all.push((line, value));
    }
    Ok(all)
}
