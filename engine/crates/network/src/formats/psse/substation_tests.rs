use super::tests::{assert_small_case, network, RAW_33};
use crate::formats::read;

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
fn a_comment_that_reads_like_the_end_of_a_section_is_a_comment() {
    let text = with_substation("", "");
    let marker = "TWO BUSES\n0 / END OF OWNER DATA, BEGIN FACTS DEVICE DATA\nGENERAL, THRSHZ=0.0001\n\
                  0 / END OF SYSTEM-WIDE DATA, BEGIN BUS DATA\n";
    assert_small_case(&network(&text.replacen("TWO BUSES\n\n", marker, 1)));
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
        assert!(refused.message().contains("substation 1 `S`"), "{refused}");
    }
    // An open switch parallel to a closed path, or at an element out of service, changes nothing.
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
        tie.message().contains("`Sw12`") && tie.message().contains("between buses 1 and 2"),
        "{tie}"
    );
}

#[test]
fn words_for_numbers_are_refused_with_their_line() {
    let text = with_substation("", "");
    for (good, bad) in [
        ("2,'1',1,1,1,50.0,", "2,'1',1,1,1,fifty,"),
        ("1,'A           ',230.0,3,1,1,1,", "1,'A           ',230.0,3,1,1,fifty,"),
        ("2,'1',1,1.5,-20.0", "2,'1',1,1.5,fifty"),
        (
            "1,'1',50,0,99,-99,1.0,0,100,0,1,0,0,1,1,100,200,5,1,1.0",
            "1,'1',50,0,99,-99,1.0,0,100,0,1,0,0,1,1,100,200,5,1,fifty",
        ),
        (
            "1,1,0,1,1.05,0.95,0,100,'',30.0,2,15.0",
            "1,1,0,1,1.05,0.95,0,100,'',30.0,2,fifty",
        ),
    ] {
        assert!(text.contains(good), "{good}");
        let broken = text.replacen(good, bad, 1);
        let line = broken.lines().position(|l| l.contains("fifty")).map_or(0, |at| at + 1);
        let refused = read(broken.as_bytes(), "psse").expect_err(bad);
        let message = format!("Line {line}: `fifty` is not a finite number.");
        assert_eq!((refused.code, refused.message()), ("INPUT.PARSE", message));
    }
    let cut = text.replacen("2,'1',1,1,1,50.0", ",'1',1,1,1,50.0", 1);
    let line = cut.lines().position(|l| l.starts_with(',')).map_or(0, |at| at + 1);
    let refused = read(cut.as_bytes(), "psse").expect_err("comma");
    let message = format!("Line {line} begins with a comma; write the first value of the record.");
    assert_eq!((refused.code, refused.message()), ("INPUT.PARSE", message));
}
