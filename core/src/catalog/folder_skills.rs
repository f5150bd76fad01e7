//! Skills from the files that a walk found: which ones are taken, which one hides another, and what is wrong with each.
//! Knows nothing of how the files were read.

use std::collections::HashMap;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::Catalog;
use super::diagnostic::{Diagnostic, Severity};
use super::folders::{Found, SkipReason, Skipped, Walk};
use super::item::{Item, Kind};
use super::object::objects;
use super::skill::{Skill, SkillSource};
use super::skill_file::{Finding, FrontMatter, SkillFile, specification};
use crate::error::ErrorCode;
use crate::settled::settled;

mod written;

use written::item;

/// Why a host could not read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum FileProblem {
    /// It is not there.
    Missing,
    /// It is larger than a host is to read.
    TooLarge,
    /// It is not text in UTF-8.
    NotText,
    /// It leads out of the skill's folder.
    Outside,
    /// The system refuses to read it.
    Unreadable,
}

impl FileProblem {
    /// What it is, after the name of a file.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Missing => "is not there",
            Self::TooLarge => "is larger than 1 MiB; move parts of it into files of their own",
            Self::NotText => "is not text in UTF-8",
            Self::Outside => "leads out of the skill's folder",
            Self::Unreadable => "cannot be read",
        }
    }
}

/// What a host read of one `SKILL.md`.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, remote = "Self")]
pub struct SkillText {
    /// Its text.
    #[serde(default)]
    pub text: Option<String>,
    /// Why there is none.
    #[serde(default)]
    pub problem: Option<FileProblem>,
}

objects!(SkillText);

/// What became of the files of a walk.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The skills, in the order in which one hides another.
    pub skills: Vec<Skill>,
    /// What is wrong, file by file.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the files of a walk. A skill that was registered by hand hides every one from a folder.
pub fn load(walk: &Walk, files: &[SkillText], registered: &Catalog<Skill>) -> Loaded {
    let mut loaded = Loaded::default();
    let mut places: HashMap<String, String> = HashMap::new();
    let (skipped, more) = walk.skipped();
    loaded.diagnostics.extend(skipped.iter().filter_map(lost_place));
    if more > 0 {
        let message = format!("{more} places more were passed over; load fewer folders at a time");
        loaded
            .diagnostics
            .push(report(ErrorCode::SkippedFolder, Severity::Warning, None, message));
    }
    for (found, file) in walk.found().iter().zip(files) {
        let Some(skill) = read(walk, found, file, &mut loaded.diagnostics) else {
            continue;
        };
        let place = file_of(walk, found);
        let is_by_hand = registered
            .get(skill.id())
            .is_some_and(|known| !known.is_from_folder());
        let first = places
            .get(skill.id())
            .map(String::as_str)
            .or(is_by_hand.then_some("a skill registered by the program"));
        if let Some(first) = first {
            let message = format!("skill `{}` is not used: {first} comes first", skill.id());
            loaded.diagnostics.push(Diagnostic {
                id: Some(skill.id().to_owned()),
                ..report(ErrorCode::ShadowedSkill, Severity::Warning, Some(place), message)
            });
            continue;
        }
        places.insert(skill.id().to_owned(), place);
        loaded.skills.push(skill);
    }
    loaded
}

/// What breaks the specification in the files of a walk.
pub fn validate(walk: &Walk, files: &[SkillText]) -> Vec<Diagnostic> {
    let (skipped, _) = walk.skipped();
    let mut diagnostics: Vec<Diagnostic> = skipped.iter().filter_map(lost_place).collect();
    for (found, file) in walk.found().iter().zip(files) {
        let place = file_of(walk, found);
        match &file.text {
            Some(text) => {
                let findings = specification::check(text, &SkillFile::read(text), &folder_name(walk, found));
                diagnostics.extend(
                    findings
                        .into_iter()
                        .map(|finding| of_finding(finding, None, &place)),
                );
            }
            None => diagnostics.push(unreadable(file, place)),
        }
    }
    diagnostics
}

/// Reads one edited file again, for the skill that it was read for; `None` when it is another skill now, or none.
pub fn reread(skill: &Skill, text: &str) -> Option<Skill> {
    let known = skill.definition()?;
    let source = known.source?;
    let file = SkillFile::read(text);
    let folder = source.directory.rsplit(['/', '\\']).next().unwrap_or_default();
    if id_of(&file.front_matter, folder) != skill.id() {
        return None;
    }
    let source = SkillSource {
        digest: digest(text),
        ..source
    };
    item(
        file,
        skill.id(),
        &known.resources.unwrap_or_default(),
        &source,
        0,
        &mut Vec::new(),
    )
}

