//! Days in closed form, and days without coupling against their hours.

use crate::common::{bus, close, generator, network, quadratic, solve, three_bus, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Cost, Storage, StorageModel};
use wattbook_solve::dc::{
    day_network, fixed_costs, Convention, Day, DayEventKind, DayHour, DayOptimum, DayRounds, DcData, DcModel, Ramp,
};

fn battery(bus: usize, mw: f64, [charging, discharging]: [f64; 2], energy_max: f64) -> Storage {
    Storage {
        id: 1,
        uid: None,
        bus,
        in_service: true,
        p_pu: 0.0,
        q_pu: 0.0,
        charge_max_pu: mw / BASE,
        discharge_max_pu: mw / BASE,
        rating_pu: f64::INFINITY,
        charge_efficiency: charging,
        discharge_efficiency: discharging,
        loss_pu: 0.0,
        energy_pu: Some(0.0),
        energy_min_pu: 0.0,
        energy_max_pu: energy_max / BASE,
        energy_value: None,
        model: StorageModel::Held,
    }
}

/// The day of a network with the demand of the buses in each hour, MW.
fn day(network: &AnalysisNetwork, demand: &[Vec<f64>]) -> Day {
    let (with, storages) = day_network(network);
    let model = DcModel::new(&with, Convention::Service).unwrap();
    let hour = |demand: &Vec<f64>| {
        let mut data = DcData::base(&with);
        for (own, mw) in data.demand.iter_mut().zip(demand) {
            *own = mw / BASE;
        }
        DayHour {
            data,
            availability: Vec::new(),
        }
    };
    Day {
        hours: demand.iter().map(hour).collect(),
        model,
        storages,
        ramps: Vec::new(),
        fixed_costs: fixed_costs(&with),
        length: 1.0,
    }
}

fn prices(found: &DayOptimum, bus: usize) -> Vec<f64> {
    found.hours.iter().map(|hour| hour.price[bus] / BASE).collect()
}

/// What a storage unit injects, MW.
fn injected(day: &Day, found: &DayOptimum) -> Vec<f64> {
    let [charging, discharging] = day.storages[0].generators;
    let of = |dispatch: &Vec<f64>| (dispatch[charging] + dispatch[discharging]) * BASE;
    found.hours.iter().map(|hour| of(&hour.dispatch)).collect()
}

fn energy_values(found: &DayOptimum) -> Vec<f64> {
    found.hours.iter().map(|hour| hour.energy_value[0] / BASE).collect()
}

fn one_bus(units: &[(f64, f64)], storage: Option<Storage>) -> AnalysisNetwork {
    let generators = units.iter().enumerate();
    let generators = generators.map(|(k, &(price, mw))| generator(k as u64 + 1, 0, (0.0, mw), quadratic(0.0, price)));
    AnalysisNetwork {
        storages: storage.into_iter().collect(),
        ..network(vec![bus(1, 0.0)], Vec::new(), generators.collect())
    }
}

/// The battery charges until 20 $ of an hour replace 50 $ of the next, less its losses; what it cannot take sets the second price.
#[test]
fn a_battery_between_two_hours() {
    let network = one_bus(
        &[(20.0, 100.0), (50.0, 200.0)],
        Some(battery(0, 50.0, [0.9, 0.8], 1000.0)),
    );
    let day = day(&network, &[vec![80.0], vec![110.0]]);
    let found = day.optimum().unwrap();
    // The peaker does not run: 10 MW come from the battery, and the cheap unit has room for what that needs.
    close(&prices(&found, 0), &[20.0, 20.0 / 0.72], 1e-7);
    close(&injected(&day, &found), &[-10.0 / 0.72, 10.0], 1e-7);
    close(&energy_values(&found), &[20.0 / 0.9; 2], 1e-7);
    close(&[found.objective], &[3_877.777_777_8], 1e-6);
}

