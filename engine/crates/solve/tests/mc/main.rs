//! Multiconductor power flow: by hand, and against OpenDSS.

mod by_hand;
#[path = "../../../network/tests/common/data.rs"]
mod data_folder;
mod loads;
mod network;
mod opendss;
mod transformers;
