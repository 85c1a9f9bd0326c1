//! Devices of a feeder.

use crate::reading::case;
use crate::small::{bus, close, count, edge, feeder, refusal, warned, with};
use serde_json::Value;
use wattbook_network::distribution::{inspect_distribution, DistributionEdgeKind};

#[test]
fn active_devices_are_named() {
    let d = with(
        "New RegControl.reg transformer=sub winding=2 vreg=120\nNew CapControl.cap capacitor=bank element=line.main\n\
         New Storage.battery bus1=far kv=0.4 kwrated=5 kw=2\nNew Storage.odd bus1=far kv=0.4 %idlingkvar=3\n\
         New Fuse.f1 monitoredobj=line.main\nNew Monitor.m1 element=line.main\n\
         New PVSystem.sun bus1=far kv=0.4 kva=4 pmpp=9 irradiance=1 pf=0.9\nNew Generator.g bus1=far kv=0.4 kw=3",
    );
    let mut reported = warned(&d, "PHYSICS.UNSUPPORTED");
    reported.sort_unstable();
    let expected = [
        "capcontrol.cap",
        "fuse.f1",
        "regcontrol.reg",
        "storage.battery",
        "storage.odd",
    ];
    assert_eq!(reported, expected);
    let counts = ["controls", "storage", "inverters", "generators", "loads"].map(|k| count(&d, k));
    assert_eq!(counts, [3, 2, 1, 1, 2]);
    // Storage is not a load; an inverter supplies up to its rating.
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
        "New SwtControl.c SwitchedObj=Line.tie Normal=open",
        "New SwtControl.c SwitchedObj=Line.tie State=closed Normal=open Lock=no",
        "New SwtControl.c SwitchedObj=tie\n~ sta=(open open open)",
        "New SwtControl.c SwitchedObj=Line.tie State=closed\nSwtControl.c.State=open",
        "New SwtControl.c SwitchedObj=Line.tie Action=close\nEdit SwtControl.c action=o",
        "Open Line.tie 2\nNew SwtControl.c SwitchedObj=Line.tie State=open Normal=open",
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
        "New SwtControl.c SwitchedObj=Line.tie State=open Normal=closed",
        "New SwtControl.c SwitchedObj=Line.tie State=closed Lock=yes",
    ] {
        assert!(edge(&with(control), "tie").closed, "{control}");
    }
    for control in [
        "New SwtControl.c SwitchedObj=Transformer.sub Action=open",
        // In OpenDSS, `lock=yes` before `state=open` leaves the line closed, but after it does not.
        "New SwtControl.c SwitchedObj=Line.tie State=open Lock=yes",
        "New SwtControl.c SwitchedObj=Line.tie Action=open\nSet controlmode=off",
        "New SwtControl.c SwitchedObj=Line.tie Reset=yes",
        "Open Line.tie 2\nNew SwtControl.c SwitchedObj=tie Action=close",
        "New SwtControl.c SwitchedObj=Line.tie State=open\nClose Line.TIE 1",
    ] {
        let e = refusal(control);
        assert_eq!(
            (e.code, e.details.expect("element")["element"].as_str()),
            ("PHYSICS.UNSUPPORTED", Some("swtcontrol.c")),
            "{control}"
        );
    }
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
    let mut reported = warned(&d, "INPUT.FIELD_IGNORED");
    reported.sort_unstable();
    assert_eq!(
        reported,
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
        ("pf=0.8 xfkva=10", 4.0, 3.0),
        // kW follows the power factor before the rating (OpenDSS 9.4: 440 kW and 586.7 kvar for `xfkva=1000 pf=0.6`).
        ("xfkva=10 pf=0.8", 4.4, 3.3),
        ("xfkva=10 pf=0.6", 4.4, 88.0 / 15.0),
        ("pf=1 xfkva=10 allocationfactor=0.25", 2.5, 0.0),
        ("kwh=1440 kwhdays=20 cfactor=2 pf=0.6", 6.0, 8.0),
        ("kw=4 kvar=3 kva=5", 4.0, 3.0),
        ("kw=4 pf=0.8", 4.0, 3.0),
        ("kva=(2 3 *) pf=0.8", 4.8, 3.6),
    ] {
        let d = with(&format!("New Load.new bus1=far.1 phases=1 kv=0.23 {load}"));
        assert!(close(d.load_kw, 14.5 + kw), "{load}: {}", d.load_kw);
        let module: Value = serde_json::from_str(&d.module_json).expect("JSON");
        let loads = module["value"]["data"]["loads"].as_array().expect("loads");
        let q = loads.iter().find(|l| l["name"] == "new").expect("the load")["q_nom"][0].as_f64();
        assert!(close(q.expect("var"), kvar * 1000.0), "{load}: {q:?}");
    }
    for load in ["kw=9 kva=5 pf=0.8", "kva=5 xfkva=10", "kva=5 pf=0"] {
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
