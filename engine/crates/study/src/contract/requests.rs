//! Requests: formulation, edits, options and sensitivities.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::{
    ColumnName, ElementKey, EnergySource, InterfaceEdit, InterfaceEdits, InterfaceValue, NetworkLimits,
    SecurityOptions, SoftLimits,
};

/// Demand deltas in MW from the base case, keyed by bus id or uid.
pub type DemandDeltas = BTreeMap<String, f64>;
/// Rating deltas in MW from the base case, keyed by branch row or uid.
pub type RatingDeltas = BTreeMap<String, f64>;
/// Edits of generators, keyed by generator row or uid.
pub type GeneratorEdits = BTreeMap<String, GeneratorEdit>;

/// Values of a generator that replace those of the case; absent values are unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GeneratorEdit {
    /// Lower limit of active power, MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_min: Option<f64>,
    /// Upper limit of active power, MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_max: Option<f64>,
    /// Marginal cost at zero output, $/MWh: it replaces the cost curve, and is constant over the output range without `c2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// Quadratic coefficient beside `cost`, $/MW²h, at least zero: the cost of an output `p` is `c2 p² + cost p`. Zero by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub c2: Option<f64>,
    /// Whether it is in service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    #[ts(optional)]
    pub status: Option<bool>,
}

/// Edits of branches, keyed by branch row or uid.
pub type BranchEdits = BTreeMap<String, BranchEdit>;

/// Values of a line or transformer in place of those of the case; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BranchEdit {
    /// Whether it is in service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    #[ts(optional)]
    pub status: Option<bool>,
    /// Thermal rating, MW in DC formulations, MVA in AC formulations. A change in `rates` counts from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub rating: Option<f64>,
    /// Series reactance, per unit on the base power of the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub x: Option<f64>,
    /// Off-nominal tap ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub tap: Option<f64>,
    /// Phase shift, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub shift: Option<f64>,
}

/// Edits of HVDC links, keyed by link row or uid.
pub type LinkEdits = BTreeMap<String, LinkEdit>;

/// Values of an HVDC link in place of those of the case; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LinkEdit {
    /// Whether it is in service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    #[ts(optional)]
    pub status: Option<bool>,
    /// Scheduled power at the from end, MW, positive into the link: the power that power flows hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p: Option<f64>,
    /// Lower limit of power, MW. A limit of at least zero holds for the power that the from end sends, a negative one for the power that
    /// the to end delivers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_min: Option<f64>,
    /// Upper limit of power, MW, at the same ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_max: Option<f64>,
    /// Constant loss, MW, at least zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub loss: Option<f64>,
    /// Loss as a fraction of the sent power, at least 0 and below 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub loss_factor: Option<f64>,
    /// Cost of the power at the from end, $/MWh, constant over its range: it replaces the cost curve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub cost: Option<f64>,
}

/// Edits of storage units, keyed by storage row or uid.
pub type StorageEdits = BTreeMap<String, StorageEdit>;

/// Values of a storage unit in place of those of the case; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StorageEdit {
    /// Whether it is in service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "bool"))]
    #[ts(optional)]
    pub status: Option<bool>,
    /// Power that it injects while it is held, MW, positive while it discharges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p: Option<f64>,
    /// Reactive power that it injects, MVAr.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub q: Option<f64>,
    /// Largest power of charging, MW, at least zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_charge_max: Option<f64>,
    /// Largest power of discharging, MW, at least zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_discharge_max: Option<f64>,
    /// Stored energy per charged energy, above 0 and at most 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub charge_efficiency: Option<f64>,
    /// Supplied energy per stored energy, above 0 and at most 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub discharge_efficiency: Option<f64>,
    /// Stored energy at the start of the hour, MWh; without it energy limits nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy: Option<f64>,
    /// Least stored energy, MWh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy_min: Option<f64>,
    /// Largest stored energy, MWh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy_max: Option<f64>,
    /// What stored energy is worth, $/MWh, at least zero. A unit without it is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy_value: Option<f64>,
}

impl StorageEdit {
    /// All its amounts.
    pub fn numbers(&self) -> impl Iterator<Item = &f64> {
        let power = [&self.p, &self.q, &self.p_charge_max, &self.p_discharge_max];
        let energy = [&self.energy, &self.energy_min, &self.energy_max, &self.energy_value];
        let shares = [&self.charge_efficiency, &self.discharge_efficiency];
        power.into_iter().chain(energy).chain(shares).flatten()
    }
}

