//! CGMES: units, signs and statuses, profiles and archives, and refusals by object.

use std::io::{Cursor, Write};

use wattbook_network::analysis::{AnalysisNetwork, Branch, EnergySource, Generator};
use wattbook_network::{ingest_case, EngineError};

const EVERY: &str = include_str!("../../../../fuzz/seeds/every_class.cgmes.xml");
const ARCHIVE: &[u8] = include_bytes!("../../../../fuzz/seeds/every_class.zip");

fn network(text: &str) -> AnalysisNetwork {
    ingest_case(text.as_bytes(), "cgmes")
        .unwrap_or_else(|e| panic!("{e}"))
        .network
}

fn refusal(bytes: &[u8]) -> EngineError {
    match ingest_case(bytes, "cgmes") {
        Ok(_) => panic!("the text is read"),
        Err(error) => error,
    }
}

/// The text with the first occurrence of a piece behind another one replaced.
#[track_caller]
fn changed(behind: &str, from: &str, to: &str) -> String {
    let start = EVERY.find(behind).unwrap_or_else(|| panic!("no {behind:?}"));
    let at = EVERY[start..]
        .find(from)
        .unwrap_or_else(|| panic!("no {from:?} behind {behind:?}"));
    format!("{}{to}{}", &EVERY[..start + at], &EVERY[start + at + from.len()..])
}

#[track_caller]
fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12 * b.abs().max(1.0), "{a}, not {b}");
}

#[track_caller]
fn bus(net: &AnalysisNetwork, uid: &str) -> usize {
    let found = net.buses.iter().position(|bus| bus.uid.as_deref() == Some(uid));
    found.unwrap_or_else(|| panic!("bus {uid}"))
}

#[track_caller]
fn branch<'n>(net: &'n AnalysisNetwork, uid: &str) -> &'n Branch {
    let found = net.branches.iter().find(|branch| branch.uid.as_deref() == Some(uid));
    found.unwrap_or_else(|| panic!("branch {uid}"))
}

#[track_caller]
fn unit<'n>(net: &'n AnalysisNetwork, uid: &str) -> &'n Generator {
    let found = net.generators.iter().find(|unit| unit.uid.as_deref() == Some(uid));
    found.unwrap_or_else(|| panic!("unit {uid}"))
}

/// The documents of the file.
fn documents() -> Vec<String> {
    let ends = EVERY.split_inclusive("</rdf:RDF>\n");
    ends.map(str::to_string).collect()
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).expect("a file");
        writer.write_all(content).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}

#[test]
fn connectivity_nodes_are_buses_and_switches_branches() {
    let net = network(EVERY);
    let uids: Vec<&str> = net.buses.iter().filter_map(|bus| bus.uid.as_deref()).collect();
    assert_eq!(
        uids,
        ["BB1", "N1B", "BB2", "BB3", "N3B", "N3C", "BB4", "N2X", "NB", "L2 end 2", "TW star"]
    );
    let first = &net.buses[0];
    near(first.vm_pu, 226.0 / 220.0);
    near(first.vmin_pu, 200.0 / 220.0);
    assert_eq!((first.name.as_deref(), first.base_kv), (Some("Bar 1"), 220.0));
    // The node of the border is in a line, whose voltage it has.
    assert_eq!(net.buses[8].base_kv, 220.0);
    let switches: Vec<_> = net.branches.iter().filter(|branch| branch.is_switch).collect();
    let states: Vec<_> = switches
        .iter()
        .map(|s| (s.uid.as_deref().unwrap_or(""), s.in_service))
        .collect();
    assert_eq!(
        states,
        [("L2 end 2", false), ("CB1", true), ("CB3", false), ("DS3", true)]
    );
    assert!(net.buses[1].is_reference && net.buses[6].is_pv);
}

