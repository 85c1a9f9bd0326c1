//! JSON documents: which of the formats they are, and the readers of those that carry a balanced network.

mod classify;
mod drop;
mod pandapower;
mod shape;

pub use classify::{classify_json, JsonClass, JsonKind, DISTRIBUTION_JSON_FORMATS, JSON_FORMATS};
pub use drop::{ingest_json_drop, JsonDrop, ModulePayload};

use powerio::{FormatId, PioModule, PioValue, Source};

use super::{refuse_error_diagnostics, store, tell_no_costs, text};
use crate::error::{EngineError, Result};
use crate::module;

/// Reads a document of one of [`JSON_FORMATS`] as a balanced network.
///
/// # Errors
/// `INPUT.PARSE`, `INPUT.CALCULATION` for a calculation whose network stands on its own in no way, `PHYSICS.UNSUPPORTED`.
pub(super) fn read(bytes: &[u8], format: &'static str) -> Result<PioModule<PioValue>> {
    let fail = |e: powerio::Error| module::parse_error("INPUT.PARSE", &e);
    let text = text::decode(bytes)?;
    if format == "pandapower-json" {
        pandapower::refuse_switches(&text)?;
    }
    let source = Source::from_memory("case.json", text.as_bytes()).map_err(fail)?;
    let source = source.with_format(FormatId::new(format).map_err(fail)?);
    let parsed = powerio::parse(source).map_err(fail)?;
    refuse_error_diagnostics(&parsed)?;
    let mut parsed = network_of(parsed)?;
    tell_no_costs(&mut parsed, "This document carries")?;
    Ok(parsed)
}

/// The network inside a calculation: OPFData holds a solved optimal power flow, GO Challenge 3 a unit commitment.
fn network_of(parsed: PioModule<PioValue>) -> Result<PioModule<PioValue>> {
    let (network, told) = match parsed.value() {
        PioValue::BalancedNetwork(_) => return Ok(parsed),
        PioValue::AcOpfSolution(solution) => {
            let told = "The document holds a solved optimal power flow; its network is taken, not its result.";
            (solution.network().clone(), told)
        }
        PioValue::AcScucInstance(instance) => {
            let told =
                "The document holds a unit commitment over time; its network is taken with the initial loads and the limits and \
                 energy costs of the first interval, without schedules, no-load and start-up costs, reserves and contingencies.";
            (instance.network().clone(), told)
        }
        other => {
            let message = format!("The document holds a `{}`, not a network.", other.type_name());
            return Err(EngineError::new("INPUT.CALCULATION", message));
        }
    };
    let mut parsed = parsed.map_value(|_| PioValue::BalancedNetwork(network));
    store(&mut parsed, "INPUT.FIELD_IGNORED", told.into())?;
    Ok(parsed)
}
