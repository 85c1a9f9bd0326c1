//! Contingencies and interfaces of PowerWorld auxiliary files: sections in the legacy and in the concise form, with
//! elements as SUBDATA or in sections of their own.

use std::collections::HashMap;

use super::elements::Found;
use super::{not_one, At, Draft, Flowgate, Note, Reading};
use crate::error::Result;
use crate::formats::powerworld::objects::{objects, values_of, Object};

const LABEL: [&str; 3] = ["CTGLabel", "Name", "Contingency"];
const SKIP: [&str; 2] = ["CTGSkip", "Skip"];
const INTERFACE: [&str; 3] = ["FGName", "Name", "InterfaceName"];
const DIRECTION: [&str; 2] = ["IntMonDir", "MonDirection"];
const LIMIT: [&str; 3] = ["FGLimA", "LimitMWA", "LimitA"];
/// Objects with actions for conditions that a contingency creates.
const CONDITIONAL: [&str; 2] = ["remedialaction", "globalcontingencyactions"];

fn is_of_lists(object: &Object<'_>) -> bool {
    matches!(
        object.kind.as_str(),
        "contingency" | "contingencyelement" | "interface" | "interfaceelement"
    )
}

/// Whether a text has contingencies or interfaces and no buses.
pub(super) fn is_one(text: &str) -> bool {
    let Ok(objects) = objects(text) else {
        return false;
    };
    objects.iter().any(is_of_lists) && !objects.iter().any(|o| o.kind == "bus" && !o.rows.is_empty())
}

/// A value of a row.
fn value<'a>(object: &Object<'a>, row: usize, names: &[&str]) -> Option<&'a str> {
    object.rows.get(row)?.get(object.column(names)?).copied()
}

/// The lines of the SUBDATA blocks of a name, with the rows that they belong to.
fn elements<'a>(object: &'a Object<'a>, name: &'a str) -> impl Iterator<Item = (usize, At<'a>)> {
    let blocks = object.subdata.iter();
    let blocks = blocks.filter(move |block| block.name.eq_ignore_ascii_case(name));
    blocks.flat_map(|block| {
        let lines = block.lines.iter().zip(&block.numbers);
        lines.map(|(text, &line)| (block.row, At { line, text }))
    })
}

/// Reads an auxiliary file.
///
/// # Errors
/// `INPUT.FORMAT`, `INPUT.TRUNCATED`.
pub(super) fn read(reading: &mut Reading<'_>, text: &str) -> Result<()> {
    let objects = objects(text)?;
    if !objects.iter().any(is_of_lists) {
        return Err(not_one(reading.file, 1));
    }
    let mut drafts: Vec<Option<Draft>> = Vec::new();
    let mut rows: HashMap<String, usize> = HashMap::new();
    for object in objects.iter().filter(|o| o.kind == "contingency") {
        for row in 0..object.rows.len() {
            let at = whole(object, row);
            let label = value(object, row, &LABEL).unwrap_or_default();
            let is_skipped = value(object, row, &SKIP).is_some_and(|skip| skip.eq_ignore_ascii_case("YES"));
            if is_skipped {
                reading.note(
                    Note::WithoutEffect,
                    At {
                        line: at.0,
                        text: label,
                    },
                    None,
                );
            }
            // A section of results may repeat the labels of one with the elements.
            let next = drafts.len();
            let slot = *rows.entry(label.to_owned()).or_insert(next);
            if slot == next {
                drafts.push((!is_skipped).then(|| Draft::new(label, at.0)));
            }
        }
        for (row, at) in elements(object, "CTGElement") {
            let label = value(object, row, &LABEL).unwrap_or_default();
            if let Some(Some(draft)) = rows.get(label).and_then(|slot| drafts.get_mut(*slot)) {
                let values = values_of(at.text);
                let [action, condition, status] = [0, 1, 2].map(|k| values.get(k).copied().unwrap_or_default());
                act(reading, draft, action, condition, status, at);
            }
        }
    }
    for object in objects.iter().filter(|o| o.kind == "contingencyelement") {
        for row in 0..object.rows.len() {
            let of = |names: &[&str]| value(object, row, names).unwrap_or_default();
            let label = of(&["CTGLabel", "Contingency"]);
            let (line, text) = whole(object, row);
            let at = At { line, text: &text };
            let next = drafts.len();
            let slot = *rows.entry(label.to_owned()).or_insert(next);
            if slot == next {
                drafts.push(Some(Draft::new(label, line)));
            }
            let Some(draft) = &mut drafts[slot] else {
                continue;
            };
            let action = format!("{} {}", of(&["Object"]), of(&["Action"]));
            act(
                reading,
                draft,
                &action,
                of(&["FilterName", "Criteria"]),
                of(&["ActionStatus", "Status"]),
                at,
            );
        }
    }
    drafts.into_iter().flatten().for_each(|draft| reading.close(draft));
    conditional(reading, &objects);
    interfaces(reading, &objects);
    Ok(())
}

