/// A parameter of derivatives, for one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Active and reactive demand of a bus.
    Demand(usize),
    ReactiveDemand(usize),
    /// Scheduled active output of a generator.
    Output(usize),
    /// Controlled voltage magnitude at a bus.
    SetPoint(usize),
    /// Voltage magnitude limits of a bus.
    VoltageMin(usize),
    VoltageMax(usize),
    /// Shunt of a bus at 1 pu voltage.
    ShuntConductance(usize),
    ShuntSusceptance(usize),
    /// Coefficient of p, and of p squared, in the cost of a generator.
    CostLinear(usize),
    CostQuadratic(usize),
    /// Limits of a generator's active and reactive output.
    OutputMin(usize),
    OutputMax(usize),
    ReactiveMin(usize),
    ReactiveMax(usize),
    /// Rating of a branch: MW in the DC formulations, MVA in the others.
    Rating(usize),
    /// Series admittance `g + jb = 1 / (r + jx)` of a branch, `b` negative for an inductance. In the DC formulations `-b` is the
    /// coefficient of the angle difference.
    SeriesConductance(usize),
    SeriesSusceptance(usize),
    /// Ratio and phase shift of a branch.
    TapRatio(usize),
    PhaseShift(usize),
    /// Status of a branch in service, from 1 to 0, as a factor of its admittance.
    Switching(usize),
}
