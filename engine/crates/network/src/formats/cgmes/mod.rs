//! CGMES, the profiles of IEC 61970-600: 2.4.15 (CIM 16) and 3.0 (CIM 100).
//!
//! Physics: IEC 61970-301 (units, signs: powers are taken from the node) and 61970-452. Transformers are ideal ratios at their ends with
//! shunts and impedances at the rated voltages; those of three windings are stars at the rated voltage of the first. Where the standard
//! leaves a choice, the one of PowSyBl's importer is taken, except that lines to a boundary have half of their shunt at both ends.

mod archive;
mod equipment;
mod hvdc;
mod limits;
mod model;
mod topology;
mod transformers;

use std::collections::BTreeMap;

use powerio::{PioModule, PioValue, SourceFormat};

use self::limits::LimitSets;
use self::model::{Members, Model, Object};
use self::topology::Topology;
use super::grid::{Grid, Named};
use super::{built, tell_no_costs};
use crate::error::Result;
use crate::message;
use crate::message::amounts::mw_exact;

/// Reads a set of profiles: a zip, or XML documents one after another. A single document of XIIDM is read as that.
///
/// # Errors
/// `INPUT.PACKED`, `INPUT.TOO_LARGE`, `INPUT.TRUNCATED`, `INPUT.PARSE` naming the object, `INPUT.FORMAT` if a profile is missing or is
/// none, and `PHYSICS.UNSUPPORTED` naming equipment without a model.
pub(super) fn read(bytes: &[u8]) -> Result<PioModule<PioValue>> {
    let documents = archive::documents(bytes)?;
    if let [only] = &documents[..] {
        if super::xiidm::is_one(only) {
            return super::xiidm::read(only);
        }
    }
    let model = Model::read(&documents)?;
    let mut grid = Grid::default();
    let topology = Topology::read(&model, &mut grid)?;
    let limits = LimitSets::read(&model)?;
    let mut reading = Reading {
        model: &model,
        members: model.members(),
        grid,
        topology,
        limits,
        references: Vec::new(),
        left_out: Vec::new(),
    };
    reading.equipment()?;
    let slack = reading.slack();
    reading.warn()?;
    let name = reading.name();
    let (net, warnings) = reading.grid.network(&name, SourceFormat::Cgmes, slack);
    // A module keeps no source text of a set of files.
    let mut parsed = built(net, "case.cgmes", "cgmes", "")?;
    for warning in &warnings {
        crate::module::store_warning(&mut parsed, warning)?;
    }
    tell_no_costs(&mut parsed, message!("cost.not_in_cgmes"))?;
    Ok(parsed)
}

struct Reading<'m, 'a> {
    model: &'m Model<'a>,
    members: Members<'m, 'a>,
    grid: Grid,
    topology: Topology,
    limits: LimitSets,
    /// Buses of units with a priority as reference.
    references: Vec<(i64, usize)>,
    /// Injections at boundaries that lines join, with their power.
    left_out: Vec<f64>,
}

