//! The contract: every JSON shape that crosses the engine's boundary.
//!
//! TypeScript is generated from this folder (`engine/src/contract.generated.ts`). `docs/contract.md` has the rules that types cannot
//! say; units are in the field names or stated here. Ids are original numbers (bus number, 1-based rows).

mod cases;
mod columns;
mod contingencies;
mod distribution;
mod elements;
mod explanations;
mod files;
mod geography;
mod jobs;
mod loadability;
mod prices;
mod requests;
mod sensitivities;
mod solutions;
mod tracks;

pub use cases::*;
pub use columns::*;
pub use contingencies::*;
pub use distribution::*;
pub use elements::*;
pub use explanations::*;
pub use files::*;
pub use geography::*;
pub use jobs::*;
pub use loadability::*;
pub use prices::*;
pub use requests::*;
pub use sensitivities::*;
pub use solutions::*;
pub use tracks::*;

/// Sources of the contract by ascending file name, which is the order they are hashed in.
pub(crate) const SOURCES: [(&str, &str); 16] = [
    ("cases.rs", include_str!("cases.rs")),
    ("columns.rs", include_str!("columns.rs")),
    ("contingencies.rs", include_str!("contingencies.rs")),
    ("distribution.rs", include_str!("distribution.rs")),
    ("elements.rs", include_str!("elements.rs")),
    ("explanations.rs", include_str!("explanations.rs")),
    ("files.rs", include_str!("files.rs")),
    ("geography.rs", include_str!("geography.rs")),
    ("jobs.rs", include_str!("jobs.rs")),
    ("loadability.rs", include_str!("loadability.rs")),
    ("mod.rs", include_str!("mod.rs")),
    ("prices.rs", include_str!("prices.rs")),
    ("requests.rs", include_str!("requests.rs")),
    ("sensitivities.rs", include_str!("sensitivities.rs")),
    ("solutions.rs", include_str!("solutions.rs")),
    ("tracks.rs", include_str!("tracks.rs")),
];
