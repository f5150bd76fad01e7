//! Compares what was observed with what was expected: exactly, but where a matcher loosens and says how much.
//! Knows nothing of operations. `e2e/README.md` lists the matchers.

use serde_json::{Map, Value};

use crate::canonical;
use crate::world::World;

/// What differs, in sentences; empty when nothing does.
pub fn step(world: &World<'_>, expected: &Value, observed: &Value) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let expected = world.expand(expected)?;
    let (Value::Object(expected), Value::Object(observed)) = (&expected, observed) else {
        return Err("an expectation is an object".to_owned());
    };
    // The text of an envelope is compared between the languages, not with the scenario.
    for key in observed
        .keys()
        .filter(|key| *key != "text" && !expected.contains_key(*key))
    {
        found.push(format!("unexpected {key}: {}", observed[key]));
    }
    for (key, wanted) in expected {
        match observed.get(key) {
            None => found.push(format!("no {key} came")),
            // An error is its code: of its record, the keys that are given are compared.
            Some(record) if key == "error" || key == "thrown" => {
                for (part, wanted) in wanted.as_object().into_iter().flatten() {
                    compare(
                        world,
                        wanted,
                        record.get(part),
                        &format!("/{key}/{part}"),
                        &mut found,
                    );
                }
            }
            Some(value) => compare(world, wanted, Some(value), &format!("/{key}"), &mut found),
        }
    }
    Ok(found)
}

fn compare(world: &World<'_>, wanted: &Value, actual: Option<&Value>, path: &str, found: &mut Vec<String>) {
    if let Some((name, argument, matcher)) = matcher_of(wanted) {
        return match_with(world, (name, argument, matcher), actual, path, found);
    }
    let Some(actual) = actual else {
        return found.push(format!("{path} is missing; expected {wanted}"));
    };
    match (wanted, actual) {
        (Value::Object(wanted), Value::Object(actual)) => {
            for (key, part) in wanted {
                compare(world, part, actual.get(key), &format!("{path}/{key}"), found);
            }
            for key in actual.keys().filter(|key| !wanted.contains_key(*key)) {
                found.push(format!("{path}/{key} was not expected: {}", actual[key]));
            }
        }
        (Value::Array(wanted), Value::Array(actual)) => {
            if wanted.len() != actual.len() {
                found.push(format!(
                    "{path} has {} entries, expected {}: {}",
                    actual.len(),
                    wanted.len(),
                    shown(actual)
                ));
            }
            for (place, (part, actual)) in wanted.iter().zip(actual).enumerate() {
                compare(world, part, Some(actual), &format!("{path}/{place}"), found);
            }
        }
        _ if same(wanted, actual) => {}
        _ => found.push(format!("{path} is {actual}, expected {wanted}")),
    }
}

/// `{"$name": argument, …}`: the matcher's name, its argument, the whole.
fn matcher_of(wanted: &Value) -> Option<(&str, &Value, &Map<String, Value>)> {
    let matcher = wanted.as_object()?;
    let (name, argument) = matcher.iter().next()?;
    let known = [
        "$any", "$absent", "$score", "$digest", "$text", "$length", "$first", "$sorted", "$hits", "$found",
        "$without", "$oneOf", "$same", "$differs", "$tokens", "$at", "$all",
    ];
    known
        .contains(&name.as_str())
        .then_some((name.as_str(), argument, matcher))
}

