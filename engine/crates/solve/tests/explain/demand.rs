//! Demand that cannot be served.

use crate::common::{bus, close, generator, line, network, quadratic};
use crate::limits::{contradicting, explained, relaxed, two_bus};
use wattbook_network::analysis::ElementKind;
use wattbook_solve::dc::{demand_limit, Convention, DcData, DcModel, Kind, Limit};

#[test]
fn capacity_is_short() {
    let e = explained(&two_bus(300.0, 400.0, &[(0, 0.0, 100.0), (1, 0.0, 150.0)]));
    assert_eq!(e.kind, Kind::Balance);
    close(&[e.relaxation_total_mw], &[50.0], 1e-6);
    let units: Vec<_> = contradicting(&e).iter().map(|c| (c.1, c.2, c.3, c.4)).collect();
    assert_eq!(
        units,
        [(1, Limit::Maximum, 1.0, 100.0), (2, Limit::Maximum, 1.0, 150.0)]
    );
    assert_eq!(
        e.message().to_string(),
        "No solution: the demand exceeds the generators' capacity by 50.0 MW. Minimum relaxation: reduce demand at \
         bus 2 by 50.0 MW."
    );
}

/// The line permits 50 of the 100 MW at bus 1: 100 MW are missing at bus 2, of which the line could bring 50.
#[test]
fn capacity_is_short_behind_a_line() {
    let e = explained(&two_bus(300.0, 50.0, &[(0, 0.0, 100.0), (1, 0.0, 150.0)]));
    assert_eq!(e.kind, Kind::Balance);
    close(&[e.relaxation_total_mw], &[100.0], 1e-6);
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: reduce demand at bus 2 by 100.0 MW."
    );
}

/// Two lines in series to 90 MW: the excess of 30 MW is one relaxation of demand, not two of ratings. Either line
/// conflicts.
#[test]
fn demand_gives_way_where_it_saves() {
    let e = explained(&network(
        vec![bus(1, 0.0), bus(2, 0.0), bus(3, 90.0)],
        vec![line(1, 0, 1, 60.0), line(2, 1, 2, 60.0)],
        vec![generator(1, 0, (0.0, 250.0), quadratic(0.1, 5.0))],
    ));
    assert_eq!(e.kind, Kind::Lines);
    close(&[e.relaxation_total_mw], &[30.0], 1e-6);
    assert_eq!(
        e.message().to_string(),
        "No solution: the limit of line 1 cannot be met. Minimum relaxation: reduce demand at bus 3 by 30.0 MW."
    );
    // The other way round: a minimum of 90 MW behind both.
    let e = explained(&network(
        vec![bus(1, 200.0), bus(2, 0.0), bus(3, 0.0)],
        vec![line(1, 0, 1, 60.0), line(2, 1, 2, 50.0)],
        vec![
            generator(1, 0, (0.0, 250.0), quadratic(0.1, 5.0)),
            generator(2, 2, (90.0, 250.0), quadratic(0.1, 5.0)),
        ],
    ));
    close(&[e.relaxation_total_mw], &[40.0], 1e-6);
    // A reduction by 30 MW serves both lines; the other ten concern line 2 alone, as demand or as rating.
    let reported: f64 = relaxed(&e)
        .iter()
        .filter(|r| r.0 == ElementKind::Generator)
        .map(|r| r.3)
        .sum();
    assert!(reported >= 30.0 - 1e-6, "{}", e.remedy(None));
}

/// Once the demand behind its own line is used up, nothing can support the bound of a bridge: the demand is not bound
/// by the line, which is relaxed at its own cost.
#[test]
fn demand_at_the_end_of_a_line() {
    let e = explained(&network(
        vec![bus(1, 0.0), bus(2, 0.0), bus(3, 0.0), bus(4, 300.0)],
        vec![
            line(1, 0, 1, 90.0),
            line(2, 1, 2, 250.0),
            line(3, 0, 2, 90.0),
            line(4, 2, 3, 200.0),
        ],
        vec![generator(1, 0, (0.0, 400.0), quadratic(0.1, 5.0))],
    ));
    // Lines 3 and 1 carry 2/3 and 1/3 of the demand. 100 MW less of it serve lines 4 and 3 (and 1) at once; then line 3 is
    // alone, and its 400/3 - 90 MW are fewer than the demand they stand for.
    close(&[e.relaxation_total_mw], &[430.0 / 3.0], 1e-5);
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation, 143.4 MW in total: reduce demand at bus 4 by 100.0 MW and raise the rating of line 3 by 43.4 MW."
    );
}