#[test]
fn names_that_nodes_share_begin_with_their_voltage_levels() {
    let text = EVERY.replace(">N1B</cim:IdentifiedObject.name>", ">2</cim:IdentifiedObject.name>");
    let net = network(&text.replace(">N3B</cim:IdentifiedObject.name>", ">2</cim:IdentifiedObject.name>"));
    let name = |uid: &str| net.buses[bus(&net, uid)].name.clone();
    let names = ["N1B", "N3B", "N3C"].map(name);
    assert_eq!(names.map(Option::unwrap_or_default), ["V1 2", "V3 2", "N3C"]);
}

/// Without connectivity nodes, the topological ones are the buses, within which switches are merged.
#[test]
fn topological_nodes_are_buses_where_there_are_no_others() {
    let lines = EVERY.lines().filter(|line| !line.contains("Terminal.ConnectivityNode"));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let net = network(&text);
    let uids: Vec<&str> = net.buses.iter().filter_map(|bus| bus.uid.as_deref()).collect();
    assert_eq!(
        uids,
        ["T1", "T2", "T3", "T3C", "T4", "T2X", "TB", "L2 end 2", "TW star"]
    );
    let switches = net.branches.iter().filter(|branch| branch.is_switch).count();
    assert_eq!(switches, 2);
    near(net.buses[bus(&net, "T3")].demand_pu, 0.8 - 0.14);
}

#[test]
fn demand_and_shunts_have_their_signs() {
    let net = network(EVERY);
    let town = &net.buses[bus(&net, "N3B")];
    near(town.demand_pu, 0.8);
    near(town.constant_current_pu[0], 0.24);
    near(town.constant_impedance_pu[1], 0.088);
    // The pump, and small plants as negative demand.
    near(net.buses[bus(&net, "BB2")].demand_pu, 0.12);
    near(net.buses[bus(&net, "BB3")].demand_pu, -0.14);
    near(net.buses[bus(&net, "NB")].demand_pu, 0.25);
    near(net.buses[bus(&net, "N3C")].demand_pu, 0.0);
    near(net.buses[bus(&net, "BB3")].bs_pu, 2.0 * 0.0004 * 121.0);
    // The points up to the section in service add up.
    near(net.buses[bus(&net, "BB2")].bs_pu, 0.0005 * 121.0);
    near(net.buses[bus(&net, "BB2")].gs_pu, 2e-6 * 121.0);
}

#[test]
fn units_supply_what_they_take_with_the_other_sign() {
    let net = network(EVERY);
    let own = unit(&net, "G1");
    assert_eq!(own.energy_source, EnergySource::Coal);
    near(own.pg_pu, 0.7);
    near(own.pmax_pu, 1.2);
    near(own.qmax_pu, 0.7 - 0.2 * 70.0 / 120.0);
    near(own.vset_pu, 113.0 / 110.0);
    assert_eq!(own.regulated_bus, Some(bus(&net, "BB2")));
    let grid = unit(&net, "EX");
    near(grid.pmin_pu, -5.0);
    near(grid.pg_pu, 0.4);
    near(grid.vset_pu, 226.0 / 220.0);
    let svc = unit(&net, "SVC");
    near(svc.qmax_pu, 121.0 / 4.0 / 1.0 / 100.0);
    near(svc.qmin_pu, -0.242);
    near(svc.qg_pu, 0.04);
}

