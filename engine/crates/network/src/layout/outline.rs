//! Outlines of subtrees and their smallest distances: the arithmetic of the tidy tree.

/// Leftmost and rightmost vertex of each level of a subtree relative to its root, the deepest level first, each to be
/// moved by `shift`. A whole subtree can be moved, and a level added on top, in constant time.
#[derive(Default)]
pub(super) struct Outline {
    left: Vec<f64>,
    right: Vec<f64>,
    shift: f64,
}

impl Outline {
    /// Number of levels.
    pub fn height(&self) -> usize {
        self.left.len()
    }

    /// Extent of the `level`-th level from the top.
    fn at(&self, level: usize) -> (f64, f64) {
        let k = self.height() - 1 - level;
        (self.left[k] + self.shift, self.right[k] + self.shift)
    }
}

/// Positions of subtrees under their parent: the mean of packing from the left and packing from the right, with the
/// parent midway over the outermost.
pub(super) fn side_by_side(subtrees: &[Outline]) -> Vec<f64> {
    let n = subtrees.len();
    if n < 2 {
        return vec![0.0; n];
    }
    let from_left = pack(subtrees.iter(), |s, level| s.at(level));
    let mut from_right = pack(subtrees.iter().rev(), |s, level| {
        let (left, right) = s.at(level);
        (-right, -left)
    });
    from_right.reverse();
    let width = from_left[n - 1];
    let right_width = from_right[0];
    let places: Vec<f64> = from_left
        .iter()
        .zip(&from_right)
        .map(|(l, r)| 0.5 * ((l - 0.5 * width) + (0.5 * right_width - r)))
        .collect();
    let middle = 0.5 * (places[0] + places[n - 1]);
    places.iter().map(|p| p - middle).collect()
}

/// Each subtree as far left as the previous ones allow, the first at 0. Only common levels are compared, so that the
/// whole tree takes linear time.
fn pack<'a>(
    subtrees: impl Iterator<Item = &'a Outline> + Clone,
    at: impl Fn(&Outline, usize) -> (f64, f64),
) -> Vec<f64> {
    let second = second_height(subtrees.clone().map(Outline::height));
    let mut frontier: Vec<f64> = Vec::new();
    let mut places = Vec::new();
    for subtree in subtrees {
        let height = subtree.height().min(second);
        let mut place = 0.0_f64;
        for (level, &right) in frontier.iter().enumerate().take(height) {
            let needed = right + 1.0 - at(subtree, level).0;
            place = if level == 0 { needed } else { place.max(needed) };
        }
        for level in 0..height {
            let right = at(subtree, level).1 + place;
            match frontier.get_mut(level) {
                Some(edge) => *edge = right,
                None => frontier.push(right),
            }
        }
        places.push(place);
    }
    places
}

fn second_height(heights: impl Iterator<Item = usize>) -> usize {
    let (mut first, mut second) = (0, 0);
    for h in heights {
        if h > first {
            (first, second) = (h, first);
        } else {
            second = second.max(h);
        }
    }
    second
}

/// Outline of a vertex over its positioned subtrees: the memory of the deepest subtree, with the shared levels
/// rewritten.
pub(super) fn join(mut subtrees: Vec<Outline>, places: &[f64]) -> Outline {
    for (subtree, place) in subtrees.iter_mut().zip(places) {
        subtree.shift += place;
    }
    let second = second_height(subtrees.iter().map(Outline::height));
    let mut extents: Vec<(f64, f64)> = Vec::with_capacity(second);
    for subtree in &subtrees {
        for level in 0..subtree.height().min(second) {
            let (left, right) = subtree.at(level);
            match extents.get_mut(level) {
                Some(extent) => extent.1 = right,
                None => extents.push((left, right)),
            }
        }
    }
    let deepest = (0..subtrees.len()).max_by_key(|&i| subtrees[i].height());
    let mut outline = deepest.map(|i| subtrees.swap_remove(i)).unwrap_or_default();
    let height = outline.height();
    for (level, (left, right)) in extents.into_iter().enumerate() {
        outline.left[height - 1 - level] = left - outline.shift;
        outline.right[height - 1 - level] = right - outline.shift;
    }
    outline.left.push(-outline.shift);
    outline.right.push(-outline.shift);
    outline
}
