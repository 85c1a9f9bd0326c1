//! Limits after outages: closed forms on three buses, and public cases against explicit programs in HiGHS.

use crate::common::{close, data_folder, generator, lmp, mw, quadratic, three_bus, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Generator};
use wattbook_network::ingest_case;
use wattbook_solve::dc::{
    Apart, Contingency, Convention, DcData, DcModel, DcOutline, Interface, LimitRule, Secured, Security,
    SecurityLimits, SensitivityColumn, Target,
};
use wattbook_solve::vocabulary::Direction;

/// All single outages, with all lines monitored at `factor` of their ratings. $/MWh.
fn all(network: &AnalysisNetwork, factor: f64, penalty: f64) -> SecurityLimits {
    let rule = LimitRule {
        rate: factor,
        constant: 0.0,
    };
    SecurityLimits {
        outages: (0..network.branches.len()).map(|branch| lines(&[branch])).collect(),
        after_outages: vec![Some(rule); network.branches.len()],
        penalty: Some(penalty * network.base_mva),
        ..SecurityLimits::default()
    }
}

/// The outage of lines.
fn lines(branches: &[usize]) -> Contingency {
    Contingency {
        branches: branches.to_vec(),
        generators: Vec::new(),
    }
}

fn solve(network: &AnalysisNetwork, limits: SecurityLimits) -> (DcModel, Security, Secured) {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let security = Security::new(&model, limits).unwrap();
    let secured = security.optimum(&model, &DcData::base(network), None).unwrap();
    assert!(secured.solution.certificate.holds());
    assert!(
        secured.solution.certificate.relative_gap < 1e-10,
        "{:?}",
        secured.solution.certificate
    );
    (model, security, secured)
}

/// Lines with base ratings 250 and emergency ratings 250, 250, 50 MW: after the outage of line 2-3 line 1-3 carries
/// all of unit 3, after that of line 1-2 all of unit 1.
fn triangle(demand: f64, penalty: f64) -> (Security, Secured) {
    let (network, limits) = triangle_limits(demand, penalty);
    let (_, security, secured) = solve(&network, limits);
    (security, secured)
}

fn triangle_limits(demand: f64, penalty: f64) -> (AnalysisNetwork, SecurityLimits) {
    let mut network = three_bus([250.0; 3]);
    network.buses[1].demand_pu = demand / BASE;
    let limits = SecurityLimits {
        after_outages: vec![
            Some(LimitRule::RATING),
            Some(LimitRule::RATING),
            Some(LimitRule {
                rate: 0.2,
                constant: 0.0,
            }),
        ],
        ..all(&network, 1.0, penalty)
    };
    (network, limits)
}

#[test]
fn line_1_3_after_the_outage_of_line_2_3() {
    let (security, secured) = triangle(90.0, 2000.0);
    let s = &secured.solution;
    close(&mw(&s.dispatch[..2]), &[40.0, 50.0], 1e-7);
    close(&lmp(s)[..3], &[13.80, 13.80, 9.70], 1e-7);
    assert!((s.objective - 648.50).abs() < 1e-6, "{}", s.objective);
    let binding = security.binding(&secured.program, s, &secured.pool);
    assert_eq!(binding.len(), 1);
    assert_eq!((binding[0].branch, binding[0].outage), (2, Some(1)));
    close(
        &[binding[0].shadow / BASE, binding[0].limit * BASE],
        &[4.10, 50.0],
        1e-7,
    );
    assert!((binding[0].flow.abs() * BASE - 50.0).abs() < 1e-7);
    assert_eq!(binding[0].excess, 0.0);
    assert!(secured.pool.worst_violation < 1e-8);
}

#[test]
fn one_excess_for_all_outages_of_a_line() {
    let (security, secured) = triangle(102.0, 1000.0);
    let s = &secured.solution;
    close(&mw(&s.dispatch[..2]), &[51.0, 51.0], 1e-7);
    close(&lmp(s)[..3], &[16.22, 513.045, 9.87], 1e-7);
    assert!((s.objective - 1823.395).abs() < 1e-6, "{}", s.objective);
    let binding = security.binding(&secured.program, s, &secured.pool);
    let mut shadows: Vec<f64> = binding.iter().map(|pair| pair.shadow / BASE).collect();
    shadows.sort_by(f64::total_cmp);
    close(&shadows, &[496.825, 503.175], 1e-7);
    assert!(binding.iter().all(|pair| (pair.excess * BASE - 1.0).abs() < 1e-7));
    let (penalties, excess) = secured.program.penalties(&secured.solution);
    close(&[penalties, excess * BASE], &[1000.0, 1.0], 1e-6);
}

