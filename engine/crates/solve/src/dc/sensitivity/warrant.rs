//! The interval in which a derivative is exact: a ratio test over every limit and every multiplier.

use super::perturbation::{Perturbation, SAME_LIMIT};
use super::tangent::Tangent;
use super::{ActiveSetChange, End, Event, Warrant, WarrantKind, ZERO_STEP};
use crate::dc::basis::kkt::Status;
use crate::dc::model::links::LinkEnd;
use crate::dc::model::DcModel;
use crate::dc::result::solution::DcSolution;
use crate::generator_columns::GenColumn;
use crate::topology::NO_ISLAND;
use wattbook_network::analysis::ElementRef;

/// Rates below this, and below this share of the largest of their kind, are rounding errors.
const ZERO_RATE: f64 = 1e-12;
const ZERO_SHARE: f64 = 1e-11;
/// A line fixed at a limit has the rate of that limit, so any difference is the error of flow rates. Rates below this
/// multiple of the largest such error are rounding errors too.
const ERRORS: f64 = 10.0;
/// Error of an angle difference, relative to the angles.
const ROUNDING: f64 = 1e-13;

/// The limit of an edit: an element, its present value and its rate.
pub(crate) type EditLimit<'a> = (&'a ElementRef, f64, f64);

impl DcSolution {
    /// The interval of the active set along a tangent.
    pub(crate) fn warrant<'a>(
        &self,
        model: &'a DcModel,
        change: &Perturbation,
        tangent: &Tangent,
        edits: impl IntoIterator<Item = EditLimit<'a>>,
    ) -> Warrant {
        let largest = |rates: &[f64]| rates.iter().fold(0.0f64, |m, r| m.max(r.abs()));
        let zero = |scale: f64| ZERO_RATE.max(ZERO_SHARE * scale);
        let zero_power = zero(largest(&tangent.p));
        let zero_flow = zero(largest(&tangent.value)).max(ERRORS * self.missed_rate(change, tangent));
        let zero_price = zero(largest(&tangent.price).max(largest(&tangent.line_y)) / model.cost_scale);
        let mut ends = Ends::default();
        let mut cost = vec![0.0; model.columns.len()];
        for &(j, d) in &change.cost {
            cost[j] += d;
        }
        let bound_rates = |j: usize| {
            let own = change.moving.iter().filter(|moving| moving.0 == j);
            own.fold((0.0, 0.0), |sum, &(_, lo, hi)| (sum.0 + lo, sum.1 + hi))
        };
        for (j, column) in model.columns.iter().enumerate() {
            let element = &model.gen_ids[column.generator];
            let rate = tangent.p[j];
            let (lo_rate, hi_rate) = if change.moving.is_empty() {
                (0.0, 0.0)
            } else {
                bound_rates(j)
            };
            if self.status[j] == Status::Free {
                ends.zero_rate = zero_power;
                let at = |outer: bool, event| {
                    if outer {
                        event
                    } else {
                        Event::GeneratorReachesBreakpoint
                    }
                };
                let (mut max, mut min) = (
                    at(column.is_last, Event::GeneratorReachesMax),
                    at(column.is_first, Event::GeneratorReachesMin),
                );
                if model.links.end_of(column.generator) == Some(LinkEnd::Sending) {
                    // Its power is the negative injection at its terminal.
                    (max, min) = (
                        at(column.is_last, Event::GeneratorReachesMin),
                        at(column.is_first, Event::GeneratorReachesMax),
                    );
                }
                if column.is_excess() {
                    min = Event::ExcessEnds;
                } else if model.links.loses_load(column.generator) {
                    min = Event::LostLoadEnds;
                }
                let change = |upper| ActiveSetChange::Bound { column: j, upper };
                let (lo, hi) = column.limits();
                ends.approach(hi - self.p[j], rate - hi_rate, max, element, change(true));
                ends.approach(self.p[j] - lo, lo_rate - rate, min, element, change(false));
            } else if column.hi > column.lo {
                self.meeting_ends(j, column, (lo_rate, hi_rate), element, &mut ends);
                ends.zero_rate = zero_price;
                let sign = if self.status[j] == Status::AtLower { 1.0 } else { -1.0 };
                let rc = column.c + column.q * self.p[j] - self.price[column.bus];
                let rc_rate = cost[j] + column.q * rate - tangent.price[column.bus];
                ends.approach(
                    sign * rc / model.cost_scale,
                    -sign * rc_rate / model.cost_scale,
                    match column.is_excess() {
                        true => Event::ExcessBegins,
                        false if model.links.loses_load(column.generator) => Event::LostLoadBegins,
                        false => Event::GeneratorLeavesLimit,
                    },
                    element,
                    ActiveSetChange::Leaving(j),
                );
            } else if lo_rate != hi_rate {
                // A fixed unit whose limits separate.
                ends.zero_rate = zero_price;
                let sign = if self.held_at(model, j) == Status::AtLower {
                    1.0
                } else {
                    -1.0
                };
                let rc_rate = cost[j] + column.beside.1 * rate - tangent.price[column.bus];
                ends.approach(
                    sign * self.reduced_cost_beside(model, j) / model.cost_scale,
                    -sign * rc_rate / model.cost_scale,
                    Event::GeneratorLeavesLimit,
                    element,
                    ActiveSetChange::Leaving(j),
                );
            }
        }
        let limit_rates = |l: usize| {
            let own = change.limits.iter().filter(|limit| limit.0 == l);
            own.fold((0.0, 0.0), |sum, &(_, lo, hi)| (sum.0 + lo, sum.1 + hi))
        };
        for (l, (&(above, below), &rate)) in self.slack(model).iter().zip(&tangent.value).enumerate() {
            // A tie of a link is an equation, not a limit.
            if model.lines[l].tie.is_some() {
                continue;
            }
            let element = model.element_of_line(l);
            let row = self.rows.row_of_line[l].filter(|&row| self.side[row] != 0);
            if let Some(row) = row {
                ends.zero_rate = zero_price;
                let sign = if self.side[row] > 0 { -1.0 } else { 1.0 };
                ends.approach(
                    sign * self.y[row] / model.cost_scale,
                    -sign * tangent.line_y[l] / model.cost_scale,
                    Event::LineUnbinds,
                    element,
                    ActiveSetChange::Unbinding(l),
                );
            } else {
                // The flow of a stiff line is a small difference of large terms.
                let line = &model.lines[l];
                let terms = line.weight().abs() * (tangent.theta[line.from].abs() + tangent.theta[line.to].abs());
                ends.zero_rate = zero_flow.max(ROUNDING * terms);
                let (lo, hi) = if change.limits.is_empty() {
                    (0.0, 0.0)
                } else {
                    limit_rates(l)
                };
                let change = |upper| ActiveSetChange::Limit { line: l, upper };
                ends.approach(below, rate - hi, Event::LineBinds, element, change(true));
                ends.approach(above, lo - rate, Event::LineBinds, element, change(false));
            }
        }
        ends.zero_rate = ZERO_RATE;
        for &(l, rating, angle) in &change.moving_lines {
            self.moving_line_ends(model, tangent, l, (rating, angle), limit_rates(l), &mut ends);
        }
        for (element, value, rate) in edits {
            ends.approach(value, -rate, Event::EditLimit, element, ActiveSetChange::Edit);
        }
        self.limit_ends(model, change, tangent, &mut ends);
        unserved_ends(model, change, &mut ends);
        let warrant = ends.warrant(tangent.residual);
        // If every unit of an island is fixed, prices there are not unique until one of them moves.
        let mut islands = change.moving.iter().map(|moving| model.columns[moving.0].island);
        let has_generators = |bus: usize| {
            let island = model.island_of_bus[bus];
            island == NO_ISLAND || model.is_priced(bus) || model.columns.iter().any(|c| c.island == island)
        };
        // Demand that only other demand balances cannot move.
        let is_met = change.injection.iter().all(|&(bus, _)| has_generators(bus));
        if !model.links.directed.is_empty() {
            // Beyond this state the other direction may be the cheaper one.
            return warrant.at_the_point();
        }
        match is_met && islands.all(|island| model.islands[island].movable) {
            true => warrant,
            false => warrant.at_the_point(),
        }
    }

    /// The point at which limits of a column fixed at one of them meet: those of its unit, or the end of the column's
    /// segment for the limit that fixes it.
    fn meeting_ends<'a>(
        &self,
        j: usize,
        column: &GenColumn,
        (lo_rate, hi_rate): (f64, f64),
        element: &'a ElementRef,
        ends: &mut Ends<'a>,
    ) {
        let (event, change) = match column.is_first && column.is_last {
            true => (Event::EditLimit, ActiveSetChange::Edit),
            false => (Event::GeneratorReachesBreakpoint, ActiveSetChange::OtherLimit),
        };
        let own_rate = if self.status[j] == Status::AtUpper {
            hi_rate
        } else {
            lo_rate
        };
        if change == ActiveSetChange::Edit || own_rate != 0.0 {
            ends.zero_rate = ZERO_RATE;
            let (lo, hi) = column.limits();
            ends.approach(hi - lo, lo_rate - hi_rate, event, element, change);
        }
    }

    /// Events of the moving limits of units with several columns: the end of a segment if the limit binds, otherwise
    /// the unit's output.
    fn limit_ends<'a>(&self, model: &'a DcModel, change: &Perturbation, tangent: &Tangent, ends: &mut Ends<'a>) {
        for &(j, lo_rate, hi_rate) in &change.moving {
            let column = &model.columns[j];
            let element = &model.gen_ids[column.generator];
            let held = (self.status[j] != Status::Free).then(|| self.held_at(model, j));
            let (from, to) = column.segment;
            ends.zero_rate = ZERO_RATE;
            for (is_upper, rate, own) in [(true, hi_rate, Status::AtUpper), (false, lo_rate, Status::AtLower)] {
                if rate == 0.0 {
                    continue;
                }
                let (room, leaving) = if is_upper {
                    (to - column.hi, rate)
                } else {
                    (column.lo - from, -rate)
                };
                if held == Some(own) && room.is_finite() {
                    let (event, same) = (Event::GeneratorReachesBreakpoint, ActiveSetChange::OtherLimit);
                    ends.approach(room, leaving, event, element, same);
                } else if held.is_some_and(|held| held != own) && !(column.is_first && column.is_last) {
                    self.output_end(model, tangent, (column.generator, is_upper, rate), ends);
                }
            }
        }
    }

    /// The point at which a limit that does not bind yet reaches the output of its unit.
    fn output_end<'a>(
        &self,
        model: &'a DcModel,
        tangent: &Tangent,
        (generator, is_upper, rate): (usize, bool, f64),
        ends: &mut Ends<'a>,
    ) {
        let (mut room, mut speed, mut free) = (0.0, 0.0, None);
        for (j, column) in model
            .columns
            .iter()
            .enumerate()
            .filter(|(_, c)| c.generator == generator)
        {
            let (lo, hi) = column.limits();
            room += if is_upper { hi - self.p[j] } else { self.p[j] - lo };
            speed += tangent.p[j];
            if self.status[j] == Status::Free {
                free = Some(j);
            }
        }
        let (event, closing) = match is_upper {
            true => (Event::GeneratorReachesMax, speed - rate),
            false => (Event::GeneratorReachesMin, rate - speed),
        };
        let change = match free {
            Some(column) => ActiveSetChange::Bound {
                column,
                upper: is_upper,
            },
            None => ActiveSetChange::OtherLimit,
        };
        ends.approach(room, closing, event, &model.gen_ids[generator], change);
    }

    /// The largest difference between the rate of a fixed line and that of its limit.
    fn missed_rate(&self, change: &Perturbation, tangent: &Tangent) -> f64 {
        let held = self
            .active
            .iter()
            .filter_map(|&row| Some((row, self.rows.line(row)?.line)));
        held.fold(0.0, |most, (row, l)| {
            let own = change.limits.iter().filter(|limit| limit.0 == l);
            let limit: f64 = own.map(|&(_, lo, hi)| if self.side[row] > 0 { hi } else { lo }).sum();
            most.max((tangent.value[l] - limit).abs())
        })
    }

    /// Events of a line whose rating moves at rate `d` and whose angle-difference limits move at rate `a`: the points at
    /// which one of the two replaces the other, and its opposite limit. `held` has the rates of its lower and upper limit.
    fn moving_line_ends<'a>(
        &self,
        model: &'a DcModel,
        tangent: &Tangent,
        l: usize,
        (d, a): (f64, f64),
        held: (f64, f64),
        ends: &mut Ends<'a>,
    ) {
        let line = &model.lines[l];
        // The one limit of a combination is in `warrant`.
        if line.is_angle_difference() || line.combination.is_some() {
            return;
        }
        let element = model.element_of_line(l);
        let rating = self.data.rating[line.row];
        let side = self.rows.row_of_line[l].map_or(0, |row| self.side[row]);
        let change = |upper| ActiveSetChange::Limit { line: l, upper };
        let (lo, hi) = line.limits(f64::INFINITY);
        if side == 0 {
            // Of the two limits on one side, the farther one may become the nearer.
            let (value, rate) = (self.flow[line.row], tangent.value[l]);
            for (slack, speed) in [(rating, d), (hi, a)] {
                ends.approach(slack - value, rate - speed, Event::LineBinds, element, change(true));
            }
            for (slack, speed) in [(rating, d), (-lo, -a)] {
                ends.approach(slack + value, -rate - speed, Event::LineBinds, element, change(false));
            }
            return;
        }
        let (angle_limit, angle_rate) = if side > 0 { (hi, a) } else { (-lo, -a) };
        // Beyond this point the other of the two limits the line.
        let takes_over = |distance: f64, rate: f64, event| (distance > SAME_LIMIT).then_some((distance, rate, event));
        let hand_over = match rating < angle_limit {
            true => takes_over(angle_limit - rating, d - angle_rate, Event::LineUnbinds),
            false => takes_over(rating - angle_limit, angle_rate - d, Event::LineBinds),
        };
        if let Some((distance, rate, event)) = hand_over {
            ends.approach(distance, rate, event, element, ActiveSetChange::OtherLimit);
        }
        let (lo, hi) = line.limits(rating);
        let (lo_rate, hi_rate) = held;
        ends.approach(hi - lo, lo_rate - hi_rate, Event::LineBinds, element, change(side < 0));
    }
}

