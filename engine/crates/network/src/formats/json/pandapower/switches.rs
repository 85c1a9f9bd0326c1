//! Switches: closed ones between two buses, open ones at the ends of branches.

use std::collections::HashMap;

use super::branches::without_limits;
use super::document::Document;
use super::{uid, Reading};
use crate::error::Result;
use crate::switches;

/// Buses of open switches by kind of the branch (`l`, `t`, `t3`) and its index.
#[derive(Debug, Default)]
pub(super) struct Switches(HashMap<String, HashMap<usize, Vec<usize>>>);

impl Switches {
    pub fn read(document: &Document) -> Result<Self> {
        let mut open: HashMap<String, HashMap<usize, Vec<usize>>> = HashMap::new();
        for row in document.rows("switch") {
            let Some(kind) = row.text("et").filter(|kind| *kind != "b") else {
                continue;
            };
            if !row.flag("closed", true) {
                row.required("element")?;
                row.required("bus")?;
                if let (Some(element), Some(bus)) = (row.whole("element"), row.whole("bus")) {
                    let of_kind = open.entry(kind.to_string()).or_default();
                    of_kind.entry(element).or_default().push(bus);
                }
            }
        }
        Ok(Self(open))
    }

    /// The open ends of a branch. A switch at a bus other than its ends opens the end `otherwise`, as in pandapower.
    pub fn open_ends<const N: usize>(
        &self,
        kind: &str,
        element: usize,
        ends: [Option<usize>; N],
        otherwise: usize,
    ) -> [bool; N] {
        let mut open = [false; N];
        for bus in self
            .0
            .get(kind)
            .and_then(|of_kind| of_kind.get(&element))
            .into_iter()
            .flatten()
        {
            let end = ends.iter().position(|end| *end == Some(*bus));
            open[end.unwrap_or(otherwise)] = true;
        }
        open
    }
}

impl Reading<'_> {
    /// Switches between two buses: closed one node, or a branch if the switch has an impedance; open out of service.
    pub(super) fn switched_buses(&mut self) -> Result<()> {
        let ratio = self.options.switch_rx_ratio;
        for row in self.document.rows("switch") {
            if row.text("et") != Some("b") {
                continue;
            }
            let (from, to) = (self.bus(&row, "bus")?, self.bus(&row, "element")?);
            let ohm = row.number_or("z_ohm", 0.0).max(0.0);
            let z = ohm / self.base_ohm(from);
            let share = 1.0 / (1.0 + ratio * ratio).sqrt();
            let (r, x) = match ohm > 0.0 {
                true => (z * ratio * share, z * share),
                false => (0.0, 0.0),
            };
            let is_closed = row.flag("closed", true) && self.is_live(from) && self.is_live(to);
            let mut branch = switches::branch(self.id(from), self.id(to), is_closed);
            (branch.r, branch.x) = (r, x);
            branch.name = row.text("name").map(str::to_string);
            branch.uid = uid(&row);
            without_limits(&mut branch);
            self.branches.push(branch);
        }
        Ok(())
    }
}
