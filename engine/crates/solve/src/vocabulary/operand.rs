/// A result to differentiate, for one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Price of active and of reactive power at a bus.
    Price(usize),
    ReactivePrice(usize),
    /// Active and reactive output of a generator.
    Dispatch(usize),
    ReactiveDispatch(usize),
    /// Active and reactive power into a branch at one of its ends.
    Flow(usize, BranchEnd),
    ReactiveFlow(usize, BranchEnd),
    /// Voltage of a bus.
    Magnitude(usize),
    Angle(usize),
    /// Squared voltage magnitude at a bus; product of the voltages of a branch, the from end's times the conjugate of
    /// the to end's.
    VoltageSquared(usize),
    ProductReal(usize),
    ProductImag(usize),
    /// Active power lost in all branches.
    Losses,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchEnd {
    From,
    To,
}
