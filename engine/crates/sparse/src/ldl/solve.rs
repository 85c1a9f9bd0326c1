//! Solves with a factor or a part of it, for one right-hand side and for several.

use super::part::Run;
use super::{Ldl, Part};

/// Evaluates an expression of a column length with short lengths as constants, so that loops are unrolled.
macro_rules! by_length {
    ($len:expr, |$n:ident| $call:expr, $($short:literal)*) => {
        match $len {
            $($short => {
                let $n: usize = $short;
                $call
            })*
            $n => $call,
        }
    };
    ($len:expr, |$n:ident| $call:expr) => {
        by_length!($len, |$n| $call, 0 1 2 3 4 5 6 7 8)
    };
}

impl Ldl {
    /// Solves `A x = b` in place.
    pub fn solve(&self, b: &mut [f64]) {
        let mut x: Vec<f64> = self.perm.iter().map(|&row| b[row]).collect();
        self.solve_ordered(&mut x);
        for (k, &row) in self.perm.iter().enumerate() {
            b[row] = x[k];
        }
    }

    /// `solve`, with `x` in the order of elimination.
    pub fn solve_ordered(&self, x: &mut [f64]) {
        self.solve_part(&self.whole, x);
    }

    /// `solve_ordered` for several interleaved right-hand sides.
    pub fn solve_ordered_together<const W: usize>(&self, x: &mut [[f64; W]]) {
        self.solve_part_together(&self.whole, x);
    }

    /// `solve_ordered` on a part of the factor: entries of `x` outside it are neither read nor written.
    pub fn solve_part(&self, part: &Part, x: &mut [f64]) {
        wattbook_interrupt::work(2 * part.work());
        for run in part.runs() {
            by_length!(run.len, |len| self.forward(run, len, x));
        }
        for run in part.runs().rev() {
            by_length!(run.len, |len| self.backward(run, len, x));
        }
    }

    /// Rows and values of a column.
    #[inline(always)]
    fn column(&self, start: u32, len: usize) -> (&[u32], &[f64]) {
        let start = start as usize;
        (&self.rows[start..start + len], &self.values[start..start + len])
    }

    // The loops use indices because chains of iterators were not inlined here.
    #[inline(always)]
    fn forward(&self, run: Run, len: usize, x: &mut [f64]) {
        for c in 0..run.columns.len() {
            let xk = x[run.columns[c] as usize];
            if xk != 0.0 {
                let (rows, values) = self.column(run.starts[c], len);
                for i in 0..len {
                    x[rows[i] as usize] -= values[i] * xk;
                }
            }
        }
    }

    #[inline(always)]
    fn backward(&self, run: Run, len: usize, x: &mut [f64]) {
        for c in (0..run.columns.len()).rev() {
            let k = run.columns[c] as usize;
            let (rows, values) = self.column(run.starts[c], len);
            // Two partial sums give one order everywhere and shorter dependency chains.
            let (mut even, mut odd) = (x[k] * self.d_inv[k], 0.0);
            for i in 0..len / 2 {
                even -= values[2 * i] * x[rows[2 * i] as usize];
                odd -= values[2 * i + 1] * x[rows[2 * i + 1] as usize];
            }
            if len % 2 == 1 {
                even -= values[len - 1] * x[rows[len - 1] as usize];
            }
            x[k] = even + odd;
        }
    }

    /// `solve_part` for several interleaved right-hand sides, reading the factor once. Compiled a second time for wider
    /// registers like `kernels`, with the same sums in the same order.
    pub fn solve_part_together<const W: usize>(&self, part: &Part, x: &mut [[f64; W]]) {
        wattbook_interrupt::work(2 * W * part.work());
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn wide<const W: usize>(factor: &Ldl, part: &Part, x: &mut [[f64; W]]) {
                factor.solve_together(part, x);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the features for which the function was compiled.
                return unsafe { wide(self, part, x) };
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            #[target_feature(enable = "simd128")]
            fn wide<const W: usize>(factor: &Ldl, part: &Part, x: &mut [[f64; W]]) {
                factor.solve_together(part, x);
            }
            return wide(self, part, x);
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.solve_together(part, x);
    }

    #[inline(always)]
    fn solve_together<const W: usize>(&self, part: &Part, x: &mut [[f64; W]]) {
        for run in part.runs() {
            by_length!(run.len, |len| self.forward_together(run, len, x));
        }
        for run in part.runs().rev() {
            by_length!(run.len, |len| self.backward_together(run, len, x));
        }
    }

    #[inline(always)]
    fn forward_together<const W: usize>(&self, run: Run, len: usize, x: &mut [[f64; W]]) {
        for c in 0..run.columns.len() {
            let xk = x[run.columns[c] as usize];
            let (rows, values) = self.column(run.starts[c], len);
            for i in 0..len {
                let target = &mut x[rows[i] as usize];
                for w in 0..W {
                    target[w] -= values[i] * xk[w];
                }
            }
        }
    }

    #[inline(always)]
    fn backward_together<const W: usize>(&self, run: Run, len: usize, x: &mut [[f64; W]]) {
        for c in (0..run.columns.len()).rev() {
            let k = run.columns[c] as usize;
            let (rows, values) = self.column(run.starts[c], len);
            let mut sum = x[k];
            for s in &mut sum {
                *s *= self.d_inv[k];
            }
            for i in 0..len {
                let source = &x[rows[i] as usize];
                for w in 0..W {
                    sum[w] -= values[i] * source[w];
                }
            }
            x[k] = sum;
        }
    }
}
