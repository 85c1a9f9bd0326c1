//! Every multiconductor file of the data folder: read with the right numbers, or refused with the right code.
//!
//! The numbers were counted from the texts of the files without the parser (JSON: members and sum of powers; scripts: `New
//! CLASS.` lines after redirects, sum of `kW=`, or of
//! `kVA= pf=`, or 10 kW where a load gives nothing), and agree with the published IEEE feeders: 3466 kW (13 buses), 1769 (34),
//! 2457 (37), 3490 (123), and OpenDSS's own counts of 16, 37, 39 and 132 buses with 41, 95, 117 and 278 nodes.

#[path = "common/data.rs"]
mod data_folder;
#[path = "common/feeder.rs"]
mod small;

use serde_json::Value;
use small::{bus, close, count};
use std::collections::BTreeMap;
use std::path::Path;
use wattbook_network::distribution::{ingest_distribution, inspect_distribution, Distribution};
use wattbook_network::EngineError;

/// Buses, lines, switches, transformers, loads, kW.
type Row = (&'static str, [u32; 5], f64);

const READ: &[Row] = &[
    ("dss/123Bus/IEEE123Master.dss", [132, 118, 8, 8, 91], 3490.0),
    ("dss/123Bus/IEEE123Switches.dss", [130, 118, 8, 8, 91], 3490.0),
    ("dss/123Bus/Run_IEEE123Bus.DSS", [132, 118, 8, 8, 91], 3490.0),
    ("dss/13Bus/IEEE13Nodeckt.dss", [16, 11, 1, 5, 15], 3466.0),
    ("dss/34Bus/Run_IEEE34Mod1.dss", [37, 32, 0, 8, 68], 1769.0),
    ("dss/34Bus/ieee34Mod1.dss", [37, 32, 0, 8, 68], 1769.0),
    ("dss/34Bus/ieee34Mod2.dss", [56, 51, 0, 8, 38], 1769.0),
    ("dss/37Bus/ieee37.dss", [39, 36, 0, 4, 30], 2457.0),
    ("dss/4Bus/4Bus-DY-Bal.DSS", [4, 2, 0, 1, 1], 5400.0),
    ("dss/4Bus/4Bus-GrdYD-Bal.DSS", [4, 2, 0, 1, 1], 5400.0),
    ("dss/4Bus/4Bus-OYOD-Bal.DSS", [4, 2, 0, 2, 1], 3600.0),
    ("dss/4Bus/4Bus-YD-Bal.DSS", [4, 2, 0, 1, 1], 5400.0),
    ("dss/4Bus/4Bus-YY-Bal.DSS", [4, 2, 0, 1, 1], 5400.0),
    ("dss/4Bus/Kersting4wire_Lagging.dss", [4, 2, 0, 2, 3], 16.1),
    ("dss/micro/defaults_degenerate.dss", [3, 1, 0, 1, 2], 30.0),
    ("dss/micro/fourwire_linecode.dss", [2, 1, 0, 0, 3], 24.0),
    ("dss/micro/ibr_pv_control.dss", [2, 1, 0, 0, 3], 24.0),
    ("dss/micro/linecode_10x10.dss", [2, 1, 0, 0, 3], 15.0),
    ("dss/micro/neutral_grounding_reactor.dss", [2, 1, 0, 0, 3], 24.0),
    ("dss/micro/onephase_cvr_load.dss", [2, 1, 0, 0, 1], 15.0),
    ("dss/micro/onephase_zip_load.dss", [2, 1, 0, 0, 1], 15.0),
    ("dss/micro/switch.dss", [4, 1, 2, 0, 1], 500.0),
    ("dss/micro/xfmr_1ph_delta_wye.dss", [2, 0, 0, 1, 1], 200.0),
    ("dss/micro/xfmr_center_tap.dss", [2, 0, 0, 1, 3], 15.0),
    ("dss/micro/xfmr_delta_wye.dss", [2, 0, 0, 1, 1], 200.0),
    ("dss/micro/xfmr_open_wye_open_delta.dss", [2, 0, 0, 2, 1], 300.0),
    ("dss/micro/xfmr_single_phase.dss", [2, 0, 0, 1, 1], 15.0),
    ("dss/micro/xfmr_wye_delta.dss", [2, 0, 0, 1, 1], 300.0),
    (
        "pmd_validation/en_validation_case_data/case3_balanced_battery_1ph.dss",
        [3, 2, 0, 0, 3],
        18.0,
    ),
    (
        "pmd_validation/en_validation_case_data/case3_balanced_battery_3ph.dss",
        [3, 2, 0, 0, 3],
        18.0,
    ),
    (
        "pmd_validation/en_validation_case_data/case3_balanced_battery_3ph_EN.dss",
        [3, 2, 0, 0, 3],
        18.0,
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_1ph_delta.dss",
        [2, 1, 0, 0, 1],
        4.5,
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_1ph_wye.dss",
        [2, 1, 0, 0, 1],
        4.5,
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_3ph_delta.dss",
        [2, 1, 0, 0, 1],
        4.5,
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_3ph_wye.dss",
        [2, 1, 0, 0, 1],
        4.5,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_1ph_delta_cp.dss",
        [2, 1, 0, 0, 2],
        13.5,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_1ph_wye_cp.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_3ph_delta_ci.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_3ph_delta_cp.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_3ph_delta_exp.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_3ph_wye_ci.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_3ph_wye_cp.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_3ph_wye_cz.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_load_3ph_wye_exp.dss",
        [2, 1, 0, 0, 2],
        LOADS,
    ),
    (
        "pmd_validation/en_validation_case_data/test_switch.dss",
        [4, 2, 1, 0, 1],
        4.5,
    ),
    (
        "pmd_validation/en_validation_case_data/test_switch_3w.dss",
        [4, 2, 1, 0, 1],
        4.5,
    ),
    (
        "pmd_validation/en_validation_case_data/test_trans_dy.dss",
        [4, 2, 0, 1, 1],
        9.0,
    ),
    (
        "pmd_validation/en_validation_case_data/test_trans_yy.dss",
        [4, 2, 0, 1, 1],
        9.0,
    ),
    (
        "pmd_validation/en_validation_case_data/test_trans_yy_3w.dss",
        [3, 1, 0, 1, 1],
        1.968,
    ),
    (
        "pmd_validation/en_validation_case_data/ut_trans_3w_yyy_1.dss",
        [4, 1, 0, 1, 3],
        60.0,
    ),
    ("pmd_validation/opendss/IEEE13_CapControl.dss", [6, 3, 0, 4, 2], 400.0),
    ("pmd_validation/opendss/IEEE13_RegControl.dss", [6, 3, 0, 4, 2], 400.0),
    ("pmd_validation/opendss/case2_diag.dss", [2, 1, 0, 0, 3], 18.0),
    ("pmd_validation/opendss/case3_balanced.dss", [3, 2, 0, 0, 3], 18.0),
    (
        "pmd_validation/opendss/case3_balanced_basefreq.dss",
        [3, 2, 0, 0, 3],
        18.0,
    ),
    ("pmd_validation/opendss/case3_balanced_cap.dss", [3, 2, 0, 0, 3], 18.0),
    ("pmd_validation/opendss/case3_balanced_isc.dss", [3, 2, 0, 0, 3], 18.0),
    (
        "pmd_validation/opendss/case3_balanced_prop-order.dss",
        [3, 2, 0, 0, 3],
        18.0,
    ),
    ("pmd_validation/opendss/case3_delta_gens.dss", [3, 2, 0, 0, 8], 2600.0),
    ("pmd_validation/opendss/case3_lm_1230.dss", [3, 2, 0, 0, 10], 4000.0),
    ("pmd_validation/opendss/case3_lm_models.dss", [3, 2, 0, 0, 12], 4800.0),
    ("pmd_validation/opendss/case3_lm_models_2.dss", [3, 2, 0, 0, 9], 3600.0),
    ("pmd_validation/opendss/case3_unbalanced.dss", [3, 2, 0, 0, 3], 21.0),
    (
        "pmd_validation/opendss/case3_unbalanced_1phase-pv.dss",
        [3, 2, 0, 0, 3],
        20.0,
    ),
    (
        "pmd_validation/opendss/case3_unbalanced_assym_swap.dss",
        [3, 2, 0, 0, 3],
        21.0,
    ),
    (
        "pmd_validation/opendss/case3_unbalanced_missingedge.dss",
        [3, 2, 0, 0, 3],
        21.0,
    ),
    (
        "pmd_validation/opendss/case3_unbalanced_switch.dss",
        [4, 2, 2, 0, 3],
        21.0,
    ),
    ("pmd_validation/opendss/case4_phase_drop.dss", [4, 3, 0, 0, 3], 18.0),
    ("pmd_validation/opendss/case_mxshunt.dss", [2, 1, 0, 0, 1], 1.0),
    ("pmd_validation/opendss/dist_transformer.dss", [11, 6, 0, 4, 4], 26.719),
    ("pmd_validation/opendss/loadparser_error.dss", [2, 1, 0, 0, 4], 1600.0),
    (
        "pmd_validation/opendss/loadparser_warn_model.dss",
        [2, 1, 0, 0, 4],
        1600.0,
    ),
    ("pmd_validation/opendss/trans_3w_center_tap.dss", [13, 6, 1, 5, 4], 60.0),
    ("pmd_validation/opendss/ut_trans_2w_dy_lag.dss", [4, 2, 0, 1, 6], 411.0),
    ("pmd_validation/opendss/ut_trans_2w_dy_lead.dss", [4, 2, 0, 1, 6], 411.0),
    (
        "pmd_validation/opendss/ut_trans_2w_dy_lead_small_series_impedance.dss",
        [4, 2, 0, 1, 6],
        411.0,
    ),
    ("pmd_validation/opendss/ut_trans_2w_yy.dss", [4, 2, 0, 1, 6], 411.0),
    ("pmd_validation/opendss/ut_trans_2w_yy_oltc.dss", [4, 2, 0, 1, 6], 411.0),
    ("pmd_validation/opendss/ut_trans_3w_dyy_2.dss", [4, 1, 0, 1, 7], 616.0),
    ("pmd_validation/opendss/virtual_sourcebus.dss", [2, 1, 0, 0, 1], 1000.0),
    ("dist_json/bmopf/4bus_dy.json", [4, 2, 0, 1, 1], 5400.0),
    ("dist_json/bmopf/example_ieee13.json", [7, 4, 0, 2, 5], 1653.0),
    ("dist_json/bmopf/ieee34.json", [37, 32, 0, 10, 68], 1769.0),
    (
        "dist_json/bmopf_2026-06/example_ieee13.json",
        [16, 11, 1, 7, 15],
        3466.0,
    ),
    ("dist_json/pmd/fourwire_linecode.json", [2, 1, 0, 0, 3], 24.0),
    ("dist_json/pmd/ieee13.json", [16, 11, 1, 3, 15], 3466.0),
];

/// 5 and 10 kVA at power factor 0.9.
const LOADS: f64 = 13.5;

/// File, code, and why refusing it is right.
const REFUSED: &[(&str, &str, &str)] = &[
    ("dss/123Bus/IEEE123Loads.DSS", "INPUT.NO_EQUIPMENT", "part of a script"),
    (
        "dss/123Bus/IEEE123Regulators.DSS",
        "INPUT.NO_EQUIPMENT",
        "part of a script",
    ),
    ("dss/123Bus/IEEELineCodes.DSS", "INPUT.NO_EQUIPMENT", "part of a script"),
    ("dss/13Bus/IEEELineCodes.DSS", "INPUT.NO_EQUIPMENT", "part of a script"),
    ("dss/34Bus/IEEELineCodes.DSS", "INPUT.NO_EQUIPMENT", "part of a script"),
    ("dss/37Bus/IEEELineCodes.DSS", "INPUT.NO_EQUIPMENT", "part of a script"),
    ("dss/IEEELineCodes.DSS", "INPUT.NO_EQUIPMENT", "part of a script"),
    (
        "pmd_validation/opendss/subdir/test2_Linecodes.dss",
        "INPUT.NO_EQUIPMENT",
        "part of a script",
    ),
    (
        "pmd_validation/opendss/test2_Buscoords.dss",
        "INPUT.NO_EQUIPMENT",
        "positions, no script",
    ),
    (
        "pmd_validation/opendss/test2_Linecodes.dss",
        "INPUT.NO_EQUIPMENT",
        "part of a script",
    ),
    (
        "pmd_validation/opendss/test2_Loadshape.dss",
        "INPUT.NO_EQUIPMENT",
        "part of a script",
    ),
    (
        "pmd_validation/opendss/test2_edit.dss",
        "INPUT.NO_EQUIPMENT",
        "part of a script",
    ),
    (
        "pmd_validation/opendss/ieee13_feeder.dss",
        "INPUT.PARSE",
        "a line without impedance, which OpenDSS refuses (error 183)",
    ),
    (
        "pmd_validation/opendss/test2_master.dss",
        "INPUT.PARSE",
        "a parser test: four wires for three positions, codes used before they exist",
    ),
    (
        "dist_json/bmopf/draft_bmopf_schema.json",
        "INPUT.PARSE",
        "a JSON schema",
    ),
    (
        "dist_json/bmopf_2026-06/draft_bmopf_schema.json",
        "INPUT.PARSE",
        "a JSON schema",
    ),
];

fn read(folder: &Path, path: &str) -> Result<Distribution, EngineError> {
    let file = folder.join(path);
    let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let format = match path {
        p if p.to_lowercase().ends_with(".dss") => "dss",
        p if p.contains("/pmd/") => "pmd-json",
        _ => "bmopf-json",
    };
    let mut companions = Vec::new();
    let own = file.parent().expect("a folder");
    let beside = [
        ("", own.to_path_buf()),
        ("../", own.join("..")),
        ("subdir/", own.join("subdir")),
    ];
    for (prefix, folder) in beside.into_iter().filter(|_| format == "dss") {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.path().is_file() && entry.path().canonicalize().ok() != file.canonicalize().ok() {
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                companions.push((name, std::fs::read(entry.path()).expect("a companion")));
            }
        }
    }
    companions.sort();
    ingest_distribution(&bytes, format, &companions)
}

