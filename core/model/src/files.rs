//! The files of a model, from a folder or from memory, each read in bounds. Knows nothing of what they say.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::error::{ModelError, ModelErrorCode, Result};

/// Where the files of a model are. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ModelFiles {
    place: Place,
    /// The folder below, for the layouts that keep the first module in one of its own; ends in a slash or is empty.
    below: String,
}

#[derive(Debug, Clone)]
enum Place {
    Folder(PathBuf),
    Memory(Arc<BTreeMap<String, Arc<[u8]>>>),
}

impl ModelFiles {
    /// The files in a folder, as the hub and `save_pretrained` lay them out. Reads nothing yet.
    ///
    /// # Errors
    /// `model_missing_file` when there is no such folder.
    pub fn folder(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        if !path.is_dir() {
            let message = format!("there is no model folder at {}", path.display());
            return Err(ModelError::new(ModelErrorCode::MissingFile, message).with("path", path.display()));
        }
        Ok(Self::at(Place::Folder(path)))
    }

    /// Files by their names within the model's folder, such as `1_Pooling/config.json`.
    pub fn memory<N: Into<String>, B: Into<Arc<[u8]>>>(files: impl IntoIterator<Item = (N, B)>) -> Self {
        let files = files
            .into_iter()
            .map(|(name, bytes)| (name.into(), bytes.into()))
            .collect();
        Self::at(Place::Memory(Arc::new(files)))
    }

    fn at(place: Place) -> Self {
        Self {
            place,
            below: String::new(),
        }
    }

    /// The folder, when there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Folder(path) => Some(path),
            Place::Memory(_) => None,
        }
    }

    /// The same files seen from a folder below.
    pub(crate) fn below(&self, folder: &str) -> Result<Self> {
        let mut below = self.clone();
        let folder = folder.trim_end_matches('/');
        if !folder.is_empty() {
            plain(folder)?;
            below.below = format!("{}{folder}/", self.below);
        }
        Ok(below)
    }

    /// The bytes of a small file; `None` when there is none.
    pub(crate) fn small(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>> {
        let Some(mut source) = self.open(name)? else {
            return Ok(None);
        };
        if source.length > limit {
            let message = format!(
                "is {} bytes long, more than the {limit} that are read",
                source.length
            );
            return Err(ModelError::unsupported(name, message));
        }
        let mut bytes = Vec::new();
        source
            .reader
            .by_ref()
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| ModelError::unreadable(name, error))?;
        Ok(Some(bytes))
    }

    /// The same, for a file that has to be there.
    pub(crate) fn needed(&self, name: &str, limit: u64) -> Result<Vec<u8>> {
        self.small(name, limit)?.ok_or_else(|| self.missing(name))
    }

    /// The names of the files with weights, in order; not one when there are none.
    pub(crate) fn weights(&self) -> Vec<String> {
        let names: Vec<String> = self
            .names()
            .into_iter()
            .filter(|name| name.ends_with(".safetensors"))
            .collect();
        // A folder may hold the same weights whole and in parts.
        let whole = "model.safetensors".to_owned();
        if names.contains(&whole) {
            vec![whole]
        } else {
            names
        }
    }

    /// That a file is not there.
    pub(crate) fn missing(&self, name: &str) -> ModelError {
        let message = match &self.place {
            Place::Folder(path) => format!("{}{name} is missing in {}", self.below, path.display()),
            Place::Memory(_) => format!("{}{name} is missing among the model's files", self.below),
        };
        let error = ModelError::new(ModelErrorCode::MissingFile, message).with("file", name);
        match &self.place {
            Place::Folder(path) => error.with("path", path.display()),
            Place::Memory(_) => error,
        }
    }

    /// Opens a file; `None` when there is none.
    pub(crate) fn open(&self, name: &str) -> Result<Option<Source>> {
        let whole = format!("{}{name}", self.below);
        match &self.place {
            Place::Memory(files) => Ok(files.get(&whole).map(|bytes| Source {
                length: bytes.len() as u64,
                reader: Reader::Memory(io::Cursor::new(Arc::clone(bytes))),
            })),
            Place::Folder(folder) => {
                let path = folder.join(plain(&whole)?);
                let metadata = match path.metadata() {
                    Ok(metadata) => metadata,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                    Err(error) => return Err(ModelError::unreadable(name, error)),
                };
                // A pipe or a device would never end.
                if !metadata.is_file() {
                    return Err(ModelError::unreadable(name, "it is not a regular file"));
                }
                let file = File::open(&path).map_err(|error| ModelError::unreadable(name, error))?;
                Ok(Some(Source {
                    length: metadata.len(),
                    reader: Reader::File(file),
                }))
            }
        }
    }

    /// What stands in the model's folder itself, in order.
    fn names(&self) -> Vec<String> {
        match &self.place {
            Place::Memory(files) => files
                .keys()
                .filter_map(|name| name.strip_prefix(&self.below))
                .filter(|name| !name.contains('/'))
                .map(str::to_owned)
                .collect(),
            Place::Folder(folder) => {
                let mut names: Vec<String> = std::fs::read_dir(folder.join(&self.below))
                    .into_iter()
                    .flatten()
                    .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                    .collect();
                names.sort();
                names
            }
        }
    }
}

