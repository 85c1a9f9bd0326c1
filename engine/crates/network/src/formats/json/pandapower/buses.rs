//! Buses: numbers, limits, zones and positions.

use std::collections::HashMap;

use powerio::{Branch, Bus, BusId, BusType, CoordinateSpace, GeoMeta, Location};
use serde_json::Value;

use super::document::{number, Document, Row};
use super::Reading;
use crate::assemble::buses::SOURCE_INDEX;
use crate::error::{EngineError, Result};
use crate::message;

/// Limits that pandapower assumes for a bus without any, pu (`_replace_nans_with_default_limits`).
const LIMITS: [f64; 2] = [0.0, 2.0];

impl Reading<'_> {
    pub(super) fn read_buses(&mut self) -> Result<()> {
        let no_buses = || EngineError::new("INPUT.PARSE", message!("pandapower.no_network"));
        let table = self.document.table("bus").ok_or_else(no_buses)?;
        let places = self.places();
        let mut zones = Zones::default();
        let mut largest = 0;
        for row in table.rows() {
            let index = row.index()?;
            if self.rows.insert(index, self.buses.len()).is_some() {
                let message = message!("pandapower.index", table = "bus", index = row.label());
                return Err(EngineError::new("INPUT.TABLE", message));
            }
            largest = largest.max(index);
            let kind = match row.is_in_service() {
                true => BusType::Pq,
                false => BusType::Isolated,
            };
            let mut bus = Bus::new(BusId(index + 1), kind, row.required("vn_kv")?);
            bus.vmin = row.number_or("min_vm_pu", LIMITS[0]);
            bus.vmax = row.number_or("max_vm_pu", LIMITS[1]);
            bus.name = row.text("name").map(str::to_string);
            bus.zone = zones.number(row.cell("zone"));
            bus.location = point(row.cell("geo")).or_else(|| places.get(&index).copied());
            bus.extras.insert(SOURCE_INDEX.into(), index.into());
            self.buses.push(bus);
        }
        self.next_bus = largest + 2;
        self.tell("INPUT.NUMBERS", message!("pandapower.bus_numbers"));
        Ok(())
    }

    /// Adds the bus of an element (the star point of a three-winding transformer, the source of an extended ward) at
    /// the position of the element's bus.
    pub(super) fn auxiliary_bus(&mut self, of: usize, name: String, in_service: bool) -> usize {
        let mut bus = self.buses[of].clone();
        bus.id = BusId(self.next_bus);
        bus.kind = match in_service {
            true => BusType::Pq,
            false => BusType::Isolated,
        };
        bus.name = Some(name);
        bus.extras.clear();
        self.next_bus += 1;
        self.buses.push(bus);
        self.buses.len() - 1
    }

    /// Positions in networks before version 3, which have a separate table.
    fn places(&self) -> HashMap<usize, Location> {
        let rows = self.document.rows("bus_geodata");
        let place = |row: Row<'_>| Some((row.index().ok()?, location(row.number("x")?, row.number("y")?)?));
        rows.filter_map(place).collect()
    }

    /// The route of a line, from its own column or from the separate table before version 3.
    pub(super) fn route(&self, branch: &mut Branch, row: &Row<'_>) {
        let own = row.cell("geo").and_then(geometry);
        let points = own.as_ref().and_then(|g| g.get("coordinates")?.as_array().cloned());
        let points = points.or_else(|| former_route(self.document, row));
        let point = |pair: &Value| location(number(pair.get(0)?)?, number(pair.get(1)?)?);
        let points: Option<Vec<Location>> = points.and_then(|points| points.iter().map(point).collect());
        branch.route = points.filter(|points| points.len() > 1);
    }
}

fn former_route(document: &Document, row: &Row<'_>) -> Option<Vec<Value>> {
    let label = row.label();
    let stored = document.rows("line_geodata").find(|r| r.label() == label)?;
    stored.cell("coords")?.as_array().cloned()
}

/// Numbers of zones: those of the file, and others in order of occurrence.
#[derive(Default)]
struct Zones(HashMap<String, usize>);

impl Zones {
    fn number(&mut self, cell: Option<&Value>) -> usize {
        let Some(cell) = cell else { return 1 };
        if let Some(zone) = number(cell).filter(|x| *x >= 1.0 && x.fract() == 0.0 && *x < 1e9) {
            return zone as usize;
        }
        let next = self.0.len() + 1;
        *self.0.entry(cell.to_string()).or_insert(next)
    }
}

/// Longitude and latitude if every position is in their range, otherwise unknown.
pub(super) fn space(buses: &[Bus]) -> Option<GeoMeta> {
    let mut places = buses.iter().filter_map(|bus| bus.location).peekable();
    places.peek()?;
    let space = match places.all(|p| p.x.abs() <= 180.0 && p.y.abs() <= 90.0) {
        true => CoordinateSpace::Geographic { crs: None },
        false => CoordinateSpace::Unknown,
    };
    Some(GeoMeta { space, kind: None })
}

/// A GeoJSON point, possibly within a text.
fn point(cell: Option<&Value>) -> Option<Location> {
    let geometry = geometry(cell?)?;
    let pair = geometry.get("coordinates")?;
    location(number(pair.get(0)?)?, number(pair.get(1)?)?)
}

fn geometry(cell: &Value) -> Option<Value> {
    match cell {
        Value::String(text) => serde_json::from_str(text).ok(),
        Value::Object(_) => Some(cell.clone()),
        _ => None,
    }
}

fn location(x: f64, y: f64) -> Option<Location> {
    (x.is_finite() && y.is_finite()).then_some(Location { x, y, kind: None })
}
