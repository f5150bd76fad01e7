//! Makes letters equal that people take for equal: compatibility forms, case, accents.
//!
//! Must not know what a word is, nor a stop word. Marks that carry the sense of a script (Indic vowel signs, Thai,
//! kana voicing, the breve of й) stay; optional points of Hebrew and Arabic go.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::ascii::run;

/// Names compare equal in any casing or separator style: compatibility forms and case folded, accents off, letters
/// and digits only (`""` when there are none).
pub fn name_key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    fold_into(name, &mut key);
    key
}

/// Whether that is the [`name_key`] of a name.
pub fn has_name_key(name: &str, key: &str) -> bool {
    if name.is_ascii() {
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric);
        return letters.map(|byte| byte.to_ascii_lowercase()).eq(key.bytes());
    }
    name_key(name) == key
}

/// Appends the folded letters and digits of the text.
pub(super) fn fold_into(text: &str, out: &mut String) {
    let length = out.len();
    if text.is_ascii() {
        let (bytes, mut at) = (text.as_bytes(), 0);
        while at < bytes.len() {
            let end = run(bytes, at).0;
            out.push_str(text.get(at..end).unwrap_or_default());
            at = end + 1;
        }
        return out.get_mut(length..).unwrap_or_default().make_ascii_lowercase();
    }
    for c in text.chars() {
        match plain(c) {
            Some(folded) if is_word_character(folded) => out.push(folded),
            Some(_) => {}
            None => {
                out.truncate(length);
                return fold_any_into(text, out);
            }
        }
    }
}

/// The fold of a character that is only ever itself or one other, whatever stands beside it: ASCII, and the common
/// letters of Western Europe, Russian, Chinese, Japanese and Korean. Everything else takes the long way; the two ways
/// agree.
const fn plain(c: char) -> Option<char> {
    match c {
        '\0'..='\u{7F}' => Some(c.to_ascii_lowercase()),
        'À'..='Å' | 'à'..='å' => Some('a'),
        'Ç' | 'ç' => Some('c'),
        'È'..='Ë' | 'è'..='ë' => Some('e'),
        'Ì'..='Ï' | 'ì'..='ï' => Some('i'),
        'Ñ' | 'ñ' => Some('n'),
        'Ò'..='Ö' | 'Ø' | 'ò'..='ö' | 'ø' => Some('o'),
        'Ù'..='Ü' | 'ù'..='ü' => Some('u'),
        'А'..='Я' => char::from_u32(c as u32 + 32),
        'а'..='я' => Some(c),
        'Ё' | 'ё' => Some('е'),
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}' => Some(c),
        '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => Some(c),
        _ => None,
    }
}

fn fold_any_into(text: &str, out: &mut String) {
    let mut base = '\0';
    let kept = text.nfkd().filter(move |c| {
        if is_ignorable(*c) || !is_word_character(*c) {
            return false;
        }
        if is_combining_mark(*c) {
            return !is_accent(base, *c);
        }
        base = *c;
        true
    });
    // Lower, upper, lower is full case folding but for a handful of letters: ẞ → ß → SS → ss, ς → Σ → σ.
    let folded = kept
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .flat_map(plain_latin);
    out.extend(folded.nfc());
}

/// The text in compatibility form, without characters that have no look of their own.
pub(super) fn cleaned<'a>(text: &'a str, buffer: &'a mut String) -> &'a str {
    if text.chars().all(is_clean) {
        return text;
    }
    buffer.clear();
    buffer.extend(text.nfkc().filter(|c| !is_ignorable(*c)));
    buffer
}

/// Whether the character is its own compatibility form, whatever stands beside it.
const fn is_clean(c: char) -> bool {
    plain(c).is_some()
        // Letters of Western Europe; dashes, quotation marks and bullets of any text; Japanese punctuation.
        || matches!(c, '\u{C0}'..='\u{FF}' | '\u{2012}'..='\u{2015}' | '\u{2018}'..='\u{201F}' | '•' | '→')
        || matches!(c, '\u{3001}'..='\u{3002}' | '\u{3008}'..='\u{3011}')
}

/// Whether the character is part of a word: a letter, a digit, or a mark on one.
pub(super) fn is_word_character(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    // What has a plain fold is a letter; to ask the tables of Unicode takes longer.
    plain(c).is_some() || c.is_alphanumeric() || is_combining_mark(c)
}

