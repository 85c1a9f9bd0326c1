//! Multiconductor files of the data folder against OpenDSS's reading of them, and against each other. `data_folder.csv`
//! has the outcome of each file, with its counts.

use crate::small::{bus, close, count};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use wattbook_network::distribution::{ingest_distribution, Distribution};
use wattbook_network::EngineError;

fn read(folder: &Path, path: &str) -> Result<Distribution, EngineError> {
    let file = folder.join(path);
    let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    match path {
        p if p.to_lowercase().ends_with(".dss") => {
            ingest_distribution(&bytes, "dss", &crate::data_folder::companions(&file))
        }
        p if p.contains("/pmd/") => ingest_distribution(&bytes, "pmd-json", &[]),
        _ => ingest_distribution(&bytes, "bmopf-json", &[]),
    }
}

#[test]
fn buses_and_nodes_are_those_that_opendss_solved() {
    let Some(folder) = crate::data_folder::folder() else {
        return;
    };
    let mut compared = 0;
    for (cases, solutions) in [
        ("opendss", "opendss_solutions"),
        ("en_validation_case_data", "en_validation_case_solutions"),
    ] {
        for file in crate::data_folder::files(&folder.join("pmd_validation").join(solutions), &["json"]) {
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
    let Some(folder) = crate::data_folder::folder() else {
        return;
    };
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
    let Some(folder) = crate::data_folder::folder() else {
        return;
    };
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
    let Some(folder) = crate::data_folder::folder() else {
        return;
    };
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
