//! Networks as tables of pandapower, such that `runpp` and `rundcopp` find the same power flow and optimum, and this
//! program reads the same network again.
//!
//! The parser's writer produces the tables of buses and links and reports their losses. The others are produced here,
//! since the writer has one susceptance per branch, makes every generator control its voltage, and has no static
//! generators, dispatchable loads, switches or reference angles.

use std::collections::{BTreeMap, HashMap};
use std::f64::consts::PI;

use powerio::{BalancedNetwork, Branch, BusId, BusType, GenCost, Generator, Load, LoadVoltageModel, PioModule};
use serde_json::{json, Map, Value};

use super::writers::emit;
use crate::analysis::Warning;
use crate::assemble::storages::{ENERGY_MIN, ENERGY_UNKNOWN};
use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::switches::SWITCH;
use crate::union_find::components;
use crate::{message, message_key};

/// pandapower's number for a current without limit, kA.
const UNLIMITED_KA: f64 = 99_999.0;

/// # Errors
/// `EXPORT.REFUSED`.
pub(super) fn write(module: &PioModule<BalancedNetwork>) -> Result<(Vec<u8>, Vec<Warning>)> {
    let net = module.value();
    let stripped = PioModule::new(stripped(net));
    let (bytes, mut warnings) = emit(&stripped, "pandapower-json")?;
    let broken = |_| EngineError::new("EXPORT.REFUSED", message!("export.not_written"));
    let mut document: Value = serde_json::from_slice(&bytes).map_err(broken)?;
    let mut tables = Tables::new(net);
    tables.branches();
    tables.loads();
    tables.shunts();
    tables.units();
    tables.storages();
    if let Some(members) = document["_object"].as_object_mut() {
        members.remove("res_gen");
        // The tables have T circuits, the default of runpp.
        members.insert("user_pf_options".into(), json!({ "trafo_model": "t" }));
        for (name, table) in tables.frames {
            // Tables without rows get pandapower's own columns.
            match table.rows.is_empty() {
                true => members.remove(name),
                false => members.insert(name.to_string(), table.frame()),
            };
        }
    }
    warnings.extend(tables.losses.into_iter().map(|(key, count)| {
        let values = vec![("count", count.into())];
        Warning::new("EXPORT.LOSS", Message { key, values })
    }));
    let text = serde_json::to_vec(&document).map_err(broken)?;
    Ok((text, warnings))
}

/// The part of the network for the parser's writer: buses, links, and the elements whose losses its other tables would
/// report.
fn stripped(net: &BalancedNetwork) -> BalancedNetwork {
    let mut net = net.clone();
    for bus in net.buses_mut() {
        if bus.kind == BusType::Ref {
            bus.kind = BusType::Pq;
        }
    }
    net.loads_mut().clear();
    net.shunts_mut().clear();
    net.generators_mut().clear();
    net.storage_mut().clear();
    for branch in net.branches_mut() {
        (branch.b, branch.charging, branch.tap, branch.shift) = (0.0, None, 0.0, 0.0);
        (branch.r, branch.x, branch.rate_a) = (0.0, 1.0, branch.rate_a.max(0.0));
    }
    net
}

/// Rows of one table by column.
#[derive(Default)]
struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    fn push<const N: usize>(&mut self, row: [(&'static str, Value); N]) -> usize {
        if self.columns.is_empty() {
            self.columns = row.iter().map(|(column, _)| *column).collect();
        }
        self.rows.push(row.into_iter().map(|(_, value)| value).collect());
        self.rows.len() - 1
    }

    fn frame(&self) -> Value {
        let index: Vec<usize> = (0..self.rows.len()).collect();
        let inner = json!({ "columns": self.columns, "index": index, "data": self.rows });
        let kind = |column: &&&str| (column.to_string(), Value::from(dtype(column)));
        let dtype: Map<String, Value> = self.columns.iter().map(|column| kind(&column)).collect();
        json!({
            "_module": "pandas.core.frame", "_class": "DataFrame", "_object": inner.to_string(), "orient": "split", "dtype": dtype,
            "is_multiindex": false, "is_multicolumn": false,
        })
    }
}

fn dtype(column: &str) -> &'static str {
    match column {
        "bus" | "from_bus" | "to_bus" | "hv_bus" | "lv_bus" | "parallel" | "element" | "step" | "max_step" => "uint32",
        "in_service" | "slack" | "controllable" | "closed" | "tap_dependency_table" => "bool",
        "name" | "type" | "std_type" | "geo" | "et" | "tap_side" | "tap_changer_type" | "power_type" | "points" => {
            "object"
        }
        _ => "float64",
    }
}

/// A number; an empty cell if it is not finite.
fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

