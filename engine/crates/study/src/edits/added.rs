//! Elements that edits add to the case: branches, generators, HVDC links, storage units and loads.

use super::amounts::check_value;
use super::targets::text;
use super::{links, storages, Edits};
use crate::case::Case;
use crate::contract::{self as c, ElementKey};
use std::collections::HashSet;
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::Message;
use wattbook_network::message_key;
use wattbook_network::{AddedBranch, AddedElements, AddedGenerator, AddedLink, AddedLoad, AddedStorage};

/// More elements than this are no edit of a case but another case.
const MOST: usize = 10_000;

/// Resolves the buses and branches that added elements name, and checks every value. `case` is any case of the Study: the elements are
/// added to the case as it was read.
///
/// Errors: `ADDED.MALFORMED`, `ADDED.NAME`, `ADDED.TOO_MANY`, `BUS.UNKNOWN`, `BUS.AMBIGUOUS`, `BRANCH.UNKNOWN`, `DELTA.ISOLATED_BUS`,
/// `EDIT.NOT_EDITABLE`.
pub(crate) fn resolve(case: &Arc<Case>, wanted: &c::AddedElements) -> Result<AddedElements> {
    let case = case.as_read();
    let further = wanted.links.len() + wanted.storage.len() + wanted.loads.len();
    let count = wanted.branches.len() + wanted.generators.len() + further;
    if count > MOST {
        let message = message!("added.too_many", count = count, most = MOST);
        return Err(EngineError::new("ADDED.TOO_MANY", message));
    }
    if count == 0 {
        return Ok(AddedElements::default());
    }
    let mut adding = Adding {
        case,
        names: names(&case.network),
    };
    let network = &case.network;
    let id = |kind, rows: usize, added: usize, name: &Option<String>| {
        ElementRef::new(kind, (rows + added) as u64 + 1, name.clone())
    };
    let branches = wanted.branches.iter().enumerate().map(|(k, branch)| {
        let element = id(ElementKind::Branch, network.branches.len(), k, &branch.name);
        adding.branch(branch, element)
    });
    let branches = branches.collect::<Result<_>>()?;
    let generators = wanted.generators.iter().enumerate().map(|(k, unit)| {
        let element = id(ElementKind::Generator, network.generators.len(), k, &unit.name);
        adding.generator(unit, element)
    });
    let generators = generators.collect::<Result<_>>()?;
    let links = wanted.links.iter().enumerate().map(|(k, link)| {
        let element = id(ElementKind::Hvdc, network.links.len(), k, &link.name);
        adding.link(link, element)
    });
    let links = links.collect::<Result<_>>()?;
    let storages = wanted.storage.iter().enumerate().map(|(k, storage)| {
        let element = id(ElementKind::Storage, network.storages.len(), k, &storage.name);
        adding.storage(storage, element)
    });
    let storages = storages.collect::<Result<_>>()?;
    let loads = wanted
        .loads
        .iter()
        .map(|load| adding.load(load))
        .collect::<Result<_>>()?;
    Ok(AddedElements {
        branches,
        generators,
        links,
        storages,
        loads,
    })
}

/// Uids of all elements: an added element must be found by its name.
fn names(network: &AnalysisNetwork) -> HashSet<String> {
    let buses = network.buses.iter().map(|bus| &bus.uid);
    let branches = network.branches.iter().map(|branch| &branch.uid);
    let generators = network.generators.iter().map(|unit| &unit.uid);
    let links = network.links.iter().map(|link| &link.uid);
    let storages = network.storages.iter().map(|storage| &storage.uid);
    let uids = buses.chain(branches).chain(generators).chain(links).chain(storages);
    uids.flatten().cloned().collect()
}

struct Adding<'a> {
    case: &'a Case,
    names: HashSet<String>,
}

