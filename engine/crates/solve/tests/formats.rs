//! One grid in four formats: ACTIVSg200 from `.m`, `.RAW`, `.aux` and `.pwb`.
//!
//! The files are two revisions of the case. `.m` and `.RAW` hold one hour, `.aux` and `.pwb` a later peak hour with other
//! loads, units and ratings and one more branch. What differs is listed here; everything else must agree to the digits that
//! the `.m` prints. Where the data folder is absent the tests say so.

use std::path::{Path, PathBuf};
use wattbook_network::analysis::{Branch, Cost, Generator};
use wattbook_network::{format_of, ingest_case, AnalysisNetwork};
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DualActiveSet};

/// Largest difference that rounding in the files explains: the `.m` prints 6 digits, `.pwb` holds single precision.
const ROUNDING: f64 = 6e-6;
/// The branch that only `.aux` and `.pwb` have.
const ADDED: (u64, u64) = (64, 82);
/// Branches that the later revision rates higher.
const RERATED: [(u64, u64); 2] = [(121, 187), (123, 124)];
/// Buses of the units that the later revision has in service.
const STARTED: [u64; 2] = [161, 197];
/// Buses of the units whose limits differ between `.m` and `.RAW`, and between `.m` and the later revision.
const RELIMITED_RAW: [u64; 6] = [65, 104, 105, 114, 115, 147];
const RELIMITED_LATER: [u64; 9] = [65, 104, 105, 114, 115, 125, 126, 127, 147];

fn data_folder() -> PathBuf {
    std::env::var_os("WATTBOOK_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    )
}

/// The four networks (`.m`, `.RAW`, `.aux`, `.pwb`), or None with a line on the output.
fn networks() -> Option<[AnalysisNetwork; 4]> {
    let folder = data_folder().join("activsg200");
    let read = |name: &str| {
        let bytes = std::fs::read(folder.join(name)).ok()?;
        let case = ingest_case(&bytes, format_of(name)?);
        Some(case.unwrap_or_else(|e| panic!("{name}: {e}")).network)
    };
    let all = [
        "case_ACTIVSg200.m",
        "ACTIVSg200.RAW",
        "ACTIVSg200.aux",
        "ACTIVSg200.pwb",
    ]
    .map(read);
    let [Some(m), Some(raw), Some(aux), Some(pwb)] = all else {
        println!("skipped: 1 grid in four formats, no data at {}", folder.display());
        return None;
    };
    Some([m, raw, aux, pwb])
}

/// Branches by bus numbers, without the added one.
fn branches(net: &AnalysisNetwork) -> Vec<((u64, u64), &Branch)> {
    let ends = |b: &Branch| {
        let (from, to) = (net.buses[b.from].id, net.buses[b.to].id);
        (from.min(to), from.max(to))
    };
    let mut out: Vec<_> = net
        .branches
        .iter()
        .map(|b| (ends(b), b))
        .filter(|(k, _)| *k != ADDED)
        .collect();
    out.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.x_pu.total_cmp(&b.1.x_pu)));
    out
}

/// Generators by bus number; the grid has one at a bus.
fn generators(net: &AnalysisNetwork) -> Vec<(u64, &Generator)> {
    let mut out: Vec<_> = net.generators.iter().map(|g| (net.buses[g.bus].id, g)).collect();
    out.sort_by_key(|(bus, _)| *bus);
    out
}

#[test]
fn buses_and_branches_agree() {
    let Some(all) = networks() else { return };
    let m = &all[0];
    for (k, net) in all.iter().enumerate() {
        let later = k >= 2;
        assert_eq!(
            (net.buses.len(), net.branches.len(), net.base_mva),
            (200, if later { 246 } else { 245 }, 100.0)
        );
        for (a, b) in m.buses.iter().zip(&net.buses) {
            assert_eq!((a.id, a.in_service), (b.id, b.in_service));
            assert!((a.base_kv - b.base_kv).abs() < 1e-6 && (a.bs_pu - b.bs_pu).abs() < 1e-7 && a.gs_pu == b.gs_pu);
            assert!(
                (a.vmin_pu - b.vmin_pu).abs() < 1e-6 && (a.vmax_pu - b.vmax_pu).abs() < 1e-6,
                "bus {}",
                a.id
            );
        }
        let mut rerated = Vec::new();
        for ((ends, a), (other, b)) in branches(m).into_iter().zip(branches(net)) {
            assert_eq!((ends, a.in_service), (other, b.in_service));
            let pairs = [
                (a.r_pu, b.r_pu),
                (a.x_pu, b.x_pu),
                (a.b_pu, b.b_pu),
                (a.tap, b.tap),
                (a.shift_rad, b.shift_rad),
            ];
            for (x, y) in pairs {
                assert!((x - y).abs() < ROUNDING, "branch {ends:?}: {x} and {y}");
            }
            if (a.rating_pu - b.rating_pu).abs() > 1e-4 {
                rerated.push(ends);
            }
        }
        assert_eq!(rerated, if later { &RERATED[..] } else { &[] });
    }
}

