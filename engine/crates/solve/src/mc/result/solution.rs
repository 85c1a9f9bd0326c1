//! Voltages, currents and powers of a feeder.

use crate::mc::model::{McData, McModel};
use crate::mc::unknowns::ties::Tied;
use crate::mc::voltages::McVoltages;
use crate::mc::C;
use wattbook_network::error::Result;

/// Power flow of a feeder: V, A, W and var, as complex numbers by the rows of the feeder's tables; zero for elements
/// out of service or not energised.
#[derive(Clone, Debug, PartialEq)]
pub struct McSolution {
    /// By node, to ground.
    pub voltages: Vec<C>,
    /// By node: whether a source reaches it.
    pub is_energised: Vec<bool>,
    /// By line: into the line at its from and at its to end, by conductor.
    pub lines: Vec<[Vec<C>; 2]>,
    /// By shunt: into it at its nodes.
    pub shunts: Vec<Vec<C>>,
    /// By transformer: into its windings at their terminals.
    pub transformers: Vec<[Vec<C>; 2]>,
    /// By load: through its branches.
    pub loads: Vec<Vec<C>>,
    pub switches: Vec<McSwitch>,
    pub sources: Vec<McSource>,
    /// Loads (rows) that no source reaches.
    pub not_supplied: Vec<usize>,
    pub data: McData,
    /// The unknown voltages from which all else follows.
    pub found: McVoltages,
}

/// The current of a switch, from its from end to its to end.
#[derive(Clone, Debug, PartialEq)]
pub struct McSwitch {
    pub currents: Vec<C>,
    /// Whether no loop of connections without impedance contains it; otherwise its current is a least-squares share.
    pub is_unique: bool,
}

/// The currents and powers of a source.
#[derive(Clone, Debug, PartialEq)]
pub struct McSource {
    /// Into the network at its nodes.
    pub currents: Vec<C>,
    /// Power supplied, VA.
    pub power: C,
    /// Part of it beyond its impedance, at the terminal of the source in the file, VA.
    pub power_at_terminal: C,
}

impl McSolution {
    pub(crate) fn new(model: &McModel, data: &McData, found: McVoltages) -> Result<Self> {
        let feeder = &model.feeder;
        let at_slots = model.slots.voltages(&found.unknowns);
        let u: Vec<C> = model
            .slots
            .of_node
            .iter()
            .map(|&slot| at_slots[slot as usize])
            .collect();
        let mut leaving = vec![C::default(); u.len()];
        let mut lines: Vec<[Vec<C>; 2]> = feeder
            .lines
            .iter()
            .map(|l| [vec![C::default(); l.from.len()], vec![C::default(); l.to.len()]])
            .collect();
        model.linear.lines.currents(&at_slots, |row, k, current| {
            lines[row][0][k] = current;
            lines[row][1][k] = -current;
        });
        model.linear.line_shunts.currents(&at_slots, |row, k, _, current| {
            let (line, end) = model.line_ends[row];
            lines[line as usize][end][k] += current;
        });
        for (line, ends) in feeder.lines.iter().zip(&lines) {
            for (&node, current) in line.from.iter().zip(&ends[0]).chain(line.to.iter().zip(&ends[1])) {
                leaving[node] += current;
            }
        }
        let mut shunts: Vec<Vec<C>> = feeder
            .shunts
            .iter()
            .map(|s| vec![C::default(); s.nodes.len()])
            .collect();
        model.linear.shunts.currents(&at_slots, |row, k, _, current| {
            shunts[row][k] = current;
            leaving[feeder.shunts[row].nodes[k]] += current;
        });
        let mut transformers = Vec::with_capacity(model.linear.transformers.len());
        for (t, written) in model.linear.transformers.iter().zip(&feeder.transformers) {
            let mut windings = written.windings.each_ref().map(|w| vec![C::default(); w.nodes.len()]);
            t.currents(&at_slots, |place, _, current| {
                let (winding, terminal) = t.terminals[place];
                windings[winding][terminal] += current;
                leaving[written.windings[winding].nodes[terminal]] += current;
            });
            transformers.push(windings);
        }
        let mut loads: Vec<Vec<C>> = feeder
            .loads
            .iter()
            .map(|l| vec![C::default(); l.branches.len()])
            .collect();
        model.load_currents(data, 1.0, &at_slots, |row, _, current| {
            let b = &model.branches[row];
            loads[b.load][b.phase] = current;
            for (node, current) in b.branch.nodes.into_iter().zip([current, -current]) {
                if let Some(node) = node {
                    leaving[node] += current;
                }
            }
        })?;
        let mut solution = Self {
            switches: feeder
                .switches
                .iter()
                .map(|s| McSwitch {
                    currents: vec![C::default(); s.from.len()],
                    is_unique: true,
                })
                .collect(),
            sources: Vec::new(),
            not_supplied: not_supplied(model),
            is_energised: model.is_live.clone(),
            voltages: u,
            lines,
            shunts,
            transformers,
            loads,
            data: data.clone(),
            found,
        };
        solution.add_ties(model, &leaving);
        Ok(solution)
    }

