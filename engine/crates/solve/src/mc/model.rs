//! A feeder made ready: unknowns, elements, factored admittance matrix.

use super::elements::{inverse, Element, Series, Shunt};
use super::islands::{energised, galvanic};
use super::load::nominal_admittance;
use super::matrix::Factors;
use super::ties::{is_connection, Ties};
use super::transformer::Transformer;
use super::{failure, modulus, C};
use wattbook_network::error::Result;
use wattbook_network::feeder::{Feeder, FeederLine, FeederLoad, LoadBranch, LoadLaw, VoltageBand};

/// What edits change: active and reactive power at nominal voltage of each branch of each load, W and var.
#[derive(Clone, Debug, PartialEq)]
pub struct McData {
    pub loads: Vec<Vec<[f64; 2]>>,
}

impl McData {
    /// The loads as the feeder has them.
    pub fn base(feeder: &Feeder) -> Self {
        let powers = |load: &FeederLoad| load.branches.iter().map(|b| [b.p_w, b.q_var]).collect();
        Self {
            loads: feeder.loads.iter().map(powers).collect(),
        }
    }
}

/// Node without an unknown: its voltage is known, or it has none.
pub(crate) const KNOWN: u32 = u32::MAX;

/// A load branch in the network.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub load: usize,
    pub phase: usize,
    pub band: Option<VoltageBand>,
    pub branch: LoadBranch,
    /// Admittance in the matrix, of the feeder's own loads.
    pub admittance: C,
    /// A source reaches it.
    pub is_supplied: bool,
}

/// Everything about a feeder that edits of its loads leave alone.
#[derive(Clone, Debug)]
pub struct McModel {
    pub(crate) feeder: Feeder,
    pub(crate) ties: Ties,
    /// By node.
    pub(crate) is_live: Vec<bool>,
    pub(crate) unknown: Vec<u32>,
    /// By node: `U = x[unknown] + offset`.
    pub(crate) offset: Vec<C>,
    /// First node of each unknown.
    pub(crate) node_of: Vec<usize>,
    pub(crate) lines: Vec<Series>,
    pub(crate) shunts: Vec<Shunt>,
    pub(crate) transformers: Vec<Transformer>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) factors: Factors,
    /// By unknown: voltages with loads as their nominal impedances, V.
    pub(crate) start: Vec<C>,
    /// By unknown: largest voltage at its bus in `start`, at least 1 V.
    pub(crate) base: Vec<f64>,
    /// By unknown: what rounding alone makes of its current balance, A.
    pub(crate) rounding: Vec<f64>,
}

