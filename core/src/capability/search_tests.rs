//! What `search_capabilities` and `get_skill_content` answer.

use serde_json::{Value, json};

use super::fixture::{World, raw};
use super::tokens::estimate;
use super::{Means, Recalled, recall};
use crate::catalog::server::ServerStatus;
use crate::session::Session;

fn world() -> World {
    let mut world = World::of_tools(
        r##"[{"id":"lamp__turn_on","description":"Turn a lamp on.","inputSchema":{"type":"object","properties":{"room":{"type":"string"}}},"annotations":{"openWorldHint":false},"requiresApproval":true},
            {"id":"oven__heat","description":"Heat the oven.","inputSchema":{"$defs":{"d":{"type":"integer","maximum":123456789012345678901}},"x-note":1,"properties":{"degrees":{"$ref":"#/$defs/d"}}}}]"##,
    );
    world.register_skills(
        r#"[{"id":"evening","description":"Prepare dinner with candles.","body":"Light them.\n","tools":["oven__heat","lamp__turn_on","nowhere","lamp__turn_on"]},
            {"id":"private","description":"Prepare secret dinner.","body":"Hush.","disableModelInvocation":true}]"#,
    );
    world.set_server("lamp", ServerStatus::Unavailable, Some(&"0123456789".repeat(60)));
    world.set_server("radio", ServerStatus::Pending, None);
    world
}

fn search(world: &World, query: &str) -> Value {
    world.reply("search_capabilities", &json!({ "query": query }).to_string())
}

#[test]
fn a_found_tool_is_shown_whole() {
    let reply = search(&world(), "turn_on");
    assert_eq!(reply["status"], "ok");
    let group = &reply["tools"]["groups"][0];
    assert_eq!(group["server"]["name"], "lamp");
    assert_eq!(
        group["server"]["instructions"].as_str().unwrap().chars().count(),
        400
    );
    let mut hit = group["hits"][0].clone();
    assert!(hit["score"].is_number());
    hit["score"] = json!(1);
    assert_eq!(
        hit,
        json!({"toolId": "lamp__turn_on", "score": 1, "description": "Turn a lamp on.",
            "inputSchema": {"type": "object", "properties": {"room": {"type": "string"}}},
            "annotations": {"openWorldHint": false}, "requiresApproval": true, "unavailable": true})
    );
    assert_eq!(reply["pending"], json!(["radio"]));
}

