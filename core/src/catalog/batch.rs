//! From the JSON texts of a batch to its items, each id once. Knows nothing of what the catalog has already.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::ingest::{self, Given};
use super::item::{Item, Kind};
use super::{Changes, Entry};
use crate::settled::settled;
use crate::text::hash::hash;
use crate::text::{FoundTexts, Scanner, SchemaTexts};

/// Items that were read, each id once, and what was read of their schemas on the way.
#[derive(Debug)]
pub(crate) struct Items<I> {
    entries: Vec<Arc<Entry<I>>>,
    schemas: SchemaTexts,
    /// Which texts are those of an item; of items that it does not name, nothing is known.
    own: Vec<Option<(u32, u32)>>,
}

impl<I> Default for Items<I> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            schemas: SchemaTexts::default(),
            own: Vec::new(),
        }
    }
}

impl<I: Item> Items<I> {
    /// Reads a batch; what is wrong, and which places are not taken, is noted. Of two items with one id the last one counts, at the
    /// place of the first.
    pub(crate) fn read(batch: &[impl Borrow<RawValue>], changes: &mut Changes) -> Self {
        let mut items = Self::default();
        items.entries.reserve(batch.len());
        for (place, raw) in (0_u32..).zip(batch) {
            match ingest::read(raw.borrow(), place, &mut changes.diagnostics) {
                Some(item) => items.entries.push(Entry::new(item)),
                None => changes.rejected.push(place),
            }
        }
        items.each_once(changes)
    }

    /// The same of an array that begins there in a text of which nobody knows yet whether it is JSON: the text is looked over once for
    /// that, for where the members of items stand, and for what their schemas say. Nothing where a parser has to judge.
    pub(crate) fn scan(array: &mut Scanner<'_>, changes: &mut Changes) -> Option<Self> {
        let (mut items, mut members) = (Self::default(), Vec::with_capacity(I::FIELDS.len()));
        let mut places = 0_u32..;
        let mut goes_on = array.takes(b'[') && !array.takes(b']');
        if !goes_on {
            return None;
        }
        while goes_on {
            let object = array.object(I::SCHEMA, &mut members, &mut items.schemas)?;
            let given = Given {
                text: object.text,
                members: Some(&members),
                is_special: object.is_special,
            };
            let place = places.next()?;
            match ingest::read_given::<I>(&given, place, &mut changes.diagnostics) {
                Some(item) => {
                    // Of a text that something was taken out of, the places are others.
                    let is_whole = item.text().len() == object.text.len();
                    items.own.push(object.schema.filter(|_| is_whole));
                    items.entries.push(Entry::new(item));
                }
                None => changes.rejected.push(place),
            }
            goes_on = array.takes(b',');
        }
        array.ends(b']')?;
        Some(items.each_once(changes))
    }

    /// Leaves the last of the items that have one id, at the place of the first.
    fn each_once(self, changes: &mut Changes) -> Self {
        let ids: Vec<&str> = self.ids().collect();
        let Some(kept) = last_of_each(I::KIND, &ids, changes) else {
            return self;
        };
        let entries = kept.iter().filter_map(|at| self.entries.get(*at).map(Arc::clone));
        let own = kept.iter().map(|at| self.own.get(*at).copied().flatten());
        Self {
            entries: entries.collect(),
            own: own.collect(),
            schemas: self.schemas,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.item.id())
    }

