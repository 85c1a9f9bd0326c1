use super::*;

const CASE: &str = "function mpc = demo
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [ % with a ] in a comment
 1 3 0 0 0 0 1 1 0 345 1 1.1 0.9;
 2 1 90 30 0 0 1 1 0 345 1 1.1 0.9 % no semicolon
];
mpc.gen = [1 0 0 300 -300 1 100 1 250 10];
mpc.branch = [1 2 0.01 0.1 0 250 250 250 0 0 1 -360 360];
mpc.gencost = [2 0 0 3 0.11 5 150];
";

fn code_of(source: &str) -> &'static str {
    inspect(source).map_or_else(|e| e.code, |_| "ok")
}

fn with(extra: &str) -> String {
    format!("{CASE}{extra}")
}

#[test]
fn a_plain_case_passes_with_its_name() {
    let findings = inspect(CASE).expect("plain case");
    assert_eq!(findings.case_name.as_deref(), Some("demo"));
    assert!(findings.warnings.is_empty());
}

#[test]
fn every_cut_through_a_table_is_seen() {
    let costs = CASE.find("mpc.gencost").expect("table");
    let branches_end = CASE[..costs].rfind(']').expect("table end") + 1;
    let costs_end = CASE.rfind(']').expect("table end") + 1;
    for cut in (1..CASE.len()).filter(|cut| *cut < costs_end) {
        match inspect(&CASE[..cut]) {
            // Between two tables the rest is a complete file, with a warning about missing costs.
            Ok(findings) => {
                assert!(
                    (branches_end..=costs).contains(&cut),
                    "cut at byte {cut}: {:?}",
                    &CASE[..cut]
                );
                assert_eq!(findings.warnings[0].code, "COST.NO_TABLE");
            }
            Err(e) => assert!(
                matches!(
                    e.code,
                    "INPUT.TRUNCATED" | "INPUT.MISSING_TABLE" | "INPUT.MATPOWER_SCRIPT"
                ),
                "{e}"
            ),
        }
    }
}

#[test]
fn statements_that_change_tables_are_refused() {
    for script in [
        "for i = 1:2, mpc.bus(i, 3) = 0; end\n",
        "for i = 1:2 mpc.bus(i, 3) = 0; end\n",
        "if true\n  mpc.gen = [1];\nend\n",
        "mpc = scale_load(0.5, mpc);\n",
        "[mpc, x] = f(mpc);\n",
        "mpc.bus = [1 3 0 0 0 0 1 1 0 345 1 1.1 0.9];\n",
        "mpc.gencost = totcost(mpc.gencost);\n",
        "x = 1; mpc.storage = [];\n",
        "mpc.storage = [1 2; 3 4] * 2;\n",
        "mpc.storage = [1 2; 3 4]';\n",
        "mpc.('bus') = 1;\n",
        "mpc.gen.x = 1;\n",
        "mpc . dcline = [1 2 3];\n",
        "mpc.storage = ...\n [1 2 3];\n",
        "mpc.branch(1, :) = [];\n",
    ] {
        assert_eq!(code_of(&with(script)), "INPUT.MATPOWER_SCRIPT", "{script}");
    }
}

#[test]
fn statements_beside_the_tables_pass() {
    for script in [
        "mpc.xbus(:) = 1:9;\n",
        "nb = size(mpc.bus, 1);\n",
        "for i = 1:size(mpc.bus, 1)\n x = i;\nend\n",
        "if mpc.bus(1, 3) == 4\n x = 2;\nend\n",
        "mpc.bus_name = {'a%b'; 'it''s ]'};\n",
        "%{\nmpc.bus = [1];\n%}\n",
    ] {
        assert_eq!(code_of(&blank_block_comments(&with(script))), "ok", "{script}");
    }
    let findings = inspect(&with("mpc.A = [1 0];\nmpc.reserves.req = 60;\n")).expect("warned");
    assert_eq!(findings.warnings.len(), 2);
    let reactive = CASE.replace("[2 0 0 3 0.11 5 150]", "[2 0 0 3 0.11 5 150; 2 0 0 3 0 1 0]");
    assert_eq!(
        inspect(&reactive).expect("warned").warnings[0].code,
        "COST.REACTIVE_IGNORED"
    );
}