struct Tables<'a> {
    net: &'a BalancedNetwork,
    kv: HashMap<BusId, f64>,
    kinds: HashMap<BusId, BusType>,
    /// First bus of those that branches without impedance join.
    node: HashMap<BusId, usize>,
    /// Shunt parts of branches and loads: bus, MW and Mvar at 1 pu, in service.
    more_shunts: Vec<(BusId, f64, f64, bool)>,
    frames: BTreeMap<&'static str, Table>,
    losses: BTreeMap<&'static str, usize>,
}

impl<'a> Tables<'a> {
    fn new(net: &'a BalancedNetwork) -> Self {
        let rows: HashMap<BusId, usize> = net.buses().iter().enumerate().map(|(row, bus)| (bus.id, row)).collect();
        let joined = net.branches().iter().filter(|b| b.in_service && joins(b));
        let joined = joined.filter_map(|b| Some((*rows.get(&b.from)?, *rows.get(&b.to)?)));
        let first = components(rows.len(), joined);
        let names = [
            "line",
            "trafo",
            "switch",
            "load",
            "sgen",
            "storage",
            "gen",
            "ext_grid",
            "shunt",
            "poly_cost",
            "pwl_cost",
        ];
        Self {
            net,
            // As in the parser's writer.
            kv: net
                .buses()
                .iter()
                .map(|b| (b.id, if b.base_kv > 0.0 { b.base_kv } else { 1.0 }))
                .collect(),
            kinds: net.buses().iter().map(|b| (b.id, b.kind)).collect(),
            node: rows.into_iter().map(|(bus, row)| (bus, first[row])).collect(),
            more_shunts: Vec::new(),
            frames: names.into_iter().map(|name| (name, Table::default())).collect(),
            losses: BTreeMap::new(),
        }
    }

    fn table(&mut self, name: &'static str) -> &mut Table {
        self.frames.entry(name).or_default()
    }

    fn lose(&mut self, key: &'static str) {
        *self.losses.entry(key).or_default() += 1;
    }

    fn kv_of(&self, bus: BusId) -> f64 {
        self.kv.get(&bus).copied().unwrap_or(1.0)
    }

    fn branches(&mut self) {
        let net = self.net;
        for branch in net.branches() {
            let (from, to) = (self.kv_of(branch.from), self.kv_of(branch.to));
            // A line without impedance that is out of service remains a line.
            if joins(branch) && (branch.in_service || branch.extras.contains_key(SWITCH)) {
                self.switch(branch);
            } else if branch.is_transformer() || from != to {
                self.transformer(branch, from, to);
            } else {
                self.line(branch, from);
            }
        }
    }

    /// A branch without impedance is a switch.
    fn switch(&mut self, branch: &Branch) {
        if branch.rate_a > 0.0 {
            self.lose(message_key!("export.pandapower_switch_rating", count));
        }
        let shunts = branch.calc_terminal_charging();
        self.leave(branch, branch.from, shunts.g_fr, shunts.b_fr);
        self.leave(branch, branch.to, shunts.g_to, shunts.b_to);
        self.table("switch").push([
            ("bus", index(branch.from)),
            ("element", index(branch.to)),
            ("et", "b".into()),
            ("type", "CB".into()),
            ("closed", branch.in_service.into()),
            ("name", branch.name.clone().into()),
            ("z_ohm", 0.0.into()),
            ("in_ka", Value::Null),
        ]);
    }

    /// Moves a shunt of a branch, pu, to its bus.
    fn leave(&mut self, branch: &Branch, bus: BusId, g: f64, b: f64) {
        if (g, b) != (0.0, 0.0) {
            let base = self.net.base_mva();
            self.more_shunts.push((bus, g * base, -b * base, branch.in_service));
        }
    }

    fn line(&mut self, branch: &Branch, kv: f64) {
        let ohm = kv * kv / self.net.base_mva();
        let shunts = branch.calc_terminal_charging();
        // Half of the common part at both ends; the rest of each end is a shunt at its bus.
        let half = |fr: f64, to: f64| (fr + to) / 2.0;
        let (g, b) = (half(shunts.g_fr, shunts.g_to), half(shunts.b_fr, shunts.b_to));
        if (shunts.g_fr, shunts.b_fr) != (shunts.g_to, shunts.b_to) {
            self.lose(message_key!("export.pandapower_end_shunts", count));
            self.leave(branch, branch.from, shunts.g_fr - g, shunts.b_fr - b);
            self.leave(branch, branch.to, shunts.g_to - g, shunts.b_to - b);
        }
        let omega = 2.0 * PI * self.net.base_frequency();
        let rated = branch.rate_a > 0.0 && branch.rate_a.is_finite();
        let max_ka = if rated {
            branch.rate_a / (kv * 3.0_f64.sqrt())
        } else {
            UNLIMITED_KA
        };
        self.table("line").push([
            ("name", branch.name.clone().into()),
            ("std_type", Value::Null),
            ("from_bus", index(branch.from)),
            ("to_bus", index(branch.to)),
            ("length_km", 1.0.into()),
            ("r_ohm_per_km", number(branch.r * ohm)),
            ("x_ohm_per_km", number(branch.x * ohm)),
            ("c_nf_per_km", number(2.0 * b / ohm / omega * 1e9)),
            ("g_us_per_km", number(2.0 * g / ohm * 1e6)),
            ("max_i_ka", number(max_ka)),
            ("df", 1.0.into()),
            ("parallel", 1.into()),
            ("type", Value::Null),
            ("in_service", branch.in_service.into()),
            ("geo", Value::Null),
            ("max_loading_percent", if rated { 100.0.into() } else { Value::Null }),
        ]);
    }

