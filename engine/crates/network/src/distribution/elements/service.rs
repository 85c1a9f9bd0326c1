//! Elements out of service, which the parser keeps in its tables.

use powerio::dist::{Extras, MulticonductorNetwork};
use std::collections::BTreeMap;

use crate::distribution::script;
use crate::distribution::switching::is_no;

/// The service status of elements.
pub(crate) struct Service {
    /// Last `Enable` or `Disable` command by lower-case `class.name`; `class.*` means the whole class.
    commanded: BTreeMap<String, bool>,
}

impl Service {
    pub fn new(net: &MulticonductorNetwork) -> Self {
        let mut commanded = BTreeMap::new();
        for (verb, args) in net.commands() {
            let enabled = match verb.to_ascii_lowercase().as_str() {
                "enable" => true,
                "disable" => false,
                _ => continue,
            };
            let Some(target) = script::params(args).into_iter().next() else {
                continue;
            };
            let target = args[target.value].to_ascii_lowercase();
            if let Some(class) = target.strip_suffix('*') {
                commanded.retain(|known: &String, _| !known.starts_with(class));
            }
            commanded.insert(target, enabled);
        }
        Self { commanded }
    }

    /// Whether an element is in service: false for `enabled=no` and `Disable` (OpenDSS) and for a corresponding status
    /// (PowerModelsDistribution).
    pub fn has(&self, class: &str, name: &str, extras: &Extras) -> bool {
        if let Some(enabled) = self.command(class, name) {
            return enabled;
        }
        let says_no = |key: &str| match extras.get(key) {
            Some(serde_json::Value::String(s)) => is_no(s) || s.eq_ignore_ascii_case("disabled"),
            Some(serde_json::Value::Bool(b)) => !b,
            _ => false,
        };
        let status = extras.get("pmd_status").and_then(serde_json::Value::as_str);
        !says_no("enabled") && !status.is_some_and(|s| s.eq_ignore_ascii_case("disabled"))
    }

    /// The last command on an element.
    pub fn command(&self, class: &str, name: &str) -> Option<bool> {
        if self.commanded.is_empty() {
            return None;
        }
        let own = format!("{class}.{}", name.to_ascii_lowercase());
        let all = format!("{class}.*");
        self.commanded.get(&own).or_else(|| self.commanded.get(&all)).copied()
    }
}
