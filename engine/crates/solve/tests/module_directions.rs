//! Folders of the sources use one another in one direction: no circles between those of the crate, nor between those of `dc` and of
//! `conic`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which modules a module uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

/// The module of a file, from the root of the crate.
fn module(file: &Path) -> Vec<String> {
    let path = file.with_extension("");
    let parts = path.iter().map(|part| part.to_str().unwrap().to_owned());
    parts.filter(|part| part != "mod" && part != "lib").collect()
}

/// What a source names by `crate::` and `super::`, from the root of the crate. A group in braces is the part `{`.
fn named(source: &str, own: &[String]) -> Vec<Vec<String>> {
    let without_comment = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let code: Vec<String> = source.lines().map(without_comment).collect();
    let is_outside = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
    let mut found = Vec::new();
    for path in code.iter().flat_map(|line| line.split(is_outside)) {
        let mut parts = path.split("::").peekable();
        let mut from = match parts.next() {
            Some("crate") => Vec::new(),
            Some("super") => own[..own.len().saturating_sub(1)].to_vec(),
            _ => continue,
        };
        while parts.next_if_eq(&"super").is_some() {
            from.pop();
        }
        from.extend(parts.map(|part| if part.is_empty() { "{" } else { part }.to_owned()));
        found.push(from);
    }
    found
}

/// What the modules directly below a module use of it and of each other.
fn uses(files: &[(Vec<String>, String)], parent: &[&str]) -> Uses {
    let child = |path: &[String]| {
        let is_below = path.len() > parent.len() && path.iter().zip(parent).all(|(a, b)| a == b);
        is_below.then(|| path[parent.len()].clone())
    };
    let mut found = Uses::new();
    for (own, source) in files {
        if let Some(user) = child(own) {
            let used = named(source, own).into_iter().filter_map(|path| child(&path));
            let others = used.filter(|used| *used != user).collect::<Vec<_>>();
            found.entry(user).or_default().extend(others);
        }
    }
    found
}

/// What is left once every module is taken away that uses no other: circles, what lies above them, and names that are no
/// module's.
fn circles(mut uses: Uses) -> Uses {
    loop {
        let free = uses.iter().filter(|(_, used)| used.is_empty());
        let free: Vec<String> = free.map(|(user, _)| user.clone()).collect();
        if free.is_empty() {
            return uses;
        }
        uses.retain(|user, _| !free.contains(user));
        for used in uses.values_mut() {
            used.retain(|module| !free.contains(module));
        }
    }
}

fn file(path: &str, source: &str) -> (Vec<String>, String) {
    (module(Path::new(path)), source.to_owned())
}

#[test]
fn no_circles_between_folders() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: PathBuf| {
        (
            module(path.strip_prefix(&src).unwrap()),
            fs::read_to_string(&path).unwrap(),
        )
    };
    let files: Vec<_> = sources(&src).into_iter().map(read).collect();
    for parent in [&[][..], &["dc"], &["conic"]] {
        let found = uses(&files, parent);
        assert!(
            found.len() > 2 && found.values().any(|used| !used.is_empty()),
            "{found:?}"
        );
        assert_eq!(circles(found), Uses::new(), "in {parent:?}");
    }
}

#[test]
fn circles_are_seen() {
    let below = file("dc/model/line.rs", "use super::data::X; // crate::dc::result\n");
    let above = file("dc/result/mod.rs", "fn f(x: crate::dc::model::Line) {}");
    assert!(circles(uses(&[below, above.clone()], &["dc"])).is_empty());
    for back in [
        "use crate::dc::result::Y;",
        "fn f() { super::super::result::f() }",
        "use crate::dc::{result, Y};",
    ] {
        let found = circles(uses(&[file("dc/model/line.rs", back), above.clone()], &["dc"]));
        assert!(found.contains_key("model"), "{back}");
    }
}
