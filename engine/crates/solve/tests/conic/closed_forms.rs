//! The conic relaxation where its optimum has a closed form: two buses, on which it is exact.

use crate::common::{bus, generator, link, network, quadratic, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Branch, Bus, Generator, Link};
use wattbook_solve::conic::{ConicCertificate, ConicClaim, ConicData, ConicModel, ConicOutcome, ConicSolution, Cuts};
use wattbook_solve::LinkPower;

const R: f64 = 0.02;

const X: f64 = 0.1;

const COST: f64 = 20.0;

const TOP: f64 = 1.1 * 1.1;

fn load(id: u64, p_mw: f64, q_mvar: f64) -> Bus {
    Bus {
        demand_q_pu: q_mvar / BASE,
        constant_current_pu: [0.0; 2],
        constant_impedance_pu: [0.0; 2],
        ..bus(id, p_mw)
    }
}

fn line(id: u64, from: usize, to: usize) -> Branch {
    Branch {
        r_pu: R,
        x_pu: X,
        ..crate::common::line(id, from, to, 500.0)
    }
}

/// Wide reactive limits.
fn unit(id: u64, bus: usize, cost: f64) -> Generator {
    Generator {
        qmin_pu: -5.0,
        qmax_pu: 5.0,
        ..generator(id, bus, (0.0, 500.0), quadratic(0.0, cost))
    }
}

fn fed(p_mw: f64, q_mvar: f64) -> AnalysisNetwork {
    network(
        vec![bus(1, 0.0), load(2, p_mw, q_mvar)],
        vec![line(1, 0, 1)],
        vec![unit(1, 0, COST)],
    )
}

#[track_caller]
fn solve(network: &AnalysisNetwork) -> ConicSolution {
    let mut found = None;
    for cuts in [Cuts::None, Cuts::Lifted] {
        let model = ConicModel::new(network, cuts).expect("a model");
        let solution = model.optimum(&ConicData::base(network), None).expect("an optimum");
        let certificate = ConicCertificate::new(network, cuts, &solution);
        assert!(certificate.holds(), "{certificate:?}");
        found = Some(solution);
    }
    found.expect("two solves")
}

#[track_caller]
fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got} against {want}");
}

/// Squared voltage and current at the end of a line that draws `p + jq` there, with the derivatives of the current (branch flow
/// equations of Baran and Wu): `w1 = w2 + 2 (r p + x q) + |z|^2 l`, `l w2 = p^2 + q^2`.
struct FarEnd {
    w: f64,
    l: f64,
    by_p: f64,
    by_q: f64,
}

fn far_end(w1: f64, p: f64, q: f64) -> FarEnd {
    let z = R * R + X * X;
    let half = 0.5 * w1 - (R * p + X * q);
    let w = half + (half * half - z * (p * p + q * q)).sqrt();
    let l = (p * p + q * q) / w;
    let rate = |own: f64, power: f64| {
        let dw = -(2.0 * own + 2.0 * z * power / w) / (1.0 - z * l / w);
        2.0 * power / w - l / w * dw
    };
    FarEnd {
        w,
        l,
        by_p: rate(R, p),
        by_q: rate(X, q),
    }
}

#[test]
fn free_units_make_every_price_zero() {
    for (near, far) in [(0.0, 0.0), (0.0, COST)] {
        let mut case = fed(80.0, 30.0);
        case.generators = vec![unit(1, 0, near), unit(2, 1, far)];
        let s = solve(&case);
        close(s.objective, 0.0, 1e-6);
        for price in s.price.iter().chain(&s.price_q) {
            close(price / BASE, 0.0, 1e-6);
        }
    }
}

