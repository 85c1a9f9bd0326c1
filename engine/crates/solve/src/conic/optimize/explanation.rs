//! Why nothing is feasible: the minimum relaxation, the elements that its multipliers name, and a check that it is enough.

use super::naming::ConicNames;
use super::relaxation::ConicRelaxation;
use super::solve::relaxed;
use crate::conic::infeasibility::proof::ConicProof;
use crate::conic::interior_point::method::{ConicResiduals, InteriorPoint, Status};
use crate::conic::model::data::ConicData;
use crate::conic::model::elastic::Elastic;
use crate::conic::model::formulation::{ConicModel, Cuts};

/// A relaxation that costs less than this, MW, is none.
const NOTHING_MW: f64 = 1e-3;

/// What contradicts, and one minimum relaxation. Amounts of unlike units add up as `VOLTAGE_PER_MW` and `ANGLE_PER_MW` say.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicExplanation {
    /// At least this much must give, as a checked proof says; and this is enough.
    pub at_least_mw: f64,
    pub at_most_mw: f64,
    /// The proof of the lower value; none where data are feasible.
    pub proof: Option<ConicProof>,
    pub names: ConicNames,
    pub relaxation: ConicRelaxation,
    /// With the relaxation as it is told, its figures rounded up, the case has a solution, cuts of the new limits included.
    pub is_checked: bool,
    pub iterations: usize,
}

/// Which program is solved.
#[derive(Debug)]
enum Stage {
    /// All limits may give way.
    Limits,
    /// Balances and ratings alone, where only the cuts make the data infeasible.
    Powers,
    /// The same, of the relaxed case: what is still missing there.
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

    /// What is proved so far to be the least that must give, MW.
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

    /// One iteration; the explanation once it is found. Where the method stalls that of the best iterate is given: its two values
    /// are then apart.
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
        // Where the relaxed limits make no case, the relaxation stays unchecked.
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

    /// What the search has so far.
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

/// With what the relaxed case still misses.
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
    /// Explains why these data are infeasible, or finds that they are not: then at least 0 MW must give.
    pub fn explain(&self, data: &ConicData) -> ConicExplanation {
        let mut explain = ConicExplain::new(self, data);
        loop {
            if let Some(found) = explain.step(self) {
                return found;
            }
        }
    }
}
