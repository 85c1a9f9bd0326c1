//! Ratings and angle-difference limits that the reader assumed: solving without the ratings, and messages where a
//! result depends on either. The case under options, valued storage included.

use crate::case::Case;
use crate::contract as c;
use crate::convert::{element, new_diagnostic, sentence};
use std::collections::BTreeSet;
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef, Storage, StorageModel};
use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::message::{Message, Value};

/// Reasons that name lines for their angle-difference limits alone, and the reason that also names the rating.
const OF_ANGLES: [&str; 3] = ["reason.angle", "reason.angle_without_impedance", "socwr.angle"];
const OF_ANGLE_AND_RATING: &str = "reason.angle_and_rating";

/// The case under these options: without assumed ratings, branches without a rating in the source are not limited; with valued storage,
/// units with an energy value are dispatched by it.
pub(super) fn case_of(case: &Arc<Case>, options: &c::SolveOptions) -> Arc<Case> {
    let case = match options.assumed_ratings {
        Some(false) => &case.without_assumed_ratings(),
        _ => case,
    };
    match options.storage {
        Some(c::StorageOption::Valued) => case.with_valued_storage(),
        _ => Arc::clone(case),
    }
}

impl Case {
    /// The case without assumed ratings. Identity and keys are unchanged.
    pub(crate) fn without_assumed_ratings(self: &Arc<Self>) -> Arc<Self> {
        if !self.network.branches.iter().any(is_assumed) {
            return Arc::clone(self);
        }
        let mut network = (*self.network).clone();
        for branch in network.branches.iter_mut().filter(|branch| is_assumed(branch)) {
            branch.rating_pu = f64::INFINITY;
        }
        self.varied(Arc::new(network), None)
    }
}

impl Case {
    /// The case in which storage units with an energy value are dispatched by it. Identity and keys are unchanged.
    pub(crate) fn with_valued_storage(self: &Arc<Self>) -> Arc<Self> {
        let has_value = |storage: &Storage| storage.energy_value.is_some();
        if !self.network.storages.iter().any(has_value) {
            return Arc::clone(self);
        }
        let mut network = (*self.network).clone();
        for storage in network.storages.iter_mut().filter(|storage| has_value(storage)) {
            storage.model = StorageModel::Valued;
        }
        self.varied(Arc::new(network), None)
    }
}

fn is_assumed(branch: &wattbook_network::analysis::Branch) -> bool {
    branch.rating_is_fallback && branch.is_rated()
}

/// Dense rows of branches whose assumed limits matter.
#[derive(Default)]
struct Found {
    ratings: BTreeSet<usize>,
    angles: BTreeSet<usize>,
}

impl Found {
    /// States that the limits are assumed, and how to solve without the ratings.
    fn sentence(&self, network: &AnalysisNetwork) -> Option<Message> {
        let lines = |rows: &BTreeSet<usize>| -> Option<Vec<ElementRef>> {
            let lines = rows.iter().map(|&row| ElementRef::from(&network.branches[row]));
            (!rows.is_empty()).then(|| lines.collect())
        };
        let ratings = lines(&self.ratings).map(|lines| message!("assumed.ratings", count = lines.len(), lines = lines));
        let angles = lines(&self.angles).map(|lines| message!("assumed.angles", count = lines.len(), lines = lines));
        match (ratings, angles) {
            (Some(ratings), Some(angles)) => Some(message!(
                "assumed.ratings_and_angles",
                ratings = ratings,
                angles = angles
            )),
            (ratings, angles) => ratings.or(angles),
        }
    }

    /// Adds the branches that a message names.
    fn add(&mut self, network: &AnalysisNetwork, sentence: &Message) {
        for (_, value) in &sentence.values {
            self.add_of(network, sentence.key, value);
        }
    }

