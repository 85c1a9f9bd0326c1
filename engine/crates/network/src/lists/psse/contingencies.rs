//! Contingencies (`.con`).

use std::collections::HashSet;

use super::subsystems::{groups, members, qualifiers, scope, selected, transformers, Scope, Subsystems, Target};
use super::{cut, nested, statements, Words};
use crate::error::Result;
use crate::lists::elements::Found;
use crate::lists::{not_one, At, Draft, Note, Reading, EXPANDED};

/// A statement that stands for many outages.
#[derive(Clone, Debug)]
struct Automatic<'a> {
    at: At<'a>,
    words: Words<'a>,
}

/// Reads contingencies.
///
/// # Errors
/// `INPUT.FORMAT`, `INPUT.PARSE`, `INPUT.TRUNCATED`.
pub(in crate::lists) fn read_contingencies(
    reading: &mut Reading<'_>,
    subsystems: &Subsystems,
    text: &str,
) -> Result<()> {
    let mut open: Option<Draft> = None;
    let mut skipping: Option<usize> = None;
    let mut dispatch: Option<usize> = None;
    let mut automatic: Vec<Automatic<'_>> = Vec::new();
    let mut skipped: HashSet<usize> = HashSet::new();
    let (mut first, mut is_one, mut has_ended) = (None, false, false);
    for (at, mut words) in statements(text) {
        first = first.or(Some(at.line));
        if dispatch.is_some() {
            dispatch = dispatch.filter(|_| !words.is_end());
        } else if let Some(draft) = &mut open {
            if words.is_end() {
                let draft = std::mem::take(draft);
                open = None;
                reading.close(draft);
            } else if words.next_is(&["CONTINGENCY"]) {
                return Err(nested(reading.file, at.line));
            } else {
                dispatch = words.opens_dispatch().then_some(at.line);
                act(reading, draft, at, words);
            }
        } else if skipping.is_some() {
            match words.is_end() {
                true => skipping = None,
                false => skip(reading, &mut skipped, at, words),
            }
        } else if has_ended {
            if !words.is_end() {
                reading.note(Note::Unsupported, at, None);
            }
        } else if words.is_end() {
            has_ended = true;
        } else if words.takes(&["CONTINGENCY"]) {
            is_one = true;
            open = Some(Draft::new(words.word().unwrap_or_default(), at.line));
        } else if words.opens_dispatch() {
            dispatch = Some(at.line);
            is_one = true;
            reading.note(Note::Unsupported, at, None);
        } else if words.words.len() == 1 && words.takes(&["SKIP"]) {
            skipping = Some(at.line);
        } else if words.next_is(&["SINGLE", "DOUBLE", "PARALLEL", "BUSDOUBLE"]) {
            is_one = true;
            automatic.push(Automatic { at, words });
        } else if !words.takes(&["BUSNUMBERS", "BUSNAMES", "BRANCHNAMES"]) {
            reading.note(Note::Unsupported, at, None);
        }
    }
    if let Some(line) = open.map(|draft| draft.line).or(skipping).or(dispatch) {
        return Err(cut(reading.file, line));
    }
    if !is_one {
        return Err(not_one(reading.file, first.unwrap_or(1)));
    }
    for one in automatic {
        if let Err(note) = expand(reading, subsystems, &skipped, &one) {
            reading.note(note, one.at, None);
        }
    }
    Ok(())
}

/// Reads a branch that no automatic statement takes out of service.
fn skip(reading: &mut Reading<'_>, skipped: &mut HashSet<usize>, at: At<'_>, mut words: Words<'_>) {
    words.takes(&["BRANCH", "LINE"]);
    words.takes(&["FROM"]);
    let mut stated = || {
        let from = words.bus()?;
        words.takes(&["TO"]);
        Some((from, words.bus()?, words.circuit()?))
    };
    let Some((from, to, circuit)) = stated() else {
        return reading.note(Note::Unsupported, at, None);
    };
    match branch(reading, [from, to], circuit) {
        Some(row) => {
            skipped.insert(row);
        }
        None => reading.note(Note::NotFound, at, None),
    }
}

