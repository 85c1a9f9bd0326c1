//! The tokens of a statement in sequence, and the table rows and columns that they denote.

use super::tokens::{shown, tokens, Token, LONGEST};
use super::Outcome;
use crate::message;
use crate::message::written;
use std::collections::HashMap;

/// Variables set so far; `None` for those with an unknown value.
pub(in crate::matpower) type Variables<'a> = HashMap<&'a str, Option<f64>>;

/// Whole columns of a table, `mpc.table(:, columns)`, counted from one.
#[derive(Debug, PartialEq)]
pub(in crate::matpower) struct Selection<'a> {
    pub table: &'a str,
    pub columns: Vec<usize>,
}

/// Rows of a table, counted from one.
pub(super) enum Rows {
    All,
    One(usize),
}

/// The reading position in a statement.
pub(super) struct Cursor<'a, 'b> {
    tokens: Vec<Token<'a>>,
    at: usize,
    variables: &'b Variables<'a>,
}

impl<'a, 'b> Cursor<'a, 'b> {
    pub(super) fn new(text: &'a str, variables: &'b Variables<'a>) -> Outcome<Self> {
        Ok(Self {
            tokens: tokens(text)?,
            at: 0,
            variables,
        })
    }

    /// The value of a variable; the inner `None` means unknown.
    pub(super) fn variable(&self, name: &str) -> Option<Option<f64>> {
        self.variables.get(name).copied()
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.get(self.at).copied();
        self.at += 1;
        token
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.tokens.get(self.at), Some(Token::Sign(s) | Token::Name(s)) if *s == sign)
    }

    pub(super) fn one_of(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let found = signs.iter().copied().find(|sign| self.is(sign))?;
        self.at += 1;
        Some(found)
    }

    pub(super) fn expect(&mut self, sign: &str) -> Outcome<()> {
        if self.is(sign) {
            self.at += 1;
            return Ok(());
        }
        match self.next() {
            Some(token) => Err(message!("arithmetic.expected", token = shown(token), sign = sign)),
            None => Err(message!("arithmetic.missing", sign = sign)),
        }
    }

    pub(super) fn rows(&mut self) -> Outcome<Rows> {
        if self.one_of(&[":"]).is_some() {
            return Ok(Rows::All);
        }
        Ok(Rows::One(self.index()?))
    }

    /// A whole number from one, as a number or by name.
    fn index(&mut self) -> Outcome<usize> {
        let value = match self.next() {
            Some(Token::Number(value)) => value,
            Some(Token::Name(name)) => match self.variable(name) {
                Some(Some(value)) => value,
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
    pub(super) fn columns(&mut self) -> Outcome<Vec<usize>> {
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
