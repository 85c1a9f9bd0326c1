//! Files through the JSON surface: documents of any kind, geographic layers, drawings, other formats.

use crate::common::{data, ingest, parse, text, three_bus, Answer, THREE_BUS, THREE_WINDINGS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{
    apply_geo, classify_json_json, export_formats_json, export_module, ingest_json_drop, parse_display_json,
};

fn drop(bytes: &[u8]) -> Answer {
    Answer::from(ingest_json_drop(bytes).expect("no error"))
}

#[test]
fn a_dropped_document_is_reported_with_its_kind() {
    let module = three_bus();
    let found = drop(module.as_bytes());
    assert_eq!((&found["kind"], &found["format"]), (&json!("module"), &Value::Null));
    assert_eq!(
        (&found["payload"]["model"], &found["payload"]["n_bus"]),
        (&json!("balanced"), &json!(3))
    );
    assert_eq!(found["payload"]["module_json"], module.as_str());
    let file = export_module(&module, "powermodels-json").expect("a file");
    assert_eq!(
        parse(&classify_json_json(&file.bytes)),
        json!({ "kind": "transmission", "format": "powermodels-json" })
    );
    let found = drop(&file.bytes);
    assert_eq!(
        (&found["kind"], &found["format"]),
        (&json!("transmission"), &json!("powermodels-json"))
    );
    assert_eq!(found["payload"]["load_mw"], 90.0);
    let nothing = |kind: &str| json!({ "kind": kind, "format": null, "payload": null });
    for text in ["", "no JSON", "{}", "[1]", r#"{"bus":[{"bus":1,"lat":1,"lon":2}]}"#] {
        assert_eq!(drop(text.as_bytes()).head, nothing("unknown"), "{text}");
        assert_eq!(parse(&classify_json_json(text.as_bytes()))["kind"], "unknown", "{text}");
    }
    let error = ingest_json_drop(br#"{"schema":"pio-ir","version":1,"value":{}}"#).unwrap_err();
    assert_eq!(error.code, "MODULE.INVALID");
}

#[test]
fn a_layer_is_reported_with_its_counts_and_warnings() {
    let records = "bus,lat,lon\n1,40.0,-89.0\n3,41.0,-88.0\n77,1,2\n";
    let applied = Answer::from(apply_geo(&three_bus(), records.as_bytes()).expect("matched"));
    let report = &applied["report"];
    let counts = [
        "bus_records",
        "branch_records",
        "matched_buses",
        "matched_branches",
        "unmatched_records",
        "unplaced_buses",
    ];
    assert_eq!(counts.map(|k| report[k].as_u64().expect(k)), [3, 0, 2, 0, 1, 1]);
    assert_eq!(
        (&report["space"], &report["basis"]),
        (&json!("geographic"), &json!("names"))
    );
    assert_eq!(
        (&report["warnings"][0]["record"], &report["warnings"][0]["code"]),
        (&json!(3), &json!("GEO.UNMATCHED"))
    );
    assert_eq!(
        (&applied["case"]["model"], &applied["drawing"]),
        (&json!("balanced"), &Value::Null)
    );
    // Buses that the layer omits are not on the map.
    assert_eq!(applied["case"]["has_coords"], false);
    assert_eq!(applied["case"]["coords_kind"], "file");
    assert!(applied["case"]["view"].is_object());
    let is_shown: Vec<bool> = applied
        .at(ColumnName::MapLatitude)
        .iter()
        .map(|lat| !lat.is_nan())
        .collect();
    assert_eq!(is_shown, [true, false, true]);
    // Coordinates that are not map positions are returned for the diagram, by bus number and branch row.
    let drawing = br#"{"type":"FeatureCollection","powerio_geo_kind":"drawing","features":[
        {"type":"Feature","properties":{"bus":2},"geometry":{"type":"Point","coordinates":[500,700]}},
        {"type":"Feature","properties":{"branch":2},"geometry":{"type":"LineString","coordinates":[[500,700],[9,8]]}}]}"#;
    let applied = Answer::from(apply_geo(&three_bus(), drawing).expect("matched"));
    assert_eq!(
        applied["drawing"]["buses"],
        json!([{ "bus": 2, "x": 500.0, "y": 700.0 }])
    );
    assert_eq!(applied["drawing"]["branches"][0]["branch"], 2);
    assert_eq!(
        (&applied["report"]["space"], &applied["case"]["has_coords"]),
        (&json!("drawing"), &json!(false))
    );
    assert_eq!(
        apply_geo(&three_bus(), b"bus,lat,lon\n9,1,2\n").unwrap_err().code,
        "INPUT.GEO_NO_MATCH"
    );
}

#[test]
fn drawings_have_their_units() {
    assert_eq!(parse_display_json(b"").unwrap_err().code, "INPUT.EMPTY");
    assert_eq!(
        parse_display_json(b"nothing of the kind").unwrap_err().code,
        "INPUT.DISPLAY"
    );
    let Some(bytes) = data("activsg200/ACTIVSg200.pwd") else {
        return;
    };
    let display = parse(&parse_display_json(&bytes).expect("a drawing"));
    assert_eq!(display["substations"].as_array().map(Vec::len), Some(111));
    assert!(display["substations"][0]["x"].is_number() && display["substations"][0]["name"].is_string());
    assert!(display["buses"].is_array() && display["branches"].is_array() && display["unmatched"].is_array());
}

#[test]
fn every_format_of_the_list_is_written_and_names_its_losses() {
    let formats = parse(&export_formats_json());
    let formats = formats.as_array().expect("formats");
    assert!(formats.len() >= 5, "{formats:?}");
    for format in formats {
        let token = format["format"].as_str().expect("a token");
        assert!(format["label"].is_string());
        let file = export_module(&three_bus(), token).expect(token);
        let extension = format["extension"].as_str().expect("an extension");
        assert_eq!(file.file_name, format!("three.{extension}"));
        assert!(!file.bytes.is_empty(), "{token}");
        let warnings = parse(&file.warnings_json);
        assert!(
            warnings
                .as_array()
                .expect("a list")
                .iter()
                .all(|w| w["code"] == "EXPORT.LOSS"),
            "{token}"
        );
    }
    let losses = parse(&export_module(&three_bus(), "psse").expect("a file").warnings_json);
    assert!(
        losses[0]["message"].as_str().expect("a sentence").contains("cost"),
        "{losses}"
    );
    assert_eq!(export_module(&three_bus(), "tea").unwrap_err().code, "EXPORT.FORMAT");
    let windings = text(&ingest(THREE_WINDINGS.as_bytes(), "psse"));
    let star = parse(&export_module(&windings, "pslf").expect("a file").warnings_json);
    assert!(
        star[0]["message"]
            .as_str()
            .expect("a sentence")
            .contains("written as stars"),
        "{star}"
    );
    let shifted = THREE_BUS.replace("2 3 0.01 0.1 0 40 0 0 0 0 1", "2 3 0.01 0.1 0 40 0 0 1 5 1");
    let shifted = text(&ingest(shifted.as_bytes(), "matpower"));
    assert_eq!(export_module(&shifted, "pslf").unwrap_err().code, "EXPORT.REFUSED");
}
