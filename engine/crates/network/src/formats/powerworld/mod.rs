//! Preprocessing for the reader of PowerWorld auxiliary files.
//!
//! The reader recognises transformers only by `BranchDeviceType`, assumes a base of 100 MVA, ignores shunts on bus rows and
//! misreads fixed costs. The missing data are appended as sections, which it merges by key, as Simulator does.

mod costs;
mod objects;
#[cfg(test)]
mod tests;
mod three_windings;

use std::borrow::Cow;
use std::collections::HashSet;

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::sentences::recognised::refused_value;
use crate::{message, message_key};
use objects::{objects, Object};

/// Objects with power in them that no reader here models.
const UNSUPPORTED: [(&str, &str); 4] = [
    ("dctransmissionline", message_key!("powerworld.dc_line")),
    ("mtdcrecord", message_key!("powerworld.multi_terminal")),
    ("vscdcline", message_key!("powerworld.vsc_line")),
    ("mtdcconverter", message_key!("powerworld.dc_converter")),
];
/// Branch fields that would change the network a little and are not read.
const NOT_READ: [&str; 7] = [
    "LineG",
    "LineShuntMW",
    "LineShuntMW:1",
    "LineShuntMVR",
    "LineShuntMVR:1",
    "XfrmerMagnetizingG",
    "XfrmerMagnetizingB",
];

/// Judges an auxiliary file and gives the text that the reader can read, and what has to be told.
///
/// # Errors
/// `INPUT.TRUNCATED`, `PHYSICS.UNSUPPORTED` for DC lines, bypassed series capacitors and three-winding transformers whose
/// legs are not among the branches, or are others.
pub(super) fn prepare(text: &str) -> Result<(Cow<'_, str>, Vec<Warning>)> {
    let objects = objects(text)?;
    refuse_unread(&objects)?;
    let stars = three_windings::check(&objects)?;
    let mut added = String::new();
    for (header, rows) in [
        (
            "BRANCH, [BusNum,BusNum:1,LineCircuit,BranchDeviceType]",
            transformer_marks(&objects),
        ),
        ("SHUNT, [BusNum,ShuntID,SSStatus,SSNMW,SSNMVR]", bus_shunts(&objects)),
        (
            "GEN, [BusNum,GenID,GenFuelCost,GenFixedCost,GenIOB,GenIOC,GenIOD]",
            costs::rows(&objects),
        ),
    ] {
        if !rows.is_empty() {
            added.push_str(&format!("\nDATA ({header})\n{{\n{}}}\n", rows.concat()));
        }
    }
    let base = base_mva(&objects)
        .filter(|base| *base != "100")
        .map(|base| format!("// baseMVA {base}\n"));
    let text = three_windings::without_records(Cow::Borrowed(text), &objects);
    let text = match (base, added.is_empty()) {
        (None, true) => text,
        (base, _) => Cow::Owned(format!("{}{text}{added}", base.unwrap_or_default())),
    };
    let mut warnings = ignored_fields(&objects);
    warnings.extend(stars);
    Ok((text, warnings))
}

/// Says in which line the value stands that the reader refused: it names the field only.
pub(super) fn located(error: EngineError, text: &str) -> EngineError {
    let Some((name, value)) = refused_value(&error.sentence) else {
        return error;
    };
    let line = text.lines().position(|line| objects::values_of(line).contains(&value));
    match line {
        Some(row) => {
            let said = message!("powerworld.not_a_number", line = row + 1, value = value, field = name);
            error.saying(said)
        }
        None => error,
    }
}

fn of<'a, 'b>(objects: &'b [Object<'a>], kind: &'b str) -> impl Iterator<Item = &'b Object<'a>> + 'b {
    objects.iter().filter(move |o| o.kind == kind)
}

