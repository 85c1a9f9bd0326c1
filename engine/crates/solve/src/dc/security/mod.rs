//! Security: limits after outages, enforced at a price, on top of the DC OPF.
//!
//! After an outage the flow of a line is a weighted sum of the flows before it, so a limit after an outage is a row of
//! the program like that of a line (`model::combined_rows`). Rows are lazy: the optimum is screened over all pairs of a
//! line and an outage, the worst pair of each line and direction joins the pool, and the program is solved again until
//! no pair is violated (Ardakani and Bouffard, IEEE Trans. Power Syst. 28 (2013)). The result is therefore the optimum
//! over all pairs, and the last screening is part of its certificate.
//!
//! Limits of interfaces, on weighted sums of flows before outages or after one, are rows of the same kind. After the
//! outage of a generator, whose output the others replace by fixed shares, its output is part of the row.
//!
//! A limit may be exceeded at a price. Its excess is shared by all outages of the line, so that the shadow prices of a
//! line sum to the penalty at most; an excess per pair would charge it once per outage.

mod least_excess;
mod outages;
mod raising;
mod screening;
mod units;

use crate::dc::directions::{is_circulating, optimum_by_directions};
use crate::dc::dual_active_set::DualActiveSet;
use crate::dc::model::combined_rows::{Followed, NewExcess, NewRow};
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use crate::dc::result::DcSolution;
use crate::vocabulary::{Direction, InterfaceBound};
pub use least_excess::{Exceeded, LeastExcess};
use outages::OutagesOut;
pub use raising::RaisedLimit;
use screening::Violation;
use std::collections::BTreeMap;
use std::sync::Arc;
use units::UnitsOut;
use wattbook_network::analysis::{ElementRef, OutageIds};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_sparse::Descent;

/// Rounds of screening, each of which adds at least one pair.
const ROUNDS: usize = 60;
/// Steps along a direction without an end are examined this far, in terms of the largest power that the network can
/// move.
const FAR: f64 = 4.0;
/// Violations below this are within the tolerance of the rows, per unit.
const TOLERANCE: f64 = 2e-8;

/// A limit that follows the rating of its branch: `rate * rating + constant`, per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitRule {
    pub rate: f64,
    pub constant: f64,
}

impl LimitRule {
    /// The rating itself.
    pub const RATING: Self = Self {
        rate: 1.0,
        constant: 0.0,
    };

    /// The limit for a rating.
    pub fn at(self, rating: f64) -> f64 {
        (self.rate * rating + self.constant).max(0.0)
    }
}

/// Branches and generators that are out of service together, by dense row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contingency {
    pub branches: Vec<usize>,
    pub generators: Vec<usize>,
}

impl Contingency {
    /// The ids of the elements in a model of the network.
    pub fn ids(&self, network: &DcModel) -> OutageIds {
        let of = |rows: &[usize], ids: &[ElementRef]| rows.iter().map(|&row| ids[row].id).collect();
        OutageIds {
            branches: of(&self.branches, &network.branch_ids),
            generators: of(&self.generators, &network.gen_ids),
        }
    }
}

/// What is secured, by dense branch row; prices in $/h per unit.
#[derive(Clone, Debug, Default)]
pub struct SecurityLimits {
    pub outages: Vec<Contingency>,
    /// By generator, the factor by which it participates in replacing the output of others; only their ratios within an
    /// island count.
    pub participation: Vec<f64>,
    /// By branch, its limit after outages; `None` where it is not monitored.
    pub after_outages: Vec<Option<LimitRule>>,
    /// The price of exceeding limits after outages; `None` where they are hard.
    pub penalty: Option<f64>,
    /// The price of exceeding ratings before outages, of the branches that have one; `None` where ratings are hard.
    pub base_penalty: Option<f64>,
    /// By branch, whether its rating may be exceeded at that price.
    pub soft_ratings: Vec<bool>,
    pub interfaces: Vec<Interface>,
    /// The price of exceeding limits of interfaces; `None` where they are hard.
    pub interface_penalty: Option<f64>,
}

