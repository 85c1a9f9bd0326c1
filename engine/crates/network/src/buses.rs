//! Bus rows with the loads and shunts that stand at them.

use powerio::{BalancedNetwork, BusType};
use std::collections::HashMap;

use crate::analysis::{Bus, ElementKind, ElementRef};
use crate::assemble::{finite, source_uid};
use crate::coords;
use crate::error::{EngineError, Result};
use crate::lowering::Star;

/// Bus number to dense row.
pub(crate) struct BusIndex(HashMap<usize, usize>);

impl BusIndex {
    /// Dense row of a bus number.
    ///
    /// # Errors
    /// `INPUT.UNKNOWN_BUS` naming who refers to it.
    pub(crate) fn row(&self, bus: usize, who: impl FnOnce() -> String) -> Result<usize> {
        self.0.get(&bus).copied().ok_or_else(|| {
            EngineError::new(
                "INPUT.UNKNOWN_BUS",
                format!("{} refers to bus {bus}, which does not exist.", who()),
            )
        })
    }
}

/// Bus rows in source order, then the star points; demand and shunts summed per bus over what is in service.
///
/// # Errors
/// `INPUT.ID_RANGE`, `INPUT.DUPLICATE_BUS`, `INPUT.NOT_FINITE`, `INPUT.UNKNOWN_BUS`.
pub(crate) fn read(net: &BalancedNetwork, stars: &[Star], base_mva: f64) -> Result<(Vec<Bus>, BusIndex)> {
    let mut index = BusIndex(HashMap::with_capacity(net.buses().len()));
    let mut buses = Vec::with_capacity(net.buses().len() + stars.len());
    for bus in net.buses() {
        buses.push(row(net, bus, &mut index)?);
    }
    for star in stars {
        let bus = row(net, &star.bus, &mut index)?;
        // A transformer stands in one substation, that of its windings.
        let ends = star.legs.iter().flat_map(|leg| [leg.from, leg.to]);
        let place = ends.filter_map(|end| buses.get(*index.0.get(&end.0)?)?.lon_lat).next();
        buses.push(Bus {
            editable: false,
            uid: None,
            lon_lat: bus.lon_lat.or(place),
            gs_pu: star.gs_pu,
            bs_pu: star.bs_pu,
            ..bus
        });
    }
    for load in net.loads() {
        let bus = &mut buses[index.row(load.bus.0, || "A load".into())?];
        if load.in_service && bus.in_service {
            let element = reference(bus);
            bus.demand_pu += finite(load.p, "demand", &element)? / base_mva;
            bus.demand_q_pu += finite(load.q, "reactive demand", &element)? / base_mva;
        }
    }
    for shunt in net.shunts() {
        let bus = &mut buses[index.row(shunt.bus.0, || "A shunt".into())?];
        if shunt.in_service && bus.in_service {
            let element = reference(bus);
            bus.gs_pu += finite(shunt.g, "shunt conductance", &element)? / base_mva;
            bus.bs_pu += finite(shunt.b, "shunt susceptance", &element)? / base_mva;
        }
    }
    Ok((buses, index))
}

fn reference(bus: &Bus) -> ElementRef {
    ElementRef {
        kind: ElementKind::Bus,
        id: bus.id,
        uid: bus.uid.clone(),
    }
}

fn row(net: &BalancedNetwork, b: &powerio::Bus, index: &mut BusIndex) -> Result<Bus> {
    let element = ElementRef {
        kind: ElementKind::Bus,
        id: b.id.0 as u64,
        uid: source_uid(net, &b.uid),
    };
    if u32::try_from(b.id.0).is_err() {
        let message = format!(
            "Bus number {} is above 4294967295, the largest that all builds can read.",
            b.id
        );
        return Err(EngineError::new("INPUT.ID_RANGE", message).at(element));
    }
    let row = index.0.len();
    if index.0.insert(b.id.0, row).is_some() {
        return Err(EngineError::new("INPUT.DUPLICATE_BUS", format!("Bus number {} occurs twice.", b.id)).at(element));
    }
    Ok(Bus {
        id: element.id,
        name: b.name.clone().filter(|n| !n.is_empty()),
        base_kv: finite(b.base_kv, "base voltage", &element)?,
        area: (b.area > 0).then_some(b.area as u64),
        zone: (b.zone > 0).then_some(b.zone as u64),
        in_service: b.kind != BusType::Isolated,
        editable: true,
        is_reference: b.kind == BusType::Ref,
        is_pv: b.kind == BusType::Pv,
        vm_pu: b.vm,
        va_rad: b.va.to_radians(),
        demand_pu: 0.0,
        demand_q_pu: 0.0,
        gs_pu: 0.0,
        bs_pu: 0.0,
        vmin_pu: finite(b.vmin, "lower voltage limit", &element)?,
        vmax_pu: finite(b.vmax, "upper voltage limit", &element)?,
        lon_lat: coords::lon_lat(net, b),
        uid: element.uid,
    })
}
