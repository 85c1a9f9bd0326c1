//! Answers of a Study about its state: derivatives, paths, outages, why there is no solution.

mod contingencies;
mod explanations;
mod loadability;
mod prices;
mod sensitivities;
mod tracks;

pub use contingencies::*;
pub use explanations::*;
pub use loadability::*;
pub use prices::*;
pub use sensitivities::*;
pub use tracks::*;
