//! Formats of cases.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/data.rs"]
mod data;

mod cdf;
mod cgmes;
mod export;
mod hostile;
mod json;
mod pslf;
mod rawx;
mod ucte;
mod xiidm;
