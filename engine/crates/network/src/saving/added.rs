//! Elements that edits add to a network: in the rows that solvers use, and in the module of a case.

use powerio::network::GeneratorEnergySource;
use powerio::{
    BalancedNetwork, Branch as ModuleBranch, BusId, GenCost, Generator as ModuleGenerator, Hvdc, Load,
    Storage as ModuleStorage,
};

use crate::analysis::{AnalysisNetwork, Branch, Cost, EnergySource, Generator, Link, Storage, StorageModel};
use crate::assemble::branches::{NO_ANGLE_LIMITS, UNRATED};
use crate::assemble::generators::add_energy_source;
use crate::assemble::{links, storages};
use crate::saving::branch_values::{change_branch, BranchValues};
use crate::saving::link_values::{change_link, LinkValues};
use crate::saving::storage_values::{change_storage, StorageValues};

/// Added elements in the order of their ids, which follow those of the case. Buses and branches by dense row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AddedElements {
    pub branches: Vec<AddedBranch>,
    pub generators: Vec<AddedGenerator>,
    pub links: Vec<AddedLink>,
    pub storages: Vec<AddedStorage>,
    pub loads: Vec<AddedLoad>,
}

/// A branch: a copy of one of the case with other values, or one with these values alone.
#[derive(Clone, Debug, PartialEq)]
pub struct AddedBranch {
    pub name: Option<String>,
    /// Row of the branch of the case that it is a copy of.
    pub copy_of: Option<usize>,
    pub from: usize,
    pub to: usize,
    /// Series impedance and total charging susceptance, per unit on the base of the file. Without a copy an absent value is zero.
    pub r_pu: Option<f64>,
    pub x_pu: Option<f64>,
    pub b_pu: Option<f64>,
    /// MVA. Without it and without a copy there is no limit.
    pub rating_mw: Option<f64>,
    pub tap: Option<f64>,
    pub shift_deg: Option<f64>,
    /// Angle-difference limits. Without them and without a copy there are none.
    pub angle_deg: Option<[f64; 2]>,
}

/// A generator with a constant marginal cost. In AC power flow it injects its scheduled power.
#[derive(Clone, Debug, PartialEq)]
pub struct AddedGenerator {
    pub name: Option<String>,
    pub bus: usize,
    /// Limits, MW, the lower one zero where it is absent, and the scheduled active power, otherwise the one closest to zero.
    pub pmin_mw: Option<f64>,
    pub pmax_mw: f64,
    pub p_mw: Option<f64>,
    /// $/MWh.
    pub cost: f64,
    /// The same of reactive power, MVAr; both limits are zero where they are absent.
    pub qmin_mvar: Option<f64>,
    pub qmax_mvar: Option<f64>,
    pub q_mvar: Option<f64>,
    pub energy_source: Option<EnergySource>,
}

/// An HVDC link whose cost is proportional to its power. Its converters exchange no reactive power.
#[derive(Clone, Debug, PartialEq)]
pub struct AddedLink {
    pub name: Option<String>,
    pub from: usize,
    pub to: usize,
    /// Limits, MW, the lower one zero where it is absent, and the scheduled power, otherwise the one closest to zero.
    pub pmin_mw: Option<f64>,
    pub pmax_mw: f64,
    pub p_mw: Option<f64>,
    /// Constant loss, MW, loss as a fraction of the sent power, and cost, $/MWh: zero where they are absent.
    pub loss_mw: Option<f64>,
    pub loss_factor: Option<f64>,
    pub cost: Option<f64>,
}

/// A storage unit. What is absent: powers and the least energy are zero, efficiencies one, and energy limits nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct AddedStorage {
    pub name: Option<String>,
    pub bus: usize,
    /// Its status is not used.
    pub values: StorageValues,
}

/// A load of constant power, MW and MVAr.
#[derive(Clone, Debug, PartialEq)]
pub struct AddedLoad {
    pub name: Option<String>,
    pub bus: usize,
    pub p_mw: f64,
    pub q_mvar: Option<f64>,
}

impl AddedElements {
    pub fn is_empty(&self) -> bool {
        self.branches.is_empty()
            && self.generators.is_empty()
            && self.links.is_empty()
            && self.storages.is_empty()
            && self.loads.is_empty()
    }

