//! What tools, skills and facts have in common: an id, text under fields, and the text they came in as.
//! Knows nothing of storage.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::said::Said;
use crate::error::{Error, ErrorCode, Result};
use crate::index::{Field, Hint};
use crate::text::{FoundTexts, Member, has_control_or_invisible, has_name_key};

/// Longest id, in bytes of UTF-8 (contract 3).
pub const MAX_ID_BYTES: usize = 512;

/// The ids of the three capability tools, which no item may take.
pub const RESERVED_IDS: [&str; 3] = ["search_capabilities", "invoke_tool", "get_skill_content"];

/// Their name keys.
const RESERVED_KEYS: [&str; 3] = ["searchcapabilities", "invoketool", "getskillcontent"];

/// The three catalogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Something that can be called.
    Tool,
    /// Something that can be read and followed.
    Skill,
    /// Something that is true.
    Fact,
}

impl Kind {
    /// The kind as it stands in a sentence.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Skill => "skill",
            Self::Fact => "fact",
        }
    }
}

/// What every kind of item has.
#[derive(Debug, Deserialize)]
pub struct Head {
    text: Box<str>,
    id: Said,
    name: Option<Said>,
    description: Said,
    tags: Vec<String>,
}

impl Head {
    /// The head of an item that was read from this text; an empty name is none. What is borrowed is a part of the text.
    pub fn new(
        text: &str,
        id: Cow<'_, str>,
        name: Option<Cow<'_, str>>,
        description: Option<Cow<'_, str>>,
        tags: Option<Vec<String>>,
    ) -> Self {
        Self {
            id: Said::of(text, id),
            name: name
                .filter(|name| !name.is_empty())
                .map(|name| Said::of(text, name)),
            description: Said::of(text, description.unwrap_or_default()),
            tags: tags.unwrap_or_default(),
            text: text.into(),
        }
    }

    /// The head of an item whose fields serde read from this text.
    pub fn read(
        text: &str,
        id: String,
        name: Option<String>,
        description: Option<String>,
        tags: Option<Vec<String>>,
    ) -> Self {
        Self::new(
            text,
            id.into(),
            name.map(Cow::Owned),
            description.map(Cow::Owned),
            tags,
        )
    }

    fn name(&self) -> Option<&str> {
        self.name.as_ref().map(|name| name.within(&self.text))
    }
}

/// A head as it is saved: its texts as they are, wherever they lay.
#[derive(Serialize)]
#[serde(rename = "Head")]
struct SavedHead<'a> {
    text: &'a str,
    id: &'a str,
    name: Option<&'a str>,
    description: &'a str,
    tags: &'a [String],
}

impl Serialize for Head {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let saved = SavedHead {
            text: &self.text,
            id: self.id.within(&self.text),
            name: self.name(),
            description: self.description.within(&self.text),
            tags: &self.tags,
        };
        saved.serialize(serializer)
    }
}

/// One kind of item: what it is called, which of its text is indexed under which field.
pub trait Item: Sized + Send + Sync + Serialize + for<'de> Deserialize<'de> {
    /// Which catalog it belongs to.
    const KIND: Kind;

    /// The fields that mean something; others are kept and passed over.
    const FIELDS: &'static [&'static str];

    /// Reads a definition from its JSON text, which it keeps.
    fn read(text: &str) -> std::result::Result<Self, serde_json::Error> {
        Self::read_noting(text, &mut Vec::new())
    }

    /// The same; the names of fields that mean nothing are noted.
    fn read_noting(text: &str, unknown: &mut Vec<String>) -> std::result::Result<Self, serde_json::Error>;

    /// The member that is a JSON Schema whose texts are searched; none when there is no such.
    const SCHEMA: &'static str = "";

    /// The item with these members, all of its text, if that is no more to read; it is what [`Item::read`] reads.
    fn of_members(_text: &str, _members: &[Member<'_>]) -> Option<Self> {
        None
    }

    /// What every kind has.
    fn head(&self) -> &Head;

    /// The text that is searched, by field.
    fn fields(&self) -> Vec<(Field, Cow<'_, str>)> {
        self.fields_with(None)
    }

    /// The same, where the texts of its schema may be known.
    fn fields_with(&self, schema: Option<FoundTexts<'_>>) -> Vec<(Field, Cow<'_, str>)>;

    /// What a model reads of it to know its meaning: the words of its name, and what is said of it.
    fn embedding_text(&self) -> String;

    /// The text it was read from.
    fn text(&self) -> &str {
        &self.head().text
    }

    /// The key.
    fn id(&self) -> &str {
        let head = self.head();
        head.id.within(&head.text)
    }

    /// The name given beside the id.
    fn name(&self) -> Option<&str> {
        self.head().name()
    }

    /// The name it is known by: the given one, or the id's last part.
    fn bare_name(&self) -> &str {
        self.name().unwrap_or_else(|| bare_name(self.id()))
    }

    /// What the model reads of it; empty when absent.
    fn description(&self) -> &str {
        let head = self.head();
        head.description.within(&head.text)
    }

    /// Free labels.
    fn tags(&self) -> &[String] {
        &self.head().tags
    }

    /// The group it is shown and filtered under.
    fn server(&self) -> Option<&str> {
        None
    }

    /// Its boolean annotations.
    fn flags(&self) -> &[(String, bool)] {
        &[]
    }

    /// The JSON Schema of its arguments, when it takes any.
    fn schema(&self) -> Option<&str> {
        None
    }

    /// How its annotations say it acts on the world.
    fn hint(&self) -> Hint {
        Hint::Neutral
    }

    /// Called once its text is in the index: what was read for the index alone is let go.
    fn is_indexed(&mut self) {}

    /// What deserves a look though the item is taken: path and message.
    fn warnings(&self) -> Vec<(ErrorCode, &'static str, String)> {
        Vec::new()
    }
}

