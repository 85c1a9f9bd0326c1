//! Values of a script that are not of the kind that their option requires.

use crate::small::{changed, close, feeder, refusal, with, FEEDER};
use wattbook_network::distribution::ingest_distribution;
use wattbook_network::EngineError;

/// Line of a script in which the lines under test begin.
fn first_line() -> u64 {
    FEEDER.lines().count() as u64
}

fn detail(e: &EngineError, key: &str) -> String {
    let value = e.details.as_ref().map_or(serde_json::Value::Null, |d| d[key].clone());
    value.as_str().map_or(value.to_string(), str::to_owned)
}

/// Refused naming the element, the option and the value.
fn refused(lines: &str, element: &str, option: &str, value: &str) {
    let e = refusal(lines);
    let reported = (detail(&e, "element"), detail(&e, "option"), detail(&e, "value"));
    assert_eq!(
        (e.code, reported),
        ("INPUT.PARSE", (element.into(), option.into(), value.into())),
        "{lines}: {e}"
    );
    let message = e.message();
    assert!(
        message.contains(option) && message.starts_with("Line ") && message.ends_with('.'),
        "{message}"
    );
}

#[test]
fn invalid_numbers_are_refused_with_their_line() {
    for (value, message) in [
        ("abc", "`load.x` has `kw` = `abc`; it must be a number."),
        ("5kW", "`load.x` has `kw` = `5kW`; it must be a number."),
        ("5.5.5", "`load.x` has `kw` = `5.5.5`; it must be a number."),
        ("--5", "`load.x` has `kw` = `--5`; it must be a number."),
        ("", "`load.x` has `kw` without a value; it must be a number."),
        ("\"\"", "`load.x` has `kw` without a value; it must be a number."),
        (" pf=1", "`load.x` has `kw` without a value: `pf=` follows it."),
        ("5,5", "`5` has no name and counts as `pf` of `load.x` by its position; a power factor must be a number from -1 to 1."),
        (
            "(5 6)",
            "`load.x` has `kw` = `5 6`; it must be one number, or an expression in reverse Polish notation that gives one.",
        ),
        ("nan", "`load.x` has `kw` = `nan`; it must be a number."),
        ("1e999", "`load.x` has `kw` = `1e999`; it must be a number."),
        ("@kw", "`load.x` has `kw` = `@kw`; it must be a number."),
    ] {
        let e = refusal(&format!("New Load.x bus1=far kv=0.4 kw={value}"));
        assert_eq!(e.message(), format!("Line {} of the script: {message}", first_line()), "{value}");
        assert_eq!((e.code, detail(&e, "line")), ("INPUT.PARSE", first_line().to_string()));
    }
}

#[test]
fn every_form_of_an_assignment_is_checked() {
    for lines in [
        "Edit Load.one kw=abc",
        "Edit Load.one kv=0.23\n~ pf=1 kw=abc",
        "Edit Load.one\nMore KW=abc",
        "Load.one.kw=abc",
        "Load.one.kw=abc pf=0.9",
        "Load.one.kv=0.23 abc",
        "Select Load.one\nkw=abc",
        "Select Load.one\n~ kw=abc",
        "Edit Load.three kv=0.4\none.kw=abc",
        "BatchEdit Load.^one$ kw=abc",
    ] {
        let e = refusal(lines);
        assert_eq!(
            (detail(&e, "option"), detail(&e, "value")),
            ("kw".into(), "abc".into()),
            "{lines}"
        );
    }
    refused("New Load.x 1 far.1 0.23 abc", "load.x", "kw", "abc");
    refused("New Load.x kv=0.23 abc bus1=far", "load.x", "kw", "abc");
    refused("New Load.x bus1=far kw=1 vminp=low", "load.x", "vminpu", "low");
    let e = refusal("New Load.x bus1=far,, kv=0.4 kw=3");
    assert!(e.message().contains("`load.x` has a place without a value"), "{e}");
}

