//! Multiconductor power flow: connections of transformers against the single-phase equivalent circuit.

use crate::by_hand::*;
use wattbook_network::feeder::{Connection, Feeder, FeederTransformer, FeederWinding, LoadLaw};
use wattbook_solve::mc::Complex64 as C;

const HIGH: f64 = 11_000.0;
const LOW: f64 = 400.0;
const RATING: f64 = 500e3;

fn winding(nodes: &[usize], connection: Connection, v_rated: f64, tap: f64) -> FeederWinding {
    FeederWinding {
        nodes: nodes.to_vec(),
        connection,
        v_rated,
        r_percent: 0.6,
        tap,
        neutral_ohm: None,
    }
}

fn transformer(windings: [FeederWinding; 2], phases: usize) -> FeederTransformer {
    FeederTransformer {
        name: "transformer.t".into(),
        phases,
        windings,
        s_va: RATING,
        x_percent: 4.0,
        no_load_percent: 0.0,
        magnetising_percent: 0.0,
        leads: false,
        antifloat_ppm: 0.0,
    }
}

/// A stiff source of the first winding's voltage, the transformer, and a balanced load of impedance: in delta behind a delta.
fn balanced(connections: [Connection; 2], volts: [f64; 2], taps: [f64; 2], leads: bool, y: C) -> (Feeder, Vec<usize>) {
    let mut f = feeder();
    let first = bus(&mut f, "first", &["1", "2", "3", "0"]);
    let second = bus(&mut f, "second", &["1", "2", "3", "0"]);
    source(&mut f, &first[..3], volts[0] / 3f64.sqrt(), &THREE);
    let own = |nodes: &[usize], k: usize| {
        let terminals = if connections[k] == Connection::Wye { 4 } else { 3 };
        winding(&nodes[..terminals], connections[k], volts[k], taps[k])
    };
    let mut t = transformer([own(&first, 0), own(&second, 1)], 3);
    t.leads = leads;
    // A delta without a load to ground floats: its own small admittance to ground holds it.
    t.antifloat_ppm = if connections[1] == Connection::Delta { 1.0 } else { 0.0 };
    f.transformers.push(t);
    let branches = (0..3).map(|k| match connections[1] {
        Connection::Wye => branch([Some(second[k]), None], y.conj(), 1.0, LoadLaw::Impedance),
        Connection::Delta => {
            let pair = [Some(second[k]), Some(second[(k + 1) % 3])];
            branch(pair, y.conj() / 3.0, 1.0, LoadLaw::Impedance)
        }
    });
    let branches = branches.collect();
    load(&mut f, branches);
    (f, second)
}

#[test]
fn every_connection_has_the_ratio_the_shift_and_the_impedance_of_its_group() {
    use Connection::{Delta, Wye};
    let mut tested = 0;
    for connections in [[Wye, Wye], [Delta, Delta], [Delta, Wye], [Wye, Delta]] {
        for (volts, is_step_up) in [([HIGH, LOW], false), ([LOW, HIGH], true)] {
            for leads in [false, true] {
                for taps in [[1.0, 1.0], [1.05, 0.95]] {
                    // About the rating at 0.9.
                    let y = c(0.9, -0.4) * RATING / (volts[1] * volts[1]);
                    let (f, second) = balanced(connections, volts, taps, leads, y);
                    let u = solved(&f).voltages;
                    // The low side lags the high side by 30 degrees, or leads it.
                    let low_behind_high = match (connections[0] == connections[1], leads) {
                        (true, _) => 0.0,
                        (false, false) => -30.0,
                        (false, true) => 30.0,
                    };
                    let shift = if is_step_up { -low_behind_high } else { low_behind_high };
                    let open = volts[1] / 3f64.sqrt() * taps[1] / taps[0];
                    // Percent of the rated voltage; the tap of a coil changes its impedance with the square.
                    let z = c(1.2, 4.0) / 100.0 * (volts[1] * taps[1]).powi(2) / RATING;
                    let part = c(1.0, 0.0) / (c(1.0, 0.0) + z * y);
                    for k in 0..3 {
                        let between = u[second[k]] - u[second[(k + 1) % 3]];
                        let expected = (polar(open, THREE[k] + shift) - polar(open, THREE[(k + 1) % 3] + shift)) * part;
                        // The small admittance of a floating delta is a millionth of the rating.
                        let error = size(between - expected) / volts[1];
                        let limit = if connections[1] == Delta { 1e-7 } else { 1e-11 };
                        assert!(
                            error < limit,
                            "{connections:?} {volts:?} leads {leads} {taps:?}: {between} {expected}"
                        );
                    }
                    tested += 1;
                }
            }
        }
    }
    assert_eq!(tested, 32);
}

#[test]
fn the_no_load_branch_is_at_the_second_winding() {
    let (mut f, second) = balanced([Connection::Wye; 2], [HIGH, LOW], [1.0, 1.0], false, C::default());
    f.transformers[0].no_load_percent = 0.5;
    f.transformers[0].magnetising_percent = 2.0;
    let solution = solved(&f);
    let base = LOW * LOW / RATING;
    let (z, y) = (c(1.2, 4.0) / 100.0 * base, c(0.5, -2.0) / 100.0 / base);
    let u = polar(LOW / 3f64.sqrt(), 0.0) / (c(1.0, 0.0) + z * y);
    assert_close(solution.voltages[second[0]], u, LOW);
    // Power of the source: three times |U|^2 conj(y + ...) seen through the impedance.
    let seen = c(1.0, 0.0) / (z + c(1.0, 0.0) / y);
    assert_close(solution.sources[0].power, seen.conj() * LOW * LOW, RATING);
}

