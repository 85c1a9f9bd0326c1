//! HVDC links: closed forms, published references, and agreement with fixed transfers.

use crate::common::{
    bus, close, data_folder, generator, line, link, lmp, mw, network, quadratic, solve, three_bus, BASE,
};
use wattbook_network::analysis::{AnalysisNetwork, Cost, ElementKind, Generator, Link};
use wattbook_network::ingest_case;
use wattbook_solve::dc::{
    explain, parametric_path, Convention, DcData, DcModel, DcOptimizer, DcPowerFlow, DcSolution, DualActiveSet,
};
use wattbook_solve::vocabulary::{Direction, Operand, Parameter};

/// Two buses without a line between them: 20 $/MWh at bus 1, 50 $/MWh at bus 2, each up to 200 MW.
pub(crate) fn apart(demand: [f64; 2], links: Vec<Link>) -> AnalysisNetwork {
    let mut net = network(
        vec![bus(1, demand[0]), bus(2, demand[1])],
        Vec::new(),
        vec![
            generator(1, 0, (0.0, 200.0), quadratic(0.0, 20.0)),
            generator(2, 1, (0.0, 200.0), quadratic(0.0, 50.0)),
        ],
    );
    net.links = links;
    net
}

fn powers(model: &DcModel, solution: &DcSolution) -> Vec<[f64; 2]> {
    let powers = model.link_powers(&solution.dispatch);
    powers.iter().map(|p| p.map(|p| p * BASE)).collect()
}

fn optimum(net: &AnalysisNetwork, convention: Convention) -> (DcModel, DcSolution) {
    let model = DcModel::new(net, convention).unwrap();
    let solution = DualActiveSet
        .optimum(&model, &DcData::base(net), None)
        .unwrap_or_else(|e| panic!("{}: {}", e.code, e.message()));
    assert!(solution.certificate.holds(), "{:?}", solution.certificate);
    (model, solution)
}

#[test]
fn a_lossy_link_between_islands_divides_the_price_by_what_arrives() {
    let net = apart([30.0, 90.0], vec![link(1, 0, 1, (0.0, 150.0), 0.1)]);
    let (model, s) = solve(&net);
    // All demand of bus 2 comes over the link: 90 / 0.9 = 100 MW sent.
    close(&powers(&model, &s)[0], &[100.0, 90.0], 1e-9);
    close(&lmp(&s)[..2], &[20.0, 20.0 / 0.9], 1e-9);
    close(&mw(&s.dispatch)[..2], &[130.0, 0.0], 1e-9);
    assert!((s.objective - 130.0 * 20.0).abs() < 1e-9);
    assert!(s.certificate.holds());
}

#[test]
fn a_link_without_limits_carries_what_it_should() {
    for (low, loss) in [(0.0, 0.1), (f64::NEG_INFINITY, 0.1), (f64::NEG_INFINITY, 0.0)] {
        let net = apart([30.0, 90.0], vec![link(1, 0, 1, (low, f64::INFINITY), loss)]);
        let (model, s) = solve(&net);
        close(&powers(&model, &s)[0], &[90.0 / (1.0 - loss), 90.0], 1e-9);
        close(&lmp(&s)[..2], &[20.0, 20.0 / (1.0 - loss)], 1e-9);
        let mut ring = meshed(200.0);
        for link in &mut ring.links {
            (link.pmin_pu, link.pmax_pu) = (low, f64::INFINITY);
        }
        let (_, s) = solve(&ring);
        assert!(s.certificate.holds());
    }
}

#[test]
fn a_full_link_leaves_each_island_its_own_price() {
    let mut full = link(1, 0, 1, (0.0, 60.0), 0.1);
    full.loss0_pu = 4.0 / BASE;
    full.cost = quadratic(0.0, 3.0);
    let net = apart([30.0, 90.0], vec![full]);
    let (model, s) = solve(&net);
    // 60 MW sent, 60 - 4 - 6 = 50 MW delivered.
    close(&powers(&model, &s)[0], &[60.0, 50.0], 1e-9);
    close(&lmp(&s)[..2], &[20.0, 50.0], 1e-9);
    assert!((s.objective - (90.0 * 20.0 + 40.0 * 50.0 + 60.0 * 3.0)).abs() < 1e-9);
}

