//! From a multiconductor case to the physics of a power flow, with its refusals.

use crate::small::{changed, feeder, with, FEEDER};
use serde_json::Value;
use wattbook_network::distribution::{feeder_from_module, Controls, FeederOptions, SourceImpedance};
use wattbook_network::error::EngineError;
use wattbook_network::feeder::{Connection, Feeder, LoadLaw};

const BRANCH: FeederOptions = FeederOptions {
    source_impedance: SourceImpedance::Branch,
    controls: Controls::Refuse,
};

fn physics(text: &str, options: FeederOptions) -> Result<Feeder, EngineError> {
    let case = feeder(text).unwrap_or_else(|e| panic!("{e}"));
    feeder_from_module(&case.module_json, options)
}

fn refused(text: &str, options: FeederOptions) -> EngineError {
    let error = physics(text, options).map(|_| ()).expect_err("refused");
    assert_eq!(error.code, "PHYSICS.UNSUPPORTED");
    error
}

fn element(error: &EngineError) -> &str {
    error
        .details
        .as_ref()
        .and_then(|d| d["element"].as_str())
        .expect("an element")
}

#[test]
fn a_feeder_with_its_physics() {
    let f = physics(FEEDER, BRANCH).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(f.base_frequency, 50.0);
    let named = |node: usize| f.node_name(node);
    let main = f.lines.iter().find(|l| l.name == "line.main").expect("the line");
    // 0.2 km of 0.3 + j0.6 ohm, and 0.1 + j0.3 ohm between conductors.
    assert!((main.r[0] - 0.06).abs() < 1e-12 && (main.x[1] - 0.06).abs() < 1e-12);
    assert_eq!(
        main.from.iter().map(|n| named(*n)).collect::<Vec<_>>(),
        ["lv.1", "lv.2", "lv.3", "lv.4"]
    );
    let t = &f.transformers[0];
    assert_eq!((t.phases, t.s_va, t.x_percent, t.leads), (3, 500e3, 4.0, false));
    assert_eq!(
        t.windings.each_ref().map(|w| w.connection),
        [Connection::Delta, Connection::Wye]
    );
    assert_eq!(t.antifloat_ppm, 1.0);
    let load = f.loads.iter().find(|l| l.name == "load.one").expect("the load");
    assert_eq!(load.branches.len(), 1);
    assert_eq!(
        (load.branches[0].p_w, load.branches[0].q_var, load.branches[0].v_nominal),
        (2500.0, 1000.0, 230.0)
    );
    assert_eq!(
        load.branches[0].nodes.map(|n| n.map(named)),
        [Some("end.2".into()), Some("end.4".into())]
    );
    assert_eq!(
        load.branches[0].law,
        LoadLaw::Zip {
            active: [0.0, 0.0, 1.0],
            reactive: [0.0, 0.0, 1.0]
        }
    );
    let band = load.band.expect("a band");
    assert_eq!([band.low, band.min, band.max, band.cutoff], [0.5, 0.95, 1.05, 0.0]);
    let bank = f.shunts.iter().find(|s| s.name == "capacitor.bank").expect("the bank");
    assert!((bank.b[0] - 6000.0 / (400.0 * 400.0)).abs() < 1e-12);
    // The voltage is held behind the impedance, at a bus that is not in the script.
    let source = &f.sources[0];
    let impedance = &f.lines[source.impedance.expect("an impedance")];
    assert_eq!(impedance.from, source.nodes);
    assert!(!f.buses[f.nodes[source.nodes[0]].bus].is_written);
    assert!((source.volts[0] - 11_000.0 / 3f64.sqrt()).abs() < 1e-6);
}

