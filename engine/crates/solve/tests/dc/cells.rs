//! Every supported derivative against differences of exact optima, and adjoint against forward.

use crate::common::{bus, close, generator, line, network, quadratic, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Cost};
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, WarrantKind};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

fn solve(network: &AnalysisNetwork, convention: Convention) -> (DcModel, DcSolution) {
    let model = DcModel::new(network, convention).unwrap();
    let solution = DualActiveSet.optimum(&model, &DcData::base(network), None).unwrap();
    (model, solution)
}

/// Three lines with 2-3 at its limit, a third unit at its upper limit, a phase shift on 1-3.
fn congested() -> AnalysisNetwork {
    let mut lines = vec![line(1, 0, 1, 250.0), line(2, 1, 2, 40.0), line(3, 0, 2, 250.0)];
    lines[2].shift_rad = 0.01;
    network(
        vec![bus(1, 0.0), bus(2, 90.0), bus(3, 5.0)],
        lines,
        vec![
            generator(1, 0, (10.0, 250.0), quadratic(0.11, 5.0)),
            generator(2, 2, (10.0, 270.0), quadratic(0.085, 1.2)),
            generator(3, 1, (1.0, 8.0), quadratic(0.01, 1.0)),
        ],
    )
}

/// The network with a parameter changed by `h` internal units.
fn changed(network: &AnalysisNetwork, parameter: Parameter, h: f64) -> AnalysisNetwork {
    let mut net = network.clone();
    let cost = |net: &mut AnalysisNetwork, g: usize, d2: f64, d1: f64| match &mut net.generators[g].cost {
        Cost::Quadratic { c2, c1, .. } => {
            *c2 += d2;
            *c1 += d1;
        }
        Cost::PiecewiseLinear { points } => points.iter_mut().for_each(|p| p[1] += d1 * p[0]),
    };
    match parameter {
        Parameter::Demand(b) => net.buses[b].demand_pu += h,
        Parameter::Rating(b) => net.branches[b].rating_pu += h,
        Parameter::CostLinear(g) => cost(&mut net, g, 0.0, h),
        Parameter::CostQuadratic(g) => cost(&mut net, g, h, 0.0),
        Parameter::OutputMin(g) => net.generators[g].pmin_pu += h,
        Parameter::OutputMax(g) => net.generators[g].pmax_pu += h,
        Parameter::PhaseShift(b) => net.branches[b].shift_rad += h,
        Parameter::SeriesSusceptance(b) => {
            // b = -x / (r^2 + x^2): another impedance of the same angle.
            let row = &mut net.branches[b];
            let z2 = row.r_pu * row.r_pu + row.x_pu * row.x_pu;
            let factor = 1.0 / (1.0 - h / (row.x_pu / z2));
            row.r_pu *= factor;
            row.x_pu *= factor;
        }
        Parameter::Switching(b) => {
            let row = &mut net.branches[b];
            let factor = 1.0 / (1.0 + h);
            row.r_pu *= factor;
            row.x_pu *= factor;
        }
        other => panic!("DC OPF has no {other:?}"),
    }
    net
}

fn operands(net: &AnalysisNetwork) -> Vec<Operand> {
    let buses = 0..net.buses.len();
    buses
        .clone()
        .map(Operand::Price)
        .chain((0..net.generators.len()).map(Operand::Dispatch))
        .chain((0..net.branches.len()).flat_map(|b| [BranchEnd::From, BranchEnd::To].map(|end| Operand::Flow(b, end))))
        .chain(buses.map(Operand::Angle))
        .collect()
}

fn read(s: &DcSolution, operand: Operand) -> f64 {
    match operand {
        Operand::Price(b) => s.price[b],
        Operand::Dispatch(g) => s.dispatch[g],
        Operand::Flow(b, BranchEnd::From) => s.flow[b],
        Operand::Flow(b, BranchEnd::To) => -s.flow[b],
        Operand::Angle(b) => s.theta[b],
        other => panic!("DC OPF has no {other:?}"),
    }
}

/// The optimum is curved in the parameter: no interval is claimed.
fn is_tangent(parameter: Parameter) -> bool {
    use Parameter::{CostQuadratic, SeriesSusceptance, Switching};
    matches!(parameter, CostQuadratic(_) | SeriesSusceptance(_) | Switching(_))
}

/// Central differences of every operand by one parameter, Richardson's extrapolation of two steps.
fn differences(net: &AnalysisNetwork, convention: Convention, parameter: Parameter, h: f64) -> Vec<f64> {
    let quotient = |h: f64| -> Vec<f64> {
        let (_, up) = solve(&changed(net, parameter, h), convention);
        let (_, down) = solve(&changed(net, parameter, -h), convention);
        let operands = operands(net);
        operands
            .iter()
            .map(|&o| (read(&up, o) - read(&down, o)) / (2.0 * h))
            .collect()
    };
    let (wide, narrow) = (quotient(h), quotient(h / 2.0));
    wide.iter().zip(&narrow).map(|(w, n)| (4.0 * n - w) / 3.0).collect()
}

