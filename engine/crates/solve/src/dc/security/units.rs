//! Outages of generators: the others of the island replace the output by fixed shares.
//!
//! With factors `a` that sum to one, the outage of generators `G` injects `p_g (a^G - e_g)` for each, where `a^G` are the
//! factors without `G`, scaled to sum to one. It moves the flow of every line in proportion to the outputs, so that an
//! output is part of a row by one coefficient. Branches that are out of service with the generators take over the flows
//! that result.

use super::outages::{angles, shares, OutagesOut, TOGETHER};
use super::{Contingency, Sum};
use crate::dc::model::DcModel;
use crate::topology::NO_ISLAND;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_sparse::Descent;

/// A smaller part of the factors of an island that remains means that none replaces the output.
const REMAINS: f64 = 1e-9;

/// Generators that are out of service together.
#[derive(Clone, Debug)]
pub(super) struct UnitOut {
    /// Position among the outages of the request.
    pub index: usize,
    /// Generators, the places of their buses, and their shares among the factors of the island.
    units: Vec<(usize, usize, f64)>,
    /// One over the sum of the shares that remain.
    scale: f64,
}

impl UnitOut {
    /// Adds the injections that move the network from before the outage to after it to a right-hand side, but for the
    /// multiple of the factors of the island, which it returns.
    fn inject(&self, output: impl Fn(usize) -> f64, x: &mut [[f64; TOGETHER]], j: usize) -> f64 {
        let outputs = self.units.iter().map(|&(generator, ..)| output(generator));
        let multiple = self.scale * outputs.sum::<f64>();
        for &(generator, place, share) in &self.units {
            x[place][j] -= output(generator) + share * multiple;
        }
        multiple
    }
}

/// The outages with generators.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitsOut {
    outages: Vec<UnitOut>,
    /// Their branches, by the same positions.
    branches: OutagesOut,
    /// Angles for the factors of the islands, by place.
    replacing: Vec<f64>,
    /// Outages of generators that take no part, or that none replaces.
    pub left_out: Vec<usize>,
}

impl UnitsOut {
    pub fn new(
        model: &DcModel,
        tree: &Descent,
        requested: &[(usize, &Contingency)],
        participation: &[f64],
        line_of: impl Fn(usize) -> Option<usize>,
    ) -> Result<Self> {
        if requested.is_empty() {
            return Ok(Self::default());
        }
        let with_branches = requested.iter().filter(|(_, out)| !out.branches.is_empty());
        let with_branches: Vec<(usize, &[usize])> = with_branches.map(|(k, out)| (*k, &out.branches[..])).collect();
        let branches = OutagesOut::new(model, tree, &with_branches, line_of)?;
        let mut bus_of = vec![None; model.n_gen];
        let units = model.columns.iter().filter(|column| !column.is_excess());
        units.for_each(|column| bus_of[column.generator] = Some(column.bus));
        let mut sums = vec![0.0; model.islands.len()];
        let factors = participation.iter().zip(&bus_of);
        let factors = factors.filter_map(|(factor, bus)| Some((bus.as_ref()?, *factor)));
        for (&bus, factor) in factors.clone() {
            sums[model.island_of_bus[bus]] += factor;
        }
        let share = |bus: usize, factor: f64| match sums[model.island_of_bus[bus]] {
            sum if sum > 0.0 => factor / sum,
            _ => 0.0,
        };
        let mut injection = vec![0.0; model.n_bus];
        for (&bus, factor) in factors {
            injection[bus] += share(bus, factor);
        }
        let by_bus = model.angles(&injection);
        let mut replacing = vec![0.0; model.n_places() + 1];
        for (bus, angle) in by_bus.into_iter().enumerate() {
            replacing[model.entry(bus)] = angle;
        }
        let (mut outages, mut left_out) = (Vec::new(), Vec::new());
        for &(index, out) in requested {
            if branches.splitting.contains(&index) || branches.idle.contains(&index) {
                continue;
            }
            let (mut units, mut island) = (Vec::new(), NO_ISLAND);
            let mut generators = out.generators.clone();
            generators.sort_unstable();
            generators.dedup();
            for generator in generators {
                let Some(bus) = bus_of.get(generator).copied().flatten() else {
                    continue;
                };
                if island != NO_ISLAND && island != model.island_of_bus[bus] {
                    let message = message!("security.islands", generator = &model.gen_ids[generator]);
                    return Err(EngineError::new("INPUT.REQUEST", message));
                }
                island = model.island_of_bus[bus];
                let factor = participation.get(generator).copied().unwrap_or(0.0);
                units.push((generator, model.entry(bus), share(bus, factor)));
            }
            let remaining = 1.0 - units.iter().map(|unit| unit.2).sum::<f64>();
            let is_replaced = island != NO_ISLAND && sums[island] > 0.0 && remaining > REMAINS;
            match is_replaced {
                true => outages.push(UnitOut {
                    index,
                    units,
                    scale: 1.0 / remaining,
                }),
                false => left_out.push(index),
            }
        }
        Ok(Self {
            outages,
            branches,
            replacing,
            left_out,
        })
    }

