//! The hours of a day as one program: DC OPF of each hour, coupled by the energy of storage units and by limits of changes of output
//! (docs/method/day.md).
//!
//! Lines enter by hour where they are exceeded. An interior-point method finds the limits that bind, and a dual Newton method the exact
//! optimum with these limits.

mod certificate;
mod interior_point;
mod network;
mod program;
mod proximal;
mod sensitivity;

pub use certificate::DayCertificate;
pub use network::{day_network, fixed_costs, DayStorage};
pub use sensitivity::{DayColumn, DayEvent, DayEventKind};

use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::infeasibility::refusals;
use crate::dc::model::prices::{finish_prices, line_price_rhs};
use crate::dc::model::zero_generation::ZeroGeneration;
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::{DcOptimizer, Plain};
use crate::dc::result::solution::NO_SHADOW;
use program::{Coupling, Program};
use proximal::Optimum;
use std::collections::BTreeMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw;

/// Accuracies of the interior-point method, relative: while lines are sought, and before the exact optimum.
const COARSE: f64 = 1e-3;
const FINE: f64 = 1e-11;

/// Excess of a limit, per unit, above which a line gets a row, with the coarse and with the exact optimum.
const COARSE_EXCESS: f64 = 1e-3;
const EXCESS: f64 = 1e-8;

/// Largest number of lines that an hour gets at once.
const LINES_AT_ONCE: usize = 12;

/// Larger bounds, per unit, count as no bound.
const FAR: f64 = 1e5;

/// Smallest sum of what is missing, per unit, that proves that there is no solution.
const MISSING: f64 = 1e-6;

/// Size of the part of a price that no column sees, of a vector of order one, above which the price is not unique.
const AMBIGUOUS: f64 = 1e-6;

/// Limits of the change of a unit's output, per unit per hour, infinite where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// Dense row of the generator.
    pub generator: usize,
    pub up: f64,
    pub down: f64,
}

/// The data of an hour.
#[derive(Clone, Debug)]
pub struct DayHour {
    pub data: DcData,
    /// Dense rows of generators with the part of their largest output that they have, from 0 (out of service) to 1.
    pub availability: Vec<(usize, f64)>,
}

/// The program of a day.
#[derive(Clone, Debug)]
pub struct Day {
    /// The model of a network of [`day_network`].
    pub model: DcModel,
    pub hours: Vec<DayHour>,
    pub storages: Vec<DayStorage>,
    pub ramps: Vec<Ramp>,
    /// [`fixed_costs`] of the network.
    pub fixed_costs: Vec<f64>,
    /// Length of each step, hours.
    pub length: f64,
}

/// The optimum of an hour, per unit by dense row, and prices in $/h per unit.
#[derive(Clone, Debug)]
pub struct HourOptimum {
    pub price: Vec<f64>,
    /// Radians.
    pub theta: Vec<f64>,
    pub flow: Vec<f64>,
    /// Multipliers of the limits of branches; the signed savings.
    pub shadow: Vec<f64>,
    pub dispatch: Vec<f64>,
    /// Of the storage units of the day: stored energy at the end of the hour, per unit times hours, and what one more unit of it would
    /// save, $/h per unit.
    pub energy: Vec<f64>,
    pub energy_value: Vec<f64>,
    /// Of the limits of changes of output: the saving by one more unit of the binding one, positive for an upward change, $/h per unit.
    pub ramp_value: Vec<f64>,
    /// Dense rows of buses with prices that are not unique.
    pub ambiguous: Vec<usize>,
    /// Power in the losses of units that charge and discharge at once, by storage unit, per unit.
    pub burnt: Vec<f64>,
    /// $/h.
    pub cost: f64,
}

/// The certified optimum of a day.
#[derive(Clone, Debug)]
pub struct DayOptimum {
    pub hours: Vec<HourOptimum>,
    /// $ over all hours; the value of stored energy at the end is not part of it.
    pub objective: f64,
    /// $, the value of the energy that is stored at the end.
    pub value_at_end: f64,
    pub certificate: DayCertificate,
    /// Newton steps to the exact optimum, and rounds of lazy lines.
    pub steps: usize,
    pub rounds: usize,
}

/// What does not change while lines are added.
struct Constants {
    zero: Vec<ZeroGeneration>,
    /// Bounds of the columns by hour.
    bounds: Vec<Vec<(f64, f64)>>,
}

