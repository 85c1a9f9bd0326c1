//! Every number and flag of a pandapower network with all its tables is changed, one at a time. A column without effect
//! on network, warnings and outcome must be in the list of such columns, which `docs/reference/formats.md` contains
//! with reasons.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{json, Value};
use wattbook_network::{ingest_case, Ingested};

/// Made by pandapower 3.5.6: `runpp` and `rundcopp` solve it.
const NETWORK: &str = include_str!("formats/pandapower.json");
const DOCUMENTATION: &str = include_str!("../../../../docs/reference/formats.md");

/// Columns without effect on power flow and optimum.
const WITHOUT_EFFECT: [(&str, &[&str]); 13] = [
    ("asymmetric_load", &["sn_a_mva", "sn_b_mva", "sn_c_mva", "sn_mva"]),
    ("asymmetric_sgen", &["sn_a_mva", "sn_b_mva", "sn_c_mva", "sn_mva"]),
    ("ext_grid", &["rx_max", "s_sc_max_mva", "slack_weight"]),
    ("gen", &["id_q_capability_characteristic", "slack_weight"]),
    ("line", &["alpha", "temperature_degree_celsius"]),
    ("motor", &["cos_phi_n", "efficiency_n_percent", "lrc_pu", "rx", "vn_kv"]),
    ("poly_cost", &["redispatch_down_eur_per_mw", "redispatch_up_eur_per_mw"]),
    ("sgen", &["current_source", "id_q_capability_characteristic"]),
    ("shunt", &["max_step"]),
    ("switch", &["in_ka"]),
    ("trafo", &["oltc", "tap_max", "tap_min"]),
    (
        "trafo3w",
        &[
            "tap_max",
            "tap_min",
            "vk0_hv_percent",
            "vk0_lv_percent",
            "vk0_mv_percent",
            "vkr0_hv_percent",
            "vkr0_lv_percent",
            "vkr0_mv_percent",
        ],
    ),
    ("xward", &["slack_weight"]),
];

/// The outcome of a change: network, warnings and module, or the refusal.
fn outcome(document: &Value) -> Result<(String, Value), String> {
    let bytes = document.to_string().into_bytes();
    let Ingested {
        module_json, network, ..
    } = ingest_case(&bytes, "pandapower-json").map_err(|e| e.message())?;
    let mut module: Value = serde_json::from_str(&module_json).expect("a module");
    // The number of bytes of the file.
    let members = module.as_object_mut().expect("a module");
    members.retain(|name, _| !name.starts_with("source"));
    Ok((format!("{network:?}"), module))
}

/// Another value of the same kind; `None` for other values than numbers and flags.
fn changed(cell: &Value, dtype: &str) -> Option<Value> {
    match cell {
        Value::Bool(flag) => Some(json!(!flag)),
        Value::Number(x) if dtype.contains("int") => Some(json!(x.as_i64()? + 1)),
        Value::Number(x) => {
            let x = x.as_f64()?;
            Some(json!(if x == 0.0 { 0.25 } else { x * 1.25 }))
        }
        Value::Null if dtype.contains("float") || dtype.contains("Int") => Some(json!(1.0)),
        _ => None,
    }
}

#[test]
fn every_field_has_an_effect_or_is_known_to_have_none() {
    let original: Value = serde_json::from_str(NETWORK).expect("json");
    let before = outcome(&original).expect("a network");
    let mut effect: BTreeMap<(String, String), bool> = BTreeMap::new();
    for (name, table) in original["_object"].as_object().expect("tables") {
        let Some(frame) = table["_object"].as_str() else {
            continue;
        };
        let frame: Value = serde_json::from_str(frame).expect("a frame");
        let columns = frame["columns"].as_array().expect("columns");
        for (column, title) in columns.iter().enumerate() {
            let title = title.as_str().expect("a title");
            let dtype = table["dtype"][title].as_str().unwrap_or_default();
            for row in 0..frame["data"].as_array().expect("rows").len() {
                let Some(other) = changed(&frame["data"][row][column], dtype) else {
                    continue;
                };
                let seen = effect.entry((name.clone(), title.to_string())).or_default();
                if *seen {
                    break;
                }
                let mut frame = frame.clone();
                frame["data"][row][column] = other;
                let mut document = original.clone();
                document["_object"][name]["_object"] = json!(frame.to_string());
                *seen = outcome(&document).as_ref() != Ok(&before);
            }
        }
    }
    assert!(effect.len() > 200, "{} fields", effect.len());
    let without_effect = effect.into_iter().filter(|(_, effect)| !effect).map(|(field, _)| field);
    let without_effect: BTreeSet<(String, String)> = without_effect.collect();
    let listed = WITHOUT_EFFECT
        .iter()
        .flat_map(|(table, columns)| columns.iter().map(|c| (table.to_string(), c.to_string())));
    assert_eq!(without_effect, listed.collect());
    for (table, columns) in WITHOUT_EFFECT {
        let line = DOCUMENTATION
            .lines()
            .rfind(|line| line.starts_with(&format!("| `{table}` |")));
        let line = line.unwrap_or_else(|| panic!("the documentation has no line of `{table}`"));
        for column in columns {
            assert!(line.contains(&format!("`{column}`")), "{table}: {column}");
        }
    }
}
