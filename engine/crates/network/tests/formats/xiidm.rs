//! XIIDM: units, signs and statuses, switches and nodes, and refusals by line.

use wattbook_network::analysis::EnergySource;
use wattbook_network::{ingest_case, AnalysisNetwork, EngineError};

const TWO: &str = include_str!("../../../../fuzz/seeds/two_areas.xiidm");

fn network(text: &str) -> AnalysisNetwork {
    ingest_case(text.as_bytes(), "xiidm")
        .unwrap_or_else(|e| panic!("{e}"))
        .network
}

fn refusal(text: &str) -> EngineError {
    match ingest_case(text.as_bytes(), "xiidm") {
        Ok(_) => panic!("the text is read"),
        Err(error) => error,
    }
}

fn changed(from: &str, to: &str) -> String {
    assert_eq!(TWO.matches(from).count(), 1, "{from:?} must occur once");
    TWO.replace(from, to)
}

#[track_caller]
fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a}, not {b}");
}

fn bus(net: &AnalysisNetwork, uid: &str) -> usize {
    let found = net.buses.iter().position(|bus| bus.uid.as_deref() == Some(uid));
    found.unwrap_or_else(|| panic!("bus {uid}"))
}

fn branch<'n>(net: &'n AnalysisNetwork, uid: &str) -> &'n wattbook_network::analysis::Branch {
    let found = net.branches.iter().find(|branch| branch.uid.as_deref() == Some(uid));
    found.unwrap_or_else(|| panic!("branch {uid}"))
}

#[test]
fn nodes_and_buses_have_their_voltage_level() {
    let net = network(TWO);
    // Bars 1 and 2, nodes 2, 3 and 4; two low buses, A0, B4, B2; the star point, two boundaries, the open end of L2.
    let uids: Vec<&str> = net.buses.iter().filter_map(|bus| bus.uid.as_deref()).collect();
    assert_eq!(
        uids,
        [
            "A4 bar 1",
            "A4 bar 2",
            "A4 node 2",
            "A4 node 3",
            "A4 node 4",
            "A2 B1",
            "A2 B2",
            "A0 B1",
            "B4 B1",
            "B2 B1",
            "A X1 boundary",
            "TIE boundary",
            "A T2 star",
            "L2 end 2"
        ]
    );
    let first = &net.buses[0];
    near(first.vm_pu, 410.0 / 400.0);
    near(first.vmin_pu, 0.95);
    near(first.vmax_pu, 430.0 / 400.0);
    assert_eq!((first.area, first.lon_lat), (Some(1), Some([2.35, 48.85])));
    assert_eq!((net.buses[8].area, net.buses[8].base_kv), (Some(2), 380.0));
    // The slack of the file, whose node an internal connection joins to that of the breaker.
    assert!(net.buses[2].is_reference && net.buses[7].is_pv);
    assert_eq!(net.buses[2].name.as_deref(), Some("Alpha 400 node 2"));
    assert_eq!(net.buses[5].name.as_deref(), Some("Alpha low"));
}

#[test]
fn switches_are_branches_behind_the_others() {
    let net = network(TWO);
    let switches: Vec<_> = net.branches.iter().filter(|branch| branch.is_switch).collect();
    let states: Vec<_> = switches
        .iter()
        .map(|s| (s.uid.as_deref().unwrap_or(""), s.in_service))
        .collect();
    assert_eq!(
        states,
        [
            ("A4 coupler", true),
            ("A4 G", true),
            ("A4 L", true),
            ("A4 spare", false),
            ("A2 coupler", true),
            ("L2 end 2", false)
        ]
    );
    assert_eq!(switches[0].name.as_deref(), Some("Coupler"));
    assert!(switches[0].is_zero_impedance());
    // The line with one open end remains energised up to that; the one with two is out of service.
    let l2 = branch(&net, "L2");
    assert!(l2.in_service && l2.to == bus(&net, "L2 end 2"));
    let l3 = branch(&net, "L3");
    assert!(!l3.in_service && (l3.from, l3.to) == (bus(&net, "A2 B1"), bus(&net, "B2 B1")));
}