#[test]
fn a_link_beyond_its_island_brings_the_only_supply() {
    let mut net = apart([0.0, 90.0], vec![link(1, 0, 1, (0.0, 150.0), 0.0)]);
    net.generators.truncate(1);
    let (model, s) = solve(&net);
    close(&powers(&model, &s)[0], &[90.0, 90.0], 1e-9);
    close(&lmp(&s)[..2], &[20.0, 20.0], 1e-9);
    // Three islands in a row, of which only the first generates.
    net.buses.push(bus(3, 40.0));
    net.links.push(link(2, 1, 2, (-100.0, 100.0), 0.0));
    let (model, s) = solve(&net);
    close(&powers(&model, &s)[0], &[130.0, 130.0], 1e-9);
    close(&powers(&model, &s)[1], &[40.0, 40.0], 1e-9);
    close(&lmp(&s)[..3], &[20.0; 3], 1e-9);
    net.links[0].pmax_pu = 1.2;
    let model = DcModel::new(&net, Convention::Service).unwrap();
    let error = DualActiveSet.optimum(&model, &DcData::base(&net), None).unwrap_err();
    assert_eq!(error.code, "SOLVE.INFEASIBLE", "{}", error.message());
}

#[test]
fn the_loss_is_paid_at_the_receiving_end_in_both_directions() {
    // Bus 2 is the cheap one: 45 MW arrive at bus 1 for 50 MW sent.
    let mut net = apart([45.0, 0.0], vec![link(1, 0, 1, (-60.0, 60.0), 0.1)]);
    net.generators[0].cost = quadratic(0.0, 50.0);
    net.generators[1].cost = quadratic(0.0, 20.0);
    let (model, s) = solve(&net);
    close(&powers(&model, &s)[0], &[-45.0, -50.0], 1e-9);
    close(&lmp(&s)[..2], &[20.0 / 0.9, 20.0], 1e-9);
    assert!((s.objective - 1000.0).abs() < 1e-9);
    // A cost per MW at the from end is one for the MW there in either direction.
    net.links[0].cost = quadratic(0.0, -1.0);
    let (model, s) = solve(&net);
    close(&powers(&model, &s)[0], &[-45.0, -50.0], 1e-9);
    assert!((s.objective - 1045.0).abs() < 1e-9);
    close(&lmp(&s)[..2], &[20.0 / 0.9 + 1.0, 20.0], 1e-9);
}

#[test]
fn a_link_that_would_burn_power_is_refused_by_name() {
    // Both generators must run above the demand of their buses, and more output is worth -10 $/MWh.
    let mut net = apart([40.0, 40.0], vec![link(1, 0, 1, (-60.0, 60.0), 0.1)]);
    net.generators[0].pmin_pu = 0.42;
    net.generators[1].pmin_pu = 0.42;
    let model = DcModel::new(&net, Convention::Service).unwrap();
    let error = DualActiveSet.optimum(&model, &DcData::base(&net), None).unwrap_err();
    assert_eq!(error.code, "PHYSICS.UNSUPPORTED", "{}", error.message());
    assert_eq!(error.element.map(|e| (e.kind, e.id)), Some((ElementKind::Hvdc, 1)));
}

#[test]
fn negative_limits_hold_at_the_to_end() {
    let at_most = |limits: (f64, f64)| {
        let mut net = apart([100.0, 20.0], vec![link(1, 0, 1, limits, 0.0)]);
        net.generators[0].cost = quadratic(0.0, 50.0);
        net.generators[1].cost = quadratic(0.0, 20.0);
        net.links[0].loss0_pu = 2.0 / BASE;
        let (model, s) = solve(&net);
        powers(&model, &s)[0]
    };
    // 30 MW leave bus 2 at most, of which 2 MW are lost.
    close(&at_most((-30.0, 60.0)), &[-28.0, -30.0], 1e-9);
    close(&at_most((-30.0, -10.0)), &[-28.0, -30.0], 1e-9);
    // A fixed transfer has no tie.
    close(&at_most((15.0, 15.0)), &[15.0, 13.0], 1e-9);
}

