//! Prepares a tool's result for a model: what repeats is taken out, what is too long is cut and says so.
//! Knows nothing of the call it answers. The host's own value is never touched.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::step::to_raw;

/// A result for a model, and whether something was cut. A result that needs nothing stays the same text.
pub fn for_model(result: &RawValue, max_chars: Option<usize>) -> (Box<RawValue>, bool) {
    let Ok(mut value) = serde_json::from_str::<Value>(result.get()) else {
        return cut_unreadable(result, max_chars);
    };
    let mut room = Room {
        left: max_chars.unwrap_or(usize::MAX),
        most: max_chars.unwrap_or(usize::MAX),
        was_cut: false,
    };
    let changed = match &mut value {
        Value::Object(members) if members.get("content").is_some_and(Value::is_array) => {
            let repeats = drop_repetition(members);
            cut_content(members, &mut room);
            repeats || room.was_cut
        }
        Value::String(text) => {
            room.cut(text);
            room.was_cut
        }
        _ => {
            let size = result.get().chars().count();
            if size > room.most {
                let mut text = result.get().to_owned();
                room.cut(&mut text);
                value = Value::from(text);
            }
            room.was_cut
        }
    };
    if changed {
        (to_raw(&value), room.was_cut)
    } else {
        (result.to_owned(), false)
    }
}

/// A result nested too deeply to be looked into.
fn cut_unreadable(result: &RawValue, max_chars: Option<usize>) -> (Box<RawValue>, bool) {
    let most = max_chars.unwrap_or(usize::MAX);
    let mut room = Room {
        left: most,
        most,
        was_cut: false,
    };
    let mut text = result.get().to_owned();
    room.cut(&mut text);
    if room.was_cut {
        (to_raw(&text), true)
    } else {
        (result.to_owned(), false)
    }
}

/// Takes out the text blocks that say what `structuredContent` says.
fn drop_repetition(members: &mut Map<String, Value>) -> bool {
    let Some(structured) = members
        .get("structuredContent")
        .filter(|value| !value.is_null())
        .cloned()
    else {
        return false;
    };
    // Some servers wrap what is not an object: `{"result": …}`.
    let wrapped = structured
        .as_object()
        .filter(|object| object.len() == 1)
        .and_then(|object| object.get("result"));
    let repeats = |text: &str| {
        let says = |value: &Value| value.as_str() == Some(text);
        if wrapped.is_some_and(says) {
            return true;
        }
        serde_json::from_str::<Value>(text).is_ok_and(|value| value == structured || Some(&value) == wrapped)
    };
    let Some(Value::Array(content)) = members.get_mut("content") else {
        return false;
    };
    let before = content.len();
    content
        .retain(|block| !(is_text(block) && block.get("text").and_then(Value::as_str).is_some_and(repeats)));
    content.len() != before
}

/// Cuts the text of a result in the order it stands in; images and other blocks stay as they are.
fn cut_content(members: &mut Map<String, Value>, room: &mut Room) {
    if let Some(structured) = members.get("structuredContent").filter(|value| !value.is_null()) {
        let mut text = structured.to_string();
        let size = text.chars().count();
        if size > room.left {
            // Half a structure is none: it goes on as text.
            room.cut(&mut text);
            members.shift_remove("structuredContent");
            let block = serde_json::json!({ "type": "text", "text": text });
            if let Some(Value::Array(content)) = members.get_mut("content") {
                content.insert(0, block);
                content
                    .iter_mut()
                    .skip(1)
                    .for_each(|block| cut_block(block, room));
            }
            return;
        }
        room.left -= size;
    }
    if let Some(Value::Array(content)) = members.get_mut("content") {
        content.iter_mut().for_each(|block| cut_block(block, room));
    }
}

fn cut_block(block: &mut Value, room: &mut Room) {
    let text = if is_text(block) {
        block.get_mut("text")
    } else {
        block.pointer_mut("/resource/text")
    };
    if let Some(Value::String(text)) = text {
        room.cut(text);
    }
}

