//! A feeder through the surfaces: solved, edited, refused, stored in a file and opened again.

use crate::common::parse;
use serde_json::{json, Value};
use wattbook_study::contract::{Column, ColumnName};
use wattbook_study::{
    apply_mc_study_geo, ingest_distribution_json, read_mc_study_bundle, read_study_bundle_json, replay_mc_study,
    write_mc_study_bundle, McStudy, Reply,
};

const FEEDER: &str = "Clear
Set DefaultBaseFrequency=50
New Circuit.small basekv=11 bus1=grid
New Transformer.sub windings=2 buses=(grid lv.1.2.3.0) conns=(delta wye) kvs=(11 0.4) kvas=(500 500) xhl=4
New Line.main bus1=lv.1.2.3 bus2=end.1.2.3 r1=0.3 x1=0.3 r0=0.3 x0=0.3 c1=0 c0=0 length=0.2 units=km
New Load.three bus1=end kv=0.4 kw=12 kvar=3
New Load.one bus1=end.2 phases=1 kv=0.23 kw=2.5 kvar=1
Solve
";

const BRANCH: &str = r#"{"source_impedance":"branch"}"#;

fn module() -> String {
    let case = parse(&ingest_distribution_json(FEEDER.as_bytes(), "dss", &[]).expect("a feeder"));
    case["module_json"].as_str().expect("a module").to_owned()
}

fn study() -> McStudy {
    McStudy::new(&module(), BRANCH, "").unwrap_or_else(|e| panic!("{e}"))
}

fn column(columns: &[Column], name: ColumnName) -> &[f64] {
    &columns.iter().find(|c| c.name == name).expect("a column").values
}

fn sum(reply: &Reply, name: ColumnName) -> f64 {
    column(&reply.columns, name).iter().sum()
}

/// The power of the sources equals that of loads and losses.
fn assert_balanced(result: &Reply, load_w: f64) {
    let drawn = sum(result, ColumnName::DrawnW);
    let left = sum(result, ColumnName::SourceW) - sum(result, ColumnName::LossW) - drawn;
    assert!(left.abs() < 1e-3, "{left} W are left");
    assert!((drawn - load_w).abs() < 1e-3, "{drawn} W drawn");
    let head = parse(&result.json);
    assert!((head["totals"]["load_w"].as_f64().expect("a number") - load_w).abs() < 1e-3);
    assert!(head["certificate"]["kcl_residual_a"].as_f64().expect("a number") < 1e-5);
}

/// Value of a column at a terminal.
fn at(study: &McStudy, columns: &[Column], name: ColumnName, bus: &str, terminal: &str) -> f64 {
    let rows = study.rows();
    let named = parse(&rows.json);
    let bus_of = column(&rows.columns, ColumnName::TerminalBus);
    let row = (0..bus_of.len())
        .find(|&k| named["buses"][bus_of[k] as usize] == bus && named["terminals"][k] == terminal)
        .expect("a terminal");
    column(columns, name)[row]
}

