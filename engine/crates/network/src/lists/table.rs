//! Outages as CSV: a row for each branch or generator, and rows with the same label are one outage.

use std::collections::HashMap;

use super::{At, Draft, Note, Reading};
use crate::error::{EngineError, Result};
use crate::input::table::Table;
use crate::message;

const FROM: [&str; 3] = ["from_bus", "from", "f_bus"];
const TO: [&str; 3] = ["to_bus", "to", "t_bus"];
const CIRCUIT: [&str; 2] = ["circuit", "ckt"];

/// Indices of the columns in a row.
struct Columns {
    outage: usize,
    branch: Option<usize>,
    ends: Option<[usize; 2]>,
    circuit: Option<usize>,
    generator: Option<usize>,
}

impl Columns {
    fn of(header: &[String]) -> Option<Self> {
        let names: Vec<String> = header.iter().map(|name| name.trim().to_lowercase()).collect();
        let at = |wanted: &[&str]| wanted.iter().find_map(|one| names.iter().position(|name| name == one));
        let columns = Self {
            outage: at(&["outage"])?,
            branch: at(&["branch"]),
            ends: at(&FROM).zip(at(&TO)).map(|(from, to)| [from, to]),
            circuit: at(&CIRCUIT),
            generator: at(&["generator"]),
        };
        let has_elements = columns.branch.or(columns.generator).is_some() || columns.ends.is_some();
        has_elements.then_some(columns)
    }
}

/// Whether the header is that of a table of outages.
pub(super) fn is_one(text: &str) -> bool {
    let table = Table::read(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default());
    table.rows.first().is_some_and(|header| Columns::of(header).is_some())
}

/// Reads a table.
///
/// # Errors
/// `INPUT.TABLE` without the columns.
pub(super) fn read(reading: &mut Reading<'_>, text: &str) -> Result<()> {
    let table = Table::read(text);
    let rows = table
        .rows
        .split_first()
        .and_then(|(header, rows)| Some((Columns::of(header)?, rows)));
    let Some((columns, rows)) = rows else {
        let message = message!("list.no_columns", file = reading.file);
        return Err(EngineError::new("INPUT.TABLE", message));
    };
    let mut drafts: Vec<Draft> = Vec::new();
    let mut of_label: HashMap<&str, usize> = HashMap::new();
    for (cells, line) in rows.iter().zip(&table.lines[1..]) {
        let cell = |column: usize| cells.get(column).map_or("", String::as_str);
        let stated = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
        let text = cells.join(" ");
        let at = At {
            line: *line,
            text: &text,
        };
        let label = cell(columns.outage);
        let next = drafts.len();
        // Rows without a label are outages by themselves.
        let slot = match label {
            "" => next,
            label => *of_label.entry(label).or_insert(next),
        };
        if slot == next {
            drafts.push(Draft::new(label, at.line));
        }
        add(reading, &mut drafts[slot], &columns, stated, at);
    }
    drafts.into_iter().for_each(|draft| reading.close(draft));
    Ok(())
}

/// Adds the elements of a row to its outage.
fn add<'t>(
    reading: &mut Reading<'_>,
    draft: &mut Draft,
    columns: &Columns,
    stated: impl Fn(Option<usize>) -> Option<&'t str>,
    at: At<'_>,
) {
    let elements = reading.elements;
    let ends = columns.ends.map(|ends| ends.map(|end| stated(Some(end))));
    let branch = match (stated(columns.branch), ends) {
        (Some(key), _) => Some(elements.branch_of_key(key)),
        (None, Some([Some(from), Some(to)])) => Some(match [elements.bus(from), elements.bus(to)] {
            [Some(from), Some(to)] => elements.branch([from, to], stated(columns.circuit)),
            _ => None,
        }),
        (None, Some([None, None]) | None) => None,
        // One end alone names no branch.
        (None, Some(_)) => Some(None),
    };
    let generator = stated(columns.generator).map(|key| elements.generator_of_key(key));
    if branch.is_none() && generator.is_none() {
        return reading.refuse(draft, Note::Unsupported, at);
    }
    if let Some(row) = branch {
        reading.add(draft, row.map(|row| elements.outage_of_branch(row)), at);
    }
    if let Some(row) = generator {
        reading.add(draft, row.map(|row| elements.outage_of_generator(row)), at);
    }
}
