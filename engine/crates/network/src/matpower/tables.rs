//! Checks of table literals: values that the reader's conversions would silently change.

use powerio::{Branch, BusId};

use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::{message, switches};

/// Rows of tokens of a `[ ... ]` literal, or `None` for other text.
pub(crate) fn literal_rows(rhs: &str) -> Option<Vec<Vec<&str>>> {
    let body = rhs.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut rows = Vec::new();
    let mut row = Vec::new();
    for line in body.lines() {
        let text = code(line).trim_end();
        let (text, continued) = text.strip_suffix("...").map_or((text, false), |t| (t, true));
        // Every separator is one byte, so splitting at it does not split a character.
        let mut token: Option<usize> = None;
        for (at, c) in text.bytes().enumerate() {
            match c {
                b'[' | b']' | b'{' | b'}' | b'(' | b')' => return None,
                b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' | b',' | b';' => {
                    row.extend(token.take().map(|from| &text[from..at]));
                    if c == b';' && !row.is_empty() {
                        let width = row.len();
                        rows.push(std::mem::replace(&mut row, Vec::with_capacity(width)));
                    }
                }
                _ if token.is_none() => token = Some(at),
                _ => {}
            }
        }
        row.extend(token.map(|from| &text[from..]));
        if !continued && !row.is_empty() {
            let width = row.len();
            rows.push(std::mem::replace(&mut row, Vec::with_capacity(width)));
        }
    }
    if !row.is_empty() {
        rows.push(row);
    }
    Some(rows)
}

/// The entries of a `[ ... ]` literal that are expressions; empty for other text. Blanks separate entries outside
/// brackets, so `1 - 2`, which MATLAB reads as one entry, becomes an entry that cannot be evaluated.
pub(crate) fn expressions(rhs: &str) -> Vec<&str> {
    let Some(body) = rhs.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return Vec::new();
    };
    let is_expression = |entry: &&str| entry.contains(['(', '*', '/', '^']);
    let mut out = Vec::new();
    for line in body
        .lines()
        .map(code)
        .filter(|line| line.contains(['(', '*', '/', '^']))
    {
        let (mut from, mut depth) = (0, 0_usize);
        for (at, c) in line.bytes().enumerate() {
            match c {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b' ' | b'\t' | b'\r' | b',' | b';' if depth == 0 => {
                    out.extend(Some(&line[from..at]).filter(is_expression));
                    from = at + 1;
                }
                _ => {}
            }
        }
        out.extend(Some(&line[from..]).filter(is_expression));
    }
    out
}

fn code(line: &str) -> &str {
    // On bytes, since most lines of a table have no comment and bytes are compared several at a time.
    line.bytes().position(|c| c == b'%').map_or(line, |at| &line[..at])
}

/// Columns (0-based) of whole numbers and the status column, by table (MATPOWER manual, appendix B).
fn layout(table: &str) -> (&'static [usize], Option<usize>) {
    match table {
        "bus" => (&[0, 1, 6, 10], None),
        "branch" => (&[0, 1], Some(10)),
        "gen" => (&[0], Some(7)),
        "gencost" | "dclinecost" => (&[0, 3], None),
        "dcline" => (&[0, 1], Some(2)),
        "storage" => (&[0], Some(16)),
        "switch" => (&[0, 1, 4], Some(6)),
        _ => (&[], None),
    }
}

/// Checks one table: equal row lengths, whole numbers below 2^32 in their columns (the reader truncates fractions, and
/// larger ids differ between 32 and 64 bit builds), bus types 1 to 4, cost models 1 and 2, and statuses that the reader
/// and MATPOWER interpret alike.
///
/// # Errors
/// `INPUT.TABLE`, `INPUT.ID_RANGE`.
pub(crate) fn check(table: &str, rows: &[Vec<&str>], line: usize) -> Result<()> {
    let (whole, status) = layout(table);
    let width = rows.first().map_or(0, Vec::len);
    for (i, row) in rows.iter().enumerate() {
        let at = i + 1;
        if row.len() != width {
            let message = message!(
                "matpower.row_width",
                row = at,
                table = table,
                entries = row.len(),
                width = width,
                line = line
            );
            return Err(EngineError::new("INPUT.TABLE", message));
        }
        for &column in whole {
            // The reader refuses tokens that are not numbers, with their position.
            let Some(value) = row.get(column).and_then(|t| t.parse::<f64>().ok()) else {
                continue;
            };
            if value.fract() != 0.0 || value.is_nan() {
                let message = message!(
                    "matpower.not_whole",
                    row = at,
                    table = table,
                    value = row[column],
                    column = column + 1
                );
                return Err(EngineError::new("INPUT.TABLE", message));
            }
            if !(0.0..=u32::MAX as f64).contains(&value) {
                let message = message!(
                    "matpower.id_range",
                    row = at,
                    table = table,
                    value = row[column],
                    column = column + 1
                );
                return Err(EngineError::new("INPUT.ID_RANGE", message));
            }
            if table == "bus" && column == 1 && !(1.0..=4.0).contains(&value) {
                let message = message!("matpower.bus_type", row = at, table = table, value = row[column]);
                return Err(EngineError::new("INPUT.TABLE", message));
            }
            if column == 0 && table.ends_with("cost") && value != 1.0 && value != 2.0 {
                let message = message!("matpower.cost_model", row = at, table = table, value = row[column]);
                return Err(EngineError::new("INPUT.COST", message));
            }
        }
        let Some(column) = status else { continue };
        let Some(value) = row.get(column).and_then(|t| t.parse::<f64>().ok()) else {
            continue;
        };
        let off = value == 0.0 || (table == "gen" && value < 0.0);
        if value != 1.0 && !off {
            let message = message!("matpower.status", row = at, table = table, value = row[column]);
            return Err(EngineError::new("INPUT.TABLE", message));
        }
    }
    Ok(())
}

/// The rows of PowerModels' `mpc.switch` as branches: buses, flows, state, thermal rating (MVA) and status.
///
/// # Errors
/// `INPUT.TABLE` for rows without a state and for entries that are not numbers.
pub(crate) fn switches(rows: &[Vec<&str>]) -> Result<Vec<Branch>> {
    let read = |(at, row): (usize, &Vec<&str>)| {
        let number = |column: usize, default: Option<f64>| match row.get(column) {
            Some(token) => token.parse().ok(),
            None => default,
        };
        let bus = |column: usize| number(column, None).map(|id| BusId(id as usize));
        let read = || {
            let closed = number(4, None)? != 0.0 && number(6, Some(1.0))? != 0.0;
            let mut branch = switches::branch(bus(0)?, bus(1)?, closed);
            branch.rate_a = number(5, Some(0.0))?;
            Some(branch)
        };
        let message = message!("matpower.switch", row = at + 1);
        read().ok_or_else(|| EngineError::new("INPUT.TABLE", message))
    };
    rows.iter().enumerate().map(read).collect()
}

/// Refuses equipment tables that the reader skips: the DC grids of MatACDC and PowerModelsACDC.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED`.
pub(crate) fn refuse_unread_equipment(field: &str, rhs: &str) -> Result<()> {
    match field {
        "busdc" | "branchdc" | "convdc" | "dcbus" | "dcbranch" | "dcconv" => {
            if literal_rows(rhs).is_some_and(|rows| rows.is_empty()) {
                return Ok(());
            }
            let message = message!("matpower.dc_grid", field = field);
            let element = ElementRef::numbered(ElementKind::Hvdc, 1);
            Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(element))
        }
        _ => Ok(()),
    }
}
