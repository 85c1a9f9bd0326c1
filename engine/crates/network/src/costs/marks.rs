//! What a module says of costs that are assumed: its first warning.

use powerio::{PioModule, PioValue};
use serde_json::{json, Value};

use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::{message, module};

/// Code of the warning; that of other warnings on costs which it replaces.
const CODE: &str = "COST.ASSUMED";
const STALE: [&str; 2] = ["COST.NO_TABLE", "COST.NOT_IN_FORMAT"];

/// What is assumed, of how many units.
pub(super) fn sentence(assumed: usize, units: usize, typical: bool) -> Message {
    match (typical, units) {
        (true, 1) => message!("costs.assumed_typical_only"),
        (true, _) => message!("costs.assumed_typical", assumed = assumed, units = units),
        (false, 1) => message!("costs.assumed_given_only"),
        (false, _) => message!("costs.assumed_given", assumed = assumed, units = units),
    }
}

/// The sentence as a message again, from the English that a module keeps.
pub(crate) fn stored(text: &str) -> Option<Message> {
    let numbers: Vec<usize> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
    let (assumed, units) = match numbers[..] {
        [assumed, units] => (assumed, units),
        [] => (1, 1),
        _ => return None,
    };
    let forms = [true, false].map(|typical| sentence(assumed, units, typical));
    forms.into_iter().find(|said| said.english() == text)
}

/// The text of a module with the sentence as its first warning, in the place of what the reader says of a file without costs.
///
/// # Errors
/// `MODULE.WRITE`.
pub(super) fn mark(parsed: &PioModule<PioValue>, said: &Message) -> Result<String> {
    // The parser only appends to the warnings of a module.
    let unreadable = |_| EngineError::new("MODULE.WRITE", message!("module.no_text"));
    let mut text: Value = serde_json::from_str(&module::write(parsed)?).map_err(unreadable)?;
    let code = |name: &str| format!("{}{name}", module::OWN_CODES);
    let stale = STALE.map(code);
    let kept = match text["diagnostics"].take() {
        Value::Array(rows) => rows,
        _ => Vec::new(),
    };
    let kept = kept.into_iter().filter(|row| !stale.iter().any(|code| row["code"] == code[..]));
    let own = json!({ "severity": "warning", "code": code(CODE), "message": said.english() });
    let mut rows: Vec<Value> = std::iter::once(own).chain(kept).collect();
    for (k, row) in rows.iter_mut().enumerate() {
        row["id"] = json!(format!("d{k}"));
    }
    text["diagnostics"] = Value::Array(rows);
    module::write(&module::open(&text.to_string())?)
}