#[test]
fn an_earth_fault_current_is_limited_by_the_neutral_impedance() {
    let mut f = feeder();
    let first = bus(&mut f, "first", &["1", "2", "3"]);
    let second = bus(&mut f, "second", &["1", "2", "3", "n"]);
    source(&mut f, &first, HIGH / 3f64.sqrt(), &THREE);
    let primary = winding(&first, Connection::Delta, HIGH, 1.0);
    let mut secondary = winding(&second, Connection::Wye, LOW, 1.0);
    let grounding = c(3.0, 0.5);
    secondary.neutral_ohm = Some([grounding.re, grounding.im]);
    f.transformers.push(transformer([primary, secondary], 3));
    let fault = c(0.2, 0.0);
    load(
        &mut f,
        vec![branch(
            [Some(second[0]), None],
            c(1.0, 0.0) / fault,
            1.0,
            LoadLaw::Impedance,
        )],
    );
    let solution = solved(&f);
    let z = c(1.2, 4.0) / 100.0 * LOW * LOW / RATING;
    let current = polar(LOW / 3f64.sqrt(), -30.0) / (z + fault + grounding);
    assert_close(solution.loads[0][0], current, 10.0);
    assert_close(solution.voltages[second[3]], -current * grounding, LOW);
    // The current comes back through the neutral.
    assert_close(solution.transformers[0][1][0], -current, 10.0);
}

#[test]
fn a_single_phase_transformer_between_two_phases() {
    let mut f = feeder();
    let first = bus(&mut f, "first", &["1", "2", "3"]);
    let second = bus(&mut f, "second", &["1", "0"]);
    source(&mut f, &first, HIGH / 3f64.sqrt(), &THREE);
    let windings = [
        winding(&first[1..], Connection::Delta, HIGH, 1.0),
        winding(&second, Connection::Wye, 240.0, 1.0),
    ];
    f.transformers.push(transformer(windings, 1));
    let y = c(3.0, -1.0);
    load(
        &mut f,
        vec![branch([Some(second[0]), None], y.conj(), 1.0, LoadLaw::Impedance)],
    );
    let z = c(1.2, 4.0) / 100.0 * 240.0 * 240.0 / RATING;
    let open = (polar(1.0, -120.0) - polar(1.0, 120.0)) / 3f64.sqrt() * 240.0;
    assert_close(solved(&f).voltages[second[0]], open / (c(1.0, 0.0) + z * y), 240.0);
}

#[test]
fn two_of_three_phases_keep_their_voltages() {
    // Open wye to open delta: two single-phase units, whose voltages determine the third.
    let mut f = feeder();
    let first = bus(&mut f, "first", &["1", "2", "3", "0"]);
    let second = bus(&mut f, "second", &["1", "2", "3"]);
    source(&mut f, &first[..3], HIGH / 3f64.sqrt(), &THREE);
    for k in 0..2 {
        let windings = [
            winding(&[first[k], first[3]], Connection::Wye, HIGH / 3f64.sqrt(), 1.0),
            winding(&[second[k], second[k + 1]], Connection::Delta, LOW, 1.0),
        ];
        let mut t = transformer(windings, 1);
        t.antifloat_ppm = 1.0;
        f.transformers.push(t);
    }
    let u = solved(&f).voltages;
    let between = |a: usize, b: usize| u[second[a]] - u[second[b]];
    for (own, degrees) in [(between(0, 1), 0.0), (between(1, 2), -120.0), (between(2, 0), 120.0)] {
        assert!(size(own - polar(LOW, degrees)) / LOW < 1e-7, "{own}");
    }
}

#[test]
fn what_nothing_grounds_is_refused_by_name() {
    use Connection::{Delta, Wye};
    for connections in [[Wye, Delta], [Delta, Delta]] {
        let (mut f, _) = balanced(connections, [HIGH, LOW], [1.0, 1.0], false, c(1.0, 0.0));
        f.transformers[0].antifloat_ppm = 0.0;
        let error = try_solve(&f).map(|_| ()).expect_err("floats");
        assert_eq!(error.code, "PHYSICS.UNGROUNDED");
        let details = error.details.expect("details");
        assert_eq!(details["element"], "bus.second");
        assert_eq!(
            details["terminals"],
            serde_json::json!(["second.1", "second.2", "second.3"])
        );
    }
    // Both neutrals open: rows have nonzero sums in each phase, and still nothing holds the neutrals.
    let (mut f, _) = balanced([Wye, Wye], [HIGH, LOW], [1.0, 1.0], false, C::default());
    f.nodes.iter_mut().for_each(|node| node.is_grounded = false);
    f.loads.clear();
    assert_eq!(
        try_solve(&f).map(|_| ()).expect_err("floats").code,
        "PHYSICS.UNGROUNDED"
    );
}
