//! Multiconductor cases: distribution feeders phase by phase, from OpenDSS scripts and JSON.
//!
//! `ingest_distribution` reads a file, refuses or corrects what the parser would misread, and produces the module;
//! `inspect_distribution` derives the displayed data from such a module. Both share that derivation.
//!
//! The parser's network has more elements than the source: a source of an OpenDSS script gets an internal bus and a
//! line with its impedance, an opened line becomes a shunt between two contacts, and an autotransformer three banks.
//! Counts and graph show the elements of the source; the module retains those needed for a calculation.

mod elements;
mod physics;
mod reading;
mod script;
mod settings;
mod shown;
mod space;
mod switching;

pub(crate) use elements::topology::Topology;
pub use physics::{feeder_from_module, Controls, FeederOptions, SourceImpedance};

use powerio::dist::{MulticonductorNetwork, UntypedObject};
use powerio::{PioModule, PioValue};

use crate::analysis::CoordsKind;
use crate::coordinates::Space;
use crate::error::{EngineError, Result};
use crate::input::guard;
use crate::message::Message;
use crate::{message, module};

/// A multiconductor case: its module and its displayed data. Powers are in kW, coordinates in their own space.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Generation-2 module text.
    pub module_json: String,
    /// SHA-256 of `module_json` in lower-case hexadecimal: the identity of the case.
    pub sha256: String,
    /// Name of the circuit; empty if the file has none.
    pub name: String,
    /// Elements by kind in a fixed order, including those out of service: `buses`, `lines`, `switches`, `transformers`,
    /// `loads`, `generators`, `inverters`, `storage`, `capacitors`, `shunts`, `reactors`, `sources`, `controls`.
    pub counts: Vec<(&'static str, u32)>,
    /// Active power of the loads in service as in the source, kW, without storage.
    pub load_kw: f64,
    /// Active power of generators in service and available power of inverters in service, kW, without sources.
    pub gen_kw: f64,
    /// Hz; `None` if the source does not state it (JSON).
    pub base_frequency: Option<f64>,
    /// Space of the coordinates; `None` if no bus has a position.
    pub coords_space: Option<Space>,
    /// Origin of the coordinates; `None` if no bus has a position.
    pub coords_kind: Option<CoordsKind>,
    pub buses: Vec<DistributionBus>,
    pub edges: Vec<DistributionEdge>,
    pub warnings: Vec<DistributionWarning>,
}

/// Bus of a multiconductor network.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionBus {
    /// Its name, as elements refer to it.
    pub id: String,
    pub terminals: Vec<String>,
    /// Terminals solidly connected to ground. In OpenDSS this is node 0; the parser names the terminal 4 (or one more
    /// than the highest node).
    pub grounded: Vec<String>,
    /// Position in the space of the case; longitude and latitude only if that is geographic.
    pub xy: Option<[f64; 2]>,
    /// Active power of its loads in service over all phases, kW.
    pub load_kw: f64,
    pub has_source: bool,
    /// Equipment connected to the bus.
    pub devices: Vec<DistributionDevice>,
}

/// Equipment at one bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistributionDevice {
    pub kind: DistributionDeviceKind,
    /// Name of the element.
    pub id: String,
    /// Terminals of the bus to which it is connected, in the order of its conductors; empty if the reader stores the
    /// element as text.
    pub terminals: Vec<String>,
    pub in_service: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DistributionDeviceKind {
    Source,
    Load,
    Generator,
    Inverter,
    Storage,
    Capacitor,
    Reactor,
    /// A shunt that is neither a capacitor nor a reactor.
    Shunt,
}

/// The kind of a connection between two buses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DistributionEdgeKind {
    Line,
    /// A switch, a line declared as switch, or a line with opened terminals.
    Switch,
    Transformer,
}

/// A line, a switch or a transformer between two buses. A transformer with more than two windings has one edge from the
/// bus of its first winding to each other bus with a winding.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionEdge {
    pub kind: DistributionEdgeKind,
    /// Name of the element. A series reactor is a line named `reactor.NAME`.
    pub id: String,
    pub from: String,
    pub to: String,
    /// Terminals at the from and the to end, in conductor order; for a transformer, those of its windings.
    pub conductors: Vec<(String, String)>,
    /// False for open switches and for elements out of service.
    pub closed: bool,
    /// Whether a regulator control in service changes the taps of the transformer.
    pub regulated: bool,
    /// Number of conductors that are neither grounded nor declared as neutral.
    pub n_phases: u32,
    /// Stored route in the space of the case, at least two points.
    pub path: Option<Vec<[f64; 2]>>,
}

