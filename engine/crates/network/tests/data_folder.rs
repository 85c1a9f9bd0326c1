//! Every file of the data folder is read, or refused for the reason that `data_folder.csv` gives.
//!
//! The table has a row for each file but the reference results: its kind (the reader that its name, or a JSON document's
//! content, asks for: a format token, `pwd`, `layer`, or `none`), the case that a layer is applied to, what becomes of it,
//! and why. The counts were compared with the texts of the files without the parser: records of RAW files, rows of MATPOWER
//! tables; of feeders, JSON members and sums of powers, `New CLASS.` lines after redirects, sums of `kW=`, of `kVA= pf=`, or
//! 10 kW where a load gives nothing. They agree with the published IEEE feeders: 3466 kW (13 buses), 1769 (34), 2457 (37), 3490
//! (123), and OpenDSS's own counts of 16, 37, 39 and 132 buses.

#[path = "common/data.rs"]
mod data;
#[path = "common/feeder.rs"]
mod feeder;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use wattbook_network::analysis::{Branch, Warning};
use wattbook_network::display::parse_display;
use wattbook_network::distribution::{ingest_distribution, inspect_distribution, Distribution};
use wattbook_network::geo::{apply_geo, parse_layer};
use wattbook_network::{
    classify_json, format_of, ingest_case, ingest_json_drop, network_from_module, EngineError, Ingested, JsonDrop,
};

const TABLE: &str = include_str!("data_folder.csv");
const HEADER: &str = "path,kind,with,outcome,code,found,reason";

/// A row: the path and the compared columns; the reason is a remark.
struct Row {
    path: String,
    /// `kind,with,outcome,code,found`.
    expected: String,
    with: String,
    refused: bool,
    reason: String,
}

fn table() -> Vec<Row> {
    let mut lines = TABLE.lines();
    assert_eq!(lines.next(), Some(HEADER));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.splitn(7, ',').collect();
            assert_eq!(cells.len(), 7, "{line}");
            let reason = cells[6].strip_prefix('"').and_then(|r| r.strip_suffix('"'));
            Row {
                path: cells[0].into(),
                expected: cells[1..6].join(","),
                with: cells[2].into(),
                refused: cells[3] != "read",
                reason: reason.unwrap_or(cells[6]).into(),
            }
        })
        .collect()
}

/// What became of a file: `outcome,code,found`.
fn outcome(result: Result<String, EngineError>) -> String {
    match result {
        Ok(found) => format!("read,,{found}"),
        Err(e) => format!("refused,{},", e.code),
    }
}

/// The reader that the product takes: by the extension, and for `.json` by the content.
fn kind_of(path: &str, bytes: &[u8]) -> &'static str {
    let extension = path.rsplit_once('.').map_or("", |(_, e)| e).to_ascii_lowercase();
    match (format_of(path), extension.as_str()) {
        (Some(format), _) => format,
        (None, "pwd") => "pwd",
        (None, "json") => classify_json(bytes).format.unwrap_or("layer"),
        (None, "csv" | "geojson") => "layer",
        _ => "none",
    }
}

fn balanced(bytes: &[u8], format: &str, wrong: &mut Vec<String>) -> Result<String, EngineError> {
    let case = ingest_case(bytes, format)?;
    let net = &case.network;
    match network_from_module(&case.module_json) {
        Ok(again) if again == *net => {}
        other => wrong.push(format!("its module reads otherwise: {:?}", other.err())),
    }
    // Impedances of pandapower are unlimited.
    let is_rated =
        |b: &&Branch| b.rating_pu > 0.0 && (b.rating_pu.is_finite() || b.is_switch || format == "pandapower-json");
    let unrated = net.branches.iter().find(|b| !is_rated(b));
    wrong.extend(unrated.map(|b| format!("branch {} is rated {}", b.id, b.rating_pu)));
    let reported = net
        .warnings
        .iter()
        .filter(|w| w.code == "COST.NOT_IN_FORMAT" || w.code == "COST.MISSING")
        .count();
    if reported > 1 {
        wrong.push(format!("{reported} warnings say that costs are missing"));
    }
    let counts = [net.n_canonical_buses, net.n_canonical_branches, net.generators.len()];
    Ok(format!(
        "{} buses {} branches {} generators",
        counts[0], counts[1], counts[2]
    ))
}

