//! Results by terminal, conductor, element, source and load.

use super::rows::{is_written, size, Rows};
use super::{Prepared, State};
use crate::contract::{self as c, Column, ColumnName};
use wattbook_network::sha256::Sha256;
use wattbook_solve::mc::Complex64;

impl Prepared {
    /// The head and the columns of a state.
    pub fn result(&self, state: &State) -> (c::McResult, Vec<Column>) {
        let (feeder, s) = (self.model.feeder(), &state.solution);
        let degrees = |&node: &usize| match Rows::has_voltage(&self.model, node) {
            true => degrees(s.voltages[node]),
            false => f64::NAN,
        };
        let mut columns = self.rows.magnitudes(&self.model, &s.voltages);
        let mut add = |name: ColumnName, values: Vec<f64>| columns.push(Column::new(name, values));
        add(
            ColumnName::VoltageDeg,
            self.rows.terminals.iter().map(degrees).collect(),
        );
        let currents = self.currents(state);
        add(ColumnName::CurrentA, currents.iter().map(|i| size(*i)).collect());
        add(
            ColumnName::CurrentDeg,
            currents.iter().map(|i| self::degrees(*i)).collect(),
        );
        let losses = self.losses(state);
        let drawn = self.drawn(state);
        let given: Vec<[Complex64; 2]> = s.sources.iter().map(|s| [s.power_at_terminal, s.power]).collect();
        let re = |values: &[Complex64]| values.iter().map(|z| z.re).collect::<Vec<f64>>();
        let im = |values: &[Complex64]| values.iter().map(|z| z.im).collect::<Vec<f64>>();
        add(ColumnName::LossW, re(&losses));
        add(ColumnName::LossVar, im(&losses));
        add(ColumnName::SourceW, given.iter().map(|s| s[0].re).collect());
        add(ColumnName::SourceVar, given.iter().map(|s| s[0].im).collect());
        add(ColumnName::EmfW, given.iter().map(|s| s[1].re).collect());
        add(ColumnName::EmfVar, given.iter().map(|s| s[1].im).collect());
        add(ColumnName::DrawnW, re(&drawn));
        add(ColumnName::DrawnVar, im(&drawn));
        let set = |part: usize| {
            let of = |load: usize| s.data.load(load).iter().map(|p| p[part]).sum::<f64>() / 1000.0;
            (0..feeder.loads.len()).map(of).collect::<Vec<f64>>()
        };
        add(ColumnName::LoadKw, set(0));
        add(ColumnName::LoadKvar, set(1));
        let vuf: Vec<f64> = self
            .rows
            .three_phases
            .iter()
            .map(|nodes| self.unbalance(state, nodes))
            .collect();
        let worst = vuf.iter().enumerate().filter(|(_, v)| !v.is_nan());
        let most_unbalanced = worst.reduce(|most, one| if one.1 > most.1 { one } else { most });
        let most_unbalanced = most_unbalanced.map(|(row, &vuf)| c::McUnbalance {
            bus: feeder.buses[self.rows.buses[row]].name.clone(),
            vuf,
        });
        add(ColumnName::Vuf, vuf);

        let sum = |values: &[Complex64]| values.iter().fold(Complex64::default(), |sum, z| sum + z);
        // Losses in the impedances of sources are excluded, because source power is measured behind them.
        let (load, loss) = (sum(&drawn), sum(&losses));
        let source = sum(&given.iter().map(|s| s[0]).collect::<Vec<_>>());
        let [lowest, highest] = self.extremes(&columns);
        let check = &state.certificate;
        let head = c::McResult {
            name: feeder.name.clone(),
            case_sha256: self.case_sha256.clone(),
            options: self.options,
            loads: state.loads.clone(),
            held_controls: feeder.held_controls.clone(),
            iterations: s.found.iterations as u32,
            last_change_pu: s.found.last_change_pu,
            certificate: c::McCertificate {
                kcl_residual_a: check.residual_a,
                worst_terminal: check.worst_node.map(|node| feeder.node_name(node)),
                kcl_residual_part: check.residual_part,
                held_error_pu: check.held_error,
                current_error_part: check.current_error_part,
            },
            totals: c::McTotals {
                source_w: source.re,
                source_var: source.im,
                load_w: load.re,
                load_var: load.im,
                loss_w: loss.re,
                loss_var: loss.im,
            },
            lowest,
            highest,
            most_unbalanced,
            not_supplied: s
                .not_supplied
                .iter()
                .map(|row| feeder.loads[*row].name.clone())
                .collect(),
            result_sha256: hash(&columns),
        };
        (head, columns)
    }

