//! A Study: a case, a formulation, and the optimum of the committed edits.

use crate::contract as c;
use crate::convert;
use crate::edits::{self, Edits, Keys};
use crate::track::HeldTrack;
use std::sync::Arc;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::network_from_module;
use wattbook_solve::dc::{Column, DcData, DcModel, DcOptimizer, DcSolution, Direction, DualActiveSet};

/// A case ready to solve in one formulation.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub network: AnalysisNetwork,
    pub model: DcModel,
    pub base: DcData,
    pub keys: Keys,
    /// SHA-256 of the module text: the identity of the case.
    pub sha256: String,
}

impl Problem {
    pub fn new(module_json: &str, formulation: c::FormulationId, options: &c::SolveOptions) -> Result<Self> {
        if !matches!(formulation, c::FormulationId::Dcopf | c::FormulationId::Dcpf) {
            let message = format!(
                "The formulation {} is not available in this version; dcopf is.",
                formulation.id()
            );
            return Err(EngineError::new("FORMULATION.UNAVAILABLE", message));
        }
        let network = network_from_module(module_json)?;
        edits::check_demand(&network)?;
        let model = DcModel::new(&network, convert::convention(options))?;
        Ok(Self {
            base: DcData::base(&network),
            keys: Keys::new(&network),
            sha256: crate::sha256_hex(module_json.as_bytes()),
            network,
            model,
        })
    }

    pub fn edits(&self, deltas: &c::DemandDeltas, rates: &c::RatingDeltas) -> Result<Edits> {
        Edits::resolve(&self.network, &self.keys, &self.model, deltas, rates)
    }
}

/// Typed columns by dense row, in the order of the topology; NaN where a row takes no part.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// $/MWh, radians, MW by bus.
    pub lmp: Vec<f64>,
    pub va_rad: Vec<f64>,
    pub demand_mw: Vec<f64>,
    /// MW at the from end, |flow|/rating, $/MWh, MW by branch.
    pub flow_mw: Vec<f64>,
    pub loading: Vec<f64>,
    pub shadow: Vec<f64>,
    pub rating_mw: Vec<f64>,
    /// MW by generator.
    pub dispatch_mw: Vec<f64>,
}

/// A case with its base optimum and the optimum of the committed edits.
///
/// A commit is a pure function of the absolute edits: it starts from the base optimum, so earlier commits never matter.
/// A failed call changes nothing.
#[derive(Clone, Debug)]
pub struct Study {
    pub(crate) problem: Arc<Problem>,
    base: Arc<DcSolution>,
    pub(crate) current: Arc<DcSolution>,
    pub(crate) edits: Edits,
    pub(crate) case_id: String,
    /// The path of the last `track_json`, dropped by a commit.
    pub(crate) track: Option<HeldTrack>,
}

impl Study {
    /// Reads the module and solves the base case.
    ///
    /// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, the codes of the module and of the solve.
    pub fn create(module_json: &str, formulation: &str, options_json: &str) -> Result<Self> {
        let formulation = serde_json::from_value(serde_json::Value::from(formulation)).map_err(|_| {
            EngineError::new(
                "FORMULATION.UNAVAILABLE",
                format!("There is no formulation {formulation:?}."),
            )
        })?;
        if formulation == c::FormulationId::Dcpf {
            let message = "A power flow has no study; solve it with solveModule and the formulation dcpf.";
            return Err(EngineError::new("FORMULATION.UNAVAILABLE", message));
        }
        let problem = Problem::new(module_json, formulation, &crate::from_json("options", options_json)?)?;
        let refuted = problem.model.refute(&problem.base);
        let base = refuted.and_then(|()| DualActiveSet.optimum(&problem.model, &problem.base, None));
        let base = Arc::new(base.map_err(|e| problem.refused(e, &problem.base))?);
        let case_id = problem.network.name.clone();
        Ok(Self {
            current: base.clone(),
            base,
            problem: Arc::new(problem),
            edits: Edits::default(),
            case_id,
            track: None,
        })
    }