#[test]
fn an_impedance_of_the_source_needs_the_option() {
    let error = refused(FEEDER, FeederOptions::default());
    assert_eq!(element(&error), "vsource.source");
    // MVAsc3 is 2000 in OpenDSS.
    assert!(
        error.message().contains("short-circuit power 2,000.0 MVA")
            && error.message().contains("source_impedance: \"branch\""),
        "{error}"
    );
    let option = &error.details.as_ref().expect("details")["refused"][0]["option"];
    assert_eq!(option, &Value::from("source_impedance: \"branch\""));
    // A source above a million times the load is ideal in effect, but retains its impedance.
    let stiff = changed("basekv=11 bus1=grid", "basekv=11 bus1=grid MVAsc3=1e6 MVAsc1=1e6");
    let f = physics(&stiff, FeederOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(f.sources[0].impedance.is_some());
}

#[test]
fn controls_are_held_by_the_option_alone() {
    let control = "New RegControl.reg transformer=sub winding=2 vreg=120 band=2 ptratio=2";
    let text = changed("Solve\n", &format!("{control}\nSolve\n"));
    let error = refused(&text, BRANCH);
    assert_eq!(element(&error), "regcontrol.reg");
    let held = FeederOptions {
        controls: Controls::Held,
        ..BRANCH
    };
    let f = physics(&text, held).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(f.held_controls, ["regcontrol.reg"]);
    // Switched off before the only solution they do nothing.
    let off = changed("Solve\n", &format!("{control}\nSet controlmode=off\nSolve\n"));
    assert!(physics(&off, BRANCH).expect("no control acts").held_controls.is_empty());
    let twice = changed("Solve\n", &format!("{control}\nSet controlmode=off\nSolve\nSolve\n"));
    assert_eq!(element(&refused(&twice, BRANCH)), "regcontrol.reg");
    let in_solve = changed("Solve\n", &format!("{control}\nSolve controlmode=off\n"));
    assert!(physics(&in_solve, BRANCH)
        .expect("no control acts")
        .held_controls
        .is_empty());
    let on_again = changed(
        "Solve\n",
        &format!("{control}\nSet controlm=off\nSet controlmode=static\nSolve\n"),
    );
    assert_eq!(element(&refused(&on_again, BRANCH)), "regcontrol.reg");
    let disabled = changed("Solve\n", &format!("{control} enabled=no\nSolve\n"));
    assert!(physics(&disabled, BRANCH).is_ok());
}

#[test]
fn what_has_no_model_is_refused_by_name() {
    let cases = [
        (
            "New Generator.g bus1=mid kv=0.4 kw=5 pf=1",
            "generator.g",
            "injects power",
        ),
        (
            "New PVSystem.pv bus1=mid kv=0.4 kva=5 pmpp=4",
            "pvsystem.pv",
            "injects power",
        ),
        ("New Storage.st bus1=mid kv=0.4 kwrated=5", "storage.st", ""),
        (
            "New Load.m6 bus1=mid kv=0.4 kw=1 kvar=0 model=6",
            "load.m6",
            "load model 6",
        ),
        (
            "New Load.m7 bus1=mid kv=0.4 kw=1 kvar=0 model=7",
            "load.m7",
            "load model 7",
        ),
        (
            "New Load.rn bus1=mid kv=0.4 kw=1 kvar=0 rneut=5",
            "load.rn",
            "neutral impedance",
        ),
        (
            "New Capacitor.steps bus1=far kv=0.4 kvar=(3 3) numsteps=2 states=(1 0)",
            "capacitor.steps",
            "steps",
        ),
        (
            "New Capacitor.series bus1=mid.1 bus2=end.1 phases=1 kv=0.4 kvar=6",
            "capacitor.series",
            "form that is not modelled",
        ),
        (
            "New Reactor.series bus1=mid.1 bus2=end.1 phases=1 kv=0.4 kvar=6",
            "reactor.series",
            "(the reader reports: series reactor property kv is not qualified)",
        ),
        ("New Fault.f bus1=mid.1 phases=1 r=1", "fault.f", "class"),
        ("Set loadmult=0.5", "option.loadmult", "loadmult = 0.5"),
        ("Set loadmult=1 loadmu=0.5", "option.loadmult", "loadmult = 0.5"),
        ("Set loadmodel=powerflow 2", "option.loadmult", "loadmult = 2"),
        ("Set loadmodel=admittance", "option.loadmodel", "loadmodel"),
        ("Solve loadmult=2 number=3", "option.loadmult", "loadmult = 2"),
        ("Solve tolerance=1e-9\nsol year=5", "option.year", "year = 5"),
        ("Set cktmodel=positive", "option.cktmodel", "cktmodel = positive"),
        ("Set LongLineCorrection=yes", "option.longlinecorrection", "yes"),
        ("Set allocationfactors=0.5", "option.allocationfactors", "0.5"),
        ("Set cfactors=4", "option.cfactors", "4"),
        ("Set allowduplicates=yes", "option.allowduplicates", "yes"),
        ("Set unheardof=1", "option.unheardof", "unheardof = 1"),
        ("MakePosSeq", "command.makeposseq", "`makeposseq`"),
        ("AllocateLoads", "command.allocateloads", "`allocateloads`"),
        (
            "New RegControl.r transformer=sub winding=2 vreg=120 tapnum=5 enabled=no",
            "regcontrol.r",
            "`TapNum`",
        ),
        (
            "New Transformer.three windings=3 buses=(lv mid end) kvs=(0.4 0.4 0.4) kvas=(9 9 9)",
            "transformer.three",
            "3 windings",
        ),
        (
            "New Transformer.other buses=(lv mid) kvs=(0.4 0.4) kvas=(9 9) basefreq=60",
            "transformer.other",
            "basefreq",
        ),
    ];
    for (lines, name, says) in cases {
        let error = feeder_from_module(&with(lines).module_json, BRANCH)
            .map(|_| ())
            .expect_err(lines);
        assert_eq!(
            (error.code, element(&error)),
            ("PHYSICS.UNSUPPORTED", name),
            "{lines}: {error}"
        );
        assert!(error.message().contains(says), "{lines}: {error}");
    }
    for lines in [
        "Set loadmult=1",
        "Set loadmult=0.7\nSet mode=snap loadmult=1",
        "Solve mode=snap loadmult=1 maxiterations=50",
        "Set voltagebases=115, 12.47\nCalcv\nShow voltages LN nodes\nSet cktmodel=multiphase longlinecorrection=no",
        "New Generator.g bus1=mid kv=0.4 kw=5 pf=1 enabled=no",
    ] {
        assert!(feeder_from_module(&with(lines).module_json, BRANCH).is_ok(), "{lines}");
    }
}

#[test]
fn reactors_to_ground_by_their_impedance() {
    for (lines, name, n, [r, x]) in [
        (
            "New Reactor.g phases=1 bus1=mid.4 r=1 x=0.5",
            "reactor.g",
            1,
            [1.0, 0.5],
        ),
        (
            "New Reactor.g phases=1 bus1=mid.4 bus2=mid.0 r=3 x=0",
            "reactor.g",
            1,
            [3.0, 0.0],
        ),
        ("New Reactor.three bus1=far x=20 r=2", "reactor.three", 3, [2.0, 20.0]),
    ] {
        let f = feeder_from_module(&with(lines).module_json, BRANCH).unwrap_or_else(|e| panic!("{lines}: {e}"));
        let shunt = f.shunts.iter().find(|s| s.name == name).expect(lines);
        assert_eq!(shunt.nodes.len(), n, "{lines}");
        let square = r * r + x * x;
        assert!(
            (shunt.g[0] - r / square).abs() < 1e-12 && (shunt.b[0] + x / square).abs() < 1e-12,
            "{lines}"
        );
    }
    for lines in [
        "New Reactor.d bus1=far x=20 conn=delta",
        "New Reactor.d bus1=far bus2=far.0.0.0 x=20 conn=delta",
    ] {
        let error = feeder_from_module(&with(lines).module_json, BRANCH)
            .map(|_| ())
            .expect_err(lines);
        assert_eq!(
            (error.code, element(&error)),
            ("PHYSICS.UNSUPPORTED", "reactor.d"),
            "{lines}: {error}"
        );
    }
}

#[test]
fn what_the_reader_adds_has_the_name_of_its_element() {
    let f = physics(&changed("Solve\n", "Open Line.main 2\nSolve\n"), BRANCH).unwrap_or_else(|e| panic!("{e}"));
    let added = f.buses.iter().filter(|b| !b.is_written);
    let names: Vec<&str> = added.map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["line.main", "line.spare", "vsource.source"]);
    assert!(f.lines.iter().any(|l| l.name == "vsource.source"));
}

