//! HVDC links: their directions, and their converters as generators in the formulations on the AC equations.

use std::borrow::Cow;
use wattbook_network::analysis::{AnalysisNetwork, Cost, ElementRef, EnergySource, Generator, Link};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

use crate::storages::{add_storages, storage_generators, storage_of};

/// No cost.
pub(crate) const FREE: Cost = Cost::Quadratic {
    c2: 0.0,
    c1: 0.0,
    c0: 0.0,
};

/// One direction of a link: limits and cost in terms of the sent power.
pub(crate) struct Direction {
    pub lo: f64,
    pub hi: f64,
    pub cost: Cost,
}

/// The directions of a link, forward and reversed.
///
/// A limit of at least zero holds at the from end and a negative one at the to end, as in `toggle_dcline`.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` for a piecewise linear cost of a link with a loss factor that can be reversed.
pub(crate) fn directions(network: &AnalysisNetwork, link: &Link) -> Result<[Option<Direction>; 2]> {
    let share = 1.0 - link.loss1;
    let sent = |delivered: f64| (delivered + link.loss0_pu) / share;
    if share == 1.0 || link.pmin_pu >= 0.0 {
        let at_from = |limit: f64| if limit >= 0.0 { limit } else { sent(limit) };
        let column = Direction {
            lo: at_from(link.pmin_pu),
            hi: at_from(link.pmax_pu),
            cost: link.cost.clone(),
        };
        return Ok([Some(column), None]);
    }
    // In reverse the to end delivers `-p - loss0` for the power `p` that it sends.
    let (least, most) = (-link.pmax_pu - link.loss0_pu, -link.pmin_pu - link.loss0_pu);
    let can_reverse = most > 0.0;
    let must_reverse = link.pmax_pu < 0.0 && least > 0.0;
    let Cost::Quadratic { c2, c1, c0 } = link.cost else {
        let element = ElementRef::from(link);
        let bus = |row: usize| network.buses[row].id.to_string();
        let message = message!(
            "physics.link_cost",
            link = &element,
            from = bus(link.from),
            to = bus(link.to)
        );
        return Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(element));
    };
    let forward = (!must_reverse).then(|| Direction {
        lo: if can_reverse { 0.0 } else { sent(link.pmin_pu).max(0.0) },
        hi: if link.pmax_pu >= 0.0 {
            link.pmax_pu
        } else {
            sent(link.pmax_pu).max(0.0)
        },
        cost: link.cost.clone(),
    });
    // The power at the from end is `-share p`.
    let reversed = can_reverse.then(|| Direction {
        lo: if must_reverse { least } else { 0.0 },
        hi: most,
        cost: Cost::Quadratic {
            c2: c2 * share * share,
            c1: -c1 * share,
            c0: if must_reverse { c0 } else { 0.0 },
        },
    });
    Ok([forward, reversed])
}

/// The network with two generators for each link in service, at its from and its to end, in rows after those of the
/// network, and one for each storage unit that takes part, after these. The generators of a link are its converters: they
/// supply reactive power and control the voltages of both buses, which are of type PV (`toggle_dcline`; MATPOWER manual,
/// section 7.6.3), unless the link was added to the case. Their active outputs are the scheduled powers. The active limits
/// of all these generators are zero, so that they take no part in slack.
pub(crate) fn with_converters(network: &AnalysisNetwork) -> Cow<'_, AnalysisNetwork> {
    if network.links_in_service().next().is_none() && network.storages_injecting().next().is_none() {
        return Cow::Borrowed(network);
    }
    let mut with = network.clone();
    for (_, link) in network.links_in_service() {
        let powers = [-link.pf_pu, link.delivered_pu(link.pf_pu)];
        for (end, bus) in [link.from, link.to].into_iter().enumerate() {
            with.buses[bus].is_pv |= link.regulates_voltage[end];
            with.generators.push(Generator {
                id: link.id,
                uid: link.uid.clone(),
                bus,
                in_service: true,
                pg_pu: powers[end],
                qg_pu: link.q_pu[end],
                pmin_pu: 0.0,
                pmax_pu: 0.0,
                qmin_pu: link.qmin_pu[end],
                qmax_pu: link.qmax_pu[end],
                vset_pu: link.vset_pu[end],
                regulates_voltage: link.regulates_voltage[end],
                regulated_bus: None,
                cost: FREE,
                has_cost: true,
                energy_source: EnergySource::Other,
            });
        }
    }
    let storages = add_storages(network, &mut with);
    for (_, generator) in storages {
        let unit = &mut with.generators[generator];
        (unit.pmin_pu, unit.pmax_pu) = (0.0, 0.0);
    }
    Cow::Owned(with)
}

/// The number of generators of the network itself in a network of `with_converters`.
pub(crate) fn own_generators(with_converters: &AnalysisNetwork) -> usize {
    let further = 2 * with_converters.links_in_service().count() + storage_generators(with_converters);
    with_converters.generators.len() - further
}

/// The links in service with the rows of the generators at their ends, in a network of `with_converters`.
pub(crate) fn converters(with_converters: &AnalysisNetwork) -> impl Iterator<Item = (usize, &Link, [usize; 2])> {
    let first = own_generators(with_converters);
    let links = with_converters.links_in_service().enumerate();
    links.map(move |(k, (row, link))| (row, link, [first + 2 * k, first + 2 * k + 1]))
}

/// The number of generators that [`with_converters`] adds to a network.
pub fn further_generators(network: &AnalysisNetwork) -> usize {
    2 * network.links_in_service().count() + network.storages_injecting().count()
}

/// Active and reactive power of each link, per unit by dense row, zero for links out of service: the active power that it
/// takes at its from end and that it delivers at its to end, and the reactive power that it injects at both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkPower {
    pub active: [f64; 2],
    pub reactive: [f64; 2],
}

impl LinkPower {
    /// The powers of all links of a network, from the outputs of its generators and converters.
    pub fn of_outputs(network: &AnalysisNetwork, output: &[f64], output_q: &[f64]) -> Vec<Self> {
        let mut powers = vec![Self::default(); network.links.len()];
        for (k, (row, _)) in network.links_in_service().enumerate() {
            let [from, to] = [0, 1].map(|end| network.generators.len() + 2 * k + end);
            powers[row] = Self {
                // Of two zeros, the positive one.
                active: [0.0 - output[from], output[to] + 0.0],
                reactive: [output_q[from], output_q[to]],
            };
        }
        powers
    }

    /// Adds the outputs of the converters of all links in service, and the held powers of storage units, to those of the generators of a
    /// network.
    pub fn extend_outputs(network: &AnalysisNetwork, powers: &[Self], output: &mut Vec<f64>, output_q: &mut Vec<f64>) {
        for (row, _) in network.links_in_service() {
            let Self { active, reactive } = powers[row];
            output.extend([-active[0], active[1]]);
            output_q.extend(reactive);
        }
        for (_, storage) in network.storages_injecting() {
            output.push(storage.p_pu);
            output_q.push(storage.q_pu);
        }
    }
}

/// The reference to a generator of a network of `with_converters`: to the link of a converter, or to a storage unit.
pub(crate) fn unit_ref(with_converters: &AnalysisNetwork, row: usize) -> ElementRef {
    if let Some(storage) = storage_of(with_converters, row) {
        return storage;
    }
    let mut links = converters(with_converters);
    match links.find(|(_, _, ends)| ends.contains(&row)) {
        Some((_, link, _)) => ElementRef::from(link),
        None => {
            let unit = &with_converters.generators[row];
            ElementRef::from(unit)
        }
    }
}
