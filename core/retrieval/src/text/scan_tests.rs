//! What the scanner takes is JSON, and what it finds stands there.

use super::*;
use proptest::prelude::*;
use serde_json::value::RawValue;

/// The value at the beginning of a text, when all of it is one.
fn is_taken(text: &str) -> bool {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    scanner.value().is_some() && scanner.is_at_end()
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text.trim_matches([' ', '\n', '\r', '\t'])).is_ok()
}

/// The parts that a text is made of which may be JSON.
const PIECES: [&str; 34] = [
    "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b c\":", "\\", "\\n", "\\u00e9", "\\u12", "\\x",
    "\"\\\"\"", "\u{1}", "0", "1", "-", "-0.5", "1e5", "1E+", "01", "2.", "true", "false", "null", "nul",
    " ", "\n", "é", "{}", "[1,2]", "\"k\":0",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn what_is_taken_is_json_and_what_is_not_taken_is_none(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12)) {
        let text = pieces.concat();
        prop_assert_eq!(is_taken(&text), is_json(&text), "{}", text);
    }

    #[test]
    fn a_byte_more_or_less_is_judged_as_a_parser_judges(at in 0_usize..90, byte in prop::sample::select(&b"\"\\{}[],: 0-.e+tfn\x01"[..]), takes: bool) {
        let mut text = br#" {"a":[1,-2.5e+3,{"b":"c\n\u00e9","d":{}},[]],"name":"some text \"quoted\"","t":true,"n":null} "#.to_vec();
        let at = at.min(text.len() - 1);
        if takes { text[at] = byte; } else { text.insert(at, byte); }
        let text = String::from_utf8(text).unwrap();
        prop_assert_eq!(is_taken(&text), is_json(&text), "{}", text);
    }
}

#[test]
fn a_deep_nest_is_left_to_others() {
    let nest = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(is_taken(&nest(DEEPEST as usize)));
    assert!(!is_taken(&nest(DEEPEST as usize + 1)));
}

#[test]
fn members_stand_as_they_are_written_and_what_is_special_is_said() {
    let (mut members, mut texts) = (Vec::new(), SchemaTexts::default());
    let text = r#"{"id":"a", "schema" : {"properties":{"b":{"title":"c"}}} ,"n":[1, 2]},{"é":1},{}"#;
    let mut scanner = Scanner::new(text);
    let first = scanner.object("schema", &mut members, &mut texts).unwrap();
    let pairs: Vec<_> = members.iter().map(|member| (member.name, member.value)).collect();
    let schema = r#"{"properties":{"b":{"title":"c"}}}"#;
    assert_eq!(pairs, [("id", "\"a\""), ("schema", schema), ("n", "[1, 2]")]);
    assert_eq!((first.is_special, first.schema), (false, Some((0, 2))));
    assert!(text.starts_with(first.text) && first.text.ends_with("2]}"));
    assert!(scanner.takes(b','));
    let second = scanner.object("schema", &mut members, &mut texts).unwrap();
    assert_eq!(
        (second.text, second.is_special, second.schema),
        (r#"{"é":1}"#, true, None)
    );
    assert!(scanner.takes(b','));
    let third = scanner.object("schema", &mut members, &mut texts).unwrap();
    assert_eq!((third.text, third.is_special, members.len()), ("{}", false, 0));
    assert!(scanner.is_at_end());
    for wrong in ["[]", "{\"a\":1,}", "{\"a\"}", "{,}", "{\"a\":1", "{\"a\":01}"] {
        assert_eq!(
            Scanner::new(wrong).object("", &mut members, &mut texts),
            None,
            "{wrong}"
        );
    }
}
