//! `get_skill_content`: a skill's body in pages that end on line ends. Knows nothing of how a skill was found.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Context;
use super::raw::{RawObject, object_text};
use super::reply::{Failure, enumerate, quoted};
use super::step::Step;
use super::tokens::cut;
use crate::catalog::item::Item;
use crate::catalog::skill::Skill;
use crate::error::ErrorCode;

/// Ids that an answer to an unknown one offers.
const CANDIDATES: usize = 5;

/// Names that models give the id when they do not write `skillId`.
const OTHER_ID_NAMES: [&str; 4] = ["skill_id", "skill", "name", "id"];

/// One page of a skill, as it goes to the model.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    skill_id: &'a str,
    name: &'a str,
    body: &'a str,
    total_chars: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    resources: [&'a str; 0],
    tools: Vec<&'a str>,
}

/// Answers one call.
pub(crate) fn read(context: &Context<'_>, raw: Option<&RawValue>) -> Result<Step, Failure> {
    let text = match object_text(raw) {
        Some(text) => text,
        // A lone text can only be the id.
        None => match raw.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok()) {
            Some(id) => format!("{{\"skillId\":{}}}", serde_json::Value::from(id)),
            None => return Err(missing()),
        },
    };
    let arguments = RawObject::read(&text).ok_or_else(missing)?;
    let id = ["skillId"]
        .iter()
        .chain(&OTHER_ID_NAMES)
        .find_map(|name| arguments.text(name))
        .ok_or_else(missing)?;
    let skill = find(context, &id)?;
    if let Some(resource) = arguments.text("resource").filter(|resource| !resource.is_empty()) {
        let message = format!("skill `{}` has no resource `{}`", skill.id(), quoted(&resource));
        let next = "read the skill's body instead: leave `resource` out";
        return Err(Failure::new(ErrorCode::UnknownResource, message, next).of_skill(skill.id()));
    }
    let offset = arguments.get("offset").map_or(0, |raw| whole_number(raw.get()));
    let (body, next_offset) = page(skill.body(), offset, context.settings.page_chars);
    Ok(Step::reply(&Page {
        skill_id: skill.id(),
        name: skill.bare_name(),
        body,
        total_chars: skill.body().chars().count(),
        next_offset,
        resources: [],
        tools: skill
            .tools()
            .iter()
            .filter_map(|id| Some(context.view.tool(id)?.id()))
            .collect(),
    }))
}

/// A skill that the model may open.
fn find<'a>(context: &Context<'a>, requested: &str) -> Result<&'a Skill, Failure> {
    let known = context
        .view
        .skill(requested)
        .or_else(|| context.view.skill(requested.trim()));
    if let Some(skill) = known.filter(|skill| !skill.hidden_from_model()) {
        return Ok(skill);
    }
    let nearest = context
        .view
        .nearest_skills(&cut(requested.trim(), 512), CANDIDATES * 4);
    let candidates: Vec<String> = nearest
        .iter()
        .filter(|skill| !skill.hidden_from_model())
        .take(CANDIDATES)
        .map(|skill| skill.id().to_owned())
        .collect();
    let shown = quoted(requested);
    let (message, next) = match candidates.as_slice() {
        [] => (
            format!("unknown skill `{shown}`"),
            "find a skill with search_capabilities; do not guess an id",
        ),
        near => (
            format!("unknown skill `{shown}`; nearest: {}", enumerate(near)),
            "open one of the candidates if it is the one you mean, else search again with search_capabilities",
        ),
    };
    Err(Failure::new(ErrorCode::UnknownSkill, message, next).requested(requested, candidates))
}

fn missing() -> Failure {
    let next =
        "send the id that search_capabilities gave, for example {\"skillId\": \"<id from the search>\"}";
    Failure::new(ErrorCode::InvalidArguments, "`skillId` is missing", next).at("/skillId")
}

/// A whole number from what a model sent, 0 for anything else.
fn whole_number(text: &str) -> usize {
    let text = text.trim_matches('"');
    text.strip_suffix(".0").unwrap_or(text).parse().unwrap_or(0)
}

/// The part of a body that begins at an offset and has at most this many characters, and where the next one begins.
/// It ends behind a line end when there is one in it.
fn page(body: &str, offset: usize, most: usize) -> (&str, Option<usize>) {
    let start = body.char_indices().nth(offset).map_or(body.len(), |(at, _)| at);
    let rest = body.get(start..).unwrap_or_default();
    let Some((end, _)) = rest.char_indices().nth(most.max(1)) else {
        return (rest, None);
    };
    let window = rest.get(..end).unwrap_or_default();
    let shown = match window.rfind('\n') {
        Some(line_end) => window.get(..=line_end).unwrap_or(window),
        None => window,
    };
    (shown, Some(offset + shown.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_page_ends_behind_a_line_and_the_last_line_is_reachable() {
        assert_eq!(page("ab\ncd\nef", 0, 5), ("ab\n", Some(3)));
        assert_eq!(page("ab\ncd\nef", 3, 5), ("cd\nef", None));
        assert_eq!(page("abcdef", 0, 4), ("abcd", Some(4)));
        assert_eq!(page("工具\n箱", 0, 3), ("工具\n", Some(3)));
        assert_eq!(page("ab", 7, 4), ("", None));
        assert_eq!(page("ab", 0, 0), ("a", Some(1)));
    }

    #[test]
    fn an_offset_is_a_whole_number_or_nothing() {
        assert_eq!(
            [
                "3",
                "\"3\"",
                "3.0",
                "-1",
                "1.5",
                "null",
                "[3]",
                "99999999999999999999999"
            ]
            .map(whole_number),
            [3, 3, 3, 0, 0, 0, 0, 0]
        );
    }

    proptest! {
        #[test]
        fn the_pages_of_a_body_are_the_body(body in "[a-c工\n\r]{0,200}", most in 1usize..40) {
            let mut read = String::new();
            let mut offset = 0;
            loop {
                let (part, next) = page(&body, offset, most);
                prop_assert!(part.chars().count() <= most);
                read.push_str(part);
                match next {
                    Some(next) => { prop_assert!(next > offset); offset = next; }
                    None => break,
                }
            }
            prop_assert_eq!(read, body);
        }
    }
}