/// A condition that the user should know and that is not an error.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionWarning {
    /// `PHYSICS.UNSUPPORTED` (displayed here, refused by a calculation), `INPUT.COMPANION`, `INPUT.FIELD_IGNORED`,
    /// `INPUT.PARSER`, `GEO.OUT_OF_RANGE`.
    pub code: &'static str,
    pub sentence: Message,
    /// `class.name` with the class in lower case and the name as in the source, for instance `regcontrol.creg1a`.
    pub element: Option<String>,
}

impl DistributionWarning {
    /// A warning about the whole case.
    pub(crate) fn new(code: &'static str, sentence: Message) -> Self {
        let element = None;
        Self {
            code,
            sentence,
            element,
        }
    }

    /// `sentence` in English.
    pub fn message(&self) -> String {
        self.sentence.english()
    }
}

/// Reads the bytes of a multiconductor case. `format` is `dss`, `bmopf-json` or `pmd-json`. `companions` are the files
/// to which a script refers (`redirect`, `compile`, `buscoords`, load profiles), each with its path relative to the
/// script. Paths match in any letter case and with either slash; if no path matches, the only companion of that file
/// name is used. A missing file of positions is a warning `INPUT.COMPANION`.
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.TOO_LARGE` (script and companions together), `INPUT.PACKED`, `INPUT.ENCODING`, `INPUT.FORMAT`
/// for another format; `INPUT.COMPANION` for a missing script (`details.missing` lists up to a hundred),
/// `INPUT.REDIRECT_CYCLE`, `INPUT.COPIES` (objects that copy one another without end); `INPUT.NO_EQUIPMENT` for a
/// script without a circuit and for a file without connected elements; `INPUT.DUPLICATE_ELEMENT`, `INPUT.UNKNOWN_BUS`,
/// `INPUT.NOT_FINITE`, `INPUT.LOAD_POWER`; `PHYSICS.UNSUPPORTED` for a switch control of an element other than a line;
/// `INPUT.PARSE` for a value of the wrong kind (`details.option`, `.value`, `.line`) and for input that the parser
/// refuses, with its own code in `details`. `details.element` names the element (`class.name`).
pub fn ingest_distribution(bytes: &[u8], format: &str, companions: &[(String, Vec<u8>)]) -> Result<Distribution> {
    guard::before_reading(bytes, false)?;
    let mut parsed = match format {
        "dss" => reading::dss(bytes, companions)?,
        "bmopf-json" | "pmd-json" => reading::json(bytes, format)?,
        other => {
            let message = message!("feeder.format", format = other);
            return Err(EngineError::new("INPUT.FORMAT", message));
        }
    };
    let dropped = space::settle(network_mut(&mut parsed)?);
    if let Some(warning) = dropped {
        module::store_warning(&mut parsed, &warning)?;
    }
    shown::distribution(&parsed)
}

/// The result of [`ingest_distribution`] for its module, which a geographic layer or a layout may have changed.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND` for a module of another kind, and `INPUT.*` for faults that no network may have.
pub fn inspect_distribution(module_json: &str) -> Result<Distribution> {
    shown::distribution(&module::open(module_json)?)
}

/// The multiconductor network of a module.
pub(crate) fn network(module: &PioModule<PioValue>) -> Result<&MulticonductorNetwork> {
    match module.value() {
        PioValue::MulticonductorNetwork(network) => Ok(network),
        other => Err(wrong_kind(other)),
    }
}

pub(crate) fn network_mut(module: &mut PioModule<PioValue>) -> Result<&mut MulticonductorNetwork> {
    match module.value_mut() {
        PioValue::MulticonductorNetwork(network) => Ok(network),
        other => Err(wrong_kind(other)),
    }
}

fn wrong_kind(value: &PioValue) -> EngineError {
    let message = message!("module.not_multiconductor", kind = value.type_name());
    EngineError::new("MODULE.KIND", message)
}

/// Last value of a property of an object that the parser stores as text.
fn last<'a>(object: &'a UntypedObject, property: &str) -> Option<&'a str> {
    let named = |(name, _): &&(Option<String>, String)| name.as_deref() == Some(property);
    object.props.iter().rev().find(named).map(|(_, value)| value.trim())
}

/// An error that names an element as `class.name`.
pub(crate) fn refuse(code: &'static str, element: &str, message: Message) -> EngineError {
    EngineError::new(code, message).with_details(serde_json::json!({ "element": element }))
}
