//! AC power flow in closed form: two buses, transformers, limits, islands, slack.

use crate::common::{bus, generator, link, network, quadratic, BASE};
use num_complex::Complex64;
use wattbook_network::analysis::{AnalysisNetwork, Branch, Bus, Generator, Link};
use wattbook_solve::ac::{AcCertificate, AcData, AcModel, AcOptions, AcSolution, SlackRule, Start};
use wattbook_solve::LinkPower;

pub(crate) const R: f64 = 0.02;

pub(crate) const X: f64 = 0.1;

pub(crate) fn load(id: u64, p_mw: f64, q_mvar: f64) -> Bus {
    Bus {
        demand_q_pu: q_mvar / BASE,
        constant_current_pu: [0.0; 2],
        constant_impedance_pu: [0.0; 2],
        ..bus(id, p_mw)
    }
}

pub(crate) fn held(id: u64, p_mw: f64, q_mvar: f64) -> Bus {
    Bus {
        is_pv: true,
        ..load(id, p_mw, q_mvar)
    }
}

pub(crate) fn line(id: u64, from: usize, to: usize) -> Branch {
    Branch {
        r_pu: R,
        x_pu: X,
        ..crate::common::line(id, from, to, 250.0)
    }
}

pub(crate) fn unit(id: u64, bus: usize, p_mw: f64, set_point: f64, (qmin, qmax): (f64, f64)) -> Generator {
    Generator {
        pg_pu: p_mw / BASE,
        has_cost: true,
        energy_source: Default::default(),
        vset_pu: set_point,
        regulates_voltage: true,
        regulated_bus: None,
        qmin_pu: qmin / BASE,
        qmax_pu: qmax / BASE,
        ..generator(id, bus, (0.0, 100.0), quadratic(0.0, 0.0))
    }
}

pub(crate) const WIDE: (f64, f64) = (-1e3, 1e3);

pub(crate) fn try_solve(network: &AnalysisNetwork, options: AcOptions) -> wattbook_network::Result<AcSolution> {
    AcModel::new(network)?.solve(&AcData::base(network), options)
}

#[track_caller]
pub(crate) fn solve_with(network: &AnalysisNetwork, options: AcOptions) -> AcSolution {
    let solution = try_solve(network, options).expect("a power flow");
    let certificate = AcCertificate::new(network, &solution);
    assert!(certificate.holds(), "{certificate:?}");
    solution
}

#[track_caller]
pub(crate) fn solve(network: &AnalysisNetwork) -> AcSolution {
    solve_with(network, AcOptions::default())
}

#[track_caller]
pub(crate) fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got} against {want}");
}

/// Magnitude and angle at the end of a line that draws `p + jq` there, from the biquadratic of its voltage.
pub(crate) fn far_end(v: f64, r: f64, x: f64, p: f64, q: f64) -> (f64, f64) {
    let half = 0.5 * v * v - (r * p + x * q);
    let square = half + (half * half - (r * r + x * x) * (p * p + q * q)).sqrt();
    (square.sqrt(), -((x * p - r * q) / (square + r * p + x * q)).atan())
}

fn two_bus(p_mw: f64, q_mvar: f64) -> AnalysisNetwork {
    network(
        vec![bus(1, 0.0), load(2, p_mw, q_mvar)],
        vec![line(1, 0, 1)],
        vec![unit(1, 0, 0.0, 1.05, WIDE)],
    )
}

#[test]
fn a_load_at_the_end_of_a_line() {
    for (p, q) in [(80.0, 30.0), (-60.0, 10.0), (120.0, -40.0)] {
        let s = solve(&two_bus(p, q));
        let (p, q) = (p / BASE, q / BASE);
        let (v, angle) = far_end(1.05, R, X, p, q);
        close(s.magnitude[1], v, 1e-9);
        close(s.angle[1], angle, 1e-9);
        let current = (p * p + q * q) / (v * v);
        close(s.losses, R * current, 1e-8);
        close(s.output[0], p + R * current, 1e-8);
        close(s.output_q[0], q + X * current, 1e-8);
        close(s.slack[0].added, s.output[0], 0.0);
        close(s.flow_from[0][1], s.output_q[0], 1e-8);
        close(s.flow_to[0][0], -p, 1e-8);
    }
}

