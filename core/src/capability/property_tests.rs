//! Laws that hold for any schema, any arguments and any budget.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::arguments::fit;
use super::fixture::World;
use super::tokens::estimate;
use super::validate::Validators;

fn leaf_schema() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(true)),
        Just(json!({"type": "string"})),
        Just(json!({"type": "integer"})),
        Just(json!({"type": "number", "minimum": 2})),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": ["null", "integer"]})),
        Just(json!({"type": "integer", "nullable": true})),
        Just(json!({"enum": [1, "1", null]})),
        Just(json!({"enum": [1, 10]})),
        Just(json!({"const": {"a": 1}})),
        Just(json!({"$ref": "#/properties/a"})),
        Just(json!({"$ref": "#"})),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let inner = leaf_schema().prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({ "allOf": all })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|any| json!({ "anyOf": any })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|one| json!({ "oneOf": one })),
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items})),
            inner
                .clone()
                .prop_map(|item| json!({"type": "array", "prefixItems": [item]})),
            inner.clone().prop_map(|not| json!({ "not": not })),
            (inner.clone(), inner.clone()).prop_map(
                |(a, rest)| json!({"type": "object", "properties": {"a": a}, "additionalProperties": rest})
            ),
            inner.prop_map(|a| json!({"patternProperties": {"^a": a}})),
        ]
    });
    (inner.clone(), inner, any::<bool>()).prop_map(|(a, b, closed)| {
        let mut schema = json!({"type": "object", "properties": {"a": a, "b": b}});
        if closed {
            schema["additionalProperties"] = json!(false);
        }
        schema
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (0..12).prop_map(Value::from),
        prop_oneof![
            Just("1"),
            Just("10"),
            Just("true"),
            Just("null"),
            Just("x"),
            Just("1.5"),
            Just("{\"a\":\"1\"}"),
            Just("[\"1\"]"),
            Just("")
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop_oneof![Just("a"), Just("b"), Just("c")], inner), 0..3).prop_map(
                |members| Value::Object(members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
            ),
        ]
    })
}

fn arguments() -> impl Strategy<Value = Value> {
    (value(), value()).prop_map(|(a, b)| json!({"a": a, "b": b}))
}

fn tool() -> impl Strategy<Value = Value> {
    (0..40_u32, "[a-z工🙂 \"\\\\]{0,400}", prop_oneof![Just(0_usize), 1..5_usize, Just(300)]).prop_map(|(n, text, choices)| {
        let choices: Vec<String> = (0..choices).map(|n| format!("choice 工 {n}")).collect();
        json!({"id": format!("s{}__switch_{n}_{}", n % 5, "工".repeat(n as usize)), "description": format!("switch {text}"),
            "annotations": {"title": text}, "inputSchema": {"properties": {"x": {"enum": choices}}, "description": text}})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn what_fits_is_never_changed_and_what_was_repaired_fits(schema in schema(), arguments in arguments()) {
        let validators = Validators::default();
        let text = schema.to_string();
        let compiled = validators.of(Some(&text));
        prop_assume!(compiled.problem().is_none());
        // OpenAPI's `nullable` is ours to honour; the plain judge is told it in its own words.
        let plain = text.replace(r#""type":"integer","nullable":true"#, r#""type":["integer","null"]"#);
        prop_assert!(!plain.contains("nullable"));
        let judge = jsonschema::draft202012::new(&serde_json::from_str(&plain).unwrap()).unwrap();
        let sent = arguments.to_string();
        match fit(&sent, &compiled, true) {
            Ok(fitting) => {
                let value: Value = serde_json::from_str(fitting.get()).unwrap();
                prop_assert!(judge.is_valid(&value), "{} {} {}", text, sent, fitting);
                if judge.is_valid(&arguments) {
                    prop_assert_eq!(fitting.get(), sent);
                }
            }
            Err(fault) => {
                prop_assert!(!judge.is_valid(&arguments), "{} {}", text, sent);
                prop_assert!(!fault.message.is_empty());
                prop_assert!(fault.message.chars().count() < 2_000);
            }
        }
    }

    #[test]
    fn an_envelope_never_reaches_another_tool_than_it_names(id in 0..6_usize, inner in 0..6_usize, form in 0..8_usize, args in value()) {
        let ids = ["alpha", "beta", "s__gamma", "name", "x", "args"];
        let tools: Vec<Value> = ids.iter().map(|id| json!({"id": id, "inputSchema": {"properties": {"a": {"type": "integer"}, "toolId": true}}})).collect();
        let world = World::of_tools(&Value::from(tools).to_string());
        let (id, other) = (ids[id], ids[inner]);
        let envelope = match form {
            0 => json!({"toolId": id, "args": args}),
            1 => json!({"toolId": id, "a": args}),
            2 => json!({"toolId": id, "args": {"toolId": other, "a": args}}),
            3 => json!({"args": {"toolId": id, "name": other, "a": args}}),
            4 => json!({"toolId": id, "args": args.to_string()}),
            5 => json!({"toolId": id, "name": other, "args": args}),
            6 => json!({"toolId": id, "arguments": {"toolId": other}, "a": args}),
            _ => json!({"toolId": id, "args": {"args": {"toolId": other, "a": args}}}),
        };
        if let super::step::Step::Invoke { call } = world.step("invoke_tool", &envelope.to_string()) {
            prop_assert_eq!(call.tool_id.as_str(), id, "{}", envelope);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_search_never_exceeds_its_budget(
        tools in prop::collection::vec(tool(), 0..30),
        instructions in "[a-z工]{0,600}",
        budget in 100_usize..3_000,
        top_k in 1_u32..60,
    ) {
        let mut world = World::of_tools(&Value::from(tools.clone()).to_string());
        for server in ["s0", "s1", "s2", "s3", "s4", "later"] {
            let status = if server == "later" { crate::catalog::server::ServerStatus::Pending } else { Default::default() };
            world.set_server(server, status, Some(&instructions));
        }
        let ids: Vec<&str> = tools.iter().filter_map(|tool| tool["id"].as_str()).collect();
        world.register_skills(&json!([{"id": "switching", "description": format!("switch {instructions}"), "body": "b", "tools": ids}]).to_string());
        world.settings.token_budget = budget;
        for query in ["switch", "nothing at all"] {
            let step = world.step("search_capabilities", &json!({"query": query, "topKTools": top_k}).to_string());
            let super::step::Step::Reply { reply: Some(reply), .. } = step else { panic!() };
            prop_assert!(estimate(reply.get()) <= budget, "{} > {}: {}", estimate(reply.get()), budget, reply);
        }
    }
}
