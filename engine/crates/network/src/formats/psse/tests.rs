use super::prepare;
use crate::formats::read;
use powerio::{BalancedNetwork, PioValue};

/// Two buses, load, shunt, generator, line, transformer, in revision 33.
const RAW_33: &str = "0, 100.0, 33, 0, 1, 60.0 / PSS(R)E-33\nTWO BUSES\n\n\
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

fn network(text: &str) -> BalancedNetwork {
    match read(text.as_bytes(), "psse").expect("read").value() {
        PioValue::BalancedNetwork(net) => net.clone(),
        _ => panic!("no network"),
    }
}

fn code(text: &str) -> &'static str {
    read(text.as_bytes(), "psse").expect_err("refused").code
}

/// Everything electrical of the small case.
fn assert_small_case(net: &BalancedNetwork) {
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
    assert!(
        matches!(prepare(RAW_33), Ok((std::borrow::Cow::Borrowed(_), _))),
        "read as it stands"
    );
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

/// The small case in revision 34 with one substation: three nodes of bus 1 and one of bus 2.
fn with_substation(devices: &str, terminals: &str) -> String {
    let block = format!(
        "0 / END OF INDUCTION MACHINE DATA, BEGIN SUBSTATION DATA\n1,'S',40.5,-89.25,0\n1,'N',1,1,1,0\n3,'N',1,1,1,0\n\
         4,'N',1,1,1,0\n2,'N',2,1,1,0\n\
         0 / END OF SUBSTATION NODE DATA, BEGIN SUBSTATION SWITCHING DEVICE DATA\n{devices}\
         0 / END OF SUBSTATION SWITCHING DEVICE DATA, BEGIN SUBSTATION TERMINAL DATA\n{terminals}\
         0 / END OF SUBSTATION TERMINAL DATA\n0 / END OF SUBSTATION DATA\n"
    );
    RAW_33
        .replace("100.0, 33", "100.0, 34")
        .replace(
            "BEGIN TRANSFORMER DATA",
            "BEGIN SYSTEM SWITCHING DEVICE DATA\n0 / END OF SYSTEM SWITCHING DEVICE DATA, BEGIN TRANSFORMER DATA",
        )
        .replace(
            "0.98,0,3.0,80,80,80,0,0,1.1",
            "0.98,0,3.0,80,80,80,0,0,0,0,0,0,0,0,0,0,0,0,0,1.1",
        )
        .replace(
            "0.02,100,110,120,0,0,0,0,1,",
            "0.02,'L',100,110,120,0,0,0,0,0,0,0,0,0,0,0,0,0,1,",
        )
        .replace("0 / END OF INDUCTION MACHINE DATA\n", &block)
}

#[test]
fn substations_place_their_buses() {
    let text = with_substation("", "");
    let net = network(&text);
    assert_small_case(&net);
    let places: Vec<_> = net
        .buses()
        .iter()
        .map(|b| b.location.as_ref().map(|l| (l.x, l.y)))
        .collect();
    assert_eq!(places, [Some((-89.25, 40.5)); 2]);
}

#[test]
fn switches_in_substations_must_say_what_the_buses_say() {
    let device = |a: u64, b: u64, status: u64| format!("{a},{b},'1','Sw{a}{b}',2,{status},1,0,0,0,0\n");
    let terminals = "1,1,'M','1'\n1,3,'B',2,'1'\n1,4,'2',2,'1'\n2,2,'L','1'\n";
    let case = |switches: [(u64, u64, u64); 2]| {
        let devices: String = switches.iter().map(|&(a, b, s)| device(a, b, s)).collect();
        with_substation(&devices, terminals)
    };
    assert_small_case(&network(&case([(1, 3, 1), (3, 4, 1)])));
    // The generator alone, and the transformer alone, are separated from the rest of bus 1.
    for open in [[(1, 3, 0), (3, 4, 1)], [(1, 3, 1), (3, 4, 0)]] {
        let refused = read(case(open).as_bytes(), "psse").expect_err("split");
        assert_eq!(
            (refused.code, refused.element.as_ref().map(|e| e.id)),
            ("PHYSICS.UNSUPPORTED", Some(1))
        );
        assert!(refused.message.contains("substation 1 `S`"), "{refused}");
    }
    // An open switch beside a closed way, or before an element that is out of service, changes nothing.
    assert_small_case(&network(&with_substation(
        &(device(1, 3, 1) + &device(3, 4, 1) + &device(1, 4, 0)),
        terminals,
    )));
    let off = case([(1, 3, 1), (3, 4, 0)]).replace("2,'T',1,1,1.0", "2,'T',0,1,1.0");
    assert!(!network(&off).branches()[1].in_service);
    let off = case([(1, 3, 0), (3, 4, 1)]).replace("0,100,0,1,0,0,1,1,100", "0,100,0,1,0,0,1,0,100");
    assert!(!network(&off).generators()[0].in_service);
    let off = case([(3, 4, 0), (1, 4, 1)]).replace(
        ",0,0,0,0,1,2,0,1,1.0\n0 / END OF BRANCH",
        ",0,0,0,0,0,2,0,1,1.0\n0 / END OF BRANCH",
    );
    assert!(!network(&off).branches()[0].in_service);
    // A tie between two buses is a closed transmission switch.
    let tie = read(case([(1, 3, 1), (1, 2, 1)]).as_bytes(), "psse").expect_err("a tie");
    assert!(
        tie.message.contains("`Sw12`") && tie.message.contains("between buses 1 and 2"),
        "{tie}"
    );
}
