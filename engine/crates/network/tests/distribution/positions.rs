//! Positions of a feeder.

use crate::reading::case;
use crate::small::{bus, edge};
use wattbook_network::analysis::CoordsKind;
use wattbook_network::distribution::{ingest_distribution, inspect_distribution};
use wattbook_network::geo::{apply_geo, Space};
use wattbook_network::layout::{apply_layout, layout_graph, placement_of, Layout, LayoutOptions};

#[test]
fn coordinates_are_degrees_only_where_they_look_like_it() {
    let placed = |records: &str, command: &str| {
        let main = format!(
            "New Circuit.c bus1=a basekv=1\nNew Line.l bus1=a bus2=b\nNew Load.x bus1=b kv=1 kw=1\n{command} xy.csv\n"
        );
        ingest_distribution(
            main.as_bytes(),
            "dss",
            &[("xy.csv".into(), records.as_bytes().to_vec())],
        )
        .expect("a feeder")
    };
    let space = |records| placed(records, "Buscoords").coords_space;
    assert_eq!(space("a,-80.25,35.1\nb,-80.26,35.2\n"), Some(Space::Geographic));
    assert_eq!(space("a,0,0\nb,100,50\n"), Some(Space::Unknown));
    assert_eq!(space("a,482000,4200000\nb,482100,4200100\n"), Some(Space::Unknown));
    assert_eq!(space("x,1,2\n"), None);
    // Latitude comes first in LatLongCoords, whose name defines the numbers.
    let d = placed("a, 1.5, 2.5\nb, 1.25, 2.75\n", "LatLongCoords");
    assert_eq!(
        (d.coords_space, bus(&d, "a").xy),
        (Some(Space::Geographic), Some([2.5, 1.5]))
    );
    let d = placed("a,1e300,2\nb,10,20\n", "Buscoords");
    assert_eq!((bus(&d, "a").xy, bus(&d, "b").xy), (None, Some([10.0, 20.0])));
    assert!(d.warnings.iter().any(|w| w.code == "GEO.OUT_OF_RANGE"));
    assert_eq!(inspect_distribution(&d.module_json), Ok(d));
}

#[test]
fn an_applied_layer_and_a_stamped_layout_give_geographic_positions() {
    let d = case();
    assert_eq!((d.coords_space, d.coords_kind), (None, None));
    let graph = layout_graph(&d.module_json).expect("a graph");
    assert_eq!(graph.len(), d.buses.len());
    let positions = Layout::new(&graph, LayoutOptions::default()).finish();
    let stamped = apply_layout(&d.module_json, &positions, [11.0, 46.0], 3.0).expect("stamped");
    let laid = inspect_distribution(&stamped).expect("a module");
    assert_eq!(
        (laid.coords_space, laid.coords_kind),
        (Some(Space::Geographic), Some(CoordsKind::Synthetic))
    );
    assert!(laid.buses.iter().all(|b| b
        .xy
        .is_some_and(|p| (p[0] - 11.0).abs() < 0.1 && (p[1] - 46.0).abs() < 0.1)));
    assert_eq!(
        placement_of(&stamped)
            .expect("a module")
            .expect("placed")
            .positions
            .len(),
        d.buses.len()
    );
    assert_eq!(placement_of(&d.module_json), Ok(None));
    assert_eq!(
        apply_layout(&d.module_json, &positions[1..], [0.0, 0.0], 1.0)
            .expect_err("too few")
            .code,
        "INPUT.PLACEMENT"
    );
    // A tree hangs from its source: the grid is at one end.
    let xs: Vec<f64> = positions.iter().map(|p| p[0]).collect();
    let root = d.buses.iter().position(|b| b.has_source).expect("a source");
    let (low, high) = xs
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    assert!(xs[root] == low || xs[root] == high, "{xs:?}");
    // A real layer replaces the layout, also for the buses that it omits.
    let layer = b"{\"type\":\"FeatureCollection\",\"features\":[\
        {\"type\":\"Feature\",\"properties\":{\"bus\":\"MID\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[12.5,41.5]}},\
        {\"type\":\"Feature\",\"properties\":{\"bus\":\"lv\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[12.5,41.6]}},\
        {\"type\":\"Feature\",\"properties\":{\"from\":\"lv\",\"to\":\"mid\"},\"geometry\":{\"type\":\"LineString\",\
         \"coordinates\":[[12.5,41.6],[12.51,41.55],[12.5,41.5]]}}]}";
    let applied = apply_geo(&stamped, layer).expect("applied");
    assert_eq!(
        (
            applied.report.matched_buses,
            applied.report.matched_branches,
            applied.report.unplaced_buses
        ),
        (2, 1, 3)
    );
    let mapped = inspect_distribution(&applied.module_json).expect("a module");
    assert_eq!(
        (mapped.coords_space, mapped.coords_kind),
        (Some(Space::Geographic), Some(CoordsKind::File))
    );
    assert_eq!(
        (bus(&mapped, "mid").xy, bus(&mapped, "grid").xy),
        (Some([12.5, 41.5]), None)
    );
    assert_eq!(edge(&mapped, "main").path.as_ref().map(Vec::len), Some(3));
    // Rows of a drawing are rows of the graph.
    let plan = apply_geo(&d.module_json, b"MID, 10, 20\nfar, 30, 40\n").expect("a plan");
    let rows: Vec<&str> = plan
        .drawing
        .expect("planar")
        .buses
        .iter()
        .map(|(row, _)| d.buses[*row].id.as_str())
        .collect();
    assert_eq!(rows, ["mid", "far"]);
}