/// The line and the values of a row.
fn whole(object: &Object<'_>, row: usize) -> (usize, String) {
    let line = object.row_lines.get(row).copied().unwrap_or(1);
    (line, object.rows.get(row).map(|row| row.join(" ")).unwrap_or_default())
}

/// Names actions of other sections.
fn conditional(reading: &mut Reading<'_>, objects: &[Object<'_>]) {
    for object in objects.iter().filter(|o| CONDITIONAL.contains(&o.kind.as_str())) {
        for block in &object.subdata {
            for (line, number) in block.lines.iter().zip(&block.numbers) {
                reading.note(
                    Note::Unsupported,
                    At {
                        line: *number,
                        text: line,
                    },
                    None,
                );
            }
        }
    }
    for object in objects.iter().filter(|o| o.kind == "remedialactionelement") {
        for row in 0..object.rows.len() {
            let (line, text) = whole(object, row);
            reading.note(Note::Unsupported, At { line, text: &text }, None);
        }
    }
}

/// The words of an object: buses may be names in apostrophes with their voltage level.
fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match rest.strip_prefix('\'').and_then(|inner| inner.split_once('\'')) {
            Some(quoted) => quoted,
            None => {
                let end = rest
                    .char_indices()
                    .skip(1)
                    .find(|(_, c)| c.is_whitespace())
                    .map_or(rest.len(), |(at, _)| at);
                rest.split_at(end.max(first.len_utf8()))
            }
        };
        out.push(word.trim());
        rest = after.trim_start();
    }
    out
}

/// Adds an action to an outage: the object, and `OPEN`.
fn act(reading: &mut Reading<'_>, draft: &mut Draft, action: &str, condition: &str, status: &str, at: At<'_>) {
    if status.eq_ignore_ascii_case("NEVER") {
        draft.is_noted = true;
        return reading.note(Note::WithoutEffect, at, None);
    }
    let words = words(action);
    let (object, opens) = match words.split_last() {
        Some((last, object)) => (object, last.eq_ignore_ascii_case("OPEN")),
        None => (&words[..], false),
    };
    let kind = object.first().map(|kind| kind.to_ascii_uppercase()).unwrap_or_default();
    let elements = reading.elements;
    let bus = |name: &str| elements.bus(name);
    if !opens || !condition.is_empty() {
        return reading.refuse(draft, Note::Unsupported, at);
    }
    match (kind.as_str(), object.get(1..).unwrap_or_default()) {
        ("BRANCH", [from, to, rest @ ..]) if rest.len() < 2 => {
            let row = match [bus(from), bus(to)] {
                [Some(from), Some(to)] => elements.branch([from, to], rest.first().copied()),
                _ => None,
            };
            reading.add(draft, row.map(|row| elements.outage_of_branch(row)), at);
        }
        ("3WXFORMER", [a, b, c, rest @ ..]) if rest.len() < 2 => {
            let found: Option<Found> = match [bus(a), bus(b), bus(c)] {
                [Some(a), Some(b), Some(c)] => elements.outage_of_transformer([a, b, c], rest.first().copied()),
                _ => None,
            };
            reading.add(draft, found, at);
        }
        ("GEN", [at_bus, id]) => {
            let row = bus(at_bus).and_then(|bus| elements.unit(bus, id));
            reading.add(draft, row.map(|row| elements.outage_of_generator(row)), at);
        }
        ("BUS", [name]) => reading.add_bus(draft, bus(name), at),
        ("SHUNT", [_, ..]) => {
            draft.is_noted = true;
            reading.note(Note::WithoutEffect, at, None);
        }
        _ => reading.refuse(draft, Note::Unsupported, at),
    }
}

