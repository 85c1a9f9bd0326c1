//! The analysis network: the input of every solver.
//!
//! Per unit on `base_mva`, radians, dense rows in source order. Inactive rows (out of service, isolated) keep their
//! positions, so the same index serves for dense rows, published rows and the map.

use crate::message::Message;
use std::f64::consts::FRAC_PI_3;

pub use crate::element::{ElementKind, ElementRef, OutageIds};

/// Bus of the analysis network.
#[derive(Clone, Debug, PartialEq)]
pub struct Bus {
    /// Number in the source file.
    pub id: u64,
    /// Row uid, if the source has one.
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Number in the source if it cannot be the id: pandapower counts from 0.
    pub source_index: Option<u64>,
    pub base_kv: f64,
    pub area: Option<u64>,
    pub zone: Option<u64>,
    /// False for isolated buses (MATPOWER type 4).
    pub in_service: bool,
    /// False for the star points of lowered three-winding transformers.
    pub editable: bool,
    /// Whether the source marks the bus as reference (MATPOWER type 3).
    pub is_reference: bool,
    /// Whether the source marks the bus as voltage-controlled by its generators (MATPOWER type 2). References are
    /// controlled too, but have their own mark.
    pub is_pv: bool,
    /// Voltage stored in the source, unchecked: a start for a power flow, and the angle of a reference.
    pub vm_pu: f64,
    pub va_rad: f64,
    /// Sum of the in-service loads at 1 pu voltage, per unit.
    pub demand_pu: f64,
    pub demand_q_pu: f64,
    /// Parts of `demand_pu` and `demand_q_pu` that are proportional to the voltage (constant current) and to its square
    /// (constant impedance). AC power flow models this dependence; the optimisations use all demand at 1 pu.
    pub constant_current_pu: [f64; 2],
    pub constant_impedance_pu: [f64; 2],
    /// Shunt conductance and susceptance at 1 pu voltage, per unit.
    pub gs_pu: f64,
    pub bs_pu: f64,
    pub vmin_pu: f64,
    pub vmax_pu: f64,
    /// Longitude and latitude, if the source or a layout has them.
    pub lon_lat: Option<[f64; 2]>,
}

impl From<&Bus> for ElementRef {
    fn from(bus: &Bus) -> Self {
        Self::new(ElementKind::Bus, bus.id, bus.uid.clone())
    }
}

/// Branch (line, transformer or lowered star leg).
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// 1-based row.
    pub id: u64,
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Whether it is a switch: without impedance if it is ideal, out of service if it is open.
    pub is_switch: bool,
    /// Dense bus rows.
    pub from: usize,
    pub to: usize,
    pub r_pu: f64,
    pub x_pu: f64,
    /// Conductance and susceptance to ground at the from end, on the line side of the ideal transformer, and at the to end
    /// (PowerModels `g_fr`, `b_fr`, `g_to`, `b_to`).
    pub shunt_from_pu: [f64; 2],
    pub shunt_to_pu: [f64; 2],
    /// Off-nominal ratio; 1 for a ratio of 0 in the source.
    pub tap: f64,
    pub shift_rad: f64,
    /// False if the branch is out of service or an end is isolated.
    pub in_service: bool,
    pub editable: bool,
    /// Angle-difference limits after the rule of `angle_difference_limits`, radians; infinite if the source's model has
    /// no such limits.
    pub angle_min_rad: f64,
    pub angle_max_rad: f64,
    /// Whether the limits are those of the rule relative to the phase shift; a model without phase shifts applies them
    /// about zero.
    pub angle_limits_about_shift: bool,
    /// Whether the limits are assumed because the source has no angle-difference limits.
    pub angle_limits_assumed: bool,
    /// Thermal rating, per unit, after the fallback rule. Zero only if the source admits no flow; infinite if the
    /// source states that there is no limit, or for a branch without impedance and rating.
    pub rating_pu: f64,
    /// Whether the rating is that of `fallback_rating` rather than the source's.
    pub rating_is_fallback: bool,
    /// Emergency ratings of the source, per unit, which limit flows after outages (`RATE_B` and `RATE_C`).
    pub emergency_ratings_pu: [Option<f64>; 2],
    /// Stored route, longitude and latitude.
    pub route: Option<Vec<[f64; 2]>>,
}

