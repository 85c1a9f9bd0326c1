//! The elements of the source, reconstructed from the parser's network: internal elements, service status, connections.

pub(super) mod check;
pub(super) mod edges;
pub(super) mod fold;
pub(super) mod service;
pub(super) mod topology;
