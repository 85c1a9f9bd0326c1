//! AC power flow through the Study: voltages against MATPOWER's, power balance by arithmetic of this file on the published columns,
//! edits, previews, derivatives and loadability.

mod common;

use common::{data, ingest, parse, text};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use wattbook_study::contract::{Column, ColumnName};
use wattbook_study::{materialize_module, solve_module_json, Job, Study};

const AS_FILED: &str = r#"{"dispatch":"file","slack":"single"}"#;

fn column(columns: &[Column], name: ColumnName) -> &[f64] {
    let column = columns.iter().find(|column| column.name == name);
    &column.unwrap_or_else(|| panic!("no column {name:?}")).values
}

struct Flow {
    head: Value,
    columns: Vec<Column>,
}

impl Flow {
    fn of(study: &Study) -> Self {
        let reply = study.current_solution().expect("a solution");
        Self {
            head: parse(&reply.json),
            columns: reply.columns,
        }
    }

    fn at(&self, name: ColumnName) -> &[f64] {
        column(&self.columns, name)
    }

    fn sha256(&self) -> &str {
        self.head["result_sha256"].as_str().expect("a hash")
    }
}

/// A case of the data folder; None without the folder.
fn case(path: &str) -> Option<String> {
    Some(text(&ingest(&data(path)?, "matpower")))
}

/// One of the bundled grids.
fn grid(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../server/grids/{name}.json.gz"));
    let packed = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut module = String::new();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_string(&mut module)
        .expect("a module");
    module
}

/// Balances of all buses from the module's own rows and the published columns, MW and MVAr: what is injected less what the
/// voltages push into branches (two-port by admittances in rectangular form) and shunts. Flows are compared too.
fn largest_imbalance(module: &str, flow: &Flow) -> f64 {
    let network = wattbook_network::network_from_module(module).expect("a network");
    let base = network.base_mva;
    let vm = flow.at(ColumnName::VmPu);
    let va = flow.at(ColumnName::VaRad);
    let v = |bus: usize| (vm[bus] * va[bus].cos(), vm[bus] * va[bus].sin());
    let times = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
    let conj = |a: (f64, f64)| (a.0, -a.1);
    let scale = |a: (f64, f64), k: f64| (a.0 * k, a.1 * k);
    let mut left: Vec<(f64, f64)> = (0..network.buses.len())
        .map(|bus| {
            let (p, q) = (
                flow.at(ColumnName::InjectionMw)[bus],
                flow.at(ColumnName::InjectionMvar)[bus],
            );
            let square = vm[bus] * vm[bus] * base;
            (
                p - network.buses[bus].gs_pu * square,
                q + network.buses[bus].bs_pu * square,
            )
        })
        .collect();
    let mut worst = 0.0f64;
    for (row, branch) in network.branches.iter().enumerate() {
        let published = [
            ColumnName::FlowMw,
            ColumnName::FlowMvar,
            ColumnName::FlowToMw,
            ColumnName::FlowToMvar,
        ]
        .map(|name| flow.at(name)[row]);
        if published[0].is_nan() {
            continue;
        }
        if branch.is_zero_impedance() {
            // Its flow is what its ends' balances need.
            left[branch.from] = add(left[branch.from], (-published[0], -published[1]));
            left[branch.to] = add(left[branch.to], (-published[2], -published[3]));
            continue;
        }
        let square = branch.r_pu * branch.r_pu + branch.x_pu * branch.x_pu;
        let y = (branch.r_pu / square, -branch.x_pu / square);
        let own = (y.0, y.1 + 0.5 * branch.b_pu);
        let a = (branch.tap * branch.shift_rad.cos(), branch.tap * branch.shift_rad.sin());
        let over = |z: (f64, f64), by: (f64, f64)| scale(times(z, conj(by)), 1.0 / (by.0 * by.0 + by.1 * by.1));
        let (f, t) = (v(branch.from), v(branch.to));
        let i_f = add(
            times(scale(own, 1.0 / (branch.tap * branch.tap)), f),
            scale(times(over(y, conj(a)), t), -1.0),
        );
        let i_t = add(times(own, t), scale(times(over(y, a), f), -1.0));
        let s_f = scale(times(f, conj(i_f)), base);
        let s_t = scale(times(t, conj(i_t)), base);
        for (mine, theirs) in [s_f.0, s_f.1, s_t.0, s_t.1].iter().zip(published) {
            worst = worst.max((mine - theirs).abs());
        }
        left[branch.from] = add(left[branch.from], (-s_f.0, -s_f.1));
        left[branch.to] = add(left[branch.to], (-s_t.0, -s_t.1));
    }
    for (p, q) in left.iter().filter(|(p, _)| !p.is_nan()) {
        worst = worst.max(p.abs()).max(q.abs());
    }
    // What is injected is what generators give less what is drawn.
    let mut given = vec![(0.0, 0.0); network.buses.len()];
    for (row, generator) in network.generators.iter().enumerate() {
        let (p, q) = (
            flow.at(ColumnName::DispatchMw)[row],
            flow.at(ColumnName::DispatchMvar)[row],
        );
        if !p.is_nan() {
            given[generator.bus] = add(given[generator.bus], (p, q));
        }
    }
    for (bus, (p, q)) in given.into_iter().enumerate().filter(|(bus, _)| !vm[*bus].is_nan()) {
        let p = p - flow.at(ColumnName::DemandMw)[bus] - flow.at(ColumnName::InjectionMw)[bus];
        let q = q - flow.at(ColumnName::DemandMvar)[bus] - flow.at(ColumnName::InjectionMvar)[bus];
        worst = worst.max(p.abs()).max(q.abs());
    }
    worst
}

