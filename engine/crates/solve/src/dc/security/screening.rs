//! Screening: the worst pair of each line and direction at the flows before outages.
//!
//! A pair takes one angle difference of a solve, either for the transfer that the outage amounts to or, by the symmetry
//! of the matrix, for a transfer over the line. In a network of positive susceptances no line carries more than a
//! transfer, so an outage whose transfer is smaller than the margin of a line cannot break it. The lines with the least
//! margins are therefore screened for all outages by one solve each, and the others for outages with larger transfers
//! than their least margin only (bounding as in Brandwajn, IEEE Trans. Power Syst. 3 (1988)).

use super::outages::TOGETHER;
use super::{Limit, Pair, Security};
use crate::dc::model::{DcData, DcModel};
use std::collections::BTreeMap;

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
}

impl Watched {
    fn margin(&self) -> f64 {
        self.room - self.flow.abs()
    }

    /// Compares its flow after an outage with its limit.
    #[inline]
    fn consider(&mut self, value: f64, outage: u32) {
        let beyond = value.abs() - self.room;
        let side = &mut self.worst[usize::from(value < 0.0)];
        // Of equal violations, the one of the first outage counts, in whatever order outages are screened.
        if beyond > side.0 || (beyond == side.0 && beyond > 0.0 && outage < side.1) {
            *side = (beyond, outage);
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
    /// The worst violated pair of each line and direction, from the flows of the network before outages by branch row.
    pub(super) fn screen(
        &self,
        network: &DcModel,
        data: &DcData,
        flow: &[f64],
        excesses: &BTreeMap<Limit, f64>,
    ) -> Vec<Violation> {
        // A limit and its excess.
        let room = |line: usize, is_after_outage: bool| {
            let limit = Limit { line, is_after_outage };
            self.value(data, limit) + excesses.get(&limit).copied().unwrap_or(0.0)
        };
        let before = self.soft.iter().map(|&line| {
            let flow = flow[self.outages.row_of(line)];
            Violation {
                pair: Pair {
                    line,
                    outage: None,
                    is_upper: flow > 0.0,
                },
                beyond: flow.abs() - room(line, false),
            }
        });
        let mut found: Vec<Violation> = before.filter(|violation| violation.beyond > 0.0).collect();
        let ends = |l: usize| [network.lines[l].from, network.lines[l].to].map(|bus| network.entry(bus) as u32);
        let mut watched: Vec<Watched> = self
            .monitored
            .iter()
            .map(|&l| Watched {
                ends: ends(l),
                b: network.lines[l].b,
                flow: flow[self.outages.row_of(l)],
                room: room(l, true),
                worst: [(0.0, u32::MAX); 2],
            })
            .collect();
        let mut transfers = Vec::new();
        let mut begins = vec![0];
        for out in self.outages.all() {
            let carried: Vec<f64> = out.lines.iter().map(|&k| flow[self.outages.row_of(k)]).collect();
            let powers = out.inverse.times(&carried);
            transfers.extend(out.lines.iter().zip(powers).map(|(&line, power)| Transfer {
                ends: ends(line),
                power,
                line,
            }));
            begins.push(transfers.len());
        }
        let of_outage = |k: usize| &transfers[begins[k]..begins[k + 1]];
        let (by_line, by_outage) = self.halves(network, &watched, |k| of_outage(k).iter().map(|t| t.power.abs()).sum());

        let mut x = vec![[0.0; TOGETHER]; network.n_places() + 1];
        for chunk in by_line.chunks(TOGETHER) {
            wattbook_interrupt::work(self.work);
            x.fill([0.0; TOGETHER]);
            for (j, &m) in chunk.iter().enumerate() {
                let [from, to] = watched[m].ends.map(|end| end as usize);
                x[from][j] += watched[m].b;
                x[to][j] -= watched[m].b;
            }
            network.solve_transfers(&mut x);
            let own: [f64; TOGETHER] = std::array::from_fn(|j| chunk.get(j).map_or(0.0, |&m| watched[m].flow));
            for k in 0..self.outages.len() {
                let mut values = own;
                for transfer in of_outage(k) {
                    let [from, to] = transfer.ends.map(|end| &x[end as usize]);
                    for j in 0..TOGETHER {
                        values[j] += transfer.power * (from[j] - to[j]);
                    }
                }
                for (&m, value) in chunk.iter().zip(values) {
                    if value.abs() > watched[m].room && !of_outage(k).iter().any(|t| t.line == self.monitored[m]) {
                        watched[m].consider(value, k as u32);
                    }
                }
            }
        }
        let mut is_by_line = vec![false; watched.len()];
        by_line.iter().for_each(|&m| is_by_line[m] = true);
        for chunk in by_outage.chunks(TOGETHER) {
            wattbook_interrupt::work(self.work);
            x.fill([0.0; TOGETHER]);
            for (j, &k) in chunk.iter().enumerate() {
                for transfer in of_outage(k) {
                    let [from, to] = transfer.ends.map(|end| end as usize);
                    x[from][j] += transfer.power;
                    x[to][j] -= transfer.power;
                }
            }
            network.solve_transfers(&mut x);
            for (m, line) in watched.iter_mut().enumerate() {
                let [from, to] = line.ends.map(|end| &x[end as usize]);
                let values: [f64; TOGETHER] = std::array::from_fn(|j| line.flow + line.b * (from[j] - to[j]));
                let most = values
                    .iter()
                    .fold(0.0f64, |most, v| if v.abs() > most { v.abs() } else { most });
                if most <= line.room || is_by_line[m] {
                    continue;
                }
                for (&k, value) in chunk.iter().zip(values) {
                    if value.abs() > line.room && !of_outage(k).iter().any(|t| t.line == self.monitored[m]) {
                        line.consider(value, k as u32);
                    }
                }
            }
        }
        for (&line, watched) in self.monitored.iter().zip(&watched) {
            let sides = [true, false].into_iter().zip(watched.worst);
            found.extend(
                sides
                    .filter(|(_, (beyond, _))| *beyond > 0.0)
                    .map(|(is_upper, (beyond, outage))| Violation {
                        pair: Pair {
                            line,
                            outage: Some(outage as usize),
                            is_upper,
                        },
                        beyond,
                    }),
            );
        }
        found
    }

    /// The monitored lines that are screened for all outages, and the outages for which the others are: as few of both
    /// as possible. `size` is the power that an outage transfers.
    fn halves(&self, network: &DcModel, watched: &[Watched], size: impl Fn(usize) -> f64) -> (Vec<usize>, Vec<usize>) {
        let all: Vec<usize> = (0..self.outages.len()).collect();
        if network.lines.iter().any(|line| line.b < 0.0) {
            return (Vec::new(), all);
        }
        let mut lines: Vec<usize> = (0..watched.len()).collect();
        lines.sort_by(|&a, &b| watched[a].margin().total_cmp(&watched[b].margin()).then(a.cmp(&b)));
        let sizes: Vec<f64> = all.iter().map(|&k| size(k)).collect();
        let mut outages = all;
        outages.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]).then(a.cmp(&b)));
        let (mut best, mut least) = ((0, outages.len()), outages.len());
        let mut larger = outages.len();
        for (count, &m) in lines.iter().enumerate() {
            // The line is the first that is not screened for all outages.
            while larger > 0 && sizes[outages[larger - 1]] <= watched[m].margin() {
                larger -= 1;
            }
            if count + larger < least {
                (best, least) = ((count, larger), count + larger);
            }
        }
        if lines.len() < least {
            best = (lines.len(), 0);
        }
        lines.truncate(best.0);
        outages.truncate(best.1);
        outages.sort_unstable();
        (lines, outages)
    }
}
