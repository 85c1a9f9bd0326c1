//! From the bytes of a case file to the network that solvers use.
//!
//! This is the only crate that depends on the parser crates. `ingest_case` reads a file, refuses or corrects what the
//! parser would misread, and produces the generation-2 module text whose hash identifies the case;
//! `network_from_module` reads such a text. Both return the same [`analysis::AnalysisNetwork`].

pub mod analysis;
mod assemble;
mod assumed_costs;
mod coordinates;
pub mod costs;
pub mod display;
pub mod distribution;
mod element;
pub mod error;
pub mod feeder;
mod formats;
pub mod geo;
mod identifiers;
mod ingest;
mod input;
pub mod layout;
pub mod lists;
mod matpower;
pub mod message;
mod module;
mod saving;
mod sentences;
pub mod sha256;
mod switches;
pub mod union_find;

pub use analysis::AnalysisNetwork;
pub use assemble::storages::fault as storage_fault;
pub use error::{EngineError, Result};
pub use formats::by_name::format_of;
pub use formats::json::{classify_json, JsonClass, JsonKind, DISTRIBUTION_JSON_FORMATS, JSON_FORMATS};
pub use ingest::json_drop::{ingest_json_drop, JsonDrop, ModulePayload};
pub use ingest::{ingest_case, network_from_module, Ingested, ParsedCase};
pub use input::table::Table;
pub use module::clean_module;
pub use saving::ac_solution::{read_ac_solution_module, write_ac_solution_module, AcColumns, AcOwn};
pub use saving::added::{AddedBranch, AddedElements, AddedGenerator, AddedLink, AddedLoad, AddedStorage};
pub use saving::branch_values::BranchValues;
pub use saving::edits::{materialize_module, GeneratorValues, StoredEdits};
pub use saving::export::{export_formats, export_module, ExportFormat, Exported};
pub use saving::link_values::LinkValues;
pub use saving::solution::{read_solution_module, write_solution_module, Formula, SolutionColumns};
pub use saving::storage_values::StorageValues;
