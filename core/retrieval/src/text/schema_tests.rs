//! What the walk over a schema reads, passes over, and survives.

use super::*;
use proptest::prelude::*;
use serde_json::{Map, json};

/// The texts in order: `.name`, `"description`, `=value`.
fn texts(schema: &Value) -> Vec<String> {
    texts_of(&schema.to_string())
}

fn texts_of(schema: &str) -> Vec<String> {
    let mut all = Vec::new();
    walk_schema(schema, &mut |text| {
        all.push(match text {
            SchemaText::Name(name) => format!(".{name}"),
            SchemaText::Description(text) => format!("\"{text}"),
            SchemaText::Value(value) => format!("={value}"),
        });
    });
    all
}

#[test]
fn names_descriptions_titles_and_values_come_in_the_order_of_the_schema() {
    let schema = json!({
        "title": "Args", "description": "root", "type": "object", "required": ["repo"],
        "properties": {
            "repo": {"type": "string", "description": "the repository", "default": "none", "examples": ["x/y"]},
            "state": {"title": "State", "enum": ["open", "closed"]},
            "deep": {"properties": {"inner": {"items": {"description": "each"}}}},
        },
        "additionalProperties": {"description": "anything else"},
    });
    let expected = [
        "=Args",
        "\"root",
        ".repo",
        "\"the repository",
        ".state",
        "=State",
        "=open",
        "=closed",
        ".deep",
        ".inner",
        "\"each",
        "\"anything else",
    ];
    assert_eq!(texts(&schema), expected);
}

#[test]
fn every_keyword_that_holds_a_schema_is_followed() {
    for keyword in [
        "items",
        "contains",
        "additionalItems",
        "unevaluatedItems",
        "additionalProperties",
        "unevaluatedProperties",
        "then",
        "else",
    ] {
        assert_eq!(
            texts(&json!({keyword: {"description": "d"}})),
            ["\"d"],
            "{keyword}"
        );
    }
    for keyword in ["items", "prefixItems", "anyOf", "oneOf", "allOf"] {
        assert_eq!(
            texts(&json!({keyword: [true, {"description": "d"}]})),
            ["\"d"],
            "{keyword}"
        );
    }
    for keyword in ["patternProperties", "dependentSchemas"] {
        assert_eq!(
            texts(&json!({keyword: {"x": {"description": "d"}}})),
            ["\"d"],
            "{keyword}"
        );
    }
}

#[test]
fn what_forbids_or_only_tests_is_not_read() {
    for keyword in [
        "not",
        "if",
        "propertyNames",
        "default",
        "examples",
        "required",
        "x-note",
        "$defs",
        "$comment",
    ] {
        assert_eq!(
            texts(&json!({keyword: {"description": "d", "x": {"description": "d"}}})),
            [""; 0],
            "{keyword}"
        );
    }
}