/// The rounds of lazy lines of a day.
pub struct DayRounds {
    day: Day,
    constants: Constants,
    pool: LazyRows,
    /// By hour, the lines with a row, as an index among the lines of the pool.
    lines: Vec<Vec<usize>>,
    /// The limits of changes of output with rows, as indices among those of the day.
    ramps: Vec<usize>,
    /// Whether no line is exceeded at the coarse accuracy.
    is_fine: bool,
    rounds: usize,
    /// The last exact optimum, which exceeds lines that have rows now.
    before: Option<(Program, Optimum)>,
    /// The optimum.
    found: Option<(Program, Optimum)>,
}

impl DayRounds {
    pub fn new(day: Day) -> Self {
        let constants = Constants {
            zero: day
                .hours
                .iter()
                .map(|h| ZeroGeneration::new(&day.model, &h.data))
                .collect(),
            bounds: day.hours.iter().map(|hour| day.bounds(hour)).collect(),
        };
        let mut pool = LazyRows::new(&day.model);
        let ties: Vec<usize> = day.model.ties().collect();
        pool.add_lines(&day.model, &ties);
        let ties: Vec<usize> = ties.iter().filter_map(|&line| lazy_index(&pool, line)).collect();
        let mut alone = day.model.clone();
        let lines = day.hours.iter().zip(&constants.bounds).map(|(hour, bounds)| {
            let binding = day.binding_alone(&mut alone, hour, bounds);
            pool.add_lines(&day.model, &binding);
            let binding = binding.iter().filter_map(|&line| lazy_index(&pool, line));
            ties.iter().copied().chain(binding).collect()
        });
        Self {
            lines: lines.collect(),
            ramps: Vec::new(),
            is_fine: false,
            rounds: 0,
            before: None,
            found: None,
            day,
            constants,
            pool,
        }
    }

    pub fn day(&self) -> &Day {
        &self.day
    }

    /// Number of rounds so far.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// One round; the optimum where no line is exceeded any more.
    ///
    /// # Errors
    /// As [`Day::optimum`].
    pub fn round(&mut self) -> Result<Option<DayOptimum>> {
        self.rounds += 1;
        let program = self.day.program(&self.pool, &self.lines, &self.ramps, &self.constants);
        let carried = self
            .before
            .take()
            .map(|(before, found)| program.carried(&before, &found.x, &found.y));
        let carried = carried.and_then(|(x, y)| proximal::solve(&program, x, y));
        let optimum = match carried {
            Some(optimum) => optimum,
            None => {
                let accuracy = if self.is_fine { FINE } else { COARSE };
                let (point, is_solution) = interior_point::solve(&program, accuracy);
                if !is_solution {
                    self.day.refuse_infeasible(&program)?;
                }
                if !self.is_fine {
                    self.is_fine = !self.add_exceeded(&point.x, COARSE_EXCESS);
                    return Ok(None);
                }
                proximal::solve(&program, point.x, point.y).ok_or_else(not_converged)?
            }
        };
        match self.add_exceeded(&optimum.x, EXCESS) {
            true => {
                self.before = Some((program, optimum));
                Ok(None)
            }
            false => {
                let concluded = self.conclude(&program, &optimum)?;
                self.found = Some((program, optimum));
                Ok(Some(concluded))
            }
        }
    }

