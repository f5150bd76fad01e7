//! A text of an item, kept as a place in the text that the item came in wherever it stands there as it is.
//! Knows nothing of items.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;

/// A text that an item says. What is saved is the text itself, wherever it lay.
#[derive(Debug, Deserialize)]
#[serde(from = "Box<str>")]
pub(super) enum Said {
    /// Where it begins and ends in the text of the item.
    Part(u32, u32),
    /// What the text of the item says in another way, with escapes for example.
    Own(Box<str>),
}

impl From<Box<str>> for Said {
    fn from(said: Box<str>) -> Self {
        Self::Own(said)
    }
}

impl Said {
    /// A text that an item says; what is borrowed is a part of the text of the item.
    pub(super) fn of(text: &str, said: Cow<'_, str>) -> Self {
        let part = match &said {
            Cow::Borrowed(part) => {
                place_in(text, part).filter(|place| text.get(place.clone()) == Some(*part))
            }
            Cow::Owned(_) => None,
        };
        let ends =
            part.and_then(|part| Some((u32::try_from(part.start).ok()?, u32::try_from(part.end).ok()?)));
        match ends {
            Some((start, end)) => Self::Part(start, end),
            None => Self::Own(said.into()),
        }
    }

    /// The text, within the one that the item came in.
    pub(super) fn within<'a>(&'a self, text: &'a str) -> &'a str {
        match self {
            Self::Part(start, end) => text.get(*start as usize..*end as usize).unwrap_or_default(),
            Self::Own(said) => said,
        }
    }
}

/// Where a part of a text stands in it.
pub(super) fn place_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    Some(start..start + part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_text_is_a_place_in_it_and_anything_else_a_text_of_its_own() {
        let text = "{\"id\":\"größe\"}";
        let part = Said::of(text, Cow::Borrowed(&text[7..14]));
        assert!(matches!(part, Said::Part(7, 14)));
        assert_eq!(part.within(text), "größe");
        for other in [Cow::Borrowed("größe"), Cow::Owned("größe".to_owned())] {
            let own = Said::of(text, other);
            assert!(matches!(own, Said::Own(_)));
            assert_eq!(own.within(text), "größe");
        }
    }
}