#[test]
fn a_feeder_is_solved_and_its_loads_are_edited() {
    let mut study = study();
    let before = study.result();
    assert_balanced(&before, 14_500.0);
    let head = parse(&before.json);
    assert_eq!(head["options"]["source_impedance"], "branch");
    assert_eq!(head["lowest"]["bus"], "end");
    assert_eq!(head["lowest"]["terminal"], "2");
    let volts =
        |study: &McStudy, reply: &Reply, terminal| at(study, &reply.columns, ColumnName::VoltageV, "end", terminal);
    // The loaded phase has the lowest voltage; 0.06 ohm and some 27 A drop about 1.6 V.
    let low = volts(&study, &before, "2");
    assert!((225.0..229.5).contains(&low) && low < volts(&study, &before, "1"));
    // Per unit of 0.4 kV by the square root of three.
    let per_unit = at(&study, &before.columns, ColumnName::VoltagePu, "end", "2");
    assert!((per_unit * 400.0 / 3f64.sqrt() - low).abs() < 1e-9);

    let preview = study.preview(r#"{"One":{"p_kw":5}}"#).unwrap_or_else(|e| panic!("{e}"));
    let after = study.commit(r#"{"One":{"p_kw":5}}"#).unwrap_or_else(|e| panic!("{e}"));
    assert_balanced(&after, 17_000.0);
    assert!((volts(&study, &preview, "2") - volts(&study, &after, "2")).abs() < 1e-5);
    // The power factor is constant.
    assert_eq!(column(&after.columns, ColumnName::LoadKvar), [3.0, 2.0]);
    assert!(volts(&study, &after, "2") < low - 0.5);
    // Failed edits change nothing.
    for (edits, code) in [
        (r#"{"nobody":{"p_kw":5}}"#, "EDIT.UNKNOWN_LOAD"),
        (r#"{"one":{"kw":5}}"#, "INPUT.REQUEST"),
        (r#"{"one":{"p_kw":5},"load.ONE":{"p_kw":6}}"#, "EDIT.LOAD_TWICE"),
    ] {
        let code_of = |e: Result<Reply, wattbook_network::EngineError>| e.map(|_| ()).expect_err(edits).code;
        assert_eq!(code_of(study.preview(edits)), code);
        assert_eq!(code_of(study.commit(edits)), code);
    }
    assert_eq!(study.result().json, after.json);
    // A state does not depend on how it was reached.
    assert_eq!(study.commit("{}").expect("the base").json, before.json);
}

#[test]
fn previews_follow_a_drag_without_changing_the_state() {
    let edit = |kw: f64| format!(r#"{{"One":{{"p_kw":{kw}}}}}"#);
    let iterations = |reply: &Reply| parse(&reply.json)["iterations"].as_u64().expect("a number");
    let volts = |study: &McStudy, reply: &Reply| at(study, &reply.columns, ColumnName::VoltageV, "end", "2");
    let mut study = study();
    let (mut cold, mut along) = (0, 0);
    for step in 0..12 {
        let kw = 3.0 + 0.1 * f64::from(step);
        let preview = study.preview(&edit(kw)).unwrap_or_else(|e| panic!("{e}"));
        let mut other = self::study();
        let first = other.preview(&edit(kw)).unwrap_or_else(|e| panic!("{e}"));
        let after = other.commit(&edit(kw)).unwrap_or_else(|e| panic!("{e}"));
        assert!(
            (volts(&study, &preview) - volts(&other, &after)).abs() < 1e-5,
            "{kw} kW"
        );
        cold += iterations(&first);
        along += iterations(&preview);
    }
    assert!(along < cold, "{along} iterations along the drag, {cold} from the state");
    // Back to the state, beyond it, with another load, and far away: each is equally close.
    for edits in [
        edit(3.05),
        "{}".to_owned(),
        edit(-1.0),
        r#"{"One":{"p_kw":4},"three":{"p_kw":10}}"#.to_owned(),
        edit(12.0),
    ] {
        let mut other = self::study();
        let preview = study.preview(&edits).unwrap_or_else(|e| panic!("{edits}: {e}"));
        let after = other.commit(&edits).unwrap_or_else(|e| panic!("{edits}: {e}"));
        assert!(
            (volts(&study, &preview) - volts(&other, &after)).abs() < 1e-5,
            "{edits}"
        );
    }
    // The commit has the same bits as without the drag.
    let after = study.commit(&edit(5.0)).expect("committed");
    assert_eq!(self::study().commit(&edit(5.0)).expect("committed").json, after.json);
}

#[test]
fn rows_have_terminals_distances_and_unbalance() {
    let study = study();
    let (rows, result) = (study.rows(), study.result());
    let named = parse(&rows.json);
    assert_eq!(named["buses"], json!(["lv", "end", "grid"]));
    assert_eq!(named["elements"], json!(["line.main", "transformer.sub"]));
    assert_eq!(column(&rows.columns, ColumnName::DistanceM), [0.0, 200.0, 0.0]);
    assert_eq!(column(&rows.columns, ColumnName::SourceBus), [2.0]);
    assert_eq!(column(&rows.columns, ColumnName::LoadBus), [1.0, 1.0]);
    let nominal = column(&rows.columns, ColumnName::NominalV);
    for (own, kv) in nominal.iter().zip([0.4, 0.4, 11.0]) {
        assert!((own - 1000.0 * kv / 3f64.sqrt()).abs() < 1e-9);
    }
    // A grounded terminal is at 0 V, and neutrals have no per-unit voltage.
    assert!(column(&result.columns, ColumnName::VoltageV)
        .iter()
        .all(|v| v.is_finite()));
    // Three terminals at the source, three with a grounded neutral at the transformer, three at the end.
    let phases: f64 = column(&rows.columns, ColumnName::IsPhase).iter().sum();
    assert_eq!(phases, 9.0);
    // The Fortescue components of the published voltages.
    let vuf = column(&result.columns, ColumnName::Vuf)[1];
    let phasor = |terminal| {
        let [v, deg] = [ColumnName::VoltageV, ColumnName::VoltageDeg]
            .map(|name| at(&study, &result.columns, name, "end", terminal));
        (v, deg.to_radians())
    };
    let sequence = |turn: f64| {
        let parts = [("1", 0.0), ("2", turn), ("3", -turn)].map(|(terminal, by)| {
            let (v, angle) = phasor(terminal);
            [v * (angle + by).cos(), v * (angle + by).sin()]
        });
        parts
            .iter()
            .map(|p| p[0])
            .sum::<f64>()
            .hypot(parts.iter().map(|p| p[1]).sum())
    };
    let third = 2.0 * std::f64::consts::PI / 3.0;
    assert!(vuf > 1e-4 && (vuf - sequence(-third) / sequence(third)).abs() < 1e-12);
}

#[test]
fn unmodelled_elements_are_refused_by_name_with_their_option() {
    let refused = |options: &str| McStudy::new(&module(), options, "").map(|_| ()).expect_err("refused");
    let error = refused("");
    assert_eq!(error.code, "PHYSICS.UNSUPPORTED");
    let details = error.details.expect("details");
    assert_eq!(details["element"], "vsource.source");
    assert_eq!(details["refused"][0]["option"], "source_impedance: \"branch\"");
    assert_eq!(refused(r#"{"sources":1}"#).code, "INPUT.REQUEST");
    assert_eq!(
        refused(r#"{"source_impedance":"branch","tolerance_pu":0.1}"#).code,
        "INPUT.REQUEST"
    );
}

#[test]
fn a_stored_result_opens_without_solving_and_detects_changes() {
    let mut study = study();
    let result = study.commit(r#"{"one":{"p_kw":5,"q_kvar":0}}"#).expect("solved");
    let text = study.saved_json(&module()).expect("a file");
    let replay = replay_mc_study(&text).unwrap_or_else(|e| panic!("{e}"));
    let head = parse(&replay.json);
    assert_eq!(head["result"], parse(&result.json));
    let voltages = |reply: &Reply| column(&reply.columns, ColumnName::VoltageV).to_vec();
    assert_eq!(voltages(&replay), voltages(&result));

    type Change = fn(&mut Value);
    let numbers: [(&str, Change); 6] = [
        ("a voltage", |file| {
            file["result"]["columns"][9]["values"][0] = json!(1.0)
        }),
        ("the solution", |file| file["result"]["solution"]["re"][0] = json!(1.0)),
        ("its length", |file| file["result"]["solution"]["re"] = json!([])),
        ("a load", |file| file["input"]["loads"]["load.one"]["p_kw"] = json!(4.0)),
        ("a total", |file| {
            file["result"]["head"]["totals"]["loss_w"] = json!(0.0)
        }),
        ("the case", |file| {
            let module = file["input"]["module_json"]
                .as_str()
                .expect("a module")
                .replace("0.2", "0.3");
            file["input"]["module_json"] = json!(module);
        }),
    ];
    for (what, change) in numbers {
        let mut file = parse(&text);
        change(&mut file);
        let error = replay_mc_study(&file.to_string()).map(|_| ()).expect_err(what);
        assert_eq!(error.code, "MODULE.TAMPERED", "{what}: {error}");
    }
    for other in ["", "{}", r#"{"schema":"wattbook-mc-study","version":2}"#] {
        assert_eq!(
            replay_mc_study(other).map(|_| ()).expect_err("no file").code,
            "INPUT.MC_STUDY"
        );
    }
}

#[test]
fn positions_are_added_to_a_stored_result_without_changing_its_numbers() {
    let text = study().saved_json(&module()).expect("a file");
    let layer = b"bus,longitude,latitude\ngrid,8.5,47.3\nlv,8.51,47.31\nend,8.52,47.32\n";
    let placed = apply_mc_study_geo(&text, layer).unwrap_or_else(|e| panic!("{e}"));
    let (before, after) = (parse(&text), parse(&placed));
    assert_ne!(before["input"]["sha256"], after["input"]["sha256"]);
    assert!(after["input"]["module_json"]
        .as_str()
        .expect("a module")
        .contains("47.32"));
    assert_eq!(before["result"]["columns"], after["result"]["columns"]);
    replay_mc_study(&placed).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_damaged_study_file_of_a_result_is_refused_by_name() {
    let mut study = study();
    study.commit(r#"{"one":{"p_kw":5,"q_kvar":0}}"#).expect("solved");
    let text = study.saved_json(&module()).expect("a file");
    let plain = write_mc_study_bundle(&text, false).expect("a bundle");
    assert_eq!(parse(&read_mc_study_bundle(&plain).expect("a result")), parse(&text));
    let packed = write_mc_study_bundle(&text, true).expect("a bundle");
    assert!(packed.len() < plain.len());
    let read = read_mc_study_bundle(&packed).expect("a result");
    replay_mc_study(&read).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(
        write_mc_study_bundle(&read, false).expect("a bundle"),
        plain,
        "the same bytes"
    );
    assert_eq!(
        parse(&read_mc_study_bundle(text.as_bytes()).expect("a result")),
        parse(&text)
    );
    assert_eq!(
        read_study_bundle_json(&plain).expect_err("a feeder").code,
        "STUDY_FILE.SCHEMA"
    );

    let bundle = parse(std::str::from_utf8(&plain).expect("text"));
    let sha256 = bundle["document"]["input"]["sha256"]
        .as_str()
        .expect("a hash")
        .to_owned();
    type Damage = fn(&mut Value, &str);
    let damages: [(&str, &str, Damage); 7] = [
        ("STUDY_FILE.SCHEMA", "schema", |b, _| {
            b["document"]["schema"] = json!("wattbook-study")
        }),
        ("STUDY_FILE.VERSION", "newer", |b, _| {
            b["document"]["version"] = json!(2)
        }),
        ("STUDY_FILE.HASH", "module", |b, id| {
            let text = b["artifacts"][id]["text"]
                .as_str()
                .expect("a module")
                .replace("0.2", "0.3");
            b["artifacts"][id]["text"] = json!(text);
        }),
        ("STUDY_FILE.REFERENCE", "reference", |b, _| {
            b["document"]["input"]["sha256"] = json!("0".repeat(64))
        }),
        ("STUDY_FILE.REFERENCE", "no module", |b, _| b["artifacts"] = json!({})),
        ("STUDY_FILE.KIND", "kind", |b, id| {
            b["artifacts"][id]["kind"] = json!("evidence")
        }),
        ("STUDY_FILE.UNREADABLE", "shape", |b, _| b["artifacts"] = json!([1])),
    ];
    for (code, what, damage) in damages {
        let mut damaged = bundle.clone();
        damage(&mut damaged, &sha256);
        let refused = read_mc_study_bundle(damaged.to_string().as_bytes()).expect_err(what);
        assert_eq!(refused.code, code, "{what}: {refused}");
    }
    for (code, bytes) in [
        ("STUDY_FILE.EMPTY", &b""[..]),
        ("STUDY_FILE.UNREADABLE", &plain[..plain.len() - 3]),
        ("STUDY_FILE.GZIP", &packed[..packed.len() - 3]),
        ("STUDY_FILE.TEXT", b"\xff\xfe{}"),
    ] {
        assert_eq!(read_mc_study_bundle(bytes).expect_err(code).code, code);
    }
}

#[test]
fn a_power_factor_that_gives_no_reactive_power_is_refused_with_its_load() {
    // kvar over kW is 1e300 here: 2.5 kW would draw 2.5e300 kvar.
    let text = FEEDER.replace("kw=2.5 kvar=1", "kw=1e-300 kvar=1");
    let case = parse(&ingest_distribution_json(text.as_bytes(), "dss", &[]).expect("a feeder"));
    let module = case["module_json"].as_str().expect("a module");
    let mut study = McStudy::new(module, BRANCH, "").unwrap_or_else(|e| panic!("{e}"));
    let before = study.result().columns;
    let refused = study.commit(r#"{"one":{"p_kw":2.5}}"#).expect_err("no power flow");
    assert_eq!(refused.code, "EDIT.LOAD_POWER");
    assert_eq!(refused.details.expect("details")["element"], "load.one");
    assert_eq!(study.result().columns, before, "the state stays");
    study
        .commit(r#"{"one":{"p_kw":2.5,"q_kvar":1}}"#)
        .expect("a power flow");
}

#[test]
fn a_load_named_with_its_class_in_any_case_is_reported_by_its_name() {
    let mut study = study();
    for (name, element) in [
        ("Load.A", "load.A"),
        ("load.A", "load.A"),
        ("A", "load.A"),
        ("\u{e9}\u{e9}\u{e9}", "load.\u{e9}\u{e9}\u{e9}"),
    ] {
        let refused = study
            .commit(&json!({ name: { "p_kw": 1 } }).to_string())
            .expect_err(name);
        assert_eq!(refused.code, "EDIT.UNKNOWN_LOAD");
        assert_eq!(refused.details.expect("details")["element"], element);
    }
}

/// Phases of +10 and -10 kvar, which together draw rounding: 1 kvar in their proportions would be 5e15 kvar a phase.
#[test]
fn a_load_whose_phases_cancel_is_not_scaled() {
    let feeder = json!({
        "data_model": "ENGINEERING",
        "settings": { "base_frequency": 50, "voltage_scale_factor": 1000, "power_scale_factor": 1000 },
        "bus": { "a": { "terminals": [1, 2, 3, 4], "grounded": [4], "rg": [0.0], "xg": [0.0] } },
        "voltage_source": { "s": { "bus": "a", "connections": [1, 2, 3, 4], "vm": [0.23, 0.23, 0.23, 0.0], "va": [0.0, -120.0, 120.0, 0.0] } },
        "load": { "d": {
            "bus": "a", "connections": [1, 2, 3, 4], "configuration": "WYE", "model": "POWER", "vm_nom": 0.23,
            "pd_nom": [5.0, 5.0, 5.0], "qd_nom": [10.0, -10.000000000000002, 0.0],
        } },
    });
    let case =
        ingest_distribution_json(feeder.to_string().as_bytes(), "pmd-json", &[]).unwrap_or_else(|e| panic!("{e}"));
    let module = parse(&case)["module_json"].as_str().expect("a module").to_owned();
    let mut study = McStudy::new(&module, "{}", "").unwrap_or_else(|e| panic!("{e}"));
    let refused = study.commit(r#"{"d":{"q_kvar":1}}"#).expect_err("no amount");
    assert_eq!(refused.code, "EDIT.LOAD_POWER");
    assert_eq!(refused.details.expect("details")["element"], "load.d");
    study.commit(r#"{"d":{"p_kw":18}}"#).expect("a power flow");
}
