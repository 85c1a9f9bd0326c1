//! A node-breaker RAW file against the voltages of PowSyBl's load flow (pypowsybl 1.16.1, regulation and distributed slack off).

use crate::common::{commit, data, ingest, text, Answer};
use crate::AS_FILED;
use serde_json::json;
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// Voltage per unit and angle in degrees of the stations 1 to 4, with all devices closed.
const CLOSED: [[f64; 2]; 4] = [
    [1.06, 0.0],
    [1.062_478_076_959_762_4, -0.768_877_220_986_116_5],
    [1.067_703_354_033_339_4, -1.460_815_081_748_693_6],
    [1.082_391_035_443_114_5, -1.998_944_149_299_622_7],
];
/// With the breaker of the two-winding transformer open at station 1.
const TRANSFORMER_OPEN: [[f64; 2]; 4] = [
    CLOSED[0],
    CLOSED[1],
    [1.065_321_706_290_809_6, -1.674_192_527_552_994_7],
    [1.081_486_945_049_113_4, -2.080_608_338_267_274_4],
];
/// With the breaker of the shunt open at station 2.
const SHUNT_OPEN: [[f64; 2]; 4] = [
    CLOSED[0],
    [1.050_432_314_467_754_5, -0.563_117_191_722_067_6],
    CLOSED[2],
    CLOSED[3],
];

/// The file with reactive limits for its unit, which has none to give; with load losses of its three-winding transformer in watts, as its
/// numbers are; and without the load of station 5, whose DC line is out of service. PowSyBl read the same text.
fn five_stations() -> Option<String> {
    let file = String::from_utf8(data("raw/powsybl/five_bus_nodeBreaker_rev35.raw")?).expect("text");
    let changes = [
        (
            "232.392,   -16.549,     0.000,     0.000,1.06000",
            "232.392,   -16.549,   999.000,  -999.000,1.06000",
        ),
        ("4,'1 ',1,1,1,  0.00000", "4,'1 ',1,3,1,  0.00000"),
        ("    5,'1 ',1,   1,   1,     7.600", "    5,'1 ',0,   1,   1,     7.600"),
    ];
    Some(changes.iter().fold(file, |file, (from, to)| {
        assert_eq!(file.matches(from).count(), 1, "{from}");
        file.replace(from, to)
    }))
}

/// Voltages of the nodes of each station; `apart` are rows of nodes that an open device leaves to themselves.
#[track_caller]
fn agrees(flow: &Answer, names: &[String], stations: &[[f64; 2]; 4], apart: &[usize]) {
    let (vm, va) = (flow.at(ColumnName::VmPu), flow.at(ColumnName::VaRad));
    let mut compared = 0;
    for (row, name) in names.iter().enumerate().filter(|(row, _)| !apart.contains(row)) {
        let Some(station) = name
            .strip_prefix("Bus ")
            .and_then(|rest| rest[..1].parse::<usize>().ok())
        else {
            continue;
        };
        let Some([voltage, angle]) = stations.get(station - 1) else {
            assert!(vm[row].is_nan(), "{name}: {}", vm[row]);
            continue;
        };
        assert!(
            (vm[row] - voltage).abs() < 1e-10,
            "{name}: {} pu, not {voltage}",
            vm[row]
        );
        let degrees = va[row].to_degrees();
        assert!((degrees - angle).abs() < 1e-8, "{name}: {degrees} degrees, not {angle}");
        compared += 1;
    }
    assert_eq!(compared, 21 - apart.len());
}

#[test]
fn voltages_of_nodes_are_those_of_powsybl() {
    let Some(file) = five_stations() else { return };
    let case = ingest(file.as_bytes(), "psse");
    let names = case["topology"]["bus_names"].as_array().expect("names");
    let names: Vec<String> = names
        .iter()
        .map(|name| name.as_str().unwrap_or("").to_owned())
        .collect();
    let mut study = Study::create(&text(&case), "acpf", AS_FILED).expect("a solution");
    agrees(&Answer::of(&study), &names, &CLOSED, &[]);
    // Rows 3 to 23 of the branches are the devices in the order of the file. What an open device separates is rows 7 and 14.
    for (device, in_file, closed, stations, apart) in [
        ("5", "'Sw-T2wToBus3',	    2,	", "1,", &TRANSFORMER_OPEN, 7),
        ("12", "'Sw-FixedShunt',	2,	", "1,", &SHUNT_OPEN, 14),
    ] {
        let edited = commit(&mut study, &json!({ "branches": { (device): { "status": false } } }));
        agrees(&edited, &names, stations, &[apart]);
        let open = file.replace(&format!("{in_file}{closed}"), &format!("{in_file}0,"));
        assert_ne!(open, file);
        let open = ingest(open.as_bytes(), "psse");
        let solved = Study::create(&text(&open), "acpf", AS_FILED).expect("a solution");
        assert_eq!(Answer::of(&solved)["result_sha256"], edited["result_sha256"]);
    }
}