impl Adding<'_> {
    fn branch(&mut self, wanted: &c::AddedBranch, element: ElementRef) -> Result<AddedBranch> {
        self.name(&wanted.name, &element)?;
        let network = &self.case.network;
        let copy_of = wanted.copy_of.as_ref().map(|key| self.copied(key)).transpose()?;
        let end = |key: &Option<ElementKey>, of_copy: Option<usize>| match (key, of_copy) {
            (Some(key), None) => self.bus(key),
            (None, Some(bus)) => Ok(bus),
            (None, None) => Err(malformed(message!("added.ends", branch = &element), &element)),
            (Some(_), Some(_)) => Err(malformed(message!("added.ends_of_copy", branch = &element), &element)),
        };
        let copied = copy_of.map(|row| &network.branches[row]);
        let from = end(&wanted.from, copied.map(|branch| branch.from))?;
        let to = end(&wanted.to, copied.map(|branch| branch.to))?;
        if from == to {
            return Err(malformed(message!("added.one_bus", element = &element), &element));
        }
        for (value, unit, quantity, is_positive) in [
            (wanted.r, "per unit", message_key!("quantity.resistance"), false),
            (wanted.x, "per unit", message_key!("quantity.reactance"), false),
            (
                wanted.b,
                "per unit",
                message_key!("quantity.charging_susceptance"),
                false,
            ),
            (wanted.rating, "MW", message_key!("quantity.rating"), true),
            (wanted.tap, "", message_key!("quantity.tap_ratio"), true),
            (wanted.shift, "degrees", message_key!("quantity.phase_shift"), false),
        ] {
            let Some(value) = value else { continue };
            amount(&element, value, unit, quantity)?;
            if is_positive && value <= 0.0 {
                let quantity = Message::of_key(quantity);
                let message = message!("edit.value_not_positive", element = &element, quantity = quantity);
                return Err(malformed(message, &element));
            }
        }
        let [r, x] = [
            wanted.r.unwrap_or(copied.map_or(0.0, |branch| branch.r_pu)),
            wanted.x.unwrap_or(copied.map_or(0.0, |branch| branch.x_pu)),
        ];
        if r == 0.0 && x == 0.0 {
            return Err(malformed(message!("added.no_impedance", branch = &element), &element));
        }
        let angle_deg = match (wanted.angle_min, wanted.angle_max) {
            (None, None) => None,
            (Some(lower), Some(upper))
                if lower.abs() < 90.0 && upper.abs() < 90.0 && lower <= upper && (lower, upper) != (0.0, 0.0) =>
            {
                Some([lower, upper])
            }
            _ => return Err(malformed(message!("added.angle_limits", branch = &element), &element)),
        };
        Ok(AddedBranch {
            name: wanted.name.clone(),
            copy_of,
            from,
            to,
            r_pu: wanted.r,
            x_pu: wanted.x,
            b_pu: wanted.b,
            rating_mw: wanted.rating,
            tap: wanted.tap,
            shift_deg: wanted.shift,
            angle_deg,
        })
    }

    fn generator(&mut self, wanted: &c::AddedGenerator, element: ElementRef) -> Result<AddedGenerator> {
        self.name(&wanted.name, &element)?;
        let unit = AddedGenerator {
            name: wanted.name.clone(),
            bus: self.bus(&wanted.bus)?,
            pmin_mw: wanted.p_min,
            pmax_mw: wanted.p_max,
            p_mw: wanted.p,
            cost: wanted.cost,
            qmin_mvar: wanted.q_min,
            qmax_mvar: wanted.q_max,
            q_mvar: wanted.q,
            energy_source: wanted.energy_source.map(crate::convert::source_of),
        };
        let [p_min, p_max, q_min, q_max] = unit.limits();
        for (value, quantity) in [
            (p_min, message_key!("quantity.lower_active_limit")),
            (p_max, message_key!("quantity.upper_active_limit")),
            (wanted.p.unwrap_or(0.0), message_key!("quantity.active_set_point")),
        ] {
            amount(&element, value, "MW", quantity)?;
        }
        for (value, quantity) in [
            (q_min, message_key!("quantity.lower_reactive_limit")),
            (q_max, message_key!("quantity.upper_reactive_limit")),
            (wanted.q.unwrap_or(0.0), message_key!("quantity.reactive_set_point")),
        ] {
            amount(&element, value, "MVAr", quantity)?;
        }
        amount(&element, wanted.cost, "$/MWh", message_key!("quantity.cost"))?;
        for (lower, upper) in [(p_min, p_max), (q_min, q_max)] {
            if lower > upper {
                let (minimum, maximum) = (mw_exact(lower), mw_exact(upper));
                let message = message!(
                    "added.limits",
                    generator = &element,
                    minimum = minimum,
                    maximum = maximum
                );
                return Err(malformed(message, &element));
            }
        }
        Ok(unit)
    }

    fn link(&mut self, wanted: &c::AddedLink, element: ElementRef) -> Result<AddedLink> {
        self.name(&wanted.name, &element)?;
        let link = AddedLink {
            name: wanted.name.clone(),
            from: self.bus(&wanted.from)?,
            to: self.bus(&wanted.to)?,
            pmin_mw: wanted.p_min,
            pmax_mw: wanted.p_max,
            p_mw: wanted.p,
            loss_mw: wanted.loss,
            loss_factor: wanted.loss_factor,
            cost: wanted.cost,
        };
        if link.from == link.to {
            return Err(malformed(message!("added.one_bus", element = &element), &element));
        }
        let values = c::LinkEdit {
            status: None,
            p: wanted.p,
            p_min: wanted.p_min,
            p_max: Some(wanted.p_max),
            loss: wanted.loss,
            loss_factor: wanted.loss_factor,
            cost: wanted.cost,
        };
        links::check_amounts(&element, &values).map_err(|message| malformed(message, &element))?;
        let [lower, upper] = link.limits();
        if lower > upper {
            let message = links::crossed(&element, [lower, upper]);
            return Err(malformed(message, &element));
        }
        Ok(link)
    }

    fn storage(&mut self, wanted: &c::AddedStorage, element: ElementRef) -> Result<AddedStorage> {
        self.name(&wanted.name, &element)?;
        let edit = c::StorageEdit {
            status: None,
            p: wanted.p,
            q: wanted.q,
            p_charge_max: wanted.p_charge_max,
            p_discharge_max: wanted.p_discharge_max,
            charge_efficiency: wanted.charge_efficiency,
            discharge_efficiency: wanted.discharge_efficiency,
            energy: wanted.energy,
            energy_min: wanted.energy_min,
            energy_max: wanted.energy_max,
            energy_value: wanted.energy_value,
        };
        storages::check_amounts(&element, &edit).map_err(|message| malformed(message, &element))?;
        let storage = AddedStorage {
            name: wanted.name.clone(),
            bus: self.bus(&wanted.bus)?,
            values: storages::values(&edit),
        };
        let network = &self.case.network;
        storages::check_row(&element, &network.storage_of(&storage), network.base_mva)
            .map_err(|message| malformed(message, &element))?;
        Ok(storage)
    }

    fn load(&mut self, wanted: &c::AddedLoad) -> Result<AddedLoad> {
        let bus = self.bus(&wanted.bus)?;
        let element = ElementRef::from(&self.case.network.buses[bus]);
        self.name(&wanted.name, &element)?;
        amount(&element, wanted.p, "MW", message_key!("quantity.demand"))?;
        amount(
            &element,
            wanted.q.unwrap_or(0.0),
            "MVAr",
            message_key!("quantity.reactive_demand"),
        )?;
        if wanted.p < 0.0 {
            let message = message!("added.negative_load", bus = &element, demand = mw_exact(wanted.p));
            return Err(malformed(message, &element));
        }
        Ok(AddedLoad {
            name: wanted.name.clone(),
            bus,
            p_mw: wanted.p,
            q_mvar: wanted.q,
        })
    }

    /// Errors: `ADDED.NAME`.
    fn name(&mut self, name: &Option<String>, element: &ElementRef) -> Result<()> {
        let Some(name) = name else { return Ok(()) };
        let is_key = !name.trim().is_empty() && name.bytes().any(|byte| !byte.is_ascii_digit());
        let message = match is_key {
            false => message!("added.name_of_digits"),
            true if !self.names.insert(name.clone()) => message!("added.name_taken", name = name),
            true => return Ok(()),
        };
        Err(EngineError::new("ADDED.NAME", message).at(element.clone()))
    }

    /// A bus in service.
    fn bus(&self, key: &ElementKey) -> Result<usize> {
        let row = self.case.bus_row(&text(key), "BUS.UNKNOWN")?;
        match self.case.network.buses[row].in_service {
            true => Ok(row),
            false => {
                let element = ElementRef::from(&self.case.network.buses[row]);
                let message = message!("added.isolated", bus = &element);
                Err(EngineError::new("DELTA.ISOLATED_BUS", message).at(element))
            }
        }
    }

    /// The branch that an added one is a copy of.
    fn copied(&self, key: &ElementKey) -> Result<usize> {
        let key = text(key);
        let unknown = || EngineError::new("BRANCH.UNKNOWN", message!("edit.unknown_branch", key = &key));
        let row = self.case.keys.branch(&key).ok_or_else(unknown)?;
        let branch = &self.case.network.branches[row];
        if !branch.editable {
            return Err(super::targets::not_editable(ElementRef::from(branch)));
        }
        Ok(row)
    }
}

