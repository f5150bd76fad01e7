//! What becomes of a model's search whose hits the host judges: it is asked once, and the page follows what it says.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fixture::{World, raw, reply_of};
use super::step::{Call, Operation, RerankHit, Step};
use super::{Means, Outcome, OutcomeKind, Recalled, recall};
use crate::catalog::coverage::Degraded;
use crate::catalog::vector::Vector;
use crate::catalog::view::Catalogs;
use crate::error::ErrorCode;
use crate::index::Model;
use crate::rank::Method;

const TOOLS: [&str; 5] = ["a_file", "b_file", "c_file", "d_file", "e_file"];

/// Five tools, each a worse hit than the one before, and two skills of their kind.
fn world(top: usize) -> World {
    let mut world = World::default();
    fill(&mut world, top);
    world
}

fn fill(world: &mut World, top: usize) {
    world.settings.rerank_top = top;
    let tools: Vec<Value> = (0..)
        .zip(TOOLS)
        .map(|(place, id)| json!({ "id": id, "description": format!("Handles a file {}", "again ".repeat(place)) }))
        .collect();
    world.register_tools(&Value::Array(tools).to_string());
    world.register_skills(
        r#"[{"id":"filing","description":"Handles a file","body":"x"},{"id":"tidying","description":"Handles a file, too","body":"x"}]"#,
    );
}

fn asked(step: Step) -> (Call, Vec<RerankHit>) {
    match step {
        Step::Rerank { call, query, hits } => {
            assert_eq!(query, "handles a file");
            (*call, hits)
        }
        other => panic!("{other:?}"),
    }
}