    /// The committed optimum (`Solution`).
    pub fn current_solution_json(&self) -> String {
        crate::to_json(&self.solution())
    }

    pub(crate) fn solution(&self) -> c::Solution {
        convert::solution(&self.problem.network, &self.problem.model, &self.current, &self.case_id)
    }

    pub(crate) fn resolve(&self, deltas_json: &str, rates_json: &str) -> Result<Edits> {
        let deltas: c::DemandDeltas = crate::from_json("demand changes", deltas_json)?;
        let rates: c::RatingDeltas = crate::from_json("rating changes", rates_json)?;
        self.problem.edits(&deltas, &rates)
    }

    /// The optimum of absolute edits, from the base optimum.
    pub(crate) fn optimum(&self, edits: &Edits) -> Result<Arc<DcSolution>> {
        if *edits == self.edits {
            return Ok(Arc::clone(&self.current));
        }
        if *edits == Edits::default() {
            return Ok(Arc::clone(&self.base));
        }
        let data = edits.apply(&self.problem.network, &self.problem.base)?;
        DualActiveSet
            .optimum(&self.problem.model, &data, Some(&self.base))
            .map(Arc::new)
            .map_err(|error| self.problem.refused(error, &data))
    }

    pub(crate) fn target(&self, target_json: &str) -> Result<Option<wattbook_solve::dc::Target>> {
        let target: Option<c::SensTarget> = crate::from_json("target", target_json)?;
        target
            .map(|t| edits::target(&self.problem.keys, &self.problem.model, &t))
            .transpose()
    }

    pub(crate) fn required_target(&self, what: &str, target_json: &str) -> Result<wattbook_solve::dc::Target> {
        self.target(target_json)?.ok_or_else(|| {
            let message = format!("A {what} needs a target: {{\"bus\": id}} or {{\"branch\": id}}.");
            EngineError::new("INPUT.REQUEST", message)
        })
    }

    fn column(&self, s: &DcSolution, target: wattbook_solve::dc::Target, case_id: &str) -> c::SensitivityColumn {
        convert::sensitivity_column(&self.problem.network, &self.problem.model, s, target, case_id)
    }

    /// Solves absolute edits (MW from the base case by id or uid) exactly and keeps the result; with a target also its
    /// column at the new state. Returns a `CommitResult`.
    ///
    /// Errors: the codes of edits, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, `SOLVE.*`; the state stays as it was.
    pub fn commit_json(
        &mut self,
        case_id: &str,
        deltas_json: &str,
        rates_json: &str,
        target_json: &str,
    ) -> Result<String> {
        let target = self.target(target_json)?;
        let edits = self.resolve(deltas_json, rates_json)?;
        let solution = self.optimum(&edits)?;
        self.current = solution;
        self.edits = edits;
        self.track = None;
        self.case_id = case_id.to_string();
        let result = c::CommitResult {
            solution: self.solution(),
            iterations: convert::iterations(&self.problem.network, &self.current),
            sensitivity: target.map(|t| self.column(&self.current, t, case_id)),
        };
        Ok(crate::to_json(&result))
    }

    /// Back to the base case; a `CommitResult`.
    pub fn reset_json(&mut self, case_id: &str) -> Result<String> {
        self.commit_json(case_id, "", "", "")
    }

