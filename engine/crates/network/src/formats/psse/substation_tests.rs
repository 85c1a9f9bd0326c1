use super::tests::{assert_small_case, network, RAW_33};
use crate::formats::read;
use powerio::BusType;

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

/// A terminal of every element of the small case.
const TERMINALS: &str =
    "1,1,'M','1'\n1,3,'B',2,'1'\n1,4,'2',2,'1'\n1,4,'S'\n2,2,'L','1'\n2,2,'F','1'\n2,2,'B',1,'1'\n2,2,'2',1,'1'\n";

fn device(a: u64, b: u64, status: u64) -> String {
    format!("{a},{b},'1','Sw{a}{b}',2,{status},1,0,70,0,0\n")
}

#[test]
fn a_comment_that_reads_like_the_end_of_a_section_is_a_comment() {
    let text = with_substation("", "");
    let marker = "TWO BUSES\n0 / END OF OWNER DATA, BEGIN FACTS DEVICE DATA\nGENERAL, THRSHZ=0.0001\n\
                  0 / END OF SYSTEM-WIDE DATA, BEGIN BUS DATA\n";
    let commented = network(&text.replacen("TWO BUSES\n\n", marker, 1));
    assert_eq!((commented.buses().len(), commented.branches().len()), (4, 2));
}

#[test]
fn substations_place_the_buses_of_their_nodes() {
    let net = network(&with_substation("", ""));
    let places: Vec<_> = net
        .buses()
        .iter()
        .map(|b| b.location.as_ref().map(|l| (l.x, l.y)))
        .collect();
    assert_eq!(places, [Some((-89.25, 40.5)); 4]);
}

#[test]
fn a_bus_with_one_node_remains_as_it_is() {
    let text = with_substation("", "").replace("3,'N',1,1,1,0\n4,'N',1,1,1,0\n", "");
    assert_small_case(&network(&text));
    // A node out of service is a bus out of service.
    let off = network(&text.replace("2,'N',2,1,1,0", "2,'N',2,0,1,0"));
    assert_eq!(off.buses()[1].kind, BusType::Isolated);
}

#[test]
fn nodes_are_buses_and_their_devices_are_switches() {
    let devices = device(1, 3, 1) + &device(3, 4, 0) + &device(1, 2, 1);
    let net = network(&with_substation(&devices, TERMINALS));
    // Bus 1 is at its node with most equipment behind closed devices: 1 and 3 have two elements, as has 4.
    let buses: Vec<(usize, &str, &str)> = net
        .buses()
        .iter()
        .map(|b| (b.id.0, b.name.as_deref().unwrap_or(""), b.uid.as_deref().unwrap_or("")))
        .collect();
    assert_eq!(
        buses,
        [
            (1, "A", "substation 1 node 1"),
            (2, "B / C", "substation 1 node 2"),
            (3, "A N", "substation 1 node 3"),
            (4, "A N", "substation 1 node 4"),
        ]
    );
    let ends: Vec<(usize, usize, bool)> = net
        .branches()
        .iter()
        .map(|b| (b.from.0, b.to.0, b.in_service))
        .collect();
    // The line, the transformer, and the three devices, one of which ties two buses.
    assert_eq!(
        ends,
        [(3, 2, true), (4, 2, true), (1, 3, true), (3, 4, false), (1, 2, true)]
    );
    assert_eq!((net.branches()[2].x, net.branches()[2].rate_a), (0.0, 70.0));
    assert_eq!(net.branches()[2].name.as_deref(), Some("Sw13"));
    assert_eq!((net.generators()[0].bus.0, net.loads()[0].bus.0), (1, 2));
    let shunts: Vec<usize> = net.shunts().iter().map(|s| s.bus.0).collect();
    assert_eq!(shunts, [2, 4]);
}

#[test]
fn the_number_of_a_bus_remains_where_most_of_its_equipment_is() {
    // Node 1 is alone; the line and the transformer are at nodes 3 and 4.
    let net = network(&with_substation(&(device(1, 3, 0) + &device(3, 4, 1)), TERMINALS));
    let of_bus_1 = net.buses().iter().find(|b| b.id.0 == 1).and_then(|b| b.uid.clone());
    assert_eq!(of_bus_1.as_deref(), Some("substation 1 node 3"));
    assert_eq!((net.branches()[0].from.0, net.generators()[0].bus.0), (1, 3));
}

#[test]
fn nodes_that_do_not_exist_are_refused_with_their_line() {
    let line = |text: &str, of: &str| text.lines().position(|l| l == of).map_or(0, |at| at + 1);
    for (devices, terminals, from, to, found) in [
        (
            "",
            "",
            "2,'N',2,1,1,0",
            "2,'N',9,1,1,0",
            "node 2 of substation 1 is at bus 9",
        ),
        (
            "1,8,'1','S',2,1\n",
            "",
            "1,8,'1','S',2,1",
            "1,8,'1','S',2,1",
            "nodes 1 and 8",
        ),
        ("", "1,2,'M','1'\n", "1,2,'M','1'", "1,2,'M','1'", "bus 1 is at node 2"),
    ] {
        let text = with_substation(devices, terminals).replacen(from, to, 1);
        let refused = read(text.as_bytes(), "psse").expect_err(found);
        let message = refused.message();
        assert_eq!(refused.code, "INPUT.TABLE");
        assert!(
            message.contains(found) && message.starts_with(&format!("Line {}:", line(&text, to))),
            "{message}"
        );
    }
    // A terminal of an element that the file does not have is named.
    let case = crate::ingest_case(with_substation("", "1,1,'M','7'\n").as_bytes(), "psse").expect("a case");
    assert!(case
        .warnings
        .iter()
        .any(|w| w.message().starts_with("1 terminal of a substation")));
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
