//! Lists against a case of PSS/E with circuits, machine identifiers, areas, zones, owners and a three-winding transformer.

use super::{is_list, read_lists, Lists, Statement};
use crate::error::EngineError;
use crate::ingest_case;

/// Branches 1 to 4: 1-2 circuits 1 and BL, 2-3, and 3-4 out of service; 5: transformer 4-1; legs 6 to 8 of the transformer
/// at buses 1, 3 and 5. Bus 5 has nothing else.
const RAW: &str = "0, 100.0, 33, 0, 0, 60.0 / lists
five buses
with names
1,'NORTH',138.0,3,1,1,1,1.0,0.0
2,'SOUTH',138.0,1,1,2,7,1.0,0.0
3,'WEST',69.0,1,2,2,1,1.0,0.0
4,'SOUTH',69.0,1,2,3,1,1.0,0.0
5,'TERTIARY',13.8,1,2,3,1,1.0,0.0
0 / END OF BUS DATA
2,'1',1,1,1,50.0,10.0
0 / END OF LOAD DATA
0 / END OF FIXED SHUNT DATA
1,'ST',20.0,0.0,9.0,-9.0,1.0,0,100.0,0.0,1.0,0.0,0.0,1.0,1,100.0,50.0,0.0
1,'1',20.0,0.0,9.0,-9.0,1.0,0,100.0,0.0,1.0,0.0,0.0,1.0,1,100.0,50.0,0.0
3,'1',10.0,0.0,9.0,-9.0,1.0,0,100.0,0.0,1.0,0.0,0.0,1.0,0,100.0,50.0,0.0
0 / END OF GENERATOR DATA
1,2,'1',0.01,0.1,0.0,100.0,110.0,120.0,0,0,0,0,1
1,2,'BL',0.01,0.1,0.0,100.0,110.0,120.0,0,0,0,0,1
2,3,'1',0.01,0.1,0.0,100.0,110.0,120.0,0,0,0,0,1
3,4,'1',0.01,0.1,0.0,100.0,110.0,120.0,0,0,0,0,0
0 / END OF BRANCH DATA
4,1,0,'1',1,1,1,0,0,2,'T1',1
0.0,0.1,100.0
1.0,69.0,0.0,100.0,100.0,100.0
1.0,138.0
1,3,5,'1',1,1,1,0,0,2,'T3',1
0.0,0.1,100.0,0.0,0.1,100.0,0.0,0.1,100.0,1.0,0.0
1.0,138.0,0.0,100.0,100.0,100.0
1.0,69.0,0.0,100.0,100.0,100.0
1.0,13.8,0.0,100.0,100.0,100.0
0 / END OF TRANSFORMER DATA
Q
";

/// A line of buses 1 to 3 with two parallel branches from 1 to 2.
const MATPOWER: &str = "function mpc = three
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1 0 138 1 1.1 0.9;
2 1 50 0 0 0 1 1 0 138 1 1.1 0.9;
3 1 10 0 0 0 1 1 0 138 1 1.1 0.9;
];
mpc.gen = [1 60 0 90 -90 1 100 1 100 0; 1 0 0 90 -90 1 100 1 100 0];
mpc.branch = [
1 2 0.01 0.1 0 100 0 0 0 0 1 -360 360;
2 1 0.01 0.1 0 100 0 0 0 0 1 -360 360;
2 3 0.01 0.1 0 100 0 0 0 0 1 -360 360;
];
mpc.gencost = [2 0 0 2 10 0; 2 0 0 2 20 0];
";

fn read_of(case: (&str, &str), files: &[(&str, &str)]) -> Result<Lists, EngineError> {
    let module = ingest_case(case.0.as_bytes(), case.1).expect("a case").module_json;
    let files: Vec<(String, Vec<u8>)> = files
        .iter()
        .map(|(name, text)| ((*name).into(), (*text).into()))
        .collect();
    read_lists(&module, &files)
}

fn read(files: &[(&str, &str)]) -> Lists {
    read_of((RAW, "psse"), files).expect("lists")
}

fn error(files: &[(&str, &str)]) -> (&'static str, String) {
    let error = read_of((RAW, "psse"), files).expect_err("an error");
    (error.code, error.message())
}

