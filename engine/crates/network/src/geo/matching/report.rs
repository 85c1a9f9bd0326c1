//! What became of a geographic layer.

use crate::coordinates::Space;
use crate::geo::layer::{RecordWarning, SpaceBasis};

/// Warnings kept in a report; what is beyond is counted.
const MAX_WARNINGS: usize = 1000;

/// Counts and warnings of one application of a layer to a case.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoReport {
    pub space: Space,
    pub basis: SpaceBasis,
    /// Bus and branch records with coordinates.
    pub bus_records: usize,
    pub branch_records: usize,
    /// Buses and branches of the case that the layer places.
    pub matched_buses: usize,
    pub matched_branches: usize,
    /// Records that no bus and no branch took.
    pub unmatched_records: usize,
    /// Buses of the case without a position afterwards, which the map leaves out.
    pub unplaced_buses: usize,
    /// By record, at most 1000.
    pub warnings: Vec<RecordWarning>,
    /// Warnings beyond those.
    pub warnings_left_out: usize,
}

impl GeoReport {
    pub(crate) fn keep(&mut self, mut warnings: Vec<RecordWarning>) {
        warnings.sort_by_key(|w| w.record);
        self.warnings_left_out = warnings.len().saturating_sub(MAX_WARNINGS);
        warnings.truncate(MAX_WARNINGS);
        self.warnings = warnings;
    }
}
