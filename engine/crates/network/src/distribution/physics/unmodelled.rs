//! Equipment, controls and settings that a power flow of the module would ignore.

use powerio::dist::audit_electrical_readiness;

use super::super::elements::fold::original;
use super::super::shown::warnings::{is_active, is_disabled, CONTROLS, NO_EQUIPMENT};
use super::refusals::Refusals;
use super::sources::is_nonzero;
use super::{Controls, Reading};
use crate::feeder::Feeder;
use crate::message;

impl Reading<'_> {
    /// Records everything in service without a model, and the controls that do not act.
    pub fn unmodelled(&self, feeder: &mut Feeder, refused: &mut Refusals) {
        self.objects(feeder, refused);
        self.injections(refused);
        self.settings(refused);
        self.grounding(refused);
        for finding in audit_electrical_readiness(self.net).blockers() {
            // Objects without a model are refused by their class above.
            if !refused.names(&finding.element) {
                let message = message!("feeder.incomplete", element = &finding.element, why = &finding.message);
                refused.add(&finding.element, message);
            }
        }
    }

    fn objects(&self, feeder: &mut Feeder, refused: &mut Refusals) {
        for object in self.net.untyped_objects() {
            let class = object.class.to_ascii_lowercase();
            let name = format!("{class}.{}", object.name);
            // This moves the tap at once, whether or not the control is enabled.
            if class == "regcontrol" && object.props.iter().any(|(p, _)| p.as_deref() == Some("tapnum")) {
                refused.add(&name, message!("feeder.tap_number", element = &name));
            }
            // Elements opened by a switch control are already open in the module.
            if NO_EQUIPMENT.contains(&class.as_str()) || class == "swtcontrol" || is_disabled(object, &self.service) {
                continue;
            }
            if CONTROLS.contains(&class.as_str()) {
                self.control(&name, feeder, refused);
            } else {
                let message = match self.reason(&class, &object.name) {
                    Some(why) => message!("feeder.not_modelled_because", element = &name, why = why),
                    None => message!("feeder.not_modelled", element = &name),
                };
                refused.add(&name, message);
            }
        }
        for profile in self.net.control_profiles().iter().filter(|p| is_active(p)) {
            let name = format!("invcontrol.{}", profile.name);
            self.control(&name, feeder, refused);
        }
        for t in self.net.transformers() {
            if t.extras.contains_key("controls") && self.service.has("transformer", &t.name, &t.extras) {
                self.control(&format!("transformer.{}", t.name), feeder, refused);
            }
        }
    }

    /// The parser's reason for storing an object as text: `class name: why; kept untyped`.
    fn reason(&self, class: &str, name: &str) -> Option<&str> {
        let begin = format!("{class} {name}: ");
        let mut remarks = self.remarks.iter().filter(|d| d.code() == "READ.DSS.OBJECT_UNTYPED");
        let why = remarks.find_map(|d| d.message().strip_prefix(&begin))?;
        Some(why.strip_suffix("; kept untyped").unwrap_or(why))
    }

    fn control(&self, name: &str, feeder: &mut Feeder, refused: &mut Refusals) {
        if self.controls_are_off() {
            return;
        }
        match self.options.controls {
            Controls::Held => feeder.held_controls.push(name.to_owned()),
            Controls::Refuse => {
                let message = message!("feeder.active_control", element = name);
                refused.add_with_option(name, message, "controls: \"held\"");
            }
        }
    }

    /// Whether the script switches controls off. If it solves more than once, earlier solutions may have moved the
    /// taps.
    fn controls_are_off(&self) -> bool {
        let mut modes = self.settings.of("controlmode").peekable();
        modes.peek().is_some() && modes.all(|mode| mode.eq_ignore_ascii_case("off")) && self.settings.solves <= 1
    }

    fn injections(&self, refused: &mut Refusals) {
        let mut refuse = |name: String| {
            let message = message!("feeder.injection", element = &name);
            refused.add(&name, message);
        };
        for g in self.net.generators() {
            if self.service.has("generator", &g.name, &g.extras) {
                refuse(format!("generator.{}", g.name));
            }
        }
        for i in self.net.ibrs() {
            if self.service.has("pvsystem", &i.name, &i.extras) {
                refuse(original(&i.extras).map_or_else(|| format!("pvsystem.{}", i.name), str::to_owned));
            }
        }
        // Storage and similar elements, which the parser converts to loads.
        for load in self.net.loads() {
            if let Some(written) = original(&load.extras) {
                refuse(written.to_owned());
            }
        }
    }

    /// Records circuit-wide settings and commands that the parser does not apply.
    fn settings(&self, refused: &mut Refusals) {
        for (option, value) in self.settings.refused(self.net.base_frequency()) {
            let message = message!("feeder.setting", option = option, value = value);
            refused.add(&format!("option.{option}"), message);
        }
        for command in &self.settings.commands {
            let message = message!("feeder.command", command = command);
            refused.add(&format!("command.{command}"), message);
        }
    }

    /// Records impedances of grounding and of switches in PowerModelsDistribution documents, which the parser stores as
    /// extras.
    fn grounding(&self, refused: &mut Refusals) {
        for bus in self.net.buses() {
            if ["rg", "xg"]
                .into_iter()
                .any(|key| bus.extras.get(key).is_some_and(is_nonzero))
            {
                let name = format!("bus.{}", bus.id);
                refused.add(&name, message!("feeder.property", element = &name, property = "rg"));
            }
        }
        for switch in self.net.switches() {
            if ["pmd_rs", "pmd_xs"]
                .into_iter()
                .any(|key| switch.extras.get(key).is_some_and(is_nonzero))
            {
                let name = format!("switch.{}", switch.name);
                refused.add(&name, message!("feeder.property", element = &name, property = "rs"));
            }
        }
    }
}
