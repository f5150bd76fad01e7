//! A vector as it goes over the wire. Knows nothing of models.

use std::fmt;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// With padding or without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A vector: the base64 text of its numbers as little-endian 32-bit floats, or a list of numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vector(pub Vec<f32>);

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Numbers).map(Self)
    }
}

struct Numbers;

impl<'de> Visitor<'de> for Numbers {
    type Value = Vec<f32>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a vector: base64 of little-endian 32-bit floats, or a list of numbers")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let bytes = BASE64
            .decode(text)
            .map_err(|cause| E::custom(format!("a vector is not base64: {cause}")))?;
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(E::custom(
                "the bytes of a vector are not a whole number of 32-bit floats",
            ));
        }
        Ok(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "what is too large becomes infinite, and is refused alone where vectors are judged"
    )]
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = list.next_element::<f64>().map_err(A::Error::custom)? {
            numbers.push(number as f32);
        }
        Ok(numbers)
    }
}

impl Serialize for Vector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|number| number.to_le_bytes()).collect();
        serializer.serialize_str(&BASE64.encode(bytes))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Vector {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Vector".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A vector: the base64 text of its numbers as little-endian 32-bit floats, or a list of numbers.",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "number" } }]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<f32>, String> {
        serde_json::from_str::<Vector>(text)
            .map(|vector| vector.0)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_vector_is_text_or_a_list_and_is_written_as_text() {
        assert_eq!(read("[1, -0.5, 2e1]"), Ok(vec![1.0, -0.5, 20.0]));
        let text = serde_json::to_string(&Vector(vec![1.0, -0.5])).unwrap();
        assert_eq!(text, "\"AACAPwAAAL8=\"");
        assert_eq!(read(&text), Ok(vec![1.0, -0.5]));
        assert_eq!(read("\"AACAPwAAAL8\""), Ok(vec![1.0, -0.5]));
        assert_eq!(read("\"\""), Ok(vec![]));
        assert_eq!(
            read("[1e39, -1e39, 0.1]"),
            Ok(vec![f32::INFINITY, f32::NEG_INFINITY, 0.1])
        );
    }

    #[test]
    fn what_is_no_vector_says_what_it_should_be() {
        for text in ["\"AAAA\"", "\"%\"", "7", "null", "{}", "[\"1\"]", "[null]"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(
            read("{}").unwrap_err().contains("base64 of little-endian"),
            "{:?}",
            read("{}")
        );
    }
}
