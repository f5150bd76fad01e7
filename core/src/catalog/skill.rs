//! A skill: something that can be read and followed. Knows which of its text is indexed under which field.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::conditions::Conditions;
use super::folders::Scope;
use super::item::{Head, Item, Kind};
use super::object::{objects, read_object};
use super::passage::{passage, readable};
use crate::error::ErrorCode;
use crate::index::Field;
use crate::text::FoundTexts;

/// How much of a body is read for the index, in bytes (contract 4).
const INDEXED_BODY_BYTES: usize = 32 * 1024;

/// A skill as it goes over the wire.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SkillItem<'a> {
    /// The key: any visible Unicode text up to 512 bytes.
    pub id: String,
    /// A name (default: the id's text after the last `__`).
    #[serde(default)]
    pub name: Option<String>,
    /// What it does and when to use it.
    #[serde(default)]
    pub description: Option<String>,
    /// Free labels.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// Ids of the tools it uses: a search that finds the skill shows them too.
    #[serde(default)]
    pub tools: Option<Vec<String>>,
    /// What the model reads when it opens the skill.
    #[serde(default)]
    pub body: Option<String>,
    /// When to use it, beside the description.
    #[serde(default)]
    pub when_to_use: Option<String>,
    /// File patterns, as a `.gitignore` writes them: it is visible once its conversation touched a file that matches.
    #[serde(default)]
    pub paths: Option<Vec<String>>,
    /// Anything else, carried as it is.
    #[serde(default, borrow)]
    pub metadata: Option<&'a RawValue>,
    /// Tools it may use without asking, as SKILL.md writes them.
    #[serde(default)]
    pub allowed_tools: Option<Vec<String>>,
    /// `inline` (default) or `fork`.
    #[serde(default)]
    pub context: Option<String>,
    /// The model a fork runs on.
    #[serde(default)]
    pub model: Option<String>,
    /// How hard a fork thinks.
    #[serde(default)]
    pub effort: Option<String>,
    /// Names of its arguments.
    #[serde(default)]
    pub arguments: Option<Vec<String>>,
    /// What its arguments look like, for people.
    #[serde(default)]
    pub argument_hint: Option<String>,
    /// Not to be opened by the model.
    #[serde(default)]
    pub disable_model_invocation: Option<bool>,
    /// Whether a person may call it by name.
    #[serde(default)]
    pub user_invocable: Option<bool>,
    /// Under which terms it may be used.
    #[serde(default)]
    pub license: Option<String>,
    /// What it needs to run.
    #[serde(default)]
    pub compatibility: Option<String>,
    /// Fields of its front matter that mean nothing here.
    #[serde(default, borrow)]
    pub extra: Option<&'a RawValue>,
    /// Its other files, relative to its folder.
    #[serde(default)]
    pub resources: Option<Vec<String>>,
    /// Where it was loaded from. Its body is then no part of the definition: it is read again whenever the skill is opened.
    #[serde(default)]
    pub source: Option<SkillSource>,
}

objects!(SkillItem<'a>);

/// Where a skill was loaded from.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SkillSource {
    /// Its folder.
    pub directory: String,
    /// The name of its file.
    pub file: String,
    /// SHA-256 of that file, in hex.
    pub digest: String,
    /// Who put it there.
    #[serde(default)]
    pub scope: Scope,
    /// The folder of the project that it belongs to: it is visible once its conversation touched a file below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub below: Option<String>,
}

/// Contexts that a skill may ask for.
pub const CONTEXTS: [&str; 2] = ["inline", "fork"];

/// A skill as the catalog keeps it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Skill {
    head: Head,
    tools: Vec<String>,
    body: String,
    when_to_use: Option<String>,
    disable_model_invocation: bool,
    conditions: Conditions,
    is_from_folder: bool,
}

impl Skill {
    /// The whole definition, read again: what is wanted only once a skill is opened is not kept twice.
    pub fn definition(&self) -> Option<SkillItem<'_>> {
        serde_json::from_str(self.text()).ok()
    }

    /// The skill with the body of its file, for the index alone.
    pub fn with_body(mut self, body: String) -> Self {
        self.body = body;
        self
    }

    /// When to use it, beside the description.
    pub fn when_to_use(&self) -> Option<&str> {
        self.when_to_use.as_deref()
    }

    /// Which touched files it depends on.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Whether its body lies in a file.
    pub fn is_from_folder(&self) -> bool {
        self.is_from_folder
    }

    /// Ids of the tools it uses.
    pub fn tools(&self) -> &[String] {
        &self.tools
    }

    /// What the model reads when it opens the skill; empty for one from a folder, whose body is in its file.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Whether only a person may open it.
    pub fn hidden_from_model(&self) -> bool {
        self.disable_model_invocation
    }
}

