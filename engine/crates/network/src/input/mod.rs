//! The bytes of a file before any reader: what is refused, and their text.

pub(crate) mod guard;
pub(crate) mod text;
