//! Infeasibility at a bus or a bridge, detected before any factorisation: the right elements and sums, and never for
//! feasible data.

use crate::common::{bus, generator, line, network, quadratic, three_bus, BASE};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::EngineError;
use wattbook_solve::dc::{
    explain, Convention, DcData, DcModel, DcOptimizer, DcOutline, DualActiveSet, Explaining, Kind,
};

fn infeasibility(network: &AnalysisNetwork) -> Option<EngineError> {
    let outline = DcOutline::new(network, Convention::Service).unwrap();
    outline.presolve_infeasibility(&DcData::base(network)).err()
}

fn optimum(network: &AnalysisNetwork) -> Result<f64, EngineError> {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let solution = DualActiveSet.optimum(&model, &DcData::base(network), None);
    solution.map(|s| s.objective)
}

/// Buses 1-2-3-4 in a row, with all generation at bus 1 by default.
fn row(demand: [f64; 4], ratings: [f64; 3], units: &[(usize, f64, f64)]) -> AnalysisNetwork {
    network(
        demand
            .iter()
            .enumerate()
            .map(|(k, mw)| bus(k as u64 + 1, *mw))
            .collect(),
        ratings
            .iter()
            .enumerate()
            .map(|(k, mw)| line(k as u64 + 1, k, k + 1, *mw))
            .collect(),
        units
            .iter()
            .enumerate()
            .map(|(k, &(at, lo, hi))| generator(k as u64 + 1, at, (lo, hi), quadratic(0.1, 5.0)))
            .collect(),
    )
}

#[test]
fn a_bus_that_needs_more_than_its_lines_carry() {
    // Bus 2 of the triangle has 90 MW of demand.
    let error = infeasibility(&three_bus([40.0, 45.0, 250.0])).expect("85 MW of ratings at bus 2");
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    assert_eq!(
        error.message(),
        "No solution: bus 2 must import at least 90.0 MW, but line 1 and line 2 can carry at most 85.0 MW."
    );
    let details = error.details.unwrap();
    assert!((details["shortfall_mw"].as_f64().unwrap() - 5.0).abs() < 1e-9);
    assert_eq!(details["buses"], serde_json::json!([2]));
    assert!(infeasibility(&three_bus([40.0, 51.0, 250.0])).is_none());
}

#[test]
fn what_hangs_on_a_bridge_needs_or_has_too_much() {
    // 20 + 30 MW behind branch 2, which carries 40; each bus by itself could be served.
    let case = row([0.0, 0.0, 20.0, 30.0], [100.0, 40.0, 100.0], &[(0, 0.0, 200.0)]);
    let error = infeasibility(&case).expect("50 MW behind 40");
    assert_eq!(
        error.message(),
        "No solution: bus 3 and bus 4 must import at least 50.0 MW, but line 2 can carry at most 40.0 MW."
    );
    assert_eq!(optimum(&case).unwrap_err().code, "SOLVE.INFEASIBLE");

    // Must-run of 30 + 30 MW less 5 MW of demand.
    let must_run = [(0, -100.0, 100.0), (2, 30.0, 60.0), (3, 30.0, 60.0)];
    let case = row([5.0, 0.0, 5.0, 0.0], [100.0, 40.0, 100.0], &must_run);
    let error = infeasibility(&case).expect("55 MW must leave over 40");
    assert_eq!(
        error.message(),
        "No solution: bus 3 and bus 4 must export at least 55.0 MW, but line 2 can carry at most 40.0 MW."
    );
    assert_eq!(optimum(&case).unwrap_err().code, "SOLVE.INFEASIBLE");
}

/// An angle-difference limit counts as the flow it permits: b = 0.1 / 0.0101, 0.01 rad.
#[test]
fn an_angle_window_is_a_limit_of_flow() {
    let mut case = row([0.0, 0.0, 0.0, 30.0], [100.0; 3], &[(0, 0.0, 200.0)]);
    assert!(infeasibility(&case).is_none());
    case.branches[2].angle_max_rad = 0.01;
    let error = infeasibility(&case).expect("9.9 MW by angle");
    assert!(
        error.message().ends_with("line 3 can carry at most 9.901 MW."),
        "{}",
        error.message()
    );
}

/// Random rows of buses: refused data have no solution, and on a tree every refusal of lines is found.
#[test]
fn a_tree_is_refused_exactly_where_it_has_no_solution() {
    let mut state = 7u64;
    let mut random = |n: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((state >> 33) % n) as f64
    };
    let (mut refused, mut solved) = (0, 0);
    for _ in 0..200 {
        let demand = [random(60), random(60), random(60), random(60)];
        let ratings = [40.0 + random(100), 20.0 + random(80), 10.0 + random(60)];
        let must_run = random(50);
        let units = [(0, 0.0, 300.0), (2, must_run, must_run + random(60))];
        let case = row(demand, ratings, &units);
        match optimum(&case) {
            Ok(_) => {
                assert!(infeasibility(&case).is_none(), "{demand:?} {ratings:?}");
                solved += 1;
            }
            Err(error) => {
                assert_eq!(error.code, "SOLVE.INFEASIBLE");
                let lines = error.details.as_ref().is_some_and(|d| d["kind"] == "lines");
                assert!(
                    !lines || infeasibility(&case).is_some(),
                    "{demand:?} {ratings:?} {must_run} {}",
                    error.message()
                );
                refused += 1;
            }
        }
    }
    assert!(
        refused > 20 && solved > 20,
        "{refused} refused, {solved} solved of base {BASE}"
    );
}

/// Insufficient capacity, and excess output, without any energised branch: at a single bus, and with all out of
/// service.
#[test]
fn a_case_without_branches_is_explained() {
    let mut apart = row([0.0; 4], [100.0; 3], &[(0, 0.0, 50.0)]);
    for branch in &mut apart.branches {
        branch.in_service = false;
    }
    apart.buses[0].demand_pu = 0.8;
    let minimum = network(
        vec![bus(1, 10.0)],
        Vec::new(),
        vec![generator(1, 0, (30.0, 50.0), quadratic(0.1, 5.0))],
    );
    let capacity = network(
        vec![bus(1, 80.0)],
        Vec::new(),
        vec![generator(1, 0, (0.0, 50.0), quadratic(0.1, 5.0))],
    );
    for (case, missed_mw) in [(capacity, 30.0), (apart, 30.0), (minimum, 20.0)] {
        let model = DcModel::new(&case, Convention::Service).unwrap();
        let data = DcData::base(&case);
        let explanation = explain(&model, &data).unwrap().expect("no solution");
        assert_eq!(explanation.kind, Kind::Balance);
        assert!((explanation.relaxation_total_mw - missed_mw).abs() < 1e-6);
        assert!((explanation.verified.bound_mw - missed_mw).abs() < 1e-6);
        // Stopped before its first step, the balance alone proves as much.
        let search = Explaining::new(&model, &data).unwrap();
        assert!((search.at_least_mw() - missed_mw).abs() < 1e-9);
        let stopped = search.stop().unwrap().expect("no solution");
        assert!((stopped.relaxation_total_mw - missed_mw).abs() < 1e-6);
    }
    let served = network(
        vec![bus(1, 40.0)],
        Vec::new(),
        vec![generator(1, 0, (0.0, 50.0), quadratic(0.1, 5.0))],
    );
    let model = DcModel::new(&served, Convention::Service).unwrap();
    assert!(explain(&model, &DcData::base(&served)).unwrap().is_none());
}
