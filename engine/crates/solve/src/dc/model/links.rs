//! HVDC links and storage units as columns of the DC program (docs/method/dc-opf.md, section 1).
//!
//! A link takes the power `p` at one bus and delivers `(1 - loss) p` at another, so its column has two entries. It is
//! represented by two columns of one entry each, as in MATPOWER's `toggle_dcline`: one at either end, at *terminals*,
//! which are further buses at the nodes of its ends, and a row that ties them, `(1 - loss) p_from + p_to = 0`. The price
//! of a terminal is the price of its bus and what the tie adds to it. A link with a proportional loss that can be
//! reversed has such a pair for each direction, because the loss is paid at the receiving end.

use std::borrow::Cow;
use wattbook_network::analysis::{AnalysisNetwork, Branch, Bus, Cost, EnergySource, Generator, Link};
use wattbook_network::error::Result;

use crate::dc::model::DcOutline;
use crate::links::{directions, Direction, FREE};
use crate::storages::add_storages;
use crate::vocabulary;

/// The column at the delivering end has bounds beyond those that the other end implies, by this share of its range and
/// of a unit, so that it never binds. A power of two.
const BEYOND: f64 = 1.0 / 1_048_576.0;
/// The bound of lost load in terms of all demand, beyond any use: rows limit it to the demand of its bus.
const MOST_LOST: f64 = 16.0;

/// What has terminals of its own in addition to links, so that its output can be part of rows.
#[derive(Clone, Debug, Default)]
pub struct Apart {
    /// Dense rows of generators.
    pub units: Vec<usize>,
    /// Price of demand that is not served, $/h per unit; `None` where all demand is.
    pub lost_load: Option<f64>,
}

impl Apart {
    /// Rows of the buses whose demand may be lost, with the price.
    fn losing<'a>(&self, network: &'a AnalysisNetwork) -> impl Iterator<Item = (usize, f64)> + 'a {
        let price = self.lost_load;
        let buses = network.buses.iter().enumerate();
        let with_demand = buses.filter(|(_, bus)| bus.in_service && bus.demand_pu > 0.0);
        with_demand.filter_map(move |(row, _)| Some((row, price?)))
    }

    /// The number of terminals.
    pub(crate) fn count(&self, network: &AnalysisNetwork) -> usize {
        self.units.len() + self.losing(network).count()
    }
}

/// One direction of a link, by the rows that represent it in the lowered network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sending {
    /// Dense row of the link.
    pub link: usize,
    /// Whether power flows from the to end to the from end.
    pub is_reversed: bool,
    /// Delivered per sent power, `1 - loss`.
    pub share: f64,
    /// Terminals and generators at the sending and the delivering end.
    pub terminals: [usize; 2],
    pub generators: [usize; 2],
    /// Branch row of the tie; `None` if the power is fixed.
    pub tie: Option<usize>,
}

/// The end of a link that a generator of the lowered network stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkEnd {
    Sending,
    Delivering,
}

/// The links and storage units of a network in the lowered one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lowered {
    pub sendings: Vec<Sending>,
    /// By terminal, from the first one: the bus at whose node it is. Those of links are followed by those of generators
    /// whose output is part of rows (`DcOutline::with_apart`).
    pub hosts: Vec<usize>,
    /// Constant loss by link, per unit, which the to end withdraws.
    pub loss0: Vec<f64>,
    /// Links that may have either direction and are given one, and whether it is the reverse.
    pub directed: Vec<(usize, bool)>,
    /// Buses whose demand may be lost, and the generators that stand for it.
    pub lost_loads: Vec<(usize, usize)>,
    /// Dense rows of the storage units that take part, and of the generators that stand for them, which are the last ones.
    pub storages: Vec<(usize, usize)>,
    /// Number of buses, branches and generators of the network itself.
    pub n_buses: usize,
    pub n_branches: usize,
    pub n_generators: usize,
}