impl McModel {
    /// Analyses and factors a feeder.
    ///
    /// # Errors
    /// `PHYSICS.CONTRADICTING_SOURCES`; `PHYSICS.UNGROUNDED` naming terminals whose voltage against ground nothing determines;
    /// `INPUT.SINGULAR_IMPEDANCE` for a line whose impedance matrix has no inverse.
    pub fn new(feeder: Feeder) -> Result<Self> {
        let ties = Ties::new(&feeder)?;
        let n = feeder.nodes.len();
        let is_live: Vec<bool> = energised(&feeder, &ties).split_off(1);
        let mut unknown_of_group = vec![KNOWN; n + 1];
        let mut node_of = Vec::new();
        let mut unknown = vec![KNOWN; n];
        for node in 0..n {
            let group = ties.group[node + 1];
            if group == 0 || !is_live[node] {
                continue;
            }
            if unknown_of_group[group] == KNOWN {
                unknown_of_group[group] = node_of.len() as u32;
                node_of.push(node);
            }
            unknown[node] = unknown_of_group[group];
        }
        let offset: Vec<C> = ties.offset[1..].to_vec();
        let lines = feeder.lines.iter().map(series).collect::<Result<Vec<_>>>()?;
        let shunts: Vec<Shunt> = feeder
            .shunts
            .iter()
            .map(|s| Shunt {
                nodes: s.nodes.clone(),
                y: complex(&s.g, &s.b),
            })
            .collect();
        let transformers: Vec<Transformer> = feeder.transformers.iter().map(Transformer::new).collect();
        let branches = branches(&feeder, &is_live);

        let mut entries: Vec<(u32, u32, C)> = Vec::new();
        // By unknown: currents of the known voltages, and sums of `|y|` times voltages are made once the voltages are known.
        let mut stamps: Vec<(u32, u32, f64)> = Vec::new();
        let mut add = |i: usize, j: usize, y: C| {
            if unknown[i] != KNOWN {
                stamps.push((unknown[i], j as u32, modulus(y)));
                if unknown[j] != KNOWN {
                    entries.push((unknown[i], unknown[j], y));
                }
            }
        };
        lines.iter().for_each(|e| e.stamp(&mut add));
        shunts.iter().for_each(|e| e.stamp(&mut add));
        transformers.iter().for_each(|e| e.stamp(&mut add));
        for b in &branches {
            let y = b.admittance;
            let [a, z] = b.branch.nodes;
            for (i, j, y) in [(a, a, y), (z, z, y), (a, z, -y), (z, a, -y)] {
                if let (Some(i), Some(j)) = (i, j) {
                    add(i, j, y);
                }
            }
        }
        let group: Vec<u32> = groups(&feeder, &node_of);
        let factors = Factors::new(&group, &entries)
            .map_err(|singular| failure::ungrounded(&feeder, &galvanic(&feeder, &ties), node_of[singular.row]))?;

        let mut model = Self {
            start: vec![C::default(); node_of.len()],
            base: vec![1.0; node_of.len()],
            rounding: vec![0.0; node_of.len()],
            feeder,
            ties,
            is_live,
            unknown,
            offset,
            node_of,
            lines,
            shunts,
            transformers,
            branches,
            factors,
        };
        model.start();
        model.scale(&stamps);
        Ok(model)
    }

    /// The feeder it was made of.
    pub fn feeder(&self) -> &Feeder {
        &self.feeder
    }

    /// Number of unknown voltages.
    pub fn unknowns(&self) -> usize {
        self.node_of.len()
    }

    /// Voltages by node. What is not energised has none.
    pub(crate) fn voltages(&self, x: &[C]) -> Vec<C> {
        let mut u = vec![C::default(); self.unknown.len()];
        self.put_voltages(x, &mut u);
        u
    }

    pub(crate) fn put_voltages(&self, x: &[C], u: &mut [C]) {
        for (node, u) in u.iter_mut().enumerate() {
            *u = match self.unknown[node] {
                KNOWN => self.offset[node],
                k => x[k as usize] + self.offset[node],
            };
            // A switched-off part may hold ground's zero, and nothing else.
            if !self.is_live[node] {
                *u = C::default();
            }
        }
    }

    /// Voltages with every load as the impedance that draws its power at nominal voltage.
    fn start(&mut self) {
        let mut x = vec![C::default(); self.unknowns()];
        let mut work = Vec::new();
        // The second solution takes away what rounding left of the first.
        for _ in 0..2 {
            let u = self.voltages(&x);
            let mut leaving = vec![C::default(); self.unknown.len()];
            self.linear_currents(&u, |node, current| leaving[node] += current);
            for b in &self.branches {
                let [a, z] = b.branch.nodes.map(|node| node.map_or(C::default(), |node| u[node]));
                let current = b.admittance * (a - z);
                for (node, current) in b.branch.nodes.into_iter().zip([current, -current]) {
                    if let Some(node) = node {
                        leaving[node] += current;
                    }
                }
            }
            let mut dx = self.balance(&leaving);
            self.factors.solve(&mut dx, &mut work);
            x.iter_mut().zip(&dx).for_each(|(x, dx)| *x += dx);
        }
        self.start = x;
    }

