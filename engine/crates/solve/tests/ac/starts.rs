//! Starts of Newton's method where a negative reactance makes those of a DC power flow useless.

use crate::closed_forms::{close, solve};
use crate::common::{bus, generator, line, network, quadratic};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::ac::Start;

/// Five buses with these demands in MW and MVAr, a reference at bus 1 and a generator at bus 2; six lines with `r` and `x` in pu. The
/// voltages of the source are far from a solution.
fn five(demand: [[f64; 2]; 5], lines: [[f64; 2]; 6], [reference, held]: [f64; 2], output_mw: f64) -> AnalysisNetwork {
    let rows = demand.iter().enumerate().map(|(row, [p, q])| {
        let mut bus = bus(row as u64 + 1, *p);
        bus.demand_q_pu = q / 100.0;
        bus.is_pv = row == 1;
        bus.va_rad = if row % 2 == 1 { 1.5 } else { 0.0 };
        bus
    });
    let ends = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 3)];
    let branches = ends.iter().zip(lines).enumerate().map(|(row, (&(from, to), [r, x]))| {
        let mut line = line(row as u64 + 1, from, to, 1000.0);
        (line.r_pu, line.x_pu) = (r, x);
        line
    });
    let mut units = [1, 2].map(|id| generator(id, id as usize - 1, (0.0, 900.0), quadratic(0.0, 1.0)));
    units[0].vset_pu = reference;
    (units[1].vset_pu, units[1].pg_pu) = (held, output_mw / 100.0);
    network(rows.collect(), branches.collect(), units.to_vec())
}

/// Voltages of plain Newton's method from a flat start, computed independently in numpy, to 1e-12 pu.
#[test]
fn a_flat_start_solves_what_no_other_start_does() {
    let demand = [[0.0, 0.0], [36.0, 19.0], [65.0, 8.0], [63.0, 29.0], [50.0, 24.0]];
    let lines = [
        [0.011, 0.09],
        [0.017, 0.06],
        [0.028, 0.09],
        [0.017, 0.12],
        [0.028, -0.18],
        [0.025, 0.05],
    ];
    let solution = solve(&five(demand, lines, [1.01, 1.04], 80.0));
    assert_eq!(solution.start, Start::Flat);
    let magnitude = [1.01, 1.04, 0.848766983, 0.596425867, 0.85187732];
    let angle = [0.0, -0.758451352, -0.848662656, -0.963034208, -2.947710632];
    for row in 0..5 {
        close(solution.magnitude[row], magnitude[row], 1e-8);
        let turn = solution.angle[row] - angle[row];
        close(turn.sin(), 0.0, 1e-8);
        close(turn.cos(), 1.0, 1e-8);
    }
}

/// Harmonic magnitudes do not converge here; 1 pu with the same angles does.
#[test]
fn angles_of_a_dc_power_flow_are_a_start_with_1_pu_too() {
    let demand = [[0.0, 0.0], [27.0, 28.0], [14.0, 17.0], [13.0, 22.0], [48.0, 19.0]];
    let lines = [
        [0.023, 0.08],
        [0.018, 0.15],
        [0.025, 0.19],
        [0.007, -0.16],
        [0.008, 0.06],
        [0.029, 0.11],
    ];
    let solution = solve(&five(demand, lines, [1.04, 1.05], 50.0));
    assert_eq!(solution.start, Start::DcAngles);
    assert!(solution.magnitude.iter().all(|v| (0.9..1.2).contains(v)));
}
