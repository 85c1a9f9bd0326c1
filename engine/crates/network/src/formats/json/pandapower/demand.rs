//! Demand and shunts: loads with their voltage dependence, motors, wards, unbalanced elements.

use std::collections::{BTreeMap, HashMap};

use powerio::{Branch, BusType, Generator, Load, LoadVoltageModel, Shunt};

use super::branches::without_limits;
use super::document::Row;
use super::{uid, Reading};
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::amounts::mw;
use crate::union_find::components;

impl Reading<'_> {
    pub(super) fn demand(&mut self) -> Result<()> {
        self.motors()?;
        self.unbalanced("asymmetric_load", 1.0)?;
        self.unbalanced("asymmetric_sgen", -1.0)?;
        self.shunts()?;
        self.wards()?;
        if self.options.voltage_dependent_loads {
            self.voltage_dependence()?;
        }
        Ok(())
    }

    fn load(&mut self, row: &Row<'_>, bus: usize, p: f64, q: f64) {
        let mut load = Load::new(self.id(bus), p, q);
        (load.in_service, load.uid) = (row.is_in_service(), uid(row));
        self.loads.push(load);
    }

    /// `_get_motor_pq`.
    fn motors(&mut self) -> Result<()> {
        for row in self.document.rows("motor") {
            let bus = self.bus(&row, "bus")?;
            let load = row.number_or("loading_percent", 100.0) / 100.0 * row.number_or("scaling", 1.0);
            let p = row.required("pn_mech_mw")? / row.number_or("efficiency_percent", 100.0) * 100.0 * load;
            let s = p / row.required("cos_phi")?;
            self.load(&row, bus, p, (s * s - p * p).max(0.0).sqrt());
        }
        Ok(())
    }

    /// Sums of the phases, as in `runpp`.
    fn unbalanced(&mut self, table: &'static str, sign: f64) -> Result<()> {
        let (mut count, mut total) = (0_usize, 0.0);
        for row in self.document.rows(table) {
            let bus = self.bus(&row, "bus")?;
            let sum = |quantity: &str, unit: &str| -> f64 {
                let phases = ["a", "b", "c"].map(|phase| row.number_or(&format!("{quantity}_{phase}_{unit}"), 0.0));
                phases.iter().sum::<f64>() * row.number_or("scaling", 1.0)
            };
            let (p, q) = (sum("p", "mw"), sum("q", "mvar"));
            if row.is_in_service() {
                (count, total) = (count + 1, total + p);
            }
            if sign < 0.0 && p >= 0.0 {
                let mut unit = Generator::new(self.id(bus));
                (unit.pg, unit.pmin, unit.pmax) = (p, p, p);
                (unit.qg, unit.qmin, unit.qmax) = (q, q, q);
                unit.mbase = self.base_mva;
                (unit.voltage_regulation_on, unit.in_service, unit.uid) = (false, row.is_in_service(), uid(&row));
                self.generators.push(unit);
            } else {
                self.load(&row, bus, sign * p, sign * q);
            }
        }
        if count > 0 {
            let message = message!("pandapower.unbalanced", table = table, count = count, power = mw(total));
            self.tell("INPUT.HELD", message);
        }
        Ok(())
    }

    fn shunt(&mut self, row: &Row<'_>, bus: usize, p: f64, q: f64) {
        let mut shunt = Shunt::new(self.id(bus), p, -q);
        (shunt.in_service, shunt.uid) = (row.is_in_service(), uid(row));
        self.shunts.push(shunt);
    }

    /// `_calc_shunts_and_add_on_ppc`.
    fn shunts(&mut self) -> Result<()> {
        for row in self.document.rows("shunt") {
            let bus = self.bus(&row, "bus")?;
            let kv = self.buses[bus].base_kv;
            let ratio = kv / row.number("vn_kv").filter(|kv| *kv > 0.0).unwrap_or(kv);
            let (p, q) = match row.flag("step_dependency_table", false) {
                true => self.shunt_step(&row)?,
                false => {
                    let step = row.number_or("step", 1.0);
                    (row.number_or("p_mw", 0.0) * step, row.number_or("q_mvar", 0.0) * step)
                }
            };
            self.shunt(&row, bus, p * ratio * ratio, q * ratio * ratio);
        }
        Ok(())
    }

    /// Power of a shunt at its step, by `shunt_characteristic_table`.
    fn shunt_step(&self, row: &Row<'_>) -> Result<(f64, f64)> {
        const TABLE: &str = "shunt_characteristic_table";
        let (id, step) = (row.number("id_characteristic_table"), row.number("step"));
        let mut steps = self.document.rows(TABLE);
        let found = steps.find(|r| id.is_some() && r.number("id_characteristic") == id && r.number("step") == step);
        match found {
            Some(found) => Ok((found.number_or("p_mw", 0.0), found.number_or("q_mvar", 0.0))),
            None if !row.is_in_service() => Ok((0.0, 0.0)),
            None => {
                let message = message!(
                    "pandapower.no_characteristic",
                    table = "shunt",
                    row = row.label(),
                    characteristic = TABLE,
                    column = "q_mvar"
                );
                Err(EngineError::new("INPUT.TABLE", message))
            }
        }
    }

    /// Wards: a load and a shunt. Extended wards control the voltage of a bus of their own behind an impedance.
    fn wards(&mut self) -> Result<()> {
        for table in ["ward", "xward"] {
            for row in self.document.rows(table) {
                let bus = self.bus(&row, "bus")?;
                self.load(&row, bus, row.number_or("ps_mw", 0.0), row.number_or("qs_mvar", 0.0));
                self.shunt(&row, bus, row.number_or("pz_mw", 0.0), row.number_or("qz_mvar", 0.0));
                if let Some(shunt) = self.shunts.last_mut() {
                    shunt.uid = shunt.uid.as_ref().map(|uid| format!("{uid} shunt"));
                }
                if table == "xward" {
                    self.source_of_ward(&row, bus)?;
                }
            }
        }
        Ok(())
    }

    fn source_of_ward(&mut self, row: &Row<'_>, bus: usize) -> Result<()> {
        let name = row
            .text("name")
            .map_or_else(|| format!("xward {}", row.label()), str::to_string);
        let in_service = row.is_in_service() && self.is_live(bus);
        let source = self.auxiliary_bus(bus, format!("{name}, source"), in_service);
        let ohm = self.base_ohm(bus);
        let (r, x) = (row.required("r_ohm")? / ohm, row.required("x_ohm")? / ohm);
        let mut branch = Branch::new(self.id(bus), self.id(source), r, x);
        branch.name = Some(name);
        (branch.in_service, branch.uid) = (in_service, uid(row).map(|uid| format!("{uid} impedance")));
        without_limits(&mut branch);
        self.branches.push(branch);
        let mut unit = Generator::new(self.id(source));
        (unit.pmin, unit.pmax) = (0.0, 0.0);
        (unit.qmin, unit.qmax) = (f64::NEG_INFINITY, f64::INFINITY);
        unit.vg = row.required("vm_pu")?;
        unit.mbase = self.base_mva;
        (unit.in_service, unit.uid) = (in_service, uid(row).map(|uid| format!("{uid} source")));
        if in_service {
            let place = &mut self.buses[source];
            (place.kind, place.vm) = (BusType::Pv, unit.vg);
        }
        self.generators.push(unit);
        Ok(())
    }

    /// Voltage-dependent shares of the loads of a node. `runpp` uses the unweighted mean of their percentages and
    /// applies it to all power of the node that no machine supplies (`_calc_pq_elements_and_add_on_ppc`).
    fn voltage_dependence(&mut self) -> Result<()> {
        let node = self.nodes();
        let mut shares: BTreeMap<usize, Vec<Shares>> = BTreeMap::new();
        for row in self.document.rows("load").filter(Row::is_in_service) {
            let bus = self.bus(&row, "bus")?;
            if self.is_live(bus) {
                shares.entry(bus).or_default().push(Shares::of(&row));
            }
        }
        // Of buses that switches join, the last one with loads determines the shares.
        let mut of_node: BTreeMap<usize, (usize, Shares, bool)> = BTreeMap::new();
        for (bus, shares) in shares {
            let differ = shares.iter().any(|s| *s != shares[0]);
            let before = of_node.get(&node[bus]).map(|(_, shares, _)| *shares);
            let mean = Shares::mean(&shares);
            let differ = differ || before.is_some_and(|before| before != mean);
            of_node.insert(node[bus], (bus, mean, differ));
        }
        of_node.retain(|_, (_, shares, _)| *shares != Shares::default());
        let rows: HashMap<_, _> = self.buses.iter().enumerate().map(|(row, bus)| (bus.id, row)).collect();
        let at = |bus: &powerio::BusId| rows.get(bus).map(|&row| node[row]);
        // Power of each node outside its loads.
        let mut others: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        let mut add = |node: Option<usize>, p: f64, q: f64| {
            if let Some(node) = node.filter(|node| of_node.contains_key(node)) {
                let sum = others.entry(node).or_default();
                *sum = (sum.0 + p, sum.1 + q);
            }
        };
        let is_load = |uid: &Option<String>| uid.as_ref().is_some_and(|uid| uid.starts_with("load "));
        for load in self.loads.iter().filter(|load| load.in_service && !is_load(&load.uid)) {
            add(at(&load.bus), load.p, load.q);
        }
        let fixed = |unit: &&Generator| unit.in_service && !unit.voltage_regulation_on;
        for unit in self.generators.iter().filter(fixed) {
            add(at(&unit.bus), -unit.pg, -unit.qg);
        }
        let averaged = of_node
            .iter()
            .filter(|(node, (_, _, differ))| *differ || others.contains_key(node))
            .count();
        for load in &mut self.loads {
            let node = at(&load.bus).filter(|_| load.in_service && is_load(&load.uid));
            if let Some((node, (_, shares, _))) = node.and_then(|node| Some((node, of_node.get(&node)?))) {
                // The first load of a node carries the dependence of the other elements.
                let other = others.remove(&node).unwrap_or_default();
                load.voltage_model = Some(shares.model((load.p, load.q), other));
            }
        }
        // Nodes whose loads are all controllable and therefore units.
        for (node, other) in others {
            if let Some((bus, shares, _)) = of_node.get(&node) {
                let mut load = Load::new(self.id(*bus), 0.0, 0.0);
                load.voltage_model = Some(shares.model((0.0, 0.0), other));
                self.loads.push(load);
            }
        }
        if averaged > 0 {
            self.tell("INPUT.HELD", message!("pandapower.mean_shares", count = averaged));
        }
        Ok(())
    }

    /// For each bus, the first of the buses that closed switches without impedance join.
    pub(super) fn nodes(&self) -> Vec<usize> {
        let rows: HashMap<_, _> = self.buses.iter().enumerate().map(|(row, bus)| (bus.id, row)).collect();
        let is_switch = |b: &&Branch| b.in_service && b.r == 0.0 && b.x == 0.0;
        let joined = self.branches.iter().filter(is_switch);
        components(
            rows.len(),
            joined.filter_map(|b| Some((*rows.get(&b.from)?, *rows.get(&b.to)?))),
        )
    }
}

