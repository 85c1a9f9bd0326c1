//! From the bytes of a case file to the network that solvers use.
//!
//! The only crate that depends on the parser crates. `ingest_case` reads a file, refuses or corrects what the parser would misread,
//! and makes the generation-2 module text whose hash identifies the case; `network_from_module` reads such a text. Both return
//! the same [`analysis::AnalysisNetwork`].

pub mod analysis;
mod assemble;
pub mod display;
pub mod distribution;
pub mod error;
mod formats;
pub mod geo;
mod ingest;
pub mod layout;
mod matpower;
pub mod message;
mod module;
mod sentences;
pub mod sha256;

pub use analysis::AnalysisNetwork;
pub use error::{EngineError, Result};
pub use formats::by_name::format_of;
pub use formats::export::{export_formats, export_module, ExportFormat, Exported};
pub use formats::json::{
    classify_json, ingest_json_drop, JsonClass, JsonDrop, JsonKind, ModulePayload, DISTRIBUTION_JSON_FORMATS,
    JSON_FORMATS,
};
pub use ingest::{ingest_case, Ingested, ParsedCase};
pub use module::materialize::materialize_module;
pub use module::solution::{read_solution_module, write_solution_module, Formula, SolutionColumns};
pub use module::{clean_module, network_from_module};