fn match_with(
    world: &World<'_>,
    (name, argument, matcher): (&str, &Value, &Map<String, Value>),
    actual: Option<&Value>,
    path: &str,
    found: &mut Vec<String>,
) {
    let Some(actual) = actual else {
        if name != "$absent" {
            found.push(format!("{path} is missing; expected {name}"));
        }
        return;
    };
    let list = || argument.as_array().map(Vec::as_slice).unwrap_or_default();
    let holds = match name {
        "$any" => true,
        "$score" => is_score(actual, argument.as_u64()),
        "$digest" => actual
            .as_str()
            .is_some_and(|text| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit())),
        "$text" => actual.as_str().is_some_and(|text| {
            let short = matcher
                .get("atMost")
                .and_then(Value::as_u64)
                .is_none_or(|most| text.chars().count() as u64 <= most);
            !text.is_empty()
                && short
                && list()
                    .iter()
                    .filter_map(Value::as_str)
                    .all(|part| text.contains(part))
        }),
        "$length" => actual
            .as_array()
            .is_some_and(|actual| has_length(actual.len() as u64, argument)),
        "$first" => actual.as_array().is_some_and(|actual| actual.starts_with(list())),
        "$sorted" => {
            let mut ids = ids_of(actual);
            ids.sort_unstable();
            ids.iter()
                .eq(list().iter().filter_map(Value::as_str).collect::<Vec<_>>().iter())
        }
        "$hits" => {
            ids_of(actual)
                .iter()
                .copied()
                .eq(list().iter().filter_map(Value::as_str))
                && actual
                    .as_array()
                    .into_iter()
                    .flatten()
                    .zip(0_u64..)
                    .all(|(hit, rank)| is_score(&hit["score"], None) && hit["rank"].as_u64() == Some(rank))
        }
        "$found" => found_tools(actual)
            .into_iter()
            .eq(list().iter().filter_map(Value::as_str)),
        "$without" => {
            let text = canonical::write(actual);
            list()
                .iter()
                .filter_map(Value::as_str)
                .all(|part| !text.contains(part))
        }
        "$oneOf" => list().contains(actual),
        "$same" | "$differs" => {
            let earlier = argument
                .as_str()
                .and_then(|name| world.earlier(name))
                .map(|observed| &observed["value"]);
            earlier.is_some_and(|earlier| {
                (canonical::write(earlier) == canonical::write(actual)) == (name == "$same")
            })
        }
        "$tokens" => argument
            .as_u64()
            .is_some_and(|most| tokens(&actual.to_string()) <= most),
        "$at" => {
            for (pointer, part) in argument.as_object().into_iter().flatten() {
                compare(
                    world,
                    part,
                    actual.pointer(pointer),
                    &format!("{path}{pointer}"),
                    found,
                );
            }
            true
        }
        "$all" => {
            list()
                .iter()
                .for_each(|part| compare(world, part, Some(actual), path, found));
            true
        }
        _ => false,
    };
    if !holds {
        found.push(format!("{path} does not match {name} {argument}: {actual}"));
    }
}

/// A finite number above zero; with `digits`, of at most so many significant ones.
fn is_score(value: &Value, digits: Option<u64>) -> bool {
    let Some(number) = value
        .as_f64()
        .filter(|number| number.is_finite() && *number > 0.0)
    else {
        return false;
    };
    digits.is_none_or(|most| {
        let text = format!("{number:e}");
        let mantissa = text.split('e').next().unwrap_or_default();
        mantissa.chars().filter(char::is_ascii_digit).count() as u64 <= most
    })
}

fn has_length(length: u64, wanted: &Value) -> bool {
    match wanted.as_u64() {
        Some(exactly) => length == exactly,
        None => {
            wanted["atLeast"].as_u64().is_none_or(|least| length >= least)
                && wanted["atMost"].as_u64().is_none_or(|most| length <= most)
        }
    }
}

fn ids_of(hits: &Value) -> Vec<&str> {
    hits.as_array()
        .into_iter()
        .flatten()
        .filter_map(|hit| hit["id"].as_str())
        .collect()
}

/// The ids in the tools bucket of a search's answer, in the order in which a model reads them.
fn found_tools(answer: &Value) -> Vec<&str> {
    let groups = answer["tools"]["groups"].as_array().into_iter().flatten();
    groups
        .flat_map(|group| group["hits"].as_array().into_iter().flatten())
        .filter_map(|hit| hit["toolId"].as_str())
        .collect()
}

/// The estimate of the contract: ASCII bytes / 3 rounded up, plus 1.5 per other character.
fn tokens(text: &str) -> u64 {
    let ascii = text.chars().filter(char::is_ascii).count() as u64;
    let other = text.chars().count() as u64 - ascii;
    ascii.div_ceil(3) + (other * 3).div_ceil(2)
}

fn same(wanted: &Value, actual: &Value) -> bool {
    match (wanted, actual) {
        (Value::Number(wanted), Value::Number(actual)) => {
            canonical::number_text(wanted) == canonical::number_text(actual)
        }
        _ => wanted == actual,
    }
}

fn shown(values: &[Value]) -> String {
    Value::from(values).to_string().chars().take(300).collect()
}
