//! A branch in the DC model: its row, and the interval of its rating and its angle-difference limit.

/// A branch as the DC model sees it. `flow = b (theta_f - theta_t - shift)`, per unit, from end.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// Dense branch row.
    pub row: usize,
    pub from: usize,
    pub to: usize,
    pub b: f64,
    /// `b * shift`, per unit power.
    pub shift_flow: f64,
    pub angle_min: f64,
    pub angle_max: f64,
    /// A branch without impedance: its place in `ZeroImpedanceBranches::branches`.
    pub merged: Option<usize>,
}

impl Line {
    /// Power can flow over it.
    pub fn carries_flow(&self) -> bool {
        self.b != 0.0 || self.merged.is_some()
    }

    /// Its row is an angle difference: no flow, only an angle-difference limit.
    pub fn is_angle_difference(&self) -> bool {
        !self.carries_flow()
    }

    /// Weight of `theta_f - theta_t` in the line's row: its susceptance, or 1 where only the angle-difference limit is kept.
    pub fn weight(&self) -> f64 {
        if self.is_angle_difference() {
            1.0
        } else {
            self.b
        }
    }

    /// Cost of exceeding its limits by one unit of its row, where the minimum relaxation is sought: an angle difference without
    /// flow has no MW, and is widened where nothing else helps.
    pub fn slack_cost(&self) -> f64 {
        if self.is_angle_difference() {
            1e3
        } else {
            1.0
        }
    }

    /// Constant of the line's row.
    pub fn offset(&self) -> f64 {
        if self.is_angle_difference() {
            0.0
        } else {
            -self.shift_flow
        }
    }

    /// Interval of the row's value: rating and angle-difference limit as one. That of a merged branch is met or not, which
    /// is no matter of its flow.
    pub fn limits(&self, rating: f64) -> (f64, f64) {
        if self.merged.is_some() {
            return (-rating, rating);
        }
        if self.b == 0.0 {
            return (self.angle_min, self.angle_max);
        }
        let (a, b) = (
            self.b * self.angle_min - self.shift_flow,
            self.b * self.angle_max - self.shift_flow,
        );
        ((-rating).max(a.min(b)), rating.min(a.max(b)))
    }
}

/// What passes over all lines read of each, close together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stencil {
    pub from: u32,
    pub to: u32,
    /// Dense branch row.
    pub row: u32,
    /// A line with an impedance: its row is its flow.
    pub is_plain: bool,
    pub b: f64,
    pub shift_flow: f64,
    /// Flow at the ends of its angle-difference limit.
    pub low: f64,
    pub high: f64,
}

impl Stencil {
    pub fn new(line: &Line) -> Self {
        let (low, high) = line.limits(f64::INFINITY);
        Self {
            from: line.from as u32,
            to: line.to as u32,
            row: line.row as u32,
            is_plain: line.merged.is_none() && line.b != 0.0,
            b: line.b,
            shift_flow: line.shift_flow,
            low,
            high,
        }
    }

    /// Interval of the flow of a plain line, as `Line::limits`.
    #[inline]
    pub fn limits(&self, rating: f64) -> (f64, f64) {
        (
            if self.low > -rating { self.low } else { -rating },
            if self.high < rating { self.high } else { rating },
        )
    }
}
