//! Infeasible data: proofs, checked by code of their own, and the least violation.

mod common;

use common::data_folder;
use std::path::Path;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::conic::{ConicData, ConicModel, ConicOutcome, Cuts, DualBound};

fn network(path: &Path) -> AnalysisNetwork {
    let bytes = std::fs::read(path).expect("a case file");
    ingest_case(&bytes, "matpower").expect("a case").network
}

fn scaled(network: &AnalysisNetwork, factor: f64) -> ConicData {
    let mut data = ConicData::base(network);
    data.demand.iter_mut().for_each(|d| *d *= factor);
    data.demand_q.iter_mut().for_each(|d| *d *= factor);
    data
}

/// Proved within these iterations, and the least violation in MW, MVAr and MVA.
#[track_caller]
fn infeasible(network: &AnalysisNetwork, data: &ConicData, iterations: usize, least_mw: f64) {
    let model = ConicModel::new(network, Cuts::Lifted).expect("a model");
    let ConicOutcome::Infeasible(proof) = model.solve(data, None) else {
        panic!("no proof");
    };
    assert!(proof.iterations <= iterations, "{} iterations", proof.iterations);
    assert!(proof.missing_mw > 0.0 && proof.missing_mw <= least_mw * 1.001);
    let bound = DualBound::new(network, data, Cuts::Lifted, &proof.multipliers, false);
    assert!(bound.value > 1e-10 * bound.magnitude);
    assert_eq!(bound.value * network.base_mva, proof.missing_mw);
    let found = model.explain(data);
    assert!(
        (found.at_most_mw - least_mw).abs() <= 3e-3 * least_mw,
        "{} MW",
        found.at_most_mw
    );
    assert!(
        found.at_most_mw - found.at_least_mw <= 1e-4 * found.at_most_mw + 1e-3,
        "{found:?}"
    );
    let missing: f64 = found.missing.iter().map(|(_, [p, q])| p.abs() + q.abs()).sum();
    assert!(missing <= found.at_most_mw * (1.0 + 1e-6) && (missing > 0.0 || !found.raised.is_empty()));
}

/// Doubled demand: a load pocket behind one branch, and a general shortage (values of an independent prototype).
#[test]
fn doubled_demand() {
    let Some(data) = data_folder() else { return };
    let case = network(&data.join("activsg200/case_ACTIVSg200.m"));
    infeasible(&case, &scaled(&case, 2.0), 8, 24.18);
    let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
    let found = model.explain(&scaled(&case, 2.0));
    assert!(!found.is_shortage);
    assert_eq!(case.buses[found.missing[0].0].id, 30);
    assert!(found.ratings.len() <= 4, "{:?}", found.ratings);

    let case = network(&data.join("pglib/pglib_opf_case118_ieee.m"));
    infeasible(&case, &scaled(&case, 2.0), 10, 2140.7);
    infeasible(&case, &scaled(&case, 1.4), 20, 38.2);
    let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
    let found = model.explain(&scaled(&case, 2.0));
    assert!(found.is_shortage && found.buses.is_empty());
}

#[test]
fn voltage_and_angle_limits() {
    let Some(data) = data_folder() else { return };
    let mut case = network(&data.join("pglib/pglib_opf_case118_ieee.m"));
    let base = ConicData::base(&case);
    for bus in &mut case.buses {
        (bus.vmin_pu, bus.vmax_pu) = (1.05, 1.06);
    }
    infeasible(&case, &base, 15, 597.7);
    let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
    assert!(!model.explain(&base).voltages.is_empty());

    let mut case = network(&data.join("pglib/pglib_opf_case118_ieee.m"));
    for branch in &mut case.branches {
        (branch.angle_min_rad, branch.angle_max_rad) = (-1f64.to_radians(), 1f64.to_radians());
    }
    infeasible(&case, &base, 15, 2039.7);
    let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
    assert!(!model.explain(&base).angles.is_empty());
}

/// What is feasible is not explained away, and multipliers of an optimum prove nothing.
#[test]
fn no_false_alarm() {
    let Some(data) = data_folder() else { return };
    let case = network(&data.join("pglib/pglib_opf_case30_ieee.m"));
    let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
    let base = ConicData::base(&case);
    let found = model.explain(&base);
    assert!(
        found.proof.is_none() && found.at_least_mw == 0.0 && found.at_most_mw < 1e-3,
        "{found:?}"
    );
    let solution = model.optimum(&base, None).expect("an optimum");
    let bound = DualBound::new(&case, &base, Cuts::Lifted, &solution.multipliers, false);
    assert!(bound.value < 0.0);
}

/// An infeasible edit of an optimum is proved from it.
#[test]
fn infeasible_edits_are_proved_warm() {
    let Some(data) = data_folder() else { return };
    let case = network(&data.join("pglib/pglib_opf_case118_ieee.m"));
    let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
    let base = model.optimum(&ConicData::base(&case), None).expect("an optimum");
    let mut data = base.data.clone();
    data.demand[0] += 20.0;
    assert!(matches!(model.solve(&data, Some(&base)), ConicOutcome::Infeasible(_)));
}