#[test]
fn values_of_every_class() {
    for (lines, element, option, value) in [
        ("New Load.x bus1=far kv=ten", "load.x", "kv", "ten"),
        ("New Load.x bus1=far pf=x", "load.x", "pf", "x"),
        ("New Load.x bus1=far phases=three", "load.x", "phases", "three"),
        ("New Load.x bus1=far phases=2.5", "load.x", "phases", "2.5"),
        ("New Load.x bus1=far model=two", "load.x", "model", "two"),
        ("New Load.x bus1=far conn=wey", "load.x", "conn", "wey"),
        ("New Load.x bus1=far status=loose", "load.x", "status", "loose"),
        (
            "New Load.x bus1=far zipv=[1 0 x 0 0 1 0]",
            "load.x",
            "zipv",
            "1 0 x 0 0 1 0",
        ),
        ("New Load.x bus1=far enabled=1", "load.x", "enabled", "1"),
        ("New Line.x bus1=far bus2=y r1=zero", "line.x", "r1", "zero"),
        ("New Line.x bus1=far bus2=y length=x", "line.x", "length", "x"),
        ("New Line.x bus1=far bus2=y switch=maybe", "line.x", "switch", "maybe"),
        ("New Line.x bus1=far bus2=y units=feet", "line.x", "units", "feet"),
        (
            "New Line.x bus1=far bus2=y rmatrix=[1 | 0 y]",
            "line.x",
            "rmatrix",
            "1 | 0 y",
        ),
        (
            "New Line.x bus1=far bus2=y earthmodel=round",
            "line.x",
            "earthmodel",
            "round",
        ),
        ("New Linecode.x nphases=three", "linecode.x", "nphases", "three"),
        ("New Linecode.x cmatrix=()", "linecode.x", "cmatrix", ""),
        ("New WireData.x gmrac=thin", "wiredata.x", "gmrac", "thin"),
        ("New CNData.x k=many", "cndata.x", "k", "many"),
        ("New LineGeometry.x nconds=3 x=left", "linegeometry.x", "x", "left"),
        ("New LineSpacing.x nconds=3 h=[1 2 up]", "linespacing.x", "h", "1 2 up"),
        ("New Transformer.x windings=two", "transformer.x", "windings", "two"),
        ("New Transformer.x xhl=six", "transformer.x", "xhl", "six"),
        ("New Transformer.x wdg=1 tap=high", "transformer.x", "tap", "high"),
        ("New Transformer.x kvs=[10 abc]", "transformer.x", "kvs", "10 abc"),
        ("New Transformer.x kvas=[1000 x]", "transformer.x", "kvas", "1000 x"),
        (
            "New Transformer.x conns=[delta wey]",
            "transformer.x",
            "conns",
            "delta wey",
        ),
        ("New Transformer.x %loadloss=much", "transformer.x", "%loadloss", "much"),
        ("New XfmrCode.x kvs=(1, two)", "xfmrcode.x", "kvs", "1, two"),
        ("New AutoTrans.x conn=parallel", "autotrans.x", "conn", "parallel"),
        ("New Capacitor.x bus1=far kvar=abc", "capacitor.x", "kvar", "abc"),
        (
            "New Capacitor.x bus1=far numsteps=2 states=[1 on]",
            "capacitor.x",
            "states",
            "1 on",
        ),
        ("New Reactor.x bus1=far kvar=abc", "reactor.x", "kvar", "abc"),
        ("New Reactor.x bus1=far z1=[1 i]", "reactor.x", "z1", "1 i"),
        ("New Generator.x bus1=far kw=abc", "generator.x", "kw", "abc"),
        ("New PVSystem.x bus1=far pmpp=sunny", "pvsystem.x", "pmpp", "sunny"),
        ("New Storage.x bus1=far kwhrated=full", "storage.x", "kwhrated", "full"),
        ("New Storage.x bus1=far state=asleep", "storage.x", "state", "asleep"),
        ("New Fault.x bus1=far r=low", "fault.x", "r", "low"),
        ("New Vsource.x bus1=far pu=abc", "vsource.x", "pu", "abc"),
        ("Edit Vsource.source angle=thirty", "vsource.source", "angle", "thirty"),
        ("New Isource.x bus1=far amps=few", "isource.x", "amps", "few"),
        ("New LoadShape.x npts=2 mult=[1 high]", "loadshape.x", "mult", "1 high"),
        ("New XYCurve.x npts=2 xarray=[1 x]", "xycurve.x", "xarray", "1 x"),
        (
            "New RegControl.x transformer=sub winding=two",
            "regcontrol.x",
            "winding",
            "two",
        ),
        (
            "New RegControl.x transformer=sub ptphase=all",
            "regcontrol.x",
            "ptphase",
            "all",
        ),
        (
            "New CapControl.x capacitor=bank type=magic",
            "capcontrol.x",
            "type",
            "magic",
        ),
        (
            "New SwtControl.x switchedobj=Line.tie action=trip",
            "swtcontrol.x",
            "action",
            "trip",
        ),
        ("New InvControl.x deltaq_factor=x", "invcontrol.x", "deltaq_factor", "x"),
    ] {
        refused(lines, element, option, value);
    }
    let text = changed("basekv=11", "basekv=high");
    let e = feeder(&text).expect_err("refused");
    assert_eq!(
        e.message(),
        "Line 3 of the script: `circuit.small` has `basekv` = `high`; it must be a number."
    );
}

#[test]
fn options_of_set_and_solve() {
    for (lines, option, value) in [
        ("Set loadmult=abc", "loadmult", "abc"),
        ("Set tol=small", "tolerance", "small"),
        ("Set voltagebases=[11 x]", "voltagebases", "11 x"),
        ("Set controlmode=sometimes", "controlmode", "sometimes"),
        ("Set mode=snapp", "mode", "snapp"),
        ("Set maxiterations=2.5", "maxiterations", "2.5"),
        ("Set trapezoidal=1", "trapezoidal", "1"),
        ("Set stepsize=1d", "stepsize", "1d"),
        ("Set loadmodel=powerflow x", "loadmult", "x"),
        ("Solve number=many", "number", "many"),
    ] {
        refused(lines, &format!("option.{option}"), option, value);
    }
    let e = refusal("Set loadmult=abc");
    assert!(
        e.message()
            .ends_with("`Set` has `loadmult` = `abc`; it must be a number."),
        "{e}"
    );
}

