use crate::formats::read;
use powerio::{BalancedNetwork, PioValue};

/// Two buses, load, shunt, generator, line, transformer, in revision 33.
pub(super) const RAW_33: &str = "0, 100.0, 33, 0, 1, 60.0 / PSS(R)E-33\nTWO BUSES\n\n\
1,'A           ',230.0,3,1,1,1,1.0,0.0,1.1,0.9,1.1,0.9\n\
2,'B / C       ',115.0,1,1,1,1,1.0,-2.0,1.1,0.9,1.1,0.9\n\
0 / END OF BUS DATA, BEGIN LOAD DATA\n2,'1',1,1,1,50.0,10.0,0,0,0,0,1,1,0\n\
0 / END OF LOAD DATA, BEGIN FIXED SHUNT DATA\n2,'1',1,1.5,-20.0\n\
0 / END OF FIXED SHUNT DATA, BEGIN GENERATOR DATA\n1,'1',50,0,99,-99,1.0,0,100,0,1,0,0,1,1,100,200,5,1,1.0\n\
0 / END OF GENERATOR DATA, BEGIN BRANCH DATA\n1,2,'1',0.01,0.1,0.02,100,110,120,0,0,0,0,1,2,0,1,1.0\n\
0 / END OF BRANCH DATA, BEGIN TRANSFORMER DATA\n\
1,2,0,'1',1,1,1,0,0,2,'T',1,1,1.0\n0.0,0.2,100\n0.98,0,3.0,80,80,80,0,0,1.1,0.9,1.1,0.9,33,0,0,0,0\n1.0,0\n\
0 / END OF TRANSFORMER DATA, BEGIN AREA DATA\n0 / END OF AREA DATA, BEGIN TWO-TERMINAL DC DATA\n\
0 / END OF TWO-TERMINAL DC DATA, BEGIN VSC DC LINE DATA\n0 / END OF VSC DC LINE DATA, BEGIN IMPEDANCE CORRECTION DATA\n\
0 / END OF IMPEDANCE CORRECTION DATA, BEGIN MULTI-TERMINAL DC DATA\n\
0 / END OF MULTI-TERMINAL DC DATA, BEGIN MULTI-SECTION LINE DATA\n\
0 / END OF MULTI-SECTION LINE DATA, BEGIN ZONE DATA\n0 / END OF ZONE DATA, BEGIN INTER-AREA TRANSFER DATA\n\
0 / END OF INTER-AREA TRANSFER DATA, BEGIN OWNER DATA\n0 / END OF OWNER DATA, BEGIN FACTS DEVICE DATA\n\
0 / END OF FACTS DEVICE DATA, BEGIN SWITCHED SHUNT DATA\n1,1,0,1,1.05,0.95,0,100,'',30.0,2,15.0\n\
0 / END OF SWITCHED SHUNT DATA, BEGIN GNE DATA\n0 / END OF GNE DATA, BEGIN INDUCTION MACHINE DATA\n\
0 / END OF INDUCTION MACHINE DATA\nQ\n";

/// The same case in revision 30: shunts on the bus records, metered end as a sign, no revision field.
const RAW_30: &str = "0, 100.0 / PSS/E-30.0 TUE\nTWO BUSES\n\n\
1,'A           ',230.0,3,0,0,1,1,1.0,0.0,1\n2,'B / C       ',115.0,1,1.5,-20.0,1,1,1.0,-2.0,1\n0 / end of buses\n\
2,'1',1,1,1,50.0,10.0,0,0,0,0,1\n0\n1,'1',50,0,99,-99,1.0,0,100,0,1,0,0,1,1,100,200,5,1,1.0\n0\n\
1,-2,'1',0.01,0.1,0.02,100,110,120,0,0,0,0,1,0,1,1.0\n0\n\
1,2,0,'1',1,1,1,0,0,2,'T',1,1,1.0\n0.0,0.2,100\n0.98,0,3.0,80,80,80,0,0,1.1,0.9,1.1,0.9,33,0,0,0\n1.0,0\n0\n0\n0\n0\n\
1,1,1.05,0.95,0,100,'',30.0,2,15.0\n0\n0\n0\n0\n0\n0\n0\n0\n";

pub(super) fn network(text: &str) -> BalancedNetwork {
    match read(text.as_bytes(), "psse").expect("read").value() {
        PioValue::BalancedNetwork(net) => net.clone(),
        _ => panic!("no network"),
    }
}

fn code(text: &str) -> &'static str {
    read(text.as_bytes(), "psse").expect_err("refused").code
}

