//! Contingencies (`.con`), subsystems (`.sub`) and monitored elements (`.mon`) of PSS/E, with bus names as TARA has them.
//!
//! The manual of these files is not public; their grammar is that of public files and of public readers. Keywords may
//! have any letter case; `/`, `!` and `#` begin a comment, and so does the word `COM`.

use std::collections::{HashMap, HashSet};

use super::elements::Found;
use super::{not_one, At, Draft, Flowgate, Kind, Note, Reading, EXPANDED};
use crate::error::{EngineError, Result};
use crate::message;

/// Tolerance of voltage levels, kV.
const KV_TOLERANCE: f64 = 1e-3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word<'a> {
    text: &'a str,
    is_quoted: bool,
}

/// The words of a line, of which the first are taken one after another.
#[derive(Clone, Debug)]
struct Words<'a> {
    words: Vec<Word<'a>>,
    at: usize,
}

impl<'a> Words<'a> {
    /// Blanks and commas separate words. A quote ends where a separator, a comment or nothing follows, so that `'O'Hare'` is
    /// one word; without an end it extends to that of the line.
    fn of(line: &'a str) -> Self {
        let mut words = Vec::new();
        let mut rest = line.trim_start_matches(is_separator);
        while let Some(first) = rest.chars().next() {
            if matches!(first, '/' | '\\') {
                break;
            }
            let (text, after, is_quoted) = match first {
                '\'' | '"' => {
                    let inner = &rest[1..];
                    let ends =
                        |after: &str| after.is_empty() || after.starts_with(is_separator) || after.starts_with('/');
                    let mut quotes = inner.match_indices(first).filter(|(at, _)| ends(&inner[at + 1..]));
                    match quotes.next() {
                        Some((at, _)) => (&inner[..at], &inner[at + 1..], true),
                        None => (inner, "", true),
                    }
                }
                _ => {
                    let (text, after) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
                    (text, after, false)
                }
            };
            words.push(Word {
                text: text.trim(),
                is_quoted,
            });
            rest = after.trim_start_matches(is_separator);
        }
        if matches!(line.trim_start().chars().next(), Some('!' | '#')) {
            words.clear();
        }
        if words
            .first()
            .is_some_and(|word| !word.is_quoted && word.text.eq_ignore_ascii_case("COM"))
        {
            words.clear();
        }
        Self { words, at: 0 }
    }

    fn is_over(&self) -> bool {
        self.at >= self.words.len()
    }

