//! Characters that a person cannot see and a model can read: taken out of text, found in ids.
//!
//! Must not know what the text is for. Joiners (U+200C, U+200D) stay: emoji, Persian and Indic scripts need them.

/// The text without invisible characters; `None` when it holds none.
pub fn strip_text(text: &str) -> Option<String> {
    if text.is_ascii() || !text.chars().any(is_invisible) {
        return None;
    }
    Some(text.chars().filter(|c| !is_invisible(*c)).collect())
}

/// The JSON text without invisible characters, be they literal or written as `\u` escapes, and byte for byte the same
/// otherwise; `None` when it holds none.
pub fn strip_json(json: &str) -> Option<String> {
    if !json.contains("\\u") {
        return strip_text(json);
    }
    let mut out = String::with_capacity(json.len());
    // How many `\udb40` stand at the end of `out`: the first halves of the characters U+E0000 to U+E007F. A count and
    // not a flag, because taking a pair out may bring the halves of another pair together.
    let mut first_halves = 0_usize;
    let mut rest = json;
    while let Some(found) = rest.find(|c| c == '\\' || is_invisible(c)) {
        let (plain, tail) = rest.split_at(found);
        if !plain.is_empty() {
            out.push_str(plain);
            first_halves = 0;
        }
        let length = match escape(tail) {
            Some(unit) if char::from_u32(unit).is_some_and(is_invisible) => 6,
            Some(0xDC00..=0xDC7F) if first_halves > 0 => {
                out.truncate(out.len().saturating_sub(6));
                first_halves -= 1;
                6
            }
            Some(unit) => {
                out.push_str(tail.get(..6).unwrap_or_default());
                first_halves = if unit == 0xDB40 { first_halves + 1 } else { 0 };
                6
            }
            None if tail.starts_with('\\') => {
                // An escape of one character: `\\u200b` is a backslash and five plain characters.
                let length = tail.chars().take(2).map(char::len_utf8).sum();
                out.push_str(tail.get(..length).unwrap_or_default());
                first_halves = 0;
                length
            }
            None => tail.chars().next().map_or(0, char::len_utf8),
        };
        rest = tail.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    (out.len() < json.len()).then_some(out)
}

/// Whether the text holds a control character, an invisible one, or a line or paragraph separator. Ids may not.
pub fn has_control_or_invisible(text: &str) -> bool {
    if text.is_ascii() {
        return text.bytes().any(|byte| byte.is_ascii_control());
    }
    text.chars()
        .any(|c| c.is_control() || is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}'))
}

const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}')
}

