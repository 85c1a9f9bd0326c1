//! Starting points of previews. A drag moves loads along a line, so its next voltages can be extrapolated from the last
//! ones.

use wattbook_solve::mc::{Complex64, McData, McVoltages};

/// Number of stored previews.
const STORED: usize = 2;
/// Largest sum of the magnitudes of the weights: beyond it, rounding and curvature between the points are amplified.
const LARGEST_WEIGHTS: f64 = 8.0;
/// Points closer than this fraction of the distance to the new loads count as one.
const SAME: f64 = 1e-9;

/// The last previews of a drag, the latest first.
#[derive(Default)]
pub struct Trail {
    previews: Vec<(McData, McVoltages)>,
}

impl Trail {
    /// Adds a preview.
    pub fn push(&mut self, data: McData, found: McVoltages) {
        self.previews.truncate(STORED - 1);
        self.previews.insert(0, (data, found));
    }

    /// Forgets the drag.
    pub fn clear(&mut self) {
        self.previews.clear();
    }

    /// Starting voltages for the loads `end`: extrapolated by the parabola through the state and the previews on the
    /// line from its loads to `end`, by the straight line through two of them where its weights are large, or else
    /// those of the nearest point. `base` are the loads of the state and its voltages.
    pub fn begin(&self, base: (&McData, &McVoltages), end: &McData) -> McVoltages {
        let mut points: Vec<(f64, &McVoltages)> = Vec::with_capacity(STORED + 1);
        for (data, found) in self.previews.iter().map(|(data, found)| (data, found)).chain([base]) {
            match data.along(base.0, end) {
                Some(t) if points.iter().any(|(other, _)| (other - t).abs() <= SAME) => {}
                Some(t) => points.push((t, found)),
                // For the loads of the state itself, or loads other than those that moved last, the latest preview is
                // the nearest point.
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
