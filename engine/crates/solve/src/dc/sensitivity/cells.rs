//! Matrices of derivatives of operands with respect to parameters: forward (one solve per column) or adjoint (one solve
//! per row).

use super::perturbation::{is_affine, Perturbation};
use super::tangent::Tangent;
use super::{Warrant, WarrantKind};
use crate::dc::basis::kkt::Status;
use crate::dc::model::DcModel;
use crate::dc::result::solution::DcSolution;
use crate::vocabulary::{not_available, BranchEnd, Operand, Parameter};
use wattbook_network::error::{EngineError, Result};

/// Derivatives of operands with respect to parameters, in the internal units of both.
#[derive(Clone, Debug)]
pub struct Cells {
    /// `values[r][c]` is the derivative of operand `r` with respect to parameter `c`.
    pub values: Vec<Vec<f64>>,
    /// One warrant per column.
    pub warrants: Vec<Warrant>,
}

impl DcSolution {
    /// One solve of the KKT system per parameter, with the interval in which each column is exact. If the optimum is
    /// not affine in a parameter, the interval is the point itself.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for operands and parameters that DC OPF does not have.
    pub fn cells_forward(&self, model: &DcModel, operands: &[Operand], parameters: &[Parameter]) -> Result<Cells> {
        let mut values = vec![Vec::with_capacity(parameters.len()); operands.len()];
        let mut warrants = Vec::with_capacity(parameters.len());
        for &parameter in parameters {
            let change = Perturbation::of_parameter(self, model, parameter)?;
            let tangent = self.tangent(model, &change);
            for (row, &operand) in values.iter_mut().zip(operands) {
                row.push(read(model, &tangent, operand)?);
            }
            let mut warrant = self.warrant(model, &change, &tangent, self.edit_limit(model, parameter));
            if !is_affine(parameter) {
                warrant = warrant.at_the_point();
            }
            warrants.push(warrant);
        }
        Ok(Cells { values, warrants })
    }

