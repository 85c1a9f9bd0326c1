//! Tables of impedance correction: the factor on the impedance of a transformer at its tap or angle.

use std::collections::HashMap;

use super::objects::Object;

/// Points (tap or angle in degrees, factor) of each table by its number, in ascending order.
pub(super) struct Tables(HashMap<u64, Vec<[f64; 2]>>);

impl Tables {
    /// The rows of the `XFCorrection` sections.
    pub fn read(objects: &[Object<'_>]) -> Self {
        let mut tables = HashMap::new();
        for object in objects.iter().filter(|o| o.kind == "xfcorrection") {
            let Some(number) = object.column(&["XFCorTableNum", "Number"]) else {
                continue;
            };
            let name = |stem: &str, k: usize| match k {
                0 => stem.to_string(),
                k => format!("{stem}:{k}"),
            };
            let columns: Vec<[usize; 2]> = (0..64)
                .map_while(|k| {
                    let at = object.column(&[&name("XFCorTap", k), &name("Tap", k)])?;
                    let factor = object.column(&[&name("XFCorFactor", k), &name("Factor", k)])?;
                    Some([at, factor])
                })
                .collect();
            for row in &object.rows {
                let value = |at: usize| row[at].parse::<f64>().ok();
                let Some(number) = value(number) else { continue };
                let mut points: Vec<[f64; 2]> = columns
                    .iter()
                    .filter_map(|[at, factor]| Some([value(*at)?, value(*factor)?]))
                    .collect();
                points.sort_by(|a, b| a[0].total_cmp(&b[0]));
                tables.insert(number as u64, points);
            }
        }
        Self(tables)
    }

    /// The factor of a table, interpolated linearly between its points as in Simulator, and constant beyond them;
    /// `None` without such a table.
    pub fn factor(&self, table: f64, at: f64) -> Option<f64> {
        let points = self.0.get(&(table as u64))?;
        let (first, last) = (points.first()?, points.last()?);
        let above = points.iter().position(|point| point[0] >= at);
        Some(match above {
            Some(0) => first[1],
            None => last[1],
            Some(k) => {
                let ([x0, y0], [x1, y1]) = (points[k - 1], points[k]);
                y0 + (y1 - y0) * (at - x0) / (x1 - x0)
            }
        })
    }
}
