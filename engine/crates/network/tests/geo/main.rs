//! Layers of positions.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/data.rs"]
mod data_folder;

mod buses;
mod data_files;
mod hostile;
mod routes;
