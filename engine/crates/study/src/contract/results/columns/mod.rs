//! Columns: the form in which numbers of results cross the engine's boundary. Texts and structure cross as JSON.

mod fields;
mod formulations;
mod names;

pub use fields::*;
pub use formulations::*;
pub use names::*;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One number per row: doubles by dense row in the order of the topology (lowered rows last), NaN where a row is not
/// energised. The values are never JSON: they are a `Float64Array`, and in Python little-endian bytes.
#[derive(Clone, Debug, PartialEq, TS)]
pub struct Column {
    pub name: ColumnName,
    pub element: ColumnElement,
    pub unit: &'static str,
    #[ts(type = "Float64Array")]
    pub values: Vec<f64>,
}

impl Column {
    /// A column with the rows and the unit that belong to its name.
    pub fn new(name: ColumnName, values: Vec<f64>) -> Self {
        let (_, element, unit) = name.head();
        Self {
            name,
            element,
            unit,
            values,
        }
    }
}

/// Identification of the rows of a result; the columns `bus_id`, `branch_id`, `generator_id` and `generator_bus` are
/// returned beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowsHead {
    /// Row uids of the buses; absent where the source has no uids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bus_uids: Option<Vec<Option<String>>>,
    /// Row uids of the branches, where rows must have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub branch_uids: Option<Vec<Option<String>>>,
}
