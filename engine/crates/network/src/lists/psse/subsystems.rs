//! Subsystems (`.sub`), and the buses, branches and units that statements select by them.

use std::collections::HashMap;

use super::{cut, nested, statements, Words};
use crate::error::Result;
use crate::lists::{not_one, Note, Reading};

/// Tolerance of voltage levels, kV.
const KV_TOLERANCE: f64 = 1e-3;

/// Ranges of numbers in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges(Vec<[f64; 2]>);

impl Ranges {
    fn contains(&self, value: f64) -> bool {
        let before = self.0.partition_point(|range| range[0] <= value);
        before.checked_sub(1).is_some_and(|at| value <= self.0[at][1])
    }

    /// Joins ranges that overlap.
    fn settle(&mut self) {
        self.0.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let mut joined: Vec<[f64; 2]> = Vec::with_capacity(self.0.len());
        for range in self.0.drain(..) {
            match joined.last_mut().filter(|last| range[0] <= last[1]) {
                Some(last) => last[1] = last[1].max(range[1]),
                None => joined.push(range),
            }
        }
        self.0 = joined;
    }
}

/// Buses that every stated property selects: areas, zones, owners, buses by row, and voltage levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    areas: Option<Ranges>,
    zones: Option<Ranges>,
    owners: Option<Ranges>,
    numbers: Option<Ranges>,
    levels: Option<Ranges>,
}

/// What became of the next words of a line of selectors.
pub(super) enum Selected {
    Yes,
    /// A bus that the case does not have.
    NotFound,
    No,
}

impl Group {
    /// Takes one selector.
    fn select(&mut self, words: &mut Words<'_>, reading: &Reading<'_>) -> Selected {
        let mut taken = words.clone();
        let Some(keyword) = taken.word().map(str::to_ascii_uppercase) else {
            return Selected::No;
        };
        let singular = keyword.strip_suffix(if keyword == "BUSES" { "ES" } else { "S" });
        let is_range =
            singular.is_some_and(|word| matches!(word, "AREA" | "ZONE" | "OWNER" | "BUS")) && keyword != "BUS";
        let name = if is_range {
            singular.unwrap_or_default()
        } else {
            keyword.as_str()
        };
        let range = match (name, is_range) {
            ("AREA" | "ZONE" | "OWNER" | "BUS", true) => match (taken.whole(), taken.whole()) {
                (Some(from), Some(to)) if from <= to => [from as f64, to as f64],
                _ => return Selected::No,
            },
            ("AREA" | "ZONE" | "OWNER", false) => match taken.whole() {
                Some(number) => [number as f64; 2],
                None => return Selected::No,
            },
            ("BUS", false) => match taken.word() {
                Some(name) => match reading.elements.bus(name) {
                    Some(row) => [reading.network().buses[row].id as f64; 2],
                    None => {
                        *words = taken;
                        // The group selects by buses, even if the case has none of them.
                        self.numbers.get_or_insert_default();
                        return Selected::NotFound;
                    }
                },
                None => return Selected::No,
            },
            ("KV", _) => match taken.number() {
                Some(kv) => [kv - KV_TOLERANCE, kv + KV_TOLERANCE],
                None => return Selected::No,
            },
            ("KVRANGE", _) => match (taken.number(), taken.number()) {
                (Some(from), Some(to)) if from <= to => [from - KV_TOLERANCE, to + KV_TOLERANCE],
                _ => return Selected::No,
            },
            _ => return Selected::No,
        };
        let family = match name {
            "AREA" => &mut self.areas,
            "ZONE" => &mut self.zones,
            "OWNER" => &mut self.owners,
            "BUS" => &mut self.numbers,
            _ => &mut self.levels,
        };
        family.get_or_insert_default().0.push(range);
        *words = taken;
        Selected::Yes
    }

    fn is_empty(&self) -> bool {
        let families = [&self.areas, &self.zones, &self.owners, &self.numbers, &self.levels];
        families.iter().all(|family| family.is_none())
    }

    fn settle(&mut self) {
        let families = [
            &mut self.areas,
            &mut self.zones,
            &mut self.owners,
            &mut self.numbers,
            &mut self.levels,
        ];
        families.into_iter().flatten().for_each(Ranges::settle);
    }

