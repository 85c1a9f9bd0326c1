//! The day of a DC OPF, round by round.

use super::{Dc, DcState};
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::{element, new_diagnostic, plain};
use crate::edits::{self, Edits, Target};
use crate::problem::work::{Adopted, DifferentiableDay, Product, Work};
use crate::problem::{assumed, DayRequest, State};
use crate::results::{dense, links, Reply};
use std::fmt::{Debug, Formatter};
use std::sync::Arc;
use wattbook_network::analysis::{Cost, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::residual;
use wattbook_network::sha256::Sha256;
use wattbook_solve::dc::{self, day_network, fixed_costs, Day, DayHour, DayOptimum, DayRounds, DcOutline, HourOptimum};

/// Energy in the losses of units that charge and discharge at once, MWh, below which it is rounding.
const LEAST_BURNT_MWH: f64 = 1e-4;

/// A day in progress, from the state that it was created with; later commits do not affect it.
pub(super) struct Daily {
    state: Arc<DcState>,
    steps: Vec<Edits>,
    rounds: DayRounds,
    found: Option<DayOptimum>,
}

impl Debug for Daily {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Daily")
            .field("steps", &self.steps.len())
            .finish_non_exhaustive()
    }
}

impl Daily {
    /// Errors: `FORMULATION.UNAVAILABLE` with limits after outages, of interfaces or soft limits; the codes of edits.
    pub fn new(state: Arc<DcState>, request: DayRequest) -> Result<Self> {
        let dc = state.dc();
        if dc.secure.is_some() || !dc.interfaces.is_empty() {
            return Err(EngineError::new("FORMULATION.UNAVAILABLE", message!("day.security")));
        }
        let network = &dc.case.network;
        let base = network.base_mva;
        let (mut with, mut storages) = day_network(network);
        for storage in &mut storages {
            let unit = &network.storages[storage.row];
            let own = request.storages.get(&storage.row);
            let [charging, discharging] = storage.generators;
            // Charging has a negative output.
            with.generators[charging].cost = cost(-own.and_then(|own| own.charge_cost).unwrap_or(0.0) * base);
            with.generators[discharging].cost = cost(own.and_then(|own| own.discharge_cost).unwrap_or(0.0) * base);
            if let Some(mwh) = own.and_then(|own| own.start_mwh) {
                storage.start = Some(mwh / base);
            }
            let end = own.and_then(|own| own.end).or(request.end);
            let end = end.unwrap_or(match (unit.energy_value, storage.start) {
                (Some(_), Some(_)) => c::DayEnd::Free,
                (_, None) => c::DayEnd::Cyclic,
                (None, Some(_)) => c::DayEnd::Start,
            });
            match (end, storage.start) {
                (c::DayEnd::Cyclic, _) => storage.start = None,
                (c::DayEnd::Start, Some(start)) => storage.least_at_end = start,
                (c::DayEnd::Free, Some(_)) => storage.value_at_end = unit.energy_value.unwrap_or(0.0) * base,
                (c::DayEnd::Start | c::DayEnd::Free, None) => {
                    let storage = ElementRef::from(unit);
                    let message = message!("day.start_unknown", storage = &storage);
                    return Err(EngineError::new("STORAGE.START", message).at(storage));
                }
            }
            if let Some((_, inflow)) = request.inflow.iter().find(|(row, _)| *row == storage.row) {
                storage.inflow = inflow.iter().map(|mw| mw / base).collect();
            }
        }
        let model = DcOutline::new(&with, super::convention(&dc.options))?.factored()?;
        storages.retain(|storage| model.bus_is_active(network.storages[storage.row].bus));
        let mut hours = Vec::with_capacity(request.steps.len());
        for (edits, availability) in request.steps.iter().zip(request.availability) {
            let data = dc.data(edits)?;
            hours.push(DayHour { data, availability });
        }
        let most = hours.iter().map(|hour| &hour.data);
        let total = |demand: &[f64]| demand.iter().map(|d| d.abs()).sum::<f64>();
        let most = most.max_by(|a, b| total(&a.demand).total_cmp(&total(&b.demand)));
        let wider = most.and_then(|data| model.reaching(data));
        let day = Day {
            model: wider.unwrap_or(model),
            hours,
            storages,
            ramps: request.ramps,
            fixed_costs: fixed_costs(&with),
            length: request.length,
        };
        Ok(Self {
            steps: request.steps,
            rounds: DayRounds::new(day),
            found: None,
            state,
        })
    }

    fn round(&mut self) -> Result<()> {
        let dc = self.state.dc();
        self.found = self
            .rounds
            .round()
            .map_err(|error| assumed::refused(&dc.case.network, error))?;
        Ok(())
    }
}

