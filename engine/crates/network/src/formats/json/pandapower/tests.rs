//! Rules of the tables, each against closed forms or the branch rows (`net._ppc`) that pandapower 3.5.6 builds of the same table.

use powerio::{BalancedNetwork, BusType, LoadVoltageModel};
use serde_json::{json, Map, Value};

use crate::error::EngineError;
use crate::module;

/// A document of tables, given as lists of rows by column; a row without `index` has its position as index.
fn document(tables: Value) -> String {
    let mut object = Map::new();
    for (name, rows) in tables.as_object().expect("tables") {
        let Some(rows) = rows.as_array() else {
            object.insert(name.clone(), rows.clone());
            continue;
        };
        let mut columns: Vec<&String> = Vec::new();
        for column in rows.iter().flat_map(|row| row.as_object().expect("a row").keys()) {
            if column != "index" && !columns.contains(&column) {
                columns.push(column);
            }
        }
        let index: Vec<Value> = (0..)
            .zip(rows)
            .map(|(k, row)| row.get("index").cloned().unwrap_or(json!(k)))
            .collect();
        let data: Vec<Vec<&Value>> = rows
            .iter()
            .map(|row| columns.iter().map(|c| &row[c.as_str()]).collect())
            .collect();
        let frame = json!({ "columns": columns, "index": index, "data": data }).to_string();
        object.insert(name.clone(), json!({ "_class": "DataFrame", "_object": frame }));
    }
    json!({ "_class": "pandapowerNet", "_object": object }).to_string()
}

/// Two buses at 110 kV and one at 20 kV, an external grid at the first, 10 MVA, T circuits; `tables` replace these.
fn read(tables: Value) -> Result<(BalancedNetwork, Vec<String>), EngineError> {
    let mut all = json!({
        "sn_mva": 10.0,
        "bus": [{ "vn_kv": 110.0 }, { "vn_kv": 110.0 }, { "vn_kv": 20.0 }],
        "ext_grid": [{ "bus": 0, "vm_pu": 1.02, "va_degree": 5.0 }],
        "user_pf_options": { "trafo_model": "t" },
    });
    for (name, rows) in tables.as_object().expect("tables") {
        all[name] = rows.clone();
    }
    let parsed = super::read(&document(all))?;
    let warnings = parsed.diagnostics().iter().map(|d| d.message().to_string()).collect();
    Ok((module::balanced(&parsed)?.clone(), warnings))
}

fn network(tables: Value) -> BalancedNetwork {
    read(tables).expect("a network").0
}

fn refusal(tables: Value) -> (&'static str, String) {
    let error = read(tables).expect_err("a refusal");
    (error.code, error.message())
}

#[track_caller]
fn close(found: &[f64], right: &[f64]) {
    assert_eq!(found.len(), right.len());
    for (found, right) in found.iter().zip(right) {
        assert!(
            (found - right).abs() <= 1e-12 * right.abs().max(1e-2),
            "{found} for {right}"
        );
    }
}

/// r, x, shunts of both ends, tap and shift in the order of pandapower.
fn row(branch: &powerio::Branch) -> [f64; 8] {
    let shunts = branch.calc_terminal_charging();
    [
        branch.r,
        branch.x,
        shunts.g_fr,
        shunts.b_fr,
        shunts.g_to,
        shunts.b_to,
        branch.tap,
        branch.shift,
    ]
}

fn with(base: &Value, more: Value) -> Value {
    let mut out = base.clone();
    for (key, value) in more.as_object().expect("columns") {
        out[key] = value.clone();
    }
    out
}

fn line() -> Value {
    json!({
        "from_bus": 0, "to_bus": 1, "length_km": 2.0, "r_ohm_per_km": 0.5, "x_ohm_per_km": 4.0, "c_nf_per_km": 100.0,
        "g_us_per_km": 3.0, "max_i_ka": 0.2, "df": 0.9, "parallel": 2, "max_loading_percent": 70.0, "in_service": true,
        "name": "one",
    })
}

#[test]
fn lines() {
    let net = network(json!({ "f_hz": 60.0, "line": [line(), with(&line(), json!({ "max_loading_percent": null }))] }));
    let base = 110.0 * 110.0 / 10.0;
    let (b, g) = (
        2.0 * std::f64::consts::PI * 60.0 * 100e-9 * 4.0 * base,
        3e-6 * 4.0 * base,
    );
    let right = [0.5 / base, 4.0 / base, g / 2.0, b / 2.0, g / 2.0, b / 2.0, 0.0, 0.0];
    close(&row(&net.branches()[0]), &right);
    assert_eq!(
        net.branches()[0].b,
        net.branches()[0].charging.expect("by end").calc_total_b()
    );
    let rating = 0.7 * 0.2 * 0.9 * 2.0 * 110.0 * 3.0_f64.sqrt();
    close(&[net.branches()[0].rate_a, net.branches()[1].rate_a], &[rating, 0.0]);
    assert_eq!(net.branches()[0].name.as_deref(), Some("one"));
    assert_eq!(net.branches()[1].uid.as_deref(), Some("line 1"));
}

