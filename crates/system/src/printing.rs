//! What a print shows: C's conversions on 32-bit numbers, and names.
//!
//! `%d %i %u %x %o %c %%` as in C, without widths. `%Ne` shows the name of a value in the N-th set
//! of names of the system, or the number if it has none.

use crate::model::System;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

pub(crate) fn print(system: &System, format: &str, arguments: &[BigInt]) -> String {
    let mut out = String::new();
    let mut rest = arguments.iter();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut number = 0usize;
        while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(digit as usize);
            chars.next();
        }
        match chars.next() {
            None => break,
            Some('%') => out.push('%'),
            Some(kind) => {
                let value = rest.next().cloned().unwrap_or_default();
                out.push_str(&convert(system, kind, number, &value));
            }
        }
    }
    out
}

fn convert(system: &System, kind: char, set: usize, value: &BigInt) -> String {
    let unsigned = || value.to_i64().map_or(0, |v| v as u32);
    match kind {
        'x' => format!("{:x}", unsigned()),
        'o' => format!("{:o}", unsigned()),
        'u' => unsigned().to_string(),
        'c' => value.to_u8().map_or('?', char::from).to_string(),
        'e' => {
            let position = value.to_usize().and_then(|v| v.checked_sub(1));
            let name = system.names.get(set).zip(position).and_then(|(names, p)| names.get(p));
            name.cloned().unwrap_or_else(|| value.to_string())
        }
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_those_of_c() {
        let names = vec![vec!["red".to_string(), "green".to_string()]];
        let system = System { names, ..System::default() };
        let shows = |format: &str, values: &[i64]| {
            print(&system, format, &values.iter().map(|v| BigInt::from(*v)).collect::<Vec<_>>())
        };
        assert_eq!(shows("%d|%i|%u", &[-1, 2, -1]), "-1|2|4294967295");
        assert_eq!(shows("%x %o %c %%", &[-1, 8, 65]), "ffffffff 10 A %");
        assert_eq!(shows("%0e %0e %0e %5e", &[1, 2, 3, 1]), "red green 3 1");
        assert_eq!(shows("%d and nothing", &[]), "0 and nothing");
    }
}
