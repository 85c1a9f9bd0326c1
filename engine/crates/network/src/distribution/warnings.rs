//! What must be told of a multiconductor case: physics that no calculation here supports, and the parser's remarks.

use powerio::dist::{DistControlProfile, MulticonductorNetwork, UntypedObject};
use powerio::{Diagnostic, DiagnosticSeverity, PioModule, PioValue};

use super::fold::original;
use super::service::Service;
use super::switching::is_no;
use super::DistributionWarning;
use crate::module;
use crate::sentences::{clean, sentence};

/// Active device controls by class.
pub(super) const CONTROLS: [&str; 13] = [
    "regcontrol",
    "capcontrol",
    "swtcontrol",
    "invcontrol",
    "storagecontroller",
    "gendispatcher",
    "expcontrol",
    "esptypicalcontrol",
    "upfccontrol",
    "relay",
    "recloser",
    "fuse",
    "espvlcontrol",
];
/// Classes that define or measure and are no equipment.
const NO_EQUIPMENT: [&str; 20] = [
    "linecode",
    "linegeometry",
    "linespacing",
    "wiredata",
    "cndata",
    "tsdata",
    "xfmrcode",
    "loadshape",
    "tshape",
    "priceshape",
    "growthshape",
    "spectrum",
    "xycurve",
    "tcc_curve",
    "monitor",
    "energymeter",
    "sensor",
    "dynamicexp",
    "cktelement",
    "feeder",
];
/// Most warnings of one kind: a feeder with ten thousand controls is told of once.
const MOST: usize = 1000;
/// Most remarks of the parser under one of its codes.
const TOLD: usize = 3;

/// Our stored warnings, unsupported physics, what is left aside, and the parser's remarks.
pub(super) fn all(
    parsed: &PioModule<PioValue>,
    net: &MulticonductorNetwork,
    service: &Service,
) -> Vec<DistributionWarning> {
    let mut out: Vec<DistributionWarning> = parsed.diagnostics().iter().filter_map(stored).collect();
    out.extend(limited(unsupported(net, service)));
    out.extend(limited(aside(net, service)));
    out.extend(options(net));
    out.extend(remarks(parsed.diagnostics()));
    out
}

fn stored(diagnostic: &Diagnostic) -> Option<DistributionWarning> {
    let own = diagnostic.code().strip_prefix(module::OWN_CODES)?;
    let code = module::STORED_CODES.into_iter().find(|known| *known == own)?;
    Some(DistributionWarning {
        code,
        message: clean(diagnostic.message()),
        element: None,
    })
}

fn limited(mut warnings: Vec<DistributionWarning>) -> Vec<DistributionWarning> {
    let more = warnings.len().saturating_sub(MOST);
    if more > 0 {
        let code = warnings[MOST].code;
        warnings.truncate(MOST);
        let message = format!("{more} further elements of this kind.");
        warnings.push(DistributionWarning {
            code,
            message,
            element: None,
        });
    }
    warnings
}

fn warning(code: &'static str, element: String, message: String) -> DistributionWarning {
    DistributionWarning {
        code,
        message: clean(&message),
        element: Some(element),
    }
}

/// Equipment that is shown and that a calculation refuses.
fn unsupported(net: &MulticonductorNetwork, service: &Service) -> Vec<DistributionWarning> {
    let mut out = Vec::new();
    for object in net.untyped_objects().iter().filter(|o| !is_disabled(o, service)) {
        let class = object.class.to_ascii_lowercase();
        let element = format!("{class}.{}", object.name);
        // What a switch control opens stands open (see `super::switching`).
        if NO_EQUIPMENT.contains(&class.as_str()) || class == "swtcontrol" {
            continue;
        }
        let message = match class.as_str() {
            "regcontrol" => format!("`{element}`: voltage regulators are not supported; the taps stay as written."),
            c if CONTROLS.contains(&c) => {
                format!("`{element}`: controls of this kind are not supported; nothing moves.")
            }
            "storage" => format!("`{element}`: storage is not supported."),
            _ => format!("`{element}`: elements of this kind are not supported; it is left out."),
        };
        out.push(warning("PHYSICS.UNSUPPORTED", element, message));
    }
    for profile in net.control_profiles().iter().filter(|p| is_active(p)) {
        let element = format!("invcontrol.{}", profile.name);
        let message = format!("`{element}`: inverter controls are not supported.");
        out.push(warning("PHYSICS.UNSUPPORTED", element, message));
    }
    for storage in net.loads().iter().filter_map(|l| original(&l.extras)) {
        let message = format!("`{storage}`: storage is not supported; its power is no load and no generation here.");
        out.push(warning("PHYSICS.UNSUPPORTED", storage.to_owned(), message));
    }
    for source in net.sources() {
        if !source.v_magnitude.is_empty() && source.v_magnitude.iter().all(|v| *v == 0.0) {
            let element = format!("vsource.{}", source.name);
            let message =
                format!("`{element}` has no voltage: the script sets it to zero, or solves at another frequency.");
            out.push(warning("PHYSICS.UNSUPPORTED", element, message));
        }
    }
    out
}

