//! References to elements by dense row, for messages.

use crate::storages::storage_of;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};

/// The bus of a dense row.
pub(crate) fn bus_ref(network: &AnalysisNetwork, bus: usize) -> ElementRef {
    ElementRef::from(&network.buses[bus])
}

/// The branch of a dense row.
pub(crate) fn branch_ref(network: &AnalysisNetwork, branch: usize) -> ElementRef {
    ElementRef::from(&network.branches[branch])
}

/// The generator of a dense row, or the storage unit that it stands for.
pub(crate) fn generator_ref(network: &AnalysisNetwork, generator: usize) -> ElementRef {
    if let Some(storage) = storage_of(network, generator) {
        return storage;
    }
    ElementRef::from(&network.generators[generator])
}
