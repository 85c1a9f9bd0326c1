//! dLMP/dd of random buses on every available grid against differences of exact optima inside the given interval.

use std::path::{Path, PathBuf};
use wattbook_network::ingest_case;
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DualActiveSet, PastEnd, Target, WarrantKind};

const LARGEST_CASE: usize = 3_000;

/// A difference over less than this, per unit, is mostly rounding.
const SHORTEST: f64 = 1e-3;

fn case_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for sub in [
        "pglib",
        "pglib/api",
        "pglib/sad",
        "activsg500",
        "activsg2000",
        "rts_gmlc",
        "matpower",
    ] {
        let entries = std::fs::read_dir(folder.join(sub)).into_iter().flatten().flatten();
        let mut here: Vec<PathBuf> = entries
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|e| e == "m"))
            .collect();
        here.sort();
        files.extend(here);
    }
    files
}

#[test]
fn regular_columns_agree_with_differences_inside_their_interval() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let (mut regular, mut grids, mut moving, mut one_sided) = (0, 0, 0, 0);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    for file in case_files(&data) {
        let Ok(ingested) = std::fs::read(&file)
            .map_err(|_| ())
            .and_then(|b| ingest_case(&b, "matpower").map_err(|_| ()))
        else {
            continue;
        };
        let net = ingested.network;
        if net.buses.len() > LARGEST_CASE {
            continue;
        }
        let Ok(model) = DcModel::new(&net, Convention::Matpower) else {
            continue;
        };
        let Ok(s) = DualActiveSet.optimum(&model, &DcData::base(&net), None) else {
            continue;
        };
        grids += 1;
        let active: Vec<usize> = (0..net.buses.len()).filter(|&b| model.bus_is_active(b)).collect();
        for _ in 0..12 {
            let b = active[random(active.len())];
            let two = s.one_sided_derivatives(&DualActiveSet, &model, Target::Demand(b));
            if two.column.warrant.kind != WarrantKind::Regular {
                one_sided += 1;
                continue;
            }
            assert!(two.left.is_none() && two.right.is_none());
            assert!(two.column.warrant.residual < 1e-9, "{}", two.column.warrant.residual);
            let (lo, hi) = two.column.warrant.interval();
            // An interval may end where demand reaches zero, which the difference must not pass.
            let (down, up) = (0.9 * (-lo).min(1.0), 0.9 * hi.min(1.0));
            if down < SHORTEST || up < SHORTEST {
                continue;
            }
            let at = |step: f64| {
                let mut moved = s.data.clone();
                moved.demand[b] += step;
                DualActiveSet.optimum(&model, &moved, Some(&s)).unwrap().price
            };
            let (high, low) = (at(up), at(-down));
            let largest = s.price.iter().fold(1.0f64, |m, p| m.max(p.abs()));
            for (k, rate) in two.column.price.iter().enumerate() {
                let difference = high[k] - low[k];
                let predicted = rate * (up + down);
                assert!(
                    (difference - predicted).abs() <= 1e-7 * (largest * 1e-3 + difference.abs()),
                    "{}: bus {} by demand at {}: {difference} against {predicted}",
                    file.display(),
                    net.buses[k].id,
                    net.buses[b].id
                );
            }
            if let PastEnd::Jump(jump) = two.past_ends.1 {
                assert!(jump >= -1e-6 * largest, "a price falls by {jump} as its demand grows");
            }
            regular += 1;
            moving += usize::from(two.column.price.iter().any(|d| d.abs() > 1e-6));
        }
    }
    println!(
        "{regular} regular columns on {grids} grids agree, {moving} of them not zero; {one_sided} were at a breakpoint"
    );
    assert!(regular >= 500, "{regular} regular columns on {grids} grids");
    assert!(moving >= 50, "{moving}");
}
