//! Lists of outages, of monitored branches and of interfaces: PSS/E `.con`, `.mon` and `.sub`, PowerWorld auxiliary files
//! and CSV, read against a case.
//!
//! The parser crates read the three files of PSS/E too, but their statements have no lines, and they name no elements of
//! other formats. A list must say where it names something that the case does not have, so the statements are read here.
//! An outage with such a statement, or with an action that is not supported, is left out whole: the rest of it would be
//! another outage.

mod elements;
mod powerworld;
mod psse;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};

use crate::analysis::AnalysisNetwork;
use crate::error::{EngineError, Result};
use crate::input::{guard, text};
use crate::message::pieces::piece;
use crate::{assemble, message, module};
use elements::{Elements, Found};

/// Branches that can be out of service together.
const TOGETHER: usize = 8;
/// Outages that statements such as `DOUBLE BRANCH IN ...` may stand for in all, and such statements, of which each looks
/// at every element.
const EXPANDED: usize = 100_000;
const SCOPES: usize = 1000;
/// Comparisons of buses with groups of selectors in all.
const COMPARED: usize = 1_000_000_000;
/// Longest quotation of a statement, characters.
const QUOTED: usize = 200;

/// What lists say about a case. Ids are those of the case: 1-based rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lists {
    pub outages: Vec<Outage>,
    /// Branches to monitor; `None` if no list selects any.
    pub monitored: Option<Vec<u64>>,
    pub interfaces: Vec<Interface>,
    /// Statements that name what the case does not have.
    pub not_found: Vec<Statement>,
    /// Statements that name elements out of service.
    pub out_of_service: Vec<Statement>,
    /// Statements without effect on a DC model: voltages, shunts, interfaces without limits, outages of nothing.
    pub without_effect: Vec<Statement>,
    /// Statements that are not supported.
    pub unsupported: Vec<Statement>,
}

/// An outage of branches and generators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outage {
    pub name: Option<String>,
    pub branches: Vec<u64>,
    pub generators: Vec<u64>,
}

/// An interface: branches with weights and limits of the sum of their flows, MW.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    pub name: String,
    pub branches: Vec<(u64, f64)>,
    pub min_mw: Option<f64>,
    pub max_mw: Option<f64>,
}

/// A statement of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub file: String,
    /// Counted from 1.
    pub line: usize,
    pub text: String,
    /// The outage or interface that is left out because of it.
    pub left_out: Option<String>,
}

/// The kind of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Subsystems,
    Contingencies,
    Monitored,
    PowerWorld,
    Table,
}

/// The kind of a list by its name, or by its content for names with another extension.
fn kind_of(name: &str, text: &str) -> Option<Kind> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "sub" => Some(Kind::Subsystems),
        "con" => Some(Kind::Contingencies),
        "mon" => Some(Kind::Monitored),
        "aux" => Some(Kind::PowerWorld),
        "csv" => Some(Kind::Table),
        _ if table::is_one(text) => Some(Kind::Table),
        _ => psse::kind_of(text).or_else(|| powerworld::is_one(text).then_some(Kind::PowerWorld)),
    }
}

/// Whether a file is a list and no case: by its name `.con`, `.mon` or `.sub`, an `.aux` with contingencies or
/// interfaces and without buses, a `.csv` with the column `outage`.
pub fn is_list(name: &str, bytes: &[u8]) -> bool {
    let Ok(text) = text::decode(bytes) else {
        return false;
    };
    match kind_of(name, "") {
        Some(Kind::PowerWorld) => powerworld::is_one(&text),
        Some(Kind::Table) => table::is_one(&text),
        kind => kind.is_some(),
    }
}

/// Reads lists, given as names and bytes, against the case of a module. Subsystems are those of all files.
///
/// # Errors
/// Those of [`crate::network_from_module`]; `INPUT.EMPTY`, `INPUT.TOO_LARGE`, `INPUT.PACKED`, `INPUT.ENCODING`;
/// `INPUT.FORMAT` for a file without a statement of a list, `INPUT.TRUNCATED` for a block without its end, `INPUT.PARSE`
/// for a block within another and `INPUT.TABLE` for a CSV without the columns. Messages name file and line.
pub fn read_lists(module_json: &str, files: &[(String, Vec<u8>)]) -> Result<Lists> {
    let parsed = module::open(module_json)?;
    let network = assemble::analysis_network(&parsed)?;
    read(&Elements::new(module::balanced(&parsed)?, &network), files)
}

