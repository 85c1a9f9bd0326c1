//! XIIDM, the XML of PowSyBl's grid model, versions 1.0 to 1.17.
//!
//! Physics: "Grid model" of PowSyBl's documentation and the conventions of its load flow (OpenLoadFlow): ratios and angles at the first end
//! of transformers with their shunt behind them, transformers of three windings as stars at the rated voltage of the star point, shunts of
//! lines to the boundary at their network end. The text is read twice: buses first, then equipment.

mod elements;
mod equipment;
mod hvdc;
mod limits;
mod nodes;
mod transformers;

use std::collections::{BTreeMap, HashMap, HashSet};

use powerio::{Location, PioModule, PioValue, SourceFormat};

use self::elements::{flag, number, required, text};
use super::grid::{Grid, Named, Terminal};
use super::xml::{Document, Element};
use super::{built, tell_no_costs};
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::amounts::mw_exact;
use crate::message::Value;

/// The last version whose elements are known.
const NEWEST: u32 = 17;

/// Elements that carry data of other programs.
const SKIPPED: [&str; 3] = ["property", "alias", "temporaryLimit"];

fn keep(name: &str) -> bool {
    !SKIPPED.contains(&name)
}

/// Extensions without effect on a power flow: drawing, identification, short circuits, unbalance, measurements, start-up.
const WITHOUT_EFFECT: [&str; 44] = [
    "activePowerControl",
    "batteryShortCircuit",
    "baseVoltageMapping",
    "branchObservability",
    "branchStatus",
    "busbarSectionPosition",
    "busbarSections",
    "cgmesBoundaryLineBoundaryNode",
    "cgmesControlAreas",
    "cgmesDanglingLineBoundaryNode",
    "cgmesLineBoundaryNode",
    "cgmesMetadataModels",
    "cgmesSshMetadata",
    "cgmesSvMetadata",
    "cgmesTapChangers",
    "cgmesTopology",
    "cimCharacteristics",
    "detail",
    "discreteMeasurements",
    "entsoeArea",
    "entsoeCategory",
    "generatorFortescue",
    "generatorShortCircuit",
    "generatorShortCircuits",
    "identifiableShortCircuit",
    "busbarSectionShortCircuits",
    "injectionObservability",
    "layout",
    "lineFortescue",
    "loadAsymmetrical",
    "loadDetail",
    "manualFrequencyRestorationReserve",
    "measurements",
    "mergedXnode",
    "operatingStatus",
    "position",
    "referencePriorities",
    "referenceTerminals",
    "startup",
    "threeWindingsTransformerFortescue",
    "threeWindingsTransformerPhaseAngleClock",
    "twoWindingsTransformerFortescue",
    "twoWindingsTransformerPhaseAngleClock",
    "xnode",
];

/// Reads a case.
///
/// # Errors
/// `INPUT.PARSE` naming the line, `INPUT.REVISION`, `INPUT.TRUNCATED`, `INPUT.DUPLICATE_ELEMENT`, and `PHYSICS.UNSUPPORTED` for converters of
/// detailed DC grids.
pub(super) fn read(original: &str) -> Result<PioModule<PioValue>> {
    let mut document = Document::open(original)?;
    revision(&document)?;
    let name = text(&document.root, "id")?.to_string();
    let mut reading = Reading::default();
    while let Some(element) = document.next(keep)? {
        reading.survey(&element)?;
    }
    reading.create_buses();
    let mut document = Document::open(original)?;
    while let Some(element) = document.next(keep)? {
        reading.element(&element)?;
    }
    reading.complete()?;
    let slack = reading.slack;
    let (net, warnings) = reading.grid.network(&name, SourceFormat::Xiidm, slack);
    let mut parsed = built(net, "case.xiidm", "xiidm", original)?;
    for warning in &warnings {
        crate::module::store_warning(&mut parsed, warning)?;
    }
    tell_no_costs(&mut parsed, message!("cost.not_in_xiidm"))?;
    Ok(parsed)
}

/// Whether a text begins as a file of this format does.
pub(super) fn is_one(text: &str) -> bool {
    Document::open(text).is_ok_and(|document| document.root.name == "network" && document.namespace.contains("/iidm/"))
}

