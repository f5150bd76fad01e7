//! What is taken of the files of a walk, and what is said of the others.

use serde_json::value::RawValue;

use super::diagnostic::Severity;
use super::folder_skills::*;
use super::folders::Walk;
use super::item::Item;
use super::skill::Skill;
use super::{Catalog, Changes};
use crate::catalog::folders::{Entry, EntryKind, Listing, Root};
use crate::error::ErrorCode;
use crate::text::Analyzer;

/// A walk over one folder for each name, all with a `SKILL.md`.
fn walk(names: &[&str]) -> Walk {
    let root = |name: &&str| Root {
        path: format!("/{name}"),
        ..Root::default()
    };
    let mut walk = Walk::begin(names.iter().map(root).collect());
    for name in names {
        let entry = Entry {
            name: "SKILL.md".to_owned(),
            kind: EntryKind::File,
        };
        let listing = Listing {
            real: Some(format!("/{name}")),
            entries: vec![entry],
            ..Listing::default()
        };
        walk.take(vec![listing]).unwrap();
    }
    walk
}

fn files(texts: &[&str]) -> Vec<SkillText> {
    let file = |text: &&str| SkillText {
        text: Some((*text).to_owned()),
        problem: None,
    };
    texts.iter().map(file).collect()
}

fn codes(loaded: &Loaded) -> Vec<(ErrorCode, Severity)> {
    loaded
        .diagnostics
        .iter()
        .map(|found| (found.code, found.severity))
        .collect()
}

#[test]
fn a_definition_names_its_source_and_leaves_the_body_out() {
    let text = "---\nname: pdf\ndescription: Read PDF.\nallowed-tools: Bash(git:*) Read Read\nversion: 1.10\n---\n# Secret heading\n";
    let loaded = load(&walk(&["pdf"]), &files(&[text]), &Catalog::default());
    assert_eq!(loaded.diagnostics, []);
    let mut catalog = Catalog::<Skill>::default();
    catalog.take(loaded.skills, &mut Analyzer::new(), &mut Changes::default());
    let skill = catalog.get("pdf").unwrap();
    let expected = format!(
        r#"{{"id":"pdf","description":"Read PDF.","tools":["Bash","Read"],"allowedTools":["Bash(git:*)","Read","Read"],"extra":{{"version":"1.10"}},"source":{{"directory":"/pdf","file":"SKILL.md","digest":"{}","scope":"project"}}}}"#,
        digest(text)
    );
    assert_eq!(skill.text(), expected);
    assert_eq!(skill.body(), "");
    let query = crate::rank::Query {
        text: "secret heading",
        limit: 5,
        ..crate::rank::Query::default()
    };
    assert_eq!(catalog.search(&query).total, 1);
}

#[test]
fn the_first_of_two_alike_is_taken_and_the_other_reported() {
    let text = "---\nname: pdf\ndescription: One.\n---\n";
    let loaded = load(
        &walk(&["pdf", "other"]),
        &files(&[text, text]),
        &Catalog::default(),
    );
    assert_eq!(loaded.skills.len(), 1);
    let shadowed = loaded.diagnostics.last().unwrap();
    assert_eq!(
        (shadowed.code, shadowed.file.as_deref()),
        (ErrorCode::ShadowedSkill, Some("/other/SKILL.md"))
    );
    assert!(shadowed.message.contains("/pdf/SKILL.md"));
}

#[test]
fn a_skill_registered_by_hand_hides_one_from_a_folder() {
    let mut catalog = Catalog::<Skill>::default();
    let raw = RawValue::from_string(r#"{"id":"pdf","body":"mine"}"#.to_owned()).unwrap();
    catalog.register(&[raw], &mut Analyzer::new());
    let loaded = load(
        &walk(&["pdf"]),
        &files(&["---\nname: pdf\ndescription: One.\n---\n"]),
        &catalog,
    );
    assert_eq!(loaded.skills.len(), 0);
    assert_eq!(codes(&loaded), [(ErrorCode::ShadowedSkill, Severity::Warning)]);
}

#[test]
fn what_cannot_be_used_is_refused_and_never_hides_another() {
    let broken = SkillText {
        text: None,
        problem: Some(FileProblem::NotText),
    };
    let texts = files(&[
        "---\nname: pdf\n---\nB",
        "---\nname: pdf\ndescription: Two.\n---\nB",
        "",
    ]);
    let all: Vec<SkillText> = texts.into_iter().chain([broken]).collect();
    let loaded = load(&walk(&["a", "pdf", "empty", "binary"]), &all, &Catalog::default());
    let ids: Vec<&str> = loaded.skills.iter().map(Item::id).collect();
    assert_eq!(ids, ["pdf"]);
    let refused = |file: &str| {
        let errors = loaded.diagnostics.iter().filter(|found| found.is_error());
        errors.filter(|found| found.file.as_deref() == Some(file)).count()
    };
    assert!(refused("/a/SKILL.md") > 0 && refused("/empty/SKILL.md") > 0 && refused("/binary/SKILL.md") > 0);
    assert_eq!(refused("/pdf/SKILL.md"), 0);
}

#[test]
fn a_name_that_breaks_the_rules_is_kept_beside_the_id_of_the_folder() {
    let loaded = load(
        &walk(&["pdf-tools"]),
        &files(&["---\nname: PDF Tools\ndescription: One.\n---\n"]),
        &Catalog::default(),
    );
    assert_eq!(
        (loaded.skills[0].id(), loaded.skills[0].name()),
        ("pdf-tools", Some("PDF Tools"))
    );
    assert_eq!(codes(&loaded), [(ErrorCode::InvalidSkill, Severity::Warning)]);
}

#[test]
fn an_edited_file_is_read_again_for_the_same_skill_only() {
    let loaded = load(
        &walk(&["pdf"]),
        &files(&["---\nname: pdf\ndescription: One.\n---\n"]),
        &Catalog::default(),
    );
    let skill = &loaded.skills[0];
    let edited = reread(skill, "---\nname: pdf\ndescription: Two.\n---\nnew").unwrap();
    assert_eq!((edited.description(), edited.body()), ("Two.", "new"));
    assert!(reread(skill, "---\nname: other\ndescription: Two.\n---\n").is_none());
}
