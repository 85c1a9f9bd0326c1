//! The complete physics of a multiconductor module, or the elements that prevent a faithful power flow.

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

/// The treatment of a source with an impedance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceImpedance {
    #[default]
    Refuse,
    /// Solve with it: the voltage is fixed behind a line with this impedance, which is exact.
    Branch,
}

/// The treatment of controls that would act during the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controls {
    #[default]
    Refuse,
    /// Solve with taps, capacitors and switches as in the source.
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
/// `PHYSICS.UNSUPPORTED` for unmodelled physics; all elements are in `details.refused`, each with its sentence and, if
/// one helps, the option. `INPUT.TERMINALS`, `INPUT.NOT_FINITE` and `INPUT.RATING` for impossible data; `MODULE.*` for
/// a text that is not a multiconductor module.
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

/// A network during its conversion to a [`Feeder`].
struct Reading<'a> {
    net: &'a MulticonductorNetwork,
    /// Diagnostics of the parser.
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

    /// Whether the source is OpenDSS, whose elements have properties that do not exist in JSON.
    fn is_script(&self) -> bool {
        *self.net.source_format() == Some(powerio::dist::DistSourceFormat::Dss)
    }
}

/// `class.name` of the source element, if the parser converted it.
fn element(class: &str, name: &str, extras: &powerio::dist::Extras) -> String {
    match original(extras) {
        Some(written) => written.to_owned(),
        None => format!("{class}.{name}"),
    }
}

/// A number among the additional properties, stored as number or text.
fn number(extras: &powerio::dist::Extras, key: &str) -> Option<f64> {
    match extras.get(key)? {
        serde_json::Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    }
}