    fn word(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word.text)
    }

    /// Whether the next word is one of these keywords, which is then taken.
    fn takes(&mut self, keywords: &[&str]) -> bool {
        let is_one = self.next_is(keywords);
        self.at += usize::from(is_one);
        is_one
    }

    fn next_is(&self, keywords: &[&str]) -> bool {
        let word = self.words.get(self.at).filter(|word| !word.is_quoted);
        word.is_some_and(|word| keywords.iter().any(|keyword| word.text.eq_ignore_ascii_case(keyword)))
    }

    /// The name or number of a bus, with or without the word `BUS` before it.
    fn bus(&mut self) -> Option<&'a str> {
        self.takes(&["BUS"]);
        self.word()
    }

    /// The circuit at the end of a statement, if there is one; `None` for anything else there.
    fn circuit(&mut self) -> Option<Option<&'a str>> {
        let circuit = match self.takes(&["CIRCUIT", "CKT", "CIRCUITS"]) {
            true => Some(self.word()?),
            false => None,
        };
        self.is_over().then_some(circuit)
    }

    fn number(&mut self) -> Option<f64> {
        self.word()?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn whole(&mut self) -> Option<u64> {
        self.word()?.parse().ok()
    }

    /// Whether the statement is `END`.
    fn is_end(&self) -> bool {
        self.words.len() == 1 && self.next_is(&["END"])
    }

    /// Whether a block of dispatch lines follows, which ends with `END`.
    fn opens_dispatch(&self) -> bool {
        let is_word = |at: usize, keyword| {
            let word = self.words.get(at).filter(|word| !word.is_quoted);
            word.is_some_and(|word| word.text.eq_ignore_ascii_case(keyword))
        };
        is_word(self.words.len().wrapping_sub(1), "DISPATCH") || (is_word(0, "DEFAULT") && is_word(1, "DISPATCH"))
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The statements of a text.
fn statements(text: &str) -> impl Iterator<Item = (At<'_>, Words<'_>)> {
    let lines = text.lines().enumerate().map(|(row, line)| {
        let at = At {
            line: row + 1,
            text: line,
        };
        (at, Words::of(line))
    });
    lines.filter(|(_, words)| !words.words.is_empty())
}

/// The kind of a text by its first statement.
pub(super) fn kind_of(text: &str) -> Option<Kind> {
    let (_, words) = statements(text).next()?;
    if words.next_is(&["CONTINGENCY", "SINGLE", "DOUBLE", "PARALLEL", "BUSDOUBLE"]) {
        Some(Kind::Contingencies)
    } else if words.next_is(&["MONITOR"]) {
        Some(Kind::Monitored)
    } else {
        words.next_is(&["SUBSYSTEM", "SYSTEM"]).then_some(Kind::Subsystems)
    }
}

fn cut(file: &str, line: usize) -> EngineError {
    EngineError::new("INPUT.TRUNCATED", message!("list.cut", file = file, line = line))
}

fn nested(file: &str, line: usize) -> EngineError {
    EngineError::new("INPUT.PARSE", message!("list.nested", file = file, line = line))
}

/// Ranges of numbers in ascending order.
#[derive(Clone, Debug, Default)]
struct Ranges(Vec<[f64; 2]>);

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
struct Group {
    areas: Option<Ranges>,
    zones: Option<Ranges>,
    owners: Option<Ranges>,
    numbers: Option<Ranges>,
    levels: Option<Ranges>,
}

/// What became of the next words of a line of selectors.
enum Selected {
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
struct Subsystem {
    groups: Vec<Group>,
    /// Whether it has a statement that may select buses and is not supported.
    is_unreadable: bool,
}

/// The subsystems of `.sub` files by their name in capitals.
#[derive(Debug, Default)]
pub(super) struct Subsystems(HashMap<String, Subsystem>);

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
enum Scope {
    All,
    Subsystem(String),
    Of(Group),
    /// The branches and units at a bus.
    Bus(usize),
    NotFound,
}

/// Takes the buses that a statement refers to.
fn scope(words: &mut Words<'_>, reading: &Reading<'_>) -> Option<Scope> {
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
fn qualifiers(words: &mut Words<'_>, reading: &Reading<'_>) -> Option<(Group, bool)> {
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
fn members(reading: &Reading<'_>, subsystems: &Subsystems, scope: &mut Scope) -> std::result::Result<Vec<bool>, Note> {
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
fn groups(subsystems: &Subsystems, scope: &Scope) -> usize {
    match scope {
        Scope::Subsystem(name) => subsystems.0.get(name).map_or(1, |subsystem| subsystem.groups.len()),
        _ => 1,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Branches,
    Ties,
    Units,
}

/// Rows of the branches, or of the units, that a statement selects.
fn selected(reading: &Reading<'_>, members: &[bool], is_at_bus: bool, levels: &Group, target: Target) -> Vec<usize> {
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
fn transformers(reading: &Reading<'_>, members: &[bool], levels: &Group, low_windings: bool) -> Vec<[usize; 3]> {
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
pub(super) fn read_contingencies(reading: &mut Reading<'_>, subsystems: &Subsystems, text: &str) -> Result<()> {
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

fn branch(reading: &Reading<'_>, ends: [&str; 2], circuit: Option<&str>) -> Option<usize> {
    let [from, to] = ends.map(|end| reading.elements.bus(end));
    reading.elements.branch([from?, to?], circuit)
}

/// An action of a contingency.
enum Action<'a> {
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
fn ends<'a>(words: &mut Words<'a>, is_transformer: bool) -> Option<Action<'a>> {
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

/// Reads monitored elements.
///
/// # Errors
/// `INPUT.FORMAT`, `INPUT.TRUNCATED`.
pub(super) fn read_monitored(reading: &mut Reading<'_>, subsystems: &Subsystems, text: &str) -> Result<()> {
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
