//! Derivatives of the optimum: the differentiated optimality conditions with every cone tight or loose (Fiacco, *Introduction to
//! Sensitivity and Stability Analysis*, 1983; for cones, Bonnans and Shapiro, *Perturbation Analysis of Optimization Problems*,
//! 2000).

use super::parameter::Perturbation;
use super::split::{Place, Side, Split, Tangent};
use super::warrant::{warrant, ConicWarrant};
use crate::conic::interior_point::kkt::{Kkt, Regularisation};
use crate::conic::model::formulation::{ConicModel, Output};
use crate::conic::model::program::dot4;
use crate::conic::model::topology::NO_NODE;
use crate::conic::model::vectors::{ConeVector, Vector};
use crate::conic::result::solution::ConicSolution;
use crate::vocabulary::Parameter;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Regularisation of the factor; refinement uses the system without it.
const REGULARISATION: Regularisation = Regularisation {
    primal: 1e-10,
    dual: 1e-10,
    flow: 1e-9,
};
/// Largest relative residual of a direction that satisfies the conditions. Solvable ones have less than 1e-6; with
/// non-unique multipliers the residual is of the size of the change itself.
const MOST_RESIDUAL: f64 = 1e-2;
/// Most switches of rows and cones in the search for the active set of one side.
const SWITCHES: usize = 6;

/// Derivatives of results with respect to one parameter, per unit and $/h by dense row.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicColumn {
    pub price: Vec<f64>,
    pub price_q: Vec<f64>,
    pub dispatch: Vec<f64>,
    pub dispatch_q: Vec<f64>,
    pub voltage_squared: Vec<f64>,
    /// `wr, wi` of branches, from end first.
    pub product: Vec<[f64; 2]>,
    pub flow_from: Vec<[f64; 2]>,
    pub flow_to: Vec<[f64; 2]>,
    /// Derivatives of the multipliers of ratings.
    pub shadow: Vec<f64>,
}

/// Left and right derivatives with respect to a parameter, or to several that move together.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicSensitivity {
    /// First derivative of the objective, $/h; equal on both sides.
    pub objective: f64,
    /// Second derivatives for an increasing and for a decreasing parameter, for parameters in which the program is
    /// linear; voltage limits are not among them.
    pub curvature: [f64; 2],
    /// For an increasing parameter.
    pub ahead: ConicColumn,
    /// For a decreasing parameter; `None` if equal to `ahead`.
    pub behind: Option<ConicColumn>,
    pub warrant: ConicWarrant,
}

/// The factored conditions of one active set.
#[derive(Clone, Debug)]
pub(crate) struct Factored {
    pub split: Split,
    pub kkt: Kkt,
}

/// Factors shared by the derivatives of a solution.
#[derive(Clone, Debug)]
pub struct ConicTangents {
    pub(crate) base: Factored,
    pub(crate) ambiguous: Vec<Place>,
}

impl Factored {
    fn new(model: &ConicModel, solution: &ConicSolution, split: Split) -> Result<Self> {
        let point = &solution.point;
        let mut kkt = Kkt::default();
        kkt.regularisation = REGULARISATION;
        kkt.refines_exactly = true;
        kkt.weights = split.weights(&point.s, &point.v.z);
        let program = &solution.program;
        if kkt.factor(program, &model.pattern) || kkt.factor_precisely(program, &model.pattern) {
            return Ok(Self { split, kkt });
        }
        Err(dependent_limits())
    }

    fn solve(&mut self, model: &ConicModel, solution: &ConicSolution, rhs: &Vector) -> Tangent {
        let program = &solution.program;
        let mut v = program.zeros();
        let [_, residual] = self.kkt.solve(program, &model.pattern, rhs, &mut v);
        let mut moved = ConeVector::zeros(&rhs.z);
        program.add_g(&v.x, &v.u, &mut moved);
        let mut ds = rhs.z.clone();
        ds.add(-1.0, &moved);
        Tangent {
            v,
            ds,
            split: self.split.clone(),
            residual,
        }
    }
}

