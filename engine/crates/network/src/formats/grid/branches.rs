//! Lines, transformers of two and three windings, and lines to the boundary of the network.

use std::collections::HashMap;

use powerio::{Branch, BranchCharging, Location};

use super::{Grid, Named, Terminal, BASE_MVA};
use crate::message;

/// The limit of a branch at one of its ends.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::formats) struct Limits {
    /// MVA, the smallest so far.
    mva: Option<f64>,
}

impl Limits {
    /// A limit of a current in A at a voltage in kV.
    pub fn current(&mut self, ampere: f64, kv: f64) {
        self.power(3f64.sqrt() * kv * ampere / 1000.0);
    }

    /// A limit of a power in MVA or MW.
    pub fn power(&mut self, mva: f64) {
        if mva.is_finite() {
            self.mva = Some(self.mva.map_or(mva, |other| other.min(mva)));
        }
    }

    pub fn and(self, other: Self) -> Self {
        let mut both = self;
        if let Some(mva) = other.mva {
            both.power(mva);
        }
        both
    }
}

/// A transformer, or one winding of a transformer of three: a ratio and an angle at the first end, the shunt behind them, and the series
/// impedance. Ohms and siemens are at the voltage of the second end.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats) struct Transformer {
    pub z: [f64; 2],
    pub y: [f64; 2],
    /// The shunt at the second end.
    pub y_behind: [f64; 2],
    /// Voltage behind the ratio over the voltage of the first end, without load.
    pub ratio: f64,
    /// Angle by which the voltage behind the ratio leads that of the first end, degrees.
    pub angle_deg: f64,
    pub limits: Limits,
}

/// The windings of a transformer of three and the rated voltage of its star point.
pub(in crate::formats) struct Windings {
    pub star_kv: f64,
    pub windings: [(Terminal, Transformer); 3],
}

impl Grid {
    /// The rows of the buses of a branch, and whether it is in service. An end that alone is open becomes a bus behind an open switch,
    /// at which the branch remains energised.
    fn ends(&mut self, terminals: [Terminal; 2], named: Named<'_>) -> ([usize; 2], bool) {
        let mut rows = terminals.map(|terminal| terminal.bus);
        let connected = terminals.map(|terminal| terminal.connected);
        if connected[0] != connected[1] {
            let open = usize::from(connected[0]);
            rows[open] = self.open_end(rows[open], named, open + 1);
        }
        (rows, connected != [false; 2])
    }

    /// A bus behind an open switch at another one.
    fn open_end(&mut self, at: usize, named: Named<'_>, end: usize) -> usize {
        let id = format!("{} end {end}", named.id);
        let name = format!("{}, end {end}", named.shown());
        let kv = self.kv(at);
        let row = self.inner_bus(at, kv, id.clone(), name.clone());
        let name = Some(&name[..]);
        self.switch([at, row], false, Named { id: &id, name });
        row
    }

    /// Adds a line: series impedance in ohms, and the shunts of its ends in siemens.
    pub fn line(&mut self, ends: [Terminal; 2], named: Named<'_>, z: [f64; 2], y: [[f64; 2]; 2], limits: Limits) {
        let (rows, in_service) = self.ends(ends, named);
        let kv = rows.map(|row| self.kv(row));
        let ohm = kv[0] * kv[1] / BASE_MVA;
        let mut charging = [0, 1].map(|end| y[end].map(|siemens| siemens * kv[end] * kv[end] / BASE_MVA));
        let size = z[0] * z[0] + z[1] * z[1];
        if kv[0] != kv[1] && size > 0.0 {
            // Between different base voltages the series admittance has another value at either end.
            let series = [z[0] / size, -z[1] / size];
            for end in 0..2 {
                let change = kv[end] * (kv[end] - kv[1 - end]) / BASE_MVA;
                charging[end][0] += series[0] * change;
                charging[end][1] += series[1] * change;
            }
        }
        let z = z.map(|part| part / ohm);
        self.branch(rows, in_service, named, z, charging, limits);
    }

    pub fn transformer(&mut self, ends: [Terminal; 2], named: Named<'_>, transformer: &Transformer) {
        let (rows, in_service) = self.ends(ends, named);
        self.winding(rows, in_service, named, transformer);
    }

    fn winding(&mut self, rows: [usize; 2], in_service: bool, named: Named<'_>, winding: &Transformer) {
        let kv = rows.map(|row| self.kv(row));
        let ohm = kv[1] * kv[1] / BASE_MVA;
        let z = winding.z.map(|part| part / ohm);
        let y = [winding.y, winding.y_behind].map(|y| y.map(|part| part * ohm));
        let branch = self.branch(rows, in_service, named, z, y, winding.limits);
        branch.tap = kv[1] / (kv[0] * winding.ratio);
        branch.shift = -winding.angle_deg;
    }

    /// Adds a transformer of three windings as three branches to a bus at its star point.
    pub fn three_windings(&mut self, named: Named<'_>, windings: &Windings) {
        let connected = windings
            .windings
            .iter()
            .filter(|(terminal, _)| terminal.connected)
            .count();
        let at = windings.windings[0].0.bus;
        let uid = format!("{} star", named.id);
        let name = message!("grid.star_point", transformer = named.shown()).english();
        let star = self.inner_bus(at, windings.star_kv, uid, name);
        for (k, (terminal, winding)) in windings.windings.iter().enumerate() {
            let id = format!("{} winding {}", named.id, k + 1);
            let name = format!("{}, {}", named.shown(), k + 1);
            let name = Some(&name[..]);
            let named = Named { id: &id, name };
            let row = match terminal.connected || connected == 0 {
                true => terminal.bus,
                false => self.open_end(terminal.bus, named, 1),
            };
            self.winding([row, star], connected > 0, named, winding);
        }
    }

    /// Adds the bus of a boundary at the voltage of a bus.
    pub fn boundary(&mut self, at: usize, id: &str, name: &str) -> usize {
        self.inner_bus(at, self.kv(at), id.to_string(), name.to_string())
    }

    fn branch(
        &mut self,
        rows: [usize; 2],
        in_service: bool,
        named: Named<'_>,
        [r, x]: [f64; 2],
        [from, to]: [[f64; 2]; 2],
        limits: Limits,
    ) -> &mut Branch {
        let mut branch = Branch::new(self.id(rows[0]), self.id(rows[1]), r, x);
        branch.uid = Some(named.id.to_string());
        branch.name = Some(named.shown().to_string());
        branch.in_service = in_service;
        branch.b = from[1] + to[1];
        let is_symmetric = from[0] == 0.0 && to[0] == 0.0 && from[1] == to[1];
        let charging = BranchCharging::new(from[0], from[1], to[0], to[1]);
        branch.charging = Some(charging).filter(|_| !is_symmetric);
        branch.rate_a = limits.mva.unwrap_or(0.0);
        let row = self.branches.len();
        self.branches.push(branch);
        &mut self.branches[row]
    }

    /// Sets the routes of branches, by identifier. A route has two points or more.
    pub fn routes(&mut self, routes: &HashMap<&str, Vec<Location>>) {
        for branch in &mut self.branches {
            let points = branch.uid.as_deref().and_then(|uid| routes.get(uid));
            if let Some(points) = points.filter(|points| points.len() > 1) {
                branch.route = Some(points.clone());
            }
        }
    }
}
