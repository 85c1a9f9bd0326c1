//! An analysed feeder: unknowns, elements, factored admittance matrix.

mod data;
mod linear;

pub use data::McData;
use linear::Linear;

use crate::mc::elements::load::{current, nominal_admittance};
use crate::mc::elements::transformer::Transformer;
use crate::mc::elements::{invert, Lines, Shunts};
use crate::mc::unknowns::islands::{energised, galvanic};
use crate::mc::unknowns::slots::{Slots, Unknowns};
use crate::mc::unknowns::ties::{is_connection, Ties};
use crate::mc::voltages::McVoltages;
use crate::mc::{failure, magnitude, size, C};
use wattbook_network::error::Result;
use wattbook_network::feeder::{Feeder, FeederLine, LoadBranch, LoadLaw, VoltageBand};
use wattbook_sparse::{TreeFactors, TreeOrder};

/// A load branch in the network.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub load: usize,
    pub phase: usize,
    pub band: Option<VoltageBand>,
    pub branch: LoadBranch,
    pub slots: [u32; 2],
    /// Admittance in the matrix, for the feeder's original loads.
    pub admittance: C,
    /// Whether a source reaches it.
    pub is_supplied: bool,
}

/// Everything about a feeder that does not depend on edits of its loads.
#[derive(Clone, Debug)]
pub struct McModel {
    pub(crate) feeder: Feeder,
    pub(crate) ties: Ties,
    /// By node.
    pub(crate) is_live: Vec<bool>,
    pub(crate) slots: Slots,
    /// First node of each unknown.
    pub(crate) node_of: Vec<usize>,
    pub(crate) linear: Linear,
    /// The ends of `linear.line_shunts`: row of the line, and 0 for its from end or 1 for its to end.
    pub(crate) line_ends: Vec<(u32, usize)>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) factors: TreeFactors,
    /// By unknown: voltages with loads as their nominal impedances, V.
    pub(crate) start: Vec<C>,
    /// By slot of an unknown: largest voltage at its bus in `start`, at least 1 V.
    pub(crate) base: Vec<f64>,
    /// By slot of an unknown: rounding error of its current balance, A.
    pub(crate) rounding: Vec<f64>,
}

impl McModel {
    /// Analyses and factors a feeder.
    ///
    /// # Errors
    /// `PHYSICS.CONTRADICTING_SOURCES`; `PHYSICS.UNGROUNDED` naming terminals whose voltage to ground is undetermined;
    /// `INPUT.SINGULAR_IMPEDANCE` for a line whose impedance matrix has no inverse.
    pub fn new(feeder: Feeder) -> Result<Self> {
        let ties = Ties::new(&feeder)?;
        let is_live: Vec<bool> = energised(&feeder, &ties).split_off(1);
        let unknowns = Unknowns::new(&feeder, &ties, &is_live);
        let order = TreeOrder::new(&unknowns.joined(&feeder), &unknowns.group);
        let slots = Slots::new(&unknowns, order.order(), &ties, &is_live);
        let node_of = unknowns.node;
        let sizes = feeder.lines.iter().map(|line| (line.from.len(), line.r.len()));
        let (nodes, entries) = sizes.fold((0, 0), |sum, of_line| (sum.0 + of_line.0, sum.1 + of_line.1));
        let count = feeder.lines.len();
        let mut lines = Lines::with_room(count, 2 * nodes, entries);
        let mut line_shunts = Shunts::with_room(2 * count, 2 * nodes, 2 * entries);
        let mut line_ends = Vec::with_capacity(2 * count);
        for (row, line) in feeder.lines.iter().enumerate() {
            let impedance = complex(&line.r, &line.x);
            let y = lines.push(slots.at(&line.from), slots.at(&line.to), impedance);
            invert_series(line, y)?;
            let ends = [
                (&line.from, &line.g_from, &line.b_from),
                (&line.to, &line.g_to, &line.b_to),
            ];
            for (end, (nodes, g, b)) in ends.into_iter().enumerate() {
                if g.iter().chain(b).any(|y| *y != 0.0) {
                    line_shunts.push(slots.at(nodes), complex(g, b));
                    line_ends.push((row as u32, end));
                }
            }
        }
        let mut shunts = Shunts::with_room(feeder.shunts.len(), 0, 0);
        feeder
            .shunts
            .iter()
            .for_each(|s| shunts.push(slots.at(&s.nodes), complex(&s.g, &s.b)));
        let of_feeder = feeder.transformers.iter();
        let transformers: Vec<Transformer> = of_feeder.map(|t| Transformer::new(t, &slots.of_node)).collect();
        let branches = branches(&feeder, &slots, &is_live);

        let linear = Linear {
            lines,
            line_shunts,
            shunts,
            transformers,
        };
        let factors = linear
            .factor(&slots, order, branches.iter().map(|b| (b.slots, b.admittance)))
            .or_else(|singular| {
                // Some conductors may be connected only by loads that inject power.
                let unknowns = Unknowns::new(&feeder, &ties, &is_live);
                let order = TreeOrder::new(&unknowns.joined(&feeder), &unknowns.group);
                let all = branches
                    .iter()
                    .map(|b| (b.slots, nominal_admittance(&b.branch, power(&b.branch))));
                linear.factor(&slots, order, all).map_err(|_| singular)
            })
            .map_err(|singular| failure::ungrounded(&feeder, &galvanic(&feeder, &ties), node_of[singular.row]))?;

        let mut model = Self {
            start: vec![C::default(); node_of.len()],
            base: Vec::new(),
            rounding: Vec::new(),
            feeder,
            ties,
            is_live,
            slots,
            node_of,
            linear,
            line_ends,
            branches,
            factors,
        };
        model.start();
        model.scale();
        Ok(model)
    }

