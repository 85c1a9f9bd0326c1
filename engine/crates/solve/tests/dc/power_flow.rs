//! DC power flow: closed forms on three identical lines, islands, phase shifters, and
//! whole grids against PYPOWER's rundcpf (`reference/dcpf_pypower.csv`, written by tests/bench/peers/dcpf_reference.py).

use crate::common::{bus, network, quadratic, BASE};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wattbook_network::analysis::{AnalysisNetwork, Branch, Generator};
use wattbook_network::ingest_case;
use wattbook_solve::dc::{Convention, DcData, DcModel, DcPowerFlow};

/// Susceptance of a line with r = 0.01 and x = 0.1, per unit.
const B: f64 = 0.1 / (0.0001 + 0.01);

fn line(id: u64, from: usize, to: usize) -> Branch {
    crate::common::line(id, from, to, 250.0)
}

/// A unit with its scheduled output in the file.
fn generator(id: u64, bus: usize, pg_mw: f64, pmax_mw: f64) -> Generator {
    Generator {
        pg_pu: pg_mw / BASE,
        ..crate::common::generator(id, bus, (0.0, pmax_mw), quadratic(0.0, 0.0))
    }
}

/// 90 MW at bus 2, 20 MW scheduled at bus 1 (reference) and 60 MW at bus 3.
fn three_bus() -> AnalysisNetwork {
    network(
        vec![bus(1, 0.0), bus(2, 90.0), bus(3, 0.0)],
        vec![line(1, 0, 1), line(2, 1, 2), line(3, 0, 2)],
        vec![generator(1, 0, 20.0, 250.0), generator(2, 2, 60.0, 270.0)],
    )
}

fn solve(network: &AnalysisNetwork, convention: Convention) -> wattbook_network::Result<DcPowerFlow> {
    let model = DcModel::new(network, convention)?;
    DcPowerFlow::solve(network, &model, &DcData::base(network))
}

fn solved(network: &AnalysisNetwork) -> DcPowerFlow {
    solve(network, Convention::Service).expect("a power flow")
}

fn mw(values: &[f64]) -> Vec<f64> {
    values.iter().map(|p| p * BASE).collect()
}

#[track_caller]
fn close(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    assert!(
        got.iter().zip(want).all(|(g, w)| (g - w).abs() <= 1e-9),
        "{got:?} against {want:?}"
    );
}

/// Power between two buses takes the direct line with two thirds and the other path with one third. Bus 1 gives 20 + 10
/// MW (the 10 that the file's dispatch lacks), bus 3 gives 60.
#[test]
fn three_identical_lines() {
    let s = solved(&three_bus());
    close(&mw(&s.flow), &[40.0, -50.0, -10.0]);
    close(&s.theta, &[0.0, -0.40 / B, 0.10 / B]);
    close(&mw(&s.injection), &[30.0, -90.0, 60.0]);
    assert_eq!((s.slack.len(), s.slack[0].bus, s.slack[0].beyond_limits), (1, 0, false));
    close(&[s.slack[0].added * BASE], &[10.0]);
    assert!(s.mismatch < 1e-12);
}

/// b = x/(r^2+x^2) or 1/(x tap): flows of a ring of equal lines stay, its angles do not.
#[test]
fn conventions_scale_the_angles() {
    let mut ring = three_bus();
    let s = solve(&ring, Convention::Matpower).unwrap();
    close(&mw(&s.flow), &[40.0, -50.0, -10.0]);
    close(&s.theta, &[0.0, -0.040, 0.010]);
    // A tap of 0.5 doubles line 1-2: two thirds become four fifths.
    ring.branches[0].tap = 0.5;
    let s = solve(&ring, Convention::Matpower).unwrap();
    let from_bus_1 = 30.0 * 4.0 / 5.0;
    // Of bus 3's 60 MW three fifths go straight over line 2-3 (susceptance 10 against 20 and 10 in series).
    close(&mw(&s.flow)[..1], &[from_bus_1 + 60.0 * 2.0 / 5.0]);
    close(&mw(&solved(&ring).flow), &[40.0, -50.0, -10.0]);
}

#[test]
fn parallel_lines_share_by_susceptance() {
    let mut twice = line(2, 0, 1);
    (twice.r_pu, twice.x_pu) = (0.005, 0.05);
    let mut open = line(3, 0, 1);
    open.in_service = false;
    let s = solved(&network(
        vec![bus(1, 0.0), bus(2, 90.0)],
        vec![line(1, 0, 1), twice, open],
        vec![generator(1, 0, 90.0, 100.0)],
    ));
    close(&mw(&s.flow), &[30.0, 60.0, 0.0]);
    close(&[s.slack[0].added], &[0.0]);
}

