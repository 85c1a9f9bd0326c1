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
    /// What is said and its columns.
    pub(crate) fn new<T: serde::Serialize>(head: &T, columns: Vec<Column>) -> Self {
        Self {
            json: crate::json::to_json(head),
            columns,
            matrices: Vec::new(),
        }
    }
}

/// An answer whose head has the module text of a case. The text is most of it, and as a part of the JSON it is written and read once
/// more, so a surface that can returns it separately.
#[derive(Clone, Debug)]
pub struct CaseReply<H> {
    pub(crate) head: H,
    pub(crate) columns: Vec<Column>,
}

impl<H: WithModule> CaseReply<H> {
    /// With the module text in the JSON.
    pub fn whole(self) -> Reply {
        Reply::new(&self.head, self.columns)
    }

    /// The module text separately; that of the head is empty then. Empty for a multiconductor case, which stays whole.
    pub fn apart(mut self) -> (Reply, String) {
        let module_json = self.head.module_json().map(std::mem::take).unwrap_or_default();
        (self.whole(), module_json)
    }
}

/// A head that has the module text of a balanced case.
pub trait WithModule: serde::Serialize {
    /// The text, unless the head is of no balanced case.
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
