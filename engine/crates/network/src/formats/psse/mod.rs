//! Checks around the PSS/E RAW reader: truncated files, unknown revisions and terminators, equipment it would skip.

mod fields;
mod layout_34;
mod physics;
mod revisions;
mod sections;
#[cfg(test)]
mod substation_tests;
mod substations;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::error::{EngineError, Result};
use crate::message;
use crate::message::Message;
use crate::sentences::recognised::refused_value;
use fields::{fields, number};

/// Revisions that are read; 29 to 31 and 34 to 36 are rewritten first.
const REVISIONS: std::ops::RangeInclusive<u32> = 29..=36;

/// What the reader must have found, to be compared with what it did find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub buses: usize,
    pub loads: usize,
    pub generators: usize,
}

/// Judges a RAW file and gives the text that the reader can read.
///
/// # Errors
/// `INPUT.REVISION` for revisions that cannot be read (or none stated), `INPUT.INCREMENTAL` for a change file,
/// `INPUT.TRUNCATED` where neither a `Q` record nor the last terminator ends it, `PHYSICS.UNSUPPORTED` for equipment that
/// the reader would leave out, and for switches in substations that contradict the buses; `INPUT.PARSE` for values that the
/// reader would not refuse but lose.
pub(super) fn prepare(text: &str) -> Result<(Cow<'_, str>, Counts)> {
    let (header, body) = header(text)?;
    let revision = revisions::revision(header[0]);
    let Some(revision) = revision.filter(|r| REVISIONS.contains(r)) else {
        let said = match revision {
            None => message!("psse.no_revision"),
            Some(stated) => message!("psse.revision", revision = stated.to_string()),
        };
        return Err(EngineError::new("INPUT.REVISION", said));
    };
    if number(&fields(header[0]), 0, 0.0) != 0.0 {
        return Err(EngineError::new("INPUT.INCREMENTAL", message!("psse.changes_only")));
    }
    let sections = sections::split(body, revision);
    if !sections.complete {
        let said = message!("psse.cut", section = sections.last.to_ascii_lowercase());
        return Err(EngineError::new("INPUT.TRUNCATED", said));
    }
    let mut records = sections.records.iter().flat_map(|(_, lines)| lines);
    if let Some(record) = records.find(|record| record.starts_with(',')) {
        let line = line_where(text, |line| line.trim() == *record).unwrap_or_default();
        let said = message!("psse.leading_comma", line = line);
        return Err(EngineError::new("INPUT.PARSE", said));
    }
    physics::refuse_unread(&sections)?;
    substations::refuse_switched(&sections, revision)?;
    let counts = Counts {
        buses: sections.of("BUS").count(),
        loads: sections.of("LOAD").count(),
        generators: sections.of("GENERATOR").count(),
    };
    // Of files that may have substations the reader takes empty lines for records: they are rewritten as well.
    let known = sections.all_named && (32..=33).contains(&revision);
    let text = match known {
        true => Cow::Borrowed(text),
        false => {
            let rewritten = revisions::rewrite(header, &sections, revision);
            Cow::Owned(rewritten.map_err(|word| {
                let no_number = || message!("reader.file", cause = message!("arithmetic.no_number", token = &word));
                EngineError::new("INPUT.PARSE", not_finite(text, &word).unwrap_or_else(no_number))
            })?)
        }
    };
    Ok((text, counts))
}

/// Says in which line the value stands that the reader refused: it names the field only, and counts from zero.
pub(super) fn located(error: EngineError, text: &str) -> EngineError {
    match refused_value(&error.sentence).and_then(|(_, value)| not_finite(text, value)) {
        Some(said) => error.saying(said),
        None => error,
    }
}

/// Says that a value is no finite number, and where in the file it stands; None where it does not.
fn not_finite(text: &str, value: &str) -> Option<Message> {
    let line = line_where(text, |line| fields(line).iter().any(|f| fields::unquoted(f) == value))?;
    Some(message!("psse.not_finite", line = line, value = value))
}

/// Number of the first line behind the header of which a condition holds.
fn line_where(text: &str, holds: impl Fn(&str) -> bool) -> Option<usize> {
    text.lines().skip(3).position(holds).map(|row| row + 4)
}

/// The three header lines (comment lines before the first do not count) and the rest.
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