/// Classes that hold no equipment, or none with an effect on a power flow of positive sequence.
const WITHOUT_EFFECT: [&str; 98] = [
    "ACDCConverterDCTerminal",
    "ActivePowerLimit",
    "ApparentPowerLimit",
    "BaseVoltage",
    "BasicIntervalSchedule",
    "Bay",
    "BoundaryPoint",
    "BusNameMarker",
    "BusbarSection",
    "CAESPlant",
    "CogenerationPlant",
    "ConformLoadGroup",
    "ConformLoadSchedule",
    "ConnectivityNode",
    "ConventionalSubstation",
    "CoordinateSystem",
    "CurrentLimit",
    "CurveData",
    "DCBusbar",
    "DCConverterUnit",
    "DCGround",
    "DCLine",
    "DCLineSegment",
    "DCNode",
    "DCTerminal",
    "DCTopologicalNode",
    "DayType",
    "EnergyArea",
    "EnergySchedulingType",
    "EquivalentNetwork",
    "FossilFuel",
    "GeneratingUnit",
    "GeographicalRegion",
    "GrossToNetActivePowerCurve",
    "Ground",
    "GroundingImpedance",
    "HydroGeneratingUnit",
    "HydroPowerPlant",
    "HydroPump",
    "Junction",
    "Line",
    "LoadArea",
    "LoadResponseCharacteristic",
    "Location",
    "MeshImpedance",
    "ModelingAuthority",
    "MutualCoupling",
    "NonConformLoadGroup",
    "NonConformLoadSchedule",
    "NonlinearShuntCompensatorPoint",
    "NuclearGeneratingUnit",
    "OperationalLimitSet",
    "OperationalLimitType",
    "PSRType",
    "PerLengthDCLineParameter",
    "PetersenCoil",
    "PhaseTapChangerAsymmetrical",
    "PhaseTapChangerLinear",
    "PhaseTapChangerSymmetrical",
    "PhaseTapChangerTable",
    "PhaseTapChangerTablePoint",
    "PhaseTapChangerTabular",
    "PhotoVoltaicUnit",
    "PositionPoint",
    "PowerElectronicsWindUnit",
    "PowerTransformerEnd",
    "RatioTapChanger",
    "RatioTapChangerTable",
    "RatioTapChangerTablePoint",
    "ReactiveCapabilityCurve",
    "RegularTimePoint",
    "RegulatingControl",
    "RegulationSchedule",
    "ReportingGroup",
    "Season",
    "SolarGeneratingUnit",
    "SolarPowerPlant",
    "SubGeographicalRegion",
    "SubLoadArea",
    "Substation",
    "SvPowerFlow",
    "SvShuntCompensatorSections",
    "SvStatus",
    "SvSwitch",
    "SvTapStep",
    "SvVoltage",
    "SwitchSchedule",
    "TapChangerControl",
    "TapSchedule",
    "Terminal",
    "ThermalGeneratingUnit",
    "TieFlow",
    "TopologicalIsland",
    "TopologicalNode",
    "VoltageLevel",
    "VsCapabilityCurve",
    "WindGeneratingUnit",
    "WindPowerPlant",
];

impl<'m, 'a> Reading<'m, 'a> {
    fn named<'o>(object: &'o Object<'a>) -> Named<'o> {
        Named {
            id: &object.id,
            name: object.name(),
        }
    }

    /// The slack: the unit of the first priority, else the reference of the solution's first island.
    fn slack(&self) -> Option<usize> {
        let first = self.references.iter().min_by_key(|(priority, _)| *priority);
        let of_solution = || {
            let mut islands = self.model.all("TopologicalIsland");
            islands.find_map(|island| {
                self.topology
                    .bus(island.text("TopologicalIsland.AngleRefTopologicalNode")?)
            })
        };
        first.map(|(_, bus)| *bus).or_else(of_solution)
    }

    fn name(&self) -> String {
        let mut regions = self
            .model
            .all("GeographicalRegion")
            .filter(|region| !region.is_boundary);
        regions
            .find_map(|region| region.name().map(str::to_string))
            .unwrap_or_default()
    }

    fn warn(&mut self) -> Result<()> {
        let mut areas = Vec::new();
        for area in self.model.all("ControlArea") {
            if let Some(export) = area.number("ControlArea.netInterchange")? {
                let name = area.name().unwrap_or(&area.id);
                areas.push(message!("psse.area", area = name, export = mw_exact(export)).into());
            }
        }
        self.grid.warn_interchanges(areas);
        if !self.left_out.is_empty() {
            let injections = std::mem::take(&mut self.left_out);
            let power = crate::message::amounts::mw(injections.iter().sum());
            let message = message!("cgmes.joined_boundaries", count = injections.len(), power = power);
            self.grid.warn("INPUT.LEFT_OUT", message);
        }
        if self.topology.without_limits > 0 {
            let message = message!("grid.no_limits", count = self.topology.without_limits);
            self.grid.warn("INPUT.LIMITS_NOT_IN_FORMAT", message);
        }
        let mut ignored: BTreeMap<String, usize> = BTreeMap::new();
        for (class, count) in self.model.classes() {
            let is_known = equipment::CLASSES.contains(&class)
                || hvdc::CLASSES.contains(&class)
                || WITHOUT_EFFECT.contains(&class)
                || class == "ControlArea";
            if !is_known && count > 0 {
                ignored.insert(class.to_string(), count);
            }
        }
        self.grid.warn_ignored(&ignored);
        Ok(())
    }
}
