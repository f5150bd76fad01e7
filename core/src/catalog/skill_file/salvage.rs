//! Front matter that is not YAML, field by field: what can be read is, a text is taken as it stands. Knows nothing of what a
//! field means, but of which ones a person writes as prose.

use super::Finding;
use super::yaml::{self, Entry, Fault, Node, Value};

/// Fields that hold prose: the ones in which a colon is forgotten, and which may be taken as they stand.
const PROSE: [&str; 8] = [
    "name",
    "description",
    "when_to_use",
    "when-to-use",
    "license",
    "compatibility",
    "argument-hint",
    "allowed-tools",
];

/// Reads each field alone. `before` is how many lines stand before the text.
pub(super) fn mapping(text: &str, whole: &Fault, before: usize, findings: &mut Vec<Finding>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut is_explained = false;
    for block in blocks(text) {
        match yaml::mapping(&block.text) {
            Ok(read) => entries.extend(read.into_iter().map(|entry| entry.moved(block.line - 1))),
            Err(fault) => {
                is_explained = true;
                let line = before + block.line + fault.line.saturating_sub(1);
                let Some((key, value)) = block.prose() else {
                    let subject = block.key().map_or("a line".to_owned(), |key| format!("`{key}`"));
                    findings.push(Finding::lost(
                        line,
                        format!(
                            "{subject} cannot be read as YAML ({}), and was passed over",
                            fault.reason
                        ),
                    ));
                    continue;
                };
                let reason = if value.contains(": ") || value.ends_with(':') {
                    "holds a colon, which YAML reads as the end of another key".to_owned()
                } else {
                    format!("is no YAML ({})", fault.reason)
                };
                let message = format!("`{key}` {reason}; it was read as it stands, put it into quotes");
                findings.push(Finding::repaired(before + block.line, message));
                entries.push(Entry {
                    line: block.line,
                    node: Node {
                        written: value.clone(),
                        value: Value::Text(value, false),
                        line: block.line,
                        commented: false,
                    },
                    key,
                });
            }
        }
    }
    if !is_explained {
        let message = format!(
            "the front matter is no YAML ({}); it was read field by field",
            whole.reason
        );
        findings.push(Finding::repaired(before + whole.line, message));
    }
    entries
}

/// A field and the lines that belong to it.
struct Block {
    line: usize,
    text: String,
}

/// Cuts a text before each line that begins a field.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (number, row) in text.split_inclusive('\n').enumerate() {
        match blocks.last_mut() {
            Some(block) if key_of(row).is_none() => block.text.push_str(row),
            _ => blocks.push(Block {
                line: number + 1,
                text: row.to_owned(),
            }),
        }
    }
    blocks
}

/// The key of a line that begins a field in the first column.
fn key_of(row: &str) -> Option<&str> {
    let (key, rest) = row.split_once(':')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_key = !key.is_empty() && !key.starts_with('-') && key.chars().all(is_name);
    (is_key && rest.chars().next().is_none_or(char::is_whitespace)).then_some(key)
}

impl Block {
    fn key(&self) -> Option<&str> {
        key_of(&self.text)
    }

    /// The field as prose: its lines joined, without a block's mark and without the quotes around it.
    fn prose(&self) -> Option<(String, String)> {
        let key = self.key().filter(|key| PROSE.contains(key))?;
        let (_, value) = self.text.split_once(':')?;
        let mut lines = value.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut words: Vec<&str> = Vec::new();
        if let Some(first) = lines.next() {
            let is_mark = first.starts_with(['|', '>']) && first.len() <= 3;
            words.extend((!is_mark).then_some(first));
        }
        words.extend(lines);
        let joined = words.join(" ");
        let inner = ['"', '\'']
            .into_iter()
            .find_map(|quote| joined.strip_prefix(quote)?.strip_suffix(quote));
        Some((key.to_owned(), inner.unwrap_or(&joined).to_owned()))
    }
}

impl Entry {
    fn moved(mut self, lines: usize) -> Self {
        self.line += lines;
        self.node.line += lines;
        self
    }
}
