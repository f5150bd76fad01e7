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
    InSecondAfterSOrT,
}
pub(super) use Condition::{AfterL, AfterLi, Always, InSecond, InSecondAfterSOrT};

/// The rules of one step, those that end in one letter side by side: a word is compared with the endings in its last letter only.
pub(super) struct Step {
    rules: &'static [Rule],
    /// Where the rules of each last letter begin and end.
    places: [(u8, u8); 32],
    /// For each last letter, a bit for each letter before it.
    pairs: [u32; 32],
}

impl Step {
    #[allow(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "runs at compile time only, where a wrong index is a build error"
    )]
    const fn of(rules: &'static [Rule]) -> Self {
        let (mut places, mut pairs, mut place) = ([(0, 0); 32], [0; 32], 0);
        while place < rules.len() {
            let letters = rules[place].0.letters;
            let (first, end) = &mut places[last_letter(letters)];
            assert!(
                *end == 0 || *end as usize == place,
                "rules in one last letter stand apart"
            );
            if *end == 0 {
                *first = place as u8;
            }
            *end = place as u8 + 1;
            pairs[last_letter(letters)] |= 1 << last_letter(letters >> 8);
            place += 1;
        }
        Self { rules, places, pairs }
    }

    /// Whether a word with this tail may end as a rule says; most do not.
    #[inline]
    fn may_end(&self, tail: u64) -> bool {
        let pairs = self.pairs.get(last_letter(tail)).copied().unwrap_or(0);
        pairs >> last_letter(tail >> 8) & 1 == 1
    }

    /// The first rule whose ending a word with this tail has.
    #[inline]
    pub(super) fn find(&self, tail: u64) -> Option<&'static Rule> {
        self.among(tail, |ending| ending.ends(tail))
    }

    /// The rule for a word with this tail, as a whole.
    #[inline]
    pub(super) fn of_word(&self, tail: u64) -> Option<&'static Rule> {
        self.among(tail, |ending| ending.letters == tail)
    }

    #[inline]
    fn among(&self, tail: u64, fits: impl Fn(&Ending) -> bool) -> Option<&'static Rule> {
        if self.may_end(tail) {
            self.look(tail, fits)
        } else {
            None
        }
    }

    #[inline(never)]
    fn look(&self, tail: u64, fits: impl Fn(&Ending) -> bool) -> Option<&'static Rule> {
        let (first, end) = *self.places.get(last_letter(tail))?;
        let rules = self.rules.get(usize::from(first)..usize::from(end))?;
        rules.iter().find(|(ending, ..)| fits(ending))
    }
}

/// The number of a word's last letter; letters have one each, and digits share some of them. Every ending has two letters.
const fn last_letter(tail: u64) -> usize {
    (tail & 31) as usize
}

/// By last letter, and the longest ending first among those that end alike.
pub(super) static STEP_2: Step = Step::of(&[
    (ending(b"ization"), b"ize", Always),
    (ending(b"ation"), b"ate", Always),
    (ending(b"ational"), b"ate", Always),
    (ending(b"tional"), b"tion", Always),
    (ending(b"fulness"), b"ful", Always),
    (ending(b"ousness"), b"ous", Always),
    (ending(b"iveness"), b"ive", Always),
    (ending(b"biliti"), b"ble", Always),
    (ending(b"lessli"), b"less", Always),
    (ending(b"entli"), b"ent", Always),
    (ending(b"aliti"), b"al", Always),
    (ending(b"ousli"), b"ous", Always),
    (ending(b"iviti"), b"ive", Always),
    (ending(b"fulli"), b"ful", Always),
    (ending(b"enci"), b"ence", Always),
    (ending(b"anci"), b"ance", Always),
    (ending(b"abli"), b"able", Always),
    (ending(b"alli"), b"al", Always),
    (ending(b"bli"), b"ble", Always),
    (ending(b"ogi"), b"og", AfterL),
    (ending(b"li"), b"", AfterLi),
    (ending(b"alism"), b"al", Always),
    (ending(b"izer"), b"ize", Always),
    (ending(b"ator"), b"ate", Always),
]);
pub(super) static STEP_3: Step = Step::of(&[
    (ending(b"ational"), b"ate", Always),
    (ending(b"tional"), b"tion", Always),
    (ending(b"ical"), b"ic", Always),
    (ending(b"ful"), b"", Always),
    (ending(b"alize"), b"al", Always),
    (ending(b"icate"), b"ic", Always),
    (ending(b"ative"), b"", InSecond),
    (ending(b"iciti"), b"ic", Always),
    (ending(b"ness"), b"", Always),
]);
pub(super) static STEP_4: Step = Step::of(&[
    (ending(b"ement"), b"", InSecond),
    (ending(b"ment"), b"", InSecond),
    (ending(b"ant"), b"", InSecond),
    (ending(b"ent"), b"", InSecond),
    (ending(b"ance"), b"", InSecond),
    (ending(b"ence"), b"", InSecond),
    (ending(b"able"), b"", InSecond),
    (ending(b"ible"), b"", InSecond),
    (ending(b"ate"), b"", InSecond),
    (ending(b"ive"), b"", InSecond),
    (ending(b"ize"), b"", InSecond),
    (ending(b"ism"), b"", InSecond),
    (ending(b"iti"), b"", InSecond),
    (ending(b"ous"), b"", InSecond),
    (ending(b"ion"), b"", InSecondAfterSOrT),
    (ending(b"al"), b"", InSecond),
    (ending(b"er"), b"", InSecond),
    (ending(b"ic"), b"", InSecond),
]);
pub(super) static EXCEPTIONS: Step = Step::of(&[
    (ending(b"skis"), b"ski", Always),
    (ending(b"skies"), b"sky", Always),
    (ending(b"news"), b"news", Always),
    (ending(b"atlas"), b"atlas", Always),
    (ending(b"cosmos"), b"cosmos", Always),
    (ending(b"bias"), b"bias", Always),
    (ending(b"andes"), b"andes", Always),
    (ending(b"dying"), b"die", Always),
    (ending(b"lying"), b"lie", Always),
    (ending(b"tying"), b"tie", Always),
    (ending(b"idly"), b"idl", Always),
    (ending(b"gently"), b"gentl", Always),
    (ending(b"ugly"), b"ugli", Always),
    (ending(b"early"), b"earli", Always),
    (ending(b"only"), b"onli", Always),
    (ending(b"singly"), b"singl", Always),
    (ending(b"sky"), b"sky", Always),
    (ending(b"howe"), b"howe", Always),
]);
pub(super) static INVARIANT_AFTER_PLURAL: Step = Step::of(&[
    (ending(b"inning"), b"", Always),
    (ending(b"outing"), b"", Always),
    (ending(b"canning"), b"", Always),
    (ending(b"herring"), b"", Always),
    (ending(b"earring"), b"", Always),
    (ending(b"proceed"), b"", Always),
    (ending(b"exceed"), b"", Always),
    (ending(b"succeed"), b"", Always),
]);
/// Beginnings after which the first region starts, whatever their vowels.
pub(super) const BEGINNINGS: [&[u8]; 3] = [b"gener", b"commun", b"arsen"];

impl Ending {
    /// Whether a word with this tail ends so.
    #[inline]
    pub(super) const fn ends(&self, tail: u64) -> bool {
        tail & self.mask == self.letters
    }
}