impl ConicSolution {
    /// Factors the conditions for derivatives.
    ///
    /// # Errors
    /// `SENS.NOT_REGULAR`.
    pub fn tangents(&self, model: &ConicModel) -> Result<ConicTangents> {
        let (s, z) = (&self.point.s, &self.point.v.z);
        Ok(ConicTangents {
            base: Factored::new(model, self, Split::new(s, z))?,
            ambiguous: Split::ambiguous(s, z),
        })
    }
}

impl ConicTangents {
    /// Derivatives with respect to one parameter.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED`, `SENS.NOT_REGULAR`.
    pub fn column(
        &mut self,
        model: &ConicModel,
        solution: &ConicSolution,
        parameter: Parameter,
    ) -> Result<ConicSensitivity> {
        self.direction(model, solution, &[(parameter, 1.0)])
    }

    /// Derivatives with respect to the step along a joint change of several parameters.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED`, `SENS.NOT_REGULAR`.
    pub fn direction(
        &mut self,
        model: &ConicModel,
        solution: &ConicSolution,
        changes: &[(Parameter, f64)],
    ) -> Result<ConicSensitivity> {
        let change = solution.perturbations(model, changes)?;
        let mut rhs = solution.program.zeros();
        change.rhs.add_to(&mut rhs);
        let mut ahead = self.side(model, solution, &rhs, 1.0)?;
        let behind = match self.ambiguous.is_empty() {
            true => None,
            false => {
                let known = self.ambiguous.len();
                let behind = self.side(model, solution, &rhs, -1.0)?;
                if self.ambiguous.len() < known {
                    ahead = self.side(model, solution, &rhs, 1.0)?;
                }
                Some(behind).filter(|b| b.split != ahead.split)
            }
        };
        let warrant = warrant(model, solution, &ahead, behind.as_ref(), changes);
        check_residual(warrant.residual)?;
        // The slope is the multipliers times the changes of demand and limits; their rates give the curvature.
        let curvature = |t: &Tangent| change.curvature(solution.program.cost_scale, &t.v);
        Ok(ConicSensitivity {
            objective: change.objective,
            curvature: [curvature(&ahead), curvature(behind.as_ref().unwrap_or(&ahead))],
            ahead: solution.column(model, &ahead, &change),
            behind: behind.map(|b| solution.column(model, &b, &change)),
            warrant,
        })
    }

    /// The derivative for one direction of the parameter: entries that the direction contradicts are switched before
    /// another solve. An entry that proves to be no breakpoint here is left as it is, or corrected for all later
    /// directions.
    fn side(&mut self, model: &ConicModel, solution: &ConicSolution, rhs: &Vector, sign: f64) -> Result<Tangent> {
        let (s, z) = (&solution.point.s, &solution.point.v.z);
        let mut tangent = self.base.solve(model, solution, rhs);
        let mut split = self.base.split.clone();
        let mut open = self.ambiguous.clone();
        for _ in 0..SWITCHES {
            let (ds, dz) = signed(&tangent, sign);
            let contradicted = split.contradicted(&open, s, [&ds, &dz]);
            if contradicted.is_empty() {
                break;
            }
            let mut next = split.clone();
            contradicted.iter().for_each(|(place, _)| next.switch(*place));
            let found = Factored::new(model, solution, next.clone())?.solve(model, solution, rhs);
            let (ds, dz) = signed(&found, sign);
            let mut has_stayed = false;
            for (place, before) in contradicted {
                let after = next.rate(place, s, [&ds, &dz]);
                let was_tight = split.is_tight(place);
                let (of_s, of_z) = if was_tight { (after, before) } else { (before, after) };
                let stays = if was_tight { Side::Tight } else { Side::Loose };
                match place.side(s, z, of_s, of_z) {
                    Side::At => {}
                    side if side == stays => {
                        next.switch(place);
                        open.retain(|other| *other != place);
                        has_stayed = true;
                    }
                    // Slack and multiplier alone put it on the wrong side.
                    _ => self.put_right(model, solution, place)?,
                }
            }
            tangent = match has_stayed {
                false => found,
                true => Factored::new(model, solution, next.clone())?.solve(model, solution, rhs),
            };
            split = next;
        }
        Ok(tangent)
    }

