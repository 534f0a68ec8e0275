//! Numbers as people write and read them: sizes, durations, counts.

use std::time::Duration;

/// `512`, `64K`, `512M`, `2G`, `1T`: bytes, in powers of 1024.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("write a size as 512M or 2G".to_string()),
    };
    let bytes = number.parse::<f64>().ok().map(|n| n * (1u64 << shift) as f64);
    bytes
        .filter(|b| b.is_finite() && *b >= 1.0)
        .map(|b| b as u64)
        .ok_or_else(|| "write a size as 512M or 2G".to_string())
}

/// `10`, `10s`, `500ms`, `5m`, `2h`.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a duration as 30s, 5m or 2h".to_string();
    let (number, unit) = split(text);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * scale;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.split_at(end)
}

/// `1,234,567`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `3.2 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{value:.1} {}", units[unit]) }
}

/// `1 step`, `2 steps`.
pub(crate) fn plural(n: usize, word: &str) -> String {
    let ending = match word {
        "process" if n != 1 => "es",
        _ if n != 1 => "s",
        _ => "",
    };
    format!("{} {word}{ending}", count(n as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_durations_are_read() {
        assert_eq!(parse_size("512"), Ok(512));
        assert_eq!(parse_size("2k"), Ok(2048));
        assert_eq!(parse_size("1.5G"), Ok(3 << 29));
        assert_eq!(parse_size("64MiB"), Ok(64 << 20));
        assert_eq!(parse_duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        for wrong in ["", "x", "3X", "-1", "1e99999", "."] {
            assert!(parse_size(wrong).is_err() && parse_duration(wrong).is_err(), "{wrong}");
        }
        assert!(parse_size("0").is_err());
    }

    #[test]
    fn numbers_are_written() {
        assert_eq!([count(0), count(999), count(1000), count(1234567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([size(12), size(2048), size(3 << 29)], ["12 bytes", "2.0 KiB", "1.5 GiB"]);
        assert_eq!([plural(1, "step"), plural(2, "process")], ["1 step", "2 processes"]);
    }
}
