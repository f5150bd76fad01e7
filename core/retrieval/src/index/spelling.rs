//! The words of all names, found although they are misspelt by one letter. Knows nothing of documents and terms.
//!
//! A single edit (a letter too many, too few, another, or two neighbours swapped) leaves one half of a word as it was. So each
//! word stands under its first and under its second half, and a misspelt word is looked up by the halves it may have in
//! common with a right one: seven questions, however many words there are. (Pigeonhole on edits: Navarro, A Guided Tour to
//! Approximate String Matching, ACM Computing Surveys 33, 2001, section 8.2.)

use super::radix::Radix;
use super::trie::Trie;
use super::warm;
use crate::text::hash::hash;

/// Shorter words are too near to each other.
pub(crate) const LETTERS_LEAST: usize = 5;
/// Longer ones are not words.
pub(crate) const LETTERS_MOST: usize = 32;

const END: u32 = u32::MAX;

/// Words with how many names have each.
#[derive(Debug, Clone)]
pub(crate) struct Spellings {
    words: Radix<Spelling>,
    halves: Trie,
    /// The first free place, each of which names the next.
    free: u32,
    used: u32,
}

#[derive(Debug, Clone, Default)]
struct Spelling {
    word: Word,
    /// How many names have the word; in a free place, the next free place.
    count: u32,
}

/// A word; most are short enough to need no memory of their own.
#[derive(Debug, Clone)]
enum Word {
    Short { length: u8, text: [u8; SHORT_MOST] },
    Long(Box<Box<str>>),
}

const SHORT_MOST: usize = 14;

impl Default for Word {
    fn default() -> Self {
        Self::Short {
            length: 0,
            text: [0; SHORT_MOST],
        }
    }
}

impl From<&str> for Word {
    fn from(word: &str) -> Self {
        let mut text = [0; SHORT_MOST];
        match (text.get_mut(..word.len()), u8::try_from(word.len())) {
            (Some(start), Ok(length)) => {
                start.copy_from_slice(word.as_bytes());
                Self::Short { length, text }
            }
            _ => Self::Long(Box::new(word.into())),
        }
    }
}

impl Word {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Short { length, text } => text.get(..usize::from(*length)).unwrap_or_default(),
            Self::Long(word) => word.as_bytes(),
        }
    }
}

impl Default for Spellings {
    fn default() -> Self {
        Self {
            words: Radix::default(),
            halves: Trie::default(),
            free: END,
            used: 0,
        }
    }
}

impl Spellings {
    /// Whether such a word is kept here.
    pub(crate) fn keeps(word: &str) -> bool {
        word.len() >= LETTERS_LEAST
            && word.chars().all(char::is_alphabetic)
            && (LETTERS_LEAST..=LETTERS_MOST).contains(&word.chars().count())
    }

