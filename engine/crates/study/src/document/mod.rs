//! Saved Studies (`.study.json`): one checked reader and one writer for all surfaces.
//!
//! An error has a code `STUDY_FILE.*` and names the entry at fault. Nothing of a file is returned before all of it has
//! been checked.

mod check;
mod feeder;
mod graph;
mod packing;
mod reading;
mod solution;
mod writing;

pub use feeder::{read_mc_study_bundle, write_mc_study_bundle};
pub use reading::read_study_bundle_json;
pub use writing::write_study_bundle;

/// The schema of [`crate::contract::StudyDocument`].
const SCHEMA: &str = "wattbook-study";
const VERSION: u32 = 2;
/// Largest number of entries of a table (states, goals, experiments, decisions) in one file; sessions store hundreds.
const MOST_ENTRIES: usize = 10_000;
/// The schema of [`crate::contract::McStudyFile`].
pub(crate) const MC_SCHEMA: &str = "wattbook-mc-study";