/// A ratio and a shift at the from end are a line fed with `V / tap` turned back by the shift.
#[test]
fn a_phase_shifting_transformer() {
    let mut network = two_bus(80.0, 30.0);
    (network.branches[0].tap, network.branches[0].shift_rad) = (0.95, 0.2);
    let s = solve(&network);
    let (v, angle) = far_end(1.05 / 0.95, R, X, 0.8, 0.3);
    close(s.magnitude[1], v, 1e-9);
    close(s.angle[1], angle - 0.2, 1e-9);
    // Reversed, the far side of the transformer is held.
    (network.branches[0].from, network.branches[0].to) = (1, 0);
    let s = solve(&network);
    let (v, angle) = far_end(1.05, R, X, 0.8, 0.3);
    close(s.magnitude[1], 0.95 * v, 1e-9);
    close(s.angle[1], angle + 0.2, 1e-9);
}

/// `V2 = V1 / (1 + z (g + j(b + b_line / 2)))` without load.
#[test]
fn charging_and_shunts() {
    let mut network = two_bus(0.0, 0.0);
    (network.branches[0].shunt_from_pu[1], network.branches[0].shunt_to_pu[1]) = (0.3, 0.3);
    (network.buses[1].gs_pu, network.buses[1].bs_pu) = (0.1, -0.2);
    let s = solve(&network);
    let v = Complex64::new(1.05, 0.0) / (1.0 + Complex64::new(R, X) * Complex64::new(0.1, 0.3 - 0.2));
    close(s.magnitude[1], v.norm_sqr().sqrt(), 1e-9);
    close(s.angle[1], v.im.atan2(v.re), 1e-9);
}

/// Shunts of a branch differ by end and have conductances: `V2 = V1 / (1 + z y_to)`, and the from end draws `y_from / tap^2`.
#[test]
fn shunts_of_a_branch_by_end() {
    let mut network = two_bus(0.0, 0.0);
    network.generators[0].vset_pu = 1.0;
    (network.branches[0].r_pu, network.branches[0].x_pu) = (0.0, 0.1);
    (network.branches[0].shunt_from_pu, network.branches[0].shunt_to_pu) = ([0.01, 0.02], [0.03, 0.04]);
    let s = solve(&network);
    // |V2| = 1.0040116, 4.02410 MW: 1 MW at the from end and 3 |V2|^2 at the to end.
    let v = Complex64::new(1.0, 0.0) / (1.0 + Complex64::new(0.0, 0.1) * Complex64::new(0.03, 0.04));
    let far = v.norm_sqr();
    close(s.magnitude[1], far.sqrt(), 1e-9);
    close(s.magnitude[1], 1.004_011_6, 1e-7);
    close(s.output[0], 0.01 + 0.03 * far, 1e-8);
    close(s.output[0] * BASE, 4.024_118, 1e-6);
    close(s.flow_from[0][0], 0.01 + 0.03 * far, 1e-8);
    network.branches[0].tap = 0.95;
    let s = solve(&network);
    close(s.output[0], (0.01 + 0.03 * far) / (0.95 * 0.95), 1e-8);
    close(s.losses, s.output[0], 1e-9);
}

/// Constant impedance is a shunt, constant current a demand that is proportional to the voltage.
#[test]
fn demand_that_depends_on_the_voltage() {
    let mut network = two_bus(80.0, 30.0);
    let s = solve(&network);
    let power = s.magnitude[1];
    (
        network.buses[1].constant_impedance_pu,
        network.buses[1].constant_current_pu,
    ) = ([0.8, 0.3], [0.0; 2]);
    let s = solve(&network);
    let v = Complex64::new(1.05, 0.0) / (1.0 + Complex64::new(R, X) * Complex64::new(0.8, -0.3));
    close(s.magnitude[1], v.norm_sqr().sqrt(), 1e-9);
    close(s.angle[1], v.im.atan2(v.re), 1e-9);
    close(s.injection[1], -0.8 * v.norm_sqr(), 1e-8);
    (
        network.buses[1].constant_impedance_pu,
        network.buses[1].constant_current_pu,
    ) = ([0.0; 2], [0.8, 0.3]);
    let s = solve(&network);
    // The power drawn at the solved voltage gives the same voltage as constant power.
    let v = s.magnitude[1];
    let (magnitude, angle) = far_end(1.05, R, X, 0.8 * v, 0.3 * v);
    close(v, magnitude, 1e-9);
    close(s.angle[1], angle, 1e-9);
    // Above 1 pu it draws more than constant power.
    assert!(1.0 < v && v < power);
    close(s.injection[1], -0.8 * v, 1e-9);
    close(s.injection_q[1], -0.3 * v, 1e-9);
    // One part each, and 10 MW more of constant power.
    (
        network.buses[1].constant_impedance_pu,
        network.buses[1].constant_current_pu,
    ) = ([0.2, 0.1], [0.3, 0.0]);
    network.buses[1].demand_pu += 0.1;
    let s = solve(&network);
    let v = s.magnitude[1];
    let drawn = (0.4 + 0.3 * v + 0.2 * v * v, 0.2 + 0.1 * v * v);
    close(v, far_end(1.05, R, X, drawn.0, drawn.1).0, 1e-9);
}

