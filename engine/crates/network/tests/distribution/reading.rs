//! Multiconductor cases on a small feeder, one rule at a time.

use crate::small::{bus, changed, close, count, edge, feeder, warned, with, FEEDER};
use serde_json::Value;
use wattbook_network::analysis::CoordsKind;
use wattbook_network::distribution::{
    ingest_distribution, inspect_distribution, Distribution, DistributionDevice, DistributionDeviceKind,
    DistributionEdgeKind,
};
use wattbook_network::geo::Space;

pub(crate) fn case() -> Distribution {
    feeder(FEEDER).expect("the feeder")
}

/// Voltages of the first source in the module, V.
fn source_volts(d: &Distribution) -> Vec<f64> {
    let module: Value = serde_json::from_str(&d.module_json).expect("JSON");
    let volts = module["value"]["data"]["sources"][0]["v_magnitude"].clone();
    serde_json::from_value(volts).expect("numbers")
}

#[test]
fn counts_and_graph_hold_what_was_written() {
    let d = case();
    let expected = [
        ("buses", 5),
        ("lines", 2),
        ("switches", 2),
        ("transformers", 1),
        ("loads", 2),
        ("generators", 0),
        ("inverters", 0),
        ("storage", 0),
        ("capacitors", 1),
        ("shunts", 1),
        ("reactors", 0),
        ("sources", 1),
        ("controls", 0),
    ];
    assert_eq!(d.counts, expected);
    assert_eq!((d.name.as_str(), d.base_frequency), ("small", Some(50.0)));
    assert!(close(d.load_kw, 14.5) && d.gen_kw == 0.0 && d.gen_kw.is_sign_positive());
    assert!(!d.module_json.is_empty() && d.module_json.contains("_pio_vsource_source_emf"));
    let shown: Vec<&str> = d.buses.iter().map(|b| b.id.as_str()).collect();
    assert!(shown.iter().all(|b| !b.contains("_pio_")), "{shown:?}");
    assert!(d.edges.iter().all(|e| !e.id.contains("_pio_")), "{:?}", d.edges);
    let sources: Vec<&str> = d.buses.iter().filter(|b| b.has_source).map(|b| b.id.as_str()).collect();
    assert_eq!(sources, ["grid"]);
    assert!(close(bus(&d, "mid").load_kw, 12.0) && close(bus(&d, "end").load_kw, 2.5));
    assert_eq!(inspect_distribution(&d.module_json), Ok(d));
}

#[test]
fn what_is_connected_at_a_bus_and_what_a_control_regulates() {
    let more = "New RegControl.reg transformer=sub winding=2 vreg=120 band=2 ptratio=2
New Load.out bus1=mid.1 phases=1 kv=0.23 kw=1 enabled=no
New PVSystem.roof bus1=far kv=0.4 kva=5 pmpp=4";
    let d = with(more);
    let at = |name: &str| -> Vec<(DistributionDeviceKind, &str, String, bool)> {
        let reported = |x: &DistributionDevice| (x.kind, x.terminals.join("."), x.in_service);
        let devices = &bus(&d, name).devices;
        devices
            .iter()
            .map(|x| (reported(x).0, &x.id[..], reported(x).1, reported(x).2))
            .collect()
    };
    use DistributionDeviceKind as Kind;
    // The source is at its bus in the file, not behind its impedance.
    assert_eq!(at("grid"), [(Kind::Source, "source", "1.2.3".into(), true)]);
    assert_eq!(
        at("mid"),
        [
            (Kind::Load, "three", "1.2.3.4".into(), true),
            (Kind::Load, "out", at("mid")[1].2.clone(), false)
        ]
    );
    assert_eq!(at("lv").iter().map(|x| x.1).collect::<Vec<_>>(), ["ground"]);
    let far: Vec<Kind> = at("far").iter().map(|x| x.0).collect();
    assert_eq!(far, [Kind::Inverter, Kind::Capacitor]);
    let regulated = |d: &Distribution| -> Vec<String> {
        let edges = d.edges.iter().filter(|e| e.regulated);
        edges.map(|e| e.id.clone()).collect()
    };
    assert_eq!(regulated(&d), ["sub"]);
    assert!(regulated(&case()).is_empty());
    let off = with("New RegControl.reg transformer=sub winding=2 vreg=120 band=2 ptratio=2 enabled=no");
    assert!(regulated(&off).is_empty());
}

