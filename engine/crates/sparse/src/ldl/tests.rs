use super::*;

/// Laplacian of a w x w grid plus the identity; the solution is checked against the matrix itself.
#[test]
fn solves_a_grid_laplacian() {
    let w = 17;
    let n = w * w;
    let mut a = SymmetricBuilder::new(n, 0);
    let mut dense = vec![vec![0.0; n]; n];
    let mut add = |i: usize, j: usize, v: f64| {
        a.add(i, j, v);
        dense[i][j] += v;
        if i != j {
            dense[j][i] += v;
        }
    };
    for i in 0..n {
        add(i, i, 1e-3);
        for j in [(i + 1, (i + 1) % w != 0), (i + w, i + w < n)] {
            if j.1 {
                let y = 1.0 + (i % 7) as f64;
                add(i, i, y);
                add(j.0, j.0, y);
                add(i, j.0, -y);
            }
        }
    }
    let f = Ldl::factor(&a).unwrap();
    let b: Vec<f64> = (0..n).map(|i| ((i * 37) % 11) as f64 - 5.0).collect();
    let mut x = b.clone();
    f.solve(&mut x);
    for i in 0..n {
        let ax: f64 = (0..n).map(|j| dense[i][j] * x[j]).sum();
        assert!((ax - b[i]).abs() < 1e-9, "row {i}: {ax} against {}", b[i]);
    }
}

#[test]
fn a_part_of_the_factor_solves_its_own_rows() {
    let n = 40;
    let mut a = SymmetricBuilder::new(n, 0);
    for i in 0..n {
        a.add(i, i, 3.0 + i as f64);
        if i > 0 {
            a.add(i, (i * 7) % i, -1.0);
        }
    }
    let f = Ldl::factor(&a).unwrap();
    let wanted = [3, 17, 31];
    let part = f.part(wanted.iter().map(|&row| f.positions()[row]));
    let (mut whole, mut x) = (vec![0.0; n], vec![0.0; n]);
    for row in wanted {
        whole[row] = 1.0 + row as f64;
        x[f.positions()[row]] = whole[row];
    }
    f.solve(&mut whole);
    f.solve_part(&part, &mut x);
    for row in wanted {
        assert_eq!(x[f.positions()[row]].to_bits(), whole[row].to_bits());
    }
    assert!(part.work() < f.fill() + n);
    let mut together = vec![[0.0; 4]; n];
    for row in wanted {
        together[f.positions()[row]] = [0.0, 1.0, 2.0, -1.0].map(|factor| factor * (1.0 + row as f64));
    }
    f.solve_part_together(&part, &mut together);
    for row in wanted {
        let x = together[f.positions()[row]];
        for (x, factor) in x.iter().zip([0.0, 1.0, 2.0, -1.0]) {
            assert!((x - factor * whole[row]).abs() <= 1e-14 * whole[row].abs());
        }
    }
}

/// A grid that is grounded at one corner, with a transfer between two neighbours.
#[test]
fn a_solve_goes_down_as_far_as_its_solution_differs() {
    let w = 15;
    let n = w * w;
    let mut a = SymmetricBuilder::new(n, 0);
    a.add(0, 0, 1.0);
    for i in 0..n {
        for (j, is_there) in [(i + 1, (i + 1) % w != 0), (i + w, i + w < n)] {
            if is_there {
                a.add(i, i, 1.0);
                a.add(j, j, 1.0);
                a.add(i, j, -1.0);
            }
        }
    }
    let f = Ldl::factor(&a).unwrap();
    let ends = [112, 113].map(|row| f.positions()[row]);
    let mut whole = vec![0.0; n];
    (whole[ends[0]], whole[ends[1]]) = (1.0, -1.0);
    f.solve_ordered(&mut whole);
    let (tree, part) = (Descent::new(&f), f.part(ends.into_iter()));
    // Subtrees with the grounded corner.
    let mut zero = vec![false; n];
    let mut grounded = Some(f.positions()[0]);
    while let Some(k) = grounded {
        zero[k] = true;
        grounded = tree.parent(k);
    }
    let solve = |least: f64| {
        let wanted = Wanted {
            least: vec![least; n],
            zero: zero.clone(),
        };
        let mut x = vec![[0.0; 2]; n];
        (x[ends[0]], x[ends[1]]) = ([1.0, 0.5], [-1.0, -0.5]);
        let mut visited = vec![false; n];
        f.solve_part_together(&part, &mut x);
        f.solve_downwards((&tree, &part), &wanted, &mut x, |k, x| {
            visited[k] = true;
            assert!((x[k][0] - whole[k]).abs() < 1e-12 && (x[k][1] - 0.5 * whole[k]).abs() < 1e-12);
        });
        visited
    };
    assert!(solve(-1.0).into_iter().all(|is_visited| is_visited));
    let above = solve(f64::INFINITY);
    assert!((0..n).all(|k| above[k] == part.columns().contains(&(k as u32))));
    // No subtree that is left out has a difference beyond the limit.
    let least = 0.02;
    let visited = solve(least);
    assert!(visited.iter().filter(|is_visited| !**is_visited).count() > n / 4);
    for i in 0..n {
        for j in [(i + 1, (i + 1) % w != 0), (i + w, i + w < n)]
            .into_iter()
            .filter(|j| j.1)
            .map(|j| j.0)
        {
            let [i, j] = [i, j].map(|row| f.positions()[row]);
            assert!((whole[i] - whole[j]).abs() <= least || visited[i.min(j)]);
        }
    }
    // Ranks keep subtrees together.
    let ranks = tree.ranks();
    for k in 0..n {
        assert!(tree.children(k).iter().all(|&child| ranks[child as usize] > ranks[k]));
        assert!(tree
            .parent(k)
            .is_none_or(|parent| tree.children(parent).contains(&(k as u32))));
    }
}

