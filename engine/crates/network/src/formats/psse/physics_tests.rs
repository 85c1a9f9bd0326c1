//! The meaning of RAW fields, against formulas of the "Program Operation Manual" of PSS/E.

use super::tests::{network, RAW_33};
use crate::formats::read;
use crate::ingest_case;
use powerio::{BalancedNetwork, BusType, LoadVoltageModel};

/// A file of a revision with records by section, in the order of the file.
fn file(revision: u32, records: &[(&str, &str)]) -> String {
    let mut text = format!("0,100.0,{revision},0,1,60.0\nA CASE\n\n");
    for (k, section) in super::sections::order(revision).iter().enumerate() {
        if k > 0 || revision >= 34 {
            text.push_str(match k {
                0 => "",
                _ => "0 / END OF X DATA, BEGIN ",
            });
            if k > 0 {
                text.push_str(&format!("{section} DATA\n"));
            }
        }
        for (_, lines) in records.iter().filter(|(name, _)| name == section) {
            text.push_str(lines);
            text.push('\n');
        }
    }
    text + "0 / END OF LAST DATA\nQ\n"
}

const BUSES: &str = "1,'A',230,3,1,1,1,1.0,0.0\n2,'B',115,1,1,1,1,1.0,0.0\n3,'C',20,2,1,1,1,1.0,0.0";
const MACHINES: &str =
    "1,'1',60,0,999,-999,1.0,0,100,0,1,0,0,1,1,100,200,0\n3,'1',10,3,99,-99,1.0,0,100,0,1,0,0,1,1,100,20,0";
const LINES: &str = "1,2,'1',0.0,0.1\n2,3,'1',0.0,0.1";

fn with(revision: u32, more: &[(&str, &str)]) -> String {
    let mut records = vec![("BUS", BUSES), ("GENERATOR", MACHINES), ("BRANCH", LINES)];
    if revision >= 34 {
        records[1] = (
            "GENERATOR",
            "1,'1',60,0,999,-999,1.0,0,0,100,0,1,0,0,1,1,100,200,0\n3,'1',10,3,99,-99,1.0,0,0,100,0,1,0,0,1,1,100,20,0",
        );
    }
    for (section, lines) in more {
        records.retain(|(name, _)| name != section || *section == "BRANCH");
        records.push((section, lines));
    }
    file(revision, &records)
}

fn warnings(text: &str) -> Vec<(&'static str, String)> {
    let case = ingest_case(text.as_bytes(), "psse").unwrap_or_else(|e| panic!("{e}"));
    let reported = case.network.warnings.iter().map(|w| (w.code, w.message()));
    let about = |(code, _): &(&str, String)| matches!(*code, "INPUT.LEFT_OUT" | "INPUT.HELD" | "INPUT.FIELD_IGNORED");
    reported.filter(about).collect()
}

fn refused(text: &str) -> String {
    let error = read(text.as_bytes(), "psse").expect_err("refused");
    assert_eq!(error.code, "INPUT.PARSE");
    error.message()
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
}

/// The only transformer of the case above, between buses 1 and 2.
fn transformer(net: &BalancedNetwork) -> &powerio::Branch {
    net.branches()
        .iter()
        .find(|b| b.is_transformer())
        .expect("a transformer")
}

#[test]
fn loads_have_three_parts_and_an_inductive_admittance_is_negative() {
    let net = network(&with(33, &[("LOAD", "2,'1',1,1,1,50,8,3,4,10,-20,1,0,1")]));
    let load = &net.loads()[0];
    assert_eq!((load.p, load.q), (63.0, 32.0));
    let Some(LoadVoltageModel::Zip {
        p_constant_power,
        q_constant_power,
        p_constant_current,
        q_constant_current,
        p_constant_impedance,
        q_constant_impedance,
        scaling,
        ..
    }) = &load.voltage_model
    else {
        panic!("a load with three parts")
    };
    let parts = [
        p_constant_power,
        q_constant_power,
        p_constant_current,
        q_constant_current,
        p_constant_impedance,
        q_constant_impedance,
    ];
    assert_eq!(parts.map(|part| *part), [50.0, 8.0, 3.0, 4.0, 10.0, 20.0]);
    assert_eq!(*scaling, None);
    // SCALE alone does not cause voltage dependence.
    let net = network(&with(33, &[("LOAD", "2,'1',1,1,1,50,8,0,0,0,0,1,0,1")]));
    assert_eq!((net.loads()[0].p, &net.loads()[0].voltage_model), (50.0, &None));
}

