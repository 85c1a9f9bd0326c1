//! Bus prices from multipliers of lines and islands.

use crate::dc::model::DcModel;

/// The nonzero multipliers of lines, by line.
pub(crate) fn nonzero(line_y: &[f64]) -> Vec<(usize, f64)> {
    let set = line_y.iter().copied().enumerate().filter(|(_, y)| *y != 0.0);
    set.collect()
}

/// Right-hand side of the price equations `B pi = sum y w (e_f - e_t)` for line multipliers.
pub(crate) fn line_price_rhs(model: &DcModel, line_y: &[(usize, f64)]) -> Vec<f64> {
    let mut rhs = vec![0.0; model.n_bus];
    for &(l, y) in line_y {
        for (o, c) in model.terms(l) {
            rhs[model.lines[o].from] += y * c;
            rhs[model.lines[o].to] -= y * c;
        }
    }
    rhs
}

/// Turns potentials `B^-1 sum y w (e_f - e_t)` into prices by adding island prices and the direct effect of merged
/// branches.
pub(crate) fn finish_prices(model: &DcModel, island: &[f64], line_y: &[(usize, f64)], price: &mut [f64]) {
    for &(l, y) in line_y {
        for (bus, coefficient) in model.direct(l) {
            price[bus] += y * coefficient;
        }
    }
    for (bus, price) in price.iter_mut().enumerate() {
        if model.bus_is_active(bus) {
            *price += island[model.island_of_bus[bus]];
        }
    }
}
