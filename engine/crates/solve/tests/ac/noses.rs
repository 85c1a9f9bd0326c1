//! Ends of solutions along a path.

use crate::derivatives::{base_of, case, options, two_bus};
use wattbook_solve::ac::{AcCertificate, AcData, AcEvent, AcModel, AcOptions, ReactiveLimits, SlackRule};
use wattbook_solve::vocabulary::{Direction, Parameter};

/// With a constant power factor voltage collapses at `V^2 / (2 (r p + x q + |z| |s|))` times the load.
#[test]
fn the_nose_of_two_buses() {
    for (p, q) in [(0.8f64, 0.3f64), (0.8, 0.0), (0.02, 0.0)] {
        let network = two_bus(100.0 * p, 100.0 * q);
        let model = AcModel::new(&network).unwrap();
        let base = base_of(&model, &AcData::base(&network), AcOptions::default());
        let direction = Direction {
            demand: vec![(1, p)],
            reactive_demand: vec![(1, q)],
            ..Direction::default()
        };
        let z = (0.0001f64 + 0.01).sqrt();
        let want = 1.05 * 1.05 / (2.0 * (0.01 * p + 0.1 * q + z * p.hypot(q))) - 1.0;
        let nose = base.nose(&model, &direction).unwrap().expect("a nose");
        assert!((nose.step / want - 1.0).abs() < 0.01, "{} against {want}", nose.step);
        assert!(nose.change < 0.02 * nose.step);
        assert_eq!(nose.buses, [1]);
    }
    let network = two_bus(80.0, 30.0);
    let model = AcModel::new(&network).unwrap();
    let base = base_of(&model, &AcData::base(&network), AcOptions::default());
    // Nothing moves, so there is no nose.
    assert_eq!(base.nose(&model, &Direction::default()).unwrap(), None);
}

/// The nose of all loads together, and of single loads, against bisection with the solver itself.
#[test]
fn noses_are_where_solutions_end() {
    let Some(network) = case("matpower/case118.m") else {
        return;
    };
    let model = AcModel::new(&network).unwrap();
    let data = AcData::base(&network);
    let base = base_of(&model, &data, AcOptions::default());
    let all = (0..118).map(|bus| (bus, data.demand[bus])).collect();
    let all_q = (0..118).map(|bus| (bus, data.demand_q[bus])).collect();
    let mut directions = vec![Direction {
        demand: all,
        reactive_demand: all_q,
        ..Direction::default()
    }];
    for bus in [1, 20, 43, 94] {
        directions.push(Direction {
            demand: vec![(bus, 1.0)],
            reactive_demand: vec![(bus, 0.3)],
            ..Direction::default()
        });
    }
    for direction in directions {
        let nose = base.nose(&model, &direction).unwrap().expect("a nose");
        let solves = |t: f64| {
            let mut edited = data.clone();
            for &(bus, d) in &direction.demand {
                edited.demand[bus] += t * d;
            }
            for &(bus, d) in &direction.reactive_demand {
                edited.demand_q[bus] += t * d;
            }
            base.step(&model, &edited).is_ok()
        };
        assert!(solves(0.97 * nose.step), "no solution before the nose at {}", nose.step);
        assert!(!solves(1.03 * nose.step), "a solution past the nose at {}", nose.step);
    }
}

/// Loads that draw no reactive power collapse about as near as generators in their place: the series has two singularities, one
/// on either side.
#[test]
fn noses_without_reactive_power_are_where_solutions_end() {
    let (mut estimated, mut without) = (0, 0);
    for name in ["matpower/case39.m", "matpower/case118.m", "matpower/case300.m"] {
        let Some(network) = case(name) else { return };
        let model = AcModel::new(&network).unwrap();
        let data = AcData::base(&network);
        let base = base_of(&model, &data, AcOptions::default());
        for bus in (0..network.buses.len()).step_by(6) {
            let direction = Direction {
                demand: vec![(bus, 1.0)],
                ..Direction::default()
            };
            let solves = |t: f64| {
                let mut edited = data.clone();
                edited.demand[bus] += t;
                base.step(&model, &edited).is_ok()
            };
            // The demand of a reference moves no voltage.
            let Some(nose) = base.nose(&model, &direction).unwrap() else {
                without += 1;
                continue;
            };
            estimated += 1;
            assert!(nose.change < 0.1 * nose.step, "{name} {bus}: {nose:?}");
            assert!(
                solves(0.95 * nose.step),
                "{name} {bus}: no solution before {}",
                nose.step
            );
            assert!(!solves(1.03 * nose.step), "{name} {bus}: a solution past {}", nose.step);
        }
    }
    assert!(
        estimated >= 70 && without <= 4,
        "{estimated} with and {without} without an estimate"
    );
}

/// Reactive limits along a path: steps enforce them, warrants end at them, and beyond that end they have changed.
#[test]
fn reactive_limits_along_the_way() {
    let Some(network) = case("matpower/case118.m") else {
        return;
    };
    let model = AcModel::new(&network).unwrap();
    let data = AcData::base(&network);
    let keep = options(SlackRule::Single, true);
    let base = base_of(&model, &data, keep);
    assert!(matches!(base.solution().reactive_limits, ReactiveLimits::Kept { rounds } if rounds > 0));
    assert!(!base.solution().limited.is_empty());
    let (mut met, mut changed) = (0, 0);
    for bus in 0..118 {
        let column = base.sensitivity(&model, Parameter::ReactiveDemand(bus)).unwrap();
        let Some(end) = column.warrant.upper else { continue };
        let mut edited = data.clone();
        edited.demand_q[bus] += 1.05 * end.step + 1e-3;
        let s = base.step(&model, &edited).expect("a power flow");
        let certificate = AcCertificate::new(&network, &s);
        assert!(certificate.holds(), "{certificate:?}");
        let cold = model.solve(&edited, keep).expect("a power flow");
        let error = s
            .magnitude
            .iter()
            .zip(&cold.magnitude)
            .fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(error < 1e-7, "bus row {bus}: {error:.1e}");
        if end.event != AcEvent::Error {
            met += 1;
            changed += usize::from(s.limited != base.solution().limited);
        }
    }
    println!("{met} intervals end at a reactive limit, past {changed} of them limits have changed");
    assert!(met > 20 && changed as f64 > 0.9 * met as f64);
}
