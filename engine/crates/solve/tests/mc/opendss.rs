//! Multiconductor power flow against OpenDSS: the voltage of every node of the feeders in the data folder.
//!
//! `reference/opendss_voltages.csv` was computed by OpenDSS (dss_python 0.15.7) with taps as written (`controlmode=off`
//! before the first solution), one process for each case, and a tolerance of 1e-12. Data: `WATTBOOK_DATA`, else `../shared/data`; skipped, with a count, where it is absent.

use crate::data_folder;
use std::collections::BTreeMap;
use wattbook_network::distribution::{
    feeder_from_module, ingest_distribution, Controls, FeederOptions, SourceImpedance,
};
use wattbook_network::error::EngineError;
use wattbook_solve::mc::{solve, Complex64, McCertificate, McData, McModel, McOptions, McSolution};

const REFERENCE: &str = include_str!("reference/opendss_voltages.csv");

const OPTIONS: FeederOptions = FeederOptions {
    source_impedance: SourceImpedance::Branch,
    controls: Controls::Held,
};

/// Cases with unsupported physics, and the element that is named first.
const REFUSED: [(&str, &str); 15] = [
    ("dss/micro/ibr_pv_control.dss", "pvsystem.pv1"),
    ("dss/micro/xfmr_center_tap.dss", "transformer.t1"),
    (
        "pmd_validation/en_validation_case_data/case3_balanced_battery_1ph.dss",
        "storage.S1",
    ),
    (
        "pmd_validation/en_validation_case_data/case3_balanced_battery_3ph.dss",
        "storage.S1",
    ),
    (
        "pmd_validation/en_validation_case_data/case3_balanced_battery_3ph_EN.dss",
        "storage.S1",
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_1ph_delta.dss",
        "pvsystem.PV1",
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_1ph_wye.dss",
        "pvsystem.PV1",
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_3ph_delta.dss",
        "pvsystem.PV1",
    ),
    (
        "pmd_validation/en_validation_case_data/test_gen_3ph_wye.dss",
        "pvsystem.PV1",
    ),
    (
        "pmd_validation/en_validation_case_data/ut_trans_3w_yyy_1.dss",
        "transformer.Transformer1",
    ),
    ("pmd_validation/opendss/case3_unbalanced_1phase-pv.dss", "pvsystem.PV1"),
    ("pmd_validation/opendss/dist_transformer.dss", "transformer.T1"),
    ("pmd_validation/opendss/loadparser_warn_model.dss", "load.d1phm6"),
    ("pmd_validation/opendss/trans_3w_center_tap.dss", "generator.G1"),
    ("pmd_validation/opendss/ut_trans_3w_dyy_2.dss", "transformer.TX1"),
];

/// Cases that differ by more than 1e-7, the difference there, per unit, and why.
const DIFFERENT: [(&str, f64, &str); 1] = [(
    "dss/micro/defaults_degenerate.dss",
    4e-7,
    "a load without kV has the base 7200 V in OpenDSS, and not 12.47 kV by the square root of 3",
)];

/// Scripts without a comparison, and why.
const NOT_COMPARED: [(&str, &str); 16] = [
    ("dss/123Bus/IEEE123Loads.DSS", PART),
    ("dss/123Bus/IEEE123Regulators.DSS", PART),
    ("dss/123Bus/IEEELineCodes.DSS", PART),
    ("dss/13Bus/IEEELineCodes.DSS", PART),
    ("dss/34Bus/IEEELineCodes.DSS", PART),
    ("dss/37Bus/IEEELineCodes.DSS", PART),
    (
        "dss/4Bus/Kersting4wire_Lagging.dss",
        "an induction machine and a centre tap, which are refused by name",
    ),
    ("dss/IEEELineCodes.DSS", PART),
    (
        "pmd_validation/opendss/ieee13_feeder.dss",
        "lines with a singular impedance matrix: OpenDSS stops (error 183), and it is refused here with the line",
    ),
    (
        "pmd_validation/opendss/loadparser_error.dss",
        "made of errors for a parser; OpenDSS stops at the load that is defined twice",
    ),
    ("pmd_validation/opendss/subdir/test2_Linecodes.dss", PART),
    ("pmd_validation/opendss/test2_Buscoords.dss", PART),
    ("pmd_validation/opendss/test2_Linecodes.dss", PART),
    ("pmd_validation/opendss/test2_Loadshape.dss", PART),
    ("pmd_validation/opendss/test2_edit.dss", PART),
    (
        "pmd_validation/opendss/test2_master.dss",
        "made for a parser: a line of a spacing with too few conductors is refused by name",
    ),
];
const PART: &str = "a part of other scripts, without a circuit";

/// The table in the documentation, which `WATTBOOK_UPDATE` writes.
const TABLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../docs/method/multiconductor-opendss.csv"
);

