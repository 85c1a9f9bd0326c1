//! Derivatives of the relaxation against central differences of optima, and at breakpoints against one-sided ones.

use crate::common::data_folder;
use std::path::Path;
use wattbook_network::analysis::{AnalysisNetwork, Cost};
use wattbook_network::ingest_case;
use wattbook_solve::conic::{ConicColumn, ConicData, ConicModel, ConicSolution, Cuts};
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

fn network(path: &Path) -> AnalysisNetwork {
    let bytes = std::fs::read(path).expect("a case file");
    ingest_case(&bytes, "matpower").expect("a case").network
}

/// The network with a parameter moved.
fn moved(network: &AnalysisNetwork, parameter: Parameter, step: f64) -> AnalysisNetwork {
    let mut n = network.clone();
    use Parameter as P;
    let admittance = |n: &mut AnalysisNetwork, branch: usize, dg: f64, db: f64| {
        let b = &mut n.branches[branch];
        let square = b.r_pu * b.r_pu + b.x_pu * b.x_pu;
        let (g, s) = (b.r_pu / square + dg, -b.x_pu / square + db);
        let square = g * g + s * s;
        (b.r_pu, b.x_pu) = (g / square, -s / square);
    };
    match parameter {
        P::Demand(k) => n.buses[k].demand_pu += step,
        P::ReactiveDemand(k) => n.buses[k].demand_q_pu += step,
        P::Rating(k) => n.branches[k].rating_pu += step,
        P::VoltageMin(k) => n.buses[k].vmin_pu += step,
        P::VoltageMax(k) => n.buses[k].vmax_pu += step,
        P::OutputMin(k) => n.generators[k].pmin_pu += step,
        P::OutputMax(k) => n.generators[k].pmax_pu += step,
        P::ReactiveMin(k) => n.generators[k].qmin_pu += step,
        P::ReactiveMax(k) => n.generators[k].qmax_pu += step,
        P::CostLinear(k) | P::CostQuadratic(k) => {
            if let Cost::Quadratic { c2, c1, .. } = &mut n.generators[k].cost {
                match parameter {
                    P::CostLinear(_) => *c1 += step,
                    _ => *c2 += step,
                }
            }
        }
        P::ShuntConductance(k) => n.buses[k].gs_pu += step,
        P::ShuntSusceptance(k) => n.buses[k].bs_pu += step,
        P::SeriesConductance(k) => admittance(&mut n, k, step, 0.0),
        P::SeriesSusceptance(k) => admittance(&mut n, k, 0.0, step),
        other => panic!("the relaxation has no {other:?}"),
    }
    n
}

fn optimum(network: &AnalysisNetwork) -> (ConicModel, ConicSolution) {
    let model = ConicModel::new(network, Cuts::Lifted).expect("a model");
    let solution = model.optimum(&ConicData::base(network), None).expect("an optimum");
    (model, solution)
}

/// Rounding of prices, relative to the largest, and of other results, per unit: optima are solved to a gap of 1e-8.
const NOISE: [f64; 2] = [3e-7, 3e-6];

/// Largest difference between a column and the slope between two optima, relative to the tolerance: of prices, and of
/// other results.
fn errors(column: &ConicColumn, before: &ConicSolution, after: &ConicSolution, step: f64) -> [f64; 2] {
    let top = before.price.iter().fold(0.0f64, |m, p| m.max(p.abs()));
    let (mut prices, mut others) = ((0.0f64, 0.0f64), (0.0f64, 0.0f64));
    let see = |(error, size): &mut (f64, f64), d: f64, b: f64, a: f64| {
        let slope = (a - b) / step;
        *error = error.max((slope - d).abs());
        *size = size.max(slope.abs());
    };
    for k in 0..column.price.len() {
        see(&mut prices, column.price[k], before.price[k], after.price[k]);
        see(&mut prices, column.price_q[k], before.price_q[k], after.price_q[k]);
        let (b, a) = (before.voltage_squared[k], after.voltage_squared[k]);
        see(&mut others, column.voltage_squared[k], b, a);
    }
    for k in 0..column.dispatch.len() {
        see(&mut others, column.dispatch[k], before.dispatch[k], after.dispatch[k]);
    }
    for k in 0..column.product.len() {
        for part in 0..2 {
            let pairs = [
                (&column.product, &before.product, &after.product),
                (&column.flow_from, &before.flow_from, &after.flow_from),
                (&column.flow_to, &before.flow_to, &after.flow_to),
            ];
            for (d, b, a) in pairs {
                see(&mut others, d[k][part], b[k][part], a[k][part]);
            }
        }
    }
    let allowed = |size: f64, noise: f64| 1e-2 * size + noise / step;
    [
        prices.0 / allowed(prices.1, NOISE[0] * top),
        others.0 / allowed(others.1, NOISE[1]),
    ]
}

