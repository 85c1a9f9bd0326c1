//! Flows of a branch as linear functions of squared voltages and voltage products.

use wattbook_network::analysis::Branch;

/// Coefficients over `(w_f, w_t, e, wi)` of a bus pair: squared magnitudes at its ends, `e = (w_f + w_t) / 2 - wr`, and
/// `wr + j wi = V_f conj(V_t)`.
pub(crate) type Coefficients = [f64; 4];

/// Substitutes `e` for `wr` in coefficients over `(w_f, w_t, wr, wi)`, which makes flows of stiff lines sums of small
/// numbers.
pub(crate) fn substituted([f, t, r, i]: [f64; 4]) -> Coefficients {
    [f + 0.5 * r, t + 0.5 * r, -r, i]
}

/// `flow_rows` of a branch with the series admittance `g + jb` and without shunts.
pub(crate) fn series_rows(b: &Branch, (g, s): (f64, f64)) -> [[f64; 4]; 4] {
    two_port_rows(b, g, s, [[0.0; 2]; 2])
}

/// `P_from, Q_from, P_to, Q_to` of a branch over `(w_from, w_to, wr, wi)` with MATPOWER's two-port (manual, section 3.2):
/// `S_f = conj(Y_ff) w_f + conj(Y_ft) W`, `S_t = conj(Y_tt) w_t + conj(Y_tf) conj(W)`.
pub(crate) fn flow_rows(b: &Branch) -> [[f64; 4]; 4] {
    let square = b.r_pu * b.r_pu + b.x_pu * b.x_pu;
    two_port_rows(b, b.r_pu / square, -b.x_pu / square, [b.shunt_from_pu, b.shunt_to_pu])
}

fn two_port_rows(b: &Branch, g: f64, s: f64, [from, to]: [[f64; 2]; 2]) -> [[f64; 4]; 4] {
    let (sin, cos) = libm::sincos(b.shift_rad);
    let (ff_re, ff_im) = ((g + from[0]) / (b.tap * b.tap), (s + from[1]) / (b.tap * b.tap));
    // Y_ft = -y e^{j shift} / tap, Y_tf = -y e^{-j shift} / tap.
    let (ft_re, ft_im) = (-(g * cos - s * sin) / b.tap, -(g * sin + s * cos) / b.tap);
    let (tf_re, tf_im) = (-(g * cos + s * sin) / b.tap, -(s * cos - g * sin) / b.tap);
    [
        [ff_re, 0.0, ft_re, ft_im],
        [-ff_im, 0.0, -ft_im, ft_re],
        [0.0, g + to[0], tf_re, -tf_im],
        [0.0, -(s + to[1]), -tf_im, -tf_re],
    ]
}

/// The same flows in the orientation of a pair whose first end is the branch's to end.
pub(crate) fn turned([f, t, r, i]: [f64; 4]) -> [f64; 4] {
    [t, f, r, -i]
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex64;

    /// Compares with the two-port in complex arithmetic.
    #[test]
    fn flows_are_those_of_the_two_port() {
        let branch = Branch {
            id: 1,
            uid: None,
            name: None,
            is_switch: false,
            from: 0,
            to: 1,
            r_pu: 0.02,
            x_pu: 0.1,
            shunt_from_pu: [0.01, 0.02],
            shunt_to_pu: [0.03, 0.04],
            tap: 0.97,
            shift_rad: 0.1,
            in_service: true,
            editable: true,
            angle_min_rad: -1.0,
            angle_max_rad: 1.0,
            rating_pu: 1.0,
            angle_limits_about_shift: false,
            angle_limits_assumed: false,
            rating_is_fallback: false,
            emergency_ratings_pu: [None; 2],
            route: None,
        };
        let (vf, vt) = (Complex64::from_polar(1.03, 0.2), Complex64::from_polar(0.98, -0.05));
        let y = Complex64::new(1.0, 0.0) / Complex64::new(0.02, 0.1);
        let a = Complex64::from_polar(0.97, 0.1);
        let (ff, tt) = (y + Complex64::new(0.01, 0.02), y + Complex64::new(0.03, 0.04));
        let s_from = vf * (ff / (0.97 * 0.97) * vf - y / a.conj() * vt).conj();
        let s_to = vt * (tt * vt - y / a * vf).conj();
        let w = vf * vt.conj();
        let x = [vf.norm_sqr(), vt.norm_sqr(), w.re, w.im];
        let want = [s_from.re, s_from.im, s_to.re, s_to.im];
        let e = 0.5 * (x[0] + x[1]) - x[2];
        for (row, want) in flow_rows(&branch).into_iter().zip(want) {
            let direct: f64 = row.iter().zip(x).map(|(a, b)| a * b).sum();
            assert!((direct - want).abs() < 1e-13);
            let by_e: f64 = substituted(row)
                .iter()
                .zip([x[0], x[1], e, x[3]])
                .map(|(a, b)| a * b)
                .sum();
            assert!((by_e - want).abs() < 1e-13);
            let from_to: f64 = turned(row)
                .iter()
                .zip([x[1], x[0], x[2], -x[3]])
                .map(|(a, b)| a * b)
                .sum();
            assert!((from_to - want).abs() < 1e-13);
        }
    }
}
