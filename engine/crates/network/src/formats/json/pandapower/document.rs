//! The document of a pandapower network: its members and tables, which are data frames in orientation `split`.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use crate::error::{EngineError, Result};
use crate::message;

/// A network of pandapower, as written by `to_json`.
#[derive(Debug)]
pub(super) struct Document {
    members: Map<String, Value>,
    tables: BTreeMap<String, Table>,
}

/// One data frame.
#[derive(Debug)]
pub(super) struct Table {
    name: String,
    columns: HashMap<String, usize>,
    index: Vec<Value>,
    rows: Vec<Vec<Value>>,
}

/// One row of a data frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub table: &'a Table,
    position: usize,
}

impl Document {
    /// # Errors
    /// `INPUT.PARSE` if the text is not a pandapower network or a table is invalid.
    pub fn parse(text: &str) -> Result<Self> {
        let root = json(text)?;
        let is_network = root.get("_class").and_then(Value::as_str) == Some("pandapowerNet");
        let members = match (is_network, root) {
            (true, Value::Object(mut root)) => match root.remove("_object") {
                Some(Value::Object(members)) => Some(members),
                Some(Value::String(inner)) => match json(&inner)? {
                    Value::Object(members) => Some(members),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let no_network = || EngineError::new("INPUT.PARSE", message!("pandapower.no_network"));
        let mut members = members.ok_or_else(no_network)?;
        let mut tables = BTreeMap::new();
        for (name, member) in &mut members {
            // Empty result tables are templates of pandapower itself.
            if name.starts_with("_empty") {
                continue;
            }
            if let Some(table) = Table::read(name, member)? {
                tables.insert(name.clone(), table);
            }
        }
        Ok(Self { members, tables })
    }

    /// A table by name; an absent one has no rows.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.get(name)
    }

    /// Rows of a table; empty if the table is absent.
    pub fn rows(&self, name: &str) -> impl Iterator<Item = Row<'_>> {
        self.tables.get(name).into_iter().flat_map(Table::rows)
    }

    /// Every table, by name.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values()
    }

    /// A member that is not a table.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    /// A positive number of the network itself, `default` if it is absent.
    ///
    /// # Errors
    /// `INPUT.PARSE` for an invalid number.
    pub fn positive(&self, name: &str, default: f64) -> Result<f64> {
        match self.members.get(name) {
            None => Ok(default),
            Some(stated) => match number(stated).filter(|x| x.is_finite() && *x > 0.0) {
                Some(x) => Ok(x),
                None => Err(EngineError::new(
                    "INPUT.PARSE",
                    message!("pandapower.not_positive", member = name),
                )),
            },
        }
    }
}

impl Table {
    fn read(name: &str, member: &mut Value) -> Result<Option<Self>> {
        let is_frame = member.get("_class").and_then(Value::as_str) == Some("DataFrame");
        if !is_frame {
            return Ok(None);
        }
        let broken = || EngineError::new("INPUT.PARSE", message!("pandapower.no_table", table = name));
        let frame = match member.get_mut("_object").map(Value::take) {
            Some(Value::String(text)) => json(&text)?,
            Some(frame) => frame,
            None => return Err(broken()),
        };
        let Value::Object(mut frame) = frame else {
            return Err(broken());
        };
        let mut list = |key: &str| match frame.remove(key) {
            Some(Value::Array(items)) => Ok(items),
            _ => Err(broken()),
        };
        let (columns, index, data) = (list("columns")?, list("index")?, list("data")?);
        // Multi-level columns occur in three-phase results only.
        let named = columns.iter().enumerate();
        let columns = named.filter_map(|(k, c)| Some((c.as_str()?.to_string(), k))).collect();
        let row = |row: Value| match row {
            Value::Array(cells) => Ok(cells),
            _ => Err(broken()),
        };
        let rows = data.into_iter().map(row).collect::<Result<Vec<_>>>()?;
        if index.len() != rows.len() {
            return Err(broken());
        }
        let name = name.to_string();
        Ok(Some(Self {
            name,
            columns,
            index,
            rows,
        }))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.contains_key(column)
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|position| Row { table: self, position })
    }
}

