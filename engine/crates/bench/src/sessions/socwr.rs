//! The conic relaxation of one case on one side: the timed calls of `npm run bench -- socwr`, and their answers.

use super::bits::Bits;
use super::calls::{missing, Calls};
use serde_json::{json, Value};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::Result;
use wattbook_network::network_from_module;
use wattbook_solve::conic::{
    ConicCertificate, ConicData, ConicForm, ConicModel, ConicOutcome, ConicSolution, Cuts, SparseRow,
};

/// One of the timed calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConicCall {
    Model,
    /// From a cold start.
    Solve,
    /// The k-th load 1 % up, and 10 MW up, from the base optimum.
    Percent(usize),
    TenMw(usize),
    /// All demand times 1.5.
    Overload,
}

impl ConicCall {
    /// The call of an ABI number.
    pub fn new(what: usize, k: usize) -> Option<Self> {
        [
            Self::Model,
            Self::Solve,
            Self::Percent(k),
            Self::TenMw(k),
            Self::Overload,
        ]
        .get(what)
        .copied()
    }
}

/// A case with its model and base optimum, each available after the call that creates it.
pub struct ConicSession {
    pub network: AnalysisNetwork,
    model: Option<ConicModel>,
    base: Option<Box<ConicSolution>>,
    last: Option<ConicOutcome>,
}

impl ConicSession {
    /// Reads a module.
    ///
    /// # Errors
    /// `MODULE.*`.
    pub fn open(module_json: &str) -> Result<Self> {
        Ok(Self {
            network: network_from_module(module_json)?,
            model: None,
            base: None,
            last: None,
        })
    }

    /// The k-th changed load: some of the largest.
    fn load(&self, k: usize) -> Option<usize> {
        let buses = &self.network.buses;
        let mut loads: Vec<usize> = (0..buses.len()).filter(|&b| buses[b].demand_pu > 0.0).collect();
        loads.sort_by(|&a, &b| buses[b].demand_pu.total_cmp(&buses[a].demand_pu));
        loads.get(k * loads.len().div_ceil(12)).copied()
    }

    fn moved(&self, k: usize, by: impl Fn(f64) -> f64) -> Result<ConicData> {
        let mut data = ConicData::base(&self.network);
        let load = self.load(k).ok_or_else(|| missing("load"))?;
        data.demand[load] = by(data.demand[load]);
        Ok(data)
    }

    /// Makes a call and stores its result for `answer`.
    ///
    /// # Errors
    /// Those of the model; `INTERNAL` if an earlier call is missing. A solve without an optimum is a result, not an
    /// error.
    pub fn call(&mut self, call: ConicCall) -> Result<()> {
        if call == ConicCall::Model {
            self.model = Some(ConicModel::new(&self.network, Cuts::Lifted)?);
            return Ok(());
        }
        let model = self.model.as_ref().ok_or_else(|| missing("model"))?;
        let base_mva = self.network.base_mva;
        let (data, is_warm) = match call {
            ConicCall::Percent(k) => (self.moved(k, |d| 1.01 * d)?, true),
            ConicCall::TenMw(k) => (self.moved(k, |d| d + 10.0 / base_mva)?, true),
            ConicCall::Overload => {
                let mut data = ConicData::base(&self.network);
                data.demand.iter_mut().chain(&mut data.demand_q).for_each(|d| *d *= 1.5);
                (data, false)
            }
            _ => (ConicData::base(&self.network), false),
        };
        self.last = Some(model.solve(&data, self.base.as_deref().filter(|_| is_warm)));
        Ok(())
    }

    /// The program in the form of a peer.
    ///
    /// # Errors
    /// `INTERNAL` without a model.
    pub fn program(&self, form: ConicForm) -> Result<Value> {
        let model = self.model.as_ref().ok_or_else(|| missing("model"))?;
        let p = model.standard_form(&ConicData::base(&self.network), form);
        let (mut starts, mut index, mut value, mut right) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        let mut add = |(row, limit): &(SparseRow, f64)| {
            index.extend(row.iter().map(|(column, _)| *column));
            value.extend(row.iter().map(|(_, x)| *x));
            starts.push(index.len());
            right.push(*limit);
        };
        p.equal
            .iter()
            .chain(&p.below)
            .chain(p.cones.iter().flatten())
            .for_each(&mut add);
        let sizes: Vec<usize> = p.cones.iter().map(Vec::len).collect();
        Ok(json!({
            "quad": p.quad, "cost": p.cost, "constant": p.constant, "equal": p.equal.len(), "below": p.below.len(),
            "cones": sizes, "starts": starts, "index": index, "value": value, "right": right,
        }))
    }
}

impl Calls for ConicSession {
    fn call(&mut self, what: usize, k: usize) -> Result<()> {
        let call = ConicCall::new(what, k).ok_or_else(|| missing("such call"))?;
        self.call(call)
    }

    fn keep(&mut self) -> bool {
        self.base = match self.last.take() {
            Some(ConicOutcome::Optimal(solution)) => Some(solution),
            _ => None,
        };
        self.base.is_some()
    }

    fn answer(&self) -> Value {
        match &self.last {
            None => json!({}),
            Some(ConicOutcome::Optimal(s)) => {
                let certificate = ConicCertificate::new(&self.network, Cuts::Lifted, s);
                json!({
                    "status": if certificate.holds() { "optimal" } else { "uncertified" },
                    "objective": s.objective,
                    "iterations": s.iterations,
                    "is_warm": s.is_warm,
                    "gap": certificate.gap,
                    "mismatch_mw": certificate.mismatch_mw,
                    "bits": Bits::of_relaxation(s).hex(),
                })
            }
            Some(ConicOutcome::Infeasible(proof)) => json!({
                "status": "infeasible",
                "iterations": proof.iterations,
                "missing_mw": proof.missing_mw,
                "bits": Bits::of(&[proof.missing_mw]).hex(),
            }),
            Some(ConicOutcome::Failed(error)) => json!({
                "status": error.code,
                "bits": Bits::of_error(error).hex(),
            }),
        }
    }
}