#[test]
fn hard_limits_hold_or_name_what_contradicts_them() {
    let hard = |demand: f64| {
        let (network, limits) = triangle_limits(demand, 1000.0);
        let model = DcModel::new(&network, Convention::Service).unwrap();
        let limits = SecurityLimits {
            penalty: None,
            ..limits
        };
        let security = Security::new(&model, limits).unwrap();
        assert!(security.is_hard());
        (model, security, DcData::base(&network))
    };
    // The same optimum as with a price below which no limit is exceeded.
    let (model, security, data) = hard(90.0);
    let secured = security.optimum(&model, &data, None).unwrap();
    assert!((secured.solution.objective - 648.50).abs() < 1e-6);
    close(&lmp(&secured.solution)[..3], &[13.80, 13.80, 9.70], 1e-7);
    assert!(security.least_excess(&model, &data).unwrap().limits.is_empty());
    // The units may supply 50 MW each, so that one of 101 MW is missing.
    let (model, security, data) = hard(101.0);
    assert_eq!(
        security.optimum(&model, &data, None).unwrap_err().code,
        "SOLVE.INFEASIBLE"
    );
    // One MW beyond the limits is half a MW after either outage.
    let found = security.least_excess(&model, &data).unwrap();
    assert!(found.gap < 1e-9, "{}", found.gap);
    let exceeded = found.limits;
    assert_eq!(exceeded.len(), 1);
    assert_eq!(exceeded[0].element.id, 3);
    assert_eq!(exceeded[0].element.outage().branches.len(), 1);
    close(
        &[exceeded[0].limit * BASE, exceeded[0].excess * BASE],
        &[50.0, 0.5],
        1e-7,
    );
}

/// An interface over lines 2-3 and 1-3, both given away from bus 3: the output of unit 3.
fn exports(lower: f64, upper: f64, outage: &[usize], demand: f64) -> (Security, Secured) {
    let mut network = three_bus([250.0; 3]);
    network.buses[1].demand_pu = demand / BASE;
    let limits = SecurityLimits {
        after_outages: vec![None; 3],
        interfaces: vec![Interface {
            name: "exports".into(),
            flows: vec![(1, -1.0), (2, -1.0)],
            lower: lower / BASE,
            upper: upper / BASE,
            outage: lines(outage),
        }],
        interface_penalty: Some(1000.0 * BASE),
        ..SecurityLimits::default()
    };
    let (_, security, secured) = solve(&network, limits);
    (security, secured)
}

#[test]
fn an_interface_holds_a_sum_of_flows() {
    // Without limits the outputs are 29.487 and 60.513 MW. Marginal costs are 0.22 p + 5 and 0.17 p + 1.2; buses 1 and 2
    // lie on the same side.
    for (lower, upper, outage, dispatch, prices, shadow) in [
        (f64::NEG_INFINITY, 50.0, &[][..], [40.0, 50.0], [13.8, 13.8, 9.7], 4.1),
        (70.0, f64::INFINITY, &[], [20.0, 70.0], [9.4, 9.4, 13.1], -3.7),
        // After the outage of line 2-3 all exports are on line 1-3.
        (f64::NEG_INFINITY, 50.0, &[1], [40.0, 50.0], [13.8, 13.8, 9.7], 4.1),
        // Limits on one side of zero.
        (20.0, 50.0, &[][..], [40.0, 50.0], [13.8, 13.8, 9.7], 4.1),
    ] {
        let (security, secured) = exports(lower, upper, outage, 90.0);
        let s = &secured.solution;
        close(&mw(&s.dispatch[..2]), &dispatch, 1e-7);
        close(&lmp(s)[..3], &prices, 1e-7);
        let state = security.interfaces(&secured.program, s, &secured.pool)[0];
        close(
            &[state.flow * BASE, state.excess, state.shadow / BASE],
            &[dispatch[1], 0.0, shadow],
            1e-7,
        );
        assert!(security.binding(&secured.program, s, &secured.pool).is_empty());
    }
}

