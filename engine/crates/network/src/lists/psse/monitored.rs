//! Monitored elements (`.mon`).

use super::contingencies::{branch, ends, Action};
use super::subsystems::{groups, members, qualifiers, scope, selected, transformers, Scope, Subsystems, Target};
use super::{cut, statements, Words};
use crate::error::Result;
use crate::lists::{not_one, At, Flowgate, Note, Reading};

/// Reads monitored elements.
///
/// # Errors
/// `INPUT.FORMAT`, `INPUT.TRUNCATED`.
pub(in crate::lists) fn read_monitored(reading: &mut Reading<'_>, subsystems: &Subsystems, text: &str) -> Result<()> {
    let mut gate: Option<Flowgate> = None;
    let mut block: Option<usize> = None;
    let (mut first, mut is_one, mut has_ended) = (None, false, false);
    for (at, mut words) in statements(text) {
        first = first.or(Some(at.line));
        if let Some(open) = &mut gate {
            if words.is_end() {
                if let Some(closed) = gate.take() {
                    reading.close_gate(closed);
                }
                continue;
            }
            match listed(words) {
                Some((ends, circuit)) => {
                    let row = branch(reading, ends, circuit);
                    let from = reading.elements.bus(ends[0]);
                    reading.add_flow(open, row, from, 1.0, at);
                }
                None => {
                    open.is_left_out = true;
                    let name = open.name.clone();
                    reading.note(Note::Unsupported, at, Some(&name));
                }
            }
            continue;
        }
        if block.is_some() {
            match words.is_end() {
                true => block = None,
                false => monitor_listed(reading, at, words),
            }
            continue;
        }
        if words.is_end() {
            has_ended = true;
            continue;
        }
        if has_ended {
            reading.note(Note::Unsupported, at, None);
            continue;
        }
        is_one |= words.takes(&["MONITOR"]);
        if words.takes(&["INTERFACE"]) {
            is_one = true;
            let name = words.word().unwrap_or_default();
            let rating = words.takes(&["RATING"]).then(|| words.number());
            words.takes(&["MW"]);
            let is_readable = words.is_over() && !matches!(rating, Some(None));
            let rating = rating.flatten().map(f64::abs);
            let mut open = Flowgate::new(name, at, [rating.map(|rating| -rating), rating]);
            if !is_readable {
                open.is_left_out = true;
                reading.note(Note::Unsupported, at, Some(name));
            }
            gate = Some(open);
        } else if words.takes(&["VOLTAGE"]) {
            reading.note(Note::WithoutEffect, at, None);
        } else if words.next_is(&["BRANCHES", "LINES", "BRANCH", "LINE"]) && words.words.len() == words.at + 1 {
            block = Some(at.line);
        } else if let Err(note) = monitor(reading, subsystems, at, words) {
            reading.note(note, at, None);
        }
    }
    if let Some(line) = gate.map(|gate| gate.at.0).or(block) {
        return Err(cut(reading.file, line));
    }
    match is_one {
        true => Ok(()),
        false => Err(not_one(reading.file, first.unwrap_or(1))),
    }
}

/// A branch of a block: `5 7 1`, or `BRANCH FROM BUS 5 TO BUS 7 CIRCUIT 1`.
fn listed(mut words: Words<'_>) -> Option<([&str; 2], Option<&str>)> {
    words.takes(&["MONITOR"]);
    words.takes(&["BRANCH", "LINE"]);
    if words.takes(&["FROM"]) {
        return match ends(&mut words, false)? {
            Action::Branch(ends, circuit) => Some((ends, circuit)),
            _ => None,
        };
    }
    let ends = [words.bus()?, words.bus()?];
    if words.words.len() == words.at + 1 {
        return Some((ends, words.word()));
    }
    Some((ends, words.circuit()?))
}

fn monitor_listed(reading: &mut Reading<'_>, at: At<'_>, words: Words<'_>) {
    let Some((ends, circuit)) = listed(words) else {
        return reading.note(Note::Unsupported, at, None);
    };
    match branch(reading, ends, circuit) {
        None => reading.note(Note::NotFound, at, None),
        Some(row) if !reading.network().branches[row].in_service => reading.note(Note::OutOfService, at, None),
        Some(row) => reading.monitor(row),
    }
}

/// Monitors the branches of a statement.
fn monitor(
    reading: &mut Reading<'_>,
    subsystems: &Subsystems,
    at: At<'_>,
    mut words: Words<'_>,
) -> std::result::Result<(), Note> {
    let is_all = words.takes(&["ALL"]);
    let target = match () {
        () if words.takes(&["BRANCHES", "LINES"]) => Target::Branches,
        () if words.takes(&["TIES"]) => Target::Ties,
        () if words.next_is(&["BRANCH", "LINE"]) => {
            monitor_listed(reading, at, words);
            return Ok(());
        }
        () => return Err(Note::Unsupported),
    };
    let mut scope = match is_all && words.is_over() {
        true => Scope::All,
        false => {
            words.takes(&["IN", "FROM"]);
            scope(&mut words, reading).ok_or(Note::Unsupported)?
        }
    };
    let (levels, low_windings) = qualifiers(&mut words, reading).ok_or(Note::Unsupported)?;
    if !reading.has_room(at, groups(subsystems, &scope)) {
        return Ok(());
    }
    let is_at_bus = matches!(scope, Scope::Bus(_));
    let members = members(reading, subsystems, &mut scope)?;
    let rows = selected(reading, &members, is_at_bus, &levels, target);
    let legs = match target {
        Target::Branches => transformers(reading, &members, &levels, low_windings),
        _ => Vec::new(),
    };
    if rows.is_empty() && legs.is_empty() {
        return Err(Note::WithoutEffect);
    }
    for row in rows.into_iter().chain(legs.into_iter().flatten()) {
        reading.monitor(row);
    }
    Ok(())
}
