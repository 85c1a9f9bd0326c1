//! What is connected to what: equipment behind open switches, demand without supply, and the reference.

use powerio::{BusId, BusType};

use super::Grid;
use crate::message;
use crate::message::amounts::mw;
use crate::union_find::components;

/// Outputs above this, MW, are those of equivalents and not of the largest generator.
const PLAUSIBLE: f64 = 5000.0;

fn row(id: BusId) -> usize {
    id.0 - 1
}

impl Grid {
    /// By bus: the first bus that closed switches join to it.
    fn joined(&self) -> Vec<usize> {
        let closed = self.switches.iter().filter(|switch| switch.in_service);
        components(
            self.buses.len(),
            closed.map(|switch| (row(switch.from), row(switch.to))),
        )
    }

    /// Sets out of service what has no connection: equipment that closed switches join to no busbar and to no branch, and demand in
    /// islands without a source.
    pub(super) fn supply(&mut self) {
        let joined = self.joined();
        let n = self.buses.len();
        let mut connected = vec![false; n];
        for (bus, is_busbar) in self.is_busbar.iter().enumerate() {
            connected[joined[bus]] |= *is_busbar;
        }
        for branch in self.branches.iter().filter(|branch| branch.in_service) {
            connected[joined[row(branch.from)]] = true;
            connected[joined[row(branch.to)]] = true;
        }
        let is_connected = |id: BusId| connected[joined[row(id)]];
        let (mut count, mut demand, mut generation) = (0usize, 0.0, 0.0);
        let loads = self
            .loads
            .iter_mut()
            .map(|load| (&mut load.in_service, load.bus, load.p, 0.0));
        let generators = self.generators.iter_mut();
        let generators = generators.map(|unit| (&mut unit.in_service, unit.bus, 0.0, unit.pg));
        let storages = self.storages.iter_mut();
        let storages = storages.map(|unit| (&mut unit.in_service, unit.bus, 0.0, unit.ps));
        let shunts = self
            .shunts
            .iter_mut()
            .map(|shunt| (&mut shunt.in_service, shunt.bus, 0.0, 0.0));
        for (in_service, bus, p, pg) in loads.chain(generators).chain(storages).chain(shunts) {
            if *in_service && !is_connected(bus) {
                *in_service = false;
                count += 1;
                demand += p;
                generation += pg;
            }
        }
        for link in self.links.iter_mut().filter(|link| link.in_service) {
            link.in_service = is_connected(link.from) && is_connected(link.to);
            count += usize::from(!link.in_service);
        }
        if count > 0 {
            let message = message!(
                "grid.behind_open",
                count = count,
                generation = mw(generation),
                demand = mw(demand)
            );
            self.warn("INPUT.LEFT_OUT", message);
        }
        self.shed();
    }

    /// Sets demand in islands without a source out of service.
    fn shed(&mut self) {
        let in_service = self
            .branches
            .iter()
            .chain(&self.switches)
            .filter(|branch| branch.in_service);
        let island = components(self.buses.len(), in_service.map(|b| (row(b.from), row(b.to))));
        let mut supplied = vec![false; self.buses.len()];
        let units = self.generators.iter().filter(|unit| unit.in_service);
        let sources = units
            .filter(|unit| unit.pmax > 0.0 || unit.pg != 0.0)
            .map(|unit| unit.bus);
        let links = self.links.iter().filter(|link| link.in_service);
        let storages = self.storages.iter().filter(|unit| unit.in_service).map(|unit| unit.bus);
        for bus in sources
            .chain(links.flat_map(|link| [link.from, link.to]))
            .chain(storages)
        {
            supplied[island[row(bus)]] = true;
        }
        let (mut count, mut demand) = (0usize, 0.0);
        for load in self
            .loads
            .iter_mut()
            .filter(|load| load.in_service && !supplied[island[row(load.bus)]])
        {
            load.in_service = false;
            count += 1;
            demand += load.p;
        }
        if count > 0 {
            let message = message!("grid.unsupplied", count = count, demand = mw(demand));
            self.warn("INPUT.LEFT_OUT", message);
        }
    }

    /// Sets the types of buses: those of voltage control, and the reference at the slack of the file or, if there is none with voltage
    /// control, at the largest generator.
    pub(super) fn kinds(&mut self, slack: Option<usize>) {
        let joined = self.joined();
        for unit in &mut self.generators {
            // A bus that closed switches join to the unit's own is no other node.
            unit.regulated_bus = unit
                .regulated_bus
                .filter(|bus| joined[row(*bus)] != joined[row(unit.bus)]);
        }
        let units: Vec<(usize, f64)> = self
            .generators
            .iter()
            .filter(|unit| unit.in_service && unit.voltage_regulation_on)
            .map(|unit| (row(unit.bus), unit.pmax))
            .collect();
        for (bus, _) in &units {
            self.buses[*bus].kind = BusType::Pv;
        }
        for link in self.links.iter().filter(|link| link.in_service) {
            let holds = link.extras.get(crate::assemble::links::HOLDS_VOLTAGE);
            for (end, bus) in [link.from, link.to].into_iter().enumerate() {
                let is_held = holds.and_then(|ends| ends.get(end)?.as_bool()).unwrap_or(false);
                if is_held {
                    self.buses[row(bus)].kind = BusType::Pv;
                }
            }
        }
        let at_slack = slack.and_then(|slack| units.iter().find(|(bus, _)| joined[*bus] == joined[slack]));
        let plausible = |(_, pmax): &&(usize, f64)| if *pmax <= PLAUSIBLE { *pmax } else { 0.0 };
        let largest = units.iter().rev().max_by(|a, b| plausible(a).total_cmp(&plausible(b)));
        if let Some(&(bus, _)) = at_slack.or(largest) {
            self.buses[bus].kind = BusType::Ref;
            if at_slack.is_none() {
                let name = self.buses[bus].name.clone().unwrap_or_default();
                self.warn("INPUT.HELD", message!("grid.reference", bus = name));
            }
        }
    }
}