fn multiconductor(file: &Path, bytes: &[u8], format: &str) -> Result<Distribution, EngineError> {
    let companions = if format == "dss" {
        data::companions(file)
    } else {
        Vec::new()
    };
    ingest_distribution(bytes, format, &companions)
}

fn network(file: &Path, bytes: &[u8], format: &str, wrong: &mut Vec<String>) -> Result<String, EngineError> {
    let d = multiconductor(file, bytes, format)?;
    let shown: f64 = d.buses.iter().map(|b| b.load_kw).sum();
    if !feeder::close(shown, d.load_kw) {
        wrong.push(format!("its buses carry {shown} kW"));
    }
    if d.buses.iter().filter(|b| b.has_source).count() != 1 {
        wrong.push("it has not one bus with a source".into());
    }
    if d.warnings
        .iter()
        .any(|w| w.element.as_deref() == Some("vsource.source"))
    {
        wrong.push("its source has no voltage".into());
    }
    if inspect_distribution(&d.module_json).as_ref() != Ok(&d) {
        wrong.push("its module reads otherwise".into());
    }
    let counts =
        ["buses", "lines", "switches", "transformers", "loads"].map(|k| format!("{} {k}", feeder::count(&d, k)));
    Ok(format!("{} {} kW", counts.join(" "), (d.load_kw * 1e6).round() / 1e6))
}

/// A layer on its own, or the part of it that matches the case.
fn layer(bytes: &[u8], module: Option<&str>, wrong: &mut Vec<String>) -> Result<String, EngineError> {
    let Some(module) = module else {
        let layer = parse_layer(bytes)?;
        return Ok(format!("{} records {}", layer.records.len(), layer.space.token()));
    };
    let applied = apply_geo(module, bytes)?;
    let r = &applied.report;
    if r.unplaced_buses == 0 && applied.drawing.is_none() {
        let placed = network_from_module(&applied.module_json).map(|net| net.has_coords());
        if placed != Ok(true) {
            wrong.push(format!("its buses are not on the map: {placed:?}"));
        }
    }
    Ok(format!(
        "{} buses {} routes {} unplaced {}",
        r.matched_buses,
        r.matched_branches,
        r.unplaced_buses,
        r.space.token()
    ))
}

fn display(bytes: &[u8]) -> Result<String, EngineError> {
    let d = parse_display(bytes)?;
    let counts = (d.substations.len(), d.buses.len(), d.branches.len());
    Ok(format!(
        "{} substations {} buses {} lines",
        counts.0, counts.1, counts.2
    ))
}

/// Modules of the cases that layers are applied to, each read once.
#[derive(Default)]
struct Cases(BTreeMap<String, String>);

impl Cases {
    fn module(&mut self, folder: &Path, path: &str) -> &str {
        self.0.entry(path.to_owned()).or_insert_with(|| {
            let file = folder.join(path);
            let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{path}: {e}"));
            let format = format_of(path).expect("a case");
            let balanced = |case: Ingested| case.module_json;
            match format {
                "dss" => multiconductor(&file, &bytes, format).map(|d| d.module_json),
                _ => ingest_case(&bytes, format).map(balanced),
            }
            .unwrap_or_else(|e| panic!("{path}: {e}"))
        })
    }
}

#[test]
fn the_table_is_sorted_and_argues_every_refusal() {
    let rows = table();
    assert!(rows.windows(2).all(|w| w[0].path < w[1].path));
    for row in rows.iter().filter(|row| row.refused) {
        assert!(row.reason.len() > 8, "{}: no reason", row.path);
    }
}

