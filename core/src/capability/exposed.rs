//! The name under which a provider sees a tool: letters, digits, `_` and `-`, 64 at the most (contract 3).
//! Knows nothing of what is disclosed when.
//!
//! A legal id is its own name. Any other is written with `_` for what is not legal, cut, and marked with 80 bits of its
//! SHA-256: the same name in every program and in any order of registration, and no two ids share one.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::catalog::item::Item;
use crate::catalog::tool::Tool;
use crate::catalog::view::View;

/// Longest name that all providers take (contract 3).
const LONGEST: usize = 64;

/// Between what can be read of an id and its mark.
const SEAM: &str = "-x-";

/// Base32 characters of a mark, five bits each.
const MARK: usize = 16;

/// The longest readable part.
const READABLE: usize = LONGEST - SEAM.len() - MARK;

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The name of a tool for a provider.
pub(crate) fn exposed_name(id: &str) -> Cow<'_, str> {
    let legal = id.chars().all(is_legal) && id.len() <= LONGEST;
    // A legal id that looks derived is derived once more, so that it cannot stand in another's place.
    if legal && split(id).is_none() {
        return Cow::Borrowed(id);
    }
    Cow::Owned(readable(id).chain(SEAM.chars()).chain(mark_of(id)).collect())
}

/// The visible tool that a derived name stands for.
pub(super) fn tool_behind<'a>(view: &View<'a>, name: &str) -> Option<&'a Tool> {
    let (front, mark) = split(name)?;
    // Only what reads alike is hashed.
    view.tools()
        .filter(|tool| readable(tool.id()).eq(front.chars()))
        .find(|tool| mark_of(tool.id()).eq(mark.chars()) && exposed_name(tool.id()) == name)
}

fn is_legal(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '-'
}

fn readable(id: &str) -> impl Iterator<Item = char> {
    id.chars()
        .map(|character| if is_legal(character) { character } else { '_' })
        .take(READABLE)
}

/// A derived name as its readable part and its mark.
fn split(name: &str) -> Option<(&str, &str)> {
    let (front, mark) = name.rsplit_once(SEAM)?;
    let is_mark = mark.len() == MARK && mark.bytes().all(|byte| BASE32.contains(&byte));
    is_mark.then_some((front, mark))
}

fn mark_of(id: &str) -> impl Iterator<Item = char> + use<> {
    let digest = Sha256::digest(id);
    let bits = digest
        .iter()
        .take(MARK * 5 / 8)
        .fold(0_u128, |bits, byte| (bits << 8) | u128::from(*byte));
    (0..MARK).rev().filter_map(move |place| {
        let five = usize::try_from((bits >> (place * 5)) & 31).ok()?;
        BASE32.get(five).map(|byte| char::from(*byte))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::fixture::World;
    use super::*;

    fn is_name(name: &str) -> bool {
        (1..=LONGEST).contains(&name.len()) && name.chars().all(is_legal)
    }

    #[test]
    fn a_legal_id_is_its_own_name_and_any_other_keeps_what_can_be_read() {
        assert_eq!(exposed_name("github__create-issue"), "github__create-issue");
        assert_eq!(exposed_name("a b"), "a_b-x-zbuhucfklvxnebcd");
        assert_eq!(exposed_name("日本"), "__-x-z4vl6dc34mtmxerk");
        let long = "x".repeat(65);
        assert_eq!(exposed_name(&long).len(), LONGEST);
    }

    #[test]
    fn a_tool_whose_id_is_another_s_derived_name_does_not_stand_in_for_it() {
        let derived = exposed_name("a b").into_owned();
        assert_ne!(exposed_name(&derived), derived);
        let world = World::of_tools(&format!(r#"[{{"id":"{derived}"}},{{"id":"a b"}}]"#));
        let context = world.context();
        let names = ["a b", derived.as_str()].map(|id| exposed_name(id).into_owned());
        let behind = names.map(|name| tool_behind(&context.view, &name).unwrap().id().to_owned());
        assert_eq!(behind, ["a b".to_owned(), derived]);
    }

    #[test]
    fn a_hidden_tool_is_behind_no_name() {
        let mut world = World::of_tools(r#"[{"id":"a b"}]"#);
        world.allow(r#"{"deny":{"ids":["a b"]}}"#);
        assert!(tool_behind(&world.context().view, &exposed_name("a b")).is_none());
    }

    proptest! {
        #[test]
        fn names_are_legal_and_no_two_ids_share_one(ids in proptest::collection::hash_set("\\PC{1,80}", 1..40)) {
            let names: HashSet<String> = ids.iter().map(|id| exposed_name(id).into_owned()).collect();
            prop_assert!(names.iter().all(|name| is_name(name)), "{names:?}");
            prop_assert_eq!(names.len(), ids.len());
        }
    }
}