#[test]
fn demand_and_shunts_have_their_units_and_models() {
    let net = network(TWO);
    let zip = &net.buses[bus(&net, "A4 node 3")];
    near(zip.demand_pu, 1.2);
    near(zip.demand_q_pu, 0.3);
    near(zip.constant_current_pu[0], 0.36);
    near(zip.constant_impedance_pu[1], 0.15);
    let exponential = &net.buses[bus(&net, "A2 B2")];
    near(exponential.constant_current_pu[0], 0.8);
    near(exponential.constant_impedance_pu[1], 0.25);
    // Two sections of a linear model, the second of tabulated ones.
    let linear = &net.buses[bus(&net, "A4 bar 2")];
    near(linear.bs_pu, 2.0 * 2e-4 * 1600.0);
    near(linear.gs_pu, 2.0 * 1e-6 * 1600.0);
    near(net.buses[bus(&net, "B4 B1")].bs_pu, 2.5e-4 * 1444.0);
    // The load behind the open breaker and that which is not connected are out of service.
    near(net.buses[bus(&net, "A4 node 4")].demand_pu, 0.0);
    near(net.buses[bus(&net, "B4 B1")].demand_pu, 4.0);
    // A boundary has the load beyond it.
    near(net.buses[bus(&net, "A X1 boundary")].demand_pu, 0.6);
    near(net.buses[bus(&net, "TIE boundary")].demand_pu, 0.0);
}

#[test]
fn units_have_their_limits_at_their_output_and_their_voltage() {
    let net = network(TWO);
    let unit = |uid: &str| {
        let found = net.generators.iter().find(|unit| unit.uid.as_deref() == Some(uid));
        found.unwrap_or_else(|| panic!("unit {uid}"))
    };
    let nuclear = unit("A G1");
    assert_eq!(nuclear.energy_source, EnergySource::Nuclear);
    near(nuclear.pg_pu, 5.0);
    near(nuclear.vset_pu, 1.025);
    assert_eq!(nuclear.regulated_bus, None);
    let hydro = unit("A G2");
    near(hydro.qmax_pu, 0.75 + (0.55 - 0.75) * 50.0 / 80.0);
    near(hydro.vset_pu, 229.0 / 225.0);
    assert_eq!(hydro.regulated_bus, Some(bus(&net, "A2 B2")));
    let svc = unit("B SVC");
    assert!(svc.regulates_voltage && svc.in_service);
    assert_eq!((svc.pmin_pu, svc.pmax_pu), (0.0, 0.0));
    near(svc.qmax_pu, 0.002 * 1444.0);
    let beyond = unit("A X1");
    assert!(!beyond.regulates_voltage && beyond.bus == bus(&net, "A X1 boundary"));
    near(beyond.pg_pu, 0.25);
    near(beyond.qg_pu, 0.04);
    let battery = &net.storages[0];
    near(battery.p_pu, -0.12);
    near(battery.q_pu, 0.03);
    near(battery.charge_max_pu, 0.3);
    near(battery.discharge_max_pu, 0.4);
    assert_eq!(battery.energy_pu, None);
}

#[test]
fn lines_and_transformers_are_per_unit() {
    let net = network(TWO);
    // Between 400 and 380 kV: Y12 = y V1 V2, and the sums of the rows remain.
    let line = branch(&net, "L1");
    near(line.r_pu, 2.0 / (400.0 * 380.0 / 100.0));
    near(line.x_pu, 24.0 / (400.0 * 380.0 / 100.0));
    let size = 2.0f64.powi(2) + 24.0f64.powi(2);
    let conductance = 2.0 / size;
    near(
        line.shunt_from_pu[0],
        (1e-6 + conductance) * 1600.0 - conductance * 1520.0,
    );
    near(line.shunt_to_pu[1], 1.3e-4 * 1444.0 - 24.0 / size * (1444.0 - 1520.0));
    near(line.rating_pu, 3f64.sqrt() * 380.0 / 100.0);
    assert_eq!(line.route.as_ref().map(Vec::len), Some(3));
    let ohm = 225.0 * 225.0 / 100.0;
    let two = branch(&net, "A T1");
    near(two.r_pu, 0.4 * 1.01 * 1.03 / ohm);
    near(two.x_pu, 18.0 * 1.02 * 1.04 / ohm);
    near(two.shunt_from_pu[0], 2e-6 * 1.015 * 1.01 * ohm);
    near(two.shunt_from_pu[1], -8e-6 * 1.025 * 1.02 * ohm);
    near(two.tap, 1.0 / (230.0 / 405.0 * 1.02 * 1.005 * 400.0 / 225.0));
    near(two.shift_rad, -2.5f64.to_radians());
    near(two.rating_pu, 5.9);
    let winding = branch(&net, "A T2 winding 2");
    assert_eq!(winding.to, bus(&net, "A T2 star"));
    near(winding.x_pu, 19.6 * 1.015 / 1600.0);
    near(winding.tap, 225.0 / (400.0 * 0.99) * 400.0 / 225.0);
    // Lines to the boundary have their shunt at the network.
    let half = branch(&net, "A T");
    near(half.shunt_from_pu[1], 5e-5 * ohm);
    assert_eq!(half.shunt_to_pu, [0.0; 2]);
    assert_eq!(half.to, bus(&net, "TIE boundary"));
    assert_eq!(branch(&net, "B T").to, half.to);
}

