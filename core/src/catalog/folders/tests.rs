//! Walks over folders that exist in these tests alone: a map from paths to what lies there.

use std::collections::BTreeMap;

use super::*;

/// What lies in a folder, and the folder's path with links followed.
#[derive(Default)]
struct World {
    folders: BTreeMap<String, (String, Vec<(String, EntryKind)>)>,
    ignores: BTreeMap<String, String>,
    listed: usize,
}

impl World {
    /// A world from the paths of its files; `a -> b` is a link at `a` to the folder `b`.
    fn of(paths: &[&str]) -> Self {
        let mut world = Self::default();
        for path in paths {
            let (path, target) = path
                .split_once(" -> ")
                .map_or((*path, None), |(path, to)| (path, Some(to)));
            let mut folder = String::new();
            let parts: Vec<&str> = path.split('/').skip(1).collect();
            for (place, part) in parts.iter().enumerate() {
                let last = place + 1 == parts.len();
                let kind = match (last, target) {
                    (true, Some(_)) => EntryKind::Link,
                    (true, None) => EntryKind::File,
                    (false, _) => EntryKind::Folder,
                };
                let known = world
                    .folders
                    .entry(folder.clone())
                    .or_insert_with(|| (folder.clone(), Vec::new()));
                if !known.1.iter().any(|(name, _)| name == part) {
                    known.1.insert(0, ((*part).to_owned(), kind));
                }
                folder = format!("{folder}/{part}");
            }
            if let Some(target) = target {
                let there = world
                    .folders
                    .get(target)
                    .map(|folder| folder.1.clone())
                    .unwrap_or_default();
                world.folders.insert(path.to_owned(), (target.to_owned(), there));
            }
        }
        world
    }

    fn walk(&mut self, roots: Vec<Root>, bounds: Bounds) -> Walk {
        let bounded = roots.into_iter().map(|root| Root {
            bounds: bounds.clone(),
            ..root
        });
        let roots: Vec<Root> = bounded.collect();
        let mut walk = Walk::begin(roots);
        loop {
            let folders = walk.to_list();
            if folders.is_empty() {
                return walk;
            }
            self.listed += folders.len();
            let listings = folders.iter().map(|folder| self.list(folder)).collect();
            let text = serde_json::to_string(&walk).unwrap();
            walk = serde_json::from_str(&text).unwrap();
            walk.take(listings).unwrap();
        }
    }

    fn list(&self, folder: &str) -> Listing {
        let Some((real, entries)) = self.folders.get(folder) else {
            return Listing::default();
        };
        Listing {
            real: Some(real.clone()),
            entries: entries
                .iter()
                .map(|(name, kind)| Entry {
                    name: name.clone(),
                    kind: *kind,
                })
                .collect(),
            ignore: self.ignores.get(folder).cloned(),
            cut: None,
        }
    }
}

fn root(path: &str) -> Root {
    Root {
        path: path.to_owned(),
        ..Root::default()
    }
}

fn found(walk: &Walk) -> Vec<String> {
    walk.found().iter().map(|found| walk.folder(found)).collect()
}

fn skipped(walk: &Walk) -> Vec<(&str, SkipReason)> {
    walk.skipped()
        .0
        .iter()
        .map(|skipped| (skipped.path.as_str(), skipped.reason))
        .collect()
}

fn include(what: Include) -> Bounds {
    Bounds {
        include: Some(vec![what]),
        ..Bounds::default()
    }
}

#[test]
fn grouped_skills_are_found_and_a_branch_ends_at_its_first_skill() {
    let mut world = World::of(&[
        "/s/pdf/SKILL.md",
        "/s/pdf/references/forms.md",
        "/s/pdf/references/deep/SKILL.md",
        "/s/pdf/.hidden.md",
        "/s/office/word/skill.md",
        "/s/office/readme.md",
    ]);
    let walk = world.walk(vec![root("/s")], Bounds::default());
    assert_eq!(found(&walk), ["/s/pdf", "/s/office/word"]);
    assert_eq!(
        walk.found()[0].resources,
        ["references/forms.md", "references/deep/SKILL.md"]
    );
    assert_eq!(walk.found()[1].file, "skill.md");
    assert_eq!(skipped(&walk), []);
}