impl Work for Daily {
    /// One unit of budget is one round of lazy lines, which is not divided.
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        for _ in 0..budget {
            if self.found.is_some() {
                break;
            }
            self.round()?;
        }
        let done = self.found.is_some();
        // The number of rounds is not known before; few days need more than ten.
        let rounds = self.rounds.rounds() as f64;
        Ok(c::JobStep {
            done,
            fraction: if done { 1.0 } else { rounds / (rounds + 5.0) },
            ..c::JobStep::default()
        })
    }

    fn finish(mut self: Box<Self>) -> Result<Product> {
        loop {
            if let Some(found) = self.found.take() {
                let reply = self.reply(&found)?;
                return Ok(Product {
                    reply,
                    adopted: Adopted::Day(Arc::from(self as Box<dyn DifferentiableDay>)),
                });
            }
            self.round()?;
        }
    }
}

impl DifferentiableDay for Daily {
    fn column(&self, target: &c::SensTarget, step: usize) -> Result<Reply> {
        let dc = self.state.dc();
        let network = &dc.case.network;
        let base = network.base_mva;
        let steps = self.steps.len();
        let Target::Demand(row) = edits::target(&dc.case, dc, target)? else {
            return Err(EngineError::new("INPUT.REQUEST", message!("request.day_bus")));
        };
        if step >= steps {
            let message = message!("request.day_step", steps = steps);
            return Err(EngineError::new("INPUT.REQUEST", message));
        }
        let found = self.rounds.column(step, row)?;
        let model = &self.rounds.day().model;
        let prices = found.price.iter().flat_map(|price| {
            dense(
                network.buses.len(),
                |b| model.bus_is_active(b),
                |b| price[b] / base / base,
            )
        });
        let outputs = found
            .dispatch
            .iter()
            .flat_map(|dispatch| dense(network.generators.len(), |g| dc.runs(g), |g| dispatch[g]));
        let columns = vec![
            Column::new(ColumnName::LmpSlope, prices.collect()),
            Column::new(ColumnName::DispatchSlope, outputs.collect()),
        ];
        let event = |event: &dc::DayEvent| c::DayEvent {
            step: event.hour as u32 + 1,
            element: element(&event.element),
            kind: match event.kind {
                dc::DayEventKind::Reaches => c::DayEventKind::Reaches,
                dc::DayEventKind::Leaves => c::DayEventKind::Leaves,
            },
        };
        let head = c::DaySensitivity {
            bus: network.buses[row].id,
            step: step as u32 + 1,
            valid_mw: found.valid.map(|pu| pu.is_finite().then(|| plain(pu * base))),
            ends: found.ends.each_ref().map(|end| end.as_ref().map(event)),
        };
        Ok(Reply::new(&head, columns))
    }
}

impl Daily {
    fn reply(&self, found: &DayOptimum) -> Result<Reply> {
        let dc = self.state.dc();
        let base = dc.case.network.base_mva;
        let mut columns: Vec<Column> = Vec::new();
        let mut costs = Vec::with_capacity(found.hours.len());
        for (edits, hour) in self.steps.iter().zip(&found.hours) {
            let of_hour = self.columns(&dc.data(edits)?.rating, hour);
            match columns.is_empty() {
                true => columns = of_hour,
                false => {
                    for (all, own) in columns.iter_mut().zip(of_hour) {
                        all.values.extend(own.values);
                    }
                }
            }
            costs.push(hour.cost);
        }
        let k = &found.certificate;
        let head = c::DayHead {
            objective_usd: found.objective,
            end_value_usd: plain(found.value_at_end),
            step_costs: costs,
            result_sha256: sha256(found.objective, &columns),
            certificate: c::DayCertificate {
                primal_residual_mw: k.balance * base,
                worst_violation_mw: k.line_excess.max(k.bound_excess) * base,
                energy_residual_mw: k.energy * base,
                stationarity_usd_per_mwh: k.reduced_cost / base,
                duality_gap_usd: k.gap,
                relative_gap: k.gap.abs() / k.gap_scale.max(f64::MIN_POSITIVE),
            },
            diagnostics: self.diagnostics(found),
        };
        Ok(Reply::new(&head, columns))
    }

