//! Multiconductor cases on a small feeder, one rule at a time.

#[path = "common/feeder.rs"]
mod small;

use serde_json::Value;
use small::{bus, changed, close, count, edge, feeder, refusal, warned, with, FEEDER};
use wattbook_network::analysis::CoordsKind;
use wattbook_network::distribution::{
    ingest_distribution, inspect_distribution, Distribution, DistributionDevice, DistributionDeviceKind,
    DistributionEdgeKind,
};
use wattbook_network::geo::{apply_geo, Space};
use wattbook_network::layout::{apply_layout, layout_graph, placement_of, Layout, LayoutOptions};

fn case() -> Distribution {
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
        let told = |x: &DistributionDevice| (x.kind, x.terminals.join("."), x.in_service);
        let devices = &bus(&d, name).devices;
        devices
            .iter()
            .map(|x| (told(x).0, &x.id[..], told(x).1, told(x).2))
            .collect()
    };
    use DistributionDeviceKind as Kind;
    // The source stands where it was written, not behind its impedance.
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
    }
    // Another value before the circuit gives way to the last one.
    let both = feeder(&FEEDER.replace("Solve", "set defaultbasefreq=60\nSolve")).expect("both");
    assert_eq!(both.base_frequency, Some(60.0));
    assert!(source_volts(&both).iter().all(|v| *v > 6000.0));
    // `set default=` is the default load shape and stays.
    assert_eq!(with("set default=none").base_frequency, Some(50.0));
}

#[test]
fn a_source_without_voltage_is_told() {
    assert!(case().warnings.is_empty(), "{:?}", case().warnings);
    let other = with("set frequency=150");
    assert_eq!(warned(&other, "PHYSICS.UNSUPPORTED"), ["vsource.source"]);
}

#[test]
fn active_devices_are_named() {
    let d = with(
        "New RegControl.reg transformer=sub winding=2 vreg=120\nNew CapControl.cap capacitor=bank element=line.main\n\
         New Storage.battery bus1=far kv=0.4 kwrated=5 kw=2\nNew Storage.odd bus1=far kv=0.4 %idlingkvar=3\n\
         New Fuse.f1 monitoredobj=line.main\nNew Monitor.m1 element=line.main\n\
         New PVSystem.sun bus1=far kv=0.4 kva=4 pmpp=9 irradiance=1 pf=0.9\nNew Generator.g bus1=far kv=0.4 kw=3",
    );
    let mut told = warned(&d, "PHYSICS.UNSUPPORTED");
    told.sort_unstable();
    let expected = [
        "capcontrol.cap",
        "fuse.f1",
        "regcontrol.reg",
        "storage.battery",
        "storage.odd",
    ];
    assert_eq!(told, expected);
    let counts = ["controls", "storage", "inverters", "generators", "loads"].map(|k| count(&d, k));
    assert_eq!(counts, [3, 2, 1, 1, 2]);
    // Storage is no load; an inverter gives what its rating lets through.
    assert!(
        close(d.load_kw, 14.5) && close(d.gen_kw, 7.0),
        "{} {}",
        d.load_kw,
        d.gen_kw
    );
    assert_eq!(inspect_distribution(&d.module_json), Ok(d));
}

#[test]
fn switch_controls_open_their_line() {
    assert!(edge(&case(), "tie").closed && !edge(&case(), "spare").closed);
    for control in [
        "New SwtControl.c SwitchedObj=Line.tie SwitchedTerm=1 Normal=closed Action=open",
        "New SwtControl.c SwitchedObj=Line.tie State=open Lock=yes",
        "New SwtControl.c SwitchedObj=tie\n~ sta=(open open open)",
        "New SwtControl.c SwitchedObj=Line.tie State=closed\nSwtControl.c.State=open",
        "New SwtControl.c SwitchedObj=Line.tie Action=close\nEdit SwtControl.c action=o",
        "Open Line.tie 2",
    ] {
        let d = with(control);
        let tie = edge(&d, "tie");
        assert_eq!(
            (tie.kind, tie.closed),
            (DistributionEdgeKind::Switch, false),
            "{control}"
        );
        assert_eq!(
            (tie.from.as_str(), tie.to.as_str(), tie.n_phases),
            ("mid", "far", 3),
            "{control}"
        );
        assert_eq!(
            (count(&d, "switches"), count(&d, "lines"), count(&d, "shunts")),
            (2, 2, 1),
            "{control}"
        );
        assert!(warned(&d, "PHYSICS.UNSUPPORTED").is_empty());
    }
    for control in [
        "New SwtControl.c SwitchedObj=Line.tie State=closed",
        "New SwtControl.c SwitchedObj=Line.tie Normal=open Action=close",
        "New SwtControl.c SwitchedObj=Line.tie Action=open enabled=no",
    ] {
        assert!(edge(&with(control), "tie").closed, "{control}");
    }
    let e = refusal("New SwtControl.c SwitchedObj=Transformer.sub Action=open");
    assert_eq!(
        (e.code, e.details.expect("element")["element"].as_str()),
        ("PHYSICS.UNSUPPORTED", Some("swtcontrol.c"))
    );
    assert_eq!(
        refusal("New SwtControl.c SwitchedObj=Line.none Action=open").code,
        "INPUT.PARSE"
    );
}

