//! The vocabulary of `tokenizer.json`: its scripts, its unknown token, and what its rules may do to a text's length.
//! Knows no tokenizing.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::error::{ModelError, Result};
use crate::tokens::FILE;

/// How much longer the normalising rules may make a text.
const MOST_GROWTH: usize = 64;

/// What a tokenizer's file says, the parts that matter here.
#[derive(Debug, Deserialize)]
pub(crate) struct Vocabulary {
    model: Model,
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    decoder: Value,
}

#[derive(Debug, Deserialize)]
struct Model {
    #[serde(default)]
    vocab: Words,
    unk_token: Option<String>,
    unk_id: Option<u32>,
}

/// The tokens, from a map of token to id or a list of token and score.
#[derive(Debug, Default)]
struct Words(Vec<String>);

impl Vocabulary {
    /// Reads the file.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(|error| ModelError::unreadable(FILE, error))
    }

    /// The tokens; those of a byte-level vocabulary are turned back into the text they stand for.
    pub(crate) fn tokens(&self) -> Vec<String> {
        let level = [&self.pre_tokenizer, &self.decoder];
        if level
            .iter()
            .any(|part| types(part).any(|name| name == "ByteLevel"))
        {
            self.model
                .vocab
                .0
                .iter()
                .filter_map(|token| from_bytes(token))
                .collect()
        } else {
            self.model.vocab.0.clone()
        }
    }

    /// The id of the unknown token.
    pub(crate) fn unknown(&self, ids: &HashMap<String, u32>) -> Option<u32> {
        let named = self
            .model
            .unk_token
            .as_ref()
            .and_then(|token| ids.get(token).copied());
        named.or(self.model.unk_id)
    }

    /// That no chain of replacements makes a long text out of a short one: each may multiply what the last one left.
    pub(crate) fn check_growth(&self) -> Result<()> {
        let mut growth = 1_usize;
        for rule in [&self.normalizer, &self.pre_tokenizer] {
            for part in parts(rule) {
                if let Some(content) = part.get("content").and_then(Value::as_str) {
                    growth = growth.saturating_mul(content.chars().count().max(1));
                }
                if let Some(prepended) = part.get("prepend").and_then(Value::as_str) {
                    growth = growth.saturating_mul(prepended.chars().count().max(1));
                }
            }
        }
        if growth > MOST_GROWTH {
            let why = format!("its rules may make a text more than {MOST_GROWTH} times as long");
            return Err(ModelError::unsupported(FILE, why));
        }
        Ok(())
    }
}

/// The middle one of the tokens' lengths in characters, at least one.
pub(crate) fn median_length(vocabulary: &HashMap<String, u32>) -> usize {
    let mut lengths: Vec<usize> = vocabulary.keys().map(|token| token.chars().count()).collect();
    lengths.sort_unstable();
    let upper = lengths.get(lengths.len() / 2).copied().unwrap_or(1);
    let lower = lengths
        .get(lengths.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or(1);
    usize::midpoint(lower, upper).max(1)
}

/// A rule and the rules of a sequence, in order.
fn parts(rule: &Value) -> Vec<&Value> {
    let mut found = vec![rule];
    for list in ["normalizers", "pretokenizers", "decoders"] {
        let below = rule.get(list).and_then(Value::as_array);
        found.extend(below.into_iter().flatten().flat_map(parts));
    }
    found
}

fn types(rule: &Value) -> impl Iterator<Item = &str> {
    parts(rule)
        .into_iter()
        .filter_map(|part| part.get("type").and_then(Value::as_str))
}

/// The text of a byte-level token, in which every byte is written as a printable character; `None` for half a character.
fn from_bytes(token: &str) -> Option<String> {
    let table = byte_letters();
    let bytes: Option<Vec<u8>> = token.chars().map(|letter| table.get(&letter).copied()).collect();
    String::from_utf8(bytes?).ok()
}

/// The printable bytes as themselves, the others from U+0100 on: the table that GPT-2 introduced.
fn byte_letters() -> BTreeMap<char, u8> {
    let printable = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let hidden = (0..=u8::MAX).filter(|byte| !printable(*byte));
    let hidden = hidden.zip('\u{100}'..).map(|(byte, letter)| (letter, byte));
    let shown = (0..=u8::MAX).filter(|byte| printable(*byte));
    shown.map(|byte| (char::from(byte), byte)).chain(hidden).collect()
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Both;
        impl<'de> Visitor<'de> for Both {
            type Value = Words;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a map or a list of tokens")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Words, A::Error> {
                let mut words = Vec::new();
                while let Some((word, IgnoredAny)) = map.next_entry()? {
                    words.push(word);
                }
                Ok(Words(words))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Words, A::Error> {
                let mut words = Vec::new();
                while let Some((word, IgnoredAny)) = list.next_element()? {
                    words.push(word);
                }
                Ok(Words(words))
            }
        }
        deserializer.deserialize_any(Both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ModelErrorCode;

    fn read(text: &str) -> Vocabulary {
        Vocabulary::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn tokens_are_read_from_maps_and_from_lists() {
        assert_eq!(read(r#"{"model":{"vocab":{"a":0,"b":1}}}"#).tokens(), ["a", "b"]);
        assert_eq!(
            read(r#"{"model":{"vocab":[["a",-1.5],["b",0]]}}"#).tokens(),
            ["a", "b"]
        );
        assert!(Vocabulary::read(br#"{"model":{"vocab":5}}"#).is_err());
    }

    #[test]
    fn byte_level_tokens_are_read_as_the_text_they_stand_for() {
        let text = r#"{"model":{"vocab":{"Ġthe":0,"Ð²Ð¾":1,"Ð":2}},"decoder":{"type":"ByteLevel"}}"#;
        assert_eq!(read(text).tokens(), [" the", "во"]);
    }

    #[test]
    fn a_chain_of_replacements_may_not_multiply_a_text() {
        let rule = |content: &str| {
            format!(r#"{{"type":"Replace","pattern":{{"String":"a"}},"content":"{content}"}}"#)
        };
        let with = |rules: &[String]| {
            let rules = rules.join(",");
            read(&format!(
                r#"{{"model":{{}},"normalizer":{{"type":"Sequence","normalizers":[{rules}]}}}}"#
            ))
        };
        with(&[rule("▁"), rule("b")]).check_growth().unwrap();
        let doubled = vec![rule("aa"); 40];
        assert_eq!(
            with(&doubled).check_growth().unwrap_err().code,
            ModelErrorCode::Unsupported
        );
        assert_eq!(
            with(&[rule(&"a".repeat(65))]).check_growth().unwrap_err().code,
            ModelErrorCode::Unsupported
        );
    }

    #[test]
    fn the_median_lies_between_the_middle_two() {
        let of = |words: &[&str]| median_length(&words.iter().map(|word| ((*word).to_owned(), 0)).collect());
        assert_eq!(of(&["a", "bb", "cccc", "ddddd"]), 3);
        assert_eq!(of(&["a", "bb", "cccc"]), 2);
        assert_eq!(of(&[]), 1);
    }
}