/// Refuses an id that no item may have.
pub fn check_id(kind: Kind, id: &str) -> Result<()> {
    let noun = kind.noun();
    let refuse = |message: String| Err(Error::new(ErrorCode::InvalidId, message).with("id", id));
    if id.is_empty() {
        return refuse(format!(
            "the id of a {noun} must not be empty; give it a unique name"
        ));
    }
    if id.len() > MAX_ID_BYTES {
        let length = id.len();
        let message =
            format!("the id of a {noun} is {length} bytes long; at most {MAX_ID_BYTES} are allowed");
        let shown: String = id.chars().take(80).collect();
        return Err(Error::new(ErrorCode::InvalidId, message)
            .with("id", shown)
            .with("bytes", length));
    }
    if has_control_or_invisible(id) {
        return refuse(format!(
            "the id {id:?} of a {noun} holds control or invisible characters; use visible ones only"
        ));
    }
    if RESERVED_KEYS.iter().any(|key| has_name_key(id, key)) {
        return Err(Error::new(
            ErrorCode::ReservedId,
            format!("the id `{id}` belongs to a capability tool; give the {noun} another one"),
        )
        .with("id", id));
    }
    Ok(())
}

/// The id without the leading `mcp__` that some clients add.
pub fn without_client_prefix(id: &str) -> &str {
    match id.strip_prefix("mcp__") {
        Some(rest) if !rest.is_empty() => rest,
        _ => id,
    }
}

/// The text after the last `__`; the whole id when there is none or nothing follows.
pub fn bare_name(id: &str) -> &str {
    let last = id.as_bytes().windows(2).rposition(|two| two == b"__");
    match last.and_then(|last| id.get(last + 2..)) {
        Some(bare) if !bare.is_empty() => bare,
        _ => id,
    }
}

/// The group of an item that names no server: the text before the first `__`, or the whole id (contract 1).
pub fn group_of_id(id: &str) -> &str {
    match without_client_prefix(id).split_once("__") {
        Some((group, _)) if !group.is_empty() => group,
        _ => id,
    }
}

/// All forms of an id and a name that count as names, each once.
pub fn names_of<'a>(id: &'a str, name: Option<&'a str>) -> Vec<&'a str> {
    let mut names = Vec::with_capacity(4);
    names.push(id);
    for form in [Some(without_client_prefix(id)), Some(bare_name(id)), name]
        .into_iter()
        .flatten()
    {
        if !form.is_empty() && !names.contains(&form) {
            names.push(form);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::name_key;

    #[test]
    fn a_group_is_the_text_before_the_first_double_underscore() {
        assert_eq!(group_of_id("github__create_issue"), "github");
        assert_eq!(group_of_id("mcp__github__create_issue"), "github");
        assert_eq!(group_of_id("__init__"), "__init__");
        assert_eq!(group_of_id("mcp____x"), "mcp____x");
        assert_eq!(group_of_id("plain"), "plain");
    }

    #[test]
    fn every_form_of_an_id_counts_as_a_name_once() {
        assert_eq!(
            names_of("mcp__agent__get_handoff", None),
            ["mcp__agent__get_handoff", "agent__get_handoff", "get_handoff"]
        );
        assert_eq!(names_of("x", Some("x")), ["x"]);
    }

    #[test]
    fn ids_are_refused_with_the_code_that_fits() {
        let code = |id: &str| check_id(Kind::Tool, id).unwrap_err().code;
        assert_eq!(code(""), ErrorCode::InvalidId);
        assert_eq!(code("a\0b"), ErrorCode::InvalidId);
        assert_eq!(code("a\u{200b}b"), ErrorCode::InvalidId);
        assert_eq!(code(&"x".repeat(513)), ErrorCode::InvalidId);
        assert_eq!(code("invoke_tool"), ErrorCode::ReservedId);
        assert_eq!(code("Invoke-Tool"), ErrorCode::ReservedId);
        assert_eq!(RESERVED_IDS.map(name_key), RESERVED_KEYS);
        assert!(check_id(Kind::Tool, "__proto__").is_ok());
        assert!(check_id(Kind::Tool, "工具").is_ok());
    }
}