#[test]
fn a_schema_reaches_the_model_to_the_byte() {
    let world = world();
    let step = super::answer(
        &world.context(),
        "search_capabilities",
        Some(&raw(r#"{"query":"oven__heat"}"#)),
    );
    let text = serde_json::to_string(&step).unwrap();
    assert!(text.contains(r##""inputSchema":{"$defs":{"d":{"type":"integer","maximum":123456789012345678901}},"x-note":1,"properties":{"degrees":{"$ref":"#/$defs/d"}}}"##), "{text}");
}

#[test]
fn a_found_skill_brings_its_tools_once_and_only_visible_ones() {
    let mut world = world();
    let reply = search(&world, "prepare dinner with candles");
    assert_eq!(reply["skills"][0]["skillId"], "evening");
    assert_eq!(
        reply["skills"].as_array().unwrap().len(),
        1,
        "the private one is not shown"
    );
    let ids: Vec<&str> = reply["tools"]["groups"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|group| group["hits"].as_array().unwrap())
        .map(|hit| hit["toolId"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["oven__heat", "lamp__turn_on"]);
    assert_eq!(reply["tools"]["groups"][0]["hits"][0]["score"].to_string(), "0");

    world.allow(r#"{"deny":{"servers":["oven","radio"]}}"#);
    let reply = search(&world, "prepare dinner with candles");
    assert!(!reply.to_string().contains("oven"), "{reply}");
    assert!(reply.get("pending").is_none());
}

#[test]
fn nothing_is_an_answer_with_a_hint_and_no_padding() {
    let reply = search(&world(), "xylophone zeppelin quark");
    assert_eq!(
        (&reply["status"], &reply["tools"]["groups"], &reply["skills"]),
        (&json!("no_match"), &json!([]), &json!([]))
    );
    assert!(
        reply["hint"].as_str().unwrap().contains("or ask the user"),
        "{reply}"
    );
    let recalled = recall(
        &world().context(),
        "xylophone zeppelin quark",
        [None, None],
        &Means::default(),
    );
    assert!(matches!(recalled, Recalled::Nothing), "{recalled:?}");
    assert_eq!(search(&world(), "  ")["status"], "no_match");
    assert!(search(&World::default(), "anything").get("more").is_none());
}

#[test]
fn a_query_that_is_missing_is_asked_for_and_one_in_another_shape_is_read() {
    let world = world();
    for arguments in [
        "{}",
        "null",
        "7",
        "[1]",
        r#"{"query":null}"#,
        r#"{"query":{"a":1}}"#,
    ] {
        let reply = world.reply("search_capabilities", arguments);
        if arguments == "7" || arguments == "[1]" {
            continue;
        }
        assert_eq!(reply["error"], "invalid_arguments", "{arguments}");
    }
    let whole = search(&world, "turn_on");
    assert_eq!(world.reply("search_capabilities", r#""turn_on""#), whole);
    assert_eq!(
        world.reply(
            "search_capabilities",
            r#"{"query":["turn_on"],"server":null,"topKTools":"x"}"#
        ),
        whole
    );
}

#[test]
fn a_server_narrows_the_tools() {
    let world = world();
    let reply = world.reply("search_capabilities", r#"{"query":"turn_on","server":"oven"}"#);
    assert_eq!(reply["tools"]["groups"], json!([]));
    assert!(
        reply["hint"].as_str().unwrap().contains("without `server`"),
        "{reply}"
    );
    let reply = world.reply("search_capabilities", r#"{"query":"turn_on","server":"lamp"}"#);
    assert_eq!(reply["tools"]["groups"][0]["hits"][0]["toolId"], "lamp__turn_on");
}

#[test]
fn nothing_is_not_the_last_word_while_a_server_connects_that_may_have_it() {
    let mut world = world();
    let hint = |world: &World, server: &str| {
        let arguments = json!({ "query": "xylophone zeppelin", "server": server }).to_string();
        let reply = world.reply("search_capabilities", &arguments);
        reply["hint"].as_str().unwrap().to_owned()
    };
    let later = "the servers in `pending` are still connecting";
    assert!(
        search(&world, "xylophone zeppelin")["hint"]
            .as_str()
            .unwrap()
            .contains(later)
    );
    assert!(hint(&world, "radio").contains("search again in a moment"));
    assert!(!hint(&world, "oven").contains(later));
    world.allow(r#"{"deny":{"servers":["radio"]}}"#);
    assert!(
        !search(&world, "xylophone zeppelin")["hint"]
            .as_str()
            .unwrap()
            .contains(later)
    );
    assert!(!hint(&world, "radio").contains(later));
}

#[test]
fn instructions_are_shown_once_in_a_conversation_and_always_without_one() {
    let mut world = world();
    let shown =
        |world: &World| search(world, "turn_on")["tools"]["groups"][0]["server"]["instructions"].is_string();
    assert!(shown(&world) && shown(&world));
    world.session = Some(Session::default());
    assert!(shown(&world) && !shown(&world));
}

#[test]
fn instructions_that_the_budget_took_away_are_still_due() {
    let mut world = world();
    world.session = Some(Session::default());
    world.settings.token_budget = 150;
    assert!(search(&world, "turn_on")["tools"]["groups"][0]["server"]["instructions"].is_null());
    world.settings.token_budget = 8_000;
    assert!(search(&world, "turn_on")["tools"]["groups"][0]["server"]["instructions"].is_string());
}

#[test]
fn a_long_list_gives_way_in_order() {
    let choices: Vec<String> = (0..600)
        .map(|n| format!("choice-{n}-{}", "x".repeat(30)))
        .collect();
    let description = "Switch a socket of the wall. ".repeat(12);
    let small = json!({"type": "object", "properties": {"on": {"type": "boolean", "description": "Whether current flows at all"}}, "required": ["on"]});
    let tools: Vec<Value> = (0..20)
        .map(|n| json!({"id": format!("plug__socket_{n}"), "description": description, "inputSchema": small}))
        .collect();
    let mut world = World::of_tools(&Value::from(tools).to_string());
    world.settings.token_budget = 600;
    let reply = world.reply(
        "search_capabilities",
        r#"{"query":"switch socket wall","topKTools":20}"#,
    );
    assert!(estimate(&reply.to_string()) <= 600);
    let hits = reply["tools"]["groups"][0]["hits"].as_array().unwrap();
    assert!(
        hits[0]["inputSchema"].is_object() && hits[1]["signature"] == "socket_1(on: boolean)",
        "{reply}"
    );
    assert!(hits[0]["description"].as_str().unwrap().chars().count() <= 160);
    assert_eq!(reply["more"]["tools"], 20 - hits.len());
    assert!(reply["hint"].is_string() && reply.get("truncated").is_none());

    let big = json!([{"id": "clock__set_zone", "description": "Set the zone of the clock", "inputSchema": {"properties": {"zone": {"enum": choices}}, "required": ["zone"]}}]);
    let world = World::of_tools(&big.to_string());
    let reply = search(&world, "set_zone");
    assert_eq!(reply["truncated"], true);
    let hit = &reply["tools"]["groups"][0]["hits"][0];
    assert!(
        hit["signature"]
            .as_str()
            .unwrap()
            .starts_with("set_zone(zone: \"choice-0")
            && hit.get("inputSchema").is_none()
    );
    let refused = world.reply(
        "invoke_tool",
        r#"{"toolId":"clock__set_zone","args":{"zone":"nowhere"}}"#,
    );
    assert!(estimate(&refused.to_string()) <= 8_000);
    assert_eq!(
        (refused["path"].as_str(), refused["signature"].is_string()),
        (Some("/zone"), true)
    );
}

#[test]
fn a_skill_is_read_in_pages_and_hides_what_may_not_be_seen() {
    let mut world = world();
    world.settings.page_chars = 8;
    let page = world.reply("get_skill_content", r#"{"skillId":"evening"}"#);
    assert_eq!(
        page,
        json!({"skillId": "evening", "name": "evening", "body": "Light th", "totalChars": 12, "nextOffset": 8, "resources": [], "tools": ["oven__heat", "lamp__turn_on", "lamp__turn_on"]})
    );
    let page = world.reply(
        "get_skill_content",
        r#"{"skillId":"evening","offset":"8","resource":null,"arguments":null}"#,
    );
    assert_eq!(
        (page["body"].as_str(), page.get("nextOffset")),
        (Some("em.\n"), None)
    );
    assert_eq!(
        world.reply("get_skill_content", r#""evening""#)["body"],
        "Light th"
    );

    for (id, error) in [("evenin", "unknown_skill"), ("private", "unknown_skill")] {
        let reply = world.reply("get_skill_content", &json!({ "skillId": id }).to_string());
        assert_eq!(reply["error"], error);
        assert!(!reply["candidates"].to_string().contains("private"), "{reply}");
    }
    assert_eq!(
        world.reply("get_skill_content", r#"{"skillId":"evening","resource":"a.md"}"#)["error"],
        "unknown_resource"
    );
    for arguments in ["{}", "null", "[]", "7", r#"{"skillId":7}"#] {
        assert_eq!(
            world.reply("get_skill_content", arguments)["error"],
            "invalid_arguments",
            "{arguments}"
        );
    }
}
