//! The conic program of a network, and the quantities that edits change.

pub(crate) mod branch_flow;
pub(crate) mod bus_pairs;
pub(crate) mod data;
pub(crate) mod elastic;
pub(crate) mod element_refs;
pub(crate) mod formulation;
pub(crate) mod link_columns;
pub(crate) mod pair;
pub(crate) mod products;
pub(crate) mod program;
pub(crate) mod ranges;
pub(crate) mod standard_form;
pub(crate) mod topology;
pub(crate) mod vectors;
