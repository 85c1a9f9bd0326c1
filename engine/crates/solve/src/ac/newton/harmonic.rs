//! The harmonic start, which does not use the voltages of the source.

use super::equations::{Equations, SlackRule, Voltages};
use crate::ac::model::analysis::{AcData, AcModel};
use crate::ac::model::topology::{NodeKind, NO_NODE};
use wattbook_network::error::Result;
use wattbook_sparse::{BlockLu, BlockRows};

/// Angles come from a DC power flow with `b = 1 / (x tau)`, including shifts and shunt conductances (MATPOWER manual,
/// section 3.7), with the imbalance of an island distributed as slack is. Magnitudes minimise `sum (|V_f| / tau -
/// |V_t|)^2 / |z|` for the given controlled magnitudes. One factorisation serves both: each diagonal block has one
/// entry of each.
///
/// From a flat start, a load bus at 1 pu next to a set-point of 1.03 pu behind 1e-5 pu would have a mismatch of
/// thousands of per unit.
pub(crate) fn harmonic(equations: &Equations) -> Voltages {
    let model = equations.model;
    let n = equations.kinds.len();
    let y = &model.admittance;
    let mut blocks = vec![[0.0; 4]; y.columns.len()];
    let mut diagonal = vec![[0.0; 4]; n];
    let mut x: Vec<[f64; 2]> = equations.specified.iter().map(|s| [s.re, 0.0]).collect();
    for (x, current) in x.iter_mut().zip(&equations.constant_current) {
        x[0] -= current.re;
    }
    for (bus, shunt) in model.shunts.iter().enumerate().filter(|(bus, _)| model.energised(*bus)) {
        x[model.node_of_bus[bus]][0] -= shunt.re;
    }
    if equations.rule == SlackRule::Distributed {
        let mut missing = vec![0.0; model.references.len()];
        for (x, &island) in x.iter().zip(&model.island_of_node) {
            missing[island] -= x[0];
        }
        for (node, x) in x.iter_mut().enumerate() {
            x[0] += model.participation[node] * missing[model.island_of_node[node]];
        }
    }
    for branch in model
        .branches
        .iter()
        .filter(|b| !b.is_merged() && b.nodes[0] != b.nodes[1])
    {
        let ([f, t], tap) = (branch.nodes, branch.data.tap);
        let (b, w) = (1.0 / (branch.reactance * tap), 1.0 / branch.impedance);
        let turned = b * libm::atan2(branch.data.shift.im, branch.data.shift.re);
        x[f][0] += turned;
        x[t][0] -= turned;
        diagonal[f][0] += b;
        diagonal[t][0] += b;
        diagonal[f][3] += w / (tap * tap);
        diagonal[t][3] += w;
        for (row, column) in [(f, t), (t, f)] {
            let range = y.range(row);
            if let Ok(at) = y.columns[range.clone()].binary_search(&(column as u32)) {
                blocks[range.start + at][0] -= b;
                blocks[range.start + at][3] -= w / tap;
            }
        }
    }
    for node in 0..n {
        let is_reference = equations.kinds[node] == NodeKind::Reference;
        if is_reference {
            x[node][0] = model.stored[node].1;
            diagonal[node][0] = 1.0;
        }
        if equations.holds_voltage(node) {
            x[node][1] = equations.set_point[node];
            diagonal[node][3] = 1.0;
            for block in &mut blocks[y.range(node)] {
                block[3] = 0.0;
                if is_reference {
                    block[0] = 0.0;
                }
            }
        }
    }
    let matrix = BlockRows {
        start: &y.start,
        columns: &y.columns,
        blocks: &blocks,
        diagonal: &diagonal,
    };
    let solved = BlockLu::factor(&model.pattern, &matrix).map(|lu| lu.solve(&model.pattern, &mut x));
    let usable = |x: &[f64; 2]| x[0].is_finite() && x[1] > 0.0;
    if solved.is_err() || !x.iter().all(usable) {
        // If reactances cancel, the start is flat.
        for (node, x) in x.iter_mut().enumerate() {
            let (reference, _) = model.references[model.island_of_node[node]];
            *x = [model.stored[reference].1, equations.set_point[node]];
        }
    }
    Voltages::new(
        x.iter().map(|x| x[1]).collect(),
        x.iter().map(|x| x[0]).collect(),
        model.references.len(),
    )
}

impl AcModel {
    /// Magnitude (pu) and angle (rad) of each bus at the harmonic start; 1 pu and angle 0 for buses that are not
    /// energised.
    ///
    /// # Errors
    /// The data errors of `solve`.
    pub fn start(&self, data: &AcData, slack: SlackRule) -> Result<Vec<(f64, f64)>> {
        let voltages = harmonic(&Equations::new(self, data, slack)?);
        let at = |&node: &usize| match node {
            NO_NODE => (1.0, 0.0),
            node => (voltages.magnitude[node], voltages.angle[node]),
        };
        Ok(self.node_of_bus.iter().map(at).collect())
    }
}
