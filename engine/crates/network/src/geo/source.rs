//! Positions that a case file carries and the parser does not bring into its network.

use powerio::{BalancedNetwork, CoordinateSpace, CoordsKind, GeoMeta, Location};
use std::collections::BTreeMap;

use crate::error::Result;
use crate::geo::readers::{powerworld, psse};
use crate::module;

/// What [`place_from_source`] made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlacement {
    /// The module, changed where buses were placed.
    pub module_json: String,
    /// Buses that took a position.
    pub placed: usize,
}

/// Gives buses without a position the one that their case file carries: in `.aux` (format `powerworld`) that of the
/// `Substation` block by number, in `.raw` (format `psse`) that of SUBSTATION DATA. `.m` and `.epc` carry none, `.pwb` ones
/// are read by the parser.
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

/// [`place_from_source`] on a network that is not yet written; returns the number of buses placed.
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