/// A full battery separates the values of the hours.
#[test]
fn a_full_battery() {
    let network = one_bus(&[(20.0, 100.0), (50.0, 200.0)], Some(battery(0, 50.0, [0.9, 0.8], 9.0)));
    let day = day(&network, &[vec![80.0], vec![150.0]]);
    let found = day.optimum().unwrap();
    close(&prices(&found, 0), &[20.0, 50.0], 1e-7);
    close(&injected(&day, &found), &[-10.0, 7.2], 1e-7);
    close(&energy_values(&found), &[20.0 / 0.9, 40.0], 1e-7);
    close(&[found.objective], &[5_940.0], 1e-6);
    close(
        &[found.hours[0].energy[0] * BASE, found.hours[1].energy[0] * BASE],
        &[9.0, 0.0],
        1e-7,
    );
}

/// One more MWh of the first hour lets the cheap unit climb further, which saves 30 $ (60 $) in the second.
#[test]
fn a_ramp_makes_a_negative_price() {
    for (peaker, first, objective, value) in [(50.0, -10.0, 3_600.0, 30.0), (80.0, -40.0, 4_200.0, 60.0)] {
        let network = one_bus(&[(20.0, 200.0), (peaker, 200.0)], None);
        let mut day = day(&network, &[vec![50.0], vec![100.0]]);
        day.ramps = vec![Ramp {
            generator: 0,
            up: 30.0 / BASE,
            down: f64::INFINITY,
        }];
        let found = day.optimum().unwrap();
        close(&prices(&found, 0), &[first, peaker], 1e-7);
        close(&[found.objective], &[objective], 1e-6);
        close(&[found.hours[1].ramp_value[0] / BASE], &[value], 1e-7);
    }
}

/// With quadratic costs the prices of both hours are in the ratio of the efficiencies.
#[test]
fn quadratic_costs_share_the_hours() {
    let unit = generator(1, 0, (0.0, 1000.0), quadratic(0.1, 10.0));
    let network = AnalysisNetwork {
        storages: vec![battery(0, 500.0, [0.9, 0.8], 1000.0)],
        ..network(vec![bus(1, 0.0)], Vec::new(), vec![unit])
    };
    let day = day(&network, &[vec![100.0], vec![200.0]]);
    let found = day.optimum().unwrap();
    let charge = 6.0 / 0.30368;
    close(&injected(&day, &found), &[-charge, 0.72 * charge], 1e-6);
    close(&prices(&found, 0), &[33.951_528, 47.154_900], 1e-6);
    close(&[found.objective], &[7_940.727_081], 1e-6);
}

/// A congested line makes the battery's bus dear; it trades between the hours there.
#[test]
fn a_battery_behind_a_congested_line() {
    let triangle = three_bus([40.0, 1000.0, 1000.0]);
    let network = AnalysisNetwork {
        generators: vec![
            generator(1, 0, (0.0, 1000.0), quadratic(0.0, 20.0)),
            generator(2, 1, (0.0, 1000.0), quadratic(0.0, 60.0)),
        ],
        storages: vec![battery(1, 50.0, [0.9, 0.9], 1000.0)],
        ..triangle
    };
    let day = day(&network, &[vec![0.0, 45.0, 0.0], vec![0.0, 100.0, 0.0]]);
    let found = day.optimum().unwrap();
    for (hour, want) in [[20.0, 48.6, 34.3], [20.0, 60.0, 40.0]].iter().enumerate() {
        let found: Vec<f64> = found.hours[hour].price.iter().map(|p| p / BASE).collect();
        close(&found, want, 1e-7);
    }
    close(&injected(&day, &found), &[-15.0, 12.15], 1e-7);
    close(&[found.objective], &[4_071.0], 1e-6);
    close(&[found.hours[1].flow[0] * BASE], &[40.0], 1e-7);
}

/// Hours that nothing couples have the optima of single hours, to the rounding of another method.
#[test]
fn uncoupled_hours_are_single_hours() {
    let network = three_bus([250.0, 40.0, 250.0]);
    let demands = [60.0, 90.0, 105.0];
    let hours: Vec<Vec<f64>> = demands.iter().map(|mw| vec![0.0, *mw, 0.0]).collect();
    let found = day(&network, &hours).optimum().unwrap();
    let mut total = 0.0;
    for (hour, mw) in demands.iter().enumerate() {
        let mut single = network.clone();
        single.buses[1].demand_pu = mw / BASE;
        let (_, one) = solve(&single);
        close(&found.hours[hour].price, &one.price, 1e-6);
        close(&found.hours[hour].dispatch, &one.dispatch, 1e-9);
        close(&found.hours[hour].shadow, &one.shadow, 1e-6);
        total += one.objective;
    }
    close(&[found.objective], &[total], 1e-6);
}