#[test]
fn values_that_opendss_reads_are_read() {
    for (value, kw) in [
        ("1e1", 10.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("+5", 5.0),
        ("(8 1000 /)", 0.008),
        ("\"2 3 *\"", 6.0),
        ("[5]", 5.0),
        ("{ 1 2 + }", 3.0),
        ("@five", 5.0),
        ("(@five 2 *)", 10.0),
        ("5!kW", 5.0),
        ("5, 1", 5.0),
    ] {
        let d = with(&format!("var @five=5\nNew Load.x bus1=far kv=0.4 kw={value}"));
        assert!(close(d.load_kw, 14.5 + kw), "{value}: {}", d.load_kw);
    }
    with("New Load.x 1 far.1 .23 1 1 1");
    with("New Load.x bus1=far kv=0.4 kw=1, ! the end");
    with("New Load.x phases=3.0 bus1=far kv=0.4 kw=1 conn=LN daily=abc status=fix enabled=T");
    with("New Transformer.x buses=(lv, house) conns='d, Y' kvs=[0.4, (0.4 2 /)] kvas=\"9 9\" xhl=4 sub=n leadlag=euro");
    with("New Linecode.x nphases=2 rmatrix=[1|0,1] xmatrix=\"1 | 0 1\" cmatrix={0 | 0 0} units=KM");
    with("New Storage.x bus1=far kv=.4 kwrated=5 kwhrated=9 state=DISCHARGE\nNew Storage.y bus1=far kv=.4 state=idle");
    with("New LoadShape.x npts=2 mult=(file=day.csv) hour=[dblfile=day.dbl]\nNew LoadShape.y npts=3 interval=1 mult=(1 .5,2)");
    with(
        "Set mode=snap stepsize=15m h=1h number=2\nSet voltagebases=\"11, .4\" tolerance=1e-8 log=y\nSet voltagebases=115, 4.16\nSolve mode=snapshot",
    );
    let seed = feeder(include_str!("../../../../fuzz/seeds/values.dss")).expect("a feeder");
    assert!(close(seed.load_kw, 3.0 * std::f64::consts::PI), "{}", seed.load_kw);
    // Counts that are written with a point or as an expression.
    let d = with(
        "New Transformer.x windings=(2 1 +) phases=1 buses=(mid.1 house.1 house.2) kvs=[.4 .2 .2] kv=.1\n\
         New Reactor.r phases=1.0 bus1=far.1 r=1 x=1",
    );
    assert!(d.module_json.contains("house"));
    with("New EnergyMeter.m element=line.main mask=[a b]\nNew Monitor.m element=line.main mode=x");
}

#[test]
fn names_in_details_are_visible() {
    let e = refusal("Set contr\u{90}x= controlmode=static");
    assert_eq!(
        (detail(&e, "element"), detail(&e, "option")),
        ("option.contrx".into(), "contrx".into()),
        "{e}"
    );
}

#[test]
fn a_value_in_an_included_file() {
    let text = changed("Solve\n", "Redirect parts/loads.dss\nSolve\n");
    let loads = |text: &str| vec![("parts/loads.dss".to_owned(), text.as_bytes().to_vec())];
    let companions = loads("! loads\n\nNew Load.x bus1=far kv=0.4 kw=abc\n");
    let e = ingest_distribution(text.as_bytes(), "dss", &companions).expect_err("refused");
    assert_eq!(
        e.message(),
        "Line 3 of `loads.dss`: `load.x` has `kw` = `abc`; it must be a number."
    );
    assert_eq!(
        (detail(&e, "file"), detail(&e, "line")),
        ("loads.dss".into(), "3".into())
    );
    // Missing files are reported first, since they may define names that the others use.
    let text = text.replace("Solve\n", "Redirect more.dss\n");
    let e = ingest_distribution(text.as_bytes(), "dss", &companions).expect_err("refused");
    assert_eq!(e.code, "INPUT.COMPANION");
}

#[test]
fn a_line_code_that_is_not_there_is_named() {
    let e = refusal("New Line.x bus1=far bus2=y\n~ linecode=sixx");
    let reported = (detail(&e, "element"), detail(&e, "option"), detail(&e, "value"));
    assert_eq!(
        (e.code, reported),
        ("INPUT.PARSE", ("line.x".into(), "linecode".into(), "sixx".into()))
    );
    let line = first_line() + 1;
    assert_eq!(
        e.message(),
        format!(
            "Line {line} of the script: `line.x` has `linecode` = `sixx`, which the script does not define before."
        )
    );
    let e = refusal("New Transformer.x buses=(lv house) xfmrcode=none");
    assert!(e.message().contains("`transformer.x` has `xfmrcode` = `none`"), "{e}");
    with("New Linecode.Six nphases=3 r1=1 x1=1\nNew Line.x bus1=far bus2=y linecode=sIX");
}
