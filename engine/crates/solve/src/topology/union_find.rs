//! Connected components by union-find.

/// The first member of each member's component, by the pairs that are connected.
pub(crate) fn components(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut root: Vec<usize> = (0..n).collect();
    for (a, b) in pairs {
        let (a, b) = (find(&mut root, a), find(&mut root, b));
        root[a.max(b)] = a.min(b);
    }
    (0..n).map(|i| find(&mut root, i)).collect()
}

fn find(root: &mut [usize], mut i: usize) -> usize {
    while root[i] != i {
        root[i] = root[root[i]];
        i = root[i];
    }
    i
}
