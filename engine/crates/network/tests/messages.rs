//! Messages to users: a damaged file is reported by line, row or element, without words of the parser's source code.

mod common;

use common::CASE;
use wattbook_network::geo::{apply_geo, parse_layer};
use wattbook_network::{export_module, ingest_case, network_from_module, EngineError};

/// The small case in a text format.
fn written(format: &str) -> String {
    let text = CASE.replace("0.98	-3", "0.98	0");
    let module = common::ingest(&text).expect("case").module_json;
    String::from_utf8(export_module(&module, format).expect("written").bytes).expect("text")
}

fn refusal(text: &str, format: &str) -> EngineError {
    ingest_case(text.as_bytes(), format).map(|_| ()).expect_err("refused")
}

/// The refusal after one replacement in the small case.
fn changed(format: &str, from: &str, to: &str) -> String {
    let text = if format == "matpower" {
        CASE.to_string()
    } else {
        written(format)
    };
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from:?} is not in the file");
    refusal(&changed, format).message()
}

#[test]
fn rows_and_branches_are_counted_from_one() {
    for (from, to, message) in [
        (
            "10	20	0.01",
            "10	20	abc",
            "Row 1 of `mpc.branch` holds `abc`, which is not a number.",
        ),
        (
            "10	20	0.01",
            "10	77	0.01",
            "Branch 1 refers to bus 77, which does not exist.",
        ),
        (
            "20	30	0.01",
            "20	77	0.01",
            "Branch 2 refers to bus 77, which does not exist.",
        ),
        (
            "	90	30",
            "	x	30",
            "Row 3 of `mpc.bus` holds `x`, which is not a number.",
        ),
    ] {
        assert_eq!(changed("matpower", from, to), message);
    }
}

#[test]
fn the_line_of_a_value_that_is_not_a_number_is_named() {
    for (format, from, to, what) in [
        (
            "psse",
            "10, 20, '1', 0.01",
            "10, 20, '1', abc",
            "`abc` is not a finite number.",
        ),
        (
            "powerworld",
            "10 20 \"1\" 0.01",
            "10 20 \"1\" abc",
            "`abc` is not a number; the field LineR needs one.",
        ),
        ("pslf", ": 1 0.01 0.1", ": 1 abc 0.1", "`abc` is not a valid branch r."),
        (
            "pslf",
            "sbase 200",
            "sbase abc",
            "the MVA base `abc` is not a positive number.",
        ),
    ] {
        let text = written(format).replacen(from, to, 1);
        let line = text.lines().position(|l| l.contains("abc")).expect("replaced") + 1;
        assert_eq!(refusal(&text, format).message(), format!("Line {line}: {what}"));
    }
}

#[test]
fn json_is_refused_by_position_and_without_names_of_types() {
    let model = written("powermodels-json");
    let message = refusal(&model[..model.len() / 2], "powermodels-json").message();
    assert!(
        message.starts_with("Line ") && message.ends_with("it is cut off."),
        "{message}"
    );
    let message = changed("powermodels-json", "{", "");
    assert!(
        message.contains("expected an object") && !message.contains("struct"),
        "{message}"
    );
    let module = common::ingest(CASE).expect("case").module_json;
    let message = network_from_module(&module.replacen("\"from\": 10", "\"from\": \"ten\"", 1))
        .expect_err("refused")
        .message();
    assert!(
        message.ends_with("invalid type: string \"ten\", expected a whole number."),
        "{message}"
    );
    let message = network_from_module(&module.replacen("\"version\": 2", "\"version\": 1", 1))
        .expect_err("an older generation")
        .message();
    assert!(
        message.starts_with("The module is a `pio-ir` of generation 1, written by"),
        "{message}"
    );
}