/// Whether this mark on this letter may be left out without making another word.
const fn is_accent(base: char, mark: char) -> bool {
    match mark {
        // й and ў are letters of their own, and the Russian stemmer reads й.
        '\u{306}' => !matches!(base, 'и' | 'И' | 'у' | 'У'),
        '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' => true,
        '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}' => true,
        // Hebrew points and accents.
        '\u{591}'..='\u{5C7}' => true,
        // Arabic vowels; madda and hamza only on alef, where writers leave them out.
        '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{652}' | '\u{656}'..='\u{65F}' | '\u{670}' => true,
        '\u{6D6}'..='\u{6ED}' => true,
        '\u{653}'..='\u{655}' => matches!(base, 'ا'),
        _ => false,
    }
}

/// Letters that no decomposition leads to ASCII, written as people without the key write them.
fn plain_latin(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        'ø' => ('o', None),
        'đ' | 'ð' => ('d', None),
        'ħ' => ('h', None),
        'ł' => ('l', None),
        // Turkish has a capital for each of its two, and keyboards have one.
        'ı' => ('i', None),
        'ŧ' => ('t', None),
        c => (c, None),
    };
    std::iter::once(first).chain(second)
}

/// Characters without a look of their own (Unicode: default ignorable), and the Arabic stretch mark.
const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{640}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_six_spellings_of_a_name_have_one_key() {
        for name in [
            "createIssue",
            "CreateIssue",
            "create_issue",
            "create-issue",
            "create.issue",
            "Create Issue",
            "CREATE__ISSUE",
        ] {
            assert_eq!(name_key(name), "createissue", "{name}");
        }
    }

    #[test]
    fn a_name_without_letters_and_digits_has_no_key() {
        for name in ["", " ", "__", "🚀", "\u{200B}", "\0", "—"] {
            assert_eq!(name_key(name), "", "{name:?}");
        }
    }

    #[test]
    fn accents_and_case_fold_away() {
        for (name, key) in [
            ("Créer", "creer"),
            ("STRAẞE", "strasse"),
            ("straße", "strasse"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδός", "οδοσ"),
            ("ﬁle", "file"),
            ("ＡＰＩ", "api"),
            ("İstanbul", "istanbul"),
            ("ışık IŞIK", "isikisik"),
            ("Ørsted Łódź", "orstedlodz"),
            ("Ещё", "еще"),
            ("Đặng", "dang"),
            ("cafe\u{301}", "cafe"),
            ("1️⃣", "1"),
        ] {
            assert_eq!(name_key(name), key, "{name}");
        }
    }

    #[test]
    fn marks_that_make_another_word_stay() {
        assert_eq!(name_key("мой"), "мой");
        assert_eq!(name_key("が"), "が");
        assert_eq!(name_key("ｶﾞ"), "ガ");
        assert_eq!(name_key("हिन्दी"), "हिन्दी");
        assert_eq!(name_key("ที่นี่"), "ที่นี่");
        assert_eq!(name_key("שָׁלוֹם"), "שלום");
        assert_eq!(name_key("مُحَمَّد"), "محمد");
        assert_eq!(name_key("أحمد"), "احمد");
        assert_eq!(name_key("سؤال"), "سؤال");
        assert_eq!(name_key("한국어"), "한국어");
    }

    #[test]
    fn the_short_way_and_the_long_way_agree() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let text = c.to_string();
            let (mut long, mut buffer) = (String::new(), String::new());
            fold_any_into(&text, &mut long);
            assert_eq!(name_key(&text), long, "{c:?}");
            assert_eq!(
                is_word_character(c),
                c.is_alphanumeric() || is_combining_mark(c),
                "{c:?}"
            );
            if is_clean(c) {
                assert_eq!(text.nfkc().collect::<String>(), text, "{c:?}");
                assert!(!is_ignorable(c) && !is_combining_mark(c), "{c:?}");
                assert_eq!(cleaned(&text, &mut buffer), text);
            }
        }
    }

    #[test]
    fn folding_any_single_character_twice_is_folding_it_once() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let once = name_key(c.encode_utf8(&mut [0; 4]));
            assert_eq!(name_key(&once), once, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn a_key_is_its_own_key(name in any::<String>(), ascii in "[ -~]{0,9}") {
            prop_assert!(has_name_key(&ascii, &name_key(&ascii)));
            prop_assert!(!has_name_key(&ascii, &(name_key(&ascii) + "a")));
            let key = name_key(&name);
            prop_assert!(has_name_key(&name, &key));
            prop_assert_eq!(name_key(&key), key);
        }

        #[test]
        fn case_and_separators_do_not_change_a_key(words in prop::collection::vec("[a-z]{1,6}", 1..5)) {
            let key = words.concat();
            for separator in ["_", "-", ".", "/", " ", "__", ":"] {
                prop_assert_eq!(&name_key(&words.join(separator)), &key);
                prop_assert_eq!(&name_key(&words.join(separator).to_uppercase()), &key);
            }
        }
    }
}