#[test]
fn distributed_generation_serves_a_part_of_the_load_where_it_is_on() {
    for (status, p, q) in [(1, 43.0, 6.0), (0, 50.0, 8.0)] {
        let load = format!("2,'1',1,1,1,50,8,0,0,0,0,1,1,0,7,2,{status},''");
        let net = network(&with(35, &[("LOAD", &load)]));
        assert_eq!((net.loads()[0].p, net.loads()[0].q), (p, q));
    }
}

#[test]
fn blanks_and_commas_are_defaults() {
    let text = file(
        33,
        &[
            ("BUS", "1,'A',230.0,3,,,,1.0,0.0\n2,'B',115.0,,,,,,\n3 /"),
            ("LOAD", "2,,,,,50.0,10.0"),
            ("GENERATOR", "1"),
            ("BRANCH", "2,3,,,0.1"),
            ("AREA", "1,,25.0"),
            ("SWITCHED SHUNT", "2,,,,,,,,,12.5"),
            (
                "TRANSFORMER",
                "1, 2, ,1, , , , , , , 'T' , 1, 1   / two windings\n0, 0.367, 100\n0.9777, ,0, 99, 99, 99, 1, 2, 1.034, 0.72, 1.09, 1.04, 16, , ,\n , ,\n\
                 1,2,,2\n0,0.2\n/ a winding of defaults\n,",
            ),
        ],
    );
    let net = network(&text);
    let (b, c) = (&net.buses()[1], &net.buses()[2]);
    assert_eq!(
        (b.kind, b.vm, b.va, b.vmax, b.vmin, b.area),
        (BusType::Pq, 1.0, 0.0, 1.1, 0.9, 1)
    );
    assert_eq!((c.kind, c.base_kv, c.name.as_deref()), (BusType::Pq, 0.0, None));
    assert_eq!(
        (net.loads()[0].p, net.loads()[0].q, net.loads()[0].in_service),
        (50.0, 10.0, true)
    );
    let g = &net.generators()[0];
    assert_eq!((g.qmax, g.qmin, g.pmax, g.pmin), (9999.0, -9999.0, 9999.0, -9999.0));
    assert_eq!((g.pg, g.vg, g.mbase, g.in_service), (0.0, 1.0, 100.0, true));
    let [line, t, u] = [0, 1, 2].map(|row| &net.branches()[row]);
    assert_eq!((line.x, line.in_service, line.rate_a), (0.1, true, 0.0));
    assert_eq!((t.x, t.tap, t.rate_a, t.in_service), (0.367, 0.9777, 99.0, true));
    assert_eq!((u.x, u.tap, u.shift, u.in_service), (0.2, 1.0, 0.0, true));
    assert_eq!((net.shunts()[0].b, net.shunts()[0].in_service), (12.5, true));
}

