//! Opening skills: what is read, what is followed by a sub-agent, what is listed, and what stays out of sight.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::fixture::{World, reply_of};
use super::skill_call::SkillCall;
use super::skill_listing::{self, list};
use super::step::Step;
use super::{Outcome, OutcomeKind, resume_skill};
use crate::error::ErrorCode;
use crate::session::Session;

const SKILLS: &str = r##"[
  {"id":"plain","description":"Do it.","body":"Hello $ARGUMENTS"},
  {"id":"pdf","description":"Read PDF files.","resources":["references/forms.md","scripts/run.py"],
   "source":{"directory":"/skills/pdf","file":"SKILL.md","digest":"0"}},
  {"id":"review","description":"Review code.","context":"fork","allowedTools":["Read"],"model":"opus","effort":"high",
   "body":"Review $ARGUMENTS."},
  {"id":"deploy","description":"Deploy.","context":"fork","source":{"directory":"/skills/deploy","file":"SKILL.md","digest":"0"}},
  {"id":"typescript","description":"House style for code.","paths":["*.ts"],"body":"Use const."}
]"##;

fn world() -> World {
    let mut world = World::default();
    world.register_skills(SKILLS);
    world
}

fn read_call(step: &Step) -> (SkillCall, String) {
    match step {
        Step::Read { call, path, .. } => (SkillCall::clone(call), path.clone()),
        other => panic!("nothing to read: {other:?}"),
    }
}

fn text(text: &str) -> Outcome {
    Outcome {
        text: Some(text.to_owned()),
        ..Outcome::of(OutcomeKind::Text)
    }
}

fn after(world: &World, call: &SkillCall, outcome: &Outcome) -> Step {
    resume_skill(&world.context(), call, outcome).unwrap()
}

fn error_of(step: &Step) -> Value {
    reply_of(step)["error"].clone()
}

