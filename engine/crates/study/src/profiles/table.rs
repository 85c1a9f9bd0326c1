//! Demand profiles from tables.

use super::{check_size, Profile};
use crate::case::Case;
use std::collections::BTreeMap;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message::Message;
use wattbook_network::{message, Table};

/// The elements whose demand a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Bus(usize),
    Area(u64),
    Zone(u64),
    System,
}

/// How the demand of a column is distributed.
enum Shares {
    /// All of it to one bus.
    Whole(usize),
    /// In proportion to the base case, with the total demand there, MW.
    AsBase(Vec<usize>, f64),
}

impl Shares {
    fn rows(&self) -> &[usize] {
        match self {
            Self::Whole(row) => std::slice::from_ref(row),
            Self::AsBase(rows, _) => rows,
        }
    }
}

pub(super) fn demand(case: &Case, bytes: &[u8]) -> Result<Profile> {
    let table = Table::of_bytes(bytes)?;
    let Some((header, rows)) = table.rows.split_first() else {
        return Err(malformed(message!("profile.no_steps")));
    };
    let columns = columns(case, header)?;
    if rows.is_empty() {
        return Err(malformed(message!("profile.no_steps")));
    }
    let shares = columns.iter().enumerate().map(|(k, &of)| shares(case, of, k + 2));
    let shares: Vec<Shares> = shares.collect::<Result<_>>()?;
    let buses: Vec<usize> = shares.iter().flat_map(Shares::rows).copied().collect();
    check_size(rows.len(), buses.len())?;
    let (mut steps, mut demand_mw) = (
        Vec::with_capacity(rows.len()),
        Vec::with_capacity(rows.len() * buses.len()),
    );
    for (k, row) in rows.iter().enumerate() {
        if row.len() != header.len() {
            let message = message!("profile.cells", row = k + 1, cells = row.len(), columns = header.len());
            return Err(malformed(message));
        }
        for (place, (cell, shares)) in row.iter().skip(1).zip(&shares).enumerate() {
            let Some(mw) = table.number(cell) else {
                let column = &header[place + 1];
                let message = message!(
                    "profile.not_a_number",
                    row = k + 1,
                    step = &row[0],
                    column = column,
                    value = cell
                );
                return Err(malformed(message));
            };
            match shares {
                Shares::Whole(_) => demand_mw.push(mw),
                Shares::AsBase(rows, total) => {
                    let factor = mw / total;
                    demand_mw.extend(rows.iter().map(|&row| factor * case.demand_mw(row)));
                }
            }
        }
        steps.push(row[0].clone());
    }
    Ok(Profile {
        steps,
        buses,
        demand_mw,
    })
}

fn malformed(message: Message) -> EngineError {
    EngineError::new("PROFILE.MALFORMED", message)
}

/// The elements of each column, all of one kind.
fn columns(case: &Case, header: &[String]) -> Result<Vec<Of>> {
    if header.len() < 2 {
        return Err(malformed(message!("profile.no_columns")));
    }
    let mut found: Vec<Of> = Vec::with_capacity(header.len() - 1);
    let mut seen: BTreeMap<Of, usize> = BTreeMap::new();
    for (place, name) in header.iter().enumerate().skip(1) {
        let of = column(case, name, place)?;
        if let Some(&first) = seen.get(&of) {
            let (number, other) = (place + 1, &header[first]);
            let message = message!("profile.column_twice", number = number, column = name, other = other);
            return Err(malformed(message));
        }
        if found.first().is_some_and(|&first| !alike(first, of)) {
            let (number, other) = (place + 1, &header[1]);
            let message = message!("profile.kinds_mixed", number = number, column = name, other = other);
            return Err(malformed(message));
        }
        seen.insert(of, place);
        found.push(of);
    }
    Ok(found)
}

fn alike(a: Of, b: Of) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

fn column(case: &Case, name: &str, place: usize) -> Result<Of> {
    let number = place + 1;
    let lower = name.trim().to_ascii_lowercase();
    if lower == "system" {
        return Ok(Of::System);
    }
    for (kind, of) in [("area", Of::Area as fn(u64) -> Of), ("zone", Of::Zone as fn(u64) -> Of)] {
        let Some(id) = keyed(&lower, kind) else { continue };
        let group = id
            .parse()
            .ok()
            .map(of)
            .filter(|&group| !members(case, group).is_empty());
        return group.ok_or_else(|| malformed(message!("profile.empty_group", number = number, column = name)));
    }
    // A uid may begin with the word `bus` itself.
    let after = keyed(&lower, "bus").map(|id| &name.trim()[name.trim().len() - id.len()..]);
    let row = case.keys.bus(name.trim()).or_else(|| case.keys.bus(after?));
    let Some(row) = row else {
        let message = message!("profile.unknown_bus", number = number, column = name);
        return Err(EngineError::new("BUS.UNKNOWN", message));
    };
    let bus = &case.network.buses[row];
    if !bus.editable || !bus.in_service {
        let message = message!(
            "profile.bus_without_demand",
            number = number,
            bus = ElementRef::from(bus)
        );
        return Err(EngineError::new("PROFILE.MALFORMED", message).at(ElementRef::from(bus)));
    }
    Ok(Of::Bus(row))
}

/// The rest of a name after the word, as in `area 2`, `area_2` or `area:2`.
fn keyed<'a>(name: &'a str, word: &str) -> Option<&'a str> {
    let rest = name.strip_prefix(word)?;
    let id = rest.trim_start_matches([' ', '_', ':', '-']);
    (id.len() < rest.len() && !id.is_empty()).then_some(id)
}

/// Rows of the loads of a group.
fn members(case: &Case, of: Of) -> Vec<usize> {
    let is_member = |row: &usize| {
        let bus = &case.network.buses[*row];
        match of {
            Of::Bus(only) => only == *row,
            Of::Area(area) => bus.area == Some(area),
            Of::Zone(zone) => bus.zone == Some(zone),
            Of::System => true,
        }
    };
    case.loads().into_iter().filter(is_member).collect()
}

/// The distribution of the column with this number.
///
/// Errors: `PROFILE.MALFORMED` where positive and negative demand cancel, so that no factor gives another sum.
fn shares(case: &Case, of: Of, number: usize) -> Result<Shares> {
    if let Of::Bus(row) = of {
        return Ok(Shares::Whole(row));
    }
    let rows = members(case, of);
    let total: f64 = rows.iter().map(|&row| case.demand_mw(row)).sum();
    let all: f64 = rows.iter().map(|&row| case.demand_mw(row).abs()).sum();
    match total.abs() > 1e-9 * all {
        true => Ok(Shares::AsBase(rows, total)),
        false if rows.is_empty() => Ok(Shares::AsBase(rows, 1.0)),
        false => Err(malformed(message!("profile.demand_cancels", number = number))),
    }
}