#[test]
fn a_field_without_a_default_and_an_unknown_code_are_refused_by_line() {
    let at = |text: &str, needle: &str| {
        text.lines()
            .position(|line| line.contains(needle))
            .map_or(0, |row| row + 1)
    };
    let text = with(33, &[("BRANCH", "1,3,'9',0.0, ,0.0")]);
    let line = at(&text, "'9'");
    assert_eq!(
        refused(&text),
        format!("Line {line}: the record has no X, which has no default.")
    );
    let text = with(33, &[("TRANSFORMER", "1,2,0,'9',4\n0,0.1\n1\n1")]);
    let line = at(&text, "'9'");
    assert_eq!(
        refused(&text),
        format!("Line {line}: CW is 4, which is no code of PSS/E.")
    );
    let text = with(33, &[("TRANSFORMER", "1,2,0,'9',1\n0,0.1\n1")]);
    let line = at(&text, "'9'");
    assert_eq!(
        refused(&text),
        format!("The record that begins in line {line} ends before its last line.")
    );
    let text = with(33, &[("BUS", "1,'A,230,3")]);
    let message = "Line 4: the quoted name does not end; write names with an apostrophe in double quotes.";
    assert_eq!(refused(&text), message);
    // A number after the end of a name shifts the fields, but never to another base voltage.
    let text = with(33, &[("BUS", "1,'ST 5' 2, A',230,3")]);
    assert_eq!(refused(&text), "Line 4: `A'` is not a finite number.");
}

#[test]
fn names_with_apostrophes_are_read() {
    let buses = "1,'O'Donnell ~1', 230.0,3\n2,'10' DROP, /E', 115.0,1\n3,'ST 5' 2, /E ', 20.0, 2\n4,\"P'\", 1, 4";
    let net = network(&with(33, &[("BUS", buses)]));
    let names: Vec<_> = net
        .buses()
        .iter()
        .map(|b| (b.name.as_deref().unwrap_or(""), b.base_kv))
        .collect();
    assert_eq!(
        names,
        [
            ("O'Donnell ~1", 230.0),
            ("10' DROP, /E", 115.0),
            ("ST 5' 2, /E", 20.0),
            ("P'", 1.0)
        ]
    );
}

/// `x` of the transformer with a table, at a tap of 1.1 or an angle of 30 degrees.
fn corrected(revision: u32, winding: &str, table: &str) -> (f64, f64) {
    let ratings = if revision >= 34 { "0,".repeat(9) } else { String::new() };
    let node = if revision >= 35 { "0," } else { "" };
    let winding = winding
        .replace("RATINGS,", &format!("300,300,300,{ratings}"))
        .replace("NODE,", node);
    let t = format!("1,2,0,'1',1,1,1,0,0,2,'T',1\n0.0,0.1,100\n{winding}\n1.0");
    let net = network(&with(revision, &[("TRANSFORMER", &t), ("IMPEDANCE CORRECTION", table)]));
    (transformer(&net).r, transformer(&net).x)
}

#[test]
fn impedance_corrections_are_applied_at_the_tap_and_the_angle_of_the_file() {
    let at = "1.1,0,0.0,RATINGS,0,0,NODE,1.1,0.9,1.1,0.9,33,1";
    let (r, x) = corrected(33, at, "1,0.9,1.2,1.0,1.0,1.1,1.5,0.0,0.0");
    assert_eq!(r, 0.0);
    close(x, 0.15);
    // Halfway between two points, and a table of angles.
    let between = at.replacen("1.1,", "1.05,", 1);
    close(corrected(33, &between, "1,0.9,1.2,1.0,1.0,1.1,1.5").1, 0.125);
    let angle = "1.0,0,30.0,RATINGS,0,0,NODE,60,-60,1.1,0.9,33,1";
    close(corrected(33, angle, "1,-60,2.0,0,1.0,60,3.0").1, 0.2);
    // Factors are complex from revision 34: (1.2 + 0.3j) 0.1j = -0.03 + 0.12j. A line that begins with zero continues
    // the table.
    for revision in [34, 35] {
        let (r, x) = corrected(revision, at, "1,0.9,1.2,0.0,1.0,1.0,\n0,1.1,1.2,0.3\n0,0,0");
        close(r, -0.03);
        close(x, 0.12);
    }
    let absent = with(
        33,
        &[(
            "TRANSFORMER",
            "1,2,0,'1'\n0,0.1\n1,0,0,0,0,0,0,0,1.1,0.9,1.1,0.9,33,7\n1",
        )],
    );
    let message = "The impedance correction table 7 is not in the file; 1 transformer winding that names it keeps its nominal impedance.";
    assert_eq!(warnings(&absent), [("INPUT.FIELD_IGNORED", message.to_string())]);
}

