//! HVDC links in the conic program: a column with two active injections for each direction, because the loss is paid at
//! the receiving end, and a reactive column at either end for its converter.

use super::program::{Beyond, Column, Open, Output, Program, FIXED_RANGE};
use super::topology::Topology;
use crate::generator_columns::{add_columns, Unit};
use crate::links::{directions, LinkPower};
use wattbook_network::analysis::{AnalysisNetwork, ElementRef, Link};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mvar;

/// The power that a link sends in one direction, or the part of it in one segment of its cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkColumn {
    /// Dense row of the link.
    pub link: usize,
    pub is_reversed: bool,
    /// Sending and delivering node.
    pub nodes: [usize; 2],
    /// Delivered per sent power.
    pub share: f64,
    pub output: Output,
    /// Whether the lower and the upper bound replace a missing limit.
    pub open: [bool; 2],
}

/// The reactive injection of a link into the bus at one of its ends, 0 from and 1 to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkReactive {
    pub link: usize,
    pub end: usize,
    pub node: usize,
    pub output: Output,
}

/// Powers of the links of a network, per unit by dense row, from the values of their columns.
pub(crate) fn link_powers(
    network: &AnalysisNetwork,
    links: &[LinkColumn],
    reactive: &[LinkReactive],
    value: impl Fn(Output) -> f64,
) -> Vec<LinkPower> {
    let mut powers = vec![LinkPower::default(); network.links.len()];
    for column in links {
        let (p, [from, to]) = (value(column.output), &mut powers[column.link].active);
        if column.is_reversed {
            (*from, *to) = (*from - column.share * p, *to - p);
        } else {
            (*from, *to) = (*from + p, *to + column.share * p);
        }
    }
    for (row, link) in network.links_in_service() {
        powers[row].active[1] -= link.loss0_pu;
    }
    for end in reactive {
        powers[end.link].reactive[end.end] = value(end.output);
    }
    powers
}

/// The links that send power in both directions: the relaxation burns it in their losses.
pub(crate) fn circulating(n_links: usize, links: &[LinkColumn], value: impl Fn(Output) -> f64) -> Vec<usize> {
    let mut sent = vec![[0.0; 2]; n_links];
    for column in links {
        sent[column.link][usize::from(column.is_reversed)] += value(column.output);
    }
    let rows = sent.iter().enumerate();
    rows.filter(|(_, sent)| sent[0].min(sent[1]) > CIRCULATES)
        .map(|(row, _)| row)
        .collect()
}

/// Power in both directions above this, per unit, is no rounding error of the interior point.
const CIRCULATES: f64 = 1e-4;

/// Adds the columns of all links in service; `reach` bounds powers without limits.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` of [`directions`]; `SOLVE.INFEASIBLE` for reactive limits that exclude each other.
pub(crate) fn add_links(
    network: &AnalysisNetwork,
    topology: &Topology,
    reach: &[f64],
    program: &mut Program,
    open: &mut Vec<Open>,
    constant: &mut f64,
) -> Result<(Vec<LinkColumn>, Vec<LinkReactive>)> {
    let (mut active, mut reactive) = (Vec::new(), Vec::new());
    for (row, link) in network.links_in_service() {
        let nodes = [link.from, link.to].map(|bus| topology.node_of_bus[bus]);
        for (direction, is_reversed) in directions(network, link)?.into_iter().zip([false, true]) {
            let Some(direction) = direction else { continue };
            let [sending, delivering] = if is_reversed { [nodes[1], nodes[0]] } else { nodes };
            let bus = if is_reversed { link.to } else { link.from };
            let unit = Unit {
                row,
                bus,
                island: topology.island_of_bus[bus],
                limits: [direction.lo, direction.hi],
            };
            let mut columns = Vec::new();
            *constant += add_columns(
                &mut columns,
                unit,
                reach[sending].max(reach[delivering]),
                &direction.cost,
            );
            for c in columns {
                let share = 1.0 - link.loss1;
                let is_open = [c.open_below && c.is_first, c.open_above && c.is_last];
                let mut found = LinkColumn {
                    link: row,
                    is_reversed,
                    nodes: [sending, delivering],
                    share,
                    output: Output::Fixed(0.5 * (c.lo + c.hi)),
                    open: is_open,
                };
                if c.hi - c.lo <= FIXED_RANGE {
                    let at = 0.5 * (c.lo + c.hi);
                    *constant += (c.c + 0.5 * c.q * at) * at;
                } else {
                    let is_loop = sending == delivering;
                    let column = Column {
                        node: sending,
                        part: 0,
                        sign: if is_loop { share - 1.0 } else { -1.0 },
                        beyond: (!is_loop).then(|| Beyond {
                            node: delivering,
                            share,
                            place: topology.place_of(sending, delivering),
                        }),
                        lo: c.lo,
                        hi: c.hi,
                        c: c.c,
                        q: c.q,
                    };
                    found.output = push(program, open, column, is_open);
                }
                active.push(found);
            }
        }
        for (end, node) in nodes.into_iter().enumerate() {
            let [lo, hi] = reactive_limits(network, link, end)?;
            let is_open = [!lo.is_finite(), !hi.is_finite()];
            let lo = if is_open[0] { -reach[node] } else { lo };
            let hi = if is_open[1] { reach[node] } else { hi };
            let output = if hi - lo <= FIXED_RANGE {
                Output::Fixed(0.5 * (lo + hi))
            } else {
                let column = Column {
                    node,
                    part: 1,
                    sign: 1.0,
                    beyond: None,
                    lo,
                    hi,
                    c: 0.0,
                    q: 0.0,
                };
                push(program, open, column, is_open)
            };
            reactive.push(LinkReactive {
                link: row,
                end,
                node,
                output,
            });
        }
    }
    Ok((active, reactive))
}

fn push(program: &mut Program, open: &mut Vec<Open>, column: Column, [below, above]: [bool; 2]) -> Output {
    program.columns.push(column);
    let at = program.columns.len() - 1;
    if below || above {
        open.push(Open {
            column: at,
            node: column.node,
            below,
            above,
        });
    }
    Output::Column(at)
}

fn reactive_limits(network: &AnalysisNetwork, link: &Link, end: usize) -> Result<[f64; 2]> {
    let [lo, hi] = [link.qmin_pu[end], link.qmax_pu[end]];
    if lo <= hi {
        return Ok([lo, hi]);
    }
    let element = ElementRef::from(link);
    let message = message!(
        "socwr.reactive_limits",
        generator = &element,
        lower = mvar(lo * network.base_mva),
        upper = mvar(hi * network.base_mva)
    );
    Err(EngineError::new("SOLVE.INFEASIBLE", message).at(element))
}

impl Topology {
    /// Place of two nodes among the pairs of the factor: those with branches, then those with links only.
    fn place_of(&self, a: usize, b: usize) -> usize {
        let pair = (a.min(b) as u32, a.max(b) as u32);
        let after = |place: usize| self.pairs.len() + place;
        let found = self.pairs.binary_search(&pair);
        found.unwrap_or_else(|_| after(self.link_pairs.partition_point(|other| *other < pair)))
    }
}
