//! The envelopes that models really send, and the tools they reach.

use super::fixture::{reply_of, world};

#[test]
fn every_envelope_that_can_be_read_in_one_way_reaches_its_tool() {
    let world = world();
    for envelope in [
        r#"{"toolId":"t","args":{"x":1}}"#,
        r#"{"args":{"toolId":"t","x":1}}"#,
        r#"{"toolId":"t","x":1}"#,
        r#"{"toolId":"t","args":"{\"x\":1}"}"#,
        r#""{\"toolId\":\"t\",\"args\":{\"x\":1}}""#,
        r#"{"args":{"toolId":"t","args":{"x":1}}}"#,
        r#"{"args":"{\"toolId\":\"t\",\"x\":1}"}"#,
        r#"{"toolId":"t","args":{"toolId":"t","x":1}}"#,
        r#"{"toolId":"t","args":{"toolId":"t","args":{"x":1}}}"#,
        r#"{"toolId":"t","args":{"args":{"x":1}}}"#,
        r#"{"toolId":"t","arguments":{"x":1}}"#,
        r#"{"tool_id":"t","args":{"x":1}}"#,
        r#"{"name":"t","arguments":"{\"x\":1}"}"#,
        r#"{"toolId":"t","args":{"x":"1"}}"#,
        r#"{"toolId":"t","x":"1","args":{}}"#,
        r#"{"toolId":"t","x":1,"args":null}"#,
        r#"{"toolId":" t ","args":{"x":1},"reason":"because"}"#,
    ] {
        assert_eq!(world.reaches(envelope), r#"t {"x":1}"#, "{envelope}");
    }
}

#[test]
fn absent_and_null_arguments_are_an_empty_object() {
    let world = world();
    for envelope in [
        r#"{"toolId":"github__get_me"}"#,
        r#"{"toolId":"github__get_me","args":null}"#,
        r#"{"toolId":"github__get_me","args":""}"#,
    ] {
        assert_eq!(world.reaches(envelope), "github__get_me {}", "{envelope}");
    }
}

#[test]
fn an_envelope_that_cannot_be_read_is_answered_with_an_example() {
    let world = world();
    for envelope in [
        "null",
        "[1]",
        "7",
        "true",
        "\"go\"",
        "{}",
        r#"{"args":{"x":1}}"#,
        r#"{"toolId":7}"#,
        r#"{"toolId":["t"],"args":{"x":1}}"#,
        r#""\"{\\\"toolId\\\":\\\"t\\\"}\"""#,
        r#"{"name":"nobody","args":{}}"#,
    ] {
        let reply = world.reply("invoke_tool", envelope);
        assert_eq!(reply["error"], "invalid_arguments", "{envelope}");
        assert!(
            reply["next"].as_str().unwrap().contains("\"toolId\""),
            "{envelope}"
        );
    }
    assert_eq!(
        reply_of(&super::answer(&world.context(), "invoke_tool", None))["error"],
        "invalid_arguments"
    );
}

#[test]
fn a_parameter_that_is_called_name_never_chooses_the_tool() {
    let world = world();
    assert_eq!(
        world.reaches(r#"{"args":{"name":"t","x":1}}"#),
        "invalid_arguments"
    );
    assert_eq!(world.reaches(r#"{"name":"t","x":1}"#), "invalid_arguments");
    assert_eq!(
        world.reaches(r#"{"toolId":"draft__loose","name":"t"}"#),
        r#"draft__loose {"name":"t"}"#
    );
}

#[test]
fn a_tool_with_a_parameter_called_args_gets_it() {
    let world = world();
    assert_eq!(
        world.reaches(r#"{"toolId":"shell__run","command":"ls","args":["-l"]}"#),
        r#"shell__run {"command":"ls","args":["-l"]}"#
    );
    assert_eq!(
        world.reaches(r#"{"toolId":"shell__run","args":{"command":"ls","args":["-l"]}}"#),
        r#"shell__run {"command":"ls","args":["-l"]}"#
    );
}

#[test]
fn what_stands_beside_args_is_merged_only_where_the_schema_names_it() {
    let world = world();
    assert_eq!(
        world.reaches(r#"{"toolId":"draft__loose","args":{"q":"a"},"limit":"5"}"#),
        r#"draft__loose {"q":"a","limit":5}"#
    );
    assert_eq!(
        world.reaches(r#"{"toolId":"draft__loose","args":{"q":"a"},"why":"b"}"#),
        r#"draft__loose {"q":"a"}"#
    );
    assert_eq!(
        world.reaches(r#"{"toolId":"draft__loose","why":"b"}"#),
        "invalid_arguments"
    );
    // Without a schema either reading would do, so neither is taken.
    assert_eq!(
        world.reaches(r#"{"toolId":"github__get_me","args":{"q":"a"},"limit":5}"#),
        "invalid_arguments"
    );
}

#[test]
fn a_capability_tool_is_not_called_through_another() {
    let world = world();
    let reply = world.reply(
        "invoke_tool",
        r#"{"toolId":"invoke_tool","args":{"toolId":"t","args":{"x":1}}}"#,
    );
    assert_eq!(reply["error"], "invalid_arguments");
    assert!(
        reply["next"]
            .as_str()
            .unwrap()
            .contains(r#"{"toolId":"t","args":{"x":1}}"#),
        "{reply}"
    );
    let reply = world.reply("invoke_tool", r#"{"toolId":"search_capabilities","query":"x"}"#);
    assert!(
        reply["next"]
            .as_str()
            .unwrap()
            .contains(r#"search_capabilities itself with the arguments {"query":"x"}"#),
        "{reply}"
    );
}
