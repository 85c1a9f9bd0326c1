//! Warnings of a multiconductor case: physics that no calculation here supports, and diagnostics of the parser.

use powerio::dist::{DistControlProfile, MulticonductorNetwork, UntypedObject};
use powerio::{Diagnostic, DiagnosticSeverity, PioModule, PioValue};

use crate::distribution::elements::fold::original;
use crate::distribution::elements::service::Service;
use crate::distribution::settings::Settings;
use crate::distribution::switching::is_no;
use crate::distribution::DistributionWarning;
use crate::message::Message;
use crate::sentences::recognised::is_reported_otherwise;
use crate::sentences::remark_with_code;
use crate::{message, module};

/// Active device controls by class.
pub(crate) const CONTROLS: [&str; 13] = [
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
/// Classes of definitions and meters, which are not equipment.
pub(crate) const NO_EQUIPMENT: [&str; 20] = [
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
/// Most warnings of one kind: a feeder with ten thousand controls has one warning about them.
const MOST: usize = 1000;
/// Most diagnostics of the parser with one code.
const MOST_REMARKS: usize = 3;

/// Stored warnings of this crate, unsupported physics, ignored data, and diagnostics of the parser.
pub(crate) fn all(
    parsed: &PioModule<PioValue>,
    net: &MulticonductorNetwork,
    service: &Service,
) -> Vec<DistributionWarning> {
    let mut out: Vec<DistributionWarning> = parsed.diagnostics().iter().filter_map(stored).collect();
    out.extend(limited(unsupported(net, service)));
    out.extend(limited(aside(net, service)));
    out.extend(multipliers(net));
    out.extend(remarks(parsed.diagnostics()));
    out
}

fn stored(diagnostic: &Diagnostic) -> Option<DistributionWarning> {
    let own = diagnostic.code().strip_prefix(module::OWN_CODES)?;
    let code = module::STORED_CODES.into_iter().find(|known| *known == own)?;
    let text = diagnostic.message();
    let message = match between(text, '`').filter(|_| code == "INPUT.COMPANION") {
        Some(file) => message!("feeder.positions_missing", file = file),
        None => module::stored_message(text),
    };
    Some(DistributionWarning::new(code, message))
}

/// The text between the first and the last `mark`.
fn between(text: &str, mark: char) -> Option<&str> {
    text.split_once(mark)?.1.rsplit_once(mark).map(|(inside, _)| inside)
}

fn limited(mut warnings: Vec<DistributionWarning>) -> Vec<DistributionWarning> {
    let more = warnings.len().saturating_sub(MOST);
    if more > 0 {
        let code = warnings[MOST].code;
        warnings.truncate(MOST);
        let message = message!("feeder.more_elements", count = more);
        warnings.push(DistributionWarning::new(code, message));
    }
    warnings
}

fn warning(code: &'static str, element: String, message: Message) -> DistributionWarning {
    DistributionWarning {
        element: Some(element),
        ..DistributionWarning::new(code, message)
    }
}

/// Equipment that is displayed but that a calculation refuses.
fn unsupported(net: &MulticonductorNetwork, service: &Service) -> Vec<DistributionWarning> {
    let mut out = Vec::new();
    for object in net.untyped_objects().iter().filter(|o| !is_disabled(o, service)) {
        let class = object.class.to_ascii_lowercase();
        let element = format!("{class}.{}", object.name);
        // Elements opened by a switch control are open (see `crate::distribution::switching`).
        if NO_EQUIPMENT.contains(&class.as_str()) || class == "swtcontrol" {
            continue;
        }
        let message = match class.as_str() {
            "regcontrol" => message!("feeder.regulator", element = &element),
            c if CONTROLS.contains(&c) => message!("feeder.control", element = &element),
            "storage" => message!("feeder.storage", element = &element),
            _ => message!("feeder.unknown_class", element = &element),
        };
        out.push(warning("PHYSICS.UNSUPPORTED", element, message));
    }
    for profile in net.control_profiles().iter().filter(|p| is_active(p)) {
        let element = format!("invcontrol.{}", profile.name);
        let message = message!("feeder.inverter_control", element = &element);
        out.push(warning("PHYSICS.UNSUPPORTED", element, message));
    }
    for storage in net.loads().iter().filter_map(|l| original(&l.extras)) {
        let message = message!("feeder.storage_as_load", element = storage);
        out.push(warning("PHYSICS.UNSUPPORTED", storage.to_owned(), message));
    }
    for source in net.sources() {
        if !source.v_magnitude.is_empty() && source.v_magnitude.iter().all(|v| *v == 0.0) {
            let element = format!("vsource.{}", source.name);
            let message = message!("feeder.no_voltage", element = &element);
            out.push(warning("PHYSICS.UNSUPPORTED", element, message));
        }
    }
    out
}

/// Whether a profile is more than the power factor that the parser creates from an inverter's own `pf`.
pub(crate) fn is_active(profile: &DistControlProfile) -> bool {
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
    let ignored = |element: String| {
        let message = message!("feeder.disabled", element = &element);
        warning("INPUT.FIELD_IGNORED", element, message)
    };
    elements.into_iter().map(ignored).collect()
}

pub(crate) fn is_disabled(object: &UntypedObject, service: &Service) -> bool {
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

/// Circuit-wide multipliers, which the displayed powers do not include.
fn multipliers(net: &MulticonductorNetwork) -> Vec<DistributionWarning> {
    let settings = Settings::new(net);
    let is_one = |value: &str| value.parse::<f64>().is_ok_and(|v| v == 1.0);
    let mut out = Vec::new();
    for (option, is_given) in [
        ("loadmult", false),
        ("genmult", false),
        ("allocationfactors", true),
        ("cfactors", true),
    ] {
        for value in settings.of(option).filter(|value| is_given || !is_one(value)) {
            let message = message!("feeder.multiplier", option = option, value = value);
            out.push(DistributionWarning::new("INPUT.FIELD_IGNORED", message));
        }
    }
    out
}

/// Diagnostics of the parser, except those with a warning of their own above and those without effect here.
fn remarks(diagnostics: &[Diagnostic]) -> Vec<DistributionWarning> {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    let mut out = Vec::new();
    for d in diagnostics
        .iter()
        .filter(|d| d.severity() >= DiagnosticSeverity::Warning && !has_own_message(d))
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
        if count <= MOST_REMARKS {
            out.push(DistributionWarning::new("INPUT.PARSER", remark_with_code(d)));
        }
    }
    for (code, count) in seen.into_iter().filter(|(_, count)| *count > MOST_REMARKS) {
        let message = message!("reader.more_remarks", count = count - MOST_REMARKS, code = code);
        out.push(DistributionWarning::new("INPUT.PARSER", message));
    }
    out
}

fn has_own_message(diagnostic: &Diagnostic) -> bool {
    diagnostic.code().starts_with(module::OWN_CODES) || is_reported_otherwise(diagnostic)
}
