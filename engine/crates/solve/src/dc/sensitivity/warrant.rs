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
        let limit_rates = |l: usize| {
            let own = change.limits.iter().filter(|limit| limit.0 == l);
            own.fold((0.0, 0.0), |sum, &(_, lo, hi)| (sum.0 + lo, sum.1 + hi))
        };
        for (l, (&(above, below), &rate)) in self.room.iter().zip(&tangent.value).enumerate() {
            let row = self.rows.row_of_line[l].filter(|&row| self.side[row] != 0);
            if let Some(row) = row {
                let sign = if self.side[row] > 0 { -1.0 } else { 1.0 };
                ends.approach(
                    sign * self.y[row] / model.cost_scale,
                    -sign * tangent.line_y[l] / model.cost_scale,
                    Event::LineUnbinds,
                    model.element_of_line(l),
                );
                continue;
            }
            let (lo, hi) = if change.limits.is_empty() {
                (0.0, 0.0)
            } else {
                limit_rates(l)
            };
            let element = model.element_of_line(l);
            ends.approach(below, rate - hi, Event::LineBinds, element);
            ends.approach(above, lo - rate, Event::LineBinds, element);
        }
        for (element, value, rate) in edits {
            ends.approach(value, -rate, Event::EditLimit, element);
        }
        ends.warrant(tangent.residual)
    }
}

/// An event in sight: a slack that shrinks at a rate.
#[derive(Clone, Copy)]
struct Approach<'a> {
    distance: f64,
    rate: f64,
    event: Event,
    element: &'a ElementRef,
}

impl Approach<'_> {
    fn end(&self) -> End {
        End {
            step: self.distance / self.rate,
            event: self.event,
            element: self.element.clone(),
        }
    }
}

/// The nearest event on each side.
#[derive(Default)]
struct Ends<'a> {
    lower: Option<Approach<'a>>,
    upper: Option<Approach<'a>>,
}

impl<'a> Ends<'a> {
    /// A slack `distance` (>= 0) that shrinks at `rate` per step: forwards where the rate is positive, else backwards.
    #[inline]
    fn approach(&mut self, distance: f64, rate: f64, event: Event, element: &'a ElementRef) {
        if rate.abs() <= ZERO_RATE || distance.is_nan() {
            return;
        }
        // Of two zeros the positive one: `max` returns either.
        let distance = distance.max(0.0) + 0.0;
        let side = if rate > 0.0 { &mut self.upper } else { &mut self.lower };
        // Nearer than what is known, without a division: distance / |rate| < known.distance / |known.rate|.
        let is_nearer = |known: &Approach| distance * known.rate.abs() < known.distance * rate.abs();
        if side.as_ref().is_none_or(is_nearer) {
            *side = Some(Approach {
                distance,
                rate,
                event,
                element,
            });
        }
    }

    fn warrant(self, residual: f64) -> Warrant {
        let end = |side: &Option<Approach>| side.as_ref().map(Approach::end);
        let (lower, upper) = (end(&self.lower), end(&self.upper));
        let at_zero = |end: &Option<End>| end.as_ref().is_some_and(|e| e.step.abs() <= ZERO_STEP);
        let kind = match (at_zero(&lower), at_zero(&upper)) {
            (false, false) => WarrantKind::Regular,
            (true, true) => WarrantKind::Degenerate,
            _ => WarrantKind::OneSided,
        };
        Warrant {
            kind,
            lower,
            upper,
            residual,
            point_only: false,
        }
    }
}
