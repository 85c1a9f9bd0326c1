//! Generation and dispatchable elements: external grids, generators, and controllable static generators, loads and
//! storage.

use powerio::network::GeneratorEnergySource;
use powerio::{BusType, Generator, Hvdc, Load, Storage};

use super::document::Row;
use super::{uid, Reading};
use crate::assemble::storages::{ENERGY_MIN, ENERGY_UNKNOWN};
use crate::error::Result;
use crate::message;
use crate::message::amounts::mw;

/// The sign of an element's power in pandapower.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Generation,
    Consumption,
}

impl Reading<'_> {
    pub(super) fn units(&mut self) -> Result<()> {
        self.external_grids()?;
        self.machines()?;
        self.power_elements("sgen", Sign::Generation)?;
        self.power_elements("load", Sign::Consumption)?;
        self.storage()?;
        self.tell_curves();
        Ok(())
    }

    fn external_grids(&mut self) -> Result<()> {
        for row in self.document.rows("ext_grid") {
            let bus = self.bus(&row, "bus")?;
            let vm = row.required("vm_pu")?;
            let mut unit = self.generator(&row, bus, Sign::Generation);
            (unit.vg, unit.voltage_regulation_on) = (vm, true);
            if unit.in_service && self.is_live(bus) {
                let place = &mut self.buses[bus];
                (place.kind, place.vm) = (BusType::Ref, vm);
                if self.options.angles {
                    place.va = row.number_or("va_degree", 0.0);
                }
                // An optimisation controls its voltage as well, unless it is controllable (`_build_pp_ext_grid`).
                if !(row.table.has("controllable") && row.flag("controllable", true)) {
                    (place.vmin, place.vmax) = (vm, vm);
                }
            }
            self.keep("ext_grid", &row, unit)?;
        }
        Ok(())
    }

    fn machines(&mut self) -> Result<()> {
        for row in self.document.rows("gen") {
            let bus = self.bus(&row, "bus")?;
            let vm = row.required("vm_pu")?;
            let stated = row.number_or("p_mw", 0.0);
            let mut unit = self.generator(&row, bus, Sign::Generation);
            unit.pg = stated * row.number_or("scaling", 1.0);
            (unit.vg, unit.voltage_regulation_on) = (vm, true);
            let controllable = row.flag("controllable", true);
            if !controllable {
                // Without its scaling (`_enforce_controllable_vm_pu_p_mw`).
                (unit.pmin, unit.pmax) = (stated, stated);
            }
            if unit.in_service && self.is_live(bus) {
                let place = &mut self.buses[bus];
                place.kind = match row.flag("slack", false) || place.kind == BusType::Ref {
                    true => BusType::Ref,
                    false => BusType::Pv,
                };
                place.vm = vm;
                if controllable {
                    place.vmin = place.vmin.max(row.number_or("min_vm_pu", f64::NEG_INFINITY));
                    place.vmax = place.vmax.min(row.number_or("max_vm_pu", f64::INFINITY));
                } else {
                    (place.vmin, place.vmax) = (vm, vm);
                }
            }
            self.keep("gen", &row, unit)?;
        }
        Ok(())
    }

    /// Static generators and loads: units if they are controllable, otherwise fixed.
    fn power_elements(&mut self, table: &'static str, sign: Sign) -> Result<()> {
        for row in self.document.rows(table) {
            let bus = self.bus(&row, "bus")?;
            let scaling = row.number_or("scaling", 1.0);
            let (p, q) = (
                row.number_or("p_mw", 0.0) * scaling,
                row.number_or("q_mvar", 0.0) * scaling,
            );
            let controllable = row.flag("controllable", false);
            // Negative generation that is not dispatched is a load.
            let is_unit = controllable || (sign == Sign::Generation && p >= 0.0);
            if !is_unit {
                let turned = if sign == Sign::Generation { -1.0 } else { 1.0 };
                let mut load = Load::new(self.id(bus), turned * p, turned * q);
                (load.in_service, load.uid) = (row.is_in_service(), uid(&row));
                self.loads.push(load);
                continue;
            }
            let mut unit = self.generator(&row, bus, sign);
            let turned = if sign == Sign::Generation { 1.0 } else { -1.0 };
            (unit.pg, unit.qg) = (turned * p, turned * q);
            if !controllable {
                (unit.pmin, unit.pmax) = (unit.pg, unit.pg);
                (unit.qmin, unit.qmax) = (unit.qg, unit.qg);
                self.generators.push(unit);
                continue;
            }
            self.keep(table, &row, unit)?;
        }
        Ok(())
    }

    /// Controllable storage is dispatched within its limits at one instant, as in `runopp`; all other storage is held at its power.
    fn storage(&mut self) -> Result<()> {
        let in_service = |row: &Row<'_>| row.is_in_service() && row.flag("controllable", false);
        let rows: Vec<_> = self.document.rows("storage").filter(in_service).collect();
        if !rows.is_empty() {
            let scaled = |row: &Row<'_>| row.number_or("p_mw", 0.0) * row.number_or("scaling", 1.0);
            let charging: f64 = rows.iter().map(scaled).sum();
            let message = message!("pandapower.storage", count = rows.len(), charging = mw(charging));
            self.tell("INPUT.HELD", message);
        }
        for row in self.document.rows("storage") {
            let bus = self.bus(&row, "bus")?;
            if row.flag("controllable", false) {
                self.controllable_storage(&row, bus)?;
            } else {
                let storage = self.held_storage(&row, bus);
                self.storages.push(storage);
            }
        }
        Ok(())
    }

    fn controllable_storage(&mut self, row: &Row<'_>, bus: usize) -> Result<()> {
        let scaling = row.number_or("scaling", 1.0);
        let mut unit = self.generator(row, bus, Sign::Consumption);
        (unit.pg, unit.qg) = (
            -row.number_or("p_mw", 0.0) * scaling,
            -row.number_or("q_mvar", 0.0) * scaling,
        );
        self.keep("storage", row, unit)
    }

    /// Power is positive while it charges. pandapower has no efficiencies.
    fn held_storage(&self, row: &Row<'_>, bus: usize) -> Storage {
        let scaling = row.number_or("scaling", 1.0);
        let mut storage = Storage::new(self.id(bus));
        storage.in_service = row.is_in_service();
        storage.ps = row.number_or("p_mw", 0.0) * scaling;
        storage.qs = row.number_or("q_mvar", 0.0) * scaling;
        storage.charge_rating = row.number_or("max_p_mw", f64::INFINITY).max(0.0);
        storage.discharge_rating = (0.0 - row.number_or("min_p_mw", f64::NEG_INFINITY)).max(0.0);
        storage.thermal_rating = row.number_or("sn_mva", 0.0);
        let (least, most) = (row.number_or("min_e_mwh", 0.0), row.number("max_e_mwh"));
        storage.energy_rating = most.unwrap_or(f64::INFINITY);
        storage.extras.insert(ENERGY_MIN.into(), least.into());
        match (most, row.number("soc_percent")) {
            (Some(most), Some(charged)) => storage.energy = least + (most - least) * charged / 100.0,
            _ => {
                storage.extras.insert(ENERGY_UNKNOWN.into(), true.into());
            }
        }
        storage.uid = uid(row);
        storage
    }

    /// A unit with the limits of its row; missing limits are infinite (`_replace_nans_with_default_limits` has 1e9 MW).
    fn generator(&self, row: &Row<'_>, bus: usize, sign: Sign) -> Generator {
        let mut unit = Generator::new(self.id(bus));
        let limit = |column: &str, absent: f64| row.number_or(column, absent);
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        let p = (limit("min_p_mw", low), limit("max_p_mw", high));
        let q = (limit("min_q_mvar", low), limit("max_q_mvar", high));
        let ((pmin, pmax), (qmin, qmax)) = match sign {
            Sign::Generation => (p, q),
            // Positive zeros.
            Sign::Consumption => ((0.0 - p.1, 0.0 - p.0), (0.0 - q.1, 0.0 - q.0)),
        };
        (unit.pmin, unit.pmax, unit.qmin, unit.qmax) = (pmin, pmax, qmin, qmax);
        unit.mbase = row.number("sn_mva").filter(|sn| *sn > 0.0).unwrap_or(self.base_mva);
        unit.in_service = row.is_in_service();
        unit.voltage_regulation_on = false;
        unit.energy_source = match row.text("type") {
            Some("PV" | "pv" | "solar") => GeneratorEnergySource::Solar,
            Some("WP" | "wind") => GeneratorEnergySource::Wind,
            Some("hydro") => GeneratorEnergySource::Hydro,
            Some("nuclear") => GeneratorEnergySource::Nuclear,
            Some("CHP" | "coal" | "gas") => GeneratorEnergySource::Thermal,
            _ => GeneratorEnergySource::Other,
        };
        unit.uid = uid(row);
        unit
    }

    fn keep(&mut self, table: &'static str, row: &Row<'_>, unit: Generator) -> Result<()> {
        self.units.insert((table, row.index()?), self.generators.len());
        self.generators.push(unit);
        Ok(())
    }

    /// Reactive limits that depend on the active power.
    fn tell_curves(&mut self) {
        let rows = ["gen", "sgen"].into_iter().flat_map(|table| self.document.rows(table));
        let curved = rows.filter(|row| row.is_in_service() && row.flag("reactive_capability_curve", false));
        let count = curved.count();
        if count > 0 {
            self.tell(
                "INPUT.LEFT_OUT",
                message!("pandapower.capability_curves", count = count),
            );
        }
    }

    /// DC links.
    pub(super) fn links(&mut self) -> Result<()> {
        for row in self.document.rows("dcline") {
            let (from, to) = (self.bus(&row, "from_bus")?, self.bus(&row, "to_bus")?);
            let mut link = Hvdc::new(self.id(from), self.id(to));
            link.in_service = row.is_in_service();
            link.pf = row.number_or("p_mw", 0.0);
            link.loss0 = row.number_or("loss_mw", 0.0);
            link.loss1 = row.number_or("loss_percent", 0.0) / 100.0;
            link.pt = Hvdc::calc_delivered_power(link.pf, link.loss0, link.loss1);
            (link.vf, link.vt) = (row.number_or("vm_from_pu", 1.0), row.number_or("vm_to_pu", 1.0));
            link.pmax = row.number_or("max_p_mw", f64::INFINITY);
            link.qminf = row.number_or("min_q_from_mvar", f64::NEG_INFINITY);
            link.qmaxf = row.number_or("max_q_from_mvar", f64::INFINITY);
            link.qmint = row.number_or("min_q_to_mvar", f64::NEG_INFINITY);
            link.qmaxt = row.number_or("max_q_to_mvar", f64::INFINITY);
            link.uid = uid(&row);
            self.links.push(link);
        }
        Ok(())
    }
}