#[test]
fn a_load_at_the_end_of_a_line() {
    for (p, q) in [(80.0, 30.0), (120.0, -10.0)] {
        let s = solve(&fed(p, q));
        let end = far_end(TOP, p / BASE, q / BASE);
        // The highest voltage has the least losses.
        close(s.voltage_squared[0], TOP, 1e-7);
        close(s.voltage_squared[1], end.w, 1e-7);
        close(s.dispatch[0], p / BASE + R * end.l, 1e-7);
        close(s.dispatch_q[0], q / BASE + X * end.l, 1e-6);
        close(s.losses, R * end.l, 1e-7);
        close(s.objective, COST * (p + BASE * R * end.l), 1e-4);
        close(s.price[0] / BASE, COST, 1e-4);
        close(s.price[1] / BASE, COST * (1.0 + R * end.by_p), 1e-4);
        close(s.price_q[0] / BASE, 0.0, 1e-4);
        close(s.price_q[1] / BASE, COST * R * end.by_q, 1e-4);
        assert!(s.pairs[0].is_tight() && s.pairs[0].looseness.abs() < 1e-8);
        // The product of voltages: w2 + conj(z) S.
        let [wr, wi] = s.product[0];
        close(wr * wr + wi * wi, TOP * end.w, 1e-6);
        close(wi, X * p / BASE - R * q / BASE, 1e-7);
        let apparent = ((p / BASE).powi(2) + (q / BASE).powi(2)).sqrt();
        close(s.flow_to[0][0], -p / BASE, 1e-7);
        close(s.flow_to[0][1], -q / BASE, 1e-7);
        assert!(s.loading[0] >= apparent / 5.0 - 1e-9);
    }
}

/// A ratio at the from end is a line fed with `V / tap`; a shift turns the product.
#[test]
fn a_phase_shifting_transformer() {
    let mut network = fed(80.0, 30.0);
    (network.branches[0].tap, network.branches[0].shift_rad) = (0.95, 0.2);
    network.buses[0].vmax_pu = 1.0;
    let s = solve(&network);
    let end = far_end(1.0 / (0.95 * 0.95), 0.8, 0.3);
    close(s.voltage_squared[1], end.w, 1e-7);
    close(s.losses, R * end.l, 1e-7);
    let [wr, wi] = s.product[0];
    let behind = (X * 0.8 - R * 0.3) / (end.w + R * 0.8 + X * 0.3);
    close(wi.atan2(wr), 0.2 + behind.atan(), 1e-6);
    // Reversed, the ratio is on the load's side.
    let (from, to) = (network.branches[0].to, network.branches[0].from);
    (network.branches[0].from, network.branches[0].to) = (from, to);
    let s = solve(&network);
    let end = far_end(1.0, 0.8, 0.3);
    close(s.voltage_squared[1], end.w * 0.95 * 0.95, 1e-7);
    close(s.losses, R * end.l, 1e-7);
}

/// Two equal lines in parallel are one of half the impedance, in either direction.
#[test]
fn parallel_lines() {
    let mut network = fed(160.0, 60.0);
    network.branches.push(line(2, 1, 0));
    let s = solve(&network);
    let end = far_end(TOP, 0.8, 0.3);
    close(s.voltage_squared[1], end.w, 1e-7);
    close(s.losses, 2.0 * R * end.l, 1e-7);
    close(s.flow_to[0][0], -0.8, 1e-7);
    close(s.flow_from[1][0], -0.8, 1e-7);
    close(s.product[0][1], -s.product[1][1], 0.0);
    assert_eq!(s.pairs.len(), 1);
}

fn two_units(x: f64) -> AnalysisNetwork {
    let mut network = network(
        vec![bus(1, 0.0), bus(2, 300.0)],
        vec![line(1, 0, 1)],
        vec![unit(1, 0, 10.0), unit(2, 1, 30.0)],
    );
    (network.branches[0].r_pu, network.branches[0].x_pu) = (0.0, x);
    network
}

/// Without resistance a rating of `S` carries `P = S sqrt(1 - (x S / (2 w))^2)`: each end gives half of the reactive power that
/// the line takes, at the highest voltage.
#[test]
fn a_rating_in_mva() {
    let mut network = two_units(X);
    network.branches[0].rating_pu = 1.5;
    let s = solve(&network);
    let half = X * 1.5 / (2.0 * TOP);
    let carried = 1.5 * (1.0 - half * half).sqrt();
    close(s.flow_from[0][0], carried, 1e-6);
    close(s.loading[0], 1.0, 1e-7);
    close(s.price[0] / BASE, 10.0, 1e-4);
    close(s.price[1] / BASE, 30.0, 1e-4);
    let rate = carried / 1.5 - 1.5 * half * half / 1.5 / (1.0 - half * half).sqrt();
    close(s.shadow[0] / BASE, 20.0 * rate, 1e-4);
}

/// `P = w sin(angle) / x` at an angle-difference limit.
#[test]
fn an_angle_difference_limit() {
    let mut network = two_units(X);
    network.branches[0].angle_max_rad = 0.1;
    let s = solve(&network);
    close(s.flow_from[0][0], TOP * 0.1f64.sin() / X, 1e-6);
    close(s.product[0][1] / s.product[0][0], 0.1f64.tan(), 1e-7);
}

