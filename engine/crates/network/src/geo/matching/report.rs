//! The report on applying a geographic layer.

use crate::coordinates::Space;
use crate::geo::layer::{RecordWarning, SpaceBasis};

/// Most warnings in a report; the others are counted.
const MAX_WARNINGS: usize = 1000;

/// Counts and warnings of one application of a layer to a case.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoReport {
    pub space: Space,
    pub basis: SpaceBasis,
    /// Bus and branch records with coordinates.
    pub bus_records: usize,
    pub branch_records: usize,
    /// Numbers of buses and branches of the case to which the layer gives a position.
    pub matched_buses: usize,
    pub matched_branches: usize,
    /// Number of records without a bus or branch.
    pub unmatched_records: usize,
    /// Number of buses of the case that remain without a position, which the map omits.
    pub unplaced_buses: usize,
    /// At most 1000 warnings, by record.
    pub warnings: Vec<RecordWarning>,
    /// Number of further warnings.
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
