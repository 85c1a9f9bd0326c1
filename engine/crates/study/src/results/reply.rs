//! Answers as they cross the engine's boundary.

use crate::contract::Column;

/// An answer as it crosses the engine's boundary: texts and structure as JSON, numbers as columns.
#[derive(Clone, Debug)]
pub struct Reply {
    pub json: String,
    pub columns: Vec<Column>,
    /// Values of matrices, row by row.
    pub matrices: Vec<Vec<f64>>,
}

impl Reply {
    /// What is said and its columns.
    pub(crate) fn new<T: serde::Serialize>(head: &T, columns: Vec<Column>) -> Self {
        Self {
            json: crate::json::to_json(head),
            columns,
            matrices: Vec::new(),
        }
    }
}