#[test]
fn lines_with_an_open_end_are_shunts_of_the_other() {
    let switch = |bus: usize| json!({ "bus": bus, "element": 0, "et": "l", "closed": false });
    let base = 110.0 * 110.0 / 10.0;
    // The far half of the shunt is behind the impedance: y / (1 + z y).
    let (r, x) = (0.5 / base, 4.0 / base);
    let y = [
        3e-6 * 4.0 * base / 2.0,
        2.0 * std::f64::consts::PI * 50.0 * 100e-9 * 4.0 * base / 2.0,
    ];
    let (re, im) = (1.0 + r * y[0] - x * y[1], r * y[1] + x * y[0]);
    let size = re * re + im * im;
    let behind = [(y[0] * re + y[1] * im) / size, (y[1] * re - y[0] * im) / size];
    for bus in [0, 1] {
        let net = network(json!({ "line": [line(), line()], "switch": [switch(bus)] }));
        let shunt = &net.shunts()[0];
        assert_eq!((net.shunts().len(), shunt.bus.0), (1, 2 - bus));
        close(
            &[shunt.g, shunt.b],
            &[10.0 * (y[0] + behind[0]), 10.0 * (y[1] + behind[1])],
        );
        assert!(!net.branches()[0].in_service && net.branches()[1].in_service);
    }
    let both = network(json!({ "line": [line(), line()], "switch": [switch(0), switch(1)] }));
    assert!(both.shunts().is_empty() && !both.branches()[0].in_service);
    let neglected = json!({ "neglect_open_switch_branches": true });
    let without_shunt =
        network(json!({ "line": [line(), line()], "switch": [switch(0)], "user_pf_options": neglected }));
    assert!(without_shunt.shunts().is_empty() && !without_shunt.branches()[0].in_service);
    // A line to a bus out of service is open there.
    let buses = json!([{ "vn_kv": 110.0 }, { "vn_kv": 110.0, "in_service": false }]);
    let dead = network(json!({ "line": [line()], "bus": buses }));
    assert_eq!(dead.shunts().iter().map(|s| s.bus.0).collect::<Vec<_>>(), [1]);
    assert_eq!(dead.buses()[1].kind, BusType::Isolated);
}

fn transformer(more: Value) -> Value {
    let plate = json!({
        "hv_bus": 0, "lv_bus": 2, "sn_mva": 25.0, "vn_hv_kv": 112.0, "vn_lv_kv": 21.0, "vk_percent": 11.0, "vkr_percent": 0.5,
        "pfe_kw": 20.0, "i0_percent": 0.3, "shift_degree": 150.0, "tap_changer_type": null, "tap_side": null, "parallel": 1,
        "df": 1.0, "in_service": true,
    });
    with(&plate, more)
}

const PLAIN: [f64; 8] = [
    0.0022042874780377935,
    0.0484637985879219,
    0.0009068963433270027,
    -0.0032779462710024574,
    0.0009068963433270027,
    -0.0032779462710024574,
    0.9696969696969696,
    150.0,
];

/// The plain transformer with another tap and shift.
fn turned(tap: f64, shift: f64) -> [f64; 8] {
    let mut row = PLAIN;
    (row[6], row[7]) = (tap, shift);
    row
}

#[test]
fn transformers_are_pi_circuits_unless_the_network_says_t() {
    let one = |more: Value, options: Value| {
        let net = network(json!({ "trafo": [transformer(more)], "user_pf_options": options }));
        row(&net.branches()[0])
    };
    let t = || json!({ "trafo_model": "t" });
    close(&one(json!({}), t()), &PLAIN);
    let pi = [
        0.0022050000000000004,
        0.04845986045171819,
        0.0009070294784580499,
        -0.003278193264127202,
        0.0009070294784580499,
        -0.003278193264127202,
        0.9696969696969696,
        150.0,
    ];
    close(&one(json!({}), json!({ "trafo_model": "pi" })), &pi);
    close(&one(json!({}), json!({})), &pi);
    let parallel = [
        0.0011021437390188967,
        0.02423189929396095,
        0.0018137926866540054,
        -0.006555892542004915,
        0.0018137926866540054,
        -0.006555892542004915,
        0.9696969696969696,
        150.0,
    ];
    close(&one(json!({ "parallel": 2 }), t()), &parallel);
    let leakage = [
        0.0022047545997668614,
        0.048462437416855346,
        0.00021580949545645063,
        -0.0013591662280827933,
        0.0015981046569903787,
        -0.005196887441331688,
        0.9696969696969696,
        150.0,
    ];
    let parts = json!({ "leakage_resistance_ratio_hv": 0.3, "leakage_reactance_ratio_hv": 0.8 });
    close(&one(parts, t()), &leakage);
    close(
        &one(
            json!({}),
            json!({ "trafo_model": "t", "calculate_voltage_angles": false }),
        ),
        &turned(PLAIN[6], 0.0),
    );
    let limit = json!({ "max_loading_percent": 80.0, "df": 0.5, "parallel": 2 });
    let net = network(json!({ "trafo": [transformer(limit)] }));
    close(&[net.branches()[0].rate_a], &[0.8 * 25.0 * 0.5 * 2.0]);
    assert_eq!(
        refusal(json!({ "user_pf_options": { "trafo_model": "x" } })).0,
        "INPUT.TABLE"
    );
}