#[test]
fn the_body_of_a_skill_from_a_folder_is_read_when_it_is_opened() {
    let world = world();
    let (call, path) =
        read_call(&world.step("get_skill_content", r#"{"skillId":"pdf","arguments":"a.pdf"}"#));
    assert_eq!(path, "SKILL.md");
    let step = after(
        &world,
        &call,
        &text("---\r\nname: pdf\r\ndescription: x\r\n---\r\nIn ${SKILL_DIR}: $ARGUMENTS\r\n"),
    );
    assert_eq!(
        reply_of(&step),
        json!({"skillId":"pdf","name":"pdf","body":"In /skills/pdf: a.pdf\n","totalChars":22,
            "resources":["references/forms.md","scripts/run.py"],"tools":[]})
    );
}

#[test]
fn a_resource_is_read_by_the_name_in_the_list_and_by_nothing_else() {
    let world = world();
    let ask = |resource: &str| {
        let arguments = json!({"skillId": "pdf", "resource": resource}).to_string();
        world.step("get_skill_content", &arguments)
    };
    for known in [
        "references/forms.md",
        "./references/forms.md",
        "${SKILL_DIR}/references/forms.md",
        "/skills/pdf/references/forms.md",
    ] {
        let (call, path) = read_call(&ask(known));
        assert_eq!(path, "references/forms.md");
        let step = after(&world, &call, &text("A ${SKILL_DIR}\r\nB"));
        assert_eq!(reply_of(&step)["resource"], "references/forms.md");
        assert_eq!(reply_of(&step)["body"], "A ${SKILL_DIR}\nB");
    }
    assert_eq!(read_call(&ask("SKILL.md")).1, "SKILL.md");
    for strange in [
        "../secret",
        "/etc/passwd",
        "references/../../x",
        "references",
        "C:\\x",
        "references/forms.md/..",
        "\u{0}",
    ] {
        assert_eq!(error_of(&ask(strange)), "unknown_resource", "{strange}");
    }
    assert_eq!(
        reply_of(&ask("forms.md"))["candidates"],
        json!(["references/forms.md", "scripts/run.py"])
    );
}

#[test]
fn what_cannot_be_read_is_a_reply_with_the_reason() {
    let world = world();
    let (call, _) = read_call(&world.step("get_skill_content", r#"{"skillId":"pdf"}"#));
    for problem in ["missing", "tooLarge", "notText", "outside", "strange"] {
        let outcome = Outcome {
            name: Some(problem.to_owned()),
            ..Outcome::of(OutcomeKind::Error)
        };
        assert_eq!(error_of(&after(&world, &call, &outcome)), "unreadable_file");
    }
    assert_eq!(
        error_of(&after(&world, &call, &Outcome::of(OutcomeKind::NotBound))),
        "unreadable_file"
    );
    let error = resume_skill(&world.context(), &call, &Outcome::of(OutcomeKind::Ok)).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest);
}

#[test]
fn a_skill_for_a_sub_agent_is_handed_out_with_all_that_it_needs() {
    let world = world();
    let step = world.step(
        "get_skill_content",
        r#"{"skillId":"review","arguments":"main.rs"}"#,
    );
    let Step::Fork {
        call,
        prompt,
        allowed_tools,
        model,
        effort,
    } = &step
    else {
        panic!("{step:?}")
    };
    assert_eq!(
        (prompt.as_str(), allowed_tools.as_slice()),
        ("Review main.rs.", &["Read".to_owned()][..])
    );
    assert_eq!(
        (model.as_deref(), effort.as_deref()),
        (Some("opus"), Some("high"))
    );
    assert_eq!(
        reply_of(&after(&world, call, &text("Looks good."))),
        json!({"skillId":"review","name":"review","result":"Looks good."})
    );

    let failed = Outcome {
        message: Some("no model".to_owned()),
        ..Outcome::of(OutcomeKind::Error)
    };
    let reply = reply_of(&after(&world, call, &failed));
    assert_eq!(reply["error"], "skill_failed");
    assert!(reply["message"].as_str().unwrap().contains("no model"));
    assert_eq!(
        error_of(&after(&world, call, &Outcome::of(OutcomeKind::Aborted))),
        "aborted"
    );
}

#[test]
fn where_no_sub_agent_can_run_the_model_follows_the_skill_itself() {
    let world = world();
    let step = world.step(
        "get_skill_content",
        r#"{"skillId":"review","arguments":"main.rs"}"#,
    );
    let Step::Fork { call, .. } = &step else {
        panic!("{step:?}")
    };
    let reply = reply_of(&after(&world, call, &Outcome::of(OutcomeKind::NoHandler)));
    assert_eq!(reply["body"], "Review main.rs.");
    assert!(reply["hint"].is_string());

    let (call, _) = read_call(&world.step("get_skill_content", r#"{"skillId":"deploy"}"#));
    let forked = after(&world, &call, &text("---\ndescription: x\n---\nShip."));
    let Step::Fork { call, .. } = &forked else {
        panic!("{forked:?}")
    };
    let (call, path) = read_call(&after(&world, call, &Outcome::of(OutcomeKind::NoHandler)));
    assert_eq!(path, "SKILL.md");
    assert_eq!(
        reply_of(&after(&world, &call, &text("---\ndescription: x\n---\nShip.")))["body"],
        "Ship."
    );
}

#[test]
fn a_skill_that_waits_for_a_file_is_unknown_everywhere_until_the_file_is_touched() {
    let mut world = world();
    world.session = Some(Session::default());
    let open = r#"{"skillId":"typescript"}"#;
    let search = r#"{"query":"house style for code"}"#;
    let reply = world.reply("get_skill_content", open);
    assert_eq!(reply["error"], "unknown_skill");
    assert!(!reply["candidates"].to_string().contains("typescript"));
    assert!(
        !world
            .reply("search_capabilities", search)
            .to_string()
            .contains("typescript")
    );
    assert!(
        !list(&world.context(), 8_000, BTreeMap::new())
            .text
            .contains("typescript")
    );

    world.session.as_ref().unwrap().touch(["src/a.ts".to_owned()]);
    assert_eq!(world.reply("get_skill_content", open)["body"], "Use const.");
    assert!(
        world
            .reply("search_capabilities", search)
            .to_string()
            .contains("typescript")
    );
    assert!(
        list(&world.context(), 8_000, BTreeMap::new())
            .text
            .contains("typescript")
    );
}

#[test]
fn a_listing_says_only_what_is_new() {
    let mut world = world();
    let first = list(&world.context(), 8_000, BTreeMap::new());
    assert_eq!(first.shown, ["plain", "pdf", "review", "deploy"]);
    assert!(first.text.contains("\n- pdf: Read PDF files.\n"));
    assert_eq!(list(&world.context(), 8_000, first.sent.clone()).text, "");
    world.register_skills(
        r#"[{"id":"pdf","description":"Read and write PDF files."},{"id":"new","description":"New."}]"#,
    );
    let second = list(&world.context(), 8_000, first.sent);
    assert_eq!(second.shown, ["pdf", "new"]);
}

#[test]
fn a_listing_shortens_descriptions_before_names_and_counts_what_finds_no_place() {
    let mut world = World::default();
    let skills: Vec<Value> = (0..200)
        .map(|n| json!({"id": format!("skill-{n:03}"), "description": "word ".repeat(200)}))
        .collect();
    world.register_skills(&Value::from(skills).to_string());
    let room = 8_000;
    let all = list(&world.context(), room, BTreeMap::new());
    assert_eq!((all.shown.len(), all.shortened, all.left), (200, 200, 0));
    assert!(all.text.chars().count() <= room && all.text.contains("skill-199: word"));

    let mut sent = BTreeMap::new();
    let mut shown = Vec::new();
    for _ in 0..20 {
        let part = list(&world.context(), 300, sent);
        assert!(part.text.chars().count() <= 300, "{}", part.text);
        assert_eq!(part.left > 0, part.text.contains("more are not listed"));
        shown.extend(part.shown);
        sent = part.sent;
    }
    assert_eq!(shown.len(), 200, "every skill comes in its turn");
    assert_eq!(list(&world.context(), 10, BTreeMap::new()).left, 200);
}

#[test]
fn the_room_of_a_listing_is_a_hundredth_of_the_context() {
    assert_eq!(skill_listing::room(None, None), 8_000);
    assert_eq!(skill_listing::room(None, Some(200_000)), 8_000);
    assert_eq!(skill_listing::room(Some(5), Some(200_000)), 5);
}
