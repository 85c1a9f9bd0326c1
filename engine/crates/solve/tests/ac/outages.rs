//! Outages: power flows of the network without the branch, each solved from its own starts, and a closed form.

use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::ac::{
    AcAfter, AcBase, AcCertificate, AcData, AcEffect, AcLimits, AcModel, AcOptions, AcOutage, AcScreening, AcSelection,
    AcSolution, SlackRule,
};

fn limits_of(network: &AnalysisNetwork) -> AcLimits {
    AcLimits {
        rating: network.branches.iter().map(|b| b.rating_pu).collect(),
        voltage: network.buses.iter().map(|b| [b.vmin_pu, b.vmax_pu]).collect(),
    }
}

fn base_of(network: &AnalysisNetwork, data: &AcData, options: AcOptions) -> (AcModel, AcBase) {
    let model = AcModel::new(network).unwrap();
    let solution = model.solve(data, options).unwrap();
    let base = model.base(solution).unwrap();
    (model, base)
}

fn without(network: &AnalysisNetwork, row: usize) -> AnalysisNetwork {
    let mut network = network.clone();
    network.branches[row].in_service = false;
    network
}

/// What the screening reports, from a solution of the network without the branch.
fn after_of(network: &AnalysisNetwork, before: &AcSolution, s: &AcSolution, out: usize) -> AcAfter {
    let limits = limits_of(network);
    let apparent = |s: &AcSolution, k: usize| {
        let size = |[p, q]: [f64; 2]| p.hypot(q);
        size(s.flow_from[k]).max(size(s.flow_to[k]))
    };
    let loading = |s: &AcSolution, k: usize| apparent(s, k) / limits.rating[k];
    let others: Vec<usize> = (0..network.branches.len()).filter(|&k| k != out).collect();
    let over: Vec<usize> = others.iter().copied().filter(|&k| loading(s, k) > 1.0 + 1e-6).collect();
    let outside = |s: &AcSolution, bus: usize| {
        let [low, high] = limits.voltage[bus];
        s.magnitude[bus] < low - 1e-6 || s.magnitude[bus] > high + 1e-6
    };
    let live: Vec<usize> = (0..network.buses.len()).filter(|&bus| s.magnitude[bus] > 0.0).collect();
    let by = |a: &usize, b: &usize| s.magnitude[*a].total_cmp(&s.magnitude[*b]).then(b.cmp(a));
    let lowest = *live.iter().min_by(|a, b| by(a, b).then(b.cmp(a))).unwrap();
    let highest = *live.iter().max_by(|a, b| by(a, b)).unwrap();
    let beyond: Vec<usize> = live.iter().copied().filter(|&bus| outside(s, bus)).collect();
    AcAfter {
        worst: others
            .iter()
            .copied()
            .max_by(|&a, &b| loading(s, a).total_cmp(&loading(s, b)))
            .map(|k| wattbook_solve::ac::AcLoading {
                branch: k,
                flow: s.flow_from[k][0],
                apparent: apparent(s, k),
                loading: loading(s, k),
            }),
        overloads: over.len(),
        new_overloads: over.iter().filter(|&&k| loading(before, k) < 1.0 - 1e-6).count(),
        worst_new: None,
        lowest: (lowest, s.magnitude[lowest]),
        highest: (highest, s.magnitude[highest]),
        violations: beyond.len(),
        new_violations: beyond.iter().filter(|&&bus| !outside(before, bus)).count(),
        limits: s.reactive_limits,
    }
}

/// Compares every outage with the power flow of the network without the branch; returns how many had one.
fn compare(name: &str, network: &AnalysisNetwork, data: &AcData, options: AcOptions) -> (usize, usize) {
    let (model, base) = base_of(network, data, options);
    let mut screening = AcScreening::new(&model, &base, limits_of(network), AcSelection::default());
    let outages = screening.step(&model, &base, network, usize::MAX).unwrap();
    let mut solved = 0;
    for AcOutage { branch, effect, .. } in &outages {
        let what = format!("{name} without {branch}");
        let network = without(network, *branch);
        let cold = AcModel::new(&network).unwrap();
        match effect {
            AcEffect::Islanding { .. } => {
                let split = cold.islands() != model.islands() || cold.left_out().count() != model.left_out().count();
                assert!(split, "{what}");
                continue;
            }
            AcEffect::NotConverged => {
                assert!(cold.solve(data, options).is_err(), "{what}");
                continue;
            }
            AcEffect::Estimated => panic!("{what}"),
            AcEffect::Solved(after) => {
                solved += 1;
                let s = cold.solve(data, options).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert!(AcCertificate::new(&network, &s).holds(), "{what}");
                // The reference ends at a mismatch of up to 1e-8, which a network near collapse amplifies.
                let slack = 10.0 * s.mismatch;
                let flows = screening
                    .flows_after(&model, &base, &network, *branch)
                    .unwrap()
                    .unwrap();
                for (got, want) in [(&flows.magnitude, &s.magnitude), (&flows.angle, &s.angle)] {
                    for (got, want) in got.iter().zip(want) {
                        assert!((got - want).abs() < 1e-8 + slack, "{what}: {got} against {want}");
                    }
                }
                let sides = [(&flows.flow_from, &s.flow_from), (&flows.flow_to, &s.flow_to)];
                for (got, want) in sides.into_iter().flat_map(|(got, want)| got.iter().zip(want)) {
                    let apart = (got[0] - want[0]).abs().max((got[1] - want[1]).abs());
                    assert!(apart < 1e-6, "{what}: {got:?} against {want:?}");
                }
                let want = after_of(&network, base.solution(), &s, *branch);
                let counts = |a: &AcAfter| (a.overloads, a.new_overloads, a.violations, a.new_violations);
                assert_eq!(counts(after), counts(&want), "{what}");
                for (got, want) in [(after.lowest, want.lowest), (after.highest, want.highest)] {
                    assert!(
                        (got.1 - want.1).abs() < 1e-8 + slack,
                        "{what}: {got:?} against {want:?}"
                    );
                }
                let (got, want) = (after.worst.unwrap(), want.worst.unwrap());
                assert!(
                    (got.loading - want.loading).abs() < 1e-6,
                    "{what}: {got:?} against {want:?}"
                );
            }
        }
    }
    println!("{name} {options:?}: {} outages, {:?}", outages.len(), screening.counts);
    (outages.len(), solved)
}

#[test]
fn outages_are_power_flows_of_the_network_without_the_branch() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    for name in [
        "case14",
        "case30",
        "case39",
        "case57",
        "case118",
        "case300",
        "case89pegase",
    ] {
        let bytes = std::fs::read(data.join(format!("matpower/{name}.m"))).unwrap();
        let network = ingest_case(&bytes, "matpower").unwrap().network;
        for slack in [SlackRule::Single, SlackRule::Distributed] {
            for reactive_limits in [false, true] {
                let options = AcOptions {
                    slack,
                    reactive_limits,
                    only_stored_start: false,
                };
                compare(name, &network, &AcData::base(&network), options);
            }
        }
    }
}
