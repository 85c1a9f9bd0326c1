//! Multiconductor power flow: lines, shunts, switches, sources, unsupplied parts, and the check.

use crate::by_hand::*;
use wattbook_network::feeder::{Feeder, FeederShunt, FeederSource, FeederSwitch, LoadLaw};
use wattbook_solve::mc::{solve, Complex64 as C, McCertificate, McData, McModel, McOptions};

const E: f64 = 230.0;

fn switch(feeder: &mut Feeder, from: usize, to: usize, is_closed: bool) {
    feeder.switches.push(FeederSwitch {
        name: format!("switch.w{}", feeder.switches.len()),
        from: vec![from],
        to: vec![to],
        is_closed,
    });
}

fn impedance_load(feeder: &mut Feeder, node: usize, y: C) {
    load(
        feeder,
        vec![branch([Some(node), None], y.conj(), 1.0, LoadLaw::Impedance)],
    );
}

#[test]
fn coupled_conductors_and_their_shunts() {
    let mut f = feeder();
    let at = bus(&mut f, "source", &["1", "2"]);
    let end = bus(&mut f, "end", &["1", "2"]);
    source(&mut f, &at, E, &[0.0, 180.0]);
    line(&mut f, &at, &end, c(0.5, 0.8));
    let l = &mut f.lines[0];
    (l.r[1], l.r[2], l.x[1], l.x[2]) = (0.1, 0.1, 0.3, 0.3);
    l.b_from = vec![2e-3, -5e-4, -5e-4, 2e-3];
    l.b_to = vec![1e-2, -3e-3, -3e-3, 1e-2];
    let solution = solved(&f);
    // Opposite voltages see the differences of own and mutual values.
    let z = c(0.4, 0.5);
    let y = c(0.0, 1.3e-2);
    let u = c(E, 0.0) / (c(1.0, 0.0) + z * y);
    assert_close(solution.voltages[end[0]], u, E);
    assert_close(solution.voltages[end[1]], -u, E);
    assert_close(solution.lines[0][0][0], u * y + c(0.0, 2.5e-3) * E, 1.0);
    assert_close(solution.lines[0][1][0], C::default(), 1.0);
}

#[test]
fn capacitors_raise_the_voltage_behind_a_reactance() {
    for b in [0.02, -0.02] {
        let mut f = feeder();
        let at = bus(&mut f, "source", &["1"]);
        let end = bus(&mut f, "end", &["1"]);
        source(&mut f, &at, E, &[0.0]);
        line(&mut f, &at, &end, c(0.0, 1.0));
        f.shunts.push(FeederShunt {
            name: "capacitor.c".into(),
            nodes: end.clone(),
            g: vec![0.0],
            b: vec![b],
        });
        assert_close(solved(&f).voltages[end[0]], c(E / (1.0 - b), 0.0), E);
    }
}

#[test]
fn a_singular_impedance_is_refused_and_a_missing_one_connects() {
    let mut f = feeder();
    let at = bus(&mut f, "source", &["1", "2"]);
    let end = bus(&mut f, "end", &["1", "2"]);
    source(&mut f, &at, E, &[0.0, -120.0]);
    line(&mut f, &at, &end, c(0.0, 0.0));
    impedance_load(&mut f, end[0], c(0.5, 0.0));
    let solution = solved(&f);
    assert_close(solution.voltages[end[0]], c(E, 0.0), E);
    assert_close(solution.lines[0][0][0], c(0.5 * E, 0.0), E);
    f.lines[0].r = vec![1.0; 4];
    let error = try_solve(&f).map(|_| ()).expect_err("no inverse");
    assert_eq!(error.code, "INPUT.SINGULAR_IMPEDANCE");
    assert_eq!(error.details.expect("details")["element"], "line.l0");
}

