//! JSON documents: PowerModels, EGRET, OPFData and GO Challenge 3.

use crate::fields::{check, json_fields, WithoutEffect};

/// Two units, a piecewise linear cost, a storage unit; a DC line out of service, an open and a closed switch.
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
"storage": {"1": {"index": 1, "storage_bus": 2, "status": 1, "ps": 0.1, "qs": 0.1, "energy": 1.0, "energy_rating": 2.0, "charge_rating": 0.5, "discharge_rating": 0.5, "charge_efficiency": 0.9, "discharge_efficiency": 0.9, "thermal_rating": 1.0, "qmin": -0.1, "qmax": 0.1, "r": 0.1, "x": 0.1, "p_loss": 0.1, "q_loss": 0.1}},
"ne_branch": {"1": {"f_bus": 1, "t_bus": 2, "br_x": 0.1}},
"switch": {"1": {"index": 1, "f_bus": 1, "t_bus": 2, "state": 0, "status": 1, "thermal_rating": 1.0, "current_rating": 1.0, "pf": 0.1, "qf": 0.1},
"2": {"index": 2, "f_bus": 1, "t_bus": 2, "state": 1, "status": 1, "thermal_rating": 1.0, "pf": 0.1, "qf": 0.1}}
}"#;

const OF_POWERMODELS: [WithoutEffect<'static>; 30] = [
    ("load.*.index", "a key; rows stand in its order"),
    ("shunt.*.index", "a key; rows stand in its order"),
    ("branch.*.index", "a key; rows stand in its order"),
    ("dcline.*.index", "a key; rows stand in its order"),
    ("storage.*.index", "a key; rows stand in its order"),
    ("gen.*.mbase", "powers are on the base of the system"),
    ("gen.*.startup", "a snapshot has no start-ups"),
    ("gen.*.shutdown", "a snapshot has no shutdowns"),
    ("gen.*.ramp_*", "a snapshot has no ramps"),
    ("gen.*.apf", "automatic generation control"),
    ("gen.*.pc*", "the capability curve; limits are constant"),
    ("gen.*.qc*", "the capability curve; limits are constant"),
    (
        "branch.*.c_rating_a",
        "a limit of the current of a branch with a rating in MVA; without one it is named",
    ),
    ("branch.*.pf", "result of a solution"),
    ("branch.*.qf", "result of a solution"),
    ("branch.*.pt", "result of a solution"),
    ("branch.*.qt", "result of a solution"),
    ("dcline.*.pt", "computed from pf and the losses"),
    ("dcline.*.pmint", "the limits at the from end and the losses imply it"),
    ("dcline.*.pmaxt", "the limits at the from end and the losses imply it"),
    ("storage.*.qmin", "reactive power is held"),
    ("storage.*.qmax", "reactive power is held"),
    ("storage.*.q_loss", "reactive power is held"),
    ("storage.*.r", "named: resistance or current rating of storage unit 1"),
    ("storage.*.x", "reactive power is held"),
    ("switch.*.status#1", "the switch is open"),
    (
        "switch.*.current_rating#1",
        "a limit of the current of a switch with a rating in MVA; without one it is named",
    ),
    ("switch.*.pf", "result of a solution"),
    ("switch.*.qf", "result of a solution"),
    ("ne_branch.*", "named: `ne_branch`"),
];

#[test]
fn no_field_of_a_powermodels_document_is_lost_without_a_word() {
    check(
        "powermodels-json",
        POWERMODELS,
        &json_fields(POWERMODELS),
        &OF_POWERMODELS,
    );
}

