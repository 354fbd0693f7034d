//! Times of events in words. Events have milliseconds since 1970 began, in UTC.

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// The last millisecond of the year 9999, after which years have more than four digits.
const LAST: i64 = 253_402_300_799_999;

/// A time as `2026-11-25 13:20:03 UTC`; nothing before 1970 and after 9999.
pub fn utc(milliseconds: i64) -> Option<String> {
    if !(0..=LAST).contains(&milliseconds) {
        return None;
    }
    let (year, month, day) = date(milliseconds / DAY);
    let second = milliseconds % DAY / 1000;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    Some(format!(
        "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC"
    ))
}

/// The time between two events as `1.5 s`; nothing where the second is earlier.
pub fn duration(from: i64, to: i64) -> Option<String> {
    let milliseconds = to.checked_sub(from).filter(|time| *time >= 0)?;
    let (seconds, tenths) = (milliseconds / 1000, milliseconds % 1000 / 100);
    Some(match seconds {
        0 => format!("{milliseconds} ms"),
        1..60 => format!("{seconds}.{tenths} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    })
}

/// Year, month and day of a day since 1970 began, by the rules of the Gregorian calendar.
fn date(day: i64) -> (i64, i64, i64) {
    let (mut year, mut rest) = (1970, day);
    while rest >= days_of_year(year) {
        rest -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if rest < days {
            break;
        }
        rest -= days;
        month += 1;
    }
    (year, month, rest + 1)
}

fn days_of_year(year: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if is_leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::{duration, utc};

    #[test]
    fn times_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399_999, "2000-02-28 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_732_541_403_000, "2024-11-25 13:30:03 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
            (253_402_300_799_999, "9999-12-31 23:59:59 UTC"),
        ];
        for (milliseconds, text) in cases {
            assert_eq!(utc(milliseconds).as_deref(), Some(text));
        }
        assert_eq!(utc(-1), None);
        assert_eq!(utc(i64::MAX), None);
    }

    #[test]
    fn durations_are_rounded_down() {
        let cases = [
            (0, "0 ms"),
            (999, "999 ms"),
            (1_590, "1.5 s"),
            (61_000, "1 min 1 s"),
            (7_320_000, "2 h 2 min"),
        ];
        for (milliseconds, text) in cases {
            assert_eq!(duration(0, milliseconds).as_deref(), Some(text));
        }
        assert_eq!(duration(1, 0), None);
        assert_eq!(duration(i64::MIN, i64::MAX), None);
    }
}