    /// The feeder of this model.
    pub fn feeder(&self) -> &Feeder {
        &self.feeder
    }

    /// Number of unknown voltages.
    pub fn unknowns(&self) -> usize {
        self.node_of.len()
    }

    /// By node: whether a source reaches it.
    pub fn is_energised(&self) -> &[bool] {
        &self.is_live
    }

    /// Voltages to ground by node, V, zero for nodes that are not energised; `None` if the voltages are of another
    /// feeder.
    pub fn by_node(&self, found: &McVoltages) -> Option<Vec<C>> {
        (found.unknowns.len() == self.unknowns()).then(|| self.voltages(&found.unknowns))
    }

    /// Voltages by node, zero for nodes that are not energised.
    pub(crate) fn voltages(&self, x: &[C]) -> Vec<C> {
        let u = self.slots.voltages(x);
        self.slots.of_node.iter().map(|&slot| u[slot as usize]).collect()
    }

    /// Voltages with every load as the impedance that draws its power at nominal voltage.
    fn start(&mut self) {
        let mut u = self.slots.voltages(&self.start);
        let mut leaving = vec![C::default(); u.len()];
        self.linear.leave(&u, &mut leaving);
        for b in &self.branches {
            let [a, z] = b.slots.map(|slot| slot as usize);
            let current = b.admittance * (u[a] - u[z]);
            leaving[a] += current;
            leaving[z] -= current;
        }
        self.slots.fold(&mut leaving);
        let unknowns = self.unknowns();
        u[..unknowns]
            .iter_mut()
            .zip(&leaving)
            .for_each(|(u, leaving)| *u = -leaving);
        self.factors.solve(&mut u[..unknowns]);
        self.start = self.slots.unknowns(&u);
    }

    fn scale(&mut self) {
        let u = self.slots.voltages(&self.start);
        let size_of: Vec<f64> = u.into_iter().map(magnitude).collect();
        let mut of_bus = vec![1.0; self.feeder.buses.len()];
        for (node, &slot) in self.feeder.nodes.iter().zip(&self.slots.of_node) {
            let base: &mut f64 = &mut of_bus[node.bus];
            *base = base.max(size_of[slot as usize]);
        }
        let bus = |unknown: &u32| self.feeder.nodes[self.node_of[*unknown as usize]].bus;
        self.base = self.slots.order.iter().map(|unknown| of_bus[bus(unknown)]).collect();
        let mut products = vec![0.0; size_of.len()];
        self.linear.products(&size_of, &mut products);
        for b in &self.branches {
            let sum = size(b.admittance) * b.slots.iter().map(|&slot| size_of[slot as usize]).sum::<f64>();
            b.slots.iter().for_each(|&slot| products[slot as usize] += sum);
        }
        self.slots.fold(&mut products);
        products.truncate(self.unknowns());
        self.rounding = products.into_iter().map(|product| f64::EPSILON * product).collect();
    }