/// A branch without impedance makes its ends one node; buses without generators and demand are left out.
#[test]
fn zero_impedances_and_islands() {
    let mut network = fed(80.0, 30.0);
    network.buses.extend([load(3, 10.0, 5.0), bus(4, 0.0), bus(5, 20.0)]);
    network.branches.push(Branch {
        r_pu: 0.0,
        x_pu: 0.0,
        ..line(2, 1, 2)
    });
    network.generators.push(unit(2, 4, 50.0));
    let s = solve(&network);
    let end = far_end(TOP, 0.9, 0.35);
    close(s.voltage_squared[1], end.w, 1e-7);
    close(s.voltage_squared[2], end.w, 1e-7);
    close(s.flow_from[1][0], 0.1, 1e-6);
    close(s.flow_from[1][1], 0.05, 1e-6);
    close(s.price[1], s.price[2], 0.0);
    assert_eq!(s.voltage_squared[3], 0.0);
    close(s.price[4] / BASE, 50.0, 1e-6);
    close(s.dispatch[1], 0.2, 1e-9);
    let model = ConicModel::new(&network, Cuts::Lifted).expect("a model");
    assert_eq!(model.left_out().collect::<Vec<_>>(), [3]);
    assert_eq!(model.islands(), 2);
    // Demand without any generator is refused by name.
    network.generators.pop();
    let error = ConicModel::new(&network, Cuts::Lifted).expect_err("no supply");
    assert_eq!((error.code, error.element.map(|e| e.id)), ("SOLVE.INFEASIBLE", Some(5)));
}

/// Shunts and charging: `S = (g + j(b + b_line/2)) w` of what the far end draws.
#[test]
fn shunts_and_charging() {
    let mut network = fed(50.0, 0.0);
    (network.branches[0].shunt_from_pu[1], network.branches[0].shunt_to_pu[1]) = (0.05, 0.05);
    (network.buses[1].gs_pu, network.buses[1].bs_pu) = (0.05, 0.02);
    (network.buses[0].vmin_pu, network.buses[0].vmax_pu) = (1.0, 1.0);
    let s = solve(&network);
    let w = s.voltage_squared[1];
    let end = far_end(1.0, 0.5 + 0.05 * w, -(0.05 + 0.02) * w);
    close(w, end.w, 1e-7);
    close(s.dispatch[0], 0.5 + 0.05 * w + R * end.l, 1e-7);
    close(s.dispatch_q[0], -0.07 * w + X * end.l - 0.05, 1e-6);
    assert_eq!(s.voltage_squared[0], 1.0);
}

/// Shunts of a branch that differ by end and have conductances count in its flows, which a rating limits.
#[test]
fn shunts_of_a_branch_by_end() {
    let mut network = fed(50.0, 0.0);
    (network.branches[0].shunt_from_pu, network.branches[0].shunt_to_pu) = ([0.02, 0.03], [0.05, 0.07]);
    (network.buses[0].vmin_pu, network.buses[0].vmax_pu) = (1.0, 1.0);
    let s = solve(&network);
    let w = s.voltage_squared[1];
    let end = far_end(1.0, 0.5 + 0.05 * w, -0.07 * w);
    close(w, end.w, 1e-7);
    close(s.dispatch[0], 0.5 + 0.05 * w + R * end.l + 0.02, 1e-7);
    close(s.dispatch_q[0], -0.07 * w + X * end.l - 0.03, 1e-6);
    close(s.flow_from[0][0], s.dispatch[0], 1e-7);
}

/// A rating of zero is a limit that the relaxation refuses by name.
#[test]
fn a_branch_that_admits_no_flow_is_refused() {
    let mut network = fed(50.0, 0.0);
    network.branches[0].rating_pu = 0.0;
    let error = ConicModel::new(&network, Cuts::Lifted).expect_err("no flow");
    assert_eq!(
        (error.code, error.element.map(|e| e.id)),
        ("PHYSICS.UNSUPPORTED", Some(1))
    );
}

