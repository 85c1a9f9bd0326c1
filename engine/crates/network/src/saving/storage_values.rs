//! Values of storage units that replace those of the case: in the network that solvers use, and in the rows of a module.

use powerio::Storage as ModuleStorage;

use crate::analysis::{AnalysisNetwork, Storage};
use crate::assemble::storages::{ENERGY_MIN, ENERGY_UNKNOWN, ENERGY_VALUE};

/// Values of a storage unit that replace those of the case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StorageValues {
    pub in_service: Option<bool>,
    /// Power that it injects where it is held, MW and MVAr, positive while it discharges.
    pub p_mw: Option<f64>,
    pub q_mvar: Option<f64>,
    /// Largest power while it charges and while it discharges, MW.
    pub charge_max_mw: Option<f64>,
    pub discharge_max_mw: Option<f64>,
    /// Stored per charged energy and supplied per stored energy, in (0, 1].
    pub charge_efficiency: Option<f64>,
    pub discharge_efficiency: Option<f64>,
    /// Stored energy and its limits, MWh.
    pub energy_mwh: Option<f64>,
    pub energy_min_mwh: Option<f64>,
    pub energy_max_mwh: Option<f64>,
    /// What stored energy is worth, $/MWh.
    pub energy_value: Option<f64>,
}

impl AnalysisNetwork {
    /// Sets values of a storage unit (dense row), so that the network is the one that is read from [`crate::materialize_module`] with the
    /// same values.
    pub fn set_storage(&mut self, row: usize, values: &StorageValues) {
        let storage = &mut self.storages[row];
        storage.set(values, self.base_mva);
        storage.in_service &= self.buses[storage.bus].in_service;
    }
}

impl Storage {
    /// Sets values; `base` in MVA.
    pub fn set(&mut self, values: &StorageValues, base: f64) {
        let set = |own: &mut f64, value: Option<f64>| *own = value.map_or(*own, |value| value / base + 0.0);
        set(&mut self.p_pu, values.p_mw);
        set(&mut self.q_pu, values.q_mvar);
        set(&mut self.charge_max_pu, values.charge_max_mw);
        set(&mut self.discharge_max_pu, values.discharge_max_mw);
        set(&mut self.energy_min_pu, values.energy_min_mwh);
        set(&mut self.energy_max_pu, values.energy_max_mwh);
        self.in_service = values.in_service.unwrap_or(self.in_service);
        self.charge_efficiency = values.charge_efficiency.unwrap_or(self.charge_efficiency);
        self.discharge_efficiency = values.discharge_efficiency.unwrap_or(self.discharge_efficiency);
        self.energy_pu = values.energy_mwh.map(|mwh| mwh / base).or(self.energy_pu);
        self.energy_value = values.energy_value.or(self.energy_value);
    }
}

/// Sets values in the row of a storage unit; `sign` is that of [`crate::assemble::storages::sign`].
pub(super) fn change_storage(storage: &mut ModuleStorage, values: &StorageValues, sign: f64) {
    let signed = |value: f64| sign * value + 0.0;
    storage.in_service = values.in_service.unwrap_or(storage.in_service);
    storage.ps = values.p_mw.map_or(storage.ps, signed);
    storage.qs = values.q_mvar.map_or(storage.qs, signed);
    storage.charge_rating = values.charge_max_mw.unwrap_or(storage.charge_rating);
    storage.discharge_rating = values.discharge_max_mw.unwrap_or(storage.discharge_rating);
    storage.charge_efficiency = values.charge_efficiency.unwrap_or(storage.charge_efficiency);
    storage.discharge_efficiency = values.discharge_efficiency.unwrap_or(storage.discharge_efficiency);
    storage.energy_rating = values.energy_max_mwh.unwrap_or(storage.energy_rating);
    if let Some(energy) = values.energy_mwh {
        storage.energy = energy;
        storage.extras.remove(ENERGY_UNKNOWN);
    }
    for (name, value) in [(ENERGY_MIN, values.energy_min_mwh), (ENERGY_VALUE, values.energy_value)] {
        if let Some(value) = value {
            storage.extras.insert(name.into(), value.into());
        }
    }
}