    /// Adds rows for the lines that a dispatch exceeds, the worst of each hour first, and for exceeded limits of changes of output;
    /// whether there are any.
    fn add_exceeded(&mut self, x: &[f64], tolerance: f64) -> bool {
        let Self {
            day,
            constants,
            pool,
            lines,
            ramps,
            ..
        } = self;
        let (model, width) = (&day.model, day.model.columns.len());
        let mut chosen = Vec::with_capacity(lines.len());
        for (hour, own) in lines.iter().enumerate() {
            let zero = &constants.zero[hour];
            let mut injection = vec![0.0; model.n_bus];
            model.add_generation(&x[hour * width..(hour + 1) * width], &mut injection);
            let rates = model.row_rates(&model.angles(&injection), &injection);
            let mut exceeded: Vec<(f64, usize)> = Vec::new();
            for (line, (rate, base)) in rates.iter().zip(&zero.line_base).enumerate() {
                let (lo, hi) = zero.line_limits[line];
                let value = base + rate;
                let excess = (lo - value).max(value - hi);
                let has_row = lazy_index(pool, line).is_some_and(|k| own.contains(&k));
                if excess > tolerance && !has_row {
                    exceeded.push((excess, line));
                }
            }
            exceeded.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            exceeded.truncate(LINES_AT_ONCE);
            chosen.push(exceeded.into_iter().map(|(_, line)| line).collect::<Vec<_>>());
        }
        let output = |hour: usize, unit: usize| -> f64 {
            let own = day.model.columns_of_unit(unit);
            x[hour * width + own.start..hour * width + own.end].iter().sum()
        };
        let is_exceeded = |ramp: &Ramp| {
            (1..day.hours.len()).any(|hour| {
                let change = output(hour, ramp.generator) - output(hour - 1, ramp.generator);
                let [lo, hi] = day.change_limits(ramp, hour, constants);
                (lo - change).max(change - hi) > tolerance
            })
        };
        let new_ramps = (0..day.ramps.len()).filter(|k| !ramps.contains(k) && is_exceeded(&day.ramps[*k]));
        let new_ramps: Vec<usize> = new_ramps.collect();
        let has_new_ramps = !new_ramps.is_empty();
        ramps.extend(new_ramps);
        let all: Vec<usize> = chosen.iter().flatten().copied().collect();
        let mut new = all.clone();
        new.sort_unstable();
        new.dedup();
        pool.add_lines(model, &new);
        for (own, chosen) in lines.iter_mut().zip(chosen) {
            own.extend(chosen.into_iter().filter_map(|line| lazy_index(pool, line)));
        }
        !all.is_empty() || has_new_ramps
    }

    /// Prices of islands and multipliers of lines in an hour, from row prices.
    fn multipliers(&self, program: &Program, hour: usize, y: &[f64], scale: f64) -> (Vec<f64>, Vec<(usize, f64)>) {
        let (first, n_islands) = (program.first_row[hour], self.pool.n_islands);
        let balances = (0..n_islands).map(|row| (row, y[first + row] * scale));
        let of_lines = self.lines[hour].iter().enumerate();
        let of_lines = of_lines.map(|(k, &line)| (n_islands + line, y[first + n_islands + k] * scale));
        self.pool.multipliers(balances.chain(of_lines))
    }

    fn conclude(&self, program: &Program, optimum: &Optimum) -> Result<DayOptimum> {
        let Self {
            day, constants, lines, ..
        } = self;
        let (model, width) = (&day.model, day.model.columns.len());
        let scale = model.cost_scale;
        let energies = day.energy_columns(program, lines);
        let ambiguity = proximal::ambiguity(program, optimum);
        let mut hours = Vec::with_capacity(day.hours.len());
        let mut objective = 0.0;
        for hour in 0..day.hours.len() {
            let p = &optimum.x[hour * width..(hour + 1) * width];
            let (island, line_y) = self.multipliers(program, hour, &optimum.y, scale);
            let injection = day.injection(hour, p);
            let [theta, mut price] = model.refined_angles([&injection, &line_price_rhs(model, &line_y)], 2);
            finish_prices(model, &island, &line_y, &mut price);
            let (island, ambiguous_y) = self.multipliers(program, hour, &ambiguity, 1.0);
            let mut ambiguous = model.angles(&line_price_rhs(model, &ambiguous_y));
            finish_prices(model, &island, &ambiguous_y, &mut ambiguous);
            let is_ambiguous = |bus: &usize| model.is_priced(*bus) && ambiguous[*bus].abs() > AMBIGUOUS;
            let ambiguous = (0..model.links.n_buses).filter(is_ambiguous).collect();
            let mut flow = vec![0.0; model.n_branch];
            for (line, value) in model.lines.iter().zip(model.flows(&theta, &injection)) {
                flow[line.row] = value;
            }
            let mut shadow = vec![0.0; model.n_branch];
            for &(line, y) in line_y.iter().filter(|(_, y)| y.abs() > NO_SHADOW * scale) {
                let line = &model.lines[line];
                if line.tie.is_none() {
                    shadow[line.row] = -y;
                }
            }
            let mut dispatch = vec![0.0; model.n_gen];
            let is_off = |&&(unit, share): &&(usize, f64)| share == 0.0 && !model.columns_of_unit(unit).is_empty();
            let off = day.hours[hour].availability.iter().filter(is_off);
            let mut cost = model.constant_cost - off.map(|&(unit, _)| day.fixed_costs[unit]).sum::<f64>();
            for (column, p) in model.columns.iter().zip(p) {
                dispatch[column.generator] += p;
                cost += (0.5 * column.q * p + column.c) * p;
            }
            objective += cost * day.length;
            let of_storages = |value: &dyn Fn(usize) -> f64| (0..day.storages.len()).map(value).collect();
            let burnt = |k: usize| {
                let storage = &day.storages[k];
                let [charge, discharge] = storage.generators.map(|g| dispatch[g].abs());
                let both = (charge * storage.charge_efficiency).min(discharge / storage.discharge_efficiency);
                both * (1.0 / storage.charge_efficiency - storage.discharge_efficiency)
            };
            let mut ramp_value = vec![0.0; day.ramps.len()];
            for (k, &ramp) in self.ramps.iter().enumerate().filter(|_| hour > 0) {
                ramp_value[ramp] = -optimum.y[program.ramp_row(k, hour)] * scale;
            }
            hours.push(HourOptimum {
                price,
                theta,
                flow,
                shadow,
                energy: of_storages(&|k| optimum.x[energies[k] + hour * day.stride(k)] * day.length),
                energy_value: of_storages(&|k| -optimum.y[program.energy_row(k, hour)] * scale),
                ramp_value,
                burnt: of_storages(&burnt),
                ambiguous,
                cost,
                dispatch,
            });
        }
        let last = day.hours.len() - 1;
        let left = day.storages.iter().zip(&hours[last].energy);
        let value_at_end = left.map(|(storage, energy)| storage.value_at_end * energy).sum();
        let certificate = DayCertificate::check(day, constants, optimum, &hours);
        if let Some(error) = certificate.error(model) {
            return Err(error);
        }
        for (hour, of_hour) in hours.iter().enumerate() {
            day.refuse_unbounded(&optimum.x[hour * width..(hour + 1) * width])?;
            if let Some(link) = model.links.circulating(&of_hour.dispatch) {
                return Err(refusals::circulating(model, link));
            }
            let data = &day.hours[hour].data;
            if let Some(line) = model.overloaded_loop(data, &of_hour.flow) {
                return Err(refusals::merged_loop(model, data, line));
            }
        }
        Ok(DayOptimum {
            hours,
            objective,
            value_at_end,
            certificate,
            steps: optimum.steps,
            rounds: self.rounds,
        })
    }
}