#[track_caller]
fn agree(name: &str, got: &[f64], want: &[f64], tolerance: f64) {
    let scale = want.iter().fold(1.0f64, |m, w| m.max(w.abs()));
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        assert!(
            (g - w).abs() <= tolerance * scale,
            "{name}, operand {k}: {g} against {w} (scale {scale})"
        );
    }
}

#[test]
fn every_cell_of_a_congested_triangle_agrees_with_differences() {
    let net = congested();
    let (model, s) = solve(&net, Convention::Service);
    assert!(s.shadow[1].abs() > 1.0 && s.is_regular(&model));
    let operands = operands(&net);
    let mut seen = 0;
    for (parameter, h) in [
        (Parameter::Demand(1), 1e-3),
        (Parameter::Demand(2), 1e-3),
        (Parameter::Rating(1), 1e-3),
        (Parameter::Rating(0), 1e-3),
        (Parameter::CostLinear(0), 1.0),
        (Parameter::CostLinear(2), 1.0),
        (Parameter::CostQuadratic(1), 1.0),
        (Parameter::OutputMax(2), 1e-3),
        (Parameter::OutputMax(0), 1e-3),
        (Parameter::OutputMin(1), 1e-3),
        (Parameter::PhaseShift(0), 1e-4),
        (Parameter::PhaseShift(1), 1e-4),
        (Parameter::PhaseShift(2), 1e-4),
        (Parameter::SeriesSusceptance(0), 1e-3),
        (Parameter::SeriesSusceptance(1), 1e-3),
        (Parameter::SeriesSusceptance(2), 1e-3),
        (Parameter::Switching(0), 1e-4),
        (Parameter::Switching(1), 1e-4),
        (Parameter::Switching(2), 1e-4),
    ] {
        let forward = s.cells_forward(&model, &operands, &[parameter]).unwrap();
        let got: Vec<f64> = forward.values.iter().map(|row| row[0]).collect();
        let want = differences(&net, Convention::Service, parameter, h);
        agree(&format!("{parameter:?}"), &got, &want, 1e-7);
        assert_eq!(forward.warrants[0].kind, WarrantKind::Regular, "{parameter:?}");
        assert_eq!(forward.warrants[0].point_only, is_tangent(parameter), "{parameter:?}");
        seen += usize::from(got.iter().any(|v| v.abs() > 1e-6));
    }
    assert!(seen >= 15, "only {seen} columns move anything");
}

#[test]
fn closed_form_rows() {
    // dLMP/dd2 = 0.44, 1.05, -0.17 and dLMP/dfmax = -0.66, -1.83, 0.51 with line 2-3 at 40 MW.
    let net = network(
        vec![bus(1, 0.0), bus(2, 90.0), bus(3, 0.0)],
        vec![line(1, 0, 1, 250.0), line(2, 1, 2, 40.0), line(3, 0, 2, 250.0)],
        vec![
            generator(1, 0, (10.0, 250.0), quadratic(0.11, 5.0)),
            generator(2, 2, (10.0, 270.0), quadratic(0.085, 1.2)),
        ],
    );
    let (model, s) = solve(&net, Convention::Service);
    let prices: Vec<Operand> = (0..3).map(Operand::Price).collect();
    let parameters = [Parameter::Demand(1), Parameter::Rating(1)];
    for cells in [
        s.cells_forward(&model, &prices, &parameters).unwrap(),
        s.cells_adjoint(&model, &prices, &parameters).unwrap(),
    ] {
        let column = |k: usize| -> Vec<f64> { cells.values.iter().map(|row| row[k] / BASE / BASE).collect() };
        close(&column(0), &[0.44, 1.05, -0.17], 1e-12);
        close(&column(1), &[-0.66, -1.83, 0.51], 1e-12);
    }
}

