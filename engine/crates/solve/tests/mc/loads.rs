//! Multiconductor power flow: laws and connections of loads against formulas.

use crate::by_hand::*;
use wattbook_network::feeder::{Feeder, FeederShunt, LoadLaw, VoltageBand};
use wattbook_solve::mc::Complex64 as C;

const E: f64 = 230.0;
const NOMINAL: f64 = 220.0;

fn z() -> C {
    c(0.3, 0.4)
}

fn s() -> C {
    c(9000.0, 3000.0)
}

/// One conductor from a source of `volts` through `z` to a load against ground.
fn behind_impedance(volts: f64, law: LoadLaw, band: Option<VoltageBand>) -> (Feeder, usize) {
    let mut f = feeder();
    let at = bus(&mut f, "source", &["1"]);
    let end = bus(&mut f, "end", &["1"]);
    source(&mut f, &at, volts, &[0.0]);
    line(&mut f, &at, &end, z());
    load(&mut f, vec![branch([Some(end[0]), None], s(), NOMINAL, law)]);
    f.loads[0].band = band;
    (f, end[0])
}

/// The power drawn at the voltage `u`, by Kirchhoff's law: `U conj(I)` with `I = (E - U) / Z`.
fn drawn(volts: f64, u: C) -> C {
    u * ((c(volts, 0.0) - u) / z()).conj()
}

#[test]
fn constant_power_is_the_root_of_a_quadratic() {
    let (f, end) = behind_impedance(E, LoadLaw::Power, None);
    let u = solved(&f).voltages[end];
    // v^4 + v^2 (2 (RP + XQ) - E^2) + |Z|^2 |S|^2 = 0.
    let half = z().re * s().re + z().im * s().im - 0.5 * E * E;
    let square = -half + (half * half - z().norm_sqr() * s().norm_sqr()).sqrt();
    assert!((size(u) - square.sqrt()).abs() < 1e-8, "{}", size(u));
    assert_close(drawn(E, u), s(), size(s()));
}

#[test]
fn constant_current_is_the_root_of_a_quadratic() {
    let (f, end) = behind_impedance(E, LoadLaw::Current, None);
    let u = solved(&f).voltages[end];
    // |v + w| = E with w = Z conj(S) / v_nominal.
    let w = z() * s().conj() / NOMINAL;
    let v = (E * E - w.im * w.im).sqrt() - w.re;
    assert!((size(u) - v).abs() < 1e-8, "{} {v}", size(u));
    assert_close(drawn(E, u), s() * (v / NOMINAL), size(s()));
}

#[test]
fn constant_impedance_divides_the_voltage() {
    let (f, end) = behind_impedance(E, LoadLaw::Impedance, None);
    let y = s().conj() / (NOMINAL * NOMINAL);
    assert_close(solved(&f).voltages[end], c(E, 0.0) / (c(1.0, 0.0) + z() * y), E);
}

#[test]
fn zip_and_exponential_draw_what_they_say() {
    let zip = LoadLaw::Zip {
        active: [0.2, 0.3, 0.4],
        reactive: [0.5, -0.1, 0.7],
    };
    let exponential = LoadLaw::Exponential {
        active: 0.7,
        reactive: 2.3,
    };
    for (law, expected) in [
        (
            zip,
            Box::new(|v: f64| [0.2 * v * v + 0.3 * v + 0.4, 0.5 * v * v - 0.1 * v + 0.7])
                as Box<dyn Fn(f64) -> [f64; 2]>,
        ),
        (exponential, Box::new(|v: f64| [v.powf(0.7), v.powf(2.3)])),
    ] {
        let (f, end) = behind_impedance(E, law, None);
        let u = solved(&f).voltages[end];
        let [p, q] = expected(size(u) / NOMINAL);
        assert_close(drawn(E, u), c(s().re * p, s().im * q), size(s()));
    }
}

