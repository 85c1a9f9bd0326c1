//! JSON documents: PowerModels, EGRET, OPFData and GO Challenge 3.

use crate::fields::{check, json_fields, WithoutEffect};

/// Two units, a piecewise linear cost, a storage unit, a DC line and a switch out of service.
const POWERMODELS: &str = r#"{
"name": "fields", "baseMVA": 100.0, "per_unit": true, "source_type": "matpower", "source_version": "2",
"bus": {
"1": {"bus_i": 1, "index": 1, "bus_type": 3, "vm": 1.02, "va": 0.01, "vmin": 0.9, "vmax": 1.1, "base_kv": 230.0, "area": 1, "zone": 1},
"2": {"bus_i": 2, "index": 2, "bus_type": 2, "vm": 1.01, "va": 0.01, "vmin": 0.9, "vmax": 1.1, "base_kv": 230.0, "area": 2, "zone": 2}
},
"load": {"1": {"index": 1, "load_bus": 2, "pd": 0.9, "qd": 0.3, "status": 1}},
"shunt": {"1": {"index": 1, "shunt_bus": 2, "gs": 0.01, "bs": 0.2, "status": 1}},
"gen": {
"1": {"index": 1, "gen_bus": 1, "pg": 0.5, "qg": 0.1, "pmin": 0.1, "pmax": 2.0, "qmin": -0.9, "qmax": 0.9, "vg": 1.02, "mbase": 100.0, "gen_status": 1, "model": 2, "ncost": 3, "startup": 1.0, "shutdown": 2.0, "cost": [10.0, 2000.0, 30.0], "ramp_10": 0.1, "ramp_30": 0.1, "ramp_agc": 0.1, "ramp_q": 0.1, "apf": 1.0, "pc1": 0.1, "pc2": 0.2, "qc1min": -0.1, "qc1max": 0.1, "qc2min": -0.1, "qc2max": 0.1},
"2": {"index": 2, "gen_bus": 2, "pg": 0.4, "qg": 0.1, "pmin": 0.1, "pmax": 2.0, "qmin": -0.9, "qmax": 0.9, "vg": 1.01, "mbase": 100.0, "gen_status": 1, "model": 1, "ncost": 2, "startup": 1.0, "shutdown": 2.0, "cost": [0.0, 0.0, 2.0, 5000.0]}
},
"branch": {"1": {"index": 1, "f_bus": 1, "t_bus": 2, "br_r": 0.01, "br_x": 0.1, "g_fr": 0.001, "b_fr": 0.02, "g_to": 0.003, "b_to": 0.04, "rate_a": 1.5, "rate_b": 1.6, "rate_c": 1.7, "c_rating_a": 1.8, "tap": 0.98, "shift": 0.05, "transformer": true, "br_status": 1, "angmin": -0.5, "angmax": 0.5, "pf": 0.1, "qf": 0.1, "pt": 0.1, "qt": 0.1}},
"dcline": {"1": {"index": 1, "f_bus": 1, "t_bus": 2, "br_status": 0, "pf": 0.1, "pt": -0.1, "qf": 0.1, "qt": 0.1, "vf": 1.0, "vt": 1.0, "pminf": 0.0, "pmaxf": 0.5, "pmint": -0.5, "pmaxt": 0.1, "qminf": -0.1, "qmaxf": 0.1, "qmint": -0.1, "qmaxt": 0.1, "loss0": 0.01, "loss1": 0.02}},
"storage": {"1": {"index": 1, "storage_bus": 2, "status": 0, "ps": 0.1, "qs": 0.1, "energy": 1.0, "energy_rating": 2.0, "charge_rating": 0.5, "discharge_rating": 0.5, "charge_efficiency": 0.9, "discharge_efficiency": 0.9, "thermal_rating": 1.0, "qmin": -0.1, "qmax": 0.1, "r": 0.1, "x": 0.1, "p_loss": 0.1, "q_loss": 0.1}},
"switch": {"1": {"index": 1, "f_bus": 1, "t_bus": 2, "state": 0, "status": 1, "thermal_rating": 1.0, "current_rating": 1.0, "pf": 0.1, "qf": 0.1}}
}"#;

const OF_POWERMODELS: [WithoutEffect<'static>; 1] = [("x", "x")];

#[test]
fn no_field_of_a_powermodels_document_is_lost_without_a_word() {
    check("powermodels-json", POWERMODELS, &json_fields(POWERMODELS), &OF_POWERMODELS);
}