#[test]
fn impedances_ratios_and_magnetisation_have_units_by_code() {
    let case = |head: &str, lines: &str| {
        network(&with(
            33,
            &[("TRANSFORMER", &format!("1,2,0,'1',{head},2,'T',1\n{lines}"))],
        ))
    };
    // CW 2: kV over base kV; both windings off nominal scale the impedance by t2^2.
    let net = case("2,1,1,0,0", "0.01,0.1,50\n241.5,0,5\n118.45");
    let t = transformer(&net);
    close(t.tap, 1.05 / 1.03);
    close(t.x, 0.1 * 1.03 * 1.03);
    assert_eq!(t.shift, 5.0);
    // CW 3: per unit of the nominal voltage.
    close(
        transformer(&case("3,1,1,0,0", "0,0.1,50\n1.02,220\n1,110")).tap,
        (1.02 * 220.0 / 230.0) / (110.0 / 115.0),
    );
    let net = case("2,1,1,0,0", "0.01,0.1,50\n,0,5\n ,");
    assert_eq!((transformer(&net).tap, transformer(&net).x), (1.0, 0.1));
    // CZ 2: on 50 MVA. CZ 3: 100 kW of load losses and |z| = 0.1 on 50 MVA.
    close(transformer(&case("1,2,1,0,0", "0.01,0.1,50\n1\n1")).x, 0.2);
    let net = case("1,3,1,0,0", "100000,0.1,50\n1\n1");
    let r = 0.1 / 50.0;
    close(transformer(&net).r, r * 2.0);
    close(transformer(&net).x, (0.1f64 * 0.1 - r * r).sqrt() * 2.0);
    // CM 1: at the bus of winding 1, outside its ratio; the model has it inside.
    let charging = transformer(&case("1,1,1,0.01,-0.02", "0,0.1,50\n1.1\n1"))
        .charging
        .expect("charging");
    close(charging.g_fr, 0.01 * 1.21);
    close(charging.b_fr, -0.02 * 1.21);
    assert_eq!((charging.g_to, charging.b_to), (0.0, 0.0));
    // CM 2: 50 kW and 0.3 % exciting current on 50 MVA at 220 kV, of a bus of 230 kV.
    let charging = transformer(&case("1,1,2,50000,0.003", "0,0.1,50\n1,220\n1"))
        .charging
        .expect("charging");
    let scale = (230.0f64 / 220.0).powi(2);
    let (g, y) = (0.05 / 100.0 * scale, 0.003 * 50.0 / 100.0 * scale);
    close(charging.g_fr, g);
    close(charging.b_fr, -(y * y - g * g).sqrt());
}

#[test]
fn lines_have_shunts_by_end() {
    let net = network(&with(
        33,
        &[("BRANCH", "1,3,'1',0.0,0.1,0.06,0,0,0,0.01,0.02,0.03,0.04")],
    ));
    let line = net.branches().iter().find(|b| b.b != 0.0).expect("the line");
    let charging = line.charging.expect("charging");
    assert_eq!((charging.g_fr, charging.g_to), (0.01, 0.03));
    close(charging.b_fr, 0.05);
    close(charging.b_to, 0.07);
    close(line.b, 0.12);
}

#[test]
fn three_windings_are_magnetised_at_the_bus_of_the_first() {
    let record = |stat: u32| {
        format!("1,2,3,'1',1,1,1,0.001,-0.002,2,'T',{stat}\n0,0.1,100,0,0.2,100,0,0.3,100\n1.02,0,0,90\n1.0,0,0,91\n1.0,0,-30,92")
    };
    for (stat, live) in [(1, true), (2, true), (4, false), (0, false)] {
        let net = network(&with(33, &[("TRANSFORMER", &record(stat))]));
        let shunt = net.shunts().last().expect("a shunt");
        assert_eq!((shunt.bus.0, shunt.in_service), (1, live), "{stat}");
        close(shunt.g, 0.1);
        close(shunt.b, -0.2);
        let t = &net.transformers_3w()[0];
        assert_eq!((t.mag_g, t.mag_b, t.windings[2].shift), (0.0, 0.0, -30.0));
    }
}

