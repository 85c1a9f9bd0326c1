//! Marks a module with assumed costs by its first warnings.

use std::collections::{BTreeMap, BTreeSet};

use powerio::{PioModule, PioValue};
use serde_json::{json, Value};

use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::{assumed_costs, message, module};

/// Code of the warning about assumed costs, and codes of those that it replaces.
const CODE: &str = "COST.ASSUMED";
const FUEL_UNKNOWN: &str = "COST.FUEL_UNKNOWN";
const STALE: [&str; 2] = ["COST.NO_TABLE", "COST.NOT_IN_FORMAT"];
/// Details of these warnings in a module: whether the costs are typical ones, and the units that the warning is about, with their words
/// for the fuel where it is unknown. Their text does not list every unit.
const TYPICAL: &str = "typical";
const UNITS: &str = "generators";
const WORDS: &str = "fuels";

/// Costs that one call assumes: the rows that get one, and those that get the cost of gas although their fuel is unknown, with its word.
pub(super) struct Assumed {
    pub typical: bool,
    pub rows: BTreeSet<usize>,
    pub as_gas: BTreeMap<usize, String>,
}

/// The text of a module with `assumed` as its first warning, which replaces the reader's warning about missing costs. Units that
/// had an assumed cost before are left out of the earlier warnings, followed by that about units of unknown fuel.
///
/// # Errors
/// `MODULE.WRITE`.
pub(super) fn mark(parsed: &PioModule<PioValue>, assumed: Assumed, units: usize) -> Result<String> {
    // The parser only appends warnings to a module.
    let unreadable = |_| EngineError::new("MODULE.WRITE", message!("module.no_text"));
    let mut text: Value = serde_json::from_str(&module::write(parsed)?).map_err(unreadable)?;
    let stale = STALE.map(coded);
    let (own, gas) = (coded(CODE), coded(FUEL_UNKNOWN));
    let Assumed {
        typical,
        rows,
        mut as_gas,
    } = assumed;
    let mut by_kind = BTreeMap::from([(typical, rows.clone())]);
    let mut others = Vec::new();
    let is_current = |row: &&Value| !stale.iter().any(|code| row["code"] == code[..]);
    for row in text["diagnostics"].as_array().into_iter().flatten().filter(is_current) {
        let code = row["code"].as_str().unwrap_or_default();
        let details = &row["details"];
        match numbers(&details[UNITS]) {
            Some(earlier) if code == own => {
                let left = earlier.into_iter().filter(|row| !rows.contains(row));
                by_kind.entry(details[TYPICAL] == true).or_default().extend(left);
            }
            Some(earlier) if code == gas => {
                let words = details[WORDS].as_array().into_iter().flatten();
                let words = words.map(|word| word.as_str().unwrap_or_default().to_owned());
                let left = earlier.into_iter().zip(words).filter(|(row, _)| !rows.contains(row));
                as_gas.extend(left);
            }
            _ => others.push(row.clone()),
        }
    }
    let mut first = Vec::new();
    // Those of this call, then the others.
    for kind in [typical, !typical] {
        if let Some(rows) = by_kind.remove(&kind).filter(|rows| !rows.is_empty()) {
            let message = assumed_costs::sentence(rows.len(), units, kind);
            first.push(warning(
                &own,
                &message,
                json!({ TYPICAL: kind, UNITS: ids(rows.iter()) }),
            ));
        }
    }
    if let Some(message) = counted_as_gas(&as_gas) {
        let words: Vec<&String> = as_gas.values().collect();
        first.push(warning(
            &gas,
            &message,
            json!({ UNITS: ids(as_gas.keys()), WORDS: words }),
        ));
    }
    first.extend(others);
    for (k, row) in first.iter_mut().enumerate() {
        row["id"] = json!(format!("d{k}"));
    }
    text["diagnostics"] = Value::Array(first);
    module::write(&module::open(&text.to_string())?)
}

fn coded(name: &str) -> String {
    format!("{}{name}", module::OWN_CODES)
}

fn warning(code: &str, message: &Message, details: Value) -> Value {
    json!({ "severity": "warning", "code": code, "message": message.english(), "details": details })
}

/// Generators by their numbers, which are 1-based rows.
fn ids<'a>(rows: impl Iterator<Item = &'a usize>) -> Vec<usize> {
    rows.map(|row| row + 1).collect()
}

/// Rows by the numbers of generators; `None` for warnings of versions that do not store them.
fn numbers(ids: &Value) -> Option<Vec<usize>> {
    let number = |id: &Value| usize::try_from(id.as_u64()?).ok()?.checked_sub(1);
    ids.as_array()?.iter().map(number).collect()
}

/// The message about units that have the cost of gas although their fuel is unknown, by their words for it; `None` if there are none.
fn counted_as_gas(rows: &BTreeMap<usize, String>) -> Option<Message> {
    let unit = |row: &usize| ElementRef::numbered(ElementKind::Generator, *row as u64 + 1);
    let units: Vec<ElementRef> = rows.keys().map(unit).collect();
    let words: BTreeSet<&str> = rows
        .values()
        .map(|word| &word[..])
        .filter(|word| !word.is_empty())
        .collect();
    let words: Vec<&str> = words.into_iter().collect();
    match (units.len(), words.is_empty()) {
        (0, _) => None,
        (count, true) => Some(message!("costs.counted_as_gas", count = count, generators = units)),
        (count, false) => {
            let fuels = words;
            Some(message!(
                "costs.words_counted_as_gas",
                count = count,
                fuels = fuels,
                generators = units
            ))
        }
    }
}
