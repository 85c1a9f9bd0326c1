//! Why the data are infeasible: a minimum relaxation, the elements that its multipliers name, and a check that it
//! suffices.

use super::naming::ConicNames;
use super::relaxation::ConicRelaxation;
use super::solve::relaxed;
use crate::conic::infeasibility::proof::ConicProof;
use crate::conic::interior_point::method::{ConicResiduals, InteriorPoint, Status};
use crate::conic::model::data::ConicData;
use crate::conic::model::elastic::Elastic;
use crate::conic::model::formulation::{ConicModel, Cuts};

/// A relaxation below this cost, MW, counts as zero.
const NOTHING_MW: f64 = 1e-3;

/// The conflicting limits and one minimum relaxation. `VOLTAGE_PER_MW` and `ANGLE_PER_MW` convert amounts of different
/// units.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicExplanation {
    /// Lower bound on every relaxation, from a checked proof; and the amount of this relaxation.
    pub at_least_mw: f64,
    pub at_most_mw: f64,
    /// The proof of the lower bound; `None` for feasible data.
    pub proof: Option<ConicProof>,
    pub names: ConicNames,
    pub relaxation: ConicRelaxation,
    /// Whether the case has a solution with the relaxation as displayed, its figures rounded up, and with the cuts of
    /// the new limits.
    pub is_checked: bool,
    pub iterations: usize,
}

/// The program that is solved.
#[derive(Debug)]
enum Stage {
    /// All limits may be relaxed.
    Limits,
    /// Only balances and ratings may be relaxed, if only the cuts make the data infeasible.
    Powers,
    /// Only balances and ratings of the relaxed case: the remaining shortage there.
    Check(Box<(ConicModel, ConicExplanation)>),
}

/// The search, in steps.
#[derive(Debug)]
pub struct ConicExplain {
    data: ConicData,
    stage: Stage,
    method: InteriorPoint,
    /// Iterations of earlier stages.
    before: usize,
}

impl ConicExplain {
    pub fn new(model: &ConicModel, data: &ConicData) -> Self {
        Self {
            method: relaxed(model, &model.program(data), Elastic::Limits),
            data: data.clone(),
            stage: Stage::Limits,
            before: 0,
        }
    }

    pub fn residuals(&self) -> ConicResiduals {
        self.method.residuals
    }

    pub fn iterations(&self) -> usize {
        self.before + self.method.iterations
    }

    /// The proved lower bound on every relaxation so far, MW.
    pub fn at_least_mw(&self, model: &ConicModel) -> f64 {
        match &self.stage {
            Stage::Check(found) => found.1.at_least_mw,
            _ => self.proof(model).map_or(0.0, |proof| proof.relaxation_mw),
        }
    }

    fn proof(&self, model: &ConicModel) -> Option<ConicProof> {
        let v = &self.method.best().0.v;
        ConicProof::new(model, &self.method.program, &self.data, v, self.iterations())
    }

    /// Performs one iteration and returns the explanation once it is found. If the method stalls, the explanation is
    /// that of the best iterate, with a gap between its two values.
    pub fn step(&mut self, model: &ConicModel) -> Option<ConicExplanation> {
        if self.method.status() == Status::Iterating && self.method.iterate() {
            return None;
        }
        if let Stage::Check(found) = &mut self.stage {
            let (relaxed, found) = &mut **found;
            let iterations = self.before + self.method.iterations;
            return Some(completed(relaxed, &self.method, found.clone(), iterations));
        }
        let found = self.found(model);
        let has_cuts = matches!(self.stage, Stage::Limits) && model.cuts == Cuts::Lifted;
        if found.proof.is_none() {
            if !has_cuts {
                return Some(found);
            }
            let program = model.program(&self.data);
            self.go_on(Stage::Powers, relaxed(model, &program, Elastic::Powers));
            return None;
        }
        let (network, data) = found.relaxation.applied(&model.network, &self.data);
        // If the relaxed limits do not form a valid case, the relaxation remains unchecked.
        let Ok(checked) = ConicModel::new(&network, model.cuts) else {
            return Some(found);
        };
        let method = relaxed(&checked, &checked.program(&data), Elastic::Powers);
        self.go_on(Stage::Check(Box::new((checked, found))), method);
        None
    }

    fn go_on(&mut self, stage: Stage, method: InteriorPoint) {
        self.before += self.method.iterations;
        (self.stage, self.method) = (stage, method);
    }

    /// The explanation at the current state of the search.
    pub fn explanation(&self, model: &ConicModel) -> ConicExplanation {
        match &self.stage {
            Stage::Check(found) => found.1.clone(),
            _ => self.found(model),
        }
    }

    fn found(&self, model: &ConicModel) -> ConicExplanation {
        let proof = self.proof(model);
        let objective = self.method.program.objective(&self.method.best().0.v.x);
        let is_infeasible = proof.is_some();
        ConicExplanation {
            at_least_mw: proof.as_ref().map_or(0.0, |proof| proof.relaxation_mw),
            at_most_mw: objective * model.base_mva,
            proof,
            names: match is_infeasible {
                true => ConicNames::new(model, &self.data, &self.method),
                false => ConicNames::default(),
            },
            relaxation: match is_infeasible {
                true => ConicRelaxation::new(model, &self.method),
                false => ConicRelaxation::default(),
            },
            is_checked: false,
            iterations: self.iterations(),
        }
    }
}

/// Adds the remaining shortage of the relaxed case.
fn completed(
    relaxed: &ConicModel,
    method: &InteriorPoint,
    mut found: ConicExplanation,
    iterations: usize,
) -> ConicExplanation {
    let rest = method.program.objective(&method.best().0.v.x) * relaxed.base_mva;
    found.is_checked = method.status() == Status::Optimal;
    if rest > NOTHING_MW {
        found.relaxation.add(ConicRelaxation::new(relaxed, method));
        found.at_most_mw += rest;
    }
    found.iterations = iterations;
    found
}

impl ConicModel {
    /// Explains why these data are infeasible; for feasible data the amounts are 0 MW.
    pub fn explain(&self, data: &ConicData) -> ConicExplanation {
        let mut explain = ConicExplain::new(self, data);
        loop {
            if let Some(found) = explain.step(self) {
                return found;
            }
        }
    }
}
