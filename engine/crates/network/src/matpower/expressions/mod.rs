//! Arithmetic on numbers and whole columns of tables, in MATLAB's notation and order of operations.

#[cfg(test)]
mod tests;
mod tokens;

use std::collections::HashMap;

use tokens::{shown, tokens, Token, LONGEST};

use crate::message;
use crate::message::{written, Message};

/// Deepest nesting of the brackets of a statement: hostile input must not take much stack.
const DEEPEST: usize = 32;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::matpower) enum Value {
    Number(f64),
    /// Columns of one table, or of two with equally many rows.
    Columns(Vec<Vec<f64>>),
}

/// Why a statement is not evaluated, as the end of a sentence.
pub(in crate::matpower) type Outcome<T> = std::result::Result<T, Message>;

/// What expressions refer to.
pub(in crate::matpower) trait Surroundings {
    /// The MVA base as set so far.
    fn base_mva(&self) -> Option<f64>;
    /// Column of a table, counted from one.
    fn column(&mut self, table: &str, column: usize) -> Outcome<Vec<f64>>;
}

/// Variables set so far; None for those whose value is not known.
pub(in crate::matpower) type Variables<'a> = HashMap<&'a str, Option<f64>>;

/// Whole columns of a table, `mpc.table(:, columns)`; columns count from one.
#[derive(Debug, PartialEq)]
pub(in crate::matpower) struct Selection<'a> {
    pub table: &'a str,
    pub columns: Vec<usize>,
}