    /// Hands the items over, one after the other, each with what is known of its schema.
    pub(super) fn for_each(self, mut take: impl FnMut(Arc<Entry<I>>, Option<FoundTexts<'_>>)) {
        let Self {
            entries,
            schemas,
            own,
        } = self;
        let own = own.into_iter().chain(std::iter::repeat(None));
        for (entry, own) in entries.into_iter().zip(own) {
            take(entry, own.map(|own| schemas.of(own)));
        }
    }
}

impl<I> FromIterator<I> for Items<I> {
    /// Items that were read elsewhere, each id once.
    fn from_iter<T: IntoIterator<Item = I>>(items: T) -> Self {
        Self {
            entries: items.into_iter().map(Entry::new).collect(),
            ..Self::default()
        }
    }
}

/// Whether no two ids are the same, as far as a few looks for each say: whoever chooses ids so that it takes more makes it say that
/// some are.
fn are_distinct(ids: &[&str]) -> bool {
    let mut places = vec![0_u32; (2 * ids.len()).next_power_of_two()];
    let last = places.len() as u64 - 1;
    let mut looks = 8 * ids.len() + 64;
    for (number, id) in (1_u32..).zip(ids) {
        let mut at = hash(id);
        loop {
            let Some(place) = usize::try_from(at & last).ok().and_then(|at| places.get_mut(at)) else {
                return false;
            };
            if *place == 0 {
                *place = number;
                break;
            }
            looks = looks.saturating_sub(1);
            if looks == 0 || ids.get(*place as usize - 1) == Some(id) {
                return false;
            }
            at = at.wrapping_add(1);
        }
    }
    true
}

/// Where the last of each id stands, in the order of the first, unless each is the only one; what is not the first is reported, in the
/// order of places. One copy for all kinds.
fn last_of_each(kind: Kind, ids: &[&str], changes: &mut Changes) -> Option<Vec<usize>> {
    if are_distinct(ids) {
        return None;
    }
    let all = u32::try_from(ids.len() + changes.rejected.len()).unwrap_or(u32::MAX);
    let places = (0..all).filter(|place| changes.rejected.binary_search(place).is_err());
    let (mut known, mut last) = (HashMap::new(), Vec::with_capacity(ids.len()));
    for ((at, id), place) in ids.iter().enumerate().zip(places) {
        let first = *known.entry(*id).or_insert(last.len());
        match last.get_mut(first) {
            Some(last) => {
                *last = at;
                changes.diagnostics.push(ingest::duplicate(kind, id, place));
            }
            None => last.push(at),
        }
    }
    let diagnostics = std::mem::take(&mut changes.diagnostics);
    changes.diagnostics = settled(diagnostics, &|left, right| left.index.cmp(&right.index));
    Some(last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalog::tool::Tool;

    /// Items as they may be sent: some twice, some wrong, some with what a look does not judge.
    fn item() -> impl Strategy<Value = String> {
        let id = prop::sample::select(vec!["a", "b", "c", "größe", "d\\n", "", "invoke_tool"]);
        let rest = prop::sample::select(vec![
            "",
            r#","description":"some words""#,
            r#","description":"a\u200bb""#,
            r#","inputSchema":{"properties":{"p":{"description":"what it is","enum":["x",1]}}}"#,
            r#","inputSchema":{"properties":{"p\u0061":{"title":"t"}}}, "x":7 "#,
            r#","description":"\u200b","inputSchema":{"description":"d"}"#,
            r##","inputSchema":{"$ref":"#/a","a":{"title":"t"}}"##,
            r#","inputSchema":7,"requires_approval":true"#,
            r#","tags":["a",null]"#,
        ]);
        (id, rest).prop_map(|(id, rest)| format!("{{\"id\":\"{id}\"{rest}}}"))
    }

    fn state(items: Items<Tool>, changes: &Changes) -> String {
        let mut all = Vec::new();
        items.for_each(|entry, schema| {
            all.push(format!(
                "{} {:?}",
                entry.item.text(),
                entry.item.fields_with(schema)
            ));
        });
        format!("{all:#?}{changes:?}")
    }

    proptest! {
        #[test]
        fn what_is_looked_over_once_is_read_as_a_parser_reads_it(items in prop::collection::vec(item(), 1..12)) {
            let text = format!("[{}]", items.join(" ,"));
            let (mut looked, mut parsed) = (Changes::default(), Changes::default());
            let Some(scanned) = Items::<Tool>::scan(&mut Scanner::new(&text), &mut looked) else {
                return Err(TestCaseError::fail(text));
            };
            let batch: Vec<&RawValue> = serde_json::from_str(&text).unwrap();
            let read = Items::<Tool>::read(&batch, &mut parsed);
            prop_assert_eq!(state(scanned, &looked), state(read, &parsed));
        }
    }

    #[test]
    fn of_two_with_one_id_the_last_counts_and_it_is_said_where_it_stands() {
        let text =
            r#"[{"id":"a","name":"1"},7,{"id":"b"},{"id":""},{"id":"a","name":"2"},{"id":"a","name":"3"}]"#;
        let batch: Vec<&RawValue> = serde_json::from_str(text).unwrap();
        let mut changes = Changes::default();
        let items = Items::<Tool>::read(&batch, &mut changes);
        let names: Vec<_> = items.entries.iter().map(|entry| entry.item.bare_name()).collect();
        assert_eq!(names, ["3", "b"]);
        let places: Vec<_> = changes.diagnostics.iter().map(|found| found.index).collect();
        assert_eq!(places, [Some(1), Some(3), Some(4), Some(5)]);
        assert_eq!(changes.rejected, [1, 3]);
    }

    #[test]
    fn ids_that_take_too_many_looks_are_told_apart_all_the_same() {
        let alike = (0..).map(|number| format!("id{number}"));
        let alike: Vec<String> = alike.filter(|id| hash(id) & 0xFF == 7).take(100).collect();
        let ids: Vec<&str> = alike.iter().map(String::as_str).collect();
        assert!(!are_distinct(&ids));
        let (kind, mut changes) = (Kind::Tool, Changes::default());
        assert_eq!(last_of_each(kind, &ids, &mut changes), Some((0..100).collect()));
        assert_eq!(changes, Changes::default());
        let last = last_of_each(kind, &["a", "b", "a", "a"], &mut changes);
        assert_eq!((last, changes.diagnostics.len()), (Some(vec![3, 1]), 2));
        assert!(are_distinct(&[]) && are_distinct(&["a", "b"]));
        assert!(!are_distinct(&["a", "b", "a"]));
    }
}
