//! Lines, impedances, and the remainder of a branch with an open end.

use std::f64::consts::PI;

use powerio::{Branch, BranchCharging, Shunt};

use super::document::Row;
use super::{uid, Reading};
use crate::assemble::branches::{NO_ANGLE_LIMITS, UNRATED};
use crate::error::{EngineError, Result};
use crate::message;

/// Admittances of a branch, pu: pi circuit behind an ideal transformer at its first end, as in MATPOWER.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pi {
    pub r: f64,
    pub x: f64,
    pub g_fr: f64,
    pub b_fr: f64,
    pub g_to: f64,
    pub b_to: f64,
}

/// A branch that is to be added.
pub(super) struct Element<'r> {
    pub row: Row<'r>,
    pub ends: [usize; 2],
    pub open: [bool; 2],
    pub in_service: bool,
    pub pi: Pi,
    /// Ratio of a transformer, 0 for lines.
    pub tap: f64,
    pub shift_deg: f64,
    /// MVA, `None` without a limit.
    pub rating: Option<f64>,
}

/// Temperature coefficient of resistance per kelvin from 20 °C, if the file has no column for it (`ALPHA_TDPF`).
const ALPHA: f64 = 4e-3;

/// Marks a branch whose element has no rating in the source's model, so that no limit is assumed.
pub(super) fn without_limits(branch: &mut Branch) {
    for mark in [UNRATED, NO_ANGLE_LIMITS] {
        branch.extras.insert(mark.to_string(), true.into());
    }
}