    /// Factors with the nominal admittances of all loads, including those that inject power. `None` if no load injects
    /// or the matrix is singular.
    pub(crate) fn factors_with_injections(&self, data: &McData) -> Option<TreeFactors> {
        let power = |row: usize| {
            let [p, q] = data.of_branch(row);
            C::new(p, q)
        };
        let left_out = |b: &Branch| b.admittance == C::default() && b.is_supplied;
        let mut rows = self.branches.iter().enumerate();
        if !rows.any(|(row, b)| left_out(b) && power(row) != C::default()) {
            return None;
        }
        let unknowns = Unknowns::new(&self.feeder, &self.ties, &self.is_live);
        let order = TreeOrder::new(&unknowns.joined(&self.feeder), &unknowns.group);
        let loads = self.branches.iter().enumerate();
        let loads = loads.map(|(row, b)| (b.slots, nominal_admittance(&b.branch, power(row))));
        self.linear.factor(&self.slots, order, loads).ok()
    }

    /// Calls `add` with the row, the slots and the current of each supplied load branch, with the share `part` of its
    /// power.
    ///
    /// # Errors
    /// `PHYSICS.NO_VOLTAGE`.
    pub(crate) fn load_currents(
        &self,
        data: &McData,
        part: f64,
        u: &[C],
        mut add: impl FnMut(usize, [usize; 2], C),
    ) -> Result<()> {
        for (row, b) in self.branches.iter().enumerate().filter(|(_, b)| b.is_supplied) {
            let [p, q] = data.of_branch(row);
            let [a, z] = b.slots.map(|slot| slot as usize);
            let current = current(&b.branch, b.band, part * C::new(p, q), u[a] - u[z])
                .map_err(|_| failure::no_voltage(&self.feeder.loads[b.load].name))?;
            add(row, [a, z], current);
        }
        Ok(())
    }
}

fn complex<'a>(re: &'a [f64], im: &'a [f64]) -> impl Iterator<Item = C> + 'a {
    re.iter().zip(im).map(|(&re, &im)| C::new(re, im))
}

/// Inverts the series impedance matrix `z` of a line; that of a pure connection becomes zero.
///
/// # Errors
/// `INPUT.SINGULAR_IMPEDANCE`.
fn invert_series(line: &FeederLine, z: &mut [C]) -> Result<()> {
    if is_connection(&line.r, &line.x) {
        z.fill(C::default());
        return Ok(());
    }
    invert(z, line.from.len()).ok_or_else(|| failure::singular_impedance(&line.name))
}

/// Power of a branch at nominal voltage in the original case, VA.
fn power(branch: &LoadBranch) -> C {
    C::new(branch.p_w, branch.q_var)
}

fn branches(feeder: &Feeder, slots: &Slots, is_live: &[bool]) -> Vec<Branch> {
    let mut out = Vec::with_capacity(feeder.loads.iter().map(|load| load.branches.len()).sum());
    for (load, l) in feeder.loads.iter().enumerate() {
        for (phase, b) in l.branches.iter().enumerate() {
            let is_supplied = b.nodes.iter().flatten().any(|&node| is_live[node]);
            // Injected power would reduce the diagonal.
            let admittance = match b.p_w >= 0.0 || b.law == LoadLaw::Impedance {
                true => nominal_admittance(b, power(b)),
                false => C::default(),
            };
            out.push(Branch {
                load,
                phase,
                band: l.band,
                branch: b.clone(),
                slots: b
                    .nodes
                    .map(|node| node.map_or(slots.ground(), |node| slots.of_node[node])),
                admittance,
                is_supplied,
            });
        }
    }
    out
}