fn malformed(message: Message, element: &ElementRef) -> EngineError {
    EngineError::new("ADDED.MALFORMED", message).at(element.clone())
}

/// Errors: `ADDED.MALFORMED`.
fn amount(element: &ElementRef, value: f64, unit: &str, quantity: &'static str) -> Result<()> {
    check_value(element, value, unit, quantity).map_err(|message| malformed(message, element))
}

impl Edits {
    /// The added elements with the ids of buses and branches.
    pub fn added_by_id(&self, case: &Case) -> c::AddedElements {
        let network = &case.network;
        let bus = |row: usize| ElementKey::Id(network.buses[row].id);
        let added = &self.network.added;
        c::AddedElements {
            branches: added
                .branches
                .iter()
                .map(|branch| {
                    let is_copy = branch.copy_of.is_some();
                    c::AddedBranch {
                        name: branch.name.clone(),
                        copy_of: branch.copy_of.map(|row| ElementKey::Id(network.branches[row].id)),
                        from: (!is_copy).then(|| bus(branch.from)),
                        to: (!is_copy).then(|| bus(branch.to)),
                        r: branch.r_pu,
                        x: branch.x_pu,
                        b: branch.b_pu,
                        rating: branch.rating_mw,
                        tap: branch.tap,
                        shift: branch.shift_deg,
                        angle_min: branch.angle_deg.map(|[lower, _]| lower),
                        angle_max: branch.angle_deg.map(|[_, upper]| upper),
                    }
                })
                .collect(),
            generators: added
                .generators
                .iter()
                .map(|unit| c::AddedGenerator {
                    name: unit.name.clone(),
                    bus: bus(unit.bus),
                    p_min: unit.pmin_mw,
                    p_max: unit.pmax_mw,
                    cost: unit.cost,
                    p: unit.p_mw,
                    q_min: unit.qmin_mvar,
                    q_max: unit.qmax_mvar,
                    q: unit.q_mvar,
                    energy_source: unit.energy_source.map(crate::convert::energy_source),
                })
                .collect(),
            links: added
                .links
                .iter()
                .map(|link| c::AddedLink {
                    name: link.name.clone(),
                    from: bus(link.from),
                    to: bus(link.to),
                    p_min: link.pmin_mw,
                    p_max: link.pmax_mw,
                    p: link.p_mw,
                    loss: link.loss_mw,
                    loss_factor: link.loss_factor,
                    cost: link.cost,
                })
                .collect(),
            storage: added
                .storages
                .iter()
                .map(|storage| {
                    let values = &storage.values;
                    c::AddedStorage {
                        name: storage.name.clone(),
                        bus: bus(storage.bus),
                        p: values.p_mw,
                        q: values.q_mvar,
                        p_charge_max: values.charge_max_mw,
                        p_discharge_max: values.discharge_max_mw,
                        charge_efficiency: values.charge_efficiency,
                        discharge_efficiency: values.discharge_efficiency,
                        energy: values.energy_mwh,
                        energy_min: values.energy_min_mwh,
                        energy_max: values.energy_max_mwh,
                        energy_value: values.energy_value,
                    }
                })
                .collect(),
            loads: added
                .loads
                .iter()
                .map(|load| c::AddedLoad {
                    name: load.name.clone(),
                    bus: bus(load.bus),
                    p: load.p_mw,
                    q: load.q_mvar,
                })
                .collect(),
        }
    }
}
