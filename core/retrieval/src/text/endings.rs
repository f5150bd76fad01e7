//! The endings of English words that carry no meaning of their own, as the rules of Porter's second algorithm list them.
//!
//! Must not know where in a word a rule holds.

/// The last letters of a word as one number, so that one comparison tells whether a word ends so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) letters: u64,
    mask: u64,
    pub(super) length: usize,
}

/// At most eight letters.
pub(super) const fn ending(text: &[u8]) -> Ending {
    let (mut letters, mut mask, mut rest) = (0, 0, text);
    while let [first, more @ ..] = rest {
        letters = letters << 8 | *first as u64;
        mask = mask << 8 | 0xff;
        rest = more;
    }
    Ending {
        letters,
        mask,
        length: text.len(),
    }
}

/// An ending, and what stands in its place when the rule's condition holds.
pub(super) type Rule = (Ending, &'static [u8], Condition);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Always,
    /// Only after a letter that may come before `-li`.
    AfterLi,
    AfterL,
    /// Only when it lies in the second region.
    InSecond,
}
pub(super) use Condition::{AfterL, AfterLi, Always, InSecond};

/// Longest ending first among those that end alike.
pub(super) const STEP_2: &[Rule] = &[
    (ending(b"ization"), b"ize", Always),
    (ending(b"ational"), b"ate", Always),
    (ending(b"fulness"), b"ful", Always),
    (ending(b"ousness"), b"ous", Always),
    (ending(b"iveness"), b"ive", Always),
    (ending(b"tional"), b"tion", Always),
    (ending(b"biliti"), b"ble", Always),
    (ending(b"lessli"), b"less", Always),
    (ending(b"entli"), b"ent", Always),
    (ending(b"ation"), b"ate", Always),
    (ending(b"alism"), b"al", Always),
    (ending(b"aliti"), b"al", Always),
    (ending(b"ousli"), b"ous", Always),
    (ending(b"iviti"), b"ive", Always),
    (ending(b"fulli"), b"ful", Always),
    (ending(b"enci"), b"ence", Always),
    (ending(b"anci"), b"ance", Always),
    (ending(b"abli"), b"able", Always),
    (ending(b"izer"), b"ize", Always),
    (ending(b"ator"), b"ate", Always),
    (ending(b"alli"), b"al", Always),
    (ending(b"bli"), b"ble", Always),
    (ending(b"ogi"), b"og", AfterL),
    (ending(b"li"), b"", AfterLi),
];
pub(super) const STEP_3: &[Rule] = &[
    (ending(b"ational"), b"ate", Always),
    (ending(b"tional"), b"tion", Always),
    (ending(b"alize"), b"al", Always),
    (ending(b"icate"), b"ic", Always),
    (ending(b"iciti"), b"ic", Always),
    (ending(b"ative"), b"", InSecond),
    (ending(b"ical"), b"ic", Always),
    (ending(b"ness"), b"", Always),
    (ending(b"ful"), b"", Always),
];
pub(super) const ION: Ending = ending(b"ion");
pub(super) const STEP_4: &[Ending] = &[
    ending(b"ement"),
    ending(b"ance"),
    ending(b"ence"),
    ending(b"able"),
    ending(b"ible"),
    ending(b"ment"),
    ending(b"ant"),
    ending(b"ent"),
    ending(b"ism"),
    ending(b"ate"),
    ending(b"iti"),
    ending(b"ous"),
    ending(b"ive"),
    ending(b"ize"),
    ION,
    ending(b"al"),
    ending(b"er"),
    ending(b"ic"),
];
pub(super) const EXCEPTIONS: &[(Ending, &[u8])] = &[
    (ending(b"skis"), b"ski"),
    (ending(b"skies"), b"sky"),
    (ending(b"dying"), b"die"),
    (ending(b"lying"), b"lie"),
    (ending(b"tying"), b"tie"),
    (ending(b"idly"), b"idl"),
    (ending(b"gently"), b"gentl"),
    (ending(b"ugly"), b"ugli"),
    (ending(b"early"), b"earli"),
    (ending(b"only"), b"onli"),
    (ending(b"singly"), b"singl"),
    (ending(b"sky"), b"sky"),
    (ending(b"news"), b"news"),
    (ending(b"howe"), b"howe"),
    (ending(b"atlas"), b"atlas"),
    (ending(b"cosmos"), b"cosmos"),
    (ending(b"bias"), b"bias"),
    (ending(b"andes"), b"andes"),
];
pub(super) const INVARIANT_AFTER_PLURAL: &[Ending] = &[
    ending(b"inning"),
    ending(b"outing"),
    ending(b"canning"),
    ending(b"herring"),
    ending(b"earring"),
    ending(b"proceed"),
    ending(b"exceed"),
    ending(b"succeed"),
];
/// Beginnings after which the first region starts, whatever their vowels.
pub(super) const BEGINNINGS: [&[u8]; 3] = [b"gener", b"commun", b"arsen"];

impl Ending {
    /// Whether a word with this tail ends so.
    #[inline]
    pub(super) const fn ends(&self, tail: u64) -> bool {
        tail & self.mask == self.letters
    }
}