/// If every unit of an island is fixed, its demand cannot move in either direction: a unit would have to exceed a limit
/// at once.
fn unserved_ends<'a>(model: &'a DcModel, change: &Perturbation, ends: &mut Ends<'a>) {
    ends.zero_rate = ZERO_RATE;
    let units = model.columns.iter().enumerate();
    for (column, unit) in units.filter(|(_, c)| c.is_first && !c.is_excess()) {
        let is_inside = |bus: usize| model.island_of_bus[bus] == unit.island;
        let may_part = || {
            change
                .moving
                .iter()
                .any(|moving| is_inside(model.columns[moving.0].bus))
        };
        if model.islands[unit.island].movable || may_part() {
            continue;
        }
        let inside = change.injection.iter().filter(|(bus, _)| is_inside(*bus));
        let demand_rate: f64 = inside.map(|(_, d)| -d).sum();
        let element = &model.gen_ids[unit.generator];
        let bound = |upper| ActiveSetChange::Bound { column, upper };
        ends.approach(0.0, demand_rate, Event::GeneratorReachesMax, element, bound(true));
        ends.approach(0.0, -demand_rate, Event::GeneratorReachesMin, element, bound(false));
    }
}

/// An event ahead: a slack that shrinks at a rate.
#[derive(Clone, Copy)]
struct Approach<'a> {
    distance: f64,
    rate: f64,
    event: Event,
    element: &'a ElementRef,
    change: ActiveSetChange,
}