#[test]
fn terminals_conductors_and_phases_without_the_neutral() {
    let d = case();
    assert_eq!(bus(&d, "mid").terminals, ["1", "2", "3", "4"]);
    assert!(bus(&d, "mid").grounded.is_empty());
    // `end.2` with a load to ground: the parser names the ground 4.
    assert_eq!(
        (&*bus(&d, "end").terminals, &*bus(&d, "end").grounded),
        (&["2".into(), "4".into()][..], &["4".into()][..])
    );
    let main = edge(&d, "main");
    let same = |t: &str| (t.to_owned(), t.to_owned());
    assert_eq!(main.conductors, ["1", "2", "3", "4"].map(same));
    assert_eq!(
        (main.n_phases, main.kind, main.closed),
        (3, DistributionEdgeKind::Line, true)
    );
    assert_eq!(
        (edge(&d, "tail").conductors.clone(), edge(&d, "tail").n_phases),
        (vec![same("2")], 1)
    );
    let sub = edge(&d, "sub");
    assert_eq!(
        (sub.kind, sub.n_phases, sub.conductors.len()),
        (DistributionEdgeKind::Transformer, 3, 3)
    );
    assert_eq!((sub.from.as_str(), sub.to.as_str()), ("grid", "lv"));
}

#[test]
fn six_conductors_without_a_neutral_are_six_phases() {
    let nodes = ".1.2.3.4.5.6";
    let d = with(&format!(
        "New Line.six bus1=far{nodes} bus2=six{nodes} phases=6 length=1 units=m"
    ));
    assert_eq!(edge(&d, "six").n_phases, 6);
}

#[test]
fn a_base_frequency_set_after_the_circuit_keeps_the_source_voltage() {
    let volts = 11000.0 / 3f64.sqrt();
    let early = case();
    for set in [
        "set defaultbasefreq=50",
        "Set DefaultB = 50 ! late",
        "set mode=snapshot basefrequency=50 tolerance=1e-6",
    ] {
        let text = FEEDER
            .replace("Set DefaultBaseFrequency=50\n", "")
            .replace("Solve", &format!("{set}\nSolve"));
        let late = feeder(&text).expect(set);
        assert!(
            source_volts(&late).iter().all(|v| (v - volts).abs() < 1.0),
            "{set}: {:?}",
            source_volts(&late)
        );
        assert_eq!(late.base_frequency, Some(50.0), "{set}");
        assert_eq!((&late.buses, &late.edges), (&early.buses, &early.edges));
        let reported: Vec<String> = late.warnings.iter().map(|w| w.message()).collect();
        assert!(
            reported.len() == 1 && reported[0].contains("after `New Circuit`"),
            "{set}: {reported:?}"
        );
        assert_eq!(inspect_distribution(&late.module_json).as_ref(), Ok(&late), "{set}");
    }
    // Another value before the circuit gives way to the last one.
    let both = feeder(&FEEDER.replace("Solve", "set defaultbasefreq=60\nSolve")).expect("both");
    assert_eq!(both.base_frequency, Some(60.0));
    assert!(source_volts(&both).iter().all(|v| *v > 6000.0));
    let same = feeder(&FEEDER.replace("Solve", "set basefrequency=50\nSolve")).expect("the same");
    assert!(same.warnings.is_empty(), "{:?}", same.warnings);
    // `set default=` is the default load shape and stays.
    assert_eq!(with("set default=none").base_frequency, Some(50.0));
}

