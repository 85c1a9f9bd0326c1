//! Derivatives of the AC power flow against differences of solutions and closed forms; chord steps; collapse.

use crate::common::{bus, generator, network, quadratic, BASE};
use wattbook_network::analysis::{AnalysisNetwork, Branch, Bus, Generator};
use wattbook_network::ingest_case;
use wattbook_solve::ac::{
    AcBase, AcCertificate, AcData, AcEvent, AcModel, AcOptions, AcSensitivity, AcSolution, SlackRule, Start,
    WARRANTED_ERROR,
};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

pub(crate) fn case(name: &str) -> Option<AnalysisNetwork> {
    let data = crate::common::data_folder()?;
    let Ok(bytes) = std::fs::read(data.join(name)) else {
        println!("skipped: 1 grid, no {name}");
        return None;
    };
    Some(
        ingest_case(&bytes, "matpower")
            .unwrap_or_else(|e| panic!("{name}: {e}"))
            .network,
    )
}

pub(crate) fn options(slack: SlackRule, reactive_limits: bool) -> AcOptions {
    AcOptions {
        slack,
        reactive_limits,
        only_stored_start: false,
    }
}

pub(crate) fn base_of(model: &AcModel, data: &AcData, options: AcOptions) -> AcBase {
    let solution = model.solve(data, options).expect("a power flow");
    model.base(solution).expect("a base")
}

/// The network and data with a parameter moved by `t`.
fn moved(network: &AnalysisNetwork, parameter: Parameter, t: f64) -> AnalysisNetwork {
    let mut network = network.clone();
    let admittance = |b: &mut Branch, dg: f64, db: f64| {
        let z = b.r_pu * b.r_pu + b.x_pu * b.x_pu;
        let (g, s) = (b.r_pu / z + dg, -b.x_pu / z + db);
        let y = g * g + s * s;
        (b.r_pu, b.x_pu) = (g / y, -s / y);
    };
    match parameter {
        Parameter::Demand(bus) => network.buses[bus].demand_pu += t,
        Parameter::ReactiveDemand(bus) => network.buses[bus].demand_q_pu += t,
        Parameter::Output(row) => network.generators[row].pg_pu += t,
        Parameter::ShuntConductance(bus) => network.buses[bus].gs_pu += t,
        Parameter::ShuntSusceptance(bus) => network.buses[bus].bs_pu += t,
        Parameter::TapRatio(row) => network.branches[row].tap += t,
        Parameter::PhaseShift(row) => network.branches[row].shift_rad += t,
        Parameter::SeriesConductance(row) => admittance(&mut network.branches[row], t, 0.0),
        Parameter::SeriesSusceptance(row) => admittance(&mut network.branches[row], 0.0, t),
        Parameter::SetPoint(bus) => {
            for g in network.generators.iter_mut().filter(|g| g.bus == bus) {
                g.vset_pu += t;
            }
        }
        other => panic!("a power flow has no {other:?}"),
    }
    network
}

/// All results that a column has, in one list.
fn listed(magnitude: &[f64], angle: &[f64], flows: [&[[f64; 2]]; 2], losses: f64, slack: &[f64]) -> Vec<f64> {
    let mut out = [magnitude, angle].concat();
    out.extend(flows.iter().flat_map(|f| f.iter().flatten()));
    out.push(losses);
    out.extend(slack);
    out
}

fn of_solution(s: &AcSolution) -> Vec<f64> {
    let slack: Vec<f64> = s.slack.iter().map(|s| s.added).collect();
    listed(&s.magnitude, &s.angle, [&s.flow_from, &s.flow_to], s.losses, &slack)
}

fn of_column(c: &AcSensitivity) -> Vec<f64> {
    listed(&c.magnitude, &c.angle, [&c.flow_from, &c.flow_to], c.losses, &c.slack)
}

