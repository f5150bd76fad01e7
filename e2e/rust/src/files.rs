//! The folder of files that a run writes, what a host reads of it for the engine, and what is observed of it.
//! Knows nothing of skills.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value, json};

/// One folder, empty at first.
pub struct Files {
    home: PathBuf,
}

impl Files {
    /// Makes the folder anew.
    pub fn new(home: &Path) -> std::io::Result<Self> {
        let _ = fs::remove_dir_all(home);
        fs::create_dir_all(home)?;
        Ok(Self {
            home: fs::canonicalize(home)?,
        })
    }

    /// The folder's path.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Where a file of the scenario is.
    pub fn place(&self, path: &str) -> String {
        self.home.join(path).to_string_lossy().into_owned()
    }

    /// Writes files: a text, `{link}` to another place, or null for none.
    pub fn write(&self, files: &Value) -> Result<Value, String> {
        for (path, content) in files.as_object().into_iter().flatten() {
            let place = self.home.join(path);
            let _ = fs::remove_dir_all(&place).or_else(|_| fs::remove_file(&place));
            if content.is_null() {
                continue;
            }
            let parent = place.parent().ok_or("a file lies in a folder")?;
            fs::create_dir_all(parent).map_err(|cause| cause.to_string())?;
            match content.as_str() {
                Some(text) => fs::write(&place, text),
                None => std::os::unix::fs::symlink(
                    self.place(content["link"].as_str().unwrap_or_default()),
                    &place,
                ),
            }
            .map_err(|cause| format!("{path}: {cause}"))?;
        }
        Ok(Value::Null)
    }

    /// What was observed, with the folder's own path told as `<home>`.
    pub fn hide(&self, observed: Value) -> Value {
        match observed {
            Value::String(text) => text.replace(&*self.home.to_string_lossy(), "<home>").into(),
            Value::Array(items) => items.into_iter().map(|item| self.hide(item)).collect(),
            Value::Object(members) => {
                let hidden = members.into_iter().map(|(key, part)| (key, self.hide(part)));
                Value::Object(hidden.collect::<Map<String, Value>>())
            }
            other => other,
        }
    }
}

/// What is in a folder, as a host lists it.
pub fn list(folder: &str) -> Value {
    let listed = || -> std::io::Result<Value> {
        let real = fs::canonicalize(folder)?;
        let mut entries = Vec::new();
        for entry in fs::read_dir(&real)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let kind = if kind.is_symlink() {
                "link"
            } else if kind.is_dir() {
                "folder"
            } else {
                "file"
            };
            entries.push(json!({ "name": entry.file_name().to_string_lossy(), "kind": kind }));
        }
        let ignore = fs::read_to_string(real.join(".gitignore")).ok();
        Ok(json!({ "real": real.to_string_lossy(), "entries": entries, "ignore": ignore }))
    };
    listed().unwrap_or_else(|_| json!({}))
}

/// The text of a file of a folder, or why there is none.
pub fn read(directory: &str, file: &str) -> Value {
    let problem = |name: &str| json!({ "problem": name });
    let (Ok(root), Ok(real)) = (
        fs::canonicalize(directory),
        fs::canonicalize(Path::new(directory).join(file)),
    ) else {
        return problem("missing");
    };
    if !real.starts_with(&root) {
        return problem("outside");
    }
    match fs::read(real).map(String::from_utf8) {
        Err(_) => problem("unreadable"),
        Ok(Err(_)) => problem("notText"),
        Ok(Ok(text)) => json!({ "text": text }),
    }
}

/// A path relative to the project; as it was when it lies outside.
pub fn within(project: &Path, path: &str) -> String {
    let mut parts: Vec<Component<'_>> = Vec::new();
    let whole = project.join(path);
    for part in whole.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    let whole: PathBuf = parts.into_iter().collect();
    match whole.strip_prefix(project) {
        Ok(inside) if inside != Path::new("") => inside.to_string_lossy().into_owned(),
        _ => path.to_owned(),
    }
}
