//! Security: limits after outages, enforced at a price, on top of the DC OPF.
//!
//! After an outage the flow of a line is a weighted sum of the flows before it, so a limit after an outage is a row of
//! the program like that of a line (`model::combined_rows`). Rows are lazy: the optimum is screened over all pairs of a
//! line and an outage, the worst pair of each line and direction joins the pool, and the program is solved again until
//! no pair is violated (Ardakani and Bouffard, IEEE Trans. Power Syst. 28 (2013)). The result is therefore the optimum
//! over all pairs, and the last screening is part of its certificate.
//!
//! A limit may be exceeded at a price. Its excess is shared by all outages of the line, so that the shadow prices of a
//! line sum to the penalty at most; an excess per pair would charge it once per outage.

mod outages;
mod screening;

use crate::dc::directions::{is_circulating, optimum_by_directions};
use crate::dc::dual_active_set::DualActiveSet;
use crate::dc::model::combined_rows::{NewExcess, NewRow};
use crate::dc::model::{DcData, DcModel};
use crate::dc::optimize::DcOptimizer;
use crate::dc::result::DcSolution;
use crate::vocabulary::Direction;
use outages::OutagesOut;
use screening::Violation;
use std::collections::BTreeMap;
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

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

    fn at(self, rating: f64) -> f64 {
        (self.rate * rating + self.constant).max(0.0)
    }
}

/// What is secured, by dense branch row; prices in $/h per unit.
#[derive(Clone, Debug, Default)]
pub struct SecurityLimits {
    /// Branches out of service together.
    pub outages: Vec<Vec<usize>>,
    /// By branch, its limit after outages; `None` where it is not monitored.
    pub after_outages: Vec<Option<LimitRule>>,
    /// The price of exceeding limits after outages.
    pub penalty: f64,
    /// The price of exceeding ratings before outages, of the branches that have one; `None` where ratings are hard.
    pub base_penalty: Option<f64>,
    /// By branch, whether its rating may be exceeded at that price.
    pub soft_ratings: Vec<bool>,
}

/// The limit of a line before outages, or that after any outage, with one excess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Limit {
    line: usize,
    is_after_outage: bool,
}

/// A line in one direction, after an outage or before any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    line: usize,
    /// Index into the outages.
    outage: Option<usize>,
    is_upper: bool,
}

impl Pair {
    fn limit(&self) -> Limit {
        Limit {
            line: self.line,
            is_after_outage: self.outage.is_some(),
        }
    }
}

/// A pair as a row: the sum of flows that must stay below its limit.
#[derive(Clone, Debug)]
struct PairRow {
    pair: Pair,
    flows: Vec<(usize, f64)>,
}

/// Security of a network, prepared for screening.
#[derive(Clone, Debug)]
pub struct Security {
    limits: SecurityLimits,
    outages: OutagesOut,
    /// Lines of the model that are monitored after outages.
    monitored: Vec<usize>,
    /// Lines of the model whose rating may be exceeded.
    soft: Vec<usize>,
    work: usize,
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

impl Security {
    /// Prepares the outages of a network, by one solve each.
    ///
    /// # Errors
    /// `INPUT.REQUEST` for an outage of too many branches at once.
    pub fn new(model: &DcModel, limits: SecurityLimits) -> Result<Self> {
        let line_of = |branch: usize| {
            let l = model.line_of_branch.get(branch).copied().flatten()?;
            let line = &model.lines[l];
            (line.b != 0.0 && line.merged.is_none() && line.tie.is_none()).then_some(l)
        };
        let monitored = limits.after_outages.iter().enumerate();
        let monitored = monitored.filter_map(|(branch, rule)| rule.and(line_of(branch)));
        let soft = limits.soft_ratings.iter().enumerate();
        let soft = soft.filter(|(_, is_soft)| limits.base_penalty.is_some() && **is_soft);
        Ok(Self {
            outages: OutagesOut::new(model, &limits.outages, line_of)?,
            monitored: monitored.collect(),
            soft: soft.filter_map(|(branch, _)| line_of(branch)).collect(),
            work: 16 * (model.n_bus + model.lines.len()),
            limits,
        })
    }

    pub fn limits(&self) -> &SecurityLimits {
        &self.limits
    }

    /// Outages that split an island, and outages of branches that take no part or have no impedance, as indices into
    /// `SecurityLimits::outages`.
    pub fn left_out(&self) -> (&[usize], &[usize]) {
        (&self.outages.splitting, &self.outages.idle)
    }

    /// Number of outages that are secured.
    pub fn count(&self) -> usize {
        self.outages.len()
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
            let found = self.screen(network, data, &solution.flow, &excess);
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
            let extended = self.program(network, &rows);
            let (directed, found) = optimum_by_directions(&extended, &self.with_limits(data, &rows))?;
            (program, solution) = (Arc::new(directed.unwrap_or(extended)), found);
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
            let found = self.screen(network, &moved, &flow, &excesses(program, rows, output));
            for pair in new_pairs(&found, rows) {
                if !new.contains(&pair) {
                    new.push(pair);
                }
            }
        }
        if new.is_empty() {
            return None;
        }
        let mut pool = at.pool.clone();
        pool.rows.extend(new.into_iter().map(|pair| self.row(network, pair)));
        let program = Arc::new(self.program(network, &pool.rows));
        let solution = at.solution.extended(&program, self.with_limits(data, &pool.rows));
        Some(Secured {
            program,
            solution,
            pool,
        })
    }

