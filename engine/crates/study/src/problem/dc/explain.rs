//! Why edits have no solution, in the contract's terms.

use super::Dc;
use crate::contract as c;
use crate::convert::{kind_name, plain};
use crate::edits::Edits;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_solve::dc::{self, DcData, DcModel, DcOptimizer, DualActiveSet, Kind, Limit};

impl Dc {
    /// The error of a solve with what is certain at once: what contradicts, and by how much at least. The least relaxation is work of
    /// its own (`Explaining`).
    pub(crate) fn refused(&self, error: EngineError, data: &DcData) -> EngineError {
        if error.code != "SOLVE.INFEASIBLE" {
            return error;
        }
        let error = dc::certain(&self.model, data, error);
        let short = shortfall_mw(&error).filter(|mw| *mw > 0.0);
        let Some(short) = short
            .map(|mw| within(mw, true))
            .filter(|mw| *mw > 0.0)
            .map(dc::megawatts)
        else {
            return error;
        };
        let message = format!(
            "{}; at least {short} short.",
            without_amount(error.message.trim_end_matches('.'))
        );
        EngineError { message, ..error }
    }

    /// Adds how far the demand can go where one bus alone was edited.
    pub(crate) fn add_demand_limit(&self, edits: &Edits, data: &DcData, e: &mut c::Explanation) {
        let mut demands = edits.demand.iter();
        if let (Some((&row, &mw)), None) = (demands.next(), demands.next()) {
            if e.kind != c::ExplanationKind::Unbounded {
                e.demand_limit = self.demand_limit(data, row, mw);
            }
            if let Some(limit) = &e.demand_limit {
                e.message = format!("{} {}", e.message, limit.message);
            }
        }
    }

    /// How far the demand of a bus can go from the base case towards an edit of `mw`; none where not even the base case's has a
    /// solution.
    fn demand_limit(&self, data: &DcData, row: usize, mw: f64) -> Option<c::DemandLimit> {
        let base = self.case.network.base_mva;
        let back = dc::demand_limit(&self.model, data, row, mw / base).ok()??;
        let demand = (data.demand[row] - back) * base;
        let bus = &self.case.network.buses[row];
        let is_most = mw > 0.0;
        let word = if is_most { "most" } else { "least" };
        let told = amount(within(demand, is_most));
        Some(c::DemandLimit {
            element: named(&self.case.network, ElementKind::Bus, bus.id, bus.uid.clone()),
            demand_mw: plain(demand),
            edit_mw: plain(mw - back * base),
            is_most,
            message: format!(
                "With everything else as it is, the {word} that bus {} can take is {told}.",
                bus.id
            ),
        })
    }

    /// The contradiction in `data`, none where they have a solution.
    pub(crate) fn explain(&self, data: &DcData) -> Result<Option<c::Explanation>> {
        match dc::explain(&self.model, data) {
            Ok(found) => Ok(found.map(|e| told(&self.case.network, &e))),
            Err(error) if error.code == "SOLVE.UNBOUNDED" => self.unbounded(data, error).map(Some),
            Err(error) => Err(error),
        }
    }

    /// The generator that lets the cost fall without end, checked by two optima with everything limited far out.
    ///
    /// Errors: the solver's own where the two do not show it.
    pub(crate) fn unbounded(&self, data: &DcData, error: EngineError) -> Result<c::Explanation> {
        let open = |e: &ElementRef| {
            let generators = &self.case.network.generators;
            generators
                .iter()
                .position(|g| e.kind == ElementKind::Generator && e.id == g.id)
        };
        let Some(row) = error.element.as_ref().and_then(open) else {
            return Err(error);
        };
        let base = self.case.network.base_mva;
        let reach = 1.0 + self.reach(data);
        let at = |far: f64| {
            let mut network = self.case.network.clone();
            for g in &mut network.generators {
                (g.pmin_pu, g.pmax_pu) = (g.pmin_pu.max(-far), g.pmax_pu.min(far));
            }
            let model = DcModel::new(&network, self.model.convention())?;
            DualActiveSet.optimum(&model, data, None)
        };
        let far = [10.0 * reach, 20.0 * reach];
        let (near, further) = (at(far[0])?, at(far[1])?);
        let grown = further.dispatch[row] - near.dispatch[row];
        let slope = (further.objective - near.objective) / (grown.abs() * base);
        if grown.abs() < 0.5 * reach || slope.is_nan() || slope >= 0.0 {
            return Err(error);
        }
        let generator = &self.case.network.generators[row];
        let (limit, word) = if grown > 0.0 {
            (c::LimitKind::Maximum, "maximum")
        } else {
            (c::LimitKind::Minimum, "minimum")
        };
        let reason = format!(
            "the cost falls without end, because generator {} has no {word} output and each MW of it saves {:.2} $/h",
            generator.id, -slope
        );
        let remedy = format!(
            "Give generator {} a {word} output, or costs that do not fall there.",
            generator.id
        );
        Ok(c::Explanation {
            kind: c::ExplanationKind::Unbounded,
            message: format!("No solution: {reason}. {remedy}"),
            reason,
            remedy,
            elements: vec![c::ContradictingLimit {
                element: named(
                    &self.case.network,
                    ElementKind::Generator,
                    generator.id,
                    generator.uid.clone(),
                ),
                limit,
                weight: 1.0,
                limit_mw: None,
            }],
            relaxation: Vec::new(),
            relaxation_total_mw: 0.0,
            is_least: true,
            demand_limit: None,
            verified: c::ExplanationCheck {
                bound_mw: 0.0,
                gap_mw: 0.0,
                margin_mw: 0.0,
                slope_usd_per_mwh: Some(slope),
            },
        })
    }

