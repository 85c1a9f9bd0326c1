//! Three-winding transformers of auxiliary files.
//!
//! Such a file contains each transformer as a star bus with three branches, which are read, and again as a `3WXFORMER`
//! record, which the reader would drop. That is harmless if the branches are present and agree; otherwise the file is
//! refused.

use std::borrow::Cow;
use std::collections::HashMap;

use super::objects::Object;
use super::of;
use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::Message;

/// Pairs of windings in the order of the record: primary and secondary, secondary and tertiary, tertiary and primary.
const PAIRS: [[&str; 2]; 3] = [["R3W", "X3W"], ["R3W:1", "X3W:1"], ["R3W:2", "X3W:2"]];

/// A branch at a star bus: resistance and reactance as in the file, if present.
type Leg<'a> = Option<[&'a str; 2]>;

/// Refuses a record whose star bus lacks its three branches or whose impedances contradict them, and warns that the
/// others are read as their branches.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` naming the record.
pub(super) fn check(objects: &[Object<'_>]) -> Result<Option<Warning>> {
    let mut read: Vec<&str> = Vec::new();
    let mut at_bus: Option<HashMap<&str, Vec<Leg<'_>>>> = None;
    for object in of(objects, "3wxformer") {
        let star = object.column(&["BusNum3W:3"]);
        let columns = PAIRS.map(|pair| pair.map(|name| object.column(&[name])));
        // Impedances on their own bases are not compared.
        let own_base = object
            .fields
            .iter()
            .any(|f| f.to_ascii_uppercase().starts_with("MVABASE3W"));
        let at_bus = at_bus.get_or_insert_with(|| legs(objects));
        for row in &object.rows {
            let refuse = |message: Message| Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
            let name = || -> String { row.join(" ").chars().take(60).collect() };
            let legs = star.and_then(|at| Some((row[at], at_bus.get(row[at])?)));
            let Some((bus, legs)) = legs.filter(|(_, legs)| legs.len() >= 3) else {
                return refuse(message!("powerworld.no_star", transformer = name()));
            };
            let pairs = columns.map(|pair| pair.map(|at| at.map(|at| row[at])));
            let stated: Option<Vec<[&str; 2]>> = pairs.iter().map(|[r, x]| Some([(*r)?, (*x)?])).collect();
            let written: Option<Vec<[&str; 2]>> = legs.iter().copied().collect();
            if let (Some(stated), Some(written), false) = (stated, written, own_base) {
                if written.len() == 3 && !agree(&stated, &written) {
                    return refuse(message!("powerworld.other_impedances", transformer = name(), bus = bus));
                }
            }
            read.push(bus);
        }
    }
    if read.is_empty() {
        return Ok(None);
    }
    let shown = read[..read.len().min(5)].join(", ");
    let message = match read.len() {
        ..=5 => message!("powerworld.stars", buses = shown),
        n => message!("powerworld.stars_more", buses = shown, more = n - 5),
    };
    Ok(Some(Warning::new("INPUT.STAR_IN_FILE", message)))
}

/// The text without the records, so that the reader does not report them as dropped. Line numbers are preserved.
pub(super) fn without_records<'a>(text: Cow<'a, str>, objects: &[Object<'_>]) -> Cow<'a, str> {
    let spans: Vec<_> = of(objects, "3wxformer").map(|o| o.lines.clone()).collect();
    if spans.is_empty() {
        return text;
    }
    let remaining = text
        .lines()
        .enumerate()
        .map(|(at, line)| match spans.iter().any(|s| s.contains(&at)) {
            true => "\n".to_string(),
            false => format!("{line}\n"),
        });
    Cow::Owned(remaining.collect())
}

/// The branches at each bus, by its number as a text.
fn legs<'a>(objects: &[Object<'a>]) -> HashMap<&'a str, Vec<Leg<'a>>> {
    let mut at_bus: HashMap<&str, Vec<Leg>> = HashMap::new();
    for object in of(objects, "branch") {
        let ends = (
            object.column(&["BusNum", "BusNumFrom"]),
            object.column(&["BusNum:1", "BusNumTo"]),
        );
        let (Some(from), Some(to)) = ends else { continue };
        let impedance = (object.column(&["LineR", "R"]), object.column(&["LineX", "X"]));
        for row in &object.rows {
            let leg = impedance.0.zip(impedance.1).map(|(r, x)| [row[r], row[x]]);
            at_bus.entry(row[from]).or_default().push(leg);
            if row[to] != row[from] {
                at_bus.entry(row[to]).or_default().push(leg);
            }
        }
    }
    at_bus
}

/// Whether three legs have the impedances of the three pairs, in any order: leg 1 is half of pair 1-2 plus pair 3-1
/// less pair 2-3, and so on. The tolerance is the rounding of the printed digits.
fn agree(pairs: &[[&str; 2]], legs: &[[&str; 2]]) -> bool {
    (0..2).all(|part| {
        let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        let [a, b, c] = [0, 1, 2].map(|k| number(pairs[k][part]));
        let mut expected = [0.5 * (a + c - b), 0.5 * (a + b - c), 0.5 * (b + c - a)];
        let mut found = [0, 1, 2].map(|k| number(legs[k][part]));
        expected.sort_by(f64::total_cmp);
        found.sort_by(f64::total_cmp);
        // Half a unit for each of the three numbers of a leg, and for the leg itself.
        let tolerance = unit(pairs, part).max(unit(legs, part));
        let near = |(e, f): (&f64, &f64)| (e - f).abs() <= tolerance + 1e-12 * f.abs();
        expected.iter().zip(&found).all(near)
    })
}

/// Unit in the last printed decimal place of three numbers.
fn unit(written: &[[&str; 2]], part: usize) -> f64 {
    let decimals = |pair: &[&str; 2]| pair[part].split_once('.').map_or(0, |(_, digits)| digits.len());
    libm::pow(10.0, -(written.iter().map(decimals).max().unwrap_or(0) as f64))
}
