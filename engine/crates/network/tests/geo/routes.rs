//! Routes of branches in a layer.

use crate::buses::{apply, case, network};
use wattbook_network::geo::apply_geo;

const POINTS: &str = "bus,lat,lon\n10,31.25,-100.5\n20,32,-101\n30,33,-102\n";

#[test]
fn every_field_name_of_the_branch_table_is_read() {
    let placed = apply(POINTS).module_json;
    let apply = |text: &str| apply_geo(&placed, text.as_bytes()).expect(text);
    let ends = "Lat1,Lon1,Lat2,Lon2";
    for id in ["branch", "branch_id", "branch number", "Branch Number", "cats_id", "id"] {
        let net = network(&apply(&format!("{id},{ends}\n2,32,-101,33,-102\n")));
        assert_eq!(
            net.branches[1].route,
            Some(vec![[-101.0, 32.0], [-102.0, 33.0]]),
            "{id}"
        );
    }
    for (from, to) in [
        ("f_bus", "t_bus"),
        ("from", "to"),
        ("from_bus", "to_bus"),
        ("bus_from", "bus_to"),
        ("From Bus", "To Bus"),
    ] {
        let lower = ends.to_lowercase();
        let net = network(&apply(&format!("{from},{to},{lower}\n30,20,33,-102,32,-101\n")));
        assert_eq!(
            net.branches[1].route,
            Some(vec![[-101.0, 32.0], [-102.0, 33.0]]),
            "{from}"
        );
    }
    let net = network(&apply(
        r#"[{"uid":"branches:1","path":[[-101,32],[-101.5,32],[-102,33]]}]"#,
    ));
    assert_eq!(net.branches[1].route.as_ref().map(Vec::len), Some(3));
}

#[test]
fn in_a_case_without_positions_a_row_number_alone_places_no_route() {
    let path = "\"path\":[[-101,32],[-102,33]]";
    for key in ["\"branch\":2", "\"uid\":\"branches:1\"", "\"branch\":2,\"from\":20"] {
        let error = apply_geo(&case(), format!("[{{{key},{path}}}]").as_bytes()).expect_err(key);
        assert_eq!(error.code, "INPUT.GEO_NO_MATCH");
        assert!(error.message().contains("place the buses first"), "{error}");
    }
    // Named buses that are the branch's own, or a position of one of them, settle it.
    for layer in [
        format!("[{{\"branch\":2,\"from\":30,\"to\":20,{path}}}]"),
        format!("[{{\"from\":30,\"to\":20,{path}}}]"),
        format!("[{{\"bus\":30,\"lon\":-102,\"lat\":33}},{{\"branch\":2,{path}}}]"),
    ] {
        assert_eq!(apply(&layer).report.matched_branches, 1, "{layer}");
    }
    // Rejected records are reported beside accepted ones.
    let two = apply(&format!(
        "[{{\"branch\":2,\"from\":30,\"to\":20,{path}}},{{\"branch\":1,{path}}}]"
    ));
    assert_eq!((two.report.matched_branches, two.report.unmatched_records), (1, 1));
    assert_eq!(
        (two.report.warnings[0].record, two.report.warnings[0].code),
        (2, "GEO.UNCHECKED")
    );
    // A uid of the source is a name, not a number.
    let named = case().replace("\"20-30\"", "\"line-west\"");
    let applied = apply_geo(&named, format!("[{{\"uid\":\"line-west\",{path}}}]").as_bytes()).expect("by uid");
    assert!(network(&applied).branches[1].route.is_some());
}

#[test]
fn the_ends_of_a_route_must_agree_with_the_buses_or_it_is_unmatched() {
    let module = apply(POINTS).module_json;
    let routes = "branch,lat1,lon1,lat2,lon2
1,32.001,-101.001,31.2501,-100.5001
2,40,-90,41,-91
3,31.25,-100.5,33.5,-102.5
7,31.25,-100.5,33,-102\n";
    let applied = apply_geo(&module, routes.as_bytes()).expect("one matches");
    let net = network(&applied);
    // Turned to run from bus 10 to bus 20.
    assert_eq!(
        net.branches[0].route.as_ref().expect("a route")[0],
        [-100.5001, 31.2501]
    );
    assert!(net.branches[1].route.is_none() && net.branches[2].route.is_none());
    let reported: Vec<(usize, &str)> = applied.report.warnings.iter().map(|w| (w.record, w.code)).collect();
    assert_eq!(
        reported,
        [(2, "GEO.ENDS_DISAGREE"), (3, "GEO.ENDS_DISAGREE"), (4, "GEO.UNMATCHED")]
    );
    assert_eq!(
        (applied.report.matched_branches, applied.report.unmatched_records),
        (1, 3)
    );
}

#[test]
fn a_record_in_contradiction_with_its_id_is_tried_by_its_pair() {
    let module = apply(POINTS).module_json;
    let routes = "branch,from,to,lat1,lon1,lat2,lon2\n2,10,20,31.25,-100.5,32,-101\n3,10,77,31.25,-100.5,33,-102\n";
    let applied = apply_geo(&module, routes.as_bytes()).expect("one matches");
    assert!(network(&applied).branches[0].route.is_some());
    assert_eq!(applied.report.warnings[0].code, "GEO.CONTRADICTION");
    assert_eq!(applied.report.matched_branches, 1);
}

#[test]
fn parallel_circuits_take_the_records_of_their_pair_in_order() {
    let double = "\t20\t30\t0.01\t0.1\t0\t0\t0\t0\t0.98\t-3\t1\t-30\t45;";
    let three = crate::common::changed(double, &[double; 3].join("\n"));
    let module = crate::common::ingest(&three).expect("the case").module_json;
    let record = |via: f64| format!("{{\"from\":30,\"to\":20,\"path\":[[-102,33],[{via},32],[-101,32]]}}");
    let one = apply_geo(&module, format!("[{}]", record(-101.5)).as_bytes()).expect("matched");
    let routes: Vec<_> = network(&one).branches[1..4]
        .iter()
        .map(|b| b.route.clone().expect("a route"))
        .collect();
    assert!(routes.iter().all(|r| r[1] == [-101.5, 32.0] && r[0] == [-101.0, 32.0]));
    let four: Vec<String> = [-101.1, -101.2, -101.3, -101.4].map(record).to_vec();
    let all = apply_geo(&module, format!("[{}]", four.join(",")).as_bytes()).expect("matched");
    let via: Vec<f64> = network(&all).branches[1..4]
        .iter()
        .map(|b| b.route.as_ref().expect("a route")[1][0])
        .collect();
    assert_eq!(via, [-101.1, -101.2, -101.3]);
    assert_eq!(all.report.unmatched_records, 1);
}

#[test]
fn buses_that_move_lose_routes_that_no_longer_fit() {
    let both = apply_geo(
        &apply(POINTS).module_json,
        b"branch,lat1,lon1,lat2,lon2\n1,31.25,-100.5,32,-101\n2,32,-101,33,-102\n",
    );
    let module = both.expect("matched").module_json;
    let moved = apply_geo(&module, b"bus,lat,lon\n30,20,-80\n").expect("matched");
    let net = network(&moved);
    assert!(net.branches[0].route.is_some() && net.branches[1].route.is_none());
    assert!(moved.report.warnings.iter().any(|w| w.code == "GEO.REPLACED"));
}