    /// The solution for stored voltages, from the loads and the unknown voltages alone. No iteration takes place;
    /// `None` if the voltages are of another feeder.
    ///
    /// # Errors
    /// `PHYSICS.NO_VOLTAGE`.
    pub fn from_voltages(model: &McModel, data: &McData, found: McVoltages) -> Result<Option<Self>> {
        match found.unknowns.len() == model.unknowns() {
            true => Self::new(model, data, found).map(Some),
            false => Ok(None),
        }
    }

    /// Adds currents of connections without impedance, and powers of sources.
    fn add_ties(&mut self, model: &McModel, leaving: &[C]) {
        let feeder = &model.feeder;
        let mut of_sources: Vec<Vec<C>> = feeder
            .sources
            .iter()
            .map(|s| vec![C::default(); s.nodes.len()])
            .collect();
        let flows = model.ties.currents(leaving);
        for ((tie, flow), is_unique) in model.ties.all.iter().zip(flows).zip(model.ties.is_unique()) {
            match tie.kind {
                Tied::Ground => {}
                Tied::Source { row, phase } => of_sources[row][phase] = -flow,
                Tied::Switch { row, conductor } => {
                    self.switches[row].currents[conductor] = flow;
                    self.switches[row].is_unique &= is_unique;
                }
                Tied::Line { row, conductor } => {
                    self.lines[row][0][conductor] += flow;
                    self.lines[row][1][conductor] -= flow;
                }
            }
        }
        for (source, currents) in feeder.sources.iter().zip(of_sources) {
            let u = &self.voltages;
            let reference = source.reference.map_or(C::default(), |node| u[node]);
            let power = |node: usize, i: C| (u[node] - reference) * i.conj();
            let sum = |powers: &mut dyn Iterator<Item = C>| powers.fold(C::default(), |sum, p| sum + p);
            let given = sum(&mut source.nodes.iter().zip(&currents).map(|(&node, i)| power(node, *i)));
            let at_terminal = match source.impedance {
                None => given,
                Some(row) => {
                    let (line, [_, to]) = (&feeder.lines[row], &self.lines[row]);
                    let own = |k: &usize| source.nodes.contains(&line.from[*k]);
                    sum(&mut (0..to.len()).filter(own).map(|k| power(line.to[k], -to[k])))
                }
            };
            self.sources.push(McSource {
                currents,
                power: given,
                power_at_terminal: at_terminal,
            });
        }
    }

    /// Power that enters the elements of a kind and does not leave them, VA by row.
    pub fn line_losses(&self, model: &McModel) -> Vec<C> {
        let of = |(line, ends): (&wattbook_network::feeder::FeederLine, &[Vec<C>; 2])| {
            self.into(&line.from, &ends[0]) + self.into(&line.to, &ends[1])
        };
        model.feeder.lines.iter().zip(&self.lines).map(of).collect()
    }

    /// As `line_losses`.
    pub fn transformer_losses(&self, model: &McModel) -> Vec<C> {
        let of = |(t, ends): (&wattbook_network::feeder::FeederTransformer, &[Vec<C>; 2])| {
            self.into(&t.windings[0].nodes, &ends[0]) + self.into(&t.windings[1].nodes, &ends[1])
        };
        model
            .feeder
            .transformers
            .iter()
            .zip(&self.transformers)
            .map(of)
            .collect()
    }

    /// Power of currents into an element at its nodes.
    fn into(&self, nodes: &[usize], currents: &[C]) -> C {
        let mut sum = C::default();
        for (&node, current) in nodes.iter().zip(currents) {
            sum += self.voltages[node] * current.conj();
        }
        sum
    }
}

fn not_supplied(model: &McModel) -> Vec<usize> {
    let mut out: Vec<usize> = model
        .branches
        .iter()
        .filter(|b| !b.is_supplied)
        .map(|b| b.load)
        .collect();
    out.dedup();
    out
}
