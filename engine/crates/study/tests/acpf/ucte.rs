//! A UCTE-DEF file against the voltages of PowSyBl's load flow (pypowsybl 1.16.1, regulation and distributed slack off).

use crate::common::{ingest, text, Answer};
use crate::AS_FILED;
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

const TEN_NODES: &str = include_str!("../../../../fuzz/seeds/ten_nodes.uct");

/// kV and degrees by node, in the order of the file, without the busbar behind the open coupler. PowSyBl gives a line to a boundary
/// node its susceptance at the other end only, so its file has the node as one of Belgium.
const VOLTAGES: [(usize, f64, f64); 9] = [
    (0, 405.0, 0.0),
    (1, 401.761_156_505_848_1, -0.713_993_100_540_560_5),
    (2, 401.761_156_505_848_1, -0.713_993_100_540_560_5),
    (4, 221.729_566_781_228_95, -1.996_124_773_639_009_5),
    (5, 223.271_897_390_313_82, -1.062_091_034_478_187),
    (6, 395.517_730_941_587_73, -0.952_407_430_007_074_5),
    (7, 405.812_123_362_261_8, 2.334_869_850_853_627),
    (8, 402.0, 2.168_976_862_905_781),
    (9, 398.597_689_536_433_8, -0.840_799_702_185_388_1),
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
        assert!((own - kv).abs() < 1e-7, "node {row}: {own} kV, not {kv}");
        assert!(
            (angle - degrees).abs() < 1e-9,
            "node {row}: {angle} degrees, not {degrees}"
        );
    }
    assert!(vm[3].is_nan(), "{}", vm[3]);
    assert_eq!(case["topology"]["switches"].as_array().map(Vec::len), Some(2));
}
