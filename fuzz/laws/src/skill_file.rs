//! Laws of reading a `SKILL.md`: whatever it holds, it is taken as a skill or refused with a reason.
//! Input: the text of the file.

use honeyguide::catalog::Catalog;
use honeyguide::catalog::folder_skills::{SkillText, load, reread, validate};
use honeyguide::catalog::folders::{Entry, EntryKind, Listing, Root, Walk};
use honeyguide::catalog::item::Item;
use honeyguide::catalog::skill::Skill;
use honeyguide::catalog::skill_file::SkillFile;

const LONGEST: usize = 32 * 1024;

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if text.len() > LONGEST {
        return;
    }
    let file = SkillFile::read(&text);
    assert_eq!(SkillFile::body_of(&text), file.body, "{text:?}");
    let lines = text.replace("\r\n", "\n").replace('\r', "\n").split('\n').count();
    for finding in &file.findings {
        assert!(
            finding.line.is_none_or(|line| line as usize <= lines + 1),
            "{finding:?}"
        );
        assert!(!finding.message.is_empty());
    }
    of_line_ends(&text, &file);
    of_loading(&text, &file);
}

/// Every kind of line end reads alike.
fn of_line_ends(text: &str, file: &SkillFile) {
    if text.contains('\r') {
        return;
    }
    let as_read = format!("{file:?}");
    for end in ["\r\n", "\r"] {
        assert_eq!(
            format!("{:?}", SkillFile::read(&text.replace('\n', end))),
            as_read,
            "{text:?}"
        );
    }
}

/// A skill comes of it, or an error says why not.
fn of_loading(text: &str, file: &SkillFile) {
    let mut walk = Walk::begin(vec![Root {
        path: "/skills/name".to_owned(),
        ..Root::default()
    }]);
    let entry = Entry {
        name: "SKILL.md".to_owned(),
        kind: EntryKind::File,
    };
    let listing = Listing {
        real: Some("/skills/name".to_owned()),
        entries: vec![entry],
        ..Listing::default()
    };
    walk.take(vec![listing]).expect("one listing for one folder");
    let files = [SkillText {
        text: Some(text.to_owned()),
        problem: None,
    }];
    let loaded = load(&walk, &files, &Catalog::default());
    match loaded.skills.first() {
        None => assert!(
            loaded.diagnostics.iter().any(|found| found.is_error()),
            "{text:?}"
        ),
        Some(skill) => {
            assert_eq!(skill.body(), file.body, "{text:?}");
            let again = Skill::read(skill.text()).expect("a definition of ours");
            assert_eq!((again.id(), again.body()), (skill.id(), ""));
            let same = reread(skill, text).expect("the same skill");
            assert_eq!(same.text(), skill.text(), "{text:?}");
        }
    }
    for found in loaded.diagnostics.iter().chain(&validate(&walk, &files)) {
        assert!(found.file.is_some(), "{found:?}");
    }
}