    fn contains(&self, reading: &Reading<'_>, row: usize) -> bool {
        let bus = &reading.network().buses[row];
        let holds = |family: &Option<Ranges>, value: Option<f64>| match (family, value) {
            (None, _) => true,
            (Some(ranges), Some(value)) => ranges.contains(value),
            (Some(_), None) => false,
        };
        holds(&self.areas, bus.area.map(|n| n as f64))
            && holds(&self.zones, bus.zone.map(|n| n as f64))
            && holds(&self.owners, Some(reading.elements.owner(row) as f64))
            && holds(&self.numbers, Some(bus.id as f64))
            && holds(&self.levels, Some(bus.base_kv))
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Subsystem {
    groups: Vec<Group>,
    /// Whether it has a statement that may select buses and is not supported.
    is_unreadable: bool,
}

/// The subsystems of `.sub` files by their name in capitals.
#[derive(Debug, Default)]
pub(in crate::lists) struct Subsystems(HashMap<String, Subsystem>);

/// Statements of a subsystem that select no buses, but say how a dispatch scales them.
const OF_DISPATCH: [&str; 4] = ["PARTICIPATE", "SCALE", "BASELOAD", "TURBINETYPE"];

impl Subsystems {
    /// # Errors
    /// `INPUT.FORMAT`, `INPUT.PARSE`, `INPUT.TRUNCATED`.
    pub fn read(&mut self, reading: &mut Reading<'_>, text: &str) -> Result<()> {
        let mut open: Option<(usize, String, Subsystem, Group)> = None;
        let mut joined: Option<Group> = None;
        let (mut first, mut is_one) = (1, false);
        for (at, mut words) in statements(text) {
            if !is_one && first == 1 {
                first = at.line;
            }
            if words.takes(&["SUBSYSTEM", "SYSTEM"]) {
                if open.is_some() {
                    return Err(nested(reading.file, at.line));
                }
                is_one = true;
                let name = words.word().unwrap_or_default().to_uppercase();
                open = Some((at.line, name, Subsystem::default(), Group::default()));
            }
            let Some((_, _, subsystem, own)) = &mut open else {
                if !words.is_end() {
                    reading.note(Note::Unsupported, at, None);
                }
                continue;
            };
            if joined.is_none() && words.takes(&["JOIN"]) {
                joined = Some(Group::default());
                let is_name = !words.next_is(&[
                    "AREA", "AREAS", "ZONE", "ZONES", "OWNER", "OWNERS", "BUS", "BUSES", "KV", "KVRANGE",
                ]);
                if is_name {
                    words.word();
                }
            }
            let mut ends = false;
            while !words.is_over() {
                ends = words.takes(&["END"]);
                if ends {
                    break;
                }
                match joined.as_mut().unwrap_or(own).select(&mut words, reading) {
                    Selected::Yes => {}
                    Selected::NotFound => reading.note(Note::NotFound, at, None),
                    Selected::No => {
                        let is_of_dispatch = words.next_is(&OF_DISPATCH);
                        let note = if is_of_dispatch {
                            Note::WithoutEffect
                        } else {
                            Note::Unsupported
                        };
                        subsystem.is_unreadable |= !is_of_dispatch;
                        reading.note(note, at, None);
                        break;
                    }
                }
            }
            if !ends {
                continue;
            }
            if let Some(group) = joined.take() {
                subsystem.groups.push(group);
            } else if let Some((_, name, mut subsystem, own)) = open.take() {
                if !own.is_empty() {
                    subsystem.groups.push(own);
                }
                subsystem.groups.retain(|group| !group.is_empty());
                subsystem.groups.iter_mut().for_each(Group::settle);
                self.0.insert(name, subsystem);
            }
        }
        match open {
            Some((line, ..)) => Err(cut(reading.file, line)),
            None if !is_one => Err(not_one(reading.file, first)),
            None => Ok(()),
        }
    }
}

/// Buses that a statement refers to.
pub(super) enum Scope {
    All,
    Subsystem(String),
    Of(Group),
    /// The branches and units at a bus.
    Bus(usize),
    NotFound,
}

/// Takes the buses that a statement refers to.
pub(super) fn scope(words: &mut Words<'_>, reading: &Reading<'_>) -> Option<Scope> {
    if words.takes(&["SUBSYSTEM", "SYSTEM"]) {
        return Some(Scope::Subsystem(words.word()?.to_uppercase()));
    }
    if words.takes(&["ALL"]) {
        words.takes(&["BUSES"]);
        return Some(Scope::All);
    }
    if words.takes(&["BUS"]) {
        return Some(reading.elements.bus(words.word()?).map_or(Scope::NotFound, Scope::Bus));
    }
    let mut group = Group::default();
    matches!(group.select(words, reading), Selected::Yes).then_some(Scope::Of(group))
}

/// The voltage levels at the end of a statement, and whether low windings of transformers count; `None` for anything else.
pub(super) fn qualifiers(words: &mut Words<'_>, reading: &Reading<'_>) -> Option<(Group, bool)> {
    let (mut levels, mut low_windings) = (Group::default(), false);
    while !words.is_over() {
        words.takes(&["IN"]);
        if words.takes(&["3WLOWVOLTAGE"]) {
            low_windings = true;
        } else if !(words.next_is(&["KV", "KVRANGE"]) && matches!(levels.select(words, reading), Selected::Yes)) {
            return None;
        }
    }
    levels.settle();
    Some((levels, low_windings))
}

/// By bus, whether a statement refers to it; otherwise the note.
pub(super) fn members(
    reading: &Reading<'_>,
    subsystems: &Subsystems,
    scope: &mut Scope,
) -> std::result::Result<Vec<bool>, Note> {
    let rows = 0..reading.network().n_canonical_buses;
    let found: Vec<bool> = match scope {
        Scope::All => rows.map(|_| true).collect(),
        Scope::NotFound => return Err(Note::NotFound),
        Scope::Bus(bus) => rows.map(|row| row == *bus).collect(),
        Scope::Of(group) => {
            group.settle();
            rows.map(|row| group.contains(reading, row)).collect()
        }
        Scope::Subsystem(name) => match subsystems.0.get(name) {
            None => return Err(Note::NotFound),
            Some(subsystem) if subsystem.is_unreadable => return Err(Note::Unsupported),
            Some(subsystem) => {
                let is_member = |row| subsystem.groups.iter().any(|group| group.contains(reading, row));
                rows.map(is_member).collect()
            }
        },
    };
    match found.contains(&true) {
        true => Ok(found),
        false => Err(Note::NotFound),
    }
}

/// Groups of selectors that each bus is compared with.
pub(super) fn groups(subsystems: &Subsystems, scope: &Scope) -> usize {
    match scope {
        Scope::Subsystem(name) => subsystems.0.get(name).map_or(1, |subsystem| subsystem.groups.len()),
        _ => 1,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Branches,
    Ties,
    Units,
}

/// Rows of the branches, or of the units, that a statement selects.
pub(super) fn selected(
    reading: &Reading<'_>,
    members: &[bool],
    is_at_bus: bool,
    levels: &Group,
    target: Target,
) -> Vec<usize> {
    let network = reading.network();
    let is_member = |bus: usize| members.get(bus).copied().unwrap_or(false);
    let of_level = |bus: usize| levels.contains(reading, bus);
    match target {
        Target::Units => {
            let units = network.generators.iter().enumerate();
            units
                .filter(|(_, unit)| is_member(unit.bus) && of_level(unit.bus))
                .map(|(row, _)| row)
                .collect()
        }
        Target::Branches | Target::Ties => {
            let branches = network.branches[..network.n_canonical_branches].iter().enumerate();
            let is_selected = |from: usize, to: usize| match (is_member(from), is_member(to)) {
                (true, true) => target == Target::Branches && of_level(from) && of_level(to),
                (false, false) => false,
                _ if target == Target::Branches => is_at_bus && of_level(from) && of_level(to),
                (is_from, _) => of_level(if is_from { from } else { to }),
            };
            branches
                .filter(|(_, b)| is_selected(b.from, b.to))
                .map(|(row, _)| row)
                .collect()
        }
    }
}

/// The three-winding transformers that a statement selects: those with all buses among the members, and with low windings
/// those whose bus of the lowest voltage is.
pub(super) fn transformers(
    reading: &Reading<'_>,
    members: &[bool],
    levels: &Group,
    low_windings: bool,
) -> Vec<[usize; 3]> {
    let buses = &reading.network().buses;
    let is_member = |bus: &usize| members.get(*bus).copied().unwrap_or(false);
    let of_level = |bus: &usize| levels.contains(reading, *bus);
    let all = reading.elements.transformers().into_iter().filter(|(ends, _)| {
        let lowest = ends
            .iter()
            .min_by(|a, b| buses[**a].base_kv.total_cmp(&buses[**b].base_kv));
        let is_in = ends.iter().all(is_member) || (low_windings && lowest.is_some_and(is_member));
        is_in && (levels.is_empty() || ends.iter().filter(|end| of_level(end)).count() > 1)
    });
    all.map(|(_, legs)| legs).collect()
}