#[test]
fn hidden_ignored_and_linked_folders_are_passed_over_and_named() {
    let mut world = World::of(&[
        "/s/.git/a/SKILL.md",
        "/s/node_modules/b/SKILL.md",
        "/s/build/c/SKILL.md",
        "/s/kept/d/SKILL.md",
        "/s/link -> /s/kept",
    ]);
    world.ignores.insert("/s".to_owned(), "build/\n".to_owned());
    let walk = world.walk(vec![root("/s")], Bounds::default());
    assert_eq!(found(&walk), ["/s/kept/d"]);
    assert_eq!(
        skipped(&walk),
        [
            ("/s/.git", SkipReason::Hidden),
            ("/s/build", SkipReason::Ignored),
            ("/s/link", SkipReason::Linked),
            ("/s/node_modules", SkipReason::Ignored),
        ]
    );
    let walk = world.walk(vec![root("/s")], include(Include::Ignored));
    assert_eq!(found(&walk), ["/s/build/c", "/s/kept/d", "/s/node_modules/b"]);
}

#[test]
fn a_nearer_ignore_file_overrules_one_above_it() {
    let mut world = World::of(&["/s/a/gen/x/SKILL.md", "/s/b/gen/y/SKILL.md"]);
    world.ignores.insert("/s".to_owned(), "gen\n".to_owned());
    world.ignores.insert("/s/a".to_owned(), "!gen\n".to_owned());
    let walk = world.walk(vec![root("/s")], Bounds::default());
    assert_eq!(found(&walk), ["/s/a/gen/x"]);
}

#[test]
fn a_link_that_is_followed_stays_inside_and_ends_in_a_loop() {
    let mut world = World::of(&[
        "/s/a/x/SKILL.md",
        "/out/secret/SKILL.md",
        "/s/b/loop -> /s",
        "/s/c -> /out",
        "/s/d -> /s/a",
    ]);
    let walk = world.walk(vec![root("/s")], include(Include::Linked));
    assert_eq!(found(&walk), ["/s/a/x"]);
    assert_eq!(
        skipped(&walk),
        [
            ("/s/c", SkipReason::Outside),
            ("/s/d", SkipReason::Seen),
            ("/s/b/loop", SkipReason::Seen)
        ]
    );
}

#[test]
fn roots_come_in_the_order_of_their_scopes_and_each_place_once() {
    let mut world = World::of(&["/user/a/SKILL.md", "/project/b/SKILL.md", "/project/b/more.md"]);
    let scoped = |path: &str, scope| Root { scope, ..root(path) };
    let roots = vec![
        scoped("/missing", Scope::Bundled),
        scoped("/user", Scope::User),
        scoped("/project", Scope::Project),
        scoped("/project/b", Scope::Project),
    ];
    let walk = world.walk(roots, Bounds::default());
    assert_eq!(found(&walk), ["/project/b", "/user/a"]);
    assert_eq!(
        skipped(&walk),
        [
            ("/project/b", SkipReason::Seen),
            ("/missing", SkipReason::Unreadable)
        ]
    );
}

