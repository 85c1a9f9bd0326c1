//! The three-bus network: prices and derivatives in closed form.

use crate::common::{bus, close, generator, line, lmp, mw, network, quadratic, solve, three_bus, BASE};
use wattbook_network::analysis::Cost;
use wattbook_solve::dc::{
    Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, Event, Target, WarrantKind,
};
use wattbook_solve::vocabulary::Direction;

/// dLMP/dMW.
fn column(model: &DcModel, s: &DcSolution, target: Target) -> Vec<f64> {
    s.derivative(model, &Direction::from(target))
        .price
        .iter()
        .map(|p| p / BASE / BASE)
        .collect()
}

#[test]
fn uncongested() {
    let (model, s) = solve(&three_bus([250.0; 3]));
    close(&mw(&s.dispatch), &[1150.0 / 39.0, 2360.0 / 39.0], 1e-9);
    close(&lmp(&s), &[11.487_179_487; 3], 1e-6);
    assert!((s.objective - 626.948_717_949).abs() < 1e-6, "{}", s.objective);
    for bus in 0..3 {
        close(&column(&model, &s, Target::Demand(bus)), &[0.22 * 0.17 / 0.39; 3], 1e-9);
        let warrant = s.derivative(&model, &Direction::from(Target::Demand(bus))).warrant;
        assert_eq!(warrant.kind, WarrantKind::Regular);
    }
    // Line 1-2 carries a third of what flows 1-3-2; no line binds, so its rating moves nothing.
    close(&column(&model, &s, Target::Rating(0)), &[0.0; 3], 0.0);
    assert!(s.shadow.iter().all(|s| *s == 0.0));
}

#[test]
fn line_2_3_at_40_mw() {
    let (model, s) = solve(&three_bus([250.0, 40.0, 250.0]));
    close(&mw(&s.dispatch), &[60.0, 30.0], 1e-7);
    close(&lmp(&s), &[18.20, 30.10, 6.30], 1e-7);
    assert!((s.objective - 808.50).abs() < 1e-6);
    assert!((s.shadow[1].abs() / BASE - 35.70).abs() < 1e-7);
    close(&column(&model, &s, Target::Rating(1)), &[-0.66, -1.83, 0.51], 1e-9);
    close(&column(&model, &s, Target::Demand(1)), &[0.44, 1.05, -0.17], 1e-9);
}

#[test]
fn line_1_2_at_36_mw() {
    let (model, s) = solve(&three_bus([36.0, 250.0, 250.0]));
    close(&mw(&s.dispatch), &[18.0, 72.0], 1e-7);
    close(&lmp(&s), &[8.96, 17.92, 13.44], 1e-7);
    assert!((s.objective - 652.68).abs() < 1e-6);
    assert!((s.shadow[0].abs() / BASE - 13.44).abs() < 1e-7);
    close(&column(&model, &s, Target::Rating(0)), &[0.66, -1.68, -0.51], 1e-9);
}

/// With line 2-3 at 40 MW, g1 = 2 d - 120 and g3 = 120 - d, so one more MW at bus 2 holds until g3 reaches its 10 MW
/// minimum at d = 110 (+20 MW); downwards the shadow price 35.7 + (-0.66 ... ) reaches zero where the free optimum puts
/// exactly 40 MW on the line.
#[test]
fn the_interval_ends_where_the_active_set_does() {
    let (model, s) = solve(&three_bus([250.0, 40.0, 250.0]));
    let warrant = s.derivative(&model, &Direction::from(Target::Demand(1))).warrant;
    let upper = warrant.upper.unwrap();
    assert_eq!((upper.event, upper.element.id), (Event::GeneratorReachesMin, 2));
    assert!((upper.step * BASE - 20.0).abs() < 1e-6, "{}", upper.step * BASE);
    let lower = warrant.lower.unwrap();
    // Unconstrained: 0.22 g1 + 5 = 0.17 g3 + 1.2 and flow 3-2 = (2 g3 + g1)/3 = 40 with g1 + g3 = d.
    let g3 = (120.0 * 0.22 + 3.8) / (0.17 + 0.44);
    let d = 120.0 - 2.0 * g3 + g3;
    assert_eq!((lower.event, lower.element.id), (Event::LineUnbinds, 2));
    assert!(
        (lower.step * BASE - (d - 90.0)).abs() < 1e-6,
        "{} against {}",
        lower.step * BASE,
        d - 90.0
    );
}

