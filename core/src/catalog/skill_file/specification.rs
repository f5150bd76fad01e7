//! The rules of the Agent Skills specification, as strictly as they are written. Knows nothing of how leniently a skill is read.

use unicode_normalization::UnicodeNormalization;

use super::yaml::{Entry, Node, Value};
use super::{Finding, SkillFile, in_order};
use crate::catalog::diagnostic::Severity;
use crate::error::ErrorCode;

/// Longest name, in characters.
const NAME_CHARS: usize = 64;

/// Longest description, in characters.
const DESCRIPTION_CHARS: usize = 1_024;

/// Longest note on compatibility, in characters.
const COMPATIBILITY_CHARS: usize = 500;

/// Lines of a file beyond which the specification advises to cut it up.
const ADVISED_LINES: usize = 500;

/// The fields that it knows.
const FIELDS: [&str; 6] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// Whether a name keeps the rules for names.
pub fn is_name(name: &str) -> bool {
    fault_of_name(name).is_none()
}

/// What breaks the specification: faults of the file as it was read, then of its fields. `folder` is the name of the folder
/// that the file lies in.
pub fn check(text: &str, file: &SkillFile, folder: &str) -> Vec<Finding> {
    let mut findings: Vec<Finding> = file.findings.iter().cloned().map(as_error).collect();
    if text.starts_with('\u{feff}') {
        findings.push(broken(
            1,
            "the file begins with a byte order mark; save it as UTF-8 without one",
        ));
    }
    findings.extend(rules(file, folder));
    let (entries, before) = &file.front_matter.written;
    let unknown = entries
        .iter()
        .filter(|entry| !FIELDS.contains(&entry.key.as_str()));
    findings.extend(unknown.map(|entry| {
        let message = format!(
            "`{}` is no field of the specification; put it into `metadata` under a name of your own",
            entry.key
        );
        broken(before + entry.line, message)
    }));
    let lines = text.lines().count();
    if lines > ADVISED_LINES {
        findings.push(Finding {
            severity: Severity::Warning,
            ..broken(
                ADVISED_LINES,
                format!("the file has {lines} lines; at most {ADVISED_LINES} are advised, move details into `references/`"),
            )
        });
    }
    in_order(&mut findings);
    findings
}

/// What breaks a rule for a field that the specification knows.
pub fn rules(file: &SkillFile, folder: &str) -> Vec<Finding> {
    let (entries, before) = &file.front_matter.written;
    let mut findings = Vec::new();
    let is_lost = |finding: &Finding| finding.severity == Severity::Error;
    if entries.is_empty() && file.findings.iter().any(is_lost) {
        // That there is no front matter says it all.
        return findings;
    }
    let mut check = |field: &str, rule: &dyn Fn(&Node) -> Option<String>| {
        let entry = entries.iter().find(|entry| entry.key == field);
        if let Some((entry, message)) = entry.and_then(|entry| Some((entry, rule(&entry.node)?))) {
            findings.push(broken(before + entry.line, message));
        }
    };
    check("name", &|node| {
        let name = node.text().unwrap_or_default().trim();
        fault_of_name(name).or_else(|| {
            let is_folder = name.nfkc().eq(folder.nfkc());
            (!is_folder).then(|| format!("`name` is `{name}`, but its folder is `{folder}`; name both alike"))
        })
    });
    check("description", &|node| {
        too_long("description", node, DESCRIPTION_CHARS)
    });
    check("compatibility", &|node| match node.text() {
        Some(text) if text.trim().is_empty() => Some("`compatibility` is empty; leave it out".to_owned()),
        _ => too_long("compatibility", node, COMPATIBILITY_CHARS),
    });
    check("license", &|node| not_text("license", node));
    check("allowed-tools", &|node| {
        not_text("allowed-tools", node).map(|fault| format!("{fault}, with spaces between the tools"))
    });
    check("metadata", &|node| {
        let Value::Map(entries) = &node.value else {
            return Some("`metadata` is not a list of `key: value`".to_owned());
        };
        let nested = entries
            .iter()
            .find(|entry: &&Entry| entry.node.text().is_none())?;
        Some(format!(
            "`metadata.{}` is not a text; the values of metadata are texts",
            nested.key
        ))
    });
    for field in ["name", "description"] {
        if !entries
            .iter()
            .any(|entry| entry.key == field && !entry.node.is_nothing())
        {
            findings.push(broken(0, format!("`{field}` is missing; every skill has one")));
        }
    }
    findings
}

fn fault_of_name(name: &str) -> Option<String> {
    let name: String = name.nfkc().collect();
    let length = name.chars().count();
    let reason = if name.is_empty() {
        "is empty".to_owned()
    } else if length > NAME_CHARS {
        format!("has {length} characters; at most {NAME_CHARS} are allowed")
    } else if name.starts_with('-') || name.ends_with('-') {
        "begins or ends with a hyphen".to_owned()
    } else if name.contains("--") {
        "has two hyphens in a row".to_owned()
    } else if name.to_lowercase() != name {
        "has capital letters; write small ones".to_owned()
    } else if !name.chars().all(|c| c.is_alphanumeric() || c == '-') {
        "has characters other than letters, digits and hyphens".to_owned()
    } else {
        return None;
    };
    Some(format!("`name` {reason}"))
}

fn too_long(field: &str, node: &Node, most: usize) -> Option<String> {
    let length = node.text().map_or(0, |text| text.trim().chars().count());
    let too_long =
        || (length > most).then(|| format!("`{field}` has {length} characters; at most {most} are allowed"));
    not_text(field, node).or_else(too_long)
}

fn not_text(field: &str, node: &Node) -> Option<String> {
    node.text().is_none().then(|| format!("`{field}` is not a text"))
}

fn broken(line: usize, message: impl Into<String>) -> Finding {
    Finding::new(ErrorCode::InvalidSkill, Severity::Error, line, message)
}

fn as_error(finding: Finding) -> Finding {
    Finding {
        severity: Severity::Error,
        ..finding
    }
}
