//! Branches without impedance: the three-bus network with one of its buses split in two
//! has the same prices, and a limit on the branch between the halves is exact.

use crate::common::{bus, close, generator, line, lmp, mw, network, quadratic, solve, three_bus, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Branch};
use wattbook_solve::dc::{explain, Convention, DcData, DcModel, DcOptimizer, DualActiveSet, Target};
use wattbook_solve::vocabulary::Direction;

/// A branch without impedance.
fn link(id: u64, from: usize, to: usize, rating_mw: f64) -> Branch {
    Branch {
        r_pu: 0.0,
        x_pu: 0.0,
        ..line(id, from, to, rating_mw)
    }
}

/// Line 2-3 limited to 40 MW, with the demand of bus 2 moved to bus 4 behind a link.
#[test]
fn a_split_bus_has_one_price_and_one_angle() {
    let mut network = three_bus([250.0, 40.0, 250.0]);
    network.buses.push(bus(4, 90.0));
    network.buses[1].demand_pu = 0.0;
    network.branches.push(link(4, 1, 3, 250.0));
    for convention in [Convention::Service, Convention::PowerModels, Convention::Matpower] {
        let model = DcModel::new(&network, convention).unwrap();
        let s = DualActiveSet.optimum(&model, &DcData::base(&network), None).unwrap();
        close(&lmp(&s), &[18.20, 30.10, 6.30, 30.10], 1e-7);
        close(&mw(&s.dispatch), &[60.0, 30.0], 1e-7);
        assert!((s.flow[3] * BASE - 90.0).abs() < 1e-9, "{:?}", s.flow);
        assert_eq!(s.theta[1].to_bits(), s.theta[3].to_bits());
        let column = s.derivative(&model, &Direction::from(Target::Demand(3)));
        let column: Vec<f64> = column.price.iter().map(|p| p / BASE / BASE).collect();
        close(&column, &[0.44, 1.05, -0.17, 1.05], 1e-9);
    }
}

/// Bus 3 split so that line 2-3 is at bus 3 and the rest at bus 4: the link carries the flow of line 2-3, so its limit
/// of 40 MW gives the prices of that line's limit, with its shadow price of 35.70 between the halves.
fn limited_link() -> AnalysisNetwork {
    let mut network = three_bus([250.0, 250.0, 250.0]);
    network.buses.push(bus(4, 0.0));
    network.branches[2].to = 3;
    network.generators[1].bus = 3;
    network.branches.push(link(4, 3, 2, 40.0));
    network
}

#[test]
fn a_limited_link_is_a_row_like_any_other() {
    let network = limited_link();
    let (model, s) = solve(&network);
    close(&mw(&s.dispatch), &[60.0, 30.0], 1e-7);
    close(&lmp(&s), &[18.20, 30.10, 6.30 + 35.70, 6.30], 1e-7);
    assert!((s.flow[3] * BASE - 40.0).abs() < 1e-9);
    assert!((s.shadow[3] / BASE - 35.70).abs() < 1e-7);
    assert!(s.certificate.stationarity_usd_per_mwh < 1e-9);
    let column = |target| {
        let column = s.derivative(&model, &Direction::from(target));
        column.price.iter().map(|p| p / BASE / BASE).collect::<Vec<_>>()
    };
    let rating = column(Target::Rating(3));
    close(&[rating[0], rating[1], rating[3]], &[-0.66, -1.83, 0.51], 1e-9);
    let demand = column(Target::Demand(1));
    close(&[demand[0], demand[1], demand[3]], &[0.44, 1.05, -0.17], 1e-9);
    // 1 MW more at bus 3 beyond the full link is equivalent to a limit lower by 1 MW and 1 MW at the node.
    let at_node = column(Target::Demand(3));
    let beyond = column(Target::Demand(2));
    for k in 0..4 {
        assert!((beyond[k] - (at_node[k] - rating[k])).abs() < 1e-9, "{beyond:?}");
    }
}

