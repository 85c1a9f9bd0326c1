//! Elements, diagnostics and numbers in the contract's types.

use crate::contract as c;
use wattbook_network::analysis::{ElementKind, ElementRef, EnergySource, OutageIds, Warning};
use wattbook_network::error::EngineError;
use wattbook_network::message::{listed, template, Message, Value};

pub(crate) fn kind_name(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Bus => "bus",
        ElementKind::Branch => "branch",
        ElementKind::Generator => "generator",
        ElementKind::Switch => "switch",
        ElementKind::Storage => "storage",
        ElementKind::Hvdc => "hvdc",
        ElementKind::Transformer3w => "transformer3w",
        ElementKind::Interface => "interface",
    }
}

pub(crate) fn element(e: &ElementRef) -> c::Element {
    let outage = e.outage();
    c::Element {
        kind: kind_name(e.kind).to_string(),
        id: e.id,
        uid: e.uid.clone(),
        outage: outage.branches,
        generators_out: outage.generators,
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
        // The rest of a long list would be megabytes of JSON that no view shows.
        Value::List(items) => c::MessageValue::List(listed(items).iter().map(sentence_value).collect()),
        Value::Message(part) => c::MessageValue::Message(sentence(part)),
    }
}

/// A message that a client composed from the catalogue; `None` where the catalogue lacks its key. Values without a
/// placeholder in the template are dropped.
pub(crate) fn message_of(wire: &c::Message) -> Option<Message> {
    let template = template(&wire.key)?;
    let values = wire.values.iter();
    Some(Message {
        key: template.key,
        values: values
            .filter_map(|(name, value)| Some((template.placeholder(name)?, value)))
            .map(|(name, value)| Some((name, value_of(value)?)))
            .collect::<Option<_>>()?,
    })
}

fn value_of(wire: &c::MessageValue) -> Option<Value> {
    Some(match wire {
        c::MessageValue::Text(text) => Value::from(text),
        c::MessageValue::Number { value, text } => Value::Number {
            value: value.unwrap_or(f64::NAN),
            text: text.clone(),
        },
        c::MessageValue::Count(count) => Value::Count(*count),
        c::MessageValue::Element(e) => {
            let outage = OutageIds {
                branches: e.outage.clone(),
                generators: e.generators_out.clone(),
            };
            Value::Element(ElementRef::new(kind_of(&e.kind)?, e.id, e.uid.clone()).after(outage))
        }
        c::MessageValue::List(items) => Value::List(items.iter().map(value_of).collect::<Option<_>>()?),
        c::MessageValue::Message(part) => Value::Message(message_of(part)?),
    })
}

fn kind_of(name: &str) -> Option<ElementKind> {
    use ElementKind::{Branch, Bus, Generator, Hvdc, Interface, Storage, Switch, Transformer3w};
    let kinds = [Bus, Branch, Generator, Switch, Storage, Hvdc, Transformer3w, Interface];
    kinds.into_iter().find(|kind| kind_name(*kind) == name)
}

/// A diagnostic with a message of the catalogue.
pub(crate) fn new_diagnostic(code: &str, message: &Message, element: Option<c::Element>) -> c::Diagnostic {
    c::Diagnostic {
        code: code.to_string(),
        message: message.english(),
        sentence: sentence(message),
        element,
        element_name: None,
    }
}

pub(crate) fn diagnostic(w: &Warning) -> c::Diagnostic {
    new_diagnostic(w.code, &w.sentence, w.element.as_ref().map(element))
}

/// Replaces negative zero, which reads badly and would change hashes.
pub(crate) fn plain(x: f64) -> f64 {
    x + 0.0
}

/// An error in the contract's type.
pub(crate) fn error_body(error: &EngineError) -> c::ErrorBody {
    c::ErrorBody {
        code: error.code.to_string(),
        message: error.message(),
        sentence: sentence(&error.sentence),
        element: error.element.as_deref().map(element),
        details: details_of(error),
    }
}

/// The details of an error; where elements are refused individually, each has its sentence.
fn details_of(error: &EngineError) -> Option<serde_json::Value> {
    let mut details = error.details.clone()?;
    if let Some(refused) = details.get_mut("refused").and_then(serde_json::Value::as_array_mut) {
        for (one, message) in refused.iter_mut().zip(&error.refused) {
            one["sentence"] = serde_json::json!(sentence(message));
        }
    }
    Some(details)
}

pub(crate) fn energy_source(source: EnergySource) -> c::EnergySource {
    match source {
        EnergySource::Hydro => c::EnergySource::Hydro,
        EnergySource::Nuclear => c::EnergySource::Nuclear,
        EnergySource::Wind => c::EnergySource::Wind,
        EnergySource::Thermal => c::EnergySource::Thermal,
        EnergySource::Coal => c::EnergySource::Coal,
        EnergySource::Gas => c::EnergySource::Gas,
        EnergySource::Solar => c::EnergySource::Solar,
        EnergySource::Other => c::EnergySource::Other,
    }
}

pub(crate) fn source_of(source: c::EnergySource) -> EnergySource {
    match source {
        c::EnergySource::Hydro => EnergySource::Hydro,
        c::EnergySource::Nuclear => EnergySource::Nuclear,
        c::EnergySource::Wind => EnergySource::Wind,
        c::EnergySource::Thermal => EnergySource::Thermal,
        c::EnergySource::Coal => EnergySource::Coal,
        c::EnergySource::Gas => EnergySource::Gas,
        c::EnergySource::Solar => EnergySource::Solar,
        c::EnergySource::Other => EnergySource::Other,
    }
}
