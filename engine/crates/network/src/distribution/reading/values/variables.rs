//! Variables of a script: `var @kv=12.47`, and later `kv=@kv`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::distribution::script::Param;

/// Values by name, in lower case and with the `@`.
#[derive(Debug, Default)]
pub(super) struct Variables(BTreeMap<String, String>);

impl Variables {
    /// Defines the parameters of a `var` command.
    pub fn define(&mut self, line: &str, params: &[Param]) {
        for param in params {
            let Some(name) = param.name.clone() else { continue };
            let (value, _) = self.put_in(&line[param.value.clone()], false);
            let value = value.into_owned();
            self.0.insert(line[name].to_ascii_lowercase(), value);
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Substitutes the variable in a value, which then counts as one in brackets. A suffix after a point remains, as in
    /// `@bus.1.2`.
    pub fn put_in<'a>(&self, text: &'a str, quoted: bool) -> (Cow<'a, str>, bool) {
        if !text.starts_with('@') {
            return (Cow::Borrowed(text), quoted);
        }
        let (name, behind) = text.split_at(text.find(['.', '^']).unwrap_or(text.len()));
        match self.0.get(&name.to_ascii_lowercase()) {
            Some(value) => (Cow::Owned(format!("{value}{behind}")), true),
            None => (Cow::Borrowed(text), quoted),
        }
    }
}