/// Every displayed figure suffices: figures are rounded up, to three decimals if one is too coarse.
#[test]
fn figures_are_rounded_up() {
    let e = explained(&two_bus(90.04, 80.0, &[(0, 0.0, 250.0)]));
    close(
        &[e.relaxation_total_mw, e.relaxation[0].rounded_mw],
        &[10.04, 10.1],
        1e-7,
    );
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: raise the rating of line 1 by 10.1 MW."
    );
    let e = explained(&two_bus(80.0004, 80.0, &[(0, 0.0, 250.0)]));
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: raise the rating of line 1 by 0.001 MW."
    );
    // 250.06 MW of demand: no generator can run lower to let a tenth less of it be served.
    let e = explained(&two_bus(250.06, 400.0, &[(0, 100.0, 100.0), (1, 150.0, 150.0)]));
    close(&[e.relaxation_total_mw], &[0.06], 1e-6);
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: reduce demand at bus 2 by 0.060 MW."
    );
    let e = explained(&two_bus(252.0604, 400.0, &[(0, 100.0, 100.0), (1, 150.0, 150.0)]));
    close(&[e.relaxation[0].rounded_mw], &[2.0604], 1e-7);
}

/// 5.61 of 5.64 MW of demand: a tenth more than that is not available.
#[test]
fn no_more_demand_than_there_is() {
    let e = explained(&two_bus(5.64, 400.0, &[(0, 0.0, 0.03)]));
    close(&[e.relaxation_total_mw, e.verified.margin_mw], &[5.61, 0.03], 1e-6);
    close(&[e.relaxation[0].rounded_mw], &[5.64], 1e-12);
    assert!(e.relaxation[0].is_all);
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: remove all 5.640 MW of demand at bus 2."
    );
    // The generator cannot run lower: all of it would be too much.
    let e = explained(&two_bus(5.64, 400.0, &[(0, 0.03, 0.03)]));
    assert!(!e.relaxation[0].is_all);
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: reduce demand at bus 2 by 5.610 MW."
    );
    // Two islands without generators.
    let e = explained(&network(
        vec![bus(1, 0.0), bus(2, 10.0), bus(3, 5.64), bus(4, 7.0)],
        vec![line(1, 0, 1, 80.0)],
        vec![generator(1, 0, (0.0, 250.0), quadratic(0.1, 5.0))],
    ));
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: reduce demand by 12.7 MW in total, all 7.0 MW at bus 4 and all 5.640 MW at bus 3."
    );
}

/// Without generators 40 MW of shunt conductance cannot be supplied, and with 25 MW of negative demand 25 less is
/// missing.
#[test]
fn islands_that_only_demand_can_balance() {
    let mut case = network(
        vec![bus(1, 0.0), bus(2, 10.0), bus(3, 0.0), bus(4, -25.0)],
        vec![line(1, 0, 1, 80.0)],
        vec![generator(1, 0, (0.0, 250.0), quadratic(0.1, 5.0))],
    );
    let e = explained(&case);
    assert_eq!(e.kind, Kind::Balance);
    assert_eq!(
        e.remedy(None).to_string(),
        "Minimum relaxation: reduce net injection at bus 4 by 25.0 MW."
    );
    case.buses[3].demand_pu = 0.0;
    case.buses[2].gs_pu = 0.4;
    let e = explained(&case);
    close(&[e.relaxation_total_mw], &[40.0], 1e-6);
    assert_eq!(relaxed(&e)[0].2, Limit::Demand);
}

/// The largest and smallest demand of a bus, in closed form.
#[test]
fn the_most_a_bus_can_take() {
    let case = network(
        vec![bus(1, 0.0), bus(2, 100.0), bus(3, 500.0)],
        vec![line(1, 0, 1, 80.0), line(2, 1, 2, 250.0)],
        vec![
            generator(1, 0, (20.0, 250.0), quadratic(0.1, 5.0)),
            generator(2, 1, (10.0, 120.0), quadratic(0.0, 7.0)),
        ],
    );
    let model = DcModel::new(&case, Convention::Service).unwrap();
    let data = DcData::base(&case);
    // 80 + 120 - 100 MW are left for bus 3, whose line lets 250 through.
    let back = demand_limit(&model, &data, 2, 4.5).unwrap().unwrap();
    close(&[5.0 - back], &[1.0], 1e-9);
    assert_eq!(demand_limit(&model, &data, 2, 3.9).unwrap(), None);
    // Downwards both units stay at 30 MW.
    let mut low = data.clone();
    low.demand = vec![0.0, 0.0, 0.0];
    let back = demand_limit(&model, &low, 1, -0.9).unwrap().unwrap();
    close(&[-back], &[0.3], 1e-9);
}
