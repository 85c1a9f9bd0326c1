//! Synthetic demand by hour: a plausible shape for examples and tests, not measurements.

use super::calendar::Hour;
use super::noise::Noise;
use super::{check_size, Profile};
use crate::case::Case;
use std::collections::BTreeMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// A peak of a periodic curve.
struct Peak {
    height: f64,
    at: f64,
    width: f64,
}

/// Daily peaks above the level of the night, hours.
const DAILY: [Peak; 2] = [
    Peak {
        height: 0.20,
        at: 9.5,
        width: 3.0,
    },
    Peak {
        height: 0.34,
        at: 18.5,
        width: 3.6,
    },
];
const NIGHT: f64 = 0.62;
const WEEKEND: f64 = 0.93;
/// Yearly peaks above the level of spring and autumn, days.
const YEARLY: [Peak; 2] = [
    Peak {
        height: 0.16,
        at: 15.0,
        width: 45.0,
    },
    Peak {
        height: 0.25,
        at: 205.0,
        width: 40.0,
    },
];
const MILD: f64 = 0.75;
/// Standard deviation of an area's own variation, and its correlation from hour to hour.
const VARIATION: f64 = 0.02;
const MEMORY: f64 = 0.9;
/// Degrees that the sun moves in an hour.
const DEGREES_PER_HOUR: f64 = 15.0;
/// The last supported year is 9999.
const LATEST_S: f64 = 253_402_300_800.0;

pub(super) fn demand(case: &Case, start_s: f64, hours: u32, seed: u32) -> Result<Profile> {
    let mut buses = case.loads();
    buses.retain(|&row| case.demand_mw(row) > 0.0);
    if buses.is_empty() {
        return Err(EngineError::new("PROFILE.MALFORMED", message!("profile.no_demand")));
    }
    if hours == 0 {
        return Err(EngineError::new("PROFILE.MALFORMED", message!("profile.no_steps")));
    }
    if start_s.is_nan() || start_s.abs() > LATEST_S {
        return Err(EngineError::new("PROFILE.MALFORMED", message!("profile.start")));
    }
    let count = hours as usize;
    check_size(count, buses.len())?;
    let ahead = ahead_of_mean(case, &buses);
    let areas = areas(case, &buses);
    let mut variation = Variation::new(&areas, seed);
    let (mut steps, mut demand_mw) = (Vec::with_capacity(count), Vec::with_capacity(count * buses.len()));
    let mut most = 0.0_f64;
    for k in 0..hours {
        let hour = Hour::at(start_s as i64 + 3_600 * i64::from(k));
        steps.push(hour.label());
        let yearly = MILD + bumps(hour.day_of_year as f64, &YEARLY, 365.0);
        let weekly = if hour.is_weekend { WEEKEND } else { 1.0 };
        let varied = variation.advance();
        let mut total = 0.0;
        for (b, &row) in buses.iter().enumerate() {
            let daily = NIGHT + bumps(hour.hour as f64 + ahead[b], &DAILY, 24.0);
            let mw = daily * yearly * weekly * (1.0 + varied[areas[b]]) * case.demand_mw(row);
            total += mw;
            demand_mw.push(mw);
        }
        most = most.max(total);
    }
    let base: f64 = buses.iter().map(|&row| case.demand_mw(row)).sum();
    for mw in &mut demand_mw {
        *mw *= base / most;
    }
    Ok(Profile {
        steps,
        buses,
        demand_mw,
    })
}

/// Hours by which solar time at a bus is ahead of the average; buses without a position follow the average.
fn ahead_of_mean(case: &Case, buses: &[usize]) -> Vec<f64> {
    let longitude = |row: usize| case.network.buses[row].lon_lat.map(|at| at[0]);
    let known: Vec<f64> = buses.iter().filter_map(|&row| longitude(row)).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let ahead = |&row: &usize| longitude(row).map_or(0.0, |degrees| (degrees - mean) / DEGREES_PER_HOUR);
    buses.iter().map(ahead).collect()
}

/// Indices of the buses' areas in order of appearance; buses without an area form one group.
fn areas(case: &Case, buses: &[usize]) -> Vec<usize> {
    let mut places = BTreeMap::new();
    let mut place = |row: &usize| {
        let next = places.len();
        *places.entry(case.network.buses[*row].area).or_insert(next)
    };
    buses.iter().map(&mut place).collect()
}

fn bumps(at: f64, peaks: &[Peak], period: f64) -> f64 {
    let bump = |peak: &Peak| {
        let away = (at - peak.at + period / 2.0).rem_euclid(period) - period / 2.0;
        let widths = away / peak.width;
        peak.height * libm::exp(-(widths * widths))
    };
    peaks.iter().map(bump).sum()
}

/// An autoregressive variation by hour and area.
struct Variation {
    noise: Noise,
    /// In standard deviations.
    now: Vec<f64>,
    begun: bool,
    values: Vec<f64>,
}

impl Variation {
    fn new(areas: &[usize], seed: u32) -> Self {
        let count = areas.iter().max().map_or(0, |last| last + 1);
        Self {
            noise: Noise::new(u64::from(seed)),
            now: vec![0.0; count],
            begun: false,
            values: vec![0.0; count],
        }
    }

    fn advance(&mut self) -> &[f64] {
        let (carried, added) = match self.begun {
            true => (MEMORY, (1.0 - MEMORY * MEMORY).sqrt()),
            false => (0.0, 1.0),
        };
        self.begun = true;
        for (now, value) in self.now.iter_mut().zip(&mut self.values) {
            *now = carried * *now + added * self.noise.normal();
            *value = VARIATION * *now;
        }
        &self.values
    }
}
