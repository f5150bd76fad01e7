//! A small catalog for tests, filled the way the catalog layer fills one. Knows nothing of real items.

use std::borrow::Cow;

use crate::index::{Bitmap, Document, Field, Hint, Index, Prepared};
use crate::text::Analyzer;

use super::{Query, Ranking, search};

/// One tool, as tests write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tool {
    pub(crate) id: String,
    pub(crate) description: String,
    pub(crate) parameters: String,
    pub(crate) server: String,
    pub(crate) hint: Hint,
}

pub(crate) fn tool(id: &str, description: &str) -> Tool {
    Tool {
        id: id.to_owned(),
        description: description.to_owned(),
        parameters: String::new(),
        server: String::new(),
        hint: Hint::Neutral,
    }
}

impl Tool {
    pub(crate) fn hint(self, hint: Hint) -> Self {
        Self { hint, ..self }
    }

    pub(crate) fn server(self, server: &str) -> Self {
        Self {
            server: server.to_owned(),
            ..self
        }
    }
}

/// Tools at slots.
#[derive(Clone, Default)]
pub(crate) struct Shelf {
    pub(crate) index: Index,
    pub(crate) tools: Vec<Option<Tool>>,
}

impl Shelf {
    pub(crate) fn of(tools: impl IntoIterator<Item = Tool>) -> Self {
        let (mut shelf, mut analyzer) = (Self::default(), Analyzer::default());
        tools
            .into_iter()
            .zip(0..)
            .for_each(|(tool, slot)| shelf.put(slot, tool, &mut analyzer));
        shelf
    }

    pub(crate) fn put(&mut self, slot: u32, tool: Tool, analyzer: &mut Analyzer) {
        let stripped = tool.id.strip_prefix("mcp__").unwrap_or(&tool.id);
        let bare = tool.id.rsplit("__").next().unwrap_or(&tool.id);
        let prefix = stripped.split_once("__").map_or("", |(prefix, _)| prefix);
        let server = if tool.server.is_empty() {
            prefix
        } else {
            &tool.server
        };
        let group = if server.is_empty() { &tool.id } else { server };
        let fields = [
            (Field::Name, Cow::Borrowed(bare)),
            (Field::Description, Cow::Borrowed(tool.description.as_str())),
            (Field::Server, Cow::Borrowed(server)),
            (Field::ParameterName, Cow::Borrowed(tool.parameters.as_str())),
        ];
        let names = [tool.id.as_str(), stripped, bare];
        let document = Document {
            id: &tool.id,
            names: &names,
            group,
            hint: tool.hint,
            fields: &fields,
        };
        self.index.put(slot, &Prepared::new(&document, analyzer));
        if self.tools.len() <= slot as usize {
            self.tools.resize(slot as usize + 1, None);
        }
        self.tools[slot as usize] = Some(tool);
    }

    pub(crate) fn take(&mut self, slot: u32) {
        self.index.remove(slot);
        if let Some(place) = self.tools.get_mut(slot as usize) {
            *place = None;
        }
    }

    pub(crate) fn id(&self, slot: u32) -> &str {
        self.tools[slot as usize].as_ref().map_or("", |tool| &tool.id)
    }

    pub(crate) fn search(&self, text: &str, limit: usize) -> Ranking {
        search(
            &self.index,
            &Query {
                text,
                limit,
                ..Query::default()
            },
        )
    }

    pub(crate) fn ids(&self, text: &str) -> Vec<&str> {
        self.page(&self.search(text, 1_000))
    }

    pub(crate) fn seen(&self, text: &str, visible: &Bitmap) -> Vec<&str> {
        let query = Query {
            text,
            limit: 1_000,
            visible: Some(visible),
            ..Query::default()
        };
        self.page(&search(&self.index, &query))
    }

    pub(crate) fn page(&self, ranking: &Ranking) -> Vec<&str> {
        ranking.hits.iter().map(|hit| self.id(hit.slot)).collect()
    }
}
