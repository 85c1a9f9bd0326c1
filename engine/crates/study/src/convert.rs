//! Elements, diagnostics and numbers in the contract's terms.

use crate::contract as c;
use wattbook_network::analysis::{Bus, ElementKind, ElementRef, Warning};

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

pub(crate) fn bus_element(bus: &Bus) -> c::Element {
    c::Element {
        kind: "bus".into(),
        id: bus.id,
        uid: bus.uid.clone(),
    }
}

pub(crate) fn diagnostic(w: &Warning) -> c::Diagnostic {
    c::Diagnostic {
        code: w.code.to_string(),
        message: w.message.clone(),
        element: w.element.as_ref().map(element),
        element_name: None,
    }
}

/// Negative zero reads badly and has bits of its own.
pub(crate) fn plain(x: f64) -> f64 {
    x + 0.0
}
