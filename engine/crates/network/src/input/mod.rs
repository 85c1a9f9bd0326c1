//! The bytes of a file before any reader: what is refused, their text, and the cells of tables.

pub(crate) mod guard;
pub(crate) mod table;
pub(crate) mod text;
