//! Vectors of the conic program.

use wattbook_sparse::dot;

/// A vector over all inequality rows: bounds and pair rows, then the cones.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ConeVector {
    /// Bounds of variables, then the rows of pairs.
    pub linear: Vec<f64>,
    /// One for each pair.
    pub jabr: Vec<[f64; 4]>,
    /// One for each rated end.
    pub thermal: Vec<[f64; 3]>,
}

/// A vector over variables, balances and rows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Vector {
    /// Squared voltages of nodes, then columns, then elastic ratings.
    pub x: Vec<f64>,
    /// `(e, wi)` of pairs.
    pub u: Vec<[f64; 2]>,
    /// Active and reactive balance of nodes.
    pub y: Vec<[f64; 2]>,
    pub z: ConeVector,
}

/// `clone_from` reuses the storage, unlike a derived implementation.
impl Clone for ConeVector {
    fn clone(&self) -> Self {
        Self {
            linear: self.linear.clone(),
            jabr: self.jabr.clone(),
            thermal: self.thermal.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.linear.clone_from(&from.linear);
        self.jabr.clone_from(&from.jabr);
        self.thermal.clone_from(&from.thermal);
    }
}

impl Clone for Vector {
    fn clone(&self) -> Self {
        Self {
            x: self.x.clone(),
            u: self.u.clone(),
            y: self.y.clone(),
            z: self.z.clone(),
        }
    }

    fn clone_from(&mut self, from: &Self) {
        self.x.clone_from(&from.x);
        self.u.clone_from(&from.u);
        self.y.clone_from(&from.y);
        self.z.clone_from(&from.z);
    }
}

/// The largest magnitude; NaN if any value is NaN.
pub(crate) fn largest(values: impl Iterator<Item = f64>) -> f64 {
    let mut found = 0.0;
    for value in values {
        let value = value.abs();
        if value > found || value.is_nan() {
            found = value;
        }
        if value.is_nan() {
            break;
        }
    }
    found
}

/// `largest` of a slice, in parallel lanes, which does not change the result.
pub(crate) fn largest_of(values: &[f64]) -> f64 {
    let (mut found, mut is_number) = ([0.0; 8], [true; 8]);
    let chunks = values.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        for k in 0..8 {
            let value = chunk[k].abs();
            found[k] = if value > found[k] { value } else { found[k] };
            is_number[k] &= !value.is_nan();
        }
    }
    for (k, value) in rest.iter().enumerate() {
        let value = value.abs();
        found[k] = if value > found[k] { value } else { found[k] };
        is_number[k] &= !value.is_nan();
    }
    if is_number == [true; 8] {
        found.into_iter().fold(0.0, |a, b| if b > a { b } else { a })
    } else {
        f64::NAN
    }
}

/// `factor * x`, as a loop because `map` on arrays was not inlined.
#[inline(always)]
pub(crate) fn times<const N: usize>(factor: f64, x: &[f64; N]) -> [f64; N] {
    let mut out = *x;
    for v in &mut out {
        *v *= factor;
    }
    out
}

/// `out = from + step * along`.
fn set_moved(out: &mut [f64], from: &[f64], step: f64, along: &[f64]) {
    for (out, (from, along)) in out.iter_mut().zip(from.iter().zip(along)) {
        *out = from + step * along;
    }
}

impl ConeVector {
    pub fn zeros(like: &Self) -> Self {
        Self {
            linear: vec![0.0; like.linear.len()],
            jabr: vec![[0.0; 4]; like.jabr.len()],
            thermal: vec![[0.0; 3]; like.thermal.len()],
        }
    }

    /// Number of linear rows and cones, the degree of the barrier.
    pub fn degree(&self) -> usize {
        self.linear.len() + self.jabr.len() + self.thermal.len()
    }

    pub fn dot(&self, other: &Self) -> f64 {
        let jabr = dot(self.jabr.as_flattened(), other.jabr.as_flattened());
        let thermal = dot(self.thermal.as_flattened(), other.thermal.as_flattened());
        dot(&self.linear, &other.linear) + jabr + thermal
    }

    /// Adds `step * other`.
    pub fn add(&mut self, step: f64, other: &Self) {
        for (a, b) in self.linear.iter_mut().zip(&other.linear) {
            *a += step * b;
        }
        for (a, b) in self.jabr.as_flattened_mut().iter_mut().zip(other.jabr.as_flattened()) {
            *a += step * b;
        }
        let thermal = self.thermal.as_flattened_mut().iter_mut();
        for (a, b) in thermal.zip(other.thermal.as_flattened()) {
            *a += step * b;
        }
    }

    /// Sets `from + step * along`.
    pub fn set_moved(&mut self, from: &Self, step: f64, along: &Self) {
        set_moved(&mut self.linear, &from.linear, step, &along.linear);
        let (jabr, thermal) = (self.jabr.as_flattened_mut(), self.thermal.as_flattened_mut());
        set_moved(jabr, from.jabr.as_flattened(), step, along.jabr.as_flattened());
        set_moved(thermal, from.thermal.as_flattened(), step, along.thermal.as_flattened());
    }

    /// Largest magnitude.
    pub fn norm(&self) -> f64 {
        let parts = [&self.linear, self.jabr.as_flattened(), self.thermal.as_flattened()];
        largest(parts.into_iter().map(largest_of))
    }

    /// Multiplies by a factor.
    pub fn scale(&mut self, factor: f64) {
        let parts = [
            &mut self.linear[..],
            self.jabr.as_flattened_mut(),
            self.thermal.as_flattened_mut(),
        ];
        for part in parts {
            for v in part {
                *v *= factor;
            }
        }
    }
}

impl Vector {
    pub fn zeros(like: &Self) -> Self {
        Self {
            x: vec![0.0; like.x.len()],
            u: vec![[0.0; 2]; like.u.len()],
            y: vec![[0.0; 2]; like.y.len()],
            z: ConeVector::zeros(&like.z),
        }
    }

    /// Adds `step * other`.
    pub fn add(&mut self, step: f64, other: &Self) {
        for (a, b) in self.x.iter_mut().zip(&other.x) {
            *a += step * b;
        }
        for (a, b) in self.u.as_flattened_mut().iter_mut().zip(other.u.as_flattened()) {
            *a += step * b;
        }
        for (a, b) in self.y.as_flattened_mut().iter_mut().zip(other.y.as_flattened()) {
            *a += step * b;
        }
        self.z.add(step, &other.z);
    }

    /// Sets `from + step * along`.
    pub fn set_moved(&mut self, from: &Self, step: f64, along: &Self) {
        set_moved(&mut self.x, &from.x, step, &along.x);
        let (u, y) = (self.u.as_flattened_mut(), self.y.as_flattened_mut());
        set_moved(u, from.u.as_flattened(), step, along.u.as_flattened());
        set_moved(y, from.y.as_flattened(), step, along.y.as_flattened());
        self.z.set_moved(&from.z, step, &along.z);
    }

    /// Largest magnitude.
    pub fn norm(&self) -> f64 {
        let parts = [&self.x, self.u.as_flattened(), self.y.as_flattened()];
        let own = largest(parts.into_iter().map(largest_of));
        largest([own, self.z.norm()].into_iter())
    }
}
