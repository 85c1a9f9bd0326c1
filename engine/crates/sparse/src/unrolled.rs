//! Loops with several parallel sums, inlined into `kernels` for each width of registers.

#[inline(always)]
pub(crate) fn dot_plain(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [0.0; 8];
    let whole = n - n % 8;
    let mut i = 0;
    while i < whole {
        for k in 0..8 {
            sums[k] += a[i + k] * b[i + k];
        }
        i += 8;
    }
    let mut rest = 0.0;
    for k in whole..n {
        rest += a[k] * b[k];
    }
    total(&sums) + rest
}

#[inline(always)]
fn total(s: &[f64; 8]) -> f64 {
    ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}

/// Four times `dot_plain` with one vector.
#[inline(always)]
pub(crate) fn four_dots(rows: [&[f64]; 4], x: &[f64]) -> [f64; 4] {
    let n = x.len();
    // Without `map`, which is not inlined in functions compiled for wider registers, so that the lengths would be
    // unknown.
    let (a, b, c, d) = (&rows[0][..n], &rows[1][..n], &rows[2][..n], &rows[3][..n]);
    let mut sums = [[0.0; 8]; 4];
    let whole = n - n % 8;
    let mut i = 0;
    while i < whole {
        for k in 0..8 {
            sums[0][k] += a[i + k] * x[i + k];
            sums[1][k] += b[i + k] * x[i + k];
            sums[2][k] += c[i + k] * x[i + k];
            sums[3][k] += d[i + k] * x[i + k];
        }
        i += 8;
    }
    let mut out = [0.0; 4];
    for (r, row) in [a, b, c, d].into_iter().enumerate() {
        let mut rest = 0.0;
        for k in whole..n {
            rest += row[k] * x[k];
        }
        out[r] = total(&sums[r]) + rest;
    }
    out
}

/// Products of four rows with two vectors. Four partial sums each.
#[inline(always)]
pub(crate) fn eight_dots(rows: [&[f64]; 4], x: [&[f64]; 2]) -> [[f64; 4]; 2] {
    let n = x[0].len();
    let (a, b, c, d) = (&rows[0][..n], &rows[1][..n], &rows[2][..n], &rows[3][..n]);
    let (x, y) = (&x[0][..n], &x[1][..n]);
    let mut sums = [[0.0; 4]; 8];
    let whole = n - n % 4;
    let mut i = 0;
    while i < whole {
        for k in 0..4 {
            let (a, b, c, d, x, y) = (a[i + k], b[i + k], c[i + k], d[i + k], x[i + k], y[i + k]);
            sums[0][k] += a * x;
            sums[1][k] += b * x;
            sums[2][k] += c * x;
            sums[3][k] += d * x;
            sums[4][k] += a * y;
            sums[5][k] += b * y;
            sums[6][k] += c * y;
            sums[7][k] += d * y;
        }
        i += 4;
    }
    let mut out = [[0.0; 4]; 2];
    for r in 0..4 {
        let (s, t) = (sums[r], sums[r + 4]);
        out[0][r] = (s[0] + s[2]) + (s[1] + s[3]);
        out[1][r] = (t[0] + t[2]) + (t[1] + t[3]);
    }
    for k in whole..n {
        for (r, row) in [a, b, c, d].iter().enumerate() {
            out[0][r] += row[k] * x[k];
            out[1][r] += row[k] * y[k];
        }
    }
    out
}

/// `out += sum_r factors[r] rows[r]`, and the products of the rows with `x`, reading the rows once. Four partial sums
/// each.
#[inline(always)]
pub(crate) fn four_dots_and_add(rows: [&[f64]; 4], x: &[f64], factors: [f64; 4], out: &mut [f64]) -> [f64; 4] {
    let n = x.len();
    let (a, b, c, d) = (&rows[0][..n], &rows[1][..n], &rows[2][..n], &rows[3][..n]);
    let out = &mut out[..n];
    let mut sums = [[0.0; 4]; 4];
    let whole = n - n % 4;
    let mut i = 0;
    while i < whole {
        for k in 0..4 {
            let (a, b, c, d, x) = (a[i + k], b[i + k], c[i + k], d[i + k], x[i + k]);
            sums[0][k] += a * x;
            sums[1][k] += b * x;
            sums[2][k] += c * x;
            sums[3][k] += d * x;
            out[i + k] += (a * factors[0] + b * factors[1]) + (c * factors[2] + d * factors[3]);
        }
        i += 4;
    }
    let mut found = [0.0; 4];
    for r in 0..4 {
        let s = sums[r];
        found[r] = (s[0] + s[2]) + (s[1] + s[3]);
    }
    for k in whole..n {
        for (sum, row) in found.iter_mut().zip([a, b, c, d]) {
            *sum += row[k] * x[k];
        }
        out[k] += (a[k] * factors[0] + b[k] * factors[1]) + (c[k] * factors[2] + d[k] * factors[3]);
    }
    found
}

#[inline(always)]
pub(crate) fn add_four(out: &mut [f64], f: [f64; 4], rows: [&[f64]; 4]) {
    let n = out.len();
    let (a, b, c, d) = (&rows[0][..n], &rows[1][..n], &rows[2][..n], &rows[3][..n]);
    for i in 0..n {
        out[i] += (f[0] * a[i] + f[1] * b[i]) + (f[2] * c[i] + f[3] * d[i]);
    }
}

#[inline(always)]
pub(crate) fn add_rows_plain(out: &mut [f64], factors: &[f64], rows: &[&[f64]]) {
    let n = factors.len().min(rows.len());
    let mut k = 0;
    while k + 4 <= n {
        let f = [factors[k], factors[k + 1], factors[k + 2], factors[k + 3]];
        add_four(out, f, [rows[k], rows[k + 1], rows[k + 2], rows[k + 3]]);
        k += 4;
    }
    while k < n {
        for (o, x) in out.iter_mut().zip(rows[k]) {
            *o += factors[k] * x;
        }
        k += 1;
    }
}