impl Lowered {
    /// The end of a link that a generator stands for; `None` for a generator of the network itself.
    pub fn end_of(&self, generator: usize) -> Option<LinkEnd> {
        let column = generator.checked_sub(self.n_generators)?;
        (column < 2 * self.sendings.len()).then_some(match column % 2 {
            0 => LinkEnd::Sending,
            _ => LinkEnd::Delivering,
        })
    }

    /// Whether a generator stands for lost load.
    pub fn loses_load(&self, generator: usize) -> bool {
        // They are contiguous.
        let first = self.lost_loads.first().map_or(usize::MAX, |lost| lost.1);
        generator.checked_sub(first).is_some_and(|k| k < self.lost_loads.len())
    }

    /// The rows at the ends of the branches that tie terminals, with the share of each.
    pub fn ties(&self) -> impl Iterator<Item = (usize, [usize; 2], f64)> + '_ {
        let ties = self.sendings.iter();
        ties.filter_map(|s| Some((s.tie?, s.terminals, s.share)))
    }

    /// The dense row of a link that sends power in both directions at once.
    pub fn circulating(&self, dispatch: &[f64]) -> Option<usize> {
        let sends = |reversed: bool, link: usize| {
            let own = |s: &&Sending| s.link == link && s.is_reversed == reversed;
            let sending = self.sendings.iter().find(own)?;
            Some(-dispatch[sending.generators[0]])
        };
        let both = |&link: &usize| match (sends(false, link), sends(true, link)) {
            (Some(forward), Some(back)) => forward.min(back) > CIRCULATES,
            _ => false,
        };
        (0..self.loss0.len()).find(both)
    }

    /// Power at the from end and delivered power at the to end of each link, per unit, from the output of every
    /// generator of the lowered network; zero for links outside the model.
    pub fn powers(&self, dispatch: &[f64]) -> Vec<[f64; 2]> {
        let mut powers: Vec<[f64; 2]> = self.loss0.iter().map(|loss| [0.0, -loss]).collect();
        for s in &self.sendings {
            let (sent, delivered) = (dispatch[s.generators[0]], dispatch[s.generators[1]]);
            let [from, to] = &mut powers[s.link];
            if s.is_reversed {
                (*from, *to) = (*from - delivered, *to + sent);
            } else {
                (*from, *to) = (*from - sent, *to + delivered);
            }
        }
        // Of two zeros, the positive one.
        powers.iter().map(|p| [p[0] + 0.0, p[1] + 0.0]).collect()
    }
}

/// The network with its links in service as terminals, its storage units as generators, and what is `apart` at terminals of its own; the
/// network itself without any of these.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` for a piecewise linear cost of a link with a loss factor that can be reversed.
pub(crate) fn lowered<'a>(network: &'a AnalysisNetwork, apart: &Apart) -> Result<(Cow<'a, AnalysisNetwork>, Lowered)> {
    let mut found = Lowered {
        n_buses: network.buses.len(),
        n_branches: network.branches.len(),
        n_generators: network.generators.len(),
        loss0: vec![0.0; network.links.len()],
        ..Lowered::default()
    };
    let has_links = network.links_in_service().next().is_some();
    if !has_links && network.storages_injecting().next().is_none() && apart.count(network) == 0 {
        return Ok((Cow::Borrowed(network), found));
    }
    let mut lowered = network.clone();
    lowered.links.clear();
    for (row, link) in network.links_in_service() {
        let [forward, reversed] = directions(network, link)?;
        found.loss0[row] = link.loss0_pu;
        // The DC model withdraws shunt conductances at 1 pu in every convention.
        lowered.buses[link.to].gs_pu += link.loss0_pu;
        for (column, is_reversed) in [(forward, false), (reversed, true)] {
            if let Some(column) = column {
                add(network, &mut lowered, &mut found, (row, link), column, is_reversed);
            }
        }
    }
    for &generator in &apart.units {
        let host = network.generators[generator].bus;
        lowered.generators[generator].bus = lowered.buses.len();
        lowered.buses.push(terminal(&network.buses[host]));
        found.hosts.push(host);
    }
    let total: f64 = network.buses.iter().map(|bus| bus.demand_pu.abs()).sum();
    for (host, price) in apart.losing(network) {
        let bus = lowered.buses.len();
        lowered.buses.push(terminal(&network.buses[host]));
        found.hosts.push(host);
        found.lost_loads.push((host, lowered.generators.len()));
        lowered.generators.push(Generator {
            id: network.buses[host].id,
            uid: network.buses[host].uid.clone(),
            pmax_pu: MOST_LOST * total,
            cost: Cost::Quadratic {
                c2: 0.0,
                c1: price,
                c0: 0.0,
            },
            ..generator(bus)
        });
    }
    found.storages = add_storages(network, &mut lowered);
    Ok((Cow::Owned(lowered), found))
}

