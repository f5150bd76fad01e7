//! English stems by Porter's second algorithm (<https://snowballstem.org/algorithms/english/stemmer.html>), in place.
//!
//! Must not know other languages, stop words or terms. It works on bytes in a buffer of its own and allocates nothing, so
//! a query needs no memo; the library's stemmer is the oracle of its tests.

use super::chunk::LONGEST_TOKEN;
use super::endings::{
    AfterL, AfterLi, Always, BEGINNINGS, Condition, EXCEPTIONS, Ending, INVARIANT_AFTER_PLURAL, InSecond,
    InSecondAfterSOrT, STEP_2, STEP_3, STEP_4, Step, ending,
};

/// The stem of a folded word that begins with a Latin letter; it lives in the buffer.
pub(super) fn stem<'a>(word: &str, buffer: &'a mut Buffer) -> &'a [u8] {
    buffer.take(word.as_bytes());
    if buffer.length() > 2 && !buffer.exception() {
        buffer.mark();
        buffer.plural();
        if !no_rule_ends(buffer.word()) && !buffer.is_invariant() {
            buffer.past_and_gerund();
            buffer.final_y();
            buffer.replace_in(buffer.first, &STEP_2);
            buffer.replace_in(buffer.first, &STEP_3);
            buffer.replace_in(buffer.second, &STEP_4);
            buffer.final_e_or_l();
        }
    }
    buffer.stem()
}

/// Whether no rule can change a word that ends so, wherever its regions begin. A word without digits: what has some is not
/// stemmed.
pub(super) fn no_rule_ends(word: &[u8]) -> bool {
    match word {
        [
            ..,
            b'a' | b'b' | b'f' | b'h' | b'j' | b'k' | b'o' | b'p' | b'q' | b'u' | b'v' | b'w' | b'x' | b'z',
        ] => true,
        // -ing, -ed, -er, -ator, -ion, -ant, -ent, -ism, -ic
        [.., before, b'g'] => *before != b'n',
        [.., before, b'd' | b'r'] => !matches!(before, b'e' | b'o'),
        [.., before, b'n'] => *before != b'o',
        [.., before, b't'] => *before != b'n',
        [.., before, b'm'] => *before != b's',
        [.., before, b'c'] => *before != b'i',
        // -al, -ful, -ll
        [.., before, b'l'] => !matches!(before, b'a' | b'u' | b'l'),
        // y after a vowel stays.
        [.., before, b'y'] => matches!(before, b'a' | b'e' | b'o' | b'u'),
        // -ness, -ous; other plurals.
        [.., first, b's', b's'] => *first != b'e',
        [.., first, b'u', b's'] => *first != b'o',
        _ => false,
    }
}

/// Where a word is stemmed; longer words than fit are cut.
#[derive(Debug)]
pub(super) struct Buffer {
    /// Zeros, then the word; `Y` is a `y` that counts as a consonant.
    bytes: [u8; START + LONGEST_TOKEN],
    end: usize,
    /// Where the first and the second region begin: after the first consonant that follows a vowel, and again from there.
    first: usize,
    second: usize,
    /// A bit for each vowel of the word as it came; what stands before an ending is as it came.
    vowels: u64,
    has_consonant_y: bool,
}

/// Where the word stands: before it is room for the longest ending.
const START: usize = 8;

impl Default for Buffer {
    fn default() -> Self {
        Self {
            bytes: [0; START + LONGEST_TOKEN],
            end: START,
            first: 0,
            second: 0,
            vowels: 0,
            has_consonant_y: false,
        }
    }
}

impl Buffer {
    fn take(&mut self, word: &[u8]) {
        let word = word.get(..LONGEST_TOKEN).unwrap_or(word);
        self.end = START + word.len();
        if let Some(place) = self.bytes.get_mut(START..self.end) {
            place.copy_from_slice(word);
        }
        self.has_consonant_y = false;
    }

    fn word(&self) -> &[u8] {
        self.bytes.get(START..self.end).unwrap_or_default()
    }

    fn length(&self) -> usize {
        self.end - START
    }

    fn stem(&mut self) -> &[u8] {
        if self.has_consonant_y {
            for byte in self.bytes.iter_mut().filter(|byte| **byte == b'Y') {
                *byte = b'y';
            }
        }
        self.word()
    }

    fn at(&self, place: usize) -> u8 {
        self.bytes.get(place).copied().unwrap_or(0)
    }

    /// The byte so many places before the end; 0 before the beginning.
    fn back(&self, distance: usize) -> u8 {
        self.at(self.end.wrapping_sub(distance))
    }

    /// The last eight letters as a number; zeros stand before the word.
    fn tail(&self) -> u64 {
        let tail = self.bytes.get(..self.end).and_then(<[u8]>::last_chunk);
        tail.map_or(0, |tail| u64::from_be_bytes(*tail))
    }

