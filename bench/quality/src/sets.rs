//! Reads one set: tools (or skills, which have a body) and queries with the ids that answer them.

use std::collections::HashMap;
use std::error::Error;
use std::fs;

use serde::Deserialize;
use serde_json::value::RawValue;

/// One set.
pub struct Set {
    pub tools: Vec<Tool>,
    pub queries: Vec<Query>,
}

/// A tool as its line says it.
pub struct Tool {
    pub id: String,
    /// The whole line.
    pub line: Box<RawValue>,
    /// Skills have one.
    pub has_body: bool,
}

/// A query, and the places of the tools that answer it.
pub struct Query {
    pub text: String,
    pub gold: Vec<usize>,
}

#[derive(Deserialize)]
struct ToolLine<'a> {
    id: String,
    #[serde(borrow)]
    body: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct QueryLine {
    query: String,
    gold: Vec<String>,
}

impl Set {
    /// Reads the two files.
    pub fn read(tools: &str, queries: &str) -> Result<Self, Box<dyn Error>> {
        let tools = read_tools(tools)?;
        let places = places(&tools);
        let queries = fs::read_to_string(queries)?
            .lines()
            .map(|line| {
                let line: QueryLine = serde_json::from_str(line)?;
                let gold = line.gold.iter().map(|id| match places.get(id.as_str()) {
                    Some(place) => Ok(*place),
                    None => Err(format!("no tool is called `{id}`, which a query names as right")),
                });
                Ok(Query {
                    gold: gold.collect::<Result<_, _>>()?,
                    text: line.query,
                })
            })
            .collect::<Result<_, Box<dyn Error>>>()?;
        Ok(Self { tools, queries })
    }

    /// Where each tool stands, by id.
    pub fn places(&self) -> HashMap<&str, usize> {
        places(&self.tools)
    }

    /// Whether these are skills.
    pub fn of_skills(&self) -> bool {
        of_skills(&self.tools)
    }
}

/// Whether these are skills.
pub fn of_skills(tools: &[Tool]) -> bool {
    tools.iter().any(|tool| tool.has_body)
}

/// Reads the tools alone.
pub fn read_tools(path: &str) -> Result<Vec<Tool>, Box<dyn Error>> {
    fs::read_to_string(path)?
        .lines()
        .map(|line| {
            let head: ToolLine<'_> = serde_json::from_str(line)?;
            Ok(Tool {
                id: head.id,
                has_body: head.body.is_some(),
                line: RawValue::from_string(line.to_owned())?,
            })
        })
        .collect()
}

fn places(tools: &[Tool]) -> HashMap<&str, usize> {
    tools.iter().map(|tool| tool.id.as_str()).zip(0..).collect()
}
