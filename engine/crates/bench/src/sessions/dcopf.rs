//! The DC OPF of one case on one side.

use super::answer::Answer;
use super::bits::Bits;
use super::plan::{self, Step};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::network_from_module;
use wattbook_solve::dc::{
    Convention, DcData, DcModel, DcOptimizer, DcOutline, DcSolution, DualActiveSet, OneSidedDerivatives,
    SensitivityColumn, Target as By,
};
use wattbook_solve::vocabulary::Direction;

/// Convention by its name in the contract.
pub fn convention(name: &str) -> Option<Convention> {
    match name {
        "service" => Some(Convention::Service),
        "powermodels" => Some(Convention::PowerModels),
        "matpower" => Some(Convention::Matpower),
        _ => None,
    }
}

/// The parameter of a sensitivity column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Demand at a bus.
    Demand,
    /// Rating of a branch.
    Rating,
    /// Demand at a bus, with both one-sided columns and the jumps at the ends of the interval.
    OneSided,
}

impl Target {
    /// In the order of the ABI.
    pub const ALL: [(Target, &'static str); 3] = [
        (Target::Demand, "demand"),
        (Target::Rating, "rating"),
        (Target::OneSided, "two_sided"),
    ];
}

/// One column or all three of them.
pub enum Derivative {
    Column(Box<SensitivityColumn>),
    OneSided(Box<OneSidedDerivatives>),
}

impl Derivative {
    pub fn bits(&self) -> Bits {
        match self {
            Self::Column(column) => Bits::of_column(column),
            Self::OneSided(sides) => Bits::of_one_sided(sides),
        }
    }
}

/// A case with its model, its optimum and its planned steps, each available after the call that creates it.
pub struct Session {
    pub network: AnalysisNetwork,
    convention: Convention,
    base: DcData,
    model: Option<DcModel>,
    optimum: Option<DcSolution>,
    steps: Vec<Step>,
    targets: [Vec<usize>; 3],
}

fn missing(what: &str) -> EngineError {
    let cause = format!("the benchmark has no {what} yet");
    EngineError::new("INTERNAL", message!("engine.failed", cause = cause))
}

impl Session {
    /// Reads a module.
    ///
    /// # Errors
    /// `MODULE.*`, `INPUT.REQUEST` for an unknown convention.
    pub fn open(module_json: &str, convention_name: &str) -> Result<Self> {
        let network = network_from_module(module_json)?;
        let convention = convention(convention_name)
            .ok_or_else(|| EngineError::new("INPUT.REQUEST", message!("engine.failed", cause = convention_name)))?;
        Ok(Self {
            base: DcData::base(&network),
            network,
            convention,
            model: None,
            optimum: None,
            steps: Vec::new(),
            targets: [const { Vec::new() }; 3],
        })
    }

    /// Builds the model: susceptances, islands, ordering and factorisation. Data with a conflict at a bus or a bridge
    /// are refused before ordering and factorisation.
    pub fn build(&mut self) -> Result<()> {
        self.model = None;
        let outline = DcOutline::new(&self.network, self.convention)?;
        outline.presolve_infeasibility(&self.base)?;
        self.model = Some(outline.factored()?);
        Ok(())
    }

    /// The optimum of the base case from a cold start.
    pub fn solve(&self) -> Result<DcSolution> {
        DualActiveSet.optimum(self.model()?, &self.base, None)
    }

    /// Stores the optimum and plans the changes: `per_bus` steps at each of `buses` buses, and `columns` targets of
    /// each kind.
    pub fn prepare(&mut self, optimum: DcSolution, buses: usize, per_bus: usize, columns: usize) -> Result<()> {
        let model = self.model.as_ref().ok_or_else(|| missing("model"))?;
        self.steps = plan::steps(&self.network, model, buses, per_bus);
        let demand = plan::demand_targets(&self.network, model, columns);
        let rating = plan::rating_targets(model, &optimum, columns);
        self.targets = [demand.clone(), rating, demand];
        self.optimum = Some(optimum);
        Ok(())
    }

    pub fn model(&self) -> Result<&DcModel> {
        self.model.as_ref().ok_or_else(|| missing("model"))
    }

    fn optimum(&self) -> Result<&DcSolution> {
        self.optimum.as_ref().ok_or_else(|| missing("optimum"))
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub fn n_targets(&self, target: Target) -> usize {
        self.targets[target as usize].len()
    }

    /// The change of step `k`: original id of the bus, and MW.
    pub fn moved(&self, k: usize) -> Option<(u64, f64)> {
        let step = self.steps.get(k)?;
        Some((self.network.buses[step.bus].id, step.change * self.network.base_mva))
    }

    /// The exact optimum after a step, from the base optimum, as for a commit of a Study.
    pub fn step(&self, k: usize) -> Result<DcSolution> {
        let step = self.steps.get(k).ok_or_else(|| missing("such step"))?;
        let mut data = self.base.clone();
        data.demand[step.bus] += step.change;
        DualActiveSet.optimum(self.model()?, &data, Some(self.optimum()?))
    }

    /// The exact optimum at other demands, in MW by dense bus row, from the base optimum, as for the steps of a series.
    ///
    /// # Errors
    /// `INTERNAL` for a wrong number of demands.
    pub fn at_demand(&self, demand_mw: &[f64]) -> Result<DcSolution> {
        let mut data = self.base.clone();
        if demand_mw.len() != data.demand.len() {
            return Err(missing("demand of that many buses"));
        }
        for (own, mw) in data.demand.iter_mut().zip(demand_mw) {
            *own = mw / self.network.base_mva;
        }
        DualActiveSet.optimum(self.model()?, &data, Some(self.optimum()?))
    }

    /// First-order change of the prices for a step, with the interval in which it is exact.
    pub fn preview(&self, k: usize) -> Result<SensitivityColumn> {
        let step = self.steps.get(k).ok_or_else(|| missing("such step"))?;
        let direction = Direction {
            demand: vec![(step.bus, step.change)],
            ..Direction::default()
        };
        Ok(self.optimum()?.derivative(self.model()?, &direction))
    }

    /// The `k`-th column of a kind at the optimum.
    pub fn column(&self, target: Target, k: usize) -> Result<Derivative> {
        let row = *self.targets[target as usize]
            .get(k)
            .ok_or_else(|| missing("such target"))?;
        let by = match target {
            Target::Rating => By::Rating(row),
            Target::Demand | Target::OneSided => By::Demand(row),
        };
        let (model, optimum) = (self.model()?, self.optimum()?);
        Ok(match target {
            Target::OneSided => {
                Derivative::OneSided(Box::new(optimum.one_sided_derivatives(&DualActiveSet, model, by)))
            }
            _ => Derivative::Column(Box::new(optimum.derivative(model, &by.into()))),
        })
    }

    /// The answer of a solve.
    pub fn answer(outcome: &Result<DcSolution>) -> Answer {
        outcome.into()
    }
}
