//! The analysis network: what every solver works on.
//!
//! Per unit on `base_mva`, radians, dense rows in source order. Rows that take no part (out of service, isolated) keep
//! their place, so a dense row, a published row and a row of the map are the same thing.

use crate::message::Message;
use std::f64::consts::FRAC_PI_3;

pub use crate::element::{ElementKind, ElementRef};

/// Bus of the analysis network.
#[derive(Clone, Debug, PartialEq)]
pub struct Bus {
    /// Number in the source file.
    pub id: u64,
    /// Row uid where the source carries one.
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Number in the source, where it cannot be the id: pandapower counts from 0.
    pub source_index: Option<u64>,
    pub base_kv: f64,
    pub area: Option<u64>,
    pub zone: Option<u64>,
    /// False for isolated buses (MATPOWER type 4).
    pub in_service: bool,
    /// False for star points that lowering a three-winding transformer added.
    pub editable: bool,
    /// The source marks this bus as reference (MATPOWER type 3).
    pub is_reference: bool,
    /// The source marks this bus as one where generators hold the voltage (MATPOWER type 2). Those of a reference do too.
    pub is_pv: bool,
    /// Voltage that the source carries, whatever it is: a start for a power flow, and the angle of a reference.
    pub vm_pu: f64,
    pub va_rad: f64,
    /// Sum of the in-service loads at 1 pu voltage, per unit.
    pub demand_pu: f64,
    pub demand_q_pu: f64,
    /// Parts of `demand_pu` and `demand_q_pu` that are proportional to the voltage (constant current) and to its square
    /// (constant impedance). AC power flow counts them so; the optimisations take all demand at 1 pu.
    pub constant_current_pu: [f64; 2],
    pub constant_impedance_pu: [f64; 2],
    /// Shunt conductance and susceptance at 1 pu voltage, per unit.
    pub gs_pu: f64,
    pub bs_pu: f64,
    pub vmin_pu: f64,
    pub vmax_pu: f64,
    /// Longitude and latitude where the source (or a layout) carries them.
    pub lon_lat: Option<[f64; 2]>,
}

/// Branch (line, transformer or lowered star leg).
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// 1-based row.
    pub id: u64,
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Dense bus rows.
    pub from: usize,
    pub to: usize,
    pub r_pu: f64,
    pub x_pu: f64,
    /// Conductance and susceptance to ground at the from end, on the line side of the ideal transformer, and at the to end
    /// (PowerModels `g_fr`, `b_fr`, `g_to`, `b_to`).
    pub shunt_from_pu: [f64; 2],
    pub shunt_to_pu: [f64; 2],
    /// Off-nominal ratio, 1 where the source says 0.
    pub tap: f64,
    pub shift_rad: f64,
    /// False when out of service itself or when an end is isolated.
    pub in_service: bool,
    pub editable: bool,
    /// Angle-difference limits after the rule of `angle_difference_limits`, radians; infinite where the source's model has none.
    pub angle_min_rad: f64,
    pub angle_max_rad: f64,
    /// The limits are those of the rule, about the phase shift: a model without phase shifts has them about zero.
    pub angle_limits_about_shift: bool,
    /// Whether the source has no angle-difference limits, so that those here are assumed.
    pub angle_limits_assumed: bool,
    /// Thermal rating, per unit, after the fallback rule; zero only where the source admits no flow, infinite where the source
    /// states that there is none, and where neither the source nor the rule has one: without impedance.
    pub rating_pu: f64,
    /// The rating is the fallback of `fallback_rating`, not the source's.
    pub rating_is_fallback: bool,
    /// Stored route, longitude and latitude.
    pub route: Option<Vec<[f64; 2]>>,
}

impl Branch {
    /// It has a rating, the source's or a fallback.
    pub fn is_rated(&self) -> bool {
        self.rating_pu.is_finite()
    }

    /// Total charging susceptance, per unit.
    pub fn charging_pu(&self) -> f64 {
        self.shunt_from_pu[1] + self.shunt_to_pu[1]
    }

    /// What the conductances at both ends draw at 1 pu, per unit.
    pub fn conductances_pu(&self) -> [f64; 2] {
        [self.shunt_from_pu[0] / (self.tap * self.tap), self.shunt_to_pu[0]]
    }

    /// Angle-difference limits of a program that needs some below 90 degrees, radians: 60 degrees where there are none.
    pub fn finite_angle_limits_rad(&self) -> [f64; 2] {
        let or = |limit: f64, least: f64| if limit.is_finite() { limit } else { least };
        [or(self.angle_min_rad, -FRAC_PI_3), or(self.angle_max_rad, FRAC_PI_3)]
    }