#[test]
fn lines_and_transformers_are_per_unit() {
    let net = network(EVERY);
    let line = branch(&net, "L1");
    near(line.r_pu, 1.2 / 121.0);
    near(line.x_pu, 9.5 / 121.0);
    near(line.shunt_to_pu[1], 6.5e-5 / 2.0 * 121.0);
    near(line.rating_pu, 3f64.sqrt() * 110.0 * 0.65 / 100.0);
    near(branch(&net, "LB").rating_pu, 3.0);
    assert!(branch(&net, "L2").to == bus(&net, "L2 end 2"));
    // Ohms at the first winding, whose ratio has steps of 1.25 %.
    let turns = 115.0 / 225.0;
    let two = branch(&net, "TR");
    near(two.x_pu, 28.0 * turns * turns / 121.0);
    near(two.shunt_from_pu[1], -7e-6 / (turns * turns) * 121.0);
    near(two.tap, 110.0 / 220.0 * 1.0375 / turns);
    // Two steps of 1.5 % at 60 degrees.
    let [dx, dy] = [0.03 * 0.5, 0.03 * 0.75f64.sqrt()];
    let shifter = branch(&net, "PS");
    near(shifter.tap, 110.0 / 220.0 * dy.hypot(1.0 + dx) / turns);
    near(shifter.shift_rad, dy.atan2(1.0 + dx));
    // A table changes the ratio and the impedance.
    let winding = branch(&net, "TW winding 2");
    near(winding.r_pu, 0.1 * 4.0 * 1.008 / 484.0);
    near(winding.x_pu, 2.5 * 4.0 * 1.016 / 484.0);
    near(winding.tap, 1.02);
    assert_eq!(winding.to, bus(&net, "TW star"));
    let series = branch(&net, "SC");
    near(series.x_pu, 4.0 / 121.0);
}

#[test]
fn two_converters_are_a_link() {
    let net = network(EVERY);
    let [link] = &net.links[..] else { panic!("one link") };
    assert_eq!(
        (link.uid.as_deref(), link.from, link.to),
        (Some("DL"), bus(&net, "BB1"), bus(&net, "BB3"))
    );
    let dc = 30.0 - 0.4;
    let arrives = dc - 2.0 * (dc / 150.0) * (dc / 150.0);
    near(link.delivered_pu(0.3), (arrives - 0.3) / 100.0);
    near(link.pmax_pu, 0.36);
    near(link.q_pu[1], -0.03);
    assert_eq!(link.regulates_voltage, [false; 2]);
    // Power against the order of the converters.
    let turned = changed("rdf:about=\"#_VC1\"", "targetPpcc>30<", "targetPpcc>-30<");
    let net = network(&turned);
    assert_eq!(
        (net.links[0].from, net.links[0].to),
        (bus(&net, "BB3"), bus(&net, "BB1"))
    );
    // An open DC terminal takes the link out of service.
    let open = changed("rdf:about=\"#_DL_T1\"", "connected>true", "connected>false");
    assert!(!network(&open).links[0].in_service);
}

#[test]
fn equipment_follows_its_status() {
    let off = changed(
        "rdf:about=\"#_D1\">",
        "<cim:EnergyConsumer.p>",
        "<cim:Equipment.inService>false</cim:Equipment.inService><cim:EnergyConsumer.p>",
    );
    let net = network(&off);
    near(net.buses[bus(&net, "N3B")].demand_pu, 0.0);
    let closed = changed("rdf:about=\"#_CB3\">", "Switch.open>true", "Switch.open>false");
    let net = network(&closed);
    near(net.buses[bus(&net, "N3C")].demand_pu, 0.09);
}

#[test]
fn what_is_held_and_left_out_is_named() {
    let warnings: Vec<(&str, String)> = network(EVERY).warnings.iter().map(|w| (w.code, w.message())).collect();
    for (code, words) in [
        ("INPUT.LEFT_OUT", "9.0 MW of demand"),
        ("INPUT.HELD", "1 transformer with automatic tap control"),
        ("INPUT.HELD", "Area (25.0 MW)"),
        ("INPUT.HELD", "losses of 1 HVDC line"),
        ("INPUT.LIMITS_NOT_IN_FORMAT", "1 voltage level"),
        ("COST.NOT_IN_FORMAT", "CGMES"),
    ] {
        let has = warnings.iter().any(|(own, text)| *own == code && text.contains(words));
        assert!(has, "{code} {words}: {warnings:#?}");
    }
    let unknown = changed(
        "<cim:Breaker rdf:ID=\"_CB1\">",
        "<cim:Breaker",
        "<cim:WaveTrap rdf:ID=\"_WT\"/>\n  <cim:Breaker",
    );
    let named = network(&unknown)
        .warnings
        .iter()
        .any(|w| w.message().contains("WaveTrap"));
    assert!(named);
}