/// Every script in a folder and below, by its path from the data folder.
fn scripts(data: &std::path::Path, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(data.join(folder)).unwrap_or_else(|e| panic!("{folder}: {e}"));
    let mut out = Vec::new();
    for entry in entries {
        let entry = entry.expect("an entry");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            out.extend(scripts(data, &path));
        } else if path.to_ascii_lowercase().ends_with(".dss") {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// Writes the table with `WATTBOOK_UPDATE`, otherwise checks that it has these cases.
fn keep_table(rows: &BTreeMap<String, String>) {
    let head = "Case,Nodes,\"Difference, pu\",Iterations,Remark\n";
    let text = format!("{head}{}", rows.values().map(String::as_str).collect::<String>());
    if std::env::var_os("WATTBOOK_UPDATE").is_some() {
        std::fs::write(TABLE, text).unwrap_or_else(|e| panic!("{TABLE}: {e}"));
        return;
    }
    let stored = std::fs::read_to_string(TABLE).unwrap_or_else(|e| panic!("{TABLE}: {e}"));
    let cases = |text: &str| -> Vec<String> {
        let rows = text.lines().skip(1);
        rows.filter_map(|line| line.split(',').next().map(str::to_owned))
            .collect()
    };
    assert_eq!(cases(&stored), cases(&text), "the table has other cases");
}

fn solved(path: &std::path::Path) -> Result<(McModel, McSolution), EngineError> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let case = ingest_distribution(&bytes, "dss", &data_folder::companions(path))?;
    let feeder = feeder_from_module(&case.module_json, OPTIONS)?;
    let data = McData::base(&feeder);
    let model = McModel::new(feeder)?;
    let solution = solve(&model, &data, &McOptions::default(), None)?;
    Ok((model, solution))
}

#[test]
fn every_node_of_every_feeder_has_the_voltage_of_opendss() {
    let mut cases: BTreeMap<&str, BTreeMap<&str, Complex64>> = BTreeMap::new();
    for row in REFERENCE.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let number = |k: usize| fields[k].parse::<f64>().expect("a number");
        let node = (fields[1], Complex64::new(number(2), number(3)));
        cases.entry(fields[0]).or_default().extend([node]);
    }
    let Some(folder) = data_folder::folder() else {
        println!("skipped: {} cases", cases.len());
        return;
    };
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    let mut table: BTreeMap<String, String> = BTreeMap::new();
    let quoted = |cell: &str| match cell.contains([',', '"']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    };
    let row = |case: &str, cells: [&str; 4]| format!("{case},{}\n", cells.map(quoted).join(","));
    for (case, why) in NOT_COMPARED {
        table.insert(case.to_owned(), row(case, ["", "", "", why]));
    }
    for (case, nodes) in &cases {
        let (model, solution) = match solved(&folder.join(case)) {
            Ok(both) => both,
            Err(e) => {
                let element = e
                    .details
                    .as_ref()
                    .and_then(|d| d["element"].as_str().map(str::to_owned))
                    .unwrap_or_default();
                match REFUSED.contains(&(case, element.as_str())) && e.code == "PHYSICS.UNSUPPORTED" {
                    true => {
                        refused.push(*case);
                        let why = format!("refused: {}", e.message());
                        table.insert(case.to_string(), row(case, ["", "", "", &why]));
                    }
                    false => wrong.push(format!("{case}: {element}: {e}")),
                }
                continue;
            }
        };
        let feeder = model.feeder();
        let ours: BTreeMap<String, Complex64> = feeder
            .nodes
            .iter()
            .enumerate()
            .map(|(node, _)| (feeder.node_name(node).to_lowercase(), solution.voltages[node]))
            .collect();
        let mut base: BTreeMap<&str, f64> = BTreeMap::new();
        for (node, u) in nodes {
            let base = base.entry(node.split('.').next().unwrap_or_default()).or_insert(1.0);
            *base = base.max(u.norm_sqr().sqrt());
        }
        let mut worst = (0.0, "");
        for (node, u) in nodes {
            let own = ours.get(*node).unwrap_or_else(|| panic!("{case} has no node {node}"));
            let error = (own - u).norm_sqr().sqrt() / base[node.split('.').next().unwrap_or_default()];
            if error > worst.0 || error.is_nan() {
                worst = (error, node);
            }
        }
        let certificate = McCertificate::new(feeder, &solution);
        println!(
            "{case}: {} nodes, {:.1e} pu at {}, {} iterations, KCL {:.1e} A ({:.2}, {:.2}, {:.1e})",
            nodes.len(),
            worst.0,
            worst.1,
            solution.found.iterations,
            certificate.residual_a,
            certificate.residual_part,
            certificate.current_error_part,
            certificate.held_error
        );
        let different = DIFFERENT.iter().find(|d| d.0 == *case);
        let limit = different.map_or(1e-7, |d| d.1);
        let cells: [&str; 4] = [
            &nodes.len().to_string(),
            &format!("{:.1e}", worst.0),
            &solution.found.iterations.to_string(),
            different.map_or("", |d| d.2),
        ];
        table.insert(case.to_string(), row(case, cells));
        if worst.0 > limit || worst.0.is_nan() || !certificate.holds() {
            wrong.push(format!("{case}: {:.1e} pu at {}; {certificate:?}", worst.0, worst.1));
        }
    }
    let mut all: Vec<String> = ["dss", "pmd_validation"]
        .iter()
        .flat_map(|f| scripts(&folder, f))
        .collect();
    all.sort();
    assert_eq!(
        table.keys().cloned().collect::<Vec<_>>(),
        all,
        "every script is compared or listed with the reason"
    );
    keep_table(&table);
    assert_eq!(refused, REFUSED.map(|(case, _)| case));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