/// Reads interfaces with the limits of their first set.
fn interfaces(reading: &mut Reading<'_>, objects: &[Object<'_>]) {
    let mut gates: Vec<Flowgate> = Vec::new();
    let mut rows: HashMap<String, usize> = HashMap::new();
    for object in objects.iter().filter(|o| o.kind == "interface") {
        let first = gates.len();
        for row in 0..object.rows.len() {
            let (line, text) = whole(object, row);
            let name = value(object, row, &INTERFACE).unwrap_or_default();
            let limit = value(object, row, &LIMIT).and_then(|limit| limit.parse::<f64>().ok());
            let limit = limit.filter(|limit| limit.is_finite() && *limit > 0.0);
            let direction = value(object, row, &DIRECTION).unwrap_or_default().to_ascii_uppercase();
            let limits = match direction.as_str() {
                "BOTH" => [limit.map(|limit| -limit), limit],
                // Towards the from side.
                _ if direction.starts_with("TO") => [limit.map(|limit| -limit), None],
                _ => [None, limit],
            };
            rows.insert(name.to_owned(), gates.len());
            gates.push(Flowgate::new(name, At { line, text: &text }, limits));
        }
        for (row, at) in elements(object, "InterfaceElement") {
            if let Some(gate) = gates.get_mut(first + row) {
                let values = values_of(at.text);
                let [branch, weight] = [0, 2].map(|k| values.get(k).copied().unwrap_or_default());
                member(reading, gate, branch, weight, at);
            }
        }
    }
    for object in objects.iter().filter(|o| o.kind == "interfaceelement") {
        for row in 0..object.rows.len() {
            let of = |names: &[&str]| value(object, row, names).unwrap_or_default();
            let (line, text) = whole(object, row);
            let at = At { line, text: &text };
            match rows.get(of(&INTERFACE)).and_then(|slot| gates.get_mut(*slot)) {
                Some(gate) => member(reading, gate, of(&["Object", "Element"]), of(&["Weight"]), at),
                None => reading.note(Note::NotFound, at, None),
            }
        }
    }
    gates.into_iter().for_each(|gate| reading.close_gate(gate));
}

/// Adds a branch to an interface. The weight is 1 where there is none.
fn member(reading: &mut Reading<'_>, gate: &mut Flowgate, object: &str, weight: &str, at: At<'_>) {
    let weight = if weight.is_empty() {
        Some(1.0)
    } else {
        weight.parse::<f64>().ok()
    };
    let words = words(object);
    let elements = reading.elements;
    match (&words[..], weight) {
        ([kind, from, to, rest @ ..], Some(weight)) if kind.eq_ignore_ascii_case("BRANCH") && rest.len() < 2 => {
            let ends = [elements.bus(from), elements.bus(to)];
            let row = match ends {
                [Some(from), Some(to)] => elements.branch([from, to], rest.first().copied()),
                _ => None,
            };
            reading.add_flow(gate, row, ends[0], weight, at);
        }
        _ => {
            gate.is_left_out = true;
            let name = gate.name.clone();
            reading.note(Note::Unsupported, at, Some(&name));
        }
    }
}