fn refuse_unread(objects: &[Object<'_>]) -> Result<()> {
    for (kind, said) in UNSUPPORTED {
        for object in of(objects, kind) {
            let status = object.column(&["Status", "LineStatus", "DCLStatus"]);
            let open = |row: &&Vec<&str>| status.is_some_and(|at| row[at].eq_ignore_ascii_case("open"));
            if object.rows.iter().any(|row| !open(&row)) {
                return Err(EngineError::new("PHYSICS.UNSUPPORTED", Message::of_key(said)));
            }
        }
    }
    for object in of(objects, "branch") {
        let Some(bypass) = object.column(&["SeriesCapStatus"]) else {
            continue;
        };
        if let Some(row) = object
            .rows
            .iter()
            .find(|row| row[bypass].eq_ignore_ascii_case("bypassed"))
        {
            let said = message!("powerworld.bypassed_capacitor", row = row.join(" "));
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", said));
        }
    }
    Ok(())
}

/// Rows that mark branches as transformers where the file says so in another way: `LineXfmr` or a `TRANSFORMER` section.
fn transformer_marks(objects: &[Object<'_>]) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for object in objects
        .iter()
        .filter(|o| matches!(o.kind.as_str(), "branch" | "transformer"))
    {
        let keys = [["BusNum"], ["BusNum:1"], ["LineCircuit"]].map(|names| object.column(&names));
        let [Some(from), Some(to), Some(circuit)] = keys else {
            continue;
        };
        let told = object.column(&["BranchDeviceType"]);
        let flag = object.column(&["LineXfmr"]);
        for row in &object.rows {
            let marked = match flag {
                Some(at) => row[at].eq_ignore_ascii_case("yes"),
                None => object.kind == "transformer",
            };
            let key = (row[from], row[to], row[circuit]);
            if marked && told.is_none_or(|at| row[at].is_empty()) && seen.insert(key) {
                rows.push(format!("{} {} \"{}\" \"Transformer\"\n", key.0, key.1, key.2));
            }
        }
    }
    rows
}

/// Fixed shunts that stand on the bus rows, in MW and Mvar at nominal voltage.
fn bus_shunts(objects: &[Object<'_>]) -> Vec<String> {
    let mut rows = Vec::new();
    for object in of(objects, "bus") {
        let Some(bus) = object.column(&["BusNum", "Number"]) else {
            continue;
        };
        let value = |row: &[&str], name: &str| -> f64 {
            let text = object.column(&[name]).map_or("", |at| row[at]);
            text.parse().unwrap_or(0.0)
        };
        for row in &object.rows {
            let (g, b) = (value(row, "BusG:1"), value(row, "BusB:1"));
            if g != 0.0 || b != 0.0 {
                rows.push(format!("{} \"BusShunt\" \"Closed\" {g} {b}\n", row[bus]));
            }
        }
    }
    rows
}

/// The MVA base among the solution options, in either of their two forms.
fn base_mva<'a>(objects: &[Object<'a>]) -> Option<&'a str> {
    let pair = of(objects, "sim_solution_options_value").find_map(|o| {
        let (name, value) = (o.column(&["VariableName"])?, o.column(&["ValueField"])?);
        let row = o.rows.iter().find(|row| row[name].eq_ignore_ascii_case("MVABase"))?;
        Some(row[value])
    });
    let column = || {
        let options = of(objects, "sim_solution_options");
        options
            .filter_map(|o| Some(o.rows.first()?[o.column(&["MVABase"])?]))
            .next()
    };
    pair.or_else(column).filter(|value| !value.is_empty())
}

/// One warning for all values that stand in fields which are not read.
fn ignored_fields(objects: &[Object<'_>]) -> Vec<Warning> {
    let mut found: Vec<&str> = Vec::new();
    for object in of(objects, "branch") {
        for name in NOT_READ {
            let Some(at) = object.column(&[name]) else { continue };
            let nonzero = |row: &Vec<&str>| row[at].parse::<f64>().is_ok_and(|v| v != 0.0);
            if object.rows.iter().any(nonzero) && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    if found.is_empty() {
        return Vec::new();
    }
    let said = message!("powerworld.fields_ignored", fields = found.join(", "));
    vec![Warning::new("INPUT.FIELD_IGNORED", said)]
}
