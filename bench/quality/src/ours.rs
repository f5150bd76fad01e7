//! The ranking of the engine, filled as its catalogs fill it, and how far its status can be trusted.

use std::borrow::Cow;

use honeyguide::index::{Bitmap, Document, Field, Hint, Index, Prepared};
use honeyguide::rank::{Query, Status, search};
use honeyguide::text::Analyzer;

use crate::metrics::Ranked;
use crate::sets::{Set, Tool};

/// How often the status is what it should be.
pub struct Trust {
    /// `ok` where a right tool is among the first five.
    pub ok_right: f64,
    /// `ok` although every right tool is hidden.
    pub ok_without: f64,
    /// `weak` or `no_match` where a right tool is among the first five.
    pub doubted_right: f64,
}

/// The index of a set.
pub fn build(set: &Set) -> Index {
    let (mut index, mut analyzer) = (Index::new(), Analyzer::default());
    for (tool, slot) in set.tools.iter().zip(0..) {
        insert(&mut index, slot, tool, &mut analyzer);
    }
    index
}

/// Ranks every query of a set.
pub fn rank(set: &Set) -> (Vec<Ranked>, Trust) {
    let index = build(set);
    let (mut ranked, mut right, mut ok_right, mut ok_without) = (Vec::new(), 0, 0, 0);
    for query in &set.queries {
        let ranking = search(
            &index,
            &Query {
                text: &query.text,
                limit: 10,
                ..Query::default()
            },
        );
        let this = Ranked::new(ranking.hits.iter().map(|hit| hit.slot as usize), &query.gold);
        if this.right.iter().take(5).any(|right| *right) {
            right += 1;
            ok_right += usize::from(ranking.status == Status::Ok);
        }
        ranked.push(this);
        let mut visible = Bitmap::full(set.tools.len());
        query.gold.iter().for_each(|gold| visible.remove(*gold as u32));
        let without = search(
            &index,
            &Query {
                text: &query.text,
                limit: 10,
                visible: Some(&visible),
                ..Query::default()
            },
        );
        ok_without += usize::from(without.status == Status::Ok);
    }
    let share = |count: usize, all: usize| count as f64 / all.max(1) as f64;
    let trust = Trust {
        ok_right: share(ok_right, right),
        ok_without: share(ok_without, set.queries.len()),
        doubted_right: share(right - ok_right, right),
    };
    (ranked, trust)
}

fn insert(index: &mut Index, slot: u32, tool: &Tool, analyzer: &mut Analyzer) {
    let mut fields = vec![
        (Field::Name, Cow::Borrowed(tool.name.as_str())),
        (Field::Description, Cow::Borrowed(tool.description.as_str())),
        (Field::Server, Cow::Borrowed(tool.server.as_str())),
    ];
    fields.extend(
        tool.parameter_names
            .iter()
            .map(|name| (Field::ParameterName, Cow::Borrowed(name.as_str()))),
    );
    fields.extend(
        tool.parameter_texts
            .iter()
            .map(|text| (Field::ParameterText, Cow::Borrowed(text.as_str()))),
    );
    let end = (0..=tool.body.len().min(32 * 1024))
        .rev()
        .find(|end| tool.body.is_char_boundary(*end))
        .unwrap_or(0);
    let body = &tool.body[..end];
    for line in body.lines() {
        let field = if line.starts_with('#') {
            Field::Heading
        } else {
            Field::Body
        };
        fields.push((field, Cow::Borrowed(line)));
    }
    let bare = tool.id.rsplit("__").next().unwrap_or(&tool.id);
    let names = [
        tool.id.as_str(),
        tool.id.strip_prefix("mcp__").unwrap_or(&tool.id),
        bare,
        tool.name.as_str(),
    ];
    let group = if tool.server.is_empty() {
        &tool.id
    } else {
        &tool.server
    };
    let document = Document {
        id: &tool.id,
        names: &names,
        group,
        hint: Hint::Neutral,
        fields: &fields,
    };
    index.put(slot, &Prepared::new(&document, analyzer));
}