/// Shares of active and reactive power that are proportional to the voltage and to its square.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Shares {
    current: [f64; 2],
    impedance: [f64; 2],
}

impl Shares {
    /// Before version 3.2 one column applied to both powers.
    fn of(row: &Row<'_>) -> Self {
        let share = |part: &str, power: &str| {
            let own = row.number(&format!("const_{part}_{power}_percent"));
            own.or_else(|| row.number(&format!("const_{part}_percent")))
                .unwrap_or(0.0)
                / 100.0
        };
        Self {
            current: ["p", "q"].map(|power| share("i", power)),
            impedance: ["p", "q"].map(|power| share("z", power)),
        }
    }

    fn mean(all: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| all.iter().map(of).sum::<f64>() / all.len() as f64;
        Self {
            current: [mean(|s| s.current[0]), mean(|s| s.current[1])],
            impedance: [mean(|s| s.impedance[0]), mean(|s| s.impedance[1])],
        }
    }

    /// The model of a load that also carries the dependence of `other` power, which is constant elsewhere.
    fn model(&self, own: (f64, f64), other: (f64, f64)) -> LoadVoltageModel {
        let part = |share: f64, own: f64, other: f64| share * (own + other);
        let p = [
            part(self.current[0], own.0, other.0),
            part(self.impedance[0], own.0, other.0),
        ];
        let q = [
            part(self.current[1], own.1, other.1),
            part(self.impedance[1], own.1, other.1),
        ];
        LoadVoltageModel::Zip {
            p_constant_power: own.0 - p[0] - p[1],
            q_constant_power: own.1 - q[0] - q[1],
            p_constant_current: p[0],
            q_constant_current: q[0],
            p_constant_impedance: p[1],
            q_constant_impedance: q[1],
            v_nom: None,
            load_type: None,
            scaling: None,
        }
    }
}
