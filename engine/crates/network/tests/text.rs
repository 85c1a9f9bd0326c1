//! Control, direction and invisible characters in the names of a file reach no module, no table and no sentence.

mod common;

use wattbook_network::distribution::{ingest_distribution, inspect_distribution};
use wattbook_network::geo::apply_geo;
use wattbook_network::{clean_module, ingest_case, ingest_json_drop, network_from_module, JsonDrop, ModulePayload};

/// A name that ends the reading direction of a sentence, breaks lines and rings, and its visible part.
const WILD: &str = "N\u{202e}or\u{200b}th\u{2066}\u{7}\u{feff} \u{627}\u{644}\u{5e9}\u{e9}\u{5317}\u{2029}x";
const TAME: &str = "North \u{627}\u{644}\u{5e9}\u{e9}\u{5317} x";

fn wild(text: &str) -> bool {
    text.chars().any(|c| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{61c}')
    })
}

fn raw_case() -> String {
    include_str!("../../../fuzz/seeds/four_bus_33.raw")
        .replace("North       ", WILD)
        .replace("\nfour_bus\n", &format!("\n{WILD}\n").replace('\u{2029}', "\t"))
}

#[test]
fn names_of_a_balanced_case() {
    let case = ingest_case(raw_case().as_bytes(), "psse").expect("a case");
    assert_eq!(case.network.name, TAME);
    assert_eq!(case.network.buses[0].name.as_deref(), Some(TAME));
    assert!(!wild(&case.module_json) && !case.module_json.contains("\\u"));
    assert!(case.warnings.iter().all(|w| !wild(&w.message())));
    // The module is clean: reopened, it is the same network with the same identity.
    assert_eq!(network_from_module(&case.module_json).expect("a module"), case.network);
    assert_eq!(clean_module(case.module_json.clone()).expect("clean"), case.module_json);
    // The same names without those characters give the same network; the module also records the length of the file.
    let tame = raw_case()
        .replace(WILD, TAME)
        .replace(&WILD.replace('\u{2029}', "\t"), TAME);
    assert_eq!(
        ingest_case(tame.as_bytes(), "psse").expect("a case").network,
        case.network
    );
}

#[test]
fn names_of_modules_from_elsewhere() {
    let case = ingest_case(raw_case().as_bytes(), "psse").expect("a case");
    let escaped: String = WILD.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    for name in [serde_json::json!(WILD).to_string(), format!("\"{escaped}\"")] {
        let module = case.module_json.replace(&serde_json::json!(TAME).to_string(), &name);
        assert_ne!(module, case.module_json);
        assert_eq!(
            network_from_module(&module).expect("a module").buses,
            case.network.buses
        );
        match ingest_json_drop(module.as_bytes()).expect("a module") {
            JsonDrop::Module(ModulePayload::Balanced(dropped)) => assert_eq!(dropped.sha256, case.sha256),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn sentences_about_a_file() {
    let text = include_str!("../../../fuzz/seeds/four_bus_33.raw");
    for (from, to) in [
        ("345.0, 3", &*format!("{WILD}, 3")),
        ("'svc', 30, 0, 0", &*format!("'{WILD}', 30, 20, 1")),
        ("0.01, 0.1, 0.02", &*format!("0.01, {WILD}, 0.02")),
    ] {
        let error = ingest_case(text.replacen(from, to, 1).as_bytes(), "psse").expect_err(from);
        assert!(!wild(&error.message()), "{error}");
        assert!(!wild(&error.details.map_or(String::new(), |d| d.to_string())));
    }
    let script = format!("New Circuit.c\nRedirect \"{WILD}.dss\"\n");
    let error = ingest_distribution(script.as_bytes(), "dss", &[]).expect_err("no such file");
    assert!(!wild(&error.message()) && error.message().contains("North"), "{error}");
    let details = error.details.expect("the file");
    assert!(!wild(details["file"].as_str().expect("a name")));
}

#[test]
fn a_layer_finds_its_buses_by_visible_names() {
    let case = ingest_case(raw_case().as_bytes(), "psse").expect("a case");
    let layer = format!(
        "bus_name,lat,lon\n{},40,-90\nq\u{202e}uer,41,-91\n",
        WILD.replace('\u{2029}', " ")
    );
    let report = apply_geo(&case.module_json, layer.as_bytes()).expect("applied").report;
    assert_eq!(report.matched_buses, 1, "{report:?}");
    assert!(
        report.warnings.iter().all(|w| !wild(&w.message())),
        "{:?}",
        report.warnings
    );
}

/// A feeder with a line from `a` to the bus of that name.
fn feeder(bus: &str) -> String {
    format!(
        "New Circuit.c bus1=src basekv=12.47\nNew Line.l1 bus1=src bus2=a length=1\nNew Line.\u{202e}l2 bus1=a bus2={bus} length=1\n\
         New Load.d bus1={bus} kw=10 kv=12.47\n"
    )
}

#[test]
fn names_of_a_feeder_stay_distinct() {
    let case = ingest_distribution(feeder("b\u{200b}\u{e9}").as_bytes(), "dss", &[]).expect("a feeder");
    assert!(!wild(&case.module_json));
    assert!(
        case.edges
            .iter()
            .any(|e| e.id == "l2" && e.from == "a" && e.to == "b\u{e9}"),
        "{:?}",
        case.edges
    );
    assert!(case.buses.iter().any(|b| b.id == "b\u{e9}" && b.load_kw == 10.0));
    assert_eq!(inspect_distribution(&case.module_json).expect("a module"), case);
    let error = ingest_distribution(feeder("A\u{200b}").as_bytes(), "dss", &[]).expect_err("two buses of one name");
    assert_eq!(error.code, "INPUT.DUPLICATE_ELEMENT");
    assert!(
        error.message().contains("differ by control or invisible characters") && !wild(&error.message()),
        "{error}"
    );
}