impl From<&Branch> for ElementRef {
    fn from(branch: &Branch) -> Self {
        Self::new(ElementKind::Branch, branch.id, branch.uid.clone())
    }
}

impl Branch {
    /// Whether it has a finite rating, the source's or a fallback.
    pub fn is_rated(&self) -> bool {
        self.rating_pu.is_finite()
    }

    /// Total charging susceptance, per unit.
    pub fn charging_pu(&self) -> f64 {
        self.shunt_from_pu[1] + self.shunt_to_pu[1]
    }

    /// Power of the conductances at both ends at 1 pu, per unit.
    pub fn conductances_pu(&self) -> [f64; 2] {
        [self.shunt_from_pu[0] / (self.tap * self.tap), self.shunt_to_pu[0]]
    }

    /// Angle-difference limits, radians, for programs that need limits below 90 degrees: 60 degrees if there are none.
    pub fn finite_angle_limits_rad(&self) -> [f64; 2] {
        let or = |limit: f64, least: f64| if limit.is_finite() { limit } else { least };
        [or(self.angle_min_rad, -FRAC_PI_3), or(self.angle_max_rad, FRAC_PI_3)]
    }

    /// Whether resistance and reactance are zero, so that both ends are one node of the network.
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
    /// False for a generator that injects its given reactive power without voltage control, even at a bus where others
    /// control it.
    pub regulates_voltage: bool,
    /// Dense row of the bus whose voltage the generator controls at `vset_pu`, if it is not its own.
    pub regulated_bus: Option<usize>,
    pub cost: Cost,
    /// Whether the source has a cost for it.
    pub has_cost: bool,
    pub energy_source: EnergySource,
}

impl From<&Generator> for ElementRef {
    fn from(generator: &Generator) -> Self {
        Self::new(ElementKind::Generator, generator.id, generator.uid.clone())
    }
}

/// The energy source of a generator, as far as the source names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergySource {
    Hydro,
    Nuclear,
    Wind,
    /// A thermal unit without a named fuel.
    Thermal,
    Coal,
    Gas,
    Solar,
    #[default]
    Other,
}

/// HVDC link: takes power at its from end and delivers it, less its losses, at its to end.
///
/// The delivered power is `pt = pf - (loss0 + loss1 pf)` (MATPOWER manual, section 7.6.3), for power sent from the from
/// end. A link that is reversed pays the proportional loss at the from end: `pf = (1 - loss1) pt`, both negative,
/// whereas MATPOWER's law would gain energy there.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// 1-based row.
    pub id: u64,
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Dense bus rows.
    pub from: usize,
    pub to: usize,
    /// False if the link is out of service or an end is isolated.
    pub in_service: bool,
    /// Scheduled power at the from end, positive into the link, which power flows hold.
    pub pf_pu: f64,
    /// Limits of the power, infinite if there are none. As in MATPOWER, a limit of at least zero holds for the power
    /// that the from end sends, a negative one for the power that the to end delivers.
    pub pmin_pu: f64,
    pub pmax_pu: f64,
    /// Constant loss, per unit, paid at the to end, and loss as a fraction of the sent power, in [0, 1).
    pub loss0_pu: f64,
    pub loss1: f64,
    /// Cost as a function of the power at the from end.
    pub cost: Cost,
    /// Scheduled reactive injections into the from and the to bus, and their limits, infinite if there are none.
    pub q_pu: [f64; 2],
    pub qmin_pu: [f64; 2],
    pub qmax_pu: [f64; 2],
    /// Voltage set-points at both ends.
    pub vset_pu: [f64; 2],
    /// Whether its converters hold these voltages in power flows; otherwise they inject their scheduled reactive power.
    pub regulates_voltage: [bool; 2],
}

impl From<&Link> for ElementRef {
    fn from(link: &Link) -> Self {
        Self::new(ElementKind::Hvdc, link.id, link.uid.clone())
    }
}

