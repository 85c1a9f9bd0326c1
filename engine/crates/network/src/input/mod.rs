//! The bytes of a file before reading: checks, their text, the cells of tables and the fields of PSS/E records.

pub(crate) mod guard;
pub(crate) mod psse_fields;
pub(crate) mod table;
pub(crate) mod text;
