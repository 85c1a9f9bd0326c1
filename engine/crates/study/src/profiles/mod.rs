//! Profiles: the demand of buses by step, synthetic or read from a table.

mod calendar;
mod noise;
mod synthetic;
mod table;

use crate::case::Case;
use crate::contract::{self as c, Column, ColumnName};
use crate::results::Reply;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Largest size of a profile, steps times buses: a year of hours at 10,000 buses.
const MOST_VALUES: usize = 90_000_000;

/// Demand by step: labels of the steps, bus rows, and the demand of all buses step by step, MW.
struct Profile {
    steps: Vec<String>,
    buses: Vec<usize>,
    demand_mw: Vec<f64>,
}

impl Profile {
    /// A `ProfileHead` and the column `demand_mw`.
    fn reply(self, case: &Case) -> Reply {
        let ids = self.buses.iter().map(|&row| case.network.buses[row].id);
        let head = c::ProfileHead {
            steps: self.steps,
            buses: ids.collect(),
        };
        Reply::new(&head, vec![Column::new(ColumnName::DemandMw, self.demand_mw)])
    }
}

impl Case {
    /// A synthetic hourly demand profile, not based on measurements: a `ProfileHead` and the column `demand_mw`, MW,
    /// all buses of the first step, then those of the second, and so on. `start_s` is in seconds since 1970 on the
    /// local clock of the case.
    ///
    /// The system has a morning and an evening peak, less demand at weekends, and over longer times a winter and a
    /// summer peak. Buses follow local solar time, and each area has a random variation of about 2 % of its own
    /// (`seed`). The peak hour has the demand of the base case. Buses with negative demand are excluded and stay
    /// constant. The numbers are the same on every platform.
    ///
    /// Errors: `PROFILE.MALFORMED` for an empty or an excessive request.
    pub fn synthetic_demand(&self, start_s: f64, hours: u32, seed: u32) -> Result<Reply> {
        Ok(synthetic::demand(self, start_s, hours, seed)?.reply(self))
    }

    /// Reads a demand profile from a table of text: a header, then a row for each step. The first column labels the
    /// steps. Each other column is demand in MW of a bus (`30`, `bus 30` or its uid), an area (`area 2`), a zone (`zone
    /// 5`) or the `system`; the demand of several buses is shared as in the base case, negative demand included. A
    /// `ProfileHead` and the column `demand_mw` as for [`Case::synthetic_demand`].
    ///
    /// Errors: `PROFILE.MALFORMED` and `BUS.UNKNOWN`, which name row and column; `INPUT.ENCODING`.
    pub fn read_profile(&self, bytes: &[u8]) -> Result<Reply> {
        Ok(table::demand(self, bytes)?.reply(self))
    }

    /// Demand of the base case, MW.
    fn demand_mw(&self, row: usize) -> f64 {
        self.network.buses[row].demand_pu * self.network.base_mva
    }

    /// Rows of the buses that share the demand of an area, a zone or the system: those whose demand can be edited and
    /// is not zero.
    fn loads(&self) -> Vec<usize> {
        let buses = self.network.buses.iter().enumerate();
        buses
            .filter(|(_, bus)| bus.editable && bus.in_service && bus.demand_pu != 0.0)
            .map(|(row, _)| row)
            .collect()
    }
}

/// Refuses a profile that is too large to store.
fn check_size(steps: usize, buses: usize) -> Result<()> {
    if steps.checked_mul(buses).is_some_and(|values| values <= MOST_VALUES) {
        return Ok(());
    }
    let message = message!("profile.too_large", steps = steps, buses = buses);
    Err(EngineError::new("PROFILE.MALFORMED", message))
}
