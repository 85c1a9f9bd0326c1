//! Layout of modules: determinism, the stamp, moving, and the round trip through a `.geo.json` file.

mod common;
#[path = "common/data.rs"]
mod data_folder;

use wattbook_network::analysis::CoordsKind;
use wattbook_network::geo::{apply_geo, to_geo_json};
use wattbook_network::layout::{apply_layout, default_scale_km, layout_graph, placement_of};
use wattbook_network::layout::{Layout, LayoutGraph, LayoutOptions};
use wattbook_network::{ingest_case, network_from_module};

fn layout(graph: &LayoutGraph, budget: usize) -> Vec<[f64; 2]> {
    let mut run = Layout::new(graph, LayoutOptions::default());
    let mut last = 0.0;
    loop {
        let progress = run.step(budget);
        assert!(
            progress.fraction >= last && progress.fraction <= 1.0,
            "{progress:?} after {last}"
        );
        last = progress.fraction;
        if progress.done {
            return run.finish();
        }
    }
}

/// FNV-1a over the bits of all coordinates.
fn hash(points: &[[f64; 2]]) -> u64 {
    let bits = points.iter().flatten().map(|x| x.to_bits());
    bits.fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ b).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A meshed graph of `n` vertices: a wheel of rings with spokes.
fn mesh(n: usize) -> LayoutGraph {
    LayoutGraph::new(n, (1..n).flat_map(|v| [(v, v - 1), (v, v * 2 / 3), (v, v / 2)]), &[])
}

fn data(path: &str) -> Option<Vec<u8>> {
    let file = data_folder::folder()?.join(path);
    Some(std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())))
}

#[test]
fn the_bits_depend_neither_on_the_budget_nor_on_the_platform() {
    let graph = mesh(700);
    let whole = layout(&graph, 100_000);
    for budget in [1, 3, 17] {
        assert_eq!(hash(&layout(&graph, budget)), hash(&whole));
    }
    assert_eq!(
        hash(&Layout::new(&graph, LayoutOptions::default()).finish()),
        hash(&whole)
    );
    // The same number must come out natively and in WebAssembly; it changes with the rules of the layout only.
    assert_eq!(format!("{:016x}", hash(&whole)), MESH_700);
}

const MESH_700: &str = "1f0381c1b922b2a4";