/// A cyclic unit chooses the energy that it begins and ends with; the folded program has the same optimum as one with that energy given.
#[test]
fn a_cyclic_battery_ends_as_it_begins() {
    let mut unit = battery(0, 50.0, [0.9, 0.8], 100.0);
    unit.energy_pu = None;
    let network = one_bus(&[(20.0, 100.0), (50.0, 200.0)], Some(unit));
    let demand = [110.0, 80.0, 90.0, 70.0, 120.0];
    let demand: Vec<Vec<f64>> = demand.iter().map(|mw| vec![*mw]).collect();
    let cyclic = day(&network, &demand);
    let found = cyclic.optimum().unwrap();
    let last = found.hours[4].energy[0];
    let mut given = cyclic.clone();
    given.storages[0].start = Some(last);
    given.storages[0].least_at_end = last;
    let same = given.optimum().unwrap();
    close(&[found.objective], &[same.objective], 1e-6);
    // 30 MWh of hours above 100 MW come from hours below, at 20 $ less the losses.
    close(&[found.objective], &[20.0 * (470.0 - 30.0 + 30.0 / 0.72)], 1e-6);
}

/// Inflow that exceeds the reservoir is spilled and worth nothing then.
#[test]
fn inflow_is_spilled_when_the_reservoir_is_full() {
    let mut unit = battery(0, 10.0, [1.0, 1.0], 5.0);
    unit.charge_max_pu = 0.0;
    let network = one_bus(&[(20.0, 100.0)], Some(unit));
    let mut day = day(&network, &[vec![30.0], vec![30.0]]);
    day.storages[0].inflow = vec![40.0 / BASE, 0.0];
    let found = day.optimum().unwrap();
    close(&injected(&day, &found), &[10.0, 5.0], 1e-7);
    close(&energy_values(&found), &[0.0, 20.0], 1e-7);
    close(&[found.objective], &[20.0 * 45.0], 1e-6);
}

/// Where demand is the output of all cheap units, any price up to that of the next unit is one; the battery's idle hours make none ambiguous.
#[test]
fn prices_between_two_units_are_not_unique() {
    let network = one_bus(&[(20.0, 100.0), (50.0, 200.0)], Some(battery(0, 10.0, [0.9, 0.9], 0.0)));
    let found = day(&network, &[vec![100.0], vec![80.0]]).optimum().unwrap();
    assert_eq!(found.hours[0].ambiguous, [0]);
    assert!(found.hours[1].ambiguous.is_empty());
    let price = prices(&found, 0);
    assert!((20.0 - 1e-6..=50.0 + 1e-6).contains(&price[0]), "{price:?}");
}

/// Power that no hour has is named with its hour.
#[test]
fn a_day_without_solution_names_the_hour() {
    let network = one_bus(&[(20.0, 100.0)], Some(battery(0, 50.0, [1.0, 1.0], 10.0)));
    let error = day(&network, &[vec![80.0], vec![130.0]]).optimum().unwrap_err();
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    assert!(error.to_string().contains("20.0 MW"), "{error}");
    assert!(error.to_string().contains("step 2"), "{error}");
}

fn with_fixed_cost(network: &AnalysisNetwork, c0: f64) -> AnalysisNetwork {
    let mut with = network.clone();
    if let Cost::Quadratic { c0: own, .. } = &mut with.generators[0].cost {
        *own = c0;
    }
    assert_eq!(fixed_costs(&with), [c0, 0.0]);
    with
}