/// A unit controls the voltage at the end of its line, at a bus with demand: its own voltage follows from the current
/// there.
#[test]
fn a_unit_holds_the_voltage_of_another_bus() {
    let network = |reactive_limit: f64| {
        let mut net = network(
            vec![bus(1, 0.0), held(2, 0.0, 0.0), load(3, 80.0, 30.0), held(4, 0.0, 0.0)],
            vec![line(1, 0, 1), line(2, 1, 2), line(3, 3, 2)],
            vec![
                unit(1, 0, 0.0, 1.02, WIDE),
                unit(2, 1, 40.0, 1.01, (-1e3, reactive_limit)),
                unit(3, 3, 40.0, 1.01, WIDE),
            ],
        );
        net.generators[1].regulated_bus = Some(2);
        net.generators[2].in_service = false;
        net
    };
    let only = network(1e3);
    let s = solve(&only);
    close(s.magnitude[2], 1.01, 1e-9);
    // Bus 3 takes 0.8 + 0.3j at 1.01 pu over z.
    let current = (Complex64::new(0.8, 0.3) / 1.01).conj();
    let behind = Complex64::new(1.01, 0.0) + Complex64::new(R, X) * current;
    close(s.magnitude[1], behind.norm_sqr().sqrt(), 1e-8);
    // Two units share the reactive power in equal parts.
    let mut shared = network(1e3);
    shared.generators[2].in_service = true;
    shared.generators[2].regulated_bus = Some(2);
    let s = solve(&shared);
    close(s.magnitude[2], 1.01, 1e-9);
    close(s.output_q[1], s.output_q[2], 1e-7);
    // The bus's own unit shares as well.
    shared.buses[2].is_pv = true;
    shared.generators[2].bus = 2;
    shared.generators[2].regulated_bus = None;
    let s = solve(&shared);
    close(s.magnitude[2], 1.01, 1e-9);
    close(s.output_q[1], s.output_q[2], 1e-7);
    // At its limit it supplies that limit, and the voltage falls below the set-point.
    let options = AcOptions {
        reactive_limits: true,
        ..AcOptions::default()
    };
    let s = solve_with(&network(20.0), options);
    close(s.output_q[1], 0.2, 1e-9);
    assert!(
        s.magnitude[2] < 1.01 && s.limited.iter().any(|(bus, _)| *bus == 1),
        "{:?}",
        s.limited
    );
    // A regulated bus in another island is ignored.
    let mut apart = network(1e3);
    apart.branches[1].in_service = false;
    apart.branches[2].in_service = false;
    apart.buses[2] = load(3, 0.0, 0.0);
    let s = solve(&apart);
    close(s.magnitude[1], 1.01, 0.0);
}

/// Without resistance `P = V1 V2 sin(angle) / x` and `Q = (V2^2 - V1 V2 cos(angle)) / x`.
#[test]
fn a_generator_that_holds_its_voltage() {
    let mut network = network(
        vec![bus(1, 0.0), held(2, 20.0, 30.0)],
        vec![line(1, 0, 1)],
        vec![unit(1, 0, 0.0, 1.05, WIDE), unit(2, 1, 70.0, 0.98, WIDE)],
    );
    network.branches[0].r_pu = 0.0;
    network.buses[0].va_rad = 0.4;
    let s = solve(&network);
    let angle = (0.5 * X / (1.05 * 0.98)).asin();
    close(s.magnitude[1], 0.98, 0.0);
    close(s.angle[0], 0.4, 0.0);
    close(s.angle[1] - 0.4, angle, 1e-9);
    close(s.output_q[1], 0.3 + (0.98 * 0.98 - 1.05 * 0.98 * angle.cos()) / X, 1e-7);
    close(s.output[0], -0.5, 1e-8);
    // A bus of type 1 does not hold its voltage, whatever its generator's set-point is.
    network.buses[1].is_pv = false;
    network.generators[1].qg_pu = 0.25;
    let s = solve(&network);
    let (v, turn) = far_end(1.05, 0.0, X, -0.5, 0.05);
    close(s.magnitude[1], v, 1e-9);
    close(s.angle[1] - 0.4, turn, 1e-9);
    assert_eq!(s.output_q[1], 0.25);
}

