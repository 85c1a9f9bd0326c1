//! Positions for a case without coordinates: a deterministic synthetic layout, which is stored in the module.

mod coarsen;
mod force;
mod graph;
mod module;
mod multiconductor;
mod outline;
mod pack;
mod projection;
mod quadtree;
mod run;
mod spiral;
mod tree;

pub use graph::LayoutGraph;
pub use module::{apply_layout, layout_graph, placement_of};
pub use projection::{default_scale_km, Placement};
pub use run::{Layout, LayoutOptions, Progress};
