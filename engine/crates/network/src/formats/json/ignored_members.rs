//! Members of a document that its reader ignores: named in a warning, or known to be without effect.

use serde_json::{Map, Value};

use crate::analysis::Warning;
use crate::message;

/// A table of records, with the fields that are read and those without effect: results, names, and data of other time
/// steps.
pub(super) struct Table {
    pub name: &'static str,
    pub read: &'static [&'static str],
    pub without_effect: &'static [&'static str],
}

/// Other tables that are known to be without effect.
pub(super) struct Layout {
    pub tables: &'static [Table],
    pub without_effect: &'static [&'static str],
}

/// One warning for the tables and one for the fields that are not in the network.
pub(super) fn warnings(members: &Map<String, Value>, layout: &Layout) -> Vec<Warning> {
    let mut out = Vec::new();
    let (mut rows, mut tables) = (0, Vec::new());
    for (name, table) in members {
        let entries = match table {
            Value::Object(entries) => entries.len(),
            Value::Array(entries) => entries.len(),
            _ => 0,
        };
        let known = layout.without_effect.contains(&name.as_str()) || layout.tables.iter().any(|t| t.name == name);
        if entries > 0 && !known {
            rows += entries;
            tables.push(format!("`{name}`"));
        }
    }
    if rows > 0 {
        let message = message!("document.tables_left_out", count = rows, tables = tables);
        out.push(Warning::new("INPUT.LEFT_OUT", message));
    }
    let mut fields: Vec<(String, usize)> = Vec::new();
    for table in layout.tables {
        let records = members.get(table.name).and_then(Value::as_object);
        for record in records.into_iter().flat_map(Map::values).filter_map(Value::as_object) {
            for (field, value) in record {
                let known = table.read.contains(&field.as_str()) || table.without_effect.contains(&field.as_str());
                if known || says_nothing(value) {
                    continue;
                }
                let name = format!("`{}.{field}`", table.name);
                match fields.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, count)) => *count += 1,
                    None => fields.push((name, 1)),
                }
            }
        }
    }
    if !fields.is_empty() {
        let count: usize = fields.iter().map(|(_, count)| count).sum();
        let names: Vec<String> = fields.into_iter().map(|(name, _)| name).collect();
        let message = message!("document.fields_ignored", count = count, fields = names);
        out.push(Warning::new("INPUT.FIELD_IGNORED", message));
    }
    out
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
