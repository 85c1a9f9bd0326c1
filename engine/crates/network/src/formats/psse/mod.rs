//! Checks around the PSS/E RAW reader, which reads RAWX too: truncated files, unknown revisions and terminators, unsupported equipment.

mod columns;
mod controls;
mod network;
mod physics;
#[cfg(test)]
mod physics_tests;
pub(super) mod rawx;
mod records;
mod revisions;
mod sections;
#[cfg(test)]
mod substation_tests;
mod substations;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use powerio::{BalancedNetwork, Diagnostic};

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::input::psse_fields::{fields, number, unquoted};
use crate::message;
use crate::message::Message;
use crate::sentences::recognised::refused_value;
use records::Records;
use substations::NodeBus;

/// Revisions that are read.
const REVISIONS: std::ops::RangeInclusive<u32> = 29..=36;

/// Expected numbers of elements, to be compared with those of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub buses: usize,
    pub loads: usize,
    pub generators: usize,
}

/// A RAW file prepared for the reader.
pub(super) struct Prepared<'a> {
    /// The file in the columns of revision 35, every field stated.
    pub text: String,
    pub counts: Counts,
    pub warnings: Vec<Warning>,
    records: Records<'a>,
    nodes: Vec<NodeBus>,
}

impl Prepared<'_> {
    /// Completes the network that the reader made of the text.
    pub fn complete(&self, net: &mut BalancedNetwork) {
        network::complete(net, &self.records);
        let uids: HashMap<usize, &str> = self.nodes.iter().map(|node| (node.number, &*node.uid)).collect();
        for bus in net.buses_mut().iter_mut() {
            if let Some(uid) = uids.get(&bus.id.0) {
                bus.uid = Some(uid.to_string());
            }
        }
    }

    /// Places the buses of nodes at the buses of the file.
    pub fn place_nodes(&self, net: &mut BalancedNetwork) {
        let places: HashMap<usize, _> = net.buses().iter().filter_map(|b| Some((b.id.0, b.location?))).collect();
        let bus_of_node: HashMap<usize, usize> = self.nodes.iter().map(|node| (node.number, node.bus)).collect();
        for bus in net.buses_mut().iter_mut().filter(|bus| bus.location.is_none()) {
            let place = bus_of_node.get(&bus.id.0).and_then(|bus| places.get(bus));
            bus.location = place.copied();
        }
    }
}

/// Checks a RAW file and produces the text for the reader.
///
/// # Errors
/// `INPUT.REVISION` for unsupported or missing revisions, `INPUT.INCREMENTAL` for a change file, `INPUT.TRUNCATED`
/// without a `Q` record or last terminator, `PHYSICS.UNSUPPORTED` for equipment that the reader would ignore,
/// `INPUT.PARSE` naming the line for invalid records and `INPUT.TABLE` for nodes that do not exist.
pub(super) fn prepare(text: &str) -> Result<Prepared<'_>> {
    let (header, body) = header(text)?;
    let revision = revisions::revision(header[0]);
    let Some(revision) = revision.filter(|r| REVISIONS.contains(r)) else {
        let message = match revision {
            None => message!("psse.no_revision"),
            Some(stated) => message!("psse.revision", revision = stated.to_string()),
        };
        return Err(EngineError::new("INPUT.REVISION", message));
    };
    let h = fields(header[0]);
    if number(&h, 0, 0.0) != 0.0 {
        return Err(EngineError::new("INPUT.INCREMENTAL", message!("psse.changes_only")));
    }
    let base = h.get(1).map(|f| unquoted(f)).filter(|f| !f.is_empty()).unwrap_or("100");
    let first = 1 + text[..text.len() - body.len()].matches('\n').count();
    let sections = sections::split(body, revision, first);
    if !sections.complete {
        let message = message!("psse.cut", section = sections.last.to_ascii_lowercase());
        return Err(EngineError::new("INPUT.TRUNCATED", message));
    }
    let mut records = Records::read(&sections, revision, base)?;
    physics::refuse_unread(&sections)?;
    let mut warnings = controls::warnings(&records, &sections);
    let (nodes, unknown) = substations::expand(&mut records, &sections, revision, base)?;
    warnings.extend(unknown);
    controls::limit_machines(&mut records);
    Ok(Prepared {
        text: records.written(header, &sections, base),
        counts: Counts {
            buses: records.of("BUS").len(),
            loads: records.of("LOAD").len(),
            generators: records.of("GENERATOR").len(),
        },
        warnings,
        records,
        nodes,
    })
}

/// Whether [`Prepared::warnings`] already cover a diagnostic of the reader, or it has no effect here.
pub(super) fn is_reported_otherwise(diagnostic: &Diagnostic) -> bool {
    matches!(
        diagnostic.code(),
        "READ.PSSE.RETAINED_SOURCE_ONLY" | "READ.PSSE.SECTION_UNSUPPORTED"
    )
}

/// Adds the line of a value that the reader refused, since it names the field only and counts from zero.
pub(super) fn located(error: EngineError, text: &str) -> EngineError {
    match refused_value(&error.sentence).and_then(|(_, value)| not_finite(text, value)) {
        Some(message) => error.with_sentence(message),
        None => error,
    }
}

/// The message that a value is not a finite number, with its position in the file; `None` if it is finite.
fn not_finite(text: &str, value: &str) -> Option<Message> {
    let line = line_where(text, |line| fields(line).iter().any(|f| unquoted(f) == value))?;
    Some(message!("psse.not_finite", line = line, value = value))
}

/// Number of the first line after the header that satisfies a condition.
fn line_where(text: &str, holds: impl Fn(&str) -> bool) -> Option<usize> {
    text.lines().skip(3).position(holds).map(|row| row + 4)
}

/// The three header lines (without preceding comment lines) and the rest.
fn header(text: &str) -> Result<([&str; 3], &str)> {
    let mut rest = text;
    let mut next = || {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        line.trim()
    };
    let mut first = next();
    for _ in 0..100 {
        if first.is_empty() || first.starts_with('@') {
            first = next();
        }
    }
    let header = [first, next(), next()];
    if header[0].is_empty() {
        return Err(EngineError::new("INPUT.EMPTY", message!("psse.no_header")));
    }
    Ok((header, rest))
}
