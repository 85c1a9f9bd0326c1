//! Which voltages are unknown: what is tied together, what a source reaches, and how the solver numbers the rest.

pub(crate) mod islands;
pub(crate) mod slots;
pub(crate) mod ties;
