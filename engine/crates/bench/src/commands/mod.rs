//! The commands of the program: one native benchmark each.

pub(crate) mod acpf;
pub(crate) mod dcopf;
pub(crate) mod explain;
pub(crate) mod layout;
pub(crate) mod mc;
pub(crate) mod network;
pub(crate) mod outages;
pub(crate) mod parse;
pub(crate) mod secure;
pub(crate) mod socwr;
mod timing;
