//! Transformers of two windings, coil by coil.
//!
//! Voltages across the coils of a phase are divided by the rated ones (with the tap). The leakage impedance is between
//! them, and the no-load branch at the second winding. Percentages refer to the rating of the first winding, as in
//! OpenDSS.

use super::Entries;
use crate::mc::{size, C};
use wattbook_network::feeder::{Connection, FeederTransformer, FeederWinding};

/// Admittance of a solidly grounded neutral, given as an impedance of zero, S.
const SOLID: f64 = 1e6;

#[derive(Clone, Debug)]
pub(crate) struct Transformer {
    /// The coil ends of the first and of the second winding, phase by phase, followed by nodes with an admittance to
    /// ground.
    nodes: Vec<usize>,
    /// Winding and terminal of each of `nodes`.
    pub terminals: Vec<(usize, usize)>,
    phases: usize,
    /// Rated voltage of the coils of both windings.
    volts: [f64; 2],
    /// Leakage and no-load admittance at 1 V.
    leakage: C,
    no_load: C,
    grounds: Vec<C>,
}

/// Rated voltage of a coil, V.
pub(crate) fn coil_volts(winding: &FeederWinding, phases: usize) -> f64 {
    // Two phases of a wye are two of the three.
    if winding.connection == Connection::Wye && matches!(phases, 2 | 3) {
        winding.v_rated / 3f64.sqrt()
    } else {
        winding.v_rated
    }
}

/// Terminals at the ends of the coil of a phase.
pub(crate) fn coil_ends(t: &FeederTransformer, winding: usize, phase: usize) -> [usize; 2] {
    let w = &t.windings[winding];
    let terminals = w.nodes.len();
    if t.phases == 1 {
        return [0, 1];
    }
    match w.connection {
        Connection::Wye => [phase, terminals - 1],
        Connection::Delta => [phase, (phase + delta_step(t)) % terminals],
    }
}

/// Number of terminals from the start of a delta's coil to its end: to the next one or to the previous one.
fn delta_step(t: &FeederTransformer) -> usize {
    let [first, second] = &t.windings;
    if first.connection == second.connection {
        return 1;
    }
    let higher = if second.v_rated > first.v_rated { second } else { first };
    // The low-voltage side lags by 30 degrees unless it is declared to lead.
    let is_next = (higher.connection == Connection::Wye) != t.leads;
    let terminals = t
        .windings
        .iter()
        .filter(|w| w.connection == Connection::Delta)
        .map(|w| w.nodes.len());
    match is_next {
        true => 1,
        false => terminals.fold(1, usize::max) - 1,
    }
}

impl Transformer {
    /// `slots` are by node.
    pub fn new(t: &FeederTransformer, slots: &[u32]) -> Self {
        let [first, second] = &t.windings;
        let rating = t.s_va / t.phases as f64;
        let impedance = C::new(first.r_percent + second.r_percent, t.x_percent) / (100.0 * rating);
        let volts = t.windings.each_ref().map(|w| coil_volts(w, t.phases));
        let mut terminals = Vec::with_capacity(8 * t.phases + 2);
        for phase in 0..t.phases {
            for winding in 0..2 {
                terminals.extend(coil_ends(t, winding, phase).map(|terminal| (winding, terminal)));
            }
        }
        let mut grounds = Vec::with_capacity(4 * t.phases + 2);
        let mut ground = |winding: usize, terminal: usize, y: C| {
            if y != C::default() {
                terminals.push((winding, terminal));
                grounds.push(y);
            }
        };
        for (winding, w) in t.windings.iter().enumerate() {
            let antifloat = C::new(
                0.0,
                -0.5e-6 * t.antifloat_ppm * rating / (volts[winding] * volts[winding]),
            );
            for phase in 0..t.phases {
                for terminal in coil_ends(t, winding, phase) {
                    ground(winding, terminal, antifloat);
                }
            }
            if w.connection == Connection::Wye {
                let y = match w.neutral_ohm {
                    Some([0.0, 0.0]) => C::new(SOLID, 0.0),
                    Some([r, x]) => C::new(1.0, 0.0) / C::new(r, x),
                    None => antifloat,
                };
                ground(winding, w.nodes.len() - 1, y);
            }
        }
        Self {
            nodes: terminals
                .iter()
                .map(|&(winding, terminal)| slots[t.windings[winding].nodes[terminal]] as usize)
                .collect(),
            phases: t.phases,
            volts: [volts[0] * first.tap, volts[1] * second.tap],
            leakage: C::new(1.0, 0.0) / impedance,
            no_load: rating * C::new(t.no_load_percent, -t.magnetising_percent) / 100.0,
            terminals,
            grounds,
        }
    }
}

impl Transformer {
    /// Calls `add` with each index in `terminals`, its node and the current into the transformer.
    pub fn currents(&self, u: &[C], mut add: impl FnMut(usize, usize, C)) {
        let [v1, v2] = self.volts;
        let coils = self.nodes.chunks_exact(4).take(self.phases);
        for (phase, coil) in coils.enumerate() {
            let across = |a: usize, b: usize, v: f64| (u[coil[a]] - u[coil[b]]) / v;
            let (w1, w2) = (across(0, 1, v1), across(2, 3, v2));
            let through = self.leakage * (w1 - w2);
            let (i1, i2) = (through / v1, (self.no_load * w2 - through) / v2);
            for (k, current) in [i1, -i1, i2, -i2].into_iter().enumerate() {
                add(4 * phase + k, coil[k], current);
            }
        }
        for (place, node, y) in self.grounds() {
            add(place, node, y * u[node]);
        }
    }

    /// Admittances to ground: index in `terminals`, node and admittance.
    fn grounds(&self) -> impl Iterator<Item = (usize, usize, C)> + '_ {
        let coils = 4 * self.phases;
        let nodes = self.nodes[coils..].iter().zip(&self.grounds).enumerate();
        nodes.map(move |(k, (&node, &y))| (coils + k, node, y))
    }

    /// Admittances of a coil pair, S: of the first winding, between both, and of the second winding.
    fn admittances(&self) -> [C; 3] {
        let [v1, v2] = self.volts;
        [
            self.leakage / (v1 * v1),
            -self.leakage / (v1 * v2),
            (self.leakage + self.no_load) / (v2 * v2),
        ]
    }

    pub fn stamp(&self, entries: &mut impl Entries) {
        let [y11, y12, y22] = self.admittances();
        for coil in self.nodes[..4 * self.phases].chunks_exact(4) {
            entries.between(coil[0], coil[1], y11);
            entries.between(coil[2], coil[3], y22);
            entries.pair(coil[0], coil[2], y12);
            entries.pair(coil[1], coil[3], y12);
            entries.pair(coil[0], coil[3], -y12);
            entries.pair(coil[1], coil[2], -y12);
        }
        for (_, node, y) in self.grounds() {
            entries.own(node, y);
        }
    }

    /// As `Lines::products`.
    pub fn products(&self, size_of: &[f64], products: &mut [f64]) {
        let [y11, y12, y22] = self.admittances().map(size);
        for coil in self.nodes[..4 * self.phases].chunks_exact(4) {
            let (first, second) = (size_of[coil[0]] + size_of[coil[1]], size_of[coil[2]] + size_of[coil[3]]);
            for (k, node) in coil.iter().enumerate() {
                products[*node] += if k < 2 {
                    y11 * first + y12 * second
                } else {
                    y12 * first + y22 * second
                };
            }
        }
        for (_, node, y) in self.grounds() {
            products[node] += size(y) * size_of[node];
        }
    }
}