impl Link {
    /// Power delivered at the to end for power `pf` at the from end, per unit; negative if the to end sends.
    pub fn delivered_pu(&self, pf: f64) -> f64 {
        if pf >= 0.0 {
            pf - (self.loss0_pu + self.loss1 * pf)
        } else {
            pf / (1.0 - self.loss1) - self.loss0_pu
        }
    }
}

/// How a formulation treats a storage unit in service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StorageModel {
    /// It injects its power.
    #[default]
    Held,
    /// It is dispatched by the value of its energy.
    Valued,
    /// A generator stands for it, in a network that a formulation made.
    AsGenerator,
}

/// Storage unit: a battery, a pumped hydro plant. In one hour nothing but a value of its energy says whether it should charge or discharge,
/// so it is held at its power unless it is valued.
#[derive(Clone, Debug, PartialEq)]
pub struct Storage {
    /// 1-based row.
    pub id: u64,
    pub uid: Option<String>,
    /// Dense bus row.
    pub bus: usize,
    /// False if the unit is out of service or its bus is isolated.
    pub in_service: bool,
    /// Power that it injects where it is held, positive while it discharges.
    pub p_pu: f64,
    pub q_pu: f64,
    /// Largest power while it charges and while it discharges, at least zero; infinite if there is no limit.
    pub charge_max_pu: f64,
    pub discharge_max_pu: f64,
    /// Largest apparent power, infinite if there is no limit.
    pub rating_pu: f64,
    /// Stored per charged energy and supplied per stored energy, in (0, 1].
    pub charge_efficiency: f64,
    pub discharge_efficiency: f64,
    /// Power that a valued unit takes from its bus whatever it does, per unit.
    pub loss_pu: f64,
    /// Stored energy at the start of the hour, per unit times hours; `None` if it is unknown, so that it limits nothing.
    pub energy_pu: Option<f64>,
    /// Limits of the stored energy.
    pub energy_min_pu: f64,
    pub energy_max_pu: f64,
    /// What a MWh of stored energy is worth, $/MWh, at least zero; `None` if it is not given.
    pub energy_value: Option<f64>,
    pub model: StorageModel,
}

impl From<&Storage> for ElementRef {
    fn from(storage: &Storage) -> Self {
        Self::new(ElementKind::Storage, storage.id, storage.uid.clone())
    }
}

impl Storage {
    /// Least and largest power that a valued unit injects in one hour, per unit: by its power, by its energy, and by what its reactive power,
    /// which is held, leaves of its rating.
    pub fn limits_pu(&self) -> [f64; 2] {
        let active = (self.rating_pu * self.rating_pu - self.q_pu * self.q_pu)
            .max(0.0)
            .sqrt();
        let stored = |power: f64, room: Option<f64>| room.map_or(power, |room| power.min(room.max(0.0)));
        let room = self
            .energy_pu
            .map(|energy| (self.energy_max_pu - energy) / self.charge_efficiency);
        let left = self
            .energy_pu
            .map(|energy| (energy - self.energy_min_pu) * self.discharge_efficiency);
        [
            (-stored(self.charge_max_pu, room) - self.loss_pu).max(-active),
            (stored(self.discharge_max_pu, left) - self.loss_pu).min(active),
        ]
    }

    /// Prices at its bus, $/MWh, below which it gains by charging and above which by discharging; `None` without a value.
    pub fn price_band(&self) -> Option<[f64; 2]> {
        self.energy_value
            .map(|value| [self.charge_efficiency * value, value / self.discharge_efficiency])
    }

