//! The analysis network of a small hand-made case, entry by entry.

mod common;

use common::{changed, ingest, refusal, CASE};
use std::f64::consts::{FRAC_PI_3, PI};
use wattbook_network::analysis::{AnalysisNetwork, Cost, ElementKind};
use wattbook_network::{export_module, ingest_case, network_from_module};

fn network() -> AnalysisNetwork {
    ingest(CASE).expect("the case is valid").network
}

#[test]
fn rows_keep_their_place_and_numbers() {
    let net = network();
    assert_eq!((net.name.as_str(), net.base_mva), ("four_bus", 200.0));
    assert_eq!(net.buses.iter().map(|b| b.id).collect::<Vec<_>>(), [10, 20, 30, 40]);
    assert_eq!(
        net.buses.iter().map(|b| b.in_service).collect::<Vec<_>>(),
        [true, true, true, false]
    );
    assert_eq!(net.branches.iter().map(|b| b.id).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(
        net.branches.iter().map(|b| b.in_service).collect::<Vec<_>>(),
        [true, true, false, false]
    );
    assert_eq!(
        net.generators
            .iter()
            .map(|g| (g.id, g.bus, g.in_service))
            .collect::<Vec<_>>(),
        [(1, 0, true), (2, 1, false), (3, 1, true)]
    );
    assert_eq!((net.n_canonical_buses, net.n_canonical_branches), (4, 4));
    assert!(
        net.buses.iter().all(|b| b.editable && b.uid.is_none()),
        "a MATPOWER file carries no uids"
    );
    let names: Vec<Option<&str>> = net.buses.iter().map(|b| b.name.as_deref()).collect();
    assert_eq!(names, [Some("North"), None, Some("Bus [3]"), Some("it's")]);
    assert!(net.buses[0].is_reference && !net.buses[1].is_reference);
    assert_eq!(net.coords_kind, None);
}

#[test]
fn values_are_per_unit_and_radians() {
    let net = network();
    let bus = &net.buses[2];
    assert_eq!(
        (bus.demand_pu, bus.demand_q_pu, bus.gs_pu, bus.bs_pu),
        (0.45, 0.15, 0.02, -0.095)
    );
    assert_eq!(net.buses[3].demand_pu, 0.0, "load at an isolated bus takes no part");
    let transformer = &net.branches[1];
    assert_eq!((transformer.tap, net.branches[0].tap), (0.98, 1.0));
    assert_eq!(transformer.shift_rad, -3.0 * (PI / 180.0));
    assert_eq!(
        (transformer.angle_min_rad, transformer.angle_max_rad),
        (-30.0 * (PI / 180.0), 45.0 * (PI / 180.0))
    );
    let generator = &net.generators[0];
    assert_eq!(
        (generator.pg_pu, generator.pmin_pu, generator.pmax_pu),
        (0.1, 0.05, 1.25)
    );
    assert_eq!(
        (net.generators[1].qmin_pu, net.generators[1].qmax_pu),
        (f64::NEG_INFINITY, f64::INFINITY)
    );
}

#[test]
fn windows_and_ratings_follow_the_rules() {
    let net = network();
    for row in [0, 2, 3] {
        let b = &net.branches[row];
        assert_eq!((b.angle_min_rad, b.angle_max_rad), (-FRAC_PI_3, FRAC_PI_3));
    }
    assert_eq!(
        (net.branches[0].rating_pu, net.branches[0].rating_is_fallback),
        (1.25, false)
    );
    // T = 45 degrees, both ends at 1.1: 1.1^2 sqrt(2 - sqrt 2) / |z|.
    let expected = 1.21 * (2.0 - 2.0_f64.sqrt()).sqrt() / 0.0101_f64.sqrt();
    assert!((net.branches[1].rating_pu - expected).abs() < 1e-12 && net.branches[1].rating_is_fallback);
    // Zero impedance: nothing bounds it.
    assert_eq!(
        (net.branches[3].rating_pu, net.branches[3].rating_is_fallback),
        (f64::INFINITY, true)
    );
    let reported = net
        .warnings
        .iter()
        .find(|w| w.code == "RATING.FALLBACK")
        .expect("a warning");
    assert!(
        reported
            .message()
            .ends_with("from its angle-difference limits and the voltage limits of its buses: line 2."),
        "only branches in service with a fallback count: {}",
        reported.message()
    );
}

#[test]
fn fallback_ratings_of_a_file_have_their_closed_form() {
    // r = 0.01, x = 0.1, bands 0.9 .. 1.1: the widest corner is 1.1 and 1.1 at 60 degrees, and 0.9 and 1.1 at 3 degrees.
    for (window, expected) in [
        ("0	0", 12.039950),
        ("-360	360", 12.039950),
        ("-3	3", 2.262115),
        ("-3	2", 2.262115),
    ] {
        let text = changed("1	-30	45;", &format!("1	{window};"));
        let branch = &ingest(&text).expect("the case").network.branches[1];
        assert!(branch.rating_is_fallback);
        assert!(
            (branch.rating_pu - expected).abs() < 5e-7,
            "{window}: {}",
            branch.rating_pu
        );
    }
}

#[test]
fn an_infinite_active_limit_is_none_and_survives_the_module() {
    let text = changed("	250	10;", "	Inf	-Inf;");
    let case = ingest(&text).expect("no limits");
    let limits = |net: &AnalysisNetwork| (net.generators[0].pmin_pu, net.generators[0].pmax_pu);
    assert_eq!(limits(&case.network), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(
        network_from_module(&case.module_json).expect("its module"),
        case.network
    );
    // MATPOWER files have a word for it.
    let file = export_module(&case.module_json, "matpower").expect("written");
    let again = ingest_case(&file.bytes, "matpower").expect("read");
    assert_eq!(limits(&again.network), limits(&case.network));
}

#[test]
fn cost_slopes_that_fall_by_rounding_are_merged_with_a_warning() {
    let row = "1	0	0	4	396	3208.986	397.33333	3219.79067	398.66667	3230.59533	400	3241.4";
    let wide = |text: &str| text.replace("	0	0	0;", "	0	0	0	0	0;").replace("4000;", "4000	0	0;");
    let costs = |first: &str| {
        let (head, tail) = CASE.split_at(CASE.find("mpc.gencost").expect("table"));
        format!("{head}{}", wide(tail).replace("2	0	0	3	0.11	5	150	0	0	0	0	0", first))
    };
    let case = ingest(&costs(row)).expect("rounding");
    let reported = case
        .warnings
        .iter()
        .find(|w| w.code == "COST.ROUNDED")
        .expect("a warning");
    assert!(
        reported.message().starts_with("1 generator has cost slopes") && reported.message().ends_with(": generator 1."),
        "{}",
        reported.message()
    );
    assert_eq!(
        network_from_module(&case.module_json).expect("its module"),
        case.network
    );
    let real = refusal(&costs(&row.replace("3230.59533", "3230.59433")));
    assert_eq!(real.code, "INPUT.COST", "{real}");
}

#[test]
fn costs_are_read_per_unit() {
    let net = network();
    assert_eq!(
        net.generators[0].cost,
        Cost::Quadratic {
            c2: 0.11 * 200.0 * 200.0,
            c1: 1000.0,
            c0: 150.0
        }
    );
    let points = vec![[0.0, 0.0], [0.5, 1000.0], [1.5, 4000.0]];
    assert_eq!(net.generators[2].cost, Cost::PiecewiseLinear { points });
    let codes: Vec<&str> = net.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["COST.REFUSED_ROW", "COST.EXTENDED", "RATING.FALLBACK"]);
}

#[test]
fn costs_refused_name_generator_and_row() {
    for (to, word) in [
        ("2	0	0	3	-0.11	5	150	0	0	0", "not convex"),
        ("2	0	0	4	0.11	5	150	1	0	0", "degree 3"),
        ("1	0	0	3	0	0	10	100	20	150", "falls from 10 to 5"),
        ("1	0	0	3	0	0	10	100	10	150", "do not ascend"),
        ("2	0	0	3	0.11	NaN	150	0	0	0", "not a finite number"),
    ] {
        let error = refusal(&changed("2	0	0	3	0.11	5	150	0	0	0", to));
        assert_eq!(error.code, "INPUT.COST", "{error}");
        assert!(
            error.message().contains("generator 1") && error.message().contains("row 1"),
            "{error}"
        );
        assert!(error.message().contains(word), "{error}");
        let element = error.element.expect("element");
        assert_eq!((element.kind, element.id), (ElementKind::Generator, 1));
    }
}

#[test]
fn a_row_that_declares_more_than_it_carries_is_refused() {
    let error = refusal(&changed("2	0	0	3	0.11	5	150	0	0	0", "2	0	0	9	0.11	5	150	0	0	0"));
    assert_eq!(error.code, "INPUT.PARSE", "{error}");
}

#[test]
fn a_missing_cost_table_makes_generation_free_and_says_so() {
    let case = ingest(&CASE[..CASE.find("mpc.gencost").expect("table")]).expect("valid without costs");
    let codes: Vec<&str> = case.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["COST.NO_TABLE", "COST.MISSING", "RATING.FALLBACK"]);
    assert!(
        case.warnings[1]
            .message()
            .ends_with("taken as free: generator 1 and generator 3."),
        "{}",
        case.warnings[1].message()
    );
    assert_eq!(
        case.network.generators[0].cost,
        Cost::Quadratic {
            c2: 0.0,
            c1: 0.0,
            c0: 0.0
        }
    );
}