fn cases() -> Option<Vec<(&'static str, AnalysisNetwork)>> {
    let data = data_folder()?;
    let case = |name: &'static str| (name, network(&data.join(format!("pglib/{name}.m"))));
    Some(vec![
        case("pglib_opf_case14_ieee"),
        case("pglib_opf_case30_ieee"),
        case("pglib_opf_case118_ieee"),
    ])
}

#[test]
fn columns_are_the_slopes_of_optima() {
    let Some(cases) = cases() else { return };
    let mut compared = 0;
    for (name, mut network) in cases {
        for g in &mut network.generators {
            // Room for a smaller coefficient.
            if let Cost::Quadratic { c2, .. } = &mut g.cost {
                *c2 += 5.0;
            }
        }
        let (model, base) = optimum(&network);
        let mut tangents = base.tangents(&model).expect("a factor");
        let load = network.buses.iter().position(|b| b.demand_pu > 0.1).expect("a load");
        let free = (0..network.generators.len())
            .find(|&g| {
                let row = &network.generators[g];
                base.dispatch[g] > row.pmin_pu + 0.05 && base.dispatch[g] < row.pmax_pu - 0.05
            })
            .expect("a free generator");
        let full = (0..network.branches.len()).find(|&b| base.loading[b] > 1.0 - 1e-6);
        use Parameter as P;
        let mut parameters = vec![
            P::Demand(load),
            P::ReactiveDemand(load),
            P::CostLinear(free),
            P::CostQuadratic(free),
            P::ShuntConductance(load),
            P::ShuntSusceptance(load),
            P::SeriesConductance(0),
            P::SeriesSusceptance(0),
        ];
        parameters.extend(full.map(P::Rating));
        let top = (0..network.buses.len()).max_by(|&a, &b| {
            let shadow = |bus: usize| base.voltage_shadow[bus][1];
            shadow(a).total_cmp(&shadow(b))
        });
        parameters.extend(top.map(P::VoltageMax));
        let held = (0..network.generators.len()).find(|&g| {
            let row = &network.generators[g];
            row.pmax_pu > row.pmin_pu && base.dispatch[g] > row.pmax_pu - 1e-6
        });
        parameters.extend(held.map(P::OutputMax));
        for parameter in parameters {
            let found = tangents.column(&model, &base, parameter).expect("a column");
            let size = match parameter {
                P::CostLinear(_) | P::CostQuadratic(_) => 1.0,
                _ => 1e-3,
            };
            let (_, before) = optimum(&moved(&network, parameter, -size));
            let (_, after) = optimum(&moved(&network, parameter, size));
            let slope = (after.objective - before.objective) / (2.0 * size);
            let objective = (slope - found.objective).abs();
            let allowed = 1e-3 * slope.abs() + 1e-7 * base.objective / size;
            let [prices, others] = errors(&found.ahead, &before, &after, 2.0 * size);
            let warrant = &found.warrant;
            println!("{name} {parameter:?}: {objective:.1e} of {allowed:.1e}, {prices:.1e} {others:.1e} {warrant:?}");
            assert!(
                objective <= allowed,
                "{name} {parameter:?}: objective {objective:.1e} of {allowed:.1e}"
            );
            if !warrant.is_one_sided && warrant.residual < 1e-6 {
                assert!(
                    prices <= 1.0 && others <= 1.0,
                    "{name} {parameter:?}: {prices:.1e} {others:.1e}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 20, "{compared} columns");
}

/// One price, output or flow against all parameters is the same as columns one by one.
#[test]
fn rows_are_those_of_columns() {
    let Some(cases) = cases() else { return };
    for (name, network) in cases {
        let (model, base) = optimum(&network);
        let mut tangents = base.tangents(&model).expect("a factor");
        use Parameter as P;
        let loads = (0..network.buses.len()).filter(|&b| network.buses[b].demand_pu > 0.0);
        let mut parameters: Vec<P> = loads
            .step_by(5)
            .flat_map(|b| [P::Demand(b), P::ReactiveDemand(b)])
            .collect();
        parameters.extend((0..network.branches.len()).step_by(9).map(P::Rating));
        parameters.extend((0..network.branches.len()).step_by(11).map(P::SeriesSusceptance));
        parameters.extend(
            (0..network.buses.len())
                .step_by(13)
                .flat_map(|b| [P::VoltageMax(b), P::ShuntSusceptance(b)]),
        );
        parameters.extend((0..network.generators.len()).step_by(3).map(P::CostLinear));
        let columns: Vec<ConicColumn> = (parameters.iter())
            .map(|&p| tangents.column(&model, &base, p).expect("a column").ahead)
            .collect();
        let (bus, branch, g) = (network.buses.len() / 2, 11, 0);
        type Read = fn(&ConicColumn, usize) -> f64;
        let operands: [(Operand, usize, Read); 5] = [
            (Operand::Price(bus), bus, |c, k| c.price[k]),
            (Operand::ReactivePrice(bus), bus, |c, k| c.price_q[k]),
            (Operand::Dispatch(g), g, |c, k| c.dispatch[k]),
            (Operand::Magnitude(bus), bus, |c, k| c.voltage_squared[k]),
            (Operand::Flow(branch, BranchEnd::To), branch, |c, k| c.flow_to[k][0]),
        ];
        for (operand, row, read) in operands {
            let found = tangents.row(&model, &base, operand, &parameters).expect("a row");
            // Columns are of w = |V|^2.
            let factor = match operand {
                Operand::Magnitude(_) => 0.5 / base.voltage_squared[bus].sqrt(),
                _ => 1.0,
            };
            let size = columns.iter().fold(0.0f64, |m, c| m.max(read(c, row).abs()));
            let rounding = match operand {
                Operand::Price(_) | Operand::ReactivePrice(_) => 1e-9 * base.price[bus].abs(),
                _ => 1e-9,
            };
            for ((parameter, column), value) in parameters.iter().zip(&columns).zip(&found.values) {
                let error = (factor * read(column, row) - value).abs();
                assert!(
                    found.may_be_one_sided || error <= 1e-6 * size + rounding,
                    "{name} {operand:?} {parameter:?}: {error:.1e} of {size:.1e}"
                );
            }
        }
    }
}

/// On real cases the path is followed to the ends of ranges, and there each side's column is the slope of the optima on
/// its side.
#[test]
fn both_columns_at_the_breakpoints_of_real_cases() {
    let Some(data) = data_folder() else { return };
    let mut found = 0;
    // Load by size, and the distance from the breakpoint at which slopes are taken: optima to a gap of 1e-8 round it
    // off, the more the slower its limit is reached.
    let (near, far) = ([5e-4, 2.5e-3], [5e-3, 1e-2]);
    for (name, rank, [inner, outer]) in [
        ("pglib_opf_case118_ieee", 0, near),
        ("pglib_opf_case39_epri", 0, near),
        ("pglib_opf_case89_pegase", 0, near),
        ("pglib_opf_case500_goc", 0, near),
        ("pglib_opf_case300_ieee", 2, far),
    ] {
        let network = network(&data.join(format!("pglib/{name}.m")));
        let model = ConicModel::new(&network, Cuts::Lifted).expect("a model");
        let by_demand = |a: &usize, b: &usize| network.buses[*a].demand_pu.total_cmp(&network.buses[*b].demand_pu);
        let mut buses: Vec<usize> = (0..network.buses.len()).collect();
        buses.sort_by(|a, b| by_demand(b, a));
        let bus = buses[rank];
        let at = |step: f64| {
            let mut data = ConicData::base(&network);
            data.demand[bus] += step;
            model.optimum(&data, None).expect("an optimum")
        };
        let mut reached = 0.0;
        for _ in 0..12 {
            let here = at(reached);
            let mut tangents = here.tangents(&model).expect("a factor");
            let column = tangents
                .column(&model, &here, Parameter::Demand(bus))
                .expect("a column");
            let differ = |behind: &ConicColumn| {
                let pairs = column.ahead.price.iter().zip(&behind.price);
                let apart = pairs.clone().fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                apart > 0.05 * pairs.fold(0.0f64, |m, (a, b)| m.max(a.abs()).max(b.abs()))
            };
            if let Some(behind) = column.behind.as_ref().filter(|behind| differ(behind)) {
                // The estimate of the breakpoint is slightly off, so slopes are taken beside it.
                let beside = [-outer, -inner, inner, outer].map(|step| at(reached + step));
                let [right, _] = errors(&column.ahead, &beside[2], &beside[3], outer - inner);
                let [left, _] = errors(behind, &beside[0], &beside[1], outer - inner);
                let [wrong, _] = errors(&column.ahead, &beside[0], &beside[1], outer - inner);
                println!("{name} +{reached:.6} pu: right {right:.1e}, left {left:.1e}, the right column to the left {wrong:.1e}");
                assert!(right <= 3.0 && left <= 3.0, "{name}: {right:.1e} {left:.1e}");
                assert!(wrong > 3.0, "{name}: both columns fit");
                found += 1;
                break;
            }
            let Some(end) = &column.warrant.upper else { break };
            reached += end.step;
            if reached > 1.0 {
                break;
            }
        }
    }
    assert!(found >= 3, "{found} breakpoints");
}

/// A cheap unit at its limit and the next one at zero, both without a multiplier: to the left the price follows the first one's
/// cost, to the right the second's.
#[test]
fn left_and_right_derivatives_at_a_breakpoint() {
    use crate::common::{bus, generator, line, network, quadratic, BASE};
    let (r, x, top): (f64, f64, f64) = (0.01, 0.1, 1.21);
    // The far end draws 0.5 per unit: w = w1 / 2 - r p + sqrt(...), l = p^2 / w.
    let half = 0.5 * top - r * 0.5;
    let w = half + (half * half - (r * r + x * x) * 0.25).sqrt();
    let generation = 0.8 + 0.5 + r * 0.25 / w;
    let (first, second) = (0.1, 0.04);
    let marginal = 10.0 + 2.0 * first * generation * BASE;
    let mut case = network(
        vec![bus(1, 80.0), bus(2, 50.0)],
        vec![line(1, 0, 1, 500.0)],
        vec![
            generator(1, 0, (0.0, generation * BASE), quadratic(first, 10.0)),
            generator(2, 0, (0.0, 300.0), quadratic(second, marginal)),
        ],
    );
    (case.generators[0].qmin_pu, case.generators[0].qmax_pu) = (-5.0, 5.0);
    let (model, base) = optimum(&case);
    assert!((base.price[0] / BASE - marginal).abs() < 1e-3);
    let mut tangents = base.tangents(&model).expect("a factor");
    let found = tangents.column(&model, &base, Parameter::Demand(0)).expect("a column");
    assert!(found.warrant.is_one_sided, "{:?}", found.warrant);
    let behind = found.behind.expect("another column to the left");
    let close = |got: f64, want: f64| assert!((got - want).abs() < 1e-3 * want.abs() + 1e-4, "{got} against {want}");
    let unit = BASE * BASE;
    close(found.ahead.price[0] / unit, 2.0 * second);
    close(behind.price[0] / unit, 2.0 * first);
    close(found.ahead.dispatch[1], 1.0);
    close(behind.dispatch[0], 1.0);
    close(behind.dispatch[1], 0.0);
}