    fn transformer(&mut self, branch: &Branch, from_kv: f64, to_kv: f64) {
        let base = self.net.base_mva();
        let rated = branch.rate_a > 0.0 && branch.rate_a.is_finite();
        let sn = if rated { branch.rate_a } else { base };
        let tap = branch.calc_effective_tap();
        let shunts = branch.calc_terminal_charging();
        let t = TCircuit::of(branch).unwrap_or_else(|| {
            self.lose(message_key!("export.pandapower_end_shunts", count));
            self.leave(
                branch,
                branch.from,
                shunts.g_fr / (tap * tap),
                shunts.b_fr / (tap * tap),
            );
            self.leave(branch, branch.to, shunts.g_to, shunts.b_to);
            TCircuit::without_shunt(branch)
        });
        let percent = 100.0 * sn / base;
        let size = (t.r * t.r + t.x * t.x).sqrt();
        let apparent = (t.g * t.g + t.b * t.b).sqrt();
        let step = (tap - 1.0).abs() * 100.0;
        self.table("trafo").push([
            ("name", branch.name.clone().into()),
            ("std_type", Value::Null),
            ("hv_bus", index(branch.from)),
            ("lv_bus", index(branch.to)),
            ("sn_mva", number(sn)),
            ("vn_hv_kv", number(from_kv)),
            ("vn_lv_kv", number(to_kv)),
            ("vk_percent", number(size.copysign(t.x) * percent)),
            ("vkr_percent", number(t.r * percent)),
            ("pfe_kw", number(t.g * base * 1e3)),
            ("i0_percent", number(apparent * base / sn * 100.0)),
            ("shift_degree", number(branch.shift)),
            ("tap_side", "hv".into()),
            ("tap_neutral", 0.0.into()),
            ("tap_step_percent", number(step)),
            ("tap_step_degree", 0.0.into()),
            ("tap_pos", if tap < 1.0 { (-1.0).into() } else { 1.0.into() }),
            (
                "tap_changer_type",
                if step > 0.0 { "Ratio".into() } else { Value::Null },
            ),
            ("tap_dependency_table", false.into()),
            ("leakage_resistance_ratio_hv", number(t.hv_parts[0])),
            ("leakage_reactance_ratio_hv", number(t.hv_parts[1])),
            ("parallel", 1.into()),
            ("df", 1.0.into()),
            ("in_service", branch.in_service.into()),
            ("max_loading_percent", if rated { 100.0.into() } else { Value::Null }),
        ]);
    }

    fn loads(&mut self) {
        let net = self.net;
        let dependent = self.dependence();
        for load in net.loads() {
            let node = self.node.get(&load.bus).copied().filter(|_| load.in_service);
            let shares = node.and_then(|node| dependent.get(&node)).copied().unwrap_or_default();
            self.load(load, (load.p, load.q), shares, [Value::Null, Value::Null], false);
        }
    }

    /// Shares of a load that depend on the voltage, percent: impedance and current, active and reactive.
    fn load(
        &mut self,
        load: &Load,
        power: (f64, f64),
        shares: [f64; 4],
        limits: [Value; 2],
        controllable: bool,
    ) -> usize {
        let [min_p, max_p] = limits;
        self.table("load").push([
            ("name", Value::Null),
            ("bus", index(load.bus)),
            ("p_mw", number(power.0)),
            ("q_mvar", number(power.1)),
            ("const_z_p_percent", number(shares[0])),
            ("const_i_p_percent", number(shares[1])),
            ("const_z_q_percent", number(shares[2])),
            ("const_i_q_percent", number(shares[3])),
            ("sn_mva", Value::Null),
            ("scaling", 1.0.into()),
            ("in_service", load.in_service.into()),
            ("type", "wye".into()),
            ("controllable", controllable.into()),
            ("min_p_mw", min_p),
            ("max_p_mw", max_p),
        ])
    }