/// Limits on a weighted sum of flows, each at the from end of its branch, per unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    pub name: String,
    /// Dense branch rows and weights.
    pub flows: Vec<(usize, f64)>,
    pub lower: f64,
    pub upper: f64,
    /// Empty before outages.
    pub outage: Contingency,
}

/// A limit with one excess: of a line before outages, of a line after any outage, or of an interface, by its index. The
/// limit of lost load, by its index, is the demand of the bus and cannot be exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Limit {
    Rating(usize),
    AfterOutages(usize),
    Interface(usize),
    LostLoad(usize),
}

/// A limit in one direction, after an outage or before any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    limit: Limit,
    /// Index into `SecurityLimits::outages`, for a line after one.
    outage: Option<usize>,
    is_upper: bool,
}

/// A weighted sum of flows of lines and outputs of generators.
#[derive(Clone, Debug, Default)]
struct Sum {
    flows: Vec<(usize, f64)>,
    units: Vec<(usize, f64)>,
}

/// A pair as a row: the sum that must stay below its limit.
#[derive(Clone, Debug)]
struct PairRow {
    pair: Pair,
    sum: Sum,
}

/// Security of a network, prepared for screening.
#[derive(Clone, Debug)]
pub struct Security {
    limits: SecurityLimits,
    /// Outages of branches alone.
    outages: Arc<OutagesOut>,
    /// Outages with generators.
    units: UnitsOut,
    /// Lines of the model that are monitored after outages.
    monitored: Vec<usize>,
    /// Lines of the model whose rating may be exceeded.
    soft: Vec<usize>,
    /// By interface, its flow in terms of flows and outputs before outages.
    interfaces: Vec<Sum>,
    /// Buses whose demand may be lost, and the generators that stand for it.
    lost_loads: Vec<(usize, usize)>,
    tree: Descent,
}

/// The rows that screenings have added to a program.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    rows: Vec<PairRow>,
    /// Rounds of screening.
    pub rounds: usize,
    /// Largest violation of a limit over all pairs, per unit.
    pub worst_violation: f64,
}

/// The optimum of a secured network.
#[derive(Clone, Debug)]
pub struct Secured {
    /// The program with the rows of the pool; its first rows are those of the network.
    pub program: Arc<DcModel>,
    pub solution: DcSolution,
    pub pool: Pool,
}

/// A limit after an outage, or a soft rating, that has a shadow price or an excess; per unit by dense branch row.
#[derive(Clone, Debug, PartialEq)]
pub struct BindingPair {
    pub branch: usize,
    /// Index into `SecurityLimits::outages`; `None` for a rating before outages.
    pub outage: Option<usize>,
    /// At the from end of the branch.
    pub flow: f64,
    pub limit: f64,
    /// Shared by all pairs of the branch.
    pub excess: f64,
    /// $/h per unit, at least zero.
    pub shadow: f64,
}

/// The state of an interface, per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InterfaceState {
    pub flow: f64,
    pub excess: f64,
    /// $/h per unit, positive at the upper limit and negative at the lower one.
    pub shadow: f64,
}