/// A commit from the base optimum equals a cold solve of the edited case.
#[test]
fn warm_equals_cold() {
    let network = three_bus([250.0, 40.0, 250.0]);
    let (model, base) = solve(&network);
    for demand in [90.0, 60.0, 100.0, 125.0, 40.0] {
        let mut data = DcData::base(&network);
        data.demand[1] = demand / BASE;
        let warm = DualActiveSet.optimum(&model, &data, Some(&base));
        let cold = DualActiveSet.optimum(&model, &data, None);
        match (warm, cold) {
            (Ok(warm), Ok(cold)) => {
                close(&warm.price, &cold.price, 1e-9 * cold.price[0].abs().max(1.0));
                close(&warm.dispatch, &cold.dispatch, 1e-10);
            }
            (Err(warm), Err(cold)) => assert_eq!(warm.code, cold.code),
            (warm, cold) => panic!("{demand}: {:?} against {:?}", warm.err(), cold.err()),
        }
    }
}

#[test]
fn infeasible_names_the_line() {
    // Demand 90 at bus 2 with both lines to it at 40 MW: 10 MW short.
    let network = three_bus([40.0, 40.0, 250.0]);
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let error = DualActiveSet
        .optimum(&model, &DcData::base(&network), None)
        .unwrap_err();
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    assert_eq!(
        error.message(),
        "No solution: the limits of line 1 and line 2 cannot both be met."
    );
    let shortfall = error.details.unwrap()["shortfall_mw"].as_f64().unwrap();
    assert!((shortfall - 10.0).abs() < 1e-6, "{shortfall}");
}

/// Piecewise-linear costs: 2 $/MWh to 50 MW, 7 to 100; a rival at 4. With 90 MW the rival is marginal.
#[test]
fn piecewise_linear_costs_are_exact() {
    let mut network = three_bus([250.0; 3]);
    let points = vec![[0.0, 0.0], [0.5, 100.0], [1.0, 450.0]];
    network.generators = vec![
        generator(1, 0, (0.0, 100.0), Cost::PiecewiseLinear { points }),
        generator(2, 2, (0.0, 270.0), quadratic(0.0, 4.0)),
    ];
    let (model, s) = solve(&network);
    close(&mw(&s.dispatch), &[50.0, 40.0], 1e-7);
    close(&lmp(&s), &[4.0; 3], 1e-9);
    assert!((s.objective - 260.0).abs() < 1e-7);
    close(&column(&model, &s, Target::Demand(1)), &[0.0; 3], 0.0);
    let warrant = s.derivative(&model, &Direction::from(Target::Demand(1))).warrant;
    assert!((warrant.lower.unwrap().step * BASE + 40.0).abs() < 1e-7);
}

/// A unit without an upper limit serves the remaining demand; one without a lower limit beside it makes the problem
/// unbounded.
#[test]
fn unlimited_generators() {
    let mut network = three_bus([250.0; 3]);
    network.generators = vec![
        generator(1, 0, (0.0, 60.0), quadratic(0.0, 20.0)),
        generator(2, 2, (0.0, f64::INFINITY), quadratic(0.0, 50.0)),
    ];
    let (model, s) = solve(&network);
    close(&mw(&s.dispatch), &[60.0, 30.0], 1e-7);
    close(&lmp(&s), &[50.0; 3], 1e-9);
    close(&column(&model, &s, Target::Demand(1)), &[0.0; 3], 0.0);

    // Angle-difference limits would bound the flow: wide ones and large ratings leave the bound to the generators.
    for branch in &mut network.branches {
        (branch.rating_pu, branch.angle_min_rad, branch.angle_max_rad) = (1e6, -1e6, 1e6);
    }
    network.generators[0].pmin_pu = f64::NEG_INFINITY;
    network.generators[0].cost = quadratic(0.0, 60.0);
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let error = DualActiveSet
        .optimum(&model, &DcData::base(&network), None)
        .unwrap_err();
    assert_eq!(error.code, "SOLVE.UNBOUNDED", "{}", error.message());
}

