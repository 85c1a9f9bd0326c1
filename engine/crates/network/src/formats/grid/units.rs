//! Generators, static var compensators, batteries and HVDC links.

use powerio::network::GeneratorEnergySource;
use powerio::{Generator, Hvdc, Storage};
use serde_json::json;

use super::{Grid, Named, Terminal};
use crate::assemble::links::HOLDS_VOLTAGE;
use crate::assemble::storages::ENERGY_UNKNOWN;

/// A generator, or a device that supplies reactive power like one: MW, MVAr.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct Unit {
    pub p: [f64; 3],
    pub q: [f64; 3],
    pub regulates: bool,
    pub source: GeneratorEnergySource,
    pub fuel: Option<&'static str>,
}

/// One converter of an HVDC line.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct HvdcEnd {
    pub terminal: Terminal,
    /// Share of its power that a converter loses.
    pub loss: f64,
    /// Reactive injection, MVAr, and its limits.
    pub q: [f64; 3],
    /// Set-point of a converter that holds the voltage of its bus, pu.
    pub holds_pu: Option<f64>,
}

/// An HVDC line whose first end is the rectifier.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct HvdcLine {
    pub r_ohm: f64,
    pub kv: f64,
    /// MW that the rectifier takes, and the largest.
    pub p: f64,
    pub pmax: f64,
}

/// Numbers of this size and above mean that there is no limit.
const UNLIMITED: f64 = 1e30;

impl HvdcLine {
    /// Power that the inverter delivers for a power that the rectifier takes, MW.
    pub fn delivered(&self, p: f64, losses: [f64; 2]) -> f64 {
        let dc = p * (1.0 - losses[0]);
        (dc - self.r_ohm * (dc / self.kv) * (dc / self.kv)) * (1.0 - losses[1])
    }
}

impl Grid {
    /// Adds a unit with `p` and `q` as value, least and largest; returns its row.
    pub fn unit(&mut self, at: Terminal, named: Named<'_>, unit: &Unit) -> usize {
        let mut row = Generator::new(self.id(at.bus));
        [row.pg, row.pmin, row.pmax] = unit.p.map(bounded);
        [row.qg, row.qmin, row.qmax] = unit.q.map(bounded);
        row.mbase = super::BASE_MVA;
        row.voltage_regulation_on = unit.regulates;
        row.energy_source = unit.source;
        row.in_service = at.connected;
        row.uid = Some(named.id.to_string());
        let at = self.generators.len();
        self.fuels.extend(unit.fuel.map(|fuel| (at, fuel)));
        self.generators.push(row);
        at
    }

    /// Sets the bus whose voltage a unit holds, and its set-point.
    pub fn regulate(&mut self, unit: usize, bus: usize, set_point_kv: f64) {
        let id = self.id(bus);
        let kv = self.kv(bus);
        let unit = &mut self.generators[unit];
        unit.regulated_bus = Some(id).filter(|id| *id != unit.bus);
        unit.vg = set_point_kv / kv;
    }

    /// Adds a battery that injects `[p, q]` and charges and discharges up to limits in MW.
    pub fn battery(&mut self, at: Terminal, named: Named<'_>, [p, q]: [f64; 2], [charge, discharge]: [f64; 2]) {
        let mut row = Storage::new(self.id(at.bus));
        (row.ps, row.qs) = (p, q);
        (row.charge_rating, row.discharge_rating) = (charge.max(0.0), discharge.max(0.0));
        (row.charge_efficiency, row.discharge_efficiency) = (1.0, 1.0);
        row.in_service = at.connected;
        row.uid = Some(named.id.to_string());
        row.extras.insert(ENERGY_UNKNOWN.into(), true.into());
        self.storages.push(row);
    }

    /// Adds an HVDC line from its rectifier to its inverter. Its loss in proportion to the power is that at its power, or that of its
    /// converters if it carries none.
    pub fn hvdc(&mut self, named: Named<'_>, line: &HvdcLine, [from, to]: [HvdcEnd; 2]) {
        let mut row = Hvdc::new(self.id(from.terminal.bus), self.id(to.terminal.bus));
        let losses = [from.loss, to.loss];
        row.in_service = from.terminal.connected && to.terminal.connected;
        row.pf = line.p;
        row.pt = line.delivered(line.p, losses);
        row.loss0 = 0.0;
        row.loss1 = match line.p > 0.0 {
            true => 1.0 - row.pt / line.p,
            false => 1.0 - (1.0 - losses[0]) * (1.0 - losses[1]),
        };
        if line.r_ohm != 0.0 && row.in_service {
            self.held.losses += 1;
        }
        (row.pmin, row.pmax) = (if row.loss1 == 0.0 { -line.pmax } else { 0.0 }, line.pmax);
        [row.qf, row.qminf, row.qmaxf] = from.q.map(bounded);
        [row.qt, row.qmint, row.qmaxt] = to.q.map(bounded);
        (row.vf, row.vt) = (from.holds_pu.unwrap_or(1.0), to.holds_pu.unwrap_or(1.0));
        let holds = json!([from.holds_pu.is_some(), to.holds_pu.is_some()]);
        row.extras.insert(HOLDS_VOLTAGE.into(), holds);
        row.uid = Some(named.id.to_string());
        self.links.push(row);
    }
}

/// The largest numbers of single and double precision stand for no limit.
fn bounded(value: f64) -> f64 {
    match value.abs() >= UNLIMITED {
        true => f64::INFINITY.copysign(value),
        false => value,
    }
}

/// Reactive limits at an active power: interpolated between the points of a capability curve, and constant beyond its ends. A point is
/// active power with the least and the largest reactive power; points are in order of active power.
pub(in crate::formats) fn limits_at(points: &[[f64; 3]], p: f64) -> [f64; 2] {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return [f64::NEG_INFINITY, f64::INFINITY];
    };
    let above = points.iter().position(|point| point[0] >= p);
    match above {
        Some(0) => [first[1], first[2]],
        None => [last[1], last[2]],
        Some(k) => {
            let (a, b) = (&points[k - 1], &points[k]);
            let share = (p - a[0]) / (b[0] - a[0]);
            [1, 2].map(|part| a[part] + share * (b[part] - a[part]))
        }
    }
}
