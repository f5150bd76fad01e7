//! Keeps the order of the layers: a file imports only from layers before its own. Reads the sources as text.
//!
//! It knows nothing of what the layers do. When it fails, a type belongs lower or a decision belongs higher; there is
//! no list of exceptions.
#![allow(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the test reads the sources; the engine itself reads nothing"
)]

use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The sources of the engine: the crate of the lower layers, and the engine's own, which lifts names out of its layers.
const CRATES: [&str; 2] = ["retrieval/src", "src"];

/// From the lowest to the highest, as `docs/architecture.md` has them.
const LAYERS: [&str; 10] = [
    "ablation",
    "settled",
    "error",
    "text",
    "index",
    "rank",
    "catalog",
    "session",
    "capability",
    "engine",
];

/// Where a file has more lines than this, there is a seam.
const MOST_LINES: usize = 400;

#[test]
fn every_file_imports_only_from_layers_before_its_own() {
    let reexports = reexports(&read(&sources("src").join("lib.rs")));
    let complaints: Vec<String> = files()
        .iter()
        .flat_map(|(name, text)| upward_imports(name, text, &reexports))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_file_first_says_what_it_is_for() {
    let silent: Vec<String> = files()
        .into_iter()
        .filter(|(_, text)| !says_what_it_is_for(text))
        .map(|(name, _)| name)
        .collect();
    assert!(
        silent.is_empty(),
        "files without a `//!` sentence on their first line: {silent:?}"
    );
}

#[test]
fn no_file_is_longer_than_400_lines() {
    let long: Vec<String> = files()
        .iter()
        .filter_map(|(name, text)| too_long(name, text))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn each_crate_declares_its_layers_in_their_order_and_nothing_else() {
    let mut all = Vec::new();
    for folder in CRATES {
        let declared = modules(&read(&sources(folder).join("lib.rs")));
        let expected: Vec<&str> = LAYERS
            .into_iter()
            .filter(|layer| declared.iter().any(|d| d == layer))
            .collect();
        assert_eq!(declared, expected, "{folder}");
        all.extend(declared);
    }
    assert_eq!(all.len(), LAYERS.len(), "{all:?}");
}

#[test]
fn an_upward_import_is_seen_in_every_form_it_can_take() {
    let reexports = [
        ("Engine".to_owned(), "engine".to_owned()),
        ("Error".to_owned(), "error".to_owned()),
    ];
    for (file, bad) in [
        ("text.rs", "use crate::rank::Score;"),
        ("text.rs", "use crate::engine;"),
        ("text/stem.rs", "fn f() -> crate::index::Index { todo!() }"),
        (
            "text/stem.rs",
            "use crate::{error::Error, rank::{Score, search}};",
        ),
        ("text/stem.rs", "use super::super::rank::Score;"),
        ("text/stem_tests.rs", "use super::super::rank::Score;"),
        ("text.rs", "use super::{error::Error, catalog};"),
        (
            "text/stem.rs",
            "mod deep { use super::super::super::session::Session; }",
        ),
        (
            "text/stem.rs",
            "#[cfg(test)] mod tests { use crate::engine::Engine; }",
        ),
        ("text.rs", "use crate::Engine;"),
        ("rank.rs", "wire! { f { x: crate::capability::Step } }"),
        ("rank.rs", "use crate::{Error, Engine};"),
        ("rank.rs", "use crate::*;"),
        ("rank.rs", "use crate as whole;"),
        ("rank.rs", "use crate::{self as whole};"),
        ("rank.rs", "use crate::unheard_of::Thing;"),
        ("stray.rs", "use crate::error::Error;"),
    ] {
        assert_eq!(upward_imports(file, bad, &reexports).len(), 1, "{file}: {bad}");
    }
}

#[test]
fn a_downward_import_a_comment_and_a_string_are_let_through() {
    let reexports = [("Error".to_owned(), "error".to_owned())];
    for (file, good) in [
        (
            "rank.rs",
            "use crate::index::Index; use crate::{Error, text::name_key};",
        ),
        (
            "rank/order.rs",
            "use super::super::index::Bitmap; use super::engine; use crate::rank::Hit;",
        ),
        ("rank/order.rs", "mod tests { use super::super::catalog; }"),
        ("rank/order/tests.rs", "use super::super::catalog;"),
        (
            "text.rs",
            "//! See [`crate::engine`].\n// use crate::rank;\nconst A: &str = \"use crate::rank;\";",
        ),
        (
            "text.rs",
            "pub(crate) fn f() {} pub(super) fn g() {} pub(in crate::text) fn h() {}",
        ),
    ] {
        assert_eq!(
            upward_imports(file, good, &reexports),
            Vec::<String>::new(),
            "{file}: {good}"
        );
    }
}

#[test]
fn a_file_without_a_sentence_and_a_long_one_are_seen() {
    assert!(says_what_it_is_for("//! Words.\n"));
    assert!(!says_what_it_is_for("use std::fmt;\n//! Words.\n") && !says_what_it_is_for("//!\n"));
    assert!(too_long("text/a.rs", &"\n".repeat(MOST_LINES + 1)).is_some());
    assert!(too_long("text/a.rs", &"\n".repeat(MOST_LINES)).is_none());
    assert!(too_long("text/tests.rs", &"\n".repeat(MOST_LINES + 1)).is_none());
}

fn sources(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every source file of both crates, by its path below `src` with forward slashes.
fn files() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = CRATES.into_iter().flat_map(files_of).collect();
    all.sort();
    all
}

fn files_of(folder: &str) -> Vec<(String, String)> {
    let root = sources(folder);
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path
                    .strip_prefix(&root)
                    .unwrap()
                    .to_string_lossy()
                    .replace('\\', "/");
                found.push((name, read(&path)));
            }
        }
    }
    // A file that `#[path = "b_tests.rs"] mod tests` in `a/b.rs` brings in is the module `a/b/tests`.
    let nested: Vec<String> = found
        .iter()
        .filter(|(name, text)| {
            let file = name
                .rsplit('/')
                .next()
                .unwrap_or(name)
                .replace(".rs", "_tests.rs");
            text.contains(&format!("#[path = \"{file}\"]"))
        })
        .map(|(name, _)| name.trim_end_matches(".rs").to_owned())
        .collect();
    for (name, _) in &mut found {
        if let Some(owner) = name
            .strip_suffix("_tests.rs")
            .filter(|owner| nested.iter().any(|n| n == owner))
        {
            *name = format!("{owner}/tests.rs");
        }
    }
    assert!(
        found.iter().any(|(name, _)| name == "lib.rs"),
        "no sources below {}",
        root.display()
    );
    found
}

