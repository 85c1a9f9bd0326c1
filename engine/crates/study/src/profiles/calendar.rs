//! Hours of the civil calendar, for profiles by time.

/// Seconds of a day and an hour.
const DAY_S: i64 = 86_400;
const HOUR_S: i64 = 3_600;

/// An hour of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hour {
    year: i64,
    month: i64,
    day: i64,
    pub hour: i64,
    minute: i64,
    /// From 1 on 1 January.
    pub day_of_year: i64,
    /// Saturday or Sunday.
    pub is_weekend: bool,
}

impl Hour {
    /// The hour of a time in seconds since 1970.
    pub fn at(seconds: i64) -> Self {
        let (days, of_day) = (seconds.div_euclid(DAY_S), seconds.rem_euclid(DAY_S));
        let (year, month, day) = civil(days);
        Self {
            year,
            month,
            day,
            hour: of_day / HOUR_S,
            minute: of_day % HOUR_S / 60,
            day_of_year: days - first_day(year) + 1,
            // 1 January 1970 was a Thursday.
            is_weekend: (days + 3).rem_euclid(7) >= 5,
        }
    }

    /// The time in ISO 8601, to the minute.
    pub fn label(&self) -> String {
        let Self {
            year,
            month,
            day,
            hour,
            minute,
            ..
        } = self;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}")
    }
}

/// Year, month and day of a day since 1970: H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`. Years begin in
/// March there, so that leap days end them.
fn civil(days: i64) -> (i64, i64, i64) {
    let from_era = days + 719_468;
    let (era, of_era) = (from_era.div_euclid(146_097), from_era.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Days from 1970 to 1 January of a year.
fn first_day(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // Weekdays and days of the year from the calendar; seconds from `date -u +%s`.
        for (seconds, label, day_of_year, is_weekend) in [
            (0, "1970-01-01T00:00", 1, false),
            (951_782_400, "2000-02-29T00:00", 60, false),
            (1_783_296_000, "2026-07-06T00:00", 187, false),
            (1_783_274_400, "2026-07-05T18:00", 186, true),
            (1_735_687_800, "2024-12-31T23:30", 366, false),
            (-86_400, "1969-12-31T00:00", 365, false),
        ] {
            let hour = Hour::at(seconds);
            assert_eq!(hour.label(), label);
            assert_eq!(
                (hour.day_of_year, hour.is_weekend),
                (day_of_year, is_weekend),
                "{label}"
            );
        }
    }
}
