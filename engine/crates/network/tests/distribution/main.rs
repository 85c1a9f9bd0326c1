//! Reading feeders.

#[path = "../common/data.rs"]
mod data_folder;
#[path = "../common/feeder.rs"]
mod small;

mod corpus;
mod equipment;
mod feeder_physics;
mod hostile;
mod positions;
mod reading;
mod values;
