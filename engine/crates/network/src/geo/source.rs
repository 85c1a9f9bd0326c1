//! Positions in a case file that the parser does not transfer to its network.

use powerio::{BalancedNetwork, CoordinateSpace, CoordsKind, GeoMeta, Location};
use std::collections::BTreeMap;

use crate::error::Result;
use crate::geo::readers::{powerworld, psse};
use crate::module;

/// The result of [`place_from_source`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlacement {
    /// The module, changed if buses got a position.
    pub module_json: String,
    /// Number of buses that got a position.
    pub placed: usize,
}

/// Sets the positions of buses without one from their case file: in `.aux` (format `powerworld`) that of the
/// `Substation` block by number, in `.raw` (format `psse`) that of SUBSTATION DATA. `.m` and `.epc` contain none, and
/// the parser reads those of `.pwb`.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND`, `MODULE.WRITE`.
pub fn place_from_source(module_json: &str, format: &str, text: &str) -> Result<SourcePlacement> {
    let mut module = module::open(module_json)?;
    let placed = place(module::balanced_mut(&mut module)?, format, text);
    let module_json = match placed {
        0 => module_json.to_owned(),
        _ => module::write(&module)?,
    };
    Ok(SourcePlacement { module_json, placed })
}

/// [`place_from_source`] for a network that is not written yet; returns the number of buses with new positions.
pub(crate) fn place(net: &mut BalancedNetwork, format: &str, text: &str) -> usize {
    let geographic = net
        .geo()
        .as_ref()
        .is_none_or(|g| matches!(g.space, CoordinateSpace::Geographic { .. }));
    if !geographic || net.buses().iter().all(|b| b.location.is_some()) {
        return 0;
    }
    let positions: BTreeMap<u64, [f64; 2]> = match format {
        "powerworld" => powerworld::bus_positions(text)
            .into_iter()
            .rev()
            .map(|b| (b.number, b.at))
            .collect(),
        "psse" => psse::bus_positions(text).into_iter().rev().collect(),
        _ => return 0,
    };
    let wanted = |b: &powerio::Bus| b.location.is_none() && positions.contains_key(&(b.id.0 as u64));
    if !net.buses().iter().any(wanted) {
        return 0;
    }
    let mut placed = 0;
    for bus in net.buses_mut().iter_mut().filter(|b| b.location.is_none()) {
        if let Some(&[x, y]) = positions.get(&(bus.id.0 as u64)) {
            bus.location = Some(Location { x, y, kind: None });
            placed += 1;
        }
    }
    if net.geo().is_none() {
        *net.geo_mut() = Some(GeoMeta {
            space: CoordinateSpace::Geographic { crs: None },
            kind: Some(CoordsKind::Source),
        });
    }
    placed
}