    /// Appends the rows of the module that [`AnalysisNetwork::add`] appends to the network of the case, `base`.
    pub(crate) fn append(&self, net: &mut BalancedNetwork, base: &AnalysisNetwork) {
        let number = |row: usize| BusId(base.buses[row].id as usize);
        for added in &self.branches {
            let row = added.row(net, base);
            net.branches_mut().push(row);
        }
        for added in &self.generators {
            let bus = number(added.bus);
            let source = added.energy_source.unwrap_or_default();
            add_energy_source(net, bus, source);
            let mut unit = ModuleGenerator::new(bus);
            unit.energy_source = module_source(source);
            [unit.pg, unit.qg] = added.scheduled();
            [unit.pmin, unit.pmax, unit.qmin, unit.qmax] = added.limits();
            unit.voltage_regulation_on = false;
            unit.cost = Some(GenCost::new(2, 0.0, 0.0, vec![added.cost, 0.0]));
            unit.uid = added.name.clone();
            net.generators_mut().push(unit);
        }
        for added in &self.links {
            let mut link = Hvdc::new(number(added.from), number(added.to));
            link.extras.insert(links::ADDED.into(), true.into());
            [link.vf, link.vt] = added.vset_pu(base);
            link.uid = added.name.clone();
            change_link(&mut link, &added.values());
            net.hvdc_mut().push(link);
        }
        let sign = storages::sign(net.source_format());
        for added in &self.storages {
            let mut storage = ModuleStorage::new(number(added.bus));
            storage.uid = added.name.clone();
            storage.energy_rating = f64::INFINITY;
            storage.extras.insert(storages::ENERGY_UNKNOWN.into(), true.into());
            change_storage(&mut storage, &added.values, sign);
            net.storage_mut().push(storage);
        }
        for added in &self.loads {
            let mut load = Load::new(number(added.bus), added.p_mw, added.q_mvar.unwrap_or(0.0));
            load.uid = added.name.clone();
            net.loads_mut().push(load);
        }
        net.assign_missing_component_ids();
    }
}

impl AddedBranch {
    fn row(&self, net: &BalancedNetwork, base: &AnalysisNetwork) -> ModuleBranch {
        let number = |row: usize| BusId(base.buses[row].id as usize);
        let mut row = match self.copy_of {
            Some(copied) => net.branches()[copied].clone(),
            None => {
                let mut row = ModuleBranch::new(number(self.from), number(self.to), 0.0, 0.0);
                for mark in [UNRATED, NO_ANGLE_LIMITS] {
                    row.extras.insert(mark.into(), true.into());
                }
                row
            }
        };
        (row.uid, row.name, row.solution) = (self.name.clone(), self.name.clone(), None);
        row.in_service = true;
        row.r = self.r_pu.unwrap_or(row.r);
        if let Some(b) = self.b_pu {
            (row.b, row.charging) = (b, None);
        }
        if let Some([lower, upper]) = self.angle_deg {
            (row.angmin, row.angmax) = (lower, upper);
            row.extras.remove(NO_ANGLE_LIMITS);
        }
        change_branch(&mut row, &self.values());
        row
    }

    fn values(&self) -> BranchValues {
        BranchValues {
            in_service: None,
            rating_mw: self.rating_mw,
            x_pu: self.x_pu,
            tap: self.tap,
            shift_deg: self.shift_deg,
        }
    }
}

impl AddedGenerator {
    /// Limits of active and reactive power, MW and MVAr.
    pub fn limits(&self) -> [f64; 4] {
        let or_zero = |limit: Option<f64>| limit.unwrap_or(0.0);
        [
            or_zero(self.pmin_mw),
            self.pmax_mw,
            or_zero(self.qmin_mvar),
            or_zero(self.qmax_mvar),
        ]
    }

    /// Scheduled active and reactive power, MW and MVAr.
    fn scheduled(&self) -> [f64; 2] {
        let [pmin, pmax, qmin, qmax] = self.limits();
        [
            self.p_mw.unwrap_or(0.0_f64.max(pmin).min(pmax)),
            self.q_mvar.unwrap_or(0.0_f64.max(qmin).min(qmax)),
        ]
    }
}

impl AddedLink {
    /// Lower and upper limit, MW.
    pub fn limits(&self) -> [f64; 2] {
        [self.pmin_mw.unwrap_or(0.0), self.pmax_mw]
    }

    /// Voltages of its buses in the file. No formulation holds them: they are for the formats in which converters control voltages.
    fn vset_pu(&self, network: &AnalysisNetwork) -> [f64; 2] {
        [self.from, self.to].map(|bus| match network.buses[bus].vm_pu {
            vm if vm.is_finite() && vm > 0.0 => vm,
            _ => 1.0,
        })
    }

    fn values(&self) -> LinkValues {
        let [lower, upper] = self.limits();
        LinkValues {
            in_service: Some(true),
            p_mw: Some(self.p_mw.unwrap_or(0.0_f64.max(lower).min(upper))),
            pmin_mw: Some(lower),
            pmax_mw: Some(upper),
            loss_mw: Some(self.loss_mw.unwrap_or(0.0)),
            loss_factor: Some(self.loss_factor.unwrap_or(0.0)),
            cost: Some(self.cost.unwrap_or(0.0)),
        }
    }
}