#[test]
fn an_interface_is_exceeded_at_its_price() {
    // Unit 1 generates at most 250 of the 400 MW; bus 3 has to export the other 150 MW.
    let (security, secured) = exports(f64::NEG_INFINITY, 100.0, &[], 400.0);
    let s = &secured.solution;
    close(&mw(&s.dispatch[..2]), &[250.0, 150.0], 1e-6);
    let state = security.interfaces(&secured.program, s, &secured.pool)[0];
    close(&[state.excess * BASE, state.shadow / BASE], &[50.0, 1000.0], 1e-6);
    let (penalties, excess) = secured.program.penalties(s);
    close(&[penalties, excess * BASE], &[50_000.0, 50.0], 1e-4);
    // The price at bus 3 is its marginal cost, beyond the interface 1,000 $/MWh more.
    close(&lmp(s)[..3], &[1026.7, 1026.7, 26.7], 1e-6);
}

#[test]
fn the_end_of_an_interval_names_the_limit_after_its_outage() {
    let (security, secured) = triangle(90.0, 2000.0);
    let network = {
        let mut network = three_bus([250.0; 3]);
        network.buses[1].demand_pu = 90.0 / BASE;
        network
    };
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let data = DcData::base(&network);
    let direction = Direction::from(Target::Demand(1));
    let further = security.along(&model, &data, secured, &direction);
    let column = further.solution.derivative(&further.program, &direction);
    // From 71.36 MW, where the limit of line 3 after the outage of line 2 stops binding, to 100 MW, where that after the
    // outage of line 1 binds too.
    let ends = [&column.warrant.lower, &column.warrant.upper].map(|end| end.as_ref().unwrap());
    close(&ends.map(|end| end.step * BASE), &[71.363636363636 - 90.0, 10.0], 1e-7);
    let named = ends.map(|end| (end.element.id, end.element.outage().branches));
    assert_eq!(named, [(3, vec![2]), (3, vec![1])]);
}

/// Objective, lowest and highest price, and total excess of all lines, from explicit programs with angles for every
/// outage (HiGHS), at a penalty of 1,000 $/MWh.
#[test]
fn public_cases_equal_explicit_programs() {
    let Some(folder) = data_folder() else { return };
    for (case, factor, objective, lowest, highest, excess) in [
        ("pglib_opf_case5_pjm", 1.0, 22869.595960, 10.0, 40.0, 0.0),
        ("pglib_opf_case14_ieee", 1.0, 74957.090346, 7.920951, 1007.920951, 72.0),
        (
            "pglib_opf_case30_ieee",
            1.0,
            155126.647827,
            18.421528,
            3018.421528,
            146.8,
        ),
        ("pglib_opf_case39_epri", 1.5, 137193.002352, 6.724778, 35.815402, 0.0),
        (
            "pglib_opf_case39_epri",
            1.0,
            607477.845051,
            6.724778,
            1113.566141,
            464.243704,
        ),
        ("pglib_opf_case118_ieee", 1.5, 95999.399498, 20.426743, 57.241803, 0.0),
    ] {
        let path = folder.join("pglib").join(format!("{case}.m"));
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let network = ingest_case(&bytes, "matpower").unwrap().network;
        let (_, _, secured) = solve(&network, all(&network, factor, 1000.0));
        let price = &lmp(&secured.solution)[..network.buses.len()];
        let least = price.iter().fold(f64::INFINITY, |m, p| m.min(*p));
        let most = price.iter().fold(f64::NEG_INFINITY, |m, p| m.max(*p));
        let relative = (secured.solution.objective - objective).abs() / objective;
        println!(
            "{case} x{factor}: {} rounds, {relative:.1e}, prices {least:.6} to {most:.6}, excess {:.6} MW",
            secured.pool.rounds,
            secured.program.penalties(&secured.solution).1 * network.base_mva
        );
        assert!(relative < 1e-10, "{case}: {}", secured.solution.objective);
        close(&[least, most], &[lowest, highest], 2e-6);
        assert!((secured.program.penalties(&secured.solution).1 * network.base_mva - excess).abs() < 1e-4);
    }
}