fn lazy_index(pool: &LazyRows, line: usize) -> Option<usize> {
    pool.row_of_line[line]?.checked_sub(pool.n_islands)
}

impl Day {
    /// The optimum of the day.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE` with what is missing, `SOLVE.UNBOUNDED`, `SOLVE.NOT_CONVERGED`.
    pub fn optimum(&self) -> Result<DayOptimum> {
        let mut rounds = DayRounds::new(self.clone());
        loop {
            if let Some(optimum) = rounds.round()? {
                return Ok(optimum);
            }
        }
    }

    /// The lines that bind in an hour by itself with idle storage, in a copy of the model that gets its bounds; empty where it has no
    /// solution.
    fn binding_alone(&self, model: &mut DcModel, hour: &DayHour, bounds: &[(f64, f64)]) -> Vec<usize> {
        let mut columns = model.columns.clone();
        let is_storage = |generator: usize| {
            self.storages
                .iter()
                .any(|storage| storage.generators.contains(&generator))
        };
        for (column, &(lo, hi)) in columns.iter_mut().zip(bounds) {
            (column.lo, column.hi) = if is_storage(column.generator) {
                (0.0, 0.0)
            } else {
                (lo, hi)
            };
        }
        model.set_columns(columns);
        let Ok(optimum) = Plain.optimum(model, &hour.data, None) else {
            return Vec::new();
        };
        let ties = model.ties();
        let binding = optimum
            .active
            .iter()
            .filter_map(|&row| Some(optimum.rows.line(row)?.line));
        binding.filter(|line| !ties.contains(line)).collect()
    }

    /// Bounds of the columns of the model in an hour: a unit with a part of its largest output fills its segments in order.
    fn bounds(&self, hour: &DayHour) -> Vec<(f64, f64)> {
        let shares: BTreeMap<usize, f64> = hour.availability.iter().copied().collect();
        let mut largest = vec![0.0; self.model.n_gen];
        for column in &self.model.columns {
            largest[column.generator] += column.hi;
        }
        let mut left = largest.clone();
        for (&generator, &share) in &shares {
            left[generator] = largest[generator] * share;
        }
        let columns = self.model.columns.iter();
        columns
            .map(|column| match shares.get(&column.generator) {
                None => (column.lo, column.hi),
                Some(0.0) => (0.0, 0.0),
                Some(_) => {
                    let left = &mut left[column.generator];
                    let hi = column.hi.min(*left).max(column.lo);
                    *left -= hi;
                    (column.lo, hi)
                }
            })
            .collect()
    }