pub(super) fn branch(reading: &Reading<'_>, ends: [&str; 2], circuit: Option<&str>) -> Option<usize> {
    let [from, to] = ends.map(|end| reading.elements.bus(end));
    reading.elements.branch([from?, to?], circuit)
}

/// An action of a contingency.
pub(super) enum Action<'a> {
    Branch([&'a str; 2], Option<&'a str>),
    Transformer([&'a str; 3], Option<&'a str>),
    BranchNamed(&'a str),
    Unit(&'a str, &'a str),
    Bus(&'a str),
    /// Of shunts, which do not carry active power.
    Shunt,
}

/// The action of a statement; `None` if it is not supported.
fn action<'a>(mut words: Words<'a>) -> Option<Action<'a>> {
    let opens = words.next_is(&["OPEN", "TRIP", "DISCONNECT"]);
    if !opens && !words.next_is(&["REMOVE"]) {
        return None;
    }
    let removes = words.next_is(&["REMOVE", "TRIP"]);
    words.word();
    if opens && words.takes(&["BUS"]) {
        let bus = words.word()?;
        return words.is_over().then_some(Action::Bus(bus));
    }
    if opens && words.takes(&["THREEWINDING"]) {
        return words.takes(&["AT", "FROM"]).then(|| ends(&mut words, true))?;
    }
    if opens && words.takes(&["BRANCH", "LINE"]) && words.takes(&["FROM"]) {
        return ends(&mut words, false);
    }
    if removes && words.takes(&["MACHINE", "UNIT"]) {
        let id = words.word()?;
        let bus = words.takes(&["FROM"]).then(|| words.bus())??;
        return words.is_over().then_some(Action::Unit(id, bus));
    }
    if removes && words.takes(&["SHUNT", "SWSHUNT"]) {
        return Some(Action::Shunt);
    }
    let name = words.words.get(words.at).filter(|word| opens && word.is_quoted)?.text;
    (words.at + 1 == words.words.len()).then_some(Action::BranchNamed(name))
}

/// The buses of a branch or of a transformer, and the circuit.
pub(super) fn ends<'a>(words: &mut Words<'a>, is_transformer: bool) -> Option<Action<'a>> {
    let from = words.bus()?;
    let to = words.takes(&["TO"]).then(|| words.bus())??;
    let third = match words.takes(&["TO"]) {
        true => Some(words.bus()?),
        false => None,
    };
    let circuit = words.circuit()?;
    match third {
        Some(third) => Some(Action::Transformer([from, to, third], circuit)),
        None => (!is_transformer).then_some(Action::Branch([from, to], circuit)),
    }
}

/// Adds the action of a statement to an outage.
fn act(reading: &mut Reading<'_>, draft: &mut Draft, at: At<'_>, words: Words<'_>) {
    let elements = reading.elements;
    match action(words) {
        None => reading.refuse(draft, Note::Unsupported, at),
        Some(Action::Shunt) => {
            draft.is_noted = true;
            reading.note(Note::WithoutEffect, at, None);
        }
        Some(Action::Bus(bus)) => reading.add_bus(draft, elements.bus(bus), at),
        Some(Action::Branch(ends, circuit)) => {
            let row = branch(reading, ends, circuit);
            reading.add(draft, row.map(|row| elements.outage_of_branch(row)), at);
        }
        Some(Action::BranchNamed(name)) => {
            let row = elements.branch_named(name);
            reading.add(draft, row.map(|row| elements.outage_of_branch(row)), at);
        }
        Some(Action::Transformer(ends, circuit)) => {
            let found = match ends.map(|end| elements.bus(end)) {
                [Some(a), Some(b), Some(c)] => elements.outage_of_transformer([a, b, c], circuit),
                _ => None,
            };
            reading.add(draft, found, at);
        }
        Some(Action::Unit(id, bus)) => {
            let row = elements.bus(bus).and_then(|bus| elements.unit(bus, id));
            reading.add(draft, row.map(|row| elements.outage_of_generator(row)), at);
        }
    }
}

