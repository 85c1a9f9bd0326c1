//! Elements, diagnostics and numbers in the contract's terms.

use crate::contract as c;
use wattbook_network::analysis::{Branch, Bus, ElementKind, ElementRef, Warning};
use wattbook_network::message::{Message, Value};

pub(crate) fn kind_name(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Bus => "bus",
        ElementKind::Branch => "branch",
        ElementKind::Generator => "generator",
        ElementKind::Switch => "switch",
        ElementKind::Storage => "storage",
        ElementKind::Hvdc => "hvdc",
        ElementKind::Transformer3w => "transformer3w",
    }
}

pub(crate) fn element(e: &ElementRef) -> c::Element {
    c::Element {
        kind: kind_name(e.kind).to_string(),
        id: e.id,
        uid: e.uid.clone(),
    }
}

pub(crate) fn bus_ref(bus: &Bus) -> ElementRef {
    ElementRef {
        kind: ElementKind::Bus,
        id: bus.id,
        uid: bus.uid.clone(),
    }
}

pub(crate) fn branch_ref(branch: &Branch) -> ElementRef {
    ElementRef {
        kind: ElementKind::Branch,
        id: branch.id,
        uid: branch.uid.clone(),
    }
}

/// A message for the wire.
pub(crate) fn sentence(message: &Message) -> c::Message {
    let values = message.values.iter();
    c::Message {
        key: message.key.to_string(),
        values: values
            .map(|(name, value)| (name.to_string(), sentence_value(value)))
            .collect(),
    }
}

fn sentence_value(value: &Value) -> c::MessageValue {
    match value {
        Value::Text(text) => c::MessageValue::Text(text.clone()),
        Value::Number { value, text } => c::MessageValue::Number {
            value: value.is_finite().then_some(plain(*value)),
            text: text.clone(),
        },
        Value::Count(count) => c::MessageValue::Count(*count),
        Value::Element(e) => c::MessageValue::Element(element(e)),
        Value::List(items) => c::MessageValue::List(items.iter().map(sentence_value).collect()),
        Value::Message(part) => c::MessageValue::Message(sentence(part)),
    }
}

/// A diagnostic from the catalogue.
pub(crate) fn told(code: &str, said: &Message, element: Option<c::Element>) -> c::Diagnostic {
    c::Diagnostic {
        code: code.to_string(),
        message: said.english(),
        sentence: sentence(said),
        element,
        element_name: None,
    }
}

pub(crate) fn diagnostic(w: &Warning) -> c::Diagnostic {
    told(w.code, &w.sentence, w.element.as_ref().map(element))
}

/// Negative zero reads badly and has bits of its own.
pub(crate) fn plain(x: f64) -> f64 {
    x + 0.0
}
