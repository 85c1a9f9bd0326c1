//! Positions in PowerWorld auxiliary files: on the bus row, or on the row of its substation.

use std::collections::BTreeMap;

use crate::geo::layer::{Draft, GeoRecord, Naming, Position};

/// A bus with a position, `[lon, lat]` in degrees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BusPosition {
    pub number: u64,
    pub name: Option<String>,
    pub at: [f64; 2],
}

/// Whether the first significant line opens an object: `DATA (Bus, [..])`, or the shorter `Bus (..)`.
pub(crate) fn is_auxiliary(text: &str) -> bool {
    let line = text
        .lines()
        .map(str::trim)
        .find(|l| !l.is_empty() && !l.starts_with("//"));
    let word = line.and_then(|l| l.split_once('(')).map(|(word, _)| word.trim());
    word.is_some_and(|w| !w.is_empty() && w.split_whitespace().all(|p| p.chars().all(char::is_alphanumeric)))
        && text.contains('{')
}

/// Buses with a position as a layer.
pub(crate) fn read_layer(text: &str) -> Draft {
    let mut draft = Draft::default();
    for (k, bus) in bus_positions(text).into_iter().enumerate() {
        let record = GeoRecord {
            number: k + 1,
            position: Position::Bus(bus.at),
            id: Some(bus.number.to_string()),
            uid: None,
            name: bus.name,
            from: None,
            to: None,
            provenance: None,
        };
        draft.push(record, Naming::Degrees);
    }
    draft
}

/// Every bus that has its own position or that of its substation. Blank fields and 0, 0 mean no position.
pub(crate) fn bus_positions(text: &str) -> Vec<BusPosition> {
    let tables = tables(text);
    let of = |object: &'static str| tables.iter().filter(move |t| t.object == object);
    let mut substations: BTreeMap<u64, [f64; 2]> = BTreeMap::new();
    for table in of("substation") {
        for row in &table.rows {
            let number = table.number(row, &["subnum", "number", "subnumber"]);
            if let (Some(number), Some(at)) = (number, table.lon_lat(row)) {
                substations.insert(number as u64, at);
            }
        }
    }
    let mut found = Vec::new();
    for table in of("bus") {
        for row in &table.rows {
            let Some(number) = table.number(row, &["busnum", "number"]) else {
                continue;
            };
            let substation = table.number(row, &["subnum", "subnumber"]);
            let at = table
                .lon_lat(row)
                .or_else(|| substations.get(&(substation? as u64)).copied());
            let name = table.cell(row, &["busname", "name"]).map(str::to_owned);
            found.extend(at.map(|at| BusPosition {
                number: number as u64,
                name,
                at,
            }));
        }
    }
    found
}

/// Rows of one object block.
struct Table {
    object: String,
    fields: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn cell<'a>(&self, row: &'a [String], names: &[&str]) -> Option<&'a str> {
        let column = |name: &&str| self.fields.iter().position(|f| f == name);
        let cells = names.iter().filter_map(column).filter_map(|k| row.get(k));
        cells.map(|c| c.trim()).find(|c| !c.is_empty())
    }

    fn number(&self, row: &[String], names: &[&str]) -> Option<f64> {
        self.cell(row, names)?
            .parse::<f64>()
            .ok()
            .filter(|v| v.is_finite() && *v >= 0.0)
    }

    fn lon_lat(&self, row: &[String]) -> Option<[f64; 2]> {
        let pairs = [
            ["latitude", "longitude"],
            ["latitude:1", "longitude:1"],
            ["sublatitude", "sublongitude"],
        ];
        pairs.iter().find_map(|[lat, lon]| {
            let value = |name: &str| self.cell(row, &[name])?.parse::<f64>().ok();
            let at = [value(lon)?, value(lat)?];
            (at[0].abs() <= 180.0 && at[1].abs() <= 90.0 && at != [0.0, 0.0]).then_some(at)
        })
    }
}

/// The blocks of buses and substations; other blocks and sub-data inside rows are skipped.
fn tables(text: &str) -> Vec<Table> {
    let mut found = Vec::new();
    let mut header = String::new();
    let mut open: Option<(Option<Table>, Vec<String>)> = None;
    let mut in_subdata = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("//") {
            continue;
        }
        let Some((table, cells)) = &mut open else {
            // Only the new line is searched, so that a file of a million lines without a brace is not copied at each of
            // them.
            let Some((last, rest)) = line.split_once('{') else {
                if !line.is_empty() {
                    header.push_str(line);
                    header.push(' ');
                }
                continue;
            };
            header.push_str(last);
            let table = header_of(&header).filter(|t| t.object == "bus" || t.object == "substation");
            let mut cells = Vec::new();
            if table.is_some() {
                split_into(rest, &mut cells);
            }
            open = Some((table, cells));
            header.clear();
            continue;
        };
        let upper = line.get(..9).map(str::to_ascii_uppercase).unwrap_or_default();
        if in_subdata {
            in_subdata = !upper.starts_with("</SUBDATA");
        } else if upper.starts_with("<SUBDATA") {
            in_subdata = true;
        } else if line.starts_with('}') {
            if let Some(mut table) = table.take() {
                let width = table.fields.len();
                table.rows = cells.chunks_exact(width).map(<[String]>::to_vec).collect();
                found.push(table);
            }
            open = None;
        } else if table.is_some() {
            split_into(line, cells);
        }
    }
    found
}

/// `DATA (Object, [field, ...])`, `DATA name(Object, [...])` or `Object (field, ...)`.
fn header_of(text: &str) -> Option<Table> {
    let (word, rest) = text.split_once('(')?;
    let word = word.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let (object, fields) = match rest.split_once('[') {
        Some((object, fields)) if word == "data" => (object.trim().trim_end_matches(','), fields.split(']').next()?),
        _ => (word.as_str(), rest.split(')').next()?),
    };
    let fields: Vec<String> = fields
        .split(',')
        .map(|f| f.trim().to_ascii_lowercase())
        .filter(|f| !f.is_empty())
        .collect();
    (!fields.is_empty()).then(|| Table {
        object: object.trim().to_ascii_lowercase(),
        fields,
        rows: Vec::new(),
    })
}

/// Cells of a line, separated by blanks or commas; quotes may contain both, and `""` is an empty cell.
fn split_into(line: &str, cells: &mut Vec<String>) {
    let mut rest = line.trim_start();
    while !rest.is_empty() && !rest.starts_with("//") {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_at(rest.find([' ', '\t', ',', '"']).unwrap_or(rest.len())),
        };
        cells.push(cell.to_owned());
        let after = after.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
}
