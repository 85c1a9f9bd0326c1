//! Equipment except transformers and converters.

use powerio::network::{GeneratorEnergySource, LoadVoltageModel};

use super::model::Object;
use super::topology::routes;
use super::Reading;
use crate::error::{EngineError, Result};
use crate::formats::grid::{limits_at, Limits, Terminal, Unit};
use crate::message;

/// Classes of equipment that is read here and in the modules beside.
pub(super) const CLASSES: [&str; 32] = [
    "ACLineSegment",
    "AsynchronousMachine",
    "BatteryUnit",
    "Breaker",
    "ConformLoad",
    "Cut",
    "DisconnectingCircuitBreaker",
    "Disconnector",
    "EnergyConsumer",
    "EnergySource",
    "EquivalentBranch",
    "EquivalentInjection",
    "EquivalentShunt",
    "ExternalNetworkInjection",
    "Fuse",
    "GroundDisconnector",
    "Jumper",
    "LinearShuntCompensator",
    "LoadBreakSwitch",
    "NonConformLoad",
    "NonlinearShuntCompensator",
    "PowerElectronicsConnection",
    "PowerTransformer",
    "ProtectedSwitch",
    "Sectionaliser",
    "SeriesCompensator",
    "StaticVarCompensator",
    "StationSupply",
    "SvInjection",
    "Switch",
    "SynchronousMachine",
    "Recloser",
];

const SWITCHES: [&str; 12] = [
    "Breaker",
    "Cut",
    "DisconnectingCircuitBreaker",
    "Disconnector",
    "Fuse",
    "GroundDisconnector",
    "Jumper",
    "LoadBreakSwitch",
    "ProtectedSwitch",
    "Recloser",
    "Sectionaliser",
    "Switch",
];

/// The voltage control of equipment: the bus, and its set-point in kV.
struct Control {
    bus: usize,
    target_kv: f64,
}

impl<'m, 'a> Reading<'m, 'a> {
    pub(super) fn equipment(&mut self) -> Result<()> {
        let model = self.model;
        for class in ["ACLineSegment", "EquivalentBranch", "SeriesCompensator"] {
            for line in model.all(class) {
                self.line(line)?;
            }
        }
        self.transformers()?;
        for class in SWITCHES {
            for switch in model.all(class) {
                self.switch(switch)?;
            }
        }
        for class in ["EnergyConsumer", "ConformLoad", "NonConformLoad", "StationSupply"] {
            for load in model.all(class) {
                self.consumer(load)?;
            }
        }
        for machine in model.all("AsynchronousMachine") {
            self.demand(machine, ["RotatingMachine.p", "RotatingMachine.q"])?;
        }
        for source in model.all("EnergySource") {
            self.demand(source, ["EnergySource.activePower", "EnergySource.reactivePower"])?;
        }
        for machine in model.all("SynchronousMachine") {
            self.machine(machine)?;
        }
        for network in model.all("ExternalNetworkInjection") {
            self.external(network)?;
        }
        for injection in model.all("EquivalentInjection") {
            self.equivalent_injection(injection)?;
        }
        for connection in model.all("PowerElectronicsConnection") {
            self.power_electronics(connection)?;
        }
        for class in ["LinearShuntCompensator", "NonlinearShuntCompensator", "EquivalentShunt"] {
            for shunt in model.all(class) {
                self.shunt(shunt)?;
            }
        }
        for compensator in model.all("StaticVarCompensator") {
            self.static_var_compensator(compensator)?;
        }
        for injection in model.all("SvInjection") {
            self.solved_injection(injection)?;
        }
        self.converters()?;
        self.grid.routes(&routes(model)?);
        Ok(())
    }

    /// The only terminal of equipment, or `None` if it has no node.
    pub(super) fn terminal(&self, object: &Object<'a>) -> Option<Terminal> {
        self.topology.of(&object.id).first().copied().flatten()
    }

    fn ends(&self, object: &Object<'a>) -> Option<[Terminal; 2]> {
        match self.topology.of(&object.id)[..] {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        }
    }