impl Security {
    /// Prepares the outages of a network, by one solve each.
    ///
    /// # Errors
    /// `INPUT.REQUEST` for an outage of too many branches at once or of generators in several islands, and for an
    /// interface with a branch without impedance or with an outage that splits an island or has no other generator.
    pub fn new(model: &DcModel, limits: SecurityLimits) -> Result<Self> {
        let line_of = |branch: usize| {
            let l = model.line_of_branch.get(branch).copied().flatten()?;
            let line = &model.lines[l];
            (line.b != 0.0 && line.merged.is_none() && line.tie.is_none()).then_some(l)
        };
        let tree = Descent::new(model.laplacian());
        let interfaces = limits.interfaces.iter();
        let interfaces = interfaces.map(|interface| sum_of(model, &tree, interface, &limits.participation, line_of));
        let interfaces = interfaces.collect::<Result<_>>()?;
        let requested = || limits.outages.iter().enumerate();
        let of_branches = requested().filter(|(_, out)| out.generators.is_empty());
        let of_branches: Vec<(usize, &[usize])> = of_branches.map(|(k, out)| (k, &out.branches[..])).collect();
        let of_units: Vec<(usize, &Contingency)> = requested().filter(|(_, out)| !out.generators.is_empty()).collect();
        let outages = OutagesOut::new(model, &tree, &of_branches, line_of)?;
        let units = UnitsOut::new(model, &tree, &of_units, &limits.participation, line_of)?;
        let monitored = limits.after_outages.iter().enumerate();
        let monitored = monitored.filter_map(|(branch, rule)| rule.and(line_of(branch)));
        let soft = limits.soft_ratings.iter().enumerate();
        let soft = soft.filter(|(_, is_soft)| limits.base_penalty.is_some() && **is_soft);
        Ok(Self {
            interfaces,
            outages: Arc::new(outages),
            units,
            lost_loads: model.lost_loads().to_vec(),
            monitored: monitored.collect(),
            soft: soft.filter_map(|(branch, _)| line_of(branch)).collect(),
            tree,
            limits,
        })
    }

    pub fn limits(&self) -> &SecurityLimits {
        &self.limits
    }

    /// Outages that split an island, outages of branches that take no part or have no impedance, and outages of
    /// generators that take no part or that no other generator replaces, as indices into `SecurityLimits::outages`.
    pub fn left_out(&self) -> [Vec<usize>; 3] {
        let splitting = [&self.outages.splitting[..], self.units.splitting()].concat();
        let idle = [&self.outages.idle[..], self.units.idle()].concat();
        [splitting, idle, self.units.left_out.clone()]
    }

    /// Number of outages that are secured.
    pub fn count(&self) -> usize {
        self.outages.len() + self.units.len()
    }

    /// Number of branches that are monitored after outages.
    pub fn monitored(&self) -> usize {
        self.monitored.len()
    }

    /// The optimum at data of the network; `from` is another optimum of the same security, whose rows and active set
    /// are the start. It is a function of the data and of `from`.
    ///
    /// # Errors
    /// Those of `optimum_by_directions`; `SOLVE.NOT_CONVERGED` if violated pairs are left after the last round.
    pub fn optimum(
        &self,
        network: &DcModel,
        data: &DcData,
        from: Option<(&Arc<DcModel>, &DcSolution, &Pool)>,
    ) -> Result<Secured> {
        let (mut rows, mut program, mut solution) = match from {
            Some((program, solution, pool)) => {
                let limited = self.with_limits(data, &pool.rows);
                match DualActiveSet.optimum(program, &limited, Some(solution)) {
                    Ok(solution) => (pool.rows.clone(), Arc::clone(program), solution),
                    Err(error) if is_circulating(&error) => return self.optimum(network, data, None),
                    Err(error) => return Err(error),
                }
            }
            None => {
                let (directed, solution) = optimum_by_directions(network, &self.with_limits(data, &[]))?;
                let program = directed.unwrap_or_else(|| network.clone());
                (Vec::new(), Arc::new(program), solution)
            }
        };
        for rounds in 1..=ROUNDS {
            let excess = excesses(&program, &rows, |j| solution.p[j]);
            let found = self.screen(network, data, (&solution.flow, &solution.dispatch), &excess);
            let new = new_pairs(&found, &rows);
            if new.is_empty() {
                let pool = Pool {
                    rows,
                    rounds,
                    worst_violation: found.iter().fold(0.0f64, |most, v| most.max(v.beyond)),
                };
                return Ok(Secured {
                    program,
                    solution,
                    pool,
                });
            }
            rows.extend(new.into_iter().map(|pair| self.row(network, pair)));
            let (extended, limited) = (self.program(network, &rows), self.with_limits(data, &rows));
            // From the optimum before; cold if a link has a direction, or that start does not lead to the optimum.
            let warm = program.directed_links().is_empty().then(|| {
                let before = solution.extended(&extended, limited.clone());
                DualActiveSet.optimum(&extended, &limited, Some(&before))
            });
            (program, solution) = match warm {
                Some(Ok(found)) => (Arc::new(extended), found),
                _ => {
                    let (directed, found) = optimum_by_directions(&extended, &limited)?;
                    (Arc::new(directed.unwrap_or(extended)), found)
                }
            };
        }
        let message = message!("solve.not_converged", cause = message!("stall.screening"));
        Err(EngineError::new("SOLVE.NOT_CONVERGED", message))
    }

