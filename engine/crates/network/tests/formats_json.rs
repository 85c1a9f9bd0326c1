//! JSON documents: classification by content, and what a drop becomes.

mod common;

use common::{ingest, CASE};
use wattbook_network::{
    classify_json, export_module, ingest_case, ingest_json_drop, JsonDrop, JsonKind, ModulePayload,
};

fn class(text: &str) -> (&'static str, Option<&'static str>) {
    let class = classify_json(text.as_bytes());
    (class.kind.as_str(), class.format)
}

#[test]
fn kinds_and_formats_of_the_specification() {
    let module = ingest(CASE).expect("case").module_json;
    assert_eq!(class(&module), ("module", None));
    assert_eq!(
        class("{\"schema\":\"pio-ir\",\"version\":1}"),
        ("module", None),
        "its reader names the generation"
    );
    let pm = r#"{"baseMVA":100,"bus":{"1":{}},"branch":{"1":{}},"gen":{}}"#;
    assert_eq!(class(pm), ("transmission", Some("powermodels-json")));
    assert_eq!(
        class(&format!("\u{feff}{pm}")),
        ("transmission", Some("powermodels-json")),
        "byte order mark"
    );
    assert_eq!(
        class(r#"{"elements":{},"system":{}}"#),
        ("transmission", Some("egret-json"))
    );
    let bmopf = r#"{"bus":{"a":{}},"line":{"l":{}},"linecode":{}}"#;
    assert_eq!(class(bmopf), ("distribution", Some("bmopf-json")));
    let pmd = r#"{"data_model":"ENGINEERING","bus":{"a":{}},"load":{"l":{}}}"#;
    assert_eq!(class(pmd), ("distribution", Some("pmd-json")));
    let both = r#"{"baseMVA":1,"bus":{"1":{}},"branch":{"1":{}},"line":{"l":{}}}"#;
    assert_eq!(class(both), ("ambiguous", None));
}

#[test]
fn what_holds_no_equipment_is_unknown() {
    for text in [
        "",
        "not json",
        "[]",
        "{}",
        r#"{"bus":{}}"#,
        r#"{"bus":{"1":{"lat":1,"lon":2}}}"#,
        r#"{"bus":[{"bus_i":1,"lat":1,"lon":2}],"branch":[{"f_bus":1,"t_bus":2}]}"#,
        r#"{"type":"FeatureCollection","features":[]}"#,
        r#"{"name":"retired","base_mva":100.0,"buses":[{"id":1}],"branches":[]}"#,
        r#"{"network":{"caseid":{}}}"#,
        r#"{"line":{},"branch":{}}"#,
    ] {
        assert_eq!(class(text), ("unknown", None), "{text}");
        assert!(
            matches!(ingest_json_drop(text.as_bytes()), Ok(JsonDrop::Unknown)),
            "{text}"
        );
    }
    assert_eq!(
        classify_json(b"{\"bus\":\"\xff\"}").kind,
        JsonKind::Unknown,
        "not UTF-8"
    );
}

#[test]
fn a_dropped_module_is_the_case_it_was() {
    let case = ingest(CASE).expect("case");
    let reformatted: serde_json::Value = serde_json::from_str(&case.module_json).expect("JSON");
    for text in [case.module_json.clone(), format!("\u{feff}{}", case.module_json)] {
        match ingest_json_drop(text.as_bytes()).expect("module") {
            JsonDrop::Module(ModulePayload::Balanced(again)) => {
                assert_eq!(
                    (again.sha256, again.network),
                    (case.sha256.clone(), case.network.clone())
                );
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(ingest_json_drop(reformatted.to_string().as_bytes()).is_ok());
    let old = ingest_json_drop(b"{\"schema\":\"pio-ir\",\"version\":1}").expect_err("older generation");
    assert_eq!(old.code, "MODULE.INVALID");
}

#[test]
fn a_dropped_case_is_ingested_and_a_distribution_network_is_handed_on() {
    let case = ingest(CASE).expect("case");
    for name in ["powermodels-json", "egret-json", "pandapower-json"] {
        let file = export_module(&case.module_json, name).expect("written");
        match ingest_json_drop(&file.bytes).expect("case") {
            JsonDrop::Transmission { format, ingested } => {
                assert_eq!(format, name);
                let direct = ingest_case(&file.bytes, name).expect("case");
                assert_eq!((ingested.sha256, ingested.network.buses.len()), (direct.sha256, 4));
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    let text = br#"{"bus":{"a":{}},"line":{"l":{}},"linecode":{}}"#;
    match ingest_json_drop(text).expect("distribution") {
        JsonDrop::Distribution { format, bytes } => assert_eq!((format, &bytes[..]), ("bmopf-json", &text[..])),
        other => panic!("{other:?}"),
    }
    let both = br#"{"baseMVA":1,"bus":{"1":{}},"branch":{"1":{}},"line":{"l":{}}}"#;
    assert!(matches!(ingest_json_drop(both), Ok(JsonDrop::Ambiguous)));
}

#[test]
fn pandapower_switches_that_change_the_network_are_refused() {
    let table = |rows: &str| {
        let frame =
            format!(r#"{{\"columns\":[\"bus\",\"element\",\"et\",\"closed\"],\"index\":[0],\"data\":[{rows}]}}"#);
        let text = format!(r#"{{"_class":"pandapowerNet","_object":{{"switch":{{"_object":"{frame}"}}}}}}"#);
        ingest_case(text.as_bytes(), "pandapower-json")
            .expect_err("no whole network")
            .code
    };
    assert_eq!(table(r#"[1,2,\"b\",true]"#), "PHYSICS.UNSUPPORTED");
    assert_eq!(table(r#"[1,2,\"l\",false]"#), "PHYSICS.UNSUPPORTED");
    assert_ne!(table(r#"[1,2,\"l\",true]"#), "PHYSICS.UNSUPPORTED");
}