#[test]
fn voltages_are_those_of_matpower() {
    let Some(summary) = data("reference/computed/acpf_summary.csv") else {
        return;
    };
    let summary = String::from_utf8(summary).expect("text");
    let root = |folder: &str, name: &str| format!("{folder}/{name}.m");
    let mut compared = 0;
    for line in summary.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (name, n_bus) = (cells[0], cells[2].parse::<usize>().unwrap_or(usize::MAX));
        // RTS-GMLC has an HVDC link, which the engine refuses.
        if cells[1] != "1" || n_bus > 3000 || name.contains("RTS_GMLC") {
            continue;
        }
        let want = format!("reference/computed/acpf/{name}.acpf.bus.csv");
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
        let folder = std::env::var_os("WATTBOOK_DATA").map_or(beside, Into::into);
        let folders = ["matpower", "activsg200", "activsg500", "activsg2000", "new_england250"];
        let found = folders.iter().map(|f| root(f, name)).find(|p| folder.join(p).is_file());
        let (Some(path), true) = (found, folder.join(&want).is_file()) else {
            continue;
        };
        let module = case(&path).expect("the data folder");
        let study = Study::create(&module, "acpf", AS_FILED).unwrap_or_else(|e| panic!("{name}: {e}"));
        let flow = Flow::of(&study);
        let ids = study.rows().columns;
        let ids = column(&ids, ColumnName::BusId);
        let row_of: BTreeMap<u64, usize> = ids.iter().enumerate().map(|(k, id)| (*id as u64, k)).collect();
        let want = String::from_utf8(data(&want).expect("the folder")).expect("text");
        for line in want.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |k: usize| cells[k].parse::<f64>().expect("a number");
            let row = row_of[&cells[0].parse().expect("a bus")];
            let magnitude = flow.at(ColumnName::VmPu)[row];
            if magnitude.is_nan() {
                continue;
            }
            let turn = flow.at(ColumnName::VaRad)[row].to_degrees() - number(2);
            let turn = turn - 360.0 * (turn / 360.0).round();
            assert!((magnitude - number(1)).abs() < 1e-8, "{name} {}: {magnitude}", cells[0]);
            assert!(turn.abs() < 1e-6, "{name} {}: {turn} degrees apart", cells[0]);
        }
        // 1e-8 per unit is where the solver stops.
        let imbalance = largest_imbalance(&module, &flow);
        assert!(imbalance < 2e-6, "{name}: {imbalance} MVA");
        compared += 1;
    }
    assert!(compared >= 20, "{compared} cases were compared");
}

