//! JSON documents: their formats, and the readers of those with a balanced network.

mod additions;
pub(crate) mod classify;
mod egret;
mod goc3;
mod ignored_members;
mod pandapower;
mod powermodels;
mod shape;

pub use classify::{classify_json, JsonClass, JsonKind, DISTRIBUTION_JSON_FORMATS, JSON_FORMATS};

use powerio::{FormatId, PioModule, PioValue, Source};
use serde_json::{Map, Value};

use crate::error::{EngineError, Result};
use crate::formats::{refuse_error_diagnostics, store, tell_no_costs};
use crate::input::text;
use crate::{message, module};

/// Reads a document of one of [`JSON_FORMATS`] as a balanced network.
///
/// # Errors
/// `INPUT.PARSE`, `INPUT.CALCULATION` for a calculation without a self-contained network, `PHYSICS.UNSUPPORTED`.
pub(super) fn read(bytes: &[u8], format: &'static str) -> Result<PioModule<PioValue>> {
    let fail = |e: powerio::Error| module::parse_error("INPUT.PARSE", &e);
    let text = text::decode(bytes)?;
    if format == "pandapower-json" {
        let mut parsed = pandapower::read(&text)?;
        tell_no_costs(&mut parsed, message!("cost.not_in_document"))?;
        return Ok(parsed);
    }
    let mut warnings = Vec::new();
    let (mut system, mut storages) = (Value::Null, Map::new());
    let mut rewritten = None;
    // If the text is not a JSON object, the parser reports the fault.
    let named = matches!(format, "powermodels-json" | "egret-json" | "goc3-json");
    if let (true, Ok(Value::Object(mut document))) = (named, serde_json::from_str(&text)) {
        match format {
            "powermodels-json" => {
                warnings = ignored_members::warnings(&document, &powermodels::LAYOUT);
                warnings.extend(powermodels::current_limits(&document));
                if powermodels::open_switches(&mut document) {
                    rewritten = Some(Value::Object(document).to_string());
                }
            }
            "goc3-json" => warnings = goc3::warnings(&document),
            _ => {
                system = document.get("system").cloned().unwrap_or_default();
                if let Some(elements) = document.get_mut("elements").and_then(Value::as_object_mut) {
                    warnings = ignored_members::warnings(elements, &egret::LAYOUT);
                    warnings.extend(egret::storage_costs(elements));
                    let is_changed = egret::prepare(elements)?;
                    storages = elements.clone();
                    storages.retain(|table, _| table == "storage");
                    if is_changed {
                        rewritten = Some(Value::Object(document).to_string());
                    }
                }
            }
        }
    }
    let text = rewritten.map_or(text, Into::into);
    let source = Source::from_memory("case.json", text.as_bytes()).map_err(fail)?;
    let source = source.with_format(FormatId::new(format).map_err(fail)?);
    let parsed = powerio::parse(source).map_err(fail)?;
    refuse_error_diagnostics(&parsed)?;
    let mut parsed = network_of(parsed)?;
    if format == "powermodels-json" {
        additions::complete(&mut parsed, &text)?;
    }
    let net = module::balanced_mut(&mut parsed)?;
    egret::set_reference(net, &system);
    egret::add_storages(net, &storages)?;
    for warning in &warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    tell_no_costs(&mut parsed, message!("cost.not_in_document"))?;
    Ok(parsed)
}

/// The network of a calculation: OPFData contains a solved optimal power flow, GO Challenge 3 a unit commitment.
fn network_of(parsed: PioModule<PioValue>) -> Result<PioModule<PioValue>> {
    let (network, ignored) = match parsed.value() {
        PioValue::BalancedNetwork(_) => return Ok(parsed),
        PioValue::AcOpfSolution(solution) => (solution.network().clone(), message!("document.solved_power_flow")),
        PioValue::AcScucInstance(instance) => (instance.network().clone(), message!("document.unit_commitment")),
        other => {
            let message = message!("document.not_a_network", kind = other.type_name());
            return Err(EngineError::new("INPUT.CALCULATION", message));
        }
    };
    let mut parsed = parsed.map_value(|_| PioValue::BalancedNetwork(network));
    store(&mut parsed, "INPUT.FIELD_IGNORED", ignored)?;
    Ok(parsed)
}