/// Elements that a Study adds to its case. Their ids follow those of the case, in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddedElements {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<AddedBranch>>")]
    pub branches: Vec<AddedBranch>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<AddedGenerator>>")]
    pub generators: Vec<AddedGenerator>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<AddedLink>>")]
    pub links: Vec<AddedLink>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<AddedStorage>>")]
    pub storage: Vec<AddedStorage>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<AddedLoad>>")]
    pub loads: Vec<AddedLoad>,
}

impl AddedElements {
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
            && self.generators.is_empty()
            && self.links.is_empty()
            && self.storage.is_empty()
            && self.loads.is_empty()
    }

    /// All their amounts.
    pub fn numbers(&self) -> impl Iterator<Item = &f64> {
        let branches = self.branches.iter().flat_map(|branch| {
            let impedance = [&branch.r, &branch.x, &branch.b];
            let ratio = [
                &branch.rating,
                &branch.tap,
                &branch.shift,
                &branch.angle_min,
                &branch.angle_max,
            ];
            impedance.into_iter().chain(ratio).flatten()
        });
        let generators = self.generators.iter().flat_map(|unit| {
            let further = [&unit.p_min, &unit.q_min, &unit.q_max, &unit.p, &unit.q];
            [&unit.p_max, &unit.cost]
                .into_iter()
                .chain(further.into_iter().flatten())
        });
        let loads = self.loads.iter().flat_map(|load| [&load.p].into_iter().chain(&load.q));
        let links = self.links.iter().flat_map(|link| {
            let further = [&link.p_min, &link.p, &link.loss, &link.loss_factor, &link.cost];
            [&link.p_max].into_iter().chain(further.into_iter().flatten())
        });
        let storage = self.storage.iter().flat_map(|storage| {
            let power = [&storage.p, &storage.q, &storage.p_charge_max, &storage.p_discharge_max];
            let energy = [
                &storage.energy,
                &storage.energy_min,
                &storage.energy_max,
                &storage.energy_value,
            ];
            let shares = [&storage.charge_efficiency, &storage.discharge_efficiency];
            power.into_iter().chain(energy).chain(shares).flatten()
        });
        branches.chain(generators).chain(links).chain(storage).chain(loads)
    }
}

/// A line or transformer between two buses of the case: either a copy of one of its branches, in service, with the values given here in
/// place of its own, or one with these values alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddedBranch {
    /// Its name and key: not digits alone, and not the key of another element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[ts(optional)]
    pub name: Option<String>,
    /// The branch of the case that it is a parallel circuit of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "ElementKey"))]
    #[ts(optional)]
    pub copy_of: Option<ElementKey>,
    /// Buses at its ends; absent for a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "ElementKey"))]
    #[ts(optional)]
    pub from: Option<ElementKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "ElementKey"))]
    #[ts(optional)]
    pub to: Option<ElementKey>,
    /// Series resistance, reactance and total charging susceptance, per unit on the base power of the case; zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub r: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub x: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub b: Option<f64>,
    /// Thermal rating, MW in DC formulations, MVA in AC formulations; no limit by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub rating: Option<f64>,
    /// Off-nominal tap ratio, 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub tap: Option<f64>,
    /// Phase shift, degrees, 0 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub shift: Option<f64>,
    /// Limits of the angle difference, degrees between -90 and 90, both or neither; no limit by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub angle_min: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub angle_max: Option<f64>,
}

/// A generator at a bus of the case. In AC power flow it injects its scheduled power and controls no voltage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddedGenerator {
    /// Its key: not digits alone, and not the key of another element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[ts(optional)]
    pub name: Option<String>,
    pub bus: ElementKey,
    /// Limits of active power, MW; the lower one is zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_min: Option<f64>,
    pub p_max: f64,
    /// Marginal cost, $/MWh, constant over the output range.
    pub cost: f64,
    /// Scheduled active power, MW: of power flows. The output closest to zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p: Option<f64>,
    /// Limits of reactive power, MVAr, zero by default, and the scheduled one, the closest to zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub q_min: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub q_max: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub q: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "EnergySource"))]
    #[ts(optional)]
    pub energy_source: Option<EnergySource>,
}

