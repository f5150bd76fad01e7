//! JSON text read one level deep, so that what is inside travels on as it came. Knows nothing of what it means.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// An object whose members are still text; where a key stands twice the last one counts, as in every JSON parser.
#[derive(Debug, Clone, Default)]
pub(crate) struct RawObject<'a> {
    members: Vec<(String, &'a RawValue)>,
}

impl<'a> RawObject<'a> {
    /// Reads the text of an object.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let object = reader.deserialize_map(Members).ok()?;
        reader.end().ok()?;
        Some(object)
    }

    /// The member of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.members
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    }

    /// The member of this name, unless it is null.
    pub(crate) fn given(&self, name: &str) -> Option<&'a RawValue> {
        self.get(name).filter(|value| value.get() != "null")
    }

    /// A member that is text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }

    /// The names of the members.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(key, _)| key.as_str())
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The same object without these members.
    pub(crate) fn without(&self, names: &[&str]) -> Self {
        let kept = self
            .members
            .iter()
            .filter(|(key, _)| !names.contains(&key.as_str()));
        Self {
            members: kept.cloned().collect(),
        }
    }

    /// The members of both, when none stands in both.
    pub(crate) fn merged(&self, other: &Self) -> Option<Self> {
        let known: std::collections::HashSet<&str> = self.names().collect();
        if other.names().any(|name| known.contains(name)) {
            return None;
        }
        Some(Self {
            members: self.members.iter().chain(&other.members).cloned().collect(),
        })
    }

    /// The only member, when there is one.
    pub(crate) fn only(&self) -> Option<(&str, &'a RawValue)> {
        match self.members.as_slice() {
            [(key, value)] => Some((key, value)),
            _ => None,
        }
    }

    /// The text of the object, each member as it came.
    pub(crate) fn write(&self) -> String {
        let members: Vec<String> = self
            .members
            .iter()
            .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), value.get()))
            .collect();
        format!("{{{}}}", members.join(","))
    }
}

/// The text of an object, also when it came as a JSON string that holds one; absent and null are an empty one.
pub(crate) fn object_text(raw: Option<&RawValue>) -> Option<String> {
    let Some(raw) = raw else {
        return Some("{}".to_owned());
    };
    match raw.get().as_bytes().first() {
        Some(b'n') => Some("{}".to_owned()),
        Some(b'{') => Some(raw.get().to_owned()),
        Some(b'"') => {
            let text: String = serde_json::from_str(raw.get()).ok()?;
            match text.trim() {
                "" | "null" => Some("{}".to_owned()),
                inner if inner.starts_with('{') => RawObject::read(inner).map(|_| inner.to_owned()),
                _ => None,
            }
        }
        _ => None,
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = RawObject<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members: Vec<(String, &'de RawValue)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
            match places.get(&key).and_then(|&place| members.get_mut(place)) {
                Some(member) => member.1 = value,
                None => {
                    places.insert(key.clone(), members.len());
                    members.push((key, value));
                }
            }
        }
        Ok(RawObject { members })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_travel_as_they_came_and_the_last_of_a_name_counts() {
        let object =
            RawObject::read(r#"{ "b": 1.50, "a": {"x" : 1e400}, "b": 123456789012345678901 }"#).unwrap();
        assert_eq!(object.write(), r#"{"b":123456789012345678901,"a":{"x" : 1e400}}"#);
        assert!(RawObject::read("[1]").is_none());
        assert!(RawObject::read("{} x").is_none());
    }

    #[test]
    fn an_object_is_read_from_text_once() {
        let read = |text: &str| object_text(Some(&RawValue::from_string(text.to_owned()).unwrap()));
        assert_eq!(object_text(None).unwrap(), "{}");
        assert_eq!(read("null").unwrap(), "{}");
        assert_eq!(read(r#"" ""#).unwrap(), "{}");
        assert_eq!(read(r#""{\"a\":1}""#).unwrap(), r#"{"a":1}"#);
        assert_eq!(read(r#""\"{}\"""#), None);
        assert_eq!(read("[]"), None);
        assert_eq!(read("7"), None);
        assert_eq!(read(r#""{broken""#), None);
    }
}