/// Reads one statement.
pub(in crate::matpower) struct Reader<'a, 'b> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    variables: &'b Variables<'a>,
    around: &'b mut dyn Surroundings,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub fn new(text: &'a str, variables: &'b Variables<'a>, around: &'b mut dyn Surroundings) -> Outcome<Self> {
        Ok(Self {
            tokens: tokens(text)?,
            at: 0,
            depth: 0,
            variables,
            around,
        })
    }

    /// `mpc.table(:, columns) = expression` to the end.
    pub fn assignment(mut self) -> Outcome<(Selection<'a>, Value)> {
        self.expect("mpc")?;
        self.expect(".")?;
        let Some(Token::Name(table)) = self.next() else {
            return Err(message!("arithmetic.names_no_table"));
        };
        self.expect("(")?;
        let Rows::All = self.rows()? else {
            return Err(message!("arithmetic.single_rows"));
        };
        self.expect(",")?;
        let columns = self.columns()?;
        self.expect(")")?;
        let twice = (1..columns.len()).any(|k| columns[..k].contains(&columns[k]));
        if twice {
            return Err(message!("arithmetic.column_twice"));
        }
        self.expect("=")?;
        let value = self.all()?;
        Ok((Selection { table, columns }, value))
    }

    /// The expression to the end of the text.
    pub fn all(mut self) -> Outcome<Value> {
        let value = self.sum()?;
        match self.next() {
            None => Ok(value),
            Some(token) => Err(message!("arithmetic.not_expected", token = shown(token))),
        }
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        token
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Sign(s) | Token::Name(s)) if *s == sign)
    }

    fn one_of(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let found = signs.iter().copied().find(|sign| self.is(sign))?;
        self.at += 1;
        Some(found)
    }

    fn expect(&mut self, sign: &str) -> Outcome<()> {
        if self.is(sign) {
            self.at += 1;
            return Ok(());
        }
        match self.next() {
            Some(token) => Err(message!("arithmetic.expected", token = shown(token), sign = sign)),
            None => Err(message!("arithmetic.missing", sign = sign)),
        }
    }

    fn sum(&mut self) -> Outcome<Value> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(message!("arithmetic.too_deep", most = DEEPEST));
        }
        let mut value = self.product()?;
        while let Some(sign) = self.one_of(&["+", "-"]) {
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
        while let Some(sign) = self.one_of(&["*", ".*", "/", "./"]) {
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
        while let Some(sign) = self.one_of(&["+", "-"]) {
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
        while let Some(sign) = self.one_of(&["^", ".^"]) {
            let mut negative = false;
            while let Some(sign) = self.one_of(&["+", "-"]) {
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
            // A square is the exact product rounded once, as MATLAB has it.
            value = each(value, exponent, |a, b| if b == 2.0 { a * a } else { libm::pow(a, b) })?;
        }
        Ok(value)
    }

    fn operand(&mut self) -> Outcome<Value> {
        match self.next() {
            Some(Token::Number(value)) => Ok(Value::Number(value)),
            Some(Token::Sign("(")) => {
                let value = self.sum()?;
                self.expect(")")?;
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
        self.expect(".")?;
        let Some(Token::Name(field)) = self.next() else {
            return Err(message!("arithmetic.whole_case"));
        };
        if field == "baseMVA" {
            let base = self.around.base_mva();
            return base
                .map(Value::Number)
                .ok_or_else(|| message!("arithmetic.base_unknown"));
        }
        if !self.is("(") {
            return Err(message!("arithmetic.whole_table", table = field));
        }
        self.expect("(")?;
        let rows = self.rows()?;
        self.expect(",")?;
        let columns = self.columns()?;
        self.expect(")")?;
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
        if let Some(value) = self.variables.get(name) {
            if self.is("(") {
                return Err(message!("arithmetic.indexed", name = name));
            }
            let unknown = || message!("arithmetic.value_unknown", name = name);
            return value.map(Value::Number).ok_or_else(unknown);
        }
        match name {
            "pi" => return Ok(Value::Number(std::f64::consts::PI)),
            "Inf" | "inf" => return Ok(Value::Number(f64::INFINITY)),
            _ => {}
        }
        let function: fn(f64) -> f64 = match name {
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
            _ => return Err(message!("arithmetic.name_unknown", name = name)),
        };
        self.expect("(")?;
        let argument = self.sum()?;
        self.expect(")")?;
        each(argument, Value::Number(0.0), |a, _| function(a))
    }

    fn rows(&mut self) -> Outcome<Rows> {
        if self.one_of(&[":"]).is_some() {
            return Ok(Rows::All);
        }
        Ok(Rows::One(self.index()?))
    }

    /// A whole number from one up, written as a number or by name.
    fn index(&mut self) -> Outcome<usize> {
        let value = match self.next() {
            Some(Token::Number(value)) => value,
            Some(Token::Name(name)) => match self.variables.get(name) {
                Some(Some(value)) => *value,
                _ => return Err(message!("arithmetic.name_unknown", name = name)),
            },
            Some(token) => return Err(message!("arithmetic.no_index", token = shown(token))),
            None => return Err(message!("arithmetic.index_missing")),
        };
        if value.fract() == 0.0 && (1.0..=1e9).contains(&value) {
            return Ok(value as usize);
        }
        Err(message!("arithmetic.no_index", token = written(value)))
    }

    /// `PD`, `[PD QD]`, `[PD, QD]` or `3:4`.
    fn columns(&mut self) -> Outcome<Vec<usize>> {
        if self.is(":") {
            return Err(message!("arithmetic.all_columns"));
        }
        let mut out = Vec::new();
        if self.one_of(&["["]).is_none() {
            self.column_range(&mut out)?;
            return Ok(out);
        }
        loop {
            self.column_range(&mut out)?;
            let comma = self.one_of(&[","]).is_some();
            if !comma && self.one_of(&["]"]).is_some() {
                return Ok(out);
            }
        }
    }

    fn column_range(&mut self, out: &mut Vec<usize>) -> Outcome<()> {
        let first = self.index()?;
        let last = match self.one_of(&[":"]) {
            Some(_) => self.index()?,
            None => first,
        };
        if last < first || last - first + out.len() >= LONGEST {
            return Err(message!("arithmetic.range", first = first, last = last));
        }
        out.extend(first..=last);
        Ok(())
    }
}

enum Rows {
    All,
    One(usize),
}

/// Element by element; a number counts for every element, one column for each of several.
fn each(left: Value, right: Value, f: impl Fn(f64, f64) -> f64) -> Outcome<Value> {
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
