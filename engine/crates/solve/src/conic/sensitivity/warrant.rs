//! The range of a derivative of the relaxation: up to the first limit that starts or stops binding along it.

use super::split::{margin_rate, Place, Tangent};
use crate::conic::interior_point::cone::{determinant, margin};
use crate::conic::model::formulation::{branch_ref, bus_ref, generator_ref, ConicModel, Output};
use crate::conic::result::solution::ConicSolution;
use crate::vocabulary::Parameter;
use wattbook_network::analysis::ElementRef;

/// The event that ends the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConicEvent {
    GeneratorReachesLimit,
    GeneratorLeavesLimit,
    /// A moving limit reaches a corner of the cost curve.
    GeneratorReachesBreakpoint,
    ReactiveReachesLimit,
    ReactiveLeavesLimit,
    VoltageReachesLimit,
    VoltageLeavesLimit,
    RatingBinds,
    RatingUnbinds,
    AngleBinds,
    AngleUnbinds,
    CutBinds,
    CutUnbinds,
    /// The products of a branch become, or cease to be, products of voltages.
    ConeTightens,
    ConeLoosens,
}

/// An end of the range along the tangent: an estimate, since the optimum is curved.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicEnd {
    /// Step from the present state, per unit.
    pub step: f64,
    pub event: ConicEvent,
    pub element: ElementRef,
}

/// The range and accuracy of a derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicWarrant {
    /// Whether left and right derivatives differ, since the present state is a breakpoint.
    pub is_one_sided: bool,
    pub lower: Option<ConicEnd>,
    pub upper: Option<ConicEnd>,
    /// Relative residual of the linear system.
    pub residual: f64,
    /// Number of loose cones of branch products, for which the relaxation and hence its derivative are not exact for
    /// the AC problem.
    pub loose_pairs: usize,
}

/// Rates below this share of the largest count as zero.
const NO_RATE: f64 = 1e-9;

/// Step along `ds` from inside the cone to its boundary.
fn to_boundary<const N: usize>(s: &[f64; N], ds: &[f64; N]) -> f64 {
    // det(s + t ds) = a t^2 + 2 b t + c.
    let (mut a, mut b) = (ds[0] * ds[0], s[0] * ds[0]);
    for k in 1..N {
        a -= ds[k] * ds[k];
        b -= s[k] * ds[k];
    }
    let c = determinant(s);
    let inner = b * b - a * c;
    let mut step = f64::INFINITY;
    if inner >= 0.0 {
        let root = inner.sqrt();
        // Both roots, without cancellation.
        let q = if b > 0.0 { -(b + root) } else { root - b };
        for t in [q / a, c / q] {
            if t > 0.0 && t < step {
                step = t;
            }
        }
    }
    step
}

struct Ends<'a> {
    model: &'a ConicModel,
    solution: &'a ConicSolution,
    tangent: &'a Tangent,
    sign: f64,
}