/// A meshed network with links inside and out of it, whose lines bind.
pub(crate) fn meshed(rating: f64) -> AnalysisNetwork {
    let mut net = three_bus([rating, 60.0, 80.0]);
    net.buses.push(bus(4, 30.0));
    net.generators.push(generator(3, 3, (0.0, 50.0), quadratic(0.02, 40.0)));
    net.links = vec![
        link(1, 0, 1, (-20.0, 15.0), 0.03),
        link(2, 2, 3, (0.0, 25.0), 0.05),
        link(3, 3, 1, (-10.0, 10.0), 0.0),
    ];
    net.links[1].loss0_pu = 0.5 / BASE;
    net.links[2].cost = quadratic(0.01, 0.3);
    net
}

/// The network with every link replaced by a fixed injection at either end.
fn with_fixed_transfers(net: &AnalysisNetwork, powers: &[[f64; 2]]) -> AnalysisNetwork {
    let mut fixed = net.clone();
    fixed.links.clear();
    for (link, [from, to]) in net.links.iter().zip(powers) {
        fixed.buses[link.from].demand_pu += from / BASE;
        fixed.buses[link.to].demand_pu -= to / BASE;
    }
    fixed
}

fn cost_of_links(net: &AnalysisNetwork, powers: &[[f64; 2]]) -> f64 {
    let cost = |(link, power): (&Link, &[f64; 2])| match link.cost {
        Cost::Quadratic { c2, c1, c0 } => (c2 * power[0] / BASE + c1) * power[0] / BASE + c0,
        Cost::PiecewiseLinear { .. } => 0.0,
    };
    net.links.iter().zip(powers).map(cost).sum()
}

#[test]
fn fixed_transfers_of_the_same_size_give_the_same_optimum_and_no_other_is_cheaper() {
    for (rating, costs) in [(40.0, true), (25.0, true), (40.0, false)] {
        let mut net = meshed(rating);
        if !costs {
            let linear = |g: &mut Generator| match g.cost {
                Cost::Quadratic { c1, .. } => {
                    g.cost = Cost::Quadratic {
                        c2: 0.0,
                        c1: c1 + 500.0 * g.id as f64,
                        c0: 0.0,
                    }
                }
                Cost::PiecewiseLinear { .. } => {}
            };
            net.generators.iter_mut().for_each(linear);
            net.links[2].cost = quadratic(0.0, 0.3);
        }
        let (model, s) = solve(&net);
        let found = powers(&model, &s);
        let cost_at = |powers: &[[f64; 2]]| {
            let fixed = with_fixed_transfers(&net, powers);
            let model = DcModel::new(&fixed, Convention::Service).unwrap();
            let s = DualActiveSet.optimum(&model, &DcData::base(&fixed), None).ok()?;
            Some((s.objective + cost_of_links(&net, powers), s))
        };
        let (cost, same) = cost_at(&found).unwrap();
        assert!((cost - s.objective).abs() < 1e-7, "{cost} against {}", s.objective);
        if costs {
            // Prices can be less unique with fixed transfers than with links.
            close(&same.flow, &s.flow[..3], 1e-9);
        }
        for k in 0..3 {
            for by in [-1.0, -0.1, 0.1, 1.0] {
                let (mut other, link) = (found.clone(), &net.links[k]);
                let from = (other[k][0] + by).clamp(link.pmin_pu * BASE, link.pmax_pu * BASE);
                other[k] = [from, link.delivered_pu(from / BASE) * BASE];
                if let Some((dearer, _)) = cost_at(&other) {
                    assert!(dearer > s.objective - 1e-6, "link {k} {by}: {dearer} < {}", s.objective);
                }
            }
        }
    }
}

