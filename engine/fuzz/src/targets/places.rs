//! Positions: layers, drawings, layout.

use crate::check;
use wattbook_network::display::parse_display;
use wattbook_network::geo::place_from_source;
use wattbook_network::geo::{apply_geo, parse_layer, to_geo_json, Position, Space};
use wattbook_network::layout::{apply_layout, default_scale_km, layout_graph, placement_of, Layout, LayoutOptions};
use wattbook_network::lists::{is_list, read_lists};
use wattbook_network::{classify_json, network_from_module, JsonKind};

/// The case to which layers are applied.
const MODULE: &str = include_str!("../../seeds/four_bus.module.json");
/// The layer that is applied to modules.
const LAYER: &[u8] = include_bytes!("../../seeds/layer.geojson");
/// Options of a small layout, since the quality of the drawing does not matter.
const OPTIONS: LayoutOptions = LayoutOptions {
    coarsest_iterations: 20,
    iterations: 5,
};
const LARGEST_LAYOUT: usize = 5_000;

/// Lists of every kind against a case with a three-winding transformer: ids are those of the case, and statements have
/// their lines.
pub fn lists(bytes: &[u8]) {
    const CASE: &str = include_str!("../../seeds/three_winding.module.json");
    const SUBSYSTEMS: &[u8] = include_bytes!("../../seeds/lists.sub");
    const CONTINGENCIES: &[u8] = include_bytes!("../../seeds/lists.con");
    let network = network_from_module(CASE).unwrap_or_else(|e| panic!("{e}"));
    for (name, along) in [
        ("x.con", ("y.sub", SUBSYSTEMS)),
        ("x.sub", ("y.con", CONTINGENCIES)),
        ("x.mon", ("y.sub", SUBSYSTEMS)),
        ("x.aux", ("y.sub", SUBSYSTEMS)),
        ("x.csv", ("y.sub", SUBSYSTEMS)),
        ("x", ("y.sub", SUBSYSTEMS)),
    ] {
        is_list(name, bytes);
        let files = [
            (name.to_owned(), bytes.to_vec()),
            (along.0.to_owned(), along.1.to_vec()),
        ];
        let lists = match read_lists(CASE, &files) {
            Ok(lists) => lists,
            Err(e) => {
                check::error(&e, &["INPUT."], bytes);
                continue;
            }
        };
        let in_case = |ids: &[u64], rows: usize| ids.iter().all(|id| (1..=rows as u64).contains(id));
        for out in &lists.outages {
            assert!(
                in_case(&out.branches, network.branches.len()) && in_case(&out.generators, network.generators.len())
            );
            assert!(
                out.branches.len() <= 8 && !(out.branches.is_empty() && out.generators.is_empty()),
                "{out:?}"
            );
        }
        for interface in &lists.interfaces {
            let ids: Vec<u64> = interface.branches.iter().map(|(id, _)| *id).collect();
            assert!(
                !ids.is_empty() && in_case(&ids, network.branches.len()),
                "{interface:?}"
            );
        }
        let kinds = [
            &lists.not_found,
            &lists.out_of_service,
            &lists.without_effect,
            &lists.unsupported,
        ];
        assert!(kinds.into_iter().flatten().all(|statement| statement.line > 0));
    }
}

/// `parse_layer`, then `apply_geo` on a small case: the two agree, the case remains readable, and its `.geo.json`
/// reproduces the picture.
pub fn layer(bytes: &[u8]) {
    let parsed = parse_layer(bytes);
    let applied = apply_geo(MODULE, bytes);
    let layer = match parsed {
        Ok(layer) => layer,
        Err(e) => {
            check::error(&e, &["INPUT."], bytes);
            assert_eq!(applied.map(|a| a.report), Err(e));
            return;
        }
    };
    assert!(!layer.records.is_empty());
    for record in &layer.records {
        let points = match &record.position {
            Position::Bus(point) => std::slice::from_ref(point),
            Position::Branch(path) => path,
        };
        let fits = |&[x, y]: &[f64; 2]| match layer.space {
            Space::Geographic => x.abs() <= 180.0 && y.abs() <= 90.0,
            _ => x.is_finite() && y.is_finite(),
        };
        assert!(
            record.number > 0 && !points.is_empty() && points.iter().all(fits),
            "{record:?}"
        );
    }
    let applied = match applied {
        Ok(applied) => applied,
        Err(e) => return check::error(&e, &["INPUT.GEO_NO_MATCH"], bytes),
    };
    let report = &applied.report;
    assert!(report.matched_buses + report.matched_branches > 0 && report.unplaced_buses <= 4);
    for warning in &report.warnings {
        check::sentence(&warning.message(), bytes);
    }
    let network = network_from_module(&applied.module_json).unwrap_or_else(|e| panic!("the placed module: {e}"));
    check::network(&network);
    let again = apply_geo(MODULE, bytes).map(|a| a.module_json);
    assert_eq!(again, Ok(applied.module_json.clone()), "applied twice, two answers");
    if let Ok(text) = to_geo_json(&applied.module_json) {
        assert_ne!(classify_json(text.as_bytes()).kind, JsonKind::Transmission);
        let back = apply_geo(MODULE, text.as_bytes()).unwrap_or_else(|e| panic!("its own .geo.json: {e}"));
        let drawn = |module: &str| {
            let net = network_from_module(module).unwrap_or_else(|e| panic!("{e}"));
            let buses: Vec<_> = net.buses.into_iter().map(|b| b.lon_lat).collect();
            (buses, net.branches.into_iter().map(|b| b.route).collect::<Vec<_>>())
        };
        assert_eq!(
            drawn(&back.module_json),
            drawn(&applied.module_json),
            "another picture from its own .geo.json"
        );
    }
}