/// Power in both directions of a link, per unit, above which it circulates.
const CIRCULATES: f64 = 1e-7;

/// A limit of the power of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkLimit {
    Min,
    Max,
}

/// How the program moves with a limit of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingLink {
    /// One more unit of the limit, in terms of the columns of the link.
    pub direction: vocabulary::Direction,
    /// The values of the limit at which the link has the same columns, per unit, whatever its other limit.
    pub reach: (f64, f64),
}

impl DcOutline {
    /// How the columns of a link (dense row) move with one of its limits. `None` where its power is fixed or the link takes
    /// no part or is given a direction, and where a limit at or below zero changes which columns there are: with a constant
    /// loss or a loss factor, a limit of at least zero holds at the from end and a negative one at the to end, which may add a
    /// direction.
    pub fn moving_link(&self, row: usize, link: &Link, limit: LinkLimit) -> Option<MovingLink> {
        if self.links.directed.iter().any(|(directed, _)| *directed == row) {
            return None;
        }
        let own = || self.links.sendings.iter().filter(|s| s.link == row && s.tie.is_some());
        let forward = own().find(|s| !s.is_reversed);
        let reversed = own().find(|s| s.is_reversed);
        let is_lossless = link.loss0_pu == 0.0 && link.loss1 == 0.0;
        let value = match limit {
            LinkLimit::Min => link.pmin_pu,
            LinkLimit::Max => link.pmax_pu,
        };
        let (sending, sign, reach) = match limit {
            _ if is_lossless => (forward?, 1.0, (f64::NEG_INFINITY, f64::INFINITY)),
            _ if value >= 0.0 => (forward?, 1.0, (0.0, f64::INFINITY)),
            // The to end sends `-p - loss0`.
            LinkLimit::Min => (reversed?, -1.0, (f64::NEG_INFINITY, -link.loss0_pu)),
            LinkLimit::Max => return None,
        };
        let [sent, delivered] = sending.generators;
        let mut direction = vocabulary::Direction::default();
        // The power is the negative output at the sending end, so its largest value is the lower limit there.
        let (at_sent, at_delivered) = match (limit == LinkLimit::Max) != sending.is_reversed {
            true => (&mut direction.output_min, &mut direction.output_max),
            false => (&mut direction.output_max, &mut direction.output_min),
        };
        at_sent.push((sent, -sign));
        at_delivered.push((delivered, sign * sending.share));
        Some(MovingLink { direction, reach })
    }

    /// One more unit of the marginal cost of a link, $/h per unit of its power at the from end, in terms of its columns.
    pub fn link_cost(&self, row: usize) -> vocabulary::Direction {
        let own = self.links.sendings.iter().filter(|s| s.link == row);
        let rate = |s: &Sending| match s.is_reversed {
            // The power at the from end is `-share` times the sent power, which is the negative output.
            true => s.share,
            false => -1.0,
        };
        vocabulary::Direction {
            cost: own.map(|s| (s.generators[0], rate(s))).collect(),
            ..vocabulary::Direction::default()
        }
    }

    /// Whether a generator of the program is the delivering end of a link, whose limits follow those of the sending end.
    pub(crate) fn is_delivering(&self, generator: usize) -> bool {
        self.links.end_of(generator) == Some(LinkEnd::Delivering)
    }
}

