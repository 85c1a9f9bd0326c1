//! HVDC links in formulations that do not model them.

use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef, Link};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

/// The reference to a link.
pub(crate) fn link_ref(link: &Link) -> ElementRef {
    ElementRef {
        kind: ElementKind::Hvdc,
        id: link.id,
        uid: link.uid.clone(),
    }
}

/// Refuses a network with a link in service. `formulation` is the message with the name of the formulation.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` with the first such link.
pub(crate) fn refuse(network: &AnalysisNetwork, formulation: Message) -> Result<()> {
    let Some((_, link)) = network.links_in_service().next() else {
        return Ok(());
    };
    let element = link_ref(link);
    let bus = |row: usize| network.buses[row].id.to_string();
    let message = message!(
        "physics.links_unsupported",
        link = &element,
        from = bus(link.from),
        to = bus(link.to),
        formulation = formulation
    );
    Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(element))
}
