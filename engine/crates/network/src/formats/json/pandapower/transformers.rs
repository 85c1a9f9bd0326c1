//! Transformers of two and three windings.

use powerio::Shunt;

use super::branches::{Element, Pi};
use super::document::Row;
use super::taps::{characteristic, depends_on_table, tap, Changer, Side, Tap, Windings};
use super::Reading;
use crate::error::Result;
use crate::message;

/// Nameplate of a two-winding transformer, or of one of the three that represent a three-winding one.
struct Nameplate {
    sn_mva: f64,
    /// Short-circuit voltage and its real part, percent.
    vk: f64,
    vkr: f64,
    pfe_kw: f64,
    i0_percent: f64,
    /// Nominal low voltage without taps, and the winding voltages with taps.
    windings: Windings,
    parallel: f64,
    /// Shares of resistance and reactance on the high-voltage side, for the T circuit.
    hv_parts: [f64; 2],
}

const WINDINGS: [&str; 3] = ["hv", "mv", "lv"];

impl Reading<'_> {
    pub(super) fn transformers(&mut self) -> Result<()> {
        self.two_windings()?;
        self.three_windings()?;
        if self.assumed_pi > 0 {
            self.tell(
                "INPUT.HELD",
                message!("pandapower.pi_circuits", count = self.assumed_pi),
            );
        }
        Ok(())
    }

    fn two_windings(&mut self) -> Result<()> {
        let (mut zero, mut former) = (0, 0);
        for row in self.document.rows("trafo") {
            let (index, ends) = (row.index()?, [self.bus(&row, "hv_bus")?, self.bus(&row, "lv_bus")?]);
            let buses = [row.whole("hv_bus"), row.whole("lv_bus")];
            let mut windings = Windings {
                hv_kv: row.required("vn_hv_kv")?,
                lv_kv: row.required("vn_lv_kv")?,
                shift_deg: self.shift(&row, "shift_degree"),
            };
            for prefix in ["tap", "tap2"] {
                let side = match row.text(&format!("{prefix}_side")) {
                    Some("hv") => Side::Hv,
                    Some("lv") => Side::Lv,
                    _ => continue,
                };
                if let Some(tap) = tap(self.document, &row, prefix, side)? {
                    windings.apply(tap);
                }
            }
            let percent = |column: &str| match depends_on_table(&row) {
                true => characteristic(self.document, &row, column),
                false => row.required(column),
            };
            let parallel = row.number_or("parallel", 1.0);
            let sn_mva = row.required("sn_mva")?;
            let plate = Nameplate {
                sn_mva,
                vk: percent("vk_percent")?,
                vkr: percent("vkr_percent")?,
                pfe_kw: row.number_or("pfe_kw", 0.0),
                i0_percent: row.number_or("i0_percent", 0.0),
                windings,
                parallel,
                hv_parts: [
                    row.number_or("leakage_resistance_ratio_hv", 0.5),
                    row.number_or("leakage_reactance_ratio_hv", 0.5),
                ],
            };
            let limit = row.number("max_loading_percent");
            let rating = limit.map(|percent| percent / 100.0 * sn_mva * row.number_or("df", 1.0) * parallel);
            let in_service = row.is_in_service();
            zero += usize::from(in_service && rating == Some(0.0));
            former += usize::from(in_service && row.flag("tap_dependent_impedance", false));
            let open = self.switches.open_ends("t", index, buses, 1);
            self.transformer(row, ends, open, &plate, rating);
        }
        self.tell_transformers(zero, former);
        Ok(())
    }

    fn three_windings(&mut self) -> Result<()> {
        let (mut zero, mut former) = (0, 0);
        for row in self.document.rows("trafo3w") {
            let index = row.index()?;
            let mut buses = [0; 3];
            for (bus, winding) in buses.iter_mut().zip(WINDINGS) {
                *bus = self.bus(&row, &format!("{winding}_bus"))?;
            }
            let ends = WINDINGS.map(|winding| row.whole(&format!("{winding}_bus")));
            let in_service = row.is_in_service();
            let name = row
                .text("name")
                .map_or_else(|| format!("trafo3w {}", row.label()), str::to_string);
            let star = self.auxiliary_bus(buses[0], format!("{name}, star point"), in_service);
            let mut sn = [0.0; 3];
            let (mut vk, mut vkr) = ([0.0; 3], [0.0; 3]);
            for (k, winding) in WINDINGS.into_iter().enumerate() {
                sn[k] = row.required(&format!("sn_{winding}_mva"))?;
                let percent = |column: String| match depends_on_table(&row) {
                    true => characteristic(self.document, &row, &column),
                    false => row.required(&column),
                };
                vk[k] = percent(format!("vk_{winding}_percent"))?;
                vkr[k] = percent(format!("vkr_{winding}_percent"))?;
            }
            let (vk, vkr) = star_voltages(vk, vkr, sn);
            let loss_side = match row.table.has("loss_side") {
                true => row.text("loss_side").unwrap_or_default().to_string(),
                false => self.options.losses_3w.clone(),
            };
            let hv_kv = row.required("vn_hv_kv")?;
            let open = self.switches.open_ends("t3", index, ends, 2);
            for (k, winding) in WINDINGS.into_iter().enumerate() {
                let mut windings = Windings {
                    hv_kv,
                    lv_kv: row.required(&format!("vn_{winding}_kv"))?,
                    shift_deg: match k {
                        0 => 0.0,
                        _ => self.shift(&row, &format!("shift_{winding}_degree")),
                    },
                };
                if row.text("tap_side") == Some(winding) {
                    let terminal = if k == 0 { Side::Hv } else { Side::Lv };
                    if let Some(tap) = tap(self.document, &row, "tap", terminal)? {
                        windings.apply(match row.flag("tap_at_star_point", false) {
                            true => at_star_point(tap),
                            false => tap,
                        });
                    }
                }
                let lossy = loss_side == winding;
                let plate = Nameplate {
                    sn_mva: sn[k],
                    vk: vk[k],
                    vkr: vkr[k],
                    pfe_kw: if lossy { row.number_or("pfe_kw", 0.0) } else { 0.0 },
                    i0_percent: if lossy { row.number_or("i0_percent", 0.0) } else { 0.0 },
                    windings,
                    parallel: 1.0,
                    hv_parts: [0.5; 2],
                };
                let rating = row.number("max_loading_percent").map(|percent| percent / 100.0 * sn[k]);
                zero += usize::from(k == 0 && in_service && rating == Some(0.0));
                let (legs, open) = match k {
                    0 => ([buses[0], star], [open[0], false]),
                    _ => ([star, buses[k]], [false, open[k]]),
                };
                self.transformer(row, legs, open, &plate, rating);
                if let Some(leg) = self.branches.last_mut() {
                    leg.name = Some(format!("{name}, {winding}"));
                    leg.uid = leg.uid.as_ref().map(|uid| format!("{uid} {winding}"));
                }
            }
            former += usize::from(in_service && row.flag("tap_dependent_impedance", false));
            if self.options.losses_3w == "star" {
                self.losses_at_star(&row, buses[0], star, hv_kv, sn[0]);
            }
        }
        self.tell_transformers(zero, former);
        Ok(())
    }

    /// No-load losses as a shunt of the star point.
    fn losses_at_star(&mut self, row: &Row<'_>, hv: usize, star: usize, hv_kv: f64, sn_mva: f64) {
        let (active, apparent) = (
            row.number_or("pfe_kw", 0.0) / 1e3,
            sn_mva * row.number_or("i0_percent", 0.0) / 100.0,
        );
        let reactive = (apparent * apparent - active * active).max(0.0).sqrt();
        let ratio = (self.buses[hv].base_kv / hv_kv) * (self.buses[hv].base_kv / hv_kv);
        let mut shunt = Shunt::new(self.id(star), active * ratio, -reactive * ratio);
        shunt.uid = Some(format!("trafo3w {} losses", row.label()));
        shunt.in_service = row.is_in_service();
        self.shunts.push(shunt);
    }

    fn transformer(&mut self, row: Row<'_>, ends: [usize; 2], open: [bool; 2], plate: &Nameplate, rating: Option<f64>) {
        let kv = ends.map(|end| self.buses[end].base_kv);
        let mut pi = plate.pi(kv[1], self.base_mva);
        if self.options.is_t_model {
            pi = t_circuit(pi, plate.hv_parts);
        } else if !self.options.states_model && row.is_in_service() && (pi.g_fr, pi.b_fr) != (0.0, 0.0) {
            self.assumed_pi += 1;
        }
        let Windings {
            hv_kv,
            lv_kv,
            shift_deg,
        } = plate.windings;
        self.add(Element {
            row,
            ends,
            open,
            in_service: row.is_in_service(),
            pi,
            tap: (hv_kv / lv_kv) / (kv[0] / kv[1]),
            shift_deg,
            rating,
        });
    }

    fn shift(&self, row: &Row<'_>, column: &str) -> f64 {
        match self.options.angles {
            true => row.number_or(column, 0.0),
            false => 0.0,
        }
    }

    fn tell_transformers(&mut self, zero: usize, former: usize) {
        if zero > 0 {
            self.tell("INPUT.FIELD_IGNORED", message!("pandapower.zero_limits", count = zero));
        }
        if former > 0 {
            self.tell(
                "INPUT.HELD",
                message!("pandapower.former_characteristic", count = former),
            );
        }
    }
}