/// The equivalent of the other side counts until its lines are in the model.
#[test]
fn injections_at_joined_boundaries_are_left_out() {
    let boundary = changed("rdf:ID=\"_TB\"", "</cim:TopologicalNode>", "<cim:TopologicalNode.boundaryPoint>true</cim:TopologicalNode.boundaryPoint></cim:TopologicalNode>")
        .replace("<cim:ConnectivityNode rdf:ID=\"_NB\">", "<cim:ConnectivityNode rdf:ID=\"_NB\"><cim:ConnectivityNode.boundaryPoint>true</cim:ConnectivityNode.boundaryPoint>");
    near(network(&boundary).buses[8].demand_pu, 0.25);
    let joined = boundary.replace("<cim:ACLineSegment rdf:ID=\"_LB\">", "<cim:ACLineSegment rdf:ID=\"_LC\"><cim:ACLineSegment.r>1</cim:ACLineSegment.r><cim:ACLineSegment.x>9</cim:ACLineSegment.x></cim:ACLineSegment>\n<cim:Terminal rdf:ID=\"_LC_T1\"><cim:Terminal.ConductingEquipment rdf:resource=\"#_LC\"/><cim:Terminal.ConnectivityNode rdf:resource=\"#_NB\"/></cim:Terminal>\n<cim:Terminal rdf:ID=\"_LC_T2\"><cim:Terminal.ConductingEquipment rdf:resource=\"#_LC\"/><cim:Terminal.ConnectivityNode rdf:resource=\"#_N1\"/></cim:Terminal>\n<cim:ACLineSegment rdf:ID=\"_LB\">");
    let net = network(&joined);
    near(net.buses[8].demand_pu, 0.0);
    assert!(
        net.warnings
            .iter()
            .any(|w| w.message().contains("25.0 MW) at a boundary")),
        "{:?}",
        net.warnings
    );
}

/// Archives, single documents one after another, and their order make no difference.
#[test]
fn profiles_come_in_any_order_and_packing() {
    let whole = network(EVERY);
    let mut turned = documents();
    assert_eq!(turned.len(), 4);
    turned.reverse();
    assert_eq!(network(&turned.concat()), whole);
    assert_eq!(network(&format!("\u{feff}{}", turned.join("\u{feff}"))), whole);
    let of = |bytes: &[u8]| ingest_case(bytes, "cgmes").unwrap_or_else(|e| panic!("{e}")).network;
    assert_eq!(of(ARCHIVE), whole);
    let folders: Vec<(String, &String)> = turned
        .iter()
        .enumerate()
        .map(|(k, text)| (format!("../a/{k}.xml"), text))
        .collect();
    let files: Vec<(&str, &[u8])> = folders
        .iter()
        .map(|(name, text)| (&name[..], text.as_bytes()))
        .collect();
    assert_eq!(of(&zipped(&files)), whole);
    // Each profile packed by itself, and a file that is no XML.
    let inner: Vec<Vec<u8>> = files.iter().map(|file| zipped(&[*file])).collect();
    let mut outer: Vec<(&str, &[u8])> = inner.iter().map(|bytes| ("profile.zip", &bytes[..])).collect();
    for (k, file) in outer.iter_mut().enumerate() {
        file.0 = ["a.zip", "b.zip", "c.zip", "d.zip"][k];
    }
    outer.push(("read.me", b"hello"));
    assert_eq!(of(&zipped(&outer)), whole);
}

#[test]
fn a_single_document_of_xiidm_is_read_as_that() {
    let xiidm = include_bytes!("../../../../fuzz/seeds/two_areas.xiidm");
    let of = |bytes: &[u8], format: &str| ingest_case(bytes, format).unwrap_or_else(|e| panic!("{e}")).network;
    assert_eq!(of(xiidm, "cgmes"), of(xiidm, "xiidm"));
    assert_eq!(of(&zipped(&[("a.xiidm", xiidm)]), "cgmes"), of(xiidm, "xiidm"));
}

