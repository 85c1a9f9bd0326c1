//! The elastic program: every balance and every rated limit may be missed, at a cost of 1 per MW, MVAr and MVA.

use super::program::{Column, Program};

/// The elastic program of a program: no other costs. It has a solution where no limits exclude each other by themselves.
pub(crate) fn elastic(program: &Program) -> Program {
    let mut elastic = program.clone();
    for column in &mut elastic.columns {
        (column.c, column.q) = (0.0, 0.0);
    }
    for node in 0..program.n {
        for part in 0..2 {
            for sign in [1.0, -1.0] {
                elastic.columns.push(Column {
                    node,
                    part,
                    sign,
                    lo: 0.0,
                    hi: f64::INFINITY,
                    c: 1.0,
                    q: 0.0,
                });
            }
        }
    }
    elastic.n_elastic = elastic.thermal.iter().filter(|t| t.is_rated).count();
    let first = elastic.n + elastic.columns.len();
    for (k, t) in elastic.thermal.iter_mut().filter(|t| t.is_rated).enumerate() {
        t.elastic = Some(first + k);
    }
    elastic.cost_scale = 1.0;
    elastic.complete()
}