/// A unit with a polynomial cost, one with a curve of fuel, one with a piecewise linear cost that is out of service; a DC branch out
/// of service, a storage unit, an interface, and fields of unit commitment.
const EGRET: &str = r#"{
"system": {"baseMVA": 100.0, "reference_bus": "1", "reference_bus_angle": 1.0},
"elements": {
"bus": {
"1": {"base_kv": 230.0, "matpower_bustype": "ref", "vm": 1.02, "va": 0.0, "v_min": 0.9, "v_max": 1.1, "area": "1", "zone": "1"},
"2": {"base_kv": 230.0, "matpower_bustype": "PV", "vm": 1.01, "va": -1.0, "v_min": 0.9, "v_max": 1.1, "area": "1", "zone": "1"}
},
"load": {"1": {"bus": "2", "p_load": 90.0, "q_load": 30.0, "in_service": true}},
"shunt": {"1": {"bus": "2", "shunt_type": "fixed", "gs": 1.0, "bs": 19.0, "in_service": true}},
"branch": {"1": {"from_bus": "1", "to_bus": "2", "resistance": 0.01, "reactance": 0.1, "charging_susceptance": 0.02, "in_service": true, "angle_diff_min": -30.0, "angle_diff_max": 30.0, "branch_type": "transformer", "transformer_tap_ratio": 0.98, "transformer_phase_shift": 3.0, "rating_long_term": 150.0, "rating_short_term": 160.0, "rating_emergency": 170.0, "pf": 1.0}},
"generator": {
"1": {"bus": "1", "generator_type": "thermal", "in_service": true, "pg": 40.0, "qg": 5.0, "vg": 1.02, "mbase": 100.0, "p_min": 10.0, "p_max": 200.0, "q_min": -90.0, "q_max": 90.0, "p_cost": {"data_type": "cost_curve", "cost_curve_type": "polynomial", "values": {"0": 30.0, "1": 20.0, "2": 0.01}}, "startup_cost": 100.0, "shutdown_cost": 50.0, "min_up_time": 4, "ramp_up_60min": 50.0},
"2": {"bus": "2", "generator_type": "thermal", "in_service": true, "pg": 50.0, "qg": 5.0, "vg": 1.01, "mbase": 100.0, "p_min": 10.0, "p_max": 150.0, "q_min": -90.0, "q_max": 90.0, "fuel_cost": 3.0, "p_fuel": {"data_type": "fuel_curve", "values": [[10.0, 100.0], [150.0, 1400.0]]}, "non_fuel_startup_cost": 7.0},
"3": {"bus": "2", "generator_type": "thermal", "in_service": false, "pg": 50.0, "qg": 5.0, "vg": 1.01, "mbase": 100.0, "p_min": 10.0, "p_max": 150.0, "q_min": -90.0, "q_max": 90.0, "p_cost": {"data_type": "cost_curve", "cost_curve_type": "piecewise", "values": [[0.0, 0.0], [150.0, 3000.0]]}}
},
"dc_branch": {"1": {"from_bus": "1", "to_bus": "2", "in_service": false, "pf": 10.0, "pt": -9.0, "qf": 1.0, "qt": 1.0, "vf": 1.0, "vt": 1.0, "pmin": 0.0, "pmax": 100.0, "qminf": -1.0, "qmaxf": 1.0, "qmint": -1.0, "qmaxt": 1.0, "loss0": 0.1, "loss_factor": 0.01}},
"storage": {"1": {"bus": "2", "in_service": true, "energy_capacity": 40.0, "minimum_state_of_charge": 0.1, "initial_state_of_charge": 0.5, "end_state_of_charge": 0.5, "max_charge_rate": 10.0, "max_discharge_rate": 12.0, "charge_efficiency": 0.9, "discharge_efficiency": 0.8, "p_charge": 1.0, "p_discharge": 5.0, "charge_cost": 1.0, "discharge_cost": 2.0}},
"interface": {"east": {"lines": ["1"], "minimum_limit": -100.0, "maximum_limit": 100.0}}
}}"#;

const OF_EGRET: [WithoutEffect<'static>; 13] = [
    (
        "elements.bus.*.va#1",
        "the angle of the reference is that of the system",
    ),
    ("elements.branch.*.pf", "result of a solution"),
    ("elements.generator.*.mbase", "powers are in MW and MVAr"),
    ("elements.generator.*.startup_cost", "a snapshot has no start-ups"),
    ("elements.generator.*.shutdown_cost", "a snapshot has no shutdowns"),
    ("elements.generator.*.min_up_time", "a snapshot has no hours"),
    ("elements.generator.*.ramp_up_60min", "a snapshot has no ramps"),
    (
        "elements.generator.*.non_fuel_startup_cost",
        "named: `generator.non_fuel_startup_cost`",
    ),
    ("elements.dc_branch.*.pt", "computed from pf and the losses"),
    ("elements.storage.*.end_state_of_charge", "a snapshot has no hours"),
    (
        "elements.storage.*.charge_cost",
        "named: costs of charging and discharging of 1 storage unit",
    ),
    (
        "elements.storage.*.discharge_cost",
        "named: costs of charging and discharging of 1 storage unit",
    ),
    ("elements.interface.*", "named: `interface`"),
];

#[test]
fn no_field_of_an_egret_document_is_lost_without_a_word() {
    check("egret-json", EGRET, &json_fields(EGRET), &OF_EGRET);
}

