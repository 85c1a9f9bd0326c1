//! The interval in which a derivative is exact: a ratio test over every limit and every multiplier.

use super::perturbation::Perturbation;
use super::tangent::Tangent;
use super::{End, Event, Warrant, WarrantKind, ZERO_STEP};
use crate::dc::kkt::Status;
use crate::dc::model::DcModel;
use crate::dc::solution::DcSolution;
use wattbook_network::analysis::ElementRef;

/// Rates below this do not move anything.
const ZERO_RATE: f64 = 1e-12;

/// What an edit may use up: an element, its present value and its rate.
pub(crate) type EditLimit<'a> = (&'a ElementRef, f64, f64);

impl DcSolution {
    /// Where the active set holds along a tangent.
    pub(crate) fn warrant<'a>(
        &self,
        model: &'a DcModel,
        change: &Perturbation,
        tangent: &Tangent,
        edits: impl IntoIterator<Item = EditLimit<'a>>,
    ) -> Warrant {
        let mut ends = Ends::default();
        let mut cost = vec![0.0; model.columns.len()];
        for &(j, d) in &change.cost {
            cost[j] += d;
        }
        for (j, column) in model.columns.iter().enumerate() {
            let element = &model.gen_ids[column.generator];
            let rate = tangent.p[j];
            if self.status[j] == Status::Free {
                let at = |outer: bool, event| {
                    if outer {
                        event
                    } else {
                        Event::GeneratorReachesBreakpoint
                    }
                };
                let (max, min) = (
                    at(column.is_last, Event::GeneratorReachesMax),
                    at(column.is_first, Event::GeneratorReachesMin),
                );
                ends.approach(column.hi - self.p[j], rate, max, element);
                ends.approach(self.p[j] - column.lo, -rate, min, element);
            } else if column.hi > column.lo {
                let sign = if self.status[j] == Status::AtLower { 1.0 } else { -1.0 };
                let rc = column.c + column.q * self.p[j] - self.price[column.bus];
                let rc_rate = cost[j] + column.q * rate - tangent.price[column.bus];
                ends.approach(
                    sign * rc / model.cost_scale,
                    -sign * rc_rate / model.cost_scale,
                    Event::GeneratorLeavesLimit,
                    element,
                );
            }
        }
        for (l, line) in model.lines.iter().enumerate() {
            let element = model.element_of_line(l);
            let side = self.rows.row_of_line[l].map_or(0, |row| self.side[row]);
            if let (Some(row), true) = (self.rows.row_of_line[l], side != 0) {
                let sign = if side > 0 { -1.0 } else { 1.0 };
                ends.approach(
                    sign * self.y[row] / model.cost_scale,
                    -sign * tangent.line_y[l] / model.cost_scale,
                    Event::LineUnbinds,
                    element,
                );
                continue;
            }
            let value = self.row_value(line);
            let (lo, hi) = line.limits(self.data.rating[line.row]);
            let (lo_rate, hi_rate) = tangent.limits[l];
            ends.approach(hi - value, tangent.value[l] - hi_rate, Event::LineBinds, element);
            ends.approach(value - lo, lo_rate - tangent.value[l], Event::LineBinds, element);
        }
        for (element, value, rate) in edits {
            ends.approach(value, -rate, Event::EditLimit, element);
        }
        ends.warrant(tangent.residual)
    }
}

/// The nearest event on each side.
#[derive(Default)]
struct Ends {
    lower: Option<End>,
    upper: Option<End>,
}

impl Ends {
    /// A slack `distance` (>= 0) that shrinks at `rate` per step: forwards where the rate is positive, else backwards.
    fn approach(&mut self, distance: f64, rate: f64, event: Event, element: &ElementRef) {
        if rate.abs() <= ZERO_RATE || distance.is_nan() {
            return;
        }
        let step = distance.max(0.0) / rate;
        let side = if rate > 0.0 { &mut self.upper } else { &mut self.lower };
        if side.as_ref().is_none_or(|e| step.abs() < e.step.abs()) {
            *side = Some(End {
                step,
                event,
                element: element.clone(),
            });
        }
    }

    fn warrant(self, residual: f64) -> Warrant {
        let at_zero = |end: &Option<End>| end.as_ref().is_some_and(|e| e.step.abs() <= ZERO_STEP);
        let kind = match (at_zero(&self.lower), at_zero(&self.upper)) {
            (false, false) => WarrantKind::Regular,
            (true, true) => WarrantKind::Degenerate,
            _ => WarrantKind::OneSided,
        };
        Warrant {
            kind,
            lower: self.lower,
            upper: self.upper,
            residual,
            point_only: false,
        }
    }
}
