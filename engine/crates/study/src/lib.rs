//! Studies, edits and the contract: JSON in, JSON out, for the WebAssembly and Python surfaces.

mod amounts;
mod calls;
mod capabilities;
mod case;
mod case_parameters;
pub mod contract;
mod convert;
mod day;
mod document;
mod edits;
mod formulation_request;
mod job;
mod json;
mod multiconductor;
mod plan;
mod problem;
mod profiles;
mod results;
mod series;
mod solve_jobs;
mod study;

pub use calls::costs::{assume_costs, cost_edits_json, is_cost_table, typical_costs_json, units_by_fuel_json};
pub use calls::display::parse_display_json;
pub use calls::distribution::{ingest_distribution_json, inspect_distribution_json};
pub use calls::geography::{apply_geo, geo_json};
pub use calls::ingest::{ingest_case, inspect_module};
pub use calls::json_drop::{classify_json_json, ingest_json_drop};
pub use calls::layout::{apply_layout, placement_json};
pub use calls::lists::{is_security_list, read_security_lists_json};
pub use calls::save::{export_formats_json, export_module, materialize_module, Exported};
pub use calls::solution_module::read_solution_module;
pub use calls::stateless::solve_module;
pub use capabilities::{abilities_of, capabilities_json, Ability};
pub use case::Case;
pub use day::SolvedDay;
pub use document::{read_mc_study_bundle, read_study_bundle_json, write_mc_study_bundle, write_study_bundle};
pub use edits::EditsJson;
pub use job::{Finished, Job};
pub use multiconductor::{apply_mc_study_geo, replay_mc_study, McStudy};
pub use problem::options_of;
pub use results::{CaseReply, Reply, WithModule};
pub use series::Series;
pub use study::Study;

use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::sha256::sha256_hex;

/// Version of the contract: that of the engine package.
pub const CONTRACT_VERSION: &str = env!("CARGO_PKG_VERSION");

/// SHA-256 of the Rust contract sources in `src/contract`, newline-normalised and joined by ascending path; lower-case hex.
pub fn contract_source_sha256() -> String {
    let joined: String = contract::SOURCES
        .iter()
        .map(|(_, text)| text.replace("\r\n", "\n"))
        .collect();
    sha256_hex(joined.as_bytes())
}

/// File names of the sources in [`contract_source_sha256`], in the same order.
pub fn contract_source_files() -> Vec<&'static str> {
    contract::SOURCES.iter().map(|(name, _)| *name).collect()
}

/// JSON form of an error (`contract::ErrorBody`).
pub fn error_json(error: &EngineError) -> String {
    json::to_json(&convert::error_body(error))
}

/// The English text of a message that a client composed (a `Message`).
///
/// # Errors
/// `INPUT.REQUEST` where it is not a message, or the catalogue has no such key.
pub fn tell_json(text: &str) -> Result<String, EngineError> {
    let unreadable = |cause: String| {
        let message = message!("request.unreadable", what = "message", cause = cause);
        EngineError::new("INPUT.REQUEST", message)
    };
    let wire: contract::Message = serde_json::from_str(text).map_err(|e| unreadable(e.to_string()))?;
    let message = convert::message_of(&wire).ok_or_else(|| unreadable(wire.key))?;
    Ok(message.english())
}
