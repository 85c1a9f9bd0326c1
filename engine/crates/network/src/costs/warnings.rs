//! Marks a module with assumed costs by its first warning.

use powerio::{PioModule, PioValue};
use serde_json::{json, Value};

use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::{message, module};

/// Code of the warning, and codes of the cost warnings that it replaces.
const CODE: &str = "COST.ASSUMED";
const FUEL_UNKNOWN: &str = "COST.FUEL_UNKNOWN";
const STALE: [&str; 2] = ["COST.NO_TABLE", "COST.NOT_IN_FORMAT"];

/// The text of a module with `assumed` as its first warning, which replaces the reader's warning about missing costs,
/// followed by `unknown` about units of unknown fuel. Warnings about earlier assumed costs remain.
///
/// # Errors
/// `MODULE.WRITE`.
pub(super) fn mark(parsed: &PioModule<PioValue>, assumed: &Message, unknown: Option<&Message>) -> Result<String> {
    // The parser only appends warnings to a module.
    let unreadable = |_| EngineError::new("MODULE.WRITE", message!("module.no_text"));
    let mut text: Value = serde_json::from_str(&module::write(parsed)?).map_err(unreadable)?;
    let code = |name: &str| format!("{}{name}", module::OWN_CODES);
    let stale = STALE.map(code);
    let others = match text["diagnostics"].take() {
        Value::Array(rows) => rows,
        _ => Vec::new(),
    };
    let others = others
        .into_iter()
        .filter(|row| !stale.iter().any(|code| row["code"] == code[..]));
    let own = |name: &str, message: &Message| json!({ "severity": "warning", "code": code(name), "message": message.english() });
    let unknown = unknown.map(|message| own(FUEL_UNKNOWN, message));
    let mut rows: Vec<Value> = std::iter::once(own(CODE, assumed))
        .chain(unknown)
        .chain(others)
        .collect();
    for (k, row) in rows.iter_mut().enumerate() {
        row["id"] = json!(format!("d{k}"));
    }
    text["diagnostics"] = Value::Array(rows);
    module::write(&module::open(&text.to_string())?)
}
