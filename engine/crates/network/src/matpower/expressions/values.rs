//! Values of expressions, and elementwise operations on them.

use super::Outcome;
use crate::message;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::matpower) enum Value {
    Number(f64),
    /// Columns of one table, or of two with equally many rows.
    Columns(Vec<Vec<f64>>),
}

/// Applies `f` element by element; a number applies to every element, and one column to each of several.
pub(super) fn each(left: Value, right: Value, f: impl Fn(f64, f64) -> f64) -> Outcome<Value> {
    Ok(match (left, right) {
        (Value::Number(a), Value::Number(b)) => Value::Number(f(a, b)),
        (Value::Columns(mut a), Value::Number(b)) => {
            a.iter_mut().flatten().for_each(|a| *a = f(*a, b));
            Value::Columns(a)
        }
        (Value::Number(a), Value::Columns(mut b)) => {
            b.iter_mut().flatten().for_each(|b| *b = f(a, *b));
            Value::Columns(b)
        }
        (Value::Columns(mut a), Value::Columns(b)) => {
            if a.len() != b.len() || a.iter().zip(&b).any(|(a, b)| a.len() != b.len()) {
                return Err(message!("arithmetic.shapes_differ"));
            }
            let pairs = a.iter_mut().flatten().zip(b.iter().flatten());
            pairs.for_each(|(a, b)| *a = f(*a, *b));
            Value::Columns(a)
        }
    })
}

/// A constant of MATLAB by its name.
pub(super) fn constant(name: &str) -> Option<f64> {
    match name {
        "pi" => Some(std::f64::consts::PI),
        "Inf" | "inf" => Some(f64::INFINITY),
        _ => None,
    }
}

/// A function of MATLAB by its name.
pub(super) fn function(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "sqrt" => libm::sqrt,
        "abs" => f64::abs,
        "exp" => libm::exp,
        "log" => libm::log,
        "sin" => libm::sin,
        "cos" => libm::cos,
        "tan" => libm::tan,
        "asin" => libm::asin,
        "acos" => libm::acos,
        "atan" => libm::atan,
        _ => return None,
    })
}