/// Five-point differences of the solution.
fn differences(network: &AnalysisNetwork, options: AcOptions, parameter: Parameter, h: f64) -> Vec<f64> {
    let at = |t: f64| {
        let network = moved(network, parameter, t);
        let model = AcModel::new(&network).expect("a model");
        of_solution(&model.solve(&AcData::base(&network), options).expect("a power flow"))
    };
    let (a, b, c, d) = (at(-2.0 * h), at(-h), at(h), at(2.0 * h));
    (0..a.len())
        .map(|k| (a[k] - d[k] + 8.0 * (c[k] - b[k])) / (12.0 * h))
        .collect()
}

/// Largest difference relative to the largest entry.
fn apart(got: &[f64], want: &[f64]) -> f64 {
    let scale = want.iter().fold(1e-4f64, |m, x| m.max(x.abs()));
    let pairs = got.iter().zip(want);
    pairs.fold(0.0, |m: f64, (g, w)| {
        if (g - w).is_nan() {
            f64::NAN
        } else {
            m.max((g - w).abs() / scale)
        }
    })
}

fn parameters(network: &AnalysisNetwork) -> Vec<Parameter> {
    let held = network.generators[1].bus;
    vec![
        Parameter::Demand(3),
        Parameter::Demand(network.buses.len() - 1),
        Parameter::ReactiveDemand(4),
        Parameter::Output(1),
        Parameter::ShuntConductance(4),
        Parameter::ShuntSusceptance(8),
        Parameter::TapRatio(7),
        Parameter::PhaseShift(8),
        Parameter::PhaseShift(2),
        Parameter::SeriesConductance(3),
        Parameter::SeriesSusceptance(9),
        Parameter::SetPoint(held),
    ]
}

/// Case 14 with all that RAW files add: demand that depends on the voltage, conductances of branches by end, a unit that holds the
/// voltage of another bus, and two that share it.
fn extended() -> Option<AnalysisNetwork> {
    let mut network = case("matpower/case14.m")?;
    for (bus, current, impedance) in [
        (3, [0.1, -0.02], [0.2, 0.05]),
        (8, [0.15, 0.1], [0.0, 0.0]),
        (2, [0.3, 0.1], [0.1, 0.1]),
    ] {
        (
            network.buses[bus].constant_current_pu,
            network.buses[bus].constant_impedance_pu,
        ) = (current, impedance);
    }
    (network.branches[7].shunt_from_pu, network.branches[7].shunt_to_pu) = ([0.02, -0.05], [0.01, 0.03]);
    network.branches[9].shunt_from_pu = [0.01, -0.02];
    for (own, regulated, set_point) in [(7, 6, 1.06), (5, 4, 1.02), (2, 4, 1.02)] {
        let unit = network.generators.iter_mut().find(|g| g.bus == own).expect("a unit");
        (unit.regulated_bus, unit.vset_pu) = (Some(regulated), set_point);
    }
    Some(network)
}

/// Every parameter of 14 and 118 buses, both kinds of slack: columns against differences, gradients against columns.
#[test]
fn columns_are_differences_and_gradients_are_columns() {
    for name in ["matpower/case14.m", "matpower/case118.m", "extended"] {
        let network = if name == "extended" { extended() } else { case(name) };
        let Some(network) = network else { continue };
        for slack in [SlackRule::Single, SlackRule::Distributed] {
            let options = options(slack, false);
            let model = AcModel::new(&network).unwrap();
            let base = base_of(&model, &AcData::base(&network), options);
            let parameters = parameters(&network);
            let mut columns = Vec::new();
            let mut worst = 0.0f64;
            for &parameter in &parameters {
                let column = base.sensitivity(&model, parameter).unwrap();
                let h = match parameter {
                    Parameter::TapRatio(_) | Parameter::PhaseShift(_) | Parameter::SetPoint(_) => 1e-4,
                    _ => 1e-3,
                };
                let want = differences(&network, options, parameter, h);
                let error = apart(&of_column(&column), &want);
                // Solutions end at 1e-8 pu, which their differences over 2e-3 pu show.
                let most = if name == "extended" { 1e-6 } else { 1e-7 };
                assert!(error < most, "{name}, {slack:?}, {parameter:?}: {error:.1e}");
                worst = worst.max(error);
                columns.push(column);
            }
            println!("{name}, {slack:?}: columns {worst:.1e} from differences");
            type Read = Box<dyn Fn(&AcSensitivity) -> f64>;
            let operands: Vec<(Operand, Read)> = vec![
                (Operand::Magnitude(9), Box::new(|c| c.magnitude[9])),
                (Operand::Angle(4), Box::new(|c| c.angle[4])),
                (Operand::Flow(7, BranchEnd::From), Box::new(|c| c.flow_from[7][0])),
                (Operand::ReactiveFlow(9, BranchEnd::To), Box::new(|c| c.flow_to[9][1])),
                (Operand::Flow(2, BranchEnd::To), Box::new(|c| c.flow_to[2][0])),
                (Operand::Losses, Box::new(|c| c.losses)),
            ];
            for (operand, read) in operands {
                let got = base.gradient(&model, operand, &parameters).unwrap();
                let want: Vec<f64> = columns.iter().map(read).collect();
                let error = apart(&got, &want);
                assert!(
                    error < 1e-11,
                    "{name}, {slack:?}, {operand:?}: {error:.1e}, {got:?} against {want:?}"
                );
            }
        }
    }
}

