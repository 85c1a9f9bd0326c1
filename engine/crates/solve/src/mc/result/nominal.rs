//! Nominal voltages for per-unit figures; the solution does not depend on them.

use super::profile::places;
use crate::mc::elements::transformer::{coil_ends, coil_volts};
use crate::mc::model::McModel;
use crate::mc::{modulus, C};
use wattbook_network::feeder::{Feeder, FeederTransformer};
use wattbook_network::union_find::components;

/// A terminal below this share of the nominal voltage at the first solution is a neutral.
const NEUTRAL: f64 = 0.3;

/// Voltage across a branch relative to that of its terminals: to ground, between two of three phases, between opposite
/// ones.
const ACROSS: [f64; 3] = [1.0, 1.732_050_807_568_877_2, 2.0];

impl McModel {
    /// By bus: nominal phase-to-ground voltage, V. Buses joined by lines, switches and regulators share one: the most
    /// frequent rating of windings there, without transformers that of loads, and otherwise that of the source.
    pub fn nominal_voltages(&self) -> Vec<f64> {
        let u = self.voltages(&self.start);
        let feeder = &self.feeder;
        let (place, zone) = zones(feeder);
        let to_ground = |volts: f64, a: Option<usize>, b: Option<usize>| {
            let [a, b] = [a, b].map(|node| node.map_or(C::default(), |node| u[node]));
            let ratio = modulus(a - b) / modulus(a).max(modulus(b));
            let nearest = ACROSS
                .into_iter()
                .min_by(|x, y| (x - ratio).abs().total_cmp(&(y - ratio).abs()));
            volts / nearest.unwrap_or(1.0)
        };
        let zone_of = |node: usize| zone[place[node]];
        // Windings, loads, sources: the first kind present in a zone counts.
        let mut found: Vec<[Vec<f64>; 3]> = vec![Default::default(); zone.len()];
        for t in feeder.transformers.iter().filter(|t| !is_ratio(t)) {
            for (k, w) in t.windings.iter().enumerate() {
                let [a, b] = coil_ends(t, k, 0).map(|terminal| w.nodes[terminal]);
                let volts = to_ground(coil_volts(w, t.phases), Some(a), Some(b));
                found[zone_of(a)][0].push(volts);
            }
        }
        for branch in feeder.loads.iter().flat_map(|load| &load.branches) {
            let [a, b] = branch.nodes;
            if let Some(node) = a.or(b).filter(|_| branch.v_nominal > 0.0) {
                found[zone_of(node)][1].push(to_ground(branch.v_nominal, a, b));
            }
        }
        for source in &feeder.sources {
            for (&node, volts) in source.nodes.iter().zip(&source.volts) {
                found[zone_of(node)][2].push(*volts);
            }
        }
        let of_zone: Vec<f64> = found
            .iter()
            .map(|kinds| kinds.iter().find_map(|volts| most_frequent(volts)).unwrap_or(f64::NAN))
            .collect();
        (0..feeder.buses.len()).map(|bus| of_zone[zone[bus]]).collect()
    }

    /// By node: whether it is energised and not a neutral.
    pub fn phases(&self, nominal: &[f64]) -> Vec<bool> {
        let u = self.voltages(&self.start);
        let is_phase = |(node, u): (usize, &C)| {
            self.is_live[node] && modulus(*u) >= NEUTRAL * nominal[self.feeder.nodes[node].bus]
        };
        u.iter().enumerate().map(is_phase).collect()
    }
}

/// Whether a transformer is given as a ratio near 1 with windings rated 1 V: a regulator, whose sides share one nominal
/// voltage.
fn is_ratio(t: &FeederTransformer) -> bool {
    t.windings.iter().all(|w| coil_volts(w, t.phases) <= 1.0)
}

/// By node, its terminal group; and by group (the first are the buses), the first group that lines, switches and
/// regulators given as ratios join with it.
fn zones(feeder: &Feeder) -> (Vec<usize>, Vec<usize>) {
    let (place, count) = places(feeder);
    let lines = feeder.lines.iter().flat_map(|l| l.from.iter().zip(&l.to));
    let switches = feeder.switches.iter().flat_map(|s| s.from.iter().zip(&s.to));
    let regulators = feeder.transformers.iter().filter(|t| is_ratio(t));
    let regulated = regulators.flat_map(|t| t.windings[0].nodes.iter().zip(&t.windings[1].nodes));
    let pairs = lines
        .chain(switches)
        .chain(regulated)
        .map(|(&a, &b)| (place[a], place[b]));
    let zone = components(count, pairs);
    (place, zone)
}

/// The first of the most frequent values, ignoring zeros.
fn most_frequent(volts: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> = volts.iter().copied().filter(|v| *v > 0.0 && v.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let runs = sorted.chunk_by(|a, b| a == b);
    let (first, _) = runs
        .map(|run| (run[0], run.len()))
        .reduce(|most, run| if run.1 > most.1 { run } else { most })?;
    Some(first)
}