#[test]
fn a_source_without_voltage_has_a_warning() {
    assert!(case().warnings.is_empty(), "{:?}", case().warnings);
    let other = with("set frequency=150");
    assert_eq!(warned(&other, "PHYSICS.UNSUPPORTED"), ["vsource.source"]);
}

#[test]
fn companions_are_found_by_path_and_by_name() {
    let main = "Clear\nCompile parts\\Base.dss\nRedirect ../Loads.DSS\nBuscoords XY.csv\n";
    let base = "New Circuit.c basekv=1 bus1=a\nRedirect codes.dss\nNew Line.l bus1=a bus2=b linecode=one length=1\n";
    let code = "New Linecode.one nphases=3 r1=0.1 x1=0.2\n";
    let loads = "New Load.x bus1=b kv=1 kw=7\n";
    let xy = "a, 100, 200\nb, 300, 5000\n";
    let files = |names: [&str; 4]| -> Vec<(String, Vec<u8>)> {
        let texts = [base, code, loads, xy];
        names
            .into_iter()
            .zip(texts)
            .map(|(n, t)| (n.to_owned(), t.as_bytes().to_vec()))
            .collect()
    };
    // After `compile`, paths count from the compiled file's folder.
    let exact = files(["PARTS/base.dss", "parts/CODES.dss", "loads.dss", "parts/xy.csv"]);
    let d = ingest_distribution(main.as_bytes(), "dss", &exact).expect("by path");
    assert!(close(d.load_kw, 7.0));
    assert_eq!((count(&d, "lines"), bus(&d, "b").xy), (1, Some([300.0, 5000.0])));
    assert_eq!(
        (d.coords_space, d.coords_kind),
        (Some(Space::Unknown), Some(CoordsKind::File))
    );
    assert!(d.warnings.is_empty(), "{:?}", d.warnings);
    // As dropped on a page: names without folders, in any order, among other files.
    let mut flat = files(["Base.dss", "Codes.dss", "Loads.dss", "xy.csv"]);
    flat.reverse();
    flat.push(("unused.txt".into(), b"\x00\xff".to_vec()));
    let again = ingest_distribution(main.as_bytes(), "dss", &flat).expect("by name");
    assert_eq!(again.sha256, d.sha256);
    for gone in 0..3 {
        let mut some = files(["Base.dss", "Codes.dss", "Loads.dss", "xy.csv"]);
        let (name, _) = some.remove(gone);
        let e = ingest_distribution(main.as_bytes(), "dss", &some).expect_err("a file is missing");
        assert_eq!(e.code, "INPUT.COMPANION");
        assert!(
            e.message().to_lowercase().contains(&name.to_lowercase()),
            "{name}: {}",
            e.message()
        );
        assert!(e.details.expect("details")["file"].as_str().is_some());
    }
}

#[test]
fn scripts_that_are_missing_are_named_together_and_positions_are_a_warning() {
    let head = "Clear\nNew Circuit.c basekv=1 bus1=a\nNew Line.l bus1=a bus2=b r1=0.1 x1=0.2 length=1\n";
    let whole = format!("{head}Redirect Codes.dss\nredirect sub\\loads.DSS\nRedirect codes.dss\nBuscoords XY.csv\n");
    let e = ingest_distribution(whole.as_bytes(), "dss", &[]).expect_err("two scripts are missing");
    assert_eq!(e.code, "INPUT.COMPANION");
    assert_eq!(
        e.details.as_ref().expect("details")["missing"],
        serde_json::json!(["Codes.dss", "sub\\loads.DSS"])
    );
    assert!(e.message().contains("Codes.dss and sub\\loads.DSS"), "{}", e.message());

    let placed = format!("{head}Buscoords \"C:\\feeder\\XY `1`.csv\"\n");
    let d = ingest_distribution(placed.as_bytes(), "dss", &[]).expect("without positions");
    assert_eq!((count(&d, "lines"), bus(&d, "b").xy), (1, None));
    let reported: Vec<_> = d.warnings.iter().map(|w| (w.code, w.message())).collect();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert_eq!(reported[0].0, "INPUT.COMPANION");
    assert!(reported[0].1.contains("C:\\feeder\\XY `1`.csv"), "{reported:?}");
    // A module opened later has the same warning, and the feeder can be solved.
    let again = inspect_distribution(&d.module_json).expect("the module");
    assert_eq!(again.warnings, d.warnings);
    let file = ("xy `1`.CSV".to_owned(), b"a, 1, 2\nb, 3, 4\n".to_vec());
    let d = ingest_distribution(placed.as_bytes(), "dss", &[file]).expect("with positions");
    assert!(d.warnings.is_empty(), "{:?}", d.warnings);
    assert_eq!(bus(&d, "b").xy, Some([3.0, 4.0]));
}

