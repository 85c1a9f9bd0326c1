//! The DC model with its factored Laplacian.

use crate::dc::model::angles::Joins;
use crate::dc::model::{Convention, DcOutline};
use crate::topology::NO_ISLAND;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_sparse::{Ldl, Orders, Singular, SymmetricBuilder};

/// Everything about a case that does not depend on edits of demand and rating, with its factored Laplacian.
#[derive(Clone, Debug)]
pub struct DcModel {
    pub(super) outline: DcOutline,
    /// Elimination index of each bus's node; `NO_ISLAND` for references and buses outside the model.
    pub(super) elimination_index: Vec<usize>,
    pub(super) n_reduced: usize,
    pub(super) joins: Joins,
    pub(super) laplacian: Ldl,
}

impl std::ops::Deref for DcModel {
    type Target = DcOutline;

    fn deref(&self) -> &DcOutline {
        &self.outline
    }
}

impl std::ops::DerefMut for DcModel {
    fn deref_mut(&mut self) -> &mut DcOutline {
        &mut self.outline
    }
}

impl DcOutline {
    /// Orders and factors the susceptance matrix.
    ///
    /// # Errors
    /// `SOLVE.NOT_CONVERGED` if the matrix is singular.
    pub fn factored(self) -> Result<DcModel> {
        self.factored_by(Ldl::factor)
    }

    /// [`DcOutline::factored`] with an order of elimination that is stored, if it is.
    ///
    /// # Errors
    /// `SOLVE.NOT_CONVERGED` if the matrix is singular.
    pub fn factored_with(self, orders: &Orders) -> Result<DcModel> {
        self.factored_by(|matrix| Ldl::factor_with(matrix, orders))
    }

    fn factored_by(
        self,
        factor: impl FnOnce(&SymmetricBuilder) -> std::result::Result<Ldl, Singular>,
    ) -> Result<DcModel> {
        let node = &self.zero_impedance.node_of_bus;
        let mut is_reference = vec![false; self.n_bus];
        for &bus in &self.references {
            is_reference[node[bus]] = true;
        }
        let mut reduced = vec![NO_ISLAND; self.n_bus];
        let mut n_reduced = 0;
        for bus in 0..self.n_bus {
            if self.bus_is_active(bus) && node[bus] == bus && !is_reference[bus] {
                reduced[bus] = n_reduced;
                n_reduced += 1;
            }
        }
        let mut builder = SymmetricBuilder::new(n_reduced, self.lines.len());
        for line in &self.lines {
            let (f, t) = (node[line.from], node[line.to]);
            if line.b == 0.0 || f == t {
                continue;
            }
            let (f, t) = (reduced[f], reduced[t]);
            if f != NO_ISLAND {
                builder.add(f, f, line.b);
            }
            if t != NO_ISLAND {
                builder.add(t, t, line.b);
            }
            if f != NO_ISLAND && t != NO_ISLAND {
                builder.add(f, t, -line.b);
            }
        }
        let laplacian = factor(&builder).map_err(|e| {
            let element = reduced
                .iter()
                .position(|&k| k == e.row)
                .map(|bus| self.bus_ids[bus].clone());
            let error = |message| EngineError::new("SOLVE.NOT_CONVERGED", message);
            match element {
                Some(bus) => error(message!("solve.singular_at", bus = &bus)).at(bus),
                None => error(message!("solve.singular")),
            }
        })?;
        let positions = laplacian.positions();
        let elimination_index = node
            .iter()
            .map(|&node| positions.get(reduced[node]).copied().unwrap_or(NO_ISLAND));
        let elimination_index: Vec<usize> = elimination_index.collect();
        let joins = self.lines.iter().filter(|l| l.b != 0.0 && node[l.from] != node[l.to]);
        let end = |bus: usize| elimination_index[bus].min(n_reduced);
        let joins: Vec<_> = joins.map(|l| (end(l.from), end(l.to), l.b)).collect();
        Ok(DcModel {
            joins: Joins::new(n_reduced, &joins),
            elimination_index,
            n_reduced,
            laplacian,
            outline: self,
        })
    }
}

impl DcModel {
    /// The program in which a link with a column for each direction has only one of them.
    pub(crate) fn with_direction(&self, link: usize, is_reversed: bool) -> Self {
        let mut directed = self.clone();
        let mut columns = self.columns.clone();
        let sendings = self.links.sendings.iter().filter(|s| s.link == link);
        for sending in sendings.filter(|s| s.is_reversed != is_reversed) {
            let own = columns.iter_mut().filter(|c| c.generator == sending.generators[0]);
            own.for_each(|column| (column.lo, column.hi) = (0.0, 0.0));
        }
        directed.set_columns(columns);
        directed.links.directed.push((link, is_reversed));
        directed
    }

    /// Reads the network in a convention and factors its susceptance matrix.
    ///
    /// # Errors
    /// Those of `DcOutline::new` and `DcOutline::factored`.
    pub fn new(network: &AnalysisNetwork, convention: Convention) -> Result<Self> {
        DcOutline::new(network, convention)?.factored()
    }
}
