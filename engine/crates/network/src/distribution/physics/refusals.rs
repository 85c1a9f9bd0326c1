//! The elements that prevent a power flow.

use serde_json::json;

use crate::error::{EngineError, Result};
use crate::message;
use crate::message::Message;

#[derive(Default)]
pub(super) struct Refusals {
    all: Vec<Refusal>,
}

struct Refusal {
    element: String,
    message: Message,
    /// The option that permits the element, as users specify it.
    option: Option<&'static str>,
}

impl Refusals {
    pub fn add(&mut self, element: &str, message: Message) {
        self.all.push(Refusal {
            element: element.to_owned(),
            message,
            option: None,
        });
    }

    pub fn add_with_option(&mut self, element: &str, message: Message, option: &'static str) {
        self.all.push(Refusal {
            element: element.to_owned(),
            message,
            option: Some(option),
        });
    }

    /// Whether an element of this name is among them, whatever its class.
    pub fn names(&self, name: &str) -> bool {
        let own = |r: &Refusal| {
            r.element
                .split_once('.')
                .map_or(&r.element[..], |(_, own)| own)
                .to_owned()
        };
        self.all.iter().any(|r| own(r).eq_ignore_ascii_case(name))
    }

    /// # Errors
    /// `PHYSICS.UNSUPPORTED` if there are any. Elements for which no option helps come first.
    pub fn into_result(mut self) -> Result<()> {
        self.all.sort_by_key(|r| r.option.is_some());
        let Some((first, others)) = self.all.split_first() else {
            return Ok(());
        };
        let message = if others.is_empty() {
            first.message.clone()
        } else {
            let names: Vec<String> = others.iter().map(|r| format!("`{}`", r.element)).collect();
            message!(
                "feeder.refused",
                first = first.message.clone(),
                count = others.len(),
                others = names
            )
        };
        let refused: Vec<_> = self
            .all
            .iter()
            .map(|r| json!({ "element": r.element, "message": r.message.english(), "option": r.option }))
            .collect();
        let details = json!({ "element": first.element, "refused": refused });
        let sentences = self.all.iter().map(|r| r.message.clone()).collect();
        let error = EngineError::new("PHYSICS.UNSUPPORTED", message).with_details(details);
        Err(error.with_refused(sentences))
    }
}
