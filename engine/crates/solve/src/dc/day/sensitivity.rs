//! Derivatives of all prices of a day by a demand in one hour, with the interval in which they are exact.
//!
//! With the columns `F` between their bounds, a change `db` of the right-hand sides moves them and the row prices by
//! `Q dx - A_F' dy = 0`, `A_F dx = db`: the system of the proximal method, whose centre moves along until the term has no effect.

use super::program::Program;
use super::proximal::{self, Optimum};
use super::{lazy_index, DayRounds};
use crate::dc::model::prices::{finish_prices, line_price_rhs};
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Most moves of the centre, and the effect of the proximal term, relative to the largest derivative, at which they end.
const MOST_MOVES: usize = 60;
const NO_EFFECT: f64 = 1e-10;

/// Largest residual of a row, per unit of the change.
const RESIDUAL: f64 = 1e-7;

/// Rates below this, per unit of the change, are rounding.
const NO_RATE: f64 = 1e-10;

/// What ends the interval of a derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct DayEvent {
    pub hour: usize,
    /// A generator, a storage unit or a line.
    pub element: ElementRef,
    pub kind: DayEventKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayEventKind {
    /// An output, a line or a stored energy reaches a limit, or a change of output its own.
    Reaches,
    /// It leaves the limit.
    Leaves,
}

/// Derivatives by a demand, per unit of it.
#[derive(Clone, Debug)]
pub struct DayColumn {
    /// Of the prices by hour and bus, $/h per unit squared.
    pub price: Vec<Vec<f64>>,
    /// Of the outputs by hour and generator.
    pub dispatch: Vec<Vec<f64>>,
    /// The changes of the demand, per unit, between which the derivatives are exact, and what ends them: the least interval where the value
    /// of idle storage is not unique.
    pub valid: [f64; 2],
    pub ends: [Option<DayEvent>; 2],
}

/// The first event in both directions.
struct Ends {
    valid: [f64; 2],
    at: [Option<Place>; 2],
}

#[derive(Clone, Copy)]
enum Place {
    Column(usize, DayEventKind),
    Line(usize, usize),
}

impl Ends {
    /// A value that moves with `rate` ends the interval at distances `below` and `above` from its limits.
    fn limit(&mut self, rate: f64, [below, above]: [f64; 2], place: Place) {
        if rate.abs() <= NO_RATE {
            return;
        }
        let [down, up] = if rate > 0.0 { [below, above] } else { [above, below] };
        for (side, room) in [(0, down), (1, up)] {
            let step = room.max(0.0) / rate.abs();
            if step < self.valid[side] {
                self.valid[side] = step;
                self.at[side] = Some(place);
            }
        }
    }
}

impl DayRounds {
    /// The derivatives by the demand of a bus (dense row) in an hour.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` where the price there is not unique, so that it has no derivative; before the optimum is found.
    pub fn column(&self, hour: usize, bus: usize) -> Result<DayColumn> {
        let not_unique = || {
            let bus = self.day.model.bus_ids[bus].clone();
            let message = message!("day.no_derivative", step = hour + 1, bus = &bus);
            EngineError::new("SENS.UNSUPPORTED", message).at(bus)
        };
        let (program, optimum) = self.found.as_ref().ok_or_else(not_unique)?;
        let db = self.change(program, hour, bus);
        let (dx, dy) = directions(program, optimum, &db).ok_or_else(not_unique)?;
        let (day, scale) = (&self.day, self.day.model.cost_scale);
        let (model, width) = (&day.model, program.width);
        let (mut price, mut dispatch) = (Vec::new(), Vec::new());
        let mut ends = Ends {
            valid: [f64::INFINITY; 2],
            at: [None; 2],
        };
        for at in 0..program.hours() {
            let (island, line_y) = self.multipliers(program, at, &dy, scale);
            let mut prices = model.angles(&line_price_rhs(model, &line_y));
            finish_prices(model, &island, &line_y, &mut prices);
            price.push(prices);
            let own = &dx[at * width..(at + 1) * width];
            let mut outputs = vec![0.0; model.n_gen];
            let mut injection = vec![0.0; model.n_bus];
            for (column, rate) in model.columns.iter().zip(own) {
                outputs[column.generator] += rate;
            }
            model.add_generation(own, &mut injection);
            if at == hour {
                injection[bus] -= 1.0;
            }
            dispatch.push(outputs);
            self.limit_lines(program, optimum, at, &injection, &mut ends);
        }
        let prices = program.transposed_times(&optimum.y);
        let rates = program.transposed_times(&dy);
        for j in 0..dx.len() {
            let (lo, hi) = (program.lo[j], program.hi[j]);
            if lo >= hi {
                continue;
            }
            if optimum.is_free[j] {
                let room = [optimum.x[j] - lo, hi - optimum.x[j]];
                ends.limit(dx[j], room, Place::Column(j, DayEventKind::Reaches));
            } else {
                let reduced = program.c[j] + program.q[j] * optimum.x[j] - prices[j];
                // A column at its lower bound leaves it where its reduced cost falls to zero, at its upper bound where it rises there.
                let room = match optimum.x[j] <= lo {
                    true => [reduced.max(0.0), f64::INFINITY],
                    false => [f64::INFINITY, (-reduced).max(0.0)],
                };
                ends.limit(-rates[j], room, Place::Column(j, DayEventKind::Leaves));
            }
        }
        let event = |place: Option<Place>| place.and_then(|place| self.event(program, place));
        Ok(DayColumn {
            price,
            dispatch,
            valid: [-ends.valid[0], ends.valid[1]],
            ends: ends.at.map(event),
        })
    }

