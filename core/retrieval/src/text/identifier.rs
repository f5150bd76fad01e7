//! Cuts an identifier without separators into its parts, before anything is lower-cased.
//!
//! Must not know separators, stop words or stems: `addPersonV2` → `add`, `Person`, `V2`.

use unicode_normalization::char::is_combining_mark;

use super::ascii::{self, Case, Kinds};

/// One part of an identifier, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'a> {
    /// The part's characters.
    pub(super) text: &'a str,
    /// Whether all its letters are capitals, and there are some.
    pub(super) upper: bool,
}

/// Visits the parts of a run of letters and digits; answers whether there was a camel hump.
///
/// Parts end at a hump (`create|Issue`), at the end of an acronym (`HTTP|Server`, but `URLs`), and between letters
/// and digits (`sha|256`), unless the letters are two at most: `s3`, `ec2`, `v2`, `k8s`, `2fa` mean something only
/// together.
pub(super) fn parts<'a>(run: &'a str, visit: &mut impl FnMut(Part<'a>)) -> bool {
    parts_of(run, Kinds::of(run.as_bytes()), visit)
}

/// The same for a run whose kinds are known.
pub(super) fn parts_of<'a>(run: &'a str, kinds: Kinds, visit: &mut impl FnMut(Part<'a>)) -> bool {
    if let Some(case) = kinds.case() {
        visit(Part {
            text: run,
            upper: case == Case::Upper,
        });
        return false;
    }
    let first = if run.is_ascii() {
        Stretch::first_of_ascii
    } else {
        Stretch::first
    };
    let mut humps = false;
    let mut open: Option<(Part<'a>, Stretch)> = None;
    let mut start = 0;
    let mut at = 0;
    while let Some(stretch) = first(run.get(at..).unwrap_or_default()) {
        let end = at + stretch.length;
        let upper = match open {
            Some((part, last)) if stretch.joins(last) => {
                (part.upper || last.digits)
                    && (stretch.upper || stretch.digits)
                    && (part.upper || stretch.upper)
            }
            ended => {
                if let Some((part, last)) = ended {
                    humps |= stretch.is_hump_after(last);
                    visit(part);
                }
                start = at;
                stretch.upper
            }
        };
        open = Some((
            Part {
                text: run.get(start..end).unwrap_or_default(),
                upper,
            },
            stretch,
        ));
        at = end;
    }
    if let Some((part, _)) = open {
        visit(part);
    }
    humps
}

/// The same for another layer: visits each part, and whether its letters are capitals.
pub fn word_parts<'a>(run: &'a str, visit: &mut impl FnMut(&'a str, bool)) {
    parts(run, &mut |part| visit(part.text, part.upper));
}

/// Letters up to the next hump or digit, or digits up to the next letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    length: usize,
    signs: usize,
    digits: bool,
    upper: bool,
    /// Whether it begins like `Word`.
    title: bool,
}

impl Stretch {
    fn first(text: &str) -> Option<Self> {
        let mut stretch = Self {
            length: 0,
            signs: 0,
            digits: false,
            upper: true,
            title: false,
        };
        let mut last = None;
        let mut characters = text.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let end = at + c.len_utf8();
            if last.is_some() && !c.is_ascii() && is_combining_mark(c) {
                stretch.length = end;
                continue;
            }
            let class = Class::of(c);
            let before_lower = characters
                .peek()
                .is_some_and(|(_, next)| Class::of(*next) == Class::Lower);
            match (last, class) {
                (None, _) => {
                    stretch.digits = class == Class::Digit;
                    stretch.title = class == Class::Upper && before_lower;
                }
                (Some(Class::Digit), Class::Lower | Class::Upper) => break,
                (Some(Class::Lower | Class::Upper), Class::Digit) => break,
                (Some(Class::Lower), Class::Upper) => break,
                (Some(Class::Upper), Class::Upper) if before_lower && !ends_plural(text, end) => break,
                _ => {}
            }
            stretch.upper &= class == Class::Upper;
            stretch.signs += 1;
            stretch.length = end;
            last = Some(class);
        }
        last.map(|_| stretch)
    }

    /// The same for ASCII alone.
    fn first_of_ascii(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let class = |place: usize| bytes.get(place).map(|byte| Class::of_ascii(*byte));
        let mut last = class(0)?;
        let mut upper = last == Class::Upper;
        let title = upper && class(1) == Some(Class::Lower);
        let digits = last == Class::Digit;
        let mut length = 1;
        while let Some(next) = class(length) {
            let ends = match (last, next) {
                (Class::Upper, Class::Upper) => {
                    class(length + 1) == Some(Class::Lower) && !ends_plural(text, length + 1)
                }
                (Class::Digit, Class::Digit) | (Class::Lower | Class::Upper, Class::Lower) => false,
                _ => true,
            };
            if ends {
                break;
            }
            upper &= next == Class::Upper;
            length += 1;
            last = next;
        }
        Some(Self {
            length,
            signs: length,
            digits,
            upper,
            title,
        })
    }

    /// Letters end before letters only where a hump is; after digits it takes a capital and a small letter.
    const fn is_hump_after(self, last: Self) -> bool {
        !self.digits && (!last.digits || self.title)
    }

    const fn joins(self, last: Self) -> bool {
        !self.is_hump_after(last) && (last.is_short_word() || self.is_short_word())
    }

    const fn is_short_word(self) -> bool {
        !self.digits && self.signs <= 2
    }
}

/// Whether an acronym's plural ends here: `URL|s`, `ID|sToRemove`.
fn ends_plural(text: &str, at: usize) -> bool {
    let mut rest = text.get(at..).unwrap_or_default().chars();
    rest.next() == Some('s') && rest.next().is_none_or(|c| Class::of(c) != Class::Lower)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
}

impl Class {
    fn of_ascii(byte: u8) -> Self {
        match ascii::kind(byte) {
            ascii::UPPER => Self::Upper,
            ascii::DIGIT => Self::Digit,
            _ => Self::Lower,
        }
    }

    /// Letters without case count as lower ones.
    fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            c if c.is_ascii() || c.is_lowercase() => Self::Lower,
            c if c.is_uppercase() => Self::Upper,
            c if c.is_numeric() => Self::Digit,
            _ => Self::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn ascii_is_cut_as_any_other_text(run in "([A-Z]{0,4}[a-z]{0,4}s?[0-9]{0,3}){1,4}") {
            let mut at = 0;
            while let Some(stretch) = Stretch::first(&run[at..]) {
                let other = Stretch::first_of_ascii(&run[at..]);
                prop_assert_eq!(other, Some(stretch), "{} at {}", run, at);
                at += stretch.length;
            }
        }
    }
}