    /// Looks at what leads to words that are about to be counted, and at the words.
    pub(crate) fn warm<'a>(&self, words: impl Iterator<Item = &'a str>) {
        let likely = self.halves.likely(words.map(Halves::whole).enumerate());
        likely
            .into_iter()
            .for_each(|(_, number)| warm::ask(self.bytes(number)));
    }

    /// Counts a word that is kept here once more; answers the number it is taken out by.
    pub(crate) fn insert(&mut self, word: &str) -> u32 {
        let number = self.number(word).unwrap_or_else(|| self.allot(word));
        if let Some(spelling) = self.words.get_mut(number) {
            spelling.count = spelling.count.saturating_add(1);
        }
        number
    }

    /// Counts a word once less, and forgets it with the last.
    pub(crate) fn remove(&mut self, number: u32) {
        let free = self.free;
        let Some(spelling) = self.words.get_mut(number) else {
            return;
        };
        spelling.count = spelling.count.saturating_sub(1);
        if spelling.count == 0 {
            let word = std::mem::take(&mut spelling.word);
            spelling.count = free;
            self.free = number;
            let word = std::str::from_utf8(word.bytes()).unwrap_or_default();
            for key in Halves::of(word).keys() {
                self.halves.remove(key, number);
            }
        }
    }

    /// The word with a number.
    pub(crate) fn word(&self, number: u32) -> &str {
        std::str::from_utf8(self.bytes(number)).unwrap_or_default()
    }

    fn bytes(&self, number: u32) -> &[u8] {
        self.words
            .get(number)
            .map_or(&[], |spelling| spelling.word.bytes())
    }

    /// Visits the words that one edit makes of this one; the same word may be visited twice.
    pub(crate) fn near(&self, misspelt: &str, visit: &mut dyn FnMut(&str)) {
        let letters = misspelt.chars().count();
        if !(LETTERS_LEAST - 1..=LETTERS_MOST + 1).contains(&letters) {
            return;
        }
        for wanted in (letters - 1)..=(letters + 1) {
            let first = wanted / 2;
            self.under(&Halves::first(wanted, until(misspelt, first)), misspelt, visit);
            let second = wanted - first;
            self.under(
                &Halves::second(wanted, from(misspelt, letters - second)),
                misspelt,
                visit,
            );
        }
        // Two letters swapped across the middle change both halves.
        let middle = letters / 2;
        let mut swapped: Vec<char> = misspelt.chars().collect();
        if let Some([left, right]) = swapped.get_mut(middle - 1..=middle) {
            std::mem::swap(left, right);
            let half: String = swapped.iter().take(middle).collect();
            self.under(&Halves::first(letters, &half), misspelt, visit);
        }
    }

    fn under(&self, key: &u64, misspelt: &str, visit: &mut dyn FnMut(&str)) {
        self.halves.any(*key, &mut |number| {
            let word = self.word(number);
            if is_one_edit(word, misspelt) {
                visit(word);
            }
            false
        });
    }

    fn number(&self, word: &str) -> Option<u32> {
        let mut found = None;
        self.halves.any(Halves::whole(word), &mut |number| {
            let same = self.bytes(number) == word.as_bytes();
            if same {
                found = Some(number);
            }
            same
        });
        found
    }

    fn allot(&mut self, word: &str) -> u32 {
        let number = if self.free == END { self.used } else { self.free };
        if let Some(spelling) = self.words.get_mut(number) {
            if number == self.used {
                self.used += 1;
            } else {
                self.free = spelling.count;
            }
            *spelling = Spelling {
                word: word.into(),
                count: 0,
            };
        }
        for key in Halves::of(word).keys() {
            self.halves.insert(key, number);
        }
        number
    }

    /// Whether no name has any word.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.halves.is_empty()
    }
}

/// What a word is found under.
struct Halves {
    first: u64,
    second: u64,
    /// To find the word itself, however many share a half of it.
    whole: u64,
}

impl Halves {
    fn of(word: &str) -> Self {
        let letters = word.chars().count();
        Self {
            first: Self::first(letters, until(word, letters / 2)),
            second: Self::second(letters, from(word, letters / 2)),
            whole: Self::whole(word),
        }
    }

    fn whole(word: &str) -> u64 {
        key(0, word, 0)
    }

    fn first(letters: usize, half: &str) -> u64 {
        key(letters, half, 0)
    }

    fn second(letters: usize, half: &str) -> u64 {
        key(letters, half, 1)
    }

    fn keys(&self) -> [u64; 3] {
        [self.first, self.second, self.whole]
    }
}

