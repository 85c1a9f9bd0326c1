//! Errors as values: a stable code, the element, a sentence a user can act on.

use crate::analysis::ElementRef;
use crate::message::Message;
use crate::visible::{visible, visible_value};

/// Error of the engine. `code` is stable; `message` is the English of `sentence`, which names the element.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineError {
    pub code: &'static str,
    pub message: String,
    /// None for the words of somebody else's reader.
    pub sentence: Option<Box<Message>>,
    pub element: Option<ElementRef>,
    /// Further facts as JSON (for instance the elements of a contradiction).
    pub details: Option<serde_json::Value>,
}

/// What an error says.
#[derive(Debug)]
pub enum Said {
    /// From the catalogue.
    Message(Message),
    /// In the words of a reader of files that is not ours.
    Foreign(String),
}

impl From<Message> for Said {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<String> for Said {
    fn from(text: String) -> Self {
        Self::Foreign(text)
    }
}

impl From<&str> for Said {
    fn from(text: &str) -> Self {
        Self::Foreign(text.into())
    }
}

impl EngineError {
    /// The sentence may quote the file: it is kept in one line and of bounded length, without control characters.
    pub fn new(code: &'static str, said: impl Into<Said>) -> Self {
        let (message, sentence) = match said.into() {
            Said::Message(message) => (message.to_string(), Some(Box::new(message))),
            Said::Foreign(text) => (text, None),
        };
        Self {
            code,
            message: crate::sentences::clean(&message),
            sentence,
            element: None,
            details: None,
        }
    }

    /// The same error saying something else.
    pub fn saying(self, said: Message) -> Self {
        let Self { message, sentence, .. } = Self::new(self.code, said);
        Self {
            message,
            sentence,
            ..self
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
