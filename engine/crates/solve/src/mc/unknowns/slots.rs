//! The solver's numbering of voltages: unknowns in the order of elimination, followed by voltages that are known or
//! follow from an unknown.

use super::ties::Ties;
use crate::mc::C;
use wattbook_network::feeder::Feeder;

/// Marks nodes without an unknown.
pub(crate) const KNOWN: u32 = u32::MAX;

/// The unknowns of a feeder: one for each group of tied nodes other than ground's.
#[derive(Clone, Debug)]
pub(crate) struct Unknowns {
    /// By node.
    pub of_node: Vec<u32>,
    /// First node of each.
    pub node: Vec<usize>,
    /// By unknown: its group, shared by the unknowns of a bus and counted from zero.
    pub group: Vec<u32>,
}

impl Unknowns {
    pub fn new(feeder: &Feeder, ties: &Ties, is_live: &[bool]) -> Self {
        let n = feeder.nodes.len();
        let (mut of_group, mut of_bus) = (vec![KNOWN; n + 1], vec![KNOWN; feeder.buses.len()]);
        let (mut of_node, mut node_of, mut group) = (vec![KNOWN; n], Vec::with_capacity(n), Vec::with_capacity(n));
        let mut groups = 0;
        for node in (0..n).filter(|&node| is_live[node] && ties.group[node + 1] != 0) {
            let unknown = &mut of_group[ties.group[node + 1]];
            if *unknown == KNOWN {
                *unknown = node_of.len() as u32;
                node_of.push(node);
                let own = &mut of_bus[feeder.nodes[node].bus];
                if *own == KNOWN {
                    *own = groups;
                    groups += 1;
                }
                group.push(*own);
            }
            of_node[node] = *unknown;
        }
        Self {
            of_node,
            node: node_of,
            group,
        }
    }

    /// Pairs of groups that an element joins.
    pub fn joined(&self, feeder: &Feeder) -> Vec<(usize, usize)> {
        let mut joined = Joined {
            unknowns: self,
            pairs: Vec::with_capacity(feeder.lines.len() + feeder.transformers.len()),
            groups: Vec::with_capacity(4),
        };
        for line in &feeder.lines {
            joined.join(line.from.iter().chain(&line.to));
        }
        for shunt in &feeder.shunts {
            joined.join(&shunt.nodes);
        }
        for t in &feeder.transformers {
            joined.join(t.windings.iter().flat_map(|w| &w.nodes));
        }
        for branch in feeder.loads.iter().flat_map(|load| &load.branches) {
            joined.join(branch.nodes.iter().flatten());
        }
        joined.pairs
    }
}

/// Pairs of groups found so far.
struct Joined<'a> {
    unknowns: &'a Unknowns,
    pairs: Vec<(usize, usize)>,
    /// Groups of the present element.
    groups: Vec<usize>,
}

impl Joined<'_> {
    /// Adds the pairs of an element at the given nodes.
    fn join<'a>(&mut self, nodes: impl IntoIterator<Item = &'a usize>) {
        let Unknowns { of_node, group, .. } = self.unknowns;
        let groups = &mut self.groups;
        groups.clear();
        for unknown in nodes
            .into_iter()
            .map(|&node| of_node[node])
            .filter(|unknown| *unknown != KNOWN)
        {
            let group = group[unknown as usize] as usize;
            if !groups.contains(&group) {
                self.pairs.extend(groups.iter().map(|&other| (other, group)));
                groups.push(group);
            }
        }
    }
}

/// Indices of voltages and currents in the solver.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    pub of_node: Vec<u32>,
    /// The unknown at each of the first slots.
    pub order: Vec<u32>,
    /// The slots after the unknowns: the slot of an unknown or none, and the voltage added to it. The first has zero
    /// voltage.
    pub others: Vec<(u32, C)>,
}

impl Slots {
    /// `order` lists the unknowns in the order of elimination.
    pub fn new(unknowns: &Unknowns, order: &[u32], ties: &Ties, is_live: &[bool]) -> Self {
        let order = order.to_vec();
        let mut slot = vec![0u32; order.len()];
        for (k, &unknown) in order.iter().enumerate() {
            slot[unknown as usize] = k as u32;
        }
        let zero = C::default();
        let mut others = Vec::with_capacity(1 + ties.all.len());
        others.push((KNOWN, zero));
        let of_node = (0..is_live.len()).map(|node| {
            let offset = ties.offset[node + 1];
            let own = match unknowns.of_node[node] {
                KNOWN => KNOWN,
                unknown => slot[unknown as usize],
            };
            match (own, offset == zero) {
                // A switched-off part may hold ground's zero and nothing else.
                _ if !is_live[node] => order.len() as u32,
                (KNOWN, true) => order.len() as u32,
                (own, true) => own,
                (own, false) => {
                    others.push((own, offset));
                    (order.len() + others.len() - 1) as u32
                }
            }
        });
        let of_node = of_node.collect();
        Self { of_node, order, others }
    }

    /// The slots of some nodes.
    pub fn at<'a>(&'a self, nodes: &'a [usize]) -> impl Iterator<Item = u32> + 'a {
        nodes.iter().map(|&node| self.of_node[node])
    }

    pub fn len(&self) -> usize {
        self.order.len() + self.others.len()
    }

    /// The slot without a voltage, for ground and for nodes that no source reaches.
    pub fn ground(&self) -> u32 {
        self.order.len() as u32
    }

    /// The slot of the unknown to which a slot's current belongs; `KNOWN` for none.
    pub fn unknown(&self, slot: usize) -> u32 {
        match slot.checked_sub(self.order.len()) {
            None => slot as u32,
            Some(k) => self.others[k].0,
        }
    }

    /// Voltages of all slots from those of the unknowns.
    pub fn voltages(&self, x: &[C]) -> Vec<C> {
        let mut u: Vec<C> = self.order.iter().map(|&unknown| x[unknown as usize]).collect();
        u.resize(self.len(), C::default());
        self.complete(&mut u);
        u
    }

    /// Sets the slots after the unknowns.
    pub fn complete(&self, u: &mut [C]) {
        let (x, behind) = u.split_at_mut(self.order.len());
        for (u, &(unknown, offset)) in behind.iter_mut().zip(&self.others) {
            *u = offset + x.get(unknown as usize).copied().unwrap_or_default();
        }
    }

    /// Adds the values of the slots after the unknowns to the unknowns.
    pub fn fold<T: Copy + std::ops::AddAssign>(&self, values: &mut [T]) {
        let (own, behind) = values.split_at_mut(self.order.len());
        for (value, &(unknown, _)) in behind.iter().zip(&self.others) {
            if let Some(own) = own.get_mut(unknown as usize) {
                *own += *value;
            }
        }
    }

    /// Voltages of the unknowns from those of all slots.
    pub fn unknowns(&self, u: &[C]) -> Vec<C> {
        let mut x = vec![C::default(); self.order.len()];
        for (&unknown, u) in self.order.iter().zip(u) {
            x[unknown as usize] = *u;
        }
        x
    }
}
