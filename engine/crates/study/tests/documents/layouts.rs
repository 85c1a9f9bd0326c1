//! Layouts to the bit: the same hashes are asserted in Node on the WebAssembly build (`tests/fixtures/layouts.json`).

use crate::common::{data, ingest, parse, places, text, Answer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use wattbook_study::contract::ColumnName;
use wattbook_study::{apply_geo, apply_layout, geo_json, placement_json, Job};

const LAYOUTS: &str = include_str!("../../../../../tests/fixtures/layouts.json");

fn layout(module: &str, budget: u32) -> Vec<f64> {
    let mut run = Job::layout(module).expect("a network");
    let mut last = 0.0;
    loop {
        let progress = run.step(budget).expect("a step");
        assert!((last..=1.0).contains(&progress.fraction), "{progress:?} after {last}");
        last = progress.fraction;
        if progress.done {
            return places(run);
        }
    }
}

fn sha256(positions: &[f64]) -> String {
    let bytes: Vec<u8> = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

fn placed(module: &str, positions: &[f64], [lon, lat]: [f64; 2], scale_km: Option<f64>) -> Answer {
    Answer::from(apply_layout(module, positions, lon, lat, scale_km).expect("on the map"))
}

#[test]
fn the_bits_are_those_of_every_platform() {
    let fixture = parse(LAYOUTS);
    let centre = [0, 1].map(|axis| fixture["centre"][axis].as_f64().expect("degrees"));
    let mut wrong = Vec::new();
    for case in fixture["layouts"].as_array().expect("layouts") {
        let lines: Vec<&str> = case["matpower"]
            .as_array()
            .expect("lines")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let module = text(&ingest(lines.join("\n").as_bytes(), "matpower"));
        let positions = layout(&module, 7);
        assert_eq!(
            positions,
            layout(&module, 100_000),
            "{}: budgets change nothing",
            case["name"]
        );
        let stamped = placed(&module, &positions, centre, None);
        for (what, have) in [
            ("positions_sha256", sha256(&positions)),
            ("module_sha256", stamped["sha256"].as_str().expect("a hash").to_string()),
        ] {
            if case[what] != have {
                wrong.push(format!("{} {what}: {have}", case["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Positions of the view by bus.
fn picture(case: &Answer) -> Vec<(f64, f64, f64)> {
    let [id, lon, lat] =
        [ColumnName::BusId, ColumnName::MapLongitude, ColumnName::MapLatitude].map(|name| case.at(name));
    let rows = (0..id.len()).filter(|row| !lon[*row].is_nan());
    rows.map(|row| (id[row], lon[row], lat[row])).collect()
}

#[track_caller]
fn same_picture(a: &Answer, b: &Answer) {
    let (a, b) = (picture(a), picture(b));
    assert!(!a.is_empty() && a.len() == b.len());
    for (a, b) in a.iter().zip(&b) {
        assert!(
            a.0 == b.0 && (a.1 - b.1).abs() <= 1e-9 && (a.2 - b.2).abs() <= 1e-9,
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn a_layout_is_restored_from_its_file_and_moves() {
    for path in [
        "matpower/case57.m",
        "activsg200/case_ACTIVSg200.m",
        "raw/interpss/ieee9_v33.raw",
    ] {
        let Some(bytes) = data(path) else { continue };
        let format = if path.ends_with(".m") { "matpower" } else { "psse" };
        let unplaced = ingest(&bytes, format);
        let module = text(&unplaced);
        assert_eq!(
            (&unplaced["coords_kind"], &unplaced["view"]),
            (&"synthetic_pending".into(), &Value::Null)
        );
        assert_eq!(placement_json(&module).expect("a module"), "null");
        let positions = layout(&module, 50);
        assert_eq!(positions.len(), 2 * unplaced["n_bus"].as_u64().unwrap() as usize);
        let case = placed(&module, &positions, [-98.0, 31.0], Some(120.0));
        assert_eq!(
            case,
            placed(&module, &layout(&module, 9), [-98.0, 31.0], Some(120.0)),
            "byte for byte"
        );
        assert_eq!(
            (&case["coords_kind"], &case["has_coords"]),
            (&"synthetic".into(), &true.into())
        );
        assert_eq!(case["view"]["synthetic_coords"], true);

        let file = geo_json(&text(&case)).expect("a file");
        let applied = Answer::from(apply_geo(&module, file.as_bytes()).expect("the same case"));
        assert_eq!(
            (&applied["drawing"], &applied["report"]["space"]),
            (&Value::Null, &"geographic".into())
        );
        assert_eq!(applied["report"]["matched_buses"], unplaced["n_bus"]);
        assert_eq!(applied["report"]["unplaced_buses"], 0);
        assert_eq!(applied["case"]["coords_kind"], "synthetic");
        same_picture(&case, &applied);
        assert_eq!(applied["case"]["sha256"], case["sha256"], "the same case");

        // Moved away and back again: the same picture.
        let placement = |case: &Value| parse(&placement_json(&text(case)).expect("a module"));
        let flat = |p: &Value| -> Vec<f64> {
            let pairs = p["positions"].as_array().expect("pairs").iter();
            pairs
                .flat_map(|p| [p[0].as_f64().unwrap(), p[1].as_f64().unwrap()])
                .collect()
        };
        let first = placement(&case);
        assert!(
            (first["scale_km"].as_f64().unwrap() - 120.0).abs() < 1e-6,
            "{}",
            first["scale_km"]
        );
        let moved = placed(&text(&case), &flat(&first), [15.0, 58.0], Some(500.0));
        let second = placement(&moved);
        let centre = [0, 1].map(|axis| first["centre_lon_lat"][axis].as_f64().unwrap());
        same_picture(
            &case,
            &placed(&text(&moved), &flat(&second), centre, first["scale_km"].as_f64()),
        );
    }
}

#[test]
fn invalid_placements_are_refused() {
    let module = crate::common::three_bus();
    let positions = layout(&module, 10);
    let code = |positions: &[f64], lon, lat, scale| apply_layout(&module, positions, lon, lat, scale).unwrap_err().code;
    assert_eq!(code(&positions[..5], 0.0, 0.0, None), "INPUT.PLACEMENT");
    assert_eq!(code(&positions[..4], 0.0, 0.0, None), "INPUT.PLACEMENT");
    assert_eq!(code(&positions, 0.0, 89.0, None), "INPUT.PLACEMENT");
    assert_eq!(code(&positions, 0.0, 0.0, Some(-1.0)), "INPUT.PLACEMENT");
    assert_eq!(code(&positions, f64::NAN, 0.0, None), "INPUT.PLACEMENT");
    assert_eq!(code(&positions, 0.0, 0.0, Some(1e9)), "INPUT.PLACEMENT");
    assert_eq!(Job::layout("{}").err().map(|e| e.code), Some("MODULE.INVALID"));
    assert_eq!(geo_json(&module).unwrap_err().code, "INPUT.GEO_EMPTY");
}