#[test]
fn names_the_singular_row() {
    let mut a = SymmetricBuilder::new(3, 0);
    a.add(0, 0, 1.0);
    a.add(1, 1, 1.0);
    assert_eq!(Ldl::factor(&a).unwrap_err(), Singular { row: 2 });
}

#[test]
fn indefinite_matrices_need_no_pivoting_when_pivots_exist() {
    let mut a = SymmetricBuilder::new(2, 0);
    a.add(0, 0, -2.0);
    a.add(0, 1, 1.0);
    a.add(1, 1, 3.0);
    let f = Ldl::factor(&a).unwrap();
    let mut x = [0.0, 7.0];
    f.solve(&mut x);
    assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14, "{x:?}");
}

/// Series capacitors: reactances of 0.1 and -0.1 meet at row 0, so its diagonal is zero.
#[test]
fn a_row_without_a_pivot_is_put_off() {
    let mut a = SymmetricBuilder::new(3, 0);
    let b = [(0, 1, 10.0), (0, 2, -10.0), (1, 2, 4.0)];
    for (i, j, y) in b {
        a.add(i, i, y);
        a.add(j, j, y);
        a.add(i, j, -y);
    }
    a.add(1, 1, 5.0);
    let f = Ldl::factor(&a).unwrap();
    let mut x = [10.0, 1.0, -13.0];
    f.solve(&mut x);
    let residual = [
        -10.0 * x[1] + 10.0 * x[2] - 10.0,
        -10.0 * x[0] + 19.0 * x[1] - 4.0 * x[2] - 1.0,
        10.0 * x[0] - 4.0 * x[1] - 6.0 * x[2] + 13.0,
    ];
    assert!(residual.iter().all(|r| r.abs() < 1e-12), "{x:?}: {residual:?}");
}

/// A path of `n` rows whose links weigh `y`; the link `twice` is two entries.
fn path(n: usize, y: f64, twice: Option<usize>) -> SymmetricBuilder {
    let mut a = SymmetricBuilder::new(n, 0);
    for i in 0..n {
        a.add(i, i, 2.0 * y + 1.0);
        if i + 1 < n {
            let parts = if twice == Some(i) { 2 } else { 1 };
            for _ in 0..parts {
                a.add(i, i + 1, -y / f64::from(parts));
            }
        }
    }
    a
}

/// An order is a function of the pattern alone, so that one that is stored gives the bits of one that is computed.
#[test]
fn a_stored_order_gives_the_same_bits() {
    let b: Vec<f64> = (0..30).map(|i| f64::from(i % 5) - 2.0).collect();
    let solved = |factor: Ldl| {
        let mut x = b.clone();
        factor.solve(&mut x);
        x
    };
    for own in [path(30, 3.0, None), path(30, 3.0, Some(7))] {
        let orders = Orders::default();
        Ldl::factor_with(&path(30, 1.0, None), &orders).unwrap();
        let stored = solved(Ldl::factor_with(&own, &orders).unwrap());
        assert_eq!(stored, solved(Ldl::factor(&own).unwrap()));
        for n in 31..40 {
            Ldl::factor_with(&path(n, 1.0, None), &orders).unwrap();
        }
        assert_eq!(stored, solved(Ldl::factor_with(&own, &orders).unwrap()));
    }
    // Parallel entries are one of the pattern.
    let positions = |a: &SymmetricBuilder| Ldl::factor(a).unwrap().positions().to_vec();
    assert_eq!(positions(&path(30, 1.0, None)), positions(&path(30, 1.0, Some(7))));
}
