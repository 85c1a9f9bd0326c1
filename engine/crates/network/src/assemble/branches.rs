//! Branch rows with their angle-difference limits and rating.

use powerio::BalancedNetwork;
use std::f64::consts::FRAC_PI_3;

use crate::analysis::{Branch, Bus};
use crate::assemble::angle_difference::{angle_difference_limits, is_unset};
use crate::assemble::buses::BusIndex;
use crate::assemble::fallback_rating::{fallback_rating, VoltageBand};
use crate::assemble::lowering::Star;
use crate::assemble::power_base::PowerBase;
use crate::assemble::{finite, source_uid};
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::message::amounts::plain;
use crate::switches::SWITCH;
use crate::{message, message_key};

/// Mark of a branch that the source limits to zero flow: in MATPOWER's convention a rating of zero means no limit.
pub(crate) const RATED_ZERO: &str = "wattbook_rating_zero";

/// Mark of a branch whose source states that its flow is unlimited; an absent rating would get the fallback.
pub(crate) const UNRATED: &str = "wattbook_unrated";

/// Mark of a branch whose source has no angle-difference limits in its model; absent limits would become 60 degrees.
pub(crate) const NO_ANGLE_LIMITS: &str = "wattbook_no_angle_limits";

/// Shared inputs for reading branch rows.
pub(crate) struct Surroundings<'a> {
    pub net: &'a BalancedNetwork,
    pub buses: &'a [Bus],
    pub index: &'a BusIndex,
    pub base: &'a PowerBase,
}

/// Branch rows in source order, then the legs of the star points, which are not editable.
///
/// # Errors
/// `INPUT.ANGLE_WINDOW` for an in-service branch with empty limits, `INPUT.BASE_MVA`, `INPUT.NOT_FINITE`, `INPUT.UNKNOWN_BUS`.
pub(crate) fn read(around: &Surroundings<'_>, stars: &[Star]) -> Result<Vec<Branch>> {
    let canonical = around.net.branches().iter().map(|b| (b, true));
    let legs = stars.iter().flat_map(|s| &s.legs).map(|b| (b, false));
    canonical
        .chain(legs)
        .enumerate()
        .map(|(row, (b, editable))| around.branch(b, row as u64 + 1, editable))
        .collect()
}

impl Surroundings<'_> {
    fn branch(&self, b: &powerio::Branch, id: u64, editable: bool) -> Result<Branch> {
        let element = ElementRef::new(ElementKind::Branch, id, source_uid(self.net, &b.uid));
        let end = |bus: usize| self.index.row_of(bus, &element);
        let (from, to) = (end(b.from.0)?, end(b.to.0)?);
        let in_service = b.in_service && self.buses[from].in_service && self.buses[to].in_service;
        let (angle_min_rad, angle_max_rad) = match angle_difference_limits(b.angmin, b.angmax) {
            Some(limits) => limits,
            None if in_service => {
                let message = message!(
                    "case.angle_limits",
                    branch = &element,
                    lower = plain(b.angmin, "degrees"),
                    upper = plain(b.angmax, "degrees")
                );
                return Err(EngineError::new("INPUT.ANGLE_WINDOW", message).at(element));
            }
            None => (-FRAC_PI_3, FRAC_PI_3),
        };
        let shift_rad = finite(b.shift, message_key!("quantity.phase_shift"), &element)?.to_radians();
        // Limits of 60 degrees about zero might exclude zero flow, so limits that the source leaves unset are about the
        // shift.
        let is_open = is_unset(b.angmin, b.angmax);
        let angle_limits_about_shift = is_open && is_beyond_assumed_limits(shift_rad);
        let centre = if angle_limits_about_shift { shift_rad } else { 0.0 };
        let is_unlimited = is_open && b.extras.contains_key(NO_ANGLE_LIMITS);
        let [lower, upper] = if is_unlimited {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            [angle_min_rad + centre, angle_max_rad + centre]
        };
        let charging = b.calc_terminal_charging();
        let shunt = |g: f64, b: f64| -> Result<[f64; 2]> {
            let conductance = finite(g, message_key!("quantity.shunt_conductance"), &element)?;
            let susceptance = finite(b, message_key!("quantity.charging_susceptance"), &element)?;
            Ok([
                self.base.admittance(conductance, &element)?,
                self.base.admittance(susceptance, &element)?,
            ])
        };
        let impedance = |value: f64, quantity| self.base.impedance(finite(value, quantity, &element)?, &element);
        let mut branch = Branch {
            id,
            is_switch: b.extras.contains_key(SWITCH),
            from,
            to,
            r_pu: impedance(b.r, message_key!("quantity.resistance"))?,
            x_pu: impedance(b.x, message_key!("quantity.reactance"))?,
            shunt_from_pu: shunt(charging.g_fr, charging.b_fr)?,
            shunt_to_pu: shunt(charging.g_to, charging.b_to)?,
            tap: if b.tap == 0.0 {
                1.0
            } else {
                finite(b.tap, message_key!("quantity.tap_ratio"), &element)?
            },
            shift_rad,
            in_service,
            editable,
            angle_min_rad: lower,
            angle_max_rad: upper,
            angle_limits_about_shift,
            angle_limits_assumed: is_open && !is_unlimited,
            rating_pu: b.rate_a / self.base.mva,
            rating_is_fallback: false,
            emergency_ratings_pu: [b.rate_b, b.rate_c]
                .map(|rate| (rate > 0.0 && rate.is_finite()).then_some(rate / self.base.mva)),
            route: crate::assemble::coords::route(self.net, b),
            uid: element.uid.clone(),
            name: b.name.clone().filter(|n| !n.is_empty()),
        };
        if b.rate_a.is_nan() {
            finite(b.rate_a, message_key!("quantity.rating"), &element)?;
        }
        // Zero, negative and infinite ratings mean that the source states no limit, except in formats where zero is a
        // limit.
        if b.extras.contains_key(RATED_ZERO) {
            branch.rating_pu = 0.0;
        } else if b.extras.contains_key(UNRATED) {
            (branch.rating_is_fallback, branch.rating_pu) = (true, f64::INFINITY);
        } else if !(branch.rating_pu > 0.0 && branch.rating_pu.is_finite()) {
            (branch.rating_is_fallback, branch.rating_pu) = (
                true,
                fallback_rating_of(self.buses, &branch, (angle_min_rad, angle_max_rad)),
            );
        }
        Ok(branch)
    }
}

/// Whether assumed angle-difference limits about zero, 60 degrees, would exclude zero flow over a phase shift.
pub(crate) fn is_beyond_assumed_limits(shift_rad: f64) -> bool {
    shift_rad.abs() > FRAC_PI_3
}

/// The fallback rating; `limits` are the angle-difference limits relative to the shift, radians.
pub(crate) fn fallback_rating_of(buses: &[Bus], branch: &Branch, limits: (f64, f64)) -> f64 {
    let band = |bus: &Bus| VoltageBand {
        min_pu: bus.vmin_pu,
        max_pu: bus.vmax_pu,
    };
    let (from, to) = (band(&buses[branch.from]), band(&buses[branch.to]));
    let rating = fallback_rating(branch.r_pu, branch.x_pu, limits, from, to);
    // Voltage bands that admit no voltage do not limit the flow of a DC model.
    if rating > 0.0 {
        rating
    } else {
        f64::INFINITY
    }
}
