//! IEEE CDF: values of cards in circulation, refusals by line, files that are cut off.

use wattbook_network::{ingest_case, AnalysisNetwork, EngineError};

const FIVE: &str = include_str!("../../../../fuzz/seeds/five_bus.cdf");

/// Cards of the IEEE 14-bus case in the archive of the University of Washington.
const IEEE14: &str = " 08/19/93 UW ARCHIVE           100.0  1962 W IEEE 14 Bus Test Case
BUS DATA FOLLOWS                            14 ITEMS
   1 Bus 1     HV  1  1  3 1.060    0.0      0.0      0.0    232.4   -16.9     0.0  1.060     0.0     0.0   0.0    0.0        0
   2 Bus 2     HV  1  1  2 1.045  -4.98     21.7     12.7     40.0    42.4     0.0  1.045    50.0   -40.0   0.0    0.0        0
   4 Bus 4     HV  1  1  0 1.019 -10.33     47.8     -3.9      0.0     0.0     0.0  0.0       0.0     0.0   0.0    0.0        0
   9 Bus 9     LV  1  1  0 1.056 -14.94     29.5     16.6      0.0     0.0     0.0  0.0       0.0     0.0   0.0    0.19       0
-999
BRANCH DATA FOLLOWS                         20 ITEMS
   1    2  1  1 1 0  0.01938   0.05917     0.0528     0     0     0    0 0  0.0       0.0 0.0    0.0     0.0    0.0   0.0
   2    4  1  1 1 0  0.05811   0.17632     0.0340     0     0     0    0 0  0.0       0.0 0.0    0.0     0.0    0.0   0.0
   4    9  1  1 1 0  0.0       0.55618     0.0        0     0     0    0 0  0.969     0.0 0.0    0.0     0.0    0.0   0.0
-999
LOSS ZONES FOLLOWS                     1 ITEMS
  1 IEEE 14 BUS
-99
INTERCHANGE DATA FOLLOWS                 1 ITEMS
 1    2 Bus 2     HV    0.0  999.99  IEEE14  IEEE 14 Bus Test Case
-9
TIE LINES FOLLOWS                     0 ITEMS
-999
END OF DATA
";

fn network(text: &str, format: &str) -> AnalysisNetwork {
    ingest_case(text.as_bytes(), format)
        .unwrap_or_else(|e| panic!("{e}"))
        .network
}

fn refusal(text: &str, format: &str) -> EngineError {
    match ingest_case(text.as_bytes(), format) {
        Ok(_) => panic!("the text is read"),
        Err(error) => error,
    }
}

/// The values are those of `case14.m` of MATPOWER, which is converted from this file.
#[test]
fn cards_of_the_archive_have_the_values_of_matpower() {
    let net = network(IEEE14, "ieee-cdf");
    assert_eq!((net.name.as_str(), net.base_mva), ("IEEE 14 Bus Test Case", 100.0));
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let [one, two, four, nine] = &net.buses[..] else {
        panic!("four buses")
    };
    assert_eq!([one.id, two.id, four.id, nine.id], [1, 2, 4, 9]);
    assert!(one.is_reference && two.is_pv && !four.is_pv && !nine.is_reference);
    assert_eq!(nine.name.as_deref(), Some("Bus 9     LV"));
    assert!(near(two.va_rad, (-4.98_f64).to_radians()) && near(nine.vm_pu, 1.056));
    assert!(near(two.demand_pu, 0.217) && near(four.demand_q_pu, -0.039) && near(nine.demand_pu, 0.295));
    assert!(near(nine.bs_pu, 0.19) && near(one.vmax_pu, 1.06) && near(one.vmin_pu, 0.94));
    assert_eq!((one.area, one.zone), (Some(1), Some(1)));
    let [slack, second] = &net.generators[..] else {
        panic!("two generators")
    };
    assert!(near(slack.pg_pu, 2.324) && near(slack.pmax_pu, 3.324) && near(slack.pmin_pu, 0.0));
    assert!(near(slack.qg_pu, -0.169) && slack.qmax_pu == f64::INFINITY && near(slack.vset_pu, 1.06));
    assert!(near(second.pmax_pu, 1.4) && near(second.qmax_pu, 0.5) && near(second.qmin_pu, -0.4));
    let [line, _, transformer] = &net.branches[..] else {
        panic!("three branches")
    };
    assert!(near(line.r_pu, 0.01938) && near(line.x_pu, 0.05917) && near(line.charging_pu(), 0.0528));
    assert!(near(transformer.x_pu, 0.55618) && near(transformer.tap, 0.969) && line.tap == 1.0);
    assert!(net.branches.iter().all(|branch| branch.rating_is_fallback));
    let codes: Vec<&str> = net.warnings.iter().map(|warning| warning.code).collect();
    assert!(
        codes.contains(&"INPUT.LIMITS_NOT_IN_FORMAT") && codes.contains(&"COST.NOT_IN_FORMAT"),
        "{codes:?}"
    );
}

