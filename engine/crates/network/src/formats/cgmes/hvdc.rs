//! HVDC lines between two converters as links.

use std::collections::HashMap;

use super::model::Object;
use super::Reading;
use crate::error::{EngineError, Result};
use crate::formats::grid::{HvdcEnd, HvdcLine, Named};
use crate::message;
use crate::union_find::Groups;

pub(super) const CLASSES: [&str; 8] = [
    "CsConverter",
    "VsConverter",
    "DCBreaker",
    "DCChopper",
    "DCDisconnector",
    "DCSeriesDevice",
    "DCShunt",
    "DCSwitch",
];

/// Largest power of a line without one, as a multiple of its power, as PowSyBl assumes it.
const ASSUMED_MAXIMUM: f64 = 1.2;

/// DC equipment that two converters may have between them.
const JOINING: [&str; 5] = ["DCLineSegment", "DCBreaker", "DCDisconnector", "DCSwitch", "DCBusbar"];

/// Converters and lines that DC nodes join, except through ground.
#[derive(Default)]
struct System<'m, 'a> {
    converters: Vec<&'m Object<'a>>,
    lines: Vec<&'m Object<'a>>,
    others: usize,
    /// Whether a DC terminal is open.
    is_open: bool,
}

impl<'m, 'a> Reading<'m, 'a> {
    /// Adds a link for each pair of converters with a line, or two in series.
    ///
    /// # Errors
    /// `PHYSICS.UNSUPPORTED` for other DC systems with a converter in service.
    pub(super) fn converters(&mut self) -> Result<()> {
        for system in self.systems()? {
            let is_live = |converter: &&Object<'a>| self.terminal(converter).is_some_and(|terminal| terminal.connected);
            match (&system.converters[..], &system.lines[..]) {
                ([a, b], [_] | [_, _]) if system.others == 0 => self.link([a, b], &system)?,
                (converters, _) => {
                    if let Some(converter) = converters.iter().find(|converter| is_live(converter)) {
                        let message = message!("cgmes.dc_grid", object = converter.shown(), count = converters.len());
                        return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
                    }
                }
            }
        }
        Ok(())
    }

    fn systems(&self) -> Result<Vec<System<'m, 'a>>> {
        let model = self.model;
        let mut rows: HashMap<&str, usize> = HashMap::new();
        let (mut pairs, mut open) = (Vec::new(), Vec::new());
        let classes = ["DCTerminal", "ACDCConverterDCTerminal"];
        for terminal in classes.into_iter().flat_map(|class| model.all(class)) {
            let equipment = terminal.text("DCTerminal.DCConductingEquipment");
            let equipment = equipment.or_else(|| terminal.text("ACDCConverterDCTerminal.DCConductingEquipment"));
            let node = terminal
                .text("DCBaseTerminal.DCNode")
                .or_else(|| terminal.text("DCBaseTerminal.DCTopologicalNode"));
            let (Some(equipment), Some(node)) = (equipment, node) else {
                continue;
            };
            // A ground joins nothing.
            if model
                .get(equipment)
                .is_none_or(|equipment| equipment.class == "DCGround")
            {
                continue;
            }
            let mut row = |id| {
                let next = rows.len();
                *rows.entry(id).or_insert(next)
            };
            let pair = (row(equipment), row(node));
            if terminal.flag("ACDCTerminal.connected")? == Some(false) {
                open.push(pair.0);
            }
            pairs.push(pair);
        }
        let mut groups = Groups::new(rows.len());
        for (a, b) in pairs {
            groups.join(a, b);
        }
        let mut systems: Vec<(usize, System<'m, 'a>)> = Vec::new();
        let known =
            ["CsConverter", "VsConverter"]
                .into_iter()
                .chain(JOINING)
                .chain(["DCSeriesDevice", "DCShunt", "DCChopper"]);
        for object in known.flat_map(|class| model.all(class)) {
            // One without DC terminals is a system of its own.
            let group = rows
                .get(&object.id[..])
                .map_or(usize::MAX - systems.len(), |row| groups.first(*row));
            let found = systems.iter().position(|(own, _)| *own == group).unwrap_or_else(|| {
                systems.push((group, System::default()));
                systems.len() - 1
            });
            let system = &mut systems[found].1;
            match object.class {
                "CsConverter" | "VsConverter" => system.converters.push(object),
                "DCLineSegment" => system.lines.push(object),
                class if JOINING.contains(&class) => {}
                _ => system.others += 1,
            }
        }
        for row in open {
            let group = groups.first(row);
            for (_, system) in systems.iter_mut().filter(|(own, _)| *own == group) {
                system.is_open = true;
            }
        }
        let systems = systems.into_iter().map(|(_, system)| system);
        Ok(systems.filter(|system| !system.converters.is_empty()).collect())
    }