/// Asserts all electrical data of the small case.
pub(super) fn assert_small_case(net: &BalancedNetwork) {
    let (b, t) = (&net.branches()[0], &net.branches()[1]);
    assert_eq!(
        (net.base_mva(), net.buses().len(), net.buses()[1].name.as_deref()),
        (100.0, 2, Some("B / C"))
    );
    assert_eq!(
        (net.buses()[1].base_kv, net.buses()[1].va, net.buses()[1].area),
        (115.0, -2.0, 1)
    );
    assert_eq!((net.loads()[0].p, net.loads()[0].q), (50.0, 10.0));
    assert_eq!(
        (net.shunts()[0].bus.0, net.shunts()[0].g, net.shunts()[0].b),
        (2, 1.5, -20.0)
    );
    assert_eq!(
        (net.shunts()[1].bus.0, net.shunts()[1].b, net.shunts()[1].in_service),
        (1, 30.0, true)
    );
    assert_eq!((net.generators()[0].pmax, net.generators()[0].pmin), (200.0, 5.0));
    assert_eq!((b.to.0, b.r, b.x, b.rate_a, b.in_service), (2, 0.01, 0.1, 100.0, true));
    assert_eq!((t.x, t.tap, t.shift, t.rate_a), (0.2, 0.98, 3.0, 80.0));
}

#[test]
fn revisions_33_31_and_30_give_the_same_network() {
    assert_small_case(&network(RAW_33));
    assert_small_case(&network(&RAW_33.replace("100.0, 33", "100.0, 31")));
    assert_small_case(&network(RAW_30));
    assert_small_case(&network(&RAW_30.replace("E-30.0", "E-29.3")));
}

#[test]
fn revision_36_loses_only_what_35_has_no_place_for() {
    let text = RAW_33
        .replace("100.0, 33", "100.0, 36")
        .replace(
            "\n\n1,'A",
            "\n\nGENERAL, THRSHZ=0.0001\nSWDRATNAM, 1, \"RATE1\", 0\n0 / END OF SYSTEM-WIDE DATA, BEGIN BUS DATA\n1,'A",
        )
        .replace("1,'1',50,0,99,-99,1.0,0,100", "1,'1',50,0,99,-99,1.0,0,0,100")
        .replace("100,200,5,1,1.0", "100,200,5,0,1,1.0,0,1,0,1,0,1,0,1.0,'droop','name'")
        .replace(
            "0.02,100,110,120,0,0,0,0,1,2,0,1,1.0",
            "0.02,'L',100,110,120,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,2,0,1,1.0",
        )
        .replace(
            "BEGIN GENERATOR",
            "BEGIN VOLTAGE DROOP CONTROL DATA\n'd',1,1\n0 / END OF VOLTAGE DROOP CONTROL DATA, BEGIN GENERATOR",
        )
        .replace(
            "0.98,0,3.0,80,80,80,0,0,1.1",
            "0.98,0,3.0,80,80,80,0,0,0,0,0,0,0,0,0,0,0,0,0,1.1",
        )
        .replace(
            "1,1,0,1,1.05,0.95,0,100,'',30.0,2,15.0",
            "1,'1',1,0,1,1.05,0.95,0,0,100,'',30.0,'NAME',1,2,15.0",
        );
    assert_small_case(&network(&text));
}

#[test]
fn a_cut_off_file_is_refused_wherever_it_is_cut() {
    let end = RAW_33.find("0 / END OF SWITCHED").expect("marker");
    for at in (1..end).filter(|at| RAW_33.is_char_boundary(*at)) {
        let refused = read(&RAW_33.as_bytes()[..at], "psse").expect_err("cut off").code;
        assert!(
            ["INPUT.TRUNCATED", "INPUT.REVISION", "INPUT.EMPTY"].contains(&refused),
            "{at}: {refused}"
        );
    }
    for at in 1..RAW_30.len() - 3 {
        assert!(read(&RAW_30.as_bytes()[..at], "psse").is_err(), "{at}");
    }
}