#[test]
fn switching_devices_are_branches_that_are_in_service_where_they_are_closed() {
    let device = |x: &str, stat: u32| format!("1,3,'1',{x},70,80,90,0,0,0,0,0,0,0,0,0,{stat},1,1,2,'Breaker'");
    let text = |x: &str, stat: u32| with(35, &[("SYSTEM SWITCHING DEVICE", &device(x, stat))]);
    let net = network(&text("0.0002", 1));
    let branch = &net.branches()[2];
    assert_eq!(
        (branch.r, branch.x, branch.rate_a, branch.name.as_deref()),
        (0.0, 0.0002, 70.0, Some("Breaker"))
    );
    // A reactance up to THRSHZ, by default 0.0001, is none.
    for (general, x, expected) in [
        ("", "0.0001", 0.0),
        ("", "", 0.0),
        ("GENERAL, THRSHZ=0.0003\n", "0.0002", 0.0),
    ] {
        let net = network(&text(x, 1).replacen("A CASE\n\n", &format!("A CASE\n\n{general}"), 1));
        assert_eq!((net.branches()[2].x, net.branches()[2].in_service), (expected, true));
    }
    let open = network(&text("0.0001", 0));
    assert_eq!((open.branches().len(), open.switches().len()), (3, 0));
    assert!(!open.branches()[2].in_service);
    // Revision 36 names a set of ratings.
    let net = network(&with(
        36,
        &[
            ("SWITCHING DEVICE RATING SET", "'S1','a set',65,66,67"),
            ("SYSTEM SWITCHING DEVICE", "1,3,'1',0.0002,'S1',1,1,1,2,'Breaker'"),
        ],
    ));
    assert_eq!((net.branches()[2].rate_a, net.branches()[2].rate_c), (65.0, 67.0));
}

#[test]
fn renewable_machines_have_limits_by_their_mode() {
    let q = (1.0f64 - 0.95 * 0.95).sqrt() / 0.95 * 10.0;
    for (mode, factor, limits, set_point, kind) in [
        (0, "0.95", [99.0, -99.0], 3.0, BusType::Pv),
        (1, "0.95", [99.0, -99.0], 3.0, BusType::Pv),
        (2, "0.95", [q, -q], 3.0, BusType::Pv),
        (2, "1.0", [0.0, 0.0], 0.0, BusType::Pq),
        (3, "0.95", [q, q], q, BusType::Pq),
        (3, "-0.95", [-q, -q], -q, BusType::Pq),
        (4, "0.95", [3.0, 3.0], 3.0, BusType::Pq),
    ] {
        let machines = format!(
            "1,'1',60,0,999,-999,1.0\n3,'W',10,3,99,-99,1.0,0,100,0,1,0,0,1,1,100,20,0,1,1,0,1,0,1,0,1,{mode},{factor}"
        );
        let net = network(&with(33, &[("GENERATOR", &machines)]));
        let g = &net.generators()[1];
        assert_eq!(net.buses()[2].kind, kind, "{mode}");
        for (value, expected) in [(g.qmax, limits[0]), (g.qmin, limits[1]), (g.qg, set_point)] {
            close(value, expected);
        }
    }
}