#[test]
fn tap_changers() {
    let one = |more: Value| row(&network(json!({ "trafo": [transformer(more)] })).branches()[0]);
    let tap = |side: &str, kind: Value, neutral: f64, pos: f64, percent: Value, degree: Value| {
        json!({
            "tap_side": side, "tap_changer_type": kind, "tap_neutral": neutral, "tap_pos": pos, "tap_step_percent": percent,
            "tap_step_degree": degree,
        })
    };
    let null = Value::Null;
    close(
        &one(tap("hv", json!("Ratio"), 0.0, 3.0, json!(1.5), null.clone())),
        &turned(1.0133333333333334, 150.0),
    );
    let low = [
        0.001947708415594192,
        0.04282261243228778,
        0.001026365259537124,
        -0.003709762642601242,
        0.001026365259537124,
        -0.003709762642601242,
        1.0315925209542232,
        150.0,
    ];
    close(
        &one(tap("lv", json!("Ratio"), 1.0, -3.0, json!(1.5), null.clone())),
        &low,
    );
    close(
        &one(tap("hv", json!("Ratio"), 0.0, 2.0, json!(2.0), json!(60.0))),
        &turned(0.9896611546897899, 151.94511908450383),
    );
    let symmetrical = [
        0.0022078143380026543,
        0.04854134066566258,
        0.0009054476271236054,
        -0.0032727099351062875,
        0.0009054476271236054,
        -0.0032727099351062875,
        0.968922141790826,
        147.70938995736148,
    ];
    close(
        &one(tap("lv", json!("Symmetrical"), 0.0, 2.0, json!(2.0), json!(90.0))),
        &symmetrical,
    );
    close(
        &one(tap("lv", json!("Ideal"), 0.0, 2.0, null.clone(), json!(1.25))),
        &turned(PLAIN[6], 147.5),
    );
    close(
        &one(tap("hv", json!("Ideal"), 0.0, -2.0, json!(1.5), null.clone())),
        &turned(PLAIN[6], 148.28106215032835),
    );
    close(
        &one(tap("hv", null.clone(), 0.0, 3.0, json!(1.5), null.clone())),
        &PLAIN,
    );
    close(
        &one(tap("hv", json!("Ratio"), 0.0, 3.0, json!(0.0), null.clone())),
        &PLAIN,
    );
    let both = tap("hv", json!("Ideal"), 0.0, 3.0, json!(1.5), json!(1.0));
    assert_eq!(refusal(json!({ "trafo": [transformer(both)] })).0, "INPUT.TABLE");
    let second = json!({
        "tap_side": "hv", "tap_neutral": 0, "tap_pos": 2, "tap_step_percent": 1.0, "tap_changer_type": "Ratio", "tap2_side": "lv",
        "tap2_neutral": 0, "tap2_pos": -1, "tap2_step_percent": 2.0, "tap2_step_degree": 0.0, "tap2_changer_type": "Ratio",
    });
    let two = [
        0.0021169976939074925,
        0.046544632163840194,
        0.0009442902367003366,
        -0.003413105238444876,
        0.0009442902367003366,
        -0.003413105238444876,
        1.0092764378478665,
        150.0,
    ];
    close(&one(second), &two);
}

#[test]
fn taps_of_networks_before_version_3_have_no_type() {
    let mut plate = transformer(json!({ "tap_side": "hv", "tap_neutral": 0, "tap_pos": 3, "tap_step_percent": 1.5 }));
    plate.as_object_mut().expect("columns").remove("tap_changer_type");
    let net = network(json!({ "trafo": [plate] }));
    close(&row(&net.branches()[0]), &turned(1.0133333333333334, 150.0));
    let degree = json!({ "tap_step_percent": null, "tap_step_degree": 2.0 });
    let net = network(json!({ "trafo": [with(&plate_of_old(), degree)] }));
    close(&row(&net.branches()[0]), &turned(PLAIN[6], 156.0));
}

fn plate_of_old() -> Value {
    let mut plate = transformer(json!({ "tap_side": "hv", "tap_neutral": 0, "tap_pos": 3 }));
    plate.as_object_mut().expect("columns").remove("tap_changer_type");
    plate
}

#[test]
fn tables_of_tap_positions() {
    let table = json!([
        { "id_characteristic": 4, "step": 1, "voltage_ratio": 0.9, "angle_deg": 0.0, "vk_percent": 5.0, "vkr_percent": 0.1 },
        { "id_characteristic": 4, "step": 2, "voltage_ratio": 1.045, "angle_deg": 3.0, "vk_percent": 11.0, "vkr_percent": 0.5 },
    ]);
    let dependent = |step: f64| {
        transformer(json!({
            "tap_side": "hv", "tap_pos": step, "tap_dependency_table": true, "id_characteristic_table": 4,
            "tap_changer_type": "Tabular", "vk_percent": 99.0,
        }))
    };
    // vkr and vk are those of the nameplate; the ratio is that of three steps of 1.5 %, with the additional angle.
    let net = network(json!({ "trafo": [with(&dependent(2.0), json!({ "tap_dependency_table": false }))] }));
    assert_ne!(net.branches()[0].x, PLAIN[1]);
    let mut all = json!({ "trafo": [dependent(2.0)], "trafo_characteristic_table": table.clone() });
    let missing = refusal(json!({ "trafo": [dependent(7.0)], "trafo_characteristic_table": table }));
    assert_eq!(missing.0, "INPUT.TABLE");
    assert!(missing.1.contains("`trafo_characteristic_table`"), "{}", missing.1);
    // The column of `tap_dependency_table` names the one of the first tap changer.
    close(
        &row(&network(all.clone()).branches()[0]),
        &turned(1.0133333333333334, 153.0),
    );
    all["trafo"][0]["tap_side"] = json!("lv");
    let lv = row(&network(all).branches()[0]);
    close(&lv[6..], &[PLAIN[6] / 1.045, 147.0]);
}