fn outages(lists: &Lists) -> Vec<(&str, &[u64], &[u64])> {
    let all = lists.outages.iter();
    all.map(|out| {
        (
            out.name.as_deref().unwrap_or(""),
            &out.branches[..],
            &out.generators[..],
        )
    })
    .collect()
}

fn lines(statements: &[Statement]) -> Vec<(usize, &str)> {
    statements
        .iter()
        .map(|one| (one.line, one.left_out.as_deref().unwrap_or("")))
        .collect()
}

/// A contingency with one action.
fn one(action: &str) -> Lists {
    read(&[("x.con", &format!("CONTINGENCY 'A'\n{action}\nEND\nEND\n"))])
}

#[test]
fn actions_name_branches_by_buses_and_circuit() {
    for (action, branches) in [
        ("OPEN BRANCH FROM BUS 1 TO BUS 2 CIRCUIT 1", vec![1]),
        ("TRIP LINE FROM BUS 2 TO BUS 1 CKT 'BL'", vec![2]),
        ("disconnect branch from bus 2, to bus 3 / a comment", vec![3]),
        (
            "OPEN BRANCH FROM BUS 'NORTH       138.00' TO BUS 'SOUTH  138.0' CKT bl",
            vec![2],
        ),
        ("OPEN LINE FROM 4 TO 1", vec![5]),
        // One leg to a bus with something else remains, without flow.
        ("OPEN BRANCH FROM BUS 1 TO BUS 3 TO BUS 5 CKT 1", vec![7]),
        ("OPEN THREEWINDING AT BUS 5 TO BUS 1 TO BUS 3", vec![7]),
        ("OPEN \"T1\"", vec![5]),
    ] {
        let lists = one(action);
        assert_eq!(outages(&lists), [("A", &branches[..], &[][..])], "{action}: {lists:?}");
    }
}

#[test]
fn actions_name_units_by_their_identifier() {
    assert_eq!(
        outages(&one("REMOVE MACHINE ST FROM BUS 1")),
        [("A", &[][..], &[1][..])]
    );
    assert_eq!(
        outages(&one("TRIP UNIT 1 FROM BUS 'NORTH 138'")),
        [("A", &[][..], &[2][..])]
    );
    assert_eq!(lines(&one("REMOVE UNIT 3 FROM BUS 1").not_found), [(2, "A")]);
    assert_eq!(lines(&one("REMOVE UNIT 1 FROM BUS 3").out_of_service), [(2, "")]);
}

#[test]
fn a_bus_goes_with_its_units_and_all_branches_but_one() {
    let lists = one("DISCONNECT BUS 1");
    // Of the branches 1 and 2 and the leg 6 the first remains, without flow; branch 5 leads to a bus with nothing else.
    assert_eq!(outages(&lists), [("A", &[2, 6][..], &[1, 2][..])]);
    assert_eq!(
        lines(&one("TRIP BUS 2").unsupported),
        [(2, "A")],
        "its demand would be lost"
    );
    assert_eq!(lines(&one("OPEN BUS 9").not_found), [(2, "A")]);
}

#[test]
fn an_outage_is_left_out_whole() {
    let text = "COM a header
CONTINGENCY GONE
OPEN LINE FROM BUS 1 TO BUS 2 CKT 1
OPEN LINE FROM BUS 1 TO BUS 2 CKT 7
END
CONTINGENCY CLOSES
OPEN LINE FROM BUS 1 TO BUS 2 CKT 1
CLOSE LINE FROM BUS 3 TO BUS 4 CKT 1
SET BUS 2 LOAD TO 0 PERCENT DISPATCH
SUBSYSTEM 'A' 100
END
END
CONTINGENCY STAYS
OPEN LINE FROM BUS 3 TO BUS 4
REMOVE SWSHUNT FROM BUS 2
OPEN LINE FROM BUS 2 TO BUS 3
END
CONTINGENCY OUT
OPEN LINE FROM BUS 3 TO BUS 4
END
CONTINGENCY EMPTY
END
END
CONTINGENCY AFTER
";
    let lists = read(&[("x.con", text)]);
    assert_eq!(outages(&lists), [("STAYS", &[3][..], &[][..])]);
    assert_eq!(lines(&lists.not_found), [(4, "GONE")]);
    assert_eq!(lists.not_found[0].text, "OPEN LINE FROM BUS 1 TO BUS 2 CKT 7");
    assert_eq!(lines(&lists.unsupported), [(8, "CLOSES"), (9, "CLOSES"), (24, "")]);
    assert_eq!(lines(&lists.out_of_service), [(14, ""), (19, "")]);
    assert_eq!(lines(&lists.without_effect), [(15, ""), (21, "")]);
}

