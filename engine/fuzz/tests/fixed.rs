//! Every target with a fixed number of hostile inputs, which are the same in every run and on every machine.

use wattbook_fuzz::{memory, run, target, TARGETS};

#[global_allocator]
static COUNTING: memory::Counting = memory::Counting;

/// One test per target, so that they run in parallel and fail by name.
macro_rules! fixed {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                run::fixed(target($name).expect("the target"));
            }
        )*

        #[test]
        fn every_target_has_a_test() {
            let tested = [$($name),*];
            let known: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
            assert_eq!(known, tested);
        }
    };
}

fixed! {
    matpower: "matpower",
    psse: "psse",
    powerworld: "powerworld",
    pwb: "pwb",
    pslf: "pslf",
    ieee_cdf: "ieee-cdf",
    ucte: "ucte",
    xiidm: "xiidm",
    cgmes: "cgmes",
    psse_rawx: "psse-rawx",
    powermodels_json: "powermodels-json",
    egret_json: "egret-json",
    pandapower_json: "pandapower-json",
    opfdata_json: "opfdata-json",
    goc3_json: "goc3-json",
    drop: "drop",
    module: "module",
    export: "export",
    layout: "layout",
    geo_module: "geo-module",
    layer: "layer",
    lists: "lists",
    place_from_source: "place-from-source",
    dss: "dss",
    bmopf_json: "bmopf-json",
    pmd_json: "pmd-json",
    distribution_module: "distribution-module",
    display: "display",
    acpf: "acpf",
    socwr: "socwr",
    feeder: "feeder",
    request: "request",
    edits: "edits",
    plan: "plan",
    bundle: "bundle",
    bundle_draft: "bundle-draft",
}

/// Whole seeds reach the solvers, so most of their mutations do too.
#[test]
fn seeds_of_studies_have_solutions() {
    for formulation in ["acpf", "socwr"] {
        let seeds = target(formulation).expect("the target").seeds;
        for seed in seeds {
            let case = wattbook_study::ingest_case(seed, "matpower").expect("a good case");
            let (_, module) = case.apart();
            if let Err(e) = wattbook_study::Study::create(&module, formulation, "") {
                panic!("{formulation}: {e}");
            }
        }
    }
}

#[test]
fn a_seed_of_feeders_has_a_solution() {
    let seed = target("feeder").expect("the target").seeds[0];
    let case = wattbook_study::ingest_distribution_json(seed, "dss", &[]).expect("a good feeder");
    let case: serde_json::Value = serde_json::from_str(&case).expect("JSON");
    let module = case["module_json"].as_str().expect("a module");
    let options = r#"{"source_impedance":"branch"}"#;
    if let Err(e) = wattbook_study::McStudy::new(module, options, "") {
        panic!("{e}");
    }
}

/// Whole seeds of requests, edits, plans and Study files are accepted, so most of their mutations pass the reader too.
#[test]
fn seeds_of_requests_are_accepted() {
    use wattbook_fuzz::targets::{requests, saved};
    let seeds = |name: &str| target(name).expect("the target").seeds;
    for seed in seeds("request") {
        requests::solved(seed).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(seed)));
    }
    for seed in seeds("edits") {
        requests::committed(seed).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(seed)));
    }
    for seed in seeds("plan") {
        requests::planned(seed).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(seed)));
    }
    for seed in seeds("bundle") {
        saved::rewritten(seed).unwrap_or_else(|e| panic!("{e}"));
    }
}
