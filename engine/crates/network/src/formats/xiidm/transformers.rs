//! Transformers and their tap changers.

use super::elements::{flag, number, or_zero, refused, required, whole};
use super::limits::limits;
use super::Reading;
use crate::error::Result;
use crate::formats::grid::{Transformer, Windings};
use crate::formats::xml::Element;

/// What the positions of both tap changers make of a winding.
struct Taps {
    /// Factors of r, x, g and b.
    factors: [f64; 4],
    ratio: f64,
    angle_deg: f64,
}

impl Reading {
    pub(super) fn two_windings(&mut self, element: &Element<'_>) -> Result<()> {
        let named = self.identify(element)?;
        let ends = [
            self.levels.terminal(element, None, "1")?,
            self.levels.terminal(element, None, "2")?,
        ];
        self.register(named.id, &ends);
        let taps = self.taps(element, "")?;
        let rated = [required(element, "ratedU1")?, required(element, "ratedU2")?];
        let limits =
            limits(element, "1", self.grid.kv(ends[0].bus))?.and(limits(element, "2", self.grid.kv(ends[1].bus))?);
        let transformer = Transformer {
            z: [
                required(element, "r")? * taps.factors[0],
                required(element, "x")? * taps.factors[1],
            ],
            y: [
                or_zero(element, "g")? * taps.factors[2],
                or_zero(element, "b")? * taps.factors[3],
            ],
            y_behind: [0.0; 2],
            ratio: rated[1] / rated[0] * taps.ratio,
            angle_deg: taps.angle_deg,
            limits,
        };
        check_rated(element, &["ratedU1", "ratedU2"])?;
        self.grid.transformer(ends, named, &transformer);
        Ok(())
    }

    pub(super) fn three_windings(&mut self, element: &Element<'_>) -> Result<()> {
        let named = self.identify(element)?;
        let star_kv = match number(element, "ratedU0")? {
            Some(kv) => kv,
            None => required(element, "ratedU1")?,
        };
        check_rated(element, &["ratedU0", "ratedU1", "ratedU2", "ratedU3"])?;
        let mut windings = Vec::with_capacity(3);
        for end in ["1", "2", "3"] {
            let terminal = self.levels.terminal(element, None, end)?;
            let taps = self.taps(element, end)?;
            let of = |name: &str| format!("{name}{end}");
            windings.push((
                terminal,
                Transformer {
                    z: [
                        required(element, &of("r"))? * taps.factors[0],
                        required(element, &of("x"))? * taps.factors[1],
                    ],
                    y: [
                        or_zero(element, &of("g"))? * taps.factors[2],
                        or_zero(element, &of("b"))? * taps.factors[3],
                    ],
                    y_behind: [0.0; 2],
                    ratio: star_kv / required(element, &of("ratedU"))? * taps.ratio,
                    angle_deg: taps.angle_deg,
                    limits: limits(element, end, self.grid.kv(terminal.bus))?,
                },
            ));
        }
        let windings = [windings[0], windings[1], windings[2]];
        self.register(named.id, &windings.map(|(terminal, _)| terminal));
        self.grid.three_windings(named, &Windings { star_kv, windings });
        Ok(())
    }

    fn taps(&mut self, element: &Element<'_>, end: &str) -> Result<Taps> {
        let mut taps = Taps {
            factors: [1.0; 4],
            ratio: 1.0,
            angle_deg: 0.0,
        };
        for kind in ["ratioTapChanger", "phaseTapChanger"] {
            let Some(changer) = element.child(&format!("{kind}{end}")) else {
                continue;
            };
            let position = whole(changer, "tapPosition")?;
            let position = position.ok_or_else(|| refused(changer, "tapPosition"))?;
            let lowest = whole(changer, "lowTapPosition")?.unwrap_or(0);
            let steps = changer.children.iter().filter(|child| child.name == "step");
            let step = usize::try_from(position.saturating_sub(lowest))
                .ok()
                .and_then(|row| steps.clone().nth(row));
            let step = step.ok_or_else(|| refused(changer, "tapPosition"))?;
            for (factor, name) in taps.factors.iter_mut().zip(["r", "x", "g", "b"]) {
                *factor *= 1.0 + or_zero(step, name)? / 100.0;
            }
            let rho = number(step, "rho")?.unwrap_or(1.0);
            if !(rho > 0.0 && rho.is_finite()) {
                return Err(refused(step, "rho"));
            }
            taps.ratio *= rho;
            taps.angle_deg += or_zero(step, "alpha")?;
            let is_fixed = changer.attribute("regulationMode") == Some("FIXED_TAP")
                || flag(changer, "loadTapChangingCapabilities")? == Some(false);
            if flag(changer, "regulating")? == Some(true) && !is_fixed {
                match kind {
                    "ratioTapChanger" => self.grid.held.taps += 1,
                    _ => self.grid.held.angles += 1,
                }
            }
        }
        Ok(taps)
    }
}

fn check_rated(element: &Element<'_>, names: &[&str]) -> Result<()> {
    for name in names {
        if number(element, name)?.is_some_and(|kv| !(kv > 0.0 && kv.is_finite())) {
            return Err(refused(element, name));
        }
    }
    Ok(())
}