#[test]
fn hvdc_lines_are_links_from_the_rectifier() {
    let net = network(TWO);
    let [vsc, lcc] = &net.links[..] else {
        panic!("two links")
    };
    assert_eq!((vsc.from, vsc.to), (bus(&net, "A4 bar 1"), bus(&net, "B4 B1")));
    near(vsc.pf_pu, 1.0);
    let dc = 100.0 * (1.0 - 0.012);
    let delivered = (dc - 1.5 * (dc / 400.0) * (dc / 400.0)) * (1.0 - 0.013);
    near(vsc.delivered_pu(1.0), delivered / 100.0);
    assert_eq!((vsc.pmin_pu, vsc.pmax_pu), (0.0, 1.8));
    assert_eq!(vsc.regulates_voltage, [true, false]);
    near(vsc.vset_pu[0], 1.025);
    near(vsc.q_pu[1], -0.2);
    near(vsc.qmax_pu[0], 1.1);
    // The line-commutated one with its second station as rectifier draws reactive power at both ends.
    assert_eq!((lcc.from, lcc.to), (bus(&net, "B4 B1"), bus(&net, "B2 B1")));
    assert_eq!(lcc.regulates_voltage, [false; 2]);
    near(lcc.q_pu[0], -0.2 * (1.0 / 0.85f64.powi(2) - 1.0).sqrt());
}

#[test]
fn what_is_held_and_left_out_is_named() {
    let warnings: Vec<(&str, String)> = network(TWO).warnings.iter().map(|w| (w.code, w.message())).collect();
    for (code, words) in [
        ("INPUT.LEFT_OUT", "1 element that open switches disconnect"),
        ("INPUT.LEFT_OUT", "15.0 MW of demand"),
        ("INPUT.HELD", "1 transformer with automatic tap control"),
        ("INPUT.HELD", "1 phase shifter with automatic control"),
        ("INPUT.HELD", "1 shunt compensator with automatic control"),
        ("INPUT.HELD", "angle difference"),
        ("INPUT.HELD", "slope"),
        ("INPUT.HELD", "FR area (200.0 MW)"),
        ("INPUT.HELD", "losses of 2 HVDC lines"),
        ("INPUT.LIMITS_NOT_IN_FORMAT", "1 voltage level"),
        ("COST.NOT_IN_FORMAT", "XIIDM"),
    ] {
        let has = warnings.iter().any(|(own, text)| *own == code && text.contains(words));
        assert!(has, "{code} {words}: {warnings:#?}");
    }
}

#[test]
fn the_largest_generator_is_the_reference_without_a_slack() {
    let net = network(&changed("<slt:slackTerminal id=\"A G1\"/>", ""));
    assert!(net.buses[2].is_reference);
    let named = net
        .warnings
        .iter()
        .any(|w| w.message().contains("bus Alpha 400 node 2, with the largest generator"));
    assert!(named, "{:?}", net.warnings);
}

/// A demand that no source reaches is out of service, and named with its power.
#[test]
fn demand_without_supply_is_out_of_service() {
    let net = network(&changed(
        "bus=\"B2 B1\" connectableBus=\"B2 B1\" pairingKey",
        "connectableBus=\"B2 B1\" pairingKey",
    ));
    near(net.buses[bus(&net, "B2 B1")].demand_pu, 0.3);
    let text = changed(
        "bus=\"B2 B1\" connectableBus=\"B2 B1\" pairingKey",
        "connectableBus=\"B2 B1\" pairingKey",
    );
    let text = text.replace("powerFactor=\"0.9\" bus=\"B2 B1\"", "powerFactor=\"0.9\"");
    let net = network(&text);
    near(net.buses[bus(&net, "B2 B1")].demand_pu, 0.0);
    let named = net.warnings.iter().any(|w| w.message().contains("1 load of 30.0 MW"));
    assert!(named && !net.links[1].in_service, "{:?}", net.warnings);
}

