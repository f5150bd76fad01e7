//! Reads `scenario.json` and the fixtures that it names. Knows nothing of operations.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// The scenario, and the items that its steps name.
#[derive(Debug)]
pub struct Scenario {
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// The items of each fixture file, as written: generators are expanded by the step that uses them.
    pub fixtures: HashMap<String, Vec<Value>>,
}

/// One thing done, and what must come of it.
#[derive(Debug)]
pub struct Step {
    /// A sentence that can be false.
    pub name: String,
    /// Which client is spoken to.
    pub on: String,
    /// What is done.
    pub operation: String,
    /// With what.
    pub arguments: Value,
    /// What must come of it.
    pub expect: Value,
    /// JSON Pointers to what may differ from run to run or from language to language.
    pub unstable: Vec<String>,
}

/// The folder that holds the scenario.
pub fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default()
}

/// Reads the scenario and its fixtures.
pub fn read() -> Result<Scenario, String> {
    let document = read_json(&home().join("scenario.json"))?;
    let mut fixtures = HashMap::new();
    for (name, file) in document["fixtures"].as_object().into_iter().flatten() {
        let items = read_json(&home().join(text(file)?))?;
        fixtures.insert(
            name.clone(),
            items.as_array().cloned().ok_or("a fixture is a list of items")?,
        );
    }
    let steps = document["steps"].as_array().ok_or("the scenario has no steps")?;
    Ok(Scenario {
        steps: steps.iter().map(read_step).collect::<Result<_, _>>()?,
        fixtures,
    })
}

fn read_step(step: &Value) -> Result<Step, String> {
    Ok(Step {
        name: text(&step["name"])?.to_owned(),
        on: step["on"].as_str().unwrap_or("main").to_owned(),
        operation: text(&step["operation"])?.to_owned(),
        arguments: step
            .get("arguments")
            .cloned()
            .unwrap_or_else(|| Value::Object(Map::new())),
        expect: step["expect"].clone(),
        unstable: step["unstable"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(path, _)| path.clone())
            .collect(),
    })
}

fn read_json(path: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(path).map_err(|cause| format!("{}: {cause}", path.display()))?;
    serde_json::from_str(&text).map_err(|cause| format!("{}: {cause}", path.display()))
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("not a text: {value}"))
}