#[test]
fn a_root_of_alternatives_is_read() {
    // P15.
    let schema = json!({"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}], "oneOf": [true], "allOf": [false]});
    assert_eq!(texts(&schema), [".a", ".b"]);
}

#[test]
fn a_recursive_definition_is_read_once() {
    // P14, both forms: a definition, and a pointer into the tree.
    let schema = json!({
        "properties": {"tree": {"$ref": "#/$defs/node"}, "again": {"$ref": "#/$defs/node"}},
        "$defs": {"node": {"properties": {"label": {}, "children": {"items": {"$ref": "#/$defs/node"}}}}},
    });
    assert_eq!(texts(&schema), [".tree", ".label", ".children", ".again"]);
    let schema = json!({
        "properties": {"nodes": {"items": {
            "properties": {"label": {}, "children": {"items": {"$ref": "#/properties/nodes/items"}}},
        }}},
    });
    assert_eq!(texts(&schema), [".nodes", ".label", ".children"]);
    assert_eq!(texts(&json!({"$ref": "#", "description": "self"})), ["\"self"]);
}

#[test]
fn references_are_unescaped() {
    let schema = json!({
        "definitions": {"a/b": {"description": "slash"}, "a~b": {"description": "tilde"}, "ü %": {"description": "rest"}},
        "allOf": [
            {"$ref": "#/definitions/a~1b"}, {"$ref": "#/definitions/a~0b"}, {"$ref": "#/definitions/%C3%BC%20%25"},
        ],
    });
    assert_eq!(texts(&schema), ["\"slash", "\"tilde", "\"rest"]);
}

#[test]
fn a_schema_may_call_itself_by_its_address_or_an_anchor() {
    let schema = json!({
        "$id": "https://example.com/s", "allOf": [{"$ref": "https://example.com/s#/$defs/a"}, {"$ref": "#b"}],
        "$defs": {"a": {"description": "a"}, "b": {"$anchor": "b", "description": "b"}},
    });
    assert_eq!(texts(&schema), ["\"a", "\"b"]);
}

#[test]
fn unknown_and_remote_references_are_passed_over_and_their_neighbours_read() {
    for reference in [
        json!("#/$defs/none"),
        json!("https://example.com/s#/$defs/a"),
        json!("other.json"),
        json!(""),
        json!("#%FF"),
        json!("#nowhere"),
        json!(7),
        json!({"description": "no"}),
        json!(null),
    ] {
        let schema = json!({"$ref": reference, "description": "d", "$defs": {"a": {"description": "no"}}});
        assert_eq!(texts(&schema), ["\"d"], "{reference}");
    }
}

#[test]
fn properties_may_be_named_like_keywords() {
    let schema = json!({"properties": {
        "properties": {"type": "object"}, "$ref": {"type": "string"}, "enum": {"items": {"description": "d"}},
        "items": {}, "type": {}, "description": {"description": "about"}, "title": true,
    }});
    assert_eq!(
        texts(&schema),
        [
            ".properties",
            ".$ref",
            ".enum",
            "\"d",
            ".items",
            ".type",
            ".description",
            "\"about",
            ".title"
        ]
    );
}

#[test]
fn members_of_any_type_become_text() {
    // P16.
    assert_eq!(
        texts(&json!({"type": "integer", "enum": [60, 1440]})),
        ["=60", "=1440"]
    );
    assert_eq!(
        texts(&json!({"enum": ["a", null, true, 1.5]})),
        ["=a", "=null", "=true", "=1.5"]
    );
    assert_eq!(texts(&json!({"const": "fixed"})), ["=fixed"]);
    assert_eq!(texts(&json!({"enum": [{"k": ["v", 1]}, []]})), ["=k", "=v", "=1"]);
    assert_eq!(
        texts_of(r#"{"enum": [123456789012345678901234567890, 1e400, 2.50E-3]}"#),
        ["=123456789012345678901234567890", "=1e+400", "=2.50e-3"]
    );
}

#[test]
fn whatever_is_no_schema_is_silence() {
    // P17.
    for schema in [
        json!(null),
        json!({}),
        json!(true),
        json!([]),
        json!("text"),
        json!(7),
        json!({"type": "object"}),
        json!({"properties": null}),
        json!({"properties": [1]}),
        json!({"enum": "a", "description": 7, "title": []}),
        json!({"items": 3, "anyOf": {"a": 1}, "additionalProperties": false}),
    ] {
        assert_eq!(texts(&schema), [""; 0], "{schema}");
    }
    assert_eq!(
        texts(&json!({"properties": {"f": true, "g": false}})),
        [".f", ".g"]
    );
}

#[test]
fn the_last_of_600_values_is_read() {
    // P19.
    let values: Vec<String> = (0..600).map(|number| format!("value_{number}")).collect();
    assert_eq!(
        texts(&json!({"enum": values})).last().map(String::as_str),
        Some("=value_599")
    );
}

#[test]
fn a_long_description_is_read_to_its_end() {
    let text = "word ".repeat(2_000) + "end";
    assert!(texts(&json!({"description": text}))[0].ends_with("end"));
}

#[test]
fn a_schema_beyond_the_bounds_is_cut_and_says_so() {
    let wide: Map<String, Value> = (0..50_000)
        .map(|number| (format!("p{number}"), json!({})))
        .collect();
    let mut names = 0;
    let wide = json!({"properties": wide}).to_string();
    assert!(walk_schema(&wide, &mut |_| names += 1).truncated);
    assert!((19_000..=MOST_NODES).contains(&names), "{names}");

    let long = json!({"description": "é".repeat(MOST_BYTES), "title": "t"}).to_string();
    let mut bytes = 0;
    let summary = walk_schema(&long, &mut |text| {
        if let SchemaText::Description(text) = text {
            bytes += text.len();
        }
    });
    assert_eq!((summary.truncated, bytes), (true, MOST_BYTES));
    let short = r#"{"properties": {"a": {"enum": [1, 2]}}}"#;
    assert!(!walk_schema(short, &mut |_| {}).truncated);
}

#[test]
fn a_schema_nested_deeper_than_a_parser_goes_is_not_read_however_deep() {
    for (depth, expected) in [(126, vec!["\"deepest"]), (127, vec![]), (100_000, vec![])] {
        let schema = r#"{"items":"#.repeat(depth) + r#"{"description":"deepest"}"# + &"}".repeat(depth);
        assert_eq!(texts_of(&schema), expected, "{depth}");
        assert_eq!(
            serde_json::from_str::<Value>(&schema).is_ok(),
            !expected.is_empty()
        );
    }
    let values = r#"{"enum":"#.to_owned() + &"[".repeat(100_000) + &"]".repeat(100_000) + "}";
    assert_eq!(texts_of(&values), [""; 0]);
}

#[test]
fn escapes_are_read_in_names_keywords_and_texts_and_half_a_pair_silences_the_schema() {
    let schema =
        r#"{"properties":{"a\"\u0062":{"descr\u0069ption":"two\nlines \ud83d\ude00"}},"enum":["\/"]}"#;
    assert_eq!(texts_of(schema), [".a\"b", "\"two\nlines 😀", "=/"]);
    for half in [
        r#"{"description":"d","x":"\ud83d"}"#,
        r#"{"description":"d","\ude00":1}"#,
    ] {
        assert_eq!(texts_of(half), [""; 0]);
    }
}

#[test]
fn of_members_with_one_name_the_last_counts_at_the_place_of_the_first() {
    for schema in [
        r#"{"properties":{"a":{"description":"no"},"b":{},"a":{"description":"yes"}}}"#,
        r#"{"properties":{"a":{"description":"no"},"b":{},"\u0061":{"description":"yes"}}}"#,
    ] {
        assert_eq!(texts_of(schema), [".a", "\"yes", ".b"]);
    }
    // Names that look alike at a glance are not the same.
    assert_eq!(
        texts_of(r#"{"properties":{"abc":{},"adc":{}}}"#),
        [".abc", ".adc"]
    );
}

#[test]
fn space_between_the_signs_changes_nothing() {
    let schema = "\n{ \"properties\" :\t{ \"a\" : { \"enum\" : [ 1 , true , \"x\" ] } ,\r\n \"b\":{ } } }\n";
    assert_eq!(texts_of(schema), [".a", "=1", "=true", "=x", ".b"]);
}

/// Schemas of any shape, with references that go in circles.
fn owned(all: &mut Vec<SchemaText<'static>>) -> impl FnMut(SchemaText<'_>) {
    |text| all.push(text.into_owned())
}

/// What the short way finds, if it takes the schema.
fn found(schema: &str) -> Option<Vec<SchemaText<'static>>> {
    let (mut texts, mut scanner) = (SchemaTexts::default(), Scanner::new(schema));
    scanner.skip_space();
    let own = texts.read(&mut scanner).filter(|_| scanner.is_at_end())?;
    let mut all = Vec::new();
    texts.of(own).visit(schema.trim_start(), &mut owned(&mut all));
    Some(all)
}

fn longer(schema: &str) -> Vec<SchemaText<'static>> {
    let mut all = Vec::new();
    longer_walk(schema, &mut Room::default(), &mut owned(&mut all));
    all
}

#[test]
fn the_short_way_takes_what_is_usual_and_finds_the_texts_in_their_order() {
    for schema in [
        r#"{}"#,
        r#" { "properties" : { "a" : { "enum" : [ 1 , true , "b" , { "c" : [ 1.5 , null ] } ] , "description" : "d" } , "e" : true } , "title" : "t" , "description" : "" } "#,
        r#"{"anyOf":[{"items":{"title":"late"},"title":"early"},7],"default":{"a":[{"a":"}"}]},"const":{"x":"y"},"x-a":[],"required":["a"],"then":{"description":"é"}}"#,
        r#"{"items":[{"description":"first"}],"patternProperties":{"^a":{"title":"b"},"c":1},"minimum":-1e5,"enum":[]}"#,
    ] {
        assert_eq!(found(schema), Some(longer(schema)), "{schema}");
    }
}

#[test]
fn the_short_way_declines_what_it_could_read_otherwise() {
    let deep = format!(
        "{}{}",
        "{\"items\":".repeat(30),
        "{}".to_owned() + &"}".repeat(30)
    );
    let skipped = format!("{{\"default\":{}{}}}", "[".repeat(130), "]".repeat(130));
    let long = format!("{{\"description\":\"{}\"}}", "a ".repeat(5_000));
    for schema in [
        "",
        "true",
        "[{}]",
        "{} {}",
        "{,}",
        r#"{"title":"a","title":"b"}"#,
        r#"{"properties":{"a":{},"a":{"title":"b"}}}"#,
        r#"{"title":"\u0061"}"#,
        r#"{"default":"\ud800","title":"a"}"#,
        r#"{"\u0074itle":"a"}"#,
        r##"{"$ref":"#"}"##,
        r#"{"const":1E5}"#,
        &deep,
        &skipped,
        &long,
    ] {
        assert_eq!(found(schema), None, "{schema}");
    }
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        "[a-z]{0,4}".prop_map(Value::from),
        prop::sample::select(vec![
            "#",
            "#/items",
            "#/properties/a",
            "#/$defs/a",
            "#/anyOf/0",
            "#/%",
            "#/~2"
        ])
        .prop_map(|reference| json!({"$ref": reference})),
    ];
    let key = prop::sample::select(vec![
        "properties",
        "items",
        "$ref",
        "$defs",
        "anyOf",
        "enum",
        "const",
        "description",
        "title",
        "a",
        "prefixItems",
    ]);
    leaf.prop_recursive(6, 60, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5).prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_is_walked_to_an_end_within_bounds(schema in schema()) {
        let all = texts(&schema);
        prop_assert!(all.len() <= 2 * MOST_NODES);
        prop_assert_eq!(all, texts(&schema));
        let pretty = serde_json::to_string_pretty(&schema).unwrap();
        prop_assert_eq!(texts_of(&pretty), texts(&schema));
    }

    #[test]
    fn the_short_way_finds_what_the_longer_way_finds(schema in schema(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&schema) } else { serde_json::to_string(&schema) };
        let text = text.unwrap();
        if let Some(found) = found(&text) {
            prop_assert_eq!(found, longer(&text));
        }
    }

    #[test]
    fn the_short_way_takes_nothing_of_a_text_cut_off(schema in schema(), cut in 1_usize..40) {
        let text = schema.to_string();
        let end = text.char_indices().rev().nth(cut).map_or(0, |(end, _)| end);
        prop_assert_eq!(found(&text[..end]), None);
    }

    #[test]
    fn of_any_text_no_more_is_said_than_it_holds(text in r#"[{}\[\],:"\\a1 u]{0,24}|\PC{0,24}"#) {
        let mut said = 0;
        walk_schema(&text, &mut |_| said += 1);
        prop_assert!(said <= text.len());
    }
}
