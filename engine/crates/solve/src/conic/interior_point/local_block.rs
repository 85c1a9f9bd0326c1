//! Elimination of a pair's own variables `(e, wi)` in square-root form. Two reflections reduce the rows whose squares
//! sum to the pair's block of the normal matrix; the block itself, in which small pivots would cancel, is never formed.

/// A pair's contribution to the matrix of nodes, and the factors that recover its variables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LocalBlock {
    /// Direction in the plane of `(e, wi)` that is eliminated first.
    axis: [f64; 2],
    /// `1 / r11`, `r12`, `1 / r22` of the triangle `[[r11, r12], [0, r22]]`.
    r: [f64; 3],
    /// Over `(w_f, P_f, Q_f, w_t, P_t, Q_t)`: the Schur complement is the rest less `f1 f1' + f2 f2'`.
    pub f1: [f64; 6],
    pub f2: [f64; 6],
    /// `S_w' S_w` over `(w_f, w_t)`: first, beside, second.
    pub squares: [f64; 3],
}

/// Sum of `f` over the rows, with separate sums for even and odd rows to halve the chain of additions.
#[inline(always)]
fn sum_rows<const N: usize>(rows: &[[f64; 4]], f: impl Fn(&[f64; 4]) -> [f64; N]) -> [f64; N] {
    let (mut even, mut odd) = ([0.0; N], [0.0; N]);
    let twos = rows.chunks_exact(2);
    let rest = twos.remainder();
    for two in twos {
        let (a, b) = (f(&two[0]), f(&two[1]));
        for j in 0..N {
            even[j] += a[j];
            odd[j] += b[j];
        }
    }
    for row in rest {
        let a = f(row);
        for j in 0..N {
            even[j] += a[j];
        }
    }
    for j in 0..N {
        even[j] += odd[j];
    }
    even
}

/// Reflects `rows` so that column `C` is zero below the first row. The result in this and earlier columns is not used;
/// all four columns are updated because two fit a register.
#[inline(always)]
fn reflect<const C: usize>(rows: &mut [[f64; 4]]) {
    let dots = sum_rows(rows, |row| {
        [row[C] * row[0], row[C] * row[1], row[C] * row[2], row[C] * row[3]]
    });
    let norm = dots[C].sqrt();
    let first = rows[0];
    let alpha = if first[C] > 0.0 { -norm } else { norm };
    let head = first[C] - alpha;
    // v = (head, rest of the column); v'v = 2 norm (norm + |first|), and v'row is the column's product with it less alpha first.
    let factor = 1.0 / (norm * (norm + first[C].abs()));
    let mut shares = [0.0; 4];
    for j in 0..4 {
        shares[j] = (dots[j] - alpha * first[j]) * factor;
    }
    rows[0][C] = head;
    for row in rows.iter_mut() {
        let v = row[C];
        for j in 0..4 {
            row[j] -= shares[j] * v;
        }
    }
    rows[0][C] = alpha;
}

impl LocalBlock {
    /// Eliminates the pair's variables. `rows` are over `(e, wi, w_f, w_t)` and are overwritten; `flow` holds the
    /// pair's flows `P_f, Q_f, P_t, Q_t` over `(w_f, w_t, e, wi)`; `held` marks squared voltages that are constants.
    pub fn new(rows: &mut [[f64; 4]], flow: &[[f64; 4]; 4], held: [bool; 2]) -> Self {
        let (mut widest, mut at) = (-1.0, 0);
        for (k, row) in rows.iter().enumerate() {
            let width = row[0] * row[0] + row[1] * row[1];
            if width > widest {
                (widest, at) = (width, k);
            }
        }
        let gamma = widest.sqrt();
        let by_gamma = 1.0 / gamma;
        let axis = [rows[at][0] * by_gamma, rows[at][1] * by_gamma];
        for row in rows.iter_mut() {
            let [e, i, ..] = *row;
            row[0] = axis[0] * e + axis[1] * i;
            row[1] = axis[0] * i - axis[1] * e;
        }
        (rows[at][0], rows[at][1]) = (gamma, 0.0);
        rows.swap(0, at);
        reflect::<0>(rows);
        let (first, rest) = rows.split_at_mut(1);
        let first = first[0];
        let (mut largest, mut at) = (-1.0, 0);
        for (k, row) in rest.iter().enumerate() {
            if row[1].abs() > largest {
                (largest, at) = (row[1].abs(), k);
            }
        }
        rest.swap(0, at);
        reflect::<1>(rest);
        let second = rest[0];
        let mut squares = [0.0; 3];
        for row in &rest[1..] {
            squares[0] += row[2] * row[2];
            squares[1] += row[2] * row[3];
            squares[2] += row[3] * row[3];
        }
        let [by_r11, r12, by_r22] = [1.0 / first[0], first[1], 1.0 / second[1]];
        let mut block = Self {
            axis,
            r: [by_r11, r12, by_r22],
            f1: [0.0; 6],
            f2: [0.0; 6],
            squares,
        };
        for end in 0..2 {
            (block.f1[3 * end], block.f2[3 * end]) = (first[2 + end], second[2 + end]);
            for part in 0..2 {
                let row = &flow[2 * end + part];
                let a1 = -(axis[0] * row[2] + axis[1] * row[3]);
                let a2 = -(axis[0] * row[3] - axis[1] * row[2]);
                let along = a1 * by_r11;
                block.f1[3 * end + 1 + part] = along;
                block.f2[3 * end + 1 + part] = (a2 - r12 * along) * by_r22;
            }
            if held[end] {
                (block.f1[3 * end], block.f2[3 * end]) = (0.0, 0.0);
                block.squares[2 * end] = 0.0;
                block.squares[1] = 0.0;
            }
        }
        block
    }

    /// `R^-T` times a right-hand side over `(e, wi)`.
    #[inline(always)]
    pub fn reduce(&self, t: [f64; 2]) -> [f64; 2] {
        let t1 = self.axis[0] * t[0] + self.axis[1] * t[1];
        let t2 = self.axis[0] * t[1] - self.axis[1] * t[0];
        let g1 = t1 * self.r[0];
        [g1, (t2 - self.r[1] * g1) * self.r[2]]
    }

    /// `(e, wi)` from its reduced right-hand side and the solution at its ends.
    #[inline(always)]
    pub fn recover(&self, g: [f64; 2], v: &[f64; 6]) -> [f64; 2] {
        let (mut g1, mut g2) = (g[0], g[1]);
        for k in 0..6 {
            g1 -= self.f1[k] * v[k];
            g2 -= self.f2[k] * v[k];
        }
        let u2 = g2 * self.r[2];
        let u1 = (g1 - self.r[1] * u2) * self.r[0];
        [
            self.axis[0] * u1 - self.axis[1] * u2,
            self.axis[1] * u1 + self.axis[0] * u2,
        ]
    }
}
