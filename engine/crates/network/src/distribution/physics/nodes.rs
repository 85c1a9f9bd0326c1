//! Nodes by bus and terminal.

use powerio::dist::MulticonductorNetwork;
use std::collections::BTreeMap;

use super::super::elements::fold::Fold;
use super::super::refuse;
use crate::error::Result;
use crate::feeder::{Feeder, FeederBus, FeederNode};
use crate::message;

/// The nodes of a network; bus names match in any letter case.
pub(super) struct Nodes {
    by_name: BTreeMap<(String, String), usize>,
}

impl Nodes {
    pub fn new(net: &MulticonductorNetwork) -> Self {
        let mut by_name = BTreeMap::new();
        for bus in net.buses() {
            let id = bus.id.to_lowercase();
            for terminal in bus.terminals.iter().chain(&bus.grounded) {
                let next = by_name.len();
                by_name.entry((id.clone(), terminal.clone())).or_insert(next);
            }
        }
        Self { by_name }
    }

    /// Fills the tables of buses and nodes.
    pub fn describe(&self, net: &MulticonductorNetwork, fold: &Fold, feeder: &mut Feeder) {
        let mut nodes = vec![None; self.by_name.len()];
        for (row, bus) in net.buses().iter().enumerate() {
            let id = bus.id.to_lowercase();
            for terminal in bus.terminals.iter().chain(&bus.grounded) {
                if let Some(&node) = self.by_name.get(&(id.clone(), terminal.clone())) {
                    nodes[node] = Some(FeederNode {
                        bus: row,
                        terminal: terminal.clone(),
                        is_grounded: bus.grounded.contains(terminal),
                    });
                }
            }
            feeder.buses.push(FeederBus {
                is_written: fold.row(&bus.id).is_some(),
                name: fold.internal.get(&id).unwrap_or(&bus.id).clone(),
            });
        }
        feeder.nodes = nodes.into_iter().flatten().collect();
    }

    /// # Errors
    /// `INPUT.TERMINALS` naming an element whose terminal does not exist at its bus.
    pub fn find(&self, element: &str, bus: &str, terminal: &str) -> Result<usize> {
        let key = (bus.to_lowercase(), terminal.to_owned());
        self.by_name.get(&key).copied().ok_or_else(|| {
            let message = message!(
                "feeder.unknown_terminal",
                element = element,
                terminal = terminal,
                bus = bus
            );
            refuse("INPUT.TERMINALS", element, message)
        })
    }

    pub fn all(&self, element: &str, bus: &str, terminals: &[String]) -> Result<Vec<usize>> {
        terminals.iter().map(|t| self.find(element, bus, t)).collect()
    }
}

/// # Errors
/// `INPUT.TERMINALS` for an element with a wrong number of terminals.
pub(super) fn expect_terminals(element: &str, terminals: usize, needed: usize) -> Result<()> {
    if terminals == needed {
        return Ok(());
    }
    let message = message!(
        "feeder.terminals",
        element = element,
        terminals = terminals,
        needed = needed
    );
    Err(refuse("INPUT.TERMINALS", element, message))
}
