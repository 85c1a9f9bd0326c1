//! The entries of a relaxation: relaxed limits with their amounts.

use crate::dc::infeasibility::{Limit, Relaxation};
use crate::dc::model::{DcData, DcModel, Line};
use wattbook_network::analysis::ElementRef;

/// Violations below this (per unit) are within the solver's tolerance.
pub(super) const NEGLIGIBLE: f64 = 2e-8;

/// The quantity that an entry changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// A column, whose bound moves to its value.
    Column(usize),
    /// Demand of a bus.
    Demand(usize),
    /// A line's row reaches this value.
    Line { line: usize, value: f64 },
}

/// A relaxed limit. `amount` is per unit, or radians for angle-difference limits that have no MW.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub what: What,
    pub element: ElementRef,
    pub limit: Limit,
    pub amount: f64,
    pub has_mw: bool,
    /// Radians by which the binding angle-difference limit must be widened.
    pub angle: f64,
}

impl Entry {
    /// The relaxation for messages; `rounded` is the displayed amount, per unit.
    pub fn relaxation(&self, model: &DcModel, data: &DcData, rounded: f64) -> Relaxation {
        let mw = |amount: f64| if self.has_mw { amount * model.base_mva } else { 0.0 };
        let per_flow = match self.what {
            What::Line { line, .. } if self.angle > 0.0 && model.lines[line].b != 0.0 => {
                1.0 / model.lines[line].b.abs()
            }
            _ => 0.0,
        };
        Relaxation {
            element: self.element.clone(),
            limit: self.limit,
            mw: mw(self.amount),
            angle_deg: self.angle.to_degrees(),
            rounded_mw: mw(rounded),
            rounded_deg: (self.angle + per_flow * (rounded - self.amount)).to_degrees(),
            is_all: self.demand(data) == Some(rounded),
        }
    }

    /// The demand of the bus, per unit, if this entry reduces it and by no more than that.
    pub fn demand(&self, data: &DcData) -> Option<f64> {
        match (self.what, self.limit) {
            (What::Demand(bus), Limit::Demand) => {
                Some(data.demand[bus]).filter(|demand| self.amount <= demand + NEGLIGIBLE)
            }
            _ => None,
        }
    }
}

/// The angle difference at which a line's row has the given value.
pub(super) fn angle_at(line: &Line, value: f64) -> f64 {
    match line.merged {
        Some(_) => 0.0,
        None if line.is_angle_difference() => value,
        None => (value + line.shift_flow) / line.b,
    }
}
