//! Feeders by hand.

use std::f64::consts::PI;
use wattbook_network::feeder::*;
use wattbook_solve::mc::{solve, Complex64 as C, McCertificate, McData, McModel, McOptions, McSolution};

pub fn c(re: f64, im: f64) -> C {
    C::new(re, im)
}

pub fn polar(size: f64, degrees: f64) -> C {
    let (sin, cos) = (degrees * PI / 180.0).sin_cos();
    c(size * cos, size * sin)
}

pub fn size(z: C) -> f64 {
    z.norm_sqr().sqrt()
}

pub const THREE: [f64; 3] = [0.0, -120.0, 120.0];

/// A feeder without elements.
pub fn feeder() -> Feeder {
    Feeder {
        base_frequency: 50.0,
        ..Feeder::default()
    }
}

/// Adds a bus with these terminals and gives its nodes; a terminal `0` is grounded.
pub fn bus(feeder: &mut Feeder, name: &str, terminals: &[&str]) -> Vec<usize> {
    let bus = feeder.buses.len();
    feeder.buses.push(FeederBus {
        name: name.into(),
        is_written: true,
    });
    let first = feeder.nodes.len();
    feeder.nodes.extend(terminals.iter().map(|t| FeederNode {
        bus,
        terminal: (*t).into(),
        is_grounded: *t == "0",
    }));
    (first..feeder.nodes.len()).collect()
}

pub fn source(feeder: &mut Feeder, nodes: &[usize], volts: f64, degrees: &[f64]) {
    feeder.sources.push(FeederSource {
        name: format!("vsource.s{}", feeder.sources.len()),
        nodes: nodes.to_vec(),
        reference: None,
        volts: vec![volts; nodes.len()],
        angles_rad: degrees.iter().map(|d| d * PI / 180.0).collect(),
        impedance: None,
    });
}

/// A line without coupling between its conductors.
pub fn line(feeder: &mut Feeder, from: &[usize], to: &[usize], z: C) {
    let n = from.len();
    let diagonal = |value: f64| {
        (0..n * n)
            .map(|at| if at % (n + 1) == 0 { value } else { 0.0 })
            .collect()
    };
    feeder.lines.push(FeederLine {
        name: format!("line.l{}", feeder.lines.len()),
        from: from.to_vec(),
        to: to.to_vec(),
        length: 1.0,
        r: diagonal(z.re),
        x: diagonal(z.im),
        g_from: vec![0.0; n * n],
        b_from: vec![0.0; n * n],
        g_to: vec![0.0; n * n],
        b_to: vec![0.0; n * n],
    });
}

pub fn branch(nodes: [Option<usize>; 2], power: C, v_nominal: f64, law: LoadLaw) -> LoadBranch {
    LoadBranch {
        nodes,
        p_w: power.re,
        q_var: power.im,
        v_nominal,
        law,
    }
}

pub fn load(feeder: &mut Feeder, branches: Vec<LoadBranch>) {
    feeder.loads.push(FeederLoad {
        name: format!("load.d{}", feeder.loads.len()),
        branches,
        band: None,
    });
}

pub fn try_solve(feeder: &Feeder) -> wattbook_network::error::Result<(McModel, McSolution)> {
    let model = McModel::new(feeder.clone())?;
    let options = McOptions {
        tolerance: 1e-12,
        ..McOptions::default()
    };
    let solution = solve(&model, &McData::base(feeder), &options, None)?;
    Ok((model, solution))
}

/// The solution, with its certificate.
pub fn solved(feeder: &Feeder) -> McSolution {
    let (_, solution) = try_solve(feeder).unwrap_or_else(|e| panic!("{e}"));
    let certificate = McCertificate::new(feeder, &solution);
    assert!(certificate.holds(), "{certificate:?}");
    solution
}

pub fn assert_close(own: C, expected: C, scale: f64) {
    let error = size(own - expected) / scale;
    assert!(error <= 1e-9, "{own} is not {expected} ({error:.1e})");
}
