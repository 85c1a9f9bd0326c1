//! What became of a geographic layer.

use super::layer::{Space, SpaceBasis};
use crate::message::Message;

/// Warnings kept in a report; what is beyond is counted.
const MAX_WARNINGS: usize = 1000;

/// Something about one record of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordWarning {
    /// 1-based number of the record; 0 where the warning concerns the case or the whole layer.
    pub record: usize,
    /// `GEO.UNMATCHED`, `GEO.AMBIGUOUS`, `GEO.CONTRADICTION`, `GEO.ENDS_DISAGREE`, `GEO.UNCHECKED`, `GEO.DUPLICATE`, `GEO.NO_KEY`,
    /// `GEO.NO_COORDINATES`, `GEO.GEOMETRY`, `GEO.OUT_OF_RANGE`, `GEO.NOT_A_BUS`, `GEO.INFERRED`, `GEO.REPLACED`.
    pub code: &'static str,
    pub sentence: Message,
}

impl RecordWarning {
    pub(super) fn new(record: usize, code: &'static str, sentence: Message) -> Self {
        Self { record, code, sentence }
    }

    /// What `sentence` says in English.
    pub fn message(&self) -> String {
        self.sentence.english()
    }
}

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
    pub(super) fn keep(&mut self, mut warnings: Vec<RecordWarning>) {
        warnings.sort_by_key(|w| w.record);
        self.warnings_left_out = warnings.len().saturating_sub(MAX_WARNINGS);
        warnings.truncate(MAX_WARNINGS);
        self.warnings = warnings;
    }
}
