//! Exact results as solution modules, which are read back without a solve.

use crate::case::Case;
use crate::contract as c;
use crate::problem::saved::Read;
use crate::problem::{read_ac_solution, read_dc_solution};
use crate::results::{naming, Reply};
use crate::study::Study;
use std::collections::BTreeMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::sha256::sha256_hex;
use wattbook_network::{materialize_module, read_solution_module as read_columns};

impl Study {
    /// The committed result with the edited network as the text of a solution module. `module_json` is the module that
    /// the Study was created from.
    ///
    /// Errors: `MODULE.OTHER_CASE` for another module, `MODULE.WRITE`, also for added branches beside three-winding transformers, whose
    /// rows a module does not keep.
    pub fn save_solution_module_json(&self, module_json: &str) -> Result<String> {
        if sha256_hex(module_json.as_bytes()) != self.case().sha256 {
            return Err(EngineError::new("MODULE.OTHER_CASE", message!("module.other_case")));
        }
        let edits = self.current.edits();
        let network = &self.current_case().network;
        if !edits.network.added.branches.is_empty() && network.n_canonical_branches < network.branches.len() {
            return Err(EngineError::new(
                "MODULE.WRITE",
                message!("module.added_beside_windings"),
            ));
        }
        let edited = materialize_module(module_json, &edits.stored(self.current_case()))?;
        self.current.saved(&edited, &self.case_id)
    }
}

/// Reads a solution module without a solve: a `SolutionModuleHead`, the columns of the solution and those that name its
/// rows.
///
/// Our own modules are restored bit for bit and verified: the result against its hash, the network against the result.
/// Modules of other producers are read from their slots; the certificate is computed here, and a diagnostic reports it.
///
/// Errors: `MODULE.INVALID`, `MODULE.KIND`, `MODULE.NO_SOLUTION`, `MODULE.INCOMPLETE`, `MODULE.TAMPERED`,
/// `MODULE.VERSION`, and those of the network in it.
pub fn read_solution_module(text: &str) -> Result<Reply> {
    let read = read(text)?;
    let (rows, naming) = naming(&read.case);
    let mut head = c::SolutionModuleHead {
        solution: read.saved.results.head(&read.saved.case_id),
        rows,
        module_json: read.module_json,
        producer: read.producer,
        case_sha256: None,
        deltas: None,
        rates: None,
        reactive: None,
        generators: BTreeMap::new(),
        branches: BTreeMap::new(),
        links: BTreeMap::new(),
        storage: BTreeMap::new(),
        interfaces: BTreeMap::new(),
        added: c::AddedElements::default(),
    };
    if let Some(edits) = read.saved.edits {
        head.case_sha256 = Some(edits.case_sha256);
        (head.deltas, head.rates, head.reactive) = (Some(edits.deltas), Some(edits.rates), edits.reactive);
        (head.generators, head.branches) = (edits.generators, edits.branches);
        (head.links, head.storage, head.added) = (edits.links, edits.storages, edits.added);
        head.interfaces = edits.interfaces;
    }
    let columns = read.saved.results.columns.into_iter().chain(naming);
    Ok(Reply::new(&head, columns.collect()))
}

/// Reads a result of any formulation.
fn read(text: &str) -> Result<Read> {
    if let Some(read) = read_ac_solution(text)? {
        return Ok(read);
    }
    let (columns, module_json) = read_columns(text)?;
    let case = Case::read(&module_json)?;
    Ok(Read {
        saved: read_dc_solution(&case, &columns)?,
        case,
        module_json,
        producer: columns.producer,
    })
}