#[test]
fn bundled_grids_solve_and_balance() {
    for name in ["illinois", "carolina", "texas", "california"] {
        let module = grid(name);
        let study = Study::create(&module, "acpf", "null").unwrap_or_else(|e| panic!("{name}: {e}"));
        let flow = Flow::of(&study);
        let imbalance = largest_imbalance(&module, &flow);
        println!("{name}: {imbalance:.1e} MVA, {}", flow.head["power_flow"]);
        assert!(imbalance < 2e-6, "{name}: {imbalance} MVA");
        assert_eq!(flow.head["status"], "feasible");
        assert!(flow.head.get("objective").is_none());
        let certificate = &flow.head["certificate"];
        assert!(certificate["mismatch_mw"].as_f64().expect("a mismatch") < 1e-4);
        assert!(certificate["mismatch_mvar"].as_f64().expect("a mismatch") < 1e-4);
        let losses: f64 = [ColumnName::FlowMw, ColumnName::FlowToMw]
            .iter()
            .flat_map(|name| flow.at(*name).iter().filter(|x| !x.is_nan()))
            .sum();
        let told = flow.head["power_flow"]["losses_mw"].as_f64().expect("losses");
        assert!((losses - told).abs() < 1e-6 * told.abs(), "{losses} against {told}");
    }
}

/// The PJM 5-bus grid, whose buses 2, 3 and 4 draw reactive power.
fn five_bus() -> Option<String> {
    case("matpower/case5.m")
}

#[test]
fn a_committed_state_is_a_function_of_base_and_edits() {
    let module = grid("illinois");
    let mut study = Study::create(&module, "acpf", "null").expect("a solvable case");
    let base = Flow::of(&study);
    let ids = study.rows().columns;
    let loaded: Vec<usize> = (0..base.at(ColumnName::DemandMw).len())
        .filter(|&row| base.at(ColumnName::DemandMw)[row] > 5.0 && base.at(ColumnName::DemandMvar)[row] > 0.0)
        .collect();
    let [a, b] = [loaded[0], loaded[loaded.len() / 2]];
    let id = |row: usize| column(&ids, ColumnName::BusId)[row] as u64;
    let edits = json!({ id(a).to_string(): 4.0, id(b).to_string(): -3.0 }).to_string();

    // A preview is the commit's state.
    let preview = study.preview(&edits, "").expect("a preview");
    assert_eq!(parse(&preview.json)["exact"], true);
    study.commit("x", &edits, "", "").expect("a solvable edit");
    let direct = Flow::of(&study);
    for (row, change) in column(&preview.columns, ColumnName::VmChange).iter().enumerate() {
        let [before, after] = [&base, &direct].map(|flow| flow.at(ColumnName::VmPu)[row]);
        assert_eq!(*change, after - before + 0.0);
    }
    // By way of other states.
    study
        .commit("x", &json!({ id(b).to_string(): 20.0 }).to_string(), "", "")
        .expect("a solvable edit");
    assert_ne!(Flow::of(&study).sha256(), direct.sha256());
    study.commit("x", &edits, "", "").expect("a solvable edit");
    assert_eq!(Flow::of(&study).sha256(), direct.sha256());
    assert_eq!(direct.head["power_flow"]["start"], "base");

    // The power factor stays, and the balance holds with the demands that are published.
    for (row, mw) in [(a, 4.0), (b, -3.0)] {
        let [p, q] = [ColumnName::DemandMw, ColumnName::DemandMvar].map(|name| base.at(name)[row]);
        assert!((direct.at(ColumnName::DemandMw)[row] - p - mw).abs() < 1e-9);
        assert!((direct.at(ColumnName::DemandMvar)[row] - q * (p + mw) / p).abs() < 1e-9);
    }
    assert!(largest_imbalance(&module, &direct) < 2e-6);

    // The stateless solve and the saved case say the same.
    let request = json!({ "formulation": "acpf", "edits": { "deltas": parse(&edits) } }).to_string();
    let stateless = parse(&solve_module_json(&module, &request).expect("a solution"));
    assert_eq!(stateless["result_sha256"], direct.sha256());
    let saved = materialize_module(&module, &edits, "").expect("a saved case");
    let again = Flow::of(&Study::create(&saved, "acpf", "null").expect("a solvable case"));
    for name in [ColumnName::VmPu, ColumnName::VaRad, ColumnName::DemandMvar] {
        for (x, y) in again.at(name).iter().zip(direct.at(name)) {
            assert!(
                (x - y).abs() < 1e-7 || x.is_nan() && y.is_nan(),
                "{name:?}: {x} against {y}"
            );
        }
    }

    study.reset("x").expect("the base case");
    assert_eq!(Flow::of(&study).sha256(), base.sha256());
}