    pub fn len(&self) -> usize {
        self.outages.len()
    }

    pub fn splitting(&self) -> &[usize] {
        &self.branches.splitting
    }

    pub fn idle(&self) -> &[usize] {
        &self.branches.idle
    }

    /// Calls `found` for groups of outages, each with its position among those of the request and the lines out of service,
    /// and with the changes of angles by place.
    pub fn for_each(
        &self,
        model: &DcModel,
        (flow, dispatch): (&[f64], &[f64]),
        mut found: impl FnMut(&[(usize, &[usize])], &[[f64; TOGETHER]]),
    ) {
        if self.outages.is_empty() {
            return;
        }
        let (mut x, mut y) = (angles(model), Vec::new());
        for chunk in self.outages.chunks(TOGETHER) {
            wattbook_interrupt::work(TOGETHER * x.len());
            x.fill([0.0; TOGETHER]);
            let mut multiples = [0.0; TOGETHER];
            for (j, out) in chunk.iter().enumerate() {
                multiples[j] = out.inject(|generator| dispatch[generator], &mut x, j);
            }
            self.solve(model, &mut x, &multiples);
            let none: &[usize] = &[];
            let outs: Vec<_> = chunk.iter().map(|out| self.branches.find(out.index)).collect();
            if outs.iter().any(Option::is_some) {
                y.clear();
                y.resize(x.len(), [0.0; TOGETHER]);
                for (j, out) in outs.iter().enumerate() {
                    let Some(out) = out else { continue };
                    let moved = |&k: &usize| flow[model.lines[k].row] + shares(model, &x, k)[j];
                    let carried: Vec<f64> = out.lines.iter().map(moved).collect();
                    for (&k, power) in out.lines.iter().zip(out.inverse.times(&carried)) {
                        y[model.entry(model.lines[k].from)][j] += power;
                        y[model.entry(model.lines[k].to)][j] -= power;
                    }
                }
                model.solve_transfers(&mut y);
                for (x, y) in x.iter_mut().zip(&y) {
                    (0..TOGETHER).for_each(|j| x[j] += y[j]);
                }
            }
            let named = chunk.iter().zip(&outs);
            let named = named.map(|(unit, out)| (unit.index, out.map_or(none, |out| &out.lines[..])));
            found(&named.collect::<Vec<_>>(), &x);
        }
    }

    /// Solves for the injections of outages and multiples of the factors of the islands.
    fn solve(&self, model: &DcModel, x: &mut [[f64; TOGETHER]], multiples: &[f64; TOGETHER]) {
        model.solve_transfers(x);
        for (x, replacing) in x.iter_mut().zip(&self.replacing) {
            (0..TOGETHER).for_each(|j| x[j] += multiples[j] * replacing);
        }
    }

    /// Extends a sum of flows before outages to the same sum after an outage of the request.
    pub fn add_terms(&self, model: &DcModel, index: usize, sum: &mut Sum) {
        let Some(out) = self.outages.iter().find(|out| out.index == index) else {
            return;
        };
        for (l, weight) in sum.flows.clone() {
            let over = self.branches.weights(model, index, l).into_iter();
            sum.flows.extend(over.map(|(line, share)| (line, weight * share)));
        }
        let mut x = angles(model);
        for chunk in out.units.chunks(TOGETHER) {
            x.fill([0.0; TOGETHER]);
            let mut multiples = [0.0; TOGETHER];
            for (j, unit) in chunk.iter().enumerate() {
                multiples[j] = out.inject(|generator| f64::from(u8::from(generator == unit.0)), &mut x, j);
            }
            self.solve(model, &mut x, &multiples);
            for (j, unit) in chunk.iter().enumerate() {
                let flows = sum.flows.iter();
                let coefficient: f64 = flows.map(|&(l, weight)| weight * shares(model, &x, l)[j]).sum();
                if coefficient != 0.0 {
                    sum.units.push((unit.0, coefficient));
                }
            }
        }
    }
}
