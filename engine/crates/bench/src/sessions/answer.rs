//! The answer of a solve, in the same form on every side.

use super::bits::Bits;
use serde_json::{json, Value};
use wattbook_network::error::Result;
use wattbook_solve::dc::DcSolution;

/// The outcome of one solve.
#[derive(Clone, Debug)]
pub struct Answer {
    /// `optimal`, or the code of the refusal.
    pub status: String,
    /// $/h; `None` without an optimum.
    pub objective: Option<f64>,
    /// The certificate's relative duality gap and largest violation in MW. Only certified solutions are returned.
    pub gap: Option<f64>,
    pub violation_mw: Option<f64>,
    /// Number of changes of the active set, and of binding lines.
    pub pivots: usize,
    pub lines: usize,
    pub message: Option<String>,
    pub bits: Bits,
}

impl From<&Result<DcSolution>> for Answer {
    fn from(outcome: &Result<DcSolution>) -> Self {
        match outcome {
            Ok(s) => Self {
                status: "optimal".into(),
                objective: Some(s.objective),
                gap: Some(s.certificate.relative_gap),
                violation_mw: Some(s.certificate.worst_violation_mw),
                pivots: s.pivots,
                lines: s.shadow.iter().filter(|x| **x != 0.0).count(),
                message: None,
                bits: Bits::of_solution(s),
            },
            Err(error) => Self {
                status: error.code.to_string(),
                objective: None,
                gap: None,
                violation_mw: None,
                pivots: 0,
                lines: 0,
                message: Some(error.message()),
                bits: Bits::of_error(error),
            },
        }
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        json!({
            "status": self.status,
            "objective": self.objective,
            "gap": self.gap,
            "violation_mw": self.violation_mw,
            "pivots": self.pivots,
            "lines": self.lines,
            "message": self.message,
            "bits": self.bits.hex(),
        })
    }
}
