//! DC OPF and DC power flow through the Study.

#[path = "../common/mod.rs"]
mod common;

mod added_elements;
mod assumed_ratings;
mod branch_edits;
mod cells;
mod contingencies;
mod edit_properties;
mod generator_tracks;
mod generators;
mod link_edits;
mod link_tracks;
mod links;
mod no_limits;
mod parameters;
mod power_flow;
mod prices;
mod profiles;
mod reference_columns;
mod refused_cells;
mod security_lists;
mod series;
mod shift_tracks;
mod storage;
mod switches;
mod track_sides;
mod tracks;