#[test]
fn outside_its_band_a_load_changes_its_law() {
    let band = VoltageBand {
        low: 0.5,
        min: 0.9,
        max: 1.05,
        cutoff: 0.0,
    };
    let exponential = LoadLaw::Exponential {
        active: 0.7,
        reactive: 2.3,
    };
    let between = |v: f64, at_min: f64| v * (0.5 + (at_min - 0.5) * (v - 0.5) / 0.4);
    type Rule<'a> = &'a dyn Fn(f64) -> f64;
    let cases: [(LoadLaw, f64, [f64; 2], Rule); 9] = [
        (LoadLaw::Power, 0.45 * NOMINAL, [0.0, 0.5], &|v| v * v),
        (LoadLaw::Current, 0.45 * NOMINAL, [0.0, 0.5], &|v| v * v),
        (LoadLaw::Power, 0.9 * NOMINAL, [0.5, 0.9], &|v| between(v, 1.0 / 0.9)),
        (LoadLaw::Current, 0.9 * NOMINAL, [0.5, 0.9], &|v| between(v, 1.0)),
        (exponential, 0.9 * NOMINAL, [0.5, 0.9], &|v| between(v, 1.0 / 0.9)),
        (LoadLaw::Power, 1.05 * NOMINAL, [0.9, 1.05], &|_| 1.0),
        (LoadLaw::Power, 1.3 * NOMINAL, [1.05, 9.0], &|v| v * v / 1.05f64.powi(2)),
        (LoadLaw::Current, 1.3 * NOMINAL, [1.05, 9.0], &|v| v * v / 1.05),
        (exponential, 1.3 * NOMINAL, [1.05, 9.0], &|v| v * v / 1.05f64.powi(2)),
    ];
    for (law, volts, [from, to], rule) in cases {
        let (f, end) = behind_impedance(volts, law, Some(band));
        let u = solved(&f).voltages[end];
        let v = size(u) / NOMINAL;
        assert!(v > from && v <= to, "{law:?}: {v} is not where the rule is tested");
        assert_close(drawn(volts, u), s() * rule(v), size(s()));
    }
}

#[test]
fn a_zip_load_drops_out_below_its_cutoff() {
    let band = VoltageBand {
        low: 0.3,
        min: 0.5,
        max: 1.5,
        cutoff: 0.9,
    };
    let law = LoadLaw::Zip {
        active: [0.0, 0.0, 1.0],
        reactive: [0.0, 0.0, 1.0],
    };
    let (f, end) = behind_impedance(0.85 * NOMINAL, law, Some(band));
    let u = solved(&f).voltages[end];
    assert_close(u, c(0.85 * NOMINAL, 0.0), NOMINAL);
}

/// Three phases of a source without impedance.
fn stiff(terminals: &[&str]) -> (Feeder, Vec<usize>) {
    let mut f = feeder();
    let at = bus(&mut f, "source", terminals);
    source(&mut f, &at[..3], E, &THREE);
    (f, at)
}

#[test]
fn delta_currents_are_differences_of_branch_currents() {
    let (mut f, at) = stiff(&["1", "2", "3"]);
    let powers = [c(9000.0, 3000.0), c(5000.0, -1000.0), c(7000.0, 0.0)];
    let pair = |k: usize| [Some(at[k]), Some(at[(k + 1) % 3])];
    load(
        &mut f,
        (0..3)
            .map(|k| branch(pair(k), powers[k], 400.0, LoadLaw::Power))
            .collect(),
    );
    let solution = solved(&f);
    let u = THREE.map(|degrees| polar(E, degrees));
    let through: Vec<C> = (0..3).map(|k| (powers[k] / (u[k] - u[(k + 1) % 3])).conj()).collect();
    for k in 0..3 {
        assert_close(solution.loads[0][k], through[k], 10.0);
        assert_close(solution.sources[0].currents[k], through[k] - through[(k + 2) % 3], 10.0);
    }
    assert_close(solution.sources[0].power, powers.into_iter().sum(), 1e4);
}

