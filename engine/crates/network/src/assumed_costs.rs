//! The message about assumed costs.

use crate::message;
use crate::message::Message;

/// The message for `assumed` of `units` units.
pub(crate) fn sentence(assumed: usize, units: usize, typical: bool) -> Message {
    match (typical, units) {
        (true, 1) => message!("costs.assumed_typical_only"),
        (true, _) => message!("costs.assumed_typical", assumed = assumed, units = units),
        (false, 1) => message!("costs.assumed_given_only"),
        (false, _) => message!("costs.assumed_given", assumed = assumed, units = units),
    }
}

/// Restores the message from the English text in a module.
pub(crate) fn stored(text: &str) -> Option<Message> {
    let numbers: Vec<usize> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
    let (assumed, units) = match numbers[..] {
        [assumed, units] => (assumed, units),
        [] => (1, 1),
        _ => return None,
    };
    let forms = [true, false].map(|typical| sentence(assumed, units, typical));
    forms.into_iter().find(|message| message.english() == text)
}
