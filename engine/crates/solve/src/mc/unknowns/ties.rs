//! Nodes without impedance between them: grounded terminals, closed switches, voltage sources.

use crate::mc::{modulus, C};
use crate::topology::bridges::Bridges;
use crate::topology::least_norm_flows::LeastNormFlows;
use std::collections::VecDeque;
use std::sync::OnceLock;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::feeder::Feeder;
use wattbook_network::message;
use wattbook_network::union_find::components;

/// A loop of fixed voltages is consistent within this share of the largest of them.
const CLOSES: f64 = 1e-6;
/// A line with every impedance below this, ohm, is a connection: at 400 A it drops less than a microvolt.
const NO_IMPEDANCE: f64 = 1e-9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tied {
    /// A solidly grounded terminal.
    Ground,
    Source {
        row: usize,
        phase: usize,
    },
    Switch {
        row: usize,
        conductor: usize,
    },
    Line {
        row: usize,
        conductor: usize,
    },
}

/// `U_from - U_to = volts`. Places are nodes counted from one; place 0 is ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tie {
    pub from: usize,
    pub to: usize,
    pub volts: C,
    pub kind: Tied,
}

#[derive(Clone, Debug)]
pub(crate) struct Ties {
    pub all: Vec<Tie>,
    /// By place: first place of its group. Ground's group is 0.
    pub group: Vec<usize>,
    /// By place: voltage relative to the first place of its group.
    pub offset: Vec<C>,
    shares: OnceLock<Shares>,
}

/// The shares of currents between ties.
#[derive(Clone, Debug)]
struct Shares {
    flows: LeastNormFlows,
    is_unique: Vec<bool>,
}

impl Shares {
    fn new(group: &[usize], all: &[Tie]) -> Self {
        let ends: Vec<(usize, usize)> = all.iter().map(|t| (t.from, t.to)).collect();
        let n = group.len();
        let firsts: Vec<usize> = (0..n).filter(|&place| group[place] == place).collect();
        let edges = ends.iter().enumerate().filter(|(_, (from, to))| from != to);
        let mut is_unique = vec![false; ends.len()];
        for bridge in Bridges::find(n, edges.map(|(row, &(from, to))| (row, from, to)), &firsts).bridges {
            is_unique[bridge.line] = true;
        }
        Self {
            is_unique,
            flows: LeastNormFlows::new(group, ends),
        }
    }
}

/// Whether a line is a pure connection.
pub(crate) fn is_connection(r: &[f64], x: &[f64]) -> bool {
    r.iter().chain(x).all(|z| z.abs() <= NO_IMPEDANCE)
}

impl Ties {
    /// # Errors
    /// `PHYSICS.CONTRADICTING_SOURCES` if sources fix different voltages at one node.
    pub fn new(feeder: &Feeder) -> Result<Self> {
        let all = list(feeder);
        let n = feeder.nodes.len() + 1;
        let group = components(n, all.iter().map(|t| (t.from, t.to)));
        let beside = Beside::new(n, &all);
        let mut offset = vec![C::default(); n];
        let mut seen = vec![false; n];
        let mut queue = VecDeque::new();
        for first in (0..n).filter(|&place| group[place] == place && !beside.at(place).is_empty()) {
            seen[first] = true;
            queue.push_back(first);
            while let Some(place) = queue.pop_front() {
                for &row in beside.at(place) {
                    let tie = &all[row as usize];
                    let (other, at_other) = match tie.from == place {
                        true => (tie.to, offset[place] - tie.volts),
                        false => (tie.from, offset[place] + tie.volts),
                    };
                    if !std::mem::replace(&mut seen[other], true) {
                        offset[other] = at_other;
                        queue.push_back(other);
                        continue;
                    }
                    let size = modulus(tie.volts).max(modulus(at_other));
                    if modulus(at_other - offset[other]) > CLOSES * size {
                        return Err(contradiction(feeder, tie));
                    }
                }
            }
        }
        Ok(Self {
            shares: OnceLock::new(),
            all,
            group,
            offset,
        })
    }

    /// The shares of currents between ties, computed on first use because voltages do not need them.
    fn shares(&self) -> &Shares {
        self.shares.get_or_init(|| Shares::new(&self.group, &self.all))
    }