impl Item for Skill {
    const KIND: Kind = Kind::Skill;
    const FIELDS: &'static [&'static str] = &[
        "id",
        "name",
        "description",
        "tags",
        "tools",
        "body",
        "whenToUse",
        "paths",
        "metadata",
        "allowedTools",
        "context",
        "model",
        "effort",
        "arguments",
        "argumentHint",
        "disableModelInvocation",
        "userInvocable",
        "license",
        "compatibility",
        "extra",
        "resources",
        "source",
    ];

    fn read_noting(text: &str, unknown: &mut Vec<String>) -> Result<Self, serde_json::Error> {
        let wire: SkillItem<'_> = read_object(text, Self::FIELDS, unknown)?;
        Ok(Self {
            head: Head::read(text, wire.id, wire.name, wire.description, wire.tags),
            tools: wire.tools.unwrap_or_default(),
            body: wire.body.unwrap_or_default(),
            when_to_use: wire.when_to_use,
            disable_model_invocation: wire.disable_model_invocation.unwrap_or(false),
            is_from_folder: wire.source.is_some(),
            conditions: Conditions::new(
                wire.paths.unwrap_or_default(),
                wire.source.and_then(|source| source.below),
            ),
        })
    }

    fn head(&self) -> &Head {
        &self.head
    }

    fn fields_with(&self, _schema: Option<FoundTexts<'_>>) -> Vec<(Field, Cow<'_, str>)> {
        let mut fields = vec![
            (Field::Name, Cow::Borrowed(self.bare_name())),
            (Field::Description, Cow::Borrowed(self.description())),
        ];
        fields.extend(
            self.when_to_use
                .as_deref()
                .map(|text| (Field::WhenToUse, Cow::Borrowed(text))),
        );
        fields.extend(
            self.tags()
                .iter()
                .map(|tag| (Field::Tags, Cow::Borrowed(tag.as_str()))),
        );
        fields.extend(body_fields(&self.body));
        fields
    }

    fn embedding_text(&self) -> String {
        let when = self.when_to_use.as_deref().unwrap_or_default();
        passage(&[&readable(self.bare_name()), self.description(), when])
    }

    fn is_indexed(&mut self) {
        if self.is_from_folder {
            self.body = String::new();
        }
    }

    fn warnings(&self) -> Vec<(ErrorCode, &'static str, String)> {
        let id = self.id();
        let pattern = |pattern: &String| {
            let shown: String = pattern.chars().take(80).collect();
            let message = format!(
                "`{shown}` in `paths` of skill `{id}` is no pattern that can be read; it matches nothing"
            );
            (ErrorCode::InvalidSkill, "/paths", message)
        };
        // Few skills have one: the others are not read a second time.
        let named = self
            .text()
            .contains("\"context\"")
            .then(|| self.definition())
            .flatten();
        let context = named.and_then(|definition| definition.context);
        let strange = context
            .filter(|context| !CONTEXTS.contains(&context.as_str()))
            .map(|_| {
                let message =
                    format!("`context` of skill `{id}` is `inline` or `fork`; it is taken for `inline`");
                (ErrorCode::InvalidSkill, "/context", message)
            });
        self.conditions
            .unreadable()
            .iter()
            .map(pattern)
            .chain(strange)
            .collect()
    }
}

/// The headings and the prose of a Markdown body, up to the indexed length; code fences count as prose.
pub(super) fn body_fields(body: &str) -> impl Iterator<Item = (Field, Cow<'_, str>)> {
    let end = body.floor_char_boundary(INDEXED_BODY_BYTES);
    let mut in_fence = false;
    body.get(..end).unwrap_or_default().lines().map(move |line| {
        let line = line.trim_start();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_fence = !in_fence;
        }
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if !in_fence && (1..=6).contains(&level) && heading.starts_with(' ') {
            (Field::Heading, Cow::Borrowed(heading.trim()))
        } else {
            (Field::Body, Cow::Borrowed(line))
        }
    })
}
