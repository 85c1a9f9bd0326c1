//! Answers as they cross the engine's boundary.

use crate::contract::{Column, GeoAppliedHead, IngestedCaseHead, IngestedJsonDropHead, IngestedNetworkHead};

/// An answer as it crosses the engine's boundary: texts and structure as JSON, numbers as columns.
#[derive(Clone, Debug)]
pub struct Reply {
    pub json: String,
    pub columns: Vec<Column>,
    /// Values of matrices, row by row.
    pub matrices: Vec<Vec<f64>>,
}

impl Reply {
    /// An answer from its head and columns.
    pub(crate) fn new<T: serde::Serialize>(head: &T, columns: Vec<Column>) -> Self {
        Self {
            json: crate::json::to_json(head),
            columns,
            matrices: Vec::new(),
        }
    }
}

/// An answer whose head contains the module text of a case. That text is most of the answer, and inside the JSON it is
/// serialised and parsed once more, so surfaces that can return it separately.
#[derive(Clone, Debug)]
pub struct CaseReply<H> {
    pub(crate) head: H,
    pub(crate) columns: Vec<Column>,
}

impl<H: WithModule> CaseReply<H> {
    /// With the module text inside the JSON.
    pub fn whole(self) -> Reply {
        Reply::new(&self.head, self.columns)
    }

    /// With the module text separate and empty in the head. A multiconductor case stays whole, and the separate text is
    /// empty.
    pub fn apart(mut self) -> (Reply, String) {
        let module_json = self.head.module_json().map(std::mem::take).unwrap_or_default();
        (self.whole(), module_json)
    }
}

/// A head that may contain the module text of a balanced case.
pub trait WithModule: serde::Serialize {
    /// The text, where the head is of a balanced case.
    fn module_json(&mut self) -> Option<&mut String>;
}

impl WithModule for IngestedCaseHead {
    fn module_json(&mut self) -> Option<&mut String> {
        Some(&mut self.summary.module_json)
    }
}

impl WithModule for IngestedNetworkHead {
    fn module_json(&mut self) -> Option<&mut String> {
        match self {
            Self::Balanced(head) => head.module_json(),
            Self::Multiconductor(_) => None,
        }
    }
}

impl WithModule for GeoAppliedHead {
    fn module_json(&mut self) -> Option<&mut String> {
        self.case.module_json()
    }
}

impl WithModule for IngestedJsonDropHead {
    fn module_json(&mut self) -> Option<&mut String> {
        self.payload.as_mut()?.module_json()
    }
}
