//! Equipment of voltage levels, lines, and lines to the boundary.

use powerio::network::{GeneratorEnergySource, LoadVoltageModel};

use super::elements::{flag, number, or_zero, refused, required, text, whole};
use super::limits::limits;
use super::{terminal_reference, Reading, Regulation};
use crate::error::{EngineError, Result};
use crate::formats::grid::{limits_at, Named, Terminal, Unit};
use crate::formats::xml::Element;
use crate::message;

impl Reading {
    pub(super) fn voltage_level(&mut self, level: &Element<'_>) -> Result<()> {
        let id = text(level, "id")?;
        for element in &level.children {
            match element.name {
                "busBreakerTopology" | "nodeBreakerTopology" => self.topology(element, id)?,
                "generator" => self.generator(element, id)?,
                "load" => self.load(element, id)?,
                "battery" => self.battery(element, id)?,
                "shunt" | "shuntCompensator" => self.shunt(element, id)?,
                "staticVarCompensator" => self.static_var_compensator(element, id)?,
                "danglingLine" | "boundaryLine" => self.boundary_line(element, id)?,
                "vscConverterStation" | "lccConverterStation" => self.station(element, id)?,
                "voltageSourceConverter" | "lineCommutatedConverter" => {
                    let is_connected = ["node1", "bus1"].iter().any(|name| element.attribute(name).is_some());
                    if is_connected {
                        let message = message!("grid.converter", line = element.line, id = text(element, "id")?);
                        return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
                    }
                }
                other => self.ignore(other),
            }
        }
        Ok(())
    }

    fn topology(&mut self, topology: &Element<'_>, level: &str) -> Result<()> {
        for element in &topology.children {
            match element.name {
                "busbarSection" => {
                    let named = self.identify(element)?;
                    let terminal = self.levels.terminal(element, Some(level), "")?;
                    self.register(named.id, &[terminal]);
                }
                "bus" if topology.name == "busBreakerTopology" => {
                    let named = self.identify(element)?;
                    let bus = self.levels.bus(named.id).unwrap_or_default();
                    let connected = true;
                    self.register(named.id, &[Terminal { bus, connected }]);
                }
                "switch" => {
                    let named = self.identify(element)?;
                    let ends = [
                        self.levels.terminal(element, Some(level), "1")?.bus,
                        self.levels.terminal(element, Some(level), "2")?.bus,
                    ];
                    let is_open = flag(element, "open")?.unwrap_or(false);
                    self.grid.switch(ends, !is_open, named);
                }
                "bus" | "internalConnection" => {}
                other => self.ignore(other),
            }
        }
        Ok(())
    }

    fn generator(&mut self, element: &Element<'_>, level: &str) -> Result<()> {
        let named = self.identify(element)?;
        let terminal = self.levels.terminal(element, Some(level), "")?;
        self.register(named.id, &[terminal]);
        let p = required(element, "targetP")?;
        let [least, largest] = limits_at(&reactive_limits(element)?, p);
        let source = match text(element, "energySource")? {
            "HYDRO" => GeneratorEnergySource::Hydro,
            "NUCLEAR" => GeneratorEnergySource::Nuclear,
            "WIND" => GeneratorEnergySource::Wind,
            "THERMAL" => GeneratorEnergySource::Thermal,
            "SOLAR" => GeneratorEnergySource::Solar,
            "OTHER" => GeneratorEnergySource::Other,
            _ => return Err(refused(element, "energySource")),
        };
        let unit = Unit {
            p: [p, required(element, "minP")?, required(element, "maxP")?],
            q: [or_zero(element, "targetQ")?, least, largest],
            regulates: flag(element, "voltageRegulatorOn")?.unwrap_or(false),
            source,
            fuel: None,
        };
        let target = number(element, "targetV")?;
        self.unit(element, terminal, named, &unit, target, "targetV")
    }