/// Words of other lengths, and the other halves, lie under other keys.
fn key(letters: usize, half: &str, side: u64) -> u64 {
    hash(half) ^ (2 * letters as u64 + side).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The first so many letters.
fn until(word: &str, letters: usize) -> &str {
    let end = word.char_indices().nth(letters).map_or(word.len(), |(at, _)| at);
    word.get(..end).unwrap_or(word)
}

/// The letters from that one on.
fn from(word: &str, letter: usize) -> &str {
    let start = word.char_indices().nth(letter).map_or(word.len(), |(at, _)| at);
    word.get(start..).unwrap_or_default()
}

/// Whether one edit leads from one word to the other.
fn is_one_edit(left: &str, right: &str) -> bool {
    let same = left
        .chars()
        .zip(right.chars())
        .take_while(|(one, other)| one == other);
    let front: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    let (left, right) = (
        left.get(front..).unwrap_or_default(),
        right.get(front..).unwrap_or_default(),
    );
    let (without_left, without_right) = (behind_first(left), behind_first(right));
    let swapped = || {
        let (mut one, mut other) = (left.chars(), right.chars());
        let firsts = (one.next(), one.next(), other.next(), other.next());
        matches!(firsts, (Some(a), Some(b), Some(c), Some(d)) if a == d && b == c)
            && one.as_str() == other.as_str()
    };
    match (without_left, without_right) {
        (None, None) => false,
        (None, Some(rest)) | (Some(rest), None) => rest.is_empty(),
        (Some(one), Some(other)) => one == other || one == right || left == other || swapped(),
    }
}

/// What stands behind the first letter.
fn behind_first(word: &str) -> Option<&str> {
    let mut letters = word.chars();
    letters.next().map(|_| letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(spellings: &Spellings, misspelt: &str) -> Vec<String> {
        let mut found = Vec::new();
        spellings.near(misspelt, &mut |word| found.push(word.to_owned()));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Every word that one edit makes of another.
    fn edited(word: &str) -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        let mut all = Vec::new();
        for at in 0..=letters.len() {
            let (front, back) = letters.split_at(at);
            all.push([front, &['x'], back].concat());
            if let [gone, rest @ ..] = back {
                all.push([front, rest].concat());
                if *gone != 'x' {
                    all.push([front, &['x'], rest].concat());
                }
                if let [next, rest @ ..] = rest
                    && gone != next
                {
                    all.push([front, &[*next, *gone], rest].concat());
                }
            }
        }
        all.into_iter()
            .map(|letters| letters.into_iter().collect())
            .collect()
    }

    proptest! {
        #[test]
        fn every_single_edit_is_found_and_nothing_else(words in proptest::collection::hash_set("[a-eé日]{5,9}", 1..20)) {
            let mut spellings = Spellings::default();
            words.iter().for_each(|word| { spellings.insert(word); });
            for word in &words {
                for misspelt in edited(word).into_iter().filter(|misspelt| misspelt != word) {
                    let found = near(&spellings, &misspelt);
                    prop_assert!(found.contains(word), "{word} as {misspelt}");
                    for other in found {
                        prop_assert!(edited(&other).contains(&misspelt) || is_one_edit(&other, &misspelt));
                    }
                }
            }
        }

        #[test]
        fn what_was_inserted_and_removed_leaves_nothing(words in proptest::collection::vec("[ab]{5,6}", 0..30)) {
            let mut spellings = Spellings::default();
            let numbers: Vec<u32> = words.iter().map(|word| spellings.insert(word)).collect();
            for (word, number) in words.iter().zip(&numbers) {
                prop_assert_eq!(spellings.word(*number), word);
            }
            numbers.iter().for_each(|number| spellings.remove(*number));
            prop_assert!(spellings.is_empty());
            prop_assert!(spellings.used as usize <= words.len());
        }
    }

    #[test]
    fn two_edits_are_too_many_and_short_words_are_left_alone() {
        let mut spellings = Spellings::default();
        spellings.insert("issue");
        spellings.insert("internationalisation");
        assert_eq!(near(&spellings, "isue"), ["issue"]);
        assert_eq!(near(&spellings, "sisue"), ["issue"]);
        assert!(near(&spellings, "iseu").is_empty());
        assert_eq!(near(&spellings, "internationalsation"), ["internationalisation"]);
        assert!(near(&spellings, "").is_empty());
        assert!(!Spellings::keeps("list") && !Spellings::keeps("sha256") && Spellings::keeps("größe"));
    }
}
