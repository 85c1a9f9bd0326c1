//! The second-order cone relaxation of AC optimal power flow (`socwr`).

mod cells;
mod certificate;
mod explain;
mod lmp_components;
mod results;
mod sensitivity;
mod solving;

use crate::case::Case;
use crate::contract as c;
use crate::edits::{check_demand, ColumnTarget, Edits, Parts, Target};
use crate::problem::ac_network::saved::Proof;
use crate::problem::ac_network::AcNetwork;
use crate::problem::cells::{differentiate, plan};
use crate::problem::stepping::Based;
use crate::problem::work::Work;
use crate::problem::{Problem, Solving, State};
use crate::results::{Matrix, Preview, Results, Sensitivity};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::residual;
use wattbook_solve::conic::{
    ConicCertificate, ConicData, ConicModel, ConicOutcome, ConicPriceComponents, ConicPriceLevel, ConicSolution,
    ConicTangents, Cuts,
};

/// A case with its analysed program.
#[derive(Debug)]
pub(super) struct Socwr {
    network: AcNetwork,
    model: ConicModel,
    base: ConicData,
    cuts: Cuts,
}

/// Errors: `INPUT.REQUEST`, `PHYSICS.UNSUPPORTED`, `SOLVE.INFEASIBLE` where limits exclude each other at one element.
pub(super) fn open(case: &Arc<Case>, options: &c::SolveOptions) -> Result<Arc<dyn Problem>> {
    let cuts = match options.lifted_cuts {
        Some(false) => Cuts::None,
        _ => Cuts::Lifted,
    };
    check_demand(&case.network)?;
    let model = ConicModel::new(&case.network, cuts)?;
    Ok(Arc::new(Socwr {
        network: AcNetwork::new(case, options, |bus| model.energised(bus)),
        base: ConicData::base(&case.network),
        model,
        cuts,
    }))
}

impl Socwr {
    /// The base data with edits; ratings are of apparent power.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`, `RATE.NOT_POSITIVE`.
    fn data(&self, edits: &Edits) -> Result<ConicData> {
        let mut data = self.base.clone();
        self.network.edit_demand(edits, &mut data.demand, &mut data.demand_q)?;
        for (rating, edited) in data.rating.iter_mut().zip(self.network.ratings(edits)?) {
            // A branch without a rating has a limit in the base data that no flow reaches.
            if edited.is_finite() {
                *rating = edited;
            }
        }
        Ok(data)
    }

    /// The published form of an outcome, only if its certificate passes.
    ///
    /// Errors: `SOLVE.*`, `PHYSICS.UNSUPPORTED`.
    fn checked(&self, outcome: ConicOutcome) -> Result<(ConicSolution, ConicCertificate)> {
        let solution = match outcome {
            ConicOutcome::Optimal(solution) => *solution,
            ConicOutcome::Infeasible(proof) => {
                let network = &self.network.case.network;
                return Err(crate::problem::assumed::refused(network, proof.error()));
            }
            ConicOutcome::Failed(error) => return Err(error),
        };
        let certificate = ConicCertificate::new(&self.network.case.network, self.cuts, &solution);
        if certificate.holds() {
            return Ok((solution, certificate));
        }
        let message = message!(
            "socwr.check_failed",
            active = residual(certificate.mismatch_mw, "MW"),
            reactive = residual(certificate.mismatch_mvar, "MVAr"),
            rating = residual(certificate.rating_violation_mva, "MVA"),
            gap = residual(100.0 * certificate.gap, "%")
        );
        Err(EngineError::new("SOLVE.NOT_CONVERGED", message))
    }
}

impl Problem for Socwr {
    fn formulation(&self) -> c::FormulationId {
        c::FormulationId::Socwr
    }

    fn case(&self) -> &Arc<Case> {
        &self.network.case
    }

    fn options(&self) -> &c::SolveOptions {
        &self.network.options
    }

    fn parts(&self) -> &dyn Parts {
        &self.network
    }

    fn check(&self, requests: &[c::SensRequest]) -> Result<()> {
        plan(self, requests).map(|_| ())
    }

    fn check_target(&self, target: ColumnTarget) -> Result<()> {
        let ColumnTarget::Link(row, _) = target else {
            return Ok(());
        };
        let link = ElementRef::from(&self.network.case.network.links[row]);
        let message = message!("socwr.link_column", link = &link);
        Err(EngineError::new("SENS.UNSUPPORTED", message).at(link))
    }

    fn solve(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        self.solving(edits)?.finish()
    }

    fn solving(self: Arc<Self>, edits: &Edits) -> Result<Box<dyn Solving>> {
        Ok(Box::new(solving::Iterating::new(self, edits)?))
    }

