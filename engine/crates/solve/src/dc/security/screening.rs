//! Screening: the worst pair of each line and direction at the flows before outages.
//!
//! A pair takes one angle difference of a solve, either for the transfer that the outage amounts to or, by the symmetry
//! of the matrix, for a transfer over the line. The lines with the least margins are screened for all outages by one
//! solve each. For the others, the solve of an outage goes down the elimination tree and leaves out every subtree whose
//! lines cannot break: without injections its angles lie between those at its boundary (bounding as in Brandwajn, IEEE
//! Trans. Power Syst. 3 (1988)).

use super::outages::{Together, TOGETHER};
use super::{Limit, Pair, Security};
use crate::dc::model::{DcData, DcModel};
use std::collections::BTreeMap;
use wattbook_sparse::{Descent, Wanted};

/// Lines that are screened for all outages.
const CLOSEST: usize = 32;

/// A pair beyond its limit; per unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Violation {
    pub pair: Pair,
    /// Power beyond the limit and its excess.
    pub beyond: f64,
}

/// A line that is monitored, with the places of its ends among the angles.
#[derive(Clone, Copy, Debug)]
struct Watched {
    ends: [u32; 2],
    b: f64,
    flow: f64,
    /// Its limit and excess.
    room: f64,
    /// The largest flow beyond the limit so far, forwards and backwards, with the outage.
    worst: [(f64, u32); 2],
    line: usize,
}

impl Watched {
    /// The least change of the angle difference that breaks its limit.
    fn angle_margin(&self) -> f64 {
        (self.room - self.flow.abs()) / self.b.abs()
    }

    /// Compares its flow after an outage with its limit.
    #[inline]
    fn consider(&mut self, value: f64, outage: usize, out: &[Transfer]) {
        let beyond = value.abs() - self.room;
        if beyond <= 0.0 || out.iter().any(|transfer| transfer.line == self.line) {
            return;
        }
        let side = &mut self.worst[usize::from(value < 0.0)];
        // Of equal violations, the one of the first outage counts, in whatever order outages are screened.
        if beyond > side.0 || (beyond == side.0 && (outage as u32) < side.1) {
            *side = (beyond, outage as u32);
        }
    }
}

/// A line out of service in an outage, with the places of its ends and the power of the transfer over it.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    ends: [u32; 2],
    power: f64,
    line: usize,
}

