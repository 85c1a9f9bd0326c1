//! The parser's network after the analysis rules: per unit, radians, dense rows in source order.

mod angle_difference;
pub(crate) mod branches;
pub(crate) mod buses;
pub(crate) mod coords;
mod cost;
mod fallback_rating;
pub(crate) mod generators;
pub(crate) mod links;
pub(crate) mod lowering;
mod power_base;
mod refusals;
pub(crate) mod storages;

use powerio::network::{Load, LoadVoltageModel};
use powerio::{BalancedNetwork, DiagnosticSeverity, PioModule, PioValue};

use crate::analysis::{AnalysisNetwork, Bus, Warning};
use crate::assemble::branches::Surroundings;
use crate::assemble::power_base::PowerBase;
use crate::element::ElementRef;
use crate::error::{EngineError, Result};
use crate::message::amounts::mw;
use crate::message::{written, Message};
use crate::sentences::recognised::{has_own_message, unmodelled_sections};
use crate::sentences::{remark_with_code, words};
use crate::{message, module};

/// Code of warnings about omitted demand, generation, limits or costs.
const LEFT_OUT: &str = "INPUT.LEFT_OUT";

/// Applies every analysis rule to the network of a module.
///
/// # Errors
/// `MODULE.KIND`, `PHYSICS.UNSUPPORTED`, `INPUT.*`; see [`crate::network_from_module`].
pub(crate) fn analysis_network(parsed: &PioModule<PioValue>) -> Result<AnalysisNetwork> {
    let net = module::balanced(parsed)?;
    if net.is_normalized() {
        return Err(EngineError::new("MODULE.KIND", message!("module.normalised")));
    }
    let base = PowerBase::of(net)?;
    if net.buses().is_empty() {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.no_buses")));
    }
    refusals::check(net)?;
    let mut warnings = stored_warnings(parsed);
    let stars = lowering::stars(net);
    let (buses, index) = buses::read(net, &stars, &base)?;
    let generators = generators::read(net, &index, &buses, base.mva, &mut warnings)?;
    let links = links::read(net, &index, &buses, base.mva)?;
    let storages = storages::read(net, &index, &buses, base.mva)?;
    let around = Surroundings {
        net,
        buses: &buses,
        index: &index,
        base: &base,
    };
    let branches = branches::read(&around, &stars)?;
    warnings.extend(voltage_dependent(&buses, base.mva));
    warnings.extend(exponential(net));
    warnings.extend(storages::ignored(net));
    let unrated = branches
        .iter()
        .filter(|b| b.in_service && b.rating_is_fallback && b.is_rated());
    let lines: Vec<ElementRef> = unrated.map(ElementRef::from).collect();
    if !lines.is_empty() {
        let message = message!("case.fallback_ratings", count = lines.len(), lines = lines);
        warnings.push(Warning::new("RATING.FALLBACK", message));
    }
    warnings.sort_by_key(|warning| warning.code != LEFT_OUT);
    Ok(AnalysisNetwork {
        name: net.name().clone(),
        base_mva: base.mva,
        base_exponent: base.exponent,
        coords_kind: coords::kind(net, &buses),
        n_canonical_buses: net.buses().len(),
        n_canonical_branches: net.branches().len(),
        buses,
        branches,
        generators,
        links,
        storages,
        warnings,
    })
}

/// One warning if demand depends on the voltage, which the power flow models and the optimisations do not.
fn voltage_dependent(buses: &[Bus], base_mva: f64) -> Option<Warning> {
    let depends = |bus: &&Bus| [bus.constant_current_pu, bus.constant_impedance_pu] != [[0.0; 2]; 2];
    let count = buses.iter().filter(depends).count();
    let total = |of: fn(&Bus) -> f64| mw(buses.iter().map(of).sum::<f64>() * base_mva);
    (count > 0).then(|| {
        let message = message!(
            "case.voltage_dependent",
            count = count,
            current = total(|bus| bus.constant_current_pu[0]),
            impedance = total(|bus| bus.constant_impedance_pu[0])
        );
        Warning::new("BUS.VOLTAGE_DEPENDENT", message)
    })
}