    /// An optimum in a program with the rows of every pair that breaks inside its interval along a direction, so that
    /// derivatives along it are exact in the whole interval. `data` and the direction are those of the network.
    ///
    /// Inside a region values are affine, so a pair that breaks before its end is violated at the end: one screening
    /// there replaces a ratio test over all pairs.
    pub fn along(&self, network: &DcModel, data: &DcData, mut at: Secured, direction: &Direction) -> Secured {
        // The optimum of a directed program has derivatives, but no interval.
        if !at.program.directed_links().is_empty() {
            return at;
        }
        let own = of_network(direction, network);
        for _ in 0..ROUNDS {
            let (program, solution) = (&at.program, &at.solution);
            let column = solution.derivative(program, &program.with_following(&own));
            let far = FAR * program.capacity.max(1.0);
            let (lower, upper) = column.warrant.interval();
            let ends = [lower.max(-far), upper.min(far)]
                .into_iter()
                .filter(|step| *step != 0.0);
            let vertices = ends.map(|step| {
                let mut dispatch = solution.dispatch.clone();
                for &(generator, rate) in &column.dispatch {
                    dispatch[generator] += step * rate;
                }
                (step, dispatch)
            });
            match self.beyond(network, data, &at, &own, vertices) {
                Some(further) => at = further,
                None => break,
            }
        }
        at
    }

    /// An optimum in a program with the rows of every pair that breaks at the vertices of a path along a direction;
    /// `None` if none breaks. Flows and limits are affine between vertices, so that the path is then secure. A vertex is
    /// a step and the output of every generator of a program with the rows of the pool or fewer.
    pub fn beyond(
        &self,
        network: &DcModel,
        data: &DcData,
        at: &Secured,
        direction: &Direction,
        vertices: impl Iterator<Item = (f64, Vec<f64>)>,
    ) -> Option<Secured> {
        let (program, rows) = (&at.program, &at.pool.rows);
        let own = of_network(direction, network);
        let mut new: Vec<Pair> = Vec::new();
        for (step, dispatch) in vertices {
            let moved = data.moved(&own, step);
            let (_, flow) = network.at(&own, step).angles_and_flows(&moved.demand, &dispatch);
            let output = |j: usize| dispatch.get(program.columns[j].generator).copied().unwrap_or(0.0);
            let found = self.screen(network, &moved, (&flow, &dispatch), &excesses(program, rows, output));
            for pair in new_pairs(&found, rows) {
                if !new.contains(&pair) {
                    new.push(pair);
                }
            }
        }
        (!new.is_empty()).then(|| self.with_pairs(network, data, at, new))
    }

    /// An optimum in a program with the row of a limit of an interface, so that derivatives by it know the row before it
    /// binds; `None` if the program has the row.
    pub fn with_interface(
        &self,
        network: &DcModel,
        data: &DcData,
        at: &Secured,
        (interface, limit): (usize, InterfaceBound),
    ) -> Option<Secured> {
        let pair = Pair {
            limit: Limit::Interface(interface),
            outage: None,
            is_upper: limit == InterfaceBound::Upper,
        };
        let is_new = at.pool.rows.iter().all(|row| row.pair != pair);
        is_new.then(|| self.with_pairs(network, data, at, vec![pair]))
    }

