//! Text to token ids, cut to length before the work is done. Knows no weights and no prefixes.
//!
//! The tokenizer's own padding and truncation are overridden: MiniLM's file asks for 128 tokens for every text, however
//! short. A long text is cut before it is tokenised, so that a megabyte costs what a page costs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokenizers::{PostProcessor, Tokenizer, TruncationDirection};

use crate::error::{ModelError, Result};
use crate::vocabulary::{self, Vocabulary};

pub(crate) const FILE: &str = "tokenizer.json";
/// Bytes of a tokenizer that are read; the largest in use, of 250,000 pieces, has 17 MB.
pub(crate) const LIMIT: u64 = 128 << 20;
/// Characters that are tokenised at first for each token that is wanted; English has five.
const CHARACTERS: usize = 8;
/// Tokens beyond those wanted: what a cut changes lies among them.
const MARGIN: usize = 16;

/// A tokenizer, and how it is used for one model.
pub(crate) struct Tokens {
    tokenizer: Tokenizer,
    /// The most tokens of a text, the special ones included.
    most: usize,
    /// How many tokens the model has vectors for.
    rows: usize,
    reading: Use,
}

/// What an encoder wants of a text's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// With the special ones, as a BERT.
    Special,
    /// Without them, as a static table; with unknown ones or without.
    Plain { unknown: bool },
}

/// How a text is read for an encoder.
enum Use {
    /// A BERT: with the special tokens, so many.
    Special { added: usize },
    /// A static table: without them and without this one, and no more characters than this.
    Plain { dropped: Option<u32>, characters: usize },
}

impl Tokens {
    /// Reads `tokenizer.json`. `rows` is how many tokens the model has vectors for.
    pub(crate) fn read(bytes: &[u8], most: usize, rows: usize, wanted: Wanted) -> Result<Self> {
        let vocabulary = Vocabulary::read(bytes)?;
        vocabulary.check_growth()?;
        let mut tokenizer = guarded(|| Tokenizer::from_bytes(bytes).map_err(|error| error.to_string()))?
            .map_err(|error| ModelError::unreadable(FILE, error))?;
        tokenizer.with_padding(None);
        let added = tokenizer
            .get_post_processor()
            .map_or(0, |post| post.added_tokens(false));
        if wanted == Wanted::Special && most <= added {
            let why = format!("it adds {added} tokens to each text, and the model takes {most}");
            return Err(ModelError::mismatch(FILE, why));
        }
        tokenizer
            .with_truncation(None)
            .map_err(|error| ModelError::unreadable(FILE, error))?;
        let vocab = tokenizer.get_vocab(true);
        if let Some((token, id)) = vocab
            .iter()
            .find(|(_, id)| usize::try_from(**id).is_ok_and(|id| id >= rows))
        {
            let why = format!("token `{token}` has the id {id}, and the model has vectors for {rows}");
            return Err(ModelError::mismatch(FILE, why));
        }
        let reading = match wanted {
            Wanted::Special => Use::Special { added },
            Wanted::Plain { unknown } => Use::Plain {
                dropped: if unknown { None } else { vocabulary.unknown(&vocab) },
                // As the reference does: the length of the median token, for each token that is wanted.
                characters: most.saturating_mul(vocabulary::median_length(&vocab)),
            },
        };
        Ok(Self {
            tokenizer,
            most,
            rows,
            reading,
        })
    }

    /// The ids of a text.
    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>> {
        let ids = guarded(|| self.encoded(text))?.map_err(|error| ModelError::unreadable(FILE, error))?;
        // What a template adds is not in the vocabulary that was checked, nor in the number that it says it adds.
        let beyond = |id: &u32| usize::try_from(*id).is_ok_and(|id| id >= self.rows);
        if ids.len() > self.most || ids.iter().any(beyond) {
            return Err(ModelError::mismatch(
                FILE,
                "it adds tokens that the model has no vectors or no room for",
            ));
        }
        Ok(ids)
    }

    fn encoded(&self, text: &str) -> tokenizers::Result<Vec<u32>> {
        match self.reading {
            Use::Special { added } => {
                let mut encoding = self.begun(text)?;
                encoding.truncate(self.most.saturating_sub(added), 0, TruncationDirection::Right);
                let encoding = self.tokenizer.post_process(encoding, None, true)?;
                Ok(encoding.get_ids().to_vec())
            }
            Use::Plain { dropped, characters } => {
                let encoding = self.tokenizer.encode_fast(prefix(text, characters), false)?;
                let ids = encoding.get_ids().iter().copied();
                // The length counts unknown tokens too, as the reference has it.
                Ok(ids.take(self.most).filter(|id| Some(*id) != dropped).collect())
            }
        }
    }

    /// The tokens of as much of a text as fills the length, without the special ones.
    fn begun(&self, text: &str) -> tokenizers::Result<tokenizers::Encoding> {
        let mut characters = self.most.saturating_mul(CHARACTERS);
        loop {
            let piece = at_word(prefix(text, characters), text);
            let encoding = self.tokenizer.encode_fast(piece, false)?;
            if piece.len() == text.len() || encoding.len() >= self.most + MARGIN {
                return Ok(encoding);
            }
            characters = characters.saturating_mul(2);
        }
    }
}

/// The first characters of a text.
fn prefix(text: &str, characters: usize) -> &str {
    // No character has more than four bytes, so most texts are not even counted.
    if text.len() <= characters {
        return text;
    }
    match text.char_indices().nth(characters) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

/// A beginning of a text without the word that was cut, unless there is only one.
fn at_word<'a>(piece: &'a str, text: &str) -> &'a str {
    if piece.len() == text.len() {
        return piece;
    }
    let middle = piece.len() / 2;
    match piece.rfind(char::is_whitespace) {
        Some(end) if end > middle => piece.get(..end).unwrap_or(piece),
        _ => piece,
    }
}

/// Runs the tokenizer library on a file that may be hostile: a panic in it becomes an error.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| ModelError::unreadable(FILE, "the tokenizer panicked"))
}
