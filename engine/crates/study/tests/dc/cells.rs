//! Every derivative of the stateless solve in physical units: closed forms, differences, adjoint against forward, refusals.

use crate::common::{data, ingest, parse, text, three_bus, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;

pub(crate) fn operands() -> Vec<Value> {
    vec![
        json!({ "Price": "Active" }),
        json!({ "Dispatch": "Active" }),
        json!({ "Flow": { "power": "Active", "end": "From" } }),
        json!({ "Flow": { "power": "Active", "end": "To" } }),
        json!({ "Voltage": "Angle" }),
    ]
}

pub(crate) fn parameters() -> Vec<Value> {
    vec![
        json!({ "Demand": "Active" }),
        json!({ "Cost": "Quadratic" }),
        json!({ "Cost": "Linear" }),
        json!("LineLimit"),
        json!({ "SeriesAdmittance": "Susceptance" }),
        json!({ "GenBound": { "power": "Active", "bound": "Min" } }),
        json!({ "GenBound": { "power": "Active", "bound": "Max" } }),
        json!({ "Transformer": "PhaseShift" }),
        json!("Switching"),
    ]
}

pub(crate) fn solve(module: &str, request: &Value) -> Answer {
    Answer::solved(module, &request.to_string()).unwrap_or_else(|e| panic!("{request}: {e}"))
}

pub(crate) fn asking(operand: &Value, parameter: &Value, indices: &Value, mode: &str) -> Value {
    json!({ "operand": operand, "parameter": parameter, "indices": indices, "mode": mode })
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The values of an operand in a response, in the order of the rows of its matrices.
pub(crate) fn read(response: &Answer, operand: usize) -> Vec<f64> {
    let (name, sign) = [
        (ColumnName::Lmp, 1.0),
        (ColumnName::DispatchMw, 1.0),
        (ColumnName::FlowMw, 1.0),
        (ColumnName::FlowMw, -1.0),
        (ColumnName::VaRad, 1.0),
    ][operand];
    response.taking(name).into_iter().map(|value| sign * value).collect()
}

/// Column `c` of matrix `k` of a response.
fn column(response: &Answer, k: usize, c: usize) -> Vec<f64> {
    let width = list(&response["sensitivities"][k]["cols"]).len();
    response.matrices[k].chunks_exact(width).map(|row| row[c]).collect()
}

#[track_caller]
fn agree(what: &str, got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{what}");
    let scale = want.iter().fold(1.0f64, |m, w| m.max(w.abs()));
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() <= tolerance * scale, "{what}, row {k}: {g} against {w}");
    }
}

#[test]
fn closed_forms_in_physical_units_forward_and_adjoint() {
    // Line 2-3 at 40 MW: p1 = 2 d2 - 3 f, p3 = 3 f - d2 for flows in thirds.
    for mode in ["Forward", "Adjoint", "Auto"] {
        let mut wanted = Vec::new();
        for operand in operands() {
            wanted.push(asking(&operand, &json!({ "Demand": "Active" }), &json!([1]), mode));
            wanted.push(asking(&operand, &json!("LineLimit"), &json!([1]), mode));
        }
        wanted.push(asking(&operands()[0], &json!({ "Cost": "Linear" }), &Value::Null, mode));
        wanted.push(asking(
            &operands()[0],
            &json!({ "Cost": "Quadratic" }),
            &json!([0]),
            mode,
        ));
        let r = solve(&three_bus(), &json!({ "sensitivities": wanted }));
        let m = list(&r["sensitivities"]);
        let check = |k: usize, want: &[f64], units: &str| {
            agree(&format!("{mode} {k}"), &column(&r, k, 0), want, 1e-9);
            assert_eq!(m[k]["units"], units);
        };
        check(0, &[0.44, 1.05, -0.17], "($/MWh)/MW");
        check(1, &[-0.66, -1.83, 0.51], "($/MWh)/MW");
        check(2, &[2.0, -1.0], "MW/MW");
        check(3, &[-3.0, 3.0], "MW/MW");
        // Flows 1-2, 2-3, 1-3: 1-2 takes the remaining demand, 2-3 is at its limit (power flows from 3 to 2).
        check(4, &[1.0, 0.0, 1.0], "MW/MW");
        check(5, &[-1.0, -1.0, -2.0], "MW/MW");
        check(6, &[-1.0, 0.0, -1.0], "MW/MW");
        let b = 0.1 / (0.01f64.powi(2) + 0.1f64.powi(2));
        check(8, &[0.0, -1.0 / b / 100.0, -1.0 / b / 100.0], "rad/MW");
        // The line fixes the dispatch: prices follow the marginal costs of the two units.
        check(10, &[1.0, 2.0, 0.0], "($/MWh)/($/MWh)");
        agree("cost of unit 2", &column(&r, 10, 1), &[0.0, -1.0, 1.0], 1e-9);
        check(11, &[120.0, 240.0, 0.0], "($/MWh)/($/MW^2h)");
        let warrant = &m[0]["warrants"][0];
        if mode == "Adjoint" {
            assert_eq!(
                (warrant["point_only"].as_bool(), &warrant["valid_mw"]),
                (Some(true), &json!([0.0, 0.0]))
            );
            assert!(number(&warrant["residual"]) < 1e-10);
        } else {
            assert_eq!(
                (warrant.get("point_only"), warrant["kind"].as_str()),
                (None, Some("regular"))
            );
            assert!((number(&warrant["valid_mw"][1]) - 20.0).abs() < 1e-6, "{warrant}");
            // In units of the parameter: the cost of unit 1 can rise by 11.9 $/MWh before the line ceases to bind.
            assert!(
                (number(&m[10]["warrants"][0]["valid_mw"][0]) + 35.7 / 3.0).abs() < 1e-6,
                "{}",
                m[10]["warrants"][0]
            );
        }
    }
}