fn read(elements: &Elements<'_>, files: &[(String, Vec<u8>)]) -> Result<Lists> {
    let mut kinds = Vec::with_capacity(files.len());
    for (name, bytes) in files {
        guard::before_reading(bytes, false)?;
        let text = text::decode(bytes)?;
        let kind = kind_of(name, &text).ok_or_else(|| not_one(name, 1))?;
        kinds.push((name.as_str(), text, kind));
    }
    let mut reading = Reading::new(elements);
    let mut subsystems = psse::Subsystems::default();
    for (name, text, _) in kinds.iter().filter(|(_, _, kind)| *kind == Kind::Subsystems) {
        reading.file = name;
        subsystems.read(&mut reading, text)?;
    }
    for (name, text, kind) in &kinds {
        reading.file = name;
        match kind {
            Kind::Subsystems => {}
            Kind::Contingencies => psse::read_contingencies(&mut reading, &subsystems, text)?,
            Kind::Monitored => psse::read_monitored(&mut reading, &subsystems, text)?,
            Kind::PowerWorld => powerworld::read(&mut reading, text)?,
            Kind::Table => table::read(&mut reading, text)?,
        }
    }
    Ok(reading.finish())
}

/// The error for a text that is no list.
fn not_one(file: &str, line: usize) -> EngineError {
    EngineError::new("INPUT.FORMAT", message!("list.not_one", file = file, line = line))
}

/// What became of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Note {
    NotFound,
    OutOfService,
    WithoutEffect,
    Unsupported,
}

/// A statement at its line.
#[derive(Clone, Copy, Debug)]
struct At<'a> {
    line: usize,
    text: &'a str,
}

/// An outage that is being read.
#[derive(Debug, Default)]
struct Draft {
    name: String,
    line: usize,
    /// At most one more than [`TOGETHER`].
    branches: Vec<usize>,
    generators: BTreeSet<usize>,
    is_left_out: bool,
    is_noted: bool,
}

impl Draft {
    fn new(name: &str, line: usize) -> Self {
        Self {
            name: piece(name, QUOTED),
            line,
            ..Self::default()
        }
    }

    fn add_branch(&mut self, row: usize) {
        if self.branches.len() <= TOGETHER && !self.branches.contains(&row) {
            self.branches.push(row);
        }
    }
}

/// The lists as far as they are read.
struct Reading<'a> {
    elements: &'a Elements<'a>,
    file: &'a str,
    lists: Lists,
    monitored: Option<Vec<bool>>,
    interfaces: HashSet<String>,
    expanded: usize,
    scopes: usize,
    compared: usize,
}

impl<'a> Reading<'a> {
    fn new(elements: &'a Elements<'a>) -> Self {
        Self {
            elements,
            file: "",
            lists: Lists::default(),
            monitored: None,
            interfaces: HashSet::new(),
            expanded: 0,
            scopes: 0,
            compared: 0,
        }
    }