/// Additional demand is supplied by the slack, losses apart.
#[test]
fn slack_gives_demand_and_losses() {
    let Some(network) = case("matpower/case118.m") else {
        return;
    };
    let model = AcModel::new(&network).unwrap();
    for slack in [SlackRule::Single, SlackRule::Distributed] {
        let base = base_of(&model, &AcData::base(&network), options(slack, false));
        for bus in [0, 44, 68, 117] {
            let column = base.sensitivity(&model, Parameter::Demand(bus)).unwrap();
            let shunts = network.buses.iter().zip(&column.magnitude).enumerate();
            let shunts = shunts.map(|(k, (b, d))| b.gs_pu * 2.0 * base.solution().magnitude[k] * d);
            let want = 1.0 + column.losses + shunts.sum::<f64>();
            let got: f64 = column.slack.iter().sum();
            assert!((got - want).abs() < 1e-11, "{slack:?}, bus {bus}: {got} against {want}");
        }
    }
}

/// Up to the end of its interval a column is no further from the solution than its warrant states, on either side; the
/// estimate is not too loose.
#[test]
fn warrants_hold() {
    for name in [
        "matpower/case14.m",
        "matpower/case118.m",
        "matpower/case300.m",
        "extended",
    ] {
        let network = if name == "extended" { extended() } else { case(name) };
        let Some(network) = network else { continue };
        let model = AcModel::new(&network).unwrap();
        let data = AcData::base(&network);
        let base = base_of(&model, &data, options(SlackRule::Single, false));
        let (mut tested, mut largest) = (0, 0.0f64);
        for bus in (0..network.buses.len()).step_by(network.buses.len() / 14) {
            let column = base.sensitivity(&model, Parameter::Demand(bus)).unwrap();
            for end in [column.warrant.lower, column.warrant.upper].into_iter().flatten() {
                assert_eq!(end.event, AcEvent::Error);
                let mut edited = data.clone();
                edited.demand[bus] += end.step;
                let s = base.step(&model, &edited).expect("a power flow");
                let mut error = 0.0f64;
                for k in 0..network.buses.len() {
                    let (v, a) = (base.solution().magnitude[k], base.solution().angle[k]);
                    let linear = (s.magnitude[k] / v).ln() - end.step * column.magnitude[k] / v;
                    error = error
                        .max(linear.abs())
                        .max((s.angle[k] - a - end.step * column.angle[k]).abs());
                }
                assert!(
                    error < 1.5 * WARRANTED_ERROR,
                    "{name}, bus row {bus}: {error:.1e} after {}",
                    end.step
                );
                largest = largest.max(error);
                tested += 1;
            }
        }
        println!("{name}: {tested} ends, errors up to {largest:.2e}");
        assert!(tested >= 20 && largest > 0.8 * WARRANTED_ERROR);
    }
}

