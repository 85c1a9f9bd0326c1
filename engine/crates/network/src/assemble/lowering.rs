//! Three-winding transformers as star rows after the canonical rows.

use powerio::{BalancedNetwork, Branch, Bus, BusId, Shunt};

/// A lowered transformer: its star point, its three legs, and the magnetising shunt at the star point in per unit.
pub(crate) struct Star {
    pub bus: Bus,
    pub legs: [Branch; 3],
    pub gs_pu: f64,
    pub bs_pu: f64,
}

/// Star equivalents of the in-service three-winding transformers in source order.
///
/// Pairwise impedances become legs by `z1 = (z12 + z31 - z23) / 2` and its permutations. Star points are numbered
/// upwards from the largest bus number, as in the parser's own expansion, so that the rows agree with its matrices.
pub(crate) fn stars(net: &BalancedNetwork) -> Vec<Star> {
    let first = net.buses().iter().map(|b| b.id.0).max().unwrap_or(0).saturating_add(1);
    let in_service = net.transformers_3w().iter().filter(|t| t.in_service);
    in_service
        .enumerate()
        .map(|(k, t)| {
            let (bus, legs) = t.to_star_expansion(BusId(first.saturating_add(k)));
            Star {
                bus,
                legs,
                gs_pu: t.mag_g,
                bs_pu: t.mag_b,
            }
        })
        .collect()
}

/// Replaces three-winding transformers by star rows, for formats without such transformers. Returns the number replaced
/// and the number omitted because they are out of service. A star point has the position and base voltage of the first
/// winding's bus, since its per-unit values do not depend on the voltage. `base_mva` is the network's.
pub(crate) fn lower(net: &mut BalancedNetwork, base_mva: f64) -> (usize, usize) {
    let stars = stars(net);
    let counts = (stars.len(), net.transformers_3w().len() - stars.len());
    for mut star in stars {
        let ends = || star.legs.iter().flat_map(|leg| [leg.from, leg.to]);
        let bus = |id: BusId| net.buses().iter().find(|bus| bus.id == id);
        let place = ends().find_map(|id| bus(id)?.location);
        let base_kv = ends().find_map(bus).map_or(0.0, |winding| winding.base_kv);
        (star.bus.location, star.bus.base_kv) = (place, base_kv);
        if star.gs_pu != 0.0 || star.bs_pu != 0.0 {
            let shunt = Shunt::new(star.bus.id, star.gs_pu * base_mva, star.bs_pu * base_mva);
            net.shunts_mut().push(shunt);
        }
        net.buses_mut().push(star.bus);
        net.branches_mut().extend(star.legs);
    }
    net.transformers_3w_mut().clear();
    counts
}