#[test]
fn rows_the_reader_would_misread_are_refused() {
    for (from, to, code) in [
        ("1 3 0 0 0 0 1", "1.5 3 0 0 0 0 1", "INPUT.TABLE"),
        ("1 3 0 0 0 0 1", "1 7 0 0 0 0 1", "INPUT.TABLE"),
        ("1 3 0 0 0 0 1", "4294967296 3 0 0 0 0 1", "INPUT.ID_RANGE"),
        ("1 3 0 0 0 0 1", "1 3 0 0 0 0 -1", "INPUT.ID_RANGE"),
        ("0 0 1 -360", "0 0 2 -360", "INPUT.TABLE"),
        ("100 1 250", "100 2 250", "INPUT.TABLE"),
        ("100 1 250", "100 -1 250", "ok"),
        ("mpc.baseMVA = 100;", "mpc.baseMVA = 100", "INPUT.MATPOWER_SCRIPT"),
        ("mpc.baseMVA = 100;", "mpc.baseMVA = 2 * 50;", "INPUT.MATPOWER_SCRIPT"),
        ("[2 0 0 3", "[2.5 0 0 3", "INPUT.TABLE"),
        ("[2 0 0 3", "[3 0 0 3", "INPUT.COST"),
        ("90 30", "90 30 0", "INPUT.TABLE"),
    ] {
        let changed = CASE.replacen(from, to, 1);
        assert_ne!(changed, CASE);
        assert_eq!(code_of(&changed), code, "{from} -> {to}");
    }
}

#[test]
fn switches_are_read_and_dc_grids_are_refused() {
    let table = "mpc.switch = [\n1 2 0 0 0 99 1\n1 2 7 3 1 98 1\n1 2 0 0 1 97 0\n];\n";
    let case = crate::ingest_case(with(table).as_bytes(), "matpower").expect("a case");
    let switches = case.network.branches.iter().filter(|b| b.is_switch);
    let switches: Vec<_> = switches.map(|b| (b.r_pu, b.x_pu, b.rating_pu, b.in_service)).collect();
    // Open by its state, closed, and open because it is out of service.
    let rated = |mva: f64| mva / case.network.base_mva;
    assert_eq!(
        switches,
        [
            (0.0, 0.0, rated(99.0), false),
            (0.0, 0.0, rated(98.0), true),
            (0.0, 0.0, rated(97.0), false)
        ]
    );
    for (rows, code) in [
        ("1 2 0 0", "INPUT.TABLE"),
        ("1 2 0 0 closed 99 1", "INPUT.TABLE"),
        ("1.5 2 0 0 1 99 1", "INPUT.TABLE"),
        ("1 2 0 0 1 99 7", "INPUT.TABLE"),
        ("1 2 0 0 1", "ok"),
    ] {
        assert_eq!(code_of(&with(&format!("mpc.switch = [{rows}];\n"))), code, "{rows}");
    }
    assert_eq!(code_of(&with("mpc.branchdc = [1 2 0.1];\n")), "PHYSICS.UNSUPPORTED");
}

/// The demo case in format version 1.
const VERSION_1: &str = "function [baseMVA, bus, gen, branch, areas, gencost] = demo
% MATPOWER Case Format : Version 1
baseMVA = 100;
bus = [
 1 3 0 0 0 0 1 1 0 345 1 1.1 0.9;
 2 1 90 30 0 0 1 1 0 345 1 1.1 0.9
];
gen = [1 0 0 300 -300 1 100 1 250 10];
branch = [ % fbus tbus ] ;
 1 2 0.01 0.1 0 250 250 250 0 0 1; 2, 1, 0.01, 0.1, 0, 250, 250, 250, 0, 0, 0 % no ; here
 1 2 0.02 0.2 0 250 250 250 0 0 1
];
areas = [1 1];
gencost = [2 0 0 3 0.11 5 150];
";

#[test]
fn version_1_is_read_as_version_2() {
    let text = as_version_2(VERSION_1).expect("plain").expect("version 1");
    let findings = inspect(&text).expect("a case");
    assert_eq!(findings.case_name.as_deref(), Some("demo"));
    assert_eq!(
        text.lines().count(),
        VERSION_1.lines().count(),
        "lines keep their numbers"
    );
    let net = crate::ingest_case(VERSION_1.as_bytes(), "matpower")
        .expect("a case")
        .network;
    let reactances: Vec<(f64, bool)> = net.branches.iter().map(|b| (b.x_pu, b.in_service)).collect();
    assert_eq!(reactances, [(0.1, true), (0.1, false), (0.2, true)]);
    assert!(net
        .branches
        .iter()
        .all(|b| b.angle_max_rad == std::f64::consts::FRAC_PI_3));
    assert!(as_version_2(CASE).expect("plain").is_none());
}