/// A name that stays within the model's folder.
fn plain(name: &str) -> Result<&Path> {
    let path = Path::new(name);
    if path.components().all(|part| matches!(part, Component::Normal(_))) {
        Ok(path)
    } else {
        Err(ModelError::unsupported(
            "modules.json",
            format!("`{name}` leads out of the model's folder"),
        ))
    }
}

/// An open file and its length in bytes.
#[derive(Debug)]
pub(crate) struct Source {
    /// Bytes in all.
    pub(crate) length: u64,
    /// Where they come from.
    pub(crate) reader: Reader,
}

/// Bytes, one after the other, from any place on.
#[derive(Debug)]
pub(crate) enum Reader {
    File(File),
    Memory(io::Cursor<Arc<[u8]>>),
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Memory(cursor) => cursor.read(buffer),
        }
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Memory(cursor) => cursor.seek(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> ModelFiles {
        ModelFiles::memory([
            ("config.json", b"{}".to_vec()),
            ("0_Part/config.json", b"[]".to_vec()),
        ])
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = ModelFiles::folder("/nowhere/at/all").unwrap_err();
        assert_eq!(error.code, ModelErrorCode::MissingFile);
        assert_eq!(error.details["path"], "/nowhere/at/all");
    }

    #[test]
    fn a_file_over_its_limit_is_not_read() {
        assert_eq!(
            two().small("config.json", 1).unwrap_err().code,
            ModelErrorCode::Unsupported
        );
        assert_eq!(two().small("config.json", 2).unwrap().unwrap(), b"{}");
        assert_eq!(two().small("other.json", 2).unwrap(), None);
        assert_eq!(
            two().needed("other.json", 2).unwrap_err().code,
            ModelErrorCode::MissingFile
        );
    }

    #[test]
    fn a_folder_below_is_seen_alone_and_none_above() {
        let below = two().below("0_Part").unwrap();
        assert_eq!(below.small("config.json", 2).unwrap().unwrap(), b"[]");
        for name in ["../etc", "/etc", "0_Part/../.."] {
            assert_eq!(
                two().below(name).unwrap_err().code,
                ModelErrorCode::Unsupported,
                "{name}"
            );
        }
    }

    #[test]
    fn whole_weights_are_taken_before_parts() {
        let names = [
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
        ];
        let parts = ModelFiles::memory(names.map(|name| (name, Vec::new())));
        assert_eq!(parts.weights(), names);
        let both = ModelFiles::memory([names[0], "model.safetensors"].map(|name| (name, Vec::new())));
        assert_eq!(both.weights(), ["model.safetensors"]);
    }
}