    fn program(&self, pool: &LazyRows, lines: &[Vec<usize>], ramps: &[usize], constants: &Constants) -> Program {
        let (model, hours) = (&self.model, self.hours.len());
        let scale = model.cost_scale;
        let columns_of = |generator: usize| model.columns_of_unit(generator);
        let mut couplings = Vec::new();
        for (k, storage) in self.storages.iter().enumerate() {
            let [charging, discharging] = storage.generators;
            let parts = [
                (charging, storage.charge_efficiency),
                (discharging, 1.0 / storage.discharge_efficiency),
            ];
            for (generator, own) in parts {
                let of_columns = columns_of(generator).map(|column| Coupling {
                    column,
                    row: k,
                    own,
                    next: 0.0,
                });
                couplings.extend(of_columns);
            }
        }
        let ramps: Vec<&Ramp> = ramps.iter().map(|&ramp| &self.ramps[ramp]).collect();
        for (k, ramp) in ramps.iter().enumerate() {
            let of_columns = columns_of(ramp.generator).map(|column| Coupling {
                column,
                row: self.storages.len() + k,
                own: 1.0,
                next: -1.0,
            });
            couplings.extend(of_columns);
        }
        couplings.sort_by_key(|coupling| (coupling.column, coupling.row));
        let is_cyclic = self.storages.iter().any(|storage| storage.start.is_none());
        let counts = [self.storages.len(), ramps.len()];
        let mut program = Program::new(model, pool, lines.to_vec(), couplings, counts, is_cyclic);
        for bounds in &constants.bounds {
            for (column, &(lo, hi)) in model.columns.iter().zip(bounds) {
                program.add_column([lo, hi], column.c / scale, column.q / scale);
            }
        }
        for (hour, own_lines) in lines.iter().enumerate() {
            let zero = &constants.zero[hour];
            let first = program.first_row[hour];
            program.b[first..first + pool.n_islands].copy_from_slice(&zero.island_demand);
            for (k, &line) in own_lines.iter().enumerate() {
                let row = first + pool.n_islands + k;
                let lazy = &pool.lazy[line];
                program.b[row] = -(lazy.kappa * zero.island_demand[lazy.island] + zero.line_base[lazy.line]);
                let (lo, hi) = zero.line_limits[lazy.line];
                let open = |limit: f64| {
                    if limit.abs() > FAR {
                        limit.signum() * f64::INFINITY
                    } else {
                        limit
                    }
                };
                program.add(&[(row, hour, -1.0)], [open(lo), open(hi)], 0.0);
            }
        }
        for (k, storage) in self.storages.iter().enumerate() {
            for hour in 0..hours {
                let row = program.energy_row(k, hour);
                let is_last = hour + 1 == hours;
                let limits = storage.limits(is_last).map(|energy| energy / self.length);
                let value = if is_last { storage.value_at_end / scale } else { 0.0 };
                let mut entries = vec![(row, hour, 1.0)];
                match storage.start {
                    _ if !is_last => entries.push((program.energy_row(k, hour + 1), hour + 1, -1.0)),
                    None => entries.push((program.energy_row(k, 0), 0, -1.0)),
                    Some(_) => {}
                }
                program.add(&entries, limits, -value);
                program.b[row] = storage.inflow.get(hour).copied().unwrap_or(0.0);
                if storage.has_inflow() {
                    program.add(&[(row, hour, 1.0)], [0.0, f64::INFINITY], 0.0);
                }
            }
            if let Some(start) = storage.start {
                let row = program.energy_row(k, 0);
                program.b[row] += start / self.length;
            }
        }
        for (k, ramp) in ramps.iter().enumerate() {
            for hour in 1..hours {
                let row = program.ramp_row(k, hour);
                program.add(&[(row, hour, -1.0)], self.change_limits(ramp, hour, constants), 0.0);
            }
        }
        program
    }

    /// Limits of the change of a unit's output from the hour before, within what its limits in both hours allow anyway; only these where
    /// the unit is out of service in one of them.
    fn change_limits(&self, ramp: &Ramp, hour: usize, constants: &Constants) -> [f64; 2] {
        let [before, now] = [hour - 1, hour].map(|hour| self.range(&constants.bounds[hour], ramp.generator));
        let widest = [now[0] - before[1] - 1.0, now[1] - before[0] + 1.0];
        match [before, now].contains(&[0.0, 0.0]) {
            true => widest,
            false => [
                widest[0].max(-ramp.down * self.length),
                widest[1].min(ramp.up * self.length),
            ],
        }
    }

