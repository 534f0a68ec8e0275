//! The key of a studio: random, and compared in the same time wherever it differs.

use std::io::{self, Read};

/// What only those know who were given the address.
#[derive(Clone)]
pub(crate) struct Key(String);

const BYTES: usize = 24;

impl Key {
    pub(crate) fn random() -> io::Result<Key> {
        let mut bytes = [0; BYTES];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(Key(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Looks at every byte, so that time tells nothing.
    pub(crate) fn is(&self, given: &str) -> bool {
        let (mine, given) = (self.0.as_bytes(), given.as_bytes());
        let pairs = mine.iter().zip(given);
        mine.len() == given.len() && pairs.fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_and_differ() {
        let (one, other) = (Key::random().unwrap(), Key::random().unwrap());
        assert_eq!(one.text().len(), 2 * BYTES);
        assert!(one.is(one.text()) && !one.is(other.text()));
        assert!(!one.is("") && !one.is(&one.text()[1..]));
    }
}
