//! Answers of a Study about its state: derivatives, paths, outages, plans, explanations of edits without a solution.

mod contingencies;
mod explanations;
mod loadability;
mod plans;
mod prices;
mod sensitivities;
mod tracks;

pub use contingencies::*;
pub use explanations::*;
pub use loadability::*;
pub use plans::*;
pub use prices::*;
pub use sensitivities::*;
pub use tracks::*;
