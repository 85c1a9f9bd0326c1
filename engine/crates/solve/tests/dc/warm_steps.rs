//! Optima from another optimum: carried over where its active set still holds, and in any case equal to those of a cold
//! solve.

use crate::common::{close, three_bus, BASE};
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, Target, WarrantKind};

/// xorshift.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[track_caller]
fn same(model: &DcModel, warm: &DcSolution, cold: &DcSolution) {
    let scale = 1.0 + cold.objective.abs();
    assert!((warm.objective - cold.objective).abs() <= 1e-10 * scale);
    assert!(warm.certificate.holds());
    // The price of a bus between two lines at their limits is not unique: any price between its one-sided derivatives
    // is right. Shadow prices of parallel lines are not unique either.
    let largest = cold.price.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    for (bus, (a, b)) in warm.price.iter().zip(&cold.price).enumerate() {
        if (a - b).abs() > 1e-9 * largest {
            let interval = cold
                .one_sided_derivatives(&DualActiveSet, model, Target::Demand(bus))
                .price_interval;
            let (from, to) = interval.unwrap_or_else(|| panic!("bus row {bus}: {a} against {b}"));
            assert!(
                from.is_none_or(|from| *a >= from - 1e-9 * largest),
                "{a} below {from:?}"
            );
            assert!(to.is_none_or(|to| *a <= to + 1e-9 * largest), "{a} above {to:?}");
        }
    }
}

/// Derivative of the prices by the demand of a bus, where the optimum has one.
fn column(model: &DcModel, s: &DcSolution, k: usize) -> Option<Vec<f64>> {
    let bus = (k * 37) % s.price.len();
    let column = s.derivative(model, &Target::Demand(bus).into());
    (column.warrant.kind == WarrantKind::Regular).then_some(column.price)
}

fn bits(s: &DcSolution) -> Vec<u64> {
    let parts = [&[s.objective][..], &s.price, &s.theta, &s.flow, &s.shadow, &s.dispatch];
    parts.concat().iter().map(|x| x.to_bits()).collect()
}

#[test]
fn a_step_inside_the_region_moves_along_its_derivative() {
    // Line 2-3 holds 40 MW; bus 2 draws 90 MW.
    let network = three_bus([250.0, 40.0, 250.0]);
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let base = DualActiveSet.optimum(&model, &DcData::base(&network), None).unwrap();
    let mut data = base.data.clone();
    data.demand[1] += 1.0 / BASE;
    data.rating[1] -= 1.0 / BASE;
    let step = DualActiveSet.optimum(&model, &data, Some(&base)).unwrap();
    let moved = |k: usize| (step.price[k] - base.price[k]) / BASE;
    close(
        &[moved(0), moved(1), moved(2)],
        &[0.44 + 0.66, 1.05 + 1.83, -0.17 - 0.51],
        1e-9,
    );
    assert_eq!(step.pivots, 0);
    same(&model, &step, &DualActiveSet.optimum(&model, &data, None).unwrap());
}

#[test]
fn a_step_out_of_the_region_takes_the_next_active_set() {
    let network = three_bus([250.0, 40.0, 250.0]);
    let model = DcModel::new(&network, Convention::Service).unwrap();
    let base = DualActiveSet.optimum(&model, &DcData::base(&network), None).unwrap();
    let mut data = base.data.clone();
    data.rating[1] = 2.5;
    let step = DualActiveSet.optimum(&model, &data, Some(&base)).unwrap();
    close(&[step.price[0] / BASE, step.price[1] / BASE], &[11.487179487; 2], 1e-8);
    assert_eq!(step.shadow[1], 0.0);
    // The reverse step, from there.
    let back = DualActiveSet.optimum(&model, &base.data, Some(&step)).unwrap();
    same(&model, &back, &base);
}

#[test]
fn random_steps_of_real_cases_are_cold_optima() {
    let Some(folder) = crate::common::data_folder() else {
        return;
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut solved, mut carried, mut refused, mut columns, mut left) = (0, 0, 0, 0, 0);
    for file in [
        "pglib/pglib_opf_case24_ieee_rts.m",
        "pglib/pglib_opf_case118_ieee.m",
        "pglib/pglib_opf_case240_pserc.m",
        "pglib/pglib_opf_case500_goc.m",
        "pglib/pglib_opf_case2383wp_k.m",
        "activsg500/case_ACTIVSg500.m",
    ] {
        let Ok(bytes) = std::fs::read(folder.join(file)) else {
            println!("skipped: {file} is not there");
            continue;
        };
        let network = wattbook_network::ingest_case(&bytes, "matpower").unwrap().network;
        let model = DcModel::new(&network, Convention::Service).unwrap();
        let base = DualActiveSet.optimum(&model, &DcData::base(&network), None).unwrap();
        let fresh = base.clone();
        for k in 0..40 {
            let mut data = base.data.clone();
            // One bus, then a few buses and lines.
            for _ in 0..if k % 2 == 0 { 1 } else { 5 } {
                let bus = (random.unit() * data.demand.len() as f64) as usize;
                data.demand[bus] *= 0.8 + 0.4 * random.unit();
                if k % 2 == 1 {
                    let branch = (random.unit() * data.rating.len() as f64) as usize;
                    data.rating[branch] *= 0.9 + 0.2 * random.unit();
                }
            }
            let warm = DualActiveSet.optimum(&model, &data, Some(&base));
            match (warm, DualActiveSet.optimum(&model, &data, None)) {
                (Ok(warm), Ok(cold)) => {
                    same(&model, &warm, &cold);
                    // The factor of a step is that of the base with a few changes: derivatives show whether it is as
                    // accurate.
                    let (a, b) = (column(&model, &warm, k), column(&model, &cold, k));
                    if let (Some(a), Some(b)) = (a, b) {
                        let largest = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
                        let apart = a.iter().zip(&b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                        assert!(apart <= 1e-8 * largest, "{file}, step {k}: {apart} of {largest}");
                        columns += 1;
                    }
                    // Earlier steps, and what the base caches of them, never matter.
                    if k % 8 == 0 {
                        let anew = DualActiveSet.optimum(&model, &data, Some(&fresh)).unwrap();
                        assert_eq!(bits(&anew), bits(&warm), "{file}, step {k}");
                    }
                    left += usize::from(warm.pivots > 0);
                    solved += 1;
                    carried += usize::from(warm.pivots == 0 && warm.progress.len() == 1);
                }
                (Err(warm), Err(cold)) => {
                    assert_eq!(warm.code, cold.code);
                    refused += 1;
                }
                (warm, cold) => panic!("{file}: {:?} against {:?}", warm.err(), cold.err()),
            }
        }
    }
    println!("{solved} steps agree with cold solves, {carried} without a pivot; {refused} have no solution either way");
    println!("{left} left their region; {columns} columns agree");
    assert!(solved == 0 || (carried > solved / 4 && left > 10 && columns > solved / 2));
}
