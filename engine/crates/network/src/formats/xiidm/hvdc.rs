//! HVDC lines between two converter stations.

use super::elements::{flag, number, or_zero, refused, required, text};
use super::equipment::reactive_limits;
use super::{terminal_reference, Reading, TerminalReference};
use crate::error::{EngineError, Result};
use crate::formats::grid::{limits_at, HvdcEnd, HvdcLine, Named, Terminal};
use crate::formats::xml::Element;
use crate::message;

/// A converter station before its line is known.
pub(super) struct Station {
    terminal: Terminal,
    loss: f64,
    kind: Kind,
}

enum Kind {
    /// Line commutated: its reactive power follows from its power factor.
    Lcc { power_factor: f64 },
    /// Voltage source: it holds a voltage, kV, or its reactive power.
    Vsc {
        holds_kv: Option<f64>,
        terminal: Option<TerminalReference>,
        q: f64,
        /// Limits as points of active power, and least and largest reactive power.
        limits: Vec<[f64; 3]>,
    },
}

pub(super) struct Line {
    id: String,
    name: Option<String>,
    source_line: usize,
    /// Rectifier and inverter.
    stations: [String; 2],
    line: HvdcLine,
}

impl Reading {
    pub(super) fn station(&mut self, element: &Element<'_>, level: &str) -> Result<()> {
        let named = self.identify(element)?;
        let terminal = self.levels.terminal(element, Some(level), "")?;
        self.register(named.id, &[terminal]);
        let kind = match element.name {
            "lccConverterStation" => Kind::Lcc {
                power_factor: required(element, "powerFactor")?,
            },
            _ => Kind::Vsc {
                holds_kv: match flag(element, "voltageRegulatorOn")?.unwrap_or(false) {
                    true => Some(required(element, "voltageSetpoint")?),
                    false => None,
                },
                terminal: element
                    .child("regulatingTerminal")
                    .map(terminal_reference)
                    .transpose()?,
                q: or_zero(element, "reactivePowerSetpoint")?,
                limits: reactive_limits(element)?,
            },
        };
        if let Kind::Lcc { power_factor } = kind {
            if !(power_factor.abs() > 0.0 && power_factor.abs() <= 1.0) {
                return Err(refused(element, "powerFactor"));
            }
        }
        let loss = or_zero(element, "lossFactor")? / 100.0;
        let station = Station { terminal, loss, kind };
        self.stations.insert(named.id.to_string(), station);
        Ok(())
    }

    pub(super) fn hvdc_line(&mut self, element: &Element<'_>) -> Result<()> {
        let named = self.identify(element)?;
        let stations = [text(element, "converterStation1")?, text(element, "converterStation2")?];
        let stations = match text(element, "convertersMode")? {
            "SIDE_1_RECTIFIER_SIDE_2_INVERTER" => stations,
            "SIDE_1_INVERTER_SIDE_2_RECTIFIER" => [stations[1], stations[0]],
            _ => return Err(refused(element, "convertersMode")),
        };
        let line = HvdcLine {
            r_ohm: required(element, "r")?,
            kv: required(element, "nominalV")?,
            p: required(element, "activePowerSetpoint")?,
            pmax: number(element, "maxP")?.unwrap_or(f64::INFINITY),
        };
        if line.kv == 0.0 {
            return Err(refused(element, "nominalV"));
        }
        if self.angle_droops.contains(named.id) {
            self.grid.held.angle_droops += 1;
        }
        self.lines_hvdc.push(Line {
            id: named.id.to_string(),
            name: named.name.map(str::to_string),
            source_line: element.line,
            stations: stations.map(str::to_string),
            line,
        });
        Ok(())
    }

    /// Adds the links, for which all stations must be known.
    pub(super) fn links(&mut self) -> Result<()> {
        for line in std::mem::take(&mut self.lines_hvdc) {
            let find = |id: &String| {
                self.stations.get(id).ok_or_else(|| {
                    let message = message!("xiidm.unknown", line = line.source_line, id = id);
                    EngineError::new("INPUT.PARSE", message)
                })
            };
            let stations = [find(&line.stations[0])?, find(&line.stations[1])?];
            let losses = stations.map(|station| station.loss);
            let delivered = line.line.delivered(line.line.p, losses);
            let is_in_service = stations.iter().all(|station| station.terminal.connected);
            // Active injections of rectifier and inverter.
            let powers = [-line.line.p, delivered];
            let mut held = 0;
            let mut ends = [None; 2];
            for (end, station) in stations.iter().enumerate() {
                let found = self.end(station, powers[end])?;
                held += usize::from(found.is_held || (found.would_hold && !is_in_service));
                ends[end] = Some(found.end);
            }
            self.grid.held.converters += held;
            if let [Some(rectifier), Some(inverter)] = ends {
                let name = line.name.as_deref();
                self.grid
                    .hvdc(Named { id: &line.id, name }, &line.line, [rectifier, inverter]);
            }
            for id in &line.stations {
                self.stations.remove(id);
            }
        }
        for station in std::mem::take(&mut self.stations).into_values() {
            self.ignore(match station.kind {
                Kind::Lcc { .. } => "lccConverterStation",
                Kind::Vsc { .. } => "vscConverterStation",
            });
        }
        Ok(())
    }

    fn end(&self, station: &Station, p: f64) -> Result<End> {
        let terminal = station.terminal;
        let end = |q, holds_pu| HvdcEnd {
            terminal,
            loss: station.loss,
            q,
            holds_pu,
        };
        match &station.kind {
            Kind::Lcc { power_factor } => {
                let share = (1.0 / (power_factor * power_factor) - 1.0).sqrt();
                let q = -(p * share).abs();
                Ok(End {
                    end: end([q; 3], None),
                    is_held: false,
                    would_hold: false,
                })
            }
            Kind::Vsc {
                holds_kv,
                terminal: regulated,
                q,
                limits,
            } => {
                let bus = regulated
                    .as_ref()
                    .map_or(Ok(terminal.bus), |regulated| self.bus_of(regulated))?;
                let is_local = bus == terminal.bus;
                let holds_pu = holds_kv.filter(|_| is_local).map(|kv| kv / self.grid.kv(bus));
                let [least, largest] = limits_at(limits, p);
                Ok(End {
                    end: end([*q, least, largest], holds_pu),
                    is_held: holds_kv.is_some() && !is_local && terminal.connected,
                    would_hold: holds_pu.is_some() && terminal.connected,
                })
            }
        }
    }
}

/// A converter, and whether its voltage control has no model here, or would have none without its line.
struct End {
    end: HvdcEnd,
    is_held: bool,
    would_hold: bool,
}
