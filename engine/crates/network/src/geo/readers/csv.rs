//! Geographic tables as text: CSV with a header, and the headerless `bus, x, y` lists of OpenDSS.

use serde_json::Value;

use crate::error::{EngineError, Result};
use crate::geo::layer::{Draft, GeoRecord, Naming, Position};
use crate::geo::readers::fields::{is_known, number, shortened, Fields};
use crate::message;

/// Reads a table. `,`, `;` and tabs divide the cells, blanks where there is none of these.
///
/// # Errors
/// `INPUT.GEO_FORMAT` when the first row is neither a header of known names nor `bus, x, y`.
pub(crate) fn read(text: &str) -> Result<Draft> {
    let delimiter = delimiter(text);
    let mut rows = rows(text, delimiter).into_iter();
    let Some(first) = rows.next() else {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.no_rows")));
    };
    let decimal_comma = delimiter == Some(';');
    if is_coordinates(&first, decimal_comma) {
        return Ok(headerless(std::iter::once(first).chain(rows), decimal_comma));
    }
    if !first.iter().any(|name| is_known(name)) {
        let found = first.iter().map(|c| shortened(c)).collect::<Vec<_>>().join(", ");
        let said = message!("geo.no_column_names", row = shortened(&found));
        return Err(EngineError::new("INPUT.GEO_FORMAT", said));
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

/// A first row is data when its second and third cells are numbers.
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

/// The delimiter of the first line that is no comment: the most frequent outside quotes, None for blanks.
pub(crate) fn delimiter(text: &str) -> Option<char> {
    let line = text.lines().find(|l| !is_comment(l))?;
    let mut quoted = false;
    let mut counts = [(';', 0), ('\t', 0), (',', 0)];
    for c in line.chars() {
        quoted ^= c == '"';
        if let Some(count) = counts.iter_mut().find(|(d, _)| !quoted && *d == c) {
            count.1 += 1;
        }
    }
    let best = counts.into_iter().filter(|(_, n)| *n > 0);
    best.max_by_key(|&(d, n)| (n, d == ';')).map(|(d, _)| d)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || ["//", "!", "#"].iter().any(|mark| line.starts_with(mark))
}

/// Cells of every row that is neither blank nor a comment, trimmed. Quoted cells may hold delimiters, line ends and doubled
/// quotes; a quote that never closes ends with the file. What follows `!` after the third cell is an OpenDSS comment.
pub(crate) fn rows(text: &str, delimiter: Option<char>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row: Vec<String> = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    let mut end_row = |row: &mut Vec<String>, cell: &mut String| {
        row.push(std::mem::take(cell));
        let mut cells: Vec<String> = std::mem::take(row).iter().map(|c| c.trim().to_owned()).collect();
        if delimiter.is_none() {
            cells = cells
                .iter()
                .flat_map(|c| c.split_whitespace())
                .map(str::to_owned)
                .collect();
        }
        let blank = cells.iter().all(String::is_empty);
        if !blank && (cells[0].is_empty() || !is_comment(&cells[0])) {
            if let Some(last) = cells.get_mut(2) {
                if let Some((value, _)) = last.split_once('!') {
                    *last = value.trim().to_owned();
                }
            }
            rows.push(cells);
        }
    };
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            c if quoted => cell.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => end_row(&mut row, &mut cell),
            '\n' => end_row(&mut row, &mut cell),
            c if Some(c) == delimiter => row.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    end_row(&mut row, &mut cell);
    rows
}
