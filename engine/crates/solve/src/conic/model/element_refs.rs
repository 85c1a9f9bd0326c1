//! References to elements by dense row, for messages.

use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef};

/// The bus of a dense row.
pub(crate) fn bus_ref(network: &AnalysisNetwork, bus: usize) -> ElementRef {
    let row = &network.buses[bus];
    ElementRef {
        kind: ElementKind::Bus,
        id: row.id,
        uid: row.uid.clone(),
    }
}

/// The branch of a dense row.
pub(crate) fn branch_ref(network: &AnalysisNetwork, branch: usize) -> ElementRef {
    let row = &network.branches[branch];
    ElementRef {
        kind: ElementKind::Branch,
        id: row.id,
        uid: row.uid.clone(),
    }
}

/// The generator of a dense row.
pub(crate) fn generator_ref(network: &AnalysisNetwork, generator: usize) -> ElementRef {
    let row = &network.generators[generator];
    ElementRef {
        kind: ElementKind::Generator,
        id: row.id,
        uid: row.uid.clone(),
    }
}