    /// By tie: whether no loop contains it, so that its current is unique.
    pub fn is_unique(&self) -> &[bool] {
        &self.shares().is_unique
    }

    /// Current of each tie from its from end to its to end: Kirchhoff's law at every node but ground, with the
    /// least-squares solution in loops. `leaving` is the current from each node into elements.
    pub fn currents(&self, leaving: &[C]) -> Vec<C> {
        let surplus = std::iter::once([0.0; 2]).chain(leaving.iter().map(|i| [-i.re, -i.im]));
        let flows = self.shares().flows.solve(surplus);
        flows.into_iter().map(|[re, im]| C::new(re, im)).collect()
    }
}

/// The ties at each place.
struct Beside {
    start: Vec<u32>,
    rows: Vec<u32>,
}

impl Beside {
    fn new(places: usize, all: &[Tie]) -> Self {
        let mut start = vec![0u32; places + 2];
        for place in all.iter().flat_map(|t| [t.from, t.to]) {
            start[place + 2] += 1;
        }
        for k in 2..start.len() {
            start[k] += start[k - 1];
        }
        let mut rows = vec![0u32; 2 * all.len()];
        for (row, tie) in all.iter().enumerate() {
            for place in [tie.from, tie.to] {
                let next = &mut start[place + 1];
                rows[*next as usize] = row as u32;
                *next += 1;
            }
        }
        Self { start, rows }
    }

    fn at(&self, place: usize) -> &[u32] {
        &self.rows[self.start[place] as usize..self.start[place + 1] as usize]
    }
}

fn list(feeder: &Feeder) -> Vec<Tie> {
    let zero = C::default();
    let grounded = feeder.nodes.iter().filter(|at| at.is_grounded).count();
    let held = feeder.sources.iter().map(|source| source.nodes.len()).sum::<usize>();
    let switched = feeder.switches.iter().map(|switch| switch.from.len()).sum::<usize>();
    let mut all = Vec::with_capacity(grounded + held + switched);
    for (node, _) in feeder.nodes.iter().enumerate().filter(|(_, at)| at.is_grounded) {
        all.push(Tie {
            from: node + 1,
            to: 0,
            volts: zero,
            kind: Tied::Ground,
        });
    }
    for (row, source) in feeder.sources.iter().enumerate() {
        for (phase, &node) in source.nodes.iter().enumerate() {
            let (sin, cos) = libm::sincos(source.angles_rad[phase]);
            all.push(Tie {
                from: node + 1,
                to: source.reference.map_or(0, |node| node + 1),
                volts: C::new(source.volts[phase] * cos, source.volts[phase] * sin),
                kind: Tied::Source { row, phase },
            });
        }
    }
    for (row, switch) in feeder.switches.iter().enumerate().filter(|(_, s)| s.is_closed) {
        for (conductor, (from, to)) in switch.from.iter().zip(&switch.to).enumerate() {
            let kind = Tied::Switch { row, conductor };
            all.push(Tie {
                from: from + 1,
                to: to + 1,
                volts: zero,
                kind,
            });
        }
    }
    for (row, line) in feeder
        .lines
        .iter()
        .enumerate()
        .filter(|(_, l)| is_connection(&l.r, &l.x))
    {
        for (conductor, (from, to)) in line.from.iter().zip(&line.to).enumerate() {
            let kind = Tied::Line { row, conductor };
            all.push(Tie {
                from: from + 1,
                to: to + 1,
                volts: zero,
                kind,
            });
        }
    }
    all
}

fn contradiction(feeder: &Feeder, tie: &Tie) -> EngineError {
    let element = match tie.kind {
        Tied::Source { row, .. } => feeder.sources[row].name.clone(),
        Tied::Switch { row, .. } => feeder.switches[row].name.clone(),
        Tied::Line { row, .. } => feeder.lines[row].name.clone(),
        Tied::Ground => format!("bus.{}", feeder.node_name(tie.from.max(1) - 1)),
    };
    let message = message!("feeder.contradicting_sources", element = &element);
    EngineError::new("PHYSICS.CONTRADICTING_SOURCES", message).with_details(serde_json::json!({ "element": element }))
}
