use super::*;
use crate::message;

struct Case;

impl Surroundings for Case {
    fn base_mva(&self) -> Option<f64> {
        Some(10.0)
    }

    fn column(&mut self, table: &str, column: usize) -> Outcome<Vec<f64>> {
        match (table, column) {
            ("bus", 3) => Ok(vec![1.0, 2.0]),
            ("bus", 4) => Ok(vec![10.0, 20.0]),
            _ => Err(message!("arithmetic.no_column", table = table, column = column)),
        }
    }
}

fn value(text: &str) -> Outcome<Value> {
    let variables = Variables::from([("PD", Some(3.0)), ("x", Some(2.0)), ("lost", None)]);
    Reader::new(text, &variables, &mut Case)?.all()
}

#[test]
fn numbers_in_the_order_of_operations() {
    for (text, expected) in [
        ("100 / 1", 100.0),
        ("10*10", 100.0),
        ("50/3", 50.0 / 3.0),
        ("2 + 3 * 4 ^ 2 / 8 - 1", 7.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2^3^2", 64.0),
        ("(1 + 1e1) .* .5", 5.5),
        ("1./4", 0.25),
        ("12.66^2 / mpc.baseMVA", 12.66 * 12.66 / 10.0),
        ("mpc.bus(2, PD) * 1e3", 2000.0),
        ("x ... twice\n * 2 % four", 4.0),
        ("sqrt(x * 8) + abs(-1)", 5.0),
    ] {
        assert_eq!(value(text), Ok(Value::Number(expected)), "{text}");
    }
    let Ok(Value::Number(sine)) = value("sin(acos(0.85))") else {
        panic!()
    };
    assert!((sine - (1.0_f64 - 0.85 * 0.85).sqrt()).abs() < 1e-15);
}

#[test]
fn columns_element_by_element() {
    let columns = |c: &[[f64; 2]]| Ok(Value::Columns(c.iter().map(|c| c.to_vec()).collect()));
    assert_eq!(value("mpc.bus(:, [PD 4]) / 10"), columns(&[[0.1, 0.2], [1.0, 2.0]]));
    assert_eq!(value("mpc.bus(:, 3:4) * 2"), columns(&[[2.0, 4.0], [20.0, 40.0]]));
    assert_eq!(value("mpc.bus(:, 3) .* mpc.bus(:, 4)"), columns(&[[10.0, 40.0]]));
    assert_eq!(value("1 ./ -mpc.bus(:, PD)"), columns(&[[-1.0, -0.5]]));
}

#[test]
fn anything_else_is_refused_with_its_reason() {
    for (text, why) in [
        ("foo(2)", "`foo` is not known there"),
        ("lost + 1", "the value of `lost` is not known"),
        ("x(1)", "it takes an element of `x`"),
        (
            "mpc.bus(:, 3) * mpc.bus(:, 4)",
            "`*` between columns is an operation on matrices",
        ),
        ("1 / mpc.bus(:, 3)", "`/` between columns is an operation on matrices"),
        ("mpc.bus(:, 3) ^ 2", "`^` of columns is an operation on matrices"),
        (
            "mpc.bus(:, [3 4]) + mpc.bus(:, 3)",
            "it combines columns of different shape",
        ),
        ("mpc.bus(:, :)", "it takes all columns"),
        ("mpc.bus(9, 3)", "`mpc.bus` has no row 9"),
        ("mpc.bus(0.5, 3)", "0.5 is not a row or column"),
        ("mpc.bus", "it uses `mpc.bus` as a whole"),
        ("mpc.bus(:, 3)'", "`'` is not arithmetic"),
        ("1 2", "`2` is not expected there"),
        ("", "it ends too early"),
        ("1 +", "it ends too early"),
        ("(1", "`)` is missing"),
        ("mpc.bus(:, 1:2000000000)", "2000000000 is not a row or column"),
        ("mpc.bus(:, 1:900000000)", "1:900000000 is not a range of columns"),
    ] {
        assert_eq!(value(text).map_err(|e| e.to_string()), Err(why.to_string()), "{text}");
    }
    assert!(value(&"(".repeat(200)).is_err() && value(&"1+".repeat(2000)).is_err());
    assert!(value(&format!("1{}", "^-1".repeat(300))).is_ok());
}
