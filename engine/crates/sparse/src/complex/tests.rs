use super::*;

/// Groups of one to six rows, by row, and pairs of groups.
struct Case {
    group: Vec<u32>,
    pairs: Vec<(usize, usize)>,
}

impl Case {
    fn new(groups: usize, pairs: &[(usize, usize)]) -> Self {
        let size = |g: usize| [4, 4, 3, 1, 2, 6, 5, 3, 3, 1, 1, 2, 2][g % 13];
        // Rows of a group are not adjacent.
        let mut group: Vec<u32> = (0..groups).flat_map(|g| vec![g as u32; size(g)]).collect();
        let n = group.len();
        (0..n).for_each(|k| group.swap(k, (5 * k + 3) % n));
        let pairs = pairs.to_vec();
        Self { group, pairs }
    }

    /// Admittances between all rows of coupled groups, and to ground from rows of the groups up to `grounded`.
    fn entries(&self, grounded: u32) -> Vec<(usize, usize, C)> {
        let meet = |a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            a == b || self.pairs.contains(&(a, b)) || self.pairs.contains(&(b, a))
        };
        let n = self.group.len();
        let mut out = Vec::new();
        for i in 0..n {
            for j in (0..i).filter(|&j| meet(self.group[i], self.group[j])) {
                let y = C::new(1.0 + ((i + 2 * j) % 5) as f64, -2.0 + ((3 * i + j) % 4) as f64);
                out.extend([(i, i, y), (j, j, y), (i, j, -y)]);
            }
            if self.group[i] <= grounded {
                out.push((i, i, C::new(0.01, 0.01 * (i % 3) as f64)));
            }
        }
        out
    }

    fn matrix(&self, grounded: u32) -> TreeMatrix {
        let order = TreeOrder::new(&self.pairs, &self.group);
        let mut place = vec![0; order.len()];
        for (k, &row) in order.order().iter().enumerate() {
            place[row as usize] = k;
        }
        let mut matrix = TreeMatrix::new(order);
        for (i, j, y) in self.entries(grounded) {
            matrix.add(place[i], place[j], y);
        }
        matrix
    }
}

fn cases() -> Vec<Case> {
    let chain: Vec<(usize, usize)> = (1..30).map(|g| (g - 1, g)).collect();
    let star: Vec<(usize, usize)> = (1..20).map(|g| (0, g)).collect();
    let tree: Vec<(usize, usize)> = (1..40).map(|g| (g, (7 * g + 3) % g)).collect();
    // A ring with a tree at each of its groups, a duplicate pair, and a separate component.
    let mut ring: Vec<(usize, usize)> = (0..6).map(|g| (g, (g + 1) % 6)).collect();
    ring.extend((6..30).map(|g| (g - 6, g)));
    ring.extend([(7, 1), (30, 31), (31, 32), (33, 33)]);
    // A ladder with chords.
    let mut ladder: Vec<(usize, usize)> = (0..20).flat_map(|g| [(g, g + 1), (g, g + 2)]).collect();
    ladder.extend((0..20).map(|g| (g, (7 * g + 3) % 22)));
    [
        (30, chain),
        (20, star),
        (40, tree),
        (34, ring),
        (22, ladder),
        (1, vec![]),
    ]
    .map(|(groups, pairs)| Case::new(groups, &pairs))
    .into()
}

#[test]
fn solves_what_it_factors() {
    for (at, case) in cases().into_iter().enumerate() {
        let factors = case.matrix(u32::MAX).factor(1e-13).expect("regular");
        let n = case.group.len();
        let x: Vec<C> = (0..n).map(|k| C::new(1.0 + k as f64, -(k as f64).sqrt())).collect();
        let mut b = vec![C::default(); n];
        for (i, j, y) in case.entries(u32::MAX) {
            b[i] += y * x[j];
            if i != j {
                b[j] += y * x[i];
            }
        }
        let order = factors.order().order();
        let mut found: Vec<C> = order.iter().map(|&row| b[row as usize]).collect();
        factors.solve(&mut found);
        let errors = found
            .iter()
            .zip(order)
            .map(|(found, &row)| size(found - x[row as usize]));
        let error = errors.fold(0.0, f64::max);
        assert!(error < 1e-8, "case {at}: {error}");
    }
}

#[test]
fn trees_are_eliminated_without_fill() {
    for (case, trees) in cases().iter().zip([30, 20, 40, 28, 0, 1]) {
        let order = TreeOrder::new(&case.pairs, &case.group);
        assert_eq!(order.parent.len(), trees);
        assert!(order.parent.iter().enumerate().all(|(g, &parent)| parent as usize > g));
        assert_eq!(order.meshes.is_some(), order.first_in_meshes() < order.len());
    }
}

#[test]
fn what_is_connected_to_nothing_has_no_pivot() {
    for case in cases() {
        let found = case.matrix(0).factor(1e-13).map(|_| ()).map_err(|s| s.row);
        let grounded: Vec<u32> = connected_with_the_first(&case);
        match grounded.len() == 1 + *case.group.iter().max().expect("a group") as usize {
            true => assert!(found.is_ok()),
            false => assert!(!grounded.contains(&case.group[found.expect_err("singular")])),
        }
    }
    // No group is grounded: neither a tree nor meshes have a last pivot.
    for mut case in cases() {
        case.group.iter_mut().for_each(|g| *g += 1);
        case.pairs.iter_mut().for_each(|(i, j)| (*i, *j) = (*i + 1, *j + 1));
        // Group 0 is grounded and has a row of its own.
        case.group.push(0);
        let row = case.matrix(0).factor(1e-13).expect_err("singular").row;
        assert_ne!(case.group[row], 0);
    }
}

#[test]
fn what_is_no_number_has_no_pivot() {
    for case in cases() {
        let mut matrix = case.matrix(u32::MAX);
        matrix.add(0, 0, C::new(f64::NAN, 0.0));
        assert!(matrix.factor(1e-13).is_err());
    }
}

/// Groups connected to group 0 by pairs.
fn connected_with_the_first(case: &Case) -> Vec<u32> {
    let mut found = vec![0u32];
    let mut next = 0;
    while let Some(&g) = found.get(next) {
        next += 1;
        for &(i, j) in &case.pairs {
            for (own, other) in [(i, j), (j, i)] {
                if own == g as usize && !found.contains(&(other as u32)) {
                    found.push(other as u32);
                }
            }
        }
    }
    found
}
