//! UCTE-DEF: units, signs and statuses, and refusals by line.

use wattbook_network::analysis::EnergySource;
use wattbook_network::{ingest_case, AnalysisNetwork, EngineError};

const TEN: &str = include_str!("../../../../fuzz/seeds/ten_nodes.uct");

fn network(text: &str) -> AnalysisNetwork {
    ingest_case(text.as_bytes(), "ucte")
        .unwrap_or_else(|e| panic!("{e}"))
        .network
}

fn refusal(text: &str) -> EngineError {
    match ingest_case(text.as_bytes(), "ucte") {
        Ok(_) => panic!("the text is read"),
        Err(error) => error,
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12 * b.abs().max(1.0)
}

#[test]
fn nodes_have_their_voltage_level_and_injections() {
    let net = network(TEN);
    assert_eq!((net.base_mva, net.buses.len(), net.generators.len()), (100.0, 10, 3));
    let [gen, bar, ..] = &net.buses[..] else {
        panic!("nodes")
    };
    assert_eq!((gen.name.as_deref(), gen.base_kv), (Some("FGEN__11"), 380.0));
    assert!(gen.is_reference && net.buses[8].is_pv && !bar.is_pv);
    assert_eq!(net.buses[4].base_kv, 220.0);
    assert!(near(bar.demand_pu, 1.2) && near(bar.demand_q_pu, 0.3));
    // Areas are the countries, and the boundary node has its own.
    let areas: Vec<_> = net.buses.iter().map(|bus| bus.area).collect();
    assert_eq!((areas[0], areas[6], areas[9]), (Some(1), Some(2), Some(3)));
    // Generation is negative in the file, and so are its limits.
    let [nuclear, gas, coal] = &net.generators[..] else {
        panic!("three units")
    };
    assert!(near(nuclear.pg_pu, 3.0) && near(nuclear.pmax_pu, 9.0) && near(nuclear.pmin_pu, 0.0));
    assert!(near(nuclear.vset_pu, 405.0 / 380.0) && near(nuclear.qmin_pu, -3.0) && near(nuclear.qmax_pu, 3.0));
    assert!(near(gas.qg_pu, 0.15) && !gas.regulates_voltage);
    assert!(near(coal.pmin_pu, 0.5) && near(coal.pmax_pu, 4.0) && coal.regulates_voltage);
    let sources: Vec<_> = net.generators.iter().map(|unit| unit.energy_source).collect();
    assert_eq!(sources, [EnergySource::Nuclear, EnergySource::Gas, EnergySource::Coal]);
}

#[test]
fn lines_couplers_and_transformers_have_their_units() {
    let net = network(TEN);
    let line = &net.branches[0];
    let ohm = 380.0 * 380.0 / 100.0;
    assert!(near(line.r_pu, 1.2 / ohm) && near(line.x_pu, 12.0 / ohm) && near(line.charging_pu(), 150e-6 * ohm));
    assert!(near(line.rating_pu, 3f64.sqrt() * 380.0 * 1.8 / 100.0));
    let statuses: Vec<bool> = net.branches[..3].iter().map(|branch| branch.in_service).collect();
    assert_eq!(statuses, [true, true, false]);
    let couplers: Vec<_> = net.branches.iter().filter(|branch| branch.is_switch).collect();
    assert_eq!(couplers.iter().map(|c| c.in_service).collect::<Vec<_>>(), [true, false]);
    assert!(couplers[0].is_zero_impedance() && near(couplers[0].rating_pu, 3f64.sqrt() * 380.0 * 2.5 / 100.0));
    assert_eq!(couplers[0].name.as_deref(), Some("COUPLER"));
    // The regulated winding, node 2, is the from end; r, x, g and b are at winding 1.
    let [auto, shifter, ..] = &net.branches[8..] else {
        panic!("transformers")
    };
    assert_eq!(
        (net.buses[auto.from].base_kv, net.buses[auto.to].base_kv),
        (220.0, 380.0)
    );
    let ratio = (231.0 / 220.0) / (400.0 / 380.0) * (1.0 - 3.0 * 0.0125);
    assert!(near(auto.tap, ratio) && near(auto.x_pu, 40.0 / ohm) && auto.shift_rad == 0.0);
    assert!(near(auto.shunt_from_pu[0], 2.5e-6 * ohm) && near(auto.shunt_from_pu[1], -6e-6 * ohm));
    // An asymmetrical shifter of 1.5 % at 60 degrees in position 5.
    let [dx, dy] = [0.075 * 0.5, 0.075 * 0.75f64.sqrt()];
    assert!(near(shifter.tap, dy.hypot(1.0 + dx)) && near(shifter.shift_rad.abs(), dy.atan2(1.0 + dx)));
}

#[test]
fn controls_are_held_and_exchanges_named() {
    let warnings: Vec<(&str, String)> = network(TEN).warnings.iter().map(|w| (w.code, w.message())).collect();
    let has = |code: &str, words: &str| warnings.iter().any(|(own, text)| *own == code && text.contains(words));
    assert!(
        has("INPUT.HELD", "1 transformer with automatic tap control"),
        "{warnings:#?}"
    );
    assert!(
        has("INPUT.HELD", "1 phase shifter with automatic control"),
        "{warnings:#?}"
    );
    assert!(has("COST.NOT_IN_FORMAT", "UCTE-DEF"), "{warnings:#?}");
    assert!(has("INPUT.LIMITS_NOT_IN_FORMAT", "0.9 to 1.1 pu"), "{warnings:#?}");
    assert!(
        warnings.iter().any(|(_, text)| text.contains("FR-BE 150")),
        "{warnings:#?}"
    );
}

#[test]
fn records_that_the_format_does_not_have_are_refused_with_their_line() {
    for (from, to) in [
        ("##C 2007.05.01", "##C 1999.01.01"),
        ("FGEN__11 GENERATION   0 3", "FGEN__11 GENERATION   0 4"),
        ("FGEN__11 FBUS__11 1 0", "FGEN__11 FBUS__11 1 3"),
        ("FGEN__11 FBUS__11 1 0", "FGEN__11 FNONE_11 1 0"),
        ("1.2000 12.000", "1.2000 twelve"),
        ("##N\n##ZFR", "##N"),
        ("##T\n", "##Q\n"),
    ] {
        let changed = TEN.replacen(from, to, 1);
        assert_ne!(changed, TEN, "{from}");
        let line = changed.lines().zip(TEN.lines()).position(|(a, b)| a != b).unwrap_or(0) + 1;
        let error = refusal(&changed);
        assert_eq!(error.code, "INPUT.PARSE", "{error}");
        assert!(error.message().contains(&format!("{line}")), "{line}: {error}");
    }
    assert_eq!(refusal("##C 2007.05.01\n##N\n").code, "INPUT.PARSE");
}