/// dLMP/dd2 and dLMP/dR of line 1-3 with 90 MW at bus 2, and the interval of the demand.
#[test]
fn derivatives_know_pairs_without_a_row() {
    let mut network = three_bus([250.0; 3]);
    let rules = [
        LimitRule::RATING,
        LimitRule::RATING,
        LimitRule {
            rate: 0.2,
            constant: 0.0,
        },
    ];
    let limits = SecurityLimits {
        after_outages: rules.map(Some).to_vec(),
        ..all(&network, 1.0, 2000.0)
    };
    network.buses[1].demand_pu = 90.0 / BASE;
    let (model, security, secured) = solve(&network, limits);
    let data = DcData::base(&network);
    let derivative = |target: Target| {
        let direction = Direction::from(target);
        let known = security.along(&model, &data, secured.clone(), &direction);
        known
            .solution
            .derivative(&known.program, &known.program.with_following(&direction))
    };
    let by_demand = derivative(Target::Demand(1));
    let slopes =
        |column: &SensitivityColumn| -> Vec<f64> { column.price[..3].iter().map(|d| d / BASE / BASE).collect() };
    close(&slopes(&by_demand), &[0.22, 0.22, 0.0], 1e-9);
    // At 71.36 MW unit 3 is cheaper than the limit after the outage of line 2-3 allows; at 100 MW line 1-3 is at its
    // limit after the outage of line 1-2 too, a pair that has no row at 90 MW.
    let (lower, upper) = by_demand.warrant.interval();
    close(
        &[90.0 + lower * BASE, 90.0 + upper * BASE],
        &[71.363_636_363_6, 100.0],
        1e-7,
    );
    // The limit is a fifth of the rating.
    let by_rating = derivative(Target::Rating(2));
    close(&slopes(&by_rating), &[-0.22 / 5.0, -0.22 / 5.0, 0.17 / 5.0], 1e-9);
}

/// The derivative of each price by a demand against differences of solves, inside the interval and beyond its ends.
#[test]
fn intervals_of_a_public_case_end_where_solves_do() {
    let Some(folder) = data_folder() else { return };
    let bytes = std::fs::read(folder.join("activsg500/case_ACTIVSg500.m"))
        .or_else(|_| std::fs::read(folder.join("matpower/case_ACTIVSg500.m")));
    let network = ingest_case(&bytes.unwrap(), "matpower").unwrap().network;
    let (model, security, secured) = solve(&network, all(&network, 1.0, 2000.0));
    let data = DcData::base(&network);
    println!(
        "{} rounds, objective {:.6}, {} binding",
        secured.pool.rounds,
        secured.solution.objective,
        security
            .binding(&secured.program, &secured.solution, &secured.pool)
            .len()
    );
    let buses: Vec<usize> = (0..network.buses.len())
        .filter(|&b| network.buses[b].demand_pu > 0.0)
        .step_by(29)
        .collect();
    for bus in buses {
        let direction = Direction::from(Target::Demand(bus));
        let known = security.along(&model, &data, secured.clone(), &direction);
        let column = known.solution.derivative(&known.program, &direction);
        let (lower, upper) = column.warrant.interval();
        let solve_at = |step: f64| {
            security
                .optimum(&model, &data.moved(&direction, step), None)
                .map(|s| s.solution.price)
        };
        for end in [lower.max(-data.demand[bus]), upper.min(1.0)] {
            let inside = solve_at(0.98 * end).unwrap();
            for (b, (after, before)) in inside
                .iter()
                .zip(&secured.solution.price)
                .take(network.buses.len())
                .enumerate()
            {
                let predicted = before + 0.98 * end * column.price[b];
                assert!(
                    (after - predicted).abs() < 1e-5 * (1.0 + before.abs()),
                    "bus {bus}, step {end}, at {b}: {after}, {predicted}"
                );
            }
        }
    }
}

/// Three buses with a further unit at bus 2, which costs 50 $/MWh, and the model in which all units are apart.
fn triangle_of_three_units() -> (AnalysisNetwork, DcModel, DcData) {
    let mut network = three_bus([250.0; 3]);
    network
        .generators
        .push(generator(3, 1, (0.0, 100.0), quadratic(0.0, 50.0)));
    let apart = Apart {
        units: vec![0, 1, 2],
        lost_load: None,
    };
    let outline = DcOutline::with_apart(&network, Convention::Service, &apart).unwrap();
    let data = DcData::with_apart(&network, &apart);
    (network, outline.factored().unwrap(), data)
}

