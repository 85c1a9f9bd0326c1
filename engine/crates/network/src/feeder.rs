//! A multiconductor feeder for solvers: nodes, and elements with their complete physics in SI units.
//!
//! A node is a terminal of a bus. Matrices are stored by rows over the conductors of their element.
//! [`crate::distribution::feeder_from_module`] builds it, and refuses physics that this model cannot represent.

/// A feeder with its in-service elements. Numbers of nodes, buses and lines are rows of the tables here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feeder {
    pub name: String,
    /// Hz. Impedances and susceptances are those at this frequency.
    pub base_frequency: f64,
    pub buses: Vec<FeederBus>,
    pub nodes: Vec<FeederNode>,
    pub lines: Vec<FeederLine>,
    pub shunts: Vec<FeederShunt>,
    pub switches: Vec<FeederSwitch>,
    pub transformers: Vec<FeederTransformer>,
    pub loads: Vec<FeederLoad>,
    pub sources: Vec<FeederSource>,
    /// Controls that do not act and remain as in the source (`class.name`).
    pub held_controls: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FeederBus {
    /// Name of the bus; for a bus that the reader adds, the element (`class.name`) to which it belongs.
    pub name: String,
    /// False for buses that the reader adds, such as the one behind a source impedance.
    pub is_written: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FeederNode {
    pub bus: usize,
    pub terminal: String,
    /// Whether it is solidly connected to ground.
    pub is_grounded: bool,
}

/// A line or a series reactor: `I = inv(r + jx) (U_from - U_to)`, with a shunt matrix at either end.
#[derive(Clone, Debug, PartialEq)]
pub struct FeederLine {
    /// `class.name`, as for every element.
    pub name: String,
    pub from: Vec<usize>,
    pub to: Vec<usize>,
    /// m.
    pub length: f64,
    /// For the whole length, ohm.
    pub r: Vec<f64>,
    pub x: Vec<f64>,
    /// For the whole length, S.
    pub g_from: Vec<f64>,
    pub b_from: Vec<f64>,
    pub g_to: Vec<f64>,
    pub b_to: Vec<f64>,
}

/// A capacitor bank, a shunt reactor, or the charging of a line opened at one end.
#[derive(Clone, Debug, PartialEq)]
pub struct FeederShunt {
    pub name: String,
    pub nodes: Vec<usize>,
    /// S.
    pub g: Vec<f64>,
    pub b: Vec<f64>,
}

/// A switch without impedance.
#[derive(Clone, Debug, PartialEq)]
pub struct FeederSwitch {
    pub name: String,
    pub from: Vec<usize>,
    pub to: Vec<usize>,
    pub is_closed: bool,
}

/// How phases are connected to terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// From each phase terminal to the last terminal.
    Wye,
    /// Between phase terminals.
    Delta,
}

/// A transformer with two windings.
#[derive(Clone, Debug, PartialEq)]
pub struct FeederTransformer {
    pub name: String,
    pub phases: usize,
    pub windings: [FeederWinding; 2],
    /// Base of all percentages: rating of the first winding, all phases, VA.
    pub s_va: f64,
    /// Leakage reactance between the windings, percent.
    pub x_percent: f64,
    /// No-load loss and magnetising current at the second winding, percent.
    pub no_load_percent: f64,
    pub magnetising_percent: f64,
    /// Whether the low-voltage side leads by 30 degrees (wye-delta); otherwise it lags.
    pub leads: bool,
    /// Reactive admittance to ground at each coil end, in millionths of the rating (`ppm_antifloat` of OpenDSS); 0 for none.
    pub antifloat_ppm: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FeederWinding {
    pub nodes: Vec<usize>,
    pub connection: Connection,
    /// Rated voltage, V: between phases if there are two or three, otherwise across the coil.
    pub v_rated: f64,
    pub r_percent: f64,
    /// Turns ratio, 1 at rated voltage.
    pub tap: f64,
    /// Impedance from the neutral (the last terminal) to ground, ohm; `None` if it is open.
    pub neutral_ohm: Option<[f64; 2]>,
}

/// A load with one branch for each phase.
#[derive(Clone, Debug, PartialEq)]
pub struct FeederLoad {
    pub name: String,
    pub branches: Vec<LoadBranch>,
    /// The voltage band of the law of its branches; `None` if the law applies at any voltage.
    pub band: Option<VoltageBand>,
}

/// A branch that draws `p_w + j q_var` at the voltage `v_nominal` across its nodes; `None` is ground.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadBranch {
    pub nodes: [Option<usize>; 2],
    pub p_w: f64,
    pub q_var: f64,
    /// V; 0 if the source of the case has none (constant power needs none).
    pub v_nominal: f64,
    pub law: LoadLaw,
}

/// Factors of active and reactive power as functions of `v`, the voltage relative to its nominal value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadLaw {
    Power,
    Current,
    Impedance,
    /// `[z, i, p]`: `z v^2 + i v + p`.
    Zip {
        active: [f64; 3],
        reactive: [f64; 3],
    },
    /// `v^active`, `v^reactive`.
    Exponential {
        active: f64,
        reactive: f64,
    },
}

/// Limits relative to the nominal voltage. At and below `low` a load is its nominal impedance, up to `min` its current
/// is interpolated, and above `max` it is an impedance (OpenDSS `Vlowpu`, `Vminpu`, `Vmaxpu`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoltageBand {
    pub low: f64,
    pub min: f64,
    pub max: f64,
    /// Voltage below which a ZIP load drops out; 0 for no drop-out (seventh coefficient of `ZIPV`).
    pub cutoff: f64,
}

/// A source that fixes the voltage of each node to ground, or to one node.
#[derive(Clone, Debug, PartialEq)]
pub struct FeederSource {
    pub name: String,
    pub nodes: Vec<usize>,
    pub reference: Option<usize>,
    pub volts: Vec<f64>,
    pub angles_rad: Vec<f64>,
    /// Row of the line that represents its impedance, whose far end is the bus of the source in the file.
    pub impedance: Option<usize>,
}

impl Feeder {
    /// `bus.terminal`.
    pub fn node_name(&self, node: usize) -> String {
        let at = &self.nodes[node];
        format!("{}.{}", self.buses[at.bus].name, at.terminal)
    }
}
