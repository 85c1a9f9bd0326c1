//! Inner loops of dense algebra, compiled a second time for wider registers if the machine has them.
//!
//! The width of registers only determines how many sums are computed in parallel: each sum has the order written here,
//! without fused multiply-add, so every machine gives the same bits.

use crate::unrolled::{add_four, add_rows_plain, dot_plain, eight_dots, four_dots, four_dots_and_add};

/// Defines functions that use AVX2 if the processor has it, and the 128-bit registers of WebAssembly.
macro_rules! wide {
    ($($(#[$attribute:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$attribute])*
        #[inline]
        $visible fn $name($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn plain($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                unsafe fn wide($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has the features for which the function was compiled.
                    return unsafe { wide($($argument),*) };
                }
            }
            #[cfg(target_arch = "wasm32")]
            {
                #[target_feature(enable = "simd128")]
                fn wide($($argument: $type),*) $(-> $result)? {
                    plain($($argument),*)
                }
                return wide($($argument),*);
            }
            #[cfg(not(target_arch = "wasm32"))]
            plain($($argument),*)
        }
    )*};
}

wide! {
    /// `a'b`. Eight partial sums give one order everywhere and short dependency chains.
    pub fn dot(a: &[f64], b: &[f64]) -> f64 {
        dot_plain(a, b)
    }

    /// `out += factor x`.
    pub fn add_scaled(out: &mut [f64], factor: f64, x: &[f64]) {
        for (o, x) in out.iter_mut().zip(x) {
            *o += factor * x;
        }
    }

    /// `out += sum_k factors[k] rows[k]`, four rows at a time, so that `out` is read and written once for them.
    pub fn add_rows(out: &mut [f64], factors: &[f64], rows: &[&[f64]]) {
        add_rows_plain(out, factors, rows);
    }

    /// `out[i] = a_i'x` for the rows of a row-major matrix with `stride`; each sum has the order of `dot`.
    pub fn products(a: &[f64], stride: usize, x: &[f64], out: &mut [f64]) {
        let n = x.len();
        let rows = out.len();
        let mut i = 0;
        while i + 4 <= rows {
            let row = |k: usize| &a[(i + k) * stride..(i + k) * stride + n];
            let sums = four_dots([row(0), row(1), row(2), row(3)], x);
            out[i..i + 4].copy_from_slice(&sums);
            i += 4;
        }
        while i < rows {
            out[i] = dot_plain(&a[i * stride..i * stride + n], x);
            i += 1;
        }
    }

    /// `out += sum_i x[i] a_i` for the rows of a row-major matrix with `stride`.
    pub fn add_transposed(a: &[f64], stride: usize, x: &[f64], out: &mut [f64]) {
        let n = out.len();
        let mut i = 0;
        while i + 4 <= x.len() {
            let row = |k: usize| &a[(i + k) * stride..(i + k) * stride + n];
            add_four(out, [x[i], x[i + 1], x[i + 2], x[i + 3]], [row(0), row(1), row(2), row(3)]);
            i += 4;
        }
        while i < x.len() {
            for (o, a) in out.iter_mut().zip(&a[i * stride..i * stride + n]) {
                *o += x[i] * a;
            }
            i += 1;
        }
    }

    /// `out[w][i] = a_i'x_w` for the rows of a row-major matrix with `stride`, which is read once.
    pub fn products_together(a: &[f64], stride: usize, x: &[&[f64]], out: &mut [Vec<f64>]) {
        let rows = out.first().map_or(0, |o| o.len());
        let n = x.first().map_or(0, |x| x.len());
        let mut i = 0;
        while i + 4 <= rows {
            let row = |k: usize| &a[(i + k) * stride..(i + k) * stride + n];
            let four = [row(0), row(1), row(2), row(3)];
            let mut w = 0;
            while w + 2 <= x.len() {
                let sums = eight_dots(four, [x[w], x[w + 1]]);
                out[w][i..i + 4].copy_from_slice(&sums[0]);
                out[w + 1][i..i + 4].copy_from_slice(&sums[1]);
                w += 2;
            }
            if w < x.len() {
                out[w][i..i + 4].copy_from_slice(&four_dots(four, x[w]));
            }
            i += 4;
        }
        while i < rows {
            for (x, out) in x.iter().zip(out.iter_mut()) {
                out[i] = dot_plain(x, &a[i * stride..i * stride + n]);
            }
            i += 1;
        }
    }

    /// `add_transposed` for several vectors, reading the matrix once.
    pub fn add_transposed_together(a: &[f64], stride: usize, x: &[&[f64]], out: &mut [Vec<f64>]) {
        let n = out.first().map_or(0, |o| o.len());
        let rows = x.first().map_or(0, |x| x.len());
        let mut i = 0;
        while i + 4 <= rows {
            let row = |k: usize| &a[(i + k) * stride..(i + k) * stride + n];
            let four = [row(0), row(1), row(2), row(3)];
            for (x, out) in x.iter().zip(out.iter_mut()) {
                add_four(out, [x[i], x[i + 1], x[i + 2], x[i + 3]], four);
            }
            i += 4;
        }
        while i < rows {
            for (x, out) in x.iter().zip(out.iter_mut()) {
                for (o, a) in out.iter_mut().zip(&a[i * stride..i * stride + n]) {
                    *o += x[i] * a;
                }
            }
            i += 1;
        }
    }

    /// `a_i += sum_b factors[b][i] v_b` for the rows of a row-major matrix with `stride`, which is read and written once.
    pub fn add_outers(a: &mut [f64], stride: usize, factors: &[Vec<f64>], v: &[Vec<f64>]) {
        let n = v.first().map_or(0, |v| v.len());
        let rows = factors.first().map_or(0, |f| f.len());
        for i in 0..rows {
            let row = &mut a[i * stride..i * stride + n];
            let mut b = 0;
            while b + 4 <= v.len() {
                let f = [factors[b][i], factors[b + 1][i], factors[b + 2][i], factors[b + 3][i]];
                if f != [0.0; 4] {
                    add_four(row, f, [&v[b], &v[b + 1], &v[b + 2], &v[b + 3]]);
                }
                b += 4;
            }
            while b < v.len() {
                let f = factors[b][i];
                if f != 0.0 {
                    for (a, v) in row.iter_mut().zip(&v[b]) {
                        *a += f * v;
                    }
                }
                b += 1;
            }
        }
    }

    /// `a += u v'` for a row-major matrix with `stride`.
    pub fn add_outer(a: &mut [f64], stride: usize, u: &[f64], v: &[f64]) {
        for i in 0..u.len() {
            if u[i] != 0.0 {
                for (a, v) in a[i * stride..i * stride + v.len()].iter_mut().zip(v) {
                    *a += u[i] * v;
                }
            }
        }
    }

    /// `out = A x` for a symmetric matrix whose lower triangle is stored by rows.
    pub fn symmetric_product(a: &[f64], x: &[f64], out: &mut [f64]) {
        let n = x.len();
        out.fill(0.0);
        let mut i = 0;
        while i + 4 <= n {
            let start = |k: usize| (i + k) * (i + k + 1) / 2;
            let row = |k: usize| &a[start(k)..start(k) + i];
            let factors = [x[i], x[i + 1], x[i + 2], x[i + 3]];
            let (above, here) = out.split_at_mut(i);
            let sums = four_dots_and_add([row(0), row(1), row(2), row(3)], &x[..i], factors, above);
            for k in 0..4 {
                let corner = &a[start(k) + i..start(k) + i + k + 1];
                let mut sum = sums[k] + corner[k] * factors[k];
                for m in 0..k {
                    sum += corner[m] * factors[m];
                    here[m] += corner[m] * factors[k];
                }
                here[k] += sum;
            }
            i += 4;
        }
        while i < n {
            let row = &a[i * (i + 1) / 2..i * (i + 1) / 2 + i + 1];
            let (above, here) = out.split_at_mut(i);
            let sum = dot_plain(&row[..i], &x[..i]);
            for (o, a) in above.iter_mut().zip(row) {
                *o += x[i] * a;
            }
            here[0] += sum + row[i] * x[i];
            i += 1;
        }
    }

    /// `A += factor u u'` for a symmetric matrix whose lower triangle is stored by rows.
    pub fn symmetric_update(a: &mut [f64], factor: f64, u: &[f64]) {
        let mut start = 0;
        for i in 0..u.len() {
            let scaled = factor * u[i];
            if scaled != 0.0 {
                for (a, u) in a[start..start + i + 1].iter_mut().zip(u) {
                    *a += scaled * u;
                }
            }
            start += i + 1;
        }
    }

    /// `target_r -= sum_k factors_r[k] rows[k]` for several rows of a matrix `n` wide with contiguous source rows;
    /// columns `from` to `to`. The sources are read once for all targets.
    pub fn subtract_block(targets: &mut [f64], factors: &[f64], factor_stride: usize, sources: &[f64], n: usize, from: usize, to: usize) {
        let count = sources.len() / n;
        let mut k = 0;
        while k + 4 <= count {
            let row = |m: usize| &sources[(k + m) * n + from..(k + m) * n + to];
            let rows = [row(0), row(1), row(2), row(3)];
            for (r, target) in targets.chunks_exact_mut(n).enumerate() {
                let f = &factors[r * factor_stride + k..r * factor_stride + k + 4];
                if f != [0.0; 4] {
                    add_four(&mut target[from..to], [-f[0], -f[1], -f[2], -f[3]], rows);
                }
            }
            k += 4;
        }
        while k < count {
            for (r, target) in targets.chunks_exact_mut(n).enumerate() {
                let f = factors[r * factor_stride + k];
                if f != 0.0 {
                    for (t, s) in target[from..to].iter_mut().zip(&sources[k * n + from..k * n + to]) {
                        *t -= f * s;
                    }
                }
            }
            k += 1;
        }
    }
}
