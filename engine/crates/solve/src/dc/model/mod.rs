//! The DC model of a network, and the quantities that edits change.

mod angles;
mod bridge_rows;
pub(crate) mod combined_rows;
mod convention;
mod data;
mod distribution_factors;
mod factored;
mod line;
mod line_rows;
pub(crate) mod links;
mod moving_limits;
mod outline;
pub(crate) mod prices;
pub(crate) mod zero_generation;

pub use convention::Convention;
pub use data::{DcData, Target};
pub use distribution_factors::SlackShares;
pub use factored::DcModel;
pub(crate) use line::{Line, Stencil};
pub use links::{LinkLimit, MovingLink};
pub use outline::DcOutline;