/// The module with a parameter of a row changed by `h` physical units.
fn changed(module: &Value, parameter: usize, row: usize, h: f64) -> Value {
    let mut out = module.clone();
    let net = &mut out["value"]["data"];
    let base = number(&net["base_mva"]);
    let mut add = |table: &str, field: &str, h: f64| {
        let cell = &mut net[table][row][field];
        *cell = json!(number(cell) + h);
    };
    match parameter {
        5 => add("generators", "pmin", h),
        6 => add("generators", "pmax", h),
        7 => add("branches", "shift", h.to_degrees()),
        1 | 2 => {
            let coeffs = net["generators"][row]["cost"]["coeffs"]
                .as_array_mut()
                .expect("a polynomial cost");
            let at = coeffs.len() - if parameter == 1 { 3 } else { 2 };
            coeffs[at] = json!(number(&coeffs[at]) + h);
        }
        4 | 8 => {
            let branch = &mut net["branches"][row];
            let (r, x) = (number(&branch["r"]), number(&branch["x"]));
            // Of 1 / (r + jx): negative for an inductive line.
            let b = -x / (r * r + x * x);
            let factor = 1.0 / (1.0 + if parameter == 4 { h / b } else { h });
            (branch["r"], branch["x"]) = (json!(r * factor), json!(x * factor));
        }
        _ => unreachable!("demand and ratings are edits, base {base}"),
    }
    out
}

/// All operands with a parameter changed by `h`.
fn at(module: &Value, parameter: usize, row: usize, h: f64) -> Vec<Vec<f64>> {
    let topology = |table: &str| module["value"]["data"][table].clone();
    let request = match parameter {
        0 => json!({ "edits": { "deltas": { topology("buses")[row]["id"].to_string(): h } } }),
        3 => json!({ "edits": { "rates": { (row + 1).to_string(): h } } }),
        _ => json!({}),
    };
    let text = match parameter {
        0 | 3 => module.to_string(),
        _ => changed(module, parameter, row, h).to_string(),
    };
    let response = solve(&text, &request);
    (0..5).map(|operand| read(&response, operand)).collect()
}