    fn check_plan(&self) -> Result<()> {
        Ok(())
    }

    fn previews_generators(&self) -> bool {
        true
    }

    fn search(self: Arc<Self>, edits: Edits) -> Result<Box<dyn Work>> {
        Ok(Box::new(explain::Search::new(self, &edits)?))
    }
}

/// An optimum of the relaxation.
#[derive(Debug)]
pub(super) struct SocwrState {
    problem: Arc<Socwr>,
    /// The base state that this state was stepped from; `None` for a cold solve.
    base: Option<Arc<SocwrState>>,
    edits: Edits,
    solution: ConicSolution,
    certificate: ConicCertificate,
    iterations: Vec<c::SolveIteration>,
    /// The price components, computed on first use; `None` where the Jacobian at the voltage products is singular.
    components: OnceLock<Option<ConicPriceComponents>>,
    /// Factors shared by all derivatives, computed on first use.
    tangents: Mutex<Option<ConicTangents>>,
}

impl SocwrState {
    fn components(&self) -> Option<&ConicPriceComponents> {
        let split = || self.solution.price_components(&self.problem.model).ok();
        self.components.get_or_init(split).as_ref()
    }

    /// [`SocwrState::components`] for callers that require them.
    ///
    /// Errors: `SENS.NOT_REGULAR`.
    fn split(&self) -> Result<&ConicPriceComponents> {
        let singular = || EngineError::new("SENS.NOT_REGULAR", message!("socwr.singular_split"));
        self.components().ok_or_else(singular)
    }

    /// The islands whose prices are not unique; empty where the optimality conditions cannot be factored, which is not
    /// the fault of one island.
    fn price_levels(&self) -> Vec<ConicPriceLevel> {
        let Socwr { model, .. } = &*self.problem;
        if !self.solution.may_lack_price_levels(model) {
            return Vec::new(); // the usual case, without a factorisation
        }
        let found = self.differentiate(|tangents| Ok(tangents.price_levels(model, &self.solution)));
        found.unwrap_or_default()
    }

    /// Differentiates with the factored optimality conditions.
    ///
    /// Errors: `SENS.*`.
    fn differentiate<T>(&self, work: impl FnOnce(&mut ConicTangents) -> Result<T>) -> Result<T> {
        // The lock guards storage for the factors only, so an interrupted call leaves nothing inconsistent.
        let mut held = self.tangents.lock().unwrap_or_else(PoisonError::into_inner);
        let tangents = match held.take() {
            Some(tangents) => tangents,
            None => self.solution.tangents(&self.problem.model)?,
        };
        work(held.insert(tangents))
    }
}

impl Based for SocwrState {
    fn base(&self) -> Option<&Arc<Self>> {
        self.base.as_ref()
    }

    fn edits(&self) -> &Edits {
        &self.edits
    }
}

impl State for SocwrState {
    fn problem(&self) -> &dyn Problem {
        &*self.problem
    }

    fn edits(&self) -> &Edits {
        &self.edits
    }

    fn results(&self) -> Results {
        results::of(self)
    }

    fn at(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        self.moving(edits)?.finish()
    }

    fn moving(self: Arc<Self>, edits: &Edits) -> Result<Box<dyn Solving>> {
        Ok(Box::new(solving::Iterating::from(self, edits)?))
    }

    fn preview(&self, edits: &Edits) -> Result<Preview> {
        sensitivity::preview(self, edits)
    }

    fn sensitivity(&self, target: ColumnTarget, case_id: &str) -> Result<Sensitivity> {
        self.problem.check_target(target)?;
        sensitivity::column(self, target, case_id)
    }

    fn price_gradient(&self, weights: &[(usize, f64)], by: &[Target]) -> Result<Vec<f64>> {
        sensitivity::price_gradient(self, weights, by)
    }

    fn lmp_components(&self, bus: usize) -> Result<c::LmpComponents> {
        lmp_components::of(self, bus)
    }

    fn matrices(&self, requests: &[c::SensRequest]) -> Result<Vec<Matrix>> {
        let plans = plan(&*self.problem, requests)?;
        let Socwr { network, model, .. } = &*self.problem;
        self.differentiate(|tangents| {
            let mut factored = cells::Factored {
                model,
                solution: &self.solution,
                tangents,
            };
            let matrices = plans
                .iter()
                .map(|plan| differentiate(plan, &network.case, &mut factored));
            matrices.collect()
        })
    }

    fn saved(&self, edited: &str, case_id: &str) -> Result<String> {
        let proof = Proof::of_relaxation(self.problem.cuts, &self.solution.multipliers);
        let network = &self.problem.network;
        network.saved(edited, case_id, &self.edits, &self.results(), proof)
    }
}