    /// Currents into the elements, by shown conductor.
    fn currents(&self, state: &State) -> Vec<Complex64> {
        let (feeder, s) = (self.model.feeder(), &state.solution);
        let mut all: Vec<Complex64> = Vec::with_capacity(self.rows.conductors.len());
        let lines = feeder.lines.iter().zip(&s.lines);
        for (_, ends) in lines.filter(|(l, _)| is_written(feeder, &l.from) && is_written(feeder, &l.to)) {
            ends.iter().for_each(|currents| all.extend(currents));
        }
        for ends in &s.transformers {
            ends.iter().for_each(|currents| all.extend(currents));
        }
        for switch in &s.switches {
            all.extend(&switch.currents);
            all.extend(switch.currents.iter().map(|i| -i));
        }
        s.shunts.iter().for_each(|currents| all.extend(currents));
        let shown = all.iter().zip(&self.rows.conductors);
        shown.filter(|(_, k)| self.rows.is_shown(k)).map(|(i, _)| *i).collect()
    }

    /// By element: zero for switches, the power drawn for capacitors and reactors.
    fn losses(&self, state: &State) -> Vec<Complex64> {
        let (feeder, s) = (self.model.feeder(), &state.solution);
        let lines = feeder.lines.iter().zip(s.line_losses(&self.model));
        let lines = lines.filter(|(l, _)| is_written(feeder, &l.from) && is_written(feeder, &l.to));
        let mut out: Vec<Complex64> = lines.map(|(_, loss)| loss).collect();
        out.extend(s.transformer_losses(&self.model));
        out.extend(feeder.switches.iter().map(|_| Complex64::default()));
        for (shunt, currents) in feeder.shunts.iter().zip(&s.shunts) {
            let powers = shunt
                .nodes
                .iter()
                .zip(currents)
                .map(|(&node, i)| s.voltages[node] * i.conj());
            out.push(powers.fold(Complex64::default(), |sum, p| sum + p));
        }
        out
    }

    /// Power drawn, by load.
    fn drawn(&self, state: &State) -> Vec<Complex64> {
        let (feeder, s) = (self.model.feeder(), &state.solution);
        let u = |node: Option<usize>| node.map_or(Complex64::default(), |node| s.voltages[node]);
        let of = |(load, currents): (&wattbook_network::feeder::FeederLoad, &Vec<Complex64>)| {
            let powers = load.branches.iter().zip(currents);
            let powers = powers.map(|(b, i)| (u(b.nodes[0]) - u(b.nodes[1])) * i.conj());
            powers.fold(Complex64::default(), |sum, p| sum + p)
        };
        feeder.loads.iter().zip(&s.loads).map(of).collect()
    }

    /// Voltage unbalance: negative-sequence by positive-sequence voltage.
    fn unbalance(&self, state: &State, nodes: &Option<[usize; 3]>) -> f64 {
        let Some([a, b, c]) = nodes.map(|nodes| nodes.map(|node| state.solution.voltages[node])) else {
            return f64::NAN;
        };
        let turn = Complex64::new(-0.5, 0.5 * 3f64.sqrt());
        let back = turn.conj();
        size(a + back * b + turn * c) / size(a + turn * b + back * c)
    }

    /// The phases with the lowest and the highest voltage, per unit.
    fn extremes(&self, columns: &[Column]) -> [Option<c::McTerminal>; 2] {
        let feeder = self.model.feeder();
        let [volts, per_unit] = [0, 1].map(|k| &columns[k].values);
        let phases = || (0..per_unit.len()).filter(|&row| self.rows.is_phase[self.rows.terminals[row]]);
        let terminal_at = |row: usize| {
            let at = &feeder.nodes[self.rows.terminals[row]];
            c::McTerminal {
                bus: feeder.buses[at.bus].name.clone(),
                terminal: at.terminal.clone(),
                voltage_v: volts[row],
                voltage_pu: per_unit[row],
            }
        };
        let low = phases().reduce(|a, b| if per_unit[b] < per_unit[a] { b } else { a });
        let high = phases().reduce(|a, b| if per_unit[b] > per_unit[a] { b } else { a });
        [low, high].map(|row| row.map(terminal_at))
    }
}

/// SHA-256 over the hashed columns, without rows that no source reaches.
fn hash(columns: &[Column]) -> String {
    let mut hash = Sha256::default();
    for column in columns.iter().filter(|column| column.name.is_hashed()) {
        let taking = column.values.iter().filter(|x| !x.is_nan());
        let bytes: Vec<u8> = taking.flat_map(|x| x.to_le_bytes()).collect();
        hash.update(&bytes);
    }
    hash.hex()
}

fn degrees(z: Complex64) -> f64 {
    libm::atan2(z.im, z.re) * (180.0 / std::f64::consts::PI)
}