/// A phase shifter in a ring of three equal lines drives a circulating flow of -b shift / 3; shunt conductance consumes.
#[test]
fn phase_shift_and_shunt() {
    let mut shifted = three_bus();
    shifted.branches[0].shift_rad = 0.03;
    let round = -B * 0.03 * BASE / 3.0;
    close(
        &mw(&solved(&shifted).flow),
        &[40.0 + round, -50.0 + round, -10.0 - round],
    );
    let unshifted = solve(&shifted, Convention::PowerModels).unwrap();
    close(&mw(&unshifted.flow), &[40.0, -50.0, -10.0]);

    shifted.branches[0].shift_rad = 0.0;
    shifted.buses[1].gs_pu = 0.03;
    let s = solved(&shifted);
    close(&[s.slack[0].added * BASE], &[13.0]);
    close(&mw(&s.injection), &[33.0, -90.0, 60.0]);
    close(&mw(&s.flow), &[42.0, -51.0, -9.0]);
}

/// Each island has a slack: the reference where the file marks one, else the largest running unit.
#[test]
fn two_islands() {
    let mut two = three_bus();
    two.buses.extend([bus(4, 10.0), bus(5, 0.0), bus(6, 0.0), bus(7, 0.0)]);
    two.branches.extend([line(4, 3, 4), line(5, 4, 5)]);
    two.generators
        .extend([generator(3, 4, 3.0, 5.0), generator(4, 5, 4.0, 6.0)]);
    let mut stopped = generator(5, 3, 100.0, 500.0);
    stopped.in_service = false;
    two.generators.push(stopped);
    let s = solved(&two);
    close(&mw(&s.flow), &[40.0, -50.0, -10.0, -10.0, -7.0]);
    assert_eq!((s.slack.len(), s.slack[1].bus, s.slack[1].beyond_limits), (2, 5, true));
    close(&[s.slack[1].added * BASE], &[3.0]);
    assert_eq!(s.theta[5], 0.0);
    // Bus 7 is empty and inactive.
    assert_eq!((s.injection[6], s.theta[6]), (0.0, 0.0));

    // A marked bus without a running unit cannot balance anything.
    two.buses[3].is_reference = true;
    assert_eq!(solved(&two).slack[1].bus, 5);
    two.buses[4].is_reference = true;
    let s = solved(&two);
    assert_eq!((s.slack[1].bus, s.slack[1].beyond_limits), (4, true));
}

#[test]
fn an_island_without_supply_is_refused_by_name() {
    let mut dark = three_bus();
    dark.buses.push(bus(4, 12.5));
    let error = solve(&dark, Convention::Service).unwrap_err();
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    assert!(
        error.message().contains("bus 4") && error.message().contains("12.5 MW"),
        "{}",
        error.message()
    );
    // Demand that a negative demand in the same island covers needs no generator.
    dark.buses.push(bus(5, -12.5));
    dark.branches.push(line(4, 3, 4));
    close(&mw(&solved(&dark).flow)[3..], &[-12.5]);
}

fn data_folder() -> PathBuf {
    std::env::var_os("WATTBOOK_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    )
}

#[test]
fn whole_grids_agree_with_pypower() {
    let mut cases: BTreeMap<&str, Vec<(&str, u64, f64)>> = BTreeMap::new();
    for row in include_str!("../reference/dcpf_pypower.csv").lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [case, kind, id, value] = fields[..] else {
            panic!("a row of four fields: {row}")
        };
        let (id, value) = (id.parse().expect("an id"), value.parse().expect("a number"));
        cases.entry(case).or_default().push((kind, id, value));
    }
    assert_eq!(cases.len(), 6);
    for (case, rows) in cases {
        let path = data_folder().join(case);
        let Ok(bytes) = std::fs::read(&path) else {
            println!("skipped: 1 grid, no file at {}", path.display());
            continue;
        };
        let network = ingest_case(&bytes, "matpower")
            .unwrap_or_else(|e| panic!("{case}: {e}"))
            .network;
        let s = solve(&network, Convention::Matpower).unwrap_or_else(|e| panic!("{case}: {e}"));
        let bus_row: BTreeMap<u64, usize> = network.buses.iter().enumerate().map(|(k, b)| (b.id, k)).collect();
        let mut worst = 0.0f64;
        for (kind, id, want) in &rows {
            let (got, scale): (f64, f64) = match *kind {
                "bus" => (s.theta[bus_row[id]].to_degrees(), 1.0),
                "branch" => (s.flow[*id as usize - 1] * network.base_mva, 100.0),
                _ => {
                    assert_eq!(s.slack[0].bus, bus_row[id], "{case}");
                    (s.slack[0].added * network.base_mva, 100.0)
                }
            };
            let error = (got - want).abs() / scale.max(want.abs());
            assert!(error < 1e-6, "{case}: {kind} {id}: {got} against {want}");
            worst = worst.max(error);
        }
        println!("{case}: {} rows agree, worst {worst:.1e}", rows.len());
    }
}