    fn edit_limit<'a>(&self, model: &'a DcModel, parameter: Parameter) -> Option<super::warrant::EditLimit<'a>> {
        match parameter {
            Parameter::Demand(bus) if self.data.demand[bus] > 0.0 => {
                Some((&model.bus_ids[bus], self.data.demand[bus], 1.0))
            }
            Parameter::Rating(branch) => Some((&model.branch_ids[branch], self.data.rating[branch], 1.0)),
            _ => None,
        }
    }

    /// One solve of the transposed (and symmetric) KKT system per operand; every column is then a product. The range of
    /// the active set is not examined, so the warrants cover only the point.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for operands and parameters that DC OPF does not have.
    pub fn cells_adjoint(&self, model: &DcModel, operands: &[Operand], parameters: &[Parameter]) -> Result<Cells> {
        let changes = parameters.iter().map(|&p| Perturbation::of_parameter(self, model, p));
        let changes: Vec<Perturbation> = changes.collect::<Result<_>>()?;
        let values = operands.iter().map(|&operand| {
            let adjoint = self.adjoint(model, operand)?;
            let sign = sign(operand);
            Ok(changes
                .iter()
                .map(|change| sign * adjoint.times(self, change))
                .collect())
        });
        let point = Warrant {
            kind: WarrantKind::Regular,
            lower: None,
            upper: None,
            residual: 0.0,
            point_only: true,
        };
        Ok(Cells {
            values: values.collect::<Result<_>>()?,
            warrants: vec![point; parameters.len()],
        })
    }

    /// Derivatives of a weighted sum of prices, `sum_b weight_b price_b`, with respect to parameters: one solve of the
    /// transposed KKT system, in $/h per unit by the parameters' internal units. Buses outside the model are ignored.
    /// If the optimum is not regular (`is_regular`), the derivatives are those of its active set.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for parameters that DC OPF does not have.
    pub fn price_gradient(
        &self,
        model: &DcModel,
        weights: &[(usize, f64)],
        parameters: &[Parameter],
    ) -> Result<Vec<f64>> {
        let adjoint = self.respond(model, self.price_loads(model, weights));
        let by = |&parameter: &Parameter| Ok(adjoint.times(self, &Perturbation::of_parameter(self, model, parameter)?));
        parameters.iter().map(by).collect()
    }

    /// Whether all slacks and multipliers differ from zero at the optimum, so that every derivative exists on both
    /// sides.
    pub fn is_regular(&self, model: &DcModel) -> bool {
        const TOLERANCE: f64 = 1e-9;
        let columns = model.columns.iter().enumerate().all(|(j, c)| match self.status[j] {
            Status::Free => c.hi - self.p[j] > TOLERANCE && self.p[j] - c.lo > TOLERANCE,
            _ if c.hi == c.lo => true,
            _ => ((c.c + c.q * self.p[j] - self.price[c.bus]) / model.cost_scale).abs() > TOLERANCE,
        });
        columns
            && model
                .lines
                .iter()
                .enumerate()
                .all(|(l, line)| match self.rows.row_of_line[l] {
                    _ if line.tie.is_some() => true,
                    Some(row) if self.side[row] != 0 => (self.y[row] / model.cost_scale).abs() > TOLERANCE,
                    _ => {
                        let (lo, hi) = line.limits(self.data.rating[line.row]);
                        let value = self.row_value(line);
                        hi - value > TOLERANCE && value - lo > TOLERANCE
                    }
                })
    }

    /// The adjoint of an operand; a flow is that at the from end.
    fn adjoint(&self, model: &DcModel, operand: Operand) -> Result<Adjoint> {
        Ok(self.respond(model, self.loads(model, operand)?))
    }

    /// A weighted sum of prices as a right-hand side.
    fn price_loads(&self, model: &DcModel, weights: &[(usize, f64)]) -> Loads {
        let weights: Vec<(usize, f64)> = weights
            .iter()
            .copied()
            .filter(|&(bus, _)| model.bus_is_active(bus))
            .collect();
        let mut loads = Loads::new(self.active.len(), model.columns.len());
        let mut by_island = vec![0.0; self.rows.n_islands];
        for &(bus, w) in &weights {
            by_island[model.island_of_bus[bus]] += w;
        }
        let x = angles_from(model, &weights);
        for (out, &row) in loads.rows.iter_mut().zip(&self.active) {
            *out = model.cost_scale
                * match row.checked_sub(self.rows.n_islands) {
                    None => by_island[row],
                    Some(k) => {
                        let pooled = &self.rows.lazy[k];
                        let on_sides: f64 = weights.iter().map(|&(b, w)| w * on_side(model, pooled.line, b)).sum();
                        let own = across(model, pooled.line, &x) + on_sides;
                        own - pooled.kappa * by_island[pooled.island]
                    }
                };
        }
        loads.potential = x;
        loads
    }

    /// An operand as a right-hand side.
    fn loads(&self, model: &DcModel, operand: Operand) -> Result<Loads> {
        let mut loads = Loads::new(self.active.len(), model.columns.len());
        match operand {
            Operand::Price(bus) if model.bus_is_active(bus) => return Ok(self.price_loads(model, &[(bus, 1.0)])),
            Operand::Dispatch(generator) => {
                for (out, column) in loads.columns.iter_mut().zip(&model.columns) {
                    *out = f64::from(u8::from(column.generator == generator));
                }
            }
            Operand::Flow(branch, _) => {
                if let Some(l) = model.line_of_branch[branch] {
                    if model.lines[l].carries_flow() {
                        loads.injection = model.shift_factors_everywhere(l);
                        loads.flow = Some(l);
                    }
                }
            }
            Operand::Angle(bus) if model.bus_is_active(bus) => loads.injection = angles_from(model, &[(bus, 1.0)]),
            Operand::Price(_) | Operand::Angle(_) => {}
            other => return Err(no_result(other)),
        }
        if !loads.injection.is_empty() {
            for (out, column) in loads.columns.iter_mut().zip(&model.columns) {
                *out = loads.injection[column.bus];
            }
        }
        Ok(loads)
    }

    /// Solves the transposed KKT system.
    fn respond(&self, model: &DcModel, loads: Loads) -> Adjoint {
        let n_columns = model.columns.len();
        let Loads {
            rows: on_rows,
            columns: on_columns,
            potential: on_potential,
            injection: on_injection,
            flow: on_flow,
        } = loads;
        let q: Vec<f64> = model.columns.iter().map(|g| g.q / model.cost_scale).collect();
        let (rows, columns) = self.system.solve(model, &self.rows, &q, &on_rows, &on_columns);
        let mut row_of_line = vec![0.0; model.lines.len()];
        let mut island = vec![0.0; self.rows.n_islands];
        let mut through_rows = vec![0.0; n_columns];
        let mut weights = vec![0.0; model.n_bus];
        let mut direct = vec![0.0; model.n_bus];
        for (&row, &u) in self.active.iter().zip(&rows) {
            self.rows.add_scaled(row, u, &mut through_rows);
            match row.checked_sub(self.rows.n_islands) {
                None => island[row] += u,
                Some(k) => {
                    let pooled = &self.rows.lazy[k];
                    row_of_line[pooled.line] = u;
                    island[pooled.island] -= u * pooled.kappa;
                    for (o, c) in model.terms(pooled.line) {
                        weights[model.lines[o].from] += u * c;
                        weights[model.lines[o].to] -= u * c;
                    }
                    for (bus, coefficient) in model.direct(pooled.line) {
                        direct[bus] += u * coefficient;
                    }
                }
            }
        }
        let through_angles = model.angles(&weights);
        let mut by_cost = vec![0.0; model.n_bus];
        for (column, v) in model.columns.iter().zip(&columns) {
            by_cost[column.bus] += v / model.cost_scale;
        }
        let cost_potential = model.angles(&by_cost);
        let bus = |b: usize, direct: &[f64]| direct.get(b).copied().unwrap_or(0.0);
        Adjoint {
            injection: (0..model.n_bus)
                .map(|b| {
                    let balance = if model.bus_is_active(b) {
                        island[model.island_of_bus[b]]
                    } else {
                        0.0
                    };
                    bus(b, &on_injection) - balance - through_angles[b] - direct[b]
                })
                .collect(),
            potential: (0..model.n_bus)
                .map(|b| bus(b, &on_potential) - cost_potential[b])
                .collect(),
            cost: columns.iter().map(|v| v / model.cost_scale).collect(),
            bound: on_columns
                .iter()
                .zip(&through_rows)
                .map(|(own, rows)| own - rows)
                .collect(),
            row_of_line,
            flow_of: on_flow,
        }
    }
}

