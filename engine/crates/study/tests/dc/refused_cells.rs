//! Which cells of sensitivities are available, and which are refused.

use crate::cells::{asking, list, operands, parameters, solve};
use crate::common::{data, ingest, parse, text, three_bus};
use serde_json::{json, Value};
use wattbook_study::{capabilities_json, solve_module};

fn refused(module: &str, request: &Value) -> wattbook_network::EngineError {
    solve_module(module, &request.to_string()).expect_err("a refusal")
}

#[test]
fn capabilities_list_exactly_what_is_answered() {
    let caps = parse(&capabilities_json());
    let dcopf = &list(&caps["formulations"])[1];
    assert_eq!(
        (dcopf["operands"].clone(), dcopf["parameters"].clone()),
        (json!(operands()), json!(parameters()))
    );
    let module = three_bus();
    for (operand, parameter) in [
        (json!({ "Price": "Reactive" }), json!("LineLimit")),
        (json!({ "Voltage": "Magnitude" }), json!("LineLimit")),
        (
            json!({ "Flow": { "power": "Reactive", "end": "From" } }),
            json!("LineLimit"),
        ),
        (json!({ "Price": "Active" }), json!({ "Demand": "Reactive" })),
        (
            json!({ "Price": "Active" }),
            json!({ "SeriesAdmittance": "Conductance" }),
        ),
        (
            json!({ "Price": "Active" }),
            json!({ "ShuntAdmittance": "Conductance" }),
        ),
        (json!({ "Price": "Active" }), json!({ "VoltageBound": "Max" })),
        (
            json!({ "Price": "Active" }),
            json!({ "GenBound": { "power": "Reactive", "bound": "Max" } }),
        ),
        (json!({ "Price": "Active" }), json!({ "Transformer": "Ratio" })),
    ] {
        let request = json!({ "sensitivities": [asking(&operand, &parameter, &Value::Null, "Auto")] });
        // Refused before the module is even read.
        for text in [module.as_str(), "no module"] {
            let error = refused(text, &request);
            assert_eq!(error.code, "SENS.UNSUPPORTED", "{error}");
        }
        let power_flow = json!({ "formulation": "dcpf", "sensitivities": request["sensitivities"] });
        assert_eq!(refused(&module, &power_flow).code, "SENS.UNSUPPORTED");
    }
    let shift = json!([asking(
        &operands()[0],
        &json!({ "Transformer": "PhaseShift" }),
        &Value::Null,
        "Auto"
    )]);
    let request = json!({ "options": { "dc_convention": "powermodels" }, "sensitivities": shift });
    assert_eq!(refused("no module", &request).code, "SENS.UNSUPPORTED");
    assert!(solve_module(&module, &json!({ "sensitivities": shift }).to_string()).is_ok());
}

/// Bus 4 hangs on line 4, bus 5 on a branch without impedance, and branch 6 has a resistance only.
const TAIL: &str = "function mpc = tail
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
2 1 90 0 0 0 1 1 0 230 1 1.1 0.9;
3 2 0 0 0 0 1 1 0 230 1 1.1 0.9;
4 1 10 0 0 0 1 1 0 230 1 1.1 0.9;
5 1 5 0 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
1 0 0 0 0 1 100 1 250 10;
3 0 0 0 0 1 100 1 270 10;
];
mpc.branch = [
1 2 0.01 0.1 0 250 0 0 0 0 1 -360 360;
2 3 0.01 0.1 0 40 0 0 0 0 1 -360 360;
1 3 0.01 0.1 0 250 0 0 0 0 1 -360 360;
3 4 0.01 0.1 0 250 0 0 0 0 1 -360 360;
3 5 0 0 0 250 0 0 0 0 1 -360 360;
1 2 0.05 0 0 250 0 0 0 0 1 -360 360;
];
mpc.gencost = [
2 0 0 3 0.11 5 0;
2 0 0 3 0.085 1.2 0;
];
";

#[test]
fn branches_without_a_derivative_are_refused_by_name_and_omitted_from_all() {
    let module = text(&ingest(TAIL.as_bytes(), "matpower"));
    let ask = |parameter: &Value, indices: Value| json!({ "sensitivities": [asking(&operands()[0], parameter, &indices, "Auto")] });
    for (parameter, index, code) in [
        (json!("Switching"), 3, "SENS.ISLANDING"),
        (json!("Switching"), 4, "SENS.UNSUPPORTED"),
        (json!({ "Transformer": "PhaseShift" }), 4, "SENS.UNSUPPORTED"),
        (json!({ "SeriesAdmittance": "Susceptance" }), 4, "SENS.UNSUPPORTED"),
        (json!({ "SeriesAdmittance": "Susceptance" }), 5, "SENS.UNSUPPORTED"),
        (json!("LineLimit"), 6, "SENS.INDEX"),
    ] {
        let error = refused(&module, &ask(&parameter, json!([0, index])));
        assert_eq!(error.code, code, "{error}");
        if index < 6 {
            assert_eq!(error.element.as_ref().map(|e| e.id), Some(index + 1));
            assert!(error.message().starts_with(&format!("Line {} ", index + 1)), "{error}");
        }
    }
    let left = |parameter: Value| -> Vec<u64> {
        let r = solve(&module, &ask(&parameter, Value::Null));
        let cols = list(&r["sensitivities"][0]["cols"]).iter();
        cols.map(|c| c["index"].as_u64().unwrap()).collect()
    };
    assert_eq!(left(json!("Switching")), [0, 1, 2, 5]);
    assert_eq!(left(json!({ "SeriesAdmittance": "Susceptance" })), [0, 1, 2, 3]);
    assert_eq!(left(json!("LineLimit")), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn at_a_breakpoint_the_adjoint_is_refused_and_auto_is_forward() {
    let edits = json!({ "deltas": { "2": 20 } });
    let ask = |mode: &str| {
        let wanted = [asking(
            &operands()[1],
            &json!({ "Demand": "Active" }),
            &Value::Null,
            mode,
        )];
        json!({ "edits": edits, "sensitivities": wanted })
    };
    let error = refused(&three_bus(), &ask("Adjoint"));
    assert_eq!(error.code, "SENS.NOT_REGULAR", "{error}");
    let r = solve(&three_bus(), &ask("Auto"));
    let warrants = list(&r["sensitivities"][0]["warrants"]);
    assert!(warrants.iter().all(|w| w.get("point_only").is_none()));
    assert!(warrants.iter().any(|w| w["kind"] == "one_sided"), "{warrants:?}");
}

#[test]
fn too_many_cells_are_refused_before_the_solve() {
    let Some(bytes) = data("pglib/pglib_opf_case2869_pegase.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    let request =
        json!({ "sensitivities": [asking(&operands()[0], &json!({ "Demand": "Active" }), &Value::Null, "Auto")] });
    let error = refused(&module, &request);
    assert_eq!(error.code, "SENS.TOO_LARGE", "{error}");
    assert!(error.message().contains("2869"), "{error}");
}
