//! Limits on weighted sums of flows, as lines without a flow of their own: a line after an outage, or an interface. After
//! the outage of a generator its output is part of the sum, with a coefficient at a terminal of its own.
//!
//! Such a limit is one-sided, and its excess may have a price: the excess is a column at a bus of its own outside the
//! network, and rows that share the column share the excess.

use super::{DcModel, DcOutline, Line, Stencil};
use crate::generator_columns::{GenColumn, EVERYWHERE};
use crate::topology::NO_ISLAND;
use crate::vocabulary::{Direction, InterfaceBound};
use std::ops::Range;
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;

/// Largest excess in terms of the largest power that the network can move, beyond any use, so that its column has two
/// bounds.
const MOST_EXCESS: f64 = 16.0;

/// A sum of flows and outputs less the excess: `sum_m w_m f_m + sum_g c_g p_g - s`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Combination {
    /// Lines with an impedance, and their weights.
    pub flows: Vec<(usize, f64)>,
    /// Terminals of generators apart (`DcOutline::with_apart`) and their coefficients.
    pub units: Vec<(usize, f64)>,
    /// The bus of the excess.
    pub excess: Option<usize>,
    /// What moves the limit, and by how much.
    pub follows: Option<(Followed, f64)>,
}

/// What a limit of a combination follows: the rating of a branch row, the demand of a bus, or a limit of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    Rating(usize),
    Demand(usize),
    Interface(usize, InterfaceBound),
}

/// An excess that rows may share.
#[derive(Clone, Debug)]
pub(crate) struct NewExcess {
    pub element: ElementRef,
    /// $/h per unit.
    pub penalty: f64,
}

/// A row: an upper limit on a weighted sum of flows and outputs.
#[derive(Clone, Debug)]
pub(crate) struct NewRow {
    pub element: ElementRef,
    pub flows: Vec<(usize, f64)>,
    /// Generators apart, and their coefficients.
    pub units: Vec<(usize, f64)>,
    /// Index into the new excesses.
    pub excess: Option<usize>,
    /// See `Combination::follows`.
    pub follows: Option<(Followed, f64)>,
}

impl DcOutline {
    /// The lines that are combinations, which come last.
    pub(crate) fn combinations(&self) -> Range<usize> {
        self.n_lines..self.lines.len()
    }

    /// The buses outside the network at which excesses are, which come last.
    pub(crate) fn buses_of_excess(&self) -> Range<usize> {
        let count = self.columns.iter().filter(|c| c.is_excess()).count();
        self.n_bus - count..self.n_bus
    }

    /// The weighted sum of a combination for values of its lines.
    pub(crate) fn combined(&self, l: usize, mut value: impl FnMut(usize) -> f64) -> f64 {
        let flows = self.lines[l].combination.iter().flat_map(|c| c.flows.iter());
        flows.map(|&(m, weight)| weight * value(m)).sum()
    }

    /// The combinations that contain a line, with its weight.
    pub(crate) fn containing(&self, line: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let weight = move |l: usize| self.combined(l, |m| f64::from(u8::from(m == line)));
        self.combinations()
            .map(move |l| (l, weight(l)))
            .filter(|(_, weight)| *weight != 0.0)
    }

    /// Whether a branch row is a limit of an interface, which may have either sign.
    pub(crate) fn is_interface(&self, row: usize) -> bool {
        let line = self.line_of_branch[row].map(|l| &self.lines[l]);
        let follows = line.and_then(|line| line.combination.as_ref()?.follows);
        matches!(follows, Some((Followed::Interface(..), _)))
    }

    /// The branch rows whose limits move with the rating of a branch, with their rates: its own, and those of
    /// combinations that follow it.
    pub(crate) fn limits_with(&self, branch: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        std::iter::once((branch, 1.0)).chain(self.following(Followed::Rating(branch)))
    }

