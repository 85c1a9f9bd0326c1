//! XIIDM and CGMES against the voltages of PowSyBl's load flow (pypowsybl 1.16.1; distributed slack, regulation, reactive limits and AC
//! emulation off, load models on). PowSyBl's load flow counts a load with exponents twice, so its file has the same load with shares.

use crate::common::{ingest, parse, text, Answer};
use crate::AS_FILED;
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

const TWO_AREAS: &[u8] = include_bytes!("../../../../fuzz/seeds/two_areas.xiidm");
const EVERY_CLASS: &[u8] = include_bytes!("../../../../fuzz/seeds/every_class.cgmes.xml");
const EVERY_CLASS_ZIP: &[u8] = include_bytes!("../../../../fuzz/seeds/every_class.zip");

/// kV and degrees by the identifier of the bus; angles relative to the first.
type Voltages = [(&'static str, f64, f64)];

const OF_TWO_AREAS: &Voltages = &[
    ("A4 bar 1", 410.0, 0.0),
    ("A4 bar 2", 410.0, 0.0),
    ("A2 B1", 229.0, 0.102_701_823_035_683_25),
    ("A2 B2", 229.0, 0.102_701_823_035_683_25),
    ("A0 B1", 20.076_818_178_645_67, 1.218_265_193_491_384_6),
    ("B4 B1", 388.0, -2.037_966_799_398_054_4),
    ("B2 B1", 227.973_818_728_068_58, -0.053_357_970_515_184_75),
];

const OF_EVERY_CLASS: &Voltages = &[
    ("N1", 226.0, 0.0),
    ("N2", 113.0, -0.466_430_824_830_420_03),
    ("N2X", 112.661_528_139_783_51, -0.662_637_770_101_769_3),
    ("N3", 111.0, -1.495_913_012_975_432),
    ("N4", 21.570_695_622_839_263, 1.940_337_765_294_188),
    ("NB", 225.529_807_149_589_52, -0.443_513_025_637_266_7),
];

/// Bars of a substation have their names; those of PowSyBl are the busbar sections.
const BARS: [(&str, &str); 4] = [("N1", "BB1"), ("N2", "BB2"), ("N3", "BB3"), ("N4", "BB4")];

fn flow(bytes: &[u8], format: &str) -> (Vec<(String, f64)>, Vec<f64>, Vec<f64>) {
    let case = ingest(bytes, format);
    let module = parse(&text(&case));
    let study = Study::create(&text(&case), "acpf", AS_FILED).expect("a solution");
    let answer = Answer::of(&study);
    let rows = module["value"]["data"]["buses"].as_array().cloned().unwrap_or_default();
    let bus = |row: &serde_json::Value| {
        let uid = row["uid"].as_str().unwrap_or_default().to_string();
        (uid, row["base_kv"].as_f64().unwrap_or_default())
    };
    let buses = rows.iter().map(bus).collect();
    (
        buses,
        answer.at(ColumnName::VmPu).to_vec(),
        answer.at(ColumnName::VaRad).to_vec(),
    )
}

#[track_caller]
fn check(bytes: &[u8], format: &str, voltages: &Voltages) {
    let (buses, vm, va) = flow(bytes, format);
    let row_of = |id: &str| {
        let bar = BARS.iter().find(|(node, _)| *node == id).map_or(id, |(_, bar)| bar);
        let found = buses.iter().position(|(uid, _)| uid == bar || uid == id);
        found.unwrap_or_else(|| panic!("bus {id}: {buses:?}"))
    };
    let first = row_of(voltages[0].0);
    for (id, kv, degrees) in voltages {
        let row = row_of(id);
        let (own, angle) = (vm[row] * buses[row].1, (va[row] - va[first]).to_degrees());
        assert!((own - kv).abs() < 1e-6, "{id}: {own} kV, not {kv}");
        assert!((angle - degrees).abs() < 1e-6, "{id}: {angle} degrees, not {degrees}");
    }
}

#[test]
fn voltages_of_xiidm_are_those_of_powsybl() {
    check(TWO_AREAS, "xiidm", OF_TWO_AREAS);
}

#[test]
fn voltages_of_cgmes_are_those_of_powsybl() {
    check(EVERY_CLASS, "cgmes", OF_EVERY_CLASS);
    check(EVERY_CLASS_ZIP, "cgmes", OF_EVERY_CLASS);
}