/// The outage of each generator.
fn each_unit(network: &AnalysisNetwork) -> Vec<Contingency> {
    let unit = |generator| Contingency {
        branches: Vec::new(),
        generators: vec![generator],
    };
    (0..network.generators.len()).map(unit).collect()
}

fn optimum(model: &DcModel, data: &DcData, limits: SecurityLimits) -> (Security, Secured) {
    let security = Security::new(model, limits).unwrap();
    let secured = security.optimum(model, data, None).unwrap();
    assert!(
        secured.solution.certificate.holds(),
        "{:?}",
        secured.solution.certificate
    );
    (security, secured)
}

#[test]
fn others_replace_a_unit_by_their_factors() {
    let (network, model, data) = triangle_of_three_units();
    // Without unit 2 (at bus 3) unit 1 replaces two thirds and unit 3 (at bus 2) one third. Line 1-2 then carries
    // 2/3 p1 + 4/9 p2, which is 45 MW with p1 + p2 = 90 MW at 22.5 and 67.5 MW.
    let limits = SecurityLimits {
        outages: each_unit(&network),
        participation: vec![20.0, 10.0, 10.0],
        after_outages: vec![
            Some(LimitRule {
                rate: 45.0 / 250.0,
                constant: 0.0,
            }),
            None,
            None,
        ],
        penalty: Some(1000.0 * BASE),
        ..SecurityLimits::default()
    };
    let (security, secured) = optimum(&model, &data, limits.clone());
    let s = &secured.solution;
    close(&mw(&s.dispatch[..3]), &[22.5, 67.5, 0.0], 1e-7);
    // Marginal costs are 9.95 and 12.675 $/MWh, and differ from the price of bus 2 by 2/3 and 4/9 of the shadow price;
    // that of bus 3 differs by one third.
    close(&lmp(s)[..3], &[9.95, 18.125, 14.0375], 1e-7);
    assert!((s.objective - 636.46875).abs() < 1e-6, "{}", s.objective);
    let binding = security.binding(&secured.program, s, &secured.pool);
    assert_eq!(binding.len(), 1);
    assert_eq!((binding[0].branch, binding[0].outage), (0, Some(1)));
    close(
        &[binding[0].shadow / BASE, binding[0].flow * BASE],
        &[12.2625, 45.0],
        1e-7,
    );

    // With line 1-3 out as well, all of unit 1 and of its share is on line 1-2, and unit 3 supplies the rest:
    // p1 + 2/3 p2 = 69 MW.
    let both = SecurityLimits {
        outages: vec![Contingency {
            branches: vec![2],
            generators: vec![1],
        }],
        after_outages: vec![
            Some(LimitRule {
                rate: 69.0 / 250.0,
                constant: 0.0,
            }),
            None,
            None,
        ],
        ..limits.clone()
    };
    let (_, secured) = optimum(&model, &data, both);
    close(&mw(&secured.solution.dispatch[..3]), &[27.0, 63.0, 0.0], 1e-7);

    // A unit that none replaces is left out.
    let alone = SecurityLimits {
        participation: vec![0.0, 1.0, 0.0],
        ..limits
    };
    let (security, _) = optimum(&model, &data, alone);
    assert_eq!(security.left_out(), [vec![], vec![], vec![1]]);
}

#[test]
fn an_interface_after_the_outage_of_a_unit() {
    let (network, model, data) = triangle_of_three_units();
    // The flow of line 1-2 after the outage of unit 2, as above.
    let limits = SecurityLimits {
        after_outages: vec![None; 3],
        participation: vec![20.0, 10.0, 10.0],
        interfaces: vec![Interface {
            name: "1-2".into(),
            flows: vec![(0, 1.0)],
            lower: f64::NEG_INFINITY,
            upper: 45.0 / BASE,
            outage: each_unit(&network)[1].clone(),
        }],
        interface_penalty: Some(1000.0 * BASE),
        ..SecurityLimits::default()
    };
    let (security, secured) = optimum(&model, &data, limits);
    let s = &secured.solution;
    close(&lmp(s)[..3], &[9.95, 18.125, 14.0375], 1e-7);
    let state = security.interfaces(&secured.program, s, &secured.pool)[0];
    close(&[state.flow * BASE, state.shadow / BASE], &[45.0, 12.2625], 1e-7);
}