fn three_windings(more: Value) -> Value {
    let plate = json!({
        "hv_bus": 0, "mv_bus": 2, "lv_bus": 3, "vn_hv_kv": 110.0, "vn_mv_kv": 21.0, "vn_lv_kv": 10.5, "sn_hv_mva": 63.0,
        "sn_mv_mva": 25.0, "sn_lv_mva": 38.0, "vk_hv_percent": 10.4, "vk_mv_percent": 10.8, "vk_lv_percent": 11.2,
        "vkr_hv_percent": 0.28, "vkr_mv_percent": 0.32, "vkr_lv_percent": 0.35, "pfe_kw": 35.0, "i0_percent": 0.89,
        "shift_mv_degree": 30.0, "shift_lv_degree": -30.0, "tap_changer_type": "Ratio", "tap_side": null, "tap_at_star_point": false,
        "max_loading_percent": 50.0,
    });
    let buses = json!([{ "vn_kv": 110.0 }, { "vn_kv": 110.0 }, { "vn_kv": 20.0 }, { "vn_kv": 10.0 }]);
    json!({ "bus": buses, "trafo3w": [with(&plate, more)] })
}

const HV: [f64; 8] = [
    0.0003805049475968188,
    0.013934310949834461,
    0.0017494663475052586,
    -0.027974877713139706,
    0.0017494663475052586,
    -0.027974877713139706,
    1.0,
    0.0,
];
const MV: [f64; 8] = [
    0.0008152697368421053,
    0.03048779851298585,
    0.0,
    0.0,
    0.0,
    0.0,
    0.9523809523809524,
    30.0,
];
const LV: [f64; 8] = [
    0.0005959302631578946,
    0.01711929022976337,
    0.0,
    0.0,
    0.0,
    0.0,
    0.9523809523809524,
    -30.0,
];

