//! Bus pairs of a network: flows, limits and cones of the branches between two nodes.

use super::branch_flow::{flow_rows, substituted, turned};
use super::data::rating;
use super::element_refs::branch_ref;
use super::pair::{angle_rows, lifted_cuts, Band, Cuts};
use super::program::{Boost, Pair, Program, Thermal};
use super::topology::{has_impedance, Topology, NO_NODE};
use wattbook_network::analysis::{AnalysisNetwork, Branch};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Largest boost of a Jabr cone.
const LARGEST_BOOST: f64 = 1e4;

/// The branches that determine the angle-difference limits of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairLimits {
    pub angle: [f64; 2],
    /// Dense rows of the branches that set the lower and the upper limit.
    pub set_by: [usize; 2],
}

/// A branch with impedance between two nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairBranch {
    pub pair: usize,
    /// Whether the pair's first node is the branch's to end.
    pub is_turned: bool,
    /// Its cones at the from end and the to end.
    pub thermal: [usize; 2],
}

pub(crate) type Pairs = (Vec<Option<PairBranch>>, Vec<PairLimits>);

/// Adds pairs with their rows and cones, and the shunts of branches whose ends are one node.
pub(crate) fn add_pairs(
    network: &AnalysisNetwork,
    topology: &Topology,
    cuts: Cuts,
    program: &mut Program,
) -> Result<Pairs> {
    let mut of_pair: Vec<Vec<usize>> = vec![Vec::new(); topology.pairs.len()];
    for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
        let (f, t) = (topology.node_of_bus[b.from], topology.node_of_bus[b.to]);
        if f == NO_NODE || t == NO_NODE {
            continue;
        }
        if f == t {
            add_loop(b, f, program);
        } else if let Ok(pair) = topology.pairs.binary_search(&(f.min(t) as u32, f.max(t) as u32)) {
            of_pair[pair].push(row);
        }
    }
    let mut branches = vec![None; network.branches.len()];
    let mut limits = Vec::with_capacity(of_pair.len());
    for (k, (members, &(f, t))) in of_pair.iter().zip(&topology.pairs).enumerate() {
        let nodes = [f as usize, t as usize];
        let mut flow = [[0.0; 4]; 4];
        let first_thermal = program.thermal.len();
        let mut limit = PairLimits {
            angle: [f64::NEG_INFINITY, f64::INFINITY],
            set_by: [members[0]; 2],
        };
        let (mut impedance, mut largest) = (f64::INFINITY, None);
        for &row in members {
            let b = &network.branches[row];
            let is_turned = topology.node_of_bus[b.from] != nodes[0];
            let [least, most] = b.finite_angle_limits_rad();
            let own = match is_turned {
                false => [least, most],
                true => [-most, -least],
            };
            if own[0] > limit.angle[0] {
                (limit.angle[0], limit.set_by[0]) = (own[0], row);
            }
            if own[1] < limit.angle[1] {
                (limit.angle[1], limit.set_by[1]) = (own[1], row);
            }
            let rows = flow_rows(b).map(|r| substituted(if is_turned { turned(r) } else { r }));
            let ends = if is_turned { [1, 0] } else { [0, 1] };
            for (place, end) in ends.into_iter().enumerate() {
                for part in 0..2 {
                    for c in 0..4 {
                        flow[2 * place + part][c] += rows[2 * end + part][c];
                    }
                }
            }
            let rated = rating(network, b);
            for end in 0..2 {
                program.thermal.push(Thermal {
                    branch: row,
                    end,
                    p: rows[2 * end],
                    q: rows[2 * end + 1],
                    limit: rated,
                    scale: rated,
                    inverse: 1.0 / rated,
                    elastic: None,
                    is_rated: !b.rating_is_fallback,
                });
            }
            impedance = impedance.min((b.r_pu * b.r_pu + b.x_pu * b.x_pu).sqrt());
            if !b.rating_is_fallback {
                largest = Some(b.rating_pu.max(largest.unwrap_or(0.0)));
            }
            branches[row] = Some(PairBranch {
                pair: k,
                is_turned,
                thermal: [program.thermal.len() - 2, program.thermal.len() - 1],
            });
        }
        let [lo, hi] = limit.angle;
        if lo > hi {
            let [a, b] = limit.set_by.map(|row| branch_ref(network, row));
            let message = message!("socwr.angle_limits", branches = vec![&a, &b]);
            return Err(EngineError::new("SOLVE.INFEASIBLE", message).at(a));
        }
        let first_row = program.rows.len();
        program.rows.extend(angle_rows(lo, hi));
        if cuts == Cuts::Lifted {
            let band = |node: usize| Band {
                min: program.w_box[node][0].sqrt(),
                max: program.w_box[node][1].sqrt(),
            };
            program.rows.extend(lifted_cuts(lo, hi, band(nodes[0]), band(nodes[1])));
        }
        let size = largest.unwrap_or(1.0).max(0.1);
        program.pairs.push(Pair {
            nodes,
            flow,
            rows: first_row..program.rows.len(),
            thermal: first_thermal..program.thermal.len(),
            boost: Boost::new((2.0 / (impedance * size)).clamp(1.0, LARGEST_BOOST)),
        });
        limits.push(limit);
    }
    Ok((branches, limits))
}

/// A branch whose ends are one node acts as a shunt there.
fn add_loop(b: &Branch, node: usize, program: &mut Program) {
    let drawn = loop_power(b);
    program.shunt[node][0] -= drawn[0] + drawn[2];
    program.shunt[node][1] -= drawn[1] + drawn[3];
}

/// Powers into the ends of a branch whose ends are one node, at 1 pu.
pub(crate) fn loop_power(b: &Branch) -> [f64; 4] {
    if !has_impedance(b) {
        let ([g_from, b_from], [g_to, b_to]) = (b.shunt_from_pu, b.shunt_to_pu);
        return [g_from, -b_from, g_to, -b_to];
    }
    flow_rows(b).map(|row| row[0] + row[1] + row[2])
}