/// False for a profile that only holds a power factor, which the parser makes of an inverter's own `pf`.
pub(super) fn is_active(profile: &DistControlProfile) -> bool {
    profile.volt_var.is_some() || profile.volt_watt.is_some()
}

/// Elements that the script disables.
fn aside(net: &MulticonductorNetwork, service: &Service) -> Vec<DistributionWarning> {
    let disabled = net.untyped_objects().iter().filter(|o| is_disabled(o, service));
    let mut elements: Vec<String> = disabled
        .map(|o| format!("{}.{}", o.class.to_ascii_lowercase(), o.name))
        .collect();
    let mut add = |class: &str, name: &str, extras| {
        if !service.has(class, name, extras) {
            elements.push(format!("{class}.{name}"));
        }
    };
    net.loads().iter().for_each(|e| add("load", &e.name, &e.extras));
    net.generators()
        .iter()
        .for_each(|e| add("generator", &e.name, &e.extras));
    net.ibrs().iter().for_each(|e| add("pvsystem", &e.name, &e.extras));
    net.transformers()
        .iter()
        .for_each(|e| add("transformer", &e.name, &e.extras));
    net.lines().iter().for_each(|e| add("line", &e.name, &e.extras));
    net.switches().iter().for_each(|e| add("switch", &e.name, &e.extras));
    let told = |element: String| {
        let message = format!("`{element}` is disabled and out of service.");
        warning("INPUT.FIELD_IGNORED", element, message)
    };
    elements.into_iter().map(told).collect()
}

fn is_disabled(object: &UntypedObject, service: &Service) -> bool {
    let class = object.class.to_ascii_lowercase();
    let named = |(name, _): &&(Option<String>, String)| name.as_deref() == Some("enabled");
    let own = object
        .props
        .iter()
        .rev()
        .find(named)
        .is_some_and(|(_, value)| is_no(value));
    service.command(&class, &object.name).map_or(own, |enabled| !enabled)
}

/// Multipliers of the whole circuit, which the powers shown do not contain.
fn options(net: &MulticonductorNetwork) -> Vec<DistributionWarning> {
    let multiplier =
        |name: &str| ["loadmult", "genmult", "allocationfactors"].contains(&name.to_ascii_lowercase().as_str());
    let changes = |value: &str| !value.trim().parse::<f64>().is_ok_and(|v| v == 1.0);
    let set = net
        .options()
        .iter()
        .filter(|(name, value)| multiplier(name) && changes(value));
    set.map(|(name, value)| DistributionWarning {
        code: "INPUT.FIELD_IGNORED",
        message: clean(&format!(
            "The script sets {name} = {value}; powers are shown without it."
        )),
        element: None,
    })
    .collect()
}

/// The parser's own remarks, without those that are told above or that nothing here depends on.
fn remarks(diagnostics: &[Diagnostic]) -> Vec<DistributionWarning> {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    let mut out = Vec::new();
    for d in diagnostics
        .iter()
        .filter(|d| d.severity() >= DiagnosticSeverity::Warning && !is_told(d))
    {
        let count = match seen.iter_mut().find(|(code, _)| *code == d.code()) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                seen.push((d.code(), 1));
                1
            }
        };
        if count <= TOLD {
            let message = format!("{} ({})", sentence(d.message()), clean(d.code()));
            out.push(DistributionWarning {
                code: "INPUT.PARSER",
                message,
                element: None,
            });
        }
    }
    for (code, count) in seen.into_iter().filter(|(_, count)| *count > TOLD) {
        let message = format!("{} further remarks of this kind. ({})", count - TOLD, clean(code));
        out.push(DistributionWarning {
            code: "INPUT.PARSER",
            message,
            element: None,
        });
    }
    out
}

fn is_told(d: &Diagnostic) -> bool {
    let m = d.message();
    let begins = |starts: &[&str]| starts.iter().any(|s| m.to_ascii_lowercase().starts_with(s));
    match d.code() {
        c if c.starts_with(module::OWN_CODES) => true,
        "READ.DSS.RETAINED_SOURCE_ONLY" => {
            begins(&["linecode.", "swtcontrol ", "storage "])
                || m.contains("has no declared length unit")
                || m.contains("are outside the static circuit profile")
                || m.contains("is disabled: retained")
                || m.contains("fixed open ports")
        }
        "READ.DSS.VALUE_UNSUPPORTED" => begins(&["regcontrol "]),
        "READ.DSS.OBJECT_UNTYPED" => begins(&["xycurve "]),
        "READ.DSS.REFERENCE_DROPPED" => begins(&["swtcontrol "]),
        _ => false,
    }
}