impl Security {
    /// The worst violated pair of each line and direction, from the flows of the network by branch row and the outputs by
    /// generator before outages.
    pub(super) fn screen(
        &self,
        network: &DcModel,
        data: &DcData,
        (flow, dispatch): (&[f64], &[f64]),
        excesses: &BTreeMap<Limit, f64>,
    ) -> Vec<Violation> {
        // A limit and its excess.
        let room = |limit: Limit, is_upper: bool| {
            self.value(data, limit, is_upper) + excesses.get(&limit).copied().unwrap_or(0.0)
        };
        let soft = self.soft.iter();
        let before = soft.map(|&line| (Limit::Rating(line), flow[self.outages.row_of(line)]));
        let interfaces =
            (0..self.interfaces.len()).map(|i| (Limit::Interface(i), self.interface_flow(i, (flow, dispatch))));
        let sides = before.chain(interfaces).flat_map(|(limit, flow)| {
            [(true, flow), (false, -flow)].map(|(is_upper, flow)| Violation {
                pair: Pair {
                    limit,
                    outage: None,
                    is_upper,
                },
                beyond: flow - room(limit, is_upper),
            })
        });
        let lost = self
            .lost_loads
            .iter()
            .enumerate()
            .map(|(i, &(_, generator))| Violation {
                pair: Pair {
                    limit: Limit::LostLoad(i),
                    outage: None,
                    is_upper: true,
                },
                beyond: dispatch[generator] - self.value(data, Limit::LostLoad(i), true),
            });
        let mut found: Vec<Violation> = sides.chain(lost).filter(|violation| violation.beyond > 0.0).collect();
        let ends = |l: usize| [network.lines[l].from, network.lines[l].to].map(|bus| network.entry(bus) as u32);
        let mut watched: Vec<Watched> = self
            .monitored
            .iter()
            .map(|&l| Watched {
                ends: ends(l),
                b: network.lines[l].b,
                flow: flow[self.outages.row_of(l)],
                room: room(Limit::AfterOutages(l), true),
                worst: [(0.0, u32::MAX); 2],
                line: l,
            })
            .collect();
        let mut transfers = Vec::new();
        let mut begins = vec![0];
        for out in self.outages.all() {
            let carried = |j: usize| flow[self.outages.row_of(out.lines[j])];
            let all = 0..out.lines.len();
            transfers.extend(out.lines.iter().enumerate().map(|(i, &line)| Transfer {
                ends: ends(line),
                power: all.clone().map(|j| out.inverse.at(i, j) * carried(j)).sum(),
                line,
            }));
            begins.push(transfers.len());
        }
        let outages: Vec<&[Transfer]> = begins.windows(2).map(|at| &transfers[at[0]..at[1]]).collect();
        if !outages.is_empty() {
            let closest = closest(&watched);
            self.screen_lines(network, &outages, &closest, &mut watched);
            self.screen_outages(network, &outages, &closest, &mut watched);
        }
        self.units.for_each(network, (flow, dispatch), |outages, x| {
            for line in &mut watched {
                let [from, to] = line.ends.map(|end| &x[end as usize]);
                for (j, (index, out)) in outages.iter().enumerate() {
                    if !out.contains(&line.line) {
                        line.consider(line.flow + line.b * (from[j] - to[j]), *index, &[]);
                    }
                }
            }
        });
        for (&line, watched) in self.monitored.iter().zip(&watched) {
            let sides = [true, false].into_iter().zip(watched.worst);
            found.extend(
                sides
                    .filter(|(_, (beyond, _))| *beyond > 0.0)
                    .map(|(is_upper, (beyond, outage))| Violation {
                        pair: Pair {
                            limit: Limit::AfterOutages(line),
                            outage: Some(outage as usize),
                            is_upper,
                        },
                        beyond,
                    }),
            );
        }
        found
    }

    /// Screens lines for all outages, by one solve each.
    fn screen_lines(&self, network: &DcModel, outages: &[&[Transfer]], lines: &[usize], watched: &mut [Watched]) {
        let mut x = vec![[0.0; TOGETHER]; network.n_places() + 1];
        for chunk in lines.chunks(TOGETHER) {
            wattbook_interrupt::work(TOGETHER * outages.len());
            x.fill([0.0; TOGETHER]);
            for (j, &m) in chunk.iter().enumerate() {
                let [from, to] = watched[m].ends.map(|end| end as usize);
                x[from][j] += watched[m].b;
                x[to][j] -= watched[m].b;
            }
            network.solve_transfers(&mut x);
            let own: [f64; TOGETHER] = std::array::from_fn(|j| chunk.get(j).map_or(0.0, |&m| watched[m].flow));
            for (k, outage) in outages.iter().enumerate() {
                let mut values = own;
                for transfer in *outage {
                    let [from, to] = transfer.ends.map(|end| &x[end as usize]);
                    for j in 0..TOGETHER {
                        values[j] += transfer.power * (from[j] - to[j]);
                    }
                }
                for (&m, value) in chunk.iter().zip(values) {
                    watched[m].consider(value, self.outages.all()[k].index, outage);
                }
            }
        }
    }

