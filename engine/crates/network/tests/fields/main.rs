//! The field test: nothing that a file says is lost without a word. `docs/reference/formats.md` says the same in prose.

#[path = "../common/fields.rs"]
mod fields;

mod documents;
mod epc;
mod matpower;
mod powerworld;
mod psse;