    /// Switches an entry that is no longer ambiguous.
    fn put_right(&mut self, model: &ConicModel, solution: &ConicSolution, place: Place) -> Result<()> {
        let mut split = self.base.split.clone();
        split.switch(place);
        self.base = Factored::new(model, solution, split)?;
        self.ambiguous.retain(|other| *other != place);
        Ok(())
    }
}

/// # Errors
/// `SENS.NOT_REGULAR` if the optimality conditions cannot follow the change because multipliers are not unique.
pub(super) fn check_residual(residual: f64) -> Result<()> {
    match residual < MOST_RESIDUAL {
        true => Ok(()),
        false => Err(dependent_limits()),
    }
}

fn dependent_limits() -> EngineError {
    EngineError::new("SENS.NOT_REGULAR", message!("sens.dependent_limits"))
}

/// Rates of slacks and multipliers for one direction of the parameter.
fn signed(tangent: &Tangent, sign: f64) -> (ConeVector, ConeVector) {
    let of = |v: &ConeVector| {
        let mut signed = ConeVector::zeros(v);
        signed.add(sign, v);
        signed
    };
    (of(&tangent.ds), of(&tangent.v.z))
}

impl ConicSolution {
    fn column(&self, model: &ConicModel, tangent: &Tangent, change: &Perturbation) -> ConicColumn {
        let (program, d, network) = (&self.program, &tangent.v, &model.network);
        let (n_branch, n_generator) = (network.branches.len(), network.generators.len());
        let scale = program.cost_scale;
        let by_bus = |at: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let value = |&node: &usize| if node == NO_NODE { 0.0 } else { at(node) };
            model.topology.node_of_bus.iter().map(value).collect()
        };
        let output = |o: Output| match o {
            Output::Column(k) => d.x[program.n + k],
            Output::Fixed(_) => 0.0,
        };
        let rounding = tangent.rounding();
        let price = |rate: f64| if rate.abs() <= rounding { 0.0 } else { -rate * scale };
        let mut column = ConicColumn {
            price: by_bus(&|node| price(d.y[node][0])),
            price_q: by_bus(&|node| price(d.y[node][1])),
            dispatch: vec![0.0; n_generator],
            dispatch_q: vec![0.0; n_generator],
            voltage_squared: by_bus(&|node| d.x[node]),
            product: vec![[0.0; 2]; n_branch],
            flow_from: vec![[0.0; 2]; n_branch],
            flow_to: vec![[0.0; 2]; n_branch],
            shadow: vec![0.0; n_branch],
        };
        for (unit, o) in &model.active {
            column.dispatch[unit.generator] += output(*o);
        }
        for &(row, o) in &model.reactive {
            column.dispatch_q[row] = output(o);
        }
        for (row, branch) in model.branches.iter().enumerate() {
            let Some(branch) = branch else { continue };
            let local = program.local(branch.pair, &d.x, &d.u);
            let wi = if branch.is_turned { -local[3] } else { local[3] };
            column.product[row] = [0.5 * (local[0] + local[1]) - local[2], wi];
            let mut flow = branch.thermal.map(|k| {
                let t = &program.thermal[k];
                column.shadow[row] += d.z.thermal[k][0] * scale / t.scale;
                [dot4(&t.p, &local), dot4(&t.q, &local)]
            });
            for (_, rows) in change.flows.iter().filter(|(changed, _)| *changed == row) {
                let at = program.local(branch.pair, &self.point.v.x, &self.point.v.u);
                for end in 0..2 {
                    for part in 0..2 {
                        flow[end][part] += dot4(&rows[2 * end + part], &at);
                    }
                }
            }
            (column.flow_from[row], column.flow_to[row]) = (flow[0], flow[1]);
        }
        column
    }
}
