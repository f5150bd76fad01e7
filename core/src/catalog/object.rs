//! Reads a struct from a JSON object and from nothing else. Knows nothing of the structs.
//!
//! What serde derives takes an array for a struct as well, its fields in the order of the source. On a wire that is a trap: rules
//! of visibility that a host wrote as a list by mistake would be read as rules, and others than were meant.

use serde::de::{Deserializer, Visitor};
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