/// An HVDC link between two buses of the case. In AC power flow its converters exchange no reactive power and control no voltage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddedLink {
    /// Its key: not digits alone, and not the key of another element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[ts(optional)]
    pub name: Option<String>,
    /// The bus that takes power from the network while the power is positive, and the other one.
    pub from: ElementKey,
    pub to: ElementKey,
    /// Limits of power, MW; the lower one is zero by default. A limit of at least zero holds for the power that the from end sends, a
    /// negative one for the power that the to end delivers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_min: Option<f64>,
    pub p_max: f64,
    /// Scheduled power at the from end, MW: of power flows. The power closest to zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p: Option<f64>,
    /// Constant loss, MW, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub loss: Option<f64>,
    /// Loss as a fraction of the sent power, at least 0 and below 1, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub loss_factor: Option<f64>,
    /// Cost of the power at the from end, $/MWh, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub cost: Option<f64>,
}

/// A storage unit at a bus of the case. It is held at its power, or dispatched by its energy value where storage is valued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddedStorage {
    /// Its key: not digits alone, and not the key of another element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[ts(optional)]
    pub name: Option<String>,
    pub bus: ElementKey,
    /// Power that it injects while it is held, MW, positive while it discharges, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p: Option<f64>,
    /// Reactive power that it injects, MVAr, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub q: Option<f64>,
    /// Largest power of charging, MW, at least zero, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_charge_max: Option<f64>,
    /// Largest power of discharging, MW, at least zero, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub p_discharge_max: Option<f64>,
    /// Stored energy per charged energy, above 0 and at most 1, 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub charge_efficiency: Option<f64>,
    /// Supplied energy per stored energy, above 0 and at most 1, 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub discharge_efficiency: Option<f64>,
    /// Stored energy at the start of the hour, MWh; without it energy limits nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy: Option<f64>,
    /// Least stored energy, MWh, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy_min: Option<f64>,
    /// Largest stored energy, MWh, unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy_max: Option<f64>,
    /// What stored energy is worth, $/MWh, at least zero. A unit without it is held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub energy_value: Option<f64>,
}

/// A load of constant power at a bus of the case; it adds to the demand of the bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddedLoad {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    #[ts(optional)]
    pub name: Option<String>,
    pub bus: ElementKey,
    /// Active demand, MW, at least zero.
    pub p: f64,
    /// Reactive demand, MVAr, zero by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub q: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FormulationId {
    Dcpf,
    Dcopf,
    Acpf,
    Socwr,
}

impl FormulationId {
    /// The id as spelled in requests.
    pub fn id(self) -> &'static str {
        match self {
            Self::Dcpf => "dcpf",
            Self::Dcopf => "dcopf",
            Self::Acpf => "acpf",
            Self::Socwr => "socwr",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SolveStatus {
    Optimal,
    Feasible,
}

/// How a branch susceptance is formed: `service` b = x/(r^2+x^2) with shifts and shunt conductance; `powermodels` the
/// same without shifts; `matpower` b = 1/(x tau) with shifts and shunt conductance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DcConvention {
    #[default]
    Service,
    Powermodels,
    Matpower,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SolveOptions {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dc_convention: Option<DcConvention>,
    /// AC power flow: the schedule of active power, by default the file's. The DC OPF uses the demand and ratings of
    /// the base case, and generators as edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub dispatch: Option<DispatchSource>,
    /// AC power flow: the generators that balance the schedule. By default the references for the file's schedule, all
    /// generators for the DC OPF's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub slack: Option<SlackRule>,
    /// AC power flow: enforce the reactive limits of the generators that hold a voltage. Off by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub q_limits: Option<bool>,
    /// AC power flow: one set-point for all generators, per unit, clipped to the upper voltage limit of each bus. By
    /// default the file's set-points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub set_point_pu: Option<f64>,
    /// Whether branches without a rating in the source use the rating that the reader assumes, which follows from the
    /// angle-difference limit and the voltage limits. On by default; otherwise only those limits restrict their flow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub assumed_ratings: Option<bool>,
    /// Conic relaxation: tighten it with lifted nonlinear cuts. On by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lifted_cuts: Option<bool>,
    /// Whether storage units are held at their power, which is the default, or those with an energy value are dispatched by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub storage: Option<StorageOption>,
    /// DC OPF: limits after outages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub security: Option<SecurityOptions>,
    /// DC OPF: limits in addition to those of the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limits: Option<NetworkLimits>,
    /// DC OPF: limits that may be exceeded at a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub soft: Option<SoftLimits>,
}

/// How storage is dispatched in one hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum StorageOption {
    Held,
    Valued,
}

/// The source of the schedule of active power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DispatchSource {
    File,
    Dcopf,
}