#[test]
fn what_is_disabled_is_out_of_service() {
    let d = with(
        "Edit Load.one enabled=no\nEdit Line.tail enabled=no\nNew Generator.g bus1=far kv=0.4 kw=3 enabled=n\n\
         New Load.two bus1=far kv=0.4 kw=1\nDisable Load.two\nEdit Transformer.sub enabled=false",
    );
    assert!(close(d.load_kw, 12.0) && d.gen_kw == 0.0, "{} {}", d.load_kw, d.gen_kw);
    assert_eq!(
        (count(&d, "loads"), count(&d, "lines"), count(&d, "generators")),
        (3, 2, 1)
    );
    assert!(!edge(&d, "tail").closed && !edge(&d, "sub").closed && edge(&d, "main").closed);
    let mut told = warned(&d, "INPUT.FIELD_IGNORED");
    told.sort_unstable();
    assert_eq!(
        told,
        ["generator.g", "line.tail", "load.one", "load.two", "transformer.sub"]
    );
    let back = with("Edit Load.one enabled=no\nEnable Load.one");
    assert!(close(back.load_kw, 14.5));
    assert!(with("set loadmult=0.5")
        .warnings
        .iter()
        .any(|w| w.message().contains("loadmult")));
}

#[test]
fn loads_by_apparent_power_rating_and_energy() {
    for (load, kw, kvar) in [
        ("kVA=5 pf=0.8", 4.0, 3.0),
        ("pf=-0.8 kva=5", 4.0, -3.0),
        ("xfkva=10 pf=0.8", 4.0, 3.0),
        ("xfkva=10 allocationfactor=0.25 pf=1", 2.5, 0.0),
        ("kwh=1440 kwhdays=20 cfactor=2 pf=0.6", 6.0, 8.0),
        ("kw=4 kvar=3 kva=5", 4.0, 3.0),
        ("kw=4 pf=0.8", 4.0, 3.0),
    ] {
        let d = with(&format!("New Load.new bus1=far.1 phases=1 kv=0.23 {load}"));
        assert!(close(d.load_kw, 14.5 + kw), "{load}: {}", d.load_kw);
        let module: Value = serde_json::from_str(&d.module_json).expect("JSON");
        let loads = module["value"]["data"]["loads"].as_array().expect("loads");
        let q = loads.iter().find(|l| l["name"] == "new").expect("the load")["q_nom"][0].as_f64();
        assert!(close(q.expect("var"), kvar * 1000.0), "{load}: {q:?}");
    }
    for load in ["kw=9 kva=5 pf=0.8", "kva=5 xfkva=10", "kva=5 pf=0", "kva=(2 3 *)"] {
        let e = refusal(&format!("New Load.new bus1=far.1 phases=1 kv=0.23 {load}"));
        assert_eq!(e.code, "INPUT.LOAD_POWER", "{load}");
        assert_eq!(e.details.expect("details")["element"].as_str(), Some("load.new"));
    }
}