#[test]
fn every_cell_of_real_cases_agrees_with_differences() {
    let mut compared = [0usize; 9];
    let mut moving = [0usize; 9];
    for (file, limits) in [
        ("activsg500/case_ACTIVSg500.m", [6, 5, 5, 6, 5, 4, 4, 5, 5]),
        ("pglib/api/pglib_opf_case300_ieee__api.m", [5, 4, 4, 6, 4, 4, 4, 4, 4]),
    ] {
        let Some(bytes) = data(file) else { return };
        let case = ingest(&bytes, "matpower");
        let mut parsed = parse(&text(&case));
        // Half of the units in these cases have linear costs: without a quadratic term most derivatives are zero.
        for (k, unit) in parsed["value"]["data"]["generators"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .enumerate()
        {
            let coeffs = unit["cost"]["coeffs"].as_array_mut().expect("a polynomial cost");
            assert_eq!(coeffs.len(), 3);
            coeffs[0] = json!(number(&coeffs[0]) + 0.002 * (1 + k % 7) as f64);
        }
        let module = parsed.to_string();
        let base = solve(&module, &json!({}));
        let shadow = base.at(ColumnName::Shadow);
        let binding: Vec<usize> = (0..shadow.len()).filter(|row| shadow[*row] > 1e-6).collect();
        for (p, parameter) in parameters().iter().enumerate() {
            // One request for all columns, one for the chosen ones.
            let all = asking(&operands()[0], parameter, &Value::Null, "Forward");
            let all = solve(&module, &json!({ "sensitivities": [all] }));
            let demand = |c: &Value| case.at(ColumnName::DemandMw)[c["index"].as_u64().unwrap() as usize];
            let cols = list(&all["sensitivities"][0]["cols"]).iter();
            let unit = |c: &Value| &parsed["value"]["data"]["generators"][c["index"].as_u64().unwrap() as usize];
            // The limits of a fixed unit cannot move towards each other.
            let loose = |c: &Value| number(&unit(c)["pmax"]) - number(&unit(c)["pmin"]) > 2.0;
            let fits = |c: &Value| match p {
                0 => demand(c) > 2.0,
                5 | 6 => loose(c),
                _ => true,
            };
            let cols: Vec<&Value> = cols.filter(|c| fits(c)).collect();
            let every = (cols.len() / limits[p]).max(1);
            let mut rows: Vec<usize> = cols
                .iter()
                .step_by(every)
                .map(|c| c["index"].as_u64().unwrap() as usize)
                .collect();
            if p == 3 {
                rows.extend(binding.iter().take(3));
            }
            let wanted: Vec<Value> = operands()
                .iter()
                .map(|o| asking(o, parameter, &json!(rows), "Forward"))
                .collect();
            let r = solve(&module, &json!({ "sensitivities": wanted }));
            for (c, &row) in rows.iter().enumerate() {
                let warrant = &r["sensitivities"][0]["warrants"][c];
                if warrant["kind"] != "regular" {
                    continue;
                }
                let affine = warrant.get("point_only").is_none();
                assert_eq!(affine, ![1, 4, 8].contains(&p), "{parameter}");
                let reach = |end: &Value| end.as_f64().map_or(f64::INFINITY, f64::abs);
                let widest = [1.0, 1e-4, 0.05, 1.0, 1e-3, 0.5, 0.5, 1e-4, 1e-5][p];
                let room = if affine {
                    reach(&warrant["valid_mw"][0]).min(reach(&warrant["valid_mw"][1]))
                } else {
                    f64::INFINITY
                };
                let h = (0.5 * room).min(widest);
                if h < 1e-3 * widest {
                    continue;
                }
                let quotients = |h: f64| -> Vec<Vec<f64>> {
                    let (up, down) = (at(&parsed, p, row, h), at(&parsed, p, row, -h));
                    let quotient =
                        |(u, d): (&Vec<f64>, &Vec<f64>)| u.iter().zip(d).map(|(u, d)| (u - d) / (2.0 * h)).collect();
                    up.iter().zip(&down).map(quotient).collect()
                };
                let mut wanted = quotients(h);
                if !affine {
                    // Richardson's extrapolation: the remaining error is of fourth order.
                    for (wide, narrow) in wanted.iter_mut().zip(quotients(0.5 * h)) {
                        wide.iter_mut().zip(narrow).for_each(|(w, n)| *w = (4.0 * n - *w) / 3.0);
                    }
                }
                for (o, want) in wanted.iter().enumerate() {
                    let got = column(&r, o, c);
                    let what = format!("{file} {} by {parameter} of row {row}, step {h}", operands()[o]);
                    // Differences of numbers of magnitude 1e4 that are exact to 1e-12 relative.
                    let noise = 2e-9 / h;
                    agree(
                        &what,
                        &got,
                        want,
                        if affine { noise.max(1e-7) } else { noise.max(1e-6) },
                    );
                    moving[p] += usize::from(got.iter().any(|v| v.abs() > 1e-9));
                }
                compared[p] += 1;
            }
        }
    }
    println!("columns compared with differences by parameter: {compared:?}, with any change: {moving:?}");
    assert!(compared.iter().all(|&n| n >= 3), "{compared:?}");
}

#[test]
fn adjoint_and_forward_agree_on_real_cases() {
    let Some(bytes) = data("pglib/pglib_opf_case118_ieee.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    // A generic state: a few MW away from the file's round numbers.
    let edits = json!({ "deltas": { "59": 3.7, "80": -5.1, "11": 1.3 }, "rates": {} });
    let mut compared = 0;
    for operand in operands() {
        let matrices = |mode: &str| {
            let wanted: Vec<Value> = parameters()
                .iter()
                .map(|p| asking(&operand, p, &Value::Null, mode))
                .collect();
            solve(&module, &json!({ "edits": edits, "sensitivities": wanted }))
        };
        let [forwards, adjoints] = ["Forward", "Adjoint"].map(matrices);
        for k in 0..parameters().len() {
            let [forward, adjoint] = [&forwards, &adjoints].map(|solved| &solved["sensitivities"][k]);
            for c in 0..list(&forward["cols"]).len() {
                agree("adjoint", &column(&adjoints, k, c), &column(&forwards, k, c), 1e-9);
                compared += 1;
            }
            assert_eq!(forward["rows"], adjoint["rows"]);
            assert!(list(&adjoint["warrants"])
                .iter()
                .all(|w| w["point_only"] == true && number(&w["residual"]) < 1e-9));
        }
    }
    println!("{compared} columns agree");
    // Auto takes fewer solves: 19 or so units by 186 ratings are adjoint, 186 flows by as many ratings forward.
    let auto = |operand: usize| {
        let wanted = [asking(&operands()[operand], &json!("LineLimit"), &Value::Null, "Auto")];
        solve(&module, &json!({ "edits": edits, "sensitivities": wanted }))["sensitivities"][0]["warrants"][0]
            ["point_only"]
            .clone()
    };
    assert_eq!((auto(1), auto(2)), (json!(true), Value::Null));
}
