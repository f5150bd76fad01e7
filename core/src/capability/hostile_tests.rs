//! Schemas and arguments that want to cost too much, or to be more than they are.

use serde_json::{Value, json};

use super::fixture::World;
use super::tokens::estimate;
use super::validate::{Validators, check_schemas};
use crate::catalog::item::Item;
use crate::catalog::tool::Tool;

fn with_schema(schema: &Value) -> World {
    World::of_tools(&json!([{ "id": "t", "inputSchema": schema }]).to_string())
}

fn reaches(schema: &Value, args: &str) -> String {
    with_schema(schema).reaches(&format!(r#"{{"toolId":"t","args":{args}}}"#))
}

#[test]
fn a_schema_that_does_not_compile_leaves_its_tool_callable() {
    for schema in [
        json!({"properties": {"x": {"pattern": "("}}}),
        json!({"type": "nonsense"}),
        json!({"properties": {"x": {"$ref": "https://example.com/x.json"}}}),
        json!({"$ref": "#/nowhere"}),
        json!("not a schema"),
        json!(7),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "required": "x"}),
    ] {
        assert_eq!(reaches(&schema, r#"{"x":"1"}"#), r#"t {"x":"1"}"#, "{schema}");
        let tool =
            Tool::read(&json!({ "id": "t", "inputSchema": schema, "outputSchema": {"type": 7} }).to_string())
                .unwrap();
        let paths: Vec<&str> = check_schemas(&tool).iter().map(|(_, path, _)| *path).collect();
        assert_eq!(paths, ["/inputSchema", "/outputSchema"], "{schema}");
    }
}

#[test]
fn each_dialect_means_what_it_says() {
    let tuple = |dialect: Option<&str>| {
        let mut schema =
            json!({"properties": {"x": {"items": [{"type": "integer"}], "additionalItems": false}}});
        if let Some(dialect) = dialect {
            schema["$schema"] = json!(dialect);
        }
        schema
    };
    for dialect in [
        Some("http://json-schema.org/draft-07/schema#"),
        Some("http://json-schema.org/draft-07/schema"),
        None,
        Some("urn:mine"),
    ] {
        assert_eq!(
            reaches(&tuple(dialect), r#"{"x":[1,2]}"#),
            "invalid_arguments",
            "{dialect:?}"
        );
        assert_eq!(
            reaches(&tuple(dialect), r#"{"x":["1"]}"#),
            r#"t {"x":[1]}"#,
            "{dialect:?}"
        );
    }
    let prefix = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"x": {"prefixItems": [{"type": "integer"}], "items": false}}});
    assert_eq!(reaches(&prefix, r#"{"x":["1"]}"#), r#"t {"x":[1]}"#);
    assert_eq!(reaches(&prefix, r#"{"x":[1,2]}"#), "invalid_arguments");
}

#[test]
fn nullable_is_read_as_openapi_means_it() {
    let schema = json!({"properties": {"x": {"type": "integer", "nullable": true}, "nullable": true, "e": {"enum": ["a"], "nullable": true}}});
    assert_eq!(
        reaches(&schema, r#"{"x":null,"e":null}"#),
        r#"t {"x":null,"e":null}"#
    );
    assert_eq!(reaches(&schema, r#"{"x":"null"}"#), r#"t {"x":null}"#);
    assert_eq!(reaches(&schema, r#"{"x":"no"}"#), "invalid_arguments");
}

#[test]
fn references_that_lead_nowhere_but_back_are_survived() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]}),
        json!({"not": {"$ref": "#"}}),
        json!({"oneOf": [{"$ref": "#/oneOf/1"}, {"$ref": "#/oneOf/0"}]}),
        json!({"$dynamicRef": "#"}),
    ] {
        let outcome = reaches(&schema, r#"{"x":"1"}"#);
        assert!(
            ["t {\"x\":\"1\"}", "invalid_arguments"].contains(&outcome.as_str()),
            "{schema}: {outcome}"
        );
    }
}

#[test]
fn work_that_doubles_with_every_level_is_not_done() {
    let doubling = json!({"$defs": {"n": {"type": "object", "properties": {"a": {"oneOf": [{"$ref": "#/$defs/n"}, {"$ref": "#/$defs/n"}]}, "b": {"type": "integer"}}}}, "$ref": "#/$defs/n"});
    let nested = |levels: usize| {
        format!(
            "{}{{\"b\":\"x\"}}{}",
            "{\"a\":".repeat(levels),
            "}".repeat(levels)
        )
    };
    assert_eq!(reaches(&doubling, &nested(2)), "invalid_arguments");
    assert!(reaches(&doubling, &nested(60)).starts_with("t {"));
    let mut definitions = json!({"n0": {"type": "integer"}});
    for n in 1..60 {
        let below = json!({"$ref": format!("#/$defs/n{}", n - 1)});
        definitions[format!("n{n}")] = json!({"anyOf": [below, below]});
    }
    let schema = json!({"$defs": definitions, "properties": {"x": {"$ref": "#/$defs/n59"}, "y": {"$ref": "#/$defs/n3"}}});
    assert_eq!(reaches(&schema, r#"{"x":"seven"}"#), r#"t {"x":"seven"}"#);
    assert_eq!(reaches(&schema, r#"{"y":"seven"}"#), "invalid_arguments");
    assert_eq!(reaches(&schema, r#"{"y":"7"}"#), r#"t {"y":7}"#);
}

#[test]
fn a_chain_of_references_does_not_overflow_the_stack() {
    let mut definitions: serde_json::Map<String, Value> = (0..12_000)
        .map(|n| (format!("n{n}"), json!({"$ref": format!("#/$defs/n{}", n + 1)})))
        .collect();
    definitions.insert("n12000".to_owned(), json!({"type": "integer"}));
    let schema = json!({"$defs": definitions, "properties": {"x": {"$ref": "#/$defs/n0"}}});
    assert_eq!(reaches(&schema, r#"{"x":"seven"}"#), r#"t {"x":"seven"}"#);
}

#[test]
fn a_pattern_cannot_run_away() {
    let text = format!("{}!", "a".repeat(50_000));
    for pattern in [
        "^(a+)+$",
        "^(a|aa)+$",
        "(?=(a+)+$)b",
        r"^(a*)*\1$",
        "(((a{1,100}){1,100}){1,100}){1,100}",
    ] {
        let schema = json!({"properties": {"x": {"pattern": pattern}}});
        let outcome = reaches(&schema, &json!({ "x": text }).to_string());
        assert!(
            outcome == "invalid_arguments" || outcome.starts_with("t "),
            "{pattern}"
        );
    }
}

#[test]
fn anything_a_model_sends_is_answered_and_the_answer_is_bounded() {
    let world = with_schema(
        &json!({"type": "object", "properties": {"x": {"type": "integer"}, "o": {"type": "object"}}, "additionalProperties": false}),
    );
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    let wide: String = (0..20_000).map(|n| format!("\"k{n}\":1,")).collect();
    let long = "y".repeat(100_000);
    let mut all = vec![
        "null".to_owned(),
        "0".to_owned(),
        "[]".to_owned(),
        "\"\"".to_owned(),
        "\"\\u0000\"".to_owned(),
        "\"\\ud800\"".to_owned(),
        deep.clone(),
        deep_objects.clone(),
        format!("\"{long}\""),
        format!("{{{wide}\"z\":1}}"),
        r#"{"x":1,"x":"2","x":null}"#.to_owned(),
        r#"{"x":"\ud800"}"#.to_owned(),
        r#"{"\u0000":1}"#.to_owned(),
        format!(r#"{{"x":"{long}"}}"#),
        format!(r#"{{"{long}":1}}"#),
        format!(r#"{{"o":{deep}}}"#),
        format!(r#"{{"o":{}}}"#, json!(deep)),
        format!(r#"{{"x":"{}"}}"#, "\u{200b}\u{e0041}\u{202e}".repeat(500)),
    ];
    for tool in ["t", "\\u0000", "t\\u200b", &long, "__proto__", "\\ud800"] {
        for args in all.clone() {
            all.push(format!(r#"{{"toolId":"{tool}","args":{args}}}"#));
            if all.len() > 150 {
                break;
            }
        }
    }
    for arguments in &all {
        for name in [
            "invoke_tool",
            "search_capabilities",
            "get_skill_content",
            "t",
            "nobody",
        ] {
            let step = serde_json::to_string(&world.step(name, arguments)).unwrap();
            if step.contains("\"isError\"") {
                assert!(
                    estimate(&step) < 8_100,
                    "{name} {}",
                    &arguments[..arguments.len().min(80)]
                );
                assert!(!step.contains('\u{200b}') && !step.contains('\u{202e}'));
            }
        }
    }
}

#[test]
fn the_cache_of_schemas_is_bounded_and_keeps_what_is_used() {
    let validators = Validators::default();
    let kept = validators.of(Some(r#"{"type":"object"}"#));
    for n in 0..2_000 {
        validators.of(Some(&format!(r#"{{"maxProperties":{n}}}"#)));
        if n % 100 == 0 {
            assert!(std::sync::Arc::ptr_eq(
                &kept,
                &validators.of(Some(r#"{"type":"object"}"#))
            ));
        }
    }
    assert!(validators.len() <= 1_024);
}
