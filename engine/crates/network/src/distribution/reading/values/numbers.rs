//! Numbers, and expressions in reverse Polish notation: `(8 1000 /)` is 0.008.
//!
//! The accepted numbers are those of the parser and of OpenDSS (`RPN` and `Parser` in their sources). An expression
//! must yield one number, since the result with surplus or missing operands is undefined.

use std::f64::consts::PI;

use super::variables::Variables;
use crate::distribution::script;

/// Registers of the calculator, which discards older entries.
const REGISTERS: usize = 10;

/// The number that a value represents.
pub(super) fn number(text: &str, quoted: bool, variables: &Variables) -> Option<f64> {
    let value = if quoted {
        expression(text, variables)
    } else {
        plain(text)
    };
    value.filter(|v| v.is_finite())
}

/// A decimal number, except `inf` and `nan`.
fn plain(text: &str) -> Option<f64> {
    let is_of_numbers = |b: u8| b.is_ascii_digit() || b".+-eE".contains(&b);
    text.bytes().all(is_of_numbers).then(|| text.parse().ok()).flatten()
}

/// The value of an expression; `None` if it is invalid or does not leave exactly one number.
pub(super) fn expression(text: &str, variables: &Variables) -> Option<f64> {
    let mut stack = Vec::new();
    for (item, quoted) in script::items(text, false) {
        let (item, _) = variables.put_in(item, quoted);
        if item.is_empty() {
            continue;
        }
        match plain(&item) {
            Some(value) => stack.push(value),
            None => apply(&item.to_ascii_lowercase(), &mut stack)?,
        }
        if stack.len() > REGISTERS {
            return None;
        }
    }
    (stack.len() == 1).then(|| stack[0])
}

/// Applies an operation; `None` if it is unknown or has too few operands.
fn apply(operation: &str, stack: &mut Vec<f64>) -> Option<()> {
    if operation == "pi" {
        stack.push(PI);
        return Some(());
    }
    let x = stack.pop()?;
    if let Some(value) = of_one(operation, x) {
        stack.push(value);
        return Some(());
    }
    match operation {
        "rollup" => stack.extend([x, x]),
        "rolldn" => {}
        "swap" => {
            let y = stack.pop()?;
            stack.extend([x, y]);
        }
        _ => {
            let y = stack.pop()?;
            stack.push(of_two(operation, y, x)?);
        }
    }
    Some(())
}

/// Applies a function of one operand. Angles are in degrees.
fn of_one(operation: &str, x: f64) -> Option<f64> {
    Some(match operation {
        "sqrt" => x.sqrt(),
        "sqr" => x * x,
        "sin" => libm::sin(x.to_radians()),
        "cos" => libm::cos(x.to_radians()),
        "tan" => libm::tan(x.to_radians()),
        "asin" => libm::asin(x).to_degrees(),
        "acos" => libm::acos(x).to_degrees(),
        "atan" => libm::atan(x).to_degrees(),
        "ln" => libm::log(x),
        "exp" => libm::exp(x),
        "log10" => libm::log10(x),
        "inv" => 1.0 / x,
        _ => return None,
    })
}

fn of_two(operation: &str, y: f64, x: f64) -> Option<f64> {
    Some(match operation {
        "+" => y + x,
        "-" => y - x,
        "*" => y * x,
        "/" => y / x,
        "^" => libm::pow(y, x),
        "atan2" => libm::atan2(y, x).to_degrees(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{number, Variables};

    #[test]
    fn expressions_give_one_number() {
        let of = |text| number(text, true, &Variables::default());
        for (text, value) in [
            ("8 1000 /", 0.008),
            ("5", 5.0),
            (" 12.47, 3 sqrt / ", 12.47 / 3f64.sqrt()),
            ("2 5 swap -", 3.0),
            ("3 rollup *", 9.0),
            ("3 4 rolldn", 3.0),
            ("30 SIN", 0.5),
            ("4 inv", 0.25),
        ] {
            assert!(of(text).is_some_and(|v| (v - value).abs() < 1e-12), "{text}");
        }
        for text in [
            "",
            "5 6",
            "+",
            "1 +",
            "1 0 /",
            "-1 sqrt",
            "5kW",
            "5|",
            "1 2 foo",
            "@x",
            "inf",
            "1 (2) + ()x",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(of(&"1 ".repeat(1000)), None);
    }

    #[test]
    fn numbers_are_decimal() {
        let of = |text| number(text, false, &Variables::default());
        assert_eq!(
            [".5", "5.", "+5", "1e3", "-2E-1"].map(of),
            [Some(0.5), Some(5.0), Some(5.0), Some(1000.0), Some(-0.2)]
        );
        for text in [
            "", "-", ".", "e", "1e", "5.5.5", "--5", "$FF", "0x10", "1_0", "1d3", "1e999", "inf", "NaN", "\u{0665}",
            " 5",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