const SUB: &str = "SUBSYSTEM 'ALL'
KVRANGE 0 999
END
SUBSYSTEM HIGH AREA 1 KV 138 END
SUBSYSTEM 'JOINED'
JOIN 'ONE'
BUSES 1 2
OWNER 7
END
JOIN
ZONES 2 3
AREA 2
END
END
SUBSYSTEM UNSURE
AREA 1
EXCEPT BUS 2
END
END
";

/// The outages of one statement in a file of contingencies.
fn automatic(statement: &str) -> Vec<Vec<u64>> {
    let lists = read(&[("x.con", &format!("{statement}\nEND\n")), ("x.sub", SUB)]);
    let all = lists.outages.into_iter();
    all.map(|out| [out.branches, out.generators.iter().map(|id| 100 + id).collect()].concat())
        .collect()
}

#[test]
fn statements_stand_for_the_elements_of_a_subsystem() {
    for (statement, found) in [
        (
            "SINGLE BRANCH IN SUBSYSTEM 'all'",
            vec![vec![1], vec![2], vec![3], vec![5], vec![7]],
        ),
        ("SINGLE LINE IN SYSTEM HIGH", vec![vec![1], vec![2]]),
        ("SINGLE BRANCH IN AREA 1", vec![vec![1], vec![2]]),
        ("SINGLE BRANCH IN ZONES 1 2", vec![vec![1], vec![2], vec![3]]),
        ("SINGLE BRANCH IN SUBSYSTEM ALL KVRANGE 100 200", vec![vec![1], vec![2]]),
        ("SINGLE BRANCH IN AREA 2 3WLOWVOLTAGE", vec![vec![7]]),
        ("SINGLE BRANCH FROM BUS 3", vec![vec![3]]),
        ("SINGLE TIE FROM AREA 1", vec![vec![3], vec![5]]),
        // Bus 2 by number and owner; buses 3 to 5 by zone and area.
        ("SINGLE BRANCH IN SUBSYSTEM JOINED", vec![vec![3]]),
        ("SINGLE UNIT IN SUBSYSTEM ALL", vec![vec![101], vec![102]]),
        ("PARALLEL BRANCH IN SUBSYSTEM ALL", vec![vec![1, 2]]),
        ("DOUBLE BRANCH IN ZONES 1 2", vec![vec![1, 2], vec![1, 3], vec![2, 3]]),
        ("DOUBLE UNIT IN AREA 1", vec![vec![101, 102]]),
        ("BUSDOUBLE BRANCH IN OWNER 7", Vec::new()),
        (
            "BUSDOUBLE BRANCH IN ZONES 1 2",
            vec![vec![1, 2], vec![1, 2], vec![1, 3], vec![2, 3]],
        ),
        ("SKIP\n1 TO 2 CIRCUIT BL\nEND\nSINGLE BRANCH IN AREA 1", vec![vec![1]]),
    ] {
        assert_eq!(automatic(statement), found, "{statement}");
    }
}

#[test]
fn statements_without_elements_are_named() {
    let text = "SINGLE BRANCH IN SUBSYSTEM NOWHERE
SINGLE BRANCH IN AREA 9
SINGLE BRANCH IN SUBSYSTEM UNSURE
SINGLE BRANCH IN AREA 1 UNLESS
SINGLE SWSHUNT IN AREA 1
SINGLE UNIT IN AREA 2
";
    let lists = read(&[("x.con", text), ("x.sub", SUB)]);
    assert_eq!(lists.outages, []);
    assert_eq!(lines(&lists.not_found), [(1, ""), (2, "")]);
    let unsupported: Vec<(&str, usize)> = lists.unsupported.iter().map(|one| (&*one.file, one.line)).collect();
    assert_eq!(unsupported, [("x.sub", 17), ("x.con", 3), ("x.con", 4), ("x.con", 5)]);
    assert_eq!(
        lines(&lists.without_effect),
        [(6, "")],
        "the only unit is out of service"
    );
}

