//! A skill's text with its placeholders filled in. Knows nothing of where the text came from; nothing in it is ever executed.
//!
//! One pass: what is put in is not looked at again. Without arguments, their placeholders stay as they are, since the reader
//! knows what they stand for.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::text::strip_text;

/// What a skill is applied to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    text: String,
    words: Vec<String>,
    named: Vec<(String, String)>,
}

/// What placeholders stand for.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    /// What the skill is applied to.
    pub(crate) arguments: &'a Arguments,
    /// Names of its arguments, in their order.
    pub(crate) names: &'a [String],
    /// Its folder.
    pub(crate) directory: Option<&'a str>,
    /// The conversation.
    pub(crate) session: Option<&'a str>,
}

impl Arguments {
    /// Reads what a model sent: a text, or an object whose members are named arguments.
    pub(crate) fn read(raw: Option<&RawValue>) -> Self {
        let value = raw.and_then(|raw| serde_json::from_str(raw.get()).ok());
        match value.unwrap_or(Value::Null) {
            Value::Null => Self::default(),
            Value::Object(members) => {
                let named = members.into_iter().map(|(name, value)| (name, words_of(value)));
                let named: Vec<(String, String)> = named.collect();
                let words: Vec<String> = named.iter().map(|(_, value)| value.clone()).collect();
                Self {
                    text: words.join(" "),
                    words,
                    named,
                }
            }
            Value::Array(items) => {
                let words: Vec<String> = items.into_iter().map(words_of).collect();
                Self {
                    text: words.join(" "),
                    words,
                    named: Vec::new(),
                }
            }
            other => {
                let text = words_of(other);
                Self {
                    words: split(&text),
                    text,
                    named: Vec::new(),
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.named.is_empty()
    }

    /// The argument of this name: the one that was sent under it, or the word at its place. The last name takes the rest.
    fn named(&self, name: &str, names: &[String]) -> Option<String> {
        if let Some((_, value)) = self.named.iter().find(|(known, _)| known == name) {
            return Some(value.clone());
        }
        let place = names.iter().position(|known| known == name)?;
        if !self.named.is_empty() {
            return Some(String::new());
        }
        let rest = self.words.get(place..).unwrap_or_default();
        Some(if place + 1 == names.len() {
            rest.join(" ")
        } else {
            rest.first().cloned().unwrap_or_default()
        })
    }
}

/// Fills placeholders in: `$ARGUMENTS`, `$ARGUMENTS[n]`, `$name` and `${name}` of declared arguments, `${SKILL_DIR}` and
/// `${SESSION_ID}`. Arguments that no placeholder takes stand at the end.
pub(crate) fn render(text: &str, values: &Values<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut took_arguments = values.arguments.is_empty();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        match placeholder(after) {
            Some(found) if let Some(value) = values.of(&found) => {
                out.push_str(&value);
                took_arguments |= !found.is_of_the_place();
                rest = after.get(found.length..).unwrap_or_default();
            }
            _ => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    if !took_arguments {
        let end = out.trim_end().len();
        out.truncate(end);
        out.push_str("\n\nARGUMENTS: ");
        out.push_str(&values.arguments.text);
        out.push('\n');
    }
    out
}

/// What stands behind a dollar sign.
struct Placeholder<'a> {
    name: &'a str,
    place: Option<usize>,
    length: usize,
    braced: bool,
}

impl Placeholder<'_> {
    fn is_of_the_place(&self) -> bool {
        self.braced
            && matches!(
                self.name,
                "SKILL_DIR" | "CLAUDE_SKILL_DIR" | "SESSION_ID" | "CLAUDE_SESSION_ID"
            )
    }
}

fn placeholder(after: &str) -> Option<Placeholder<'_>> {
    if let Some(inner) = after.strip_prefix('{') {
        let (name, _) = inner.split_once('}')?;
        return is_name(name).then_some(Placeholder {
            name,
            place: None,
            length: name.len() + 2,
            braced: true,
        });
    }
    let end = after.find(|c: char| !is_name_part(c)).unwrap_or(after.len());
    let name = after.get(..end).filter(|name| is_name(name))?;
    let place = (name == "ARGUMENTS")
        .then(|| after.get(end..)?.strip_prefix('[')?.split_once(']'))
        .flatten();
    let place = place.and_then(|(digits, _)| Some((digits.len() + 2, digits.parse().ok()?)));
    Some(Placeholder {
        name,
        place: place.map(|(_, place)| place),
        length: end + place.map_or(0, |(length, _)| length),
        braced: false,
    })
}

impl Values<'_> {
    fn of(&self, found: &Placeholder<'_>) -> Option<String> {
        match found.name {
            "SKILL_DIR" | "CLAUDE_SKILL_DIR" if found.braced => self.directory.map(str::to_owned),
            "SESSION_ID" | "CLAUDE_SESSION_ID" if found.braced => self.session.map(str::to_owned),
            _ if self.arguments.is_empty() => None,
            "ARGUMENTS" => Some(match found.place {
                Some(place) => self.arguments.words.get(place).cloned().unwrap_or_default(),
                None => self.arguments.text.clone(),
            }),
            name => self.arguments.named(name, self.names),
        }
    }
}