    /// An optimum in a program with the rows of further pairs.
    fn with_pairs(&self, network: &DcModel, data: &DcData, at: &Secured, new: Vec<Pair>) -> Secured {
        let mut pool = at.pool.clone();
        pool.rows.extend(new.into_iter().map(|pair| self.row(network, pair)));
        let program = Arc::new(self.program(network, &pool.rows));
        let solution = at.solution.extended(&program, self.with_limits(data, &pool.rows));
        Secured {
            program,
            solution,
            pool,
        }
    }

    /// Data of the network with the limits of the rows of a pool, and without ratings that may be exceeded.
    fn with_limits(&self, data: &DcData, rows: &[PairRow]) -> DcData {
        let mut limited = data.clone();
        for &l in &self.soft {
            limited.rating[self.outages.row_of(l)] = f64::INFINITY;
        }
        let limits = rows
            .iter()
            .map(|row| self.value(data, row.pair.limit, row.pair.is_upper));
        limited.rating.extend(limits);
        limited
    }

    /// The branch row whose rating a limit follows, and the rule; `None` for an interface.
    fn rule(&self, limit: Limit) -> Option<(usize, LimitRule)> {
        match limit {
            Limit::Rating(line) => Some((self.outages.row_of(line), LimitRule::RATING)),
            Limit::AfterOutages(line) => {
                let row = self.outages.row_of(line);
                Some((row, self.limits.after_outages[row]?))
            }
            Limit::Interface(_) | Limit::LostLoad(_) => None,
        }
    }

    /// A limit in one direction at data of the network, per unit.
    fn value(&self, data: &DcData, limit: Limit, is_upper: bool) -> f64 {
        match (limit, self.rule(limit)) {
            (Limit::LostLoad(i), _) => data.demand[self.lost_loads[i].0].max(0.0),
            (_, Some((row, rule))) => rule.at(data.rating[row]),
            (Limit::Interface(i), None) if is_upper => self.limits.interfaces[i].upper,
            (Limit::Interface(i), None) => -self.limits.interfaces[i].lower,
            (_, None) => f64::INFINITY,
        }
    }

    /// The price of exceeding a limit; `None` if it cannot be exceeded.
    fn penalty(&self, limit: Limit) -> Option<f64> {
        match limit {
            Limit::Rating(_) => self.limits.base_penalty,
            Limit::AfterOutages(_) => self.limits.penalty,
            Limit::Interface(_) => self.limits.interface_penalty,
            Limit::LostLoad(_) => None,
        }
    }

    /// The element that has a limit.
    fn element(&self, network: &DcModel, limit: Limit) -> ElementRef {
        match limit {
            Limit::Rating(line) | Limit::AfterOutages(line) => network.element_of_line(line).clone(),
            Limit::LostLoad(i) => network.bus_ids[self.lost_loads[i].0].clone(),
            Limit::Interface(i) => {
                let Interface { name, outage, .. } = &self.limits.interfaces[i];
                ElementRef::interface(i, name.clone()).after(outage.ids(network))
            }
        }
    }

    /// The row of a pair.
    fn row(&self, network: &DcModel, pair: Pair) -> PairRow {
        let mut sum = match pair.limit {
            Limit::Rating(line) | Limit::AfterOutages(line) => Sum {
                flows: vec![(line, 1.0)],
                units: Vec::new(),
            },
            Limit::Interface(i) => self.interfaces[i].clone(),
            Limit::LostLoad(i) => Sum {
                flows: Vec::new(),
                units: vec![(self.lost_loads[i].1, 1.0)],
            },
        };
        if let (Limit::AfterOutages(line), Some(outage)) = (pair.limit, pair.outage) {
            sum.flows.extend(self.outages.weights(network, outage, line));
            self.units.add_terms(network, outage, &mut sum);
        }
        if !pair.is_upper {
            let terms = sum.flows.iter_mut().chain(&mut sum.units);
            terms.for_each(|(_, weight)| *weight = -*weight);
        }
        PairRow { pair, sum }
    }