#[test]
fn adjoint_and_forward_agree_on_real_cases() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    for (file, convention) in [
        ("pglib/pglib_opf_case118_ieee.m", Convention::Matpower),
        ("pglib/api/pglib_opf_case300_ieee__api.m", Convention::Service),
        ("pglib/pglib_opf_case500_goc.m", Convention::Service),
        ("activsg500/case_ACTIVSg500.m", Convention::PowerModels),
    ] {
        let Ok(bytes) = std::fs::read(data.join(file)) else {
            println!("skipped: {file} is not there");
            continue;
        };
        let net = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let (model, s) = solve(&net, convention);
        let every = |n: usize, step: usize| (0..n).step_by(step.max(1));
        let (nb, nl, ng) = (net.buses.len(), net.branches.len(), net.generators.len());
        let binding: Vec<usize> = (0..nl).filter(|&l| s.shadow[l] != 0.0).collect();
        let parameters: Vec<Parameter> = every(nb, nb / 15)
            .map(Parameter::Demand)
            .chain(binding.iter().copied().map(Parameter::Rating))
            .chain(every(ng, ng / 10).map(Parameter::CostLinear))
            .chain(every(ng, ng / 10).map(Parameter::CostQuadratic))
            .chain(every(ng, ng / 10).flat_map(|g| [Parameter::OutputMin(g), Parameter::OutputMax(g)]))
            .chain(every(nl, nl / 10).flat_map(|l| {
                [
                    Parameter::SeriesSusceptance(l),
                    Parameter::PhaseShift(l),
                    Parameter::Switching(l),
                ]
            }))
            .collect();
        let operands: Vec<Operand> = every(nb, nb / 12)
            .flat_map(|b| [Operand::Price(b), Operand::Angle(b)])
            .chain(every(ng, ng / 8).map(Operand::Dispatch))
            .chain(every(nl, nl / 8).map(|b| Operand::Flow(b, BranchEnd::From)))
            .chain(binding.iter().copied().map(|b| Operand::Flow(b, BranchEnd::From)))
            .collect();
        let forward = s.cells_forward(&model, &operands, &parameters).unwrap();
        let adjoint = s.cells_adjoint(&model, &operands, &parameters).unwrap();
        for (c, parameter) in parameters.iter().enumerate() {
            let column =
                |cells: &wattbook_solve::dc::Cells| -> Vec<f64> { cells.values.iter().map(|r| r[c]).collect() };
            agree(
                &format!("{file} {parameter:?}"),
                &column(&adjoint),
                &column(&forward),
                1e-10,
            );
        }
    }
}

#[test]
fn a_bus_split_by_a_branch_without_impedance_keeps_every_derivative() {
    // Bus 3 becomes 3 and 4, joined by branch 4; line 1-3 and unit 2 move to bus 4.
    let whole = congested();
    let mut split = whole.clone();
    split.buses.push(bus(4, 0.0));
    let mut joint = line(4, 2, 3, 500.0);
    (joint.r_pu, joint.x_pu) = (0.0, 0.0);
    split.branches.push(joint);
    split.branches[2].to = 3;
    split.generators[1].bus = 3;
    (split.n_canonical_buses, split.n_canonical_branches) = (4, 4);
    let (model, s) = solve(&whole, Convention::Service);
    let (split_model, split_s) = solve(&split, Convention::Service);
    let parameters = [
        Parameter::Demand(1),
        Parameter::Demand(2),
        Parameter::Rating(1),
        Parameter::CostLinear(1),
        Parameter::OutputMax(2),
        Parameter::SeriesSusceptance(1),
        Parameter::SeriesSusceptance(2),
        Parameter::PhaseShift(2),
    ];
    let operands = operands(&whole);
    let want = s.cells_forward(&model, &operands, &parameters).unwrap().values;
    for got in [
        split_s
            .cells_forward(&split_model, &operands, &parameters)
            .unwrap()
            .values,
        split_s
            .cells_adjoint(&split_model, &operands, &parameters)
            .unwrap()
            .values,
    ] {
        for (k, (got, want)) in got.iter().zip(&want).enumerate() {
            agree(&format!("operand {k}"), got, want, 1e-11);
        }
    }
    // The flow over the joint is that of line 2-3 into bus 3 minus its demand, and so are its derivatives.
    let over = [3, 1].map(|b| Operand::Flow(b, BranchEnd::From));
    for cells in [
        split_s.cells_forward(&split_model, &over, &parameters).unwrap(),
        split_s.cells_adjoint(&split_model, &over, &parameters).unwrap(),
    ] {
        for (c, parameter) in parameters.iter().enumerate() {
            let own = if *parameter == Parameter::Demand(2) { -1.0 } else { 0.0 };
            agree(
                &format!("{parameter:?}"),
                &[cells.values[0][c]],
                &[cells.values[1][c] + own],
                1e-11,
            );
        }
    }
}

#[test]
fn what_dc_opf_does_not_have_is_refused() {
    let net = network(
        vec![bus(1, 0.0), bus(2, 90.0)],
        vec![line(1, 0, 1, 250.0)],
        vec![generator(1, 0, (10.0, 250.0), quadratic(0.11, 5.0))],
    );
    let (model, s) = solve(&net, Convention::Service);
    let (price, demand) = (Operand::Price(0), Parameter::Demand(1));
    for (operand, parameter, named) in [
        (Operand::Magnitude(0), demand, "Magnitude(0)"),
        (Operand::Losses, demand, "Losses"),
        (price, Parameter::ReactiveDemand(1), "ReactiveDemand(1)"),
        (price, Parameter::VoltageMax(1), "VoltageMax(1)"),
    ] {
        for cells in [
            s.cells_forward(&model, &[operand], &[parameter]),
            s.cells_adjoint(&model, &[operand], &[parameter]),
        ] {
            let error = cells.unwrap_err();
            assert_eq!(error.code, "SENS.UNSUPPORTED");
            assert!(error.to_string().contains(named), "{error}");
        }
    }
}
