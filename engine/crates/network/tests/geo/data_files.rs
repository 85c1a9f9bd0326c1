//! Positions and routes from the geographic files of the data folder. `data_folder.csv` has the outcome of each file.

use wattbook_network::geo::{apply_geo, parse_layer, place_from_source, GeoApplied};
use wattbook_network::{ingest_case, network_from_module};

fn data(path: &str) -> Option<Vec<u8>> {
    let file = crate::data_folder::folder()?.join(path);
    Some(std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())))
}

fn module(path: &str) -> Option<String> {
    Some(
        ingest_case(&data(path)?, "matpower")
            .unwrap_or_else(|e| panic!("{path}: {e}"))
            .module_json,
    )
}

fn apply(module: &str, path: &str) -> GeoApplied {
    apply_geo(module, &data(path).expect(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn two_sources_of_one_grid_place_its_buses_alike() {
    let Some(module) = module("activsg500/case_ACTIVSg500.m") else {
        return;
    };
    let places = |path: &str| {
        let net = network_from_module(&apply(&module, path).module_json).expect(path);
        net.buses.iter().map(|b| b.lon_lat.expect(path)).collect::<Vec<_>>()
    };
    let (csv, json) = (
        places("activsg500/ACTIVSg500_bus_coords.csv"),
        places("activsg500/case_ACTIVSg500_exago.json"),
    );
    // The JSON file is rounded to two decimals.
    for (a, b) in csv.iter().zip(&json) {
        assert!(
            (a[0] - b[0]).abs() < 0.0051 && (a[1] - b[1]).abs() < 0.0051,
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn routes_of_the_reliability_test_system_match_by_pair_with_parallel_circuits() {
    let Some(module) = module("pglib/pglib_opf_case73_ieee_rts.m") else {
        return;
    };
    let placed = apply(&module, "rts_gmlc/bus.geojson");
    assert_eq!(placed.report.matched_buses, 73);
    assert_eq!(apply(&module, "rts_gmlc/bus.csv").report.matched_buses, 73);
    let routed = apply(&placed.module_json, "rts_gmlc/branch.geojson");
    assert_eq!(
        (routed.report.matched_branches, routed.report.unmatched_records),
        (120, 0)
    );
    let net = network_from_module(&routed.module_json).expect("a module");
    for branch in &net.branches {
        let route = branch.route.as_ref().expect("a route");
        let ends = [net.buses[branch.from].lon_lat, net.buses[branch.to].lon_lat];
        for (bus, end) in ends.into_iter().zip([route[0], route[route.len() - 1]]) {
            let bus = bus.expect("a position");
            assert!(
                (bus[0] - end[0]).abs() < 1e-3 && (bus[1] - end[1]).abs() < 1e-3,
                "branch {}",
                branch.id
            );
        }
    }
    // A list of machines, with NaN in it, places no bus.
    let machines = apply_geo(&module, &data("rts_gmlc/gen.geojson").expect("gen.geojson"));
    assert_eq!(machines.expect_err("no bus").code, "INPUT.GEO_EMPTY");
}

#[test]
fn the_old_numbering_of_california_matches_only_where_the_ends_agree() {
    let Some(module) = module("cats/CaliforniaTestSystem.m") else {
        return;
    };
    // Without positions there is nothing to check the rows against.
    let unplaced = apply_geo(&module, &data("cats/branch_data.csv").expect("routes")).expect_err("no position");
    assert_eq!(unplaced.code, "INPUT.GEO_NO_MATCH");
    assert!(unplaced.message().contains("place the buses first"), "{unplaced}");
    let placed = apply(&module, "cats/CATS_buses.csv").module_json;
    let routed = apply(&placed, "cats/branch_data.csv");
    let report = &routed.report;
    println!("{} of {} routes agree", report.matched_branches, report.branch_records);
    // By the data folder's README row k describes branch k in 203 of the 10,803 rows.
    assert!(
        (195..=211).contains(&report.matched_branches),
        "{}",
        report.matched_branches
    );
    assert_eq!(
        report.matched_branches + report.unmatched_records,
        report.branch_records
    );
    let net = network_from_module(&routed.module_json).expect("a module");
    for branch in net.branches.iter().filter(|b| b.route.is_some()) {
        let (route, bus) = (
            branch.route.as_ref().expect("a route"),
            net.buses[branch.from].lon_lat.expect("placed"),
        );
        let (dx, dy) = ((route[0][0] - bus[0]) * 0.8, route[0][1] - bus[1]);
        assert!((dx * dx + dy * dy).sqrt() * 111.2 < 12.0, "branch {}", branch.id);
    }
    // Features numbered by row, whose ids are not bus numbers.
    let nodes = apply_geo(&placed, &data("cats/added_nodes.geojson").expect("nodes"));
    assert_eq!(nodes.expect_err("no bus").code, "INPUT.GEO_EMPTY");
    assert!(apply_geo(&placed, &data("cats/CATS_gens.csv").expect("machines")).is_err());
}

#[test]
fn auxiliary_files_place_buses_through_their_substations() {
    let Some(module) = module("activsg200/case_ACTIVSg200.m") else {
        return;
    };
    let aux = String::from_utf8(data("activsg200/ACTIVSg200.aux").expect("aux")).expect("text");
    let placed = place_from_source(&module, "powerworld", &aux).expect("a module");
    assert_eq!(placed.placed, 200);
    let net = network_from_module(&placed.module_json).expect("a module");
    assert_eq!(net.buses[0].lon_lat, Some([-89.59956, 40.642116]));
    assert_eq!(
        place_from_source(&placed.module_json, "powerworld", &aux)
            .expect("a module")
            .placed,
        0
    );
    for (path, n) in [
        ("aux/rts_gmlc_gic_pnw_bus_coords.aux", 73),
        ("aux/RTS-GMLC-GIC_Bus.aux", 73),
    ] {
        let layer = parse_layer(&data(path).expect(path)).expect(path);
        assert!(layer.records.len() >= n, "{path}: {}", layer.records.len());
    }
}

#[test]
fn coordinate_lists_of_feeders_are_planar() {
    for (path, n) in [
        ("dss/13Bus/IEEE13Node_BusXY.csv", 16),
        ("dss/34Bus/IEEE34_BusXY.csv", 37),
        ("dss/37Bus/IEEE37_BusXY.csv", 39),
        ("dss/123Bus/BusCoords.dat", 130),
    ] {
        let Some(bytes) = data(path) else { continue };
        let layer = parse_layer(&bytes).expect(path);
        assert_eq!((layer.space.token(), layer.records.len()), ("unknown", n), "{path}");
    }
}

#[test]
fn layers_cut_at_every_hundredth_are_read_in_part_or_refused() {
    for path in [
        "cats/CATS_buses.csv",
        "rts_gmlc/branch.geojson",
        "activsg500/case_ACTIVSg500_exago.json",
        "activsg200/ACTIVSg200.aux",
    ] {
        let Some(bytes) = data(path) else { continue };
        for k in 0..100 {
            if let Err(e) = parse_layer(&bytes[..bytes.len() * k / 100]) {
                assert!(e.code.starts_with("INPUT."), "{path}: {e}");
            }
        }
    }
}

#[test]
fn an_auxiliary_case_has_its_coordinates_and_moves_with_a_layer() {
    let Some(bytes) = data("activsg200/ACTIVSg200.aux") else {
        return;
    };
    let case = ingest_case(&bytes, "powerworld").expect("a case");
    assert!(case.has_coords);
    let again = apply_geo(&case.module_json, &bytes).expect("its own positions");
    let net = network_from_module(&again.module_json).expect("a module");
    assert_eq!((again.report.matched_buses, &net.buses), (200, &case.network.buses));
}