#[test]
fn missing_profiles_and_impossible_values_are_refused_by_name() {
    let documents = documents();
    let without = |k: usize| {
        let rest: Vec<&str> = documents
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != k)
            .map(|(_, d)| &d[..])
            .collect();
        rest.concat()
    };
    for (text, code, words) in [
        (without(1), "INPUT.FORMAT", "SSH"),
        (without(0), "INPUT.FORMAT", "EQ"),
        (changed("<cim:ACLineSegment rdf:ID=\"_L1\">", "r>1.2", "r>much"), "INPUT.PARSE", "L1"),
        (EVERY.replacen("<cim:BusbarSection rdf:ID=\"_BB1\">", "<cim:BusbarSection rdf:ID=\"_L1\">", 1), "INPUT.DUPLICATE_ELEMENT", "ACLineSegment"),
        (changed("rdf:about=\"#_RTC3\"", "step>3", "step>9"), "INPUT.PARSE", "RTC3"),
        (changed("rdf:ID=\"_TR1\"", "ratedU>225", "ratedU>0"), "INPUT.PARSE", "TR1"),
        (changed("rdf:ID=\"_EB\"", "x21>18.0", "x21>17.0"), "PHYSICS.UNSUPPORTED", "Equivalent (EB)"),
        (changed("rdf:ID=\"_SH1\"", "bPerSection>0.0004", "bPerSection>NaN"), "INPUT.PARSE", "SH1"),
        (changed("<cim:Terminal.ConnectivityNode rdf:resource=\"#_N2X\"/>", "_N2X", "_N9X"), "INPUT.FORMAT", "N9X"),
        (changed("<md:FullModel", "<md:FullModel", "<md:DifferenceModel rdf:about=\"urn:uuid:1\"/><md:FullModel"), "INPUT.FORMAT", "differences"),
        (changed("<cim:DCLineSegment rdf:ID", "<cim:DCLineSegment", "<cim:DCSeriesDevice rdf:ID=\"_SD\"/><cim:DCTerminal rdf:ID=\"_SD_T\"><cim:DCTerminal.DCConductingEquipment rdf:resource=\"#_SD\"/><cim:DCBaseTerminal.DCNode rdf:resource=\"#_DN1\"/></cim:DCTerminal><cim:DCLineSegment"), "PHYSICS.UNSUPPORTED", "Converter 1"),
        ("<?xml version=\"1.0\"?><html></html>".to_string(), "INPUT.FORMAT", "html"),
        (EVERY[..EVERY.len() / 2].to_string(), "INPUT.TRUNCATED", "cut off"),
    ] {
        let error = refusal(text.as_bytes());
        assert_eq!(error.code, code, "{words}: {error}");
        assert!(error.message().contains(words), "{words}: {error}");
    }
}

#[test]
fn archives_beyond_the_limits_are_refused() {
    assert_eq!(refusal(b"PK\x03\x04rest").code, "INPUT.PACKED");
    assert_eq!(refusal(&zipped(&[("read.me", b"hello")])).code, "INPUT.FORMAT");
    assert_eq!(refusal(&ARCHIVE[..ARCHIVE.len() / 2]).code, "INPUT.PACKED");
    let names: Vec<String> = (0..70).map(|k| format!("{k}.xml")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (&name[..], &b"<a/>"[..])).collect();
    assert_eq!(refusal(&zipped(&many)).code, "INPUT.TOO_LARGE");
    // 300 MiB of blanks are 300 KiB packed.
    let blanks = vec![b' '; 100 << 20];
    let bomb = zipped(&[("a.xml", &blanks), ("b.xml", &blanks), ("c.xml", &blanks)]);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(refusal(&bomb).code, "INPUT.TOO_LARGE");
}