fn says_what_it_is_for(text: &str) -> bool {
    text.lines().next().is_some_and(|line| {
        line.strip_prefix("//! ")
            .is_some_and(|rest| !rest.trim().is_empty())
    })
}

/// A complaint about a file that should be cut; test files (`tests.rs`, `…_tests.rs`, `tests/…`) may be long.
fn too_long(name: &str, text: &str) -> Option<String> {
    let is_test = name.ends_with("tests.rs") || name.split('/').any(|part| part == "tests");
    let lines = text.lines().count();
    (!is_test && lines > MOST_LINES)
        .then(|| format!("{name}: {lines} lines; look for the seam at {MOST_LINES}"))
}

/// The names that `lib.rs` lifts out of a layer, each with its layer.
fn reexports(lib: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    for statement in lib
        .split(';')
        .filter_map(|statement| statement.rsplit_once("pub use "))
    {
        let Some((layer, rest)) = statement.1.split_once("::") else {
            continue;
        };
        // Whole layers of the other crate keep their names.
        if !LAYERS.contains(&layer.trim()) {
            continue;
        }
        for name in rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|name| !name.is_empty())
        {
            names.push((name.to_owned(), layer.trim().to_owned()));
        }
    }
    names
}

/// The modules that `lib.rs` declares, in its order.
fn modules(lib: &str) -> Vec<String> {
    lib.lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "))
        .filter_map(|rest| rest.strip_suffix(';').map(str::to_owned))
        .collect()
}

/// A complaint for every path in `text` that leads from the crate's root to a layer above the file's own.
fn upward_imports(name: &str, text: &str, reexports: &[(String, String)]) -> Vec<String> {
    if name == "lib.rs" {
        return Vec::new();
    }
    let module: Vec<&str> = name
        .trim_end_matches(".rs")
        .trim_end_matches("/mod")
        .split('/')
        .collect();
    let Some(own) = LAYERS.iter().position(|layer| Some(layer) == module.first()) else {
        return vec![format!("{name}: belongs to no layer")];
    };
    let tokens = text
        .parse::<TokenStream>()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut targets = Vec::new();
    root_paths(tokens, module.len(), &mut targets);
    targets
        .into_iter()
        .filter_map(|target| {
            let layer = reexports
                .iter()
                .find(|(lifted, _)| *lifted == target)
                .map_or(&target, |(_, layer)| layer);
            match LAYERS.iter().position(|known| known == layer) {
                Some(place) if place <= own => None,
                Some(_) => Some(format!(
                    "{name}: `crate::{target}` leads up, from {} to {layer}",
                    LAYERS[own]
                )),
                None => Some(format!(
                    "{name}: `crate::{target}` is no layer and no name that lib.rs lifts out of one"
                )),
            }
        })
        .collect()
}

/// Collects the first name of every path that starts at the crate's root: `crate::x`, or enough `super::`.
///
/// `depth` is how many modules lie between the root and the tokens.
fn root_paths(tokens: TokenStream, depth: usize, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            TokenTree::Group(group) => {
                let is_module = at >= 3 && is_word(tokens.get(at - 3), "mod");
                root_paths(group.stream(), depth + usize::from(is_module), found);
            }
            TokenTree::Ident(word) if word == "crate" => {
                if is_path_separator(&tokens, at) {
                    at += 2;
                    first_names(tokens.get(at), found);
                } else if is_word(tokens.get(at), "as") {
                    found.push("crate".to_owned());
                }
            }
            TokenTree::Ident(word) if word == "super" => {
                let mut climbed = 1;
                while is_path_separator(&tokens, at) && is_word(tokens.get(at + 2), "super") {
                    climbed += 1;
                    at += 3;
                }
                if climbed >= depth && is_path_separator(&tokens, at) {
                    at += 2;
                    first_names(tokens.get(at), found);
                }
            }
            _ => {}
        }
    }
}

fn is_word(token: Option<&TokenTree>, text: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(word)) if word == text)
}

fn is_path_separator(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    is_colon(at) && is_colon(at + 1)
}

/// The names a path goes on with: one, the first of each branch of `{a::x, b}`, or `*`.
fn first_names(token: Option<&TokenTree>, found: &mut Vec<String>) {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let mut starts = true;
            for token in group.stream() {
                if starts {
                    found.push(token.to_string());
                }
                starts = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ',');
            }
        }
        Some(token) => found.push(token.to_string()),
        None => {}
    }
}
