//! What a model's search answers when the engine ranks by meaning: it asks for a vector, and goes by words without one.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fixture::{World, raw, reply_of};
use super::step::{Call, EmbedRole, Step};
use super::{Outcome, OutcomeKind};
use crate::catalog::vector::Vector;
use crate::catalog::view::Catalogs;
use crate::error::ErrorCode;
use crate::index::Model;
use crate::rank::Method;

/// Two tools and a skill, of which the first so many have vectors: each a direction of its own.
fn world(embedded: usize) -> World {
    let model = Arc::new(Model {
        id: "toy".to_owned(),
        revision: String::new(),
        dimensions: 3,
        scripts: None,
        is_english: false,
    });
    let mut world = World {
        catalogs: Catalogs::of(Some(&model)),
        ..World::default()
    };
    world.settings.method = Method::Hybrid;
    world.settings.model = Some(Arc::clone(&model));
    world.register_tools(
        r#"[{"id":"delete_flow","description":"Delete a flow by id"},{"id":"get_weather","description":"Weather of a city"}]"#,
    );
    world.register_skills(r#"[{"id":"cleanup","description":"Tidy a workspace","body":"Do it."}]"#);
    let texts = [
        "delete flow\nDelete a flow by id",
        "get weather\nWeather of a city",
        "cleanup\nTidy a workspace",
    ];
    let axes = [[1.0, 0.1, 0.0], [0.0, 1.0, 0.1], [0.1, 0.0, 1.0]];
    for (text, axis) in texts.iter().zip(axes).take(embedded) {
        let key = model.key(text);
        let stored = [
            world.catalogs.tools.vectors_mut(),
            world.catalogs.skills.vectors_mut(),
        ]
        .map(|vectors| vectors.store(key, &axis).unwrap());
        assert!(stored.contains(&true), "{text}");
    }
    world
}

fn asked(world: &World, arguments: &str) -> (Call, Vec<String>) {
    match world.step("search_capabilities", arguments) {
        Step::Embed {
            call,
            texts,
            role: EmbedRole::Query,
        } => (*call, texts),
        other => panic!("{other:?}"),
    }
}

fn vectors(numbers: &[&[f32]]) -> Outcome {
    Outcome {
        vectors: Some(numbers.iter().map(|numbers| Vector(numbers.to_vec())).collect()),
        ..Outcome::of(OutcomeKind::Vectors)
    }
}

fn first_tool(reply: &Value) -> &Value {
    &reply["tools"]["groups"][0]["hits"][0]["toolId"]
}

#[test]
fn a_search_asks_for_the_vector_of_its_query_and_answers_with_it() {
    let world = world(3);
    let (call, texts) = asked(&world, r#"{"query":"erase it","topKTools":"x","topKSkills":1}"#);
    assert_eq!(texts, ["erase it"]);
    assert_eq!(
        call.arguments.get(),
        r#"{"query":"erase it","topKTools":5,"topKSkills":1}"#
    );
    let reply = reply_of(&world.resume(&call, &vectors(&[&[0.9, 0.2, 0.1]])));
    assert_eq!(first_tool(&reply), "delete_flow");
    assert_eq!(reply.get("degraded"), None);
}

#[test]
fn a_call_that_was_written_and_read_again_goes_on_with_the_same_search() {
    let world = world(3);
    let (call, _) = asked(&world, r#"{"query":"erase it"}"#);
    let call: Call = serde_json::from_str(&serde_json::to_string(&call).unwrap()).unwrap();
    let reply = reply_of(&world.resume(&call, &vectors(&[&[0.9, 0.2, 0.1]])));
    assert_eq!(first_tool(&reply), "delete_flow");
}

#[test]
fn without_a_vector_words_answer_and_the_reason_is_said() {
    let world = world(3);
    let (call, _) = asked(&world, r#"{"query":"weather of a city"}"#);
    let named = |name: &str| Outcome {
        name: Some(name.to_owned()),
        ..Outcome::of(OutcomeKind::Error)
    };
    for (outcome, reason) in [
        (Outcome::of(OutcomeKind::Error), "embedding_failed"),
        (named("TimeoutError"), "timeout"),
        (Outcome::of(OutcomeKind::Timeout), "timeout"),
        (Outcome::of(OutcomeKind::Aborted), "aborted"),
        (Outcome::of(OutcomeKind::NoHandler), "no_embedder"),
        (Outcome::of(OutcomeKind::Vectors), "embedding_failed"),
        (vectors(&[]), "embedding_failed"),
        (vectors(&[&[1.0, 0.0]]), "embedding_failed"),
        (vectors(&[&[1.0, f32::NAN, 0.0]]), "embedding_failed"),
        (vectors(&[&[0.0, 0.0, 0.0]]), "embedding_failed"),
        (vectors(&[&[1.0, 0.0, 0.0], &[1.0, 0.0, 0.0]]), "embedding_failed"),
    ] {
        let reply = reply_of(&world.resume(&call, &outcome));
        assert_eq!(
            (first_tool(&reply), &reply["degraded"]),
            (&json!("get_weather"), &json!(reason)),
            "{outcome:?}"
        );
    }
    let other_model = Call {
        digest: "of another".to_owned(),
        ..call
    };
    let reply = reply_of(&world.resume(&other_model, &vectors(&[&[1.0, 0.0, 0.0]])));
    assert_eq!(reply["degraded"], "embedding_failed");
}

#[test]
fn an_outcome_of_another_step_is_a_mistake_of_the_host() {
    let world = world(3);
    let (call, _) = asked(&world, r#"{"query":"erase it"}"#);
    for kind in [OutcomeKind::Ok, OutcomeKind::Approval, OutcomeKind::Text] {
        let error = super::resume(&world.context(), &call, &Outcome::of(kind)).unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidRequest);
    }
}

#[test]
fn nothing_is_asked_for_that_nothing_would_be_compared_with() {
    let reply = world(0).reply("search_capabilities", r#"{"query":"weather"}"#);
    assert_eq!(
        (first_tool(&reply), &reply["degraded"]),
        (&json!("get_weather"), &json!("no_vectors"))
    );
    let reply = world(3).reply("search_capabilities", r#"{"query":"  "}"#);
    assert_eq!(
        (reply["status"].as_str(), reply.get("degraded")),
        (Some("no_match"), None)
    );
    let mut lexical = world(3);
    lexical.settings.method = Method::Lexical;
    assert_eq!(
        first_tool(&lexical.reply("search_capabilities", r#"{"query":"weather"}"#)),
        "get_weather"
    );
    let empty = World {
        settings: world(3).settings,
        ..World::default()
    };
    assert_eq!(
        empty
            .reply("search_capabilities", r#"{"query":"weather"}"#)
            .get("degraded"),
        None
    );
}

#[test]
fn what_may_not_be_seen_is_not_found_by_its_meaning() {
    let mut world = world(3);
    world.allow(r#"{"deny":{"ids":["delete_flow"]}}"#);
    let (call, _) = asked(&world, r#"{"query":"erase it"}"#);
    let reply = world.resume(&call, &vectors(&[&[1.0, 0.1, 0.0]]));
    let text = serde_json::to_string(&reply).unwrap();
    assert!(!text.contains("delete_flow"), "{text}");
}

#[test]
fn a_broken_call_of_a_search_is_a_reply() {
    let world = world(3);
    let (call, _) = asked(&world, r#"{"query":"erase it"}"#);
    let broken = Call {
        arguments: raw("{}"),
        ..call
    };
    assert_eq!(
        reply_of(&world.resume(&broken, &vectors(&[&[1.0, 0.1, 0.0]])))["error"],
        "invalid_arguments"
    );
}