#[test]
fn all_refusals_are_reported_at_once() {
    let lines = "New Generator.g bus1=mid kv=0.4 kw=5 pf=1\nNew Load.m6 bus1=mid kv=0.4 kw=1 kvar=0 model=6";
    let error = feeder_from_module(&with(lines).module_json, FeederOptions::default()).expect_err("refused");
    let refused = error.details.as_ref().expect("details")["refused"]
        .as_array()
        .expect("a list")
        .clone();
    let names: Vec<&str> = refused.iter().filter_map(|r| r["element"].as_str()).collect();
    // Elements that an option permits come last.
    assert_eq!(names, ["generator.g", "load.m6", "vsource.source"]);
    assert!(
        error.message().contains("2 more elements") && error.message().contains("vsource.source"),
        "{error}"
    );
}

#[test]
fn documents_are_checked_for_what_they_do_not_define() {
    let pmd = |transformer: &str, source: &str| {
        format!(
            r#"{{"data_model":"ENGINEERING","settings":{{"base_frequency":50,"voltage_scale_factor":1000,"power_scale_factor":1000}},
            "bus":{{"a":{{"terminals":[1,2,3,4],"grounded":[4],"rg":[0.0],"xg":[0.0]}},"b":{{"terminals":[1,2,3,4],"grounded":[4],"rg":[0.0],"xg":[0.0]}}}},
            "voltage_source":{{"s":{{"bus":"a","connections":[1,2,3,4],"vm":[6.35,6.35,6.35,0.0],"va":[0.0,-120.0,120.0,0.0]{source}}}}},
            "transformer":{{"t":{{"bus":["a","b"],"connections":[[1,2,3,4],[1,2,3,4]],"configuration":["WYE","WYE"],
            "vm_nom":[11.0,0.4],"sm_nom":[500.0,500.0],"rw":[0.01,0.01],"xsc":[0.04],"polarity":[1,1]{transformer}}}}},
            "load":{{"d":{{"bus":"b","connections":[1,4],"configuration":"WYE","pd_nom":[5.0],"qd_nom":[1.0],"vm_nom":0.23,"model":"POWER"}}}}}}"#
        )
    };
    let read = |text: &str| {
        let case = wattbook_network::distribution::ingest_distribution(text.as_bytes(), "pmd-json", &[]);
        feeder_from_module(
            &case.unwrap_or_else(|e| panic!("{e}")).module_json,
            FeederOptions::default(),
        )
    };
    let f = read(&pmd("", "")).unwrap_or_else(|e| panic!("{e}"));
    // JSON has neither limits of load laws nor admittances against floating.
    assert_eq!((f.loads[0].band, f.transformers[0].antifloat_ppm), (None, 0.0));
    assert_eq!(f.loads[0].branches[0].law, LoadLaw::Power);
    assert_eq!(f.sources[0].impedance, None);
    let cases = [
        (pmd("", r#","rs":[[0.1]],"xs":[[0.2]]"#), "vsource.s"),
        (pmd(r#","tm_set":[[1.0,1.0,1.0],[1.0,1.05,1.0]]"#, ""), "transformer.t"),
        (pmd(r#","controls":{"vreg":[120.0]}"#, ""), "transformer.t"),
    ];
    for (text, name) in cases {
        let error = read(&text).map(|_| ()).expect_err(name);
        assert_eq!((error.code, element(&error)), ("PHYSICS.UNSUPPORTED", name), "{error}");
    }
    for property in ["g_no_load", "b_no_load"] {
        let text = pmd(&format!(r#","{property}":0.01"#), "");
        let error = read(&text).map(|_| ()).expect_err(property);
        assert_eq!(element(&error), "transformer.t");
        assert!(error.message().contains(property), "{error}");
    }
}
