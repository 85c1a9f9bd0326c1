//! From data to an optimum or a proof of infeasibility, in steps.

use super::warm;
use crate::conic::infeasibility::proof::{is_promising, ConicProof, FarkasTest};
use crate::conic::interior_point::method::{ConicResiduals, InteriorPoint, Settings, Status};
use crate::conic::model::data::ConicData;
use crate::conic::model::elastic::{elastic, Elastic};
use crate::conic::model::formulation::{branch_ref, generator_ref, ConicModel, Output};
use crate::conic::model::program::Program;
use crate::conic::result::certificate::ConicCertificate;
use crate::conic::result::solution::ConicSolution;
use serde_json::json;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::{mw, power_of_ten};
use wattbook_network::message::written;

/// Further iterations after an optimum whose certificate fails.
const POLISH: usize = 3;
/// Iteration limit of a start from another optimum.
const WARM_ITERATIONS: usize = 25;
/// Gap of the elastic program's solution; below it, large infeasible cases run out of precision.
pub(crate) const ELASTIC_GAP: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConicPhase {
    /// From another optimum.
    Warm,
    Cold,
    /// The minimum violation, if the other phases neither converge nor prove infeasibility.
    Elastic,
}

/// Progress of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConicProgress {
    pub phase: ConicPhase,
    pub iterations: usize,
    /// Factorisations of this phase in double the precision.
    pub precise_factors: usize,
    pub residuals: ConicResiduals,
    /// $/h; during the phase of minimum violation, that of the last iterate before it.
    pub objective: f64,
}

/// The result of a solve.
#[derive(Clone, Debug)]
pub enum ConicOutcome {
    Optimal(Box<ConicSolution>),
    Infeasible(Box<ConicProof>),
    /// `SOLVE.NOT_CONVERGED`, `SOLVE.UNBOUNDED` or `PHYSICS.UNSUPPORTED`.
    Failed(EngineError),
}

/// A solve that proceeds in steps.
pub struct ConicSolve {
    data: ConicData,
    phase: ConicPhase,
    method: InteriorPoint,
    farkas: FarkasTest,
    /// Iterations of earlier phases.
    before: usize,
    polished: usize,
    /// The program whose elastic program is being solved.
    program: Option<Program>,
    /// Objective of the last iterate with costs, before a phase without them, $/h.
    objective: f64,
}

fn not_converged(iterations: usize, residuals: ConicResiduals) -> EngineError {
    let ConicResiduals { primal, dual, gap } = residuals;
    EngineError::new(
        "SOLVE.NOT_CONVERGED",
        message!(
            "socwr.not_converged",
            iterations = iterations,
            primal = power_of_ten(primal, "pu"),
            dual = written(format!("{dual:.1e}")),
            gap = written(format!("{gap:.1e}"))
        ),
    )
}

impl ConicProof {
    /// The proof as an error with the missing power in its details.
    pub fn error(&self) -> EngineError {
        let missing = self.missing_mw;
        let message = message!("socwr.infeasible", missing = mw(missing));
        EngineError::new("SOLVE.INFEASIBLE", message).with_details(json!({ "missing_mw": missing }))
    }
}

impl ConicSolve {
    /// Begins from an optimum of the same model, if one is given.
    pub fn new(model: &ConicModel, data: &ConicData, start: Option<&ConicSolution>) -> Self {
        let warm = start.and_then(|start| warm::start(model, start, data));
        let (phase, method) = match warm {
            Some((program, point, kkt)) => {
                let settings = Settings {
                    max_iterations: WARM_ITERATIONS,
                    ..Settings::default()
                };
                let method = InteriorPoint::from(program, model.pattern.clone(), settings, point, kkt);
                (ConicPhase::Warm, method)
            }
            None => (ConicPhase::Cold, cold(model, data)),
        };
        Self {
            data: data.clone(),
            phase,
            method,
            farkas: FarkasTest::default(),
            before: 0,
            polished: 0,
            program: None,
            objective: 0.0,
        }
    }

    pub fn progress(&self, model: &ConicModel) -> ConicProgress {
        ConicProgress {
            phase: self.phase,
            iterations: self.before + self.method.iterations,
            precise_factors: self.method.precise_factors,
            residuals: self.method.residuals,
            objective: self.objective(model),
        }
    }

    fn objective(&self, model: &ConicModel) -> f64 {
        if self.phase == ConicPhase::Elastic {
            return self.objective;
        }
        let (program, x) = (&self.method.program, &self.method.point.v.x);
        program.objective(x) * program.cost_scale + model.cost_constant
    }

    /// Performs one iteration; returns the outcome once there is one.
    pub fn step(&mut self, model: &ConicModel) -> Option<ConicOutcome> {
        match self.method.status() {
            Status::Optimal if self.phase == ConicPhase::Elastic => {
                let residuals = self.method.residuals;
                let error = not_converged(self.progress(model).iterations, residuals);
                return Some(self.proof(model).unwrap_or(ConicOutcome::Failed(error)));
            }
            Status::Optimal => match self.optimal(model) {
                ConicOutcome::Optimal(solution) if !self.is_accepted(model, &solution) => {
                    self.polished += 1;
                    // Another iteration improves the bound; if it does not, a cold start does.
                    if self.polished > POLISH || !self.method.iterate() {
                        return self.stalled(model);
                    }
                    return None;
                }
                outcome => return Some(outcome),
            },
            Status::Stalled => return self.stalled(model),
            Status::Iterating => {}
        }
        if let Some(proof) = self.proof(model) {
            return Some(proof);
        }
        if !self.method.iterate() {
            return self.stalled(model);
        }
        None
    }