#[test]
fn what_version_1_scripts_do_with_their_tables_is_refused() {
    for script in [
        "bus(2, 3) = 0;\n",
        "  x = 1; bus = [];\n",
        "for i = 1:2, gen(i, 2) = 0; end\n",
        "[bus, gen] = f(bus, gen);\n",
        "if bus(1, 2) == 3\n",
    ] {
        let error = as_version_2(&format!("{VERSION_1}{script}")).expect_err(script);
        assert_eq!(error.code, "INPUT.MATPOWER_SCRIPT");
        assert!(error.message().starts_with("Line 15: "), "{error}");
    }
    assert!(as_version_2(&format!("{VERSION_1}x = 1; % bus\n")).is_ok());
    let tables_end = VERSION_1.find("];\nareas").expect("table end") + 1;
    for end in 0..tables_end {
        assert!(
            crate::ingest_case(&VERSION_1.as_bytes()[..end], "matpower").is_err(),
            "cut at {end}"
        );
    }
}

/// A case with a script after its tables.
fn converted(base: &str, script: &str) -> crate::Result<crate::AnalysisNetwork> {
    let text = CASE.replace("= 100;", &format!("= {base};")) + script;
    crate::ingest_case(text.as_bytes(), "matpower").map(|case| case.network)
}

#[test]
fn arithmetic_on_columns_is_carried_out() {
    let network = converted(
        "1000 / 10^2",
        "define_constants;\n\
         Vbase = mpc.bus(1, BASE_KV) * 1e3;\n\
         Sbase = mpc.baseMVA * 1e6;  % VA\n\
         mpc.branch(:, [BR_R BR_X]) = mpc.branch(:, [BR_R BR_X]) / (Vbase^2 / Sbase);\n\
         pf = 0.8;\n\
         mpc.bus(:, QD) = mpc.bus(:, PD) * ...\n  sin(acos(pf)); mpc.bus(:, PD) = pf * mpc.bus(:, PD);\n\
         mpc.gen(:, PMAX) = mpc.gen(:, PMAX) - 50;\n\
         mpc.gencost(:, 5:6) = mpc.gencost(:, 5:6) * 2;\n",
    )
    .expect("evaluated");
    let ohms = 345e3_f64 * 345e3 / 1e7;
    assert_eq!(network.base_mva, 10.0);
    assert_eq!(
        (network.branches[0].r_pu, network.branches[0].x_pu),
        (0.01 / ohms, 0.1 / ohms)
    );
    assert_eq!(network.buses[1].demand_pu, 90.0 * 0.8 / 10.0);
    assert!((network.buses[1].demand_q_pu - 90.0 * 0.6 / 10.0).abs() < 1e-12);
    assert_eq!(network.generators[0].pmax_pu, 20.0);
    let crate::analysis::Cost::Quadratic { c2, c1, .. } = network.generators[0].cost else {
        panic!("{:?}", network.generators[0].cost)
    };
    assert_eq!((c2, c1), (0.22 * 100.0, 10.0 * 10.0));
}

