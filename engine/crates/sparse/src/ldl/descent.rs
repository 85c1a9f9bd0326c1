//! Solves whose right-hand sides have few entries, and whose solutions are needed only in parts of the elimination tree that
//! the solution itself determines.

use super::{Ldl, Part};

/// The elimination tree of a factor, from the roots to the leaves.
#[derive(Clone, Debug)]
pub struct Descent {
    parents: Vec<u32>,
    starts: Vec<u32>,
    children: Vec<u32>,
}

const ROOT: u32 = u32::MAX;

/// Where a solution is needed.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// By place, the difference between the largest and the smallest value on the boundary of its subtree up to which the
    /// subtree is not needed.
    pub least: Vec<f64>,
    /// By place, whether zero counts as a value on the boundary.
    pub zero: Vec<bool>,
}

impl Descent {
    pub fn new(factor: &Ldl) -> Self {
        let n = factor.n;
        let parents: Vec<u32> = (0..n)
            .map(|k| factor.boundary(k).first().copied().unwrap_or(ROOT))
            .collect();
        let mut starts = vec![0u32; n + 1];
        for &parent in parents.iter().filter(|&&parent| parent != ROOT) {
            starts[parent as usize + 1] += 1;
        }
        for k in 0..n {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut children = vec![0; starts[n] as usize];
        for (k, &parent) in parents.iter().enumerate() {
            if parent != ROOT {
                children[next[parent as usize] as usize] = k as u32;
                next[parent as usize] += 1;
            }
        }
        Self {
            parents,
            starts,
            children,
        }
    }

    /// Places directly below a place.
    pub fn children(&self, k: usize) -> &[u32] {
        &self.children[self.starts[k] as usize..self.starts[k + 1] as usize]
    }

    /// The place above a place; `None` for a root.
    pub fn parent(&self, k: usize) -> Option<usize> {
        Some(self.parents[k])
            .filter(|&parent| parent != ROOT)
            .map(|parent| parent as usize)
    }

    /// By place, a rank in which places of a subtree follow each other.
    pub fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.parents.len()];
        let mut next = 0;
        let roots = (0..self.parents.len()).filter(|&k| self.parents[k] == ROOT);
        let mut open: Vec<usize> = roots.collect();
        while let Some(k) = open.pop() {
            ranks[k] = next;
            next += 1;
            open.extend(self.children(k).iter().map(|&child| child as usize));
        }
        ranks
    }
}

impl Ldl {
    /// Places with an entry in a column: the boundary of the subtree of its place.
    fn boundary(&self, k: usize) -> &[u32] {
        &self.rows[self.col_start[k] as usize..self.col_start[k + 1] as usize]
    }

    /// Continues `W` solutions, whose right-hand sides are zero outside `part`, from there downwards in the tree as far as
    /// one of them is wanted; `visit` receives every place with a solution, those above it first. Other entries of `x` are
    /// neither read nor meaningful.
    pub fn solve_downwards<const W: usize>(
        &self,
        (tree, part): (&Descent, &Part),
        wanted: &Wanted,
        x: &mut [[f64; W]],
        visit: impl FnMut(usize, &[[f64; W]]),
    ) {
        let (factor, path) = (self, part.columns());
        let down = Downwards {
            factor,
            tree,
            path,
            wanted,
        };
        down.solve(x, visit);
    }
}

#[derive(Clone, Copy)]
struct Downwards<'a> {
    factor: &'a Ldl,
    tree: &'a Descent,
    /// The places that have a solution.
    path: &'a [u32],
    wanted: &'a Wanted,
}

impl Downwards<'_> {
    /// Compiled a second time for wider registers like `solve_part_together`.
    fn solve<const W: usize>(self, x: &mut [[f64; W]], visit: impl FnMut(usize, &[[f64; W]])) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            unsafe fn wide<const W: usize>(down: Downwards, x: &mut [[f64; W]], visit: impl FnMut(usize, &[[f64; W]])) {
                down.descend(x, visit);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the features for which the function was compiled.
                return unsafe { wide(self, x, visit) };
            }
        }
        #[cfg(target_arch = "wasm32")]
        {
            #[target_feature(enable = "simd128")]
            fn wide<const W: usize>(down: Downwards, x: &mut [[f64; W]], visit: impl FnMut(usize, &[[f64; W]])) {
                down.descend(x, visit);
            }
            return wide(self, x, visit);
        }
        #[cfg(not(target_arch = "wasm32"))]
        self.descend(x, visit);
    }

    #[inline(always)]
    fn descend<const W: usize>(self, x: &mut [[f64; W]], mut visit: impl FnMut(usize, &[[f64; W]])) {
        let Downwards {
            factor,
            tree,
            path,
            wanted,
        } = self;
        let mut open: Vec<u32> = Vec::new();
        let mut work = 0;
        for &k in path.iter().rev() {
            visit(k as usize, x);
            for &child in tree.children(k as usize) {
                if path.binary_search(&child).is_err() {
                    open.push(child);
                }
            }
        }
        while let Some(k) = open.pop() {
            let k = k as usize;
            let column = factor.col_start[k] as usize..factor.col_start[k + 1] as usize;
            work += 2 * column.len();
            let start = if wanted.zero[k] { 0.0 } else { f64::NAN };
            let (mut low, mut high) = ([start; W], [start; W]);
            let mut sum = [0.0; W];
            for at in column {
                let there = &x[factor.rows[at] as usize];
                let value = factor.values[at];
                for w in 0..W {
                    // Comparisons with the initial NaN are false.
                    low[w] = if low[w] < there[w] { low[w] } else { there[w] };
                    high[w] = if high[w] > there[w] { high[w] } else { there[w] };
                    sum[w] -= value * there[w];
                }
            }
            let mut is_wanted = false;
            for w in 0..W {
                is_wanted |= high[w] - low[w] > wanted.least[k];
            }
            if is_wanted {
                x[k] = sum;
                visit(k, x);
                open.extend_from_slice(tree.children(k));
            }
        }
        wattbook_interrupt::work(W * work);
    }
}
