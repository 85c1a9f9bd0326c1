//! Errors as values: a stable code, the element, and a sentence that tells the user what to do.

use crate::element::ElementRef;
use crate::message::visible::{visible, visible_value};
use crate::message::Message;

/// Error of the engine. `code` is stable; `sentence` names the element. It is a [`Message`], so that every sentence is
/// in the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineError {
    pub code: &'static str,
    pub sentence: Box<Message>,
    pub element: Option<Box<ElementRef>>,
    /// Further facts as JSON (for instance the elements of a conflict).
    pub details: Option<serde_json::Value>,
    /// The sentences of `details.refused`, in its order.
    pub refused: Vec<Message>,
}

impl EngineError {
    pub fn new(code: &'static str, sentence: Message) -> Self {
        Self {
            code,
            sentence: Box::new(sentence),
            element: None,
            details: None,
            refused: Vec::new(),
        }
    }

    /// `sentence` in English. It may quote the file, on one line of limited length and without control characters.
    pub fn message(&self) -> String {
        self.sentence.english()
    }

    /// The same error with another sentence.
    pub fn with_sentence(self, sentence: Message) -> Self {
        Self {
            sentence: Box::new(sentence),
            ..self
        }
    }

    pub fn at(mut self, element: ElementRef) -> Self {
        let uid = element.uid.map(|uid| visible(&uid).into_owned());
        self.element = Some(Box::new(ElementRef { uid, ..element }));
        self
    }

    pub fn with_details(mut self, details: serde_json::Value) -> Self {
        self.details = Some(visible_value(details));
        self
    }

    /// Adds the sentence of each element in `details.refused`.
    pub fn with_refused(mut self, refused: Vec<Message>) -> Self {
        self.refused = refused;
        self
    }
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message())
    }
}

impl std::error::Error for EngineError {}

pub type Result<T> = std::result::Result<T, EngineError>;
