//! Controls that a power flow of PSS/E would adjust and that are fixed here, and reactive limits by kind of machine.

use std::collections::{BTreeMap, HashSet};

use super::columns::Record;
use super::records::Records;
use super::sections::Sections;
use crate::analysis::Warning;
use crate::input::psse_fields::{fields, number, unquoted};
use crate::message;
use crate::message::amounts::{mvar, mw_exact};
use crate::message::{Message, Value};

/// Sets the reactive limits of renewable machines (`WMOD`), and turns a generator bus into a load bus if all its
/// machines in service have a fixed reactive power.
///
/// `WMOD` 2 limits reactive power to a power factor `WPF` in both directions, 3 fixes it to that power factor, with the
/// sign of active power if `WPF` is positive and the opposite sign otherwise, and 4 fixes it to `QG`. A machine with
/// equal limits has that reactive power and regulates nothing ("Program Operation Manual", generator data).
pub(super) fn limit_machines(records: &mut Records<'_>) {
    // By bus: whether a machine in service can control the voltage.
    let mut holds: BTreeMap<i64, bool> = BTreeMap::new();
    for entry in records.of_mut("GENERATOR") {
        let machine = &mut entry.head;
        let mode = machine.whole("WMOD");
        let (active, factor) = (machine.number("PG"), machine.number("WPF").clamp(-1.0, 1.0));
        // Without a power factor the limits are unchanged.
        let reactive = match factor {
            0.0 => None,
            factor => Some(active * (1.0 - factor * factor).sqrt() / factor),
        };
        let limits = match (mode, reactive) {
            (2, Some(reactive)) => Some([reactive.abs(), -reactive.abs()]),
            (3, Some(reactive)) => Some([reactive; 2]),
            (3 | 4, _) => Some([machine.number("QG"); 2]),
            _ => None,
        };
        if let Some([upper, lower]) = limits {
            machine.set("QT", format!("{upper:?}"));
            machine.set("QB", format!("{lower:?}"));
        }
        if machine.number("STAT") != 0.0 {
            *holds.entry(machine.whole("I")).or_default() |= !is_fixed(machine);
        }
    }
    let mut swing = HashSet::new();
    for entry in records.of_mut("BUS") {
        let bus = &mut entry.head;
        match (bus.whole("IDE"), holds.get(&bus.whole("I"))) {
            (2, Some(false)) => bus.set("IDE", "1".to_string()),
            (3, _) => drop(swing.insert(bus.whole("I"))),
            _ => {}
        }
    }
    for entry in records.of_mut("GENERATOR") {
        let machine = &mut entry.head;
        if is_fixed(machine) && !swing.contains(&machine.whole("I")) {
            let reactive = machine.text("QT").to_string();
            machine.set("QG", reactive);
            machine.regulates = false;
        }
    }
}

fn is_fixed(machine: &Record<'_>) -> bool {
    machine.number("QT") == machine.number("QB")
}

