//! Transformers of two and three windings with their tap changers.

use super::model::Object;
use super::Reading;
use crate::error::{EngineError, Result};
use crate::formats::grid::{Terminal, Transformer, Windings};
use crate::message;

/// One end: its impedance and shunt at its rated voltage, and the position of its tap changers.
struct End {
    terminal: Terminal,
    terminal_id: String,
    z: [f64; 2],
    y: [f64; 2],
    rated_kv: f64,
    ratio: f64,
    angle_deg: f64,
    /// Factors of resistance and reactance of the transformer, and of this end's shunt.
    factors: [f64; 4],
    /// Reactance of the transformer that depends on the angle, ohm.
    x: Option<f64>,
}

impl<'m, 'a> Reading<'m, 'a> {
    pub(super) fn transformers(&mut self) -> Result<()> {
        let model = self.model;
        for transformer in model.all("PowerTransformer") {
            let mut own = self.members.of(&transformer.id).to_vec();
            own.sort_by_key(|end| {
                end.number("TransformerEnd.endNumber")
                    .ok()
                    .flatten()
                    .map_or(0, |n| n as i64)
            });
            let mut ends = Vec::new();
            for end in own {
                ends.push(self.end(transformer, end)?);
            }
            match &ends[..] {
                [Some(first), Some(second)] => self.two_windings(transformer, first, second),
                [Some(a), Some(b), Some(c)] => self.three_windings(transformer, [a, b, c]),
                _ if ends
                    .iter()
                    .any(|end| end.as_ref().is_some_and(|end| end.terminal.connected)) =>
                {
                    let message = message!("cgmes.windings", object = transformer.shown(), count = ends.len());
                    return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// An end; `None` if its terminal has no node.
    fn end(&mut self, transformer: &Object<'a>, end: &Object<'a>) -> Result<Option<End>> {
        let id = end
            .text("TransformerEnd.Terminal")
            .ok_or_else(|| end.missing("TransformerEnd.Terminal"))?;
        let Some(terminal) = self.topology.terminal(id) else {
            return Ok(None);
        };
        let rated_kv = end.required("PowerTransformerEnd.ratedU")?;
        if !(rated_kv > 0.0 && rated_kv.is_finite()) {
            return Err(end.refused("PowerTransformerEnd.ratedU"));
        }
        let of = |name: &str| end.or_zero(&format!("PowerTransformerEnd.{name}"));
        let mut out = End {
            terminal,
            terminal_id: id.to_string(),
            z: [of("r")?, of("x")?],
            y: [of("g")?, of("b")?],
            rated_kv,
            ratio: 1.0,
            angle_deg: 0.0,
            factors: [1.0; 4],
            x: None,
        };
        for changer in self.members.of(&end.id).to_vec() {
            self.tap(changer, &mut out)?;
        }
        if !(out.ratio > 0.0 && out.ratio.is_finite()) {
            let message = message!("cgmes.ratio", object = transformer.shown());
            return Err(EngineError::new("INPUT.PARSE", message));
        }
        Ok(Some(out))
    }

    fn tap(&mut self, changer: &Object<'a>, end: &mut End) -> Result<()> {
        let step = match changer.number("TapChanger.step")? {
            Some(step) => step,
            None => changer.required("TapChanger.normalStep")?,
        };
        let neutral = changer.or_zero("TapChanger.neutralStep")?;
        let n = step - neutral;
        let control = self.model.of(changer, "TapChanger.TapChangerControl");
        let is_controlled = match control {
            Some(control) => control.flag("RegulatingControl.enabled")?.unwrap_or(false),
            None => false,
        };
        if is_controlled && changer.flag("TapChanger.controlEnabled")?.unwrap_or(true) && end.terminal.connected {
            match changer.class {
                "RatioTapChanger" => self.grid.held.taps += 1,
                _ => self.grid.held.angles += 1,
            }
        }
        let increment = |property: &str| changer.or_zero(property).map(|percent| percent / 100.0);
        match changer.class {
            "RatioTapChanger" => match self.table(changer, "RatioTapChanger.RatioTapChangerTable", step)? {
                Some(point) => apply(point, end)?,
                None => end.ratio *= 1.0 + n * increment("RatioTapChanger.stepVoltageIncrement")?,
            },
            "PhaseTapChangerTabular" => match self.table(changer, PHASE_TABLE, step)? {
                Some(point) => {
                    apply(point, end)?;
                    end.angle_deg += point.or_zero("PhaseTapChangerTablePoint.angle")?;
                }
                None => return Err(changer.missing(PHASE_TABLE)),
            },
            "PhaseTapChangerLinear" => {
                let per_step = changer.or_zero("PhaseTapChangerLinear.stepPhaseShiftIncrement")?;
                end.angle_deg += n * per_step;
                let largest = largest_step(changer, neutral)? * per_step;
                end.x = reactance(changer, "PhaseTapChangerLinear", |limits| {
                    between(limits, sine_share(n * per_step, largest))
                })?;
            }
            "PhaseTapChangerSymmetrical" => {
                let per_step = increment("PhaseTapChangerNonLinear.voltageStepIncrement")?;
                let angle = |steps: f64| 2.0 * libm::atan(steps * per_step / 2.0).to_degrees();
                end.angle_deg += angle(n);
                let largest = angle(largest_step(changer, neutral)?);
                end.x = reactance(changer, "PhaseTapChangerNonLinear", |limits| {
                    between(limits, sine_share(angle(n), largest))
                })?;
            }
            _ => {
                let per_step = increment("PhaseTapChangerNonLinear.voltageStepIncrement")?;
                let connection = changer
                    .number("PhaseTapChangerAsymmetrical.windingConnectionAngle")?
                    .unwrap_or(90.0);
                let (sin, cos) = (libm::sin(connection.to_radians()), libm::cos(connection.to_radians()));
                let winding = |steps: f64| (1.0 + steps * per_step * cos, steps * per_step * sin);
                let (dx, dy) = winding(n);
                end.ratio *= libm::hypot(dx, dy);
                end.angle_deg += libm::atan2(dy, dx).to_degrees();
                let (far_dx, far_dy) = winding(largest_step(changer, neutral)?);
                let (now, far) = (dy / dx, far_dy / far_dx);
                let quotient = |a: f64, b: f64| if b == 0.0 { 0.0 } else { (a / b) * (a / b) };
                let share = quotient(now, far) * quotient(sin - far * cos, sin - now * cos);
                end.x = reactance(changer, "PhaseTapChangerNonLinear", |limits| between(limits, share))?;
            }
        }
        Ok(())
    }

    /// The point at a step of the table that a property of a tap changer names; `None` without a table.
    fn table(&self, changer: &Object<'a>, property: &str, step: f64) -> Result<Option<&'m Object<'a>>> {
        let Some(table) = changer.text(property) else {
            return Ok(None);
        };
        for point in self.members.of(table) {
            if point.number("TapChangerTablePoint.step")? == Some(step) {
                return Ok(Some(point));
            }
        }
        Err(changer.refused("TapChanger.step"))
    }

    /// Both ratios and impedances at the voltage of the second end.
    fn two_windings(&mut self, transformer: &Object<'a>, first: &End, second: &End) {
        let behind = second.ratio;
        let turns = second.rated_kv / first.rated_kv;
        let scale = turns * turns * behind * behind;
        let mut z = [0, 1].map(|part| {
            let factor = first.factors[part] * second.factors[part];
            (first.z[part] * turns * turns + second.z[part]) * factor * behind * behind
        });
        if let Some(x) = first.x {
            z[1] = x * scale;
        } else if let Some(x) = second.x {
            z[1] = x * behind * behind;
        }
        let ends = [first, second].map(|end| end.terminal);
        let limits = self.limits_of(
            &transformer.id,
            [first, second].map(|end| (&end.terminal_id[..], end.terminal)),
        );
        let winding = Transformer {
            z,
            y: [0, 1].map(|part| first.y[part] * first.factors[2 + part] / scale),
            y_behind: [0, 1].map(|part| second.y[part] * second.factors[2 + part] / (behind * behind)),
            ratio: turns * behind / first.ratio,
            angle_deg: second.angle_deg - first.angle_deg,
            limits,
        };
        self.grid.transformer(ends, Self::named(transformer), &winding);
    }

    fn three_windings(&mut self, transformer: &Object<'a>, ends: [&End; 3]) {
        let star_kv = ends[0].rated_kv;
        let windings = ends.map(|end| {
            let square = (star_kv / end.rated_kv) * (star_kv / end.rated_kv);
            let mut z = [0, 1].map(|part| end.z[part] * square * end.factors[part]);
            if let Some(x) = end.x {
                z[1] = x * square;
            }
            let winding = Transformer {
                z,
                y: [0, 1].map(|part| end.y[part] / square * end.factors[2 + part]),
                y_behind: [0.0; 2],
                ratio: star_kv / (end.rated_kv * end.ratio),
                angle_deg: -end.angle_deg,
                limits: self.limits_of(&transformer.id, [(&end.terminal_id[..], end.terminal)]),
            };
            (end.terminal, winding)
        });
        self.grid
            .three_windings(Self::named(transformer), &Windings { star_kv, windings });
    }
}

const PHASE_TABLE: &str = "PhaseTapChangerTabular.PhaseTapChangerTable";

/// Applies a point of a table: its ratio, and the changes of impedance and shunt in percent.
fn apply(point: &Object<'_>, end: &mut End) -> Result<()> {
    end.ratio *= point.number("TapChangerTablePoint.ratio")?.unwrap_or(1.0);
    for (factor, name) in end.factors.iter_mut().zip(["r", "x", "g", "b"]) {
        *factor *= 1.0 + point.or_zero(&format!("TapChangerTablePoint.{name}"))? / 100.0;
    }
    Ok(())
}

/// The largest distance of a step from the neutral one.
fn largest_step(changer: &Object<'_>, neutral: f64) -> Result<f64> {
    let [low, high] = [
        changer.or_zero("TapChanger.lowStep")?,
        changer.or_zero("TapChanger.highStep")?,
    ];
    Ok((low - neutral).abs().max((high - neutral).abs()))
}

/// The reactance by its least and largest value, if the file has them.
fn reactance(changer: &Object<'_>, class: &str, value: impl Fn([f64; 2]) -> f64) -> Result<Option<f64>> {
    let [least, largest] = [
        changer.or_zero(&format!("{class}.xMin"))?,
        changer.or_zero(&format!("{class}.xMax"))?,
    ];
    let is_stated = least >= 0.0 && largest > 0.0 && least <= largest;
    Ok(is_stated.then(|| value([least, largest])))
}

fn between([least, largest]: [f64; 2], share: f64) -> f64 {
    least + (largest - least) * share
}

fn sine_share(angle_deg: f64, largest_deg: f64) -> f64 {
    let sine = |degrees: f64| libm::sin(degrees.to_radians() / 2.0);
    match sine(largest_deg) {
        0.0 => 0.0,
        far => (sine(angle_deg) / far) * (sine(angle_deg) / far),
    }
}
