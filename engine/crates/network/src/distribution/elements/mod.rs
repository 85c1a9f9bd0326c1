//! The elements that the person wrote, found again in the parser's network: what is folded back, in service, connected.

pub(super) mod check;
pub(super) mod edges;
pub(super) mod fold;
pub(super) mod service;
pub(super) mod topology;
