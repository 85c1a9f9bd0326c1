//! The field test: every field of a file has an effect, a warning or a documented reason (`docs/reference/formats.md`).

#[path = "../common/fields.rs"]
mod fields;

mod cdf;
mod cgmes;
mod documents;
mod epc;
mod matpower;
mod powerworld;
mod psse;
mod ucte;
mod xiidm;
