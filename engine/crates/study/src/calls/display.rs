//! Drawings in the contract's types.

use crate::contract as c;
use crate::convert::new_diagnostic;
use wattbook_network::display::{parse_display, Display};
use wattbook_network::error::Result;

/// Reads a PowerWorld display file: a `Display` as JSON, in the units of the drawing.
///
/// Errors: `INPUT.EMPTY`, `INPUT.DISPLAY`.
pub fn parse_display_json(bytes: &[u8]) -> Result<String> {
    let Display {
        substations,
        buses,
        branches,
        canvas,
        unmatched,
    } = parse_display(bytes)?;
    Ok(crate::json::to_json(&c::Display {
        substations: substations
            .into_iter()
            .map(|s| c::DisplaySubstation {
                number: s.number,
                name: s.name,
                x: s.x,
                y: s.y,
            })
            .collect(),
        buses: buses
            .into_iter()
            .map(|b| c::DisplayBus {
                number: b.number,
                x: b.x,
                y: b.y,
            })
            .collect(),
        branches: branches
            .into_iter()
            .map(|b| c::DisplayBranch {
                from: b.from,
                to: b.to,
                circuit: b.circuit,
                points: b.points,
            })
            .collect(),
        canvas: canvas.map(|[width, height]| c::DisplayCanvas { width, height }),
        unmatched: unmatched
            .iter()
            .map(|message| new_diagnostic("INPUT.DISPLAY", message, None))
            .collect(),
    }))
}
