//! Start of the force layout: a golden-angle spiral with a deterministic jitter.

use std::f64::consts::PI;

/// Amplitude of the jitter, in the unit square.
pub(super) const JITTER: f64 = 1e-4;

/// "Starts from a golden-angle spiral with a deterministic jitter of about 1e-4 (no random numbers)": vertex `i` of `n` lies
/// at the angle `i * pi * (3 - sqrt 5)` and the radius `sqrt((i + 1/2) / n) / 2`, so that the points fill a disc of diameter
/// 1 evenly (Vogel 1979), each moved by at most [`JITTER`].
pub(super) fn golden_spiral(n: usize) -> Vec<[f64; 2]> {
    (0..n)
        .map(|i| {
            let direction = direction(i);
            let radius = 0.5 * ((i as f64 + 0.5) / n as f64).sqrt();
            let [jx, jy] = jitter(i);
            [radius * direction[0] + jx, radius * direction[1] + jy]
        })
        .collect()
}

/// Unit vector at the `i`-th golden angle.
pub(super) fn direction(i: usize) -> [f64; 2] {
    // Reducing the angle before the sine keeps it accurate at any index.
    let turns = i as f64 * (3.0 - 5.0_f64.sqrt()) * 0.5;
    let angle = 2.0 * PI * (turns - turns.floor());
    [libm::cos(angle), libm::sin(angle)]
}

/// A displacement of at most [`JITTER`] in each coordinate that depends on the index alone.
pub(super) fn jitter(i: usize) -> [f64; 2] {
    let bits = mix(i as u64 + 1);
    let unit = |b: u64| (b & 0xffff_ffff) as f64 / 4_294_967_295.0 * 2.0 - 1.0;
    [JITTER * unit(bits), JITTER * unit(bits >> 32)]
}

/// The finaliser of SplitMix64: a fixed permutation of the 64-bit numbers, no state and no seed.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successive_vertices_turn_by_the_golden_angle_and_fill_the_disc() {
        let points = golden_spiral(100);
        let golden = PI * (3.0 - 5.0_f64.sqrt());
        for i in 50..99 {
            let turn = points[i + 1][1].atan2(points[i + 1][0]) - points[i][1].atan2(points[i][0]);
            let turn = (turn + 4.0 * PI) % (2.0 * PI);
            assert!((turn - golden).abs() < 2e-3, "{turn}");
        }
        let radius = (points[99][0].powi(2) + points[99][1].powi(2)).sqrt();
        assert!((radius - 0.5 * (0.995_f64).sqrt()).abs() < 2.0 * JITTER);
    }

    #[test]
    fn the_jitter_is_about_1e_4_and_never_the_same() {
        let moves: Vec<[f64; 2]> = (0..1000).map(jitter).collect();
        assert!(moves.iter().flatten().all(|m| m.abs() <= JITTER));
        let mean = moves.iter().flatten().map(|m| m.abs()).sum::<f64>() / 2000.0;
        assert!((0.4e-4..0.6e-4).contains(&mean), "{mean}");
        let mut keys: Vec<u64> = moves.iter().map(|m| m[0].to_bits()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 1000);
    }
}
