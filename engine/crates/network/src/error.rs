//! Errors as values: a stable code, the element, a sentence a user can act on.

use crate::analysis::ElementRef;
use crate::visible::{visible, visible_value};

/// Error of the engine. `code` is stable; `message` is one sentence that names the element.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineError {
    pub code: &'static str,
    pub message: String,
    pub element: Option<ElementRef>,
    /// Further facts as JSON (for instance the elements of a contradiction).
    pub details: Option<serde_json::Value>,
}

impl EngineError {
    /// The sentence may quote the file: it is kept in one line and of bounded length, without control characters.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: crate::sentences::clean(&message.into()),
            element: None,
            details: None,
        }
    }

    pub fn at(mut self, element: ElementRef) -> Self {
        let uid = element.uid.map(|uid| visible(&uid).into_owned());
        self.element = Some(ElementRef { uid, ..element });
        self
    }

    pub fn with_details(mut self, details: serde_json::Value) -> Self {
        self.details = Some(visible_value(details));
        self
    }
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for EngineError {}

pub type Result<T> = std::result::Result<T, EngineError>;