#[test]
fn more_outages_than_fit_are_not_expanded() {
    let buses: String = (1..=500)
        .map(|k| format!("{k} {} 0 0 0 0 1 1 0 138 1 1.1 0.9;\n", if k == 1 { 3 } else { 1 }))
        .collect();
    let branches: String = (1..500)
        .map(|k| format!("{k} {} 0.01 0.1 0 100 0 0 0 0 1 -360 360;\n", k + 1))
        .collect();
    let case = format!(
        "function mpc = long\nmpc.version = '2';\nmpc.baseMVA = 100;\nmpc.bus = [\n{buses}];\nmpc.gen = [1 0 0 9 -9 1 100 1 100 0];\nmpc.branch = [\n{branches}];\n"
    );
    let lists = read_of(
        (&case, "matpower"),
        &[("x.con", "DOUBLE BRANCH IN AREA 1\nSINGLE BRANCH IN AREA 1\n")],
    );
    let lists = lists.expect("lists");
    assert_eq!((lists.outages.len(), lines(&lists.unsupported)), (499, vec![(1, "")]));
}

#[test]
fn monitored_branches_and_interfaces() {
    let text = "MONITOR VOLTAGE RANGE SUBSYSTEM 'ALL' 0.95 1.05
MONITOR BRANCHES IN SUBSYSTEM HIGH
MONITOR TIES FROM AREA 1
MONITOR BRANCHES
2 3
3 4 1
1 2 9
END
MONITOR INTERFACE 'CUT' RATING 80 MW
MONITOR BRANCH FROM BUS 2 TO BUS 1 CKT BL
2 3 1
END
MONITOR INTERFACE 'OPEN'
2 3 1
END
MONITOR INTERFACE 'GONE' RATING 5
2 9 1
END
MONITOR BRANCH FROM BUS 1 TO BUS 3 TO BUS 5
END
";
    let lists = read(&[("x.mon", text), ("x.sub", SUB)]);
    assert_eq!(lists.monitored, Some(vec![1, 2, 3, 5]));
    let [cut] = &lists.interfaces[..] else {
        panic!("one interface: {lists:?}");
    };
    assert_eq!((&*cut.name, cut.min_mw, cut.max_mw), ("CUT", Some(-80.0), Some(80.0)));
    assert_eq!(
        cut.branches,
        [(2, -1.0), (3, 1.0)],
        "flows from the bus that is named first"
    );
    assert_eq!(lines(&lists.not_found), [(7, ""), (17, "GONE")]);
    assert_eq!(lines(&lists.out_of_service), [(6, "")]);
    assert_eq!(lines(&lists.without_effect), [(1, ""), (13, "")]);
    // The first is of the subsystems.
    assert_eq!(lines(&lists.unsupported), [(17, ""), (19, "")]);
    assert_eq!(
        read(&[("x.mon", "MONITOR ALL BRANCHES\n")]).monitored,
        Some(vec![1, 2, 3, 4, 5, 6, 7, 8])
    );
}