#[test]
fn a_machine_whose_limits_are_equal_has_that_reactive_power_and_regulates_nothing() {
    let case = |limits: &str, kind: u32| {
        let buses = BUSES.replace("3,'C',20,2", &format!("3,'C',20,{kind}"));
        let machines = format!("1,'1',60,0,999,-999,1.0\n3,'1',10,3,{limits},1.0");
        let net = network(&with(33, &[("BUS", &buses), ("GENERATOR", &machines)]));
        let g = &net.generators()[1];
        (net.buses()[2].kind, g.qg, g.voltage_regulation_on)
    };
    assert_eq!(case("7,7", 2), (BusType::Pq, 7.0, false));
    assert_eq!(case("7,-7", 2), (BusType::Pv, 3.0, true));
    // A swing bus controls its voltage.
    assert_eq!(case("7,7", 3), (BusType::Ref, 3.0, true));
}

#[test]
fn machines_name_the_bus_that_they_regulate() {
    let machines = "1,'1',60,0,999,-999,1.0,1\n3,'1',10,3,99,-99,1.01,2";
    let net = network(&with(33, &[("GENERATOR", machines)]));
    let regulated: Vec<_> = net.generators().iter().map(|g| g.regulated_bus.map(|b| b.0)).collect();
    assert_eq!(regulated, [None, Some(2)]);
    assert_eq!(warnings(&with(33, &[("GENERATOR", machines)])), []);
    // Two plants that regulate bus 2 in different shares.
    let shares = "1,'1',60,0,999,-999,1.0,2,,,,,,,,80\n3,'1',10,3,99,-99,1.01,2,,,,,,,,20";
    let message = "Plants that regulate bus 2 share its reactive power equally, not in the shares of the file (RMPCT).";
    assert_eq!(
        warnings(&with(33, &[("GENERATOR", shares)])),
        [("INPUT.FIELD_IGNORED", message.to_string())]
    );
}

#[test]
fn fixed_controls_have_one_warning_per_kind() {
    let winding = |cod: i64| format!("1,0,0,0,0,0,{cod},2,1.1,0.9,1.1,0.9,33");
    let two =
        |id: u32, stat: u32, cod: i64| format!("1,2,0,'{id}',1,1,1,0,0,2,'T',{stat}\n0,0.1\n{}\n1\n", winding(cod));
    let transformers = [two(1, 1, 1), two(2, 1, -1), two(3, 0, 1), two(4, 1, 3), two(5, 1, 2)].concat();
    let text = with(
        33,
        &[
            ("TRANSFORMER", transformers.trim_end()),
            ("AREA", "1,1,25.5,1,'NORTH'\n2,0,0"),
            ("INTER-AREA TRANSFER", "1,2,'A',12"),
            (
                "SWITCHED SHUNT",
                "2,1,0,1,1.05,0.95,0,100,'',30.0,2,15.0\n1,0,0,1,1,1,0,100,'',5.0\n3,2,0,0,1,1,0,100,'',7",
            ),
            (
                "GENERATOR",
                "1,'1',60,0,999,-999,1.0\n3,'1',10,3,99,-99,1.0,0,100,0,1,0.01,0.1,1.02",
            ),
        ],
    );
    let held = |message: &str| ("INPUT.HELD", message.to_string());
    let step_up =
        "1 generator states a step-up transformer (RT, XT, GTAP), which is not modelled; its output is at its bus.";
    assert_eq!(
        warnings(&text),
        [
            held("2 transformers with automatic tap control are held at the taps of the file."),
            held("1 phase shifter with automatic control is held at the angle of the file."),
            held("1 switched shunt is held at the susceptance of the file (BINIT), 30.000 MVAr at 1 pu."),
            held("The scheduled interchange of area 1 (25.5 MW) is not controlled."),
            held("The transfer from area 1 to 2 (12.0 MW) is not controlled."),
            ("INPUT.FIELD_IGNORED", step_up.to_string()),
        ]
    );
    assert_eq!(warnings(RAW_33).len(), 1);
}

#[test]
fn headers_may_leave_out_what_has_a_default() {
    let net = network(&with(33, &[]).replacen("0,100.0,33,0,1,60.0", ",,33.7", 1));
    assert_eq!((net.base_mva(), net.base_frequency()), (100.0, 60.0));
}