#[test]
fn pieces_of_a_file_stay_in_one_line() {
    for text in ["mpc.bus = [ 1\t\u{7}(2\n", "x = 'a\u{1b}[31m\tb\n"] {
        let message = refusal(text, "matpower").message();
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
    let long = format!("{{\"network\":{{\"{}\":1}}}}", "x".repeat(10_000));
    assert!(refusal(&long, "goc3-json").message().chars().count() <= 502);
    let layer = parse_layer(b"{\"type\": nul").expect_err("no JSON");
    assert!(
        layer
            .message()
            .starts_with("The file is not readable JSON. Line 1, column 12: "),
        "{layer}"
    );
}

#[test]
fn a_base_that_is_no_number_is_not_taken_for_100_mva() {
    let error = refusal(&written("pslf").replacen("sbase 200", "sbase x", 1), "pslf");
    assert_eq!(error.code, "INPUT.BASE_MVA");
}

/// An infinite load at an isolated bus was written as a module that no session could open again.
#[test]
fn a_case_that_is_read_can_be_opened_again() {
    let text = written("pslf").replacen("0 50 10 0 0 0", "0 50 10 0 0 1e999", 1);
    assert!(text.contains("1e999"));
    assert_eq!(refusal(&text, "pslf").code, "INPUT.NOT_FINITE");
}

/// The writer of these two formats ended the program.
#[test]
fn an_empty_uid_is_refused_where_it_would_be_an_identity() {
    let module = common::ingest(CASE).expect("case").module_json;
    let at = module.find("\"uid\": \"").expect("uids") + "\"uid\": \"".len();
    let end = at + module[at..].find('"').expect("closed");
    let empty = module[..at].to_string() + &module[end..];
    for format in ["xiidm", "jiidm"] {
        assert!(export_module(&module, format).is_ok());
        let error = export_module(&empty, format).expect_err("refused");
        assert!(["EXPORT.REFUSED", "MODULE.INVALID"].contains(&error.code), "{error}");
    }
}

#[test]
fn coordinates_that_are_not_finite_are_none() {
    let module = common::ingest(CASE).expect("case").module_json;
    let report = apply_geo(&module, b"bus,lat,lon\n10,31,-100\n20,inf,-100\n30,NaN,1e999\n")
        .expect("one bus")
        .report;
    assert_eq!((report.matched_buses, report.unmatched_records), (1, 2));
    assert!(
        report
            .warnings
            .iter()
            .all(|w| w.sentence.key == "geo.record_without_coordinates"),
        "{:?}",
        report.warnings
    );
}

/// Circular and exponentially growing scripts end at once, with a coded error.
#[test]
fn scripts_that_copy_or_include_without_end_are_refused() {
    use wattbook_network::distribution::ingest_distribution;
    let head = "New Circuit.c basekv=12.47 bus1=src\nNew Line.l bus1=src bus2=end length=1\nNew Load.a bus1=end kw=1\n";
    let code = |script: &str, companions: &[(&str, &str)]| {
        let companions: Vec<(String, Vec<u8>)> = companions
            .iter()
            .map(|(p, t)| (p.to_string(), t.as_bytes().to_vec()))
            .collect();
        ingest_distribution(script.as_bytes(), "dss", &companions).map_or_else(|e| e.code, |_| "read")
    };
    assert_eq!(code(&format!("{head}New Load.b like=a kw=2\n"), &[]), "read");
    let itself = "Edit Load.a like=a\n".repeat(300);
    assert_eq!(code(&format!("{head}{itself}"), &[]), "INPUT.COPIES");
    let chain: String = (1..60)
        .map(|k| format!("New Load.c{k} like={} like={}\n", prior(k), prior(k)))
        .collect();
    assert_eq!(code(&format!("{head}{chain}"), &[]), "INPUT.COPIES");
    let by_reference = "Load.a.like=a\n".repeat(300);
    assert_eq!(code(&format!("{head}{by_reference}"), &[]), "INPUT.COPIES");
    let included = format!("{head}{}", "Redirect twice.dss\n".repeat(40));
    assert_eq!(
        code(&included, &[("twice.dss", "Edit Load.a like=a\n")]),
        "INPUT.COPIES"
    );
    let ten = |to: &str| format!("Redirect {to}.dss\n").repeat(10);
    let (one, two, three, four) = (ten("b"), ten("c"), ten("d"), ten("e"));
    let bomb = [
        ("a.dss", one.as_str()),
        ("b.dss", &two),
        ("c.dss", &three),
        ("d.dss", &four),
        ("e.dss", "! end\n"),
    ];
    assert_eq!(code(&format!("{head}Redirect a.dss\n"), &bomb), "INPUT.REDIRECT_CYCLE");
}

fn prior(k: usize) -> String {
    if k == 1 {
        "a".to_string()
    } else {
        format!("c{}", k - 1)
    }
}

#[test]
fn a_link_with_impossible_limits_or_losses_is_refused_by_name() {
    let with_link = |numbers: &str| {
        let link = format!("mpc.dcline = [10 30 1 5 5 0 0 1 1 {numbers}];\n");
        ingest_case(format!("{CASE}\n{link}").as_bytes(), "matpower").map(|_| ())
    };
    let crossed = with_link("20 10 -1 1 -1 1 0 0").expect_err("refused");
    assert_eq!(crossed.code, "INPUT.LINK");
    assert_eq!(
        crossed.message(),
        "HVDC link 1 between buses 10 and 30 has active limits from 20 MW to 10 MW, which admit no power."
    );
    let gaining = with_link("0 10 -1 1 -1 1 0 -0.1").expect_err("refused");
    assert_eq!(gaining.code, "INPUT.LINK");
    assert_eq!(
        gaining.message(),
        "HVDC link 1 between buses 10 and 30 has a constant loss of 0 MW and a loss factor of -0.1; the first must not \
         be negative, and the second must be at least 0 and below 1."
    );
    with_link("0 10 -1 1 -1 1 0 0").expect("it is read");
}

/// The writer of these two formats made a list of them all.
#[test]
fn tap_positions_that_no_transformer_has_are_refused_where_they_would_be_listed() {
    let text = written("psse");
    let case = |positions: &str| {
        let text = text.replacen("0.9, 33, ", &format!("0.9, {positions}, "), 1);
        ingest_case(text.as_bytes(), "psse").expect(positions).module_json
    };
    for format in ["xiidm", "jiidm"] {
        assert!(export_module(&case("9999"), format).is_ok());
        let error = export_module(&case("4294967295"), format).expect_err("refused");
        assert_eq!(error.code, "EXPORT.REFUSED");
        let message = "The case cannot be written as IIDM: line 4 has more than 9999 tap positions.";
        assert_eq!(error.message(), message);
    }
}

/// The writer of these two formats made a list of them all: one of 10 000 000 000 filled the memory.
#[test]
fn steps_that_no_shunt_has_are_refused_where_they_would_be_listed() {
    let text = written("psse");
    let at = text.find("0 / END OF SWITCHED SHUNT DATA").expect("the section");
    let case = |steps: &str| {
        let shunt = format!("30, 1, 0, 1, 1.1, 0.9, 0, 100.0, '', 5.0, 1, 5.0, {steps}, 1.0\n");
        let text = [&text[..at], &shunt, &text[at..]].concat();
        ingest_case(text.as_bytes(), "psse").expect(steps).module_json
    };
    for format in ["xiidm", "jiidm"] {
        assert!(export_module(&case("9"), format).is_ok());
        let error = export_module(&case("4294967295"), format).expect_err("refused");
        assert_eq!(error.code, "EXPORT.REFUSED");
        let message = "The case cannot be written as IIDM: the switched shunt at bus 30 has more than 9999 steps.";
        assert_eq!(error.message(), message);
    }
}

/// Impedances of 1e-320 MVA cannot be represented on a base that fits the powers of the case.
#[test]
fn impedances_that_are_infinite_on_a_base_that_fits_the_case_are_refused() {
    let error = refusal(&CASE.replacen("baseMVA = 200", "baseMVA = 1e-320", 1), "matpower");
    assert_eq!((error.code, error.element.is_some()), ("INPUT.BASE_MVA", true));
    assert!(
        error.message().starts_with("The MVA base 1e-320 is out of proportion"),
        "{error}"
    );
}

#[test]
fn a_voltage_that_is_no_number_is_refused() {
    for (column, value) in [("1	0	345", "nan	0	345"), ("1	0	345", "1	nan	345")] {
        let error = refusal(&CASE.replacen(column, value, 1), "matpower");
        assert_eq!(
            (error.code, error.element.map(|e| e.id)),
            ("INPUT.NOT_FINITE", Some(10))
        );
    }
}

/// The parser repeats a remark for each record: one warning covers all of a kind, with their number and subject. Names
/// of owners and options of another solver give no warning.
#[test]
fn remarks_of_one_kind_are_one_warning() {
    use powerio::{Destination, Diagnostic, DiagnosticCode, DiagnosticSeverity, EmittedOutput, Source};
    let text = common::ingest(CASE).expect("case").module_json;
    let source = Source::from_memory("case.module.json", text.as_bytes()).expect("a source");
    let mut module: powerio::PioModule<powerio::PioValue> = powerio::deserialize(source).expect("a module");
    let mut remark = |code: &str, message: String| {
        let code = DiagnosticCode::new(code).expect("a code");
        let diagnostic = Diagnostic::new(code, DiagnosticSeverity::Warning, message);
        module.add_diagnostic(diagnostic).expect("added");
    };
    for (section, records) in [("OWNER", 3), ("GNE", 2), ("ZONE", 4), ("SERIES REACTOR", 5)] {
        let message =
            format!("PSS/E {section} section ({records} record line(s)) is not modeled: preserved only in an echo");
        remark("READ.PSSE.SECTION_UNSUPPORTED", message);
    }
    remark(
        "READ.PSSE.FIELD_DROPPED",
        "PSS/E system wide NEWTON.ACCN has no typed representation".into(),
    );
    for unit in 1..=6 {
        remark(
            "READ.PSSE.VALUE_UNSUPPORTED",
            format!("transformer {unit}: unsupported CW=0"),
        );
    }
    let emitted = powerio::serialize(&module, Destination::memory("case").expect("memory")).expect("written");
    let EmittedOutput::Memory { artifacts } = emitted.into_output() else {
        panic!("in memory")
    };
    let text = String::from_utf8(artifacts.into_iter().next().expect("a text").into_bytes()).expect("UTF-8");
    let warnings = network_from_module(&text).expect("a network").warnings;
    let messages: Vec<String> = warnings
        .iter()
        .filter(|w| w.code == "INPUT.PARSER")
        .map(|w| w.message())
        .collect();
    assert_eq!(
        messages,
        [
            "7 records are not part of this model, in the sections GNE and SERIES REACTOR.",
            "The reader makes 6 remarks: transformer 1: unsupported CW=0, transformer 2: unsupported CW=0, transformer 3: unsupported CW=0, transformer 4: unsupported CW=0 and 2 more. (READ.PSSE.VALUE_UNSUPPORTED)"
        ]
    );
}