/// Two islands: a joint solution equals the separate ones.
#[test]
fn islands_do_not_meet() {
    let mut both = two_bus(80.0, 30.0);
    let mut other = load(3, 0.0, 0.0);
    other.is_pv = true;
    both.buses.extend([other, load(4, 40.0, 10.0)]);
    both.branches.push(line(2, 2, 3));
    both.generators.push(unit(2, 2, 10.0, 1.02, WIDE));
    // An empty bus is inactive.
    both.buses.push(bus(5, 0.0));
    both.generators.push(Generator {
        in_service: false,
        ..unit(3, 3, 50.0, 1.0, WIDE)
    });
    for slack in [SlackRule::Single, SlackRule::Distributed] {
        let s = solve_with(
            &both,
            AcOptions {
                slack,
                ..AcOptions::default()
            },
        );
        let (v, _) = far_end(1.05, R, X, 0.8, 0.3);
        close(s.magnitude[1], v, 1e-9);
        let (v, angle) = far_end(1.02, R, X, 0.4, 0.1);
        close(s.magnitude[3], v, 1e-9);
        close(s.angle[3], angle, 1e-9);
        assert_eq!(s.slack.iter().map(|s| s.bus).collect::<Vec<_>>(), [0, 2]);
        close(s.slack[1].added, s.output[1] - 0.1, 1e-12);
        assert_eq!((s.magnitude[4], s.output[2]), (0.0, 0.0));
    }
    assert_eq!(AcModel::new(&both).unwrap().left_out().collect::<Vec<_>>(), [4]);

    both.buses[4].demand_pu = 0.125;
    let error = try_solve(&both, AcOptions::default()).unwrap_err();
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    assert!(
        error.message().contains("bus 5") && error.message().contains("12.5 MW"),
        "{}",
        error.message()
    );
    both.buses[4].demand_pu = 0.0;
    both.generators[2] = unit(3, 4, 7.0, 1.0, WIDE);
    let error = try_solve(&both, AcOptions::default()).unwrap_err();
    assert!(
        error.message().contains("generator 3 injects 7.0 MW"),
        "{}",
        error.message()
    );
}

pub(crate) fn ring() -> AnalysisNetwork {
    network(
        vec![bus(1, 0.0), held(2, 90.0, 20.0), held(3, 10.0, 5.0)],
        vec![line(1, 0, 1), line(2, 1, 2), line(3, 0, 2)],
        vec![
            unit(1, 0, 20.0, 1.02, WIDE),
            unit(2, 1, 10.0, 1.0, WIDE),
            Generator {
                pmax_pu: 3.0,
                ..unit(3, 2, 30.0, 1.01, WIDE)
            },
        ],
    )
}

/// A branch without impedance carries the power drawn by the bus behind it, charging included; its buses have one
/// voltage.
#[test]
fn branches_without_impedance() {
    let mut network = two_bus(50.0, 20.0);
    network.buses.push(load(3, 30.0, 10.0));
    let tie = Branch {
        r_pu: 0.0,
        x_pu: 0.0,
        shunt_from_pu: [0.0, 0.05],
        shunt_to_pu: [0.0, 0.05],
        ..line(2, 1, 2)
    };
    network.branches.push(tie.clone());
    let s = solve(&network);
    close(s.magnitude[1], s.magnitude[2], 0.0);
    let square = s.magnitude[1] * s.magnitude[1];
    close(s.flow_from[1][0], 0.3, 1e-12);
    close(s.flow_from[1][1], 0.1 - 0.1 * square, 1e-12);
    close(s.flow_to[1][1], -0.1, 1e-12);
    let (v, angle) = far_end(1.05, R, X, 0.8, 0.3 - 0.1 * square);
    close(s.magnitude[1], v, 1e-9);
    close(s.angle[1], angle, 1e-9);
    // Two of them share it.
    network.branches.push(Branch {
        id: 3,
        shunt_from_pu: [0.0, 0.0],
        shunt_to_pu: [0.0, 0.0],
        ..tie.clone()
    });
    let s = solve(&network);
    close(s.flow_from[1][0], 0.15, 1e-12);
    close(s.flow_from[2][0], 0.15, 1e-12);

    network.branches[1].tap = 0.98;
    let error = AcModel::new(&network).unwrap_err();
    assert_eq!(
        (error.code, error.element.map(|e| e.id)),
        ("PHYSICS.UNSUPPORTED", Some(2))
    );
}

