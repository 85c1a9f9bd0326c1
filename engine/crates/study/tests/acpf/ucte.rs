//! A UCTE-DEF file against the voltages of PowSyBl's load flow (pypowsybl 1.16.1, regulation and distributed slack off).

use crate::common::{ingest, text, Answer};
use crate::AS_FILED;
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

const TEN_NODES: &str = include_str!("../../../../fuzz/seeds/ten_nodes.uct");

/// kV and degrees by node, in the order of the file, without the open busbar and the boundary node, which PowSyBl does not have.
const VOLTAGES: [(usize, f64, f64); 8] = [
    (0, 405.0, 0.0),
    (1, 401.76718701967888592, -0.71406862331414722),
    (2, 401.76718701967888592, -0.71406862331414722),
    (4, 221.73294987845235937, -1.99616164088201065),
    (5, 223.27526097812940975, -1.06215633036729629),
    (6, 395.50375779949655453, -0.95229383555843750),
    (7, 405.80633732308814388, 2.33495419180520525),
    (8, 402.0, 2.16899786761422586),
];

#[test]
fn voltages_are_those_of_powsybl() {
    let case = ingest(TEN_NODES.as_bytes(), "ucte");
    let study = Study::create(&text(&case), "acpf", AS_FILED).expect("a solution");
    let flow = Answer::of(&study);
    let (vm, va) = (flow.at(ColumnName::VmPu), flow.at(ColumnName::VaRad));
    for (row, kv, degrees) in VOLTAGES {
        let base = if (4..6).contains(&row) { 220.0 } else { 380.0 };
        let (own, angle) = (vm[row] * base, va[row].to_degrees());
        assert!((own - kv).abs() < 1e-6, "node {row}: {own} kV, not {kv}");
        assert!((angle - degrees).abs() < 1e-7, "node {row}: {angle} degrees, not {degrees}");
    }
    // The coupler carries what its busbar lacks, the open one nothing.
    let from = case.at(ColumnName::FromBus);
    assert_eq!(case["topology"]["switches"].as_array().map(Vec::len), Some(2));
    assert_eq!(from.len(), 13);
}