#[test]
fn headers_and_sections_that_cannot_be_read_are_refused_by_name() {
    assert_eq!(code(&RAW_33.replace("100.0, 33", "100.0, 28")), "INPUT.REVISION");
    assert_eq!(code(&RAW_33.replace("100.0, 33", "100.0, 37")), "INPUT.REVISION");
    assert_eq!(
        code(&RAW_33.replacen("0, 100.0, 33, 0, 1, 60.0 / PSS(R)E-33", "0, 100.0", 1)),
        "INPUT.REVISION"
    );
    assert_eq!(code(&RAW_33.replacen("0, 100.0", "1, 100.0", 1)), "INPUT.INCREMENTAL");
    let with = |marker: &str, record: &str| RAW_33.replace(marker, &format!("{marker}\n{record}"));
    assert_eq!(
        code(&with("BEGIN INDUCTION MACHINE DATA", "1,'1',1,1,0")),
        "PHYSICS.UNSUPPORTED"
    );
    assert_small_case(&network(&with("BEGIN INDUCTION MACHINE DATA", "1,'1',0,1,0")));
    assert_eq!(
        code(&with("BEGIN GNE DATA", "'G','M',1,1,0,0,0")),
        "PHYSICS.UNSUPPORTED"
    );
    assert_eq!(
        code(&with("BEGIN MULTI-TERMINAL DC DATA", "'M',1,0,0,1")),
        "PHYSICS.UNSUPPORTED"
    );
    assert_small_case(&network(&with("BEGIN MULTI-TERMINAL DC DATA", "'M',1,0,0,0\n1,4")));
    assert_eq!(
        code(&with("BEGIN FACTS DEVICE DATA", "'F',1,2,1")),
        "PHYSICS.UNSUPPORTED"
    );
}

#[test]
fn terminators_without_names_are_counted() {
    let bare: String = RAW_33
        .lines()
        .map(|l| format!("{}\n", if l.starts_with("0 /") { "0" } else { l }))
        .collect();
    assert_small_case(&network(&bare));
}

#[test]
fn names_in_latin_1_are_read() {
    let at = RAW_33.find("B / C").expect("name");
    let mut bytes = RAW_33.as_bytes().to_vec();
    bytes[at] = 0xd8;
    let parsed = read(&bytes, "psse").expect("read");
    let PioValue::BalancedNetwork(net) = parsed.value() else {
        panic!("no network")
    };
    assert_eq!(net.buses()[1].name.as_deref(), Some("\u{d8} / C"));
}

/// Every section in the columns of one revision. Lines of the fixture begin with their revisions.
fn of_revision(revision: u32) -> String {
    let lines = include_str!("all_sections.txt")
        .lines()
        .filter_map(|line| line.split_once('|'));
    let mine = lines.filter(|(revisions, _)| revisions.trim().is_empty() || revisions.contains(&revision.to_string()));
    mine.map(|(_, record)| format!("{record}\n")).collect()
}

#[test]
fn revisions_33_34_and_35_give_the_same_network() {
    let of = |revision: u32| {
        let text = of_revision(revision);
        let case = crate::ingest_case(text.as_bytes(), "psse").unwrap_or_else(|e| panic!("{revision}: {e}"));
        (case.network, network(&text))
    };
    let (expected, parsed) = of(33);
    // The values of the records, so that equal networks are not equally wrong.
    assert_eq!(
        (expected.buses.len(), expected.branches.len(), expected.generators.len()),
        (6, 7, 2)
    );
    assert_eq!((parsed.shunts()[1].b, parsed.shunts()[1].in_service), (30.0, true));
    assert_eq!((parsed.shunts()[2].b, parsed.shunts()[2].in_service), (-12.5, false));
    let control = parsed.shunts()[1].control.as_ref().expect("a switched shunt");
    let steps: Vec<(u32, f64)> = control.blocks.iter().map(|b| (b.steps, b.b)).collect();
    assert_eq!(
        steps,
        [
            (1, 1.0),
            (2, 2.0),
            (1, 3.0),
            (1, 4.0),
            (1, 5.0),
            (1, 6.0),
            (1, 7.0),
            (1, 8.0)
        ]
    );
    assert_eq!((control.vhigh, control.vlow, control.rmpct), (1.05, 0.95, 90.0));
    assert_eq!(control.control_bus.map(|b| b.0), Some(2));
    assert_eq!(
        (expected.branches[0].rating_pu, expected.branches[0].charging_pu()),
        (1.0, 0.02 + 0.001 + 0.002)
    );
    assert_eq!((expected.branches[2].tap, expected.branches[2].rating_pu), (0.98, 0.8));
    for revision in [34, 35] {
        let (network, other) = of(revision);
        assert_eq!(network.buses.len(), expected.buses.len());
        for (a, b) in network.buses.iter().zip(&expected.buses) {
            assert_eq!(
                (a.id, &a.name, a.demand_pu, a.demand_q_pu, a.gs_pu, a.bs_pu),
                (b.id, &b.name, b.demand_pu, b.demand_q_pu, b.gs_pu, b.bs_pu),
                "{revision}"
            );
            assert_eq!(
                (a.base_kv, a.area, a.zone, a.vmin_pu, a.vmax_pu),
                (b.base_kv, b.area, b.zone, b.vmin_pu, b.vmax_pu)
            );
        }
        let bare = |n: &crate::AnalysisNetwork| -> Vec<_> {
            let branches = n.branches.iter().filter(|b| !b.is_switch);
            branches
                .map(|b| crate::analysis::Branch {
                    id: 0,
                    uid: None,
                    name: None,
                    ..b.clone()
                })
                .collect()
        };
        assert_eq!(bare(&network), bare(&expected), "{revision}");
        // Revision 33 has no switching devices.
        let switches: Vec<bool> = network
            .branches
            .iter()
            .filter(|b| b.is_switch)
            .map(|b| b.in_service)
            .collect();
        assert_eq!(switches, [false]);
        assert_eq!(network.generators, expected.generators, "{revision}");
        for (a, b) in other.shunts().iter().zip(parsed.shunts()) {
            assert_eq!(
                (a.bus, a.g, a.b, a.in_service, &a.control),
                (b.bus, b.g, b.b, b.in_service, &b.control),
                "{revision}"
            );
        }
        assert_eq!(other.shunts().len(), parsed.shunts().len());
        assert_eq!(other.areas(), parsed.areas());
        for (a, b) in other.branches().iter().zip(parsed.branches()) {
            assert_eq!(a.control, b.control, "{revision}");
        }
        let dc = |n: &BalancedNetwork| -> Vec<_> {
            n.hvdc()
                .iter()
                .take(1)
                .map(|h| (h.from, h.to, h.in_service, h.pf, h.pt, h.qminf, h.qmaxt))
                .collect()
        };
        assert_eq!(dc(&other), dc(&parsed), "{revision}");
        assert_eq!(
            other.static_var_compensators().len(),
            parsed.static_var_compensators().len()
        );
        // The buses of the substation have positions, and the terminals find their elements.
        assert_eq!(network.buses[0].lon_lat, Some([-89.25, 40.5]));
        let about_terminals = |w: &&crate::analysis::Warning| w.message().contains("terminal");
        assert_eq!(network.warnings.iter().find(about_terminals), None, "{revision}");
    }
}