    /// Whether a vowel stands before that place.
    fn has_vowel_before(&self, end: usize) -> bool {
        self.vowels & below(end - START) != 0
    }

    /// Puts other letters in place of the last ones.
    fn replace(&mut self, length: usize, with: &[u8]) {
        let start = self.end - length;
        for (to, from) in self.bytes.iter_mut().skip(start).zip(with) {
            *to = *from;
        }
        self.end = (start + with.len()).min(self.bytes.len());
    }

    fn exception(&mut self) -> bool {
        const LONGEST: usize = 6;
        if self.length() > LONGEST {
            return false;
        }
        let Some((word, stem, _)) = EXCEPTIONS.of_word(self.tail()) else {
            return false;
        };
        self.replace(word.length, stem);
        true
    }

    fn is_invariant(&self) -> bool {
        (6..=7).contains(&self.length()) && INVARIANT_AFTER_PLURAL.of_word(self.tail()).is_some()
    }

    /// Tells vowels from consonants and finds the regions.
    fn mark(&mut self) {
        let end = self.end;
        let (mut vowels, mut ys) = (0_u64, 0_u64);
        let length = self.length();
        let (eights, _) = self.bytes.get(START..).unwrap_or_default().as_chunks();
        for (eight, place) in eights.iter().zip((0..length).step_by(8)) {
            let eight = Eight::of(*eight);
            let y = eight.bits_of(b"y");
            ys |= y << place;
            vowels |= (eight.bits_of(b"aeiou") | y) << place;
        }
        vowels &= below(length);
        if ys & below(length) != 0 {
            vowels = self.mark_consonant_ys(vowels);
        }
        self.vowels = vowels;
        // Consonants after a vowel: a region begins behind each of the first two.
        let borders = vowels << 1 & !vowels & below(end - START);
        let region = |borders: u64| match borders {
            0 => end,
            _ => START + 1 + borders.trailing_zeros() as usize,
        };
        let beginning = match self.at(START) {
            b'g' | b'c' | b'a' => BEGINNINGS.iter().find(|known| self.word().starts_with(known)),
            _ => None,
        };
        (self.first, self.second) = match beginning {
            Some(known) => (START + known.len(), region(borders & !below(known.len() + 1))),
            None => (region(borders), region(borders & borders.wrapping_sub(1))),
        };
    }

    /// A `y` at the beginning or after a vowel is a consonant; answers with the vowels that are left.
    fn mark_consonant_ys(&mut self, mut vowels: u64) -> u64 {
        let word = self.bytes.get_mut(START..self.end).unwrap_or_default();
        for (place, byte) in (0..64).zip(word).filter(|(_, byte)| **byte == b'y') {
            if (vowels << 1 | 1) >> place & 1 == 1 {
                vowels &= !(1 << place);
                *byte = b'Y';
                self.has_consonant_y = true;
            }
        }
        vowels
    }

    fn plural(&mut self) {
        const SSES: Ending = ending(b"sses");
        const IES: Ending = ending(b"ies");
        const IED: Ending = ending(b"ied");
        let tail = self.tail();
        if SSES.ends(tail) {
            self.replace(2, b"");
        } else if IES.ends(tail) || IED.ends(tail) {
            self.replace(3, if self.length() > 4 { b"i" } else { b"ie" });
        } else if self.back(1) == b's'
            && !matches!(self.back(2), b's' | b'u')
            && self.has_vowel_before(self.end - 2)
        {
            self.replace(1, b"");
        }
    }

    fn past_and_gerund(&mut self) {
        const KEPT: [Ending; 2] = [ending(b"eedly"), ending(b"eed")];
        const TAKEN: [Ending; 4] = [ending(b"ingly"), ending(b"edly"), ending(b"ing"), ending(b"ed")];
        let tail = self.tail();
        if let Some(found) = KEPT.iter().find(|ending| ending.ends(tail)) {
            if self.end - found.length >= self.first {
                self.replace(found.length, b"ee");
            }
            return;
        }
        let found = TAKEN.iter().find(|ending| ending.ends(tail));
        if let Some(found) = found.filter(|found| self.has_vowel_before(self.end - found.length)) {
            self.replace(found.length, b"");
            self.mend();
        }
    }

    /// Gives a word that lost its ending back what the ending took.
    fn mend(&mut self) {
        let (last, before) = (self.back(1), self.back(2));
        if matches!((before, last), (b'a', b't') | (b'b', b'l') | (b'i', b'z')) {
            self.replace(0, b"e");
        } else if last == before
            && matches!(last, b'b' | b'd' | b'f' | b'g' | b'm' | b'n' | b'p' | b'r' | b't')
        {
            self.replace(1, b"");
        } else if self.end == self.first && self.ends_short(self.end) {
            self.replace(0, b"e");
        }
    }