    /// Screens all other lines by outages, from the ends of the lines out of service downwards in the elimination tree.
    fn screen_outages(&self, network: &DcModel, outages: &[&[Transfer]], done: &[usize], watched: &mut [Watched]) {
        let below = Below::new(network, &self.tree, watched, done);
        let references = network.n_places();
        let mut x = vec![[0.0; TOGETHER]; references + 1];
        for Together {
            outages: chunk,
            part,
            angles,
        } in &self.outages.chunks
        {
            if angles.is_empty() {
                for &place in part.columns() {
                    x[place as usize] = [0.0; TOGETHER];
                }
                for (j, outage) in outages[chunk.clone()].iter().enumerate() {
                    for transfer in *outage {
                        let [from, to] = transfer.ends.map(|end| end as usize);
                        x[from][j] += transfer.power;
                        x[to][j] -= transfer.power;
                    }
                }
                network.solve_transfers_on(part, &mut x);
            } else {
                let mut powers = [0.0; TOGETHER];
                for (power, outage) in powers.iter_mut().zip(&outages[chunk.clone()]) {
                    *power = outage[0].power;
                }
                for (&place, unit) in part.columns().iter().zip(angles) {
                    x[place as usize] = std::array::from_fn(|j| powers[j] * unit[j]);
                }
            }
            x[references] = [0.0; TOGETHER];
            let (factor, at) = (network.laplacian(), (&self.tree, part));
            factor.solve_downwards(at, &below.wanted, &mut x, |place, x| {
                for &m in below.lines_at(place) {
                    let line = &mut watched[m as usize];
                    let [from, to] = line.ends.map(|end| &x[end as usize]);
                    let values: [f64; TOGETHER] = std::array::from_fn(|j| line.flow + line.b * (from[j] - to[j]));
                    let most = values
                        .iter()
                        .fold(0.0f64, |most, v| if v.abs() > most { v.abs() } else { most });
                    if most > line.room {
                        for (k, value) in chunk.clone().zip(values) {
                            line.consider(value, self.outages.all()[k].index, outages[k]);
                        }
                    }
                }
            });
        }
    }
}

/// The lines with the least margins in terms of angle differences, in this order.
fn closest(watched: &[Watched]) -> Vec<usize> {
    let mut lines: Vec<usize> = (0..watched.len()).collect();
    let margin = |m: usize| watched[m].angle_margin();
    let by_margin = |a: &usize, b: &usize| margin(*a).total_cmp(&margin(*b)).then(a.cmp(b));
    if lines.len() > CLOSEST {
        lines.select_nth_unstable_by(CLOSEST - 1, by_margin);
        lines.truncate(CLOSEST);
    }
    lines.sort_unstable_by(by_margin);
    lines
}

/// The monitored lines by their deeper ends in the elimination tree, and the subtrees whose lines no outage breaks that
/// moves the angles at their boundaries little: without injections the angles of a subtree lie between these.
struct Below {
    starts: Vec<u32>,
    lines: Vec<u32>,
    wanted: Wanted,
}

impl Below {
    fn new(network: &DcModel, tree: &Descent, watched: &[Watched], done: &[usize]) -> Self {
        let n = network.n_places();
        let mut least = vec![f64::INFINITY; n];
        let mut meets_reference = vec![false; n];
        let mut is_done = vec![false; watched.len()];
        done.iter().for_each(|&m| is_done[m] = true);
        let place = |ends: [u32; 2]| Some(ends[0].min(ends[1]) as usize).filter(|place| *place < n);
        let mut at: Vec<(u32, u32)> = Vec::with_capacity(watched.len());
        for (m, line) in watched.iter().enumerate().filter(|(m, _)| !is_done[*m]) {
            if let Some(place) = place(line.ends) {
                at.push((place as u32, m as u32));
                least[place] = least[place].min(line.angle_margin());
            }
        }
        at.sort_unstable();
        for line in network.lines.iter().filter(|line| line.carries_flow()) {
            let ends = [line.from, line.to].map(|bus| network.entry(bus) as u32);
            if let Some(place) = place(ends) {
                meets_reference[place] |= ends.contains(&(n as u32));
                // Without positive susceptances angles may exceed those of the boundary.
                if line.b < 0.0 {
                    least[place] = f64::NEG_INFINITY;
                }
            }
        }
        for k in 0..n {
            if let Some(parent) = tree.parent(k) {
                least[parent] = least[parent].min(least[k]);
                meets_reference[parent] |= meets_reference[k];
            }
        }
        let mut starts = vec![0u32; n + 1];
        at.iter().for_each(|&(place, _)| starts[place as usize + 1] += 1);
        for k in 0..n {
            starts[k + 1] += starts[k];
        }
        Self {
            starts,
            lines: at.into_iter().map(|(_, m)| m).collect(),
            wanted: Wanted {
                least,
                zero: meets_reference,
            },
        }
    }

    fn lines_at(&self, place: usize) -> &[u32] {
        &self.lines[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}