impl Reading<'_> {
    /// Adds a branch. With one open end, its remaining power flow is a shunt at the other end; with two, it is out of
    /// service.
    pub(super) fn add(&mut self, element: Element<'_>) -> &mut Branch {
        let Element {
            row,
            ends,
            open,
            in_service,
            pi,
            tap,
            shift_deg,
            rating,
        } = element;
        let mut branch = Branch::new(self.id(ends[0]), self.id(ends[1]), pi.r, pi.x);
        branch.name = row.text("name").map(str::to_string);
        branch.uid = uid(&row);
        branch.b = pi.b_fr + pi.b_to;
        let charging = BranchCharging::new(pi.g_fr, pi.b_fr, pi.g_to, pi.b_to);
        // A symmetrical susceptance needs one number.
        branch.charging = Some(charging).filter(|c| !(c.g_fr == 0.0 && c.g_to == 0.0 && c.b_fr == c.b_to));
        (branch.tap, branch.shift) = (tap, shift_deg);
        branch.rate_a = rating.unwrap_or(0.0);
        branch.in_service = in_service && open == [false; 2];
        if in_service && open[0] != open[1] && !self.options.without_open_ends {
            let end = usize::from(open[0]);
            let (g, b) = pi.open_at(1 - end, tap);
            if self.is_live(ends[end]) && (g, b) != (0.0, 0.0) {
                let mut shunt = Shunt::new(self.id(ends[end]), g * self.base_mva, b * self.base_mva);
                shunt.uid = branch.uid.as_ref().map(|uid| format!("{uid}, open"));
                self.shunts.push(shunt);
            }
        }
        let at = self.branches.len();
        self.branches.push(branch);
        &mut self.branches[at]
    }

    pub(super) fn lines(&mut self) -> Result<()> {
        let Some(table) = self.document.table("line") else {
            return Ok(());
        };
        let mut zero = 0;
        for row in table.rows() {
            let (index, ends) = (row.index()?, [self.bus(&row, "from_bus")?, self.bus(&row, "to_bus")?]);
            let buses = [row.whole("from_bus"), row.whole("to_bus")];
            let (length, parallel) = (row.required("length_km")?, row.number_or("parallel", 1.0));
            let base = self.base_ohm(ends[0]);
            let mut r = row.required("r_ohm_per_km")? * length / base / parallel;
            if self.options.line_temperature {
                let alpha = if table.has("alpha") {
                    row.number_or("alpha", 0.0)
                } else {
                    ALPHA
                };
                r *= 1.0 + alpha * (row.required("temperature_degree_celsius")? - 20.0);
            }
            let siemens = base * length * parallel;
            let b = 2.0 * PI * self.frequency * row.number_or("c_nf_per_km", 0.0) * 1e-9 * siemens;
            let g = row.number_or("g_us_per_km", 0.0) * 1e-6 * siemens;
            let pi = Pi {
                r,
                x: row.required("x_ohm_per_km")? * length / base / parallel,
                g_fr: g / 2.0,
                b_fr: b / 2.0,
                g_to: g / 2.0,
                b_to: b / 2.0,
            };
            let kv = self.buses[ends[0]].base_kv * 3.0_f64.sqrt();
            let ampere = row
                .number("max_i_ka")
                .map(|ka| ka * row.number_or("df", 1.0) * parallel * kv);
            let limit = row.number("max_loading_percent").zip(ampere);
            let rating = limit.map(|(percent, mva)| percent / 100.0 * mva);
            let in_service = row.is_in_service();
            zero += usize::from(in_service && rating == Some(0.0));
            // A line to a bus out of service is open there, whereas any other branch is out of service with its bus.
            let mut open = self.switches.open_ends("l", index, buses, 0);
            let switched = open != [false; 2];
            if in_service && !(switched && self.options.without_open_ends) {
                let dead = ends.map(|end| !self.is_live(end));
                open = [open[0] || dead[0], open[1] || dead[1]];
            }
            let element = Element {
                row,
                ends,
                open,
                in_service,
                pi,
                tap: 0.0,
                shift_deg: 0.0,
                rating,
            };
            let mut routed = self.add(element).clone();
            self.route(&mut routed, &row);
            if let Some(branch) = self.branches.last_mut() {
                branch.route = routed.route;
            }
        }
        if zero > 0 {
            self.tell("INPUT.FIELD_IGNORED", message!("pandapower.zero_limits", count = zero));
        }
        Ok(())
    }

    /// # Errors
    /// `PHYSICS.UNSUPPORTED` for an impedance in service that depends on the direction.
    pub(super) fn impedances(&mut self) -> Result<()> {
        for row in self.document.rows("impedance") {
            let ends = [self.bus(&row, "from_bus")?, self.bus(&row, "to_bus")?];
            let sn = row.required("sn_mva")?;
            // Networks before version 1.2.3 had one column for both directions.
            let of = |direction: &str, one: &str| match row.number(direction) {
                Some(value) => Ok(value),
                None => row.required(one),
            };
            let (r, x) = (of("rft_pu", "r_pu")?, of("xft_pu", "x_pu")?);
            let back = (of("rtf_pu", "r_pu")?, of("xtf_pu", "x_pu")?);
            if row.is_in_service() && (r, x) != back {
                let message = message!("pandapower.asymmetric_impedance", row = row.label());
                return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
            }
            let (z, y) = (self.base_mva / sn, sn / self.base_mva);
            let admittance = |column: &str| row.number_or(column, 0.0) * y;
            let pi = Pi {
                r: r * z,
                x: x * z,
                g_fr: admittance("gf_pu"),
                b_fr: admittance("bf_pu"),
                g_to: admittance("gt_pu"),
                b_to: admittance("bt_pu"),
            };
            self.add(Element {
                row,
                ends,
                open: [false; 2],
                in_service: row.is_in_service(),
                pi,
                tap: 0.0,
                shift_deg: 0.0,
                rating: Some(sn),
            });
        }
        Ok(())
    }
}

impl Pi {
    /// Admittance at one end if the other, `open`, is open: the shunt of this end and, behind the impedance, that of
    /// the other.
    fn open_at(&self, open: usize, tap: f64) -> (f64, f64) {
        let (near, far) = match open {
            1 => ((self.g_fr, self.b_fr), (self.g_to, self.b_to)),
            _ => ((self.g_to, self.b_to), (self.g_fr, self.b_fr)),
        };
        // far / (1 + z far)
        let denominator = (1.0 + self.r * far.0 - self.x * far.1, self.r * far.1 + self.x * far.0);
        let size = denominator.0 * denominator.0 + denominator.1 * denominator.1;
        let behind = (
            (far.0 * denominator.0 + far.1 * denominator.1) / size,
            (far.1 * denominator.0 - far.0 * denominator.1) / size,
        );
        let ratio = if open == 1 && tap != 0.0 { tap * tap } else { 1.0 };
        ((near.0 + behind.0) / ratio, (near.1 + behind.1) / ratio)
    }
}