/// The number of terminals and of ties that `lowered` adds.
pub(crate) fn sizes(network: &AnalysisNetwork) -> (usize, usize) {
    let (mut terminals, mut ties) = (0, 0);
    for (_, link) in network.links_in_service() {
        for column in directions(network, link).into_iter().flatten().flatten() {
            terminals += 2;
            ties += usize::from(column.hi > column.lo);
        }
    }
    (terminals, ties)
}

fn add(
    network: &AnalysisNetwork,
    lowered: &mut AnalysisNetwork,
    found: &mut Lowered,
    (row, link): (usize, &Link),
    column: Direction,
    is_reversed: bool,
) {
    let share = 1.0 - link.loss1;
    let ends = if is_reversed {
        [link.to, link.from]
    } else {
        [link.from, link.to]
    };
    let terminals = ends.map(|bus| {
        lowered.buses.push(terminal(&network.buses[bus]));
        found.hosts.push(bus);
        lowered.buses.len() - 1
    });
    let (lo, hi) = (column.lo, column.hi);
    let beyond = match hi > lo {
        true => BEYOND * (1.0 + hi - lo),
        false => 0.0,
    };
    let generators = [
        (terminals[0], -hi, -lo, flipped(&column.cost)),
        (terminals[1], share * lo - beyond, share * hi + beyond, FREE),
    ]
    .map(|(bus, pmin_pu, pmax_pu, cost)| {
        lowered.generators.push(Generator {
            id: link.id,
            uid: link.uid.clone(),
            pmin_pu,
            pmax_pu,
            cost,
            ..generator(bus)
        });
        lowered.generators.len() - 1
    });
    let tie = (hi > lo).then(|| {
        lowered.branches.push(tie(link, terminals));
        lowered.branches.len() - 1
    });
    found.sendings.push(Sending {
        link: row,
        is_reversed,
        share,
        terminals,
        generators,
        tie,
    });
}

/// A cost as a function of the negative power.
fn flipped(cost: &Cost) -> Cost {
    match cost {
        &Cost::Quadratic { c2, c1, c0 } => Cost::Quadratic { c2, c1: -c1, c0 },
        Cost::PiecewiseLinear { points } => Cost::PiecewiseLinear {
            points: points.iter().rev().map(|&[p, cost]| [-p, cost]).collect(),
        },
    }
}

/// A generator at a terminal, with an output of zero and no cost.
fn generator(bus: usize) -> Generator {
    Generator {
        id: 0,
        uid: None,
        bus,
        in_service: true,
        pg_pu: 0.0,
        qg_pu: 0.0,
        pmin_pu: 0.0,
        pmax_pu: 0.0,
        qmin_pu: 0.0,
        qmax_pu: 0.0,
        vset_pu: 1.0,
        regulates_voltage: false,
        regulated_bus: None,
        cost: FREE,
        has_cost: true,
        energy_source: EnergySource::Other,
    }
}

/// A bus without demand at the node of another.
fn terminal(host: &Bus) -> Bus {
    Bus {
        editable: false,
        is_reference: false,
        is_pv: false,
        demand_pu: 0.0,
        demand_q_pu: 0.0,
        constant_current_pu: [0.0; 2],
        constant_impedance_pu: [0.0; 2],
        gs_pu: 0.0,
        bs_pu: 0.0,
        ..host.clone()
    }
}

/// The row of a tie among the branches. It carries no flow; `DcOutline` makes a line of its own kind of it.
fn tie(link: &Link, [from, to]: [usize; 2]) -> Branch {
    Branch {
        id: link.id,
        uid: link.uid.clone(),
        name: link.name.clone(),
        is_switch: false,
        from,
        to,
        r_pu: 0.0,
        x_pu: 0.0,
        shunt_from_pu: [0.0; 2],
        shunt_to_pu: [0.0; 2],
        tap: 1.0,
        shift_rad: 0.0,
        in_service: true,
        editable: false,
        angle_min_rad: f64::NEG_INFINITY,
        angle_max_rad: f64::INFINITY,
        angle_limits_about_shift: false,
        angle_limits_assumed: false,
        rating_pu: f64::INFINITY,
        rating_is_fallback: true,
        emergency_ratings_pu: [None; 2],
        route: None,
    }
}
