//! Documents: Study files, solutions, layouts, grids with their edits, and their contract.

#[path = "../common/mod.rs"]
mod common;

mod contract;
mod document;
mod document_texts;
mod files;
mod layouts;
mod materialize;
mod solution_module;
