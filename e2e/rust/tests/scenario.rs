//! Drives every step of the scenario through the engine, and writes down what was observed for the other languages to
//! be compared with.

use std::fmt::Write as _;
use std::fs;

use honeyguide_e2e::{canonical, compare, scenario, world::World};
use serde_json::{Value, json};

#[test]
fn every_step_of_the_scenario_answers_as_expected() {
    let scenario = scenario::read().unwrap();
    let mut world = World::new(&scenario).unwrap();
    let mut transcript = String::new();
    let mut failed = Vec::new();
    for step in &scenario.steps {
        let (observed, differences) = match world.take(step) {
            Err(reason) => (json!({ "broken": reason }), vec![reason]),
            Ok(observed) => {
                let differences =
                    compare::step(&world, &step.expect, &observed).unwrap_or_else(|reason| vec![reason]);
                (observed, differences)
            }
        };
        let kept = canonical::comparable(&observed, &step.unstable);
        let name = canonical::write(&Value::from(step.name.as_str()));
        let found = canonical::write(&Value::from(differences.clone()));
        let seen = canonical::write(&kept);
        writeln!(
            transcript,
            "{{\"step\":{name},\"differences\":{found},\"observed\":{seen}}}"
        )
        .unwrap();
        if !differences.is_empty() {
            failed.push(format!("{}\n    {}", step.name, differences.join("\n    ")));
        }
    }
    let folder = scenario::home().join(".build");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("rust.jsonl"), transcript).unwrap();
    let passed = scenario.steps.len() - failed.len();
    assert!(
        failed.is_empty(),
        "{passed} steps passed, {} failed:\n{}",
        failed.len(),
        failed.join("\n")
    );
}