    /// Percentages of each node that depends on its voltage. pandapower applies the mean over its loads to all power of
    /// the node that no machine supplies, so all its loads get the percentages of the node.
    fn dependence(&mut self) -> BTreeMap<usize, [f64; 4]> {
        let net = self.net;
        // Constant power of the node, and its voltage-dependent parts.
        let mut sums: BTreeMap<usize, ([f64; 2], [f64; 4])> = BTreeMap::new();
        let live = |bus: &BusId| self.kinds.get(bus).is_some_and(|kind| *kind != BusType::Isolated);
        for load in net.loads().iter().filter(|load| load.in_service && live(&load.bus)) {
            if let Some(node) = self.node.get(&load.bus) {
                let (total, parts) = sums.entry(*node).or_default();
                (total[0], total[1]) = (total[0] + load.p, total[1] + load.q);
                for (sum, part) in parts.iter_mut().zip(parts_of(load)) {
                    *sum += part;
                }
            }
        }
        for unit in net
            .generators()
            .iter()
            .filter(|unit| unit.in_service && live(&unit.bus))
        {
            let node = self.node.get(&unit.bus).filter(|_| !self.is_machine(unit));
            if let Some((total, _)) = node.and_then(|node| sums.get_mut(node)) {
                (total[0], total[1]) = (total[0] - unit.pg, total[1] - unit.qg);
            }
        }
        let dependent = sums.into_iter().filter(|(_, (_, parts))| *parts != [0.0; 4]);
        let mut shares = BTreeMap::new();
        for (node, (total, parts)) in dependent {
            let share = |k: usize| {
                if parts[k] == 0.0 {
                    0.0
                } else {
                    100.0 * parts[k] / total[k / 2]
                }
            };
            let percent = [0, 1, 2, 3].map(share);
            let fits = |a: f64, b: f64| a.is_finite() && b.is_finite() && a + b <= 100.0 + 1e-9;
            if fits(percent[0], percent[1]) && fits(percent[2], percent[3]) {
                shares.insert(node, percent);
            } else {
                self.lose(message_key!("export.pandapower_dependence", count));
            }
        }
        shares
    }

    fn shunts(&mut self) {
        let net = self.net;
        let own = net.shunts().iter().map(|s| (s.bus, s.g, -s.b, s.in_service));
        let all: Vec<_> = own.chain(std::mem::take(&mut self.more_shunts)).collect();
        for (bus, p, q, in_service) in all {
            let kv = self.kv_of(bus);
            self.table("shunt").push([
                ("bus", index(bus)),
                ("name", Value::Null),
                ("q_mvar", number(q)),
                ("p_mw", number(p)),
                ("vn_kv", number(kv)),
                ("step", 1.into()),
                ("max_step", 1.into()),
                ("in_service", in_service.into()),
            ]);
        }
    }

    /// Power is positive while it charges, as in the network given.
    fn storages(&mut self) {
        for storage in self.net.storage() {
            let is_known = !storage.extras.contains_key(ENERGY_UNKNOWN);
            let least = storage.extras.get(ENERGY_MIN).and_then(Value::as_f64).unwrap_or(0.0);
            let range = storage.energy_rating - least;
            let charged = match is_known && range > 0.0 && range.is_finite() {
                true => number(100.0 * (storage.energy - least) / range),
                false => Value::Null,
            };
            let rating = if storage.thermal_rating > 0.0 {
                storage.thermal_rating
            } else {
                f64::NAN
            };
            if storage.charge_efficiency != 1.0 || storage.discharge_efficiency != 1.0 {
                self.lose("export.pandapower_storage");
            }
            self.table("storage").push([
                ("name", Value::Null),
                ("bus", index(storage.bus)),
                ("p_mw", number(storage.ps)),
                ("q_mvar", number(storage.qs)),
                ("sn_mva", number(rating)),
                ("soc_percent", charged),
                ("min_e_mwh", number(least)),
                ("max_e_mwh", number(storage.energy_rating)),
                ("scaling", 1.0.into()),
                ("in_service", storage.in_service.into()),
                ("type", Value::Null),
                ("controllable", false.into()),
                ("min_p_mw", number(0.0 - storage.discharge_rating)),
                ("max_p_mw", number(storage.charge_rating)),
            ]);
        }
    }

    /// Whether the unit controls the voltage of its bus.
    fn is_machine(&self, unit: &Generator) -> bool {
        let kind = self.kinds.get(&unit.bus).copied();
        unit.voltage_regulation_on && matches!(kind, Some(BusType::Pv | BusType::Ref))
    }

