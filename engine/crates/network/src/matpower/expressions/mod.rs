//! Arithmetic on numbers and whole columns of tables, in MATLAB's notation and order of operations.

mod cursor;
mod reader;
#[cfg(test)]
mod tests;
mod tokens;
mod values;

pub(in crate::matpower) use cursor::{Selection, Variables};
pub(in crate::matpower) use reader::{Reader, Surroundings};
pub(in crate::matpower) use values::Value;

use crate::message::Message;

/// A result, or the reason why a statement cannot be evaluated, as the end of a sentence.
pub(in crate::matpower) type Outcome<T> = std::result::Result<T, Message>;