fn revision(document: &Document<'_>) -> Result<()> {
    let is_network = document.root.name == "network" && document.namespace.contains("/iidm/");
    if !is_network {
        let message = message!("xiidm.root", name = document.root.name);
        return Err(EngineError::new("INPUT.PARSE", message));
    }
    let version = document.namespace.rsplit('/').next().unwrap_or_default();
    let minor = version.strip_prefix("1_").and_then(|minor| minor.parse::<u32>().ok());
    match minor {
        Some(minor) if minor <= NEWEST => Ok(()),
        _ => {
            let message = message!("xiidm.version", version = version.replace('_', "."));
            Err(EngineError::new("INPUT.REVISION", message))
        }
    }
}

/// A voltage that a unit regulates. Its bus is known once the terminals of all equipment are.
struct Regulation {
    unit: usize,
    target_kv: f64,
    terminal: Option<TerminalReference>,
    own_bus: usize,
}

/// A reference to equipment and its end, counted from 0.
#[derive(Clone)]
struct TerminalReference {
    id: String,
    end: usize,
    line: usize,
}

#[derive(Default)]
struct Reading {
    grid: Grid,
    levels: nodes::Levels,
    /// Identifiers of all elements, each of which occurs once.
    ids: HashSet<String>,
    /// Buses of the ends of equipment.
    terminals: HashMap<String, Vec<usize>>,
    /// Positions of substations, and routes of lines.
    places: HashMap<String, Location>,
    routes: Vec<(String, Vec<Location>)>,
    /// The tie line of a boundary line, and the bus at which both meet.
    ties: HashMap<String, String>,
    tie_buses: HashMap<String, usize>,
    regulations: Vec<Regulation>,
    stations: HashMap<String, hvdc::Station>,
    lines_hvdc: Vec<hvdc::Line>,
    /// Extensions with an effect, by the identifier of their element.
    angle_droops: HashSet<String>,
    slack_terminal: Option<TerminalReference>,
    slack: Option<usize>,
    /// Interchanges of areas.
    interchanges: Vec<Value>,
    ignored: BTreeMap<String, usize>,
}

impl Reading {
    fn ignore(&mut self, name: &str) {
        *self.ignored.entry(name.to_string()).or_default() += 1;
    }

    /// The identifier and the name of an element; no two elements have the same identifier.
    fn identify<'e>(&mut self, element: &'e Element<'_>) -> Result<Named<'e>> {
        let id = text(element, "id")?;
        if !self.ids.insert(id.to_string()) {
            let message = message!("xiidm.twice", line = element.line, id = id);
            return Err(EngineError::new("INPUT.DUPLICATE_ELEMENT", message));
        }
        let name = element.attribute("name").filter(|name| !name.is_empty());
        Ok(Named { id, name })
    }

    fn register(&mut self, id: &str, terminals: &[Terminal]) {
        let buses = terminals.iter().map(|terminal| terminal.bus).collect();
        self.terminals.insert(id.to_string(), buses);
    }

    /// First pass: voltage levels with their nodes, tie lines and extensions.
    fn survey(&mut self, element: &Element<'_>) -> Result<()> {
        match element.name {
            "network" => {
                for child in &element.children {
                    self.survey(child)?;
                }
            }
            "substation" => {
                for child in &element.children {
                    match child.name {
                        "voltageLevel" => self.levels.add(child, Some(element))?,
                        _ => self.levels.note_ends(child)?,
                    }
                }
            }
            "voltageLevel" => self.levels.add(element, None)?,
            "tieLine" => {
                for end in ["1", "2"] {
                    let half =
                        ["boundaryLineId", "danglingLineId"].map(|name| element.attribute(&format!("{name}{end}")));
                    if let [Some(half), _] | [None, Some(half)] = half {
                        self.ties.insert(half.to_string(), text(element, "id")?.to_string());
                    }
                }
                self.levels.note_ends(element)?;
            }
            "extension" => self.extension(element)?,
            _ => self.levels.note_ends(element)?,
        }
        Ok(())
    }

    fn create_buses(&mut self) {
        self.levels.create(&mut self.grid, &self.places);
    }

    /// Second pass: equipment.
    fn element(&mut self, element: &Element<'_>) -> Result<()> {
        match element.name {
            "network" | "substation" => {
                for child in &element.children {
                    self.element(child)?;
                }
            }
            "voltageLevel" => self.voltage_level(element)?,
            "line" => self.line(element)?,
            "tieLine" => self.tie_line(element)?,
            "twoWindingsTransformer" => self.two_windings(element)?,
            "threeWindingsTransformer" => self.three_windings(element)?,
            "hvdcLine" => self.hvdc_line(element)?,
            "area" => self.area(element)?,
            // Read in the first pass.
            "extension" => {}
            other => self.ignore(other),
        }
        Ok(())
    }

