//! Laws of loading: what is no snapshot is refused with a code and changes nothing; what is one is loaded whole.
//! Input: bytes to load, as they are and with a checksum that is right for them; a plan is edits of a real snapshot.

use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Witness, draw, plan};

/// What stands before the checksum: the name of the format and its version.
const NAMED: usize = 8;
const HEADER: usize = NAMED + 8;
const LONGEST: usize = 64 * 1024;

/// A snapshot with every kind of item.
static REAL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let witness = Witness::with(
        &json!({}),
        "tool",
        &json!([
            {"id": "files__read", "description": "Read a file", "inputSchema": {"properties": {"path": {"type": "string"}}}, "tags": ["io"]},
            {"id": "mail.send", "description": "Send a mail", "requiresApproval": true, "annotations": {"destructiveHint": true}},
        ]),
    );
    witness.ok("register", &json!({"kind": "skill", "items": [{"id": "reading", "description": "How to read", "body": "Read.", "tools": ["files__read"]}]}));
    witness.ok(
        "register",
        &json!({"kind": "fact", "items": [{"id": "name", "body": "Her name is Ada."}]}),
    );
    witness.ok(
        "setServer",
        &json!({"name": "files", "description": "Files", "instructions": "Ask first."}),
    );
    witness.save()
});

pub(crate) fn check(bytes: &[u8]) {
    if let Some(mut from) = plan(bytes) {
        if let Ok(edited) = edited(&mut from) {
            of_loading(&edited, of_a_saved_state);
            of_loading(&sealed(&edited), of_a_forged_state);
        }
    } else if bytes.len() <= LONGEST {
        of_loading(bytes, of_a_saved_state);
        of_loading(&sealed(bytes), of_a_forged_state);
        let behind_header = [&REAL[..HEADER], bytes].concat();
        of_loading(&sealed(&behind_header), of_a_forged_state);
    }
}

fn of_loading(bytes: &[u8], of_loaded: fn(&Witness)) {
    let witness = Witness::with(
        &json!({}),
        "tool",
        &json!([{"id": "present", "description": "Was there before"}]),
    );
    let before = (
        witness.save(),
        witness.ok("remove", &json!({"kind": "tool", "ids": []})),
    );
    let answer = witness.load(bytes);
    if let Some(error) = answer.get("error") {
        assert_eq!(error["code"], "invalid_snapshot", "{error}");
        assert_eq!(
            (
                witness.save(),
                witness.ok("remove", &json!({"kind": "tool", "ids": []}))
            ),
            before
        );
        assert_eq!(witness.hits("tool", "present")["total"], 1);
        return;
    }
    assert_ne!(answer["ok"]["revision"], before.1["revision"]);
    of_loaded(&witness);
}

/// Whoever can write a checksum can write any index, and finds what they wrote; what they cannot do is break the engine: it
/// answers with codes of the list, it changes, and it is saved as it is.
fn of_a_forged_state(witness: &Witness) {
    let twin = of_saving(witness);
    for kind in ["tool", "skill", "fact"] {
        witness.ask("list", &json!({ "kind": kind }).to_string());
        for query in ["read a file", "present", "send"] {
            let request = json!({"kind": kind, "query": query, "topK": 100}).to_string();
            assert_eq!(witness.ask("search", &request), twin.ask("search", &request));
        }
    }
    witness.step("search_capabilities", r#"{"query":"read"}"#, &Value::Null, 8_000);
    witness.ok(
        "register",
        &json!({"kind": "tool", "items": [{"id": "later", "description": "Read a file"}]}),
    );
    witness.ok("remove", &json!({"kind": "tool", "ids": ["later", "mail.send"]}));
    of_saving(witness);
}

/// What is saved loads, and is saved again as the same bytes.
fn of_saving(witness: &Witness) -> Witness {
    let saved = witness.save();
    let twin = Witness::new(&json!({}));
    assert!(twin.load(&saved).get("error").is_none());
    assert_eq!(twin.save(), saved);
    twin
}

/// A loaded state is as good as a registered one: it answers, it is saved as it is, and its items give it again.
fn of_a_saved_state(witness: &Witness) {
    let twin = of_saving(witness);
    let fresh = Witness::new(&json!({}));
    for kind in ["tool", "skill", "fact"] {
        let items = witness.list(kind);
        let answer = fresh.ok("register", &json!({ "kind": kind, "items": items }));
        assert_eq!(answer["added"], items.len(), "{answer}");
        let named = items.iter().filter_map(|item| item["id"].as_str());
        for query in named.chain(["read a file", "present", "send"]) {
            let hits = witness.hits(kind, query);
            assert_eq!(fresh.hits(kind, query), hits, "{kind} {query:?}");
            assert_eq!(twin.hits(kind, query), hits, "{kind} {query:?}");
        }
    }
    witness.step("search_capabilities", r#"{"query":"read"}"#, &Value::Null, 8_000);
    witness.ok("diagnose", &json!({}));
    witness.ok("listServers", &json!({}));
}

/// The bytes with a checksum that is right for what follows it.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut sealed = bytes.to_vec();
    if let Some((header, payload)) = sealed.split_at_mut_checked(HEADER) {
        header[NAMED..].copy_from_slice(&xxh3_64(payload).to_le_bytes());
    }
    sealed
}

/// A real snapshot with some of it changed, doubled, left out or written over.
fn edited(from: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut bytes = REAL.clone();
    for _ in 0..from.int_in_range(1..=4)? {
        let at = from.int_in_range(0..=bytes.len().saturating_sub(1))?;
        let length = from.int_in_range(0..=24_usize)?.min(bytes.len() - at);
        match from.int_in_range(0..=5)? {
            0 => {
                let byte = from.arbitrary()?;
                if let Some(old) = bytes.get_mut(at) {
                    *old = byte;
                }
            }
            1 => drop(bytes.drain(at..at + length)),
            2 => {
                let part = bytes[at..at + length].to_vec();
                bytes.splice(at..at, part);
            }
            3 => {
                let text = draw::value(from, 1)?.to_string();
                bytes.splice(at..at + length, text.into_bytes());
            }
            4 => {
                let number: u32 = *from.choose(&[0, 1, 255, 65_536, u32::MAX, u32::MAX / 2])?;
                bytes.splice(at..at + length.min(4), number.to_le_bytes());
            }
            _ => bytes.truncate(at),
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_a_real_snapshot_stands_where_these_laws_write_one() {
        assert_eq!(sealed(&REAL), *REAL);
        let mut damaged = REAL.clone();
        damaged[NAMED] ^= 1;
        assert_ne!(damaged, *REAL);
        assert_eq!(sealed(&damaged), *REAL);
    }
}