/// Objective, lowest and highest price, and excess, from explicit programs with angles for every outage (HiGHS by SciPy), at a
/// penalty of 1,000 $/MWh. Units replace each other in proportion to their largest outputs.
#[test]
fn outages_of_units_equal_explicit_programs() {
    let Some(folder) = data_folder() else { return };
    for (case, factor, with_lines, objective, lowest, highest, excess) in [
        ("39_epri", 1.0, false, 281446.877068, -46.845974, 936.247534, 124.996767),
        ("39_epri", 1.2, false, 138744.129369, 6.724778, 40.001323, 0.0),
        ("39_epri", 1.5, true, 137193.002352, 6.724778, 35.815402, 0.0),
        ("118_ieee", 1.5, true, 95999.399498, 20.426743, 57.241803, 0.0),
        ("118_ieee", 1.2, false, 94028.464064, 12.612170, 36.928735, 0.0),
        ("118_ieee", 1.0, false, 159559.603062, 17.946552, 923.392682, 51.940988),
    ] {
        let path = folder.join("pglib").join(format!("pglib_opf_case{case}.m"));
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let network = ingest_case(&bytes, "matpower").unwrap().network;
        let apart = Apart {
            units: (0..network.generators.len()).collect(),
            lost_load: None,
        };
        let outline = DcOutline::with_apart(&network, Convention::Service, &apart).unwrap();
        let (model, data) = (outline.factored().unwrap(), DcData::with_apart(&network, &apart));
        let of_lines = all(&network, factor, 1000.0);
        let participates = |g: &Generator| if g.pmax_pu > g.pmin_pu { g.pmax_pu.max(0.0) } else { 0.0 };
        let mut outages = each_unit(&network);
        if with_lines {
            outages.extend(of_lines.outages.iter().cloned());
        }
        let limits = SecurityLimits {
            outages,
            participation: network.generators.iter().map(participates).collect(),
            ..of_lines
        };
        let (_, secured) = optimum(&model, &data, limits);
        let price = &lmp(&secured.solution)[..network.buses.len()];
        let least = price.iter().fold(f64::INFINITY, |m, p| m.min(*p));
        let most = price.iter().fold(f64::NEG_INFINITY, |m, p| m.max(*p));
        let relative = (secured.solution.objective - objective).abs() / objective;
        println!("{case} x{factor}: {relative:.1e}, prices {least:.6} to {most:.6}");
        assert!(relative < 1e-10, "{case}: {}", secured.solution.objective);
        close(&[least, most], &[lowest, highest], 2e-6);
        assert!((secured.program.penalties(&secured.solution).1 * network.base_mva - excess).abs() < 1e-4);
    }
}

#[test]
fn limits_that_no_dispatch_holds_are_raised() {
    // After the outage of line 1-2 line 1-3 carries all of unit 1, which is at least 10 MW, and after that of line 2-3
    // all of unit 3.
    let mut network = three_bus([500.0; 3]);
    network.buses[1].demand_pu = 290.0 / BASE;
    let rule = |mw: f64| {
        Some(LimitRule {
            rate: 0.0,
            constant: mw / BASE,
        })
    };
    let limits = |mw: f64| SecurityLimits {
        after_outages: vec![None, None, rule(mw)],
        ..all(&network, 1.0, 1000.0)
    };
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let data = DcData::base(&network);
    // Unit 3 has at most 270 MW, so that unit 1 has at least 20 MW, and unit 1 at most 250, so that unit 3 has at least 40.
    let mut security = Security::new(&model, limits(30.0)).unwrap();
    let (raised, secured) = security.raise_limits(&model, &data).unwrap();
    assert_eq!(raised.len(), 1);
    assert_eq!((raised[0].branch, raised[0].outage), (2, 1));
    close(
        &[raised[0].limit, raised[0].least, raised[0].raised_to].map(|mw| mw * BASE),
        &[30.0, 40.0, 40.8],
        1e-9,
    );
    // At a limit of 40.8 MW for both outages the excess is shared: p1 = p3 = 145 MW.
    close(&mw(&secured.solution.dispatch[..2]), &[145.0, 145.0], 1e-7);
    close(&[secured.program.penalties(&secured.solution).1 * BASE], &[104.2], 1e-7);

    // A limit that some dispatch holds stays, though other limits prevent that.
    let mut security = Security::new(&model, limits(60.0)).unwrap();
    let (raised, secured) = security.raise_limits(&model, &data).unwrap();
    assert_eq!(raised, []);
    close(&[secured.program.penalties(&secured.solution).1 * BASE], &[85.0], 1e-7);
}