impl Ends<'_> {
    /// The first event in one direction.
    fn first(&self) -> Option<ConicEnd> {
        let (point, t) = (&self.solution.point, self.tangent);
        let (s, z, ds, dz) = (&point.s, &point.v.z, &t.ds, &t.v.z);
        let limits = [ds, dz].map(|d| (NO_RATE * d.norm()).max(t.rounding()));
        let mut first: Option<(f64, Place)> = None;
        let mut see = |step: f64, place: Place| {
            if step.is_finite() && first.is_none_or(|(least, _)| step < least) {
                first = Some((step.max(0.0), place));
            }
        };
        let towards = |value: f64, rate: f64, limit: f64| {
            let rate = self.sign * rate;
            if rate < -limit {
                -value / rate
            } else {
                f64::INFINITY
            }
        };
        let bounds = &self.solution.program.bounds;
        for k in 0..s.linear.len() {
            if bounds.get(k).is_some_and(|bound| self.model.is_invented(bound)) {
                continue;
            }
            see(
                match t.split.linear[k] {
                    true => towards(z.linear[k], dz.linear[k], limits[1]),
                    false => towards(s.linear[k], ds.linear[k], limits[0]),
                },
                Place::Linear(k),
            );
        }
        fn cone<const N: usize>(tight: bool, at: [&[f64; N]; 4], sign: f64, limits: [f64; 2]) -> f64 {
            let [s, z, ds, dz] = at;
            if tight {
                let rate = sign * dz[0];
                return if rate < -limits[1] { -z[0] / rate } else { f64::INFINITY };
            }
            if margin(s) <= 0.0 {
                let rate = sign * margin_rate(s, ds);
                return if rate < 0.0 { 0.0 } else { f64::INFINITY };
            }
            to_boundary(s, &ds.map(|d| sign * d))
        }
        for k in 0..s.jabr.len() {
            let at = [&s.jabr[k], &z.jabr[k], &ds.jabr[k], &dz.jabr[k]];
            see(cone(t.split.jabr[k], at, self.sign, limits), Place::Jabr(k));
        }
        for k in 0..s.thermal.len() {
            let at = [&s.thermal[k], &z.thermal[k], &ds.thermal[k], &dz.thermal[k]];
            see(cone(t.split.thermal[k], at, self.sign, limits), Place::Thermal(k));
        }
        let (step, place) = first?;
        let (event, element) = self.name(place);
        Some(ConicEnd {
            step: self.sign * step,
            event,
            element,
        })
    }

    /// The step at which a moving output limit that binds leaves its segment of the cost curve: the columns of the
    /// program are those of the present limits.
    fn corner(&self, &(parameter, by): &(Parameter, f64)) -> Option<ConicEnd> {
        let (Parameter::OutputMin(generator) | Parameter::OutputMax(generator)) = parameter else {
            return None;
        };
        let is_upper = matches!(parameter, Parameter::OutputMax(_));
        let mut own = self.model.active.iter().filter(|(c, _)| c.generator == generator);
        let (column, output) = own.find(|(c, _)| if is_upper { c.is_last } else { c.is_first })?;
        let Output::Column(k) = output else { return None };
        let at = self.solution.bound_of(self.solution.program.n + k, is_upper)?;
        if !self.tangent.split.linear[at] {
            return None;
        }
        let (from, to) = column.segment;
        let rate = self.sign * by;
        let room = match (is_upper, rate > 0.0) {
            (true, true) => to - column.hi,
            (false, false) => column.lo - from,
            // Both limits are on this segment, so the whole segment moves.
            _ if column.is_first && column.is_last => f64::INFINITY,
            _ => column.hi - column.lo,
        };
        let step = room.max(0.0) / rate.abs();
        step.is_finite().then(|| ConicEnd {
            step: self.sign * step,
            event: ConicEvent::GeneratorReachesBreakpoint,
            element: generator_ref(&self.model.network, generator),
        })
    }

    fn name(&self, place: Place) -> (ConicEvent, ElementRef) {
        let (model, program) = (self.model, &self.solution.program);
        let network = &model.network;
        let choose = |binds: ConicEvent, unbinds: ConicEvent| match self.tangent.split.is_tight(place) {
            true => unbinds,
            false => binds,
        };
        use ConicEvent as E;
        match place {
            Place::Thermal(k) => (
                choose(E::RatingBinds, E::RatingUnbinds),
                branch_ref(network, program.thermal[k].branch),
            ),
            Place::Jabr(k) => {
                let branch = program.thermal[program.pairs[k].thermal.start].branch;
                (choose(E::ConeTightens, E::ConeLoosens), branch_ref(network, branch))
            }
            Place::Linear(k) if k >= program.bounds.len() => {
                let row = k - program.bounds.len();
                let pair = program.pairs.partition_point(|p| p.rows.end <= row);
                let side = row - program.pairs[pair].rows.start;
                let set_by = model.limits[pair].set_by;
                let event = match side {
                    0 | 1 => choose(E::AngleBinds, E::AngleUnbinds),
                    _ => choose(E::CutBinds, E::CutUnbinds),
                };
                (event, branch_ref(network, set_by[side % 2]))
            }
            Place::Linear(k) => {
                let bound = &program.bounds[k];
                if bound.variable < program.n {
                    let bus = model.limiting_buses[bound.variable][usize::from(bound.is_upper)];
                    let event = choose(E::VoltageReachesLimit, E::VoltageLeavesLimit);
                    return (event, bus_ref(network, bus));
                }
                let own = Output::Column(bound.variable - program.n);
                let reactive = model.reactive.iter().find(|(_, o)| *o == own);
                if let Some((row, _)) = reactive {
                    let event = choose(E::ReactiveReachesLimit, E::ReactiveLeavesLimit);
                    return (event, generator_ref(network, *row));
                }
                let of_link = |link: usize| ElementRef::from(&network.links[link]);
                if let Some(end) = model.link_reactive.iter().find(|end| end.output == own) {
                    let event = choose(E::ReactiveReachesLimit, E::ReactiveLeavesLimit);
                    return (event, of_link(end.link));
                }
                if let Some(column) = model.links.iter().find(|column| column.output == own) {
                    let event = choose(E::GeneratorReachesLimit, E::GeneratorLeavesLimit);
                    return (event, of_link(column.link));
                }
                let active = model.active.iter().find(|(_, o)| *o == own);
                let row = active.map_or(0, |(c, _)| c.generator);
                let event = choose(E::GeneratorReachesLimit, E::GeneratorLeavesLimit);
                (event, generator_ref(network, row))
            }
        }
    }
}

/// The warrant of the derivatives along `changes`, whose tangents are given.
pub(crate) fn warrant(
    model: &ConicModel,
    solution: &ConicSolution,
    ahead: &Tangent,
    behind: Option<&Tangent>,
    changes: &[(Parameter, f64)],
) -> ConicWarrant {
    let end = |tangent, sign| {
        let ends = Ends {
            model,
            solution,
            tangent,
            sign,
        };
        let corners = changes.iter().filter_map(|change| ends.corner(change));
        let all = corners.chain(ends.first());
        all.min_by(|a, b| a.step.abs().total_cmp(&b.step.abs()))
    };
    ConicWarrant {
        is_one_sided: behind.is_some(),
        upper: end(ahead, 1.0),
        lower: end(behind.unwrap_or(ahead), -1.0),
        residual: behind.map_or(ahead.residual, |b| b.residual.max(ahead.residual)),
        loose_pairs: solution.pairs.iter().filter(|p| !p.is_tight()).count(),
    }
}