fn ask(world: &World, more: &str) -> (Call, Vec<RerankHit>) {
    asked(world.step(
        "search_capabilities",
        &format!(r#"{{"query":"handles a file"{more}}}"#),
    ))
}

fn scores(numbers: &[f64]) -> Outcome {
    Outcome {
        scores: Some(numbers.to_vec()),
        ..Outcome::of(OutcomeKind::Scores)
    }
}

fn tools(reply: &Value) -> Vec<String> {
    let groups = reply["tools"]["groups"].as_array().unwrap().iter();
    let hits = groups.flat_map(|group| group["hits"].as_array().unwrap());
    hits.map(|hit| hit["toolId"].as_str().unwrap().to_owned())
        .collect()
}

fn skills(reply: &Value) -> Vec<&str> {
    let hits = reply["skills"].as_array().unwrap().iter();
    hits.map(|hit| hit["skillId"].as_str().unwrap()).collect()
}

#[test]
fn nobody_is_asked_unless_the_engine_says_so_nor_about_an_order_that_cannot_change() {
    for top in [0, 1] {
        let reply = world(top).reply("search_capabilities", r#"{"query":"handles a file"}"#);
        assert_eq!(tools(&reply), TOOLS);
    }
    for query in [
        "xylophone zeppelin",
        "a_file b_file c_file d_file e_file `filing` `tidying`",
    ] {
        let step = world(20).step("search_capabilities", &json!({ "query": query }).to_string());
        assert!(matches!(step, Step::Reply { .. }), "{query}: {step:?}");
    }
}

#[test]
fn the_host_is_asked_about_the_best_of_both_kinds_and_a_quarter_are_skills_at_the_most() {
    let (_, hits) = ask(&world(8), "");
    let said: Vec<Value> = hits
        .iter()
        .map(|hit| json!([hit.kind, hit.id, hit.rank]))
        .collect();
    let expected = json!([
        ["tool", "a_file", 0],
        ["tool", "b_file", 1],
        ["tool", "c_file", 2],
        ["tool", "d_file", 3],
        ["tool", "e_file", 4],
        ["skill", "filing", 0],
        ["skill", "tidying", 1]
    ]);
    assert_eq!(Value::Array(said), expected);
    assert_eq!(hits[1].description.trim(), "Handles a file again");
    assert!(hits.iter().all(|hit| hit.score > 0.0));
    // One skill has no other order, so its place goes to a tool.
    let (_, hits) = ask(&world(4), "");
    let ids: Vec<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
    assert_eq!(ids, &TOOLS[..4]);
}

#[test]
fn the_page_is_cut_after_the_hits_were_put_in_order() {
    let world = world(20);
    let (call, hits) = ask(&world, r#","topKTools":2,"topKSkills":1"#);
    assert_eq!(hits.len(), 7);
    let reply = reply_of(&world.resume(&call, &scores(&[0.0, 1.0, 0.5, 9.0, -1.0, 0.1, 0.2])));
    assert_eq!(tools(&reply), ["d_file", "b_file"]);
    assert_eq!(skills(&reply), ["tidying"]);
    assert_eq!(reply["more"], json!({ "tools": 3, "skills": 1 }));
    // What the engine made of it is still said, and whether it answers.
    let plain = reply_of(&world.resume(&call, &Outcome::of(OutcomeKind::NoHandler)));
    assert_eq!(reply["status"], plain["status"]);
    assert_eq!(tools(&plain), ["a_file", "b_file"]);
}

#[test]
fn hits_beyond_those_that_were_judged_stay_behind_them() {
    let world = world(3);
    let (call, hits) = ask(&world, "");
    assert_eq!(hits.len(), 3);
    let reply = reply_of(&world.resume(&call, &scores(&[1.0, 2.0, 3.0])));
    assert_eq!(tools(&reply), ["c_file", "b_file", "a_file", "d_file", "e_file"]);
}

#[test]
fn a_named_hit_is_not_judged_and_stays_in_front() {
    let world = world(20);
    let step = world.step("search_capabilities", r#"{"query":"handles a file with e_file"}"#);
    let Step::Rerank { call, hits, .. } = step else {
        panic!("{step:?}")
    };
    assert!(hits.iter().all(|hit| hit.id != "e_file"));
    let numbers: Vec<f64> = (0..hits.len()).map(|place| place as f64).collect();
    let reply = reply_of(&world.resume(&call, &scores(&numbers)));
    assert_eq!(tools(&reply), ["e_file", "d_file", "c_file", "b_file", "a_file"]);
}

#[test]
fn the_engines_order_stays_where_the_host_gives_none() {
    let world = world(20);
    let (call, _) = ask(&world, "");
    for outcome in [
        Outcome::of(OutcomeKind::Error),
        Outcome::of(OutcomeKind::Timeout),
        Outcome::of(OutcomeKind::Aborted),
        Outcome::of(OutcomeKind::NoHandler),
        Outcome::of(OutcomeKind::NotBound),
        Outcome::of(OutcomeKind::Scores),
        scores(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        scores(&[0.0, 1.0, 2.0, 3.0, f64::NAN, 5.0, 6.0]),
        scores(&[0.0, 1.0, 2.0, 3.0, f64::INFINITY, 5.0, 6.0]),
    ] {
        assert_eq!(
            tools(&reply_of(&world.resume(&call, &outcome))),
            TOOLS,
            "{outcome:?}"
        );
    }
    for kind in [
        OutcomeKind::Ok,
        OutcomeKind::Approval,
        OutcomeKind::Text,
        OutcomeKind::Vectors,
    ] {
        let error = super::resume(&world.context(), &call, &Outcome::of(kind)).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidRequest, "{kind:?}");
    }
}

#[test]
fn what_went_or_was_hidden_meanwhile_is_not_shown_whatever_it_was_worth() {
    let mut world = world(20);
    let (call, _) = ask(&world, "");
    world.catalogs.tools.remove("b_file");
    world.allow(r#"{"deny":{"ids":["d_file"]}}"#);
    let reply = reply_of(&world.resume(&call, &scores(&[1.0, 9.0, 2.0, 8.0, 3.0, 0.0, 0.0])));
    assert_eq!(tools(&reply), ["e_file", "c_file", "a_file"]);
}

#[test]
fn look_alikes_make_room_for_others_whatever_they_are_worth() {
    let mut world = World::default();
    world.settings.rerank_top = 20;
    let ids = [
        "k__list_pods",
        "k__list_jobs",
        "k__list_nodes",
        "k__list_roles",
        "k__list_nets",
        "a__scale",
        "b__drain",
    ];
    let listed: Vec<Value> = ids
        .iter()
        .map(|id| json!({ "id": id, "description": "Handles a file" }))
        .collect();
    world.register_tools(&Value::Array(listed).to_string());
    let (call, hits) = ask(&world, "");
    let worth: Vec<f64> = hits
        .iter()
        .map(|hit| if hit.id.starts_with('k') { 9.0 } else { 1.0 })
        .collect();
    let shown = tools(&reply_of(&world.resume(&call, &scores(&worth))));
    let family = shown.iter().filter(|id| id.starts_with("k__")).count();
    assert_eq!((shown.len(), family), (5, 3), "{shown:?}");
    assert!(shown[0].starts_with("k__"), "{shown:?}");
}

#[test]
fn a_recall_waits_for_the_same_answer() {
    let world = world(20);
    let context = world.context();
    let Recalled::Wait(step) = recall(&context, "handles a file", [None, None], &Means::default()) else {
        panic!("nobody was asked")
    };
    let (call, _) = asked(step);
    assert_eq!(call.operation, Operation::Recall);
    let call: Call = serde_json::from_str(&serde_json::to_string(&call).unwrap()).unwrap();
    let reply = reply_of(&world.resume(&call, &scores(&[0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 1.0])));
    assert_eq!(tools(&reply)[0], "e_file");
    // By then nothing may be left.
    let gone = World {
        settings: world.settings.clone(),
        ..World::default()
    };
    assert_eq!(reply_of(&gone.resume(&call, &scores(&[0.0; 7]))), Value::Null);
}

#[test]
fn a_broken_call_is_a_reply() {
    let world = world(20);
    let (call, _) = ask(&world, "");
    let broken = Call {
        arguments: raw(r#"{"judge":{"tools":["a_file"],"skills":[]}}"#),
        ..call
    };
    assert_eq!(
        reply_of(&world.resume(&broken, &scores(&[1.0])))["error"],
        "invalid_arguments"
    );
}

/// The same tools, each with a direction of its own, the last nearest to the query's.
fn world_of_meaning() -> World {
    let model = Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: 2,
        scripts: None,
        is_english: false,
    });
    let mut world = World {
        catalogs: Catalogs::of(Some(&model)),
        ..World::default()
    };
    fill(&mut world, 20);
    world.settings.method = Method::Semantic;
    world.settings.model = Some(Arc::clone(&model));
    for (angle, (key, _)) in (0u8..).zip(world.catalogs.tools.clone().missing()) {
        let angle = f32::from(angle) / 10.0;
        world
            .catalogs
            .tools
            .vectors_mut()
            .store(key, &[angle.sin(), angle.cos()])
            .unwrap();
    }
    world
}

#[test]
fn a_search_by_meaning_asks_for_its_vector_first_and_then_keeps_it() {
    let world = world_of_meaning();
    let step = world.step("search_capabilities", r#"{"query":"handles a file"}"#);
    let Step::Embed { call, .. } = step else {
        panic!("{step:?}")
    };
    let vectors = Outcome {
        vectors: Some(vec![Vector(vec![0.6, 0.8])]),
        ..Outcome::of(OutcomeKind::Vectors)
    };
    let (call, hits) = asked(world.resume(&call, &vectors));
    let by_meaning = ["e_file", "d_file", "c_file", "b_file", "a_file"];
    let judged = hits.iter().take(5).map(|hit| hit.id.as_str());
    assert_eq!(judged.collect::<Vec<_>>(), by_meaning);
    let call: Call = serde_json::from_str(&serde_json::to_string(&call).unwrap()).unwrap();
    let failed = reply_of(&world.resume(&call, &Outcome::of(OutcomeKind::Error)));
    assert_eq!(
        (tools(&failed), failed.get("degraded")),
        (by_meaning.map(str::to_owned).to_vec(), None)
    );
    // In a process with another model its vector means nothing.
    let elsewhere = Call {
        digest: "of another".to_owned(),
        ..call
    };
    let reply = reply_of(&world.resume(&elsewhere, &Outcome::of(OutcomeKind::Error)));
    assert_eq!(
        (tools(&reply), &reply["degraded"]),
        (TOOLS.map(str::to_owned).to_vec(), &json!("embedding_failed"))
    );
}

#[test]
fn a_search_that_went_by_words_alone_still_says_so_once_its_hits_were_judged() {
    let world = world_of_meaning();
    let context = world.context();
    let means = Means::without(Degraded::Timeout);
    let Recalled::Wait(step) = recall(&context, "handles a file", [None, None], &means) else {
        panic!("nobody was asked")
    };
    let (call, _) = asked(step);
    let reply = reply_of(&world.resume(&call, &scores(&[0.0; 7])));
    assert_eq!(
        (tools(&reply), &reply["degraded"]),
        (TOOLS.map(str::to_owned).to_vec(), &json!("timeout"))
    );
}