#[test]
fn a_transformer_of_three_windings_goes_from_the_first_bus_to_each_other() {
    let d = with("New Transformer.three windings=3 buses=(lv a b) kvs=(0.4 0.2 0.1) kvas=(50 50 50)");
    let ends: Vec<(&str, &str)> = d
        .edges
        .iter()
        .filter(|e| e.id == "three")
        .map(|e| (e.from.as_str(), e.to.as_str()))
        .collect();
    assert_eq!(ends, [("lv", "a"), ("lv", "b")]);
    // The two halves of a centre-tapped secondary are at one bus: one edge with the conductors of both.
    let d = with(
        "New Transformer.tap phases=1 windings=3 buses=(mid.1.0 house.1.0 house.0.2) kvs=(0.23 0.12 0.12) kvas=(25 25 25)",
    );
    let tap = edge(&d, "tap");
    assert_eq!(
        (tap.conductors.len(), tap.n_phases, count(&d, "transformers")),
        (4, 1, 2)
    );
}

#[test]
fn opened_transformers_and_autotransformers_are_one_edge() {
    let d = with("Open Transformer.sub 2");
    let sub = edge(&d, "sub");
    assert_eq!((sub.from.as_str(), sub.to.as_str(), sub.closed), ("grid", "lv", false));
    assert_eq!(
        (count(&d, "buses"), count(&d, "switches"), count(&d, "transformers")),
        (5, 2, 1)
    );
    let d = feeder(
        "new circuit.c basekv=345 bus1=high
         new autotrans.auto phases=3 windings=3 xhx=7.23 xht=24.45 xxt=28.45 %imag=.033 %noloadloss=.024\n\
         ~ wdg=1 bus=high conn=s kv=345 kva=330000 %r=.0493\n~ wdg=2 bus=low conn=w kv=161 kva=330000 %r=.0556\n\
         ~ wdg=3 bus=tert conn=d kv=13.8 kva=72000 %r=1.4503",
    )
    .expect("an autotransformer");
    assert_eq!(
        (count(&d, "buses"), count(&d, "switches"), count(&d, "transformers")),
        (3, 0, 1)
    );
    let ends: Vec<(&str, &str)> = d
        .edges
        .iter()
        .filter(|e| e.id == "auto")
        .map(|e| (e.from.as_str(), e.to.as_str()))
        .collect();
    assert_eq!(ends, [("high", "low"), ("high", "tert")]);
}

#[test]
fn several_sources_and_one_between_buses() {
    let d =
        with("New Vsource.second bus1=far basekv=0.4\nNew Vsource.between bus1=end.2 bus2=mid.2 phases=1 basekv=0.1");
    assert_eq!(
        (count(&d, "sources"), count(&d, "buses"), count(&d, "lines")),
        (3, 5, 2)
    );
    let sources: Vec<&str> = d.buses.iter().filter(|b| b.has_source).map(|b| b.id.as_str()).collect();
    assert_eq!(sources.len(), 3, "{sources:?}");
    assert!(bus(&d, "far").has_source && bus(&d, "end").has_source);
    // The internal voltage of a source between two buses sits on extra terminals of its second bus.
    assert_eq!(bus(&d, "mid").terminals, ["1", "2", "3", "4"]);
}

#[test]
fn series_reactors_are_lines_that_count_as_reactors() {
    let text = "New Circuit.c basekv=1 bus1=a\nNew Reactor.x bus1=a bus2=b r=0.1 x=1\nNew Load.l bus1=b kv=1 kw=1\n";
    let d = feeder(text).expect("a feeder");
    assert_eq!(
        (
            count(&d, "reactors"),
            count(&d, "lines"),
            edge(&d, "reactor.x").n_phases
        ),
        (1, 0, 3)
    );
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
    let told: Vec<_> = d.warnings.iter().map(|w| (w.code, w.message())).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, "INPUT.COMPANION");
    assert!(told[0].1.contains("C:\\feeder\\XY `1`.csv"), "{told:?}");
    // Whoever opens the module later is told the same, and the feeder is solved all the same.
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
fn coordinates_are_degrees_only_where_they_look_like_it() {
    let placed = |records: &str, command: &str| {
        let main = format!(
            "New Circuit.c bus1=a basekv=1\nNew Line.l bus1=a bus2=b\nNew Load.x bus1=b kv=1 kw=1\n{command} xy.csv\n"
        );
        ingest_distribution(
            main.as_bytes(),
            "dss",
            &[("xy.csv".into(), records.as_bytes().to_vec())],
        )
        .expect("a feeder")
    };
    let space = |records| placed(records, "Buscoords").coords_space;
    assert_eq!(space("a,-80.25,35.1\nb,-80.26,35.2\n"), Some(Space::Geographic));
    assert_eq!(space("a,0,0\nb,100,50\n"), Some(Space::Unknown));
    assert_eq!(space("a,482000,4200000\nb,482100,4200100\n"), Some(Space::Unknown));
    assert_eq!(space("x,1,2\n"), None);
    // Latitude comes first in LatLongCoords, which says what its numbers are.
    let d = placed("a, 1.5, 2.5\nb, 1.25, 2.75\n", "LatLongCoords");
    assert_eq!(
        (d.coords_space, bus(&d, "a").xy),
        (Some(Space::Geographic), Some([2.5, 1.5]))
    );
    let d = placed("a,1e300,2\nb,10,20\n", "Buscoords");
    assert_eq!((bus(&d, "a").xy, bus(&d, "b").xy), (None, Some([10.0, 20.0])));
    assert!(d.warnings.iter().any(|w| w.code == "GEO.OUT_OF_RANGE"));
    assert_eq!(inspect_distribution(&d.module_json), Ok(d));
}