#[test]
fn a_floating_neutral_settles_where_its_currents_cancel() {
    for neutral in [None, Some(c(2.0, 1.0))] {
        let (mut f, at) = stiff(&["1", "2", "3"]);
        let star = bus(&mut f, "star", &["n", "0"]);
        let powers = [c(900.0, 300.0), c(500.0, -100.0), c(1700.0, 20.0)];
        let to_star = |k: usize| branch([Some(at[k]), Some(star[0])], powers[k], E, LoadLaw::Impedance);
        load(&mut f, (0..3).map(to_star).collect());
        let mut sum = C::default();
        if let Some(z) = neutral {
            line(&mut f, &star[..1], &star[1..], z);
            sum += c(1.0, 0.0) / z;
        }
        let mut weighted = C::default();
        for k in 0..3 {
            let y = powers[k].conj() / (E * E);
            weighted += polar(E, THREE[k]) * y;
            sum += y;
        }
        assert_close(solved(&f).voltages[star[0]], weighted / sum, E);
    }
}

#[test]
fn what_injects_alone_holds_a_conductor_that_is_open() {
    // Below `low` a load is the impedance of its nominal power: the open conductor divides the voltage between two of them.
    let band = VoltageBand {
        low: 0.5,
        min: 0.95,
        max: 1.05,
        cutoff: 0.0,
    };
    let power = c(-90e3, 0.0);
    for b in [1e-7, 0.0] {
        let (mut f, at) = stiff(&["1", "2", "3"]);
        let end = bus(&mut f, "end", &["1", "2", "3"]);
        line(&mut f, &[at[0], at[2]], &[end[0], end[2]], c(0.01, 0.02));
        f.shunts.push(FeederShunt {
            name: "capacitor.open".into(),
            nodes: vec![end[1]],
            g: vec![0.0],
            b: vec![b],
        });
        let nominal = 440.0;
        let pair = |k: usize| branch([Some(end[k]), Some(end[(k + 1) % 3])], power, nominal, LoadLaw::Power);
        load(&mut f, vec![pair(0), pair(1)]);
        f.loads[0].band = Some(band);
        let u = solved(&f).voltages;
        let y = power.conj() / (nominal * nominal);
        let middle = y * (u[end[0]] + u[end[2]]) / (2.0 * y + c(0.0, b));
        assert_close(u[end[1]], middle, E);
        assert!(size(u[end[0]] - polar(E, 0.0)) > 0.1, "the line carries something");
    }
}

#[test]
fn between_terminals_of_one_voltage_constant_power_is_refused() {
    let (mut f, at) = stiff(&["1", "2", "3"]);
    load(&mut f, vec![branch([Some(at[0]), Some(at[0])], s(), E, LoadLaw::Power)]);
    let error = try_solve(&f).map(|_| ()).expect_err("no voltage");
    assert_eq!(error.code, "PHYSICS.NO_VOLTAGE");
    assert_eq!(error.details.expect("details")["element"], "load.d0");
}

#[test]
fn beyond_the_nose_the_largest_loading_is_reported() {
    let mut f = feeder();
    let at = bus(&mut f, "source", &["1"]);
    let end = bus(&mut f, "end", &["1"]);
    source(&mut f, &at, E, &[0.0]);
    line(&mut f, &at, &end, c(1.0, 0.0));
    // The largest power behind a resistance is E^2 / 4 R.
    let most = E * E / 4.0;
    load(
        &mut f,
        vec![branch([Some(end[0]), None], c(1.6 * most, 0.0), E, LoadLaw::Power)],
    );
    let error = try_solve(&f).map(|_| ()).expect_err("no solution");
    assert_eq!(error.code, "SOLVE.NOT_CONVERGED");
    let details = error.details.expect("details");
    let loading = details["loading"].as_f64().expect("a number");
    assert!((0.97..=1.0).contains(&(loading * 1.6)), "{loading}");
    assert_eq!(details["terminal"], "end.1");
    f.loads[0].branches[0].p_w = 0.98 * most;
    let v = size(solved(&f).voltages[end[0]]);
    assert!((v - 0.5 * E * (1.0 + 0.02f64.sqrt())).abs() < 1e-6, "{v}");
}
