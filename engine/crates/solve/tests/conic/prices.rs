//! Prices of the relaxation as energy, losses, congestion and voltage limits.

use crate::common::{bus, data_folder, generator, line, network, quadratic, BASE};
use num_complex::Complex64;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::conic::{ConicData, ConicModel, ConicPriceComponents, ConicSolution, Cuts};

/// Optima are solved to a gap of 1e-8; the components sum to the prices up to the corresponding error.
const RESIDUAL: f64 = 1e-5;

fn optimum(network: &AnalysisNetwork) -> (ConicSolution, ConicPriceComponents) {
    let model = ConicModel::new(network, Cuts::Lifted).expect("a model");
    let solution = model.optimum(&ConicData::base(network), None).expect("an optimum");
    let parts = solution.price_components(&model).expect("components");
    (solution, parts)
}

/// Complex powers into a branch where its product turns by an angle and its ends' magnitudes grow by these logarithms.
fn powers(b: &wattbook_network::analysis::Branch, w: [f64; 2], product: [f64; 2], by: [f64; 3]) -> [Complex64; 2] {
    let [angle, f, t] = by;
    let y = Complex64::new(1.0, 0.0) / Complex64::new(b.r_pu, b.x_pu);
    let a = Complex64::from_polar(b.tap, b.shift_rad);
    let [own_from, own_to] = [b.shunt_from_pu, b.shunt_to_pu].map(|[g, b]| y + Complex64::new(g, b));
    let product = Complex64::new(product[0], product[1]) * Complex64::from_polar((f + t).exp(), angle);
    [
        (own_from / (b.tap * b.tap)).conj() * w[0] * (2.0 * f).exp() - (y / a.conj()).conj() * product,
        own_to.conj() * w[1] * (2.0 * t).exp() - (y / a).conj() * product.conj(),
    ]
}

