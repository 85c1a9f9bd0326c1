//! Networks of pandapower, built from their tables with the formulas by which `runpp` and `rundcopp` build their own (version 3.5:
//! `build_bus.py`, `build_branch.py`, `build_gen.py`, `opf/make_objective.py`). Earlier versions are read as far as
//! `convert_format.py` converts their columns by name.

mod branches;
mod buses;
mod costs;
mod demand;
mod document;
mod options;
mod supply;
mod switches;
mod tables;
mod taps;
#[cfg(test)]
mod tests;
mod transformers;
mod units;

use std::collections::HashMap;

use powerio::{
    BalancedNetwork, Branch, Bus, BusId, Generator, Hvdc, Load, PioModule, PioValue, Shunt, SourceFormat, Storage,
};

use self::document::{Document, Row};
use self::options::Options;
use self::switches::Switches;
use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::formats::built;
use crate::message::{Message, Value};
use crate::{message, module};

/// Reads a network of pandapower.
///
/// # Errors
/// `INPUT.PARSE` for an invalid text, `INPUT.TABLE` and `INPUT.UNKNOWN_BUS` naming table and row, `INPUT.REVISION` for
/// powers in kW, `PHYSICS.UNSUPPORTED` for elements in service that no formulation has.
pub(super) fn read(text: &str) -> Result<PioModule<PioValue>> {
    let document = Document::parse(text)?;
    tables::refuse(&document)?;
    let mut reading = Reading::new(&document)?;
    // The order is that of pandapower's branches.
    reading.lines()?;
    reading.transformers()?;
    reading.impedances()?;
    reading.switched_buses()?;
    reading.units()?;
    reading.demand()?;
    reading.links()?;
    reading.costs()?;
    reading.tell_left_out();
    let (net, warnings) = reading.network();
    let mut parsed = built(net, "case.json", "pandapower-json", text)?;
    for warning in &warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    Ok(parsed)
}

/// A network during the reading of its tables.
struct Reading<'a> {
    document: &'a Document,
    options: Options,
    switches: Switches,
    base_mva: f64,
    frequency: f64,
    /// Row of a bus by its index in pandapower.
    rows: HashMap<usize, usize>,
    /// Number of the next auxiliary bus.
    next_bus: usize,
    buses: Vec<Bus>,
    branches: Vec<Branch>,
    generators: Vec<Generator>,
    loads: Vec<Load>,
    shunts: Vec<Shunt>,
    links: Vec<Hvdc>,
    storages: Vec<Storage>,
    /// Row of the generator for an element, by table and index.
    units: HashMap<(&'static str, usize), usize>,
    /// Number of transformers with a magnetising admittance that are pi circuits because the network does not state its
    /// model.
    assumed_pi: usize,
    warnings: Vec<Warning>,
}

impl<'a> Reading<'a> {
    fn new(document: &'a Document) -> Result<Self> {
        let mut warnings = Vec::new();
        let options = Options::read(document, &mut warnings)?;
        let mut reading = Self {
            document,
            options,
            switches: Switches::read(document)?,
            base_mva: document.positive("sn_mva", 1.0)?,
            frequency: document.positive("f_hz", 50.0)?,
            rows: HashMap::new(),
            next_bus: 1,
            buses: Vec::new(),
            branches: Vec::new(),
            generators: Vec::new(),
            loads: Vec::new(),
            shunts: Vec::new(),
            links: Vec::new(),
            storages: Vec::new(),
            units: HashMap::new(),
            assumed_pi: 0,
            warnings,
        };
        reading.read_buses()?;
        Ok(reading)
    }

    fn tell(&mut self, code: &'static str, message: Message) {
        self.warnings.push(Warning::new(code, message));
    }

    /// Row of the bus that a column names.
    ///
    /// # Errors
    /// `INPUT.TABLE` if it names no bus, `INPUT.UNKNOWN_BUS`.
    fn bus(&self, row: &Row<'_>, column: &str) -> Result<usize> {
        let stated = row.required(column)?;
        let index = row.whole(column);
        index.and_then(|index| self.rows.get(&index)).copied().ok_or_else(|| {
            let message = message!(
                "pandapower.unknown_bus",
                table = row.table.name(),
                row = row.label(),
                bus = stated.to_string()
            );
            EngineError::new("INPUT.UNKNOWN_BUS", message)
        })
    }

    fn is_live(&self, bus: usize) -> bool {
        self.buses[bus].kind != powerio::BusType::Isolated
    }

    fn id(&self, bus: usize) -> BusId {
        self.buses[bus].id
    }

    /// Base impedance at a voltage level, ohm.
    fn base_ohm(&self, bus: usize) -> f64 {
        self.buses[bus].base_kv * self.buses[bus].base_kv / self.base_mva
    }

    /// The network, supplied as in pandapower, and its warnings.
    fn network(mut self) -> (BalancedNetwork, Vec<Warning>) {
        self.isolate_unsupplied();
        self.schedule_references();
        self.align_set_points();
        let name = match self.document.member("name").and_then(serde_json::Value::as_str) {
            Some(name) if !name.is_empty() => name,
            _ => "case",
        };
        let mut net = BalancedNetwork::new(name, self.base_mva);
        *net.base_frequency_mut() = self.frequency;
        *net.source_format_mut() = SourceFormat::PandapowerJson;
        *net.geo_mut() = buses::space(&self.buses);
        *net.buses_mut() = self.buses;
        *net.branches_mut() = self.branches;
        *net.generators_mut() = self.generators;
        *net.loads_mut() = self.loads;
        *net.shunts_mut() = self.shunts;
        *net.hvdc_mut() = self.links;
        *net.storage_mut() = self.storages;
        (net, self.warnings)
    }
}

/// The name of an element in its source: table and index.
fn uid(row: &Row<'_>) -> Option<String> {
    Some(format!("{} {}", row.table.name(), row.label()))
}

/// Names of tables or columns with their numbers.
fn counted<'n>(items: impl Iterator<Item = (&'n str, usize)>) -> Value {
    let items = items.map(|(name, count)| Value::from(message!("pandapower.counted", name = name, count = count)));
    Value::List(items.collect())
}
