//! One grid in four formats: ACTIVSg200 from `.m`, `.RAW`, `.aux` and `.pwb` is one network with one power flow and one
//! optimum.
//!
//! The files are two revisions of the case: `.m` and `.RAW` hold one hour, `.aux` and `.pwb` a later peak hour with other
//! loads, units and ratings and one more branch. Every value that differs from the `.m` beyond the digits which the `.m`
//! prints is a row of `reference/activsg200_differences.csv`, and so is what a format cannot carry; anything else fails
//! here. `WATTBOOK_UPDATE=1` writes the table anew. Where the data folder is absent the tests say so.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use wattbook_network::analysis::Cost;
use wattbook_network::{format_of, ingest_case, AnalysisNetwork};
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DcPowerFlow, DualActiveSet};

const TABLE: &str = "tests/reference/activsg200_differences.csv";
const FILES: [&str; 4] = [
    "case_ACTIVSg200.m",
    "ACTIVSg200.RAW",
    "ACTIVSg200.aux",
    "ACTIVSg200.pwb",
];
/// Decimals that the `.m` prints of each field, in the field's unit there (MW, MVAr, kV, per unit, degrees, $).
const DECIMALS: [(&str, i32); 27] = [
    ("demand_mw", 2),
    ("demand_mvar", 2),
    ("gs_mw", 2),
    ("bs_mvar", 2),
    ("vmin_pu", 5),
    ("vmax_pu", 5),
    ("base_kv", 2),
    ("reference", 0),
    ("takes_part", 0),
    ("r_pu", 6),
    ("x_pu", 6),
    ("b_pu", 5),
    ("tap", 5),
    ("shift_deg", 3),
    ("rating_mw", 2),
    ("in_service", 0),
    ("pg_mw", 2),
    ("qg_mvar", 2),
    ("pmin_mw", 2),
    ("pmax_mw", 2),
    ("qmin_mvar", 2),
    ("qmax_mvar", 2),
    ("vset_pu", 5),
    ("status", 0),
    ("cost_2", 3),
    ("cost_1", 3),
    ("cost_0", 2),
];

/// Element kind, id (bus number, `from-to`, bus of the unit) and field.
type Key = (&'static str, String, &'static str);