#[test]
fn impedances_of_nothing_but_rounding_are_certified() {
    for volts in [E, 66e3] {
        for ohm in [0.0, 9e-10, 1.1e-9, 3e-9, 1e-8, 1e-7, 1e-5] {
            let mut f = feeder();
            let at = bus(&mut f, "source", &["1", "2"]);
            let near = bus(&mut f, "near", &["1", "2"]);
            let end = bus(&mut f, "end", &["1", "2"]);
            source(&mut f, &at, volts, &[0.0, -120.0]);
            line(&mut f, &at, &near, c(0.1 * ohm, ohm));
            let l = &mut f.lines[0];
            (l.x[1], l.x[2]) = (0.4 * ohm, 0.4 * ohm);
            line(&mut f, &near, &end, c(1e-3 * volts, 2e-3 * volts));
            for (k, &node) in end.iter().enumerate() {
                let power = c(0.5 * volts * (k + 1) as f64, 0.1 * volts);
                load(&mut f, vec![branch([Some(node), None], power, volts, LoadLaw::Power)]);
            }
            let solution = solved(&f);
            let drop = size(solution.voltages[at[0]] - solution.voltages[near[0]]);
            assert!(drop <= 1e-5 * volts, "{volts} V, {ohm} ohm: {drop}");
        }
    }
}

#[test]
fn switches_carry_what_is_behind_them() {
    let mut f = feeder();
    let at = bus(&mut f, "source", &["1"]);
    let near = bus(&mut f, "near", &["1"]);
    let far = bus(&mut f, "far", &["1"]);
    let off = bus(&mut f, "off", &["1"]);
    source(&mut f, &at, E, &[0.0]);
    switch(&mut f, at[0], near[0], true);
    // Two in parallel share a current whose split is not determined.
    switch(&mut f, near[0], far[0], true);
    switch(&mut f, far[0], near[0], true);
    switch(&mut f, far[0], off[0], false);
    impedance_load(&mut f, near[0], c(0.1, 0.0));
    impedance_load(&mut f, far[0], c(0.3, 0.0));
    load(
        &mut f,
        vec![branch([Some(off[0]), None], c(100.0, 0.0), E, LoadLaw::Power)],
    );
    let solution = solved(&f);
    let currents: Vec<f64> = solution.switches.iter().map(|s| s.currents[0].re / E).collect();
    for (own, expected) in currents.iter().zip([0.4, 0.15, -0.15, 0.0]) {
        assert!((own - expected).abs() < 1e-12, "{currents:?}");
    }
    let unique: Vec<bool> = solution.switches.iter().map(|s| s.is_unique).collect();
    assert_eq!(unique, [true, false, false, true]);
    assert_eq!(solution.not_supplied, [2]);
    assert_eq!(solution.voltages[off[0]], C::default());
    assert!(!solution.is_energised[off[0]] && solution.is_energised[far[0]]);
}

#[test]
fn sources_that_contradict_each_other_are_refused() {
    let mut f = feeder();
    let at = bus(&mut f, "a", &["1"]);
    let other = bus(&mut f, "b", &["1"]);
    source(&mut f, &at, E, &[0.0]);
    source(&mut f, &other, E, &[0.0]);
    switch(&mut f, at[0], other[0], true);
    solved(&f);
    f.sources[1].volts[0] = 1.01 * E;
    let error = try_solve(&f).map(|_| ()).expect_err("they contradict");
    assert_eq!(error.code, "PHYSICS.CONTRADICTING_SOURCES");
}

#[test]
fn a_source_against_a_neutral_shifts_with_it() {
    let mut f = feeder();
    let at = bus(&mut f, "source", &["1", "n", "0"]);
    f.sources.push(FeederSource {
        name: "vsource.s".into(),
        nodes: vec![at[0]],
        reference: Some(at[1]),
        volts: vec![E],
        angles_rad: vec![0.0],
        impedance: None,
    });
    line(&mut f, &at[1..2], &at[2..], c(5.0, 0.0));
    impedance_load(&mut f, at[0], c(0.1, 0.0));
    let solution = solved(&f);
    // E through the load of 10 ohm and back through 5 ohm.
    assert_close(solution.voltages[at[0]], c(E * 10.0 / 15.0, 0.0), E);
    assert_close(solution.voltages[at[1]], c(-E * 5.0 / 15.0, 0.0), E);
    assert_close(solution.sources[0].power, c(E * E / 15.0, 0.0), E);
}