    /// Cost of the injected power, $/h over per unit on `base` MVA, zero for a unit that is held. A constant loss neither charges nor
    /// discharges.
    ///
    /// Charging `c` costs `-ec v c` and discharging `d` costs `v d / ed`, with the value `v` and the efficiencies `ec` and `ed`. For `v >= 0`
    /// the first slope is not above the second, so that a convex cost of the net power has both: no optimum charges and discharges at once,
    /// whatever the price.
    pub fn cost(&self, base: f64) -> Cost {
        let valued = self.price_band().filter(|_| self.model == StorageModel::Valued);
        let [charging, discharging] = valued.unwrap_or_default().map(|price| price * base);
        if charging == discharging {
            return Cost::Quadratic {
                c2: 0.0,
                c1: charging,
                c0: charging * self.loss_pu,
            };
        }
        // The slopes extend outwards.
        let idle = -self.loss_pu;
        let points = vec![[idle - 1.0, -charging], [idle, 0.0], [idle + 1.0, discharging]];
        Cost::PiecewiseLinear { points }
    }

    /// Whether it takes part in a network: it is in service, and valued or held at a power that is not zero.
    pub fn injects(&self) -> bool {
        let moves = match self.model {
            StorageModel::Held => self.p_pu != 0.0 || self.q_pu != 0.0,
            StorageModel::Valued => true,
            StorageModel::AsGenerator => false,
        };
        self.in_service && moves
    }
}

/// A condition that the user should know and that is not an error.
///
/// Three codes describe data that the network does not represent: `INPUT.LEFT_OUT` for omitted demand, generation,
/// limits or costs, which change the result, with number and amount; `INPUT.HELD` for controls fixed at the position of
/// the file; `INPUT.FIELD_IGNORED` for everything else. The first precedes every other warning.
#[derive(Clone, Debug, PartialEq)]
pub struct Warning {
    pub code: &'static str,
    pub sentence: Message,
    pub element: Option<ElementRef>,
}

impl Warning {
    /// A warning about the whole case.
    pub fn new(code: &'static str, sentence: Message) -> Self {
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

/// The origin of the coordinates of a network.
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
    /// Base of all per-unit numbers here, MVA: that of the file, or that times two to the `base_exponent` if the powers
    /// of the case are far from the file's base.
    pub base_mva: f64,
    pub base_exponent: i32,
    pub buses: Vec<Bus>,
    pub branches: Vec<Branch>,
    pub generators: Vec<Generator>,
    /// HVDC links. Each formulation models or refuses those in service.
    pub links: Vec<Link>,
    pub storages: Vec<Storage>,
    /// Number of canonical rows, which precede the rows of lowered three-winding transformers in `buses` and
    /// `branches`.
    pub n_canonical_buses: usize,
    pub n_canonical_branches: usize,
    /// `None` if no bus has longitude and latitude.
    pub coords_kind: Option<CoordsKind>,
    /// Warnings of the parser, followed by those of the analysis rules.
    pub warnings: Vec<Warning>,
}

impl AnalysisNetwork {
    /// The base of the file, MVA.
    pub fn file_base_mva(&self) -> f64 {
        libm::ldexp(self.base_mva, -self.base_exponent)
    }

    /// Converts an impedance of these rows to per unit on the file's base.
    pub fn file_impedance(&self, pu: f64) -> f64 {
        libm::ldexp(pu, -self.base_exponent)
    }

    /// Converts an admittance of these rows to per unit on the file's base.
    pub fn file_admittance(&self, pu: f64) -> f64 {
        libm::ldexp(pu, self.base_exponent)
    }

    /// Power of shunt conductances at 1 pu by bus, per unit: those of buses in service and of the ends of branches in
    /// service. The DC model treats it as demand (MATPOWER manual, section 3.7).
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

    /// The links in service, with their rows.
    pub fn links_in_service(&self) -> impl Iterator<Item = (usize, &Link)> {
        self.links.iter().enumerate().filter(|(_, link)| link.in_service)
    }

    /// The storage units that take part, with their rows.
    pub fn storages_injecting(&self) -> impl Iterator<Item = (usize, &Storage)> {
        let rows = self.storages.iter().enumerate();
        rows.filter(|(_, storage)| storage.injects())
    }

    /// Whether every active canonical bus has a longitude and latitude.
    pub fn has_coords(&self) -> bool {
        let mut canonical = self.buses[..self.n_canonical_buses]
            .iter()
            .filter(|b| b.in_service)
            .peekable();
        canonical.peek().is_some() && canonical.all(|b| b.lon_lat.is_some())
    }
}