/// Two buses with a line and a transformer between them.
const OPFDATA: &str = r#"{
"grid": {
"nodes": {
"bus": [[230.0, 3, 0.9, 1.1], [230.0, 1, 0.9, 1.1]],
"generator": [[100.0, 0.4, 0.1, 2.0, 0.1, -0.9, 0.9, 1.02, 10.0, 2000.0, 30.0]],
"load": [[0.9, 0.3]],
"shunt": [[0.2, 0.01]]
},
"edges": {
"ac_line": {"senders": [0], "receivers": [1], "features": [[-0.5, 0.5, 0.02, 0.03, 0.01, 0.1, 1.5, 1.6, 1.7]]},
"transformer": {"senders": [0], "receivers": [1], "features": [[-0.5, 0.5, 0.01, 0.2, 1.5, 1.6, 1.7, 0.98, 0.05, 0.02, 0.03]]},
"generator_link": {"senders": [0], "receivers": [0]},
"load_link": {"senders": [0], "receivers": [1]},
"shunt_link": {"senders": [0], "receivers": [1]}
},
"context": [[[100.0]]]
},
"solution": {
"nodes": {"bus": [[0.0, 1.02], [-0.03, 1.0]], "generator": [[0.91, 0.2]]},
"edges": {
"ac_line": {"senders": [0], "receivers": [1], "features": [[-0.6, -0.1, 0.6, 0.1]]},
"transformer": {"senders": [0], "receivers": [1], "features": [[-0.3, -0.1, 0.3, 0.1]]}
}
},
"metadata": {"objective": 1858.281}
}"#;

const OF_OPFDATA: [WithoutEffect<'static>; 6] = [
    ("grid.nodes.generator.*.0", "powers are on the base of the system"),
    (
        "grid.nodes.generator.*.1",
        "a start; the dispatch is that of the solution",
    ),
    (
        "grid.nodes.generator.*.4",
        "a start; the dispatch is that of the solution",
    ),
    (
        "grid.nodes.generator.*.7",
        "a start; set-points are the voltages of the solution",
    ),
    ("solution.edges.ac_line.features.*", "result of the solution"),
    ("solution.edges.transformer.features.*", "result of the solution"),
];

#[test]
fn no_field_of_an_opfdata_document_is_lost_without_a_word() {
    check("opfdata-json", OPFDATA, &json_fields(OPFDATA), &OF_OPFDATA);
}

const GOC3: &str = include_str!("../common/goc3.json");

const OF_GOC3: [WithoutEffect<'static>; 26] = [
    (
        "network.violation_cost.*",
        "penalties for what the network here does not allow",
    ),
    ("network.ac_line.*.connection_cost", "the topology is the initial one"),
    (
        "network.ac_line.*.disconnection_cost",
        "the topology is the initial one",
    ),
    (
        "network.two_winding_transformer.*.connection_cost",
        "the topology is the initial one",
    ),
    (
        "network.two_winding_transformer.*.disconnection_cost",
        "the topology is the initial one",
    ),
    (
        "network.simple_dispatchable_device.*.initial_status.accu_up_time",
        "a snapshot has no hours",
    ),
    (
        "network.simple_dispatchable_device.*.on_cost",
        "named: The no-load, start-up and shutdown costs of 2 devices",
    ),
    (
        "network.simple_dispatchable_device.*.startup_cost",
        "named: The no-load, start-up and shutdown costs of 2 devices",
    ),
    (
        "network.simple_dispatchable_device.*.shutdown_cost",
        "named: The no-load, start-up and shutdown costs of 2 devices",
    ),
    (
        "network.simple_dispatchable_device.*.p_ramp_up_ub",
        "a snapshot has no ramps",
    ),
    (
        "network.simple_dispatchable_device.*.p_ramp_down_ub",
        "a snapshot has no ramps",
    ),
    (
        "network.simple_dispatchable_device.*.p_startup_ramp_ub",
        "a snapshot has no ramps",
    ),
    (
        "network.simple_dispatchable_device.*.p_shutdown_ramp_ub",
        "a snapshot has no ramps",
    ),
    (
        "time_series_input.general.interval_duration.*",
        "costs are in $/h and powers in MW",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.cost.*.*.0#0.1.0",
        "named: 1 interval after the first",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.cost.*.*.0#1.0.0",
        "named: its benefit and limits are left out",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.cost.*.*.0#1.1.0",
        "named: 1 interval after the first",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.q_lb.1",
        "named: 1 interval after the first",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.q_ub.1",
        "named: 1 interval after the first",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.q_lb.0#1",
        "named: its benefit and limits are left out",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.q_ub.0#1",
        "named: its benefit and limits are left out",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.p_reg_res_*",
        "prices of reserves, whose requirements are named",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.p_syn_res_cost.*",
        "prices of reserves, whose requirements are named",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.p_nsyn_res_cost.*",
        "prices of reserves, whose requirements are named",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.p_ramp_res_*",
        "prices of reserves, whose requirements are named",
    ),
    (
        "time_series_input.simple_dispatchable_device.*.q_res_*",
        "prices of reserves, whose requirements are named",
    ),
];

#[test]
fn no_field_of_a_unit_commitment_is_lost_without_a_word() {
    check("goc3-json", GOC3, &json_fields(GOC3), &OF_GOC3);
}