    fn add_of(&mut self, network: &AnalysisNetwork, key: &str, value: &Value) {
        match value {
            Value::Message(part) => self.add(network, part),
            Value::List(values) => values.iter().for_each(|value| self.add_of(network, key, value)),
            Value::Element(e) if e.kind == ElementKind::Branch => {
                // Branch ids are 1-based rows.
                let row = (e.id as usize).wrapping_sub(1);
                let Some(branch) = network.branches.get(row) else {
                    return;
                };
                let is_of_rating = !OF_ANGLES.contains(&key) && is_assumed(branch);
                // The flow of a branch without a rating is limited only by its angle difference.
                let by_angle = OF_ANGLES.contains(&key) || key == OF_ANGLE_AND_RATING || !branch.is_rated();
                let is_of_angle = by_angle && branch.angle_limits_assumed;
                self.ratings.extend(is_of_rating.then_some(row));
                self.angles.extend(is_of_angle.then_some(row));
            }
            _ => {}
        }
    }
}

/// Adds to a refusal the assumed limits of the lines that it names.
pub(super) fn refused(network: &AnalysisNetwork, error: EngineError) -> EngineError {
    let mut found = Found::default();
    if error.code == "SOLVE.INFEASIBLE" {
        found.add(network, &error.sentence);
    }
    let Some(assumed) = found.sentence(network) else {
        return error;
    };
    let reason = error.sentence.part("reason").cloned();
    let shortfall = error.sentence.value("shortfall").cloned();
    let sentence = match (reason, shortfall) {
        (Some(reason), None) => message!("no_solution.assumed", reason = reason, assumed = assumed),
        (Some(reason), Some(shortfall)) => message!(
            "no_solution.short_assumed",
            reason = reason,
            shortfall = shortfall,
            assumed = assumed
        ),
        (None, _) => message!(
            "no_solution.other_assumed",
            refused = (*error.sentence).clone(),
            assumed = assumed
        ),
    };
    let mut error = error.with_sentence(sentence);
    if found.ratings.is_empty() {
        return error;
    }
    let offered = c::SolveOptions {
        assumed_ratings: Some(false),
        ..c::SolveOptions::default()
    };
    let details = error.details.get_or_insert_with(|| serde_json::json!({}));
    details["options"] = serde_json::json!(offered);
    error
}

/// Marks the parts of an explanation that depend on assumed ratings, and mentions assumed limits in its message.
pub(super) fn mark(network: &AnalysisNetwork, explanation: &mut c::Explanation) {
    let mut found = Found::default();
    let mut of = |element: &c::NamedElement, limit: c::LimitKind| {
        let row = (element.id as usize).wrapping_sub(1);
        let is_of_rating = matches!(limit, c::LimitKind::Rating | c::LimitKind::RatingAndAngle);
        let is_so = is_of_rating && network.branches.get(row).is_some_and(is_assumed);
        found.ratings.extend(is_so.then_some(row));
        let is_of_angle = matches!(limit, c::LimitKind::Angle | c::LimitKind::RatingAndAngle);
        let is_assumed = network.branches.get(row).is_some_and(|b| b.angle_limits_assumed);
        found.angles.extend((is_of_angle && is_assumed).then_some(row));
        is_so
    };
    for limit in &mut explanation.elements {
        limit.rating_assumed = of(&limit.element, limit.limit);
    }
    for limit in &mut explanation.relaxation {
        limit.rating_assumed = of(&limit.element, limit.limit);
    }
    if let Some(assumed) = found.sentence(network) {
        explanation.message = format!("{} {assumed}", explanation.message);
        explanation.sentence.key = "no_solution.explained_assumed".into();
        let assumed = c::MessageValue::Message(sentence(&assumed));
        explanation.sentence.values.insert("assumed".into(), assumed);
    }
}

/// A diagnostic that prices depend on assumed ratings, where such ratings bind; `shadow` is by dense row, NaN where a
/// row is not energised.
pub(super) fn binding(network: &AnalysisNetwork, shadow: &[f64]) -> Option<c::Diagnostic> {
    /// Shadow prices below this, $/MWh, are rounding.
    const LEAST_SHADOW: f64 = 1e-6;
    let binds = |(row, shadow): (usize, &f64)| {
        let is_so = *shadow > LEAST_SHADOW && is_assumed(&network.branches[row]);
        is_so.then(|| ElementRef::from(&network.branches[row]))
    };
    let lines: Vec<ElementRef> = shadow.iter().enumerate().filter_map(binds).collect();
    let at = element(lines.first()?);
    let message = message!("result.assumed_ratings", count = lines.len(), lines = lines);
    Some(new_diagnostic("RATING.ASSUMED", &message, Some(at)))
}
