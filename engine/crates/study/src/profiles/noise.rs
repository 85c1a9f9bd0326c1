//! Random numbers that are the same on every platform.

use std::f64::consts::PI;

/// SplitMix64: G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
pub(super) struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = self.0;
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Uniform in (0, 1).
    fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Standard normal distribution: G. Box and M. Muller, Ann. Math. Statist. 29 (1958).
    pub fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.uniform(), self.uniform());
        (-2.0 * libm::log(radius)).sqrt() * libm::cos(2.0 * PI * angle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        // The reference implementation's numbers for the seed 1234567.
        let mut noise = Noise::new(1_234_567);
        let found: [u64; 3] = std::array::from_fn(|_| noise.next());
        assert_eq!(
            found,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut noise = Noise::new(5);
        let numbers: Vec<f64> = (0..100_000).map(|_| noise.normal()).collect();
        let mean = |of: &dyn Fn(f64) -> f64| numbers.iter().map(|&x| of(x)).sum::<f64>() / 1e5;
        // Within four standard errors: 1, sqrt(2) and sqrt(96) over sqrt(100,000); the fourth moment is 3.
        assert!(mean(&|x| x).abs() < 0.013);
        assert!((mean(&|x| x * x) - 1.0).abs() < 0.018);
        assert!((mean(&|x| x.powi(4)) - 3.0).abs() < 0.13);
    }
}
