//! Reads a struct from a JSON object and from nothing else. Knows nothing of the structs.
//!
//! What serde derives takes an array for a struct as well, its fields in the order of the source. On a wire that is a trap: rules
//! of visibility that a host wrote as a list by mistake would be read as rules, and others than were meant.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

/// Has structs that say `#[serde(remote = "Self")]` read as objects only; `written` ones derive `Serialize`, too.
macro_rules! objects {
    ($($name:ident $(<$lifetime:lifetime>)?),+) => { $(
        impl<'de $(: $lifetime, $lifetime)?> serde::Deserialize<'de> for $name $(<$lifetime>)? {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::deserialize($crate::catalog::object::Object(deserializer))
            }
        }
    )+ };
    (written: $($name:ident),+) => { $(
        $crate::catalog::object::objects!($name);

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }
    )+ };
}
pub(crate) use objects;

/// A deserializer whose structs are objects.
pub(crate) struct Object<D>(pub(crate) D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Object<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Reads a struct from the text of an object; names in it that are none of the known ones are noted.
pub(crate) fn read_object<'a, T: Deserialize<'a>>(
    text: &'a str,
    known: &'static [&'static str],
    unknown: &mut Vec<String>,
) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let inner = &mut reader;
    let read = T::deserialize(Noting {
        inner,
        known,
        unknown,
    })?;
    reader.end()?;
    Ok(read)
}

/// What serde hands around while it reads an object, from the deserializer down to the visitor of a name, where names are seen:
/// else the object would be read once more for them.
struct Noting<'n, T> {
    inner: T,
    known: &'static [&'static str],
    unknown: &'n mut Vec<String>,
}

impl<'n, T> Noting<'n, T> {
    /// The same about another part, and the part that it was about.
    fn about<U>(self, other: U) -> (T, Noting<'n, U>) {
        let Self {
            inner,
            known,
            unknown,
        } = self;
        let noting = Noting {
            inner: other,
            known,
            unknown,
        };
        (inner, noting)
    }
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Noting<'_, D> {
    type Error = D::Error;

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let (deserializer, visitor) = self.about(visitor);
        deserializer.deserialize_map(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let (deserializer, visitor) = self.about(visitor);
        deserializer.deserialize_identifier(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct struct enum ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Noting<'_, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(formatter)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let (visitor, map) = self.about(map);
        visitor.visit_map(map)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        if !self.known.contains(&name) {
            self.unknown.push(name.to_owned());
        }
        self.inner.visit_str(name)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Noting<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.inner.next_key_seed(Noting {
            inner: seed,
            known: self.known,
            unknown: self.unknown,
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Noting<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let (seed, deserializer) = self.about(deserializer);
        seed.deserialize(deserializer)
    }
}
