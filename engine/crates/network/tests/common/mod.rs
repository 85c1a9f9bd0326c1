//! A small case whose tables the tests change one entry at a time.

#![allow(dead_code)] // each test file uses its part

use wattbook_network::{ingest_case, EngineError, Ingested};

/// Four buses (4 isolated), a line, a transformer, a line out of service, a line to the isolated bus; three generators, the
/// second out of service; bus 30 carries load and shunt.
pub const CASE: &str = "function mpc = four_bus
mpc.version = '2';
mpc.baseMVA = 200;
mpc.bus = [
	10	3	0	0	0	0	1	1	0	345	2	1.1	0.9;
	20	2	0	0	0	0	1	1	0	345	2	1.1	0.9;
	30	1	90	30	4	-19	1	1	0	345	2	1.1	0.9;
	40	4	50	10	0	0	1	1	0	345	2	1.1	0.9;
];
mpc.gen = [
	10	20	5	300	-300	1.02	100	1	250	10;
	20	0	0	Inf	-Inf	1	100	0	270	10;
	20	70	0	300	-300	1	100	1	300	-30;
];
mpc.branch = [
	10	20	0.01	0.1	0.02	250	0	0	0	0	1	-360	360;
	20	30	0.01	0.1	0	0	0	0	0.98	-3	1	-30	45;
	10	30	0.01	0.1	0	150	0	0	0	0	0	0	0;
	30	40	0	0	0	0	0	0	0	0	1	0	0;
];
mpc.gencost = [
	2	0	0	3	0.11	5	150	0	0	0;
	2	0	0	3	-0.5	1	600	0	0	0;
	1	0	0	3	0	0	100	1000	300	4000;
];
mpc.bus_name = {'North'; ''; 'Bus [3]'; 'it''s'};
";

pub fn ingest(text: &str) -> Result<Ingested, EngineError> {
    ingest_case(text.as_bytes(), "matpower")
}

/// The case with one piece of text replaced; panics when the piece does not occur exactly once.
pub fn changed(from: &str, to: &str) -> String {
    assert_eq!(CASE.matches(from).count(), 1, "{from:?} must occur once");
    CASE.replace(from, to)
}

/// Code, element and message of the refusal.
pub fn refusal(text: &str) -> EngineError {
    match ingest(text) {
        Ok(_) => panic!("not refused"),
        Err(e) => e,
    }
}
