//! Demand and minimum output that can be relaxed.

use super::entry::What;
use crate::generator_columns::GenColumn;

/// Columns added at once in the first round.
pub(super) const FIRST_COLUMNS: usize = 64;

/// Demand or minimum output that can be relaxed, as a column; `place` is its index in the program once it is added.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub what: What,
    pub column: GenColumn,
    pub place: Option<usize>,
}