#[test]
fn every_file_is_read_or_refused_as_the_table_says() {
    let Some(folder) = data::folder() else { return };
    let rows = table();
    let present: BTreeSet<String> = data::all_files(&folder)
        .iter()
        .map(|file| {
            file.strip_prefix(&folder)
                .expect("inside")
                .to_string_lossy()
                .replace('\\', "/")
        })
        .filter(|path| !path.starts_with("reference/"))
        .collect();
    let listed: BTreeSet<String> = rows.iter().map(|row| row.path.clone()).collect();
    let mut complaints: Vec<String> = listed
        .difference(&present)
        .map(|p| format!("{p}: listed and absent"))
        .collect();
    let known: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.path.as_str(), row)).collect();
    let mut cases = Cases::default();
    let (mut read, mut refused) = (0, 0);
    for path in &present {
        let file = folder.join(path);
        let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{path}: {e}"));
        let row = known.get(path.as_str());
        let with = row.map_or("", |row| row.with.as_str());
        let kind = kind_of(path, &bytes);
        let mut wrong = Vec::new();
        let result = match kind {
            "none" => "none,,".to_string(),
            "pwd" => outcome(display(&bytes)),
            "layer" => {
                let module = (!with.is_empty()).then(|| cases.module(&folder, with).to_owned());
                outcome(layer(&bytes, module.as_deref(), &mut wrong))
            }
            "dss" | "bmopf-json" | "pmd-json" => outcome(network(&file, &bytes, kind, &mut wrong)),
            format => outcome(balanced(&bytes, format, &mut wrong)),
        };
        let unknown = matches!(ingest_json_drop(&bytes), Ok(JsonDrop::Unknown));
        if matches!(kind, "none" | "layer" | "pwd") && !unknown {
            wrong.push("its content is classified as a case".into());
        }
        read += usize::from(result.starts_with("read"));
        refused += usize::from(result.starts_with("refused"));
        let found = format!("{kind},{with},{result}");
        if row.map(|row| row.expected.as_str()) != Some(found.as_str()) {
            wrong.push(format!(
                "found {found}, expected {}",
                row.map_or("no such file", |row| &row.expected)
            ));
        }
        complaints.extend(wrong.into_iter().map(|what| format!("{path}: {what}")));
    }
    println!("{} files: {read} read, {refused} refused as expected", present.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_rounded_costs_of_a_published_file_are_accepted() {
    // One slope decreases in the fifth decimal.
    let Some(folder) = data::folder() else { return };
    let bytes = std::fs::read(folder.join("rts_gmlc/RTS_GMLC.m")).expect("the file");
    let case = ingest_case(&bytes, "matpower").expect("a case");
    let link = &case.network.links[0];
    assert_eq!((link.pmin_pu, link.pmax_pu, link.loss1), (-1.0, 1.0, 0.0));
    let reported: Vec<String> = case
        .warnings
        .iter()
        .filter(|w| w.code == "COST.ROUNDED")
        .map(Warning::message)
        .collect();
    assert_eq!(reported.len(), 1);
    assert!(reported[0].ends_with(": generator 74."), "{reported:?}");
}

#[test]
fn one_case_in_both_versions_of_the_matpower_format_is_one_network() {
    let Some(folder) = data::folder() else { return };
    let read = |name: &str| {
        let bytes = std::fs::read(folder.join("matpower/t").join(name)).expect(name);
        ingest_case(&bytes, "matpower").expect(name).network
    };
    let (one, two) = (read("t_case9_opf.m"), read("t_case9_opfv2.m"));
    assert_eq!((&one.buses, &one.generators), (&two.buses, &two.generators));
    // Version 2 adds an angle limit to branches 1 and 9, which version 1 has no column for.
    for (a, b) in one.branches.iter().zip(&two.branches) {
        assert_eq!(a == b, a.id != 1 && a.id != 9, "branch {}", a.id);
    }
    assert_eq!(one.branches.len(), two.branches.len());
}
