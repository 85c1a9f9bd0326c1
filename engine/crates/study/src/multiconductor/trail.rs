//! Where previews begin. A hand moves loads along a line, so that voltages go on as the last ones did.

use wattbook_solve::mc::{Complex64, McData, McVoltages};

/// Previews that are kept.
const KEPT: usize = 2;
/// Largest sum of the sizes of the weights: beyond it rounding and what bends between the points are blown up.
const LARGEST_WEIGHTS: f64 = 8.0;
/// Points that are closer than this part of the way to the new loads are one.
const SAME: f64 = 1e-9;

/// The last previews of a drag, the latest first.
#[derive(Default)]
pub struct Trail {
    kept: Vec<(McData, McVoltages)>,
}

impl Trail {
    /// Takes a preview.
    pub fn push(&mut self, data: McData, found: McVoltages) {
        self.kept.truncate(KEPT - 1);
        self.kept.insert(0, (data, found));
    }

    /// Forgets the drag.
    pub fn clear(&mut self) {
        self.kept.clear();
    }

    /// Voltages near those of the loads `end`: by the parabola through the state and the previews on the way from its loads to `end`,
    /// by the line through two of them where its weights are large, or else the nearest. `base` are the loads of the state and its
    /// voltages.
    pub fn begin(&self, base: (&McData, &McVoltages), end: &McData) -> McVoltages {
        let mut points: Vec<(f64, &McVoltages)> = Vec::with_capacity(KEPT + 1);
        for (data, found) in self.kept.iter().map(|(data, found)| (data, found)).chain([base]) {
            match data.along(base.0, end) {
                Some(t) if points.iter().any(|(other, _)| (other - t).abs() <= SAME) => {}
                Some(t) => points.push((t, found)),
                // The loads of the state itself, or others than those that moved last: the latest preview is the nearest.
                None => return if end == base.0 { base.1 } else { found }.clone(),
            }
        }
        points.sort_by(|a, b| (1.0 - a.0).abs().total_cmp(&(1.0 - b.0).abs()));
        let ways = (1..=points.len()).rev().map(|count| &points[..count]);
        let fits = |weights: &[f64]| weights.iter().map(|w| w.abs()).sum::<f64>() <= LARGEST_WEIGHTS;
        let mut weighed = ways.map(|points| (weights(points), points));
        let found = weighed.find(|(weights, _)| fits(weights));
        found.map_or_else(|| base.1.clone(), |(weights, points)| mixed(&weights, points))
    }
}

/// Lagrange's weights at 1.
fn weights(points: &[(f64, &McVoltages)]) -> Vec<f64> {
    let one = |k: usize| {
        let others = points.iter().enumerate().filter(|(other, _)| *other != k);
        others.map(|(_, (t, _))| (1.0 - t) / (points[k].0 - t)).product()
    };
    (0..points.len()).map(one).collect()
}

fn mixed(weights: &[f64], points: &[(f64, &McVoltages)]) -> McVoltages {
    let mut unknowns = vec![Complex64::default(); points[0].1.unknowns.len()];
    for (weight, (_, found)) in weights.iter().zip(points) {
        unknowns
            .iter_mut()
            .zip(&found.unknowns)
            .for_each(|(sum, u)| *sum += weight * u);
    }
    McVoltages {
        unknowns,
        ..points[0].1.clone()
    }
}
