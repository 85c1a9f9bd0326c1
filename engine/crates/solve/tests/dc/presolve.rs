//! The bridge presolve changes nothing but the time: prices, shadow prices, columns and warrants are those without it.
//!
//! Data: `WATTBOOK_DATA`, else `../shared/data`; skipped, with a count, where it is absent.

use std::path::{Path, PathBuf};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::dc::{
    Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, End, SensitivityColumn, Target, WarrantKind,
};
use wattbook_solve::vocabulary::Direction;

const CASES: [&str; 7] = [
    "pglib_opf_case240_pserc.m",
    "pglib_opf_case300_ieee__api.m",
    "pglib_opf_case1354_pegase__api.m",
    "pglib_opf_case1888_rte.m",
    "pglib_opf_case2000_goc.m",
    "pglib_opf_case2383wp_k.m",
    "pglib_opf_case2869_pegase.m",
];

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.into_iter().find_map(|path| match path.is_dir() {
        true => find(&path, name),
        false => path.file_name().is_some_and(|n| n == name).then_some(path),
    })
}

fn networks() -> Vec<(&'static str, AnalysisNetwork)> {
    let data = std::env::var_os("WATTBOOK_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    );
    let read = |name: &&'static str| {
        let bytes = std::fs::read(find(&data, name)?).ok()?;
        Some((*name, ingest_case(&bytes, "matpower").ok()?.network))
    };
    let found: Vec<_> = CASES.iter().filter_map(read).collect();
    println!("{} of {} cases present", found.len(), CASES.len());
    found
}

/// Fixed-seed xorshift in [0, 1).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()))
}

fn size(a: &[f64]) -> f64 {
    a.iter().fold(1.0f64, |m, a| m.max(a.abs()))
}

fn assert_same(what: &str, a: &DcSolution, b: &DcSolution) {
    assert!(
        (a.objective - b.objective).abs() <= 1e-9 * a.objective.abs(),
        "{what}: objective"
    );
    for (name, a, b) in [
        ("price", &a.price, &b.price),
        ("dispatch", &a.dispatch, &b.dispatch),
        ("flow", &a.flow, &b.flow),
        ("shadow", &a.shadow, &b.shadow),
    ] {
        let (difference, size) = (largest_difference(a, b), size(a));
        assert!(
            difference <= 1e-7 * size,
            "{what}: {name} differs by {difference:e} of {size:e}"
        );
    }
}

fn same_end(a: &Option<End>, b: &Option<End>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => (a.step - b.step).abs() <= 1e-6 * (1.0 + a.step.abs()),
        _ => false,
    }
}

fn assert_same_column(what: &str, a: &SensitivityColumn, b: &SensitivityColumn) {
    let (difference, size) = (largest_difference(&a.price, &b.price), size(&a.price));
    assert!(
        difference <= 1e-8 * size,
        "{what}: column differs by {difference:e} of {size:e}"
    );
    assert!(
        (a.objective - b.objective).abs() <= 1e-7 * (1.0 + a.objective.abs()),
        "{what}: slope"
    );
    assert_eq!(a.warrant.kind, b.warrant.kind, "{what}");
    let same = same_end(&a.warrant.lower, &b.warrant.lower) && same_end(&a.warrant.upper, &b.warrant.upper);
    assert!(same, "{what}: {:?} against {:?}", a.warrant, b.warrant);
}

#[test]
fn columns_and_warrants_do_not_see_the_presolve() {
    let mut random = Random(7);
    let (mut columns, mut binding_bridges, mut present) = (0, 0, 0);
    for (name, network) in networks() {
        present += 1;
        let model = DcModel::new(&network, Convention::PowerModels).unwrap();
        let mut base: Option<(DcSolution, DcSolution)> = None;
        for state in 0..3 {
            // The base case, then demands and ratings that have nothing in common with it.
            let mut data = DcData::base(&network);
            if state > 0 {
                data.demand.iter_mut().for_each(|d| *d *= 0.98 + 0.02 * random.unit());
                data.rating.iter_mut().for_each(|r| *r *= 0.98 + 0.06 * random.unit());
            }
            let starts = base.as_ref().map_or((None, None), |b| (Some(&b.0), Some(&b.1)));
            let with = DualActiveSet.optimum(&model, &data, starts.0);
            let without = DualActiveSet.optimum_without_presolve(&model, &data, starts.1);
            let (with, without) = match (with, without) {
                (Ok(with), Ok(without)) => (with, without),
                (Err(a), Err(b)) => {
                    assert_eq!(a.code, b.code, "{name}");
                    continue;
                }
                (a, b) => panic!("{name}: {:?} against {:?}", a.err(), b.err()),
            };
            // Ties at the base case leave a choice of prices.
            if state > 0 {
                assert_same(name, &with, &without);
                binding_bridges += with.binding_unit_bridges();
            }
            let mut targets: Vec<Target> = (0..20)
                .map(|_| Target::Demand(random.below(network.buses.len())))
                .collect();
            targets.extend(
                (0..network.branches.len())
                    .filter(|&b| with.shadow[b] != 0.0)
                    .take(30)
                    .map(Target::Rating),
            );
            for target in targets.into_iter().filter(|_| state > 0) {
                let a = with.derivative(&model, &Direction::from(target));
                let b = without.derivative(&model, &Direction::from(target));
                if a.warrant.kind == WarrantKind::Regular {
                    assert_same_column(&format!("{name} state {state} {target:?}"), &a, &b);
                    columns += 1;
                }
            }
            if state == 0 {
                base = Some((with, without));
            }
        }
    }
    println!("{columns} columns agree; {binding_bridges} bridges with one unit bind");
    assert!(present == 0 || (columns >= 200 && binding_bridges > 0));
}

/// A radial unit behind a line at its limit: the line has the shadow price, and its rating and the demand at the unit
/// have the expected effect.
#[test]
fn a_commit_from_a_full_bridge_moves_with_rating_and_demand() {
    for (name, network) in networks() {
        let model = DcModel::new(&network, Convention::PowerModels).unwrap();
        let base = DualActiveSet.optimum(&model, &DcData::base(&network), None).unwrap();
        let mut binding: Vec<usize> = (0..network.branches.len()).filter(|&b| base.shadow[b] != 0.0).collect();
        binding.truncate(12);
        for branch in binding {
            for factor in [0.97, 1.04] {
                let mut data = DcData::base(&network);
                data.rating[branch] *= factor;
                let bus = network.branches[branch].from;
                data.demand[bus] = (data.demand[bus] * factor).max(0.0);
                let warm = DualActiveSet.optimum(&model, &data, Some(&base));
                let cold = DualActiveSet.optimum_without_presolve(&model, &data, None);
                match (warm, cold) {
                    (Ok(warm), Ok(cold)) => {
                        let difference = (warm.objective - cold.objective).abs();
                        assert!(
                            difference <= 1e-9 * cold.objective.abs(),
                            "{name} branch {branch}: {difference}"
                        );
                    }
                    (Err(a), Err(b)) => assert_eq!(a.code, b.code, "{name} branch {branch}"),
                    (a, b) => panic!("{name} branch {branch}: {:?} against {:?}", a.err(), b.err()),
                }
            }
        }
    }
}
