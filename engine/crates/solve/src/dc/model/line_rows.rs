//! Withdrawals of buses, and values and flows of lines.

use super::{DcData, DcOutline, Stencil};

impl DcOutline {
    /// Nodal withdrawals: demand, shunt conductance and phase shifters, per unit; zero for buses outside the model.
    pub(crate) fn withdrawals(&self, demand: &[f64]) -> Vec<f64> {
        self.drawn(demand).collect()
    }

    /// The values of `withdrawals` as an iterator.
    pub(crate) fn drawn<'a>(&'a self, demand: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        (0..self.n_bus).map(|bus| self.withdrawal(bus, demand))
    }

    /// See `withdrawals`.
    #[inline(always)]
    pub(crate) fn withdrawal(&self, bus: usize, demand: &[f64]) -> f64 {
        if self.bus_is_active(bus) {
            demand[bus] + self.fixed_demand[bus]
        } else {
            0.0
        }
    }

    /// A line's row as a sum of `coefficient (theta_f - theta_t)` over lines: its own, for a merged branch the other
    /// flows out of its from side, to which `side` adds the net injections there, and for a combination its terms.
    pub(crate) fn terms(&self, l: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let line = &self.lines[l];
        let side = line.merged.and_then(|k| self.zero_impedance.branches[k].side.as_ref());
        let is_own = line.merged.is_none() && line.tie.is_none() && line.combination.is_none();
        let own = is_own.then(|| (l, line.weight()));
        let cross = side.into_iter().flat_map(|side| side.cross.iter());
        let combined = line.combination.iter().flat_map(|combination| combination.flows.iter());
        own.into_iter()
            .chain(cross.map(|&(o, sign)| (o, -sign * self.lines[o].b)))
            .chain(combined.map(|&(o, weight)| (o, weight * self.lines[o].b)))
    }

    /// Buses whose net injection is part of a merged line's row.
    pub(crate) fn side(&self, l: usize) -> &[usize] {
        let side = self.lines[l]
            .merged
            .and_then(|k| self.zero_impedance.branches[k].side.as_ref());
        side.map_or(&[], |side| &side.buses)
    }

    /// Power at the from end and delivered power at the to end of each HVDC link, per unit by dense row, from the output
    /// of every generator of the model; zero for links out of service.
    pub fn link_powers(&self, dispatch: &[f64]) -> Vec<[f64; 2]> {
        self.links.powers(dispatch)
    }

    /// Power that each storage unit injects, per unit by dense row of those that take part, from the output of every generator of the model.
    pub fn storage_powers(&self, dispatch: &[f64]) -> Vec<(usize, f64)> {
        let storages = self.links.storages.iter();
        // Of two zeros, the positive one.
        storages
            .map(|&(row, generator)| (row, dispatch[generator] + 0.0))
            .collect()
    }

    /// Links that would send power in both directions at once and are given one, by dense row, and whether it is the
    /// reverse.
    pub fn directed_links(&self) -> &[(usize, bool)] {
        &self.links.directed
    }

    /// The bus of the network to whose node a bus belongs: itself, unless it is a terminal of a link.
    #[inline]
    pub(crate) fn host(&self, bus: usize) -> usize {
        let terminal = bus.checked_sub(self.links.n_buses);
        terminal
            .and_then(|terminal| self.links.hosts.get(terminal).copied())
            .unwrap_or(bus)
    }

    /// The terminals of links with the buses at whose nodes they are.
    pub(crate) fn terminals(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (self.links.n_buses..).zip(self.links.hosts.iter().copied())
    }

    /// Buses whose net injection is part of a line's row, with their coefficients: the side of a merged line, the
    /// terminals of a tie, the excess of a combination, and the outputs that are part of it.
    #[inline]
    pub(crate) fn direct(&self, l: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let line = &self.lines[l];
        let side = self.side(l).iter().map(|&bus| (bus, 1.0));
        let ends = line.tie.map(|share| [(line.from, share), (line.to, 1.0)]);
        let combination = line.combination.as_deref();
        let excess = combination.and_then(|combination| combination.excess);
        let units = combination
            .into_iter()
            .flat_map(|combination| combination.units.iter().copied());
        side.chain(ends.into_iter().flatten())
            .chain(excess.map(|bus| (bus, -1.0)))
            .chain(units)
    }

    /// The direct part of a line's row for net injections, or of its rate for theirs.
    fn injected(&self, l: usize, net: &[f64]) -> f64 {
        self.direct(l).map(|(bus, coefficient)| coefficient * net[bus]).sum()
    }

    /// The lines that are ties of links, which follow the branches.
    pub(crate) fn ties(&self) -> std::ops::Range<usize> {
        let first = self.lines[..self.n_lines].partition_point(|line| line.tie.is_none());
        first..self.n_lines
    }

    /// The columns of a tie's row with their coefficients.
    pub(crate) fn tied_columns(&self, l: usize) -> Vec<(usize, f64)> {
        let of_terminal = |(terminal, coefficient)| self.columns_apart(terminal).map(move |j| (j, coefficient));
        self.direct(l).flat_map(of_terminal).collect()
    }

    /// Whether a branch closes a loop of merged branches, in which flows are not determined.
    pub(crate) fn is_undetermined(&self, l: usize) -> bool {
        self.lines[l].merged.is_some() && self.side(l).is_empty()
    }

    /// A branch without impedance that closes a loop and carries more than its rating, which programs omit.
    pub(crate) fn overloaded_loop(&self, data: &DcData, flow: &[f64]) -> Option<usize> {
        let mut merged = self.zero_impedance.lines().iter().copied();
        let is_over = |row: usize| flow[row].abs() > data.rating[row];
        merged.find(|&l| self.is_undetermined(l) && is_over(self.lines[l].row))
    }

    /// Change of each line's row for a change of bus angles and net injections: flow per unit, or the angle difference
    /// of a line without flow.
    pub(crate) fn row_rates(&self, theta: &[f64], net: &[f64]) -> Vec<f64> {
        let rate = |s: &Stencil| {
            let weight = if s.b == 0.0 { 1.0 } else { s.b };
            weight * (theta[s.from as usize] - theta[s.to as usize])
        };
        let mut rates: Vec<f64> = self.stencils.iter().map(rate).collect();
        for &l in self.zero_impedance.lines() {
            let leaving = self
                .terms(l)
                .map(|(o, c)| c * (theta[self.lines[o].from] - theta[self.lines[o].to]));
            rates[l] = leaving.sum::<f64>() + self.injected(l, net);
        }
        for l in self.ties() {
            rates[l] = self.injected(l, net);
        }
        for l in self.combinations() {
            rates[l] = self.combined(l, |m| rates[m]) + self.injected(l, net);
        }
        rates
    }

    /// Value of each line's row.
    pub(crate) fn row_values(&self, theta: &[f64], net: &[f64]) -> Vec<f64> {
        let mut values = self.row_rates(theta, net);
        for (value, line) in values.iter_mut().zip(&self.lines) {
            *value += line.offset();
        }
        values
    }

    /// Flow of each line at its from end for bus angles and net injections.
    pub(crate) fn flows(&self, theta: &[f64], net: &[f64]) -> Vec<f64> {
        let flow = |s: &Stencil| s.b * (theta[s.from as usize] - theta[s.to as usize]) - s.shift_flow;
        let mut flows: Vec<f64> = self.stencils.iter().map(flow).collect();
        if !self.zero_impedance.lines().is_empty() {
            let mut unbalanced = net.to_vec();
            for (terminal, host) in self.terminals() {
                unbalanced[host] += std::mem::take(&mut unbalanced[terminal]);
            }
            for (s, flow) in self.stencils.iter().zip(&flows) {
                unbalanced[s.from as usize] -= flow + s.shift_flow;
                unbalanced[s.to as usize] += flow + s.shift_flow;
            }
            for (l, flow) in self.zero_impedance.flows(&unbalanced) {
                flows[l] = flow;
            }
        }
        flows
    }

    /// The generators with a nonzero change of their columns, with the change of their output.
    pub(crate) fn outputs_that_move(&self, p: &[f64]) -> Vec<(usize, f64)> {
        let mut moved: Vec<(usize, f64)> = Vec::new();
        for (column, &p) in self.columns.iter().zip(p).filter(|(_, p)| **p != 0.0) {
            match moved.last_mut() {
                Some((generator, sum)) if *generator == column.generator => *sum += p,
                _ => moved.push((column.generator, p)),
            }
        }
        moved
    }

    /// Adds generator columns to nodal injections.
    pub(crate) fn add_generation(&self, p: &[f64], injection: &mut [f64]) {
        for (column, p) in self.columns.iter().zip(p) {
            injection[column.bus] += p;
        }
    }
}