fn data_folder() -> PathBuf {
    std::env::var_os("WATTBOOK_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    )
}

/// The four networks in the order of `FILES`, or None with a line on the output.
fn networks() -> Option<[AnalysisNetwork; 4]> {
    let folder = data_folder().join("activsg200");
    let read = |name: &str| {
        let bytes = std::fs::read(folder.join(name)).ok()?;
        let case = ingest_case(&bytes, format_of(name)?);
        Some(case.unwrap_or_else(|e| panic!("{name}: {e}")).network)
    };
    let [Some(m), Some(raw), Some(aux), Some(pwb)] = FILES.map(read) else {
        println!("skipped: 1 grid in four formats, no data at {}", folder.display());
        return None;
    };
    Some([m, raw, aux, pwb])
}

/// Visits every number of a network in physical units; the values that the visitor assigns are stored.
fn visit(net: &mut AnalysisNetwork, mut see: impl FnMut(Key, &mut f64)) {
    let base = net.base_mva;
    let mut scaled = |key: Key, value: &mut f64, scale: f64| {
        let before = *value * scale;
        let mut physical = before;
        see(key, &mut physical);
        // Unchanged values keep their bits.
        if physical != before {
            *value = physical / scale;
        }
    };
    let flag = |scaled: &mut dyn FnMut(Key, &mut f64, f64), key: Key, value: &mut bool| {
        let mut number = f64::from(u8::from(*value));
        scaled(key, &mut number, 1.0);
        *value = number != 0.0;
    };
    let ids: Vec<u64> = net.buses.iter().map(|b| b.id).collect();
    for b in &mut net.buses {
        let id = b.id.to_string();
        for (field, value, scale) in [
            ("demand_mw", &mut b.demand_pu, base),
            ("demand_mvar", &mut b.demand_q_pu, base),
            ("gs_mw", &mut b.gs_pu, base),
            ("bs_mvar", &mut b.bs_pu, base),
            ("vmin_pu", &mut b.vmin_pu, 1.0),
            ("vmax_pu", &mut b.vmax_pu, 1.0),
            ("base_kv", &mut b.base_kv, 1.0),
        ] {
            scaled(("bus", id.clone(), field), value, scale);
        }
        flag(&mut scaled, ("bus", id.clone(), "reference"), &mut b.is_reference);
        flag(&mut scaled, ("bus", id, "takes_part"), &mut b.in_service);
    }
    let mut seen: BTreeMap<(u64, u64), usize> = BTreeMap::new();
    for b in &mut net.branches {
        let ends = (ids[b.from], ids[b.to]);
        let circuit = seen.entry(ends).and_modify(|n| *n += 1).or_insert(1);
        let id = match circuit {
            1 => format!("{}-{}", ends.0, ends.1),
            n => format!("{}-{}-{n}", ends.0, ends.1),
        };
        let mut charging = b.charging_pu();
        scaled(("branch", id.clone(), "b_pu"), &mut charging, 1.0);
        if charging != b.charging_pu() {
            (b.shunt_from_pu[1], b.shunt_to_pu[1]) = (0.5 * charging, 0.5 * charging);
        }
        for (field, value, scale) in [
            ("r_pu", &mut b.r_pu, 1.0),
            ("x_pu", &mut b.x_pu, 1.0),
            ("tap", &mut b.tap, 1.0),
            ("shift_deg", &mut b.shift_rad, 180.0 / std::f64::consts::PI),
            ("rating_mw", &mut b.rating_pu, base),
        ] {
            scaled(("branch", id.clone(), field), value, scale);
        }
        flag(&mut scaled, ("branch", id, "in_service"), &mut b.in_service);
    }
    for g in &mut net.generators {
        // The grid has one unit at a bus.
        let id = ids[g.bus].to_string();
        for (field, value, scale) in [
            ("pg_mw", &mut g.pg_pu, base),
            ("qg_mvar", &mut g.qg_pu, base),
            ("pmin_mw", &mut g.pmin_pu, base),
            ("pmax_mw", &mut g.pmax_pu, base),
            ("qmin_mvar", &mut g.qmin_pu, base),
            ("qmax_mvar", &mut g.qmax_pu, base),
            ("vset_pu", &mut g.vset_pu, 1.0),
        ] {
            scaled(("generator", id.clone(), field), value, scale);
        }
        let Cost::Quadratic { c2, c1, c0 } = &mut g.cost else {
            panic!("unit at bus {id}: not quadratic")
        };
        for (field, value, scale) in [
            ("cost_2", c2, 1.0 / base / base),
            ("cost_1", c1, 1.0 / base),
            ("cost_0", c0, 1.0),
        ] {
            scaled(("generator", id.clone(), field), value, scale);
        }
        flag(&mut scaled, ("generator", id, "status"), &mut g.in_service);
    }
}

fn values(net: &AnalysisNetwork) -> BTreeMap<Key, f64> {
    let mut out = BTreeMap::new();
    visit(&mut net.clone(), |key, value| {
        assert!(out.insert(key.clone(), *value).is_none(), "{key:?} twice");
    });
    out
}

fn unit_of_print(field: &str) -> f64 {
    let decimals = DECIMALS.iter().find(|(name, _)| *name == field).expect("a field").1;
    10f64.powi(-decimals)
}

fn as_printed(field: &str, value: f64) -> f64 {
    let unit = unit_of_print(field);
    (value / unit).round() * unit
}

/// Fields that no `.raw` and no `.pwb` has.
fn not_in_format(file: &str, field: &str) -> bool {
    file != FILES[2] && field.starts_with("cost_")
}

/// Every value of `net` that differs from that of the `.m` after both are rounded to the digits of the `.m`: `(value in
/// .m, value in the file)`, `None` without such an element.
fn differences(m: &AnalysisNetwork, net: &AnalysisNetwork, file: &str) -> BTreeMap<Key, (Option<f64>, Option<f64>)> {
    let (a, b) = (values(m), values(net));
    let mut keys: Vec<&Key> = a.keys().chain(b.keys()).collect();
    keys.sort();
    keys.dedup();
    let differ = |key: &&Key| match (a.get(*key), b.get(*key)) {
        (Some(x), Some(y)) => {
            let off = as_printed(key.2, *x) - as_printed(key.2, *y);
            off.abs() > 0.5 * unit_of_print(key.2)
        }
        _ => true,
    };
    keys.into_iter()
        .filter(|key| !not_in_format(file, key.2))
        .filter(differ)
        .map(|key| (key.clone(), (a.get(key).copied(), b.get(key).copied())))
        .collect()
}

/// Converts a file to the state of the `.m`: listed differences undone, everything else rounded to its digits, costs
/// taken from the `.m` where the format has none.
fn reconciled(m: &AnalysisNetwork, net: &AnalysisNetwork, file: &str, round: bool) -> AnalysisNetwork {
    let (listed, reference) = (differences(m, net, file), values(m));
    let mut out = net.clone();
    visit(&mut out, |key, value| {
        if listed.contains_key(&key) || not_in_format(file, key.2) {
            // An element that the `.m` lacks is out of service here.
            *value = match reference.get(&key) {
                Some(of_m) => *of_m,
                None if key.2 == "in_service" => 0.0,
                None => *value,
            };
        } else if round {
            *value = as_printed(key.2, *value);
        }
    });
    out
}

#[test]
fn every_difference_is_listed() {
    let Some([m, raw, aux, pwb]) = networks() else { return };
    let show = |v: Option<f64>| {
        v.map_or_else(
            || "absent".to_string(),
            |v| format!("{}", (v * 1e6).round() / 1e6 + 0.0),
        )
    };
    let mut table = String::from("file,element,id,field,in_m,in_file\n");
    for (net, file) in [(&raw, FILES[1]), (&aux, FILES[2]), (&pwb, FILES[3])] {
        for ((kind, id, field), (a, b)) in differences(&m, net, file) {
            writeln!(table, "{file},{kind},{id},{field},{},{}", show(a), show(b)).expect("a string grows");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    if std::env::var_os("WATTBOOK_UPDATE").is_some() {
        std::fs::write(&path, &table).expect("a writable file");
    }
    let listed = std::fs::read_to_string(&path).unwrap_or_default();
    let listed: Vec<&str> = listed.lines().collect();
    let found: Vec<&str> = table.lines().collect();
    let unlisted: Vec<_> = found.iter().filter(|row| !listed.contains(row)).collect();
    let gone: Vec<_> = listed.iter().filter(|row| !found.contains(row)).collect();
    assert!(
        unlisted.is_empty() && gone.is_empty(),
        "not listed: {unlisted:#?}\nno longer so: {gone:#?}"
    );
}

/// The kinds of fields that the table may contain: those that a revision changes, and nothing of the grid itself.
#[test]
fn the_differences_are_of_the_expected_kind() {
    let Some([m, raw, aux, pwb]) = networks() else { return };
    assert_eq!((m.buses.len(), m.branches.len(), m.generators.len()), (200, 245, 49));
    let total = |net: &AnalysisNetwork| net.buses.iter().map(|b| b.demand_pu).sum::<f64>() * net.base_mva;
    assert!((total(&m) - 1475.69).abs() < 1e-6 && (total(&raw) - 1475.657).abs() < 1e-6);
    assert!((total(&aux) - 2178.0).abs() < 1e-3 && total(&aux) == total(&pwb));

    let fields = |net: &AnalysisNetwork, file: &str, kind: &str| -> Vec<&'static str> {
        let mut out: Vec<_> = differences(&m, net, file).into_keys().collect();
        out.retain(|key| key.0 == kind && key.1 != "82-64");
        let mut out: Vec<_> = out.into_iter().map(|key| key.2).collect();
        out.sort_unstable();
        out.dedup();
        out
    };
    // The RAW prints 6 significant digits of what the `.m` rounds once more: one unit of the last digit at most.
    assert_eq!(fields(&raw, FILES[1], "branch"), ["b_pu", "r_pu", "x_pu"]);
    for ((kind, id, field), (a, b)) in differences(&m, &raw, FILES[1]) {
        if kind == "branch" || kind == "bus" {
            let off = (a.expect("a value") - b.expect("a value")).abs() / unit_of_print(field);
            let digits = if field == "x_pu" && a > Some(1.0) { 5.01 } else { 0.51 };
            assert!(
                off < digits,
                "{kind} {id}: {field} differs by {off} units of the last digit"
            );
        }
    }
    for (net, file) in [(&aux, FILES[2]), (&pwb, FILES[3])] {
        assert_eq!(fields(net, file, "branch"), ["rating_mw"]);
        assert_eq!(net.branches.len(), 246);
    }
    // A .pwb carries no reference and, in this file, no status of the units; it says so.
    assert_eq!(fields(&aux, FILES[2], "bus"), ["demand_mvar", "demand_mw"]);
    assert_eq!(fields(&pwb, FILES[3], "bus"), ["demand_mvar", "demand_mw", "reference"]);
    assert!(pwb.warnings.iter().any(|w| w.code == "INPUT.STATUS_NOT_IN_FORMAT"));
    for net in [&raw, &pwb] {
        assert!(net.warnings.iter().any(|w| w.code == "COST.NOT_IN_FORMAT"));
    }
}

fn power_flow(net: &AnalysisNetwork) -> DcPowerFlow {
    let model = DcModel::new(net, Convention::Matpower).expect("model");
    DcPowerFlow::solve(net, &model, &DcData::base(net)).expect("power flow")
}

/// Largest difference of angles (radians) and of flows (per unit, by the ends of the branch).
fn apart(a: &AnalysisNetwork, b: &AnalysisNetwork) -> f64 {
    let (x, y) = (power_flow(a), power_flow(b));
    let angles = x.theta.iter().zip(&y.theta).map(|(s, t)| (s - t).abs());
    let flows = |net: &AnalysisNetwork, s: &DcPowerFlow| -> BTreeMap<(u64, u64, usize), f64> {
        let mut out = BTreeMap::new();
        for (row, branch) in net.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
            let (f, t) = (net.buses[branch.from].id, net.buses[branch.to].id);
            let circuit = (0..).find(|n| !out.contains_key(&(f, t, *n))).unwrap_or(0);
            out.insert((f, t, circuit), s.flow[row]);
        }
        out
    };
    let (f, g) = (flows(a, &x), flows(b, &y));
    assert!(f.keys().eq(g.keys()), "other branches");
    let flows = f.values().zip(g.values()).map(|(s, t)| (s - t).abs());
    angles.chain(flows).fold(0.0, f64::max)
}

#[test]
fn the_four_have_the_same_power_flow() {
    let Some([m, raw, aux, pwb]) = networks() else { return };
    for (net, file) in [(&raw, FILES[1]), (&aux, FILES[2]), (&pwb, FILES[3])] {
        let difference = apart(&m, &reconciled(&m, net, file, true));
        assert!(difference < 1e-6, "{file}: {difference}");
        // With its own digits a file differs by no more than its rounding: half a hundredth of a MW per load.
        let unrounded = apart(&m, &reconciled(&m, net, file, false));
        assert!(unrounded < 2e-3, "{file}: {unrounded} with its own digits");
        println!("{file}: {difference:.1e} after rounding, {unrounded:.1e} before");
    }
    // Within the later revision only what a .pwb cannot represent is undone, and only impedances are rounded: the .aux
    // prints 6 decimals of what the .pwb holds in single precision.
    let mut aux = aux;
    let mut completed = pwb.clone();
    for (bus, other) in completed.buses.iter_mut().zip(&aux.buses) {
        bus.is_reference = other.is_reference;
    }
    for (unit, other) in completed.generators.iter_mut().zip(&aux.generators) {
        assert_eq!(unit.bus, other.bus);
        unit.in_service = other.in_service;
    }
    for net in [&mut aux, &mut completed] {
        visit(net, |key, value| {
            if ["r_pu", "x_pu"].contains(&key.2) {
                *value = as_printed(key.2, *value);
            }
        });
    }
    let difference = apart(&aux, &completed);
    assert!(difference < 1e-6, "aux and pwb: {difference}");
}

fn optimum(net: &AnalysisNetwork, convention: Convention) -> f64 {
    let model = DcModel::new(net, convention).expect("model");
    DualActiveSet
        .optimum(&model, &DcData::base(net), None)
        .expect("optimum")
        .objective
}

#[test]
fn the_two_with_costs_have_the_same_optimum() {
    let Some([m, _, aux, _]) = networks() else { return };
    let same_hour = reconciled(&m, &aux, FILES[2], true);
    for convention in [Convention::Service, Convention::Matpower] {
        let (a, b) = (optimum(&m, convention), optimum(&same_hour, convention));
        assert!((a - b).abs() / a < 1e-6, "{convention:?}: {a} and {b}");
        let own = optimum(&aux, convention);
        assert!(own > a, "the later revision serves more load: {own} and {a}");
    }
}