    fn scale(&mut self, stamps: &[(u32, u32, f64)]) {
        let u = self.voltages(&self.start);
        let mut of_bus = vec![1.0; self.feeder.buses.len()];
        for (node, u) in u.iter().enumerate() {
            let base: &mut f64 = &mut of_bus[self.feeder.nodes[node].bus];
            *base = base.max(modulus(*u));
        }
        self.base = self
            .node_of
            .iter()
            .map(|&node| of_bus[self.feeder.nodes[node].bus])
            .collect();
        for &(unknown, node, y) in stamps {
            self.rounding[unknown as usize] += f64::EPSILON * y * modulus(u[node as usize]);
        }
    }

    /// Calls `add` with each current into a linear element and its node.
    pub(crate) fn linear_currents(&self, u: &[C], mut add: impl FnMut(usize, C)) {
        let mut out = Vec::new();
        each(&self.lines, u, &mut out, &mut add);
        each(&self.shunts, u, &mut out, &mut add);
        each(&self.transformers, u, &mut out, &mut add);
    }

    /// By unknown: what is missing in its current balance, of what leaves each node.
    pub(crate) fn balance(&self, leaving: &[C]) -> Vec<C> {
        let mut r = vec![C::default(); self.unknowns()];
        for (&unknown, current) in self.unknown.iter().zip(leaving) {
            if unknown != KNOWN {
                r[unknown as usize] -= current;
            }
        }
        r
    }
}

fn each<E: Element>(elements: &[E], u: &[C], out: &mut Vec<C>, add: &mut impl FnMut(usize, C)) {
    for element in elements {
        let nodes = element.nodes();
        out.clear();
        out.resize(nodes.len(), C::default());
        element.currents(u, out);
        for (&node, current) in nodes.iter().zip(out.iter()) {
            add(node, *current);
        }
    }
}

/// Unknowns of one bus are one group, counted from zero.
fn groups(feeder: &Feeder, node_of: &[usize]) -> Vec<u32> {
    let mut group_of_bus = vec![KNOWN; feeder.buses.len()];
    let mut count = 0;
    let mut group = |&node: &usize| {
        let own = &mut group_of_bus[feeder.nodes[node].bus];
        if *own == KNOWN {
            *own = count;
            count += 1;
        }
        *own
    };
    node_of.iter().map(&mut group).collect()
}

fn complex(re: &[f64], im: &[f64]) -> Vec<C> {
    re.iter().zip(im).map(|(&re, &im)| C::new(re, im)).collect()
}

/// # Errors
/// `INPUT.SINGULAR_IMPEDANCE`.
fn series(line: &FeederLine) -> Result<Series> {
    let n = line.from.len();
    let z = complex(&line.r, &line.x);
    let shunt = |g: &[f64], b: &[f64]| match g.iter().chain(b).all(|y| *y == 0.0) {
        true => Vec::new(),
        false => complex(g, b),
    };
    let series = match is_connection(&line.r, &line.x) {
        true => vec![C::default(); n * n],
        false => inverse(&z, n).ok_or_else(|| failure::singular_impedance(&line.name))?,
    };
    Ok(Series {
        nodes: [&line.from[..], &line.to].concat(),
        series,
        from: shunt(&line.g_from, &line.b_from),
        to: shunt(&line.g_to, &line.b_to),
    })
}

fn branches(feeder: &Feeder, is_live: &[bool]) -> Vec<Branch> {
    let mut out = Vec::new();
    for (load, l) in feeder.loads.iter().enumerate() {
        for (phase, b) in l.branches.iter().enumerate() {
            let is_supplied = b.nodes.iter().flatten().any(|&node| is_live[node]);
            // What injects would take away from the diagonal.
            let admittance = match b.p_w >= 0.0 || b.law == LoadLaw::Impedance {
                true => nominal_admittance(b, C::new(b.p_w, b.q_var)),
                false => C::default(),
            };
            out.push(Branch {
                load,
                phase,
                band: l.band,
                branch: b.clone(),
                admittance,
                is_supplied,
            });
        }
    }
    out
}
