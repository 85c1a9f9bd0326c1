//! Connected components by union-find.

/// Members joined into groups; the first member represents its group.
#[derive(Clone, Debug)]
pub struct Groups(Vec<usize>);

impl Groups {
    /// Every member in a group of its own.
    pub fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    /// Known groups, as a member of each member's group that is not after it.
    pub fn of(above: impl Iterator<Item = usize>) -> Self {
        Self(above.collect())
    }

    /// The first member of a member's group. Halves the path for later queries.
    pub fn first(&mut self, mut member: usize) -> usize {
        let above = &mut self.0;
        while above[member] != member {
            above[member] = above[above[member]];
            member = above[member];
        }
        member
    }

    /// Joins the groups of two members; false if they were already one group.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
        a != b
    }
}

/// The first member of each member's component, given the connected pairs.
pub fn components(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut groups = Groups::new(n);
    for (a, b) in pairs {
        groups.join(a, b);
    }
    (0..n).map(|i| groups.first(i)).collect()
}