impl<'a> Row<'a> {
    /// The label of the row: its index.
    pub fn label(&self) -> String {
        match &self.table.index[self.position] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// The index of the row as a number of an element.
    ///
    /// # Errors
    /// `INPUT.TABLE` if it is not a whole number from 0 to 2^32.
    pub fn index(&self) -> Result<usize> {
        whole(&self.table.index[self.position]).ok_or_else(|| {
            let message = message!("pandapower.index", table = &self.table.name, index = self.label());
            EngineError::new("INPUT.TABLE", message)
        })
    }

    /// A cell; `None` if the column is absent or the cell is empty.
    pub fn cell(&self, column: &str) -> Option<&'a Value> {
        let column = *self.table.columns.get(column)?;
        let cell = self.table.rows[self.position].get(column)?;
        (!cell.is_null()).then_some(cell)
    }

    /// A number that is not NaN.
    pub fn number(&self, column: &str) -> Option<f64> {
        number(self.cell(column)?)
    }

    /// A number, or pandapower's default if there is none.
    pub fn number_or(&self, column: &str, default: f64) -> f64 {
        self.number(column).unwrap_or(default)
    }

    /// A mandatory number.
    ///
    /// # Errors
    /// `INPUT.TABLE` naming row and column.
    pub fn required(&self, column: &str) -> Result<f64> {
        self.number(column).ok_or_else(|| {
            let message = message!(
                "pandapower.no_number",
                table = &self.table.name,
                row = self.label(),
                column = column
            );
            EngineError::new("INPUT.TABLE", message)
        })
    }

    /// A whole number, such as an index into another table.
    pub fn whole(&self, column: &str) -> Option<usize> {
        whole(self.cell(column)?)
    }

    pub fn flag(&self, column: &str, default: bool) -> bool {
        match self.cell(column) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
            Some(other) => number(other).map_or(default, |x| x != 0.0),
            None => default,
        }
    }

    pub fn text(&self, column: &str) -> Option<&'a str> {
        self.cell(column)?.as_str().filter(|text| !text.is_empty())
    }

    pub fn is_in_service(&self) -> bool {
        self.flag("in_service", true)
    }
}

/// Parses JSON in which Python wrote NaN and infinities as words; these become empty cells.
fn json(text: &str) -> Result<Value> {
    let parsed = serde_json::from_str(text).or_else(|error| match without_words(text) {
        Cow::Owned(text) => serde_json::from_str(&text),
        Cow::Borrowed(_) => Err(error),
    });
    parsed.map_err(|error| {
        let message = message!("pandapower.no_json", line = error.line(), column = error.column());
        EngineError::new("INPUT.PARSE", message)
    })
}

/// Replaces `NaN`, `Infinity` and `-Infinity` outside of texts by `null`, `1e999` and `-1e999`, since JSON has no such
/// words.
fn without_words(text: &str) -> Cow<'_, str> {
    const WORDS: [&str; 3] = ["NaN", "-Infinity", "Infinity"];
    let mut out = String::new();
    let (mut copied, mut at, mut quoted) = (0, 0, false);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match (bytes[at], quoted) {
            (b'\\', true) => at += 1,
            (b'"', _) => quoted = !quoted,
            (b'N' | b'I' | b'-', false) => {
                if let Some(word) = WORDS.into_iter().find(|word| bytes[at..].starts_with(word.as_bytes())) {
                    out.push_str(&text[copied..at]);
                    out.push_str("null");
                    at += word.len();
                    copied = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    match copied {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(out + &text[copied..]),
    }
}

/// A number other than NaN, possibly within a text.
pub(super) fn number(value: &Value) -> Option<f64> {
    let x = match value {
        Value::Number(x) => x.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        Value::Bool(flag) => f64::from(u8::from(*flag)),
        _ => return None,
    };
    (!x.is_nan()).then_some(x)
}

fn whole(value: &Value) -> Option<usize> {
    let x = number(value)?;
    (x >= 0.0 && x <= f64::from(u32::MAX) && x.fract() == 0.0).then_some(x as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_outside_of_texts_are_empty_cells() {
        let text = r#"{"a":[NaN,-Infinity,Infinity,-1],"NaN":"say \"NaN\" twice"}"#;
        let parsed = json(text).expect("json");
        assert_eq!(parsed["a"], serde_json::json!([null, null, null, -1]));
        assert_eq!(parsed["NaN"], "say \"NaN\" twice");
        assert!(json("{NaN").is_err());
    }
}
