//! One tool: a verb and an object of a server, a description of about 25 words, 2 to 8 parameters, some nested.
//! Knows no query.

use std::fmt::Write;

use super::random::Random;
use super::words::{Grammar, Vocabulary};

/// Tools of one server, more or less.
const SERVER_SIZE: usize = 15;

/// A tool of the catalog. All of its text is ASCII, so it needs no escapes in JSON.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Unique in the catalog.
    pub id: String,
    /// The id without its server.
    pub name: String,
    /// What the name says it does.
    pub verb: String,
    /// What the name says it is done to.
    pub object: String,
    /// Where it comes from.
    pub server: String,
    /// What the description says.
    pub description: String,
    schema: String,
}

impl Tool {
    /// The tool of a number.
    pub(super) fn new(number: usize, random: &mut Random, vocabulary: &Vocabulary) -> Self {
        let group = number / SERVER_SIZE;
        let server = format!(
            "{}{group}",
            vocabulary.word(&mut Random::new(group as u64, 7, group))
        );
        let (verb, object) = (vocabulary.verb(random), vocabulary.word(random));
        // The number keeps names apart as versions and suffixes do in real catalogs.
        let name = format!("{verb}_{object}_{number}");
        let description = description(&verb, &object, random, vocabulary);
        let count = 2 + random.below(7);
        let schema = object_schema(count, 0, random, vocabulary);
        Self {
            id: format!("{server}__{name}"),
            name,
            verb,
            object,
            server,
            description,
            schema,
        }
    }

    /// The tool as one line of JSON.
    pub fn to_json(&self) -> String {
        let Self {
            id,
            name,
            server,
            description,
            schema,
            ..
        } = self;
        format!(
            r#"{{"id":"{id}","name":"{name}","description":"{description}","server":"{server}","inputSchema":{schema}}}"#
        )
    }
}

fn description(verb: &str, object: &str, random: &mut Random, vocabulary: &Vocabulary) -> String {
    let words = 18 + random.below(16);
    let mut text = format!("{}{}s the {object}", verb[..1].to_uppercase(), &verb[1..]);
    for place in 3..words {
        text.push(' ');
        match random.below(100) {
            0..38 => text.push_str(Grammar::function_word(random)),
            38..45 => text.push_str(object),
            _ => text.push_str(&vocabulary.word(random)),
        }
        if place == words / 2 {
            text.push('.');
        }
    }
    text.push('.');
    text
}

/// An object of so many properties; the deeper, the fewer are objects themselves.
fn object_schema(count: usize, depth: usize, random: &mut Random, vocabulary: &Vocabulary) -> String {
    let mut properties = String::new();
    let mut required = String::new();
    for place in 0..count {
        let name = format!("{}_{}", vocabulary.word(random), vocabulary.word(random));
        if place > 0 {
            properties.push(',');
        }
        let about = parameter_text(random, vocabulary);
        let kind = match random.below(100) {
            0..10 if depth < 2 => object_schema(1 + random.below(3), depth + 1, random, vocabulary),
            10..20 => r#"{"type":"array","items":{"type":"string"}}"#.to_owned(),
            20..30 => format!(
                r#"{{"type":"string","enum":["{}","{}"]}}"#,
                vocabulary.word(random),
                vocabulary.word(random)
            ),
            30..50 => r#"{"type":"integer","minimum":0}"#.to_owned(),
            50..60 => r#"{"type":"boolean","default":false}"#.to_owned(),
            _ => r#"{"type":"string"}"#.to_owned(),
        };
        let _ = write!(properties, r#""{name}":{{"description":"{about}",{}"#, &kind[1..]);
        if random.below(2) == 0 {
            let comma = if required.is_empty() { "" } else { "," };
            let _ = write!(required, r#"{comma}"{name}""#);
        }
    }
    format!(r#"{{"type":"object","properties":{{{properties}}},"required":[{required}]}}"#)
}

fn parameter_text(random: &mut Random, vocabulary: &Vocabulary) -> String {
    let mut text = String::from("The");
    for _ in 0..5 + random.below(7) {
        text.push(' ');
        if random.below(100) < 38 {
            text.push_str(Grammar::function_word(random));
        } else {
            text.push_str(&vocabulary.word(random));
        }
    }
    text.push('.');
    text
}