    /// From a warm start, an optimum is accepted only with its certificate.
    fn is_accepted(&self, model: &ConicModel, solution: &ConicSolution) -> bool {
        self.phase != ConicPhase::Warm || ConicCertificate::new(&model.network, model.cuts, solution).holds()
    }

    /// The multipliers of the iterate, if they are a proof.
    fn proof(&mut self, model: &ConicModel) -> Option<ConicOutcome> {
        let (v, own) = (&self.method.point.v, &self.method.program);
        let box_of = self.program.as_ref().unwrap_or(own);
        if !is_promising(self.farkas.value(box_of, v)) {
            return None;
        }
        let iterations = self.before + self.method.iterations;
        let proof = ConicProof::new(model, own, &self.data, v, iterations)?;
        Some(ConicOutcome::Infeasible(Box::new(proof)))
    }

    fn optimal(&mut self, model: &ConicModel) -> ConicOutcome {
        let is_warm = self.phase == ConicPhase::Warm;
        let solution = ConicSolution::new(model, self.data.clone(), &self.method, self.before, is_warm);
        if let Some(error) = refusal(model, &solution) {
            return ConicOutcome::Failed(error);
        }
        ConicOutcome::Optimal(Box::new(solution))
    }

    /// Starts another phase if this one does not converge.
    fn stalled(&mut self, model: &ConicModel) -> Option<ConicOutcome> {
        self.before += self.method.iterations;
        match self.phase {
            ConicPhase::Warm => {
                self.phase = ConicPhase::Cold;
                self.method = cold(model, &self.data);
            }
            ConicPhase::Cold => {
                self.objective = self.objective(model);
                self.phase = ConicPhase::Elastic;
                let program = model.program(&self.data);
                self.method = relaxed(model, &program, Elastic::Powers);
                self.program = Some(program);
            }
            ConicPhase::Elastic => {
                return Some(ConicOutcome::Failed(not_converged(self.before, self.method.residuals)));
            }
        }
        None
    }
}

fn cold(model: &ConicModel, data: &ConicData) -> InteriorPoint {
    InteriorPoint::new(model.program(data), model.pattern.clone(), Settings::default())
}

/// The method for the elastic program.
pub(crate) fn relaxed(model: &ConicModel, program: &Program, what: Elastic) -> InteriorPoint {
    let settings = Settings {
        gap: ELASTIC_GAP,
        ..Settings::default()
    };
    InteriorPoint::new(elastic(program, what, model.base_mva), model.pattern.clone(), settings)
}

/// The error for an optimum of the program that is no optimum of the network: it depends on an artificial bound or an
/// ignored rating.
fn refusal(model: &ConicModel, solution: &ConicSolution) -> Option<EngineError> {
    for (column, output) in &model.active {
        let Output::Column(k) = output else { continue };
        let (at, bounds) = (
            solution.point.v.x[solution.program.n + k],
            &solution.program.columns[*k],
        );
        let near = 0.25 * (bounds.hi - bounds.lo);
        let is_past = column.open_above && column.is_last && at > bounds.hi - near;
        let is_below = column.open_below && column.is_first && at < bounds.lo + near;
        if is_past || is_below {
            let element = generator_ref(&model.network, column.generator);
            let message = message!("socwr.unbounded", generator = &element);
            return Some(EngineError::new("SOLVE.UNBOUNDED", message).at(element));
        }
    }
    for link in &model.links {
        let Output::Column(k) = link.output else { continue };
        let (at, bounds) = (solution.point.v.x[solution.program.n + k], &solution.program.columns[k]);
        let near = 0.25 * (bounds.hi - bounds.lo);
        if link.open[1] && at > bounds.hi - near || link.open[0] && at < bounds.lo + near {
            let element = ElementRef::from(&model.network.links[link.link]);
            let message = message!("socwr.unbounded", generator = &element);
            return Some(EngineError::new("SOLVE.UNBOUNDED", message).at(element));
        }
    }
    let row = *solution.unlimited(model).first()?;
    let element = branch_ref(&model.network, row);
    let message = message!("socwr.unlimited_branch", branch = &element);
    Some(EngineError::new("PHYSICS.UNSUPPORTED", message).at(element))
}

impl ConicModel {
    /// The optimum for these data, from a start of the same model if one is given.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE` with a checked proof, `SOLVE.UNBOUNDED`, `SOLVE.NOT_CONVERGED`, `PHYSICS.UNSUPPORTED`.
    pub fn optimum(&self, data: &ConicData, start: Option<&ConicSolution>) -> Result<ConicSolution> {
        match self.solve(data, start) {
            ConicOutcome::Optimal(solution) => Ok(*solution),
            ConicOutcome::Infeasible(proof) => Err(proof.error()),
            ConicOutcome::Failed(error) => Err(error),
        }
    }

    /// `optimum`, with the proof of infeasibility.
    pub fn solve(&self, data: &ConicData, start: Option<&ConicSolution>) -> ConicOutcome {
        let mut solve = ConicSolve::new(self, data, start);
        loop {
            if let Some(outcome) = solve.step(self) {
                return outcome;
            }
        }
    }
}
