/// A change of demand, branches and generators, per unit of step; pairs of a dense row and its change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Direction {
    /// Active and reactive demand of buses.
    pub demand: Vec<(usize, f64)>,
    pub reactive_demand: Vec<(usize, f64)>,
    /// Scheduled active output of generators, for power flows only.
    pub output: Vec<(usize, f64)>,
    /// Ratings of branches, for optimal power flows only.
    pub rating: Vec<(usize, f64)>,
    /// Phase shifts of branches, radians, for DC optimal power flows only.
    pub phase_shift: Vec<(usize, f64)>,
    /// Limits of the active output of generators, and their marginal cost, $/h per unit, for optimal power flows only.
    pub output_min: Vec<(usize, f64)>,
    pub output_max: Vec<(usize, f64)>,
    pub cost: Vec<(usize, f64)>,
    /// Limits of interfaces, for DC optimal power flows only.
    pub interface: Vec<((usize, InterfaceBound), f64)>,
}

/// The limit of an interface that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceBound {
    Lower,
    Upper,
}

impl Direction {
    /// One more unit of active demand at a bus.
    pub fn of_demand(bus: usize) -> Self {
        Self {
            demand: vec![(bus, 1.0)],
            ..Self::default()
        }
    }

    /// One more unit of the rating of a branch.
    pub fn of_rating(branch: usize) -> Self {
        Self {
            rating: vec![(branch, 1.0)],
            ..Self::default()
        }
    }

    /// One radian more of the phase shift of a branch.
    pub fn of_phase_shift(branch: usize) -> Self {
        Self {
            phase_shift: vec![(branch, 1.0)],
            ..Self::default()
        }
    }

    /// One more unit of a limit of an interface.
    pub fn of_interface(interface: usize, limit: InterfaceBound) -> Self {
        Self {
            interface: vec![((interface, limit), 1.0)],
            ..Self::default()
        }
    }

    /// The direction times a factor.
    pub fn times(&self, factor: f64) -> Self {
        let scaled = |list: &[(usize, f64)]| list.iter().map(|&(row, d)| (row, factor * d)).collect();
        Self {
            demand: scaled(&self.demand),
            reactive_demand: scaled(&self.reactive_demand),
            output: scaled(&self.output),
            rating: scaled(&self.rating),
            phase_shift: scaled(&self.phase_shift),
            output_min: scaled(&self.output_min),
            output_max: scaled(&self.output_max),
            cost: scaled(&self.cost),
            interface: self.interface.iter().map(|&(limit, d)| (limit, factor * d)).collect(),
        }
    }
}