    /// The flow of an interface from the flows of the network by branch row and outputs by generator, per unit.
    fn interface_flow(&self, i: usize, (flow, dispatch): (&[f64], &[f64])) -> f64 {
        let Sum { flows, units } = &self.interfaces[i];
        let lines = flows.iter().map(|&(l, weight)| weight * flow[self.outages.row_of(l)]);
        let units = units.iter().map(|&(generator, weight)| weight * dispatch[generator]);
        lines.chain(units).sum()
    }

    /// The program of a network with the rows of a pool.
    fn program(&self, network: &DcModel, rows: &[PairRow]) -> DcModel {
        // The excesses, in the order in which their limits were met.
        let mut shared: Vec<Limit> = Vec::new();
        let mut excesses: Vec<NewExcess> = Vec::new();
        for PairRow { pair, .. } in rows {
            let penalty = self.penalty(pair.limit).filter(|_| !shared.contains(&pair.limit));
            if let Some(penalty) = penalty {
                shared.push(pair.limit);
                excesses.push(NewExcess {
                    element: self.element(network, pair.limit),
                    penalty,
                });
            }
        }
        let row = |PairRow { pair, sum }: &PairRow| {
            let element = self.element(network, pair.limit);
            let out = pair.outage.map(|k| &self.limits.outages[k]);
            NewRow {
                element: match out {
                    Some(out) => element.after(out.ids(network)),
                    None => element,
                },
                flows: sum.flows.clone(),
                units: sum.units.clone(),
                excess: shared.iter().position(|limit| *limit == pair.limit),
                follows: match pair.limit {
                    Limit::LostLoad(i) => Some((Followed::Demand(self.lost_loads[i].0), 1.0)),
                    Limit::Interface(i) if pair.is_upper => Some((Followed::Interface(i, InterfaceBound::Upper), 1.0)),
                    Limit::Interface(i) => Some((Followed::Interface(i, InterfaceBound::Lower), -1.0)),
                    limit => self.rule(limit).map(|(row, rule)| (Followed::Rating(row), rule.rate)),
                },
            }
        };
        let rows: Vec<NewRow> = rows.iter().map(row).collect();
        network.with_combinations(&excesses, &rows)
    }
}

/// A direction restricted to the branch rows of the network.
fn of_network(direction: &Direction, network: &DcModel) -> Direction {
    let mut own = direction.clone();
    own.rating.retain(|(row, _)| *row < network.n_branch);
    own
}

/// The flow of an interface in terms of flows and outputs before outages. Branches out of service carry none.
fn sum_of(
    model: &DcModel,
    tree: &Descent,
    interface: &Interface,
    participation: &[f64],
    line_of: impl Fn(usize) -> Option<usize> + Copy,
) -> Result<Sum> {
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    let of_interface = |message| Err(EngineError::new("INPUT.REQUEST", message));
    for &(branch, weight) in &interface.flows {
        let Some(l) = line_of(branch) else {
            if model.line_of_branch.get(branch).copied().flatten().is_none() {
                continue;
            }
            let element = &model.branch_ids[branch];
            return of_interface(message!(
                "security.interface_branch",
                name = &interface.name,
                branch = element
            ));
        };
        *weights.entry(l).or_default() += weight;
    }
    let Contingency { branches, generators } = &interface.outage;
    if !branches.is_empty() {
        let out = OutagesOut::new(model, tree, &[(0, branches)], line_of)?;
        if !out.splitting.is_empty() {
            return of_interface(message!("security.interface_outage", name = &interface.name));
        }
        // A branch out of service carries no flow, whether its outage moves other flows or not.
        weights.retain(|l, _| !branches.iter().any(|&branch| line_of(branch) == Some(*l)));
        for (l, weight) in weights.clone() {
            for (line, share) in out.weights(model, 0, l) {
                *weights.entry(line).or_default() += weight * share;
            }
        }
    }
    let mut sum = Sum {
        flows: weights.into_iter().filter(|(_, weight)| *weight != 0.0).collect(),
        units: Vec::new(),
    };
    if !generators.is_empty() {
        let out = Contingency {
            branches: Vec::new(),
            generators: generators.clone(),
        };
        let units = UnitsOut::new(model, tree, &[(0, &out)], participation, line_of)?;
        if !units.left_out.is_empty() {
            return of_interface(message!("security.interface_units", name = &interface.name));
        }
        units.add_terms(model, 0, &mut sum);
    }
    Ok(sum)
}

