//! What the fields of a front matter mean: the six of the specification, those that Claude Code adds, two of our own.
//! Knows nothing of how strictly they are to be written.

use std::collections::HashMap;

use serde_json::{Map, Value as Json};

use super::Finding;
use super::yaml::{Entry, Node, Value};
use crate::text::name_key;

/// The fields that mean something, as they are to be written.
const FIELDS: [&str; 17] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    "when_to_use",
    "paths",
    "context",
    "model",
    "effort",
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "tags",
    "tools",
];

/// What a front matter says. Numbers and dates are the text that was written.
#[derive(Debug, Default)]
pub struct FrontMatter {
    /// The name.
    pub name: Option<String>,
    /// What the skill does and when to use it.
    pub description: Option<String>,
    /// Under which terms it may be used.
    pub license: Option<String>,
    /// What it needs to run.
    pub compatibility: Option<String>,
    /// Anything else, for one client or another.
    pub metadata: Option<Map<String, Json>>,
    /// Tools it may use without asking, as they are written: `Bash(git:*)`.
    pub allowed_tools: Option<Vec<String>>,
    /// When to use it, beside the description.
    pub when_to_use: Option<String>,
    /// File patterns that make it visible.
    pub paths: Option<Vec<String>>,
    /// `fork` or `inline`.
    pub context: Option<String>,
    /// The model a fork runs on.
    pub model: Option<String>,
    /// How hard a fork thinks.
    pub effort: Option<String>,
    /// What its arguments look like, for people.
    pub argument_hint: Option<String>,
    /// Names of its arguments.
    pub arguments: Option<Vec<String>>,
    /// Not to be opened by the model.
    pub disable_model_invocation: Option<bool>,
    /// Whether a person may call it by name.
    pub user_invocable: Option<bool>,
    /// Free labels.
    pub tags: Option<Vec<String>>,
    /// Ids of the tools it uses.
    pub tools: Option<Vec<String>>,
    /// Fields that mean nothing here.
    pub extra: Map<String, Json>,
    /// The fields as they were written, each once, and how many lines stand before them.
    pub(super) written: (Vec<Entry>, usize),
}

/// Reads the fields. `before` is how many lines of the file stand before them.
pub(super) fn read(entries: Vec<Entry>, before: usize, findings: &mut Vec<Finding>) -> FrontMatter {
    let mut read = FrontMatter::default();
    let entries = each_once(entries, before, findings);
    for entry in &entries {
        let mut field = Field {
            entry,
            line: before + entry.line,
            findings,
        };
        match field.meant() {
            Some("name") => read.name = field.text(),
            Some("description") => read.description = field.text(),
            Some("license") => read.license = field.text(),
            Some("compatibility") => read.compatibility = field.text(),
            Some("metadata") => read.metadata = field.map(),
            Some("allowed-tools") => read.allowed_tools = field.list(split_tools),
            Some("when_to_use") => read.when_to_use = field.text(),
            Some("paths") => read.paths = field.list(split_paths),
            Some("context") => read.context = field.one_of(&["fork", "inline"]),
            Some("model") => read.model = field.text(),
            Some("effort") => read.effort = field.text(),
            Some("argument-hint") => read.argument_hint = field.hint(),
            Some("arguments") => read.arguments = field.list(split_words),
            Some("disable-model-invocation") => read.disable_model_invocation = field.truth(),
            Some("user-invocable") => read.user_invocable = field.truth(),
            Some("tags") => read.tags = field.list(split_words),
            Some("tools") => read.tools = field.list(split_tools),
            _ => {
                read.extra.insert(entry.key.clone(), entry.node.to_json());
            }
        }
    }
    read.written = (entries, before);
    read
}

/// Of a key that stands twice, the last one counts.
fn each_once(entries: Vec<Entry>, before: usize, findings: &mut Vec<Finding>) -> Vec<Entry> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        let known = places.get(&entry.key).and_then(|place| kept.get_mut(*place));
        let Some(earlier) = known else {
            places.insert(entry.key.clone(), kept.len());
            kept.push(entry);
            continue;
        };
        let message = format!(
            "`{}` stands on line {} already; the last one counts, take one out",
            entry.key,
            before + earlier.line
        );
        findings.push(Finding::repaired(before + entry.line, message));
        *earlier = entry;
    }
    kept
}

struct Field<'a> {
    entry: &'a Entry,
    line: usize,
    findings: &'a mut Vec<Finding>,
}

