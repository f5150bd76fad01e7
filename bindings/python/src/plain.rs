//! Plain Python values as JSON text, to the byte what Python's own `json` writes. Knows nothing of what they mean.
//!
//! Plain is what `json` reads: exactly `dict`, `list`, `str`, `int`, `float`, `bool` and `None`; and a tuple. All else
//! is left to the facade, which knows how to write it, or what to say of it.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::value::RawValue;

/// What is nested deeper is left to the facade, too.
const MOST_LEVELS: usize = 100;

/// The text of a value, or nothing when it is not plain.
pub(crate) fn write(value: &Bound<'_, PyAny>) -> Option<String> {
    serde_json::to_string(&Plain { value, within: None }).ok()
}

/// A value and what it lies in.
struct Plain<'a, 'py> {
    value: &'a Bound<'py, PyAny>,
    within: Option<&'a Plain<'a, 'py>>,
}

impl Serialize for Plain<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        if let Ok(text) = value.cast_exact::<PyString>() {
            serializer.serialize_str(text.to_str().map_err(other)?)
        } else if let Ok(members) = value.cast_exact::<PyDict>() {
            self.check_depth()?;
            let mut map = serializer.serialize_map(Some(members.len()))?;
            for (name, value) in members {
                let name = name.cast_exact::<PyString>().map_err(other)?;
                map.serialize_entry(name.to_str().map_err(other)?, &self.part(&value))?;
            }
            map.end()
        } else if let Ok(elements) = value.cast_exact::<PyList>() {
            self.serialize_elements(elements, serializer)
        } else if let Ok(elements) = value.cast_exact::<PyTuple>() {
            self.serialize_elements(elements, serializer)
        } else if let Ok(truth) = value.cast_exact::<PyBool>() {
            serializer.serialize_bool(truth.is_true())
        } else if let Ok(number) = value.cast_exact::<PyInt>() {
            serializer.serialize_i64(number.extract().map_err(other)?)
        } else if let Ok(number) = value.cast_exact::<PyFloat>() {
            // Python's digits: `1e+16`, where serde would write `1e16`. A number that is not finite is no JSON.
            let digits = number.repr().map_err(other)?.to_string();
            RawValue::from_string(digits)
                .map_err(other)?
                .serialize(serializer)
        } else if value.is_none() {
            serializer.serialize_unit()
        } else {
            Err(other(()))
        }
    }
}

impl<'py> Plain<'_, 'py> {
    fn part<'a>(&'a self, value: &'a Bound<'py, PyAny>) -> Plain<'a, 'py> {
        Plain {
            value,
            within: Some(self),
        }
    }

    fn serialize_elements<S: Serializer>(
        &self,
        elements: impl IntoIterator<Item = Bound<'py, PyAny>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        self.check_depth()?;
        let mut sequence = serializer.serialize_seq(None)?;
        for element in elements {
            sequence.serialize_element(&self.part(&element))?;
        }
        sequence.end()
    }

    /// Refuses what lies in itself, or too deep.
    fn check_depth<E: Error>(&self) -> Result<(), E> {
        let mut outer = std::iter::successors(self.within, |inner| inner.within).enumerate();
        if outer.any(|(depth, outer)| depth == MOST_LEVELS || outer.value.is(self.value)) {
            return Err(other(()));
        }
        Ok(())
    }
}

/// Says that a value is not plain. Nobody reads why: the facade finds that out.
fn other<E: Error>(_: impl Sized) -> E {
    E::custom("not plain")
}