    /// The branch rows of combinations whose limits move with a quantity, with their rates.
    pub(crate) fn following(&self, moved: Followed) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.combinations().filter_map(move |l| {
            let (followed, rate) = self.lines[l].combination.as_ref()?.follows?;
            (followed == moved).then_some((self.lines[l].row, rate))
        })
    }

    /// A direction of edits of the network with the limits that follow its ratings, demands and limits of interfaces.
    pub fn with_following(&self, direction: &Direction) -> Direction {
        let ratings = direction.rating.iter();
        let of_ratings =
            ratings.flat_map(|&(branch, d)| self.limits_with(branch).map(move |(row, rate)| (row, rate * d)));
        let of_demands = direction.demand.iter().flat_map(|&(bus, d)| {
            let rows = self.following(Followed::Demand(bus));
            rows.map(move |(row, rate)| (row, rate * d))
        });
        let of_interfaces = direction.interface.iter().flat_map(|&((i, limit), d)| {
            let rows = self.following(Followed::Interface(i, limit));
            rows.map(move |(row, rate)| (row, rate * d))
        });
        Direction {
            rating: of_ratings.chain(of_demands).chain(of_interfaces).collect(),
            ..direction.clone()
        }
    }

    /// The element whose limit a branch row of the program has, and its dense branch row in the network: for a sum of
    /// flows, that of the first; `None` for a sum without flows.
    pub fn limit_of(&self, row: usize) -> (&ElementRef, Option<usize>) {
        let line = self.line_of_branch[row].map(|l| &self.lines[l]);
        let branch = match line.and_then(|line| line.combination.as_ref()) {
            Some(combination) => combination.flows.first().map(|&(l, _)| self.lines[l].row),
            None => Some(row),
        };
        (&self.branch_ids[row], branch)
    }

    /// Buses whose demand may be lost, with the generators that stand for it, by dense row.
    pub fn lost_loads(&self) -> &[(usize, usize)] {
        &self.links.lost_loads
    }

    /// The columns at a terminal or outside the network: those of one generator, which are adjacent.
    pub(crate) fn columns_apart(&self, bus: usize) -> Range<usize> {
        let end = self
            .columns
            .iter()
            .rposition(|column| column.bus == bus)
            .map_or(0, |j| j + 1);
        let others = self.columns[..end].iter().rposition(|column| column.bus != bus);
        others.map_or(0, |j| j + 1)..end
    }

    /// The outputs that a combination adds to its sum of flows, less the excess, from the output of columns.
    pub(crate) fn injected_by(&self, l: usize, p: &[f64]) -> f64 {
        let own = self.direct(l);
        own.map(|(bus, c)| c * p[self.columns_apart(bus)].iter().sum::<f64>())
            .sum()
    }

    /// The terminals of generators apart.
    pub(crate) fn unit_terminals(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let of_links = 2 * self.links.sendings.len();
        self.terminals().skip(of_links)
    }

    /// The column of the excess of a combination.
    pub(crate) fn excess_column(&self, l: usize) -> Option<usize> {
        self.columns_apart(self.lines[l].combination.as_ref()?.excess?).next()
    }

    /// Follows a change of the constant part of a line's flow.
    pub(super) fn move_combinations(&mut self, line: usize, flow: f64) {
        let containing: Vec<_> = self.containing(line).collect();
        for (l, weight) in containing {
            self.lines[l].shift_flow += weight * flow;
            self.stencils[l] = Stencil::new(&self.lines[l]);
        }
    }
}

impl DcModel {
    /// The program with further rows, each a line with a branch row of its own behind those of the program. Their
    /// limits are the ratings of these branch rows.
    pub(crate) fn with_combinations(&self, excesses: &[NewExcess], rows: &[NewRow]) -> Self {
        let mut program = self.clone();
        let DcModel {
            outline,
            elimination_index,
            ..
        } = &mut program;
        let mut columns = std::mem::take(&mut outline.columns);
        let first_bus = outline.n_bus;
        for excess in excesses {
            columns.push(GenColumn {
                generator: outline.n_gen,
                bus: outline.n_bus,
                island: NO_ISLAND,
                lo: 0.0,
                hi: MOST_EXCESS * outline.capacity.max(1.0),
                c: excess.penalty,
                q: 0.0,
                beside: (excess.penalty, 0.0),
                segment: EVERYWHERE,
                is_first: true,
                is_last: true,
                open_below: false,
                open_above: false,
            });
            outline.n_gen += 1;
            outline.gen_ids.push(excess.element.clone());
            outline.zero_impedance.node_of_bus.push(outline.n_bus);
            outline.n_bus += 1;
            outline.bus_ids.push(excess.element.clone());
            outline.island_of_bus.push(NO_ISLAND);
            outline.inverse_diagonal.push(0.0);
            outline.fixed_demand.push(0.0);
            elimination_index.push(NO_ISLAND);
        }
        for row in rows {
            // A generator without a column has no output.
            let terminal = |generator: usize| columns.iter().find(|column| column.generator == generator);
            let units = row.units.iter();
            let units = units.filter_map(|&(generator, c)| Some((terminal(generator)?.bus, c)));
            let units: Vec<(usize, f64)> = units.collect();
            let first_flow = row.flows.first().map(|&(l, _)| outline.lines[l].from);
            let Some(place) = first_flow.or_else(|| units.first().map(|unit| unit.0)) else {
                continue;
            };
            let shift_flow = row.flows.iter().map(|&(m, w)| w * outline.lines[m].shift_flow);
            let line = Line {
                row: outline.n_branch,
                // Of its ends only the island counts.
                from: place,
                to: place,
                b: 0.0,
                shift_flow: shift_flow.sum(),
                angle_min: f64::NEG_INFINITY,
                angle_max: f64::INFINITY,
                limits_follow_shift: false,
                shift_room: [f64::INFINITY; 2],
                merged: None,
                tie: None,
                combination: Some(Arc::new(Combination {
                    flows: row.flows.clone(),
                    units,
                    excess: row.excess.map(|k| first_bus + k),
                    follows: row.follows,
                })),
            };
            outline.n_branch += 1;
            outline.branch_ids.push(row.element.clone());
            outline.line_of_branch.push(Some(outline.lines.len()));
            outline.lines.push(line);
        }
        let scale = self.cost_scale;
        program.set_columns(columns);
        program.cost_scale = scale;
        program
    }
}
