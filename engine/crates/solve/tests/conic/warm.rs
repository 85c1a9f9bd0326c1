//! Solves from another optimum: few iterations, and the same optimum as a cold solve.

use crate::common::data_folder;
use wattbook_network::ingest_case;
use wattbook_solve::conic::{ConicCertificate, ConicData, ConicModel, ConicSolution, Cuts};

#[test]
fn edits_of_an_optimum() {
    let Some(data) = data_folder() else { return };
    for (name, small, large) in [("pglib_opf_case118_ieee", 3, 25), ("pglib_opf_case500_goc", 4, 25)] {
        let bytes = std::fs::read(data.join(format!("pglib/{name}.m"))).expect("a case file");
        let network = ingest_case(&bytes, "matpower").expect("a case").network;
        let model = ConicModel::new(&network, Cuts::Lifted).expect("a model");
        let base = model.optimum(&ConicData::base(&network), None).expect("an optimum");
        let check = |data: &ConicData, most: usize| -> ConicSolution {
            let warm = model.optimum(data, Some(&base)).expect("an optimum");
            assert!(
                warm.is_warm && warm.iterations <= most,
                "{name}: {} iterations",
                warm.iterations
            );
            let certificate = ConicCertificate::new(&network, Cuts::Lifted, &warm);
            assert!(certificate.holds(), "{name}: {certificate:?}");
            let cold = model.optimum(data, None).expect("an optimum");
            assert!((warm.objective - cold.objective).abs() <= 3e-8 * cold.objective);
            warm
        };
        let loads = (0..network.buses.len()).filter(|&bus| network.buses[bus].demand_pu > 0.0);
        for bus in loads.step_by(network.buses.len() / 12) {
            let mut data = base.data.clone();
            data.demand[bus] *= 1.01;
            let moved = check(&data, small);
            // The price is the slope of the objective.
            let slope = (moved.objective - base.objective) / (data.demand[bus] - base.data.demand[bus]);
            let price = base.price[bus];
            assert!(
                (slope - price).abs() <= 2e-2 * price.abs(),
                "{name}: {slope} against {price}"
            );
            data.demand[bus] += 0.1;
            check(&data, large);
        }
        let tight = (0..network.branches.len()).find(|&b| base.loading[b] > 1.0 - 1e-6);
        if let Some(branch) = tight {
            let mut data = base.data.clone();
            data.rating[branch] *= 0.99;
            check(&data, large);
        }
    }
}

/// Residuals within tolerance are not enough for a warm optimum: 10 MW more at some loads of this case left a bound 3e-6 away.
#[test]
fn warm_optima_are_certified() {
    let Some(data) = data_folder() else { return };
    let bytes = std::fs::read(data.join("pglib/pglib_opf_case30_ieee.m")).expect("a case file");
    let network = ingest_case(&bytes, "matpower").expect("a case").network;
    let model = ConicModel::new(&network, Cuts::Lifted).expect("a model");
    let base = model.optimum(&ConicData::base(&network), None).expect("an optimum");
    for bus in (0..network.buses.len()).filter(|&bus| network.buses[bus].demand_pu > 0.0) {
        let mut data = base.data.clone();
        data.demand[bus] += 0.1;
        let warm = model.optimum(&data, Some(&base)).expect("an optimum");
        let certificate = ConicCertificate::new(&network, Cuts::Lifted, &warm);
        assert!(certificate.holds(), "bus {bus}: {certificate:?}");
        println!("bus {bus}: {} iterations, warm {}", warm.iterations, warm.is_warm);
    }
}
