//! Distribution feeders: scripts with their companions, JSON, and modules of both.

use crate::check;
use wattbook_network::distribution::{ingest_distribution, inspect_distribution, Distribution};
use wattbook_network::geo::{apply_geo, to_geo_json};
use wattbook_network::layout::{layout_graph, Layout, LayoutOptions};
use wattbook_network::{classify_json, export_module, ingest_json_drop, JsonDrop, JsonKind, ModulePayload};

/// Cases above this size are neither laid out nor checked for the ends of every edge, since mutations repeat lines.
const LARGE: usize = 200;

/// Companions for a script: plain ones, cycles, and the script itself under another name.
fn companions(script: &[u8]) -> Vec<(String, Vec<u8>)> {
    [
        ("more.dss", &b"New Load.more bus1=end kv=12.47 kw=10\n"[..]),
        ("xy.csv", b"src, -100.5, 31.25\nmid, -100.4, 31.3\n"),
        ("loop.dss", b"Redirect loop.dss\n"),
        ("deep/a.dss", b"Redirect b.dss\n"),
        ("deep/b.dss", b"Redirect ../deep/a.dss\n"),
        ("self.dss", script),
    ]
    .map(|(path, bytes)| (path.to_string(), bytes.to_vec()))
    .into()
}

pub fn dss(bytes: &[u8]) {
    read(bytes, "dss", &companions(bytes));
}

pub fn bmopf(bytes: &[u8]) {
    read(bytes, "bmopf-json", &[]);
}

pub fn pmd(bytes: &[u8]) {
    read(bytes, "pmd-json", &[]);
}

fn read(bytes: &[u8], format: &str, companions: &[(String, Vec<u8>)]) {
    match ingest_distribution(bytes, format, companions) {
        Ok(case) => check_case(&case, bytes),
        Err(e) => check::error(&e, &["INPUT.", "PHYSICS.UNSUPPORTED"], bytes),
    }
}

/// The displayed data of any module.
pub fn module(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match inspect_distribution(&text) {
        Ok(case) => check_case(&case, bytes),
        Err(e) => check::error(&e, &["MODULE.", "INPUT."], bytes),
    }
    match to_geo_json(&text) {
        Ok(json) => assert!(json.starts_with('{')),
        Err(e) => check::error(&e, &["INPUT.GEO_EMPTY", "MODULE."], bytes),
    }
    if let Err(e) = apply_geo(&text, b"bus,lat,lon\nsrc,31.25,-100.5\nmid,31.3,-100.4\n") {
        check::error(&e, &["INPUT.", "MODULE."], bytes);
    }
}

/// The module reproduces the case, classifies as a module, is refused by the balanced reader, and can be laid out.
fn check_case(case: &Distribution, input: &[u8]) {
    let module = &case.module_json;
    check::visible(module);
    let again = inspect_distribution(module).unwrap_or_else(|e| panic!("the module of the case is refused: {e}"));
    assert!(again == *case, "the module gives another case");
    assert_eq!(classify_json(module.as_bytes()).kind, JsonKind::Module);
    match ingest_json_drop(module.as_bytes()) {
        Ok(JsonDrop::Module(ModulePayload::Multiconductor(text))) => {
            assert!(text == *module, "dropped, it is another text");
        }
        Ok(_) => panic!("dropped, the module is something else"),
        Err(e) => panic!("dropped, the module is refused: {e}"),
    }
    let refused = export_module(module, "matpower").err().map(|e| e.code);
    assert_eq!(refused, Some("MODULE.KIND"));
    assert!(case.load_kw.is_finite() && case.gen_kw.is_finite());
    let finite = |points: &[[f64; 2]]| points.iter().flatten().all(|v| v.is_finite());
    for bus in &case.buses {
        assert!(
            bus.load_kw.is_finite() && bus.xy.is_none_or(|p| finite(&[p])),
            "{bus:?}"
        );
    }
    for edge in &case.edges {
        let known = |id: &str| case.buses.iter().any(|b| b.id.eq_ignore_ascii_case(id));
        assert!(
            case.buses.len() > LARGE || (known(&edge.from) && known(&edge.to)),
            "{edge:?}"
        );
        assert!(edge.path.as_ref().is_none_or(|p| p.len() > 1 && finite(p)), "{edge:?}");
    }
    for warning in &case.warnings {
        check::code(warning.code);
        check::sentence(&warning.message(), input);
    }
    let graph = layout_graph(module).unwrap_or_else(|e| panic!("the module of the case has no graph: {e}"));
    assert_eq!(graph.len(), case.buses.len());
    if graph.len() <= LARGE {
        let options = LayoutOptions {
            coarsest_iterations: 5,
            iterations: 2,
        };
        let mut run = Layout::new(&graph, options);
        while !run.step(50).done {}
        assert_eq!(run.finish().len(), graph.len());
    }
}