/// Adds the outages for which a statement stands.
fn expand(
    reading: &mut Reading<'_>,
    subsystems: &Subsystems,
    skipped: &HashSet<usize>,
    one: &Automatic<'_>,
) -> std::result::Result<(), Note> {
    let mut words = one.words.clone();
    let order = words.word().unwrap_or_default().to_ascii_uppercase();
    let target = match () {
        () if words.takes(&["BRANCH", "LINE", "BRANCHES", "LINES"]) => Target::Branches,
        () if words.takes(&["TIE", "TIES"]) => Target::Ties,
        () if words.takes(&["UNIT", "MACHINE", "GENERATOR"]) => Target::Units,
        () => return Err(Note::Unsupported),
    };
    words.takes(&["OUTAGE"]);
    words.takes(&["IN", "FROM"]);
    let mut scope = scope(&mut words, reading).ok_or(Note::Unsupported)?;
    let (levels, low_windings) = qualifiers(&mut words, reading).ok_or(Note::Unsupported)?;
    if !reading.has_room(one.at, groups(subsystems, &scope)) {
        return Ok(());
    }
    let is_at_bus = matches!(scope, Scope::Bus(_));
    let members = members(reading, subsystems, &mut scope)?;
    let (network, elements) = (reading.network(), reading.elements);
    let rows = selected(reading, &members, is_at_bus, &levels, target);
    let mut single: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
    for row in rows {
        match target {
            Target::Units if network.generators[row].in_service => single.push((Vec::new(), Some(row))),
            Target::Units => {}
            _ if network.branches[row].in_service && !skipped.contains(&row) => single.push((vec![row], None)),
            _ => {}
        }
    }
    let branches: Vec<usize> = single.iter().filter_map(|(rows, _)| rows.first().copied()).collect();
    if target == Target::Branches && matches!(order.as_str(), "SINGLE" | "DOUBLE") {
        for legs in transformers(reading, &members, &levels, low_windings) {
            if let Found::Branches(rows) = elements.without_dead_end(&legs) {
                single.extend((!rows.is_empty()).then_some((rows, None)));
            }
        }
    }
    let before = (reading.lists.outages.len(), reading.expanded);
    let mut add = |branches: &[usize], units: &[usize]| {
        reading.expanded += 1;
        let has_room = reading.expanded <= EXPANDED;
        if has_room {
            reading.push("", branches, units.iter().copied());
        }
        has_room
    };
    let mut pairs = |rows: &[usize]| {
        let mut all = rows.iter().enumerate();
        all.all(|(at, first)| rows[at + 1..].iter().all(|second| add(&[*first, *second], &[])))
    };
    let is_selected: HashSet<usize> = branches.iter().copied().collect();
    let of = |rows: &[usize]| -> Vec<usize> { rows.iter().copied().filter(|row| is_selected.contains(row)).collect() };
    let has_room = match order.as_str() {
        "SINGLE" => single.iter().all(|(rows, unit)| add(rows, unit.as_slice())),
        "DOUBLE" => single.iter().enumerate().all(|(at, first)| {
            single[at + 1..].iter().all(|second| {
                let rows = [&first.0[..], &second.0[..]].concat();
                let units: Vec<usize> = [first.1, second.1].into_iter().flatten().collect();
                add(&rows, &units)
            })
        }),
        "PARALLEL" if target != Target::Units => {
            let mut known = HashSet::new();
            let groups = branches.iter().map(|row| elements.parallel(*row));
            let mut groups = groups.filter(|group| group.first().is_some_and(|first| known.insert(*first)));
            groups.all(|group| pairs(&of(group)))
        }
        "BUSDOUBLE" if target != Target::Units => {
            let mut buses = members.iter().enumerate().filter(|(_, is_member)| **is_member);
            buses.all(|(bus, _)| pairs(&of(elements.branches_at(bus))))
        }
        _ => return Err(Note::Unsupported),
    };
    if !has_room {
        reading.lists.outages.truncate(before.0);
        reading.expanded = before.1;
        return Err(Note::Unsupported);
    }
    match reading.lists.outages.len() == before.0 {
        true => Err(Note::WithoutEffect),
        false => Ok(()),
    }
}