#[test]
fn every_file_is_read_or_refused_as_listed() {
    let Some(folder) = data_folder::folder() else { return };
    let mut wrong = Vec::new();
    for (path, counts, kw) in READ {
        match read(&folder, path) {
            Ok(d) => {
                let found = ["buses", "lines", "switches", "transformers", "loads"].map(|k| count(&d, k));
                if found != *counts || !close(d.load_kw, *kw) {
                    wrong.push(format!("{path}: {found:?} {}", d.load_kw));
                }
                let shown: f64 = d.buses.iter().map(|b| b.load_kw).sum();
                assert!(close(shown, d.load_kw), "{path}");
                assert_eq!(d.buses.iter().filter(|b| b.has_source).count(), 1, "{path}");
                assert!(
                    !d.warnings
                        .iter()
                        .any(|w| w.element.as_deref() == Some("vsource.source")),
                    "{path}: no voltage"
                );
                assert_eq!(inspect_distribution(&d.module_json), Ok(d), "{path}");
            }
            Err(e) => wrong.push(format!("{path}: {e}")),
        }
    }
    for (path, code, _) in REFUSED {
        match read(&folder, path) {
            Ok(_) => wrong.push(format!("{path}: read")),
            Err(e) if e.code == *code => {}
            Err(e) => wrong.push(format!("{path}: {e}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let listed: Vec<&str> = READ.iter().map(|r| r.0).chain(REFUSED.iter().map(|r| r.0)).collect();
    let present = ["dss", "pmd_validation", "dist_json"].iter().flat_map(|part| {
        let extensions: &[&str] = if *part == "dist_json" { &["json"] } else { &["dss"] };
        data_folder::files(&folder.join(part), extensions)
    });
    for file in present {
        let path = file
            .strip_prefix(&folder)
            .expect("inside")
            .to_string_lossy()
            .into_owned();
        assert!(listed.contains(&path.as_str()), "{path} is not listed");
    }
    println!("{} read, {} refused", READ.len(), REFUSED.len());
}

#[test]
fn buses_and_nodes_are_those_that_opendss_solved() {
    let Some(folder) = data_folder::folder() else { return };
    let mut compared = 0;
    for (cases, solutions) in [
        ("opendss", "opendss_solutions"),
        ("en_validation_case_data", "en_validation_case_solutions"),
    ] {
        for file in data_folder::files(&folder.join("pmd_validation").join(solutions), &["json"]) {
            let solution: Value = serde_json::from_slice(&std::fs::read(&file).expect("a solution")).expect("JSON");
            let path = format!(
                "pmd_validation/{cases}/{}",
                solution["dss_file"].as_str().expect("a name")
            );
            let case = read(&folder, &path).unwrap_or_else(|e| panic!("{path}: {e}"));
            let nodes = |terminals: &mut dyn Iterator<Item = &String>| {
                let mut out: Vec<String> = terminals.cloned().collect();
                out.sort();
                out
            };
            let live = |b: &wattbook_network::distribution::DistributionBus| {
                nodes(&mut b.terminals.iter().filter(|t| !b.grounded.contains(t)))
            };
            let ours: BTreeMap<String, Vec<String>> =
                case.buses.iter().map(|b| (b.id.to_lowercase(), live(b))).collect();
            let theirs = solution["bus"].as_object().expect("buses").iter();
            let theirs: BTreeMap<String, Vec<String>> = theirs
                .map(|(id, b)| (id.clone(), nodes(&mut b["vm"].as_object().expect("nodes").keys())))
                .collect();
            assert_eq!(ours, theirs, "{path}");
            compared += 1;
        }
    }
    assert!(compared >= 40, "{compared}");
}

#[test]
fn the_ieee_feeders_have_the_nodes_that_opendss_reports() {
    let Some(folder) = data_folder::folder() else { return };
    for (path, nodes) in [
        ("dss/13Bus/IEEE13Nodeckt.dss", 41),
        ("dss/34Bus/ieee34Mod1.dss", 95),
        ("dss/37Bus/ieee37.dss", 117),
        ("dss/123Bus/IEEE123Master.dss", 278),
    ] {
        let d = read(&folder, path).expect(path);
        let live: usize = d.buses.iter().map(|b| b.terminals.len() - b.grounded.len()).sum();
        assert_eq!(live, nodes, "{path}");
    }
}

#[test]
fn one_feeder_in_two_formats_is_one_feeder() {
    let Some(folder) = data_folder::folder() else { return };
    // Regulators and wye-wye transformers are one to three elements, depending on the format: they are not compared.
    let kinds = ["buses", "lines", "switches", "loads", "capacitors", "sources"];
    for (one, other) in [
        ("dss/13Bus/IEEE13Nodeckt.dss", "dist_json/pmd/ieee13.json"),
        (
            "dss/13Bus/IEEE13Nodeckt.dss",
            "dist_json/bmopf_2026-06/example_ieee13.json",
        ),
        ("dss/34Bus/ieee34Mod1.dss", "dist_json/bmopf/ieee34.json"),
        ("dss/4Bus/4Bus-DY-Bal.DSS", "dist_json/bmopf/4bus_dy.json"),
        (
            "dss/micro/fourwire_linecode.dss",
            "dist_json/pmd/fourwire_linecode.json",
        ),
    ] {
        let (a, b) = (read(&folder, one).expect(one), read(&folder, other).expect(other));
        assert_eq!(
            kinds.map(|k| count(&a, k)),
            kinds.map(|k| count(&b, k)),
            "{one} {other}"
        );
        assert!(close(a.load_kw, b.load_kw), "{one} {other}");
        for at in &a.buses {
            let twin = bus(&b, &at.id);
            assert!(
                close(at.load_kw, twin.load_kw) && at.has_source == twin.has_source,
                "{one}: {}",
                at.id
            );
        }
    }
}

#[test]
fn switches_of_the_files_stand_as_written() {
    let Some(folder) = data_folder::folder() else { return };
    let states = |path: &str| -> Vec<(String, bool)> {
        let d = read(&folder, path).expect(path);
        let switch = |e: &&wattbook_network::distribution::DistributionEdge| {
            e.kind == wattbook_network::distribution::DistributionEdgeKind::Switch
        };
        d.edges
            .iter()
            .filter(switch)
            .map(|e| (e.id.to_lowercase(), e.closed))
            .collect()
    };
    assert_eq!(
        states("dss/micro/switch.dss"),
        [("sw_closed".into(), true), ("sw_open".into(), false)]
    );
    let open: Vec<String> = states("dss/123Bus/IEEE123Switches.dss")
        .into_iter()
        .filter(|s| !s.1)
        .map(|s| s.0)
        .collect();
    assert_eq!(open, ["sw7", "sw8"]);
}
