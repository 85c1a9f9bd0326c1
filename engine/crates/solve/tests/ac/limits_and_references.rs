//! Reactive limits, shared slack and references on networks solved by hand.

use crate::closed_forms::{close, far_end, held, line, ring, solve, solve_with, try_solve, unit, R, WIDE, X};
use crate::common::{bus, network, BASE};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::ac::{AcCertificate, AcOptions, Limited, ReactiveLimits, SlackRule};

fn limited(limits: (f64, f64), set_point: f64) -> AnalysisNetwork {
    network(
        vec![bus(1, 0.0), held(2, 80.0, 30.0)],
        vec![line(1, 0, 1)],
        vec![unit(1, 0, 0.0, 1.05, (0.0, 0.0)), unit(2, 1, 10.0, set_point, limits)],
    )
}

const KEEP: AcOptions = AcOptions {
    slack: SlackRule::Single,
    reactive_limits: true,
    only_stored_start: false,
};

#[test]
fn reactive_limits_hold_and_are_reported() {
    for (limits, set_point, side, q) in [
        ((-50.0, 10.0), 1.04, Limited::AtMax, 0.1),
        ((-5.0, 50.0), 0.95, Limited::AtMin, -0.05),
    ] {
        let network = limited(limits, set_point);
        let s = solve_with(&network, KEEP);
        assert_eq!(s.reactive_limits, ReactiveLimits::Kept { rounds: 1 });
        assert_eq!(s.limited, [(1, side)]);
        let (v, angle) = far_end(1.05, R, X, 0.7, 0.3 - q);
        close(s.magnitude[1], v, 1e-9);
        close(s.angle[1], angle, 1e-9);
        assert_eq!(s.output_q[1], q);
        // A reference controls its voltage in any case; the excess over its limits is reported.
        assert_eq!(s.reactive_violations.len(), 1);
        assert_eq!(s.reactive_violations[0].0, 0);
        close(s.reactive_violations[0].1, s.output_q[0], 0.0);
        let free = solve(&network);
        close(free.magnitude[1], set_point, 0.0);
        assert_eq!(free.reactive_limits, ReactiveLimits::Ignored);
        assert_eq!(free.reactive_violations.len(), 2);
        assert_eq!(free.reactive_violations[1].1 > 0.0, side == Limited::AtMax);
    }
    // Within its limits nothing changes.
    let s = solve_with(&limited((-90.0, 90.0), 1.0), KEEP);
    assert_eq!(
        (s.limited.len(), s.reactive_limits),
        (0, ReactiveLimits::Kept { rounds: 0 })
    );
}

/// Two buses that hold voltages far apart over a short line drive both units to their limits at once; with the upper
/// one limited, the other has no power left to absorb and must hold its voltage again.
#[test]
fn a_limited_bus_holds_its_voltage_again() {
    let mut network = network(
        vec![bus(1, 0.0), held(2, 30.0, 0.0), held(3, 30.0, 0.0)],
        vec![line(1, 0, 1), line(2, 1, 2)],
        vec![
            unit(1, 0, 0.0, 1.0, WIDE),
            unit(2, 1, 0.0, 1.08, (-20.0, 20.0)),
            unit(3, 2, 0.0, 1.0, (-20.0, 20.0)),
        ],
    );
    network.branches[1].x_pu = 0.02;
    let s = solve_with(&network, KEEP);
    assert!(
        matches!(s.reactive_limits, ReactiveLimits::Kept { rounds } if rounds >= 2),
        "{:?}",
        s.reactive_limits
    );
    assert_eq!(s.limited, [(1, Limited::AtMax)]);
    close(s.magnitude[2], 1.0, 0.0);
    assert!(s.magnitude[1] < 1.08 && s.output_q[2].abs() < 0.2);
}

/// Units at one bus share its reactive power by their ranges; the set-point of the last counts.
#[test]
fn several_units_at_a_bus() {
    let mut network = network(
        vec![bus(1, 0.0), held(2, 80.0, 30.0)],
        vec![line(1, 0, 1)],
        vec![
            unit(1, 0, 0.0, 1.05, WIDE),
            unit(2, 1, 10.0, 0.9, (-10.0, 20.0)),
            unit(3, 1, 10.0, 1.04, (0.0, 60.0)),
        ],
    );
    let s = solve(&network);
    close(s.magnitude[1], 1.04, 0.0);
    let sum = s.output_q[1] + s.output_q[2];
    close(s.output_q[1], -0.1 + (sum + 0.1) / 3.0, 1e-12);
    // Without ranges they share the excess equally, and so with infinite limits.
    for limits in [(5.0, 5.0), (f64::NEG_INFINITY, f64::INFINITY)] {
        for g in &mut network.generators[1..] {
            (g.qmin_pu, g.qmax_pu) = (limits.0 / BASE, limits.1 / BASE);
        }
        let s = solve(&network);
        close(s.output_q[1], 0.5 * sum, 1e-9);
        close(s.output_q[2], 0.5 * sum, 1e-9);
    }
    network.generators[2].vset_pu = 0.0;
    let error = try_solve(&network, AcOptions::default()).unwrap_err();
    assert_eq!(error.code, "INPUT.VOLTAGE_SET_POINT");
    assert!(error.message().contains("Generator 3 at bus 2"), "{}", error.message());
}