#[test]
fn switched_shunts_of_revision_34_are_read_in_every_form() {
    let text = of_revision(34);
    for (from, to) in [
        // Nothing regulates a plant; the steps end early; no steps at all.
        (",'PLANT A',30.0,", ",'',30.0,"),
        (",1,8.0,0", ""),
        (",1,1.0,2,2.0,1,3.0,1,4.0,1,5.0,1,6.0,1,7.0,1,8.0,0", ""),
        // An empty line and a comment inside the section.
        ("1,1,0,1,1.05", "\n@! comment\n1,1,0,1,1.05"),
        ("1,1,'S','1'", "1,1,'S'"),
        // The terminator names only the section that ends.
        (", BEGIN GNE DATA", ""),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let net = network(&changed);
        let shunts: Vec<(usize, f64)> = net.shunts().iter().map(|s| (s.bus.0, s.b)).collect();
        assert_eq!(shunts, [(2, -20.0), (1, 30.0), (3, -12.5)], "{from}");
    }
}

#[test]
fn dc_lines_in_service_are_refused_in_every_revision() {
    for revision in [33, 34, 35] {
        for (from, to) in [("'L1',0,", "'L1',1,"), ("'V1',0,", "'V1',1,")] {
            let dc = of_revision(revision).replacen(from, to, 1);
            let refused = crate::ingest_case(dc.as_bytes(), "psse").expect_err("DC");
            assert_eq!(refused.code, "PHYSICS.UNSUPPORTED", "{revision}: {refused}");
        }
    }
}

#[test]
fn branch_records_may_end_before_their_status() {
    for revision in [34, 35, 36] {
        let text = of_revision(revision.min(35))
            .replace(&format!("0,100.0,{}", revision.min(35)), &format!("0,100.0,{revision}"));
        let whole = "1,3,'1',0.02,0.2,0.0,'Line B',70,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,0,1,1.0";
        let changed = text.replacen(whole, "1,3,'1',0.02,0.2,0.0,'Line B',70", 1);
        assert_ne!(changed, text);
        let net = network(&changed);
        assert_eq!(
            (net.branches()[1].rate_a, net.branches()[1].in_service),
            (70.0, true),
            "{revision}"
        );
    }
}

#[test]
fn no_change_of_one_character_ends_the_program() {
    for revision in [33, 34, 35] {
        let text = of_revision(revision);
        for (at, c) in text.char_indices().step_by(29) {
            for other in ["", "'", ",", "/", "0", "\u{e9}", "\n"] {
                let changed = format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..]);
                drop(read(changed.as_bytes(), "psse"));
            }
        }
    }
}
