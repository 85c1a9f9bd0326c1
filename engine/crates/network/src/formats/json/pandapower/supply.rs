//! The supply of external grids and slack generators, and their output before a power flow.

use std::collections::HashMap;

use powerio::{BusId, BusType};

use super::Reading;
use crate::message;
use crate::message::amounts::mw;
use crate::union_find::components;

impl Reading<'_> {
    /// Island of each bus, over the branches in service between buses in service.
    fn islands(&self) -> (Vec<usize>, HashMap<BusId, usize>) {
        let rows: HashMap<_, _> = self.buses.iter().enumerate().map(|(row, bus)| (bus.id, row)).collect();
        let live = self.branches.iter().filter(|branch| branch.in_service);
        let ends = live.filter_map(|branch| Some((*rows.get(&branch.from)?, *rows.get(&branch.to)?)));
        let ends = ends.filter(|&(from, to)| self.is_live(from) && self.is_live(to));
        (components(self.buses.len(), ends), rows)
    }

    /// Takes buses without a reference out of service, as in `_check_connectivity`. Without any reference all of them
    /// remain.
    pub(super) fn isolate_unsupplied(&mut self) {
        let (island, rows) = self.islands();
        let mut supplied = vec![false; self.buses.len()];
        let references = (0..self.buses.len()).filter(|&bus| self.buses[bus].kind == BusType::Ref);
        references.for_each(|bus| supplied[island[bus]] = true);
        if !supplied.contains(&true) {
            return;
        }
        let dead = |bus: usize| self.is_live(bus) && !supplied[island[bus]];
        let dead: Vec<bool> = (0..self.buses.len()).map(dead).collect();
        let at = |bus: &BusId| rows.get(bus).is_some_and(|&row| dead[row]);
        let loads = self.loads.iter().filter(|load| load.in_service && at(&load.bus));
        let demand: f64 = loads.map(|load| load.p).sum();
        let units = self.generators.iter().filter(|unit| unit.in_service && at(&unit.bus));
        let generation: f64 = units.map(|unit| unit.pg).sum();
        let count = dead.iter().filter(|dead| **dead).count();
        for (bus, dead) in self.buses.iter_mut().zip(dead) {
            if dead {
                bus.kind = BusType::Isolated;
            }
        }
        let code = match (demand, generation) {
            (0.0, 0.0) => "INPUT.FIELD_IGNORED",
            _ => "INPUT.LEFT_OUT",
        };
        if count > 0 {
            let message = message!(
                "pandapower.unsupplied",
                count = count,
                demand = mw(demand),
                generation = mw(generation)
            );
            self.tell(code, message);
        }
    }

    /// Schedules external grids, which have no output in an unsolved network: they share the imbalance of their island
    /// without losses, so that the dispatch of the file balances.
    pub(super) fn schedule_references(&mut self) {
        let (island, rows) = self.islands();
        let of = |bus: &BusId| rows.get(bus).map(|&row| island[row]);
        let mut missing = vec![0.0; self.buses.len()];
        let mut count = |bus: &BusId, mw: f64| {
            if let Some(island) = of(bus) {
                missing[island] += mw;
            }
        };
        self.loads
            .iter()
            .filter(|load| load.in_service)
            .for_each(|load| count(&load.bus, load.p));
        self.shunts
            .iter()
            .filter(|shunt| shunt.in_service)
            .for_each(|shunt| count(&shunt.bus, shunt.g));
        self.generators
            .iter()
            .filter(|unit| unit.in_service)
            .for_each(|unit| count(&unit.bus, -unit.pg));
        let grids = self
            .units
            .iter()
            .filter(|((table, _), _)| *table == "ext_grid")
            .map(|(_, unit)| *unit);
        let grids: Vec<(usize, usize)> = grids
            .filter(|&unit| self.generators[unit].in_service)
            .filter_map(|unit| Some((unit, of(&self.generators[unit].bus)?)))
            .collect();
        let mut shares = vec![0.0; self.buses.len()];
        grids.iter().for_each(|&(_, island)| shares[island] += 1.0);
        for (unit, island) in grids {
            self.generators[unit].pg = missing[island] / shares[island];
        }
    }

    /// Sets the set-point of units without voltage control to that of the machine that controls their bus.
    pub(super) fn align_set_points(&mut self) {
        let holding = self
            .generators
            .iter()
            .filter(|unit| unit.in_service && unit.voltage_regulation_on);
        let held: HashMap<BusId, f64> = holding.map(|unit| (unit.bus, unit.vg)).collect();
        for unit in self.generators.iter_mut().filter(|unit| !unit.voltage_regulation_on) {
            if let Some(&set_point) = held.get(&unit.bus) {
                unit.vg = set_point;
            }
        }
    }
}