#[test]
fn contingencies_of_powerworld() {
    let text = r#"DATA (CONTINGENCY, [CTGLabel, CTGSkip])
{
"A" "NO "
 <SUBDATA CTGElement>
 "BRANCH 1 2 BL OPEN" "" CHECK // a comment
 "GEN 1 ST OPEN" "" CHECK 0 NO
 </SUBDATA>
"B" "NO "
 <SUBDATA CTGElement>
 "BRANCH 1 2 1 CLOSE" "" CHECK
 </SUBDATA>
"C" "NO "
 <SUBDATA CTGElement>
 "BRANCH 2 3 1 OPEN" "Load > 5" CHECK
 </SUBDATA>
"D" "YES"
 <SUBDATA CTGElement>
 "BRANCH 2 3 1 OPEN" "" CHECK
 </SUBDATA>
"E" "NO "
 <SUBDATA CTGElement>
 "3WXFORMER 1 3 5 1 OPEN" "" CHECK
 "SHUNT 2 1 OPEN" "" CHECK
 </SUBDATA>
"F" "NO "
 <SUBDATA CTGElement>
 "BUS 4 OPEN" "" CHECK
 "BRANCH 'WEST_69.0' 'SOUTH_138' 1 OPEN" "" CHECK
 "BRANCH 2 77 1 OPEN" "" NEVER
 </SUBDATA>
}
"#;
    let lists = read(&[("x.aux", text)]);
    assert_eq!(
        outages(&lists),
        [("A", &[2][..], &[1][..]), ("E", &[7], &[]), ("F", &[3], &[])]
    );
    assert_eq!(lines(&lists.unsupported), [(10, "B"), (14, "C")]);
    assert_eq!(lines(&lists.without_effect), [(16, ""), (23, ""), (29, "")]);

    let text = r#"Contingency (Name,Skip)
{
"A" "NO"
"B" "NO"
}
ContingencyElement (Contingency,Object,Action,Status)
{
"A" "BRANCH 1 2 1" "OPEN" "CHECK"
"B" "BRANCH 1 9 1" "OPEN" "CHECK"
}
DATA (INTERFACE, [IntNum,FGName,IntMonDir,FGLimA])
{
1 "East" "FROM -> TO" 400.0
 <SUBDATA InterfaceElement>
 "BRANCH 2 1 1" NO
 "BRANCH 2 3 1" NO 0.5
 </SUBDATA>
2 "Both" "BOTH" 30
 <SUBDATA InterfaceElement>
 "BRANCH 1 2 1" NO
 </SUBDATA>
3 "Units" "FROM -> TO" 30
 <SUBDATA InterfaceElement>
 "GEN 1 ST" NO
 </SUBDATA>
}
"#;
    let lists = read(&[("x.aux", text)]);
    assert_eq!(outages(&lists), [("A", &[1][..], &[][..])]);
    assert_eq!(lines(&lists.not_found), [(9, "B")]);
    assert_eq!(lines(&lists.unsupported), [(24, "Units")]);
    let interfaces: Vec<_> = lists
        .interfaces
        .iter()
        .map(|i| (&*i.name, &i.branches[..], i.min_mw, i.max_mw))
        .collect();
    assert_eq!(
        interfaces,
        [
            ("East", &[(1, -1.0), (3, 0.5)][..], None, Some(400.0)),
            ("Both", &[(1, 1.0)][..], Some(-30.0), Some(30.0))
        ]
    );
}

#[test]
fn rows_of_a_table_with_one_label_are_one_outage() {
    let text = "outage,from_bus,to_bus,circuit,branch,generator
corridor,1,2,1,,
# a comment
corridor,NORTH,SOUTH 138,BL,,
unit,,,,,2
,,,,3,
gone,,,,,9
half,1,,,,
none,,,,,
shut,,,,4,
";
    let lists = read(&[("frame.csv", text)]);
    assert_eq!(
        outages(&lists),
        [("corridor", &[1, 2][..], &[][..]), ("unit", &[], &[2]), ("", &[3], &[])]
    );
    assert_eq!(lines(&lists.not_found), [(7, "gone"), (8, "half")]);
    assert_eq!(lines(&lists.unsupported), [(9, "none")]);
    assert_eq!(lines(&lists.out_of_service), [(10, "")]);
}

#[test]
fn parallel_branches_without_circuits_are_numbered_in_their_order() {
    let text = "outage,from_bus,to_bus,circuit\na,1,2,2\nb,2,3,\nc,1,2,3\nd,2,1,\n";
    let lists = read_of((MATPOWER, "matpower"), &[("x.csv", text)]).expect("lists");
    assert_eq!(
        outages(&lists),
        [("a", &[2][..], &[][..]), ("b", &[3], &[]), ("d", &[1], &[])]
    );
    assert_eq!(lines(&lists.not_found), [(4, "c")]);
    let unit = "CONTINGENCY A\nREMOVE UNIT 2 FROM BUS 1\nEND\n";
    let lists = read_of((MATPOWER, "matpower"), &[("x.con", unit)]).expect("lists");
    assert_eq!(outages(&lists), [("A", &[][..], &[2][..])]);
}

