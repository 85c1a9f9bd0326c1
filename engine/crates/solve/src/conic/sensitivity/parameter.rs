//! The parameters of derivatives, as right-hand sides of the differentiated optimality conditions.
//!
//! With `c + H x + A'y + G'z = 0`, `A x = b` and `G x + s = h` a parameter moves them by
//! `r1 = -(c_p + H_p x + A_p'y + G_p'z)`, `r2 = b_p - A_p x`, `r3 = h_p - G_p x`.

use super::entries::{Entries, Entry};
use crate::conic::model::branch_flow::{series_rows, substituted, turned};
use crate::conic::model::formulation::{branch_ref, bus_ref, generator_ref, ConicModel, Cuts, Output};
use crate::conic::model::pair::{lifted_cuts, Band, PairRow};
use crate::conic::model::program::dot4;
use crate::conic::model::topology::NO_NODE;
use crate::conic::model::vectors::Vector;
use crate::conic::result::solution::ConicSolution;
use crate::vocabulary::{not_available, Parameter};
use wattbook_network::analysis::{Cost, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

/// Right-hand sides of a parameter, and its direct effect on results.
pub(crate) struct Perturbation {
    pub rhs: Entries,
    /// First derivative of the objective, $/h.
    pub objective: f64,
    /// Changes of branches' flow coefficients (`P, Q` from, `P, Q` to, over the pair's variables).
    pub flows: Vec<(usize, [[f64; 4]; 4])>,
}

fn refuse(message: Message, element: ElementRef) -> EngineError {
    EngineError::new("SENS.UNSUPPORTED", message).at(element)
}

impl Perturbation {
    /// Second derivative of the objective along a tangent. The slope is the multipliers times the changes of the
    /// constraints plus `x` times those of costs and coefficients; both factors move.
    pub fn curvature(&self, scale: f64, tangent: &Vector) -> f64 {
        -scale * self.rhs.dot(tangent)
    }
}

impl ConicSolution {
    /// The combined perturbation of several parameters by these amounts.
    ///
    /// # Errors
    /// Those of `perturbation`.
    pub(crate) fn perturbations(&self, model: &ConicModel, changes: &[(Parameter, f64)]) -> Result<Perturbation> {
        let mut all = Perturbation {
            rhs: Entries::default(),
            objective: 0.0,
            flows: Vec::new(),
        };
        for &(parameter, by) in changes {
            let one = self.perturbation(model, parameter)?;
            all.rhs.add_all(by, &one.rhs);
            all.objective += by * one.objective;
            all.flows.extend(
                one.flows
                    .into_iter()
                    .map(|(row, rows)| (row, rows.map(|r| r.map(|c| by * c)))),
            );
        }
        Ok(all)
    }

    /// The perturbation of a parameter.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` if the program does not contain the parameter: rows out of service, limits of fixed
    /// quantities, admittances of branches without impedance.
    pub(crate) fn perturbation(&self, model: &ConicModel, parameter: Parameter) -> Result<Perturbation> {
        let (program, v) = (&self.program, &self.point.v);
        let mut rhs = Entries::default();
        let mut direct = 0.0;
        let mut flows = Vec::new();
        let scale = program.cost_scale;
        let node_of = |bus: usize| match model.topology.node_of_bus[bus] {
            NO_NODE => {
                let element = bus_ref(&model.network, bus);
                Err(refuse(message!("ac.not_energised", bus = &element), element))
            }
            node => Ok(node),
        };
        use Parameter as P;
        match parameter {
            P::Demand(bus) => rhs.add(Entry::Y(node_of(bus)?, 0), 1.0),
            P::ReactiveDemand(bus) => rhs.add(Entry::Y(node_of(bus)?, 1), 1.0),
            P::ShuntConductance(bus) => {
                let node = node_of(bus)?;
                rhs.add(Entry::Y(node, 0), v.x[node]);
                rhs.add(Entry::X(node), v.y[node][0]);
            }
            P::ShuntSusceptance(bus) => {
                let node = node_of(bus)?;
                rhs.add(Entry::Y(node, 1), -v.x[node]);
                rhs.add(Entry::X(node), -v.y[node][1]);
            }
            P::Rating(branch) => {
                for k in self.place(model, branch)?.thermal {
                    rhs.add(Entry::Thermal(k, 0), 1.0 / program.thermal[k].scale);
                }
            }
            P::VoltageMin(bus) => self.voltage_limit(model, node_of(bus)?, bus, 0, &mut rhs)?,
            P::VoltageMax(bus) => self.voltage_limit(model, node_of(bus)?, bus, 1, &mut rhs)?,
            P::OutputMin(g) | P::OutputMax(g) => {
                let is_upper = matches!(parameter, P::OutputMax(_));
                let mut segments = model.active.iter().filter(|(c, _)| c.generator == g);
                let found = segments.find(|(c, _)| if is_upper { c.is_last } else { c.is_first });
                self.bound(model, g, found.map(|(_, output)| *output), is_upper, &mut rhs)?;
            }
            P::ReactiveMin(g) | P::ReactiveMax(g) => {
                let is_upper = matches!(parameter, P::ReactiveMax(_));
                let found = model.reactive.iter().find(|(row, _)| *row == g);
                self.bound(model, g, found.map(|(_, output)| *output), is_upper, &mut rhs)?;
            }
            P::CostLinear(g) => {
                direct = self.dispatch[g];
                for k in self.active_columns(model, g)? {
                    rhs.add(Entry::X(program.n + k), -1.0 / scale);
                }
            }
            P::CostQuadratic(g) => {
                if !matches!(model.network.generators[g].cost, Cost::Quadratic { .. }) {
                    let element = generator_ref(&model.network, g);
                    let message = message!("sens.no_quadratic_cost", generator = &element);
                    return Err(refuse(message, element));
                }
                let p = self.dispatch[g];
                direct = p * p;
                for k in self.active_columns(model, g)? {
                    rhs.add(Entry::X(program.n + k), -2.0 * p / scale);
                }
            }
            P::SeriesConductance(branch) | P::SeriesSusceptance(branch) => {
                let place = self.place(model, branch)?;
                let unit = match parameter {
                    P::SeriesConductance(_) => (1.0, 0.0),
                    _ => (0.0, 1.0),
                };
                let rows = series_rows(&model.network.branches[branch], unit);
                let rows = rows.map(|row| substituted(if place.is_turned { turned(row) } else { row }));
                let local = program.local(place.pair, &v.x, &v.u);
                let nodes = program.pairs[place.pair].nodes;
                let ends = if place.is_turned { [nodes[1], nodes[0]] } else { nodes };
                let mut sum = [0.0; 4];
                for end in 0..2 {
                    let (z, t) = (&v.z.thermal[place.thermal[end]], &program.thermal[place.thermal[end]]);
                    for part in 0..2 {
                        let row = &rows[2 * end + part];
                        let moved = dot4(row, &local);
                        rhs.add(Entry::Y(ends[end], part), moved);
                        rhs.add(Entry::Thermal(place.thermal[end], 1 + part), moved / t.scale);
                        let by = v.y[ends[end]][part] + z[1 + part] / t.scale;
                        for c in 0..4 {
                            sum[c] += by * row[c];
                        }
                    }
                }
                rhs.add_local(place.pair, nodes, 1.0, &sum);
                flows.push((branch, rows));
            }
            other => return Err(not_available("any result", &format!("{other:?}"), "socwr")),
        }
        rhs.drop_columns(|variable| program.held.get(variable).is_some_and(Option::is_some));
        let objective = direct - scale * rhs.of_constraints(v);
        Ok(Perturbation { rhs, objective, flows })
    }

    fn place(&self, model: &ConicModel, branch: usize) -> Result<crate::conic::model::bus_pairs::PairBranch> {
        model.branches[branch].ok_or_else(|| {
            let element = branch_ref(&model.network, branch);
            refuse(message!("sens.no_branch_equations", branch = &element), element)
        })
    }

    fn active_columns(&self, model: &ConicModel, g: usize) -> Result<Vec<usize>> {
        if !model.active.iter().any(|(c, _)| c.generator == g) {
            let element = generator_ref(&model.network, g);
            return Err(refuse(message!("ac.out_of_service", element = &element), element));
        }
        let own = model.active.iter().filter(|(c, _)| c.generator == g);
        Ok(own
            .filter_map(|(_, output)| match output {
                Output::Column(k) => Some(*k),
                Output::Fixed(_) => None,
            })
            .collect())
    }

    fn bound(
        &self,
        model: &ConicModel,
        g: usize,
        output: Option<Output>,
        is_upper: bool,
        rhs: &mut Entries,
    ) -> Result<()> {
        let Some(Output::Column(column)) = output else {
            let element = generator_ref(&model.network, g);
            return Err(refuse(message!("sens.fixed_output", generator = &element), element));
        };
        let variable = self.program.n + column;
        let at = self.bound_of(variable, is_upper);
        if let Some(k) = at {
            rhs.add(Entry::Linear(k), if is_upper { 1.0 } else { -1.0 });
        }
        Ok(())
    }

    /// Row of the bound of a variable.
    pub(crate) fn bound_of(&self, variable: usize, is_upper: bool) -> Option<usize> {
        let mut bounds = self.program.bounds.iter();
        bounds.position(|b| b.variable == variable && b.is_upper == is_upper)
    }

    /// Perturbs a limit of a squared voltage, and the cuts of the pairs there.
    fn voltage_limit(&self, model: &ConicModel, node: usize, bus: usize, side: usize, rhs: &mut Entries) -> Result<()> {
        let program = &self.program;
        if program.held[node].is_some() {
            let element = bus_ref(&model.network, bus);
            return Err(refuse(message!("sens.voltage_held", bus = &element), element));
        }
        // At a node of several buses, another bus may have the tighter limit.
        if model.limiting_buses[node][side] != bus {
            return Ok(());
        }
        let limit = program.w_box[node][side].sqrt();
        if let Some(k) = self.bound_of(node, side == 1) {
            rhs.add(Entry::Linear(k), if side == 1 { 2.0 * limit } else { -2.0 * limit });
        }
        if model.cuts == Cuts::None {
            return Ok(());
        }
        let v = &self.point.v;
        let first = program.bounds.len();
        for (k, pair) in program.pairs.iter().enumerate() {
            let Some(end) = pair.nodes.iter().position(|n| *n == node) else {
                continue;
            };
            let [lo, hi] = model.limits[k].angle;
            let local = program.local(k, &v.x, &v.u);
            // The cuts are quadratic in one limit, so a central difference is their exact derivative.
            let at = |step: f64| {
                let mut bands = pair.nodes.map(|n| Band {
                    min: program.w_box[n][0].sqrt(),
                    max: program.w_box[n][1].sqrt(),
                });
                if side == 1 {
                    bands[end].max += step;
                } else {
                    bands[end].min += step;
                }
                lifted_cuts(lo, hi, bands[0], bands[1])
            };
            let rate = |after: PairRow, before: PairRow| PairRow {
                row: std::array::from_fn(|c| after.row[c] - before.row[c]),
                limit: after.limit - before.limit,
            };
            let (after, before) = (at(0.5), at(-0.5));
            for cut in 0..2 {
                let rate = rate(after[cut], before[cut]);
                let row = first + pair.rows.start + 2 + cut;
                let z = v.z.linear[row];
                rhs.add(Entry::Linear(row), rate.limit - dot4(&rate.row, &local));
                rhs.add_local(k, pair.nodes, -z, &rate.row);
            }
        }
        Ok(())
    }
}
