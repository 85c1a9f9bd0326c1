//! Modules written in every format, and read again where this crate reads it.

use crate::common::{changed, ingest, CASE};
use wattbook_network::analysis::Link;
use wattbook_network::{export_formats, export_module, ingest_case, network_from_module, AnalysisNetwork};

/// The data of a DC optimal power flow, in nine digits and independent of the order of rows: formats write decimal
/// numbers, and some store transformers after lines.
fn electrical(net: &AnalysisNetwork) -> Vec<String> {
    let mut out = vec![format!("base {}", net.base_mva)];
    for b in &net.buses {
        let (p, bs) = (b.demand_pu, b.bs_pu);
        out.push(format!("bus {} {p:.9} {bs:.9} {} {}", b.id, b.base_kv, b.in_service));
    }
    for b in &net.branches {
        let (from, to) = (net.buses[b.from].id, net.buses[b.to].id);
        let rating = if b.rating_is_fallback { 0.0 } else { b.rating_pu };
        let (r, x, tap, shift) = (b.r_pu, b.x_pu, b.tap, b.shift_rad);
        out.push(format!(
            "branch {from} {to} {r:.9} {x:.9} {tap:.9} {shift:.9} {rating:.9} {}",
            b.in_service
        ));
    }
    for g in &net.generators {
        let (bus, low, high) = (net.buses[g.bus].id, g.pmin_pu, g.pmax_pu);
        out.push(format!("gen {bus} {low:.9} {high:.9} {}", g.in_service));
    }
    out.sort();
    out
}

/// The reader of a written format, where this crate has one.
fn reader(format: &str) -> Option<&str> {
    match format {
        "psse34" | "psse35" => Some("psse"),
        "psse-rawx" | "xiidm" | "jiidm" | "ucte" | "surge-json" => None,
        other => Some(other),
    }
}

#[test]
fn every_writer_writes_and_what_is_read_again_is_the_same_network() {
    let unshifted = ingest(&changed("0.98	-3", "0.98	0")).expect("case without phase shift");
    let mut read_again = 0;
    for target in export_formats() {
        let case = match target.format {
            "pslf" => &unshifted,
            _ => &ingest(CASE).expect("case"),
        };
        let file = export_module(&case.module_json, target.format).unwrap_or_else(|e| panic!("{}: {e}", target.format));
        assert_eq!(file.file_name, format!("four_bus.{}", target.extension));
        assert!(file.warnings.iter().all(|w| w.code == "EXPORT.LOSS"));
        let Some(format) = reader(target.format) else {
            assert!(!file.bytes.is_empty(), "{}", target.format);
            continue;
        };
        let again = ingest_case(&file.bytes, format).unwrap_or_else(|e| panic!("{}: {e}", target.format));
        assert_eq!(
            electrical(&again.network),
            electrical(&case.network),
            "{}",
            target.format
        );
        read_again += 1;
    }
    assert_eq!(read_again, 9);
}

#[test]
fn losses_are_named_and_impossible_exports_are_refused() {
    let module = ingest(CASE).expect("case").module_json;
    let raw = export_module(&module, "psse").expect("RAW");
    assert!(
        raw.warnings.iter().any(|w| w.message().contains("cost")),
        "costs have no place in RAW files"
    );
    let code = |module: &str, format: &str| export_module(module, format).expect_err("refused").code;
    assert_eq!(code(&module, "pslf"), "EXPORT.REFUSED");
    for format in ["pwb", "opfdata-json", "goc3-json", "cgmes", "dss", ""] {
        assert_eq!(code(&module, format), "EXPORT.FORMAT", "{format}");
    }
    assert_eq!(code("{}", "psse"), "MODULE.INVALID");
}

#[test]
fn costs_survive_where_the_format_has_them() {
    let case = ingest(CASE).expect("case");
    for format in ["matpower", "powermodels-json", "egret-json"] {
        let file = export_module(&case.module_json, format).expect("written");
        let again = ingest_case(&file.bytes, format).expect("read").network;
        assert_eq!(again.generators[0].cost, case.network.generators[0].cost, "{format}");
        assert_eq!(again.generators[2].cost, case.network.generators[2].cost, "{format}");
    }
}

/// Every field of the network that AC power flow reads, without names, in nine digits and independent of the order of
/// rows.
fn alternating(net: &AnalysisNetwork) -> Vec<String> {
    let mut out = Vec::new();
    let nine = |values: &[f64]| {
        values
            .iter()
            .map(|v| format!("{:.9}", v + 0.0))
            .collect::<Vec<_>>()
            .join(" ")
    };
    for b in &net.buses {
        let [ip, iq] = b.constant_current_pu;
        let [yp, yq] = b.constant_impedance_pu;
        let own = [b.demand_pu, b.demand_q_pu, ip, iq, yp, yq, b.gs_pu, b.bs_pu];
        out.push(format!("bus {} {} {} {}", b.id, b.is_reference, b.is_pv, nine(&own)));
    }
    for b in &net.branches {
        let ends = [net.buses[b.from].id, net.buses[b.to].id];
        let [[gf, bf], [gt, bt]] = [b.shunt_from_pu, b.shunt_to_pu];
        let own = [b.r_pu, b.x_pu, gf, bf, gt, bt, b.tap, b.shift_rad];
        out.push(format!("branch {ends:?} {} {}", b.in_service, nine(&own)));
    }
    for g in &net.generators {
        let regulated = g.regulated_bus.map(|row| net.buses[row].id);
        let own = [g.pg_pu, g.qg_pu, g.qmin_pu, g.qmax_pu, g.vset_pu];
        let bus = net.buses[g.bus].id;
        out.push(format!(
            "gen {bus} {regulated:?} {} {}",
            g.regulates_voltage,
            nine(&own)
        ));
    }
    out.sort();
    out
}