#[test]
fn load_profiles_go_along() {
    let shape = "New Loadshape.day npts=2 interval=1 mult=(file=profiles/Day.csv) useactual=no";
    let text = changed("Solve\n", &format!("{shape}\nEdit Load.one daily=day\nSolve\n"));
    let without = feeder(&text).expect("the profile does not matter for the snapshot");
    let missing = |d: &Distribution| d.warnings.iter().any(|w| w.message().contains("INCLUDE_LOAD_FAILED"));
    assert!(missing(&without) && close(without.load_kw, 14.5));
    let text = text.replace("profiles/Day.csv", "Day.csv");
    let given = [("Day.csv".to_owned(), b"0.5\n0.75\n".to_vec())];
    let with = ingest_distribution(text.as_bytes(), "dss", &given).expect("the profile");
    assert!(!missing(&with) && close(with.load_kw, 14.5), "{:?}", with.warnings);
}

#[test]
fn line_numbers_of_remarks_are_those_of_the_file() {
    let part = b"! a comment\nNew Load.x bus1=b kv=1 kw=1\nfrobnicate everything\n".to_vec();
    let main = b"New Circuit.c bus1=a basekv=1\nNew Line.l bus1=a bus2=b\nRedirect my part.dss".to_vec();
    let main = String::from_utf8(main)
        .expect("text")
        .replace("my part.dss", "'sub/my part.dss'");
    let d = ingest_distribution(main.as_bytes(), "dss", &[("sub/my part.dss".into(), part)]).expect("a feeder");
    assert!(
        d.warnings.iter().any(|w| w.message().contains("my_part.dss:3")),
        "{:?}",
        d.warnings
    );
}

