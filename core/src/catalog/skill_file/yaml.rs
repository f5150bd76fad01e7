//! YAML as a tree whose scalars are the text that was written: `1.10` stays `1.10`. Knows nothing of skills.

use granit_parser::{Event, Options, Parser, ScalarStyle, Span};

/// Collections inside one another: front matter is flat, and what is deeper is not read.
const DEPTH: usize = 16;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    /// What it is.
    pub(super) value: Value,
    /// The line it begins on, from 1.
    pub(super) line: usize,
    /// The text from its beginning to the end of that line.
    pub(super) written: String,
    /// Whether a comment follows a text without quotes on its line: it may have been meant as a part of it.
    pub(super) commented: bool,
}

/// One of the three shapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    /// A scalar, and whether it stands without quotes.
    Text(String, bool),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the text; a key may stand twice.
    Map(Vec<Entry>),
}

/// One field of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its key.
    pub(super) key: String,
    /// The line of the key.
    pub(super) line: usize,
    /// What it holds.
    pub(super) node: Node,
}

/// Why a text is not YAML that can be read here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The line, from 1.
    pub(super) line: usize,
    /// The reason.
    pub(super) reason: String,
}

/// Reads a text that is one mapping; nothing at all is an empty one.
pub(super) fn mapping(text: &str) -> Result<Vec<Entry>, Fault> {
    let mut reader = Reader {
        text,
        events: Parser::new_from_str_with_options(text, options()),
        comments: Vec::new(),
    };
    let mut root = None;
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => break,
            Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
            event if root.is_none() => root = Some(reader.node(event, span, DEPTH)?),
            _ => return Err(fault(span, "there is a second document; keep one")),
        }
    }
    let comments = reader.comments;
    match root {
        None => Ok(Vec::new()),
        Some(Node {
            value: Value::Map(mut entries),
            ..
        }) => {
            for entry in &mut entries {
                entry.node.mark(&comments);
            }
            Ok(entries)
        }
        // A lone comment or a blank text.
        Some(Node {
            value: Value::Text(text, true),
            ..
        }) if text.is_empty() => Ok(Vec::new()),
        Some(node) => Err(Fault {
            line: node.line,
            reason: "it is no list of fields; write `key: value`, one to a line".to_owned(),
        }),
    }
}

/// As many comments as one likes: front matter is bounded before it comes here.
fn options() -> Options {
    let mut options = Options::default();
    options.max_buffered_comment_events = usize::MAX;
    options
}

struct Reader<'a> {
    text: &'a str,
    events: Parser<'a, granit_parser::StrInput<'a>>,
    /// The lines on which a comment begins.
    comments: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Fault> {
        loop {
            match self.events.next() {
                None => return Ok((Event::StreamEnd, Span::default())),
                Some(Ok((Event::Comment(..), span))) => self.comments.push(span.start.line()),
                Some(Ok(event)) => return Ok(event),
                Some(Err(error)) => {
                    return Err(Fault {
                        line: error.marker().line(),
                        reason: error.kind().to_string(),
                    });
                }
            }
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, Fault> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(fault(span, "it is nested too deeply; write it flat"));
        };
        let value = match event {
            Event::Scalar(text, style, ..) => Value::Text(text.into_owned(), style == ScalarStyle::Plain),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    match event {
                        Event::SequenceEnd => break Value::List(items),
                        event => items.push(self.node(event, span, depth)?),
                    }
                }
            }
            Event::MappingStart(..) => Value::Map(self.entries(depth)?),
            Event::Alias(..) => {
                return Err(fault(span, "an alias is not read here; write the value out"));
            }
            _ => return Err(fault(span, "it cannot be read")),
        };
        let start = span.start.byte_offset().unwrap_or(self.text.len());
        let written = self.text.get(start..).unwrap_or_default();
        Ok(Node {
            value,
            line: span.start.line(),
            written: written.lines().next().unwrap_or_default().to_owned(),
            commented: false,
        })
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<Entry>, Fault> {
        let mut entries = Vec::new();
        loop {
            let (event, span) = self.next()?;
            let key = match event {
                Event::MappingEnd => return Ok(entries),
                Event::Scalar(text, ..) => text.into_owned(),
                _ => return Err(fault(span, "a key is no text; write `key: value`")),
            };
            let (event, value_span) = self.next()?;
            let node = self.node(event, value_span, depth)?;
            entries.push(Entry {
                key,
                line: span.start.line(),
                node,
            });
        }
    }
}

impl Node {
    fn mark(&mut self, comments: &[usize]) {
        let is_plain = matches!(self.value, Value::Text(_, true));
        self.commented = is_plain && comments.contains(&self.line);
    }

    /// The scalar's text; nothing for a list and a mapping.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text, _) => Some(text),
            Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Whether it is YAML's way to say nothing.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(&self.value, Value::Text(text, true) if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }
}

fn fault(span: Span, reason: &str) -> Fault {
    Fault {
        line: span.start.line(),
        reason: reason.to_owned(),
    }
}