#[test]
fn raw_files_written_and_read_again_are_the_same_network() {
    let raw = include_str!("../fields/raw_33.txt");
    let case = ingest_case(raw.as_bytes(), "psse").expect("case");
    let expected = alternating(&case.network);
    for format in ["psse", "psse34", "psse35"] {
        let file = export_module(&case.module_json, format).unwrap_or_else(|e| panic!("{format}: {e}"));
        let again = ingest_case(&file.bytes, format).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(alternating(&again.network), expected, "{format}");
    }
}

#[test]
fn transformers_of_other_formats_keep_the_admittances_of_both_ends_in_raw_files() {
    let case = ingest(&changed("0.01	0.1	0	0	0	0	0.98", "0.01	0.1	0.04	0	0	0	0.98")).expect("case");
    let file = export_module(&case.module_json, "psse").expect("RAW");
    let messages = "The admittance to ground at the to end of 1 transformer is written as a fixed shunt";
    assert!(file.warnings.iter().any(|w| w.message().contains(messages)));
    let again = ingest_case(&file.bytes, "psse").expect("read again").network;
    let t = again.branches.iter().find(|b| b.tap != 1.0).expect("the transformer");
    assert!((t.shunt_from_pu[1] - 0.02).abs() < 1e-12 && t.shunt_to_pu == [0.0, 0.0]);
    let bus = again.buses.iter().find(|b| b.id == 30).expect("its bus");
    assert!((bus.bs_pu - (-19.0 / 200.0 + 0.02)).abs() < 1e-12);
}

/// Data that MATPOWER files cannot represent: a load with all its parts, shunts by end, a unit that holds another bus,
/// one at a load bus.
const AUX: &str = r#"DATA (Bus, [BusNum,BusName,BusNomVolt,BusPUVolt,BusAngle,AreaNum,ZoneNum,BusCat])
{
1 "One" 230 1.02 0 1 1 "Slack"
2 "Two" 230 1.01 0 1 1 "PV"
3 "Three" 230 0.99 0 1 1 "PQ"
}
DATA (Load, [BusNum,LoadID,LoadStatus,LoadSMW,LoadSMVR,LoadIMW,LoadIMVR,LoadZMW,LoadZMVR])
{
3 "1" "Closed" 50 20 10 5 4 3
}
DATA (Gen, [BusNum,GenID,GenStatus,GenMW,GenMVR,GenVoltSet,GenRegNum,GenMWMax,GenMWMin,GenAVRAble,GenMVRMax,GenMVRMin,GenCostModel,GenFuelCost,GenFixedCost,GenIOB,GenIOC])
{
1 "1" "Closed" 40 5 1.02 1 200 10 "YES" 90 -90 "Cubic" 2 300 8 0.25
2 "1" "Closed" 30 4 1.01 3 150 10 "YES" 80 -80 "Piecewise Linear" 1 100 0 0
<SUBDATA BidCurve>
10 20
50 30
</SUBDATA>
3 "1" "Closed" 20 3 1.01 3 90 10 "NO" 70 -70 "None" 1 0 0 0
}
DATA (Branch, [BusNum,BusNum:1,LineCircuit,BranchDeviceType,LineStatus,LineR,LineX,LineC,LineG,LineAMVA,LineTap,LinePhase,LineShuntMW,LineShuntMW:1,LineShuntMVR,LineShuntMVR:1])
{
1 2 "1" "Line" "Closed" 0.01 0.1 0.02 0.001 150 1 0 1 2 3 4
2 3 "1" "Transformer" "Closed" 0.01 0.1 0.02 0.001 150 0.98 0 1 2 3 4
}
"#;