#[test]
fn demand_is_lost_at_its_price() {
    // 520 MW of capacity for 540 MW of demand at bus 2 and 30 MW at bus 3.
    let mut network = three_bus([1000.0; 3]);
    network.buses[1].demand_pu = 540.0 / BASE;
    network.buses[2].demand_pu = 30.0 / BASE;
    let apart = Apart {
        units: Vec::new(),
        lost_load: Some(9000.0 * BASE),
    };
    let outline = DcOutline::with_apart(&network, Convention::Service, &apart).unwrap();
    let (model, data) = (outline.factored().unwrap(), DcData::with_apart(&network, &apart));
    let (_, secured) = optimum(&model, &data, SecurityLimits::default());
    let s = &secured.solution;
    close(&lmp(s)[..3], &[9000.0; 3], 1e-7);
    let lost: f64 = model.lost_loads().iter().map(|lost| s.dispatch[lost.1]).sum();
    close(&[lost * BASE], &[50.0], 1e-7);

    // Lines 1-2 and 2-3 bring 50 MW each to bus 2, and nothing is lost at bus 3.
    let mut narrow = network.clone();
    narrow.branches[0].rating_pu = 50.0 / BASE;
    narrow.branches[1].rating_pu = 50.0 / BASE;
    let outline = DcOutline::with_apart(&narrow, Convention::Service, &apart).unwrap();
    let (model, data) = (outline.factored().unwrap(), DcData::with_apart(&narrow, &apart));
    let (_, secured) = optimum(&model, &data, SecurityLimits::default());
    let s = &secured.solution;
    let lost: Vec<f64> = model
        .lost_loads()
        .iter()
        .map(|lost| s.dispatch[lost.1] * BASE)
        .collect();
    close(&lost, &[440.0, 0.0], 1e-7);
    // Both lines carry 50 MW, so that bus 3 is at the angle of bus 1: unit 1 supplies 50 MW and unit 2 80 MW.
    close(&mw(&s.dispatch[..2]), &[50.0, 80.0], 1e-7);
    close(&[lmp(s)[1]], &[9000.0], 1e-7);

    // With 1e-7 MW on either line hardly anything arrives at bus 2, and its demand is lost; more demand is lost too.
    let mut cut = network;
    cut.generators.iter_mut().for_each(|unit| unit.pmin_pu = 0.0);
    cut.branches[0].rating_pu = 1e-9;
    cut.branches[1].rating_pu = 1e-9;
    let outline = DcOutline::with_apart(&cut, Convention::Service, &apart).unwrap();
    let (model, data) = (outline.factored().unwrap(), DcData::with_apart(&cut, &apart));
    let (security, secured) = optimum(&model, &data, SecurityLimits::default());
    let more = Direction::of_demand(1);
    let known = security.along(&model, &data, secured, &more);
    let column = known
        .solution
        .derivative(&known.program, &known.program.with_following(&more));
    close(&mw(&column.price[..3]), &[0.0; 3], 1e-6);

    // Unit 3 at bus 2 must run at 600 MW: the lines take 100 MW away, nothing is lost.
    let mut forced = narrow;
    forced.buses[2].demand_pu = 200.0 / BASE;
    forced
        .generators
        .push(generator(3, 1, (600.0, 700.0), quadratic(0.0, 50.0)));
    let outline = DcOutline::with_apart(&forced, Convention::Service, &apart).unwrap();
    let (model, data) = (outline.factored().unwrap(), DcData::with_apart(&forced, &apart));
    let (_, secured) = optimum(&model, &data, SecurityLimits::default());
    let lost = model
        .lost_loads()
        .iter()
        .map(|lost| secured.solution.dispatch[lost.1].abs());
    assert!(lost.sum::<f64>() < 1e-9);
}