    /// The most that demand, shunts and limited generators add up to, per unit.
    fn reach(&self, data: &DcData) -> f64 {
        let buses = self.case.network.buses.iter().zip(&data.demand);
        let finite = |limit: f64| if limit.is_finite() { limit.abs() } else { 0.0 };
        let generators = self.case.network.generators.iter();
        buses.map(|(bus, demand)| demand.abs() + bus.gs_pu.abs()).sum::<f64>()
            + generators.map(|g| finite(g.pmin_pu) + finite(g.pmax_pu)).sum::<f64>()
    }
}

/// What is certain to be missed, from the details of a refusal.
fn shortfall_mw(error: &EngineError) -> Option<f64> {
    error.details.as_ref()?.get("shortfall_mw")?.as_f64()
}

/// What contradicts, from the solver's own error, as the end of a sentence and without amounts.
pub(crate) fn reason_of(error: &EngineError) -> String {
    let plain = error.message.trim_start_matches("No solution: ").trim_end_matches('.');
    let mut letters = without_amount(plain).chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// Without the amount at its end: "the demand exceeds the generators' capacity by 0.010 MW".
pub(crate) fn without_amount(reason: &str) -> &str {
    match reason.rsplit_once(" by ") {
        Some((text, amount)) if amount.ends_with(" MW") => text,
        _ => reason,
    }
}

/// MW for people: one decimal, three below 1 MW, a power of ten beyond ten million.
pub(crate) fn amount(mw: f64) -> String {
    if mw == 0.0 {
        "0 MW".into()
    } else if mw.abs() >= 1e7 {
        format!("{mw:.1e} MW")
    } else if mw.abs() < 0.9995 {
        format!("{:.3} MW", plain(mw))
    } else {
        format!("{mw:.1} MW")
    }
}

/// MW as `amount` says them, rounded down (or up) to where there is a solution.
pub(crate) fn within(mw: f64, is_most: bool) -> f64 {
    let digits = if mw.abs() < 1.0 { 1000.0 } else { 10.0 };
    let rounded = if is_most {
        (mw * digits + 1e-6).floor()
    } else {
        (mw * digits - 1e-6).ceil()
    };
    rounded / digits + 0.0
}

/// The solver's explanation with the elements by name.
pub(crate) fn told(network: &AnalysisNetwork, e: &dc::Explanation) -> c::Explanation {
    let element = |e: &ElementRef| named(network, e.kind, e.id, e.uid.clone());
    c::Explanation {
        kind: match e.kind {
            Kind::Bounds => c::ExplanationKind::Bounds,
            Kind::Balance => c::ExplanationKind::Balance,
            Kind::Lines => c::ExplanationKind::Lines,
        },
        message: e.message(""),
        reason: e.reason.clone(),
        remedy: e.remedy.clone(),
        elements: e
            .elements
            .iter()
            .map(|limit| c::ContradictingLimit {
                element: element(&limit.element),
                limit: limit_kind(limit.limit),
                weight: limit.weight,
                limit_mw: limit.limit_mw.map(plain),
            })
            .collect(),
        relaxation: e
            .relaxation
            .iter()
            .map(|r| c::RelaxedLimit {
                element: element(&r.element),
                limit: limit_kind(r.limit),
                mw: plain(r.mw),
                rounded_mw: plain(r.rounded_mw),
                angle_deg: (r.angle_deg > 0.0).then_some(r.angle_deg),
            })
            .collect(),
        relaxation_total_mw: plain(e.relaxation_total_mw),
        is_least: e.is_least,
        demand_limit: None,
        verified: c::ExplanationCheck {
            bound_mw: plain(e.verified.bound_mw),
            gap_mw: plain(e.verified.gap_mw),
            margin_mw: e.verified.margin_mw,
            slope_usd_per_mwh: None,
        },
    }
}

fn limit_kind(limit: Limit) -> c::LimitKind {
    match limit {
        Limit::Rating => c::LimitKind::Rating,
        Limit::Angle => c::LimitKind::Angle,
        Limit::RatingAndAngle => c::LimitKind::RatingAndAngle,
        Limit::Minimum => c::LimitKind::Minimum,
        Limit::Maximum => c::LimitKind::Maximum,
        Limit::Demand => c::LimitKind::Demand,
        Limit::Injection => c::LimitKind::Injection,
    }
}

fn named(network: &AnalysisNetwork, kind: ElementKind, id: u64, uid: Option<String>) -> c::NamedElement {
    let bus_id = |row: usize| network.buses[row].id;
    let (name, buses) = match kind {
        ElementKind::Bus => {
            let bus = network.buses.iter().find(|b| b.id == id);
            (bus.and_then(|b| b.name.clone()), None)
        }
        ElementKind::Branch => {
            let branch = network.branches.iter().find(|b| b.id == id);
            (None, branch.map(|b| vec![bus_id(b.from), bus_id(b.to)]))
        }
        ElementKind::Generator => {
            let generator = network.generators.iter().find(|g| g.id == id);
            (None, generator.map(|g| vec![bus_id(g.bus)]))
        }
        _ => (None, None),
    };
    c::NamedElement {
        kind: kind_name(kind).into(),
        id,
        uid,
        name,
        buses,
    }
}