#[test]
fn an_applied_layer_and_a_stamped_layout_give_geographic_positions() {
    let d = case();
    assert_eq!((d.coords_space, d.coords_kind), (None, None));
    let graph = layout_graph(&d.module_json).expect("a graph");
    assert_eq!(graph.len(), d.buses.len());
    let positions = Layout::new(&graph, LayoutOptions::default()).finish();
    let stamped = apply_layout(&d.module_json, &positions, [11.0, 46.0], 3.0).expect("stamped");
    let laid = inspect_distribution(&stamped).expect("a module");
    assert_eq!(
        (laid.coords_space, laid.coords_kind),
        (Some(Space::Geographic), Some(CoordsKind::Synthetic))
    );
    assert!(laid.buses.iter().all(|b| b
        .xy
        .is_some_and(|p| (p[0] - 11.0).abs() < 0.1 && (p[1] - 46.0).abs() < 0.1)));
    assert_eq!(
        placement_of(&stamped)
            .expect("a module")
            .expect("placed")
            .positions
            .len(),
        d.buses.len()
    );
    assert_eq!(placement_of(&d.module_json), Ok(None));
    assert_eq!(
        apply_layout(&d.module_json, &positions[1..], [0.0, 0.0], 1.0)
            .expect_err("too few")
            .code,
        "INPUT.PLACEMENT"
    );
    // A tree hangs from its source: the grid is at one end.
    let xs: Vec<f64> = positions.iter().map(|p| p[0]).collect();
    let root = d.buses.iter().position(|b| b.has_source).expect("a source");
    let (low, high) = xs
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    assert!(xs[root] == low || xs[root] == high, "{xs:?}");
    // A real layer takes the place of the layout, also for the buses that it leaves out.
    let layer = b"{\"type\":\"FeatureCollection\",\"features\":[\
        {\"type\":\"Feature\",\"properties\":{\"bus\":\"MID\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[12.5,41.5]}},\
        {\"type\":\"Feature\",\"properties\":{\"bus\":\"lv\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[12.5,41.6]}},\
        {\"type\":\"Feature\",\"properties\":{\"from\":\"lv\",\"to\":\"mid\"},\"geometry\":{\"type\":\"LineString\",\
         \"coordinates\":[[12.5,41.6],[12.51,41.55],[12.5,41.5]]}}]}";
    let applied = apply_geo(&stamped, layer).expect("applied");
    assert_eq!(
        (
            applied.report.matched_buses,
            applied.report.matched_branches,
            applied.report.unplaced_buses
        ),
        (2, 1, 3)
    );
    let mapped = inspect_distribution(&applied.module_json).expect("a module");
    assert_eq!(
        (mapped.coords_space, mapped.coords_kind),
        (Some(Space::Geographic), Some(CoordsKind::File))
    );
    assert_eq!(
        (bus(&mapped, "mid").xy, bus(&mapped, "grid").xy),
        (Some([12.5, 41.5]), None)
    );
    assert_eq!(edge(&mapped, "main").path.as_ref().map(Vec::len), Some(3));
    // Rows of a drawing are rows of the graph.
    let plan = apply_geo(&d.module_json, b"MID, 10, 20\nfar, 30, 40\n").expect("a plan");
    let rows: Vec<&str> = plan
        .drawing
        .expect("planar")
        .buses
        .iter()
        .map(|(row, _)| d.buses[*row].id.as_str())
        .collect();
    assert_eq!(rows, ["mid", "far"]);
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