#[test]
fn ten_thousand_folders_cost_no_more_listings_than_the_bound() {
    let paths: Vec<String> = (0..10_000).map(|n| format!("/s/{n:05}/x/SKILL.md")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut world = World::of(&paths);
    let walk = world.walk(
        vec![root("/s")],
        Bounds {
            folders: Some(300),
            ..Bounds::default()
        },
    );
    assert_eq!(world.listed, 300);
    let (named, more) = walk.skipped();
    assert!(named.iter().all(|skipped| skipped.reason == SkipReason::Many));
    // What was not listed: 9,701 folders of the root, and the one in each of the 299 that were.
    assert_eq!(named.len() + more as usize, 9_701 + 299);
}

#[test]
fn a_deep_branch_and_a_skill_full_of_folders_end_at_their_bounds() {
    let deep = format!("/s{}/SKILL.md", "/d".repeat(20));
    let walk = World::of(&[&deep]).walk(vec![root("/s")], Bounds::default());
    assert_eq!(found(&walk), [""; 0]);
    assert_eq!(skipped(&walk), [("/s/d/d/d/d/d/d/d", SkipReason::Deep)]);

    let mut paths: Vec<String> = (0..300).map(|n| format!("/s/a/f{n:03}/x.md")).collect();
    paths.push("/s/a/SKILL.md".to_owned());
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut world = World::of(&paths);
    let walk = world.walk(vec![root("/s")], Bounds::default());
    assert_eq!(walk.found()[0].resources.len(), 64);
    assert_eq!(world.listed, 2 + 64);
}

#[test]
fn the_files_of_a_deep_skill_are_counted_from_the_skill_on_and_cut_once() {
    let mut paths: Vec<String> = (0..300).map(|n| format!("/s/a/b/c/d/e/x{n:03}.md")).collect();
    paths.push("/s/a/b/c/d/e/SKILL.md".to_owned());
    paths.push("/s/a/b/c/d/e/1/2/3/deep.md".to_owned());
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let walk = World::of(&paths).walk(vec![root("/s")], Bounds::default());
    assert_eq!(walk.found()[0].resources.len(), 256);
    assert_eq!(skipped(&walk), [("/s/a/b/c/d/e/…", SkipReason::Many)]);
    let walk = World::of(&paths[299..]).walk(vec![root("/s")], Bounds::default());
    assert_eq!(walk.found()[0].resources, ["x299.md", "1/2/3/deep.md"]);
}

#[test]
fn the_root_of_a_disk_is_a_root_like_others() {
    let mut walk = Walk::begin(vec![root("/")]);
    let folder = |name: &str| Entry {
        name: name.to_owned(),
        kind: EntryKind::Folder,
    };
    let listing = |real: &str, entries| Listing {
        real: Some(real.to_owned()),
        entries,
        ..Listing::default()
    };
    walk.take(vec![listing("/", vec![folder("a")])]).unwrap();
    assert_eq!(walk.to_list(), ["/a"]);
    walk.take(vec![listing("/a", vec![folder("b")])]).unwrap();
    assert_eq!(walk.to_list(), ["/a/b"]);
}

#[test]
fn a_folder_below_an_ignored_one_of_the_project_is_not_entered() {
    let mut world = World::of(&[
        "/p/gen/.claude/skills/a/SKILL.md",
        "/p/api/.claude/skills/b/SKILL.md",
    ]);
    let below = |folder: &str| Root {
        below: Some(folder.to_owned()),
        rules: vec![Rules {
            at: String::new(),
            text: "/gen\n".to_owned(),
        }],
        ..root(&format!("/p/{folder}/.claude/skills"))
    };
    let walk = world.walk(
        vec![
            below("gen"),
            below("api"),
            below("node_modules/x"),
            below(".cache/x"),
        ],
        Bounds::default(),
    );
    assert_eq!(found(&walk), ["/p/api/.claude/skills/b"]);
    assert_eq!(skipped(&walk).len(), 3);
}

#[test]
fn names_that_are_paths_are_no_entries() {
    let mut walk = Walk::begin(vec![root("/s")]);
    let entries = ["..", ".", "", "a/b", "a\0b"].map(|name| Entry {
        name: name.to_owned(),
        kind: EntryKind::Folder,
    });
    walk.take(vec![Listing {
        real: Some("/s".to_owned()),
        entries: entries.into(),
        ..Listing::default()
    }])
    .unwrap();
    assert_eq!(walk.to_list(), [""; 0]);
}

#[test]
fn listings_that_do_not_fit_are_refused() {
    let mut walk = Walk::begin(vec![root("/s")]);
    assert_eq!(walk.take(Vec::new()).unwrap_err().code, ErrorCode::InvalidRequest);
}