#[test]
fn demand_and_generation_agree_within_a_revision() {
    let Some([m, raw, aux, pwb]) = networks() else { return };
    let total = |net: &AnalysisNetwork| net.buses.iter().map(|b| b.demand_pu).sum::<f64>() * net.base_mva;
    assert!((total(&m) - 1475.69).abs() < 1e-6 && (total(&raw) - 1475.657).abs() < 1e-6);
    assert!((total(&aux) - 2178.0).abs() < 1e-3 && total(&aux) == total(&pwb));
    for (earlier, later) in [(&m, &raw), (&aux, &pwb)] {
        for (a, b) in earlier.buses.iter().zip(&later.buses) {
            let (p, q) = (a.demand_pu - b.demand_pu, a.demand_q_pu - b.demand_q_pu);
            assert!(p.abs() < 6e-5 && q.abs() < 6e-5, "bus {}: {p} and {q}", a.id);
        }
    }
    for (net, relimited, started) in [
        (&raw, &RELIMITED_RAW[..], &[][..]),
        (&aux, &RELIMITED_LATER, &STARTED),
        (&pwb, &RELIMITED_LATER, &[]),
    ] {
        let pairs: Vec<_> = generators(&m).into_iter().zip(generators(net)).collect();
        assert_eq!(pairs.len(), 49);
        let buses_where = |differ: &dyn Fn(&Generator, &Generator) -> bool| -> Vec<u64> {
            let chosen = pairs.iter().filter(|((_, a), (_, b))| differ(a, b));
            chosen.map(|((bus, _), _)| *bus).collect()
        };
        assert!(pairs.iter().all(|((a, _), (b, _))| a == b));
        let limits =
            |a: &Generator, b: &Generator| (a.pmin_pu - b.pmin_pu).abs() > 1e-4 || (a.pmax_pu - b.pmax_pu).abs() > 1e-4;
        assert_eq!(buses_where(&limits), relimited);
        let switched = buses_where(&|a, b| a.in_service != b.in_service);
        let unknown = net.warnings.iter().any(|w| w.code == "INPUT.STATUS_NOT_IN_FORMAT");
        if unknown {
            assert!(
                net.generators.iter().all(|g| g.in_service),
                "the format carries no status"
            );
            assert_eq!(switched.len(), 11);
        } else {
            assert_eq!(switched, started);
        }
    }
}

/// The cost as the `.m` prints it: c2 and c1 per MW with three decimals, c0 with two. The `.aux` prints more.
fn printed(cost: &Cost, base: f64) -> [i64; 3] {
    let Cost::Quadratic { c2, c1, c0 } = cost else {
        panic!("not quadratic")
    };
    [c2 / base / base * 1e3, c1 / base * 1e3, c0 * 1e2].map(|v| v.round() as i64)
}

fn optimum(net: &AnalysisNetwork) -> f64 {
    let model = DcModel::new(net, Convention::Matpower).expect("model");
    DualActiveSet
        .optimum(&model, &DcData::base(net), None)
        .expect("optimum")
        .objective
}

#[test]
fn the_two_with_costs_have_the_same_optimum() {
    let Some([m, _, mut aux, pwb]) = networks() else { return };
    assert!(pwb.warnings.iter().any(|w| w.code == "COST.NOT_IN_FORMAT"));
    let own = optimum(&aux);
    // The listed differences of the revision, and the digits of the costs; nothing else is taken from the `.m`.
    for (mine, other) in aux.buses.iter_mut().zip(&m.buses) {
        mine.demand_pu = other.demand_pu;
    }
    let unit_at: Vec<(u64, Generator)> = generators(&m).into_iter().map(|(bus, g)| (bus, g.clone())).collect();
    let bus_ids: Vec<u64> = aux.buses.iter().map(|b| b.id).collect();
    for g in &mut aux.generators {
        let bus = bus_ids[g.bus];
        let (_, other) = unit_at.iter().find(|(id, _)| *id == bus).expect("unit");
        if RELIMITED_LATER.contains(&bus) {
            (g.pmin_pu, g.pmax_pu) = (other.pmin_pu, other.pmax_pu);
        }
        g.in_service &= !STARTED.contains(&bus);
        if g.in_service {
            assert_eq!(
                printed(&g.cost, 100.0),
                printed(&other.cost, 100.0),
                "unit at bus {bus}"
            );
            g.cost = other.cost.clone();
        }
    }
    let ratings: Vec<_> = branches(&m).into_iter().map(|(ends, b)| (ends, b.rating_pu)).collect();
    for b in &mut aux.branches {
        let ends = (bus_ids[b.from].min(bus_ids[b.to]), bus_ids[b.from].max(bus_ids[b.to]));
        b.in_service &= ends != ADDED;
        if RERATED.contains(&ends) {
            b.rating_pu = ratings.iter().find(|(e, _)| *e == ends).expect("branch").1;
        }
    }
    let (a, b) = (optimum(&m), optimum(&aux));
    assert!((a - b).abs() / a < 1e-6, "{a} and {b}");
    assert!(own > a, "the later revision serves more load: {own} and {a}");
}