/// An island with neither generators nor demand is left out; one with demand makes the case infeasible.
#[test]
fn islands_without_supply() {
    let mut network = three_bus([250.0; 3]);
    network.buses.extend([bus(4, 0.0), bus(5, 0.0)]);
    network.branches.push(line(4, 3, 4, 100.0));
    let (model, s) = solve(&network);
    close(&lmp(&s)[..3], &[11.487_179_487; 3], 1e-6);
    assert_eq!(model.idle_buses(), [3, 4]);
    assert!(!model.bus_is_active(3) && !model.branch_is_active(3));

    network.buses[4].demand_pu = 0.1;
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let error = DualActiveSet
        .optimum(&model, &DcData::base(&network), None)
        .unwrap_err();
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    assert!(
        error.message().contains("island at bus 4")
            && error.details.as_ref().is_some_and(|d| d["shortfall_mw"] == 10.0),
        "{}",
        error.message()
    );
}

/// Three equal units: lines may end at their limit, but no limit has a price, not even 1e-15.
#[test]
fn a_full_line_without_a_price_has_no_shadow() {
    let mut network = three_bus([250.0; 3]);
    network.generators = vec![
        generator(1, 0, (0.0, 45.0), quadratic(0.0, 7.0)),
        generator(2, 2, (0.0, 45.0), quadratic(0.0, 7.0)),
        generator(3, 1, (0.0, 45.0), quadratic(0.0, 7.0)),
    ];
    network.branches[0].rating_pu = 0.30;
    network.branches[1].rating_pu = 0.30;
    let (_, s) = solve(&network);
    close(&lmp(&s), &[7.0; 3], 1e-9);
    assert!(s.shadow.iter().all(|x| *x == 0.0), "{:?}", s.shadow);
}

/// Power drawn by conductances of a branch at 1 pu is demand at its ends (MATPOWER manual, section 3.7, for those of
/// buses).
#[test]
fn conductances_of_branches_are_demand() {
    let mut net = three_bus([250.0; 3]);
    (net.branches[0].shunt_from_pu, net.branches[0].shunt_to_pu) = ([0.012, 0.5], [0.02, 0.3]);
    net.branches[0].tap = 0.5;
    net.branches[2].shunt_from_pu = [1.0, 1.0];
    net.branches[2].in_service = false;
    let (_, s) = solve(&net);
    let mut drawn = three_bus([250.0; 3]);
    drawn.branches[2].in_service = false;
    drawn.buses[0].demand_pu += 0.012 / 0.25;
    drawn.buses[1].demand_pu += 0.02;
    let (_, want) = solve(&drawn);
    close(&s.price, &want.price, 1e-12);
    close(&s.flow, &want.flow, 1e-12);
    close(&s.dispatch, &want.dispatch, 1e-12);
}

/// A branch that admits no flow separates two areas in price; in a loop it makes its ends' angles equal.
#[test]
fn a_branch_that_admits_no_flow() {
    let mut apart = network(
        vec![bus(1, 20.0), bus(2, 80.0)],
        vec![line(1, 0, 1, 0.0)],
        vec![
            generator(1, 0, (0.0, 500.0), quadratic(0.0, 10.0)),
            generator(2, 1, (0.0, 500.0), quadratic(0.0, 50.0)),
        ],
    );
    let (_, s) = solve(&apart);
    close(
        &s.price.iter().map(|p| p / BASE).collect::<Vec<_>>(),
        &[10.0, 50.0],
        1e-9,
    );
    close(&s.dispatch, &[0.2, 0.8], 1e-12);
    assert_eq!(s.flow[0].abs(), 0.0);
    // 80 MW over it: 10 at both ends, up to its rating.
    apart.branches[0].rating_pu = 1.0;
    let (_, s) = solve(&apart);
    close(
        &s.price.iter().map(|p| p / BASE).collect::<Vec<_>>(),
        &[10.0, 10.0],
        1e-9,
    );
    // In a triangle without line 1-3, the flow 1-2 is that of 2-3 where the angles of 1 and 3 are equal: 45 MW from each side.
    let mut loop_ = three_bus([250.0, 250.0, 0.0]);
    loop_.generators[0].pmin_pu = 0.0;
    let (_, s) = solve(&loop_);
    close(&s.dispatch, &[0.45, 0.45], 1e-9);
    close(&[s.flow[0], s.flow[1], s.flow[2]], &[0.45, -0.45, 0.0], 1e-9);
}