    fn area(&mut self, element: &Element<'_>) -> Result<()> {
        if let Some(target) = number(element, "interchangeTarget")? {
            let area = element.attribute("name").unwrap_or(text(element, "id")?);
            // Positive into the area.
            let area = message!("psse.area", area = area, export = mw_exact(-target));
            self.interchanges.push(area.into());
        }
        Ok(())
    }

    fn extension(&mut self, element: &Element<'_>) -> Result<()> {
        let id = text(element, "id")?;
        for extension in &element.children {
            match extension.name {
                "slackTerminal" => {
                    let reference = terminal_reference(extension)?;
                    self.slack_terminal.get_or_insert(reference);
                }
                "substationPosition" => {
                    if let Some(place) = extension.child("coordinate").map(location).transpose()?.flatten() {
                        self.places.insert(id.to_string(), place);
                    }
                }
                "linePosition" => {
                    let points = extension.children.iter().filter(|child| child.name == "coordinate");
                    let points: Result<Vec<Option<Location>>> = points.map(location).collect();
                    if let Some(points) = points?.into_iter().collect() {
                        self.routes.push((id.to_string(), points));
                    }
                }
                "hvdcAngleDroopActivePowerControl" => {
                    if flag(extension, "enabled")?.unwrap_or(false) {
                        self.angle_droops.insert(id.to_string());
                    }
                }
                "generatorRemoteReactivePowerControl" | "remoteReactivePowerControl" => {
                    self.grid.held.reactive += usize::from(flag(extension, "enabled")?.unwrap_or(true));
                }
                "voltagePerReactivePowerControl" => {
                    self.grid.held.slopes += usize::from(number(extension, "slope")?.unwrap_or(0.0) != 0.0);
                }
                "voltageRegulation" => {
                    let is_on = flag(extension, "voltageRegulatorOn")?.unwrap_or(false);
                    self.grid.held.batteries += usize::from(is_on);
                }
                other if WITHOUT_EFFECT.contains(&other) => {}
                other => self.ignore(other),
            }
        }
        Ok(())
    }

    fn complete(&mut self) -> Result<()> {
        self.links()?;
        for regulation in std::mem::take(&mut self.regulations) {
            let bus = match &regulation.terminal {
                Some(terminal) => self.bus_of(terminal)?,
                None => regulation.own_bus,
            };
            self.grid.regulate(regulation.unit, bus, regulation.target_kv);
        }
        if let Some(terminal) = self.slack_terminal.take() {
            self.slack = Some(self.bus_of(&terminal)?);
        }
        let routes = self.routes.iter().map(|(id, points)| (&id[..], points.clone()));
        self.grid.routes(&routes.collect());
        self.grid.warn_interchanges(std::mem::take(&mut self.interchanges));
        if self.levels.without_limits > 0 {
            let message = message!("grid.no_limits", count = self.levels.without_limits);
            self.grid.warn("INPUT.LIMITS_NOT_IN_FORMAT", message);
        }
        let ignored = std::mem::take(&mut self.ignored);
        self.grid.warn_ignored(&ignored);
        Ok(())
    }

    fn bus_of(&self, terminal: &TerminalReference) -> Result<usize> {
        let buses = self.terminals.get(&terminal.id);
        buses.and_then(|buses| buses.get(terminal.end).copied()).ok_or_else(|| {
            let message = message!("xiidm.unknown", line = terminal.line, id = &terminal.id);
            EngineError::new("INPUT.PARSE", message)
        })
    }
}

fn terminal_reference(element: &Element<'_>) -> Result<TerminalReference> {
    let side = element.attribute("side").or_else(|| element.attribute("number"));
    let end = match side {
        None | Some("ONE") => 0,
        Some("TWO") => 1,
        Some("THREE") => 2,
        Some(_) => return Err(elements::refused(element, "side")),
    };
    let id = text(element, "id")?.to_string();
    let line = element.line;
    Ok(TerminalReference { id, end, line })
}

fn location(element: &Element<'_>) -> Result<Option<Location>> {
    let [x, y] = [required(element, "longitude")?, required(element, "latitude")?];
    Ok((x.abs() <= 180.0 && y.abs() <= 90.0).then_some(Location { x, y, kind: None }))
}
