//! `engine/src/contractSchemas.generated.ts` is what the Rust contract says. `WATTBOOK_UPDATE=1` writes it.

use std::fmt::Write;
use std::path::Path;
use wattbook_schema::schemas;

fn generate() -> String {
    let mut out = String::from(
        "// Generated from engine/crates/study/src/contract by the test of engine/crates/schema; do not edit.\n\n\
         /** JSON Schema (2020-12) of requests and answers by the name of their type; `$ref` names one as `#/$defs/NAME`. */\n\
         export const CONTRACT_SCHEMAS = {\n",
    );
    for (name, schema) in schemas() {
        writeln!(out, "  {name}: {schema},").expect("a string grows");
    }
    out.push_str("} as const;\n");
    out
}

#[test]
fn schemas_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/contractSchemas.generated.ts");
    let want = generate();
    if std::env::var_os("WATTBOOK_UPDATE").is_some() {
        std::fs::write(&path, &want).expect("a writable file");
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have.replace("\r\n", "\n") == want,
        "{} is not what the contract says; run WATTBOOK_UPDATE=1 cargo test --release -p wattbook-schema",
        path.display()
    );
}