/// One warning if the power of loads has another exponent of the voltage than 0, 1 and 2 and is treated as constant.
fn exponential(net: &BalancedNetwork) -> Option<Warning> {
    let is_other = |load: &&Load| match &load.voltage_model {
        Some(LoadVoltageModel::Exponential { gamma_p, gamma_q, .. }) => {
            let other = |gamma: f64, power: f64| power != 0.0 && ![0.0, 1.0, 2.0].contains(&gamma);
            load.in_service && (other(*gamma_p, load.p) || other(*gamma_q, load.q))
        }
        _ => false,
    };
    let found: Vec<f64> = net.loads().iter().filter(is_other).map(|load| load.p).collect();
    (!found.is_empty()).then(|| {
        let message = message!(
            "case.exponential_loads",
            count = found.len(),
            demand = mw(found.iter().sum())
        );
        Warning::new("INPUT.FIELD_IGNORED", message)
    })
}

/// The uid of a row, if the source has one. The parser generates a uid for every row, and a uid of digits only would be
/// confused with an original id.
pub(crate) fn source_uid(net: &BalancedNetwork, uid: &Option<String>) -> Option<String> {
    let own = uid.as_ref().filter(|u| !net.uid_is_generated(Some(u)));
    own.filter(|u| u.bytes().any(|b| !b.is_ascii_digit())).cloned()
}

/// A number that must be finite, or the error that names the element. `quantity` is the message key of the quantity.
pub(crate) fn finite(value: f64, quantity: &'static str, element: &ElementRef) -> Result<f64> {
    if value.is_finite() {
        return Ok(value);
    }
    let message = message!(
        "case.not_finite",
        element = element,
        quantity = Message::of_key(quantity),
        value = written(value)
    );
    Err(EngineError::new("INPUT.NOT_FINITE", message).at(element.clone()))
}

/// The warnings stored in the module. Warnings of this crate keep their text. The parser repeats a remark for every
/// record, so all its remarks of one kind become one warning with their number and subject.
fn stored_warnings(parsed: &PioModule<PioValue>) -> Vec<Warning> {
    let mut out = Vec::new();
    let mut kinds: Vec<(&str, Vec<&powerio::Diagnostic>)> = Vec::new();
    for diagnostic in parsed.diagnostics() {
        let Some(warning) = stored_warning(diagnostic) else {
            continue;
        };
        if warning.code != "INPUT.PARSER" {
            out.push(warning);
        } else if !has_own_message(diagnostic) {
            match kinds.iter_mut().find(|(code, _)| *code == diagnostic.code()) {
                Some((_, remarks)) => remarks.push(diagnostic),
                None => kinds.push((diagnostic.code(), vec![diagnostic])),
            }
        }
    }
    for (code, remarks) in kinds {
        let message = match (&remarks[..], unmodelled_sections(&remarks)) {
            (_, Some((records, sections))) => message!("reader.sections", count = records, sections = sections),
            ([only], None) => remark_with_code(only),
            (_, None) => {
                let about: Vec<Message> = remarks.iter().map(|d| words(d)).collect();
                message!("reader.remarks", count = remarks.len(), remarks = about, code = code)
            }
        };
        out.push(Warning::new("INPUT.PARSER", message));
    }
    out
}

/// A diagnostic stored in the module: those of this crate keep their code, and those of the parser mention their code
/// in the sentence.
fn stored_warning(diagnostic: &powerio::Diagnostic) -> Option<Warning> {
    if diagnostic.severity() < DiagnosticSeverity::Warning {
        return None;
    }
    let own = diagnostic.code().strip_prefix(module::OWN_CODES);
    let own = own.and_then(|code| module::STORED_CODES.into_iter().find(|known| *known == code));
    let message = match own {
        Some(_) => module::stored_message(diagnostic.message()),
        None => remark_with_code(diagnostic),
    };
    Some(Warning::new(own.unwrap_or("INPUT.PARSER"), message))
}