#[test]
fn values_no_network_can_have_are_refused() {
    for (from, to, code) in [
        ("mpc.baseMVA = 200", "mpc.baseMVA = 0", "INPUT.BASE_MVA"),
        ("	90	30	4", "	NaN	30	4", "INPUT.NOT_FINITE"),
        ("	250	10;", "	NaN	10;", "INPUT.NOT_FINITE"),
        ("	250	10;", "	Inf	Inf;", "INPUT.GENERATOR_LIMITS"),
        ("	250	10;", "	-Inf	-Inf;", "INPUT.GENERATOR_LIMITS"),
        ("	250	10;", "	5	10;", "INPUT.GENERATOR_LIMITS"),
        ("	1	-30	45", "	1	45	-30", "INPUT.ANGLE_WINDOW"),
        ("	10	20	0.01", "	10	50	0.01", "INPUT.PARSE"),
        ("	20	2	0	0", "	10	2	0	0", "INPUT.PARSE"),
    ] {
        assert_eq!(refusal(&changed(from, to)).code, code, "{from} -> {to}");
    }
}

/// A vector group of 150 degrees: limits of 60 degrees that the source leaves open are about it, and no flow stays within them.
#[test]
fn open_angle_limits_are_about_a_shift_beyond_them() {
    let case = |shift: &str, limits: &str| {
        let text = format!(
            "function mpc = shifted\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
             mpc.bus = [\n1 3 0 0 0 0 1 1 0 110 1 1.1 0.9;\n2 1 10 0 0 0 1 1 0 20 1 1.1 0.9;\n];\n\
             mpc.gen = [\n1 0 0 9 -9 1 100 1 50 0;\n];\n\
             mpc.branch = [\n1 2 0.01 0.1 0 0 0 0 1 {shift} 1 {limits};\n];\n"
        );
        let branch = ingest(&text).expect("a case").network.branches[0].clone();
        (branch.angle_min_rad, branch.angle_max_rad, branch.rating_pu)
    };
    let (_, _, rating) = case("0", "0 0");
    let about = 150.0 * (PI / 180.0);
    for unset in ["0 0", "-360 360"] {
        assert_eq!(case("150", unset), (about - FRAC_PI_3, about + FRAC_PI_3, rating));
        assert_eq!(case("30", unset), (-FRAC_PI_3, FRAC_PI_3, rating));
    }
    let stated = case("150", "-30 45");
    assert_eq!((stated.0, stated.1), (-30.0 * (PI / 180.0), 45.0 * (PI / 180.0)));
}