/// Tie lines up to version 1.9 have their halves themselves, whose shunts are at the network ends.
#[test]
fn former_tie_lines_are_two_halves() {
    let text = changed(
        "<iidm:tieLine id=\"TIE\" boundaryLineId1=\"A T\" boundaryLineId2=\"B T\"/>",
        "<iidm:tieLine id=\"TIE\" ucteXnodeCode=\"XEAST\" voltageLevelId1=\"A2\" bus1=\"A2 B1\" voltageLevelId2=\"B2\" bus2=\"B2 B1\" \
         id_1=\"A T\" r_1=\"1.0\" x_1=\"9.0\" g1_1=\"1.0E-6\" b1_1=\"2.5E-5\" g2_1=\"1.0E-6\" b2_1=\"2.5E-5\" \
         id_2=\"B T\" r_2=\"0.8\" x_2=\"7.0\" g1_2=\"1.0E-6\" b1_2=\"4.0E-5\" g2_2=\"0.0\" b2_2=\"0.0\"/>",
    );
    let without: String = text
        .lines()
        .filter(|line| {
            !line.contains("<iidm:boundaryLine id=\"A T\"") && !line.contains("<iidm:boundaryLine id=\"B T\"")
        })
        .map(|line| format!("{line}\n"))
        .collect();
    let (former, net) = (network(&without), network(TWO));
    for uid in ["A T", "B T"] {
        let (a, b) = (branch(&former, uid), branch(&net, uid));
        assert_eq!(
            (a.r_pu, a.x_pu, a.shunt_from_pu, a.shunt_to_pu),
            (b.r_pu, b.x_pu, b.shunt_from_pu, b.shunt_to_pu)
        );
    }
}

#[test]
fn what_the_format_does_not_have_is_refused_with_its_line() {
    for (from, to, code, words) in [
        ("iidm/1_17", "iidm/1_18", "INPUT.REVISION", "1.18"),
        ("iidm/1_17", "other/1_17", "INPUT.PARSE", "network"),
        ("p0=\"120.0\"", "p0=\"much\"", "INPUT.PARSE", "much"),
        ("p0=\"120.0\" ", "", "INPUT.PARSE", "`p0`"),
        ("p0=\"120.0\"", "p0=\"NaN\"", "INPUT.PARSE", "`p0`"),
        (
            "energySource=\"NUCLEAR\"",
            "energySource=\"FUSION\"",
            "INPUT.PARSE",
            "FUSION",
        ),
        ("id=\"A D2\"", "id=\"A D1\"", "INPUT.DUPLICATE_ELEMENT", "A D1"),
        ("tapPosition=\"3\"", "tapPosition=\"4\"", "INPUT.PARSE", "tapPosition"),
        (
            "converterStation1=\"A VSC\"",
            "converterStation1=\"C VSC\"",
            "INPUT.PARSE",
            "C VSC",
        ),
        (
            "<iidm:regulatingTerminal id=\"A D3\"/>",
            "<iidm:regulatingTerminal id=\"A D9\"/>",
            "INPUT.PARSE",
            "A D9",
        ),
        (
            "sectionCount=\"2\" voltageRegulatorOn=\"false\"",
            "sectionCount=\"3\" voltageRegulatorOn=\"false\"",
            "INPUT.PARSE",
            "sectionCount",
        ),
        ("nominalV=\"21.0\"", "nominalV=\"0.0\"", "INPUT.PARSE", "nominalV"),
        (
            "powerFactor=\"0.85\"",
            "powerFactor=\"0.0\"",
            "INPUT.PARSE",
            "powerFactor",
        ),
        (
            "</iidm:substation>\n  <iidm:substation id=\"B\"",
            "</iidm:voltageLevel>\n  <iidm:substation id=\"B\"",
            "INPUT.PARSE",
            "well-formed",
        ),
    ] {
        let error = refusal(&changed(from, to));
        assert_eq!(error.code, code, "{error}");
        assert!(error.message().contains(words), "{words}: {error}");
    }
    let cut = &TWO[..TWO.len() / 2];
    assert_eq!(refusal(cut).code, "INPUT.TRUNCATED");
    let doctype = TWO.replacen("?>\n", "?>\n<!DOCTYPE network [<!ENTITY a \"b\">]>\n", 1);
    assert_eq!(refusal(&doctype).code, "INPUT.PARSE");
}

#[test]
fn converters_of_detailed_dc_grids_are_refused_by_name() {
    let converter =
        "<iidm:voltageSourceConverter id=\"B V\" bus1=\"B4 B1\" connectableBus1=\"B4 B1\" idleLoss=\"0.5\"/>";
    let text = changed(
        "<iidm:lccConverterStation id=\"B LCC\"",
        &format!("{converter}\n<iidm:lccConverterStation id=\"B LCC\""),
    );
    let error = refusal(&text);
    assert_eq!(error.code, "PHYSICS.UNSUPPORTED");
    assert!(error.message().contains("`B V`"), "{error}");
    let error = ingest_case(text.replace(" bus1=\"B4 B1\"", "").as_bytes(), "xiidm")
        .expect("out of service")
        .network;
    assert_eq!(error.buses.len(), 14);
}

/// The content decides where the name does not.
#[test]
fn a_text_is_recognised_by_its_content() {
    let read = ingest_case(TWO.as_bytes(), "text").expect("a case");
    assert_eq!(read.network, network(TWO));
}
