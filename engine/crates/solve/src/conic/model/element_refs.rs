//! References to elements by dense row, for messages.

use crate::storages::storage_of;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};

/// The bus of a dense row.
pub(crate) fn bus_ref(network: &AnalysisNetwork, bus: usize) -> ElementRef {
    let row = &network.buses[bus];
    ElementRef::from(row)
}

/// The branch of a dense row.
pub(crate) fn branch_ref(network: &AnalysisNetwork, branch: usize) -> ElementRef {
    let row = &network.branches[branch];
    ElementRef::from(row)
}

/// The generator of a dense row, or the storage unit that it stands for.
pub(crate) fn generator_ref(network: &AnalysisNetwork, generator: usize) -> ElementRef {
    if let Some(storage) = storage_of(network, generator) {
        return storage;
    }
    let row = &network.generators[generator];
    ElementRef::from(row)
}
