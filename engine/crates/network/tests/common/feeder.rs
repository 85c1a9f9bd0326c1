//! A small feeder whose lines the tests change one piece at a time.

#![allow(dead_code)] // each test file uses its part

use wattbook_network::distribution::{ingest_distribution, Distribution, DistributionBus, DistributionEdge};
use wattbook_network::EngineError;

/// A transformer, two lines, one with a neutral, a closed and an open switch, two loads, a capacitor.
pub const FEEDER: &str = "Clear
Set DefaultBaseFrequency=50
New Circuit.small basekv=11 bus1=grid
New Linecode.four nphases=4 units=km
~ rmatrix=(0.3 | 0.1 0.3 | 0.1 0.1 0.3 | 0.1 0.1 0.1 0.4)
~ xmatrix=(0.6 | 0.3 0.6 | 0.3 0.3 0.6 | 0.3 0.3 0.3 0.7)
New Transformer.sub windings=2 buses=(grid lv.1.2.3.4) conns=(delta wye) kvs=(11 0.4) kvas=(500 500) xhl=4
New Reactor.ground phases=1 bus1=lv.4 bus2=lv.0 r=1 x=0.001
New Line.main bus1=lv.1.2.3.4 bus2=mid.1.2.3.4 linecode=four length=0.2 units=km
New Line.tail bus1=mid.2 bus2=end.2 phases=1 length=50 units=m
New Line.tie bus1=mid.1.2.3 bus2=far.1.2.3 phases=3 switch=yes
New Line.spare bus1=end.2 bus2=far.2 phases=1 switch=yes
Open Line.spare 1
New Load.three bus1=mid.1.2.3.4 kv=0.4 kw=12 kvar=3
New Load.one bus1=end.2 phases=1 kv=0.23 kw=2.5 kvar=1
New Capacitor.bank bus1=far kv=0.4 kvar=6
Solve
";

pub fn feeder(text: &str) -> Result<Distribution, EngineError> {
    ingest_distribution(text.as_bytes(), "dss", &[])
}

/// The feeder with one piece of text replaced, which must occur once.
pub fn changed(from: &str, to: &str) -> String {
    assert_eq!(FEEDER.matches(from).count(), 1, "{from:?} must occur once");
    FEEDER.replace(from, to)
}

/// The feeder with lines added before `Solve`.
pub fn with(lines: &str) -> Distribution {
    let text = changed("Solve\n", &format!("{lines}\nSolve\n"));
    feeder(&text).unwrap_or_else(|e| panic!("{e} for {lines}"))
}

pub fn refusal(lines: &str) -> EngineError {
    let text = changed("Solve\n", &format!("{lines}\nSolve\n"));
    match feeder(&text) {
        Ok(_) => panic!("not refused: {lines}"),
        Err(e) => e,
    }
}

pub fn count(d: &Distribution, kind: &str) -> u32 {
    d.counts
        .iter()
        .find(|(k, _)| *k == kind)
        .map(|(_, n)| *n)
        .expect("a kind")
}

pub fn edge<'a>(d: &'a Distribution, id: &str) -> &'a DistributionEdge {
    let mut found = d.edges.iter().filter(|e| e.id.eq_ignore_ascii_case(id));
    let edge = found.next().unwrap_or_else(|| panic!("no edge {id}"));
    assert!(found.next().is_none(), "two edges {id}");
    edge
}

pub fn bus<'a>(d: &'a Distribution, id: &str) -> &'a DistributionBus {
    d.buses
        .iter()
        .find(|b| b.id.eq_ignore_ascii_case(id))
        .unwrap_or_else(|| panic!("no bus {id}"))
}

/// Elements of the warnings under a code.
pub fn warned<'a>(d: &'a Distribution, code: &str) -> Vec<&'a str> {
    d.warnings
        .iter()
        .filter(|w| w.code == code)
        .filter_map(|w| w.element.as_deref())
        .collect()
}

pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs().max(1.0)
}