    /// Data of the network with the limits of the rows of a pool, and without ratings that may be exceeded.
    fn with_limits(&self, data: &DcData, rows: &[PairRow]) -> DcData {
        let mut limited = data.clone();
        for &l in &self.soft {
            limited.rating[self.outages.row_of(l)] = f64::INFINITY;
        }
        let limits = rows.iter().map(|row| self.value(data, row.pair.limit()));
        limited.rating.extend(limits);
        limited
    }

    fn rule(&self, limit: Limit) -> LimitRule {
        let row = self.outages.row_of(limit.line);
        let after = self.limits.after_outages[row].filter(|_| limit.is_after_outage);
        after.unwrap_or(LimitRule::RATING)
    }

    /// A limit at data of the network, per unit.
    fn value(&self, data: &DcData, limit: Limit) -> f64 {
        self.rule(limit).at(data.rating[self.outages.row_of(limit.line)])
    }

    /// The row of a pair.
    fn row(&self, network: &DcModel, pair: Pair) -> PairRow {
        let sign = if pair.is_upper { 1.0 } else { -1.0 };
        let mut flows = vec![(pair.line, sign)];
        if let Some(outage) = pair.outage {
            let weights = self.outages.weights(network, outage, pair.line);
            flows.extend(weights.into_iter().map(|(line, weight)| (line, sign * weight)));
        }
        PairRow { pair, flows }
    }

    /// The program of a network with the rows of a pool.
    fn program(&self, network: &DcModel, rows: &[PairRow]) -> DcModel {
        // The excesses, in the order in which their limits were met.
        let mut shared: Vec<Limit> = Vec::new();
        for row in rows {
            if !shared.contains(&row.pair.limit()) {
                shared.push(row.pair.limit());
            }
        }
        let base_penalty = self.limits.base_penalty.unwrap_or(self.limits.penalty);
        let excess = |limit: &Limit| NewExcess {
            element: network.element_of_line(limit.line).clone(),
            penalty: match limit.is_after_outage {
                true => self.limits.penalty,
                false => base_penalty,
            },
        };
        let row = |PairRow { pair, flows }: &PairRow| NewRow {
            element: network.element_of_line(pair.line).clone(),
            flows: flows.clone(),
            excess: shared.iter().position(|limit| *limit == pair.limit()),
            follows: Some((self.outages.row_of(pair.line), self.rule(pair.limit()).rate)),
        };
        let rows: Vec<NewRow> = rows.iter().map(row).collect();
        network.with_combinations(&shared.iter().map(excess).collect::<Vec<_>>(), &rows)
    }
}

/// A direction without the rows behind those of the network.
fn of_network(direction: &Direction, network: &DcModel) -> Direction {
    let mut own = direction.clone();
    own.rating.retain(|(row, _)| *row < network.n_branch);
    own
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
        (row.pair.limit(), excess)
    };
    rows.iter().enumerate().map(of_row).collect()
}

impl Pool {
    /// Limits with a shadow price or an excess, in the order of their branches.
    pub fn binding(&self, security: &Security, program: &DcModel, solution: &DcSolution) -> Vec<BindingPair> {
        let first = program.combinations().start;
        let of_pair = |(k, PairRow { pair, .. }): (usize, &PairRow)| {
            let line = &program.lines[first + k];
            let shadow = solution.shadow[line.row].max(0.0);
            let excess = program.excess_column(first + k).map_or(0.0, |j| solution.p[j]);
            let value = solution.flow[line.row] + excess;
            let limit = solution.data.rating[line.row];
            let is_exceeded = excess > TOLERANCE && value > limit + TOLERANCE;
            (shadow > 0.0 || is_exceeded).then(|| BindingPair {
                branch: security.outages.row_of(pair.line),
                outage: pair.outage.map(|k| security.outages.index(k)),
                flow: if pair.is_upper { value } else { -value },
                limit,
                excess,
                shadow,
            })
        };
        let mut found: Vec<BindingPair> = self.rows.iter().enumerate().filter_map(of_pair).collect();
        found.sort_by_key(|pair| (pair.branch, pair.outage));
        found
    }

    /// The branch and the outage of a branch row of the program; `None` for a row of the network.
    pub fn pair_of(&self, security: &Security, program: &DcModel, row: usize) -> Option<(usize, Option<usize>)> {
        let k = row.checked_sub(program.n_branch - self.rows.len())?;
        let pair = self.rows.get(k)?.pair;
        let outage = pair.outage.map(|k| security.outages.index(k));
        Some((security.outages.row_of(pair.line), outage))
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
