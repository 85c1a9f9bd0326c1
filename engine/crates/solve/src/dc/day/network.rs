//! The network of a day: storage units as pairs of generators.

use crate::generator_columns::{add_columns, Unit, OPEN};
use wattbook_network::analysis::{AnalysisNetwork, Cost, EnergySource, Generator, Storage};

/// A storage unit of a day. Powers and energies are per unit, and per unit times hours.
#[derive(Clone, Debug, PartialEq)]
pub struct DayStorage {
    /// Dense row of the unit.
    pub row: usize,
    /// Dense rows of its generators in the network of the day: charging, with a negative output, and discharging.
    pub generators: [usize; 2],
    /// Stored energy before the first hour; `None` if the day ends with the energy that it begins with, which is free.
    pub start: Option<f64>,
    /// Least stored energy at the end of the day, where it begins with a given one.
    pub least_at_end: f64,
    /// What stored energy is worth at the end of the day, $/h per unit.
    pub value_at_end: f64,
    /// Limits of the stored energy; the upper one can be infinite.
    pub energy: [f64; 2],
    pub charge_efficiency: f64,
    pub discharge_efficiency: f64,
    /// Natural inflow by hour, of which any part can be spilled; empty without inflow.
    pub inflow: Vec<f64>,
}

impl DayStorage {
    pub(super) fn has_inflow(&self) -> bool {
        self.inflow.iter().any(|inflow| *inflow > 0.0)
    }

    /// Limits of the stored energy at the end of an hour.
    pub(super) fn limits(&self, is_last: bool) -> [f64; 2] {
        let [lo, hi] = self.energy;
        match self.start {
            Some(_) if is_last => [lo.max(self.least_at_end), hi],
            _ => [lo, hi],
        }
    }
}

/// The network with two generators for each storage unit in service, behind its own, and these units. Their constant losses are shunt
/// conductances, which the DC model withdraws at 1 pu. Charging and discharging cost nothing.
pub fn day_network(network: &AnalysisNetwork) -> (AnalysisNetwork, Vec<DayStorage>) {
    let mut with = network.clone();
    let mut units = Vec::new();
    for (row, storage) in network
        .storages
        .iter()
        .enumerate()
        .filter(|(_, storage)| storage.in_service)
    {
        with.storages[row].in_service = false;
        with.buses[storage.bus].gs_pu += storage.loss_pu;
        let first = with.generators.len();
        let active = (storage.rating_pu * storage.rating_pu - storage.q_pu * storage.q_pu)
            .max(0.0)
            .sqrt();
        let charging = storage.charge_max_pu.min(active - storage.loss_pu).max(0.0);
        let discharging = storage.discharge_max_pu.min(active + storage.loss_pu);
        with.generators.push(generator(storage, [-charging, 0.0]));
        with.generators.push(generator(storage, [0.0, discharging]));
        units.push(DayStorage {
            row,
            generators: [first, first + 1],
            start: storage.energy_pu,
            least_at_end: storage.energy_min_pu,
            value_at_end: 0.0,
            energy: [storage.energy_min_pu, storage.energy_max_pu],
            charge_efficiency: storage.charge_efficiency,
            discharge_efficiency: storage.discharge_efficiency,
            inflow: Vec::new(),
        });
    }
    (with, units)
}

/// Cost of each generator in service at zero output, which it does not have while it is not available, $/h.
pub fn fixed_costs(network: &AnalysisNetwork) -> Vec<f64> {
    let of = |(row, unit): (usize, &Generator)| {
        let limits = [unit.pmin_pu, unit.pmax_pu];
        let (bus, island) = (unit.bus, 0);
        let place = Unit {
            row,
            bus,
            island,
            limits,
        };
        match unit.in_service {
            true => add_columns(&mut Vec::new(), place, OPEN, &unit.cost),
            false => 0.0,
        }
    };
    network.generators.iter().enumerate().map(of).collect()
}

fn generator(storage: &Storage, [pmin_pu, pmax_pu]: [f64; 2]) -> Generator {
    Generator {
        id: storage.id,
        uid: storage.uid.clone(),
        bus: storage.bus,
        in_service: true,
        pg_pu: 0.0,
        qg_pu: 0.0,
        pmin_pu,
        pmax_pu,
        qmin_pu: 0.0,
        qmax_pu: 0.0,
        vset_pu: 1.0,
        regulates_voltage: false,
        regulated_bus: None,
        cost: Cost::Quadratic {
            c2: 0.0,
            c1: 0.0,
            c0: 0.0,
        },
        has_cost: true,
        energy_source: EnergySource::Other,
    }
}
