//! Why data have no solution, and the least change of limits that gives them one.
//!
//! Three things can contradict, in this order: bounds that cross on their own, the balance of an island, and lines. Each is
//! relaxed by as little as possible (sum of MW), given what was relaxed before: limits of lines are touched only by what
//! lines need, and generation and demand only by what the balance misses. For lines this is a linear program with slacks
//! (`active_set::least_exceedance`); its multipliers are a Farkas ray of the program without slacks.

mod proof;
mod relaxed;
mod words;

use super::active_set::least_exceedance;
use super::model::{DcData, DcModel};
use super::{infeasible, DcOptimizer, DualActiveSet};
use proof::Proof;
use relaxed::Relaxed;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};

/// Margins of the check, as shares of the relaxation.
const MARGINS: [f64; 3] = [1e-6, 1e-5, 1e-4];

/// Weights this close are the same.
const SAME_WEIGHT: f64 = 1e-6;

/// What contradicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two bounds of one element.
    Bounds,
    /// Generators' limits and the demand of an island.
    Balance,
    /// Lines, with the generators' limits and the balance.
    Lines,
}

/// Which limit of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Rating,
    Angle,
    /// Both hold the line within the relaxation: neither alone helps.
    RatingAndAngle,
    /// Output of a generator.
    Minimum,
    Maximum,
    Demand,
}

/// A limit that takes part in the contradiction.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradicting {
    pub element: ElementRef,
    pub limit: Limit,
    /// What one more MW of this limit saves of the relaxation, MW; for an angle window without flow, MW per radian.
    pub weight: f64,
    /// The limit, MW (flow from the from end, signed); none for the angle window of a branch without flow.
    pub limit_mw: Option<f64>,
}

/// By how much a limit is exceeded in the least relaxation.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxation {
    pub element: ElementRef,
    pub limit: Limit,
    pub mw: f64,
    /// Degrees by which the angle window of a branch without flow or impedance must be wider; zero for all others.
    pub angle_deg: f64,
}

/// What was checked after the search, on the data themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verified {
    /// No relaxation of a smaller total exists, MW: the value of the multipliers, each at most one.
    pub bound_mw: f64,
    /// The named limits were relaxed by this much more than told, MW, before the case was solved: exactly at the least
    /// relaxation a dispatch is all but unique.
    pub margin_mw: f64,
    /// Cost of the certified optimum then, $/h; none where the cost falls without end.
    pub objective: Option<f64>,
}

/// A contradiction, and the least relaxation that removes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub kind: Kind,
    /// What contradicts, as the end of a sentence: "lines 12 and 40 cannot both be held".
    pub reason: String,
    /// A sentence: "Least relaxation: 4.1 MW on line 12."
    pub remedy: String,
    /// Largest weight first.
    pub elements: Vec<Contradicting>,
    /// Largest first.
    pub relaxation: Vec<Relaxation>,
    pub relaxation_total_mw: f64,
    pub verified: Verified,
}

impl Explanation {
    /// The whole text. `place` says where a solution ends: "above 152.7 MW at bus 474", or nothing.
    pub fn message(&self, place: &str) -> String {
        let space = if place.is_empty() { "" } else { " " };
        format!("No solution{space}{place}: {}. {}", self.reason, self.remedy)
    }
}

/// Explains why `data` have no solution; none where they have one.
///
/// Errors: `SOLVE.NOT_CONVERGED` where a check fails, `PHYSICS.UNSUPPORTED` as the solver itself, and what the solver says of
/// data whose limits do not contradict.
pub fn explain(model: &DcModel, data: &DcData) -> Result<Option<Explanation>> {
    for (l, line) in model.lines.iter().enumerate() {
        infeasible::check_merged_loop(model, l, data.rating[line.row])?;
    }
    // A certified optimum says more than a relaxation by nothing.
    let unsolved = match DualActiveSet.optimum(model, data, None) {
        Ok(_) => return Ok(None),
        Err(error) => error,
    };
    let mut relaxed = Relaxed::new(model, data);
    relaxed.uncross();
    relaxed.meet_demand();
    let found = least_exceedance(&relaxed.program, &relaxed.data)?;
    let proof = Proof::new(&relaxed.program, &relaxed.data, found);
    relaxed.name_exceeded(&proof);
    if relaxed.entries.is_empty() {
        return Err(unsolved); // no limit is in the way: without an end, or a failure of the solver
    }
    let bound = proof
        .bound(&relaxed)
        .ok_or_else(|| not_verified("its multipliers do not prove that no smaller one exists"))?;

    let Some((margin_mw, objective)) = relaxed_optimum(model.base_mva, &relaxed) else {
        return Err(not_verified("the relaxed case has no certified optimum"));
    };
    let mut explanation = Explanation {
        kind: relaxed.kind(),
        reason: String::new(),
        remedy: String::new(),
        elements: relaxed.contradicting(&proof),
        relaxation_total_mw: relaxed.total() * model.base_mva,
        relaxation: relaxed.entries.iter().map(|e| e.told(model)).collect(),
        verified: Verified {
            bound_mw: bound * model.base_mva,
            margin_mw,
            objective,
        },
    };
    let size = |r: &Relaxation| (r.mw, r.angle_deg);
    let by_size = |a: &Relaxation, b: &Relaxation| size(b).partial_cmp(&size(a)).unwrap_or(std::cmp::Ordering::Equal);
    explanation.relaxation.sort_by(by_size);
    // Of limits that weigh the same, the one that is exceeded most is named first.
    let exceeded = |c: &Contradicting| {
        let mut same = explanation.relaxation.iter().filter(|r| r.element == c.element);
        same.next().map_or(0.0, |r| r.mw)
    };
    let key = |c: &Contradicting| ((c.weight / SAME_WEIGHT).round(), exceeded(c));
    let mut keyed: Vec<_> = explanation.elements.drain(..).map(|c| (key(&c), c)).collect();
    keyed.sort_by(|(a, _), (b, _)| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
    explanation.elements = keyed.into_iter().map(|(_, c)| c).collect();
    explanation.reason = words::reason(model, &relaxed, &explanation.elements);
    explanation.remedy = words::remedy(&explanation);
    Ok(Some(explanation))
}

/// Solves the true case with the named limits relaxed: the margin it took, MW, and the objective.
fn relaxed_optimum(base_mva: f64, relaxed: &Relaxed) -> Option<(f64, Option<f64>)> {
    MARGINS.iter().find_map(|margin| {
        let margin_mw = margin * (1.0 + relaxed.total() * base_mva);
        let (model, data) = relaxed.apply(margin_mw);
        match DualActiveSet.optimum(&model, &data, None) {
            Ok(solution) => Some((margin_mw, Some(solution.objective))),
            Err(error) if error.code == "SOLVE.UNBOUNDED" => Some((margin_mw, None)),
            Err(_) => None,
        }
    })
}

fn not_verified(why: &str) -> EngineError {
    let message = format!("The data have no solution, but the least relaxation could not be verified: {why}.");
    EngineError::new("SOLVE.NOT_CONVERGED", message)
}