    /// The smallest and the largest output of a unit with these bounds of columns.
    fn range(&self, bounds: &[(f64, f64)], generator: usize) -> [f64; 2] {
        let own = &bounds[self.model.columns_of_unit(generator)];
        [own.iter().map(|b| b.0).sum(), own.iter().map(|b| b.1).sum()]
    }

    fn injection(&self, hour: usize, p: &[f64]) -> Vec<f64> {
        let drawn = self.model.drawn(&self.hours[hour].data.demand);
        let mut injection: Vec<f64> = drawn.map(|w| -w).collect();
        self.model.add_generation(p, &mut injection);
        injection
    }

    /// Number of further columns of a storage unit in an hour.
    fn stride(&self, storage: usize) -> usize {
        1 + usize::from(self.storages[storage].has_inflow())
    }

    /// The column of the stored energy of each unit in the first hour.
    fn energy_columns(&self, program: &Program, lines: &[Vec<usize>]) -> Vec<usize> {
        let mut next = program.hours() * program.width + lines.iter().map(Vec::len).sum::<usize>();
        let of = |k| {
            let first = next;
            next += self.stride(k) * program.hours();
            first
        };
        (0..self.storages.len()).map(of).collect()
    }

    fn refuse_unbounded(&self, p: &[f64]) -> Result<()> {
        for (column, p) in self.model.columns.iter().zip(p) {
            let (lo, hi) = column.limits();
            if (lo.is_infinite() && *p <= column.lo) || (hi.is_infinite() && *p >= column.hi) {
                let generator = &self.model.gen_ids[column.generator];
                let message = message!("solve.unbounded", generator = generator);
                return Err(EngineError::new("SOLVE.UNBOUNDED", message).at(generator.clone()));
            }
        }
        Ok(())
    }

    /// Refuses a program without a solution, by the least power that is missing or in excess: the optimum of the program with columns for
    /// it in every balance and line.
    fn refuse_infeasible(&self, program: &Program) -> Result<()> {
        let mut elastic = program.clone();
        elastic.c.fill(0.0);
        elastic.q.fill(0.0);
        let first_new = elastic.lo.len();
        let mut places = Vec::new();
        for hour in 0..program.hours() {
            let network_rows = program.n_islands + program.lines[hour].len();
            for k in 0..network_rows {
                for sign in [1.0, -1.0] {
                    let row = program.first_row[hour] + k;
                    elastic.add(&[(row, hour, sign)], [0.0, f64::INFINITY], 1.0);
                    places.push((hour, k < program.n_islands, sign));
                }
            }
        }
        let (least, is_solution) = interior_point::solve(&elastic, FINE);
        let amounts = &least.x[first_new..];
        let total: f64 = amounts.iter().sum();
        if !is_solution || total < MISSING {
            return Ok(());
        }
        let mut by_hour = vec![[0.0f64; 3]; program.hours()];
        for (&(hour, is_balance, sign), amount) in places.iter().zip(amounts) {
            let kind = match (is_balance, sign > 0.0) {
                (true, true) => 0,
                (true, false) => 1,
                (false, _) => 2,
            };
            by_hour[hour][kind] += amount;
        }
        let base = self.model.base_mva;
        let size = |hour: usize| by_hour[hour].iter().sum::<f64>();
        let worst = (0..by_hour.len()).fold(0, |worst, hour| if size(hour) > size(worst) { hour } else { worst });
        let [missing, surplus, lines] = by_hour[worst].map(|amount| mw(amount * base));
        let step = worst + 1;
        let total = mw(total * base);
        let largest = by_hour[worst];
        let message = if largest[0] >= largest[1] && largest[0] >= largest[2] {
            message!("day.power_missing", step = step, amount = missing, total = total)
        } else if largest[1] >= largest[2] {
            message!("day.power_in_excess", step = step, amount = surplus, total = total)
        } else {
            message!("day.lines_exceeded", step = step, amount = lines, total = total)
        };
        Err(EngineError::new("SOLVE.INFEASIBLE", message))
    }
}

fn not_converged() -> EngineError {
    EngineError::new("SOLVE.NOT_CONVERGED", message!("day.not_converged"))
}
