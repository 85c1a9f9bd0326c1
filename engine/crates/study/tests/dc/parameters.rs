//! Impedances, positions and costs of a case as columns, with the numbers of its file.

use crate::common::{ingest, parse, text, Answer, THREE_BUS, THREE_WINDINGS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{inspect_module, Case};

/// Columns by name, NaN as null, and the rest of the answer.
fn parameters(module: &str) -> Value {
    let reply = Case::read(module).expect("a balanced module").parameters();
    let mut found = parse(&reply.json);
    for column in &reply.columns {
        found[column.name.head().0] = column.values.iter().copied().collect();
    }
    found
}

#[test]
fn numbers_are_those_of_the_file() {
    let file = THREE_BUS
        .replace("baseMVA = 100", "baseMVA = 33.3")
        .replace("2 3 0.01 0.1 0 40 0 0 0 0", "2 3 0.013 0.17 0.021 40 0 0 0.978 -7.3")
        .replace("2 0 0 3 0.085 1.2 0;", "1 0 0 3 10 41.1 70 341.7 270 2541.7;")
        .replace("0.11 5 0;", "0.11 5 3.7 0 0 0;");
    let found = parameters(&text(&ingest(file.as_bytes(), "matpower")));
    assert_eq!(
        found,
        json!({
            "area": [1.0, 1.0, 1.0],
            "longitude": [null, null, null],
            "latitude": [null, null, null],
            "r_pu": [0.01, 0.013, 0.01],
            "x_pu": [0.1, 0.17, 0.1],
            "b_pu": [0.0, 0.021, 0.0],
            "tap": [1.0, 0.978, 1.0],
            "shift_deg": [0.0, -7.3, 0.0],
            "cost_c2": [0.11, null],
            "cost_c1": [5.0, null],
            "cost_c0": [3.7, null],
            "cost_points": { "1": [[10.0, 41.1], [70.0, 341.7], [270.0, 2541.7]] },
        })
    );
}

#[test]
fn positions_are_those_of_the_source_and_rows_those_of_the_topology() {
    let ingested = ingest(THREE_WINDINGS.as_bytes(), "psse");
    let found = parameters(&text(&ingested));
    let rows = |id: ColumnName| ingested.at(id).len();
    assert_eq!(found["latitude"].as_array().unwrap().len(), rows(ColumnName::BusId));
    assert_eq!(found["x_pu"].as_array().unwrap().len(), rows(ColumnName::BranchId));
    assert_eq!(
        found["cost_c1"].as_array().unwrap().len(),
        rows(ColumnName::GeneratorId)
    );
    assert!(rows(ColumnName::BranchId) > ingested["n_branch"].as_u64().unwrap() as usize);
    // Two buses at one position: the map spreads them, the table does not.
    let layer = r#"{"bus":[{"bus":1,"lat":30.5,"lon":-97.25},{"bus":3,"lat":30.5,"lon":-97.25}]}"#;
    let applied = Answer::from(wattbook_study::apply_geo(&crate::common::three_bus(), layer.as_bytes()).unwrap());
    let placed = applied["case"]["module_json"].as_str().unwrap().to_owned();
    let found = parameters(&placed);
    assert_eq!(found["longitude"], json!([-97.25, null, -97.25]));
    assert_eq!(found["latitude"], json!([30.5, null, 30.5]));
    let view = Answer::from(inspect_module(&placed).unwrap());
    let [lon, lat] = [ColumnName::MapLongitude, ColumnName::MapLatitude].map(|name| view.taking(name));
    assert_eq!(lon.len(), 2);
    assert_ne!((lon[0], lat[0]), (lon[1], lat[1]));
}
