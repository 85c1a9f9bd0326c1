//! Numbers with units in sentences.

use super::Value;

/// From this size on, MW are formatted as powers of ten.
const LARGE: f64 = 1e7;
/// From this size on, $/h are; a country's hour is below it.
const MANY_USD: f64 = 1e12;

/// MW with one decimal, or three below 1 MW; "less than 0.001 MW" for a positive value that rounds to zero.
pub fn mw(value: f64) -> Value {
    let size = value.abs();
    let text = if value > 0.0 && value < 0.0005 {
        "less than 0.001 MW".into()
    } else {
        unit(value, if size < 0.9995 { 3 } else { 1 }, "MW")
    };
    Value::Number { value, text }
}

/// MW to three decimals, or one if the others are zero.
pub fn mw_exact(value: f64) -> Value {
    let size = value.abs();
    let is_coarse = size > 0.9995 && (size * 10.0 - (size * 10.0).round()).abs() < 1e-6;
    let text = unit(value, if is_coarse { 1 } else { 3 }, "MW");
    Value::Number { value, text }
}

/// MVAr with three decimals.
pub fn mvar(value: f64) -> Value {
    let text = unit(value, 3, "MVAr");
    Value::Number { value, text }
}

/// MVA as MW.
pub fn mva(value: f64) -> Value {
    let text = unit(value, if value.abs() < 0.9995 { 3 } else { 1 }, "MVA");
    Value::Number { value, text }
}

/// Degrees with three decimals.
pub fn degrees(value: f64) -> Value {
    let text = format!("{value:.3} degrees");
    Value::Number { value, text }
}

/// $/MWh with two decimals.
pub fn usd_per_mwh(value: f64) -> Value {
    let text = unit(value, 2, "$/MWh");
    Value::Number { value, text }
}

/// $/h with two decimals.
pub fn usd_per_h(value: f64) -> Value {
    let text = unit_below(MANY_USD, value, 2, "$/h");
    Value::Number { value, text }
}

/// Percent with one decimal.
pub fn percent(part: f64) -> Value {
    let text = format!("{:.1} %", 100.0 * part);
    Value::Number { value: part, text }
}

/// A residual with its unit: three decimals, below 0.001 a power of ten.
pub fn residual(value: f64, unit: &str) -> Value {
    let number = if value == 0.0 || value >= 1e-3 {
        format!("{value:.3}")
    } else {
        format!("{value:.1e}")
    };
    let text = format!("{number} {unit}");
    Value::Number { value, text }
}

/// A magnitude as a power of ten with its unit.
pub fn power_of_ten(value: f64, unit: &str) -> Value {
    let text = minus(format!("{value:.1e} {unit}")).trim_end().to_string();
    Value::Number { value, text }
}

/// A number in its shortest form with its unit.
pub fn plain(value: f64, unit: &str) -> Value {
    let text = minus(format!("{value} {unit}")).trim_end().to_string();
    Value::Number { value, text }
}

fn unit(value: f64, decimals: usize, unit: &str) -> String {
    unit_below(LARGE, value, decimals, unit)
}

fn unit_below(large: f64, value: f64, decimals: usize, unit: &str) -> String {
    if value == 0.0 {
        return format!("0 {unit}");
    }
    if value.abs() >= large || !value.is_finite() {
        return minus(format!("{value:.1e} {unit}"));
    }
    let text = format!("{value:.decimals$}");
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or(("", text.as_str()), |digits| ("-", digits));
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut out = String::from(sign);
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && k < whole && (whole - k) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    minus(format!("{out} {unit}"))
}

/// Uses the minus sign, as in the numbers of the page and of Python.
fn minus(text: String) -> String {
    match text.strip_prefix('-') {
        Some(size) => format!("\u{2212}{size}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &Value) -> &str {
        match value {
            Value::Number { text, .. } => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn megawatts() {
        for (value, shown, exact) in [
            (4.06, "4.1 MW", "4.060 MW"),
            (0.0412, "0.041 MW", "0.041 MW"),
            (0.9999, "1.0 MW", "1.000 MW"),
            (1234567.89, "1,234,567.9 MW", "1,234,567.890 MW"),
            (999.96, "1,000.0 MW", "999.960 MW"),
            (1e308, "1.0e308 MW", "1.0e308 MW"),
            (-2.5e8, "\u{2212}2.5e8 MW", "\u{2212}2.5e8 MW"),
            (-1234.5, "\u{2212}1,234.5 MW", "\u{2212}1,234.5 MW"),
            (0.0, "0 MW", "0 MW"),
            (0.7, "0.700 MW", "0.700 MW"),
            (-0.0, "0 MW", "0 MW"),
            (f64::INFINITY, "inf MW", "inf MW"),
        ] {
            assert_eq!([text(&mw(value)), text(&mw_exact(value))], [shown, exact]);
        }
        assert_eq!(text(&mw(1e-7)), "less than 0.001 MW");
    }

    #[test]
    fn other_units() {
        assert_eq!(text(&degrees(0.25)), "0.250 degrees");
        assert_eq!(text(&usd_per_mwh(-1234.5)), "\u{2212}1,234.50 $/MWh");
        assert_eq!(text(&percent(0.5)), "50.0 %");
        assert_eq!(text(&residual(0.0, "MW")), "0.000 MW");
        assert_eq!(text(&residual(2e-5, "$/h")), "2.0e-5 $/h");
        assert_eq!(text(&plain(1.5, "")), "1.5");
    }
}
