//! Optima of programs in which a link would send power in both directions at once.
//!
//! Such a program is not exact: burning power in the losses of the link lowers its cost. Each direction alone is a convex
//! program, and the cheaper of the two optima is the optimum.

use crate::dc::dual_active_set::DualActiveSet;
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use crate::dc::result::DcSolution;
use wattbook_network::error::{EngineError, Result};

/// Largest number of links whose directions are tried.
const MOST_LINKS: usize = 4;

/// The key of the refusal of a program in which a link circulates.
pub(crate) const CIRCULATES: &str = wattbook_network::message_key!("physics.link_circulates", link);

/// The optimum from nothing, and the program with the directions that it has; `None` if all links have both.
///
/// # Errors
/// `SOLVE.*`; `PHYSICS.UNSUPPORTED` if more than a few links would send power in both directions.
pub fn optimum_by_directions(model: &DcModel, data: &DcData) -> Result<(Option<DcModel>, DcSolution)> {
    let refused = match DualActiveSet.optimum(model, data, None) {
        Ok(solution) => return Ok((None, solution)),
        Err(error) => error,
    };
    match circulating(&refused) {
        Some(link) => cheaper(model, data, link, MOST_LINKS - 1, refused).map(|(model, s)| (Some(model), s)),
        None => Err(refused),
    }
}

/// Whether an optimum was refused because a link would send power in both directions.
pub fn is_circulating(error: &EngineError) -> bool {
    circulating(error).is_some()
}

/// The dense row of the link.
fn circulating(error: &EngineError) -> Option<usize> {
    let element = error.element.as_ref().filter(|_| error.sentence.key == CIRCULATES)?;
    (element.id as usize).checked_sub(1)
}

/// The cheaper of the optima with either direction of a link; `refused` if there are too many links to try.
fn cheaper(
    model: &DcModel,
    data: &DcData,
    link: usize,
    left: usize,
    refused: EngineError,
) -> Result<(DcModel, DcSolution)> {
    let [forward, reversed] = [false, true].map(|is_reversed| {
        let model = model.with_direction(link, is_reversed);
        match DualActiveSet.optimum(&model, data, None) {
            Ok(solution) => Ok((model, solution)),
            Err(error) => match circulating(&error) {
                Some(other) if left > 0 => cheaper(&model, data, other, left - 1, error),
                _ => Err(error),
            },
        }
    });
    match (forward, reversed) {
        (Ok(a), Ok(b)) if b.1.objective < a.1.objective => Ok(b),
        (Ok(a), Ok(_)) => Ok(a),
        // A direction that was not solved could be the cheaper one.
        (Ok(found), Err(error)) | (Err(error), Ok(found)) => match error.code {
            "SOLVE.INFEASIBLE" => Ok(found),
            _ => Err(error),
        },
        (Err(a), Err(b)) if a.code == "SOLVE.INFEASIBLE" && b.code == "SOLVE.INFEASIBLE" => Err(a),
        _ => Err(refused),
    }
}
