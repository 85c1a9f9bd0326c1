//! Multiconductor cases: distribution feeders with their own conductors, as OpenDSS scripts and as JSON.
//!
//! `ingest_distribution` reads a file, refuses or corrects what the parser would misread, and makes the retained module;
//! `inspect_distribution` derives everything shown from such a module. Both use the same derivation.
//!
//! The parser's network has more elements than the source: every source of an OpenDSS script gets an internal bus and a line with
//! its impedance, an opened line becomes a shunt between two contacts, an autotransformer three banks. The counts and the graph
//! here show the elements of the source; the module keeps those that a calculation needs.

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

/// A multiconductor case: its retained module and what is shown of it. Powers in kW, coordinates in their own space.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Generation-2 module text.
    pub module_json: String,
    /// SHA-256 of `module_json` in lower-case hexadecimal: the identity of the case.
    pub sha256: String,
    /// Name of the circuit; empty where the file has none.
    pub name: String,
    /// Elements by kind in a fixed order, those out of service included: `buses`, `lines`, `switches`, `transformers`, `loads`,
    /// `generators`, `inverters`, `storage`, `capacitors`, `shunts`, `reactors`, `sources`, `controls`.
    pub counts: Vec<(&'static str, u32)>,
    /// Active power of the loads in service as written, kW; storage is no load.
    pub load_kw: f64,
    /// Active power of generators in service, and what inverters in service have available, kW; sources are none.
    pub gen_kw: f64,
    /// Hz; None where the source does not say it (JSON).
    pub base_frequency: Option<f64>,
    /// Space of the coordinates; None where no bus has a position.
    pub coords_space: Option<Space>,
    /// Where the coordinates come from; None where no bus has a position.
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
    /// Terminals with a perfect connection to ground. OpenDSS writes that as node 0; the parser names the terminal 4 (or one
    /// more than the highest node).
    pub grounded: Vec<String>,
    /// In the space of the case; longitude and latitude only where that is geographic.
    pub xy: Option<[f64; 2]>,
    /// Active power of its loads in service over all phases, kW.
    pub load_kw: f64,
    pub has_source: bool,
    /// What is connected there.
    pub devices: Vec<DistributionDevice>,
}

/// Equipment at one bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistributionDevice {
    pub kind: DistributionDeviceKind,
    /// Name of the element.
    pub id: String,
    /// Terminals of the bus that it is connected to, in the order of its conductors; empty where the reader keeps it as text.
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
    /// An admittance that is neither a capacitor nor a reactor.
    Shunt,
}

/// What connects two buses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DistributionEdgeKind {
    Line,
    /// A switch, a line declared as switch, or a line with opened terminals.
    Switch,
    Transformer,
}

/// A line, a switch or a transformer between two buses. A transformer of more than two windings is one edge from the bus of
/// its first winding to each other bus that one of its windings is at.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionEdge {
    pub kind: DistributionEdgeKind,
    /// Name of the element. A series reactor is a line named `reactor.NAME`.
    pub id: String,
    pub from: String,
    pub to: String,
    /// Terminals at the from and at the to end, in conductor order; for a transformer, those of its windings.
    pub conductors: Vec<(String, String)>,
    /// False for open switches and for what is out of service.
    pub closed: bool,
    /// A transformer whose taps a regulator control in service changes.
    pub regulated: bool,
    /// Conductors that are no neutral: neither grounded nor called one.
    pub n_phases: u32,
    /// Stored route in the space of the case, at least two points.
    pub path: Option<Vec<[f64; 2]>>,
}

/// Something worth telling that is not an error.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionWarning {
    /// `PHYSICS.UNSUPPORTED` (shown here, refused by a calculation), `INPUT.COMPANION`, `INPUT.FIELD_IGNORED`, `INPUT.PARSER`, `GEO.OUT_OF_RANGE`.
    pub code: &'static str,
    pub sentence: Message,
    /// `class.name` in lower-case class and the name as written, for instance `regcontrol.creg1a`.
    pub element: Option<String>,
}

impl DistributionWarning {
    /// About the whole case.
    pub(crate) fn new(code: &'static str, sentence: Message) -> Self {
        let element = None;
        Self {
            code,
            sentence,
            element,
        }
    }

    /// What `sentence` says in English.
    pub fn message(&self) -> String {
        self.sentence.english()
    }
}

/// Reads the bytes of a multiconductor case. `format` is `dss`, `bmopf-json` or `pmd-json`; `companions` are the files that a
/// script refers to (`redirect`, `compile`, `buscoords`, load profiles), each with its path relative to the script. Paths match
/// in any letter case and with either slash; where no path matches, a single companion of that file name is taken. A file of
/// positions that was not given is told as a warning of `INPUT.COMPANION`.
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.TOO_LARGE` (script and companions together), `INPUT.PACKED`, `INPUT.ENCODING`, `INPUT.FORMAT` for
/// another format; `INPUT.COMPANION` for a script that was not given (`details.missing` has up to a hundred of them),
/// `INPUT.REDIRECT_CYCLE`, `INPUT.COPIES` (objects that copy one another without end); `INPUT.NO_EQUIPMENT` for a script without a
/// circuit and for a file in which nothing is connected; `INPUT.DUPLICATE_ELEMENT`, `INPUT.UNKNOWN_BUS`, `INPUT.NOT_FINITE`,
/// `INPUT.LOAD_POWER`; `PHYSICS.UNSUPPORTED` for a switch control that opens something else than a line; `INPUT.PARSE` for a value
/// that is not of the kind of its option (`details.option`, `.value`, `.line`) and for anything that the parser refuses, with its
/// own code in `details`. `details.element` names the element (`class.name`).
pub fn ingest_distribution(bytes: &[u8], format: &str, companions: &[(String, Vec<u8>)]) -> Result<Distribution> {
    guard::before_reading(bytes)?;
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

/// What [`ingest_distribution`] returned with this module, or what became of it by a geographic layer or a layout.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND` for a module of another kind, and `INPUT.*` for what no network can have.
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

/// Last value of a property of an object that the parser kept as text.
fn last<'a>(object: &'a UntypedObject, property: &str) -> Option<&'a str> {
    let named = |(name, _): &&(Option<String>, String)| name.as_deref() == Some(property);
    object.props.iter().rev().find(named).map(|(_, value)| value.trim())
}

/// An error that names an element as `class.name`.
pub(crate) fn refuse(code: &'static str, element: &str, message: Message) -> EngineError {
    EngineError::new(code, message).with_details(serde_json::json!({ "element": element }))
}