#[test]
fn steps_from_an_optimum_and_derivatives_agree_with_cold_solves() {
    for rating in [40.0, 25.0] {
        let net = meshed(rating);
        let (model, s) = solve(&net);
        let base = DcData::base(&net);
        for bus in 0..4 {
            let column = s.derivative(&model, &Direction::of_demand(bus));
            let (lower, upper) = column.warrant.interval();
            for step in [0.4 * upper.min(0.05), 0.4 * lower.max(-0.05), 0.2, -0.2] {
                let data = base.moved(&Direction::of_demand(bus), step);
                let cold = DualActiveSet.optimum(&model, &data, None);
                let warm = DualActiveSet.optimum(&model, &data, Some(&s));
                let (cold, warm) = match (cold, warm) {
                    (Ok(cold), Ok(warm)) => (cold, warm),
                    (cold, warm) => {
                        assert!(cold.is_err() && warm.is_err() && !(lower..=upper).contains(&step));
                        continue;
                    }
                };
                assert!((cold.objective - warm.objective).abs() < 1e-8);
                close(&warm.price, &cold.price, 1e-6);
                if step < upper && step > lower {
                    let predicted: Vec<f64> = s.price.iter().zip(&column.price).map(|(p, d)| p + step * d).collect();
                    close(&predicted, &cold.price, 1e-6);
                }
            }
        }
        let operands: Vec<Operand> = (0..4)
            .map(Operand::Price)
            .chain((0..3).map(Operand::Dispatch))
            .chain((0..3).map(|k| Operand::Flow(k, wattbook_solve::vocabulary::BranchEnd::From)))
            .collect();
        let parameters: Vec<Parameter> = (0..4)
            .map(Parameter::Demand)
            .chain((0..3).map(Parameter::Rating))
            .chain((0..3).map(Parameter::CostLinear))
            .collect();
        let forward = s.cells_forward(&model, &operands, &parameters).unwrap();
        let adjoint = s.cells_adjoint(&model, &operands, &parameters).unwrap();
        for (f, a) in forward.values.iter().zip(&adjoint.values) {
            close(f, a, 1e-8 * (1.0 + f.iter().fold(0.0f64, |m, x| m.max(x.abs()))));
        }
    }
}

#[test]
fn a_path_through_a_network_with_links_agrees_with_cold_solves() {
    let net = meshed(40.0);
    let (model, s) = solve(&net);
    let base = DcData::base(&net);
    for bus in [1, 3] {
        let direction = Direction::of_demand(bus);
        let path = parametric_path(&DualActiveSet, &model, &s, &direction, 0.3, 500);
        let checked = crate::common::agrees_with_cold_solves(&path, &format!("bus {bus}"), |at| {
            DualActiveSet
                .optimum(&model, &base.moved(&direction, at), None)
                .unwrap()
        });
        assert!(checked >= 3);
    }
}

#[test]
fn a_power_flow_holds_the_schedule() {
    let mut net = meshed(200.0);
    net.links[0].pf_pu = -0.1;
    net.links[1].pf_pu = 0.2;
    let model = DcModel::new(&net, Convention::Service).unwrap();
    let flow = DcPowerFlow::solve(&net, &model, &DcData::base(&net)).unwrap();
    let fixed = with_fixed_transfers(&net, &[[-10.0, -10.0 / 0.97], [20.0, 18.5], [0.0, 0.0]]);
    let reference = DcModel::new(&fixed, Convention::Service).unwrap();
    let reference = DcPowerFlow::solve(&fixed, &reference, &DcData::base(&fixed)).unwrap();
    close(&flow.flow, &reference.flow, 1e-12);
    close(&flow.theta, &reference.theta, 1e-12);
    let added = |flow: &DcPowerFlow| flow.slack.iter().map(|s| s.added).collect::<Vec<f64>>();
    close(&added(&flow), &added(&reference), 1e-12);
}

fn read(path: &str, format: &str) -> Option<AnalysisNetwork> {
    let file = data_folder()?.join(path);
    let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    Some(ingest_case(&bytes, format).unwrap().network)
}

/// HiGHS in the theta form: 225,806.071530 $/h in both conventions at a uniform price. The flow of the link is not
/// unique.
#[test]
fn rts_gmlc_has_the_cost_and_the_price_of_the_reference() {
    for (path, reference) in [
        ("rts_gmlc/RTS_GMLC.m", 225_806.071_530),
        ("matpower/case_RTS_GMLC.m", 225_806.071_583),
    ] {
        let Some(net) = read(path, "matpower") else { return };
        for convention in [Convention::Service, Convention::Matpower, Convention::PowerModels] {
            let (_, s) = optimum(&net, convention);
            // Slopes of generator 74 that decrease within the rounding of the printed numbers are merged.
            assert!((s.objective - reference).abs() < 1e-4, "{path}: {}", s.objective);
            close(&lmp(&s)[..net.buses.len()], &vec![34.009_286; net.buses.len()], 5e-7);
        }
    }
}