/// The parts of a module that carry physics beside the analysis network of a DC model, in nine digits: loads, branches, units, buses.
fn physics(module_json: &str, net: &AnalysisNetwork) -> [Vec<String>; 5] {
    let module: serde_json::Value = serde_json::from_str(module_json).expect("a module");
    let data = &module["value"]["data"];
    let rows = |table: &str| data[table].as_array().cloned().unwrap_or_default();
    let number = |value: &serde_json::Value| format!("{:.9}", value.as_f64().unwrap_or(0.0));
    let zip = |load: &serde_json::Value| {
        let model = &load["voltage_model"];
        let parts = [
            "p_constant_power",
            "p_constant_current",
            "p_constant_impedance",
            "q_constant_current",
            "q_constant_impedance",
        ];
        let parts = parts.map(|part| number(&model[part]));
        let depends = parts[1..].iter().any(|part| part != "0.000000000");
        format!("{} {} {:?}", load["bus"], number(&load["p"]), depends.then_some(parts))
    };
    let ends = |branch: &serde_json::Value| {
        let half = branch["b"].as_f64().unwrap_or(0.0) / 2.0;
        let part = |name: &str, otherwise: f64| branch["charging"][name].as_f64().unwrap_or(otherwise);
        let parts = [
            part("g_fr", 0.0),
            part("b_fr", half),
            part("g_to", 0.0),
            part("b_to", half),
        ];
        format!("{} {} {parts:.9?}", branch["from"], branch["to"])
    };
    let kind = |bus: &wattbook_network::analysis::Bus| format!("{} {} {}", bus.id, bus.is_reference, bus.is_pv);
    let unit = |(unit, module): (&wattbook_network::analysis::Generator, &serde_json::Value)| {
        let bus = net.buses[unit.bus].id;
        format!("{bus} {:.9} {}", unit.vset_pu, module["regulated_bus"])
    };
    let cost = |unit: &wattbook_network::analysis::Generator| format!("{} {:.6?}", net.buses[unit.bus].id, unit.cost);
    [
        rows("loads").iter().map(zip).collect(),
        rows("branches").iter().map(ends).collect(),
        net.generators.iter().zip(&rows("generators")).map(unit).collect(),
        net.generators.iter().map(cost).collect(),
        net.buses.iter().map(kind).collect(),
    ]
}

/// Whatever a format cannot hold of loads, branches, units and types of buses is among the warnings of the export.
#[test]
fn what_reading_back_changes_is_named_by_the_export() {
    let case = ingest_case(AUX.as_bytes(), "powerworld").expect("case");
    let original = physics(&case.module_json, &case.network);
    let words: [&[&str]; 5] = [
        &["voltage dependent load", "voltage-dependent load"],
        &[
            "terminal admittance",
            "to ground at the to end",
            "shunts of branches",
            "charging",
        ],
        &["regulated bus", "the voltage of another bus", "set-point"],
        &["cost"],
        &["hold no voltage"],
    ];
    let mut lost = Vec::new();
    for target in export_formats() {
        let Some(format) = reader(target.format) else { continue };
        let file = export_module(&case.module_json, target.format).unwrap_or_else(|e| panic!("{}: {e}", target.format));
        let messages: Vec<String> = file.warnings.iter().map(|w| w.message()).collect();
        let again = ingest_case(&file.bytes, format).unwrap_or_else(|e| panic!("{}: {e}", target.format));
        let read = physics(&again.module_json, &again.network);
        for (k, words) in words.iter().enumerate() {
            let (mut before, mut behind) = (original[k].clone(), read[k].clone());
            before.sort();
            behind.sort();
            let named = messages
                .iter()
                .any(|messages| words.iter().any(|word| messages.contains(word)));
            if before != behind && !named {
                lost.push(format!("{}: {before:#?} became {behind:#?}", target.format));
            }
            if target.format == "powerworld" && before != behind {
                lost.push(format!("powerworld holds all of it: {before:#?} became {behind:#?}"));
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// Every format with links gives them back; what it does not hold is named.
#[test]
fn hvdc_links_survive_in_formats_that_have_them() {
    let links = "mpc.dcline = [
10 20 1 10 8.9 0 0 1.01 1 1 40 -9 9 -8 8 1 0.01;
20 30 0 0 0 0 0 1 1 -30 30 -9 9 -8 8 0 0;
];
mpc.dclinecost = [
2 0 0 2 7.3 0;
2 0 0 2 0 0;
];
";
    let case = ingest_case(format!("{CASE}\n{links}").as_bytes(), "matpower").expect("a case");
    assert_eq!(
        network_from_module(&case.module_json).expect("its module"),
        case.network
    );
    for format in ["matpower", "powermodels-json", "egret-json", "pandapower-json"] {
        let exported = export_module(&case.module_json, format).expect(format);
        let again = ingest_case(&exported.bytes, format).expect(format).network.links;
        let named: Vec<String> = exported.warnings.iter().map(|w| w.message()).collect();
        let is_named = |words: &str| named.iter().any(|message| message.contains(words));
        let expected = case.network.links.iter().zip(&again).map(|(link, again)| match format {
            "matpower" | "powermodels-json" => link.clone(),
            "egret-json" => Link {
                cost: again.cost.clone(),
                ..link.clone()
            },
            _ => Link {
                uid: again.uid.clone(),
                pmin_pu: 0.0,
                cost: again.cost.clone(),
                ..link.clone()
            },
        });
        assert_eq!(again, expected.collect::<Vec<Link>>(), "{format}");
        match format {
            "egret-json" => assert!(is_named("cost curve dropped"), "{named:?}"),
            "pandapower-json" => assert!(
                is_named("power floor(s)") && is_named("cost curves dropped"),
                "{named:?}"
            ),
            _ => {}
        }
    }
}
