//! Infeasible data: proofs, checked by independent code, and the minimum violation.

use crate::common::data_folder;
use std::path::Path;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::conic::{
    ConicData, ConicExplanation, ConicModel, ConicOutcome, ConicProof, Cuts, DualBound, ANGLE_PER_MW, VOLTAGE_PER_MW,
};

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
fn infeasible(network: &AnalysisNetwork, data: &ConicData, iterations: usize, least_mw: f64) -> ConicExplanation {
    let model = ConicModel::new(network, Cuts::Lifted).expect("a model");
    let ConicOutcome::Infeasible(proof) = model.solve(data, None) else {
        panic!("no proof");
    };
    assert!(proof.iterations <= iterations, "{} iterations", proof.iterations);
    assert!(proof.missing_mw > 0.0 && proof.relaxation_mw <= least_mw * 1.001);
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
        found.at_most_mw - found.at_least_mw <= 2e-2 * found.at_most_mw,
        "{found:?}"
    );
    let relaxed = &found.relaxation;
    let powers = relaxed.missing.iter().map(|(_, [p, q])| p.abs() + q.abs());
    let powers = powers.chain(relaxed.raised.iter().map(|(_, mva)| *mva));
    let voltages = relaxed.voltages.iter().map(|l| l.by / VOLTAGE_PER_MW);
    let angles = relaxed.angles.iter().map(|l| l.by / ANGLE_PER_MW);
    let total: f64 = powers.chain(voltages).chain(angles).sum();
    // Costs of voltages and angles are to first order, and parallel branches are relaxed together.
    assert!(
        total > 0.9 * found.at_most_mw - 0.01 && total < 1.3 * found.at_most_mw + 0.01,
        "{total} MW of {} MW",
        found.at_most_mw
    );
    assert!(found.is_checked, "the relaxation is not enough: {found:?}");
    found
}

/// Doubled demand: a load pocket behind one branch, and a general shortage (values of an independent prototype, and of
/// a model in cvxpy). A bound from independent code, and a case that has a solution, bracket the others.
#[test]
fn doubled_demand() {
    let Some(data) = data_folder() else { return };
    let case = network(&data.join("activsg200/case_ACTIVSg200.m"));
    let found = infeasible(&case, &scaled(&case, 2.0), 8, 23.10);
    assert!(!found.names.is_shortage);
    // One rating applies at both ends: it is raised once, and nothing else is relaxed.
    let raised: Vec<usize> = found.relaxation.raised.iter().map(|(row, _)| row + 1).collect();
    assert_eq!((raised, found.relaxation.missing.len()), (vec![45], 0));
    assert!(found.names.ratings.len() <= 4, "{:?}", found.names.ratings);

    let case = network(&data.join("pglib/pglib_opf_case118_ieee.m"));
    let found = infeasible(&case, &scaled(&case, 2.0), 10, 2140.7);
    assert!(found.names.is_shortage && found.names.buses.is_empty());
    infeasible(&case, &scaled(&case, 1.4), 20, 11.137);
}

#[test]
fn voltage_and_angle_limits() {
    let Some(data) = data_folder() else { return };
    let mut case = network(&data.join("pglib/pglib_opf_case118_ieee.m"));
    let base = ConicData::base(&case);
    for bus in &mut case.buses {
        (bus.vmin_pu, bus.vmax_pu) = (1.05, 1.06);
    }
    let found = infeasible(&case, &base, 15, 29.756);
    assert!(!found.names.voltages.is_empty() && !found.relaxation.voltages.is_empty());
    let widest = found.relaxation.voltages.iter().map(|l| l.by).fold(0.0, f64::max);
    assert!(widest > 0.01 && widest < 0.1, "{widest} pu");

    let mut case = network(&data.join("pglib/pglib_opf_case118_ieee.m"));
    for branch in &mut case.branches {
        (branch.angle_min_rad, branch.angle_max_rad) = (-1f64.to_radians(), 1f64.to_radians());
    }
    let found = infeasible(&case, &base, 15, 173.3);
    assert!(!found.names.angles.is_empty() && found.relaxation.angles.len() > 10);
}

/// Feasible data are not explained, and multipliers of an optimum prove nothing.
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

/// Proofs are checked by independent code, which refuses damaged ones.
#[test]
fn damaged_proofs_are_refused() {
    let Some(data) = data_folder() else { return };
    let case = network(&data.join("activsg200/case_ACTIVSg200.m"));
    let doubled = scaled(&case, 2.0);
    let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
    let proof = model.explain(&doubled).proof.expect("a proof");
    let accepts = |data: &ConicData, proof: &ConicProof| {
        ConicProof::checked(&case, data, Cuts::Lifted, proof.multipliers.clone())
    };
    let again = accepts(&doubled, &proof).expect("the proof as it is");
    assert_eq!(again.missing_mw, proof.missing_mw);
    assert!(
        accepts(&ConicData::base(&case), &proof).is_none(),
        "of data that have a solution"
    );
    // Every named limit is needed: without its multiplier, or with a price reversed, less or nothing is proved.
    let refused = |damage: &dyn Fn(&mut ConicProof)| {
        let mut damaged = proof.clone();
        damage(&mut damaged);
        accepts(&doubled, &damaged)
    };
    let pocket = case.buses.iter().position(|bus| bus.id == 30).expect("bus 30");
    assert!(refused(&|p| p.multipliers.price[pocket][0] *= -1.0).is_none());
    assert!(refused(&|p| p.multipliers.thermal.iter_mut().for_each(|z| *z = [[0.0; 3]; 2])).is_none());
    assert!(refused(&|p| p.multipliers.pairs.clear()).is_none());
    let weakened = refused(&|p| p.multipliers.price[pocket][0] *= 0.99);
    assert!(weakened.is_none_or(|weakened| weakened.missing_mw < proof.missing_mw));
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