/// The voltage of a load with constant power factor collapses at `V^2 / (2 (r p + x q + |z| |s|))` times the load.
#[test]
fn what_does_not_solve_says_how_far_it_went() {
    let (p, q) = (6.0, 3.0);
    let limit = 1.05 * 1.05 / (2.0 * (R * p + X * q + (R * R + X * X).sqrt() * (p * p + q * q).sqrt()));
    assert!(limit < 0.6);
    let error = try_solve(&two_bus(600.0, 300.0), AcOptions::default()).unwrap_err();
    assert_eq!(
        (error.code, error.element.as_ref().map(|e| e.id)),
        ("SOLVE.NOT_CONVERGED", Some(2))
    );
    assert!(error.message().contains("collapse at bus 2"), "{}", error.message());
    let details = error.details.expect("details");
    let loading = details["loading"].as_f64().expect("a loading");
    assert!(loading <= limit && loading > limit - 2e-3, "{loading} against {limit}");
    assert_eq!(details["mismatch"][0]["bus"], 2);
    // Slightly below it solves.
    let s = solve(&two_bus(600.0 * 0.999 * limit, 300.0 * 0.999 * limit));
    close(
        s.magnitude[1],
        far_end(1.05, R, X, 6.0 * 0.999 * limit, 3.0 * 0.999 * limit).0,
        1e-6,
    );
}

/// Stored voltages are used where they are nearly a solution.
#[test]
fn stored_voltages_are_a_start() {
    let mut network = two_bus(80.0, 30.0);
    let first = solve(&network);
    assert_eq!(first.start, Start::Stored);
    for (bus, row) in network.buses.iter_mut().enumerate() {
        (row.vm_pu, row.va_rad) = (first.magnitude[bus], first.angle[bus]);
    }
    assert_eq!(solve(&network).steps, 0);
    network.buses[1].va_rad = 2.0;
    let far = solve(&network);
    assert_eq!(far.start, Start::Harmonic);
    close(far.angle[1], first.angle[1], 1e-9);
    // Values that are not finite cannot be a start.
    (network.buses[1].vm_pu, network.buses[1].va_rad) = (f64::NAN, f64::INFINITY);
    close(solve(&network).magnitude[1], first.magnitude[1], 1e-9);
}

#[test]
fn the_certificate_sees_what_is_wrong() {
    let network = ring();
    let good = solve(&network);
    let wrong = |change: &dyn Fn(&mut AcSolution)| {
        let mut s = good.clone();
        change(&mut s);
        let certificate = AcCertificate::new(&network, &s);
        assert!(!certificate.holds(), "{certificate:?}");
        certificate
    };
    assert!(wrong(&|s| s.magnitude[1] += 1e-5).set_point_error_pu > 9e-6);
    assert!(wrong(&|s| s.angle[2] += 1e-5).flow_error_mva > 1e-3);
    assert!(wrong(&|s| s.flow_to[1][0] += 1e-4).mismatch_mw > 9e-3);
    assert_eq!(wrong(&|s| s.output[1] += 1e-3).worst_bus, Some(1));
    assert!(wrong(&|s| s.output[1] = f64::NAN).mismatch_mw.is_nan());
    assert!(wrong(&|s| s.data.output[1] += 1e-3).schedule_error_mw > 0.09);
}

/// The converter at bus 2 draws 40 MW and holds 1 pu; the one at bus 3 delivers 37 MW.
#[test]
fn the_certificate_includes_the_converters_of_links() {
    let second = Bus {
        is_reference: true,
        ..bus(3, 0.0)
    };
    let mut net = network(
        vec![bus(1, 0.0), load(2, 0.0, 0.0), second],
        vec![line(1, 0, 1)],
        vec![unit(1, 0, 0.0, 1.0, WIDE), unit(2, 2, 0.0, 1.0, WIDE)],
    );
    net.links = vec![Link {
        pf_pu: 0.4,
        loss0_pu: 0.01,
        ..link(1, 1, 2, (0.0, 100.0), 0.05)
    }];
    let model = AcModel::new(&net).unwrap();
    let s = model.solve(&AcData::base(&net), AcOptions::default()).unwrap();
    assert!(AcCertificate::new(&net, &s).holds());
    assert!(
        (s.output[1] + 0.37).abs() < 1e-9,
        "the unit at bus 3 takes what arrives"
    );
    // 1 pu at both ends: half of the reactive losses from each, with |V_1 - V_2| = 2 sin(angle / 2).
    let angle = s.angle[0] - s.angle[1];
    let current = 2.0 * (angle / 2.0).sin() / (R * R + X * X).sqrt();
    let powers = LinkPower::of_outputs(&net, &s.output, &s.output_q)[0];
    assert!((powers.reactive[0] + s.output_q[0] - X * current * current).abs() < 1e-9);
    for (end, by) in [(2, 0.01), (3, 0.01)] {
        let mut wrong = s.clone();
        wrong.output[end] += by;
        assert!(!AcCertificate::new(&net, &wrong).holds());
    }
}