impl Approach<'_> {
    fn end(&self) -> End {
        End {
            step: self.distance / self.rate,
            event: self.event,
            element: self.element.clone(),
            change: self.change,
        }
    }
}

/// The nearest event in each direction.
#[derive(Default)]
struct Ends<'a> {
    /// Smaller rates are rounding errors.
    zero_rate: f64,
    lower: Option<Approach<'a>>,
    upper: Option<Approach<'a>>,
}

impl<'a> Ends<'a> {
    /// Adds a slack `distance` (>= 0) that shrinks at `rate` per step: forwards if the rate is positive, otherwise
    /// backwards.
    #[inline]
    fn approach(&mut self, distance: f64, rate: f64, event: Event, element: &'a ElementRef, change: ActiveSetChange) {
        if rate.abs() <= self.zero_rate || !distance.is_finite() {
            return;
        }
        // A positive zero: of two zeros, `max` returns a platform-dependent one.
        let distance = distance.max(0.0) + 0.0;
        let side = if rate > 0.0 { &mut self.upper } else { &mut self.lower };
        // Compares without a division: distance / |rate| < known.distance / |known.rate|.
        let is_nearer = |known: &Approach| distance * known.rate.abs() < known.distance * rate.abs();
        if side.as_ref().is_none_or(is_nearer) {
            *side = Some(Approach {
                distance,
                rate,
                event,
                element,
                change,
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