/// The UTF-16 unit of the `\uXXXX` escape that the text begins with.
fn escape(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    // `from_str_radix` would take a sign.
    digits
        .bytes()
        .all(|b| b.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn every_invisible_character_of_the_contract_is_taken_out() {
        // P68.
        let gone = (0x202A..=0x202E)
            .chain(0x2060..=0x2064)
            .chain([0xFEFF, 0x200B, 0x200E, 0x200F])
            .chain(0xE0000..=0xE007F);
        for c in gone.map(|code| char::from_u32(code).unwrap()) {
            assert_eq!(strip_text(&format!("a{c}b")).as_deref(), Some("ab"), "{c:?}");
            assert!(has_control_or_invisible(&format!("a{c}b")), "{c:?}");
        }
    }

    #[test]
    fn joiners_and_ordinary_text_stay() {
        for text in [
            "",
            "plain",
            "👨\u{200D}👩\u{200D}👧",
            "می\u{200C}خواهم",
            "日本",
            "e\u{301}",
        ] {
            assert_eq!(strip_text(text), None);
            assert_eq!(strip_json(&serde_json::to_string(text).unwrap()), None);
            assert!(!has_control_or_invisible(text));
        }
    }

    #[test]
    fn ids_may_hold_no_control_character_nor_a_line_separator() {
        for text in [
            "a\0b",
            "a\nb",
            "\t",
            "a\u{7F}",
            "a\u{85}",
            "a\u{2028}",
            "a\u{2029}",
        ] {
            assert!(has_control_or_invisible(text), "{text:?}");
        }
        assert!(!has_control_or_invisible("with space"));
    }

    #[test]
    fn escapes_are_taken_out_and_escaped_backslashes_are_not() {
        let cases = [
            (r#"{"a":"x\u200by"}"#, Some(r#"{"a":"xy"}"#)),
            (r#""x\u200By\uFEFF""#, Some(r#""xy""#)),
            (r#""\udb40\udc41\uDB40\uDC7f!""#, Some(r#""!""#)),
            (r#""\\u200b""#, None),
            (r#""\\\u200b""#, Some(r#""\\""#)),
            (r#""\ud83d\ude00 \n \/ \u00e9""#, None),
            (r#""\udb40\udd00""#, None),
            (r#""\u200c\u200d""#, None),
            (r#""\u20"#, None),
            (r#""\u+20b""#, None),
            ("\"\\", None),
        ];
        for (json, expected) in cases {
            assert_eq!(strip_json(json).as_deref(), expected, "{json}");
        }
    }

    #[test]
    fn what_is_left_after_stripping_never_forms_a_new_invisible_character() {
        for json in [
            r#""\udb40\u200b\udc41""#,
            r#""\udb40\udb40\udc41\udc42""#,
            "\"\\udb40\u{FEFF}\\udc41\"",
        ] {
            assert_eq!(strip_json(json).as_deref(), Some(r#""""#), "{json}");
        }
    }

    #[test]
    fn everything_else_of_the_json_is_byte_exact() {
        let json = "{ \"b\" : 1.0e+2, \"a\":\"\u{202E}x\",\n\"n\":123456789012345678901234567890 }";
        assert_eq!(
            strip_json(json).unwrap(),
            "{ \"b\" : 1.0e+2, \"a\":\"x\",\n\"n\":123456789012345678901234567890 }"
        );
    }

    /// Text rich in the characters that matter here.
    fn text() -> impl Strategy<Value = String> {
        let character = prop_oneof![
            any::<char>(),
            prop::sample::select(vec![
                '\u{200B}',
                '\u{200D}',
                '\u{E0041}',
                '\\',
                '"',
                'u',
                '2',
                '0',
                '\u{1F600}'
            ]),
        ];
        prop::collection::vec(character, 0..24).prop_map(|chars| chars.into_iter().collect())
    }

    /// A JSON string that escapes every character with `escaped`, and the others only as needed.
    fn written(text: &str, escaped: &[bool]) -> String {
        let mut json = String::from('"');
        for (at, c) in text.chars().enumerate() {
            if escaped.get(at).copied().unwrap_or_default() {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    json.push_str(&format!("\\u{unit:04x}"));
                }
            } else {
                let quoted = serde_json::to_string(&c.to_string()).unwrap();
                json.push_str(&quoted[1..quoted.len() - 1]);
            }
        }
        json.push('"');
        json
    }

    proptest! {
        #[test]
        fn stripped_json_parses_to_the_stripped_text(
            text in text(), escaped in prop::collection::vec(any::<bool>(), 24),
        ) {
            let json = written(&text, &escaped);
            let stripped = strip_json(&json);
            prop_assert_eq!(stripped.is_some(), strip_text(&text).is_some());
            let parsed: Value = serde_json::from_str(stripped.as_deref().unwrap_or(&json)).unwrap();
            prop_assert_eq!(parsed, Value::String(strip_text(&text).unwrap_or(text)));
        }

        #[test]
        fn stripping_twice_is_stripping_once(text in text()) {
            if let Some(stripped) = strip_text(&text) {
                prop_assert_eq!(strip_text(&stripped), None);
            }
            // Here the text is no JSON at all, as a hostile server may send it.
            if let Some(stripped) = strip_json(&text) {
                prop_assert!(stripped.len() < text.len());
            }
        }
    }
}
