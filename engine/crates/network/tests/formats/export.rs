//! Modules written in every format, and read again where this crate reads it.

use crate::common::{changed, ingest, CASE};
use wattbook_network::{export_formats, export_module, ingest_case, AnalysisNetwork};

/// What a DC optimal power flow sees, in nine digits and without the order of rows: formats write decimal numbers, and
/// some hold transformers behind lines.
fn electrical(net: &AnalysisNetwork) -> Vec<String> {
    let mut out = vec![format!("base {}", net.base_mva)];
    for b in &net.buses {
        let (p, bs) = (b.demand_pu, b.bs_pu);
        out.push(format!("bus {} {p:.9} {bs:.9} {} {}", b.id, b.base_kv, b.in_service));
    }
    for b in &net.branches {
        let (from, to) = (net.buses[b.from].id, net.buses[b.to].id);
        let rating = if b.rating_is_fallback { 0.0 } else { b.rating_pu };
        let (r, x, tap, shift) = (b.r_pu, b.x_pu, b.tap, b.shift_rad);
        out.push(format!(
            "branch {from} {to} {r:.9} {x:.9} {tap:.9} {shift:.9} {rating:.9} {}",
            b.in_service
        ));
    }
    for g in &net.generators {
        let (bus, low, high) = (net.buses[g.bus].id, g.pmin_pu, g.pmax_pu);
        out.push(format!("gen {bus} {low:.9} {high:.9} {}", g.in_service));
    }
    out.sort();
    out
}

/// The reader of a written format, where this crate has one.
fn reader(format: &str) -> Option<&str> {
    match format {
        "psse34" | "psse35" => Some("psse"),
        "psse-rawx" | "xiidm" | "jiidm" | "ucte" | "surge-json" => None,
        other => Some(other),
    }
}

#[test]
fn every_writer_writes_and_what_is_read_again_is_the_same_network() {
    let unshifted = ingest(&changed("0.98	-3", "0.98	0")).expect("case without phase shift");
    let mut read_again = 0;
    for target in export_formats() {
        let case = match target.format {
            "pslf" => &unshifted,
            _ => &ingest(CASE).expect("case"),
        };
        let file = export_module(&case.module_json, target.format).unwrap_or_else(|e| panic!("{}: {e}", target.format));
        assert_eq!(file.file_name, format!("four_bus.{}", target.extension));
        assert!(file.warnings.iter().all(|w| w.code == "EXPORT.LOSS"));
        let Some(format) = reader(target.format) else {
            assert!(!file.bytes.is_empty(), "{}", target.format);
            continue;
        };
        let again = ingest_case(&file.bytes, format).unwrap_or_else(|e| panic!("{}: {e}", target.format));
        assert_eq!(
            electrical(&again.network),
            electrical(&case.network),
            "{}",
            target.format
        );
        read_again += 1;
    }
    assert_eq!(read_again, 9);
}

#[test]
fn losses_are_told_and_what_cannot_be_stated_is_refused() {
    let module = ingest(CASE).expect("case").module_json;
    let raw = export_module(&module, "psse").expect("RAW");
    assert!(
        raw.warnings.iter().any(|w| w.message().contains("cost")),
        "costs have no place in RAW files"
    );
    let code = |module: &str, format: &str| export_module(module, format).expect_err("refused").code;
    assert_eq!(code(&module, "pslf"), "EXPORT.REFUSED");
    for format in ["pwb", "opfdata-json", "goc3-json", "cgmes", "dss", ""] {
        assert_eq!(code(&module, format), "EXPORT.FORMAT", "{format}");
    }
    assert_eq!(code("{}", "psse"), "MODULE.INVALID");
}

#[test]
fn costs_survive_where_the_format_has_them() {
    let case = ingest(CASE).expect("case");
    for format in ["matpower", "powermodels-json", "egret-json"] {
        let file = export_module(&case.module_json, format).expect("written");
        let again = ingest_case(&file.bytes, format).expect("read").network;
        assert_eq!(again.generators[0].cost, case.network.generators[0].cost, "{format}");
        assert_eq!(again.generators[2].cost, case.network.generators[2].cost, "{format}");
    }
}