    /// Neither resistance nor reactance: both ends are one node of the network.
    pub fn is_zero_impedance(&self) -> bool {
        self.r_pu == 0.0 && self.x_pu == 0.0
    }
}

/// Cost of a generator, in per unit power: `$ / h` as a function of `p_pu`.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// `c2 p^2 + c1 p + c0`.
    Quadratic { c2: f64, c1: f64, c0: f64 },
    /// Convex piecewise linear through these points (p_pu ascending, $/h); the first and last slopes extend outwards.
    PiecewiseLinear { points: Vec<[f64; 2]> },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// 1-based row.
    pub id: u64,
    pub uid: Option<String>,
    /// Dense bus row.
    pub bus: usize,
    pub in_service: bool,
    pub pg_pu: f64,
    pub qg_pu: f64,
    pub pmin_pu: f64,
    pub pmax_pu: f64,
    pub qmin_pu: f64,
    pub qmax_pu: f64,
    pub vset_pu: f64,
    /// False for a generator that injects its reactive power and holds no voltage, also at a bus where others do.
    pub regulates_voltage: bool,
    /// Dense row of the bus whose voltage the generator holds at `vset_pu`, where that is another one than its own.
    pub regulated_bus: Option<usize>,
    pub cost: Cost,
    pub energy_source: EnergySource,
}

/// What drives a generator, as far as the source says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergySource {
    Hydro,
    Nuclear,
    Wind,
    /// A thermal unit whose fuel the source does not name.
    Thermal,
    Coal,
    Gas,
    Solar,
    #[default]
    Other,
}

/// Something worth telling that is not an error.
///
/// Three codes say what a reader does with data that the network has no place for: `INPUT.LEFT_OUT` for what changes an answer by
/// its nature (demand, generation, limits, costs), with its number and amount; `INPUT.HELD` for controls that are held at the
/// position of the file; `INPUT.FIELD_IGNORED` for the rest. The first comes before every other warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    pub code: &'static str,
    pub sentence: Message,
    pub element: Option<ElementRef>,
}

impl Warning {
    /// About the whole case.
    pub fn new(code: &'static str, sentence: Message) -> Self {
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

/// Where the coordinates of a network come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordsKind {
    /// The source file, or positions derived from it.
    File,
    /// A staged layout, not surveyed positions.
    Synthetic,
    /// Placed by hand.
    Manual,
}

#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisNetwork {
    pub name: String,
    /// Base of every per-unit number here, MVA: that of the file, or two to the `base_exponent` times it where the powers of the
    /// case are far from the file's.
    pub base_mva: f64,
    pub base_exponent: i32,
    pub buses: Vec<Bus>,
    pub branches: Vec<Branch>,
    pub generators: Vec<Generator>,
    /// Canonical rows before three-winding lowering; the rest of `buses` and `branches` is lowered.
    pub n_canonical_buses: usize,
    pub n_canonical_branches: usize,
    /// None where no bus has longitude and latitude.
    pub coords_kind: Option<CoordsKind>,
    /// What the parser and the analysis rules had to say, in that order.
    pub warnings: Vec<Warning>,
}

impl AnalysisNetwork {
    /// The base of the file, MVA.
    pub fn file_base_mva(&self) -> f64 {
        libm::ldexp(self.base_mva, -self.base_exponent)
    }

    /// An impedance of these rows in per unit of the file's base.
    pub fn file_impedance(&self, pu: f64) -> f64 {
        libm::ldexp(pu, -self.base_exponent)
    }

    /// An admittance of these rows in per unit of the file's base.
    pub fn file_admittance(&self, pu: f64) -> f64 {
        libm::ldexp(pu, self.base_exponent)
    }

    /// Power that shunt conductances draw at 1 pu, by bus, per unit: those of buses in service and of the ends of branches in
    /// service. The DC model counts it as demand (MATPOWER manual, section 3.7).
    pub fn conductance_pu(&self) -> Vec<f64> {
        let at_bus = |bus: &Bus| if bus.in_service { bus.gs_pu } else { 0.0 };
        let mut drawn: Vec<f64> = self.buses.iter().map(at_bus).collect();
        for branch in self.branches.iter().filter(|b| b.in_service) {
            let [from, to] = branch.conductances_pu();
            drawn[branch.from] += from;
            drawn[branch.to] += to;
        }
        drawn
    }

    /// Every canonical bus that takes part has a longitude and latitude.
    pub fn has_coords(&self) -> bool {
        let mut canonical = self.buses[..self.n_canonical_buses]
            .iter()
            .filter(|b| b.in_service)
            .peekable();
        canonical.peek().is_some() && canonical.all(|b| b.lon_lat.is_some())
    }
}