/// Units at 10 $/MWh on bus 1 and at 20 $/MWh on bus 3, a link 1-2 to 100 MW, a line 2-3. More expensive units beside
/// them, which stay at zero, make one side or the other the smaller one, with a single unit or with several.
#[test]
fn a_link_is_the_same_whichever_side_has_the_reference() {
    for (reversed, reference, beside, demand_mw) in cases() {
        let what = format!("reversed {reversed}, reference {reference}, beside {beside:?}, {demand_mw} MW");
        let ends = if reversed { (1, 0) } else { (0, 1) };
        let mut buses = vec![bus(1, 0.0), bus(2, demand_mw), bus(3, 10.0)];
        for bus in &mut buses {
            bus.is_reference = bus.id == reference;
        }
        let mut generators = vec![
            generator(1, 0, (0.0, 250.0), quadratic(0.0, 10.0)),
            generator(2, 2, (0.0, 250.0), quadratic(0.0, 20.0)),
        ];
        for &at in beside {
            let id = generators.len() as u64 + 1;
            generators.push(generator(id, at, (0.0, 50.0), quadratic(0.0, 30.0)));
        }
        let branches = vec![link(1, ends.0, ends.1, 100.0), line(2, 1, 2, 250.0)];
        let network = network(buses, branches, generators);
        let model = DcModel::new(&network, Convention::Service).unwrap();
        let data = DcData::base(&network);
        let cold = DualActiveSet.optimum(&model, &data, None).expect(&what);
        let plain = DualActiveSet
            .optimum_without_presolve(&model, &data, None)
            .expect(&what);
        let mut less = data.clone();
        less.demand[1] = 0.5;
        let start = DualActiveSet.optimum(&model, &less, None).expect(&what);
        let warm = DualActiveSet.warm(&model, &data, &start).expect(&what);
        let is_full = demand_mw > 90.0;
        let by_first = if is_full { 100.0 } else { demand_mw + 10.0 };
        let by_second = demand_mw + 10.0 - by_first;
        for s in [&cold, &plain, &warm] {
            close(&mw(&s.dispatch[..2]), &[by_first, by_second], 1e-9);
            close(&[s.objective], &[10.0 * by_first + 20.0 * by_second], 1e-7);
            let beyond = if is_full { 20.0 } else { 10.0 };
            close(&lmp(s), &[10.0, beyond, beyond], 1e-9);
            close(&mw(&s.flow[..1]), &[if reversed { -by_first } else { by_first }], 1e-9);
            // One MW more at a bus is generated on its side of the full link, one MW of rating moves across.
            let moved = |target| {
                let mut rates = [0.0; 2];
                for (unit, rate) in s.derivative(&model, &Direction::from(target)).dispatch {
                    rates[unit] += rate;
                }
                rates
            };
            close(&moved(Target::Demand(0)), &[1.0, 0.0], 1e-9);
            let across = if is_full { [0.0, 1.0] } else { [1.0, 0.0] };
            close(&moved(Target::Demand(1)), &across, 1e-9);
            close(&moved(Target::Demand(2)), &across, 1e-9);
            let by_rating = if is_full { [1.0, -1.0] } else { [0.0, 0.0] };
            close(&moved(Target::Rating(0)), &by_rating, 1e-9);
        }
        // Beyond the full link 60 MW are required of a unit that now gives 20: the rest is missing.
        if is_full {
            let mut short = network.clone();
            short.generators[1].pmax_pu = 0.2;
            let missed = 40.0 - 50.0 * beside.iter().filter(|&&at| at == 2).count() as f64;
            let model = DcModel::new(&short, Convention::Service).unwrap();
            let found = explain(&model, &data).expect(&what);
            let total = found.map_or(0.0, |e| e.relaxation_total_mw);
            close(&[total], &[missed.max(0.0)], 1e-6);
        }
    }
}

fn cases() -> impl Iterator<Item = (bool, u64, &'static [usize], f64)> {
    let besides: [&[usize]; 4] = [&[], &[0], &[2], &[0, 2]];
    let cases = [false, true]
        .into_iter()
        .flat_map(|r| [1, 2, 3].map(|reference| (r, reference)));
    let cases = cases.flat_map(move |(r, reference)| besides.map(|beside| (r, reference, beside)));
    cases.flat_map(|(r, reference, beside)| [150.0, 80.0].map(|mw| (r, reference, beside, mw)))
}

/// A generator behind a limited link: a bridge with one unit, without impedance.
#[test]
fn a_unit_behind_a_link_is_held_by_it() {
    let mut network = three_bus([250.0; 3]);
    network.buses.push(bus(4, 0.0));
    network.generators[1].bus = 3;
    network.branches.push(link(4, 2, 3, 50.0));
    let (_, s) = solve(&network);
    close(&mw(&s.dispatch), &[40.0, 50.0], 1e-7);
    let (other, own) = (0.22 * 40.0 + 5.0, 0.17 * 50.0 + 1.2);
    close(&lmp(&s), &[other, other, other, own], 1e-9);
    assert!((s.shadow[3].abs() / BASE - (other - own)).abs() < 1e-9);
}

#[test]
fn loops_of_links_share_their_flow_or_are_refused() {
    let mut network = three_bus([250.0, 40.0, 250.0]);
    network.buses.push(bus(4, 90.0));
    network.buses[1].demand_pu = 0.0;
    network.branches.push(link(4, 1, 3, 100.0));
    network.branches.push(link(5, 3, 1, 100.0));
    let (_, s) = solve(&network);
    close(&lmp(&s), &[18.20, 30.10, 6.30, 30.10], 1e-7);
    close(&mw(&s.flow[3..]), &[45.0, -45.0], 1e-9);
    // The split of the 90 MW between them is not determined: a rating below half of it cannot be enforced.
    network.branches[3].rating_pu = 0.4;
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let error = DualActiveSet
        .optimum(&model, &DcData::base(&network), None)
        .unwrap_err();
    assert_eq!((error.code, error.element.unwrap().id), ("PHYSICS.UNSUPPORTED", 4));
}

/// Resistance without reactance: no flow, and refused where the convention divides by the reactance.
#[test]
fn resistance_alone_carries_no_flow() {
    let mut network = three_bus([250.0, 40.0, 250.0]);
    network.branches.push(Branch {
        x_pu: 0.0,
        ..line(4, 0, 1, 250.0)
    });
    let (_, s) = solve(&network);
    close(&lmp(&s), &[18.20, 30.10, 6.30], 1e-7);
    assert_eq!(s.flow[3], 0.0);
    let error = DcModel::new(&network, Convention::Matpower).unwrap_err();
    assert_eq!((error.code, error.element.unwrap().id), ("PHYSICS.UNSUPPORTED", 4));
    network
        .generators
        .push(generator(3, 0, (0.0, 1.0), quadratic(0.0, 50.0)));
    assert!(DcModel::new(&network, Convention::Service).is_ok());
}
