//! Corrections of elements where the reader ignores data: voltage-dependent loads, shunts of branches, costs, regulated
//! buses, the base of transformers; and warnings about controls.

use std::collections::{HashMap, HashSet};

use powerio::{BalancedNetwork, BranchCharging, BusId, BusType, LoadVoltageModel, Shunt};

use super::correction::Tables;
use super::costs::{self, Costs};
use super::objects::Object;
use super::records::{self, records, Record};
use crate::analysis::Warning;
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::identifiers::keep_units;
use crate::message;
use crate::message::amounts::mvar;
use crate::message::amounts::mw;

/// Adds the data that the reader ignores to the network, and returns warnings about omitted data.
///
/// # Errors
/// `INPUT.TABLE` if reader and checks count elements differently, `INPUT.TRANSFORMER` for transformers with an
/// uncertain ratio, `INPUT.UNKNOWN_BUS` for a regulated bus that does not exist.
pub(super) fn complete(net: &mut BalancedNetwork, objects: &[Object<'_>]) -> Result<Vec<Warning>> {
    let of = |kind, also, keys| records(objects, kind, also, keys);
    let buses = of("bus", "", &records::BUS);
    let loads = of("load", "", &records::LOAD);
    let shunts = of("shunt", "", &records::SHUNT);
    let generators = of("gen", "", &records::GENERATOR);
    let branches = of("branch", "transformer", &records::BRANCH);
    let counts = [
        (net.buses().len(), buses.len()),
        (net.loads().len(), loads.len()),
        (net.shunts().len(), shunts.len()),
        (net.generators().len(), generators.len()),
        (net.branches().len(), branches.len()),
    ];
    if let Some((read, stated)) = counts.into_iter().find(|(read, stated)| read != stated) {
        let message = message!("powerworld.elements", stated = stated, read = read);
        return Err(EngineError::new("INPUT.TABLE", message));
    }
    let mut warnings = Vec::new();
    set_voltages(net, &buses);
    set_loads(net, &loads);
    set_units(net, &generators, &mut warnings)?;
    let ids = generators.iter().map(|unit| unit.text(&["GenID", "ID"]).unwrap_or("1"));
    keep_units(net, ids);
    set_kinds(net, &buses, &generators);
    set_branches(net, &branches, &Tables::read(objects), &mut warnings)?;
    held_shunts(net, &shunts, &mut warnings);
    add_bus_shunts(net, &buses);
    Ok(warnings)
}

/// Voltages in kV, if a file has none per unit, and voltage limits outside a set.
fn set_voltages(net: &mut BalancedNetwork, buses: &[Record<'_>]) {
    for (bus, record) in net.buses_mut().iter_mut().zip(buses) {
        let per_unit = record.number(&["BusPUVolt", "Vpu"]);
        let kv = record
            .number(&["BusKVVolt", "kV"])
            .filter(|kv| *kv > 0.0 && bus.base_kv > 0.0);
        if let (None, Some(kv)) = (per_unit, kv) {
            bus.vm = kv / bus.base_kv;
        }
        for (limit, of_set, names) in [
            (
                &mut bus.vmin,
                ["BusVoltLimLow:1", "LimitLowA", "BusVMin"],
                ["BusVoltLimLow"],
            ),
            (
                &mut bus.vmax,
                ["BusVoltLimHigh:1", "LimitHighA", "BusVMax"],
                ["BusVoltLimHigh"],
            ),
        ] {
            if let (None, Some(value)) = (record.number(&of_set), record.number(&names)) {
                *limit = value;
            }
        }
    }
}

/// Constant power, current and impedance, each at 1 pu; distributed generation behind the meter reduces the load.
fn set_loads(net: &mut BalancedNetwork, loads: &[Record<'_>]) {
    for (load, record) in net.loads_mut().iter_mut().zip(loads) {
        let part = |names: [&str; 2]| record.number(&names);
        let power = [part(["LoadSMW", "SMW"]), part(["LoadSMVR", "SMvar"])];
        let current = [part(["LoadIMW", "IMW"]), part(["LoadIMVR", "IMvar"])];
        let impedance = [part(["LoadZMW", "ZMW"]), part(["LoadZMVR", "ZMvar"])];
        let generation = match record.says(&["DistStatus"], "Open") {
            true => [0.0, 0.0],
            false => [["DistMWInput", "DistMW"], ["DistMvarInput", "DistMvar"]].map(|names| record.amount(&names)),
        };
        let stated = [power, current, impedance].iter().flatten().any(Option::is_some);
        if !stated && generation == [0.0, 0.0] {
            continue;
        }
        let value = |parts: [Option<f64>; 2]| parts.map(|part| part.unwrap_or(0.0));
        let ([p, q], [pi, qi], [pz, qz]) = match stated {
            true => (value(power), value(current), value(impedance)),
            false => ([load.p, load.q], [0.0, 0.0], [0.0, 0.0]),
        };
        let (p, q) = (p - generation[0], q - generation[1]);
        (load.p, load.q) = (p + pi + pz, q + qi + qz);
        load.voltage_model = ([pi, qi, pz, qz] != [0.0; 4]).then_some(LoadVoltageModel::Zip {
            p_constant_power: p,
            q_constant_power: q,
            p_constant_current: pi,
            q_constant_current: qi,
            p_constant_impedance: pz,
            q_constant_impedance: qz,
            v_nom: None,
            load_type: None,
            scaling: None,
        });
    }
}

const REGULATED: [&str; 2] = ["GenRegNum", "RegBusNum"];
const AVR: [&str; 3] = ["GenAVRAble", "AVRAble", "AVR"];

fn set_units(net: &mut BalancedNetwork, records: &[Record<'_>], warnings: &mut Vec<Warning>) -> Result<()> {
    let known: HashSet<BusId> = net.buses().iter().map(|bus| bus.id).collect();
    let (mut without_model, mut agc_off, mut agc_mw) = (0_usize, 0_usize, 0.0);
    let (mut unlimited, mut curves, mut compensated, mut extra) = (0_usize, 0_usize, 0_usize, 0_usize);
    for (row, (unit, record)) in net.generators_mut().iter_mut().zip(records).enumerate() {
        for (limit, names, absent) in [
            (&mut unit.pmax, ["GenMWMax", "MWMax"], f64::INFINITY),
            (&mut unit.qmax, ["GenMVRMax", "MvarMax"], f64::INFINITY),
            (&mut unit.qmin, ["GenMVRMin", "MvarMin"], f64::NEG_INFINITY),
        ] {
            // The reader treats an absent limit as zero.
            if record.text(&names).is_none() {
                *limit = absent;
            }
        }
        unit.cost = match costs::of(record, unit.pmax) {
            Costs::Curve(curve) => Some(curve),
            Costs::Missing => None,
            Costs::WithoutModel => {
                without_model += 1;
                None
            }
        };
        unit.voltage_regulation_on = !record.says(&AVR, "NO");
        if let Some(bus) = record.number(&REGULATED).filter(|bus| *bus > 0.0) {
            let bus = BusId(bus as usize);
            if !known.contains(&bus) {
                let element = ElementRef::numbered(ElementKind::Generator, row as u64 + 1);
                let message = crate::sentences::unknown_bus(&element, bus.to_string());
                return Err(EngineError::new("INPUT.UNKNOWN_BUS", message).at(element));
            }
            unit.regulated_bus = (bus != unit.bus).then_some(bus);
        }
        if !unit.in_service {
            continue;
        }
        if record.says(&["GenAGCAble", "AGC"], "NO") {
            (agc_off, agc_mw) = (agc_off + 1, agc_mw + unit.pg);
        }
        unlimited += usize::from(record.says(&["GenEnforceMWLimits", "EnforceMWLimits"], "NO"));
        curves += usize::from(record.says(&["GenUseCapCurve", "UseCapCurve"], "YES") || record.has_capability_curve);
        compensated += usize::from(
            record
                .text(&["GenUseLDCRCC", "UseLineDrop"])
                .is_some_and(|text| !text.eq_ignore_ascii_case("NO")),
        );
        let extras = [["GenExtraOMCost", "ExtraOMCost"], ["GenExtraFuelCost", "ExtraFuelCost"]];
        extra += usize::from(extras.iter().any(|names| record.amount(names) != 0.0));
    }
    let mut say = |count: usize, code, message| {
        if count > 0 {
            warnings.push(Warning::new(code, message));
        }
    };
    say(
        without_model,
        "INPUT.LEFT_OUT",
        message!("powerworld.costs_without_model", count = without_model),
    );
    say(
        extra,
        "INPUT.LEFT_OUT",
        message!("powerworld.extra_costs", count = extra),
    );
    say(
        compensated,
        "INPUT.HELD",
        message!("held.line_drop", count = compensated),
    );
    say(
        agc_off,
        "INPUT.FIELD_IGNORED",
        message!("powerworld.agc_off", count = agc_off, power = mw(agc_mw)),
    );
    say(
        unlimited,
        "INPUT.FIELD_IGNORED",
        message!("powerworld.limits_not_enforced", count = unlimited),
    );
    say(
        curves,
        "INPUT.FIELD_IGNORED",
        message!("powerworld.capability_curves", count = curves),
    );
    Ok(())
}

/// Sets the type of a bus to that of the file; otherwise a bus whose units control its voltage is PV. The reader makes
/// every bus with a unit in service PV.
fn set_kinds(net: &mut BalancedNetwork, buses: &[Record<'_>], generators: &[Record<'_>]) {
    let units = net.generators().iter().zip(generators);
    let holding: HashSet<BusId> = units
        .filter(|(unit, record)| unit.in_service && !record.says(&AVR, "NO"))
        .map(|(unit, _)| unit.bus)
        .collect();
    for (bus, record) in net.buses_mut().iter_mut().zip(buses) {
        let stated = record.says(&["BusCat"], "PQ");
        if bus.kind == BusType::Pv && (stated || !holding.contains(&bus.id)) && !record.says(&["BusCat"], "PV") {
            bus.kind = BusType::Pq;
        }
    }
}

const TYPE: [&str; 2] = ["BranchDeviceType", "DeviceType"];

fn set_branches(
    net: &mut BalancedNetwork,
    records: &[Record<'_>],
    tables: &Tables,
    warnings: &mut Vec<Warning>,
) -> Result<()> {
    let base = net.base_mva();
    let kv: HashMap<BusId, f64> = net.buses().iter().map(|bus| (bus.id, bus.base_kv)).collect();
    let (mut taps, mut angles, mut unmonitored) = (0_usize, 0_usize, 0_usize);
    for (row, (branch, record)) in net.branches_mut().iter_mut().zip(records).enumerate() {
        let flag = record.text(&["LineXfmr", "IsXF"]);
        let is_transformer = match (record.text(&TYPE), flag) {
            (Some(kind), _) => kind.eq_ignore_ascii_case("Transformer"),
            (None, Some(flag)) => flag.eq_ignore_ascii_case("YES"),
            (None, None) => record.is_in_transformer_section,
        };
        let ends = [branch.from, branch.to].map(|bus| kv.get(&bus).copied().unwrap_or(0.0));
        let own = OwnBase::of(record, base, ends);
        let part = |plain: &[&str], own_base: &[&str]| -> f64 {
            record
                .number(plain)
                .unwrap_or_else(|| record.amount(own_base) * own.impedance)
        };
        let admittance = |plain: &[&str], own_base: &[&str]| -> f64 {
            record
                .number(plain)
                .unwrap_or_else(|| record.amount(own_base) / own.impedance)
        };
        branch.r = part(&["LineR", "R"], &["LineR:1", "Rxfbase"]);
        branch.x = part(&["LineX", "X"], &["LineX:1", "Xxfbase"]);
        branch.tap = match is_transformer {
            true => {
                let on_system_base = record.number(&["LineTap", "LineXFRatio", "Tap"]);
                let on_own = record.number(&["LineTap:1", "Tapxfbase"]).map(|tap| tap * own.ratio);
                if let (None, Some(why)) = (on_system_base, own.uncertain(record)) {
                    if branch.in_service {
                        let element = ElementRef::numbered(ElementKind::Branch, row as u64 + 1);
                        let message = message!("powerworld.transformer", branch = &element, why = why);
                        return Err(EngineError::new("INPUT.TRANSFORMER", message).at(element));
                    }
                }
                on_system_base.or(on_own).filter(|tap| *tap != 0.0).unwrap_or(1.0)
            }
            false => 0.0,
        };
        let charging = [
            admittance(&["LineG", "G"], &["LineG:1", "Gxfbase"]),
            admittance(&["LineC", "B"], &["LineC:1", "Bxfbase"]),
        ];
        let magnetising = [
            admittance(&["XfrmerMagnetizingG", "Gmag"], &["XfrmerMagnetizingG:1", "Gmagxfbase"]),
            admittance(&["XfrmerMagnetizingB", "Bmag"], &["XfrmerMagnetizingB:1", "Bmagxfbase"]),
        ];
        // Shunts at the ends of a line, in MW and Mvar at 1 pu.
        let at_from = [
            record.amount(&["LineShuntMW", "LineShuntMWFrom"]),
            record.amount(&["LineShuntMVR", "LineShuntMvarFrom"]),
        ];
        let at_to = [
            record.amount(&["LineShuntMW:1", "LineShuntMWTo"]),
            record.amount(&["LineShuntMVR:1", "LineShuntMvarTo"]),
        ];
        // Shunts at the from bus are on the other side of the ideal tap than the series impedance.
        let tap = if branch.tap == 0.0 { 1.0 } else { branch.tap };
        let from = |k: usize| charging[k] / 2.0 + (magnetising[k] + at_from[k] / base) * tap * tap;
        let to = |k: usize| charging[k] / 2.0 + at_to[k] / base;
        let ends = BranchCharging::new(from(0), from(1), to(0), to(1));
        branch.b = ends.b_fr + ends.b_to;
        branch.charging = (ends.g_fr != 0.0 || ends.g_to != 0.0 || ends.b_fr != ends.b_to).then_some(ends);
        let kind = record
            .text(&["LineXFType", "XFType", "XFControlType"])
            .unwrap_or("")
            .to_ascii_lowercase();
        let shifts = kind.starts_with("phase");
        let table = record.number(&["XFTableNum", "ImpCorrTable", "XFCorTableNum"]);
        if let Some(table) = table.filter(|table| *table > 0.0) {
            let at = if shifts { branch.shift } else { tap };
            match tables.factor(table, at) {
                Some(factor) => (branch.r, branch.x) = (branch.r * factor, branch.x * factor),
                None => {
                    let element = ElementRef::numbered(ElementKind::Branch, row as u64 + 1);
                    let message = message!("powerworld.no_table", branch = &element, table = table.to_string());
                    return Err(EngineError::new("INPUT.TRANSFORMER", message).at(element));
                }
            }
        }
        if !branch.in_service {
            continue;
        }
        let is_automatic = record
            .text(&["XFAuto", "Auto"])
            .is_some_and(|text| text.to_ascii_lowercase().starts_with("yes"));
        if is_transformer && is_automatic && !kind.is_empty() && kind != "fixed" {
            let counted = if shifts { &mut angles } else { &mut taps };
            *counted += 1;
        }
        unmonitored += usize::from(record.says(&["LineMonEle", "Monitor"], "NO") && branch.rate_a > 0.0);
    }
    let mut say = |count: usize, code, message| {
        if count > 0 {
            warnings.push(Warning::new(code, message));
        }
    };
    say(taps, "INPUT.HELD", message!("held.taps", count = taps));
    say(angles, "INPUT.HELD", message!("held.angles", count = angles));
    say(
        unmonitored,
        "INPUT.FIELD_IGNORED",
        message!("powerworld.not_monitored", count = unmonitored),
    );
    Ok(())
}

/// The base of a transformer with values on its own base: factors that convert its impedance and tap to the system base
/// and the nominal voltages of the buses. The impedance is on the to side of the tap.
struct OwnBase {
    impedance: f64,
    ratio: f64,
}

impl OwnBase {
    fn of(record: &Record<'_>, base_mva: f64, bus_kv: [f64; 2]) -> Self {
        let mva = record
            .number(&["XFMVABase"])
            .filter(|mva| *mva > 0.0)
            .unwrap_or(base_mva);
        let nominal = |name: &str, kv: f64| match record.number(&[name]) {
            Some(own) if own > 0.0 && kv > 0.0 => own / kv,
            _ => 1.0,
        };
        let (from, to) = (nominal("XFNominalKV", bus_kv[0]), nominal("XFNominalKV:1", bus_kv[1]));
        Self {
            impedance: base_mva / mva * to * to,
            ratio: from / to,
        }
    }

    /// The reason why values on the transformer's own base cannot be converted.
    fn uncertain(&self, record: &Record<'_>) -> Option<message::Message> {
        let fixed = ["XFFixedTap", "XFFixedTap:1"].map(|name| record.number(&[name]).unwrap_or(1.0));
        (fixed != [1.0, 1.0]).then(|| message!("pslf.fixed_taps"))
    }
}

fn held_shunts(net: &BalancedNetwork, records: &[Record<'_>], warnings: &mut Vec<Warning>) {
    let (mut count, mut power) = (0_usize, 0.0);
    for (shunt, record) in net.shunts().iter().zip(records).filter(|(shunt, _)| shunt.in_service) {
        let mode = record.text(&["SSCMode", "ShuntMode"]).unwrap_or("Fixed");
        if !mode.eq_ignore_ascii_case("Fixed") && !mode.eq_ignore_ascii_case("Bus Shunt") {
            (count, power) = (count + 1, power + shunt.b);
        }
    }
    if count > 0 {
        let message = message!("held.shunts", count = count, power = mvar(power));
        warnings.push(Warning::new("INPUT.HELD", message));
    }
}

/// Fixed shunts in bus rows, in MW and Mvar at nominal voltage.
fn add_bus_shunts(net: &mut BalancedNetwork, buses: &[Record<'_>]) {
    let rows: Vec<Shunt> = net
        .buses()
        .iter()
        .zip(buses)
        .map(|(bus, record)| Shunt::new(bus.id, record.amount(&["BusG:1"]), record.amount(&["BusB:1"])))
        .filter(|shunt| shunt.g != 0.0 || shunt.b != 0.0)
        .collect();
    net.shunts_mut().extend(rows);
}
