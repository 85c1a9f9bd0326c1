//! The contract: every JSON shape that crosses the engine's boundary.
//!
//! TypeScript is generated from this folder (`engine/src/contract.generated.ts`). `docs/contract.md` has the rules that
//! types cannot express; units are in the field names or stated here. Ids are original numbers (bus number, 1-based
//! rows).

mod answers;
mod cases;
mod days;
mod documents;
mod elements;
mod feeders;
mod jobs;
mod requests;
mod results;
mod security;

pub use answers::*;
pub use cases::*;
pub use days::*;
pub use documents::*;
pub use elements::*;
pub use feeders::*;
pub use jobs::*;
pub use requests::*;
pub use results::*;
pub use security::*;

/// Sources of the contract by ascending path, the order of the hash.
pub(crate) const SOURCES: [(&str, &str); 35] = [
    ("answers/contingencies.rs", include_str!("answers/contingencies.rs")),
    ("answers/explanations.rs", include_str!("answers/explanations.rs")),
    ("answers/loadability.rs", include_str!("answers/loadability.rs")),
    ("answers/mod.rs", include_str!("answers/mod.rs")),
    ("answers/plans.rs", include_str!("answers/plans.rs")),
    ("answers/prices.rs", include_str!("answers/prices.rs")),
    ("answers/sensitivities.rs", include_str!("answers/sensitivities.rs")),
    ("answers/tracks.rs", include_str!("answers/tracks.rs")),
    ("cases/balanced.rs", include_str!("cases/balanced.rs")),
    ("cases/costs.rs", include_str!("cases/costs.rs")),
    ("cases/distribution.rs", include_str!("cases/distribution.rs")),
    ("cases/files.rs", include_str!("cases/files.rs")),
    ("cases/geography.rs", include_str!("cases/geography.rs")),
    ("cases/mod.rs", include_str!("cases/mod.rs")),
    ("days.rs", include_str!("days.rs")),
    ("documents/activity.rs", include_str!("documents/activity.rs")),
    ("documents/display.rs", include_str!("documents/display.rs")),
    ("documents/mod.rs", include_str!("documents/mod.rs")),
    ("documents/states.rs", include_str!("documents/states.rs")),
    ("elements.rs", include_str!("elements.rs")),
    ("feeders.rs", include_str!("feeders.rs")),
    ("jobs.rs", include_str!("jobs.rs")),
    ("mod.rs", include_str!("mod.rs")),
    ("requests.rs", include_str!("requests.rs")),
    ("results/certificates.rs", include_str!("results/certificates.rs")),
    ("results/columns/fields.rs", include_str!("results/columns/fields.rs")),
    (
        "results/columns/formulations.rs",
        include_str!("results/columns/formulations.rs"),
    ),
    ("results/columns/mod.rs", include_str!("results/columns/mod.rs")),
    ("results/columns/names.rs", include_str!("results/columns/names.rs")),
    ("results/mod.rs", include_str!("results/mod.rs")),
    ("results/modules.rs", include_str!("results/modules.rs")),
    ("results/rows.rs", include_str!("results/rows.rs")),
    ("results/series.rs", include_str!("results/series.rs")),
    ("results/solutions.rs", include_str!("results/solutions.rs")),
    ("security.rs", include_str!("security.rs")),
];
