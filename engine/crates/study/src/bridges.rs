//! Lines whose loss parts their island, found without a factor.

/// By edge, whether its ends fall apart without it: low points of a depth-first search (Tarjan, Inf. Process. Lett. 2 (1974));
/// parallel edges are no bridges. Edges are pairs of nodes below `n`; None takes no part and is no bridge.
pub(crate) fn bridges(n: usize, edges: &[Option<(usize, usize)>]) -> Vec<bool> {
    let mut incident: Vec<Vec<(usize, usize)>> = vec![Vec::new(); n];
    for (k, edge) in edges.iter().enumerate() {
        let Some((a, b)) = *edge else { continue };
        if a != b {
            incident[a].push((b, k));
            incident[b].push((a, k));
        }
    }
    let mut found = vec![false; edges.len()];
    let mut order = vec![usize::MAX; n];
    let mut low = vec![0; n];
    let mut next = vec![0; n];
    let mut count = 0;
    for root in 0..n {
        if order[root] != usize::MAX {
            continue;
        }
        let mut path = vec![(root, usize::MAX)];
        (order[root], low[root]) = (count, count);
        count += 1;
        while let Some(&(node, by)) = path.last() {
            if let Some(&(other, edge)) = incident[node].get(next[node]) {
                next[node] += 1;
                if edge == by {
                    continue;
                }
                if order[other] == usize::MAX {
                    (order[other], low[other]) = (count, count);
                    count += 1;
                    path.push((other, edge));
                } else {
                    low[node] = low[node].min(order[other]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above] = low[above].min(low[node]);
                found[by] = low[node] > order[above];
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::bridges;

    #[test]
    fn tails_are_bridges_and_rings_and_parallels_are_not() {
        // A triangle 0-1-2, a tail 2-3, a double line 3-4, an edge that is out, an island 5-6.
        let edges = [
            Some((0, 1)),
            Some((1, 2)),
            Some((2, 0)),
            Some((2, 3)),
            Some((3, 4)),
            Some((4, 3)),
            None,
            Some((6, 5)),
        ];
        let want = [false, false, false, true, false, false, false, true];
        assert_eq!(bridges(7, &edges), want);
    }
}