impl AnalysisNetwork {
    /// Appends elements, so that the network is the one that is read from [`crate::materialize_module`] with the same elements, up to
    /// the position of branches behind the rows of three-winding transformers.
    pub fn add(&mut self, added: &AddedElements) {
        let has_canonical_branches_alone = self.n_canonical_branches == self.branches.len();
        for branch in &added.branches {
            self.add_branch(branch);
        }
        if has_canonical_branches_alone {
            self.n_canonical_branches = self.branches.len();
        }
        let base = self.base_mva;
        for unit in &added.generators {
            let [pmin, pmax, qmin, qmax] = unit.limits();
            self.generators.push(Generator {
                id: self.generators.len() as u64 + 1,
                uid: unit.name.clone(),
                bus: unit.bus,
                in_service: self.buses[unit.bus].in_service,
                pg_pu: unit.scheduled()[0] / base,
                qg_pu: unit.scheduled()[1] / base,
                pmin_pu: pmin / base,
                pmax_pu: pmax / base,
                qmin_pu: qmin / base,
                qmax_pu: qmax / base,
                vset_pu: 1.0,
                regulates_voltage: false,
                regulated_bus: None,
                cost: Cost::Quadratic {
                    c2: 0.0,
                    c1: unit.cost * base,
                    c0: 0.0,
                },
                has_cost: true,
                energy_source: unit.energy_source.unwrap_or_default(),
            });
        }
        for link in &added.links {
            self.add_link(link);
        }
        for storage in &added.storages {
            self.storages.push(self.storage_of(storage));
        }
        for load in &added.loads {
            let bus = &mut self.buses[load.bus];
            bus.demand_pu += load.p_mw / base;
            bus.demand_q_pu += load.q_mvar.unwrap_or(0.0) / base;
        }
    }

    fn add_link(&mut self, added: &AddedLink) {
        let row = self.links.len();
        self.links.push(Link {
            id: row as u64 + 1,
            uid: added.name.clone(),
            name: None,
            from: added.from,
            to: added.to,
            in_service: true,
            pf_pu: 0.0,
            pmin_pu: 0.0,
            pmax_pu: 0.0,
            loss0_pu: 0.0,
            loss1: 0.0,
            cost: links::FREE,
            q_pu: [0.0; 2],
            qmin_pu: [0.0; 2],
            qmax_pu: [0.0; 2],
            vset_pu: added.vset_pu(self),
            regulates_voltage: [false; 2],
        });
        self.set_link(row, &added.values());
    }

    /// The row of an added storage unit behind those of the network.
    pub fn storage_of(&self, added: &AddedStorage) -> Storage {
        let mut storage = Storage {
            id: self.storages.len() as u64 + 1,
            uid: added.name.clone(),
            bus: added.bus,
            in_service: true,
            p_pu: 0.0,
            q_pu: 0.0,
            charge_max_pu: 0.0,
            discharge_max_pu: 0.0,
            rating_pu: f64::INFINITY,
            charge_efficiency: 1.0,
            discharge_efficiency: 1.0,
            loss_pu: 0.0,
            energy_pu: None,
            energy_min_pu: 0.0,
            energy_max_pu: f64::INFINITY,
            energy_value: None,
            model: StorageModel::Held,
        };
        storage.set(&added.values, self.base_mva);
        storage
    }

    fn add_branch(&mut self, added: &AddedBranch) {
        let row = self.branches.len();
        let model = match added.copy_of {
            Some(copied) => self.branches[copied].clone(),
            None => Branch {
                id: 0,
                uid: None,
                name: None,
                is_switch: false,
                from: added.from,
                to: added.to,
                r_pu: 0.0,
                x_pu: 0.0,
                shunt_from_pu: [0.0; 2],
                shunt_to_pu: [0.0; 2],
                tap: 1.0,
                shift_rad: 0.0,
                in_service: true,
                editable: true,
                angle_min_rad: f64::NEG_INFINITY,
                angle_max_rad: f64::INFINITY,
                angle_limits_about_shift: false,
                angle_limits_assumed: false,
                rating_pu: f64::INFINITY,
                rating_is_fallback: true,
                emergency_ratings_pu: [None; 2],
                route: None,
            },
        };
        let mut branch = Branch {
            id: row as u64 + 1,
            uid: added.name.clone(),
            name: added.name.clone(),
            in_service: true,
            ..model
        };
        if let Some(r) = added.r_pu {
            branch.r_pu = libm::ldexp(r, self.base_exponent);
        }
        if let Some(b) = added.b_pu {
            let half = libm::ldexp(b / 2.0, -self.base_exponent);
            (branch.shunt_from_pu, branch.shunt_to_pu) = ([0.0, half], [0.0, half]);
        }
        if let Some([lower, upper]) = added.angle_deg {
            [branch.angle_min_rad, branch.angle_max_rad] = [lower.to_radians(), upper.to_radians()];
            (branch.angle_limits_about_shift, branch.angle_limits_assumed) = (false, false);
        }
        let x_pu = added
            .x_pu
            .or_else(|| added.r_pu.map(|_| self.file_impedance(branch.x_pu)));
        self.branches.push(branch);
        let values = BranchValues {
            in_service: Some(true),
            x_pu,
            ..added.values()
        };
        self.set_branch(row, &values);
    }
}

fn module_source(source: EnergySource) -> GeneratorEnergySource {
    match source {
        EnergySource::Hydro => GeneratorEnergySource::Hydro,
        EnergySource::Nuclear => GeneratorEnergySource::Nuclear,
        EnergySource::Wind => GeneratorEnergySource::Wind,
        EnergySource::Solar => GeneratorEnergySource::Solar,
        EnergySource::Thermal | EnergySource::Coal | EnergySource::Gas => GeneratorEnergySource::Thermal,
        EnergySource::Other => GeneratorEnergySource::Other,
    }
}