    /// First-order change of prices for absolute edits, from the committed state and without a solve (`Preview`). The
    /// objective follows the affine prices, so it is second order and exact wherever `exact` is true.
    pub fn preview_json(&self, deltas_json: &str, rates_json: &str) -> Result<String> {
        let edits = self.resolve(deltas_json, rates_json)?;
        edits.apply(&self.problem.network, &self.problem.base)?;
        let base_mva = self.problem.network.base_mva;
        let demand = difference(&edits.demand, &self.edits.demand);
        let rating = difference(&edits.rating, &self.edits.rating);
        let per_unit = |changes: &[(usize, f64, f64)]| changes.iter().map(|c| (c.0, (c.2 - c.1) / base_mva)).collect();
        let direction = Direction {
            demand: per_unit(&demand),
            rating: per_unit(&rating),
        };
        let Column {
            price,
            objective,
            objective_curvature,
            warrant,
            ..
        } = self.current.derivative(&self.problem.model, &direction);
        let (lo, hi) = warrant.interval();
        let bounded = |x: f64| x.is_finite().then_some(x);
        let changes: Vec<_> = demand.iter().chain(&rating).collect();
        let valid_mw = match changes[..] {
            [&(_, from, to)] => {
                let (a, b) = (from + lo * (to - from), from + hi * (to - from));
                Some((bounded(a.min(b)), bounded(a.max(b))))
            }
            _ => None,
        };
        let preview = c::Preview {
            // The direction is the whole edit per step, so the column is the change itself, per unit only once.
            prices: convert::column_values(&self.problem.network, &self.problem.model, &price)
                .into_iter()
                .map(|v| c::BusValue {
                    value: v.value * base_mva,
                    ..v
                })
                .collect(),
            objective_delta: Some(objective + 0.5 * objective_curvature),
            exact: lo <= 0.0 && hi >= 1.0,
            valid_step: (!changes.is_empty()).then_some((bounded(lo), bounded(hi))),
            valid_mw,
        };
        Ok(crate::to_json(&preview))
    }

    /// The column of a target at the given absolute edits (`SensitivityColumn`); the Study stays as it is.
    pub fn sensitivity_json(
        &self,
        case_id: &str,
        deltas_json: &str,
        rates_json: &str,
        target_json: &str,
    ) -> Result<String> {
        let target = self.required_target("sensitivity", target_json)?;
        let solution = self.optimum(&self.resolve(deltas_json, rates_json)?)?;
        Ok(crate::to_json(&self.column(&solution, target, case_id)))
    }

    /// Typed columns of the committed state.
    pub fn columns(&self) -> Columns {
        let Problem { network, model, .. } = &*self.problem;
        let (s, base) = (&self.current, network.base_mva);
        let by_bus = |value: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..network.buses.len())
                .map(|b| if model.bus_is_active(b) { value(b) } else { f64::NAN })
                .collect()
        };
        let by_branch = |value: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..network.branches.len())
                .map(|b| if model.branch_is_active(b) { value(b) } else { f64::NAN })
                .collect()
        };
        Columns {
            lmp: by_bus(&|b| s.price[b] / base),
            va_rad: by_bus(&|b| s.theta[b]),
            demand_mw: by_bus(&|b| s.data.demand[b] * base),
            flow_mw: by_branch(&|b| s.flow[b] * base),
            loading: by_branch(&|b| s.flow[b].abs() / s.data.rating[b]),
            shadow: by_branch(&|b| s.shadow[b].abs() / base),
            rating_mw: by_branch(&|b| s.data.rating[b] * base),
            dispatch_mw: network
                .generators
                .iter()
                .zip(&s.dispatch)
                .map(|(g, p)| {
                    if g.in_service && model.bus_is_active(g.bus) {
                        p * base
                    } else {
                        f64::NAN
                    }
                })
                .collect(),
        }
    }
}

/// Rows whose edit differs: `(row, from, to)` in MW.
fn difference(
    to: &std::collections::BTreeMap<usize, f64>,
    from: &std::collections::BTreeMap<usize, f64>,
) -> Vec<(usize, f64, f64)> {
    let rows: std::collections::BTreeSet<usize> = to.keys().chain(from.keys()).copied().collect();
    rows.into_iter()
        .map(|row| {
            (
                row,
                from.get(&row).copied().unwrap_or(0.0),
                to.get(&row).copied().unwrap_or(0.0),
            )
        })
        .filter(|(_, from, to)| from != to)
        .collect()
}