impl Field<'_> {
    /// The field it is; one that is written in another style is known all the same.
    fn meant(&mut self) -> Option<&'static str> {
        let key = name_key(&self.entry.key);
        let meant = FIELDS.into_iter().find(|field| name_key(field) == key)?;
        if meant != self.entry.key {
            let message = format!("`{}` is written `{meant}`; it was read as that", self.entry.key);
            self.findings.push(Finding::repaired(self.line, message));
        }
        Some(meant)
    }

    fn text(&mut self) -> Option<String> {
        if self.entry.node.is_nothing() {
            return None;
        }
        let Some(text) = self.entry.node.text() else {
            return self.wrong("a text");
        };
        if self.entry.node.commented {
            let message = format!(
                "`{}` ends before ` #`, which begins a comment; put the text into quotes if it goes on",
                self.entry.key
            );
            self.findings.push(Finding::repaired(self.line, message));
        }
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// `[issue]` is a list in YAML and a hint in what people write.
    fn hint(&mut self) -> Option<String> {
        match &self.entry.node.value {
            Value::List(items) if items.iter().all(|item| item.text().is_some()) => {
                let written = self.entry.node.written.trim();
                let is_whole = written.starts_with('[') && written.ends_with(']');
                let items: Vec<&str> = items.iter().filter_map(Node::text).collect();
                Some(if is_whole {
                    written.to_owned()
                } else {
                    items.join(" ")
                })
            }
            _ => self.text(),
        }
    }

    fn one_of(&mut self, known: &[&str]) -> Option<String> {
        let text = self.text()?;
        let meant = known.iter().find(|word| word.eq_ignore_ascii_case(&text));
        if meant.is_none() {
            let known = known.join("` or `");
            let message = format!(
                "`{}` is `{known}`; what stands there was passed over",
                self.entry.key
            );
            self.findings.push(Finding::lost(self.line, message));
        }
        meant.map(|word| (*word).to_owned())
    }

    fn truth(&mut self) -> Option<bool> {
        match self.text()?.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" => Some(false),
            _ => self.wrong("`true` or `false`"),
        }
    }

    fn list(&mut self, split: fn(&str) -> Vec<String>) -> Option<Vec<String>> {
        match &self.entry.node.value {
            Value::List(items) => {
                let texts = items.iter().filter(|item| !item.is_nothing());
                let read: Option<Vec<String>> = texts
                    .map(|item| item.text().map(|text| text.trim().to_owned()))
                    .collect();
                read.or_else(|| self.wrong("a list of texts"))
            }
            Value::Text(..) => self.text().map(|text| split(&text)),
            Value::Map(_) => self.wrong("a list of texts"),
        }
    }

    fn map(&mut self) -> Option<Map<String, Json>> {
        if self.entry.node.is_nothing() {
            return None;
        }
        match self.entry.node.to_json() {
            Json::Object(map) => Some(map),
            _ => self.wrong("a list of `key: value`"),
        }
    }

    fn wrong<T>(&mut self, wanted: &str) -> Option<T> {
        let message = format!("`{}` is not {wanted}, and was passed over", self.entry.key);
        self.findings.push(Finding::lost(self.line, message));
        None
    }
}

impl Node {
    /// The same in JSON, with every scalar as the text that was written.
    pub(super) fn to_json(&self) -> Json {
        match &self.value {
            Value::Text(text, _) => Json::from(text.as_str()),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Map(entries) => {
                let fields = entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.node.to_json()));
                Json::Object(fields.collect())
            }
        }
    }
}

/// Splits at white space and commas, but not inside brackets: `Bash(git add:*) Read`.
fn split_tools(text: &str) -> Vec<String> {
    split_outside(text, '(', ')', |c| c == ',' || c.is_whitespace())
}

/// Splits at commas and line ends, but not inside braces: `src/**/*.{ts,tsx}, docs/`.
fn split_paths(text: &str) -> Vec<String> {
    split_outside(text, '{', '}', |c| c == ',' || c == '\n')
}

fn split_words(text: &str) -> Vec<String> {
    split_outside(text, '[', ']', |c| c == ',' || c.is_whitespace())
}

fn split_outside(text: &str, open: char, close: char, ends: fn(char) -> bool) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for character in text.chars() {
        depth = (depth + usize::from(character == open)).saturating_sub(usize::from(character == close));
        match parts.last_mut() {
            Some(part) if depth > 0 || !ends(character) => part.push(character),
            _ => parts.push(String::new()),
        }
    }
    parts
        .into_iter()
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}