    /// The change of the right-hand sides by one unit of demand.
    fn change(&self, program: &Program, hour: usize, bus: usize) -> Vec<f64> {
        let model = &self.day.model;
        let mut injection = vec![0.0; model.n_bus];
        injection[bus] = -1.0;
        let rates = model.row_rates(&model.angles(&injection), &injection);
        let mut db = vec![0.0; program.b.len()];
        let (first, island) = (program.first_row[hour], model.island_of_bus[bus]);
        db[first + island] = 1.0;
        for (k, &line) in self.lines[hour].iter().enumerate() {
            let lazy = &self.pool.lazy[line];
            let kappa = if lazy.island == island { lazy.kappa } else { 0.0 };
            db[first + self.pool.n_islands + k] = -(kappa + rates[lazy.line]);
        }
        db
    }

    /// Lines without a row in an hour, which the change may bring to a limit.
    fn limit_lines(&self, program: &Program, optimum: &Optimum, hour: usize, injection: &[f64], ends: &mut Ends) {
        if injection.iter().all(|x| *x == 0.0) {
            return;
        }
        let (day, width) = (&self.day, program.width);
        let rates = day.model.row_rates(&day.model.angles(injection), injection);
        let mut own = vec![0.0; day.model.n_bus];
        day.model
            .add_generation(&optimum.x[hour * width..(hour + 1) * width], &mut own);
        let values = day.model.row_rates(&day.model.angles(&own), &own);
        let zero = &self.constants.zero[hour];
        for (line, (rate, value)) in rates.iter().zip(values).enumerate() {
            let has_row = lazy_index(&self.pool, line).is_some_and(|k| self.lines[hour].contains(&k));
            if !has_row {
                let (lo, hi) = zero.line_limits[line];
                let value = zero.line_base[line] + value;
                ends.limit(*rate, [value - lo, hi - value], Place::Line(hour, line));
            }
        }
    }

    fn event(&self, program: &Program, place: Place) -> Option<DayEvent> {
        let model = &self.day.model;
        let line = |line: usize| model.element_of_line(line).clone();
        let (hour, element, kind) = match place {
            Place::Line(hour, l) => (hour, line(l), DayEventKind::Reaches),
            Place::Column(j, kind) => {
                let (hour, element) = match j.checked_sub(program.hours() * program.width) {
                    None => {
                        let generator = model.columns[j % program.width].generator;
                        (j / program.width, self.unit(generator))
                    }
                    Some(further) => {
                        let (row, hour, _) = program.further[further].entries[0];
                        let local = row - program.first_row[hour] - program.n_islands;
                        let own = &self.lines[hour];
                        let element = match (own.get(local), local.checked_sub(own.len())?) {
                            (Some(&lazy), _) => line(self.pool.lazy[lazy].line),
                            (None, k) if k < program.n_storages => self.unit(self.day.storages[k].generators[0]),
                            (None, k) => self.unit(self.day.ramps[self.ramps[k - program.n_storages]].generator),
                        };
                        (hour, element)
                    }
                };
                (hour, element, kind)
            }
        };
        Some(DayEvent { hour, element, kind })
    }

    /// The generator or the storage unit of a dense row of the day's network.
    fn unit(&self, generator: usize) -> ElementRef {
        let mut element = self.day.model.gen_ids[generator].clone();
        if self
            .day
            .storages
            .iter()
            .any(|storage| storage.generators.contains(&generator))
        {
            element.kind = ElementKind::Storage;
        }
        element
    }
}

/// The changes of columns and row prices; `None` where no change of the free columns meets `db`.
fn directions(program: &Program, optimum: &Optimum, db: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut normal = program.blocks();
    proximal::factor(program, &optimum.is_free, &mut normal);
    let weights: Vec<f64> = (0..program.lo.len())
        .map(|j| {
            if optimum.is_free[j] {
                1.0 / (program.q[j] + proximal::RHO)
            } else {
                0.0
            }
        })
        .collect();
    let (mut dx, mut dy) = (vec![0.0; program.lo.len()], vec![0.0; db.len()]);
    let residual = |dx: &[f64]| -> Vec<f64> {
        let reached = program.times(dx);
        db.iter().zip(&reached).map(|(b, a)| b - a).collect()
    };
    for _ in 0..MOST_MOVES {
        let centre = dx.clone();
        let columns = |dy: &[f64]| -> Vec<f64> {
            let prices = program.transposed_times(dy);
            let parts = prices.iter().zip(&centre).zip(&weights);
            parts
                .map(|((price, centre), weight)| weight * (price + proximal::RHO * centre))
                .collect()
        };
        dx = columns(&dy);
        // The shift of the matrix is refined away.
        for _ in 0..4 {
            let mut step = residual(&dx);
            normal.solve(&mut step);
            dy.iter_mut().zip(&step).for_each(|(y, d)| *y += d);
            dx = columns(&dy);
        }
        let moved = dx.iter().zip(&centre).fold(0.0f64, |m, (x, c)| m.max((x - c).abs()));
        let largest = dy.iter().fold(1e-6f64, |m, y| m.max(y.abs()));
        if proximal::RHO * moved <= NO_EFFECT * largest {
            break;
        }
    }
    let worst = residual(&dx).iter().fold(0.0f64, |m, r| m.max(r.abs()));
    (worst <= RESIDUAL).then_some((dx, dy))
}