    fn units(&mut self) {
        let net = self.net;
        // An inactive machine still determines its kind.
        let mut set_points: HashMap<BusId, f64> = HashMap::new();
        for unit in net.generators().iter().filter(|unit| unit.in_service) {
            if self.is_machine(unit) {
                set_points.entry(unit.bus).or_insert(unit.vg);
            }
        }
        // A reference with an angle is an external grid: the first machine at its bus.
        let mut grids: HashMap<BusId, (f64, bool)> = HashMap::new();
        for bus in net.buses().iter().filter(|bus| bus.kind == BusType::Ref) {
            let has_machine = net
                .generators()
                .iter()
                .any(|g| g.bus == bus.id && g.in_service && self.is_machine(g));
            if bus.va != 0.0 || !has_machine {
                grids.insert(bus.id, (bus.va, has_machine));
            }
        }
        for bus in net.buses() {
            // Without a machine, it is an external grid without output in an optimisation.
            if let Some((va, false)) = grids.get(&bus.id) {
                let unlimited = [0.0.into(), 0.0.into(), Value::Null, Value::Null];
                self.external_grid(bus.id, bus.vm, *va, unlimited);
            }
        }
        for unit in net.generators() {
            let limits = [unit.pmin, unit.pmax, unit.qmin, unit.qmax].map(number);
            let (table, row) = if !self.is_machine(unit) {
                self.static_unit(unit)
            } else if let Some((va, true)) = grids.get(&unit.bus).filter(|_| unit.in_service).copied() {
                grids.remove(&unit.bus);
                ("ext_grid", self.external_grid(unit.bus, unit.vg, va, limits))
            } else {
                let vm = set_points.get(&unit.bus).copied().unwrap_or(unit.vg);
                let slack = self.kinds.get(&unit.bus) == Some(&BusType::Ref);
                ("gen", self.machine(unit, vm, slack && unit.in_service, limits))
            };
            if let Some(cost) = &unit.cost {
                self.cost(table, row, cost);
            }
        }
    }

    fn external_grid(&mut self, bus: BusId, vm: f64, va: f64, limits: [Value; 4]) -> usize {
        let [min_p, max_p, min_q, max_q] = limits;
        self.table("ext_grid").push([
            ("name", Value::Null),
            ("bus", index(bus)),
            ("vm_pu", number(vm)),
            ("va_degree", number(va)),
            ("slack_weight", 1.0.into()),
            ("in_service", true.into()),
            ("controllable", true.into()),
            ("min_p_mw", min_p),
            ("max_p_mw", max_p),
            ("min_q_mvar", min_q),
            ("max_q_mvar", max_q),
        ])
    }

    fn machine(&mut self, unit: &Generator, vm: f64, slack: bool, limits: [Value; 4]) -> usize {
        let [min_p, max_p, min_q, max_q] = limits;
        self.table("gen").push([
            ("name", Value::Null),
            ("bus", index(unit.bus)),
            ("p_mw", number(unit.pg)),
            ("vm_pu", number(vm)),
            ("sn_mva", number(unit.mbase)),
            ("min_q_mvar", min_q),
            ("max_q_mvar", max_q),
            ("scaling", 1.0.into()),
            ("slack", slack.into()),
            ("controllable", true.into()),
            ("in_service", unit.in_service.into()),
            ("slack_weight", 1.0.into()),
            ("type", Value::Null),
            ("min_p_mw", min_p),
            ("max_p_mw", max_p),
        ])
    }

    /// A unit without voltage control: a static generator, or a load if it can only consume. It is controllable unless
    /// it is fixed and without cost.
    fn static_unit(&mut self, unit: &Generator) -> (&'static str, usize) {
        let fixed = unit.pmin == unit.pmax;
        let controllable = !fixed || unit.cost.as_ref().is_some_and(|c| c.coeffs.iter().any(|c| *c != 0.0));
        if !fixed && unit.pmax <= 0.0 {
            let mut load = Load::new(unit.bus, -unit.pg, -unit.qg);
            load.in_service = unit.in_service;
            let limits = [number(-unit.pmax), number(-unit.pmin)];
            let shares = self.dependence_at(unit.bus);
            return ("load", self.load(&load, (load.p, load.q), shares, limits, controllable));
        }
        let [min_p, max_p, min_q, max_q] = [unit.pmin, unit.pmax, unit.qmin, unit.qmax].map(number);
        let row = self.table("sgen").push([
            ("name", Value::Null),
            ("bus", index(unit.bus)),
            ("p_mw", number(unit.pg)),
            ("q_mvar", number(unit.qg)),
            ("sn_mva", number(unit.mbase)),
            ("scaling", 1.0.into()),
            ("in_service", unit.in_service.into()),
            ("type", Value::Null),
            ("current_source", true.into()),
            ("controllable", controllable.into()),
            ("min_p_mw", min_p),
            ("max_p_mw", max_p),
            ("min_q_mvar", min_q),
            ("max_q_mvar", max_q),
        ]);
        ("sgen", row)
    }

    /// The percentages assigned to loads of a bus.
    fn dependence_at(&self, bus: BusId) -> [f64; 4] {
        let Some(table) = self.frames.get("load") else {
            return [0.0; 4];
        };
        let node = self.node.get(&bus);
        let row = self
            .net
            .loads()
            .iter()
            .position(|load| load.in_service && self.node.get(&load.bus) == node);
        let row = row.and_then(|row| table.rows.get(row));
        let share = |k: usize| row.and_then(|row| row[k].as_f64()).unwrap_or(0.0);
        [4, 5, 6, 7].map(share)
    }

