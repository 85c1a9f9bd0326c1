//! JSON documents: classification by content, and the outcome of a drop.

use crate::common::{ingest, CASE};
use wattbook_network::analysis::Cost;
use wattbook_network::{
    classify_json, export_module, ingest_case, ingest_json_drop, JsonDrop, JsonKind, ModulePayload,
};

/// A hand-made GO Challenge 3 problem: two buses, two lines (one out of service), a transformer, a shunt, a
/// producer and a consumer, two intervals. The reader wants every member that the format requires.
const GOC3: &str = include_str!("../common/goc3.json");

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
    assert!(
        old.code == "MODULE.INVALID" && old.message().contains("generation 1"),
        "{old}"
    );
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
fn the_network_of_a_unit_commitment_is_that_of_its_first_interval() {
    let class = classify_json(GOC3.as_bytes());
    assert_eq!((class.kind, class.format), (JsonKind::Transmission, Some("goc3-json")));
    let net = ingest_case(GOC3.as_bytes(), "goc3-json").expect("a network").network;
    let buses: Vec<_> = net
        .buses
        .iter()
        .map(|b| (b.id, b.uid.as_deref(), b.demand_pu, b.gs_pu, b.bs_pu))
        .collect();
    assert_eq!(net.base_mva, 100.0);
    assert_eq!(
        buses,
        [(1, Some("bus_0"), 0.0, 0.0, 0.0), (2, Some("bus_1"), 0.8, 0.1, 0.5)]
    );
    let branches: Vec<_> = net
        .branches
        .iter()
        .map(|b| (b.in_service, b.x_pu, b.tap, b.rating_pu))
        .collect();
    assert_eq!(
        branches,
        [(true, 0.1, 1.0, 1.5), (false, 0.2, 1.0, 1.5), (true, 0.05, 0.98, 1.5)]
    );
    let unit = &net.generators[0];
    assert_eq!((unit.bus, unit.pg_pu, unit.pmin_pu, unit.pmax_pu), (0, 1.0, 0.2, 1.5));
    // 1000 $/h per unit up to 0.5, then 2000 over a further 1.0.
    let points = vec![[0.0, 0.0], [0.5, 500.0], [1.5, 2500.0]];
    assert_eq!(unit.cost, Cost::PiecewiseLinear { points });
    assert!(net
        .warnings
        .iter()
        .any(|w| w.code == "INPUT.FIELD_IGNORED" && w.message().contains("first interval")));
}

#[test]
fn what_a_unit_commitment_lacks_or_has_in_excess_is_named() {
    let changed = |from: &str, to: &str| {
        assert!(GOC3.contains(from), "{from}");
        ingest_case(GOC3.replacen(from, to, 1).as_bytes(), "goc3-json").expect_err("refused")
    };
    let base = changed("\"base_norm_mva\": 100.0", "\"other\": 1");
    assert!(
        base.code == "INPUT.PARSE" && base.message().contains("base_norm_mva"),
        "{base}"
    );
    let link = "\"dc_line\": [{\"uid\":\"dc\",\"fr_bus\":\"bus_0\",\"to_bus\":\"bus_1\",\"pdc_ub\":1.0,\"qdc_fr_lb\":-1.0,\"qdc_to_lb\":-1.0,\"qdc_fr_ub\":1.0,\"qdc_to_ub\":1.0,\"initial_status\":{\"pdc_fr\":0.0,\"qdc_fr\":0.0,\"qdc_to\":0.0}}]";
    assert_eq!(changed("\"dc_line\": []", link).code, "PHYSICS.UNSUPPORTED");
    let unknown = changed("\"fr_bus\": \"bus_0\"", "\"fr_bus\": \"bus_9\"");
    assert!(unknown.message().contains("bus_9"), "{unknown}");
}

/// Additions of a converter to a document: identities, ratings of zero, and warnings that stay with the module.
#[test]
fn additions_of_a_converter_are_read_and_stay() {
    let document = |additions: &str| {
        format!(
            r#"{{"baseMVA":100,"per_unit":false,
            "bus":{{"1":{{"index":1,"bus_i":7,"name":"north","bus_type":3,"vm":1,"base_kv":110,"vmin":0.9,"vmax":1.1}},
                    "2":{{"index":2,"bus_i":3,"bus_type":1,"vm":1,"base_kv":110,"vmin":0.9,"vmax":1.1}}}},
            "load":{{"1":{{"load_bus":3,"pd":50,"qd":0}}}},
            "gen":{{"1":{{"index":1,"gen_bus":7,"pmin":0,"pg":0,"qg":0,"cost":[0,10,0],"model":2,"ncost":3}}}},
            "branch":{{"1":{{"index":1,"f_bus":7,"t_bus":3,"br_r":0,"br_x":0.1,"wattbook_rating_zero":true}},
                       "2":{{"index":2,"f_bus":7,"t_bus":3,"br_r":0,"br_x":0.1,"rate_a":80,"g_fr":0.01,"b_to":0.02}}}}
            {additions}}}"#
        )
    };
    let read = |text: &str| ingest_case(text.as_bytes(), "powermodels-json").expect("a case");
    let reported = r#"[{"code":"INPUT.FIELD_IGNORED","text":"Second."},{"code":"INPUT.LEFT_OUT","text":"First."},
        {"code":"SOLVE.ODD","text":"No code of a reader."}]"#;
    let case = read(&document(&format!(
        r#","wattbook":{{"branch_uids":["a","a"],"generator_uids":["unit"],"warnings":{reported}}}"#
    )));
    let network = &case.network;
    assert_eq!(
        network.buses.iter().map(|b| b.id).collect::<Vec<_>>(),
        [7, 3],
        "the order of the document"
    );
    let uids: Vec<_> = network.branches.iter().map(|b| b.uid.as_deref()).collect();
    assert_eq!(
        (uids, network.generators[0].uid.as_deref()),
        (vec![Some("a"), None], Some("unit"))
    );
    assert_eq!(network.generators[0].pmax_pu, f64::INFINITY, "an absent limit is none");
    assert_eq!(network.branches[0].rating_pu, 0.0);
    assert_eq!(
        (network.branches[1].rating_pu, network.branches[0].rating_is_fallback),
        (0.8, false)
    );
    let codes: Vec<_> = case.warnings.iter().map(|w| (w.code, w.message())).collect();
    assert_eq!(codes[0], ("INPUT.LEFT_OUT", "First.".to_owned()));
    assert!(codes.contains(&("INPUT.FIELD_IGNORED", "Second.".to_owned())));
    assert!(codes.iter().all(|(code, _)| *code != "SOLVE.ODD"));
    let again = wattbook_network::network_from_module(&case.module_json).expect("the same case");
    assert_eq!(again, case.network);
    for odd in [
        r#","wattbook":5"#,
        r#","wattbook":{"branch_uids":["only one"],"warnings":[]}"#,
        "",
    ] {
        assert_eq!(read(&document(odd)).network.branches[0].uid, None, "{odd}");
    }
}