#[test]
fn units_that_hold_their_reactive_power() {
    let net = network(FIVE, "ieee-cdf");
    let [slack, remote, held, unregulated] = &net.generators[..] else {
        panic!("four generators")
    };
    assert!(slack.regulates_voltage && slack.regulated_bus.is_none());
    assert_eq!((remote.regulates_voltage, remote.regulated_bus), (true, Some(2)));
    for (unit, reactive) in [(held, 0.03), (unregulated, 0.01)] {
        assert_eq!(
            (unit.regulates_voltage, unit.qmin_pu, unit.qmax_pu),
            (false, reactive, reactive)
        );
    }
    assert_eq!([net.buses[3].vmin_pu, net.buses[3].vmax_pu], [0.92, 1.08]);
    let messages: Vec<String> = net.warnings.iter().map(|warning| warning.message()).collect();
    for words in [
        "1 transformer with automatic tap control",
        "1 phase shifter",
        "1 generator holds its reactive power",
        "2 areas are not controlled: area 1 (12.5 MW) and area 2 (−12.5 MW)",
    ] {
        assert!(
            messages.iter().any(|message| message.contains(words)),
            "{words}: {messages:#?}"
        );
    }
}

/// As in the files of 30 and 57 buses in the archive.
#[test]
fn an_area_behind_the_end_of_its_section() {
    let record = "\n 2    4 Delta          -12.5    5.0  SOUTH   Southern area\n";
    let text = FIVE.replacen(&format!("{record}-9\n"), &format!("\n-9{record}"), 1);
    assert_ne!(text, FIVE);
    assert_eq!(
        format!("{:?}", network(&text, "ieee-cdf")),
        format!("{:?}", network(FIVE, "ieee-cdf"))
    );
}

#[test]
fn cards_that_cannot_be_read_are_refused_by_line() {
    for (from, to, code, message) in [
        ("   100.0 2026", "   abc.0 2026", "INPUT.BASE_MVA", "columns 32 to 37"),
        (
            "  0.06      0.05",
            "  0,06      0.05",
            "INPUT.PARSE",
            "Line 10, columns 30 to 39: `0,06` is not a finite number.",
        ),
        (
            "  2 Beta          1  1  2",
            "  2 Beta          1  1  7",
            "INPUT.PARSE",
            "Line 4, columns 25 to 26: `7` is not a value",
        ),
        (
            "   5 Eta ",
            "  -5 Eta ",
            "INPUT.PARSE",
            "Line 7, columns 1 to 4: `-5` is not a value",
        ),
        (
            "    50.0   -40.0",
            "   -50.0   -40.0",
            "INPUT.PARSE",
            "Line 4: the lower limit of bus 2 is above the upper limit.",
        ),
        ("   4    5  2", "   4    6  2", "INPUT.UNKNOWN_BUS", "bus 6"),
        ("   5 Eta ", "   4 Eta ", "INPUT.DUPLICATE_BUS", "4"),
        (
            "-999\nBRANCH",
            "BRANCH",
            "INPUT.TRUNCATED",
            "The section BUS has no end",
        ),
        (
            "BUS DATA",
            "ROW DATA",
            "INPUT.PARSE",
            "Line 3 is in no section of the file.",
        ),
    ] {
        let changed = FIVE.replacen(from, to, 1);
        assert_ne!(changed, FIVE, "{from:?} is not in the file");
        let error = refusal(&changed, "ieee-cdf");
        assert_eq!(error.code, code, "{error}");
        assert!(error.message().contains(message), "{error}");
    }
}

/// A file that ends too early is refused, unless all of its buses and branches are there.
#[test]
fn files_that_are_cut_off() {
    let whole = network(FIVE, "ieee-cdf");
    for end in 0..FIVE.len() {
        if let Ok(read) = ingest_case(&FIVE.as_bytes()[..end], "ieee-cdf") {
            assert_eq!(
                (&read.network.buses, &read.network.branches),
                (&whole.buses, &whole.branches),
                "{end}"
            );
        }
    }
}

#[test]
fn the_content_of_a_text_decides_its_format() {
    for (text, format) in [(IEEE14, "ieee-cdf"), (FIVE, "ieee-cdf")] {
        let [own, by_content] = [format, "text"].map(|format| ingest_case(text.as_bytes(), format).expect("a case"));
        assert_eq!(own.sha256, by_content.sha256);
    }
    for text in ["bus,lat,lon\n1,2,3\n", "hello\nBUSES\n", "{}", "# C\n"] {
        assert_eq!(refusal(text, "text").code, "INPUT.FORMAT");
    }
}
