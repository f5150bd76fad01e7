//! The members of a JSON object as they stand in its text, and where strings end.
//!
//! Must not know what they mean. The text was found to be JSON when it came in; of any other text this makes no sense, and makes
//! it within bounds.

/// Visits name and value of each member in their order, names without their quotes. `None` when the text is no object, when a
/// name has escapes, or when a visit says so: a reader that is in no hurry has to look then.
pub fn for_each_member<'a>(
    object: &'a str,
    visit: &mut dyn FnMut(&'a str, &'a str) -> Option<()>,
) -> Option<()> {
    let bytes = object.as_bytes();
    let mut at = after_space(bytes, 0);
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    at = after_space(bytes, at + 1);
    while bytes.get(at) == Some(&b'"') {
        let (name_end, has_escapes) = string_end(bytes, at)?;
        let name = object.get(at + 1..name_end).filter(|_| !has_escapes)?;
        at = after_space(bytes, name_end + 1);
        if bytes.get(at) != Some(&b':') {
            return None;
        }
        at = after_space(bytes, at + 1);
        let end = value_end(bytes, at)?;
        visit(name, object.get(at..end)?)?;
        at = after_space(bytes, end);
        if bytes.get(at) == Some(&b',') {
            at = after_space(bytes, at + 1);
        }
    }
    let is_whole = bytes.get(at) == Some(&b'}') && after_space(bytes, at + 1) == bytes.len();
    is_whole.then_some(())
}

/// Where the string ends whose first quotation mark stands there (the place of the last one), and whether it has escapes.
#[inline]
pub(super) fn string_end(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let mut end = start + 1;
    let mut has_escapes = false;
    loop {
        end += plain(bytes.get(end..)?);
        if *bytes.get(end)? == b'"' {
            return Some((end, has_escapes));
        }
        has_escapes = true;
        end += 2;
    }
}

/// The place after a value.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start)? {
        b'"' => string_end(bytes, start).map(|(end, _)| end + 1),
        b'{' | b'[' => {
            let (mut at, mut depth) = (start, 0_usize);
            loop {
                match bytes.get(at)? {
                    b'"' => at = string_end(bytes, at)?.0,
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => depth = depth.checked_sub(1)?,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        _ => {
            let rest = bytes.get(start..)?;
            let ends = |byte: &u8| is_space(*byte) || matches!(byte, b',' | b'}');
            Some(start + rest.iter().position(ends)?)
        }
    }
}

/// The place after white space.
#[inline]
pub(super) fn after_space(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| is_space(**byte)).count()
}

/// A bit for the name of a member, by a look at it: two names with one bit may be the same.
#[inline]
pub(super) fn name_bit(name: &[u8]) -> u64 {
    let byte = |byte: Option<&u8>| byte.copied().map_or(0, usize::from);
    1 << ((byte(name.first()) + 7 * byte(name.last()) + 31 * name.len()) % 64)
}

pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// How many of the first bytes are neither a quotation mark nor a backslash, eight at a time.
#[inline]
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight & HIGH;
    let mut count = 0;
    while let Some(eight) = bytes.get(count..).and_then(<[u8]>::first_chunk) {
        let eight = u64::from_le_bytes(*eight);
        let found = zeros(eight ^ (ONES * u64::from(b'"'))) | zeros(eight ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return count + found.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    let rest = bytes.get(count..).unwrap_or_default();
    let found = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
    count + found.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;
    use serde_json::value::RawValue;

    fn members(object: &str) -> Option<Vec<(&str, &str)>> {
        let mut all = Vec::new();
        for_each_member(object, &mut |name, value| {
            all.push((name, value));
            Some(())
        })?;
        Some(all)
    }

    #[test]
    fn members_are_cut_out_as_they_stand() {
        let object =
            " { \"a\" : {\"b\":[1,\"}\\\"]\"]} ,\n\"b\":\"x\\\\\", \"c\":-1.5e3\t,\"d\":null,\"\":[ ]}\n";
        let expected = [
            ("a", "{\"b\":[1,\"}\\\"]\"]}"),
            ("b", "\"x\\\\\""),
            ("c", "-1.5e3"),
            ("d", "null"),
            ("", "[ ]"),
        ];
        assert_eq!(members(object).unwrap(), expected);
        assert_eq!(members("{}"), Some(Vec::new()));
    }

    #[test]
    fn what_needs_another_reader_is_nothing() {
        for text in [
            "",
            "[]",
            "1",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":[",
            "{\"a\":1",
            "{} x",
            "{\"\\u0061\":1}",
        ] {
            assert_eq!(members(text), None, "{text}");
        }
        assert_eq!(for_each_member("{\"a\":1}", &mut |_, _| None), None);
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<Option<bool>>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "[a-z\"\\\\{}é,: ]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[a-z]{0,9}", inner, 0..5)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn members_are_those_of_a_parser(object in prop::collection::btree_map("[a-z]{0,9}", value(), 0..5), pretty: bool) {
            let text = if pretty { serde_json::to_string_pretty(&object) } else { serde_json::to_string(&object) };
            let text = text.unwrap();
            let parsed: std::collections::BTreeMap<&str, &RawValue> = serde_json::from_str(&text).unwrap();
            let expected: Vec<_> = parsed.iter().map(|(name, value)| (*name, value.get())).collect();
            prop_assert_eq!(members(&text), Some(expected));
        }

        #[test]
        fn any_text_is_read_to_an_end(text in "[{}\\[\\],:\"\\\\a1 u]{0,24}|\\PC{0,24}") {
            members(&text);
        }
    }
}