/// A layer applied to a hostile module.
pub fn geo_module(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match apply_geo(&text, LAYER) {
        Ok(applied) => {
            if let (Ok(before), Ok(after)) = (network_from_module(&text), network_from_module(&applied.module_json)) {
                check::network(&after);
                assert_eq!(before.buses.len(), after.buses.len());
                assert_eq!(before.branches.len(), after.branches.len());
            }
        }
        Err(e) => check::error(&e, &["INPUT.", "MODULE."], bytes),
    }
    match to_geo_json(&text) {
        Ok(json) => assert!(json.starts_with('{')),
        Err(e) => check::error(&e, &["INPUT.GEO_EMPTY", "MODULE."], bytes),
    }
    match placement_of(&text) {
        Ok(placement) => assert!(placement.is_none_or(|p| p.scale_km.is_finite() && p.scale_km > 0.0)),
        Err(e) => check::error(&e, &["MODULE."], bytes),
    }
}

/// The graph of a hostile module laid out, placed and read back.
pub fn layout(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let graph = match layout_graph(&text) {
        Ok(graph) => graph,
        Err(e) => return check::error(&e, &["MODULE."], bytes),
    };
    if graph.len() > LARGEST_LAYOUT {
        return;
    }
    let mut run = Layout::new(&graph, OPTIONS);
    let mut fraction = 0.0;
    loop {
        let progress = run.step(7);
        assert!(
            progress.fraction >= fraction && progress.fraction <= 1.0,
            "progress runs backwards"
        );
        fraction = progress.fraction;
        if progress.done {
            break;
        }
    }
    let positions = run.finish();
    assert_eq!(positions.len(), graph.len());
    assert!(
        positions.iter().flatten().all(|v| v.abs() <= 0.5 + 1e-9),
        "outside the unit square"
    );
    let placed = match apply_layout(&text, &positions, [-100.0, 31.0], default_scale_km(graph.len())) {
        Ok(placed) => placed,
        Err(e) => return check::error(&e, &["MODULE.WRITE"], bytes),
    };
    match placement_of(&placed) {
        Ok(Some(found)) => assert_eq!(found.positions.len(), graph.len()),
        Ok(None) => assert!(graph.is_empty(), "a placed layout is not found again"),
        Err(e) => panic!("the placed module: {e}"),
    }
}

/// Positions from the text of a case file, in both formats that contain some.
pub fn from_source(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for format in ["powerworld", "psse"] {
        let placed = place_from_source(MODULE, format, &text).unwrap_or_else(|e| panic!("{e}"));
        assert!(placed.placed <= 4);
        assert_eq!(placed.placed == 0, placed.module_json == MODULE);
        let network = network_from_module(&placed.module_json).unwrap_or_else(|e| panic!("the placed module: {e}"));
        check::network(&network);
    }
}

/// A one-line drawing.
pub fn display(bytes: &[u8]) {
    match parse_display(bytes) {
        Ok(drawing) => {
            let points = drawing.branches.iter().flat_map(|b| b.points.iter().copied());
            let points = points
                .chain(drawing.buses.iter().map(|b| [b.x, b.y]))
                .chain(drawing.substations.iter().map(|s| [s.x, s.y]));
            assert!(
                points.into_iter().flatten().all(f64::is_finite),
                "positions that cannot be drawn"
            );
            assert!(drawing.buses.len() + drawing.branches.len() + drawing.substations.len() > 0);
            for message in &drawing.unmatched {
                check::sentence(&message.english(), bytes);
            }
        }
        Err(e) => check::error(&e, &["INPUT."], bytes),
    }
}
