//! The unknown voltages: nodes tied together, nodes that sources reach, and the solver's numbering of the rest.

pub(crate) mod islands;
pub(crate) mod slots;
pub(crate) mod ties;
