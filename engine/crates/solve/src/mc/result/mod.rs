//! Quantities derived from voltages: currents and powers, their independent check, profiles and nominal voltages.

mod certificate;
mod nominal;
mod profile;
mod solution;

pub use certificate::McCertificate;
pub use profile::distances;
pub use solution::{McSolution, McSource, McSwitch};