fn is_name(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() && name.chars().all(is_name_part)
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// A value as a person would type it.
fn words_of(value: Value) -> String {
    let text = match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    };
    strip_text(&text).unwrap_or(text)
}

/// Splits at white space, but not inside quotes.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c.is_whitespace() => words.extend(word.take()),
            None if matches!(c, '"' | '\'') && word.is_none() => {
                quote = Some(c);
                word = Some(String::new());
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arguments(json: &str) -> Arguments {
        Arguments::read(Some(&RawValue::from_string(json.to_owned()).unwrap()))
    }

    fn rendered(text: &str, json: &str) -> String {
        let names = ["city".to_owned(), "day".to_owned()];
        let values = Values {
            arguments: &arguments(json),
            names: &names,
            directory: Some("/skills/travel"),
            session: Some("s1"),
        };
        render(text, &values)
    }

    #[test]
    fn placeholders_are_filled_in() {
        assert_eq!(
            rendered("To $city on $day.", r#""Rome next monday""#),
            "To Rome on next monday."
        );
        assert_eq!(rendered("To ${city}!", r#"{"city":"New York"}"#), "To New York!");
        assert_eq!(
            rendered("$ARGUMENTS[1]: $ARGUMENTS", r#""'New York' monday""#),
            "monday: 'New York' monday"
        );
        assert_eq!(
            rendered("run ${SKILL_DIR}/a ${SESSION_ID}", "null"),
            "run /skills/travel/a s1"
        );
    }

    #[test]
    fn what_is_no_placeholder_stays() {
        for text in [
            "costs $5",
            "$PATH ${HOME} $cityhall $",
            "$city ${city} $ARGUMENTS",
            "${SKILL_DIR",
            "$SKILL_DIR",
        ] {
            assert_eq!(rendered(text, "null"), text);
        }
        assert_eq!(rendered("$PATH $city", r#""Rome""#), "$PATH Rome");
    }

    #[test]
    fn arguments_that_nothing_takes_stand_at_the_end() {
        assert_eq!(
            rendered("Prefer the train.\n", r#""Rome""#),
            "Prefer the train.\n\nARGUMENTS: Rome\n"
        );
        assert_eq!(rendered("Prefer the train.\n", r#""  ""#), "Prefer the train.\n");
    }

    #[test]
    fn what_was_put_in_is_not_looked_at_again() {
        assert_eq!(
            rendered("$city", r#"{"city":"$ARGUMENTS ${SKILL_DIR}"}"#),
            "$ARGUMENTS ${SKILL_DIR}"
        );
    }

    proptest! {
        #[test]
        fn a_text_without_placeholders_comes_back(text in "[^$]{0,60}") {
            prop_assert_eq!(rendered(&text, "null"), text);
        }
    }
}
