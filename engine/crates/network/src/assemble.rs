//! The parser's network under the analysis rules: per unit, radians, dense rows in source order.

use powerio::{BalancedNetwork, DiagnosticSeverity, PioModule, PioValue};

use crate::analysis::{AnalysisNetwork, ElementKind, ElementRef, Warning};
use crate::branches::{self, Surroundings};
use crate::error::{EngineError, Result};
use crate::sentences::{clean, sentence};
use crate::{buses, coords, generators, lowering, module, refusals};

/// Applies every analysis rule to the network of a module.
///
/// # Errors
/// `MODULE.KIND`, `PHYSICS.UNSUPPORTED`, `INPUT.*`; see [`crate::network_from_module`].
pub(crate) fn analysis_network(parsed: &PioModule<PioValue>) -> Result<AnalysisNetwork> {
    let net = module::balanced(parsed)?;
    if net.is_normalized() {
        return Err(EngineError::new(
            "MODULE.KIND",
            "The module holds a normalised network; source units are needed.",
        ));
    }
    let base_mva = net.base_mva();
    if !(base_mva.is_finite() && base_mva > 0.0) {
        return Err(EngineError::new(
            "INPUT.BASE_MVA",
            format!("The MVA base is {base_mva}; it must be positive."),
        ));
    }
    if net.buses().is_empty() {
        return Err(EngineError::new("INPUT.EMPTY", "The case has no buses."));
    }
    refusals::check(net)?;
    let mut warnings = stored_warnings(parsed);
    let stars = lowering::stars(net);
    let (buses, index) = buses::read(net, &stars, base_mva)?;
    let generators = generators::read(net, &index, &buses, base_mva, &mut warnings)?;
    let capacity_pu = buses.iter().map(|b| b.demand_pu.abs() + b.gs_pu.abs()).sum::<f64>()
        + generators
            .iter()
            .map(|g| largest_output(g.pmin_pu, g.pmax_pu))
            .sum::<f64>();
    let around = Surroundings {
        net,
        buses: &buses,
        index: &index,
        base_mva,
        capacity_pu: capacity_pu.max(1.0),
    };
    let branches = branches::read(&around, &stars)?;
    let unrated = branches.iter().filter(|b| b.in_service && b.rating_is_fallback).count();
    if unrated > 0 {
        let message = format!(
            "Branches without a thermal rating: {unrated}. Each takes one from its angle window and voltage bands."
        );
        warnings.push(Warning {
            code: "RATING.FALLBACK",
            message,
            element: None,
        });
    }
    Ok(AnalysisNetwork {
        name: net.name().clone(),
        base_mva,
        coords_kind: coords::kind(net, &buses),
        n_canonical_buses: net.buses().len(),
        n_canonical_branches: net.branches().len(),
        buses,
        branches,
        generators,
        warnings,
    })
}

/// The larger magnitude of a generator's active limits. A limit that is infinite counts for nothing: what such a generator gives
/// or takes is bounded by what the rest takes or gives.
fn largest_output(pmin_pu: f64, pmax_pu: f64) -> f64 {
    let magnitude = |limit: f64| if limit.is_finite() { limit.abs() } else { 0.0 };
    magnitude(pmin_pu).max(magnitude(pmax_pu))
}

/// The uid of a row where the source carries one; the parser invents one for every row, and digits alone would be taken for
/// an original id.
pub(crate) fn source_uid(net: &BalancedNetwork, uid: &Option<String>) -> Option<String> {
    let own = uid.as_ref().filter(|u| !net.uid_is_generated(Some(u)));
    own.filter(|u| u.bytes().any(|b| !b.is_ascii_digit())).cloned()
}

/// A number that must be finite, or the error that names the element.
pub(crate) fn finite(value: f64, what: &str, element: &ElementRef) -> Result<f64> {
    if value.is_finite() {
        return Ok(value);
    }
    let message = format!(
        "{} {} has {what} {value}; it must be a finite number.",
        kind_name(element.kind),
        element.id
    );
    Err(EngineError::new("INPUT.NOT_FINITE", message).at(element.clone()))
}

fn kind_name(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Bus => "Bus",
        ElementKind::Branch => "Branch",
        ElementKind::Generator => "Generator",
        ElementKind::Switch => "Switch",
        ElementKind::Storage => "Storage unit",
        ElementKind::Hvdc => "HVDC link",
        ElementKind::Transformer3w => "Transformer",
    }
}

/// The warnings stored in the module. The parser may say the same of a hundred sections; of each of its codes, the first
/// ones are told, and how many more there are.
fn stored_warnings(parsed: &PioModule<PioValue>) -> Vec<Warning> {
    const TOLD: usize = 3;
    let mut out = Vec::new();
    let mut seen: Vec<(&str, usize)> = Vec::new();
    for diagnostic in parsed.diagnostics() {
        let Some(warning) = stored_warning(diagnostic) else {
            continue;
        };
        if warning.code == "INPUT.PARSER" {
            match seen.iter_mut().find(|(code, _)| *code == diagnostic.code()) {
                Some((_, count)) => *count += 1,
                None => seen.push((diagnostic.code(), 1)),
            }
            if seen
                .iter()
                .any(|(code, count)| *code == diagnostic.code() && *count > TOLD)
            {
                continue;
            }
        }
        out.push(warning);
    }
    for (code, count) in seen.into_iter().filter(|(_, count)| *count > TOLD) {
        out.push(Warning {
            code: "INPUT.PARSER",
            message: format!("{} further remarks of this kind. ({})", count - TOLD, clean(code)),
            element: None,
        });
    }
    out
}

/// A diagnostic stored in the module: ours keep their code, the parser's are told with theirs in the sentence.
fn stored_warning(diagnostic: &powerio::Diagnostic) -> Option<Warning> {
    if diagnostic.severity() < DiagnosticSeverity::Warning {
        return None;
    }
    let own = diagnostic.code().strip_prefix(module::OWN_CODES);
    let own = own.and_then(|code| module::STORED_CODES.into_iter().find(|known| *known == code));
    let message = match own {
        Some(_) => clean(diagnostic.message()),
        None => format!("{} ({})", sentence(diagnostic.message()), clean(diagnostic.code())),
    };
    Some(Warning {
        code: own.unwrap_or("INPUT.PARSER"),
        message,
        element: None,
    })
}