impl Nameplate {
    /// The pi circuit at the low-voltage side (`_calc_r_x_from_dataframe`, `_calc_y_from_dataframe`); its shunt is halved.
    fn pi(&self, lv_bus_kv: f64, base_mva: f64) -> Pi {
        let lv_kv = self.windings.lv_kv;
        let base = (lv_kv / lv_bus_kv) * (lv_kv / lv_bus_kv) * base_mva;
        let z = self.vk / 100.0 / self.sn_mva * base;
        let r = self.vkr / 100.0 / self.sn_mva * base;
        let x = (z * z - r * r).sqrt().copysign(z);
        let (active, apparent) = (self.pfe_kw * 1e-3, self.i0_percent / 100.0 * self.sn_mva);
        let reactive = (apparent * apparent - active * active).max(0.0).sqrt();
        // One over the base power, at the voltage of the winding.
        let admittance = self.parallel / base;
        let (g, b) = (active * admittance, -reactive * admittance);
        Pi {
            r: r / self.parallel,
            x: if z == 0.0 { 0.0 } else { x } / self.parallel,
            g_fr: g / 2.0,
            b_fr: b / 2.0,
            g_to: g / 2.0,
            b_to: b / 2.0,
        }
    }
}

/// Converts the T circuit to a pi circuit (`_wye_delta`): the shunt is between the two parts of the series impedance.
/// For the parts `z1`, `z2` and the shunt `y`, the pi circuit has the impedance `z1 + z2 + z1 z2 y` and the shunts `z2
/// y` and `z1 y` divided by it.
fn t_circuit(pi: Pi, hv_parts: [f64; 2]) -> Pi {
    let y = (pi.g_fr + pi.g_to, pi.b_fr + pi.b_to);
    if y == (0.0, 0.0) {
        return pi;
    }
    let first = (pi.r * hv_parts[0], pi.x * hv_parts[1]);
    let second = (pi.r * (1.0 - hv_parts[0]), pi.x * (1.0 - hv_parts[1]));
    let product = times(times(first, second), y);
    let z = (pi.r + product.0, pi.x + product.1);
    let (fr, to) = (over(times(second, y), z), over(times(first, y), z));
    Pi {
        r: z.0,
        x: z.1,
        g_fr: fr.0,
        b_fr: fr.1,
        g_to: to.0,
        b_to: to.1,
    }
}