    /// Whether what stands before `end` ends in a short syllable.
    fn ends_short(&self, end: usize) -> bool {
        // Before the word stand zeros, which are no letters.
        match (self.at(end - 3), self.at(end - 2), self.at(end - 1)) {
            (0, vowel, last) => vowel != 0 && is_vowel(vowel) && !is_vowel(last),
            (before, vowel, last) => {
                !is_vowel(before) && is_vowel(vowel) && !is_vowel(last) && !matches!(last, b'w' | b'x' | b'Y')
            }
        }
    }

    fn final_y(&mut self) {
        if self.length() > 2 && matches!(self.back(1), b'y' | b'Y') && !is_vowel(self.back(2)) {
            self.replace(1, b"i");
        }
    }

    /// The longest ending that fits decides; when its condition fails, nothing happens.
    #[inline]
    fn replace_in(&mut self, region: usize, step: &Step) {
        // No ending is shorter than two letters.
        if region + 2 <= self.end
            && let Some((ending, with, condition)) = step.find(self.tail())
            && self.end - ending.length >= region
            && self.holds(*condition, self.end - ending.length)
        {
            self.replace(ending.length, with);
        }
    }

    /// Whether the condition of a rule holds whose ending starts there.
    fn holds(&self, condition: Condition, start: usize) -> bool {
        let before = self.at(start - 1);
        match condition {
            Always => true,
            AfterL => before == b'l',
            AfterLi => matches!(
                before,
                b'c' | b'd' | b'e' | b'g' | b'h' | b'k' | b'm' | b'n' | b'r' | b't'
            ),
            InSecond => start >= self.second,
            InSecondAfterSOrT => start >= self.second && matches!(before, b's' | b't'),
        }
    }

    fn final_e_or_l(&mut self) {
        let last = self.end - 1;
        let deletes = match self.at(last) {
            b'e' => last >= self.second || (last >= self.first && !self.ends_short(last)),
            b'l' => last >= self.second && self.back(2) == b'l',
            _ => false,
        };
        if deletes {
            self.replace(1, b"");
        }
    }
}

/// Eight letters, each looked at in the same steps.
#[derive(Clone, Copy)]
struct Eight {
    letters: u64,
    /// The high bit of each byte that is ASCII.
    ascii: u64,
}

impl Eight {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = Self::ONES << 7;

    const fn of(bytes: [u8; 8]) -> Self {
        let bytes = u64::from_le_bytes(bytes);
        Self {
            letters: bytes & !Self::HIGH,
            ascii: !bytes & Self::HIGH,
        }
    }

    /// A bit for each of the eight that is one of these letters, the first one lowest.
    #[inline]
    fn bits_of(self, letters: &[u8]) -> u64 {
        // What is left of an equal byte is 0, and only 0 leaves the high bit.
        let one = |letter: &u8| Self::HIGH - (self.letters ^ (Self::ONES * u64::from(*letter)));
        let found = letters.iter().fold(0, |found, letter| found | one(letter));
        // The product brings the first bit of each byte into the highest byte.
        ((found & self.ascii) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }
}

const fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

/// The bits of so many letters.
const fn below(count: usize) -> u64 {
    match count {
        0..64 => (1 << count) - 1,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rust_stemmers::{Algorithm, Stemmer};

    fn ours(word: &str) -> String {
        String::from_utf8(stem(word, &mut Buffer::default()).to_vec()).unwrap()
    }

    #[test]
    fn a_word_longer_than_any_term_is_cut_and_words_of_other_letters_stay_whole() {
        assert_eq!(ours(&"a".repeat(100)).len(), LONGEST_TOKEN);
        assert_eq!(
            ours("łódźing"),
            Stemmer::create(Algorithm::English).stem("łódźing")
        );
        assert_eq!(ours("aħ"), "aħ");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn it_gives_the_stem_of_the_library(
            word in "[a-z]{1,12}|[bcdglmnrstwxy]{0,3}[aeiouy]{1,2}[a-z]{0,5}(ization|ational|fulness|ousness|iveness|tional|biliti|lessli|entli|ation|alism|aliti|ousli|iviti|fulli|enci|anci|abli|izer|ator|alli|bli|ogi|li|alize|icate|iciti|ative|ical|ness|ful|ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic|eedly|eed|ingly|edly|ing|ed|sses|ies|ied|s|y|e|l){0,2}|(gener|commun|arsen)[a-z]{0,6}|skis|skies|dying|lying|tying|idly|gently|ugly|early|only|singly|sky|news|howe|atlas|cosmos|bias|andes|(in|out|can|her|ear)(n|r)?ings?|(pro|ex|suc)ceeds?"
        ) {
            let library = Stemmer::create(Algorithm::English);
            prop_assert_eq!(ours(&word), library.stem(&word).into_owned(), "{}", word);
        }
    }
}
