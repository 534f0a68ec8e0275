//! States as bytes: the values one behind the other, each with what kind it is. Small integers take
//! one byte.

use super::value::{Array, Value};
use logic::fol::Rational;
use num_bigint::BigInt;
use std::sync::Arc;

const FALSE: u8 = 0;
const TRUE: u8 = 1;
const INT: u8 = 2;
const BIG: u8 = 3;
const FRACTION: u8 = 4;
const CONSTANT: u8 = 5;
const ARRAY: u8 = 6;
const SEQUENCE: u8 = 7;
const DATA: u8 = 8;
/// From here on a byte is the integer `byte - ZERO`.
const SMALL: u8 = 0x20;
const ZERO: i64 = 0x40;

pub fn write(values: &[Value], out: &mut Vec<u8>) {
    values.iter().for_each(|value| one(value, out));
}

#[inline]
pub fn one(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Int(n) if (i64::from(SMALL) - ZERO..256 - ZERO).contains(n) => out.push((n + ZERO) as u8),
        _ => with_kind(value, out),
    }
}

fn with_kind(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Bool(b) => out.push(u8::from(*b)),
        Value::Int(n) => {
            out.push(INT);
            number(((n << 1) ^ (n >> 63)) as u64, out);
        }
        Value::Big(n) => {
            out.push(BIG);
            big(n, out);
        }
        Value::Fraction(r) => {
            out.push(FRACTION);
            big(r.numer(), out);
            big(r.denom(), out);
        }
        Value::Constant(at) => {
            out.push(CONSTANT);
            number(*at as u64, out);
        }
        Value::Array(array) => {
            out.push(ARRAY);
            number(array.entries.len() as u64, out);
            one(&array.default, out);
            for (index, value) in &array.entries {
                one(index, out);
                one(value, out);
            }
        }
        Value::Sequence(items) => {
            out.push(SEQUENCE);
            number(items.len() as u64, out);
            write(items, out);
        }
        Value::Data(n, fields) => {
            out.push(DATA);
            number(*n as u64, out);
            number(fields.len() as u64, out);
            write(fields, out);
        }
    }
}

fn number(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

fn big(n: &BigInt, out: &mut Vec<u8>) {
    let bytes = n.to_signed_bytes_le();
    number(bytes.len() as u64, out);
    out.extend(bytes);
}

/// The values of a state that `write` wrote.
pub fn read(bytes: &[u8], out: &mut Vec<Value>) {
    read_with_ends(bytes, out, &mut Vec::new());
}

/// The same, and where each value ends.
pub fn read_with_ends(bytes: &[u8], out: &mut Vec<Value>, ends: &mut Vec<usize>) {
    out.clear();
    ends.clear();
    let mut reader = Reader { bytes, at: 0 };
    while reader.at < bytes.len() {
        let value = reader.value();
        out.push(value);
        ends.push(reader.at);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn number(&mut self) -> u64 {
        let (mut n, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            n |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return n;
            }
        }
    }

    fn big(&mut self) -> BigInt {
        let length = self.number() as usize;
        self.at += length;
        BigInt::from_signed_bytes_le(&self.bytes[self.at - length..self.at])
    }

    fn values(&mut self) -> Arc<Vec<Value>> {
        let count = self.number();
        Arc::new((0..count).map(|_| self.value()).collect())
    }

    #[inline]
    fn value(&mut self) -> Value {
        match self.byte() {
            small @ SMALL.. => Value::Int(i64::from(small) - ZERO),
            kind => self.of_kind(kind),
        }
    }

    fn of_kind(&mut self, kind: u8) -> Value {
        match kind {
            FALSE => Value::Bool(false),
            TRUE => Value::Bool(true),
            INT => {
                let n = self.number();
                Value::Int((n >> 1) as i64 ^ -((n & 1) as i64))
            }
            BIG => Value::Big(Arc::new(self.big())),
            FRACTION => {
                let numerator = self.big();
                Value::Fraction(Arc::new(Rational::new(numerator, self.big())))
            }
            CONSTANT => Value::Constant(self.number() as usize),
            ARRAY => {
                let count = self.number();
                let default = self.value();
                let entries = (0..count).map(|_| (self.value(), self.value())).collect();
                Value::Array(Arc::new(Array { entries, default }))
            }
            SEQUENCE => Value::Sequence(self.values()),
            DATA.. => {
                let n = self.number() as usize;
                Value::Data(n, self.values())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::fol::{Constructor, Sort};

    #[test]
    fn what_is_written_is_read() {
        let int = Value::Int;
        let huge = Value::integer(BigInt::from(i64::MIN) * 3);
        let third = Value::number(Rational::new(1.into(), (-3).into()));
        let array = |default: Value| {
            let entries = vec![(huge.clone(), int(0)), (int(-1), int(5)), (int(7), huge.clone())];
            Value::Array(Arc::new(Array { entries, default }))
        };
        let numbers = [0, 1, -1, -32, -33, 191, 192, 300, i64::MAX, i64::MIN].map(int);
        let leaf = Constructor { name: "leaf".into(), fields: Vec::new() };
        let made = Constructor { name: "made".into(), fields: vec![("of".into(), Sort::Int)] };
        let data = Sort::data("data", vec![leaf, made]);
        let mut all = vec![(Value::Bool(true), Sort::Bool), (Value::Bool(false), Sort::Bool)];
        all.extend([(huge.clone(), Sort::Int), (third.clone(), Sort::Real), (int(0), Sort::Real)]);
        all.extend([
            (Value::Constant(0), data.clone()),
            (Value::Data(1, Arc::new(vec![huge.clone()])), data),
        ]);
        all.push((array(int(0)), Sort::array(Sort::Int, Sort::Int)));
        all.push((array(third), Sort::array(Sort::Int, Sort::Real)));
        all.push((Value::Sequence(Arc::new(numbers.to_vec())), Sort::sequence(Sort::Int)));
        all.extend(numbers.map(|n| (n, Sort::Int)));
        let values: Vec<Value> = all.iter().map(|(value, _)| value.clone()).collect();
        let mut bytes = Vec::new();
        write(&values, &mut bytes);
        let mut back = Vec::new();
        read(&bytes, &mut back);
        assert_eq!(back, values);
        for (a, sort) in &all {
            assert_eq!(Value::from(&a.plain(sort)), *a);
            for (b, _) in all.iter().filter(|(_, other)| other == sort) {
                assert_eq!(a.cmp(b), a.plain(sort).cmp(&b.plain(sort)), "{a:?} {b:?}");
            }
        }
    }
}