#[test]
fn distributed_slack_is_shared_by_capacity() {
    let network = ring();
    let s = solve_with(
        &network,
        AcOptions {
            slack: SlackRule::Distributed,
            ..AcOptions::default()
        },
    );
    let added = s.slack[0].added;
    close(added, 1.0 + s.losses - 0.6, 1e-9);
    for (row, share) in [0.2, 0.2, 0.6].into_iter().enumerate() {
        close(s.output[row], s.data.output[row] + share * added, 1e-12);
    }
    // The same voltages with these outputs scheduled and one reference that has nothing to balance.
    let mut scheduled = network.clone();
    for (g, p) in scheduled.generators.iter_mut().zip(&s.output) {
        g.pg_pu = *p;
    }
    let alone = solve(&scheduled);
    close(alone.slack[0].added, 0.0, 1e-7);
    for bus in 0..3 {
        close(alone.angle[bus], s.angle[bus], 1e-8);
    }
}

/// Two references hold their angles and supply the power that this requires.
#[test]
fn several_references() {
    let mut network = ring();
    network.buses[2].is_reference = true;
    network.buses[2].va_rad = 0.02;
    let s = solve(&network);
    assert_eq!((s.angle[0], s.angle[2]), (0.0, 0.02));
    assert_eq!(s.slack.iter().map(|s| s.bus).collect::<Vec<_>>(), [0, 2]);
    close(s.output[1], 0.1, 0.0);
    close(s.slack[0].added + s.slack[1].added, 1.0 + s.losses - 0.6, 1e-8);
}

/// Without a reference the first voltage-controlled bus becomes one; a reference without a generator is ignored.
#[test]
fn a_network_without_reference() {
    let mut network = ring();
    network.generators[0].in_service = false;
    let s = solve(&network);
    assert_eq!((s.slack[0].bus, s.angle[1]), (1, 0.0));
}

/// Chains of four units without a range of reactive power, each at a bus with a demand and a set-point of its own: units that cannot
/// hold their voltage with it give exactly that power, as in the same chain whose buses are of type 1.
#[test]
fn units_without_a_range_give_their_reactive_power() {
    let mut state = 1u64;
    let mut random = move |from: f64, to: f64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        from + (to - from) * ((state >> 40) as f64 / (1u64 << 24) as f64)
    };
    let mut solved = 0;
    for _ in 0..2000 {
        let (mut buses, mut branches, mut units) = (vec![bus(1, 0.0)], Vec::new(), vec![unit(1, 0, 0.0, 1.0, WIDE)]);
        for row in 1..=4 {
            let id = row as u64 + 1;
            let q = random(-50.0, 50.0);
            buses.push(held(id, random(0.0, 40.0), random(-40.0, 40.0)));
            units.push(unit(id, row, 10.0, random(0.95, 1.07), (q, q)));
            branches.push(line(id - 1, row - 1, row));
            branches[row - 1].x_pu = random(0.01, 0.11);
        }
        let held = network(buses, branches, units);
        let mut free = held.clone();
        for (b, g) in free.buses.iter_mut().zip(&mut free.generators).skip(1) {
            (b.is_pv, g.qg_pu) = (false, g.qmin_pu);
        }
        let solutions = (try_solve(&free, AcOptions::default()), try_solve(&held, KEEP));
        let (Ok(want), Ok(s)) = solutions else {
            continue;
        };
        solved += 1;
        assert!(matches!(s.reactive_limits, ReactiveLimits::Kept { .. }), "{held:?}");
        assert_eq!(s.limited.iter().map(|(bus, _)| *bus).collect::<Vec<_>>(), [1, 2, 3, 4]);
        for bus in 0..5 {
            close(s.magnitude[bus], want.magnitude[bus], 1e-7);
            close(s.output_q[bus], want.output_q[bus], 1e-6);
        }
        assert!(AcCertificate::new(&held, &s).holds());
    }
    assert!(solved > 1800, "{solved}");
}

/// A switch joins the reference, bus 2, with bus 1, whose unit is scheduled at 10 MW: the reference's unit supplies the
/// rest, in any order of the rows.
#[test]
fn a_scheduled_unit_beside_a_reference_keeps_its_schedule() {
    for swaps in [false, true] {
        let (mut first, mut second) = (unit(1, 0, 10.0, 1.0, WIDE), unit(2, 1, 0.0, 1.0, WIDE));
        if swaps {
            std::mem::swap(&mut first, &mut second);
        }
        let mut buses = vec![held(1, 0.0, 0.0), bus(2, 0.0), bus(3, 50.0)];
        (buses[0].is_reference, buses[1].is_reference) = (false, true);
        let mut switch = line(1, 0, 1);
        (switch.r_pu, switch.x_pu) = (0.0, 0.0);
        let case = network(buses, vec![switch, line(2, 1, 2)], vec![first, second]);
        let s = solve(&case);
        let output = |bus: usize| {
            let row = case.generators.iter().position(|g| g.bus == bus).expect("a unit");
            s.output[row]
        };
        assert_eq!(output(0), 0.1);
        close(output(1), 0.4 + s.losses, 1e-9);
        assert_eq!(s.slack[0].bus, 1);
        assert!(AcCertificate::new(&case, &s).holds());
    }
}

/// Shares of capacity in the limit of units without one: they supply all that is missing, in equal parts.
#[test]
fn units_without_a_limit_take_the_slack() {
    let rule = AcOptions {
        slack: SlackRule::Distributed,
        ..AcOptions::default()
    };
    let mut case = ring();
    let added = |s: &wattbook_solve::ac::AcSolution| -> Vec<f64> {
        s.output
            .iter()
            .zip(&s.data.output)
            .map(|(to, from)| to - from)
            .collect()
    };
    for large in [1e9, f64::INFINITY] {
        (case.generators[0].pmax_pu, case.generators[2].pmax_pu) = (large, large);
        let s = solve_with(&case, rule);
        let given = added(&s);
        close(given[0], 0.5 * s.slack[0].added, 1e-8);
        close(given[2], 0.5 * s.slack[0].added, 1e-8);
        assert!(given[1].abs() < 1e-8 && s.slack[0].added > 0.1);
    }
}
