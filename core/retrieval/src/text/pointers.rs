//! Follows JSON pointers through an outline. Must not know schemas.

use std::borrow::Cow;
use std::collections::HashMap;

use super::outline::{Kind, Outline};

/// What is inside the objects and arrays that pointers led through: noted once, so that many pointers through a large one cost
/// little more than one.
#[derive(Debug, Default)]
pub(super) struct Pointers<'a> {
    objects: HashMap<u32, HashMap<Cow<'a, str>, u32>>,
    arrays: HashMap<u32, Vec<u32>>,
}

impl<'a> Pointers<'a> {
    /// The value that a pointer leads to from the outermost one.
    pub(super) fn follow(&mut self, outline: &Outline<'a>, pointer: &str) -> Option<u32> {
        let mut place = 0;
        for step in pointer.split('/').skip(1) {
            let name = step.replace("~1", "/").replace("~0", "~");
            place = match outline.kind(place) {
                Kind::Object => self.member(outline, place, &name)?,
                Kind::Array => {
                    let inside = || outline.inside(place).collect();
                    let values = self.arrays.entry(place).or_insert_with(inside);
                    *values.get(index(&name)?)?
                }
                Kind::String | Kind::Other => return None,
            };
        }
        Some(place)
    }

    /// The member of this name of the object at a place.
    pub(super) fn member(&mut self, outline: &Outline<'a>, place: u32, name: &str) -> Option<u32> {
        if outline.kind(place) != Kind::Object {
            return None;
        }
        let members = || {
            let inside = outline.inside(place);
            inside.map(|member| (outline.name(member), member)).collect()
        };
        let members = self.objects.entry(place).or_insert_with(members);
        members.get(name).copied()
    }
}

/// A number of a pointer, as the standard writes it.
fn index(text: &str) -> Option<usize> {
    if text.starts_with('+') || (text.starts_with('0') && text.len() > 1) {
        return None;
    }
    text.parse().ok()
}