#[test]
fn json_documents_of_both_formats() {
    let bmopf = br#"{"name":"tiny","meta":{"frequency":50},
        "bus":{"a":{"terminal_names":["1","2","3","n"],"perfectly_grounded_terminals":["n"]},
               "b":{"terminal_names":["1","2","3","n"]}},
        "linecode":{"c":{"R_series_11":0.1,"X_series_11":0.2}},
        "switch":{"s":{"bus_from":"a","bus_to":"b","terminal_map_from":["1","2","3","n"],"terminal_map_to":["1","2","3","n"],
                       "open_switch":true}},
        "load":{"l":{"bus":"b","terminal_map":["1","n"],"configuration":"SINGLE_PHASE","p_nom":[5000],"q_nom":[1000]}},
        "voltage_source":{"s":{"bus":"a","terminal_map":["1","2","3"],"v_magnitude":[230,230,230],"v_angle":[0,-2.1,2.1]}}}"#;
    let d = ingest_distribution(bmopf, "bmopf-json", &[]).expect("BMOPF");
    assert!(close(d.load_kw, 5.0), "{}", d.load_kw);
    assert_eq!((d.name.as_str(), d.base_frequency), ("tiny", Some(50.0)));
    assert_eq!(
        (
            count(&d, "sources"),
            count(&d, "switches"),
            edge(&d, "s").closed,
            edge(&d, "s").n_phases
        ),
        (1, 1, false, 3)
    );
    assert!(bus(&d, "a").has_source && !bus(&d, "b").has_source);
    let pmd = br#"{"data_model":"ENGINEERING","name":"p","settings":{"base_frequency":60,"power_scale_factor":1000,"voltage_scale_factor":1000},
        "bus":{"a":{"terminals":[1,2,3,4],"grounded":[4]},"b":{"terminals":[1,2,3]}},
        "linecode":{"c":{"rs":[[0.1,0,0],[0,0.1,0],[0,0,0.1]],"xs":[[0.1,0,0],[0,0.1,0],[0,0,0.1]]}},
        "line":{"l":{"f_bus":"a","t_bus":"b","f_connections":[1,2,3],"t_connections":[1,2,3],"linecode":"c","length":1,"status":"DISABLED"}},
        "load":{"x":{"bus":"b","connections":[1,2,3],"configuration":"DELTA","pd_nom":[1,1,1],"qd_nom":[0,0,0],"status":"ENABLED"},
                "y":{"bus":"b","connections":[1,2,3],"configuration":"DELTA","pd_nom":[9,9,9],"qd_nom":[0,0,0],"status":"DISABLED"}},
        "voltage_source":{"s":{"bus":"a","connections":[1,2,3],"vm":[0.23,0.23,0.23],"va":[0,-120,120]}}}"#;
    let d = ingest_distribution(pmd, "pmd-json", &[]).expect("PMD");
    assert!(close(d.load_kw, 3.0) && !edge(&d, "l").closed, "{}", d.load_kw);
    assert_eq!(warned(&d, "INPUT.FIELD_IGNORED"), ["load.y", "line.l"]);
    assert_eq!(inspect_distribution(&d.module_json), Ok(d));
    assert_eq!(
        ingest_distribution(pmd, "matpower", &[])
            .expect_err("no such format")
            .code,
        "INPUT.FORMAT"
    );
}

#[test]
fn inputs_without_equipment() {
    let code = |bytes: &[u8], format: &str| ingest_distribution(bytes, format, &[]).expect_err("nothing in it").code;
    assert_eq!(code(&[0; 4096], "dss"), "INPUT.NO_EQUIPMENT");
    assert_eq!(code(&[b'0'; 4096], "dss"), "INPUT.NO_EQUIPMENT");
    assert_eq!(code(b"New Linecode.x nphases=3\n", "dss"), "INPUT.NO_EQUIPMENT");
    assert_eq!(code(b"New Circuit.c\n", "dss"), "INPUT.NO_EQUIPMENT");
    assert_eq!(
        code(b"New Load.a bus1=x kw=1\nNew Load.b bus1=y kw=1\n", "dss"),
        "INPUT.NO_EQUIPMENT"
    );
    assert_eq!(
        code(b"New Circuit.c\nNew Load.a bus1=x kw=1\n", "dss"),
        "INPUT.NO_EQUIPMENT"
    );
    assert_eq!(code(b"", "dss"), "INPUT.EMPTY");
    assert_eq!(code(br#"{"bus":{}}"#, "bmopf-json"), "INPUT.NO_EQUIPMENT");
    assert_eq!(
        code(br#"{"bus":{"a":{"terminal_names":["1"]}}}"#, "bmopf-json"),
        "INPUT.NO_EQUIPMENT"
    );
    assert_eq!(
        inspect_distribution("{}").expect_err("no module").code,
        "MODULE.INVALID"
    );
}

#[test]
fn the_frame_does_not_show_in_a_file_of_windows() {
    let text = changed("New Circuit.small", "New object=Circuit.small").replace('\n', "\r\n");
    let mut bytes = vec![0xef, 0xbb, 0xbf];
    bytes.extend(text.as_bytes());
    let d = ingest_distribution(&bytes, "dss", &[]).expect("a feeder");
    assert_eq!((&d.buses, &d.edges), (&case().buses, &case().edges));
}
