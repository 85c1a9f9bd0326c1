//! The complete physics of a multiconductor module, or the names of what keeps a power flow from being one of this feeder.

mod equipment;
mod loads;
mod nodes;
mod refusals;
mod sources;
mod transformers;
mod unmodelled;

use powerio::dist::MulticonductorNetwork;
use powerio::Diagnostic;

use super::elements::fold::{original, Fold};
use super::elements::service::Service;
use super::network;
use super::settings::Settings;
use crate::error::Result;
use crate::feeder::Feeder;
use crate::module;
use nodes::Nodes;
use refusals::Refusals;

/// What to do about a source with an impedance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceImpedance {
    #[default]
    Refuse,
    /// Solve with it: the voltage is held behind a line that has this impedance, which is exact.
    Branch,
}

/// What to do about controls that would act while the feeder is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controls {
    #[default]
    Refuse,
    /// Solve with taps, capacitors and switches as they are written.
    Held,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeederOptions {
    pub source_impedance: SourceImpedance,
    pub controls: Controls,
}

/// Reads the module of a multiconductor case for a power flow.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` with what would have to be modelled; all elements are in `details.refused`, each with its sentence and,
/// where one helps, the option. `INPUT.TERMINALS`, `INPUT.NOT_FINITE` and `INPUT.RATING` for data that no equipment can have;
/// `MODULE.*` for a text that is no multiconductor module.
pub fn feeder_from_module(module_json: &str, options: FeederOptions) -> Result<Feeder> {
    let parsed = module::open(module_json)?;
    let net = network(&parsed)?;
    super::elements::check::references(net)?;
    let reading = Reading {
        net,
        remarks: parsed.diagnostics(),
        fold: Fold::new(net),
        service: Service::new(net),
        settings: Settings::new(net),
        nodes: Nodes::new(net),
        options,
    };
    reading.feeder()
}

/// A network on its way to a [`Feeder`].
struct Reading<'a> {
    net: &'a MulticonductorNetwork,
    /// The parser's remarks.
    remarks: &'a [Diagnostic],
    fold: Fold,
    service: Service,
    settings: Settings,
    nodes: Nodes,
    options: FeederOptions,
}

impl Reading<'_> {
    fn feeder(&self) -> Result<Feeder> {
        let mut refused = Refusals::default();
        let mut feeder = Feeder {
            name: self.net.name().clone().unwrap_or_default(),
            base_frequency: self.net.base_frequency(),
            ..Feeder::default()
        };
        self.nodes.describe(self.net, &self.fold, &mut feeder);
        self.unmodelled(&mut feeder, &mut refused);
        self.lines(&mut feeder)?;
        self.shunts(&mut feeder, &mut refused)?;
        self.switches(&mut feeder)?;
        self.transformers(&mut feeder, &mut refused)?;
        self.loads(&mut feeder, &mut refused)?;
        self.sources(&mut feeder, &mut refused)?;
        refused.into_result()?;
        Ok(feeder)
    }

    /// Written in OpenDSS, whose elements have parts that JSON knows nothing of.
    fn is_script(&self) -> bool {
        *self.net.source_format() == Some(powerio::dist::DistSourceFormat::Dss)
    }
}

/// `class.name`, of what was written where the parser made something else of it.
fn element(class: &str, name: &str, extras: &powerio::dist::Extras) -> String {
    match original(extras) {
        Some(written) => written.to_owned(),
        None => format!("{class}.{name}"),
    }
}

/// A number among the further properties, written as one or as text.
fn number(extras: &powerio::dist::Extras, key: &str) -> Option<f64> {
    match extras.get(key)? {
        serde_json::Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    }
}
