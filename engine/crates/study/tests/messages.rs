//! The message catalogue: every key is used, `engine/src/messages.generated.ts` has the same templates, and
//! `tests/fixtures/sentences.json` has a sentence for each key, which the page must format equally
//! (`tests/widgets/text/messages.test.ts`). `WATTBOOK_UPDATE=1` writes both files.

use serde_json::{json, Value as Json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::message::amounts::mw;
use wattbook_network::message::{Message, Template, Value, CATALOGUE};
use wattbook_study::error_json;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Messages that only TypeScript uses are separate: the worker does not include them.
fn generate() -> String {
    let group = |entry: &Template| match entry.key.split_once('.') {
        Some((group @ ("client" | "service"), _)) => group,
        _ => "",
    };
    let object = |of: &str| {
        let mut out = String::from("{\n");
        for entry in CATALOGUE.iter().filter(|entry| group(entry) == of) {
            if entry.one == entry.other {
                writeln!(out, "  {:?}: {:?},", entry.key, entry.other).expect("a string grows");
            } else {
                writeln!(out, "  {:?}: [{:?}, {:?}],", entry.key, entry.one, entry.other).expect("a string grows");
            }
        }
        out + "}"
    };
    format!(
        "// Generated from engine/messages/en.json by the test `messages` of engine/crates/study; do not edit.\n\n\
         /** Templates of the sentences that callers of the engine make. */\n\
         export const CLIENT_MESSAGES = {} as const;\n\n\
         /** Templates of the sentences that the server makes. */\n\
         export const SERVICE_MESSAGES = {} as const;\n\n\
         /** Templates by key: one, or the forms for a count of 1 and for all others. Placeholders are `{{name:kind}}`. */\n\
         export const MESSAGES: Readonly<Record<string, string | readonly [one: string, other: string]>> = \
         /* @__PURE__ */ Object.assign(\n{} as const,\n  CLIENT_MESSAGES,\n  SERVICE_MESSAGES,\n);\n",
        object("client"),
        object("service"),
        object("")
    )
}

/// Values for the placeholders of a template, each of its kind.
fn sample(entry: &'static Template, count: u64) -> Message {
    let placeholders = entry.other.split('{').skip(1);
    let names = placeholders.filter_map(|rest| rest.split_once('}')?.0.split_once(':'));
    let mut values: Vec<(&'static str, Value)> = Vec::new();
    for (name, kind) in names {
        if values.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let element = |kind, id| Value::Element(ElementRef::numbered(kind, id));
        let of_name = match name.trim_end_matches('s') {
            "generator" => ElementKind::Generator,
            "bus" | "buse" | "worst" | "collapse" => ElementKind::Bus,
            _ => ElementKind::Branch,
        };
        let value = match kind {
            "number" => mw(1234.56),
            "count" => Value::Count(count),
            "element" | "Element" => element(of_name, 12),
            "list" => Value::List((1..=6).map(|id| element(of_name, id)).collect()),
            "message" => message!("reason.line", lines = vec![element(of_name, 40)]).into(),
            _ => Value::Text(format!("a {name}")),
        };
        values.push((name, value));
    }
    Message { key: entry.key, values }
}

fn sentences() -> String {
    let rendered = |(entry, count): (&'static Template, u64)| {
        let error: Json =
            serde_json::from_str(&error_json(&EngineError::new("X", sample(entry, count)))).expect("JSON");
        json!({ "text": error["message"], "sentence": error["sentence"] })
    };
    let singular = CATALOGUE
        .iter()
        .filter(|entry| entry.one != entry.other)
        .map(|entry| (entry, 1));
    let all: Vec<Json> = CATALOGUE
        .iter()
        .map(|entry| (entry, 3))
        .chain(singular)
        .map(rendered)
        .collect();
    serde_json::to_string_pretty(&all).expect("JSON") + "\n"
}

#[test]
fn typescript_has_the_same_templates() {
    is_current("../src/messages.generated.ts", &generate());
}

#[test]
fn the_page_is_compared_in_a_sentence_of_each_key() {
    is_current("../../tests/fixtures/sentences.json", &sentences());
}

#[test]
fn samples_have_no_placeholder_left() {
    for entry in CATALOGUE {
        for count in [1, 3] {
            let rendered = sample(entry, count).to_string();
            assert!(
                !rendered.contains('{') && !rendered.contains('}'),
                "{}: {rendered}",
                entry.key
            );
        }
    }
}

fn is_current(file: &str, want: &str) {
    let path = crates().join(file);
    if std::env::var_os("WATTBOOK_UPDATE").is_some() {
        std::fs::write(&path, want).expect("a writable file");
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have.replace("\r\n", "\n") == want,
        "{} is not what engine/messages/en.json says; run WATTBOOK_UPDATE=1 cargo test -p wattbook-study --test messages",
        path.display()
    );
}

/// A missing key does not compile; an unused one fails here.
#[test]
fn every_key_is_used() {
    let mut sources = String::new();
    for name in ["network", "solve", "study", "figure", "wasm", "python"] {
        read(&crates().join(name).join("src"), &mut sources);
    }
    for folder in [
        "../src/contract",
        "../src/facade",
        "../src/host",
        "../src/jobs",
        "../src/transport",
        "../../server/src",
        "../../widgets/src/text",
        "../../widgets/src/workspace",
    ] {
        read(&crates().join(folder), &mut sources);
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