#[test]
fn one_scale_for_both_axes_and_the_longer_side_is_one() {
    let points = layout(&mesh(300), 50);
    let range = |axis: usize| {
        let values = || points.iter().map(move |p| p[axis]);
        (
            values().fold(f64::INFINITY, f64::min),
            values().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let (x, y) = (range(0), range(1));
    assert!((x.0 + 0.5).abs() < 1e-12 && (x.1 - 0.5).abs() < 1e-12, "{x:?}");
    assert!((y.0 + y.1).abs() < 1e-12 && y.1 < 0.5 && y.1 > 0.1, "{y:?}");
}

#[test]
fn neighbours_lie_closer_than_strangers() {
    let n = 900;
    let grid = LayoutGraph::new(
        n,
        (0..n).flat_map(|v| [(v, if v % 30 == 29 { v } else { v + 1 }), (v, v + 30)]),
        &[],
    );
    let p = layout(&grid, 50);
    let distance = |a: usize, b: usize| ((p[a][0] - p[b][0]).powi(2) + (p[a][1] - p[b][1]).powi(2)).sqrt();
    let edges: Vec<f64> = (0..n - 30).map(|v| distance(v, v + 30)).collect();
    let mean = edges.iter().sum::<f64>() / edges.len() as f64;
    let longest = edges.iter().fold(0.0_f64, |m, &d| m.max(d));
    // A regular grid unfolds: edges of one length, opposite corners far apart.
    assert!(longest < 2.0 * mean, "{longest} {mean}");
    assert!(distance(0, n - 1) > 25.0 * mean && distance(29, n - 30) > 25.0 * mean);
}

#[test]
fn degenerate_graphs() {
    let empty = LayoutGraph::new(0, [], &[]);
    assert_eq!(layout(&empty, 1), Vec::<[f64; 2]>::new());
    assert_eq!(layout(&LayoutGraph::new(1, [(0, 0)], &[]), 1), [[0.0, 0.0]]);
    let loose = layout(&LayoutGraph::new(500, [(3, 3), (7, 900)], &[2]), 1);
    let mut keys: Vec<[u64; 2]> = loose.iter().map(|p| p.map(f64::to_bits)).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 500);
    let complete = LayoutGraph::new(60, (0..60).flat_map(|a| (0..a).map(move |b| (a, b))), &[]);
    assert!(layout(&complete, 9).iter().flatten().all(|x| x.is_finite()));
    let star = LayoutGraph::new(5000, (1..5000).map(|v| (0, v)), &[]);
    assert!(layout(&star, 9).iter().flatten().all(|x| x.is_finite()));
}

#[test]
fn an_open_tie_does_not_turn_a_feeder_into_a_mesh() {
    // Branch 3 is out of service; branch 4 leads to the isolated bus. The tree 10 - 20 - 30 - 40 hangs on bus 10, its source.
    let module = common::ingest(common::CASE).expect("the case").module_json;
    let points = Layout::new(&layout_graph(&module).expect("a graph"), LayoutOptions::default()).finish();
    let x: Vec<f64> = points.iter().map(|p| p[0]).collect();
    assert!(x.windows(2).all(|w| (w[1] - w[0] - 1.0 / 3.0).abs() < 1e-12), "{x:?}");
}

#[test]
fn the_stamp_is_synthetic_and_survives_the_file() {
    let module = common::ingest(common::CASE).expect("the case").module_json;
    let points = Layout::new(&layout_graph(&module).expect("a graph"), LayoutOptions::default()).finish();
    let placed = apply_layout(&module, &points, [-100.0, 31.0], 50.0).expect("placed");
    let net = network_from_module(&placed).expect("a module");
    assert!(net.has_coords() && net.coords_kind == Some(CoordsKind::Synthetic));
    assert_eq!(
        apply_layout(&module, &points, [-100.0, 31.0], 50.0).expect("placed"),
        placed,
        "byte for byte"
    );
    let file = to_geo_json(&placed).expect("a file");
    let again = apply_geo(&module, file.as_bytes()).expect("the same case");
    let read = network_from_module(&again.module_json).expect("a module");
    assert_eq!((&read.buses, read.coords_kind), (&net.buses, net.coords_kind));
    // A layer replaces the layout, including for the buses that it omits.
    let mapped = apply_geo(&placed, b"bus,lat,lon\n10,31,-100\n").expect("matched");
    let net = network_from_module(&mapped.module_json).expect("a module");
    assert_eq!(net.buses.iter().filter(|b| b.lon_lat.is_some()).count(), 1);
    assert_eq!(net.coords_kind, Some(CoordsKind::File));
}

#[test]
fn moving_and_scaling_keep_the_shape() {
    let module = common::ingest(common::CASE).expect("the case").module_json;
    assert_eq!(placement_of(&module).expect("a module"), None);
    let points = [[-0.5, -0.2], [0.1, 0.3], [0.5, 0.1], [0.0, -0.3]];
    let placed = apply_layout(&module, &points, [-100.0, 31.0], 800.0).expect("placed");
    let first = placement_of(&placed).expect("a module").expect("a layout");
    let moved = apply_layout(&placed, &first.positions, [15.0, 61.5], 20.0).expect("moved");
    let second = placement_of(&moved).expect("a module").expect("a layout");
    for ((a, b), c) in points.iter().zip(&first.positions).zip(&second.positions) {
        for axis in 0..2 {
            assert!(
                (a[axis] - b[axis]).abs() < 1e-12 && (a[axis] - c[axis]).abs() < 1e-11,
                "{a:?} {b:?} {c:?}"
            );
        }
    }
    assert!((second.centre_lon_lat[1] - 61.5).abs() < 1e-9 && (second.scale_km - 20.0).abs() < 1e-9);
}

#[test]
fn placements_that_cannot_be_are_refused() {
    let module = common::ingest(common::CASE).expect("the case").module_json;
    let code =
        |points: &[[f64; 2]], centre, scale| apply_layout(&module, points, centre, scale).expect_err("refused").code;
    let good = [[0.0; 2]; 4];
    assert_eq!(code(&good[..3], [0.0, 0.0], 1.0), "INPUT.PLACEMENT");
    assert_eq!(code(&[[f64::NAN; 2]; 4], [0.0, 0.0], 1.0), "INPUT.PLACEMENT");
    assert_eq!(code(&good, [0.0, 90.0], 1.0), "INPUT.PLACEMENT");
    assert_eq!(code(&good, [0.0, 0.0], 0.0), "INPUT.PLACEMENT");
    assert_eq!(
        apply_layout("{}", &good, [0.0, 0.0], 1.0).expect_err("refused").code,
        "MODULE.INVALID"
    );
}

#[test]
fn cases_of_the_data_folder_are_drawn_whole() {
    for path in [
        "matpower/case118.m",
        "activsg2000/case_ACTIVSg2000.m",
        "cats/CaliforniaTestSystem.m",
    ] {
        let Some(bytes) = data(path) else { continue };
        let module = ingest_case(&bytes, "matpower").expect(path).module_json;
        let graph = layout_graph(&module).expect(path);
        let points = layout(&graph, 10);
        let mut keys: Vec<[u64; 2]> = points.iter().map(|p| p.map(f64::to_bits)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), graph.len(), "{path}: no two buses in one place");
        let scale = default_scale_km(graph.len());
        let placed = apply_layout(&module, &points, [-100.0, 40.0], scale).expect(path);
        assert!(network_from_module(&placed).expect(path).has_coords(), "{path}");
    }
}