    fn network(&self) -> &'a AnalysisNetwork {
        self.elements.network
    }

    fn note(&mut self, note: Note, at: At<'_>, left_out: Option<&str>) {
        let statement = Statement {
            file: piece(self.file, QUOTED),
            line: at.line,
            text: piece(at.text, QUOTED),
            left_out: left_out.map(|name| piece(name, QUOTED)),
        };
        match note {
            Note::NotFound => self.lists.not_found.push(statement),
            Note::OutOfService => self.lists.out_of_service.push(statement),
            Note::WithoutEffect => self.lists.without_effect.push(statement),
            Note::Unsupported => self.lists.unsupported.push(statement),
        }
    }

    /// A statement because of which an outage is left out.
    fn refuse(&mut self, draft: &mut Draft, note: Note, at: At<'_>) {
        draft.is_left_out = true;
        let name = draft.name.clone();
        self.note(note, at, Some(&name));
    }

    /// Adds an element to an outage.
    fn add(&mut self, draft: &mut Draft, found: Option<Found>, at: At<'_>) {
        match found {
            None => self.refuse(draft, Note::NotFound, at),
            Some(Found::Branches(rows)) => rows.into_iter().for_each(|row| draft.add_branch(row)),
            Some(Found::Generator(row)) => {
                draft.generators.insert(row);
            }
            Some(Found::OutOfService) => {
                draft.is_noted = true;
                self.note(Note::OutOfService, at, None);
            }
        }
    }

    /// Adds a bus with its branches and units to an outage.
    fn add_bus(&mut self, draft: &mut Draft, bus: Option<usize>, at: At<'_>) {
        let Some(bus) = bus else {
            return self.refuse(draft, Note::NotFound, at);
        };
        match self.elements.outage_of_bus(bus) {
            None => self.refuse(draft, Note::Unsupported, at),
            Some((branches, units)) => {
                branches.into_iter().for_each(|row| draft.add_branch(row));
                draft.generators.extend(units);
            }
        }
    }

    /// Ends an outage.
    fn close(&mut self, draft: Draft) {
        let at = At {
            line: draft.line,
            text: &draft.name,
        };
        if draft.is_left_out {
        } else if draft.branches.len() > TOGETHER {
            self.note(Note::Unsupported, at, Some(&draft.name));
        } else if !draft.branches.is_empty() || !draft.generators.is_empty() {
            self.push(&draft.name, &draft.branches, draft.generators.iter().copied());
        } else if !draft.is_noted {
            self.note(Note::WithoutEffect, at, None);
        }
    }

    fn push(&mut self, name: &str, branches: &[usize], generators: impl Iterator<Item = usize>) {
        let network = self.network();
        self.lists.outages.push(Outage {
            name: Some(name.to_owned()).filter(|name| !name.is_empty()),
            branches: branches.iter().map(|row| network.branches[*row].id).collect(),
            generators: generators.map(|row| network.generators[row].id).collect(),
        });
    }

    /// Whether a statement may stand for further elements of the case, whose buses it compares with groups of selectors;
    /// otherwise it is unsupported.
    fn has_room(&mut self, at: At<'_>, groups: usize) -> bool {
        self.scopes += 1;
        let compared = groups.saturating_mul(self.network().buses.len());
        self.compared = self.compared.saturating_add(compared);
        let has_room = self.scopes <= SCOPES && self.compared <= COMPARED;
        if !has_room {
            self.note(Note::Unsupported, at, None);
        }
        has_room
    }

    fn monitor(&mut self, row: usize) {
        let rows = self.elements.network.branches.len();
        self.monitored.get_or_insert_with(|| vec![false; rows])[row] = true;
    }

    fn finish(self) -> Lists {
        let branches = &self.elements.network.branches;
        let ids = |is_monitored: Vec<bool>| {
            let rows = is_monitored
                .iter()
                .zip(branches)
                .filter(|(is_monitored, _)| **is_monitored);
            rows.map(|(_, branch)| branch.id).collect()
        };
        Lists {
            monitored: self.monitored.map(ids),
            ..self.lists
        }
    }
}

/// An interface that is being read.
struct Flowgate {
    name: String,
    at: (usize, String),
    limits_mw: [Option<f64>; 2],
    branches: Vec<(u64, f64)>,
    is_left_out: bool,
}

impl Flowgate {
    fn new(name: &str, at: At<'_>, limits_mw: [Option<f64>; 2]) -> Self {
        Self {
            name: piece(name, QUOTED),
            at: (at.line, at.text.to_owned()),
            limits_mw,
            branches: Vec::new(),
            is_left_out: false,
        }
    }
}

impl Reading<'_> {
    /// Adds the flow of a branch from the first of its buses to an interface.
    fn add_flow(&mut self, gate: &mut Flowgate, row: Option<usize>, from: Option<usize>, weight: f64, at: At<'_>) {
        let name = gate.name.clone();
        let mut refuse = |reading: &mut Self, note| {
            gate.is_left_out = true;
            reading.note(note, at, Some(&name));
        };
        let Some(row) = row else {
            return refuse(self, Note::NotFound);
        };
        let branch = &self.network().branches[row];
        if !branch.in_service {
            self.note(Note::OutOfService, at, None);
        } else if branch.is_zero_impedance() || weight == 0.0 || !weight.is_finite() {
            refuse(self, Note::Unsupported);
        } else {
            let sign = if from == Some(branch.from) { 1.0 } else { -1.0 };
            gate.branches.push((branch.id, sign * weight));
        }
    }

    /// Ends an interface.
    fn close_gate(&mut self, gate: Flowgate) {
        let at = At {
            line: gate.at.0,
            text: &gate.at.1,
        };
        let [min_mw, max_mw] = gate.limits_mw;
        let is_new = !gate.name.is_empty() && !self.interfaces.contains(&gate.name);
        if gate.is_left_out {
        } else if min_mw.or(max_mw).is_none() || gate.branches.is_empty() {
            self.note(Note::WithoutEffect, at, None);
        } else if !is_new {
            self.note(Note::Unsupported, at, Some(&gate.name));
        } else {
            self.interfaces.insert(gate.name.clone());
            self.lists.interfaces.push(Interface {
                name: gate.name,
                branches: gate.branches,
                min_mw,
                max_mw,
            });
        }
    }
}