    fn cost(&mut self, table: &'static str, row: usize, cost: &GenCost) {
        let sign = if table == "load" { -1.0 } else { 1.0 };
        let numbers: Vec<f64> = cost.coeffs.clone();
        if cost.model == 1 {
            let points: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|p| [p[0], p[1]]).collect();
            let area = |pair: &[[f64; 2]]| {
                let slope = (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0]);
                [pair[0][0], pair[1][0], sign * slope]
            };
            let areas: Vec<[f64; 3]> = points.windows(2).map(area).collect();
            // Seen from its first segment, a cost curve of pandapower is zero at zero.
            let level = areas
                .first()
                .map_or(0.0, |[at, _, slope]| points[0][1] - at * slope * sign);
            if level.abs() > 1e-9 * (1.0 + points[0][1].abs()) {
                self.lose(message_key!("export.pandapower_cost_level", count));
            }
            self.table("pwl_cost").push([
                ("power_type", "p".into()),
                ("element", row.into()),
                ("et", table.into()),
                ("points", json!(areas)),
            ]);
            return;
        }
        let declared = &numbers[..cost.ncost.min(numbers.len())];
        let of = |power: usize| declared.iter().rev().nth(power).map_or(0.0, |c| sign * c + 0.0);
        self.table("poly_cost").push([
            ("element", row.into()),
            ("et", table.into()),
            ("cp0_eur", number(of(0))),
            ("cp1_eur_per_mw", number(of(1))),
            ("cp2_eur_per_mw2", number(of(2))),
            ("cq0_eur", 0.0.into()),
            ("cq1_eur_per_mvar", 0.0.into()),
            ("cq2_eur_per_mvar2", 0.0.into()),
        ]);
    }
}

fn joins(branch: &Branch) -> bool {
    branch.r == 0.0 && branch.x == 0.0 && branch.calc_effective_tap() == 1.0 && branch.shift == 0.0
}

/// pandapower counts from 0.
fn index(bus: BusId) -> Value {
    bus.0.saturating_sub(1).into()
}

/// Parts of a load at 1 pu: impedance and current, active and reactive.
fn parts_of(load: &Load) -> [f64; 4] {
    match load.voltage_model {
        Some(LoadVoltageModel::Zip {
            p_constant_current,
            q_constant_current,
            p_constant_impedance,
            q_constant_impedance,
            ..
        }) => [
            p_constant_impedance,
            p_constant_current,
            q_constant_impedance,
            q_constant_current,
        ],
        _ => [0.0; 4],
    }
}

/// pandapower's transformer: a series impedance in two parts, with a shunt between them that draws active and inductive
/// power.
struct TCircuit {
    r: f64,
    x: f64,
    g: f64,
    b: f64,
    hv_parts: [f64; 2],
}

impl TCircuit {
    fn without_shunt(branch: &Branch) -> Self {
        Self {
            r: branch.r,
            x: branch.x,
            g: 0.0,
            b: 0.0,
            hv_parts: [0.5; 2],
        }
    }

    /// The T circuit of a pi circuit with impedance `z` and shunts `y1`, `y2`: the shunt is `y = y1 + y2 + z y1 y2`,
    /// the parts of the impedance are `z y2 / y` and `z y1 / y`. `None` if pandapower cannot represent the shunt, or it
    /// is at one end only.
    fn of(branch: &Branch) -> Option<Self> {
        let shunts = branch.calc_terminal_charging();
        let (z, fr, to) = (
            (branch.r, branch.x),
            (shunts.g_fr, shunts.b_fr),
            (shunts.g_to, shunts.b_to),
        );
        if fr == (0.0, 0.0) && to == (0.0, 0.0) {
            return Some(Self::without_shunt(branch));
        }
        if fr == (0.0, 0.0) || to == (0.0, 0.0) {
            return None;
        }
        let both = times(z, times(fr, to));
        let y = (fr.0 + to.0 + both.0, fr.1 + to.1 + both.1);
        let (first, second) = (over(times(z, to), y), over(times(z, fr), y));
        let (r, x) = (first.0 + second.0, first.1 + second.1);
        let part = |of: f64, all: f64| if all == 0.0 { 0.5 } else { of / all };
        let found = Self {
            r,
            x,
            g: y.0,
            b: y.1,
            hv_parts: [part(first.0, r), part(first.1, x)],
        };
        let has_parts = (r != 0.0 || first.0 == 0.0) && (x != 0.0 || first.1 == 0.0);
        (y.0 >= 0.0 && y.1 <= 0.0 && x != 0.0 && has_parts && [r, x].iter().all(|z| z.is_finite())).then_some(found)
    }
}