/// Four conductors, constant power between phases and a floating neutral.
fn four_wires() -> Feeder {
    let mut f = feeder();
    let at = bus(&mut f, "source", &["1", "2", "3", "0"]);
    let end = bus(&mut f, "end", &["1", "2", "3", "n"]);
    source(&mut f, &at[..3], E, &THREE);
    line(&mut f, &at, &end, c(0.1, 0.1));
    let power = [c(4000.0, 1000.0), c(9000.0, 2000.0), c(2000.0, -500.0)];
    let to_neutral = |k: usize| branch([Some(end[k]), Some(end[3])], power[k], E, LoadLaw::Power);
    load(&mut f, (0..3).map(to_neutral).collect());
    f
}

#[test]
fn edits_from_a_solution_end_where_they_end_from_the_start() {
    let f = four_wires();
    let model = McModel::new(f.clone()).expect("a model");
    let options = McOptions {
        tolerance: 1e-12,
        ..McOptions::default()
    };
    let mut data = McData::base(&f);
    let base = solve(&model, &data, &options, None).expect("a solution");
    data.load_mut(0)[0] = [6000.0, 0.0];
    let warm = solve(&model, &data, &options, Some(&base.found)).expect("a solution");
    let cold = solve(&model, &data, &options, None).expect("a solution");
    for (a, b) in warm.voltages.iter().zip(&cold.voltages) {
        assert_close(*a, *b, E);
    }
    assert!(McCertificate::new(&f, &warm).holds());
    assert!(size(warm.voltages[4] - base.voltages[4]) > 0.1);
    let mut other = f.clone();
    other.loads[0].branches.pop();
    assert_eq!(
        solve(&model, &McData::base(&other), &options, None)
            .expect_err("other loads")
            .code,
        "INPUT.DATA"
    );
}

#[test]
fn the_check_sees_what_is_wrong() {
    let f = four_wires();
    let good = solved(&f);
    let found = |change: &dyn Fn(&mut wattbook_solve::mc::McSolution)| {
        let mut wrong = good.clone();
        change(&mut wrong);
        McCertificate::new(&f, &wrong)
    };
    assert!(found(&|_| ()).holds());
    let moved = found(&|s| s.voltages[7] += c(1e-3, 0.0));
    assert!(!moved.holds() && moved.residual_a > 1e-3, "{moved:?}");
    assert!(!found(&|s| s.lines[0][0][1] += c(1e-3, 0.0)).holds());
    assert!(!found(&|s| s.loads[0][1] += c(1e-3, 0.0)).holds());
    assert!(!found(&|s| s.voltages[0] += c(1e-3, 0.0)).holds());
    assert!(!found(&|s| s.sources[0].currents[0] += c(1e-3, 0.0)).holds());
    assert!(!found(&|s| s.data.load_mut(0)[0][0] += 1.0).holds());
    assert!(!found(&|s| s.voltages[5] = c(f64::NAN, 0.0)).holds());
}

#[test]
fn losses_are_what_the_source_gives_and_no_load_takes() {
    let f = four_wires();
    let model = McModel::new(f.clone()).expect("a model");
    let solution = solved(&f);
    let loads: f64 = 4000.0 + 9000.0 + 2000.0;
    let lost: C = solution.line_losses(&model).into_iter().sum();
    assert!((solution.sources[0].power.re - loads - lost.re).abs() < 1e-6, "{lost}");
    // Resistances times squares of currents.
    let squares: f64 = solution.lines[0][0].iter().map(|i| 0.1 * i.norm_sqr()).sum();
    assert!((lost.re - squares).abs() < 1e-6, "{squares}");
}