/// SHA-256 of a text, in hex.
pub fn digest(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))
}

fn read(walk: &Walk, found: &Found, file: &SkillText, diagnostics: &mut Vec<Diagnostic>) -> Option<Skill> {
    let place = file_of(walk, found);
    let Some(text) = &file.text else {
        diagnostics.push(unreadable(file, place));
        return None;
    };
    let folder = folder_name(walk, found);
    let read = SkillFile::read(text);
    let id = id_of(&read.front_matter, &folder);
    let is_described = read.front_matter.description.is_some();
    let strict = specification::rules(&read, &folder).into_iter();
    let mut findings: Vec<Finding> = read.findings.clone();
    findings.extend(strict.map(|finding| Finding {
        // Only one broken rule costs the skill: what has no description cannot be found.
        severity: if is_described {
            Severity::Warning
        } else {
            Severity::Error
        },
        ..finding
    }));
    let findings = settled(findings, &|left, right| left.line.cmp(&right.line));
    diagnostics.extend(
        findings
            .into_iter()
            .map(|finding| of_finding(finding, Some(&id), &place)),
    );
    if !is_described {
        return None;
    }
    let root = walk.root_of(found)?;
    let source = SkillSource {
        directory: walk.folder(found),
        file: found.file.clone(),
        digest: digest(text),
        scope: root.scope,
        below: root.below.clone(),
    };
    let before = diagnostics.len();
    let skill = item(read, &id, &found.resources, &source, 0, diagnostics);
    for diagnostic in diagnostics.iter_mut().skip(before) {
        diagnostic.file = Some(place.clone());
        diagnostic.index = None;
    }
    skill
}

/// The name when it keeps the rules for names; otherwise the folder's.
fn id_of(front_matter: &FrontMatter, folder: &str) -> String {
    let name = front_matter
        .name
        .as_deref()
        .filter(|name| specification::is_name(name));
    name.unwrap_or(folder).to_owned()
}

fn folder_name(walk: &Walk, found: &Found) -> String {
    let folder = walk.folder(found);
    folder
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

fn file_of(walk: &Walk, found: &Found) -> String {
    format!("{}/{}", walk.folder(found), found.file)
}

fn unreadable(file: &SkillText, place: String) -> Diagnostic {
    let reason = file.problem.unwrap_or(FileProblem::Unreadable).sentence();
    let message = format!("`{place}` {reason}");
    report(ErrorCode::UnreadableFile, Severity::Error, Some(place), message)
}

/// A place that was passed over though a skill may be in it. What is hidden or ignored is passed over by intent.
fn lost_place(skipped: &Skipped) -> Option<Diagnostic> {
    let (code, reason) = match skipped.reason {
        SkipReason::Hidden | SkipReason::Ignored | SkipReason::Seen => return None,
        SkipReason::Linked => (
            ErrorCode::SkippedFolder,
            "is a link, and links are not followed; include `linked` to follow them",
        ),
        SkipReason::Outside => (
            ErrorCode::SkippedFolder,
            "leads out of the folder that was loaded; load the place it leads to",
        ),
        SkipReason::Deep => (
            ErrorCode::SkippedFolder,
            "lies too deep; load a folder nearer to it, or raise `depth`",
        ),
        SkipReason::Many => (
            ErrorCode::SkippedFolder,
            "is one of too many; load fewer at a time, or raise `folders`",
        ),
        SkipReason::Unreadable => (ErrorCode::UnreadableFile, "is not there, or cannot be read"),
    };
    let severity = match skipped.reason {
        SkipReason::Unreadable => Severity::Error,
        _ => Severity::Warning,
    };
    let message = format!("`{}` {reason}", skipped.path);
    Some(report(code, severity, Some(skipped.path.clone()), message))
}

fn of_finding(finding: Finding, id: Option<&str>, place: &str) -> Diagnostic {
    Diagnostic {
        id: id.map(str::to_owned),
        line: finding.line,
        ..report(
            finding.code,
            finding.severity,
            Some(place.to_owned()),
            finding.message,
        )
    }
}

fn report(code: ErrorCode, severity: Severity, file: Option<String>, message: String) -> Diagnostic {
    Diagnostic {
        code,
        severity,
        kind: Kind::Skill,
        index: None,
        id: None,
        path: None,
        file,
        line: None,
        message,
    }
}