    fn link(&mut self, converters: [&Object<'a>; 2], system: &System<'m, 'a>) -> Result<()> {
        let lines = &system.lines;
        let of = |converter: &Object<'a>, name: &str| converter.or_zero(&format!("ACDCConverter.{name}"));
        let targets = [of(converters[0], "targetPpcc")?, of(converters[1], "targetPpcc")?];
        let solved = [of(converters[0], "p")?, of(converters[1], "p")?];
        // The rectifier takes power from its bus.
        let is_second = match converters.map(|converter| converter.word("CsConverter.operatingMode")) {
            [Some("rectifier"), _] | [_, Some("inverter")] => false,
            [Some("inverter"), _] | [_, Some("rectifier")] => true,
            _ if targets != [0.0; 2] => targets[0] < 0.0 || targets[1] > 0.0,
            _ => solved[0] < 0.0 || solved[1] > 0.0,
        };
        let order = if is_second { [1, 0] } else { [0, 1] };
        let [rectifier, inverter] = order.map(|row| converters[row]);
        let (Some(mut from), Some(to)) = (self.terminal(rectifier), self.terminal(inverter)) else {
            return Ok(());
        };
        from.connected &= !system.is_open;
        let mut r_ohm = 0.0;
        for line in lines {
            r_ohm += line.or_zero("DCLineSegment.resistance")?;
        }
        let kv = of(rectifier, "ratedUdc")?;
        let kv = if kv > 0.0 { kv } else { of(inverter, "ratedUdc")? };
        if !(kv > 0.0 && kv.is_finite()) {
            return Err(rectifier.refused("ACDCConverter.ratedUdc"));
        }
        let losses = [of(rectifier, "poleLossP")?, of(inverter, "poleLossP")?];
        let sent = targets[order[0]].abs();
        let received = targets[order[1]].abs();
        let p = if sent > 0.0 {
            sent
        } else if received > 0.0 {
            let dc = received + losses[1];
            let current = match r_ohm > 0.0 {
                true => (kv - (kv * kv - 4.0 * r_ohm * dc).max(0.0).sqrt()) / (2.0 * r_ohm),
                false => 0.0,
            };
            dc + r_ohm * current * current + losses[0]
        } else {
            solved[order[0]].abs()
        };
        let pmax = rectifier.number("ACDCConverter.maxP")?.unwrap_or(ASSUMED_MAXIMUM * p);
        let line = HvdcLine { r_ohm, kv, p, pmax };
        let dc = p - losses[0];
        let delivered_dc = dc - r_ohm * (dc / kv) * (dc / kv);
        let share = |loss: f64, power: f64| if power > 0.0 { loss / power } else { 0.0 };
        let shares = [share(losses[0], p), share(losses[1], delivered_dc)];
        let powers = [p, line.delivered(p, shares)];
        let mut ends = Vec::with_capacity(2);
        for (k, (converter, terminal)) in [(rectifier, from), (inverter, to)].into_iter().enumerate() {
            let [q, least, largest, holds] = self.reactive_of(converter, terminal.bus, powers[k])?;
            ends.push(HvdcEnd {
                terminal,
                loss: shares[k],
                q: [q, least, largest],
                holds_pu: Some(holds).filter(|holds| !holds.is_nan()),
            });
        }
        let (id, name) = (lines[0].id.clone(), lines[0].name().map(str::to_string));
        let name = name.as_deref();
        self.grid.hvdc(Named { id: &id, name }, &line, [ends[0], ends[1]]);
        Ok(())
    }

    /// Reactive injection of a converter with its limits, and the voltage that it holds, pu, or NaN.
    fn reactive_of(&mut self, converter: &Object<'a>, bus: usize, p: f64) -> Result<[f64; 4]> {
        if converter.class == "CsConverter" {
            let [own_p, own_q] = [
                converter.or_zero("ACDCConverter.p")?,
                converter.or_zero("ACDCConverter.q")?,
            ];
            let q = match own_p {
                0.0 => -own_q.abs(),
                own_p => -(p * own_q / own_p).abs(),
            };
            return Ok([q, q, q, f64::NAN]);
        }
        let [least, largest] = self.reactive(converter, "VsConverter.CapabilityCurve", "VsConverter", p)?;
        let pcc = converter
            .text("ACDCConverter.PccTerminal")
            .and_then(|id| self.topology.terminal(id));
        let is_local = pcc.is_none_or(|pcc| pcc.bus == bus);
        let target = converter.or_zero("VsConverter.targetUpcc")?;
        let mut holds = f64::NAN;
        if converter.word("VsConverter.qPccControl") == Some("voltagePcc") {
            match is_local && target > 0.0 {
                true => holds = target / self.grid.kv(bus),
                false => self.grid.held.converters += 1,
            }
        }
        // As taken from the grid.
        let q = -converter.or_zero("VsConverter.targetQpcc")?;
        Ok([q, least, largest, holds])
    }
}
