//! Hand-made networks, and the data folder.

#![allow(dead_code)] // each test file uses some of it

use std::path::{Path, PathBuf};
use wattbook_network::analysis::{AnalysisNetwork, Branch, Bus, Cost, Generator, Link};
use wattbook_solve::dc::{self, Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet};

/// MVA.
pub const BASE: f64 = 100.0;

/// `WATTBOOK_DATA`, else `../shared/data` beside the repository; None, with a line on the output, where it is absent.
pub fn data_folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let folder = std::env::var_os("WATTBOOK_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no data folder at {}", folder.display());
    None
}

pub fn bus(id: u64, demand_mw: f64) -> Bus {
    Bus {
        id,
        uid: None,
        name: None,
        source_index: None,
        base_kv: 230.0,
        area: None,
        zone: None,
        in_service: true,
        editable: true,
        is_reference: id == 1,
        is_pv: false,
        vm_pu: 1.0,
        va_rad: 0.0,
        demand_pu: demand_mw / BASE,
        demand_q_pu: 0.0,
        constant_current_pu: [0.0; 2],
        constant_impedance_pu: [0.0; 2],
        gs_pu: 0.0,
        bs_pu: 0.0,
        vmin_pu: 0.9,
        vmax_pu: 1.1,
        lon_lat: None,
    }
}

/// r = 0.01, x = 0.1, between dense bus rows.
pub fn line(id: u64, from: usize, to: usize, rating_mw: f64) -> Branch {
    Branch {
        id,
        uid: None,
        name: None,
        is_switch: false,
        from,
        to,
        r_pu: 0.01,
        x_pu: 0.1,
        shunt_from_pu: [0.0, 0.0],
        shunt_to_pu: [0.0, 0.0],
        tap: 1.0,
        shift_rad: 0.0,
        in_service: true,
        editable: true,
        angle_min_rad: -std::f64::consts::FRAC_PI_3,
        angle_max_rad: std::f64::consts::FRAC_PI_3,
        rating_pu: rating_mw / BASE,
        angle_limits_about_shift: false,
        angle_limits_assumed: false,
        rating_is_fallback: false,
        emergency_ratings_pu: [None; 2],
        route: None,
    }
}

pub fn generator(id: u64, bus: usize, (lo, hi): (f64, f64), cost: Cost) -> Generator {
    Generator {
        id,
        uid: None,
        bus,
        in_service: true,
        pg_pu: 0.0,
        qg_pu: 0.0,
        pmin_pu: lo / BASE,
        pmax_pu: hi / BASE,
        qmin_pu: 0.0,
        qmax_pu: 0.0,
        vset_pu: 1.0,
        regulates_voltage: true,
        regulated_bus: None,
        cost,
        has_cost: true,
        energy_source: Default::default(),
    }
}

/// A link between dense bus rows with limits in MW and a loss factor, without cost.
pub fn link(id: u64, from: usize, to: usize, (lo, hi): (f64, f64), loss1: f64) -> Link {
    Link {
        id,
        uid: None,
        name: None,
        from,
        to,
        in_service: true,
        pf_pu: 0.0,
        pmin_pu: lo / BASE,
        pmax_pu: hi / BASE,
        loss0_pu: 0.0,
        loss1,
        cost: quadratic(0.0, 0.0),
        q_pu: [0.0; 2],
        qmin_pu: [0.0; 2],
        qmax_pu: [0.0; 2],
        vset_pu: [1.0; 2],
        regulates_voltage: [true; 2],
    }
}

/// `c2 p^2 + c1 p` in $/h with p in MW.
pub fn quadratic(c2: f64, c1: f64) -> Cost {
    Cost::Quadratic {
        c2: c2 * BASE * BASE,
        c1: c1 * BASE,
        c0: 0.0,
    }
}

pub fn network(buses: Vec<Bus>, branches: Vec<Branch>, generators: Vec<Generator>) -> AnalysisNetwork {
    AnalysisNetwork {
        name: "hand-made".into(),
        base_mva: BASE,
        base_exponent: 0,
        n_canonical_buses: buses.len(),
        n_canonical_branches: branches.len(),
        buses,
        branches,
        generators,
        links: Vec::new(),
        storages: Vec::new(),
        coords_kind: None,
        warnings: Vec::new(),
    }
}

/// The three-bus network: three identical lines with these ratings (1-2, 2-3 and 1-3),
/// two quadratic generators.
pub fn three_bus(ratings: [f64; 3]) -> AnalysisNetwork {
    network(
        vec![bus(1, 0.0), bus(2, 90.0), bus(3, 0.0)],
        vec![
            line(1, 0, 1, ratings[0]),
            line(2, 1, 2, ratings[1]),
            line(3, 0, 2, ratings[2]),
        ],
        vec![
            generator(1, 0, (10.0, 250.0), quadratic(0.11, 5.0)),
            generator(2, 2, (10.0, 270.0), quadratic(0.085, 1.2)),
        ],
    )
}

pub fn solve(network: &AnalysisNetwork) -> (DcModel, DcSolution) {
    let model = DcModel::new(network, Convention::Service).unwrap();
    let solution = DualActiveSet.optimum(&model, &DcData::base(network), None).unwrap();
    (model, solution)
}

#[track_caller]
pub fn close(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= tolerance, "{got:?} against {want:?}");
    }
}

pub fn lmp(s: &DcSolution) -> Vec<f64> {
    s.price.iter().map(|p| p / BASE).collect()
}

pub fn mw(values: &[f64]) -> Vec<f64> {
    values.iter().map(|p| p * BASE).collect()
}

/// Every region of a path agrees with cold solves inside it, and its breakpoints with the region before; how many positions were
/// compared.
#[track_caller]
pub fn agrees_with_cold_solves(path: &dc::Path, what: &str, cold_at: impl Fn(f64) -> DcSolution) -> usize {
    let mut checked = 0;
    for pair in path.regions.windows(2) {
        let (a, b) = (pair[0].objective_at(pair[0].to), pair[1].objective_at(pair[1].from));
        assert!(
            (a - b).abs() <= 1e-9 * (1.0 + a.abs()),
            "{what}: {a} and {b} at {}",
            pair[0].to
        );
        assert_eq!(pair[0].to, pair[1].from, "{what}");
    }
    for region in &path.regions {
        for part in [0.03, 0.5, 0.97] {
            let position = region.from + part * (region.to - region.from);
            let cold = cold_at(position);
            let objective = region.objective_at(position);
            assert!(
                (cold.objective - objective).abs() <= 1e-9 * (1.0 + cold.objective.abs()),
                "{what}: {} against {objective} at {position}",
                cold.objective
            );
            let largest = cold.price.iter().fold(1.0f64, |m, p| m.max(p.abs()));
            for (bus, (cold, tracked)) in cold.price.iter().zip(region.prices_at(position)).enumerate() {
                assert!(
                    (cold - tracked).abs() <= 1e-7 * largest,
                    "{what}: bus {bus} at {position}: {cold} against {tracked}"
                );
            }
            checked += 1;
        }
    }
    checked
}
