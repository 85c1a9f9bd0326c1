//! Bus rows with their loads and shunts.

use powerio::network::{Load, LoadVoltageModel};
use powerio::{BalancedNetwork, BusType};
use std::collections::HashMap;

use crate::analysis::Bus;
use crate::assemble::lowering::Star;
use crate::assemble::power_base::PowerBase;
use crate::assemble::{coords, finite, source_uid};
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::sentences::unknown_bus;
use crate::{message, message_key};

/// Extra of a bus: its number in the source, if that cannot be the id.
pub(crate) const SOURCE_INDEX: &str = "pandapower_index";

/// Bus number to dense row.
pub(crate) struct BusIndex(HashMap<usize, usize>);

impl BusIndex {
    /// Dense row of a bus number.
    ///
    /// # Errors
    /// `INPUT.UNKNOWN_BUS` with the result of `message` for the number.
    pub(crate) fn row(&self, bus: usize, message: impl FnOnce(String) -> Message) -> Result<usize> {
        let unknown = || EngineError::new("INPUT.UNKNOWN_BUS", message(bus.to_string()));
        self.0.get(&bus).copied().ok_or_else(unknown)
    }

    /// Dense row of the bus that an element is at.
    ///
    /// # Errors
    /// `INPUT.UNKNOWN_BUS` naming the element.
    pub(crate) fn row_of(&self, bus: usize, element: &ElementRef) -> Result<usize> {
        self.row(bus, |bus| unknown_bus(element, bus))
    }
}

/// Bus rows in source order, followed by the star points; demand and shunts are sums over elements in service.
///
/// # Errors
/// `INPUT.ID_RANGE`, `INPUT.BASE_MVA`, `INPUT.DUPLICATE_BUS`, `INPUT.NOT_FINITE`, `INPUT.UNKNOWN_BUS`.
pub(crate) fn read(net: &BalancedNetwork, stars: &[Star], base: &PowerBase) -> Result<(Vec<Bus>, BusIndex)> {
    let base_mva = base.mva;
    let mut index = BusIndex(HashMap::with_capacity(net.buses().len()));
    let mut buses = Vec::with_capacity(net.buses().len() + stars.len());
    for bus in net.buses() {
        buses.push(row(net, bus, &mut index)?);
    }
    for star in stars {
        let bus = row(net, &star.bus, &mut index)?;
        // All windings of a transformer are in one substation.
        let ends = star.legs.iter().flat_map(|leg| [leg.from, leg.to]);
        let place = ends.filter_map(|end| buses.get(*index.0.get(&end.0)?)?.lon_lat).next();
        buses.push(Bus {
            editable: false,
            uid: None,
            lon_lat: bus.lon_lat.or(place),
            gs_pu: base.admittance(star.gs_pu, &ElementRef::from(&bus))?,
            bs_pu: base.admittance(star.bs_pu, &ElementRef::from(&bus))?,
            ..bus
        });
    }
    for load in net.loads() {
        let bus = &mut buses[index.row(load.bus.0, |bus| message!("case.load_at_unknown_bus", bus = bus))?];
        if load.in_service && bus.in_service {
            bus.demand_pu += load.p / base_mva;
            bus.demand_q_pu += load.q / base_mva;
            let (current, impedance) = voltage_dependent(load);
            for part in 0..2 {
                bus.constant_current_pu[part] += current[part] / base_mva;
                bus.constant_impedance_pu[part] += impedance[part] / base_mva;
            }
        }
    }
    for shunt in net.shunts() {
        let bus = &mut buses[index.row(shunt.bus.0, |bus| message!("case.shunt_at_unknown_bus", bus = bus))?];
        if shunt.in_service && bus.in_service {
            bus.gs_pu += shunt.g / base_mva;
            bus.bs_pu += shunt.b / base_mva;
        }
    }
    for bus in &buses {
        let sums = [
            (bus.demand_pu, message_key!("quantity.demand")),
            (bus.demand_q_pu, message_key!("quantity.reactive_demand")),
            (bus.constant_current_pu[0], message_key!("quantity.demand")),
            (bus.constant_current_pu[1], message_key!("quantity.reactive_demand")),
            (bus.constant_impedance_pu[0], message_key!("quantity.demand")),
            (bus.constant_impedance_pu[1], message_key!("quantity.reactive_demand")),
            (bus.gs_pu, message_key!("quantity.shunt_conductance")),
            (bus.bs_pu, message_key!("quantity.shunt_susceptance")),
        ];
        for (sum, quantity) in sums {
            finite(sum, quantity, &ElementRef::from(bus))?;
        }
    }
    Ok((buses, index))
}

/// Active and reactive parts of a load, MW and MVAr at 1 pu, that are proportional to the voltage and to its square. An
/// exponential load is included entirely if its exponent is 1 or 2, and otherwise has constant power.
fn voltage_dependent(load: &Load) -> ([f64; 2], [f64; 2]) {
    match &load.voltage_model {
        Some(LoadVoltageModel::Zip {
            p_constant_current,
            q_constant_current,
            p_constant_impedance,
            q_constant_impedance,
            ..
        }) => (
            [*p_constant_current, *q_constant_current],
            [*p_constant_impedance, *q_constant_impedance],
        ),
        Some(LoadVoltageModel::Exponential { gamma_p, gamma_q, .. }) => {
            let part = |exponent: f64| {
                let of = |gamma: f64, power: f64| if gamma == exponent { power } else { 0.0 };
                [of(*gamma_p, load.p), of(*gamma_q, load.q)]
            };
            (part(1.0), part(2.0))
        }
        _ => ([0.0; 2], [0.0; 2]),
    }
}

fn row(net: &BalancedNetwork, b: &powerio::Bus, index: &mut BusIndex) -> Result<Bus> {
    let element = ElementRef::new(ElementKind::Bus, b.id.0 as u64, source_uid(net, &b.uid));
    if u32::try_from(b.id.0).is_err() {
        let message = message!("case.bus_number_too_large", bus = b.id.to_string());
        return Err(EngineError::new("INPUT.ID_RANGE", message).at(element));
    }
    let row = index.0.len();
    if index.0.insert(b.id.0, row).is_some() {
        let message = message!("case.bus_twice", bus = b.id.to_string());
        return Err(EngineError::new("INPUT.DUPLICATE_BUS", message).at(element));
    }
    Ok(Bus {
        id: element.id,
        name: b.name.clone().filter(|n| !n.is_empty()),
        source_index: b.extras.get(SOURCE_INDEX).and_then(serde_json::Value::as_u64),
        base_kv: finite(b.base_kv, message_key!("quantity.base_voltage"), &element)?,
        area: (b.area > 0).then_some(b.area as u64),
        zone: (b.zone > 0).then_some(b.zone as u64),
        in_service: b.kind != BusType::Isolated,
        editable: true,
        is_reference: b.kind == BusType::Ref,
        is_pv: b.kind == BusType::Pv,
        vm_pu: finite(b.vm, message_key!("quantity.voltage"), &element)?,
        va_rad: finite(b.va, message_key!("quantity.voltage_angle"), &element)?.to_radians(),
        demand_pu: 0.0,
        demand_q_pu: 0.0,
        constant_current_pu: [0.0; 2],
        constant_impedance_pu: [0.0; 2],
        gs_pu: 0.0,
        bs_pu: 0.0,
        vmin_pu: finite(b.vmin, message_key!("quantity.lower_voltage_limit"), &element)?,
        vmax_pu: finite(b.vmax, message_key!("quantity.upper_voltage_limit"), &element)?,
        lon_lat: coords::lon_lat(net, b),
        uid: element.uid,
    })
}