fn times(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn over(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let size = b.0 * b.0 + b.1 * b.1;
    ((a.0 * b.0 + a.1 * b.1) / size, (a.1 * b.0 - a.0 * b.1) / size)
}

/// Converts short-circuit voltages between the windings (hv-mv, mv-lv, hv-lv; each at the smaller of the two ratings)
/// to those of the three transformers at the star point, each at its own rating
/// (`_calculate_sc_voltages_of_equivalent_transformers`).
fn star_voltages(vk: [f64; 3], vkr: [f64; 3], sn: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let smaller = [sn[0].min(sn[1]), sn[1].min(sn[2]), sn[0].min(sn[2])];
    let mut at_hv = [[0.0; 3]; 2];
    for k in 0..3 {
        let (z, r) = (sn[0] * vk[k] / smaller[k], sn[0] * vkr[k] / smaller[k]);
        (at_hv[0][k], at_hv[1][k]) = ((z * z - r * r).sqrt(), r);
    }
    let star = |z: [f64; 3]| {
        let sums = [z[0] + z[2] - z[1], z[1] + z[0] - z[2], z[2] + z[1] - z[0]];
        [0, 1, 2].map(|k| 0.5 * sn[k] / sn[0] * sums[k])
    };
    let (x, r) = (star(at_hv[0]), star(at_hv[1]));
    let size = |k: usize| (x[k] * x[k] + r[k] * r[k]).sqrt().copysign(x[k]);
    ([0, 1, 2].map(size), r)
}

/// Inverts a tap changer at the star point (`_calculate_3w_tap_changers`); as there, it has no effect if the column of
/// its angle is empty.
fn at_star_point(tap: Tap) -> Tap {
    let side = match tap.side {
        Side::Hv => Side::Lv,
        Side::Lv => Side::Hv,
    };
    if let Changer::Table { ratio, angle_deg } = tap.changer {
        let changer = Changer::Table {
            ratio: 1.0 / ratio,
            angle_deg: -angle_deg,
        };
        return Tap { side, changer, ..tap };
    }
    let (Some(percent), Some(degree)) = (tap.step_percent, tap.step_degree) else {
        let (step_percent, step_degree) = (None, None);
        return Tap {
            side,
            step_percent,
            step_degree,
            ..tap
        };
    };
    let angle = degree.to_radians();
    let t = (percent * libm::cos(angle), percent * libm::sin(angle));
    let corrected = over((100.0 * t.0, 100.0 * t.1), (100.0 + t.0 * tap.steps, t.1 * tap.steps));
    Tap {
        side,
        step_percent: Some((corrected.0 * corrected.0 + corrected.1 * corrected.1).sqrt()),
        step_degree: Some(libm::atan2(corrected.1, corrected.0).to_degrees() - 180.0),
        ..tap
    }
}
