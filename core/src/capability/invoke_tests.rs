//! Calls as models really make them: what reaches the tool, what is answered instead.

use serde_json::{Value, json};

use super::fixture::{approval, call_of, raw, reply_of, world};
use super::step::{Operation, Step};
use super::{Outcome, OutcomeKind, invoke, resolve, resume};
use crate::error::ErrorCode;

#[test]
fn arguments_that_need_no_repair_travel_as_they_came() {
    let world = world();
    let text = r#"{ "q" : "10",  "limit": 123456789012345678901, "2": 1.50, "1": {"b":1,"a":2} }"#;
    let call = call_of(world.step(
        "invoke_tool",
        &format!(r#"{{"toolId":"draft__loose","args":{text}}}"#),
    ));
    assert_eq!(call.arguments.get(), text);
    let repaired =
        world.reaches(r#"{"toolId":"draft__loose","args":{"z":123456789012345678901,"limit":"7","a":1.50}}"#);
    assert_eq!(
        repaired,
        r#"draft__loose {"z":123456789012345678901,"limit":7,"a":1.50}"#
    );
}

#[test]
fn repair_can_be_switched_off() {
    let mut world = world();
    world.settings.repair_arguments = false;
    assert_eq!(
        world.reply("invoke_tool", r#"{"toolId":"t","args":{"x":"1"}}"#)["path"],
        "/x"
    );
    assert_eq!(world.reaches(r#"{"toolId":"t","x":1}"#), r#"t {"x":1}"#);
}

#[test]
fn a_wrong_argument_is_answered_with_its_place_its_schema_and_an_example() {
    let reply = world().reply(
        "invoke_tool",
        r#"{"toolId":"github__merge_pull_request","args":{"repo":"a/b","number":"seven"}}"#,
    );
    assert_eq!(
        reply,
        json!({
            "isError": true,
            "error": "invalid_arguments",
            "message": "`number` must be an integer, got \"seven\"",
            "toolId": "github__merge_pull_request",
            "path": "/number",
            "inputSchema": {"type": "object", "properties": {"repo": {"type": "string"}, "number": {"type": "integer"}}, "required": ["repo", "number"]},
            "next": "correct the arguments by the schema and call invoke_tool again as {\"toolId\":\"github__merge_pull_request\",\"args\":{\"repo\":\"…\",\"number\":1}}",
        })
    );
    let long = world().reply(
        "invoke_tool",
        &format!(r#"{{"toolId":"t","args":{{"x":"{}"}}}}"#, "y".repeat(100_000)),
    );
    assert!(long["message"].as_str().unwrap().chars().count() < 130, "{long}");
}

#[test]
fn an_unknown_tool_is_answered_with_real_ids_and_never_a_hidden_one() {
    let mut world = world();
    let reply = world.reply(
        "invoke_tool",
        r#"{"toolId":"github__merge_pull_reqest","args":{}}"#,
    );
    assert_eq!(
        (&reply["error"], &reply["requested"]),
        (&json!("unknown_tool"), &json!("github__merge_pull_reqest"))
    );
    assert_eq!(reply["candidates"][0], "github__merge_pull_request");
    assert_eq!(world.reply("github__merge_pull_reqest", "{}"), reply);

    world.allow(r#"{"deny":{"ids":["github__merge_pull_request"]}}"#);
    let hidden = world.reply(
        "invoke_tool",
        r#"{"toolId":"github__merge_pull_request","args":{"repo":"a","number":1}}"#,
    );
    assert_eq!(hidden["error"], "unknown_tool");
    assert!(
        !hidden["candidates"]
            .to_string()
            .contains("github__merge_pull_request"),
        "{hidden}"
    );
    assert!(
        !hidden["message"]
            .as_str()
            .unwrap()
            .contains("nearest: `github__merge_pull_request`"),
        "{hidden}"
    );
}

#[test]
fn a_bare_name_is_taken_only_when_one_tool_has_it() {
    let world = world();
    assert_eq!(world.reaches(r#"{"toolId":"get_me"}"#), "github__get_me {}");
    let reply = world.reply("invoke_tool", r#"{"toolId":"get_handoff"}"#);
    assert_eq!(reply["error"], "unknown_tool");
    let candidates = reply["candidates"].to_string();
    assert!(
        candidates.contains("a__get_handoff") && candidates.contains("b__get_handoff"),
        "{candidates}"
    );
}

#[test]
fn a_catalog_tool_may_be_called_directly_with_the_same_checks() {
    let world = world();
    assert_eq!(
        call_of(world.step("t", r#"{"x":"1"}"#)).arguments.get(),
        r#"{"x":1}"#
    );
    assert_eq!(
        call_of(world.step("t", r#""{\"x\":1}""#)).arguments.get(),
        r#"{"x":1}"#
    );
    assert_eq!(world.reply("t", "{}")["error"], "invalid_arguments");
    assert!(matches!(
        world.step("github__delete", r#"{"repo":"a"}"#),
        Step::Approve { .. }
    ));
}

#[test]
fn a_yes_holds_for_exactly_what_was_asked_about() {
    let mut world = world();
    let step = world.step(
        "invoke_tool",
        r#"{"toolId":"github__delete","repo":"a/b","days":"7","approved":true}"#,
    );
    assert_eq!(reply_of(&step)["error"], "invalid_arguments");
    let step = world.step(
        "invoke_tool",
        r#"{"toolId":"github__delete","args":{"repo":"a/b","days":"7"},"approved":true}"#,
    );
    let Step::Approve { call } = step else {
        panic!("{step:?}")
    };
    assert_eq!(call.arguments.get(), r#"{"repo":"a/b","days":7}"#);
    assert_eq!(
        call.annotations.as_ref().unwrap().get(),
        r#"{"destructiveHint":true}"#
    );

    // A host that parsed the call and wrote it again has changed nothing.
    let rewritten =
        serde_json::from_str(&serde_json::to_string(&call).unwrap().replace("7}", "7.0}")).unwrap();
    let Step::Invoke { call: approved } = world.resume(&rewritten, &approval(true)) else {
        panic!()
    };
    assert_eq!(approved.approved, Some(true));
    assert!(matches!(
        world.resume(&approved, &Outcome::of(OutcomeKind::Ok)),
        Step::Reply {
            host_value: Some(true),
            ..
        }
    ));

    let mut other = call.clone();
    other.arguments = raw(r#"{"repo":"a/c","days":7}"#);
    assert_eq!(
        reply_of(&world.resume(&other, &approval(true)))["error"],
        "needs_approval"
    );
    let mut renamed = call.clone();
    renamed.seal = None;
    assert_eq!(
        reply_of(&world.resume(&renamed, &approval(true)))["error"],
        "needs_approval"
    );

    let declined = Outcome {
        reason: Some("not\u{200b} now".to_owned()),
        ..approval(false)
    };
    let reply = reply_of(&world.resume(&call, &declined));
    assert_eq!(
        (reply["error"].as_str(), reply["message"].as_str()),
        (
            Some("declined"),
            Some("the call of `github__delete` was declined: not now")
        )
    );
    assert_eq!(
        reply_of(&world.resume(&call, &Outcome::of(OutcomeKind::NoHandler)))["error"],
        "needs_approval"
    );
    assert_eq!(
        reply_of(&world.resume(&call, &Outcome::of(OutcomeKind::Approval)))["error"],
        "declined"
    );

    // What was not approved has not run.
    let error = resume(&world.context(), &call, &Outcome::of(OutcomeKind::Ok)).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest);

    world.register_tools(r#"[{"id":"github__delete","requiresApproval":true,"description":"other"}]"#);
    assert_eq!(
        reply_of(&world.resume(&call, &approval(true)))["error"],
        "definition_changed"
    );
    world.allow(r#"{"deny":{"servers":["github"]}}"#);
    assert_eq!(
        reply_of(&world.resume(&call, &approval(true)))["requested"],
        "github__delete"
    );
}

#[test]
fn what_an_executor_reports_becomes_a_reply() {
    let world = world();
    let call = call_of(world.step("t", r#"{"x":1}"#));
    let reply = |outcome: &Outcome| reply_of(&world.resume(&call, outcome));
    let named = |name: &str| Outcome {
        name: Some(name.to_owned()),
        message: Some(format!("ouch\u{200b}{}", "x".repeat(9_000))),
        ..Outcome::of(OutcomeKind::Error)
    };
    for (outcome, code) in [
        (named("TypeError"), "tool_failed"),
        (named("UnauthorizedError"), "needs_auth"),
        (named("AbortError"), "aborted"),
        (named("TimeoutError"), "timeout"),
        (Outcome::of(OutcomeKind::NotBound), "not_bound"),
        (
            Outcome {
                elapsed_ms: Some(30.4),
                ..Outcome::of(OutcomeKind::Timeout)
            },
            "timeout",
        ),
        (Outcome::of(OutcomeKind::Aborted), "aborted"),
    ] {
        let reply = reply(&outcome);
        assert_eq!(
            (reply["error"].as_str(), reply["toolId"].as_str()),
            (Some(code), Some("t"))
        );
        assert!(reply["message"].as_str().unwrap().chars().count() <= 2_000);
        assert!(!reply["message"].as_str().unwrap().contains('\u{200b}'));
        assert!(!reply["next"].as_str().unwrap().is_empty());
    }
    let failed = reply(&Outcome {
        message: Some("no".to_owned()),
        ..named("TypeError")
    });
    assert_eq!(failed["message"], "`t` failed with TypeError: no");
    let error = resume(&world.context(), &call, &Outcome::of(OutcomeKind::Vectors)).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidRequest);
}

#[test]
fn host_code_gets_errors_where_a_model_gets_replies() {
    let world = world();
    let code = |id: &str, args: &str| invoke(&world.context(), id, Some(&raw(args))).unwrap_err().code;
    assert_eq!(code("nobody", "{}"), ErrorCode::UnknownTool);
    assert_eq!(code("get_me", "{}"), ErrorCode::UnknownTool);
    assert_eq!(code("t", r#"{"args":{"x":1}}"#), ErrorCode::InvalidArguments);
    assert_eq!(code("t", "[1]"), ErrorCode::InvalidArguments);
    let call = call_of(invoke(&world.context(), "t", Some(&raw(r#"{"x":"1"}"#))).unwrap());
    assert_eq!(
        (call.operation, call.arguments.get()),
        (Operation::Invoke, r#"{"x":1}"#)
    );
    let error = resume(&world.context(), &call, &Outcome::of(OutcomeKind::NotBound)).unwrap_err();
    assert_eq!(error.code, ErrorCode::NotBound);
    assert!(matches!(
        invoke(&world.context(), "github__delete", Some(&raw(r#"{"repo":"a"}"#))).unwrap(),
        Step::Approve { .. }
    ));
}

#[test]
fn resolving_runs_nothing_and_says_what_would_run() {
    let world = world();
    let context = world.context();
    let resolved = resolve(&context, &raw(r#"{"args":{"toolId":"t","x":"1"}}"#)).unwrap();
    assert_eq!(resolved.arguments.get(), r#"{"x":1}"#);
    assert_eq!(resolved.digest.len(), 64);
    assert_eq!(
        resolve(&context, &raw("null")).unwrap_err().code,
        ErrorCode::InvalidArguments
    );
    let error = resolve(&context, &raw(r#"{"toolId":"t"}"#)).unwrap_err();
    assert_eq!(
        (error.code, &error.details["path"]),
        (ErrorCode::InvalidArguments, &Value::from("/x"))
    );
}