#[test]
fn transformers_of_three_windings() {
    let legs = |more: Value| -> Vec<[f64; 8]> {
        let net = network(three_windings(more));
        net.branches().iter().map(row).collect()
    };
    let check = |legs: Vec<[f64; 8]>, right: [[f64; 8]; 3]| {
        assert_eq!(legs.len(), 3);
        legs.iter().zip(right).for_each(|(leg, right)| close(leg, &right));
    };
    check(legs(json!({})), [HV, MV, LV]);
    let tap = |side: &str, steps: f64, star: bool| {
        json!({
            "tap_side": side, "tap_neutral": 0, "tap_pos": steps, "tap_step_percent": 1.2, "tap_step_degree": 0.0,
            "tap_at_star_point": star,
        })
    };
    let mut mv = MV;
    mv[6] = 0.9192866335723479;
    check(legs(tap("mv", 3.0, true)), [HV, mv, LV]);
    let mut hv = HV;
    hv[6] = 0.952;
    check(legs(tap("hv", -4.0, false)), [hv, MV, LV]);
    let star = [
        0.0004198425115599394,
        0.015374875262422389,
        0.001585548348609406,
        -0.025353743570929364,
        0.001585548348609406,
        -0.025353743570929364,
        0.9520000000000001,
        0.0,
    ];
    check(legs(tap("hv", -4.0, true)), [star, MV, LV]);
    let hv = [0.0003805263157894736, 0.01393158835923003, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let lv = [
        0.0005958535849614956,
        0.0171215391817683,
        0.0015869557001428444,
        -0.0152535285074661,
        0.0015869557001428444,
        -0.0152535285074661,
        0.9523809523809524,
        -30.0,
    ];
    check(legs(json!({ "loss_side": "lv" })), [hv, MV, lv]);
    let mut at_star = three_windings(json!({}));
    at_star["user_pf_options"] = json!({ "trafo_model": "t", "trafo3w_losses": "star" });
    let net = network(at_star);
    check(net.branches().iter().map(row).collect(), [hv, MV, LV]);
    close(&[net.shunts()[0].g, net.shunts()[0].b], &[0.035, -0.5596065492826188]);
    // The star point has the first free number and the position of the transformer.
    let star = &net.buses()[4];
    assert_eq!((star.id.0, star.base_kv, net.shunts()[0].bus), (5, 110.0, star.id));
    let rated: Vec<f64> = net.branches().iter().map(|b| b.rate_a).collect();
    assert_eq!(rated, [31.5, 12.5, 19.0]);
}

#[test]
fn open_switches_at_transformers() {
    let switch = |kind: &str, bus: usize| json!([{ "bus": bus, "element": 0, "et": kind, "closed": false }]);
    let net = network(json!({ "trafo": [transformer(json!({}))], "switch": switch("t", 2) }));
    assert!(!net.branches()[0].in_service && net.shunts()[0].bus.0 == 1);
    // Half of the series impedance z and the whole shunt y of the pi circuit: 1 / (z / 2 + 1 / y), behind the ratio.
    let (r, x) = (0.0022050000000000004 / 2.0, 0.04845986045171819 / 2.0);
    let (g, b) = (2.0 * 0.0009070294784580499, -2.0 * 0.003278193264127202);
    let (re, im) = (r + g / (g * g + b * b), x - b / (g * g + b * b));
    let scale = 10.0 / (PLAIN[6] * PLAIN[6]) / (re * re + im * im);
    close(&[net.shunts()[0].g, net.shunts()[0].b], &[re * scale, -im * scale]);
    let mut of_three = three_windings(json!({}));
    of_three["switch"] = switch("t3", 3);
    let net = network(of_three);
    let in_service: Vec<bool> = net.branches().iter().map(|b| b.in_service).collect();
    assert_eq!((in_service, net.shunts().len()), (vec![true, true, false], 0));
}

#[test]
fn switches_between_buses() {
    let switch =
        |closed: bool, ohm: f64| json!([{ "bus": 0, "element": 1, "et": "b", "closed": closed, "z_ohm": ohm }]);
    let open = network(json!({ "switch": switch(false, 0.0) }));
    assert_eq!((open.branches().len(), open.branches()[0].in_service), (1, false));
    let closed = network(json!({ "switch": switch(true, 0.0) }));
    assert_eq!((closed.branches()[0].r, closed.branches()[0].x), (0.0, 0.0));
    assert_eq!(
        (closed.branches()[0].rate_a, closed.buses()[1].kind),
        (0.0, BusType::Pq)
    );
    let ohm = network(json!({ "switch": switch(true, 0.5) }));
    let z = 0.5 / (110.0 * 110.0 / 10.0);
    close(
        &[ohm.branches()[0].r, ohm.branches()[0].x],
        &[z * 2.0 / 5.0_f64.sqrt(), z / 5.0_f64.sqrt()],
    );
}

#[test]
fn impedances() {
    let plate = json!({
        "from_bus": 0, "to_bus": 1, "rft_pu": 0.01, "xft_pu": 0.08, "rtf_pu": 0.01, "xtf_pu": 0.08, "gf_pu": 0.1, "bf_pu": 0.2,
        "gt_pu": 0.3, "bt_pu": 0.4, "sn_mva": 50.0,
    });
    let net = network(json!({ "impedance": [plate.clone()] }));
    close(&row(&net.branches()[0]), &[0.002, 0.016, 0.5, 1.0, 1.5, 2.0, 0.0, 0.0]);
    assert_eq!(net.branches()[0].rate_a, 50.0);
    let back = with(&plate, json!({ "xtf_pu": 0.09 }));
    assert_eq!(refusal(json!({ "impedance": [back.clone()] })).0, "PHYSICS.UNSUPPORTED");
    network(json!({ "impedance": [with(&back, json!({ "in_service": false }))] }));
    let former = json!({ "from_bus": 0, "to_bus": 1, "r_pu": 0.01, "x_pu": 0.08, "sn_mva": 50.0 });
    close(
        &row(&network(json!({ "impedance": [former] })).branches()[0])[..2],
        &[0.002, 0.016],
    );
}

#[test]
fn demand_of_every_table() {
    let (net, warnings) = read(json!({
        "line": [line()],
        "load": [{ "bus": 1, "p_mw": 3.0, "q_mvar": 1.0, "scaling": 0.5 }],
        "motor": [{ "bus": 1, "pn_mech_mw": 2.0, "cos_phi": 0.8, "efficiency_percent": 80.0, "loading_percent": 60.0, "scaling": 0.5 }],
        "asymmetric_load": [
            { "bus": 1, "p_a_mw": 1.0, "p_b_mw": 2.0, "p_c_mw": 3.0, "q_a_mvar": 0.1, "q_b_mvar": 0.2, "q_c_mvar": 0.3, "scaling": 2.0 },
        ],
        "asymmetric_sgen": [{ "bus": 1, "p_a_mw": 0.1, "p_b_mw": 0.2, "p_c_mw": 0.3, "q_a_mvar": 0.0, "q_b_mvar": 0.0, "q_c_mvar": 0.1 }],
        "storage": [{ "bus": 1, "p_mw": -2.0, "q_mvar": 0.5, "scaling": 2.0, "max_e_mwh": 8.0 }],
        "ward": [{ "bus": 1, "ps_mw": 5.0, "qs_mvar": 1.0, "pz_mw": 4.0, "qz_mvar": 2.0 }],
        "xward": [{ "bus": 1, "ps_mw": 5.0, "qs_mvar": 1.0, "pz_mw": 4.0, "qz_mvar": 2.0, "r_ohm": 12.1, "x_ohm": 121.0, "vm_pu": 1.03 }],
        "shunt": [
            { "bus": 2, "p_mw": 0.1, "q_mvar": -0.9, "vn_kv": 10.0, "step": 3 },
            { "bus": 2, "p_mw": 0.1, "q_mvar": -0.9, "vn_kv": null, "step": 2, "step_dependency_table": true, "id_characteristic_table": 7 },
        ],
        "shunt_characteristic_table": [{ "id_characteristic": 7, "step": 2, "p_mw": 0.4, "q_mvar": -5.0 }],
        "trafo": [transformer(json!({}))],
    }))
    .expect("a network");
    // A motor of 2 MW at the shaft with 80 %, 60 % and 0.5 takes 0.75 MW and 0.5625 Mvar.
    let loads: Vec<[f64; 2]> = net.loads().iter().map(|load| [load.p, load.q]).collect();
    let right = [[1.5, 0.5], [0.75, 0.5625], [12.0, 1.2], [5.0, 1.0], [5.0, 1.0]];
    loads.iter().zip(right).for_each(|(load, right)| close(load, &right));
    assert_eq!(loads.len(), right.len());
    let shunts: Vec<[f64; 2]> = net.shunts().iter().map(|shunt| [shunt.g, shunt.b]).collect();
    let right = [[1.2, 10.8], [0.4, 5.0], [4.0, -2.0], [4.0, -2.0]];
    shunts.iter().zip(right).for_each(|(shunt, right)| close(shunt, &right));
    assert_eq!(shunts.len(), right.len());
    // The phases of the static generator add to 0.6 MW and 0.1 Mvar; the ward holds 1.03 pu behind its impedance.
    let units: Vec<[f64; 4]> = net.generators().iter().map(|g| [g.pmin, g.pmax, g.qg, g.vg]).collect();
    close(&units[1], &[0.6, 0.6, 0.1, 1.0]);
    close(&units[2], &[0.0, 0.0, 0.0, 1.03]);
    let source = net.buses().last().expect("the source of the ward");
    assert_eq!((source.kind, source.vm, source.id.0), (BusType::Pv, 1.03, 4));
    close(&row(net.branches().last().expect("its impedance"))[..2], &[0.01, 0.1]);
    assert!(
        warnings
            .iter()
            .any(|w| w.contains("`asymmetric_load`") && w.contains("12.0 MW")),
        "{warnings:?}"
    );
    let storage = &net.storage()[0];
    assert_eq!((storage.ps, storage.qs, storage.energy_rating), (-4.0, 1.0, 8.0));
}

#[test]
fn voltage_dependence() {
    let load = |bus: usize, p: f64, z: f64, i: f64| {
        json!({
            "bus": bus, "p_mw": p, "q_mvar": 1.0, "const_z_p_percent": z, "const_i_p_percent": i, "const_z_q_percent": 10.0,
            "const_i_q_percent": 0.0,
        })
    };
    let zip = |load: &powerio::Load| match load.voltage_model {
        Some(LoadVoltageModel::Zip {
            p_constant_power,
            p_constant_current,
            p_constant_impedance,
            q_constant_power,
            q_constant_impedance,
            ..
        }) => [
            p_constant_power,
            p_constant_current,
            p_constant_impedance,
            q_constant_power,
            q_constant_impedance,
        ],
        ref other => panic!("{other:?}"),
    };
    let net = network(json!({ "line": [line()], "load": [load(1, 4.0, 25.0, 50.0)] }));
    close(&zip(&net.loads()[0]), &[1.0, 2.0, 1.0, 0.9, 0.1]);
    // At one bus the mean of the percentages, (25 + 75) / 2 and 50 / 2, counts for all power: 6 MW of loads less 2 MW.
    let mixed = json!({
        "line": [line()], "load": [load(1, 4.0, 25.0, 50.0), load(1, 2.0, 75.0, 0.0)],
        "sgen": [{ "bus": 1, "p_mw": 2.0, "q_mvar": 0.0 }],
    });
    let (net, warnings) = read(mixed.clone()).expect("a network");
    let (a, b) = (zip(&net.loads()[0]), zip(&net.loads()[1]));
    let sum: Vec<f64> = a.iter().zip(b).map(|(a, b)| a + b).collect();
    // 4 MW at constant power, current and impedance in the parts 0.25, 0.25 and 0.5, and the 2 MW that the generator gives back.
    close(&sum, &[1.0 + 2.0, 1.0, 2.0, 1.8, 0.2]);
    assert!(
        warnings
            .iter()
            .any(|w| w.contains("At 1 bus the mean voltage dependence")),
        "{warnings:?}"
    );
    let mut constant = mixed;
    constant["user_pf_options"] = json!({ "voltage_depend_loads": false });
    assert!(network(constant)
        .loads()
        .iter()
        .all(|load| load.voltage_model.is_none()));
    // Before version 3.2 one column served both powers.
    let former = json!({ "bus": 1, "p_mw": 2.0, "q_mvar": 1.0, "const_z_percent": 50.0, "const_i_percent": 0.0 });
    let net = network(json!({ "line": [line()], "load": [former] }));
    close(&zip(&net.loads()[0]), &[1.0, 0.0, 1.0, 0.5, 0.5]);
}

#[test]
fn units_and_what_of_them_an_optimisation_moves() {
    let net = network(json!({
        "line": [line()],
        "gen": [
            { "bus": 1, "p_mw": 10.0, "vm_pu": 1.01, "scaling": 0.5, "min_p_mw": 2.0, "max_p_mw": 30.0, "min_q_mvar": -5.0, "max_q_mvar": 6.0,
              "controllable": true, "sn_mva": 40.0 },
            { "bus": 1, "p_mw": 7.0, "vm_pu": 1.01, "min_p_mw": 0.0, "max_p_mw": 30.0, "controllable": false, "in_service": false },
        ],
        "sgen": [
            { "bus": 1, "p_mw": 20.0, "q_mvar": 2.0, "scaling": 0.5, "max_p_mw": 50.0, "controllable": false, "type": "PV" },
            { "bus": 1, "p_mw": 20.0, "q_mvar": 2.0, "scaling": 0.5, "min_p_mw": 0.0, "max_p_mw": 50.0, "controllable": true },
            { "bus": 1, "p_mw": -3.0, "q_mvar": 1.0 },
        ],
        "load": [
            { "bus": 1, "p_mw": 15.0, "q_mvar": 4.0, "scaling": 0.5, "min_p_mw": 1.0, "max_p_mw": 40.0, "min_q_mvar": 0.0, "max_q_mvar": 8.0,
              "controllable": true },
        ],
    }));
    let rows: Vec<[f64; 6]> = net
        .generators()
        .iter()
        .map(|g| [g.pg, g.pmin, g.pmax, g.qg, g.qmin, g.qmax])
        .collect();
    let inf = f64::INFINITY;
    // Power of the grid: 3 MW of demand less the output of the four units in service (5 + 10 + 10 - 7.5).
    assert_eq!(rows[0][..3], [3.0 - 17.5, -inf, inf]);
    assert_eq!(rows[1], [5.0, 2.0, 30.0, 0.0, -5.0, 6.0]);
    assert_eq!(rows[2][..3], [7.0, 7.0, 7.0]);
    assert_eq!(rows[3], [10.0, 10.0, 10.0, 1.0, 1.0, 1.0]);
    assert_eq!(rows[4], [10.0, 0.0, 50.0, 1.0, -inf, inf]);
    assert_eq!(rows[5], [-7.5, -40.0, -1.0, -2.0, -8.0, 0.0]);
    assert_eq!((net.loads().len(), net.loads()[0].p, net.loads()[0].q), (1, 3.0, -1.0));
    // Units without voltage control have the set-point of the machine at their bus.
    assert!(net.generators().iter().skip(1).all(|g| g.vg == 1.01));
    assert_eq!((net.buses()[1].kind, net.buses()[1].vm), (BusType::Pv, 1.01));
    assert_eq!(
        net.generators()[3].energy_source,
        powerio::network::GeneratorEnergySource::Solar
    );
    assert_eq!(net.generators()[1].mbase, 40.0);
}

#[test]
fn references() {
    let net = network(json!({ "line": [line()], "ext_grid": [
        { "bus": 0, "vm_pu": 1.02, "va_degree": 5.0 }, { "bus": 1, "vm_pu": 1.0, "va_degree": -1.0, "in_service": false },
    ], "gen": [{ "bus": 1, "p_mw": 3.0, "vm_pu": 1.01, "slack": true }, { "bus": 0, "p_mw": 1.0, "vm_pu": 1.02 }] }));
    let buses: Vec<_> = net.buses()[..2].iter().map(|b| (b.kind, b.vm, b.va)).collect();
    assert_eq!(buses, [(BusType::Ref, 1.02, 5.0), (BusType::Ref, 1.01, 0.0)]);
    let net = network(json!({ "line": [line()], "user_pf_options": { "calculate_voltage_angles": "auto" } }));
    assert_eq!(net.buses()[0].va, 0.0, "no bus is both beginning and end of a line");
}

#[test]
fn limits_of_voltages() {
    let net = network(json!({
        "bus": [
            { "vn_kv": 110.0, "min_vm_pu": 0.9, "max_vm_pu": 1.1 }, { "vn_kv": 110.0, "min_vm_pu": 0.9, "max_vm_pu": 1.1 },
            { "vn_kv": 20.0, "min_vm_pu": null },
        ],
        "line": [line()],
        "trafo": [transformer(json!({}))],
        "gen": [{ "bus": 1, "p_mw": 3.0, "vm_pu": 1.01, "min_vm_pu": 0.95, "max_vm_pu": 1.2 }],
    }));
    let limits: Vec<_> = net.buses().iter().map(|b| (b.vmin, b.vmax)).collect();
    // An external grid controls its voltage in an optimisation; missing limits are those of pandapower.
    assert_eq!(limits, [(1.02, 1.02), (0.95, 1.1), (0.0, 2.0)]);
}

#[test]
fn costs() {
    let cost = |et: &str, element: usize, c2: f64, c1: f64, c0: f64| json!({ "et": et, "element": element, "cp2_eur_per_mw2": c2, "cp1_eur_per_mw": c1, "cp0_eur": c0, "cq1_eur_per_mvar": 0.0 });
    let (net, warnings) = read(json!({
        "line": [line()],
        "gen": [{ "bus": 1, "p_mw": 3.0, "vm_pu": 1.01, "index": 5 }],
        "sgen": [{ "bus": 1, "p_mw": 3.0, "q_mvar": 0.0 }],
        "load": [{ "bus": 1, "p_mw": 3.0, "q_mvar": 0.0, "controllable": true }],
        "storage": [{ "bus": 1, "p_mw": 0.0, "q_mvar": 0.0, "controllable": true }],
        "poly_cost": [
            cost("gen", 5, 0.1, 20.0, 3.0), cost("load", 0, 0.0, -60.0, 0.0), cost("sgen", 0, 0.0, 5.0, 0.0), cost("gen", 0, 0.0, 5.0, 0.0),
            cost("dcline", 0, 0.0, 1.0, 0.0), with(&cost("ext_grid", 0, 0.0, 30.0, 0.0), json!({ "cq1_eur_per_mvar": 1.0 })),
        ],
        "pwl_cost": [
            { "et": "storage", "element": 0, "power_type": "p", "points": [[-10.0, 0.0, 4.0], [0.0, 20.0, 3.0]] },
            { "et": "gen", "element": 5, "power_type": "q", "points": [[0.0, 1.0, 1.0]] },
        ],
    }))
    .expect("a network");
    let costs: Vec<_> = net
        .generators()
        .iter()
        .map(|g| g.cost.as_ref().map(|c| (c.model, c.coeffs.clone())))
        .collect();
    assert_eq!(costs[0], Some((2, vec![30.0, 0.0])));
    assert_eq!(costs[1], Some((2, vec![0.1, 20.0, 3.0])));
    // A fixed unit has no cost.
    assert_eq!(costs[2], Some((2, vec![0.0, 0.0])));
    // A benefit of 60 for each MW consumed: the power of the unit has the opposite sign.
    assert_eq!(costs[3], Some((2, vec![60.0, 0.0])));
    assert_eq!(costs[4], Some((1, vec![-10.0, 40.0, 0.0, 0.0, 20.0, -60.0])));
    let reported = warnings
        .iter()
        .find(|w| w.starts_with("Costs of elements"))
        .expect("a warning");
    assert!(
        reported.contains("`dcline` (1), `gen` (1) and `sgen` (1)"),
        "{reported}"
    );
    assert!(
        warnings.iter().any(|w| w.starts_with("2 costs of reactive power")),
        "{warnings:?}"
    );
    let apart =
        json!([{ "et": "ext_grid", "element": 0, "power_type": "p", "points": [[0.0, 1.0, 1.0], [2.0, 3.0, 1.0]] }]);
    assert_eq!(refusal(json!({ "pwl_cost": apart })).0, "INPUT.TABLE");
}

#[test]
fn what_no_reference_supplies_is_out_of_service() {
    let (net, warnings) =
        read(json!({ "load": [{ "bus": 1, "p_mw": 3.0, "q_mvar": 1.0 }], "trafo": [transformer(json!({}))] }))
            .expect("a network");
    assert_eq!(net.buses()[1].kind, BusType::Isolated);
    assert!(
        warnings
            .iter()
            .any(|w| w.starts_with("1 bus has no connection") && w.contains("3.0 MW of demand")),
        "{warnings:?}"
    );
    let alone = network(json!({ "ext_grid": [], "load": [{ "bus": 1, "p_mw": 3.0, "q_mvar": 1.0 }] }));
    assert!(alone.buses().iter().all(|bus| bus.kind == BusType::Pq));
}

#[test]
fn numbers_names_and_positions() {
    let buses = json!([
        { "index": 7, "vn_kv": 110.0, "name": "seven", "zone": "north", "geo": "{\"type\":\"Point\",\"coordinates\":[13.4,52.5]}" },
        { "index": 0, "vn_kv": 110.0, "name": null, "zone": 3.0, "geo": { "type": "Point", "coordinates": [14.4, 53.5] } },
    ]);
    let grid = json!([{ "bus": 7, "vm_pu": 1.0 }]);
    let net = network(json!({ "bus": buses.clone(), "ext_grid": grid }));
    let reported: Vec<_> = net
        .buses()
        .iter()
        .map(|b| (b.id.0, b.extras["pandapower_index"].as_u64(), b.name.as_deref(), b.zone))
        .collect();
    assert_eq!(reported, [(8, Some(7), Some("seven"), 1), (1, Some(0), None, 3)]);
    let place = net.buses()[0].location.expect("a position");
    assert_eq!((place.x, place.y), (13.4, 52.5));
    // Positions of networks before version 3.
    let former = json!([{ "index": 7, "vn_kv": 110.0 }]);
    let table = json!([{ "index": 7, "x": 9.9, "y": 49.8, "coords": null }]);
    let net = network(json!({ "bus": former, "bus_geodata": table, "ext_grid": [{ "bus": 7, "vm_pu": 1.0 }] }));
    assert_eq!(net.buses()[0].location.map(|p| p.x), Some(9.9));
}

#[test]
fn refusals() {
    let svc = |in_service: bool| json!({ "svc": [{ "bus": 1, "in_service": in_service }] });
    assert_eq!(refusal(svc(true)).0, "PHYSICS.UNSUPPORTED");
    network(svc(false));
    assert_eq!(
        refusal(json!({ "load": [{ "bus": 9, "p_mw": 1.0 }] })).0,
        "INPUT.UNKNOWN_BUS"
    );
    assert_eq!(
        refusal(json!({ "load": [{ "bus": 1, "p_kw": 1.0 }] })).0,
        "INPUT.REVISION"
    );
    let nameless = refusal(json!({ "line": [with(&line(), json!({ "x_ohm_per_km": null }))] }));
    assert_eq!(
        nameless.1,
        "Row 0 of the table `line` has no number in the column `x_ohm_per_km`."
    );
    assert_eq!(
        refusal(json!({ "bus": [{ "index": -1, "vn_kv": 1.0 }] })).0,
        "INPUT.TABLE"
    );
    assert_eq!(refusal(json!({ "sn_mva": 0.0 })).0, "INPUT.PARSE");
    assert_eq!(super::read("{}").expect_err("no network").code, "INPUT.PARSE");
}

#[test]
fn what_is_not_in_the_network_is_named() {
    let (_, warnings) = read(json!({
        "controller": [{ "object": "tap", "in_service": true }, { "object": "tap", "in_service": false }],
        "load_dc": [{ "bus_dc": 0, "p_dc_mw": 4.0, "scaling": 0.5 }],
        "heat_pump": [{ "bus": 0 }, { "bus": 1 }],
        "res_bus": [{ "vm_pu": 1.0 }],
        "measurement": [{ "value": 1.0 }],
        "user_pf_options": { "enforce_q_lims": true },
        "line": [with(&line(), json!({ "max_loading_percent": 0.0 }))],
    }))
    .expect("a network");
    let reported = warnings.join("\n");
    for expected in [
        "1 controller is not run",
        "2.0 MW of demand at direct-current buses is left out (1 load)",
        "`heat_pump` (2)",
        "`user_pf_options` that are not applied: enforce_q_lims",
        "1 line or transformer has a loading limit of zero",
        "Bus numbers are pandapower's index plus 1",
    ] {
        assert!(reported.contains(expected), "{expected}: {reported}");
    }
    assert!(
        !reported.contains("res_bus") && !reported.contains("measurement"),
        "{reported}"
    );
}
