//! Modules of the sources depend on each other in one direction: no cycles between those of a crate, nor between those
//! of its folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that a module uses.
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

/// Code without comments and without the tests beside it.
fn code(source: &str) -> String {
    let without_comment = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
    let lines: Vec<String> = source.lines().map(without_comment).collect();
    let code = lines.join("\n");
    let tests = code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len());
    code[..tests].to_owned()
}

/// The items of the group in braces that a text begins with, each without groups of its own.
fn group(text: &str) -> Vec<String> {
    let (mut items, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' if depth == 1 => items.push(String::new()),
            c if depth == 1 && !c.is_whitespace() => items.last_mut().expect("one at least").push(c),
            _ => {}
        }
    }
    items
}

/// The paths that a source names by `crate::` and `super::`, from the root of the crate, with groups in braces
/// expanded.
fn named(source: &str, own: &[String]) -> Vec<Vec<String>> {
    let code = code(source);
    let is_outside = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
    let mut found = Vec::new();
    let mut rest = code.as_str();
    while let Some(start) = rest.find(|c| !is_outside(c)) {
        rest = &rest[start..];
        let (path, after) = rest.split_at(rest.find(is_outside).unwrap_or(rest.len()));
        rest = after;
        let mut parts = path.split("::").peekable();
        let mut from = match parts.next() {
            Some("crate") => Vec::new(),
            Some("super") => own[..own.len().saturating_sub(1)].to_vec(),
            _ => continue,
        };
        while parts.next_if_eq(&"super").is_some() {
            from.pop();
        }
        from.extend(parts.filter(|part| !part.is_empty()).map(str::to_owned));
        if path.ends_with("::") && after.starts_with('{') {
            let of_item = |item: String| {
                let parts = item.split("::").filter(|part| !part.is_empty() && *part != "self");
                from.iter().cloned().chain(parts.map(str::to_owned)).collect()
            };
            found.extend(group(after).into_iter().map(of_item));
        } else {
            found.push(from);
        }
    }
    found
}

/// The dependencies between the modules directly below a module.
fn uses(files: &[(Vec<String>, String)], parent: &[&str]) -> Uses {
    let child = |path: &[String]| {
        let is_below = path.len() > parent.len() && path.iter().zip(parent).all(|(a, b)| a == b);
        is_below.then(|| path[parent.len()].clone())
    };
    let modules: BTreeSet<String> = files.iter().filter_map(|(own, _)| child(own)).collect();
    let mut found = Uses::new();
    for (own, source) in files {
        if let Some(user) = child(own) {
            let used = named(source, own).into_iter().filter_map(|path| child(&path));
            let others = used
                .filter(|used| *used != user && modules.contains(used))
                .collect::<Vec<_>>();
            found.entry(user).or_default().extend(others);
        }
    }
    found
}

/// The remainder after repeatedly removing modules without dependencies: cycles and what depends on them.
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

const CRATES: [&str; 8] = [
    "sparse", "network", "solve", "study", "figure", "wasm", "python", "bench",
];

/// Folders of a crate, by the modules of their files.
fn folders(files: &[(Vec<String>, String)]) -> BTreeSet<Vec<String>> {
    let above = |own: &[String]| (0..own.len()).map(|n| own[..n].to_vec()).collect::<Vec<_>>();
    files.iter().flat_map(|(own, _)| above(own)).collect()
}

#[test]
fn no_circles_between_modules() {
    let mut ties = 0;
    for name in CRATES {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let read = |path: PathBuf| {
            (
                module(path.strip_prefix(&src).unwrap()),
                fs::read_to_string(&path).unwrap(),
            )
        };
        let files: Vec<_> = sources(&src).into_iter().map(read).collect();
        let root = uses(&files, &[]);
        assert!(root.len() > 1, "{name}: {root:?}");
        ties += root.values().map(BTreeSet::len).sum::<usize>();
        for folder in folders(&files) {
            let parent: Vec<&str> = folder.iter().map(String::as_str).collect();
            let found = circles(uses(&files, &parent));
            assert_eq!(found, Uses::new(), "{name}, in {parent:?}");
        }
    }
    assert!(ties > CRATES.len(), "the modules use one another: {ties}");
}

#[test]
fn circles_are_seen() {
    let below = file("dc/model/line.rs", "use super::data::X; // crate::dc::result\n");
    let above = file("dc/result/mod.rs", "fn f(x: crate::dc::model::Line) {}");
    assert!(circles(uses(&[below, above.clone()], &["dc"])).is_empty());
    for back in [
        "use crate::dc::result::Y;",
        "fn f() { super::super::result::f() }",
        "use crate::dc::{model::data::{A, B}, result, Y};",
    ] {
        let found = circles(uses(&[file("dc/model/line.rs", back), above.clone()], &["dc"]));
        assert!(found.contains_key("model"), "{back}");
    }
}