    /// Adds a unit that may hold a voltage.
    fn unit(
        &mut self,
        element: &Element<'_>,
        terminal: Terminal,
        named: Named<'_>,
        unit: &Unit,
        target_kv: Option<f64>,
        attribute: &str,
    ) -> Result<()> {
        let row = self.grid.unit(terminal, named, unit);
        match target_kv {
            Some(target_kv) if unit.regulates || target_kv > 0.0 => self.regulations.push(Regulation {
                unit: row,
                target_kv,
                terminal: element
                    .child("regulatingTerminal")
                    .map(terminal_reference)
                    .transpose()?,
                own_bus: terminal.bus,
            }),
            None if unit.regulates => {
                required(element, attribute)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn load(&mut self, element: &Element<'_>, level: &str) -> Result<()> {
        let named = self.identify(element)?;
        let terminal = self.levels.terminal(element, Some(level), "")?;
        self.register(named.id, &[terminal]);
        let [p, q] = [required(element, "p0")?, required(element, "q0")?];
        let load = self.grid.load(terminal, named, [p, q]);
        if let Some(model) = element.child("zipModel") {
            let part = |name: &str, power: f64| Ok::<_, EngineError>(required(model, name)? * power);
            load.voltage_model = Some(LoadVoltageModel::Zip {
                p_constant_power: part("c0p", p)?,
                q_constant_power: part("c0q", q)?,
                p_constant_current: part("c1p", p)?,
                q_constant_current: part("c1q", q)?,
                p_constant_impedance: part("c2p", p)?,
                q_constant_impedance: part("c2q", q)?,
                v_nom: None,
                load_type: None,
                scaling: None,
            });
        } else if let Some(model) = element.child("exponentialModel") {
            load.voltage_model = Some(LoadVoltageModel::Exponential {
                p,
                q,
                v_nom: None,
                gamma_p: required(model, "np")?,
                gamma_q: required(model, "nq")?,
            });
        }
        Ok(())
    }

    fn battery(&mut self, element: &Element<'_>, level: &str) -> Result<()> {
        let named = self.identify(element)?;
        let terminal = self.levels.terminal(element, Some(level), "")?;
        self.register(named.id, &[terminal]);
        let either = |names: [&str; 2]| match number(element, names[0])? {
            Some(value) => Ok::<_, EngineError>(value),
            None => required(element, names[1]),
        };
        // Up to version 1.7 `p0` and `q0`.
        let powers = [either(["p0", "targetP"])?, either(["q0", "targetQ"])?];
        let limits = [-required(element, "minP")?, required(element, "maxP")?];
        self.grid.battery(terminal, named, powers, limits);
        Ok(())
    }

    fn shunt(&mut self, element: &Element<'_>, level: &str) -> Result<()> {
        let named = self.identify(element)?;
        let terminal = self.levels.terminal(element, Some(level), "")?;
        self.register(named.id, &[terminal]);
        // `currentSectionCount` up to version 1.2.
        let count = match whole(element, "sectionCount")? {
            Some(count) => Some(count),
            None => whole(element, "currentSectionCount")?,
        };
        let count = count.ok_or_else(|| refused(element, "sectionCount"))?;
        let sections = usize::try_from(count).map_err(|_| refused(element, "sectionCount"))?;
        let model = element.child("shuntLinearModel").unwrap_or(element);
        let admittance = match element.child("shuntNonLinearModel") {
            None => {
                let n = sections as f64;
                if whole(model, "maximumSectionCount")?.is_some_and(|largest| count > largest) {
                    return Err(refused(element, "sectionCount"));
                }
                [or_zero(model, "gPerSection")? * n, required(model, "bPerSection")? * n]
            }
            Some(_) if sections == 0 => [0.0; 2],
            Some(model) => {
                let section = model
                    .children
                    .iter()
                    .filter(|child| child.name == "section")
                    .nth(sections - 1);
                let section = section.ok_or_else(|| refused(element, "sectionCount"))?;
                [or_zero(section, "g")?, required(section, "b")?]
            }
        };
        if flag(element, "voltageRegulatorOn")? == Some(true) && terminal.connected {
            self.grid.held.shunts += 1;
        }
        self.grid.shunt(terminal, named, admittance);
        Ok(())
    }

    /// A static var compensator supplies reactive power like a generator, within its susceptances at the base voltage.
    fn static_var_compensator(&mut self, element: &Element<'_>, level: &str) -> Result<()> {
        let named = self.identify(element)?;
        let mut terminal = self.levels.terminal(element, Some(level), "")?;
        self.register(named.id, &[terminal]);
        let kv = self.grid.kv(terminal.bus);
        let mode = element.attribute("regulationMode").unwrap_or("OFF");
        // Until version 1.13 the mode alone.
        let is_on = flag(element, "regulating")?.unwrap_or(true) && mode != "OFF";
        let (regulates, q) = match mode {
            "VOLTAGE" | "OFF" => (is_on, 0.0),
            // As taken from the bus.
            "REACTIVE_POWER" => {
                let own = number(element, "reactivePowerSetpoint")?;
                (false, -own.or(number(element, "reactivePowerSetPoint")?).unwrap_or(0.0))
            }
            _ => return Err(refused(element, "regulationMode")),
        };
        if mode == "REACTIVE_POWER" && is_on && element.child("regulatingTerminal").is_some() {
            self.grid.held.reactive += 1;
        }
        terminal.connected &= is_on;
        let unit = Unit {
            p: [0.0; 3],
            q: [
                q,
                required(element, "bMin")? * kv * kv,
                required(element, "bMax")? * kv * kv,
            ],
            regulates,
            source: GeneratorEnergySource::Other,
            fuel: None,
        };
        let target = match number(element, "voltageSetpoint")? {
            Some(target) => Some(target),
            None => number(element, "voltageSetPoint")?,
        };
        self.unit(element, terminal, named, &unit, target, "voltageSetpoint")
    }

    pub(super) fn line(&mut self, element: &Element<'_>) -> Result<()> {
        let named = self.identify(element)?;
        let ends = [
            self.levels.terminal(element, None, "1")?,
            self.levels.terminal(element, None, "2")?,
        ];
        self.register(named.id, &ends);
        let z = [required(element, "r")?, required(element, "x")?];
        let y = [
            [or_zero(element, "g1")?, or_zero(element, "b1")?],
            [or_zero(element, "g2")?, or_zero(element, "b2")?],
        ];
        let limits =
            limits(element, "1", self.grid.kv(ends[0].bus))?.and(limits(element, "2", self.grid.kv(ends[1].bus))?);
        self.grid.line(ends, named, z, y, limits);
        Ok(())
    }

    /// A line to the boundary of the network: a line to a bus with the load and the generation beyond, or, as half of a tie line, to the bus
    /// that both halves have in common.
    fn boundary_line(&mut self, element: &Element<'_>, level: &str) -> Result<()> {
        let named = self.identify(element)?;
        let terminal = self.levels.terminal(element, Some(level), "")?;
        self.register(named.id, &[terminal]);
        let kv = self.grid.kv(terminal.bus);
        let z = [required(element, "r")?, required(element, "x")?];
        let y = [or_zero(element, "g")?, or_zero(element, "b")?];
        let limits = limits(element, "", kv)?;
        let key = element
            .attribute("pairingKey")
            .or_else(|| element.attribute("ucteXnodeCode"));
        let key = key.filter(|key| !key.is_empty()).unwrap_or(named.id);
        if let Some(tie) = self.ties.get(named.id).cloned() {
            let bus = self.tie_bus(&tie, terminal.bus, key);
            let connected = true;
            self.grid
                .line([terminal, Terminal { bus, connected }], named, z, [y, [0.0; 2]], limits);
            return Ok(());
        }
        let boundary = self.grid.boundary(terminal.bus, &format!("{} boundary", named.id), key);
        let connected = terminal.connected;
        let beyond = Terminal {
            bus: boundary,
            connected,
        };
        self.grid.line([terminal, beyond], named, z, [y, [0.0; 2]], limits);
        let [p, q] = [required(element, "p0")?, required(element, "q0")?];
        if [p, q] != [0.0; 2] {
            self.grid.load(beyond, named, [p, q]);
        }
        if let Some(regulates) = flag(element, "generationVoltageRegulationOn")? {
            let p = or_zero(element, "generationTargetP")?;
            let [least, largest] = limits_at(&reactive_limits(element)?, p);
            let unit = Unit {
                p: [
                    p,
                    number(element, "generationMinP")?.unwrap_or(f64::NEG_INFINITY),
                    number(element, "generationMaxP")?.unwrap_or(f64::INFINITY),
                ],
                q: [or_zero(element, "generationTargetQ")?, least, largest],
                regulates,
                source: GeneratorEnergySource::Other,
                fuel: None,
            };
            let target = number(element, "generationTargetV")?;
            self.unit(element, beyond, named, &unit, target, "generationTargetV")?;
        }
        Ok(())
    }

    /// The bus at which both halves of a tie line meet.
    fn tie_bus(&mut self, tie: &str, at: usize, key: &str) -> usize {
        if let Some(bus) = self.tie_buses.get(tie) {
            return *bus;
        }
        let bus = self.grid.boundary(at, &format!("{tie} boundary"), key);
        self.tie_buses.insert(tie.to_string(), bus);
        bus
    }

    /// A tie line; until version 1.9 with its two halves.
    pub(super) fn tie_line(&mut self, element: &Element<'_>) -> Result<()> {
        let named = self.identify(element)?;
        if element.attribute("r_1").is_none() {
            return Ok(());
        }
        let key = element.attribute("ucteXnodeCode").unwrap_or(named.id);
        let mut terminals = Vec::new();
        for end in ["1", "2"] {
            let terminal = self.levels.terminal(element, None, end)?;
            let of = |name: &str| format!("{name}_{end}");
            let z = [required(element, &of("r"))?, required(element, &of("x"))?];
            let y = [
                or_zero(element, &of("g1"))? + or_zero(element, &of("g2"))?,
                or_zero(element, &of("b1"))? + or_zero(element, &of("b2"))?,
            ];
            let limits = limits(element, end, self.grid.kv(terminal.bus))?;
            let bus = self.tie_bus(named.id, terminal.bus, key);
            let connected = true;
            let id = text(element, &of("id"))?;
            let name = element.attribute(&of("name"));
            let ends = [terminal, Terminal { bus, connected }];
            self.grid.line(ends, Named { id, name }, z, [y, [0.0; 2]], limits);
            self.register(id, &[terminal]);
            terminals.push(terminal);
        }
        self.register(named.id, &terminals);
        Ok(())
    }
}

/// Reactive limits as points of active power, and least and largest reactive power, in order of active power.
pub(super) fn reactive_limits(element: &Element<'_>) -> Result<Vec<[f64; 3]>> {
    let mut points = Vec::new();
    if let Some(limits) = element.child("minMaxReactiveLimits") {
        points.push([0.0, required(limits, "minQ")?, required(limits, "maxQ")?]);
    } else if let Some(curve) = element.child("reactiveCapabilityCurve") {
        for point in curve.children.iter().filter(|child| child.name == "point") {
            points.push([
                required(point, "p")?,
                required(point, "minQ")?,
                required(point, "maxQ")?,
            ]);
        }
    }
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    Ok(points)
}