fn is_text(block: &Value) -> bool {
    block.get("type").and_then(Value::as_str) == Some("text")
}

/// How many characters there is still room for.
struct Room {
    left: usize,
    most: usize,
    was_cut: bool,
}

impl Room {
    /// Cuts a text that does not fit and says how long it was.
    fn cut(&mut self, text: &mut String) {
        let size = text.chars().count();
        if size <= self.left {
            self.left -= size;
            return;
        }
        let end = text
            .char_indices()
            .nth(self.left)
            .map_or(text.len(), |(at, _)| at);
        text.truncate(end);
        text.push_str(&format!("\n[truncated: {} of {size} characters]", self.left));
        self.left = 0;
        self.was_cut = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepared(result: &str, max: Option<usize>) -> (String, bool) {
        let (text, cut) = for_model(&RawValue::from_string(result.to_owned()).unwrap(), max);
        (text.get().to_owned(), cut)
    }

    #[test]
    fn text_that_repeats_the_structured_content_is_taken_out() {
        let result = r#"{"content":[{"type":"text","text":"{\"b\": 1, \"a\": [2]}"},{"type":"text","text":"seen"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{"a":[2],"b":1},"_meta":{"k":1}}"#;
        assert_eq!(
            prepared(result, None).0,
            r#"{"content":[{"type":"text","text":"seen"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{"a":[2],"b":1},"_meta":{"k":1}}"#
        );
        let wrapped =
            r#"{"content":[{"type":"text","text":"plain"}],"structuredContent":{"result":"plain"}}"#;
        assert_eq!(
            prepared(wrapped, None).0,
            r#"{"content":[],"structuredContent":{"result":"plain"}}"#
        );
    }

    #[test]
    fn a_result_that_needs_nothing_stays_the_same_text() {
        for result in [
            r#"{ "content" : [{"type":"text","text":"x"}] , "isError": true }"#,
            r#"{"content":[]}"#,
            r#"{"content":[{"type":"resource_link","uri":"file:///a"}],"structuredContent":{"n":123456789012345678901}}"#,
            " [1.50, {}] ",
            "null",
            "\"text\"",
        ] {
            assert_eq!(prepared(result, Some(1_000)), (result.trim().to_owned(), false));
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_marked_with_its_size() {
        assert_eq!(
            prepared("\"工具箱\"", Some(2)),
            (r#""工具\n[truncated: 2 of 3 characters]""#.to_owned(), true)
        );
        let result = r#"{"content":[{"type":"text","text":"abcd"},{"type":"image","data":"AAAAAAAA","mimeType":"image/png"},{"type":"text","text":"ef"}]}"#;
        let (text, cut) = prepared(result, Some(3));
        assert!(cut);
        assert_eq!(
            text,
            r#"{"content":[{"type":"text","text":"abc\n[truncated: 3 of 4 characters]"},{"type":"image","data":"AAAAAAAA","mimeType":"image/png"},{"type":"text","text":"\n[truncated: 0 of 2 characters]"}]}"#
        );
        assert_eq!(
            prepared("[1,2,3,4]", Some(3)).0,
            r#""[1,\n[truncated: 3 of 9 characters]""#
        );
    }

    #[test]
    fn half_a_structure_is_shown_as_text() {
        let result = r#"{"content":[{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{"a":"xxxxxxxx"}}"#;
        assert_eq!(
            prepared(result, Some(6)).0,
            r#"{"content":[{"type":"text","text":"{\"a\":\"\n[truncated: 6 of 16 characters]"},{"type":"image","data":"AAAA","mimeType":"image/png"}]}"#
        );
    }

    #[test]
    fn a_result_nested_beyond_reading_is_still_cut() {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(prepared(&deep, None), (deep.clone(), false));
        assert!(prepared(&deep, Some(10)).1);
    }
}
