//! Demand and minimum output that can give way.

use super::entry::What;
use crate::generator_columns::GenColumn;

/// Columns taken up at once, in the first round.
pub(super) const FIRST_COLUMNS: usize = 64;

/// Demand or minimum output that can give way, as a column; `place` among the program's columns once it is taken up.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub what: What,
    pub column: GenColumn,
    pub place: Option<usize>,
}