/// Losses: their prices do not pay for any change of voltages. Congestion: it pays what binding ratings would save.
#[test]
fn parts_are_those_of_the_power_flow_at_the_products() {
    let Some(data) = data_folder() else { return };
    for name in [
        "pglib_opf_case14_ieee",
        "pglib_opf_case118_ieee",
        "pglib_opf_case500_goc",
        "pglib_opf_case1888_rte",
    ] {
        let bytes = std::fs::read(data.join(format!("pglib/{name}.m"))).expect("a case file");
        let case = ingest_case(&bytes, "matpower").expect("a case").network;
        let (solution, parts) = optimum(&case);
        let top = solution.price.iter().fold(0.0f64, |m, p| m.max(p.abs()));
        println!("{name}: residual {:.1e}", parts.residual);
        assert!(parts.residual < RESIDUAL, "{name}: {:.1e}", parts.residual);
        let n = case.buses.len();
        let mut mean = 0.0;
        for bus in 0..n {
            let sum = parts.energy[bus] + parts.losses[bus][0] + parts.congestion[bus][0] + parts.voltage[bus][0];
            assert!((sum - solution.price[bus]).abs() <= RESIDUAL * top);
            let sum = parts.losses[bus][1] + parts.congestion[bus][1] + parts.voltage[bus][1];
            assert!((sum - solution.price_q[bus]).abs() <= RESIDUAL * top);
            mean += parts.slack_weight[bus] * solution.price[bus];
        }
        assert!((parts.slack_weight.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((mean - parts.energy[0]).abs() < 1e-9 * top);
        // The slack pays for no losses and no congestion of its own.
        for part in [&parts.losses, &parts.congestion, &parts.voltage] {
            let mean: f64 = part.iter().zip(&parts.slack_weight).map(|(p, w)| p[0] * w).sum();
            assert!(mean.abs() < 1e-8 * top);
        }
        let h = 1e-5;
        for moved in (0..n).step_by(n.div_ceil(20)) {
            for state in 0..2 {
                let (mut lost, mut paid, mut size) = (0.0, 0.0, 0.0);
                let mut pay = |bus: usize, d: Complex64| {
                    let own = [
                        [parts.energy[bus] + parts.losses[bus][0], parts.losses[bus][1]],
                        parts.congestion[bus],
                    ];
                    let worth = own.map(|[p, q]| p * d.re + q * d.im);
                    (lost, paid) = (lost + worth[0], paid + worth[1]);
                    size += (parts.energy[bus] * d.re).abs() + (parts.energy[bus] * d.im).abs();
                };
                let mut saved = 0.0;
                for (row, b) in case.branches.iter().enumerate() {
                    if !b.in_service || ![b.from, b.to].contains(&moved) || b.is_zero_impedance() {
                        continue;
                    }
                    let w = [b.from, b.to].map(|bus| solution.voltage_squared[bus]);
                    let at = |h: f64| {
                        let by = match (state, moved == b.from) {
                            (0, true) => [h, 0.0, 0.0],
                            (0, false) => [-h, 0.0, 0.0],
                            (_, true) => [0.0, h, 0.0],
                            (_, false) => [0.0, 0.0, h],
                        };
                        powers(b, w, solution.product[row], by)
                    };
                    let (after, before) = (at(h), at(-h));
                    for end in 0..2 {
                        let d = (after[end] - before[end]) / (2.0 * h);
                        pay([b.from, b.to][end], d);
                        let z = solution.multipliers.thermal[row][end];
                        saved += z[1] * d.re + z[2] * d.im;
                    }
                    // No angle-difference limit binds in these cases.
                    assert!(solution.angle_shadow[row].iter().all(|z| *z < 1e-4 * top));
                }
                if state == 1 {
                    let w = solution.voltage_squared[moved];
                    let bus = &case.buses[moved];
                    pay(moved, Complex64::new(bus.gs_pu, -bus.bs_pu) * (2.0 * w));
                }
                assert!(
                    lost.abs() <= 1e-6 * size,
                    "{name} {moved} {state}: {lost:.1e} of {size:.1e}"
                );
                assert!(
                    (paid - saved).abs() <= 1e-5 * size,
                    "{name} {moved} {state}: {paid} against {saved} of {size:.1e}"
                );
            }
        }
    }
}

/// A line whose only binding limit is the voltage at its head: the price difference between its ends is its marginal
/// losses.
#[test]
fn marginal_losses_of_a_line() {
    let (r, x, demand, marginal): (f64, f64, f64, f64) = (0.02, 0.1, 0.5, 20.0);
    let mut case = network(
        vec![bus(1, 0.0), bus(2, demand * BASE)],
        vec![line(1, 0, 1, 500.0)],
        vec![generator(1, 0, (0.0, 300.0), quadratic(0.0, marginal))],
    );
    (case.branches[0].r_pu, case.branches[0].x_pu) = (r, x);
    (case.generators[0].qmin_pu, case.generators[0].qmax_pu) = (-5.0, 5.0);
    let (solution, parts) = optimum(&case);
    // All demand is at the second bus: its price is the energy, and the first one's losses are negative.
    assert_eq!(parts.slack_weight, [0.0, 1.0]);
    assert!((parts.energy[1] - solution.price[1]).abs() < 1e-6 * marginal * BASE);
    let w = |d: f64| {
        let half = 0.5 * 1.1f64.powi(2) - r * d;
        half + (half * half - (r * r + x * x) * d * d).sqrt()
    };
    let losses = |d: f64| r * d * d / w(d);
    let factor = 1.0 + (losses(demand + 1e-5) - losses(demand - 1e-5)) / 2e-5;
    assert!((solution.price[1] / (marginal * BASE) - factor).abs() < 1e-5);
    let total: f64 = parts.losses[0][0] + parts.voltage[0][0];
    assert!((parts.energy[0] + total - marginal * BASE).abs() < 1e-3);
    assert_eq!(parts.congestion[0].map(|c| c.abs() < 1e-3), [true, true]);
}

/// Binding lines, by one solve for one bus: their components add up to that of one solve for all buses, and a shift
/// factor is the effect of one more unit on the line's power.
#[test]
fn congestion_is_that_of_the_lines_that_bind() {
    let Some(data) = data_folder() else { return };
    let mut most = 0.0f64;
    for name in [
        "pglib/pglib_opf_case118_ieee",
        "pglib/api/pglib_opf_case300_ieee__api",
        "pglib/pglib_opf_case500_goc",
    ] {
        let bytes = std::fs::read(data.join(format!("{name}.m"))).expect("a case file");
        let case = ingest_case(&bytes, "matpower").expect("a case").network;
        let model = ConicModel::new(&case, Cuts::Lifted).expect("a model");
        let (solution, parts) = optimum(&case);
        let top = solution.price.iter().fold(0.0f64, |m, p| m.max(p.abs()));
        for bus in (0..case.buses.len()).step_by(7) {
            let lines = solution.congestion_by_line(&model, bus).expect("a split");
            assert!(!lines.is_empty(), "{name}: no line binds");
            let sum: f64 = lines.iter().map(|line| line.value).sum();
            let want = parts.congestion[bus][0];
            assert!(
                (sum - want).abs() < RESIDUAL * top,
                "{name} {bus}: {sum} against {want}"
            );
            assert!(lines.windows(2).all(|l| l[0].value.abs() >= l[1].value.abs()));
            for line in &lines {
                assert!(line.shadow > 0.0 && (line.value + line.shadow * line.shift_factor).abs() < 1e-9 * top);
            }
            most = most.max(sum.abs() / top);
        }
        assert!(model.slack(&solution.data.demand, 0).by_demand);
    }
    assert!(most > 1e-3, "nothing is congested: {most}");
}