#[test]
fn reactive_demand_of_its_own() {
    let Some(module) = five_bus() else { return };
    let request = |edits: Value| json!({ "formulation": "acpf", "edits": edits }).to_string();
    let q = |request: String| {
        let solved = parse(&solve_module_json(&module, &request).expect("a solution"));
        let injections = solved["injections"].as_array().expect("rows").clone();
        injections[1]["q"].as_f64().expect("MVAr")
    };
    let base = q(request(json!({})));
    assert!(
        (q(request(json!({"deltas": {"2": 30.0}}))) - base * 1.1).abs() < 1e-6,
        "{base}"
    );
    assert!((q(request(json!({"deltas": {"2": 30.0}, "reactive": {"2": 0.0}}))) - base).abs() < 1e-6);
    assert!((q(request(json!({"reactive": {"2": 25.0}}))) - (base - 25.0)).abs() < 1e-6);
}

#[test]
fn ratings_change_loadings_and_nothing_else() {
    let Some(module) = five_bus() else { return };
    let mut study = Study::create(&module, "acpf", "null").expect("a solvable case");
    let before = Flow::of(&study);
    study.commit("x", "", r#"{"1": -100}"#, "").expect("a rating");
    let after = Flow::of(&study);
    assert_eq!(before.sha256(), after.sha256());
    let [old, new] = [&before, &after].map(|flow| flow.at(ColumnName::RatingMva)[0]);
    assert_eq!(new, old - 100.0);
    let moved = after.at(ColumnName::Loading)[0] / before.at(ColumnName::Loading)[0];
    assert!((moved - old / new).abs() < 1e-12, "{moved}");
    let preview = study.preview("", r#"{"1": 0}"#).expect("a preview");
    let change = column(&preview.columns, ColumnName::LoadingChange)[0];
    assert!((change - before.at(ColumnName::Loading)[0] + after.at(ColumnName::Loading)[0]).abs() < 1e-12);
    assert_eq!(
        study
            .commit("x", "", r#"{"1": -100000}"#, "")
            .expect_err("no rating")
            .code,
        "RATE.NOT_POSITIVE"
    );
}

#[test]
fn what_a_power_flow_lacks_is_refused_by_code() {
    let Some(module) = five_bus() else { return };
    let mut study = Study::create(&module, "acpf", "null").expect("a solvable case");
    let code = |refused: Result<(), wattbook_network::error::EngineError>| refused.expect_err("a refusal").code;
    assert_eq!(
        code(study.lmp_components_json(r#"{"bus":2}"#).map(drop)),
        "FORMULATION.UNAVAILABLE"
    );
    assert_eq!(code(study.explain_json("", "").map(drop)), "FORMULATION.UNAVAILABLE");
    let track = study.track_json(r#"{"bus":2}"#, 0.0, 1.0, "null", false);
    assert_eq!(code(track.map(drop)), "FORMULATION.UNAVAILABLE");
    assert_eq!(code(Job::screening(&study).map(drop)), "FORMULATION.UNAVAILABLE");
    assert_eq!(
        code(study.sensitivity("x", "", "", r#"{"branch":1}"#).map(drop)),
        "SENS.UNSUPPORTED"
    );
    for (operand, parameter) in [
        (json!({"Price": "Active"}), json!({"Demand": "Active"})),
        (json!({"Voltage": "Magnitude"}), json!("LineLimit")),
        (json!({"Voltage": "Squared"}), json!({"Demand": "Active"})),
    ] {
        let request = json!({
            "formulation": "acpf",
            "sensitivities": [{ "operand": operand, "parameter": parameter }],
        });
        let refused = solve_module_json(&module, &request.to_string());
        assert_eq!(code(refused.map(drop)), "SENS.UNSUPPORTED");
    }
    let dc = Study::create(&module, "dcopf", "null").expect("a solvable case");
    assert_eq!(
        code(dc.loadability_json(r#"{"bus":2}"#).map(drop)),
        "FORMULATION.UNAVAILABLE"
    );
    let options = Study::create(&module, "dcopf", r#"{"q_limits":true}"#);
    assert_eq!(code(options.map(drop)), "INPUT.REQUEST");
    let options = Study::create(&module, "acpf", r#"{"set_point_pu":-1}"#);
    assert_eq!(code(options.map(drop)), "INPUT.REQUEST");
}

#[test]
fn columns_are_derivatives_and_their_warrant_holds() {
    let Some(module) = case("matpower/case118.m") else {
        return;
    };
    let mut study = Study::create(&module, "acpf", AS_FILED).expect("a solvable case");
    let base = Flow::of(&study);
    let column_of = |name: ColumnName, columns: &[Column]| column(columns, name).to_vec();
    let reply = study.sensitivity("x", "", "", r#"{"bus":60}"#).expect("a column");
    let head = parse(&reply.json);
    assert_eq!((&head["operand"], &head["units"]), (&json!("vm"), &json!("pu/MW")));
    assert_eq!(head["warrant"]["kind"], "estimate");
    assert_eq!(head["warrant"]["error_below_pu"], 1e-3);
    let at = |study: &mut Study, mw: f64| {
        study
            .commit("x", &json!({"60": mw}).to_string(), "", "")
            .expect("a solvable edit");
        Flow::of(study)
    };
    let h = 0.5;
    let (up, down) = (at(&mut study, h), at(&mut study, -h));
    for (slope, value) in [
        (ColumnName::VmSlope, ColumnName::VmPu),
        (ColumnName::VaSlope, ColumnName::VaRad),
        (ColumnName::FlowSlope, ColumnName::FlowMw),
        (ColumnName::FlowMvarSlope, ColumnName::FlowMvar),
    ] {
        let slope = column_of(slope, &reply.columns);
        let largest = slope.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(largest > 0.0);
        for (row, d) in slope.iter().enumerate() {
            let difference = (up.at(value)[row] - down.at(value)[row]) / (2.0 * h);
            assert!(
                (difference - d).abs() < 1e-5 * largest,
                "{value:?} {row}: {difference} against {d}"
            );
        }
    }
    // At its end the error is about what the warrant says.
    let high = head["warrant"]["valid_mw"][1].as_f64().expect("an end");
    let far = at(&mut study, high);
    let slope = column_of(ColumnName::VmSlope, &reply.columns);
    let turn = column_of(ColumnName::VaSlope, &reply.columns);
    let mut error = 0.0f64;
    for row in 0..slope.len() {
        let v = base.at(ColumnName::VmPu)[row];
        error = error.max((far.at(ColumnName::VmPu)[row] - v - slope[row] * high).abs() / v);
        error = error.max((far.at(ColumnName::VaRad)[row] - base.at(ColumnName::VaRad)[row] - turn[row] * high).abs());
    }
    assert!((2e-4..=1.05e-3).contains(&error), "{error} at {high} MW");
    let low = head["warrant"]["valid_mw"][0].as_f64().expect("an end");
    assert!((low + 78.0).abs() < 1e-9, "bus 60 draws 78 MW: {low}");
    assert_eq!(head["warrant"]["ends"][0]["event"], "edit_limit");
}

#[test]
fn matrices_agree_forward_and_adjoint() {
    let Some(module) = case("matpower/case14.m") else {
        return;
    };
    let matrices = |mode: &str| -> Vec<Value> {
        let operands = [
            json!({"Voltage": "Magnitude"}),
            json!({"Voltage": "Angle"}),
            json!({"Flow": {"power": "Active", "end": "From"}}),
            json!({"Flow": {"power": "Reactive", "end": "To"}}),
        ];
        let parameters = [
            json!({"Demand": "Active"}),
            json!({"Demand": "Reactive"}),
            json!({"Transformer": "Ratio"}),
            json!({"Transformer": "PhaseShift"}),
            json!({"SeriesAdmittance": "Conductance"}),
            json!({"ShuntAdmittance": "Susceptance"}),
        ];
        let each = operands.iter().flat_map(|operand| {
            let request = move |parameter: &Value| json!({ "operand": operand, "parameter": parameter, "mode": mode });
            parameters.iter().map(request)
        });
        let wanted: Vec<Value> = each.collect();
        let request = json!({ "formulation": "acpf", "sensitivities": wanted });
        let solved = parse(&solve_module_json(&module, &request.to_string()).expect("matrices"));
        solved["sensitivities"].as_array().expect("a list").clone()
    };
    let (forward, adjoint) = (matrices("Forward"), matrices("Adjoint"));
    assert_eq!(forward[0]["units"], "pu/MW");
    assert_eq!(forward[22]["units"], "MVAr/pu");
    for (f, a) in forward.iter().zip(&adjoint) {
        let cells = |m: &Value| -> Vec<f64> {
            let rows = m["values"].as_array().expect("rows").iter();
            rows.flat_map(|row| {
                row.as_array()
                    .expect("a row")
                    .iter()
                    .map(|x| x.as_f64().expect("a number"))
                    .collect::<Vec<_>>()
            })
            .collect()
        };
        let (x, y) = (cells(f), cells(a));
        let largest = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(x.len() == y.len() && largest > 0.0);
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() < 1e-10 * largest, "{x} against {y}");
        }
        assert_eq!(a["warrants"][0]["point_only"], true);
        assert!(a["warrants"][0]["residual"].as_f64().expect("a residual") < 1e-9);
        assert_eq!(f["warrants"][0]["kind"], "estimate");
    }
}

/// Largest growth that a commit solves, by bisection from nothing: states of a Study on the base case.
fn bisected(module: &str, edits: &dyn Fn(f64) -> Value, guess: f64) -> f64 {
    let solves = |mw: f64| {
        let request = json!({ "formulation": "acpf", "edits": { "deltas": edits(mw) }, "options": parse(AS_FILED) });
        solve_module_json(module, &request.to_string()).is_ok()
    };
    let (mut low, mut high) = (0.0, 2.0 * guess);
    assert!(!solves(high), "still solvable at {high} MW");
    while high - low > 1e-4 * guess {
        let middle = 0.5 * (low + high);
        if solves(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[test]
fn loadability_is_what_bisection_finds() {
    let Some(module) = case("matpower/case39.m") else {
        return;
    };
    let study = Study::create(&module, "acpf", AS_FILED).expect("a solvable case");
    let flow = Flow::of(&study);
    let ids = study.rows().columns;
    let ids = column(&ids, ColumnName::BusId);
    let demand = flow.at(ColumnName::DemandMw);
    let all: f64 = demand.iter().filter(|d| **d > 0.0).sum();
    let one = |mw: f64| json!({ "15": mw });
    let system = |mw: f64| {
        let rows = ids.iter().zip(demand).filter(|(_, d)| **d > 0.0);
        rows.map(|(id, d)| ((*id as u64).to_string(), json!(mw * d / all)))
            .collect()
    };
    let cases: [(&str, &dyn Fn(f64) -> Value); 2] = [(r#"{"bus":15}"#, &one), (r#"{"system":true}"#, &system)];
    assert!(settles_or_is_absent(&study));
    for (target, edits) in cases {
        let told = parse(&study.loadability_json(target).expect("a margin"));
        let margin = told["margin_mw"].as_f64().expect("MW");
        let beyond = told["no_solution_mw"].as_f64().expect("MW");
        assert!(
            margin < beyond && beyond - margin < 2e-4 * beyond,
            "{margin} to {beyond}"
        );
        let want = bisected(&module, edits, margin);
        assert!((margin - want).abs() < 2e-3 * want, "{target}: {margin} against {want}");
        let estimate = told["estimate"]["mw"].as_f64().expect("MW");
        assert!(
            (estimate - want).abs() < 0.03 * want,
            "{target}: {estimate} against {want}"
        );
        let curve = told["added_mw"].as_array().expect("points");
        assert_eq!(curve.last(), Some(&told["margin_mw"]));
        let falling = &told["buses"][0];
        let vm: Vec<f64> = falling["vm_pu"]
            .as_array()
            .expect("a curve")
            .iter()
            .filter_map(Value::as_f64)
            .collect();
        assert!(vm.len() == curve.len() && vm.windows(2).all(|v| v[1] < v[0]), "{vm:?}");
        let row = ids
            .iter()
            .position(|id| Some(*id as u64) == falling["bus"].as_u64())
            .expect("a bus");
        assert_eq!(vm[0], flow.at(ColumnName::VmPu)[row]);
    }
    assert_eq!(
        study.loadability_json(r#"{"area":99}"#).expect_err("no such area").code,
        "INPUT.REQUEST"
    );
    assert_eq!(
        study.loadability_json("null").expect_err("no target").code,
        "INPUT.REQUEST"
    );
}

/// Noses of single demands are given only where the last terms of the series agree on them.
fn settles_or_is_absent(study: &Study) -> bool {
    let column = |bus: u32| {
        let target = json!({ "bus": bus }).to_string();
        let head = parse(&study.sensitivity("x", "", "", &target).expect("a column").json);
        let [mw, change] = ["mw", "change_mw"].map(|name| head["collapse"][name].as_f64());
        mw.zip(change)
    };
    let found: Vec<_> = (1..=39).map(column).collect();
    let agreed = found.iter().flatten().all(|(mw, change)| change <= &(0.1 * mw));
    agreed && found.iter().flatten().count() > 20
}

#[test]
fn an_edit_beyond_the_nose_names_the_loading_that_solves() {
    let Some(module) = case("matpower/case39.m") else {
        return;
    };
    let mut study = Study::create(&module, "acpf", AS_FILED).expect("a solvable case");
    let before = Flow::of(&study);
    let error = study.commit("x", r#"{"15": 20000}"#, "", "").expect_err("no solution");
    assert_eq!(error.code, "SOLVE.NOT_CONVERGED");
    let details = error.details.clone().expect("details");
    let loading = details["loading"].as_f64().expect("a part");
    assert!((0.0..1.0).contains(&loading) && !details["collapse_buses"].as_array().expect("buses").is_empty());
    assert_eq!(
        study.preview(r#"{"15": 20000}"#, "").expect_err("no solution").code,
        "SOLVE.NOT_CONVERGED"
    );
    assert_eq!(Flow::of(&study).sha256(), before.sha256());
}

#[test]
fn reactive_limits_are_kept_and_reported() {
    let Some(module) = case("activsg200/case_ACTIVSg200.m").or_else(|| case("matpower/case118.m")) else {
        return;
    };
    let study = Study::create(&module, "acpf", r#"{"q_limits":true}"#).expect("a solvable case");
    let flow = Flow::of(&study);
    assert_eq!(flow.head["power_flow"]["reactive_limits"], "kept");
    let [q, low, high] =
        [ColumnName::DispatchMvar, ColumnName::QMinMvar, ColumnName::QMaxMvar].map(|name| flow.at(name).to_vec());
    let references: Vec<u64> = flow.head["slack"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|s| s["bus"].as_u64())
        .collect();
    let stands_at = study.rows().columns;
    let stands_at = column(&stands_at, ColumnName::GeneratorBus).to_vec();
    for row in (0..q.len()).filter(|&row| !q[row].is_nan() && !references.contains(&(stands_at[row] as u64))) {
        assert!(
            q[row] >= low[row] - 1e-4 && q[row] <= high[row] + 1e-4,
            "{row}: {} outside {} to {}",
            q[row],
            low[row],
            high[row]
        );
    }
}
