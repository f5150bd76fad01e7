//! The folders of skills of one client: walks them as the engine says, and remembers where each skill lies.
//! Knows nothing of what a skill is.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::files;

/// Folders of skills that are looked for above a touched file.
const DISCOVERED: [&str; 2] = [".agents/skills", ".claude/skills"];

/// Sends one operation to the engine.
pub type Send<'a> = &'a dyn Fn(&str, &Value) -> Result<Value, Value>;

/// The folders of one client.
pub struct Folders {
    project: PathBuf,
    roots: Vec<Value>,
    places: HashMap<String, String>,
    looked_in: HashSet<String>,
    discovers: bool,
    /// What was wrong when the folders were last loaded.
    pub diagnostics: Value,
}

impl Folders {
    /// No folders yet, of a project.
    pub fn new(project: &Path) -> Self {
        Self {
            project: project.to_owned(),
            roots: Vec::new(),
            places: HashMap::new(),
            looked_in: HashSet::new(),
            discovers: false,
            diagnostics: json!([]),
        }
    }

    /// Loads folders, beside those that are loaded already.
    pub fn add(&mut self, paths: &[String], options: &Value, send: Send<'_>) -> Result<Value, Value> {
        let mut bounds = options.clone();
        let scope = bounds
            .as_object_mut()
            .and_then(|bounds| bounds.shift_remove("scope"));
        let discover = bounds
            .as_object_mut()
            .and_then(|bounds| bounds.shift_remove("discover"));
        let scope = scope.unwrap_or_else(|| "project".into());
        match discover {
            Some(discover) => self.discovers = discover != false,
            None => self.discovers |= scope == "project",
        }
        for path in paths {
            self.put(json!({ "path": path, "scope": scope, "bounds": bounds }));
        }
        self.reload(send)
    }

    /// Walks all folders again.
    pub fn reload(&mut self, send: Send<'_>) -> Result<Value, Value> {
        let roots = self.roots.iter().map(|root| self.with_rules(root)).collect();
        let report = send("loadSkills", &walk(roots, send)?)?;
        self.places = report["skills"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|skill| (text(&skill["id"]), text(&skill["directory"])))
            .collect();
        self.diagnostics = report["diagnostics"].clone();
        Ok(report)
    }

    /// What breaks the specification.
    pub fn validate(paths: &[String], send: Send<'_>) -> Result<Value, Value> {
        let roots = paths.iter().map(|path| json!({ "path": path })).collect();
        send("validateSkills", &walk(roots, send)?)
    }

    /// Reads a file of a skill, for the engine.
    pub fn read(&self, step: &Value) -> Value {
        let Some(place) = self.places.get(&text(&step["call"]["skillId"])) else {
            return json!({ "kind": "notBound" });
        };
        let read = files::read(place, &text(&step["path"]));
        match read.get("text") {
            Some(text) => json!({ "kind": "text", "text": text }),
            None => json!({ "kind": "error", "name": read["problem"] }),
        }
    }

    /// Paths as the engine knows them; loads the folders of skills that lie above them.
    pub fn touch(&mut self, paths: &Value, send: Send<'_>) -> Result<Vec<String>, Value> {
        let paths = paths.as_array().into_iter().flatten();
        let inside: Vec<String> = paths
            .map(|path| files::within(&self.project, &text(path)))
            .collect();
        let mut is_new = false;
        for path in &inside {
            is_new |= self.discover_above(path);
        }
        if is_new {
            self.reload(send)?;
        }
        Ok(inside)
    }

    fn put(&mut self, root: Value) {
        let same = |known: &&mut Value| known["path"] == root["path"] && known["scope"] == root["scope"];
        match self.roots.iter_mut().find(same) {
            Some(known) => *known = root,
            None => self.roots.push(root),
        }
    }

    fn discover_above(&mut self, path: &str) -> bool {
        let mut is_new = false;
        if !self.discovers || path.starts_with("..") || path.starts_with('/') {
            return is_new;
        }
        let mut below = path;
        while let Some((parent, _)) = below.rsplit_once('/') {
            below = parent;
            if !self.looked_in.insert(below.to_owned()) {
                continue;
            }
            for name in DISCOVERED {
                let folder = self.project.join(below).join(name);
                if folder.is_dir() && !folder.is_symlink() {
                    self.put(json!({ "path": folder.to_string_lossy(), "scope": "project", "below": below }));
                    is_new = true;
                }
            }
        }
        is_new
    }

    fn with_rules(&self, root: &Value) -> Value {
        let Some(below) = root["below"].as_str() else {
            return root.clone();
        };
        let ends = below.match_indices('/').map(|(end, _)| end).chain([below.len()]);
        let folders = [""].into_iter().chain(ends.map(|end| &below[..end]));
        let rules = folders.filter_map(|at| {
            let rules = files::read(&self.project.join(at).to_string_lossy(), ".gitignore");
            Some(json!({ "at": at, "text": rules.get("text")? }))
        });
        let mut root = root.clone();
        root["rules"] = rules.collect();
        root
    }
}

fn walk(roots: Vec<Value>, send: Send<'_>) -> Result<Value, Value> {
    let mut step = send("walkSkills", &json!({ "roots": roots }))?;
    loop {
        let folders = step["list"].as_array().cloned().unwrap_or_default();
        if folders.is_empty() {
            break;
        }
        let listings: Vec<Value> = folders.iter().map(|folder| files::list(&text(folder))).collect();
        step = send(
            "walkSkills",
            &json!({ "walk": step["walk"], "listings": listings }),
        )?;
    }
    let places = step["read"].as_array().into_iter().flatten();
    let read: Vec<Value> = places
        .map(|place| files::read(&text(&place["directory"]), &text(&place["file"])))
        .collect();
    Ok(json!({ "walk": step["walk"], "files": read }))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
