//! What is said of texts that a model does not know, and of what it knows. Must not know how they are ranked.

use super::wire::vectors::Warning;
use crate::error::{Error, ErrorCode, Result};
use crate::index::{Index, Model};
use crate::rank::{Literacy, Method, are_mostly_other};

/// The code of the only language that a text is told to be in or not.
const ENGLISH: &str = "en";

/// Whether English is all that a model of these languages knows.
pub(super) fn is_english(languages: &[String]) -> Result<bool> {
    for language in languages {
        let code = main_part(language);
        if !(2..=3).contains(&code.len()) || !code.bytes().all(|letter| letter.is_ascii_alphabetic()) {
            let message = format!(
                "`{language}` is no code of a language; name languages by ISO 639 codes such as `{ENGLISH}`"
            );
            return Err(Error::new(ErrorCode::InvalidRequest, message));
        }
    }
    let is_english = |language: &String| {
        let code = main_part(language);
        code.eq_ignore_ascii_case(ENGLISH) || code.eq_ignore_ascii_case("eng")
    };
    Ok(!languages.is_empty() && languages.iter().all(is_english))
}

/// The language of a code that may name a country as well (`en-GB`).
fn main_part(language: &str) -> &str {
    language.split(['-', '_']).next().unwrap_or_default()
}

/// One warning for queries, or else for a catalog, of which the model knows too little.
pub(super) fn warning(index: &Index, queries: &[&str], method: Method) -> Option<Warning> {
    let vectors = index.vectors();
    let model = vectors.model()?;
    let of_queries: Vec<Literacy> = queries.iter().map(|query| Literacy::of(index, query)).collect();
    let (unknown, asked) = if of_queries.contains(&Literacy::Script) {
        (Unknown::Script, true)
    } else if vectors.foreign() * 2 > vectors.wanted() {
        (Unknown::Script, false)
    } else if of_queries.contains(&Literacy::Language) {
        (Unknown::Language, true)
    } else if model.is_english && are_mostly_other(index) {
        (Unknown::Language, false)
    } else {
        return None;
    };
    Some(unknown.warning(model, method, asked))
}

/// What a model does not know of a text.
#[derive(Clone, Copy)]
enum Unknown {
    Script,
    Language,
}

impl Unknown {
    /// The warning; `asked` where it is of a query, not of what is searched.
    fn warning(self, model: &Model, method: Method, asked: bool) -> Warning {
        let id = &model.id;
        let (code, what, known, consequence) = match self {
            Self::Script => (
                ErrorCode::UnknownScript,
                format!("mostly in scripts that the model `{id}` does not know"),
                "them",
                "so words decide;",
            ),
            Self::Language => (
                ErrorCode::UnknownLanguage,
                format!("in another language than English, the only one that the model `{id}` knows"),
                "it",
                "so meaning counts little beside words;",
            ),
        };
        let text = if asked {
            "this query is"
        } else {
            "most texts of this catalog are"
        };
        let remedy = match (method, asked) {
            (Method::Semantic, _) => "and meaning alone decides; search with method `hybrid`, or",
            (Method::Hybrid | Method::Lexical, true) => consequence,
            // A query that the model knows counts whole.
            (Method::Hybrid | Method::Lexical, false) => {
                "so what it makes of them is a guess beside their words;"
            }
        };
        Warning {
            code,
            message: format!("{text} {what}, {remedy} use a model that knows {known}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(languages: &[&str]) -> Result<bool> {
        let languages: Vec<String> = languages.iter().map(|language| (*language).to_owned()).collect();
        is_english(&languages)
    }

    #[test]
    fn a_model_is_english_when_it_names_no_other_language() {
        for languages in [&["en"][..], &["EN-us", "eng"], &["en_GB"]] {
            assert!(judged(languages).unwrap(), "{languages:?}");
        }
        for languages in [&[][..], &["de"], &["en", "de"], &["enm"]] {
            assert!(!judged(languages).unwrap(), "{languages:?}");
        }
    }

    #[test]
    fn what_is_no_code_of_a_language_is_refused() {
        for language in ["", "English", "e", "e1", "-en", "日本"] {
            assert!(judged(&["en", language]).is_err(), "{language}");
        }
    }
}