#[test]
fn at_most_eight_branches_go_together() {
    let rows: String = (1..=9)
        .map(|k| format!("{k} {} 0.01 0.1 0 100 0 0 0 0 1 -360 360;\n", k + 1))
        .collect();
    let buses: String = (1..=10)
        .map(|k| format!("{k} {} 1 0 0 0 1 1 0 138 1 1.1 0.9;\n", if k == 1 { 3 } else { 1 }))
        .collect();
    let case = format!(
        "function mpc = ten\nmpc.version = '2';\nmpc.baseMVA = 100;\nmpc.bus = [\n{buses}];\nmpc.gen = [1 0 0 9 -9 1 100 1 100 0];\nmpc.branch = [\n{rows}];\n"
    );
    let all = |count: usize| (1..=count).map(|k| format!("x,{k}\n")).collect::<String>();
    let lists = read_of((&case, "matpower"), &[("x.csv", &format!("outage,branch\n{}", all(8)))]).expect("lists");
    assert_eq!(lists.outages[0].branches, [1, 2, 3, 4, 5, 6, 7, 8]);
    let lists = read_of((&case, "matpower"), &[("x.csv", &format!("outage,branch\n{}", all(9)))]).expect("lists");
    assert_eq!((lists.outages.len(), lines(&lists.unsupported)), (0, vec![(2, "x")]));
}

#[test]
fn texts_that_are_no_lists() {
    assert_eq!(error(&[("x.con", "once upon\na time\n")]).0, "INPUT.FORMAT");
    assert!(error(&[("x.con", "\nonce upon\n")])
        .1
        .starts_with("Line 2 of x.con is not that of a list"));
    assert_eq!(error(&[("x.txt", "once upon")]).0, "INPUT.FORMAT");
    assert_eq!(error(&[("x.aux", "DATA (BUS, [BusNum])\n{\n1\n}\n")]).0, "INPUT.FORMAT");
    assert_eq!(error(&[("x.sub", "AREA 1\n")]).0, "INPUT.FORMAT");
    assert_eq!(error(&[("x.mon", "BRANCHES\n1 2\nEND\n")]).0, "INPUT.FORMAT");
    assert_eq!(error(&[("x.csv", "bus,mw\n1,2\n")]).0, "INPUT.TABLE");
    assert_eq!(error(&[("x.csv", " \n")]).0, "INPUT.EMPTY");
    let (code, message) = error(&[("x.con", "CONTINGENCY A\nCONTINGENCY B\nEND\n")]);
    assert_eq!(
        (code, message.starts_with("Line 2 of x.con begins")),
        ("INPUT.PARSE", true)
    );
    for text in [
        "CONTINGENCY A\n",
        "SINGLE UNIT IN AREA 1\nSKIP\n",
        "DEFAULT DISPATCH\nBUS 1\n",
    ] {
        assert_eq!(error(&[("x.con", text)]).0, "INPUT.TRUNCATED", "{text}");
    }
    assert_eq!(
        error(&[("x.sub", "SUBSYSTEM A\nJOIN\nAREA 1\nEND\n")]).0,
        "INPUT.TRUNCATED"
    );
    assert_eq!(
        error(&[("x.mon", "MONITOR INTERFACE A RATING 5\n1 2\n")]).0,
        "INPUT.TRUNCATED"
    );
}

#[test]
fn lists_are_distinguished_from_cases() {
    let contingencies = b"Contingency (Name)\n{\n\"A\"\n}\n";
    let case = b"Bus (Number)\n{\n1\n}\nContingency (Name)\n{\n\"A\"\n}\n";
    assert!(is_list("a.AUX", contingencies) && !is_list("a.aux", case) && is_list("a.con", b"x"));
    assert!(
        is_list("a.csv", b"outage,branch\n")
            && !is_list("a.csv", b"bus,lat,lon\n")
            && !is_list("a.m", b"outage,branch\n")
    );
    let sub_by_content = read(&[("lists.txt", SUB), ("more.txt", "SINGLE BRANCH IN SUBSYSTEM HIGH\n")]);
    assert_eq!(sub_by_content.outages.len(), 2);
}