/// Warnings about controls fixed at the position of the file, and about amounts without effect; one per kind.
pub(super) fn warnings(records: &Records<'_>, sections: &Sections<'_>) -> Vec<Warning> {
    let isolated: HashSet<i64> = records
        .of("BUS")
        .iter()
        .filter(|bus| bus.head.whole("IDE") == 4)
        .map(|bus| bus.head.whole("I"))
        .collect();
    let live =
        |record: &Record<'_>, status: &str| record.number(status) != 0.0 && !isolated.contains(&record.whole("I"));
    let mut out = Vec::new();
    let mut tell = |code, count: usize, message: Message| {
        if count > 0 {
            out.push(Warning::new(code, message));
        }
    };
    let interfaces = sections.records("INTERFACE").count();
    tell(
        "INPUT.LEFT_OUT",
        interfaces,
        message!("psse.interfaces", count = interfaces),
    );

    let (mut taps, mut angles) = (0, 0);
    for transformer in records.of("TRANSFORMER").iter().filter(|t| live(&t.head, "STAT")) {
        let modes: Vec<i64> = transformer.more.iter().map(|line| line.whole("COD")).collect();
        taps += usize::from(modes.iter().any(|mode| matches!(mode, 1 | 2 | 4)));
        angles += usize::from(modes.iter().any(|mode| matches!(mode, 3 | 5)));
    }
    tell("INPUT.HELD", taps, message!("psse.held_taps", count = taps));
    tell("INPUT.HELD", angles, message!("psse.held_angles", count = angles));
    let is_switched = |shunt: &&super::records::Entry<'_>| live(&shunt.head, "STAT") && shunt.head.whole("MODSW") != 0;
    let shunts: Vec<f64> = records
        .of("SWITCHED SHUNT")
        .iter()
        .filter(is_switched)
        .map(|shunt| shunt.head.number("BINIT"))
        .collect();
    let total = mvar(shunts.iter().sum());
    tell(
        "INPUT.HELD",
        shunts.len(),
        message!("psse.held_shunts", total = total, count = shunts.len()),
    );
    let droops = sections
        .of("VOLTAGE DROOP CONTROL")
        .filter(|line| number(&fields(line), 1, 1.0) != 0.0)
        .count();
    tell("INPUT.HELD", droops, message!("psse.held_droops", count = droops));
    let areas: Vec<Message> = records
        .of("AREA")
        .iter()
        .filter(|area| area.head.number("PDES") != 0.0)
        .map(|area| {
            let export = mw_exact(area.head.number("PDES"));
            message!("psse.area", area = area.head.text("I").to_string(), export = export)
        })
        .collect();
    tell(
        "INPUT.HELD",
        areas.len(),
        message!("psse.held_interchange", count = areas.len(), areas = areas),
    );
    let transfers: Vec<Message> = sections
        .of("INTER-AREA TRANSFER")
        .map(fields)
        .filter(|f| number(f, 3, 0.0) != 0.0)
        .map(|f| {
            let text = |at: usize| Value::from(f.get(at).map_or("", |f| unquoted(f)));
            let amount = mw_exact(number(&f, 3, 0.0));
            message!("psse.transfer", from = text(0), to = text(1), amount = amount)
        })
        .collect();
    tell(
        "INPUT.HELD",
        transfers.len(),
        message!("psse.held_transfers", count = transfers.len(), transfers = transfers),
    );

    let machines = || {
        records
            .of("GENERATOR")
            .iter()
            .map(|entry| &entry.head)
            .filter(|g| live(g, "STAT"))
    };
    let based = machines().filter(|g| g.whole("BASLOD") != 0).count();
    tell(
        "INPUT.FIELD_IGNORED",
        based,
        message!("psse.base_loaded", count = based),
    );
    let stepped = machines()
        .filter(|g| g.number("RT") != 0.0 || g.number("XT") != 0.0)
        .count();
    tell(
        "INPUT.FIELD_IGNORED",
        stepped,
        message!("psse.step_up", count = stepped),
    );
    let assumed = records.assumed_codes;
    tell(
        "INPUT.FIELD_IGNORED",
        assumed,
        message!("psse.codes_assumed", count = assumed),
    );
    let shared = unequal_shares(machines());
    tell(
        "INPUT.FIELD_IGNORED",
        shared.len(),
        message!("psse.shares", count = shared.len(), buses = shared),
    );
    for (table, count) in absent_tables(records) {
        let message = message!("psse.table_absent", table = table.to_string(), count = count);
        tell("INPUT.FIELD_IGNORED", count, message);
    }
    out
}

/// Buses whose voltage plants at several buses regulate in different shares (`RMPCT`).
fn unequal_shares<'a>(machines: impl Iterator<Item = &'a Record<'a>>) -> Vec<String> {
    let mut shares: BTreeMap<i64, BTreeMap<i64, f64>> = BTreeMap::new();
    for machine in machines {
        let own = machine.whole("I");
        let regulated = Some(machine.whole("IREG")).filter(|bus| *bus != 0).unwrap_or(own);
        shares
            .entry(regulated)
            .or_default()
            .insert(own, machine.number("RMPCT"));
    }
    let differ = |plants: &BTreeMap<i64, f64>| {
        let mut shares = plants.values();
        let first = shares.next();
        shares.any(|share| Some(share) != first)
    };
    shares.retain(|_, plants| differ(plants));
    shares.keys().map(i64::to_string).collect()
}

/// Missing tables to which windings in service refer, with the number of these windings.
fn absent_tables(records: &Records<'_>) -> BTreeMap<i64, usize> {
    let mut out = BTreeMap::new();
    let present: HashSet<i64> = records.tables.iter().map(|table| table.number).collect();
    let in_service = |t: &&super::records::Entry<'_>| t.head.number("STAT") != 0.0;
    for transformer in records.of("TRANSFORMER").iter().filter(in_service) {
        let tables = transformer.more.iter().map(|line| line.whole("TAB"));
        for table in tables.filter(|table| *table > 0 && !present.contains(table)) {
            *out.entry(table).or_default() += 1;
        }
    }
    out
}