pub(crate) fn two_bus(p_mw: f64, q_mvar: f64) -> AnalysisNetwork {
    let load = Bus {
        demand_q_pu: q_mvar / BASE,
        constant_current_pu: [0.0; 2],
        constant_impedance_pu: [0.0; 2],
        ..bus(2, p_mw)
    };
    let unit = Generator {
        has_cost: true,
        energy_source: Default::default(),
        vset_pu: 1.05,
        regulates_voltage: true,
        regulated_bus: None,
        ..generator(1, 0, (0.0, 1e3), quadratic(0.0, 0.0))
    };
    network(
        vec![bus(1, 0.0), load],
        vec![crate::common::line(1, 0, 1, 250.0)],
        vec![unit],
    )
}

/// A step gives the same result as a cold solve, and depends on base and data alone.
#[test]
fn steps_are_solutions() {
    for name in [
        "matpower/case118.m",
        "pglib/pglib_opf_case1354_pegase.m",
        "matpower/case2869pegase.m",
    ] {
        let Some(network) = case(name) else { continue };
        let model = AcModel::new(&network).unwrap();
        let data = AcData::base(&network);
        for slack in [SlackRule::Single, SlackRule::Distributed] {
            let base = base_of(&model, &data, options(slack, false));
            let n = network.buses.len();
            let (mut steps, mut edits) = (0, 0);
            for k in 0..20 {
                let bus = (k * 7919 + 13) % n;
                let mut edited = data.clone();
                edited.demand[bus] += 0.2 * data.demand[bus] + 0.1;
                edited.output[k % 5] += 0.05;
                edited.set_point[(k + 3) % 5] += 0.001;
                let s = base.step(&model, &edited).expect("a power flow");
                assert_eq!(s.start, Start::Base);
                let certificate = AcCertificate::new(&network, &s);
                assert!(certificate.holds(), "{name}: {certificate:?}");
                let cold = model.solve(&edited, options(slack, false)).expect("a power flow");
                let error = s
                    .magnitude
                    .iter()
                    .zip(&cold.magnitude)
                    .fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                assert!(error < 1e-7, "{name}: {error:.1e}");
                let again = base.clone().step(&model, &edited).expect("a power flow");
                assert!(s
                    .angle
                    .iter()
                    .zip(&again.angle)
                    .all(|(a, b)| a.to_bits() == b.to_bits()));
                steps += s.steps;
                edits += 1;
            }
            println!(
                "{name}, {slack:?}: {:.1} chord steps an edit",
                f64::from(steps as u32) / f64::from(edits)
            );
        }
    }
}

#[test]
fn what_has_no_derivative_is_refused_by_name() {
    let mut network = two_bus(80.0, 30.0);
    network.buses.push(bus(3, 0.0));
    network.branches.push(Branch {
        r_pu: 0.0,
        x_pu: 0.0,
        ..crate::common::line(2, 1, 2, 250.0)
    });
    network.branches.push(Branch {
        in_service: false,
        ..crate::common::line(3, 0, 2, 250.0)
    });
    let model = AcModel::new(&network).unwrap();
    let base = base_of(&model, &AcData::base(&network), AcOptions::default());
    for (parameter, what) in [
        (Parameter::SeriesConductance(1), "Line 2 has no impedance"),
        (Parameter::TapRatio(2), "Line 3 is not in service"),
        (Parameter::SetPoint(1), "controls the voltage of bus 2"),
        (Parameter::Demand(7), "no bus in row 8"),
        (Parameter::Output(3), "no generator in row 4"),
        (Parameter::CostLinear(0), "CostLinear(0) is not available for acpf"),
    ] {
        let error = base.sensitivity(&model, parameter).unwrap_err();
        assert_eq!(error.code, "SENS.UNSUPPORTED");
        assert!(error.message().contains(what), "{}", error.message());
    }
    let error = base
        .gradient(&model, Operand::Flow(1, BranchEnd::From), &[])
        .unwrap_err();
    assert_eq!(error.element.map(|e| e.id), Some(2));
    let column = base.sensitivity(&model, Parameter::Demand(2)).unwrap();
    assert!(column.flow_from[1][0].is_nan() && column.flow_from[2] == [0.0; 2]);
    assert_eq!(column.magnitude[1], column.magnitude[2]);
}
