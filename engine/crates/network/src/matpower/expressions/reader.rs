//! Statements and expressions, evaluated while they are read.

use super::cursor::{Cursor, Rows, Selection, Variables};
use super::tokens::{shown, Token};
use super::values::{constant, each, function, Value};
use super::Outcome;
use crate::message;

/// Deepest nesting of brackets in a statement, which bounds the stack for hostile input.
const DEEPEST: usize = 32;

/// The context of expressions.
pub(in crate::matpower) trait Surroundings {
    /// The MVA base as set so far.
    fn base_mva(&self) -> Option<f64>;
    /// Column of a table, counted from one.
    fn column(&mut self, table: &str, column: usize) -> Outcome<Vec<f64>>;
}

/// Reads one statement.
pub(in crate::matpower) struct Reader<'a, 'b> {
    cursor: Cursor<'a, 'b>,
    depth: usize,
    around: &'b mut dyn Surroundings,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub fn new(text: &'a str, variables: &'b Variables<'a>, around: &'b mut dyn Surroundings) -> Outcome<Self> {
        Ok(Self {
            cursor: Cursor::new(text, variables)?,
            depth: 0,
            around,
        })
    }

    /// `mpc.table(:, columns) = expression` to the end.
    pub fn assignment(mut self) -> Outcome<(Selection<'a>, Value)> {
        self.cursor.expect("mpc")?;
        self.cursor.expect(".")?;
        let Some(Token::Name(table)) = self.cursor.next() else {
            return Err(message!("arithmetic.names_no_table"));
        };
        self.cursor.expect("(")?;
        let Rows::All = self.cursor.rows()? else {
            return Err(message!("arithmetic.single_rows"));
        };
        self.cursor.expect(",")?;
        let columns = self.cursor.columns()?;
        self.cursor.expect(")")?;
        let twice = (1..columns.len()).any(|k| columns[..k].contains(&columns[k]));
        if twice {
            return Err(message!("arithmetic.column_twice"));
        }
        self.cursor.expect("=")?;
        let value = self.all()?;
        Ok((Selection { table, columns }, value))
    }

    /// The expression to the end of the text.
    pub fn all(mut self) -> Outcome<Value> {
        let value = self.sum()?;
        match self.cursor.next() {
            None => Ok(value),
            Some(token) => Err(message!("arithmetic.not_expected", token = shown(token))),
        }
    }

    fn sum(&mut self) -> Outcome<Value> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(message!("arithmetic.too_deep", most = DEEPEST));
        }
        let mut value = self.product()?;
        while let Some(sign) = self.cursor.one_of(&["+", "-"]) {
            let right = self.product()?;
            value = match sign {
                "+" => each(value, right, |a, b| a + b)?,
                _ => each(value, right, |a, b| a - b)?,
            };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn product(&mut self) -> Outcome<Value> {
        let mut value = self.signed()?;
        while let Some(sign) = self.cursor.one_of(&["*", ".*", "/", "./"]) {
            let right = self.signed()?;
            let columns = |v: &Value| matches!(v, Value::Columns(_));
            if (sign == "*" && columns(&value) && columns(&right)) || (sign == "/" && columns(&right)) {
                return Err(message!("arithmetic.matrices", sign = sign));
            }
            value = match sign {
                "*" | ".*" => each(value, right, |a, b| a * b)?,
                _ => each(value, right, |a, b| a / b)?,
            };
        }
        Ok(value)
    }

    /// Signs bind less than powers: `-2^2` is -4.
    fn signed(&mut self) -> Outcome<Value> {
        let mut negative = false;
        while let Some(sign) = self.cursor.one_of(&["+", "-"]) {
            negative ^= sign == "-";
        }
        let value = self.power()?;
        match negative {
            true => each(value, Value::Number(0.0), |a, _| -a),
            false => Ok(value),
        }
    }

    fn power(&mut self) -> Outcome<Value> {
        let mut value = self.operand()?;
        while let Some(sign) = self.cursor.one_of(&["^", ".^"]) {
            let mut negative = false;
            while let Some(sign) = self.cursor.one_of(&["+", "-"]) {
                negative ^= sign == "-";
            }
            let exponent = each(
                self.operand()?,
                Value::Number(0.0),
                |a, _| if negative { -a } else { a },
            )?;
            if sign == "^" && !matches!((&value, &exponent), (Value::Number(_), Value::Number(_))) {
                return Err(message!("arithmetic.matrix_power"));
            }
            // A square is the exact product rounded once, as in MATLAB.
            value = each(value, exponent, |a, b| if b == 2.0 { a * a } else { libm::pow(a, b) })?;
        }
        Ok(value)
    }

    fn operand(&mut self) -> Outcome<Value> {
        match self.cursor.next() {
            Some(Token::Number(value)) => Ok(Value::Number(value)),
            Some(Token::Sign("(")) => {
                let value = self.sum()?;
                self.cursor.expect(")")?;
                Ok(value)
            }
            Some(Token::Name("mpc")) => self.of_case(),
            Some(Token::Name(name)) => self.named(name),
            Some(token) => Err(message!("arithmetic.not_arithmetic", token = shown(token))),
            None => Err(message!("arithmetic.ends_early")),
        }
    }

    /// `mpc.baseMVA`, `mpc.table(row, column)` or `mpc.table(:, columns)`.
    fn of_case(&mut self) -> Outcome<Value> {
        self.cursor.expect(".")?;
        let Some(Token::Name(field)) = self.cursor.next() else {
            return Err(message!("arithmetic.whole_case"));
        };
        if field == "baseMVA" {
            let base = self.around.base_mva();
            return base
                .map(Value::Number)
                .ok_or_else(|| message!("arithmetic.base_unknown"));
        }
        if !self.cursor.is("(") {
            return Err(message!("arithmetic.whole_table", table = field));
        }
        self.cursor.expect("(")?;
        let rows = self.cursor.rows()?;
        self.cursor.expect(",")?;
        let columns = self.cursor.columns()?;
        self.cursor.expect(")")?;
        let mut values = Vec::with_capacity(columns.len());
        for column in columns {
            values.push(self.around.column(field, column)?);
        }
        match (rows, values.as_slice()) {
            (Rows::All, _) => Ok(Value::Columns(values)),
            (Rows::One(row), [column]) => match column.get(row - 1) {
                Some(&value) => Ok(Value::Number(value)),
                None => Err(message!("arithmetic.no_row", table = field, row = row)),
            },
            (Rows::One(_), _) => Err(message!("arithmetic.several_columns")),
        }
    }

    fn named(&mut self, name: &'a str) -> Outcome<Value> {
        if let Some(value) = self.cursor.variable(name) {
            if self.cursor.is("(") {
                return Err(message!("arithmetic.indexed", name = name));
            }
            let unknown = || message!("arithmetic.value_unknown", name = name);
            return value.map(Value::Number).ok_or_else(unknown);
        }
        if let Some(value) = constant(name) {
            return Ok(Value::Number(value));
        }
        let function = function(name).ok_or_else(|| message!("arithmetic.name_unknown", name = name))?;
        self.cursor.expect("(")?;
        let argument = self.sum()?;
        self.cursor.expect(")")?;
        each(argument, Value::Number(0.0), |a, _| function(a))
    }
}