/// The right-hand side of the transposed system for one operand.
struct Loads {
    /// By active row.
    rows: Vec<f64>,
    /// By column of the program.
    columns: Vec<f64>,
    /// By bus; may be empty.
    potential: Vec<f64>,
    injection: Vec<f64>,
    /// The line whose own flow is the operand.
    flow: Option<usize>,
}

impl Loads {
    fn new(n_rows: usize, n_columns: usize) -> Self {
        Self {
            rows: vec![0.0; n_rows],
            columns: vec![0.0; n_columns],
            potential: Vec::new(),
            injection: Vec::new(),
            flow: None,
        }
    }
}

/// The derivative of one operand with respect to every entry of a perturbation.
struct Adjoint {
    injection: Vec<f64>,
    potential: Vec<f64>,
    cost: Vec<f64>,
    bound: Vec<f64>,
    /// By line: the derivative with respect to its active limit.
    row_of_line: Vec<f64>,
    /// The line whose own flow is the operand.
    flow_of: Option<usize>,
}

impl Adjoint {
    fn times(&self, s: &DcSolution, change: &Perturbation) -> f64 {
        let sum = |list: &[(usize, f64)], by: &[f64]| list.iter().map(|&(k, d)| d * by[k]).sum::<f64>();
        let mut total = sum(&change.injection, &self.injection)
            + sum(&change.potential, &self.potential)
            + sum(&change.cost, &self.cost)
            + sum(&change.bound, &self.bound);
        for &(l, lo, hi) in &change.limits {
            let upper = s.rows.row_of_line[l].is_some_and(|row| s.side[row] > 0);
            total += self.row_of_line[l] * if upper { hi } else { lo };
        }
        for &(l, d) in &change.flow {
            total -= self.row_of_line[l] * d;
            if self.flow_of == Some(l) {
                total += d;
            }
        }
        total
    }
}

fn angles_from(model: &DcModel, weights: &[(usize, f64)]) -> Vec<f64> {
    let mut rhs = vec![0.0; model.n_bus];
    for &(bus, w) in weights {
        rhs[bus] += w;
    }
    model.angles(&rhs)
}

/// A line's row for bus angles, without the injections on its side.
fn across(model: &DcModel, l: usize, angles: &[f64]) -> f64 {
    let terms = model.terms(l);
    terms
        .map(|(o, c)| c * (angles[model.lines[o].from] - angles[model.lines[o].to]))
        .sum()
}

fn on_side(model: &DcModel, l: usize, bus: usize) -> f64 {
    f64::from(u8::from(model.side(l).binary_search(&bus).is_ok()))
}

/// There are no losses, so the power into a line at its to end is the negative flow at its from end.
fn sign(operand: Operand) -> f64 {
    match operand {
        Operand::Flow(_, BranchEnd::To) => -1.0,
        _ => 1.0,
    }
}

fn no_result(operand: Operand) -> EngineError {
    not_available(&format!("{operand:?}"), "any parameter", "dcopf")
}

fn read(model: &DcModel, tangent: &Tangent, operand: Operand) -> Result<f64> {
    Ok(match operand {
        Operand::Price(bus) => tangent.price[bus],
        Operand::Dispatch(generator) => {
            let of_generator = model
                .columns
                .iter()
                .zip(&tangent.p)
                .filter(|(c, _)| c.generator == generator);
            of_generator.map(|(_, p)| p).sum()
        }
        Operand::Flow(branch, _) => match model.line_of_branch[branch] {
            Some(l) if model.lines[l].carries_flow() => sign(operand) * tangent.value[l],
            _ => 0.0,
        },
        Operand::Angle(bus) => tangent.theta[bus],
        other => return Err(no_result(other)),
    })
}