#[test]
fn case9_with_dc_lines_has_the_costs_and_prices_of_the_reference() {
    let Some(net) = read("matpower/t/t_case9_dcline.m", "matpower") else {
        return;
    };
    let model = DcModel::new(&net, Convention::Matpower).unwrap();
    let error = DualActiveSet.optimum(&model, &DcData::base(&net), None).unwrap_err();
    assert_eq!(
        error.code, "SOLVE.INFEASIBLE",
        "the angle limit of branch 1 admits 75.146 MW of at least 90 MW"
    );
    let mut open = net.clone();
    for branch in &mut open.branches {
        (branch.angle_min_rad, branch.angle_max_rad) = (f64::NEG_INFINITY, f64::INFINITY);
    }
    let mut without = open.clone();
    without.links.clear();
    let price = |s: &DcSolution, id: u64| lmp(s)[open.buses.iter().position(|b| b.id == id).unwrap()];
    let (model, s) = optimum(&open, Convention::Matpower);
    assert!((s.objective - 6_376.217_917).abs() < 5e-6, "{}", s.objective);
    let want = [
        (1, 19.659783),
        (2, 24.035),
        (30, 15.0),
        (5, 18.023524),
        (7, 25.315551),
        (9, 21.171545),
    ];
    for (id, lmp) in want {
        assert!((price(&s, id) - lmp).abs() < 1e-6, "bus {id}: {}", price(&s, id));
    }
    let sent: Vec<f64> = powers(&model, &s).iter().map(|p| p[0]).collect();
    close(&sent, &[10.0, 2.0, 0.0, 0.0], 1e-7);
    assert!((optimum(&without, Convention::Matpower).1.objective - 6_392.901_978).abs() < 5e-6);
    let (_, s) = optimum(&open, Convention::Service);
    assert!((s.objective - 6_376.075_849).abs() < 5e-6, "{}", s.objective);
    for (id, lmp) in [(1, 19.693462), (5, 18.064272), (7, 25.285104), (9, 21.16914)] {
        assert!((price(&s, id) - lmp).abs() < 1e-6, "bus {id}: {}", price(&s, id));
    }
    assert!((optimum(&without, Convention::Service).1.objective - 6_393.115_733).abs() < 5e-6);
}

#[test]
fn the_dc_branch_of_egret_carries_nothing_at_equal_prices() {
    let Some(net) = read("case_json/egret_dcline3.json", "egret-json") else {
        return;
    };
    let (model, s) = optimum(&net, Convention::Service);
    assert!((s.objective - 1184.0).abs() < 1e-6, "{}", s.objective);
    close(&lmp(&s)[..3], &[15.6; 3], 1e-9);
    close(&powers(&model, &s)[0], &[0.0, 0.0], 1e-9);
}

/// Numbers in [0, 1) from a fixed sequence.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }
}