#[test]
fn what_is_no_arithmetic_on_columns_is_refused_with_its_line() {
    for (script, line, why) in [
        ("x = 1;\nmpc.bus(2, 3) = 5;\n", 12, "it changes single rows"),
        ("mpc.bus(:, 3) = f(mpc.bus(:, 3));\n", 11, "`f` is not known there"),
        ("mpc.bus(:, PD) = 2;\n", 11, "`PD` is not known there"),
        ("mpc.branch(1, :) = [];\n", 11, "it changes single rows"),
        ("mpc.bus(:, 3) += 2;\n", 11, "`+` was found where `=` is expected"),
        ("mpc.bus(:, [3 3]) = 2;\n", 11, "it names a column twice"),
        ("mpc.bus(:, 3:4) = mpc.gen(:, 2:3);\n", 11, "both sides differ in shape"),
        ("mpc.bus(:, 14) = 1;\n", 11, "row 1 of `mpc.bus` has 13 columns"),
        ("mpc.bus(:, 3) = mpc.bus(:, 3) / 0;\n", 11, "a result is NaN"),
        (
            "mpc.storage(:, 3) = 1;\n",
            11,
            "the file has no table `mpc.storage` before it",
        ),
        (
            "k = size(mpc.bus, 1);\nmpc.bus(:, 3) = k;\n",
            12,
            "the value of `k` is not known",
        ),
        (
            "k = 2;\nif k > 1\n k = 3;\nend\nmpc.bus(:, 3) = k;\n",
            15,
            "the value of `k` is not known",
        ),
        (
            "eval('mpc.bus(:, 3) = 1');\nmpc.bus(:, 3) = 2;\n",
            12,
            "line 11 may change its operands",
        ),
        ("return;\nmpc.bus(:, 3) = 2;\n", 12, "line 11 may change its operands"),
        (
            "[PQ, PV] = idx_bus(1);\nmpc.bus(:, PV) = 2;\n",
            12,
            "`PV` is not known there",
        ),
    ] {
        let error = converted("100", script).expect_err(script);
        assert_eq!(error.code, "INPUT.MATPOWER_SCRIPT", "{error}");
        assert!(
            error.message().starts_with(&format!("Line {line}: ")) && error.message().contains(why),
            "{error}"
        );
    }
    for base in ["f(2)", "1 / 0", "'100'", "100 + mpc.bus(1, 3)"] {
        let error = converted(base, "").expect_err(base);
        assert!(
            error.code == "INPUT.MATPOWER_SCRIPT" && error.message().starts_with("Line 3: "),
            "{error}"
        );
    }
    let inside = converted("100", "for i = 1:2\n mpc.bus(:, 3) = mpc.bus(:, 3) / 2;\nend\n").expect_err("a loop");
    assert!(inside.message().starts_with("Line 12: "), "{inside}");
    // A column of bus numbers must contain bus numbers after the conversion too.
    let numbers = converted("100", "mpc.bus(:, 1) = mpc.bus(:, 1) / 2;\n").expect_err("halves");
    assert_eq!(numbers.code, "INPUT.TABLE");
}

#[test]
fn columns_are_named_as_matpower_names_them() {
    for (names, column) in [
        ("[PQ, PV, REF, NONE, BUS_I, BUS_TYPE, PD, QD] = idx_bus;", "PD"),
        ("[~, ~, ~, ~, ~, ~, demand] = idx_bus();", "demand"),
        ("[a, b, ... not, these\n c, d, e, f, g] = idx_bus;", "g"),
        ("define_constants", "PD"),
        ("n = 3;", "n"),
    ] {
        let script = format!("{names}\nmpc.bus(:, {column}) = mpc.bus(:, {column}) / 1e3;\n");
        let network = converted("100", &script).expect(names);
        assert_eq!(network.buses[1].demand_pu, 0.09 / 100.0, "{names}");
    }
}

#[test]
fn numbers_of_a_table_may_be_expressions() {
    let case = |text: &str| crate::ingest_case(text.as_bytes(), "matpower").map(|case| case.network);
    let text = CASE
        .replace("= 100;", "= 50/3;")
        .replace("0 345 1 1.1 0.9;", "0 135/sqrt(3) 1 1.1 (1.8 / 2); % of / line (x)")
        .replace("0.01 0.1 0 250", "1e-2 2^2/40, 0 250");
    let network = case(&text).expect("evaluated");
    assert_eq!(
        (network.base_mva, network.buses[0].base_kv),
        (50.0 / 3.0, 135.0 / 3.0_f64.sqrt())
    );
    assert_eq!((network.buses[0].vmin_pu, network.branches[0].x_pu), (0.9, 0.1));
    for entry in ["1 / 2", "2 - 1*1", "f(3)", "1/0", "3'*2"] {
        let refused = case(&CASE.replace("0.01 0.1", &format!("0.01 {entry}"))).expect_err(entry);
        assert!(
            ["INPUT.MATPOWER_SCRIPT", "INPUT.TABLE", "INPUT.PARSE"].contains(&refused.code),
            "{entry}: {refused}"
        );
    }
    // An ambiguous blank must not lead to another number.
    assert!(case(&CASE.replace("0.01 0.1 0 250", "0.01 0.3 - 0.2 0 250")).is_err());
}