/// The generators that balance a schedule: each reference for itself, or all generators of an island in proportion to
/// their capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SlackRule {
    Single,
    Distributed,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Edits {
    #[serde(default)]
    #[ts(optional, type = "DemandDeltas")]
    pub deltas: DemandDeltas,
    /// Independent edits of reactive demand, MVAr from the base case by bus; other buses have a constant power factor.
    /// Refused where the formulation has no reactive power.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    #[ts(optional, type = "DemandDeltas")]
    pub reactive: DemandDeltas,
    #[serde(default)]
    #[ts(optional, type = "RatingDeltas")]
    pub rates: RatingDeltas,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, GeneratorEdit>>")]
    pub generators: GeneratorEdits,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, BranchEdit>>")]
    pub branches: BranchEdits,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, LinkEdit>>")]
    pub links: LinkEdits,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, StorageEdit>>")]
    pub storage: StorageEdits,
    /// Formulations without the option `limits` do not read them.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, InterfaceEdit>>")]
    pub interfaces: InterfaceEdits,
    /// Elements that the case does not have. The other edits may be of them too.
    #[serde(default, skip_serializing_if = "AddedElements::is_empty")]
    #[ts(optional, as = "Option<AddedElements>")]
    pub added: AddedElements,
}

/// Request of the stateless solve; `{}` is the base DC OPF.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub formulation: Option<FormulationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub edits: Option<Edits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sensitivities: Option<Vec<SensRequest>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub options: Option<SolveOptions>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Power {
    Active,
    Reactive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FlowEnd {
    From,
    To,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum VoltageKind {
    Magnitude,
    Angle,
    Squared,
    ProductReal,
    ProductImag,
}

/// The operand of a sensitivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Operand {
    Price(Power),
    Dispatch(Power),
    Flow { power: Power, end: FlowEnd },
    Voltage(VoltageKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum CostTerm {
    Quadratic,
    Linear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AdmittancePart {
    Conductance,
    Susceptance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Bound {
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TransformerPart {
    Ratio,
    PhaseShift,
}

/// The parameter of a sensitivity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Parameter {
    Demand(Power),
    Cost(CostTerm),
    LineLimit,
    /// Series admittance `g + jb = 1 / (r + jx)`: the susceptance of an inductive line is negative. In the DC
    /// formulations `-b` is the coefficient of the angle difference.
    SeriesAdmittance(AdmittancePart),
    ShuntAdmittance(AdmittancePart),
    VoltageBound(Bound),
    GenBound {
        power: Power,
        bound: Bound,
    },
    Transformer(TransformerPart),
    Switching,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Mode {
    Forward,
    Adjoint,
    #[default]
    Auto,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensRequest {
    pub operand: Operand,
    pub parameter: Parameter,
    /// Dense 0-based columns; absent or null for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    pub indices: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<Mode>,
}

/// A value of a generator or an HVDC link that prices can be differentiated by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GeneratorValue {
    /// Lower limit of active power, MW.
    PMin,
    /// Upper limit of active power, MW.
    #[default]
    PMax,
    /// Marginal cost, $/MWh: a shift of the whole cost curve. That of a link is per MW at its from end.
    Cost,
}

/// A value of a branch that prices can be differentiated by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BranchValue {
    /// Thermal rating, MW in DC formulations, MVA in AC formulations.
    #[default]
    Rating,
    /// Phase shift, degrees.
    Shift,
}

/// Sensitivity target: `{bus}` for dLMP/d(demand), `{branch, value}` for dLMP/d(rating or phase shift), `{generator,
/// value}` and `{link, value}` for dLMP/d(limit or cost); `value` is by default the rating or the upper limit. An element is an id
/// (number) or a key string.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "it must name one bus, branch, generator, link or interface"
)]
pub enum SensTarget {
    Bus {
        bus: ElementKey,
    },
    Branch {
        branch: ElementKey,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        value: Option<BranchValue>,
    },
    Generator {
        generator: ElementKey,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        value: Option<GeneratorValue>,
    },
    Link {
        link: ElementKey,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        value: Option<GeneratorValue>,
    },
    /// An interface of the option `limits`, by its name.
    Interface {
        interface: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        value: Option<InterfaceValue>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProblemCaps {
    pub formulation: FormulationId,
    pub available: bool,
    /// Blocks of the response: `objective`, `prices`, `va`, `flows`, `dispatch`.
    pub blocks: Vec<String>,
    /// Columns of its results, in their order.
    pub columns: Vec<ColumnName>,
    /// Names of the solve options that it reads; other options are refused.
    pub options: Vec<String>,
    pub operands: Vec<Operand>,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Capabilities {
    pub formulations: Vec<ProblemCaps>,
    pub operands: Vec<Operand>,
    pub parameters: Vec<Parameter>,
}
