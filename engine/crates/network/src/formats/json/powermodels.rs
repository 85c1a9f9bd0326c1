//! PowerModels.jl: the members of a document that are read.

use serde_json::{Map, Value};

use super::ignored_members::{Layout, Table};
use crate::analysis::Warning;
use crate::assemble::branches::{NO_ANGLE_LIMITS, RATED_ZERO, UNRATED};
use crate::assemble::storages::{ENERGY_MIN, ENERGY_UNKNOWN, ENERGY_VALUE};
use crate::message;
use crate::switches::SWITCH;

/// Keys and marks that a record of any table may have.
const KEYS: [&str; 2] = ["index", "source_id"];

pub(super) const LAYOUT: Layout = Layout {
    tables: &[
        Table {
            name: "bus",
            read: &[
                "bus_i", "bus_type", "vm", "va", "vmin", "vmax", "base_kv", "area", "zone", "name",
            ],
            without_effect: &KEYS,
        },
        Table {
            name: "load",
            read: &["load_bus", "pd", "qd", "status"],
            without_effect: &KEYS,
        },
        Table {
            name: "shunt",
            read: &["shunt_bus", "gs", "bs", "status"],
            without_effect: &KEYS,
        },
        Table {
            name: "gen",
            read: &[
                "gen_bus",
                "pg",
                "qg",
                "pmin",
                "pmax",
                "qmin",
                "qmax",
                "vg",
                "gen_status",
                "model",
                "ncost",
                "cost",
            ],
            without_effect: &[
                "index",
                "source_id",
                "mbase",
                "startup",
                "shutdown",
                "apf",
                "ramp_agc",
                "ramp_10",
                "ramp_30",
                "ramp_q",
                "pc1",
                "pc2",
                "qc1min",
                "qc1max",
                "qc2min",
                "qc2max",
            ],
        },
        Table {
            name: "branch",
            read: &[
                "f_bus",
                "t_bus",
                "br_r",
                "br_x",
                "g_fr",
                "b_fr",
                "g_to",
                "b_to",
                "rate_a",
                "tap",
                "shift",
                "transformer",
                "br_status",
                "angmin",
                "angmax",
                "c_rating_a",
                RATED_ZERO,
                UNRATED,
                NO_ANGLE_LIMITS,
                SWITCH,
            ],
            without_effect: &[
                "index",
                "source_id",
                "rate_b",
                "rate_c",
                "c_rating_b",
                "c_rating_c",
                "pf",
                "qf",
                "pt",
                "qt",
            ],
        },
        Table {
            name: "dcline",
            read: &[
                "f_bus",
                "t_bus",
                "br_status",
                "pf",
                "qf",
                "qt",
                "vf",
                "vt",
                "pminf",
                "pmaxf",
                "mp_pmin",
                "mp_pmax",
                "qminf",
                "qmaxf",
                "qmint",
                "qmaxt",
                "loss0",
                "loss1",
                "model",
                "ncost",
                "cost",
            ],
            without_effect: &[
                "index",
                "source_id",
                "pt",
                "pmin",
                "pmax",
                "pmint",
                "pmaxt",
                "startup",
                "shutdown",
            ],
        },
        Table {
            name: "storage",
            read: &[
                "storage_bus",
                "status",
                "ps",
                "qs",
                "energy",
                "energy_rating",
                "charge_rating",
                "discharge_rating",
                "charge_efficiency",
                "discharge_efficiency",
                "thermal_rating",
                "p_loss",
                "r",
                "current_rating",
                ENERGY_MIN,
                ENERGY_UNKNOWN,
                ENERGY_VALUE,
            ],
            // Reactive power is held.
            without_effect: &["index", "source_id", "qmin", "qmax", "x", "q_loss"],
        },
        Table {
            name: "switch",
            read: &["f_bus", "t_bus", "state", "status", "thermal_rating", "current_rating"],
            without_effect: &["index", "source_id", "pf", "qf", "pt", "qt", "psw", "qsw"],
        },
    ],
    without_effect: &["areas", "bus_name", "source_version", "wattbook"],
};

/// Branches and switches with a current limit only.
pub(super) fn current_limits(members: &Map<String, Value>) -> Option<Warning> {
    let number = |record: &Value, name: &str| record.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let limited = |(table, current, power): (&str, &str, &str)| {
        let records = members.get(table).and_then(Value::as_object);
        let is_limited = |record: &&Value| number(record, current) > 0.0 && number(record, power) <= 0.0;
        records.map_or(0, |records| records.values().filter(is_limited).count())
    };
    let limits = [
        ("branch", "c_rating_a", "rate_a"),
        ("switch", "current_rating", "thermal_rating"),
    ];
    let count = limits.into_iter().map(limited).sum::<usize>();
    (count > 0).then(|| Warning::new("INPUT.LEFT_OUT", message!("document.current_limits", count = count)))
}

/// Opens the switches out of service, whose status the reader ignores beside a state; whether there are any.
pub(super) fn open_switches(document: &mut Map<String, Value>) -> bool {
    let records = document.get_mut("switch").and_then(Value::as_object_mut);
    let mut opened = false;
    for record in records.into_iter().flat_map(Map::values_mut) {
        let is_out = match record.get("status") {
            Some(Value::Bool(status)) => !status,
            status => status.and_then(Value::as_f64) == Some(0.0),
        };
        if let (true, Some(record)) = (is_out, record.as_object_mut()) {
            record.insert("state".into(), 0.into());
            opened = true;
        }
    }
    opened
}
