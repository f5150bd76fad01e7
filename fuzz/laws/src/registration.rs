//! Laws of registering tools: what is read in one look is what a parser reads. Input: the text of the items, whatever it is.
//!
//! A request that says its kind first, and then nothing but its items, is read without a parser (ADR 0072). The same members in another
//! order are not.

use arbitrary::{Result, Unstructured};
use serde_json::json;

use crate::{Witness, draw, plan};

const LONGEST: usize = 16 * 1024;
/// So many tools a plan has, and so many places of their text are changed.
const MOST_TOOLS: usize = 5;
const MOST_CHANGES: usize = 4;

/// What is written into a text.
const PIECES: [&str; 24] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "\u{0}",
    "\u{feff}",
    "\\u0061",
    "\\ud83d",
    "\\u0000",
    "null",
    "7",
    "-0",
    "1e999",
    "01",
    "\"id\":\"b\",",
    "\"inputSchema\":{},",
    "{\"id\":\"c\"},",
    "\"name\":null,",
];

pub(crate) fn check(bytes: &[u8]) {
    if let Some(mut from) = plan(bytes) {
        if let Ok(items) = drawn(&mut from) {
            both_ways(&items);
        }
    } else if let Ok(items) = std::str::from_utf8(bytes)
        && items.len() <= LONGEST
    {
        both_ways(items);
    }
}

fn both_ways(items: &str) {
    let (looked, parsed) = (Witness::new(&json!({})), Witness::new(&json!({})));
    let one = looked.ask("register", &format!(r#"{{"kind":"tool","items":{items}}}"#));
    let other = parsed.ask("register", &format!(r#"{{"items":{items},"kind":"tool"}}"#));
    if one.get("error").is_some() {
        // Where in the text it is refused differs.
        assert_eq!(one["error"]["code"], other["error"]["code"], "{items}");
    } else {
        assert_eq!(one, other, "{items}");
    }
    assert!(looked.save() == parsed.save(), "{items}");
    let list = |witness: &Witness| witness.text("list", r#"{"kind":"tool"}"#);
    assert_eq!(list(&looked), list(&parsed), "{items}");
}

/// The text of some tools, in which some places are not what they were.
fn drawn(from: &mut Unstructured<'_>) -> Result<String> {
    let tools = draw::list(from, MOST_TOOLS, |from| draw::item(from, "tool"))?;
    let mut text = json!(tools).to_string();
    for _ in 0..from.int_in_range(0..=MOST_CHANGES)? {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = *from.choose(&places)?;
        if from.ratio(1, 4)? {
            text.remove(at);
        } else {
            text.insert_str(at, draw::one(from, &PIECES)?);
        }
    }
    Ok(text)
}