/// Beyond the largest power that the line can carry there is a proof, and slightly below it the same data solve.
#[test]
fn what_cannot_be_carried_is_refused_with_a_proof() {
    let mut network = two_units(X);
    network.branches[0].angle_max_rad = 0.1;
    network.generators.pop();
    let most = TOP * 0.1f64.sin() / X;
    network.generators[0].qmin_pu = -5.0;
    network.buses[1].bs_pu = 0.0;
    // Reactive power at the far end, so that its voltage can be held.
    let mut helper = unit(2, 1, 0.0);
    (helper.pmin_pu, helper.pmax_pu) = (0.0, 0.0);
    network.generators.push(helper);
    for (share, feasible) in [(0.999, true), (1.001, false), (2.0, false)] {
        network.buses[1].demand_pu = share * most;
        let model = ConicModel::new(&network, Cuts::Lifted).expect("a model");
        match model.solve(&ConicData::base(&network), None) {
            ConicOutcome::Optimal(_) => assert!(feasible, "{share}"),
            ConicOutcome::Infeasible(proof) => {
                assert!(!feasible, "{share}");
                let missing = (share - 1.0) * most * BASE;
                assert!(
                    proof.missing_mw > 0.0 && proof.missing_mw <= missing * (1.0 + 1e-6),
                    "{proof:?}"
                );
            }
            ConicOutcome::Failed(e) => panic!("{share}: {e}"),
        }
    }
}

/// A line without resistance between buses 1 and 2, and a link of 40 MW to bus 3, which loses 1 MW and 5 %.
fn linked() -> AnalysisNetwork {
    let mut net = network(
        vec![bus(1, 0.0), bus(2, 50.0), load(3, 60.0, 12.0)],
        vec![Branch {
            r_pu: 0.0,
            ..line(1, 0, 1)
        }],
        vec![unit(1, 0, 20.0), unit(2, 2, 50.0)],
    );
    net.links = vec![Link {
        loss0_pu: 1.0 / BASE,
        qmin_pu: [-0.3; 2],
        qmax_pu: [0.3; 2],
        ..link(1, 1, 2, (-40.0, 40.0), 0.05)
    }];
    net
}

#[test]
fn a_link_between_islands_is_a_column_with_two_injections() {
    let net = linked();
    let s = solve(&net);
    let [from, to] = s.links[0].active.map(|p| p * BASE);
    close(from, 40.0, 1e-4);
    close(to, 40.0 * 0.95 - 1.0, 1e-4);
    close(s.objective, 20.0 * 90.0 + 50.0 * (60.0 - 37.0), 1e-2);
    close(s.price[1] / BASE, 20.0, 1e-4);
    close(s.price[2] / BASE, 50.0, 1e-4);
    assert!(s.circulating.is_empty());

    // A wider link is not full and replaces the dear unit: what it delivers costs 20 / 0.95 $/MWh.
    let mut wide = net.clone();
    wide.links[0].pmax_pu = 1.0;
    let s = solve(&wide);
    close(s.links[0].active[0] * BASE, 61.0 / 0.95, 1e-3);
    close(s.price[2] / BASE, 20.0 / 0.95, 1e-4);

    // In reverse the loss is paid at the from end.
    let mut turned = net.clone();
    turned.generators[0].cost = quadratic(0.0, 60.0);
    let s = solve(&turned);
    let [from, to] = s.links[0].active.map(|p| p * BASE);
    close(to, -40.0, 1e-4);
    close(from, -0.95 * (40.0 - 1.0), 1e-4);

    // An island without a generator lives on its link.
    let mut fed = wide;
    fed.generators[1].in_service = false;
    let s = solve(&fed);
    close(s.links[0].active[1] * BASE, 60.0, 1e-4);
    close(s.links[0].reactive[1] * BASE, 12.0, 1e-4);
    close(s.price[2] / BASE, 20.0 / 0.95, 1e-4);
}

#[test]
fn the_certificate_includes_the_links() {
    let net = linked();
    let s = solve(&net);
    let holds = |links: &[LinkPower]| {
        let claim = ConicClaim {
            data: &s.data,
            voltage_squared: &s.voltage_squared,
            product: &s.product,
            flow_from: &s.flow_from,
            flow_to: &s.flow_to,
            dispatch: &s.dispatch,
            dispatch_q: &s.dispatch_q,
            links,
            multipliers: &s.multipliers,
        };
        ConicCertificate::of_claim(&net, Cuts::Lifted, &claim).holds()
    };
    assert!(holds(&s.links));
    let [mut energy, mut limit, mut reactive] = [0; 3].map(|_| s.links.clone());
    energy[0].active[1] += 0.01;
    limit[0].active = [0.5, 0.5 * 0.95 - 0.01];
    reactive[0].reactive[0] = 0.31;
    assert!(![energy, limit, reactive].iter().any(|links| holds(links)));
}
