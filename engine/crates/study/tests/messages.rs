//! The catalogue of sentences: every key is used, and `engine/src/messages.generated.ts` has the same templates. `WATTBOOK_UPDATE=1`
//! writes that file.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use wattbook_network::message::CATALOGUE;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn generate() -> String {
    let mut out = String::from(
        "// Generated from engine/messages/en.json by the test `messages` of engine/crates/study; do not edit.\n\n\
         /** Templates by key: one, or the forms for a count of 1 and for all others. Placeholders are `{name:kind}`. */\n\
         export const MESSAGES: Record<string, string | readonly [one: string, other: string]> = {\n",
    );
    for entry in CATALOGUE {
        if entry.one == entry.other {
            writeln!(out, "  {:?}: {:?},", entry.key, entry.other).expect("a string grows");
        } else {
            writeln!(out, "  {:?}: [{:?}, {:?}],", entry.key, entry.one, entry.other).expect("a string grows");
        }
    }
    out + "};\n"
}

#[test]
fn typescript_has_the_same_templates() {
    let path = crates().join("../src/messages.generated.ts");
    let want = generate();
    if std::env::var_os("WATTBOOK_UPDATE").is_some() {
        std::fs::write(&path, &want).expect("a writable file");
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have.replace("\r\n", "\n") == want,
        "{} is not what engine/messages/en.json says; run WATTBOOK_UPDATE=1 cargo test -p wattbook-study --test messages",
        path.display()
    );
}

/// A key that is missing does not compile; one that nobody uses fails here.
#[test]
fn every_key_is_used() {
    let mut sources = String::new();
    for name in ["network", "solve", "study", "wasm", "python"] {
        read(&crates().join(name).join("src"), &mut sources);
    }
    let unused: Vec<_> = CATALOGUE
        .iter()
        .map(|entry| entry.key)
        .filter(|key| !sources.contains(&format!("\"{key}\"")))
        .collect();
    assert!(unused.is_empty(), "nobody uses {unused:?}");
}

fn read(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read(&path, into);
        } else {
            into.push_str(&std::fs::read_to_string(&path).expect("a source"));
        }
    }
}