/// The violated pairs without a row.
fn new_pairs(found: &[Violation], rows: &[PairRow]) -> Vec<Pair> {
    let is_new = |v: &&Violation| v.beyond > TOLERANCE && !rows.iter().any(|row| row.pair == v.pair);
    found.iter().filter(is_new).map(|v| v.pair).collect()
}

/// The excess of each limit with a row, per unit, from the output of columns.
fn excesses(program: &DcModel, rows: &[PairRow], output: impl Fn(usize) -> f64) -> BTreeMap<Limit, f64> {
    let first = program.combinations().start;
    let of_row = |(k, row): (usize, &PairRow)| {
        let excess = program.excess_column(first + k).map_or(0.0, &output);
        (row.pair.limit, excess)
    };
    rows.iter().enumerate().map(of_row).collect()
}

impl Security {
    /// Limits of lines with a shadow price or an excess, in the order of their branches.
    pub fn binding(&self, program: &DcModel, solution: &DcSolution, pool: &Pool) -> Vec<BindingPair> {
        let first = program.combinations().start;
        let of_pair = |(k, PairRow { pair, .. }): (usize, &PairRow)| {
            let (branch, _) = self.rule(pair.limit)?;
            let line = &program.lines[first + k];
            let shadow = solution.shadow[line.row].max(0.0);
            let excess = program.excess_column(first + k).map_or(0.0, |j| solution.p[j]);
            let value = solution.flow[line.row] + excess;
            let limit = solution.data.rating[line.row];
            let is_exceeded = excess > TOLERANCE && value > limit + TOLERANCE;
            (shadow > 0.0 || is_exceeded).then(|| BindingPair {
                branch,
                outage: pair.outage,
                flow: if pair.is_upper { value } else { -value },
                limit,
                excess,
                shadow,
            })
        };
        let mut found: Vec<BindingPair> = pool.rows.iter().enumerate().filter_map(of_pair).collect();
        found.sort_by_key(|pair| (pair.branch, pair.outage));
        found
    }

    /// The state of every interface, in the order of the request.
    pub fn interfaces(&self, program: &DcModel, solution: &DcSolution, pool: &Pool) -> Vec<InterfaceState> {
        let first = program.combinations().start;
        let state = |i: usize| {
            let rows = pool.rows.iter().enumerate();
            let own = rows.filter(|(_, row)| row.pair.limit == Limit::Interface(i));
            let mut state = InterfaceState {
                flow: self.interface_flow(i, (&solution.flow, &solution.dispatch)),
                excess: 0.0,
                shadow: 0.0,
            };
            for (k, row) in own {
                let shadow = solution.shadow[program.lines[first + k].row].max(0.0);
                state.shadow += if row.pair.is_upper { shadow } else { -shadow };
                state.excess = program.excess_column(first + k).map_or(0.0, |j| solution.p[j]);
            }
            state
        };
        (0..self.interfaces.len()).map(state).collect()
    }
}

impl DcModel {
    /// Penalties for limits that are exceeded, $/h, and the sum of the excesses, per unit.
    pub fn penalties(&self, solution: &DcSolution) -> (f64, f64) {
        let columns = self.columns.iter().zip(&solution.p);
        let of_excess = columns.filter(|(column, _)| column.is_excess());
        of_excess.fold((0.0, 0.0), |(cost, sum), (column, p)| (cost + column.c * p, sum + p))
    }
}