    fn columns(&self, rating: &[f64], hour: &HourOptimum) -> Vec<Column> {
        let (dc, day) = (self.state.dc(), self.rounds.day());
        let Dc { case, .. } = dc;
        let (network, model) = (&case.network, &day.model);
        let base = network.base_mva;
        let by_bus = |value: &dyn Fn(usize) -> f64| dense(network.buses.len(), |b| model.bus_is_active(b), value);
        let by_branch =
            |value: &dyn Fn(usize) -> f64| dense(network.branches.len(), |b| model.branch_is_active(b), value);
        let by_unit = |value: &dyn Fn(usize) -> f64| dense(network.generators.len(), |g| dc.runs(g), value);
        let powers = model.link_powers(&hour.dispatch);
        let powers = links::powers_mw(network, |row, _| powers[row]);
        let mut ramps = vec![0.0; network.generators.len()];
        for (ramp, value) in day.ramps.iter().zip(&hour.ramp_value) {
            ramps[ramp.generator] = value / base;
        }
        let mut columns = vec![
            Column::new(ColumnName::Lmp, by_bus(&|b| hour.price[b] / base)),
            Column::new(ColumnName::FlowMw, by_branch(&|b| hour.flow[b] * base)),
            Column::new(
                ColumnName::Loading,
                by_branch(&|b| wattbook_solve::loading(hour.flow[b].abs(), rating[b])),
            ),
            Column::new(ColumnName::Shadow, by_branch(&|b| hour.shadow[b].abs() / base)),
            Column::new(ColumnName::DispatchMw, by_unit(&|g| hour.dispatch[g] * base)),
        ];
        if !day.ramps.is_empty() {
            columns.push(Column::new(ColumnName::RampValue, by_unit(&|g| ramps[g])));
        }
        columns.extend(links::power_columns(&powers));
        if !network.storages.is_empty() {
            let mut of_units = vec![[f64::NAN; 5]; network.storages.len()];
            for (k, storage) in day.storages.iter().enumerate() {
                let [charge, discharge] = storage.generators.map(|g| hour.dispatch[g] * base);
                let values = [
                    charge + discharge - network.storages[storage.row].loss_pu * base,
                    -charge,
                    discharge,
                    hour.energy[k] * base,
                    hour.energy_value[k] / base,
                ];
                of_units[storage.row] = values.map(plain);
            }
            let names = [
                ColumnName::StorageMw,
                ColumnName::ChargeMw,
                ColumnName::DischargeMw,
                ColumnName::StoredMwh,
                ColumnName::StoredValue,
            ];
            let values = |k: usize| of_units.iter().map(|unit| unit[k]).collect();
            columns.extend(
                names
                    .into_iter()
                    .enumerate()
                    .map(|(k, name)| Column::new(name, values(k))),
            );
        }
        columns
    }

    fn diagnostics(&self, found: &DayOptimum) -> Vec<c::Diagnostic> {
        let (dc, day) = (self.state.dc(), self.rounds.day());
        let network = &dc.case.network;
        let mut shadow = vec![0.0f64; network.branches.len()];
        for hour in &found.hours {
            for (most, own) in shadow.iter_mut().zip(&hour.shadow) {
                *most = most.max(own.abs());
            }
        }
        let mut diagnostics: Vec<c::Diagnostic> = assumed::binding(network, &shadow).into_iter().collect();
        diagnostics.extend(super::results::left_out(network, &day.model));
        diagnostics.extend(super::results::without_reactance(network, &day.model));
        let chosen = day
            .storages
            .iter()
            .filter(|storage| storage.start.is_none() && network.storages[storage.row].energy_pu.is_none());
        let chosen: Vec<ElementRef> = chosen.map(|s| ElementRef::from(&network.storages[s.row])).collect();
        if let Some(first) = chosen.first() {
            let message = message!("day.start_chosen", count = chosen.len(), storage = first);
            diagnostics.push(new_diagnostic("STORAGE.START", &message, Some(element(first))));
        }
        let burnt =
            |k: usize| found.hours.iter().map(|hour| hour.burnt[k]).sum::<f64>() * day.length * network.base_mva;
        let burnt: Vec<(usize, f64)> = (0..day.storages.len()).map(|k| (k, burnt(k))).collect();
        let burning: Vec<_> = burnt.iter().filter(|(_, mwh)| *mwh > LEAST_BURNT_MWH).collect();
        if let Some((first, _)) = burning.first() {
            let storage = ElementRef::from(&network.storages[day.storages[*first].row]);
            let total: f64 = burning.iter().map(|(_, mwh)| mwh).sum();
            let message = message!(
                "day.burnt",
                count = burning.len(),
                storage = &storage,
                energy = residual(total, "MWh")
            );
            diagnostics.push(new_diagnostic("STORAGE.BURNS", &message, Some(element(&storage))));
        }
        let ambiguous = found
            .hours
            .iter()
            .enumerate()
            .filter(|(_, hour)| !hour.ambiguous.is_empty());
        let ambiguous: Vec<_> = ambiguous.collect();
        if let Some((step, hour)) = ambiguous.first() {
            let bus = ElementRef::from(&network.buses[hour.ambiguous[0]]);
            let message = message!("day.not_unique", count = ambiguous.len(), step = step + 1, bus = &bus);
            diagnostics.push(new_diagnostic("PRICE.NOT_UNIQUE", &message, Some(element(&bus))));
        }
        let unpriced = day.model.unpriced_buses();
        if let Some(&first) = unpriced.first() {
            let bus = ElementRef::from(&network.buses[first]);
            let message = message!("result.no_price", count = unpriced.len(), bus = &bus);
            diagnostics.push(new_diagnostic("ISLAND.NO_PRICE", &message, Some(element(&bus))));
        }
        diagnostics.extend(dc.case.remarks.iter().cloned());
        diagnostics.extend(dc.unread(self.state.edits()));
        diagnostics
    }
}

fn cost(c1: f64) -> Cost {
    Cost::Quadratic { c2: 0.0, c1, c0: 0.0 }
}

/// The hash of a day: its objective, and the hashed columns of all steps.
fn sha256(objective: f64, columns: &[Column]) -> String {
    let mut hash = Sha256::default();
    hash.update(&objective.to_le_bytes());
    for column in columns.iter().filter(|column| column.name.is_hashed()) {
        for x in column.values.iter().filter(|x| !x.is_nan()) {
            hash.update(&x.to_le_bytes());
        }
    }
    hash.hex()
}
