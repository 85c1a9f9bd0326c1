//! Packs finished components side by side into one drawing.

/// Distance between two components, in mean edge lengths.
const MARGIN: f64 = 1.5;
/// Target ratio of width to height.
const ASPECT: f64 = 1.5;

/// Rotates a drawing so that its longer principal axis is horizontal.
pub(super) fn lay_flat(points: &mut [[f64; 2]]) {
    let n = points.len() as f64;
    let mean = points.iter().fold([0.0; 2], |m, p| [m[0] + p[0] / n, m[1] + p[1] / n]);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in points.iter() {
        let (x, y) = (p[0] - mean[0], p[1] - mean[1]);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let angle = 0.5 * libm::atan2(2.0 * xy, xx - yy);
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    for p in points.iter_mut() {
        let (x, y) = (p[0] - mean[0], p[1] - mean[1]);
        *p = [cosine * x + sine * y, cosine * y - sine * x];
    }
}

/// Scales a drawing uniformly to a mean edge length of 1.
pub(super) fn unit_edges(points: &mut [[f64; 2]], edges: impl Iterator<Item = (u32, u32)>) {
    let (mut sum, mut count) = (0.0, 0.0);
    for (a, b) in edges {
        let (p, q) = (points[a as usize], points[b as usize]);
        let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
        sum += (dx * dx + dy * dy).sqrt();
        count += 1.0;
    }
    if sum > 0.0 {
        let scale = count / sum;
        points.iter_mut().for_each(|p| *p = [p[0] * scale, p[1] * scale]);
    }
}

/// Moves the drawings, sorted by size, into columns from left to right, each filled from the top. No column is higher
/// than the highest drawing or the height of the target ratio.
pub(super) fn side_by_side(drawings: &mut [Vec<[f64; 2]>]) {
    let boxes: Vec<([f64; 2], [f64; 2])> = drawings.iter().map(|d| bounds(d)).collect();
    let sizes: Vec<[f64; 2]> = boxes
        .iter()
        .map(|(low, high)| [high[0] - low[0] + MARGIN, high[1] - low[1] + MARGIN])
        .collect();
    let area: f64 = sizes.iter().map(|s| s[0] * s[1]).sum();
    let highest = sizes.iter().fold(0.0_f64, |h, s| h.max(s[1]));
    let height = highest.max((area / ASPECT).sqrt());
    let (mut x, mut y, mut width) = (0.0, 0.0, 0.0_f64);
    for ((drawing, (low, _)), size) in drawings.iter_mut().zip(&boxes).zip(&sizes) {
        if y > 0.0 && y + size[1] > height * 1.000_001 {
            x += width;
            (y, width) = (0.0, 0.0);
        }
        // Drawings have y upwards, whereas columns are filled downwards.
        let (dx, dy) = (x - low[0], -(y + size[1]) - low[1]);
        drawing.iter_mut().for_each(|p| *p = [p[0] + dx, p[1] + dy]);
        y += size[1];
        width = width.max(size[0]);
    }
}

/// "One uniform scale for both axes": the centre of the bounding box at the origin, its longer side 1.
pub(super) fn normalise(points: &mut [[f64; 2]]) {
    let (low, high) = bounds(points);
    let side = (high[0] - low[0]).max(high[1] - low[1]);
    let scale = if side > 0.0 { 1.0 / side } else { 1.0 };
    let centre = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
    for p in points.iter_mut() {
        *p = [(p[0] - centre[0]) * scale, (p[1] - centre[1]) * scale];
    }
}

fn bounds(points: &[[f64; 2]]) -> ([f64; 2], [f64; 2]) {
    let Some(&first) = points.first() else {
        return ([0.0; 2], [0.0; 2]);
    };
    points.iter().fold((first, first), |(low, high), p| {
        (
            [low[0].min(p[0]), low[1].min(p[1])],
            [high[0].max(p[0]), high[1].max(p[1])],
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_axis_is_laid_flat_without_distortion() {
        let mut points: Vec<[f64; 2]> = (0..50).map(|i| [f64::from(i % 3), f64::from(i)]).collect();
        let before = (points[0][0] - points[49][0]).hypot(points[0][1] - points[49][1]);
        lay_flat(&mut points);
        let (low, high) = bounds(&points);
        assert!(high[0] - low[0] > 48.0 && high[1] - low[1] < 4.0);
        let after = (points[0][0] - points[49][0]).hypot(points[0][1] - points[49][1]);
        assert!((before - after).abs() < 1e-9);
    }

    #[test]
    fn packed_drawings_do_not_touch() {
        let square = |s: f64| vec![[0.0, 0.0], [s, 0.0], [s, s], [0.0, s]];
        let mut drawings: Vec<Vec<[f64; 2]>> = vec![square(8.0), square(4.0), square(3.0)];
        drawings.extend((0..40).map(|_| vec![[7.0, 7.0]]));
        side_by_side(&mut drawings);
        let boxes: Vec<_> = drawings.iter().map(|d| bounds(d)).collect();
        for (i, a) in boxes.iter().enumerate() {
            for b in &boxes[i + 1..] {
                let apart = (0..2).any(|k| a.1[k] + 1.4 < b.0[k] || b.1[k] + 1.4 < a.0[k]);
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }
}
