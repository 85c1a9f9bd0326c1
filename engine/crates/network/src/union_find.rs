//! What is connected, by union-find.

/// Members joined into groups; the first member of a group stands for it.
#[derive(Clone, Debug)]
pub struct Groups(Vec<usize>);

impl Groups {
    /// Every member in a group of its own.
    pub fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    /// Groups that are known: a member of each one's, not behind it.
    pub fn of(above: impl Iterator<Item = usize>) -> Self {
        Self(above.collect())
    }

    /// The first member of a member's group. Halves the way for the next who asks.
    pub fn first(&mut self, mut member: usize) -> usize {
        let above = &mut self.0;
        while above[member] != member {
            above[member] = above[above[member]];
            member = above[member];
        }
        member
    }

    /// Joins the groups of two members; false when they were one group already.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
        a != b
    }
}

/// The first member of each member's component, by the pairs that are connected.
pub fn components(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut groups = Groups::new(n);
    for (a, b) in pairs {
        groups.join(a, b);
    }
    (0..n).map(|i| groups.first(i)).collect()
}