/// Two to four rings of three to five buses, joined and crossed by links.
fn random(seed: u64) -> AnalysisNetwork {
    let mut s = Sequence(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (mut buses, mut branches, mut generators, mut links) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let rings = 2 + s.below(3);
    for _ in 0..rings {
        let (first, n) = (buses.len(), 3 + s.below(3));
        for k in 0..n {
            buses.push(bus((first + k + 1) as u64, 60.0 * s.next()));
            let rating = 25.0 + 60.0 * s.next();
            let mut line = line(branches.len() as u64 + 1, first + k, first + (k + 1) % n, rating);
            line.x_pu = 0.05 + 0.2 * s.next();
            branches.push(line);
        }
        for _ in 0..1 + s.below(2) {
            let cost = quadratic(
                if s.next() < 0.5 { 0.0 } else { 0.1 * s.next() },
                10.0 + 40.0 * s.next(),
            );
            let least = if s.next() < 0.3 { 20.0 * s.next() } else { 0.0 };
            let unit = generator(
                generators.len() as u64 + 1,
                first + s.below(n),
                (least, 60.0 + 150.0 * s.next()),
                cost,
            );
            generators.push(unit);
        }
    }
    for k in 0..1 + s.below(4) {
        let (from, to) = (s.below(buses.len()), s.below(buses.len()));
        if from == to {
            continue;
        }
        let low = [0.0, -40.0, -80.0, 10.0, 30.0][s.below(5)];
        let mut one = link(
            k as u64 + 1,
            from,
            to,
            (low, 30.0 + 60.0 * s.next()),
            [0.0, 0.02, 0.1][s.below(3)],
        );
        one.loss0_pu = if s.next() < 0.3 { 0.01 } else { 0.0 };
        one.cost = quadratic(0.0, if s.next() < 0.3 { 2.0 * s.next() } else { 0.0 });
        links.push(one);
    }
    links.iter_mut().zip(1..).for_each(|(link, id)| link.id = id);
    let mut net = network(buses, branches, generators);
    net.links = links;
    net
}

#[test]
fn random_networks_have_certified_optima_or_verified_relaxations() {
    let (mut solved, mut relaxed, mut unexplained) = (0, 0, 0);
    for seed in 1..400 {
        let net = random(seed);
        let model = DcModel::new(&net, Convention::Service).unwrap();
        let data = DcData::base(&net);
        let found = DualActiveSet.optimum(&model, &data, None);
        let same = DualActiveSet.optimum_without_presolve(&model, &data, None);
        match (found, same) {
            (Ok(s), Ok(same)) => {
                assert!(s.certificate.holds(), "{seed}");
                assert!(
                    (s.objective - same.objective).abs() <= 1e-7 * (1.0 + s.objective.abs()),
                    "{seed}"
                );
                let powers = powers(&model, &s);
                let fixed = with_fixed_transfers(&net, &powers);
                let fixed_model = DcModel::new(&fixed, Convention::Service).unwrap();
                if let Ok(again) = DualActiveSet.optimum(&fixed_model, &DcData::base(&fixed), None) {
                    let cost = again.objective + cost_of_links(&net, &powers);
                    assert!(
                        (cost - s.objective).abs() <= 1e-6 * (1.0 + cost.abs()),
                        "{seed}: {cost} {}",
                        s.objective
                    );
                }
                for (link, [from, to]) in net.links.iter().zip(&powers) {
                    let delivered = link.delivered_pu(from / BASE) * BASE;
                    assert!((delivered - to).abs() < 1e-6, "{seed}: {from} {to} {delivered}");
                }
                solved += 1;
                // Steps of demand and their derivatives.
                let bus = seed as usize % net.buses.len();
                let column = s.derivative(&model, &Direction::of_demand(bus));
                let (lower, upper) = column.warrant.interval();
                for step in [0.5 * upper.min(0.1), 0.5 * lower.max(-0.1), 0.15] {
                    let data = data.moved(&Direction::of_demand(bus), step);
                    let cold = DualActiveSet.optimum(&model, &data, None);
                    let warm = DualActiveSet.optimum(&model, &data, Some(&s));
                    match (cold, warm) {
                        (Ok(cold), Ok(warm)) => {
                            let scale = 1.0 + cold.objective.abs();
                            assert!((cold.objective - warm.objective).abs() < 1e-8 * scale, "{seed} {step}");
                            if step < upper && step > lower {
                                let predicted = s.objective
                                    + step * column.objective
                                    + 0.5 * step * step * column.objective_curvature;
                                assert!((predicted - cold.objective).abs() < 1e-7 * scale, "{seed} {step}");
                            }
                        }
                        (Err(cold), Err(warm)) => assert_eq!(cold.code, warm.code, "{seed} {step}"),
                        (cold, warm) => panic!("{seed} {step}: {:?} {:?}", cold.err(), warm.err()),
                    }
                }
            }
            (Err(a), Err(b)) => {
                assert_eq!(a.code, b.code, "{seed}: {} {}", a.message(), b.message());
                if a.code != "SOLVE.INFEASIBLE" {
                    assert_eq!(a.code, "PHYSICS.UNSUPPORTED", "{seed}: {}", a.message());
                    continue;
                }
                match explain(&model, &data) {
                    Ok(Some(explanation)) => {
                        assert!(explanation.relaxation_total_mw > 0.0, "{seed}");
                        assert!(
                            explanation.verified.gap_mw <= 1e-3,
                            "{seed}: {:?}",
                            explanation.verified
                        );
                        let elements = explanation.relaxation.iter().map(|r| r.element.kind);
                        assert!(elements.into_iter().all(|kind| kind != ElementKind::Hvdc), "{seed}");
                        relaxed += 1;
                    }
                    Ok(None) => panic!("{seed}: feasible after all: {}", a.message()),
                    Err(error) => {
                        println!("{seed}: {}: {}", error.code, error.message());
                        unexplained += 1;
                    }
                }
            }
            (a, b) => panic!("{seed}: {:?} {:?}", a.err(), b.err()),
        }
    }
    println!("{solved} solved, {relaxed} relaxed, {unexplained} without an explanation");
    assert!(solved > 100 && relaxed > 200 && unexplained == 0);
}