/// A unit that is available in part fills its segments in order, and one that is not available has no limit of its change.
#[test]
fn availability_limits_units() {
    let network = one_bus(&[(20.0, 100.0), (50.0, 200.0)], None);
    let mut day = day(&network, &[vec![80.0], vec![80.0], vec![80.0]]);
    day.hours[1].availability = vec![(0, 0.5)];
    day.hours[2].availability = vec![(0, 0.0)];
    day.ramps = vec![Ramp {
        generator: 0,
        up: 1.0,
        down: 0.3,
    }];
    let found = day.optimum().unwrap();
    let first: Vec<f64> = found.hours.iter().map(|hour| hour.dispatch[0] * BASE).collect();
    close(&first, &[80.0, 50.0, 0.0], 1e-7);
    // A unit that is not available does not have the cost of running at zero output.
    day.fixed_costs[0] = 7.0;
    day.model = DcModel::new(&with_fixed_cost(&network, 7.0), Convention::Service).unwrap();
    let costs: Vec<f64> = day.optimum().unwrap().hours.iter().map(|hour| hour.cost).collect();
    close(&costs, &[1607.0, 2507.0, 4000.0], 1e-6);
}

/// Inside its interval a column is the difference of the prices of certified days, and at its end an element meets or leaves a limit.
#[test]
fn columns_are_differences_of_days() {
    let unit = |id, bus, c1| generator(id, bus, (0.0, 300.0), quadratic(0.05, c1));
    let triangle = three_bus([60.0, 1000.0, 1000.0]);
    let network = AnalysisNetwork {
        generators: vec![unit(1, 0, 10.0), unit(2, 1, 40.0)],
        storages: vec![battery(2, 30.0, [0.95, 0.9], 200.0)],
        ..triangle
    };
    let base = [[20.0, 40.0, 10.0], [20.0, 190.0, 80.0], [10.0, 110.0, 40.0]];
    let demand = |hour: usize, bus: usize, mw: f64| -> Vec<Vec<f64>> {
        let mut demand: Vec<Vec<f64>> = base.iter().map(|hour| hour.to_vec()).collect();
        demand[hour][bus] += mw;
        demand
    };
    let solved = |hour, bus, mw| day(&network, &demand(hour, bus, mw)).optimum().unwrap();
    let mut rounds = DayRounds::new(day(&network, &demand(0, 0, 0.0)));
    while rounds.round().unwrap().is_none() {}
    let mut ends = 0;
    for (hour, bus) in [(0, 1), (1, 2), (2, 0)] {
        let column = rounds.column(hour, bus).unwrap();
        let [lo, hi] = column.valid.map(|pu| pu * BASE);
        assert!(lo < 0.0 && hi > 0.0, "{lo} to {hi}");
        let step = 0.4 * hi.min(-lo).min(20.0);
        let (up, down) = (solved(hour, bus, step), solved(hour, bus, -step));
        let mut largest = 0.0f64;
        for at in 0..base.len() {
            for b in 0..3 {
                let difference = (up.hours[at].price[b] - down.hours[at].price[b]) / BASE / (2.0 * step);
                let found = column.price[at][b] / BASE / BASE;
                largest = largest.max(found.abs());
                assert!(
                    (difference - found).abs() < 1e-8,
                    "hour {at}, bus {b}: {found} and {difference}"
                );
            }
        }
        assert!(largest > 1e-3);
        // Just beyond the end the slope differs, unless the value of idle storage leaves some room.
        let reaches = column.ends[1]
            .as_ref()
            .is_some_and(|end| end.kind == DayEventKind::Reaches);
        ends += usize::from(reaches);
        if reaches {
            let (a, b) = (solved(hour, bus, hi + 0.1), solved(hour, bus, hi + 0.2));
            let slopes = (0..3).flat_map(|at| (0..3).map(move |bus| (at, bus)));
            let differs = slopes.filter(|&(at, bus)| {
                let slope = (b.hours[at].price[bus] - a.hours[at].price[bus]) / BASE / 0.1;
                (slope - column.price[at][bus] / BASE / BASE).abs() > 1e-5
            });
            assert!(differs.count() > 0, "no slope changes at {hi} MW: {:?}", column.ends);
        }
    }
    assert!(ends > 0);
}
