//! Reactive limits, and the balance of the bundled grids.

use crate::balance::largest_imbalance;
use crate::common::{column, data_case, grid, Answer};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

#[test]
fn bundled_grids_solve_and_balance() {
    for name in ["illinois", "carolina", "texas", "california"] {
        let module = grid(name);
        let study = Study::create(&module, "acpf", "null").unwrap_or_else(|e| panic!("{name}: {e}"));
        let flow = Answer::of(&study);
        let imbalance = largest_imbalance(&module, &flow);
        println!("{name}: {imbalance:.1e} MVA, {}", flow.head["power_flow"]);
        assert!(imbalance < 2e-6, "{name}: {imbalance} MVA");
        assert_eq!(flow.head["status"], "feasible");
        assert!(flow.head.get("objective").is_none());
        let certificate = &flow.head["certificate"];
        assert!(certificate["mismatch_mw"].as_f64().expect("a mismatch") < 1e-4);
        assert!(certificate["mismatch_mvar"].as_f64().expect("a mismatch") < 1e-4);
        let losses: f64 = [ColumnName::FlowMw, ColumnName::FlowToMw]
            .iter()
            .flat_map(|name| flow.at(*name).iter().filter(|x| !x.is_nan()))
            .sum();
        let published = flow.head["power_flow"]["losses_mw"].as_f64().expect("losses");
        assert!(
            (losses - published).abs() < 1e-6 * published.abs(),
            "{losses} against {published}"
        );
    }
}

#[test]
fn reactive_limits_are_enforced_and_reported() {
    let Some(module) = data_case("activsg200/case_ACTIVSg200.m").or_else(|| data_case("matpower/case118.m")) else {
        return;
    };
    let study = Study::create(&module, "acpf", r#"{"q_limits":true}"#).expect("a solvable case");
    let flow = Answer::of(&study);
    assert_eq!(flow.head["power_flow"]["reactive_limits"], "kept");
    let [q, low, high] =
        [ColumnName::DispatchMvar, ColumnName::QMinMvar, ColumnName::QMaxMvar].map(|name| flow.at(name).to_vec());
    let references: Vec<u64> = flow.head["slack"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|s| s["bus"].as_u64())
        .collect();
    let stands_at = study.rows().columns;
    let stands_at = column(&stands_at, ColumnName::GeneratorBus).to_vec();
    for row in (0..q.len()).filter(|&row| !q[row].is_nan() && !references.contains(&(stands_at[row] as u64))) {
        assert!(
            q[row] >= low[row] - 1e-4 && q[row] <= high[row] + 1e-4,
            "{row}: {} outside {} to {}",
            q[row],
            low[row],
            high[row]
        );
    }
}
