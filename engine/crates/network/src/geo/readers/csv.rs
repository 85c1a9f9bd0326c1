//! Geographic tables as text: CSV with a header, and the headerless `bus, x, y` lists of OpenDSS.

use serde_json::Value;

use crate::error::{EngineError, Result};
use crate::geo::layer::{Draft, GeoRecord, Naming, Position};
use crate::geo::readers::fields::{is_known, shortened, Fields};
use crate::input::table::{number, Table};
use crate::message;

/// Reads a table. `,`, `;` or tabs separate the cells, otherwise blanks.
///
/// # Errors
/// `INPUT.GEO_FORMAT` if the first row is neither a header of known names nor `bus, x, y`.
pub(crate) fn read(text: &str) -> Result<Draft> {
    let Table {
        rows, decimal_comma, ..
    } = Table::read(text);
    let mut rows = rows.into_iter();
    let Some(first) = rows.next() else {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.no_rows")));
    };
    if is_coordinates(&first, decimal_comma) {
        return Ok(headerless(std::iter::once(first).chain(rows), decimal_comma));
    }
    if !first.iter().any(|name| is_known(name)) {
        let found = first.iter().map(|c| shortened(c)).collect::<Vec<_>>().join(", ");
        let message = message!("geo.no_column_names", row = shortened(&found));
        return Err(EngineError::new("INPUT.GEO_FORMAT", message));
    }
    let mut draft = Draft::default();
    for (k, row) in rows.enumerate() {
        let cells = first.iter().cloned().zip(row.into_iter().map(Value::String));
        let fields = Fields::new(cells, decimal_comma);
        draft.marker = draft.marker.or_else(|| fields.marker());
        fields.add_to(&mut draft, k + 1, None, None);
    }
    Ok(draft)
}

/// Whether a first row is data: its second and third cells are numbers.
fn is_coordinates(row: &[String], decimal_comma: bool) -> bool {
    let is_number = |k: usize| row.get(k).is_some_and(|c| number(c, decimal_comma).is_some());
    is_number(1) && is_number(2)
}

fn headerless(rows: impl Iterator<Item = Vec<String>>, decimal_comma: bool) -> Draft {
    let mut draft = Draft::default();
    for (k, row) in rows.enumerate() {
        let value = |k: usize| row.get(k).and_then(|c| number(c, decimal_comma));
        let (Some(x), Some(y)) = (value(1), value(2)) else {
            draft.warn(k + 1, "GEO.NO_COORDINATES", message!("geo.not_bus_x_y"));
            continue;
        };
        let key = row[0].trim().to_owned();
        if key.is_empty() {
            draft.warn(k + 1, "GEO.NO_KEY", message!("geo.no_bus_key"));
            continue;
        }
        let record = GeoRecord {
            number: k + 1,
            position: Position::Bus([x, y]),
            id: Some(key),
            uid: None,
            name: None,
            from: None,
            to: None,
            provenance: None,
        };
        draft.push(record, Naming::Plain);
    }
    draft
}
