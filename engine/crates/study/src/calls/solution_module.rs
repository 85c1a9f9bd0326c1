//! Exact results as solution modules, and back without a solve.

use crate::case::Case;
use crate::contract as c;
use crate::problem::saved;
use crate::results::Reply;
use crate::study::Study;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::sha256::sha256_hex;
use wattbook_network::{materialize_module, read_solution_module as read, write_solution_module};

impl Study {
    /// The committed optimum with the edited network as the text of a solution module. `module_json` is the module that the
    /// Study was made from.
    ///
    /// Errors: `MODULE.OTHER_CASE` for another module, `MODULE.WRITE`.
    pub fn save_solution_module_json(&self, module_json: &str) -> Result<String> {
        if sha256_hex(module_json.as_bytes()) != self.case().sha256 {
            return Err(EngineError::new("MODULE.OTHER_CASE", message!("module.other_case")));
        }
        let edits = self.current.edits();
        let edited = materialize_module(
            module_json,
            &edits.demand,
            &edits.reactive_mvar(self.case()),
            &edits.rating,
        )?;
        write_solution_module(&edited, &self.current.slots(&self.case_id)?)
    }
}

/// Reads a solution module without a solve (`SolutionModule`).
///
/// Our own come back bit for bit and are checked: the result against its hash, the network against the result. Modules of
/// other producers are read from their slots; the certificate is then taken here and a diagnostic tells what it found.
///
/// Errors: `MODULE.INVALID`, `MODULE.KIND`, `MODULE.NO_SOLUTION`, `MODULE.INCOMPLETE`, `MODULE.TAMPERED`, `MODULE.VERSION`,
/// and those of the network in it.
pub fn read_solution_module_json(text: &str) -> Result<String> {
    let (columns, module_json) = read(text)?;
    let case = Case::read(&module_json)?;
    let saved = saved::read(&case, &columns)?;
    let (case_sha256, deltas, rates) = parted(saved.edits);
    Ok(crate::json::to_json(&c::SolutionModule {
        solution: saved.results.solution(&case, &saved.case_id),
        module_json,
        producer: columns.producer,
        case_sha256,
        deltas,
        rates,
        reactive: None,
    }))
}

/// As [`read_solution_module_json`]: a `SolutionModuleHead`, and the columns of the solution.
pub fn read_solution_module(text: &str) -> Result<Reply> {
    let (columns, module_json) = read(text)?;
    let case = Case::read(&module_json)?;
    let saved = saved::read(&case, &columns)?;
    let (case_sha256, deltas, rates) = parted(saved.edits);
    Ok(Reply {
        json: crate::json::to_json(&c::SolutionModuleHead {
            solution: saved.results.head(&saved.case_id),
            module_json,
            producer: columns.producer,
            case_sha256,
            deltas,
            rates,
            reactive: None,
        }),
        columns: saved.results.columns,
    })
}

type Edits = (Option<String>, Option<c::DemandDeltas>, Option<c::RatingDeltas>);

fn parted(edits: Option<(String, c::DemandDeltas, c::RatingDeltas)>) -> Edits {
    edits.map_or((None, None, None), |(sha256, deltas, rates)| {
        (Some(sha256), Some(deltas), Some(rates))
    })
}
