//! Units switched off in an island of their own.

use crate::common::{ingest, text};
use crate::AS_FILED;
use wattbook_study::Study;

/// Buses 1 and 2 with 50 MW, and apart from them a unit at bus 3 and `demand_mw` at bus 4.
fn islands(demand_mw: f64) -> Study {
    let case = format!(
        "function mpc = islands\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 50 0 0 0 1 1 0 230 1 1.1 0.9;\n\
         3 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n4 1 {demand_mw} 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 50 0 100 -100 1 100 1 100 0;\n3 {demand_mw} 0 100 -100 1 100 1 100 0;\n];\n\
         mpc.branch = [\n1 2 0.01 0.1 0 100 0 0 0 0 1 -360 360;\n3 4 0.01 0.1 0 100 0 0 0 0 1 -360 360;\n];\n"
    );
    let module = text(&ingest(case.as_bytes(), "matpower"));
    Study::create(&module, "acpf", AS_FILED).expect("a solution")
}

/// What a commit with unit 2 off and these changes of demand is refused with: the code, and the id of its element.
fn refused(demand_mw: f64, deltas: &str) -> Option<(&'static str, u64)> {
    let edits = (deltas, "", "", r#"{"2":{"status":false}}"#);
    let error = islands(demand_mw).commit_json("x", edits, "").err()?;
    Some((error.code, error.element.map_or(0, |element| element.id)))
}

/// One refusal, whether the demand that lacks its unit was edited or not; none where there is no demand left.
#[test]
fn demand_without_its_unit_has_no_solution() {
    let infeasible = Some(("SOLVE.INFEASIBLE", 4));
    for deltas in ["", r#"{"4":5}"#, r#"{"4":-5}"#, r#"{"2":5}"#, r#"{"2":5,"4":5}"#] {
        assert_eq!(refused(30.0, deltas), infeasible, "{deltas}");
    }
    assert_eq!(refused(30.0, r#"{"4":-30}"#), None);
    assert_eq!(refused(0.0, ""), None);
    assert_eq!(refused(0.0, r#"{"4":5}"#), infeasible);
    let both = r#"With generator 2 out of service, no generator in the island of bus 4 can balance its demand."#;
    let edits = (r#"{"4":5}"#, "", "", r#"{"2":{"status":false}}"#);
    let error = islands(0.0).commit_json("x", edits, "").expect_err("no solution");
    assert_eq!(error.message(), both);
}
