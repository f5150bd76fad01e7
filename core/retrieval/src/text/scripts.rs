//! In which scripts a text is written. Knows nothing of languages and models.

use unicode_script::{Script, UnicodeScript};

/// A set of scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scripts {
    known: Vec<Script>,
}

impl Scripts {
    /// The set of these names: ISO 15924 codes (`Latn`) or names of Unicode (`Latin`), in any case. `Err` is the first that is neither.
    pub fn named(names: &[String]) -> Result<Self, &str> {
        let mut known = Vec::with_capacity(names.len());
        for name in names {
            known.push(script(name).ok_or(name.as_str())?);
        }
        Ok(Self { known })
    }

    /// Whether most letters of a text are in other scripts. Digits, signs and emoji are in none.
    pub fn are_foreign_to(&self, text: &str) -> bool {
        if text.is_ascii() && self.known.contains(&Script::Latin) {
            return false;
        }
        let (mut own, mut other) = (0u32, 0u32);
        for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
            match letter.script() {
                Script::Common | Script::Inherited | Script::Unknown => {}
                script if self.known.contains(&script) => own += 1,
                _ => other += 1,
            }
        }
        other > own
    }
}

fn script(name: &str) -> Option<Script> {
    let mut capitalised = String::with_capacity(name.len());
    let mut starts = true;
    for letter in name.chars() {
        if starts {
            capitalised.extend(letter.to_uppercase());
        } else {
            capitalised.extend(letter.to_lowercase());
        }
        starts = letter == '_';
    }
    Script::from_short_name(&capitalised).or_else(|| Script::from_full_name(&capitalised))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(names: &[&str]) -> Scripts {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Scripts::named(&names).unwrap()
    }

    #[test]
    fn a_script_has_a_code_and_a_name_in_any_case() {
        assert_eq!(scripts(&["Latn", "hang"]), scripts(&["latin", "HANGUL"]));
        assert_eq!(
            Scripts::named(&["Latn".to_owned(), "Klingon".to_owned()]),
            Err("Klingon")
        );
    }

    #[test]
    fn most_letters_decide() {
        let latin = scripts(&["Latn"]);
        for own in [
            "open a pull request",
            "größe",
            "",
            "456 🙂",
            "кот is the Russian word",
            "C++ 日本",
        ] {
            assert_eq!(latin.are_foreign_to(own), own == "C++ 日本", "{own}");
        }
        for other in [
            "кассовый разрыв 2026",
            "검색해주세요",
            "日本の法令",
            "открыть issue",
        ] {
            assert!(latin.are_foreign_to(other), "{other}");
        }
        assert!(scripts(&["Cyrl"]).are_foreign_to("open a pull request"));
        assert!(!scripts(&["Latn", "Cyrl"]).are_foreign_to("открыть issue"));
    }
}