fn times(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn over(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let size = b.0 * b.0 + b.1 * b.1;
    ((a.0 * b.0 + a.1 * b.1) / size, (a.1 * b.0 - a.0 * b.1) / size)
}

#[cfg(test)]
mod tests {
    use powerio::network::BranchCharging;
    use powerio::{Bus, Shunt};

    use super::*;
    use crate::{formats, module};

    /// A 110 kV ring with a transformer, a switch, and every kind of unit and load.
    fn network() -> BalancedNetwork {
        let mut net = BalancedNetwork::new("ring", 100.0);
        let kinds = [
            (1, BusType::Ref, 110.0),
            (2, BusType::Pv, 110.0),
            (3, BusType::Pq, 110.0),
            (4, BusType::Pq, 20.0),
            (7, BusType::Pq, 20.0),
            (9, BusType::Isolated, 20.0),
        ];
        for (id, kind, kv) in kinds {
            let mut bus = Bus::new(BusId(id), kind, kv);
            bus.va = if id == 1 { 5.0 } else { 0.0 };
            bus.vm = 1.02;
            net.buses_mut().push(bus);
        }
        let mut branch = |from: usize, to: usize, r: f64, x: f64, shunts: [f64; 4], tap: f64, rate: f64| {
            let mut branch = Branch::new(BusId(from), BusId(to), r, x);
            branch.charging = Some(BranchCharging::new(shunts[0], shunts[1], shunts[2], shunts[3]));
            branch.b = shunts[1] + shunts[3];
            (branch.tap, branch.rate_a) = (tap, rate);
            branch.shift = if tap == 0.0 { 0.0 } else { -3.0 };
            net.branches_mut().push(branch);
        };
        branch(1, 2, 0.01, 0.1, [0.0, 0.02, 0.0, 0.02], 0.0, 80.0);
        branch(2, 3, 0.01, 0.2, [0.01, 0.02, 0.03, 0.04], 0.0, 0.0);
        branch(1, 3, 0.0, -0.05, [0.0; 4], 0.0, 50.0);
        branch(3, 4, 0.002, 0.12, [0.001, -0.01, 0.002, -0.03], 0.97, 40.0);
        branch(3, 4, 0.003, 0.15, [0.0, 0.01, 0.0, 0.02], 1.04, 0.0);
        branch(3, 4, 0.003, -0.15, [0.001, -0.02, 0.0, 0.0], 1.0, 30.0);
        branch(4, 7, 0.0, 0.0, [0.0; 4], 0.0, 0.0);
        net.branches_mut()[4].in_service = true;
        net.shunts_mut().push(Shunt::new(BusId(3), 1.0, 20.0));
        let mut unit = |bus: usize, p: [f64; 3], holds: bool, cost: Option<GenCost>| {
            let mut unit = Generator::new(BusId(bus));
            (unit.pg, unit.pmin, unit.pmax) = (p[0], p[1], p[2]);
            (unit.qg, unit.qmin, unit.qmax) = (2.0, -30.0, 30.0);
            (unit.vg, unit.voltage_regulation_on, unit.cost, unit.mbase) = (1.02, holds, cost, 100.0);
            net.generators_mut().push(unit);
        };
        let linear = |c1: f64| Some(GenCost::new(2, 0.0, 0.0, vec![c1, 1.5]));
        unit(1, [10.0, 0.0, 200.0], true, linear(30.0));
        unit(1, [4.0, 0.0, f64::INFINITY], true, None);
        unit(
            2,
            [20.0, 5.0, 50.0],
            true,
            Some(GenCost::new(2, 0.0, 0.0, vec![0.1, 20.0, 0.0])),
        );
        unit(3, [5.0, 5.0, 5.0], true, None);
        unit(4, [6.0, 0.0, 9.0], true, linear(10.0));
        unit(7, [-3.0, -8.0, 0.0], true, linear(60.0));
        let points = vec![0.0, 0.0, 10.0, 100.0, 20.0, 300.0];
        unit(4, [1.0, 0.0, 20.0], false, Some(GenCost::new(1, 0.0, 0.0, points)));
        let mut load = Load::new(BusId(4), 30.0, 9.0);
        load.voltage_model = Some(LoadVoltageModel::Zip {
            p_constant_power: 18.0,
            q_constant_power: 6.0,
            p_constant_current: 9.0,
            q_constant_current: 1.0,
            p_constant_impedance: 3.0,
            q_constant_impedance: 2.0,
            v_nom: None,
            load_type: None,
            scaling: None,
        });
        net.loads_mut().push(load);
        net.loads_mut().push(Load::new(BusId(7), 2.0, 1.0));
        net.assign_missing_component_ids();
        net
    }

    fn admittances(net: &BalancedNetwork) -> BTreeMap<(usize, usize), (f64, f64)> {
        let mut y: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        let mut add = |a: BusId, b: BusId, value: (f64, f64)| {
            let sum = y.entry((a.0, b.0)).or_default();
            *sum = (sum.0 + value.0, sum.1 + value.1);
        };
        for b in net.branches().iter().filter(|b| b.in_service && !joins(b)) {
            let (series, shunts) = (over((1.0, 0.0), (b.r, b.x)), b.calc_terminal_charging());
            let (tap, shift) = (b.calc_effective_tap(), b.shift.to_radians());
            let ratio = (tap * shift.cos(), tap * shift.sin());
            add(
                b.from,
                b.from,
                (
                    (series.0 + shunts.g_fr) / (tap * tap),
                    (series.1 + shunts.b_fr) / (tap * tap),
                ),
            );
            add(b.to, b.to, (series.0 + shunts.g_to, series.1 + shunts.b_to));
            add(b.from, b.to, over((-series.0, -series.1), (ratio.0, -ratio.1)));
            add(b.to, b.from, over((-series.0, -series.1), ratio));
        }
        for shunt in net.shunts() {
            add(
                shunt.bus,
                shunt.bus,
                (shunt.g / net.base_mva(), shunt.b / net.base_mva()),
            );
        }
        y
    }

    fn parts(net: &BalancedNetwork) -> [f64; 6] {
        let mut sum = [0.0; 6];
        for load in net.loads() {
            let parts = parts_of(load);
            let all = [load.p, load.q, parts[0], parts[1], parts[2], parts[3]];
            sum.iter_mut().zip(all).for_each(|(sum, part)| *sum += part);
        }
        sum
    }

    #[test]
    fn what_is_read_again_has_the_same_power_flow_and_optimum() {
        let net = network();
        let (bytes, warnings) = write(&PioModule::new(net.clone())).expect("a document");
        let parsed = formats::read(&bytes, "pandapower-json").expect("a network");
        let again = module::balanced(&parsed).expect("balanced");
        let (y, right) = (admittances(again), admittances(&net));
        assert_eq!(y.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
        for (at, right) in &right {
            let found = y[at];
            let apart = (found.0 - right.0).hypot(found.1 - right.1);
            assert!(
                apart <= 1e-10 * (1.0 + right.0.hypot(right.1)),
                "{at:?}: {found:?} for {right:?}"
            );
        }
        let buses: Vec<_> = again.buses().iter().map(|b| (b.id.0, b.kind, b.base_kv)).collect();
        assert_eq!(
            buses,
            net.buses()
                .iter()
                .map(|b| (b.id.0, b.kind, b.base_kv))
                .collect::<Vec<_>>()
        );
        assert_eq!((again.buses()[0].vm, again.buses()[0].va), (1.02, 5.0));
        assert!(again
            .branches()
            .iter()
            .any(|b| (b.from.0, b.to.0) == (4, 7) && joins(b)));
        let total = |net: &BalancedNetwork| net.generators().iter().map(|g| g.pg).sum::<f64>();
        let ratings = |net: &BalancedNetwork| {
            let mut all: Vec<f64> = net.branches().iter().map(|b| (b.rate_a * 1e6).round()).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        assert_eq!(ratings(again), ratings(&net));
        // Units by their limits and costs, in the order of the tables: the grid, machines, static units, the load with a benefit.
        let units: Vec<_> = again
            .generators()
            .iter()
            .map(|g| (g.bus.0, g.pmin, g.pmax, g.cost.as_ref().map(|c| c.coeffs.clone())))
            .collect();
        let free = Some(vec![0.0, 0.0]);
        let right = [
            (1, 0.0, 200.0, Some(vec![30.0, 1.5])),
            (1, 0.0, f64::INFINITY, None),
            (2, 5.0, 50.0, Some(vec![0.1, 20.0, 0.0])),
            (3, 5.0, 5.0, free),
            (4, 0.0, 9.0, Some(vec![10.0, 1.5])),
            (4, 0.0, 20.0, Some(vec![0.0, 0.0, 10.0, 100.0, 20.0, 300.0])),
            (7, -8.0, 0.0, Some(vec![60.0, 1.5])),
        ];
        assert_eq!(units, right);
        // The demand of the node under pandapower's rule depends on the voltage as before; the power of units is
        // constant.
        let (found, right) = (parts(again), parts(&net));
        for (found, right) in found.iter().zip(right) {
            assert!((found - right).abs() < 1e-9, "{found} for {right}");
        }
        assert!(total(again).is_finite());
        let messages: Vec<String> = warnings.iter().map(Warning::message).collect();
        assert!(
            messages
                .iter()
                .any(|w| w.starts_with("The shunts of branches that lines") && w.ends_with(": 3.")),
            "{messages:?}"
        );
    }
}