    /// The limits of a branch at its ends, at the voltages there.
    pub(super) fn limits_of<'t>(&self, id: &str, ends: impl IntoIterator<Item = (&'t str, Terminal)>) -> Limits {
        ends.into_iter().fold(Limits::default(), |limits, (terminal, end)| {
            let kv = self.grid.kv(end.bus);
            limits.and(self.limits.of(terminal, kv)).and(self.limits.of(id, kv))
        })
    }

    fn line(&mut self, line: &Object<'a>) -> Result<()> {
        let Some(ends) = self.ends(line) else {
            return Ok(());
        };
        let of = |name: &str| line.or_zero(&format!("{}.{name}", line.class));
        let z = [of("r")?, of("x")?];
        if line.class == "EquivalentBranch" {
            for (back, part) in [("r21", z[0]), ("x21", z[1])] {
                let back = line.number(&format!("EquivalentBranch.{back}"))?;
                if back.is_some_and(|back| back != part) {
                    let message = message!("cgmes.asymmetric", object = line.shown());
                    return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
                }
            }
        }
        let shunt = [of("gch")? / 2.0, of("bch")? / 2.0];
        let ids = self.topology.ids(&line.id);
        let limits = self.limits_of(&line.id, ids.iter().map(String::as_str).zip(ends));
        self.grid.line(ends, Self::named(line), z, [shunt; 2], limits);
        Ok(())
    }

    /// A switch between two buses; within one, topology has merged it.
    fn switch(&mut self, switch: &Object<'a>) -> Result<()> {
        let Some(ends) = self.ends(switch) else {
            return Ok(());
        };
        let is_open = match switch.flag("Switch.open")? {
            Some(open) => open,
            None => switch.flag("Switch.normalOpen")?.unwrap_or(false),
        };
        let closed = !is_open && ends.iter().all(|end| end.connected);
        if ends[0].bus != ends[1].bus {
            self.grid.switch(ends.map(|end| end.bus), closed, Self::named(switch));
        }
        Ok(())
    }

    fn demand(&mut self, object: &Object<'a>, [p, q]: [&str; 2]) -> Result<()> {
        let powers = [object.or_zero(p)?, object.or_zero(q)?];
        if let Some(terminal) = self.terminal(object) {
            self.grid.load(terminal, Self::named(object), powers);
        }
        Ok(())
    }

    fn consumer(&mut self, consumer: &Object<'a>) -> Result<()> {
        let fixed = |name: &str| {
            let own = consumer.number(&format!("EnergyConsumer.{name}"))?;
            match own {
                Some(power) => Ok(power),
                None => consumer.or_zero(&format!("EnergyConsumer.{name}fixed")),
            }
        };
        let [p, q] = [fixed("p")?, fixed("q")?];
        let Some(terminal) = self.terminal(consumer) else {
            return Ok(());
        };
        let load = self.grid.load(terminal, Self::named(consumer), [p, q]);
        let Some(response) = self.model.of(consumer, "EnergyConsumer.LoadResponse") else {
            return Ok(());
        };
        let of = |name: &str| response.or_zero(&format!("LoadResponseCharacteristic.{name}"));
        load.voltage_model = Some(
            match response.flag("LoadResponseCharacteristic.exponentModel")? == Some(true) {
                true => LoadVoltageModel::Exponential {
                    p,
                    q,
                    v_nom: None,
                    gamma_p: of("pVoltageExponent")?,
                    gamma_q: of("qVoltageExponent")?,
                },
                false => {
                    let [cp, ip, zp] = [
                        of("pConstantPower")?,
                        of("pConstantCurrent")?,
                        of("pConstantImpedance")?,
                    ];
                    let [cq, iq, zq] = [
                        of("qConstantPower")?,
                        of("qConstantCurrent")?,
                        of("qConstantImpedance")?,
                    ];
                    // Without coefficients the power is constant.
                    let whole = |parts: [f64; 3]| match parts.iter().sum::<f64>() {
                        0.0 => [1.0, 0.0, 0.0],
                        sum => parts.map(|part| part / sum),
                    };
                    let (active, reactive) = (whole([cp, ip, zp]), whole([cq, iq, zq]));
                    LoadVoltageModel::Zip {
                        p_constant_power: active[0] * p,
                        q_constant_power: reactive[0] * q,
                        p_constant_current: active[1] * p,
                        q_constant_current: reactive[1] * q,
                        p_constant_impedance: active[2] * p,
                        q_constant_impedance: reactive[2] * q,
                        v_nom: None,
                        load_type: None,
                        scaling: None,
                    }
                }
            },
        );
        Ok(())
    }

    /// The voltage control of a unit, if it acts.
    fn control(&mut self, object: &Object<'a>) -> Result<Option<Control>> {
        let Some(control) = self.model.of(object, "RegulatingCondEq.RegulatingControl") else {
            return Ok(None);
        };
        let is_on = control.flag("RegulatingControl.enabled")?.unwrap_or(true)
            && object.flag("RegulatingCondEq.controlEnabled")?.unwrap_or(false);
        if !is_on {
            return Ok(None);
        }
        if control.word("RegulatingControl.mode") != Some("voltage") {
            self.grid.held.reactive += 1;
            return Ok(None);
        }
        let target = control.or_zero("RegulatingControl.targetValue")?;
        let target_kv = match control.word("RegulatingControl.targetValueUnitMultiplier") {
            Some("none") => target / 1000.0,
            Some("M") => target * 1000.0,
            _ => target,
        };
        let terminal = control
            .text("RegulatingControl.Terminal")
            .and_then(|id| self.topology.terminal(id));
        let terminal = terminal.or_else(|| self.terminal(object));
        let is_set = target_kv > 0.0 && target_kv.is_finite();
        Ok(terminal.filter(|_| is_set).map(|terminal| Control {
            bus: terminal.bus,
            target_kv,
        }))
    }

    fn add_unit(
        &mut self,
        object: &Object<'a>,
        terminal: Terminal,
        unit: Unit,
        control: Option<Control>,
    ) -> Result<()> {
        let regulates = control.is_some();
        let row = self
            .grid
            .unit(terminal, Self::named(object), &Unit { regulates, ..unit });
        match control {
            Some(control) => self.grid.regulate(row, control.bus, control.target_kv),
            // Its own voltage, if it is put to control.
            None => self.grid.regulate(row, terminal.bus, self.grid.kv(terminal.bus)),
        }
        let priority = object
            .number(&format!("{}.referencePriority", object.class))?
            .unwrap_or(0.0);
        if priority > 0.0 && terminal.connected && regulates {
            self.references.push((priority as i64, terminal.bus));
        }
        Ok(())
    }

    /// Reactive limits at an output: those of the curve, else the constant ones.
    pub(super) fn reactive(&self, object: &Object<'a>, curve: &str, class: &str, p: f64) -> Result<[f64; 2]> {
        if let Some(curve) = object.text(curve) {
            let mut points = Vec::new();
            for point in self.members.of(curve) {
                points.push([
                    point.required("CurveData.xvalue")?,
                    point.required("CurveData.y1value")?,
                    point.required("CurveData.y2value")?,
                ]);
            }
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            if !points.is_empty() {
                return Ok(limits_at(&points, p));
            }
        }
        Ok([
            object.number(&format!("{class}.minQ"))?.unwrap_or(f64::NEG_INFINITY),
            object.number(&format!("{class}.maxQ"))?.unwrap_or(f64::INFINITY),
        ])
    }

    fn machine(&mut self, machine: &Object<'a>) -> Result<()> {
        let Some(terminal) = self.terminal(machine) else {
            return Ok(());
        };
        let [p, q] = [
            -machine.or_zero("RotatingMachine.p")?,
            -machine.or_zero("RotatingMachine.q")?,
        ];
        let unit = self.model.of(machine, "RotatingMachine.GeneratingUnit");
        let [least, largest] = match unit {
            Some(unit) => [
                unit.or_zero("GeneratingUnit.minOperatingP")?,
                unit.number("GeneratingUnit.maxOperatingP")?.unwrap_or(f64::INFINITY),
            ],
            // A condenser.
            None => [p.min(0.0), p.max(0.0)],
        };
        let curve = "SynchronousMachine.InitialReactiveCapabilityCurve";
        let [least_q, largest_q] = self.reactive(machine, curve, "SynchronousMachine", p)?;
        let (source, fuel) = match unit {
            Some(unit) => self.energy_source(unit),
            None => (GeneratorEnergySource::Other, None),
        };
        let unit = Unit {
            p: [p, least, largest],
            q: [q, least_q, largest_q],
            regulates: false,
            source,
            fuel,
        };
        let control = self.control(machine)?;
        self.add_unit(machine, terminal, unit, control)
    }

    fn energy_source(&self, unit: &Object<'a>) -> (GeneratorEnergySource, Option<&'static str>) {
        let source = match unit.class {
            "HydroGeneratingUnit" => GeneratorEnergySource::Hydro,
            "NuclearGeneratingUnit" => GeneratorEnergySource::Nuclear,
            "WindGeneratingUnit" => GeneratorEnergySource::Wind,
            "SolarGeneratingUnit" => GeneratorEnergySource::Solar,
            "ThermalGeneratingUnit" => GeneratorEnergySource::Thermal,
            _ => GeneratorEnergySource::Other,
        };
        let fuel = self
            .members
            .of(&unit.id)
            .iter()
            .find_map(|fuel| match fuel.word("FossilFuel.fossilFuelType")? {
                "coal" | "hardCoal" | "lignite" | "brownCoalLignite" => Some("coal"),
                "gas" | "coalDerivedGas" => Some("gas"),
                _ => None,
            });
        (source, fuel)
    }

    fn external(&mut self, network: &Object<'a>) -> Result<()> {
        let Some(terminal) = self.terminal(network) else {
            return Ok(());
        };
        let of = |name: &str| network.number(&format!("ExternalNetworkInjection.{name}"));
        let unit = Unit {
            p: [
                -of("p")?.unwrap_or(0.0),
                of("minP")?.unwrap_or(f64::NEG_INFINITY),
                of("maxP")?.unwrap_or(f64::INFINITY),
            ],
            q: [
                -of("q")?.unwrap_or(0.0),
                of("minQ")?.unwrap_or(f64::NEG_INFINITY),
                of("maxQ")?.unwrap_or(f64::INFINITY),
            ],
            regulates: false,
            source: GeneratorEnergySource::Other,
            fuel: None,
        };
        let control = self.control(network)?;
        self.add_unit(network, terminal, unit, control)
    }

    /// An injection that stands for a network: a unit if it holds a voltage or has a range of output, else demand. At a boundary that lines
    /// of both sides join, it stands for the other side, which is in the model.
    fn equivalent_injection(&mut self, injection: &Object<'a>) -> Result<()> {
        let Some(terminal) = self.terminal(injection) else {
            return Ok(());
        };
        let of = |name: &str| injection.number(&format!("EquivalentInjection.{name}"));
        let [p, q] = [of("p")?.unwrap_or(0.0), of("q")?.unwrap_or(0.0)];
        if self.topology.is_boundary(terminal.bus) && self.grid.branches_at(terminal.bus) > 1 {
            if terminal.connected {
                self.left_out.push(p);
            }
            return Ok(());
        }
        let regulates = injection.flag("EquivalentInjection.regulationStatus")?.unwrap_or(false)
            && injection
                .flag("EquivalentInjection.regulationCapability")?
                .unwrap_or(true);
        let target_kv = of("regulationTarget")?.unwrap_or(0.0);
        let [least, largest] = [of("minP")?, of("maxP")?];
        let has_range = least.zip(largest).is_some_and(|(least, largest)| least < largest);
        if !(has_range || regulates && target_kv > 0.0) {
            self.grid.load(terminal, Self::named(injection), [p, q]);
            return Ok(());
        }
        let curve = "EquivalentInjection.ReactiveCapabilityCurve";
        let [least_q, largest_q] = self.reactive(injection, curve, "EquivalentInjection", -p)?;
        let [least, largest] = match has_range {
            true => [least, largest].map(|limit| limit.unwrap_or(-p)),
            false => [-p; 2],
        };
        let unit = Unit {
            p: [-p, least, largest],
            q: [-q, least_q, largest_q],
            regulates: false,
            source: GeneratorEnergySource::Other,
            fuel: None,
        };
        let control = (regulates && target_kv > 0.0).then_some(Control {
            bus: terminal.bus,
            target_kv,
        });
        self.add_unit(injection, terminal, unit, control)
    }

    /// Units behind power electronics: a battery, or a generator.
    fn power_electronics(&mut self, connection: &Object<'a>) -> Result<()> {
        let Some(terminal) = self.terminal(connection) else {
            return Ok(());
        };
        let of = |name: &str| connection.number(&format!("PowerElectronicsConnection.{name}"));
        let [p, q] = [-of("p")?.unwrap_or(0.0), -of("q")?.unwrap_or(0.0)];
        let unit = self.members.of(&connection.id).first().copied();
        let [least, largest] = match unit {
            Some(unit) => [
                unit.number("PowerElectronicsUnit.minP")?.unwrap_or(0.0),
                unit.number("PowerElectronicsUnit.maxP")?.unwrap_or(f64::INFINITY),
            ],
            None => [p; 2],
        };
        let class = unit.map_or("", |unit| unit.class);
        if class == "BatteryUnit" {
            if self.control(connection)?.is_some() {
                self.grid.held.batteries += 1;
            }
            self.grid
                .battery(terminal, Self::named(connection), [p, q], [-least, largest]);
            return Ok(());
        }
        let unit = Unit {
            p: [p, least, largest],
            q: [
                q,
                of("minQ")?.unwrap_or(f64::NEG_INFINITY),
                of("maxQ")?.unwrap_or(f64::INFINITY),
            ],
            regulates: false,
            source: match class {
                "PhotoVoltaicUnit" => GeneratorEnergySource::Solar,
                "PowerElectronicsWindUnit" => GeneratorEnergySource::Wind,
                _ => GeneratorEnergySource::Other,
            },
            fuel: None,
        };
        let control = self.control(connection)?;
        self.add_unit(connection, terminal, unit, control)
    }

    fn shunt(&mut self, shunt: &Object<'a>) -> Result<()> {
        let Some(terminal) = self.terminal(shunt) else {
            return Ok(());
        };
        if shunt.class == "EquivalentShunt" {
            let admittance = [
                shunt.or_zero("EquivalentShunt.g")?,
                shunt.required("EquivalentShunt.b")?,
            ];
            self.grid.shunt(terminal, Self::named(shunt), admittance);
            return Ok(());
        }
        let sections = match shunt.number("ShuntCompensator.sections")? {
            Some(sections) => sections,
            None => shunt.or_zero("ShuntCompensator.normalSections")?,
        };
        if sections < 0.0 {
            return Err(shunt.refused("ShuntCompensator.sections"));
        }
        let admittance = match shunt.class {
            "LinearShuntCompensator" => [
                shunt.or_zero("LinearShuntCompensator.gPerSection")? * sections,
                shunt.required("LinearShuntCompensator.bPerSection")? * sections,
            ],
            _ => {
                let mut sum = [0.0; 2];
                for point in self.members.of(&shunt.id) {
                    if point.or_zero("NonlinearShuntCompensatorPoint.sectionNumber")? <= sections {
                        sum[0] += point.or_zero("NonlinearShuntCompensatorPoint.g")?;
                        sum[1] += point.or_zero("NonlinearShuntCompensatorPoint.b")?;
                    }
                }
                sum
            }
        };
        if self.control(shunt)?.is_some() && terminal.connected {
            self.grid.held.shunts += 1;
        }
        self.grid.shunt(terminal, Self::named(shunt), admittance);
        Ok(())
    }

    fn static_var_compensator(&mut self, compensator: &Object<'a>) -> Result<()> {
        let Some(terminal) = self.terminal(compensator) else {
            return Ok(());
        };
        let kv = self.grid.kv(terminal.bus);
        let susceptance = |name: &str, without: f64| {
            let ohm = compensator.or_zero(&format!("StaticVarCompensator.{name}"))?;
            Ok::<_, EngineError>(if ohm == 0.0 { without } else { kv * kv / ohm })
        };
        let unit = Unit {
            p: [0.0; 3],
            q: [
                -compensator.or_zero("StaticVarCompensator.q")?,
                susceptance("inductiveRating", f64::NEG_INFINITY)?,
                susceptance("capacitiveRating", f64::INFINITY)?,
            ],
            regulates: false,
            source: GeneratorEnergySource::Other,
            fuel: None,
        };
        let mut control = self.control(compensator)?;
        let has_control = self
            .model
            .of(compensator, "RegulatingCondEq.RegulatingControl")
            .is_some();
        let is_voltage = compensator.word("StaticVarCompensator.sVCControlMode") == Some("voltage");
        if !has_control && is_voltage && compensator.flag("RegulatingCondEq.controlEnabled")? == Some(true) {
            let target_kv = compensator.or_zero("StaticVarCompensator.voltageSetPoint")?;
            let bus = terminal.bus;
            control = (target_kv > 0.0).then_some(Control { bus, target_kv });
        }
        if control.is_some() && compensator.or_zero("StaticVarCompensator.slope")? != 0.0 {
            self.grid.held.slopes += 1;
        }
        self.add_unit(compensator, terminal, unit, control)
    }

    /// What a solution injects beyond the equipment, as PowSyBl reads it.
    fn solved_injection(&mut self, injection: &Object<'a>) -> Result<()> {
        let node = injection
            .text("SvInjection.TopologicalNode")
            .and_then(|node| self.topology.bus(node));
        let powers = [
            injection.or_zero("SvInjection.pInjection")?,
            injection.or_zero("SvInjection.qInjection")?,
        ];
        if let Some(bus) = node {
            let connected = true;
            self.grid
                .load(Terminal { bus, connected }, Self::named(injection), powers);
        }
        Ok(())
    }
}
