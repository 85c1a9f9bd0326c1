//! Saved Studies (`.study.json`): one reading with every check, and one writing, for all surfaces.
//!
//! A refusal has the code `STUDY_FILE.*` and names the thing refused. Nothing of a file is returned before all of it was checked.

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

/// Of [`crate::contract::StudyDocument`].
const SCHEMA: &str = "wattbook-study";
const VERSION: u32 = 2;
/// Entries of a table (states, goals, experiments, decisions) of one file; sessions keep hundreds.
const MOST_ENTRIES: usize = 10_000;
/// Of [`crate::contract::McStudyFile`].
pub(crate) const MC_SCHEMA: &str = "wattbook-mc-study";
