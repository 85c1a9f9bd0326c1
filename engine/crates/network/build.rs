//! Makes the table of sentences (`src/message/catalogue.rs`) from `engine/messages/en.json`.

use std::fmt::Write;
use std::{env, fs, path::Path};

fn main() {
    let source = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by Cargo")).join("../../messages/en.json");
    println!("cargo:rerun-if-changed={}", source.display());
    println!("cargo:rerun-if-changed=build.rs");
    let text = fs::read_to_string(&source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
    // A `Map` without `preserve_order` is sorted, as the search in the table needs it.
    let entries: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
    let (mut templates, mut parts) = (String::new(), String::new());
    for (key, entry) in &entries {
        let form = |name: &str| entry.get(name).and_then(|form| form.as_str());
        let (one, other) = match entry.as_str() {
            Some(template) => (template, template),
            None => match (form("one"), form("other")) {
                (Some(one), Some(other)) => (one, other),
                _ => panic!("{key}: neither a template nor its forms `one` and `other`"),
            },
        };
        let names = names(key, other);
        if one != other {
            assert!(
                names.contains(&"count"),
                "{key}: forms differ by the placeholder `count`"
            );
        }
        let mut of_one = self::names(key, one);
        of_one.retain(|name| !names.contains(name));
        assert!(
            of_one.is_empty(),
            "{key}: the form `one` has {of_one:?}, the form `other` has not"
        );
        writeln!(
            templates,
            "    Template {{ key: {key:?}, one: {one:?}, other: {other:?} }},"
        )
        .expect("a string grows");
        writeln!(parts, "    ({key:?}, &{names:?}),").expect("a string grows");
    }
    let code = format!(
        "/// Sorted by key.\npub static CATALOGUE: &[Template] = &[\n{templates}];\n\n\
         /// The placeholders of each key; for checks while compiling.\nconst PLACEHOLDERS: &[(&str, &[&str])] = &[\n{parts}];\n"
    );
    let out = Path::new(&env::var("OUT_DIR").expect("set by Cargo")).join("catalogue.rs");
    fs::write(out, code).expect("the folder of the build can be written");
}

/// The kinds of values: `src/message/mod.rs`.
const KINDS: [&str; 7] = ["number", "count", "element", "Element", "list", "text", "message"];

fn names<'a>(key: &str, template: &'a str) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut rest = template;
    while let Some((_, behind)) = rest.split_once('{') {
        let (placeholder, after) = behind
            .split_once('}')
            .unwrap_or_else(|| panic!("{key}: a brace is open"));
        let (name, kind) = placeholder
            .split_once(':')
            .unwrap_or_else(|| panic!("{key}: {{{placeholder}}} has no kind"));
        assert!(
            KINDS.contains(&kind),
            "{key}: {{{placeholder}}} has none of the kinds {KINDS:?}"
        );
        if !names.contains(&name) {
            names.push(name);
        }
        rest = after;
    }
    names
}
